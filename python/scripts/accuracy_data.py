# ===- accuracy_data.py - What quantized models are judged by --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples for bench_accuracy.py: those to calibrate a model by, others to judge it
by, and what they are.

Where `.ci/setup.sh --bench` has installed what they come from, they are parts of
photographs and spoken sentences. Else they are made here: images whose spectra and
edges are like those of photographs, sounds like voices. Digits are scikit-learn's,
rows of statistics are drawn around the stored ones, words are random.
"""

import functools
import pathlib
import shutil
import subprocess
import tempfile
import wave

import numpy as np
import onnx
from onnx import numpy_helper

import nacre
from nacre import cli

DIGITS = cli.ROOT / "python" / "models" / "digits"


def make_images(rng, count, channels, height, width):
    """Images from 0 to 1 with a spectrum of 1/f, edges, and colours that go
    together."""
    rows = np.fft.fftfreq(height)[:, None]
    columns = np.fft.rfftfreq(width)[None, :]
    frequency = np.maximum(np.hypot(rows, columns), 1 / max(height, width))
    images = []
    for _ in range(count):
        def texture():
            spectrum = rng.standard_normal(frequency.shape) \
                + 1j * rng.standard_normal(frequency.shape)
            image = np.fft.irfft2(spectrum / frequency, (height, width))
            return image / image.std()
        light = texture() + np.where(texture() > 0.5, 1.0, 0.0)
        image = np.stack([light + 0.3 * texture() for _ in range(channels)])
        image = 0.5 + 0.22 * (image - image.mean())
        images.append(np.clip(image, 0, 1).astype(np.float32))
    return images


@functools.lru_cache(maxsize=None)
def photographs():
    """Images of 256 colours, the last one with a face; none where nothing can
    read them."""
    try:
        from PIL import Image
        from sklearn import datasets
    except ImportError:
        return []
    folder = pathlib.Path(datasets.__file__).parent / "images"
    paths = [folder / "china.jpg", folder / "flower.jpg",
             pathlib.Path("/usr/share/matplotlib/mpl-data/sample_data/"
                          "grace_hopper.jpg")]
    return [np.asarray(Image.open(path).convert("RGB")) for path in paths
            if path.exists()]


def scale(image, height, width):
    """An image of another size, by the mean of what is near each pixel."""
    from PIL import Image
    size = (width, height)
    return np.asarray(Image.fromarray(image).resize(size, Image.BILINEAR))


def crop(rng, image, height, width):
    """A part of a photograph, between all of it and a third, maybe mirrored."""
    shape = np.array(image.shape[:2])
    most = (shape / (height, width)).min()
    part = (np.array((height, width)) * most * rng.uniform(0.33, 1)).astype(int)
    top, left = (int(rng.integers(0, end + 1)) for end in shape - part)
    image = image[top:top + part[0], left:left + part[1]]
    return scale(image[:, ::-1] if rng.integers(2) else image, height, width)


def colour_images(rng, count, height, width, faces=False):
    """Images from 0 to 1 with three channels, and what they are."""
    known = photographs()
    if not known or (faces and len(known) < 3):
        return make_images(rng, count, 3, height, width), "made"
    images = []
    for i in range(count):
        image = crop(rng, known[i % 2], height, width)
        if faces:
            image = place(rng, image, known[2])
        images.append(np.float32(image.transpose(2, 0, 1)) / 255)
    return images, "photographs"


def place(rng, image, face):
    """The image with a portrait in it."""
    height, width = image.shape[:2]
    rows = int(height * rng.uniform(0.4, 1))
    columns = min(rows * face.shape[1] // face.shape[0], width)
    top = int(rng.integers(0, height - rows + 1))
    left = int(rng.integers(0, width - columns + 1))
    face = face[:, ::-1] if rng.integers(2) else face
    image = image.copy()
    image[top:top + rows, left:left + columns] = scale(face, rows, columns)
    return image


def training_digits(count):
    from sklearn.datasets import load_digits  # slow to import
    images = load_digits().images[:count]
    return [(image / 16).astype(np.float32) for image in images]


def test_digits():
    return list(np.load(DIGITS / "test_images.npy").astype(np.float32)
                .reshape(-1, 8, 8))


def enlarge(digit):
    """From 8 x 8 into 28 x 28, smoothly, with 256 greys."""
    places = np.linspace(0, 7, 20)
    rows = np.stack([np.interp(places, np.arange(8), row) for row in digit])
    image = np.stack([np.interp(places, np.arange(8), column)
                      for column in rows.T]).T
    return np.pad(image * 255, 4).astype(np.float32)


def digits(_model, _rng):
    def feeds(images):
        return [{"image": image[None, None]} for image in images]
    return feeds(training_digits(128)), feeds(test_digits()), "digits"


def mnist(_model, _rng):
    def feeds(images):
        return [{"Input3": enlarge(image)[None, None]} for image in images]
    return feeds(training_digits(128)), feeds(test_digits()), "digits"


def superres(_model, rng):
    if photographs():
        images, source = colour_images(rng, 40, 224, 224)
        luma = np.float32([0.299, 0.587, 0.114])
        images = [np.tensordot(luma, image, 1)[None] for image in images]
    else:
        images, source = make_images(rng, 40, 1, 224, 224), "made"
    feeds = [{"_ppp5_expanded": image[None]} for image in images]
    return feeds[:32], feeds[32:], source


def ultraface(_model, rng):
    images, source = colour_images(rng, 48, 240, 320, faces=True)
    feeds = [{"input": ((image * 255 - 127) / 128)[None].astype(np.float32)}
             for image in images]
    return feeds[:32], feeds[32:], source


def classifier(name):
    """Samples of a network of images of 224 x 224, for its input of that name."""
    def make(_model, rng):
        images, source = colour_images(rng, 48, 224, 224)
        feeds = [{name: ((image - 0.45) / 0.225)[None].astype(np.float32)}
                 for image in images]
        return feeds[:32], feeds[32:], source
    return make


def bert(_model, rng):
    def make():
        length = int(rng.integers(16, 129))
        mask = (np.arange(128) < length).astype(np.int64)[None]
        return {"input_ids": rng.integers(0, 1000, (1, 128)) * mask,
                "attention_mask": mask}
    feeds = [make() for _ in range(96)]
    return feeds[:64], feeds[64:], "random words"


def genre(model, rng):
    stored = np.concatenate([
        numpy_helper.to_array(onnx.load_tensor(str(path)))
        for path in sorted(model.parent.glob("test_data_set_*/input_0.pb"))])
    mean, deviation = stored.mean((0, 1)), stored.std((0, 1))
    feeds = [{"flatten_input": (mean + deviation * rng.standard_normal(
        (1, *stored.shape[1:]))).astype(np.float32)} for _ in range(264)]
    return feeds[:64], feeds[64:], "statistics"


def make_sound(rng, size):
    """Sounds of 16 kHz like syllables, with pauses, and noise."""
    time = np.arange(size) / 16000
    pitch = 110 * np.exp(0.2 * np.sin(2 * np.pi * 0.7 * time))
    phase = 2 * np.pi * np.cumsum(pitch) / 16000
    voice = sum(np.sin(k * phase) * np.exp(-((k * pitch - formant) / 300) ** 2)
                for k in range(1, 24)
                for formant in (600 + 200 * np.sin(2 * np.pi * 2 * time), 1500))
    loud = np.maximum(np.sin(2 * np.pi * 3 * time), 0) \
        * (np.sin(2 * np.pi * 0.4 * time) > -0.2)
    sound = 0.15 * voice * loud + 0.003 * rng.standard_normal(time.size)
    return sound.astype(np.float32)


SENTENCES = ("The quick brown fox jumps over the lazy dog.",
             "Seven hundred and thirty two ships sailed past the harbour.",
             "Please leave a message after the tone.",
             "She sells sea shells by the sea shore.")
VOICES = ("en", "en+f3", "en+m7", "en-us+f5")


def speak(sentence, voice):
    """A sentence at 16 kHz."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sound.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-w", path, sentence],
                       check=True, stdout=subprocess.DEVNULL)
        with wave.open(str(path)) as file:
            rate = file.getframerate()
            sound = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    size = sound.size * 16000 // rate
    spectrum = np.fft.rfft(sound / 32768)[:size // 2 + 1]
    return np.fft.irfft(spectrum, size) * size / sound.size


def sounds(rng, size, voices=VOICES):
    """Speech with pauses and noise, and what it is."""
    if not shutil.which("espeak-ng"):
        return make_sound(rng, size), "made"
    parts = []
    for sentence, voice in zip(SENTENCES, voices):
        parts += [speak(sentence, voice), np.zeros(8000)]
    sound = np.resize(np.concatenate(parts), size)
    sound = sound + 0.003 * rng.standard_normal(size)
    return sound.astype(np.float32), "speech"


def silero(model, rng):
    """Frames with the state that the model in f32 has come to."""
    session = nacre.InferenceSession(str(model))
    sound, source = sounds(rng, 400 * 512)
    sound = np.concatenate([np.zeros(64, np.float32), sound])
    state, feeds = np.zeros((2, 1, 128), np.float32), []
    for begin in range(0, sound.size - 575, 512):
        feeds.append({"input": sound[None, begin:begin + 576], "state": state})
        state = session.run(["stateN"], feeds[-1])[0]
    return feeds[::2][:128], feeds[1::2], source
