#!/usr/bin/python3
# ===- bench_quantization.py - What quantisation costs and gives ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes models by `nacre quantize` and compares them with what they were.

A model is a folder with model.onnx and test_data_set_N, whose inputs calibrate
it and whose outputs it is judged by: signal over noise of the worst output, in
decibels, the median of the sets. The digit classifier is calibrated on half of its test images and
judged by the others, and how many of these it takes for what the f32 model does
is printed, too. The speed is the time of the f32 model over that of the
quantized one, medians of rounds in which they take turns, one thread.

A model that cannot be quantized is named with the reason. The exit status is 1
where no model was.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import cli, suite  # noqa: E402

DIGITS = cli.ROOT / "python" / "models" / "digits"
DECIBELS = re.compile(r"snr (-?[\d.]+|inf) dB")


def measure(model, seconds):
    output = cli.nacre("bench", model, "--json", f"--seconds={seconds}")
    return json.loads(output)["median_ms"]


def race(model, small, rounds, seconds):
    """The f32 model's time over the quantized one's."""
    ratios = []
    for turn in range(rounds):
        pair = [model, small] if turn % 2 == 0 else [small, model]
        times = {path: measure(path, seconds) for path in pair}
        ratios.append(times[model] / times[small])
    return statistics.median(ratios)


def find_noise(small, folders):
    """Signal over noise of the worst output, in the median of the data sets."""
    return statistics.median(
        min(float(text) for text in
            DECIBELS.findall(cli.nacre("check", small, folder, "--snr=-99")))
        for folder in folders)


def quantize_digits(folder):
    """The quantized digit classifier, decibels, and how many images agree."""
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)
    images = images.reshape(-1, 1, 8, 8)
    for number, image in enumerate(images[::2]):
        place = folder / "samples" / str(number)
        place.mkdir(parents=True)
        onnx.save_tensor(numpy_helper.from_array(image[None], "image"),
                         str(place / "input_0.pb"))
    small = folder / "digits.onnx"
    cli.nacre("quantize", DIGITS / "digits.onnx", "--data", folder / "samples",
              "--samples=1000", "-o", small)
    sessions = [nacre.InferenceSession(str(path))
                for path in (DIGITS / "digits.onnx", small)]
    expected, found = (
        np.concatenate([session.run(None, {"image": image[None]})[0]
                        for image in images[1::2]]) for session in sessions)
    noise = 10 * np.log10(np.sum(expected ** 2)
                          / np.sum((expected - found) ** 2))
    same = np.count_nonzero(expected.argmax(1) == found.argmax(1))
    return small, noise, f"{same} of {len(expected)}"


def quantize(model, folder):
    folders = sorted(model.parent.glob("test_data_set_*"))
    small = folder / f"{model.parent.name}.onnx"
    cli.nacre("quantize", model, "--data", model.parent, "-o", small)
    return small, find_noise(small, folders), ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path, metavar="FOLDER",
                        help="folders of models (default: those in the folder "
                             "that NACRE_MODELS names)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=0.3, metavar="S",
                        help="per measurement (default: %(default)s)")
    args = parser.parse_args()
    folders = args.models or sorted(suite.models_folder().glob("*"))
    models = [folder / "model.onnx" for folder in folders
              if (folder / "model.onnx").exists()]
    print("| model | signal over noise | same answer | speed |\n|---|--:|--:|--:|")
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for model in [DIGITS / "digits.onnx", *models]:
            name = model.stem if model.parent == DIGITS else model.parent.name
            folder = pathlib.Path(scratch) / name
            folder.mkdir()
            try:
                small, noise, same = (quantize_digits(folder)
                                      if model.parent == DIGITS
                                      else quantize(model, folder))
                speed = race(model, small, args.rounds, args.seconds)
            except nacre.NacreError as error:
                print(f"{name}: {error.message.splitlines()[0]}",
                      file=sys.stderr)
                continue
            print(f"| {name} | {noise:.0f} dB | {same} | {speed:.1f} |",
                  flush=True)
            count += 1
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
