#!/usr/bin/python3
# ===- bench_accuracy.py - How accurate quantized models are ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes known models and compares them with floors, and with ONNX Runtime's
recipes.

Each model is calibrated on some samples and judged by others, which are made
here by a fixed seed: handwritten digits, images whose spectra and edges are like
those of photographs, sounds like voices, rows of the statistics of the stored
ones, random words. Figures are signal over noise of the worst output against the
model in f32, in decibels, over all samples that judge.

  default   nacre quantize as it is
  repaired  with --equalize=auto --smooth=auto --rounding=hessian
  recipe    the best of those that --recipe names: ONNX Runtime's calibrators,
            minmax (its default), entropy and percentile, with one scale for all
            weights of an operator (tensor) or for each channel (channel), and
            activations u8 or s8. They are rebuilt from their documented rules on
            nacre's placement: its own choice of what is quantized, without
            correction of biases
  floor     what the default has to reach

The exit status is 1 where a default misses its floor, or is half a decibel worse
than the best recipe.
"""

import argparse
import itertools
import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import cli, suite  # noqa: E402

DIGITS = cli.ROOT / "python" / "models" / "digits"
CALIBRATORS = {"minmax": "minmax", "entropy": "entropy",
               "percentile": "percentile:99.999"}
ACTIVATIONS = {"u8": "uint8", "s8": "int8"}
RECIPES = ["-".join(parts) for parts in itertools.product(
    CALIBRATORS, ("tensor", "channel"), ACTIVATIONS)]
REPAIRS = {"equalize": "auto", "smooth": "auto", "rounding": "hessian"}


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
    return feeds(training_digits(128)), feeds(test_digits())


def mnist(_model, _rng):
    def feeds(images):
        return [{"Input3": enlarge(image)[None, None]} for image in images]
    return feeds(training_digits(128)), feeds(test_digits())


def superres(_model, rng):
    feeds = [{"_ppp5_expanded": image[None]}
             for image in make_images(rng, 40, 1, 224, 224)]
    return feeds[:32], feeds[32:]


def ultraface(_model, rng):
    feeds = [{"input": ((image * 255 - 127) / 128)[None].astype(np.float32)}
             for image in make_images(rng, 48, 3, 240, 320)]
    return feeds[:32], feeds[32:]


def mobilenet(_model, rng):
    feeds = [{"input": ((image - 0.45) / 0.225)[None].astype(np.float32)}
             for image in make_images(rng, 48, 3, 224, 224)]
    return feeds[:32], feeds[32:]


def bert(_model, rng):
    def make():
        length = int(rng.integers(16, 129))
        mask = (np.arange(128) < length).astype(np.int64)[None]
        return {"input_ids": rng.integers(0, 1000, (1, 128)) * mask,
                "attention_mask": mask}
    feeds = [make() for _ in range(96)]
    return feeds[:64], feeds[64:]


def genre(model, rng):
    stored = np.concatenate([
        numpy_helper.to_array(onnx.load_tensor(str(path)))
        for path in sorted(model.parent.glob("test_data_set_*/input_0.pb"))])
    mean, deviation = stored.mean((0, 1)), stored.std((0, 1))
    feeds = [{"flatten_input": (mean + deviation * rng.standard_normal(
        (1, *stored.shape[1:]))).astype(np.float32)} for _ in range(264)]
    return feeds[:64], feeds[64:]


def speak(rng, count, size=512):
    """Sounds of 16 kHz like syllables, with pauses, and noise."""
    time = np.arange(count * size) / 16000
    pitch = 110 * np.exp(0.2 * np.sin(2 * np.pi * 0.7 * time))
    phase = 2 * np.pi * np.cumsum(pitch) / 16000
    voice = sum(np.sin(k * phase) * np.exp(-((k * pitch - formant) / 300) ** 2)
                for k in range(1, 24)
                for formant in (600 + 200 * np.sin(2 * np.pi * 2 * time), 1500))
    loud = np.maximum(np.sin(2 * np.pi * 3 * time), 0) \
        * (np.sin(2 * np.pi * 0.4 * time) > -0.2)
    sound = 0.15 * voice * loud + 0.003 * rng.standard_normal(time.size)
    return sound.astype(np.float32)


def silero(model, rng):
    """Frames with the state that the model in f32 has come to."""
    session = nacre.InferenceSession(str(model))
    sound = np.concatenate([np.zeros(64, np.float32), speak(rng, 400)])
    state, feeds = np.zeros((2, 1, 128), np.float32), []
    for begin in range(0, sound.size - 575, 512):
        feeds.append({"input": sound[None, begin:begin + 576], "state": state})
        state = session.run(["stateN"], feeds[-1])[0]
    return feeds[::2][:128], feeds[1::2]


# How samples are made, and the decibels that the default has to reach.
MODELS = {
    "digits": (digits, 27), "mnist8": (mnist, 27),
    "superres_core": (superres, 25), "ultraface_rfb320": (ultraface, 20),
    "silero_vad_static16k": (silero, None), "mlp_audio_genre": (genre, 25),
    "bert_mini": (bert, 17), "mobilenet_v2": (mobilenet, 14)}


def run(path, feeds):
    """Each output over all samples."""
    session = nacre.InferenceSession(str(path))
    results = [session.run(None, feed) for feed in feeds]
    return [np.stack(values) for values in zip(*results)]


def decibels(expected, found):
    noise = ((expected - found) ** 2).sum()
    return 10 * np.log10((expected ** 2).sum() / max(noise, 1e-30))


def compare(expected, found):
    """Decibels of the worst output, and how often scores have the same choice."""
    noise = min(decibels(a, b) for a, b in zip(expected, found))
    width = expected[0].shape[-1]
    rows, others = (values[0].reshape(-1, width) for values in (expected, found))
    if width == 1:  # a probability
        same = (rows > 0.5) == (others > 0.5)
    elif width in (10, 1000):
        same = rows.argmax(1) == others.argmax(1)
    else:
        return noise, ""
    return noise, f"{np.count_nonzero(same)} of {same.size}"


def recipe_options(recipe):
    calibrator, weights, activations = recipe.split("-")
    return {"calibrator": CALIBRATORS[calibrator],
            "per_tensor": weights == "tensor",
            "activations": ACTIVATIONS[activations], "bias_correction": False}


class Bench:
    """A model in f32, and what is made of it."""

    def __init__(self, name, model, folder):
        self.model, self.folder = model, folder
        make, self.floor = MODELS[name]
        self.calibration, self.samples = make(model, np.random.default_rng(1))
        self.expected = run(model, self.samples)

    def judge(self, **options):
        small = self.folder / "small.onnx"
        data = None if "ranges" in options else self.calibration
        nacre.quantize(self.model, small, data, **options)
        return compare(self.expected, run(small, self.samples))

    def measure(self, recipes, repairs):
        """The default, the repaired one, and the best recipe by name."""
        default, same = self.judge()
        ranges = self.folder / "small.ranges.yaml"
        best = max(((self.judge(ranges=ranges, **recipe_options(recipe))[0],
                     recipe) for recipe in recipes), default=None)
        repaired = self.judge(**REPAIRS)[0] if repairs else None
        return default, same, repaired, best


def find(name):
    return (DIGITS / "digits.onnx" if name == "digits"
            else suite.models_folder() / name / "model.onnx")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL",
                        help="of " + ", ".join(MODELS) + " (default: all)")
    parser.add_argument("--recipe", action="append", metavar="NAME",
                        choices=[*RECIPES, "all"],
                        help="as minmax-tensor-s8 (default), or all; may be "
                             "repeated")
    parser.add_argument("--no-repairs", action="store_true",
                        help="leave the repaired models out")
    args = parser.parse_args()
    unknown = set(args.models) - set(MODELS)
    if unknown:
        parser.error(f"no model is called '{min(unknown)}'")
    recipes = args.recipe or ["minmax-tensor-s8"]
    recipes = RECIPES if "all" in recipes else recipes
    print("| model | default | same choice | repaired | recipe | floor | |\n"
          "|---|--:|--:|--:|---|--:|---|")
    failures = 0
    for name in args.models or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(name, find(name), pathlib.Path(folder))
            default, same, repaired, (recipe, best) = bench.measure(
                recipes, not args.no_repairs)
        verdicts = []
        if bench.floor is not None and default < bench.floor:
            verdicts.append("below the floor")
        if default < recipe - 0.5:
            verdicts.append("below the recipe")
        failures += bool(verdicts)
        repaired = "" if repaired is None else f"{repaired:.1f} dB"
        floor = "" if bench.floor is None else f"{bench.floor} dB"
        print(f"| {name} | {default:.1f} dB | {same} | {repaired} "
              f"| {recipe:.1f} dB ({best}) | {floor} "
              f"| {', '.join(verdicts)} |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
