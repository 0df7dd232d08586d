#!/usr/bin/python3
# ===- demo.py - From an ONNX file to numbers --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a model to a shared library and runs it through its C interface.

Without --model: the committed digit classifier, over all its held-out images.
With --model: any ONNX file, on random inputs.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli  # noqa: E402
from nacre.compiled import CompiledModel  # noqa: E402

DIGITS = cli.ROOT / "python" / "models" / "digits"
SECONDS = 2.0


def compile_model(model, name, output, options):
    """Writes OUTPUT/NAME.so and OUTPUT/NAME.h; returns the library."""
    output.mkdir(parents=True, exist_ok=True)
    library = output / f"{name}.so"
    command = [cli.tool(), "compile", str(model), "-o", str(library),
               "--emit=shared", *options]
    print("$ " + " ".join(command), flush=True)
    start = time.monotonic()
    code = subprocess.run(command).returncode
    if code != 0:
        # nacre has said why on standard error.
        sys.exit(code)
    print(f"compiled in {time.monotonic() - start:.2f} s")
    return library


def random_inputs(model):
    """Inputs for a model nothing is known of."""
    rng = np.random.RandomState(1)
    feeds = {}
    for value in model.inputs:
        if value.dtype.kind == "f":
            array = rng.rand(*value.shape)
        else:
            # Zeros and ones are valid as flags, masks and indices alike.
            array = rng.randint(0, 2, size=value.shape)
        feeds[value.name] = np.asarray(array, dtype=value.dtype)
    return feeds


def classify(model, images, labels):
    """Runs every image and prints how many digits were recognised."""
    image, scores = model.inputs[0].name, model.outputs[0].name
    answers = [model.run({image: pixels[None]})[scores].argmax()
               for pixels in images]
    right = int((np.array(answers) == labels).sum())
    print(f"\naccuracy   {100 * right / len(labels):.2f}% "
          f"({right} of {len(labels)} held-out digits)")


def describe(results):
    print()
    for name, array in results.items():
        line = f"output     {name}: {array.dtype} {list(array.shape)}"
        if array.dtype.kind in "fiu" and array.size:
            line += f", from {array.min():.6g} to {array.max():.6g}"
        print(line)


def measure(model, feeds):
    """Prints the time of one inference, the median of many."""
    arrays = [np.asarray(feeds[v.name], order="C") for v in model.inputs]
    results = [np.empty(v.shape, v.dtype) for v in model.outputs]
    model.call(arrays, results)
    times = []
    end = time.perf_counter() + SECONDS
    while not times or (time.perf_counter() < end and len(times) < 20000):
        start = time.perf_counter()
        model.call(arrays, results)
        times.append(time.perf_counter() - start)
    print(f"latency    {1e3 * float(np.median(times)):.4g} ms per inference, "
          f"the median of {len(times)}, "
          f"{model.metadata['threads']} thread(s), "
          f"{model.architecture}")


def sizes(model, library):
    metadata = model.metadata
    print(f"artifact   {library.stat().st_size:,} bytes, "
          f"of which weights {metadata['weight_bytes']:,}")
    print(f"arena      {metadata['arena_bytes']:,} bytes, aligned to "
          f"{metadata['arena_alignment']}, owned by the caller")
    print(f"library    {library}")
    print(f"header     {library.with_suffix('.h')}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", type=pathlib.Path, help="an ONNX file")
    parser.add_argument("--output", type=pathlib.Path,
                        default=cli.ROOT / "build" / "demo",
                        help="where the library goes (default: %(default)s)")
    args, options = parser.parse_known_args()

    path = args.model or DIGITS / "digits.onnx"
    if not path.is_file():
        print(f"error: no such file: {path}", file=sys.stderr)
        return cli.Exit.BAD_INPUT
    name = re.sub(r"\W", "_", path.stem, flags=re.ASCII)
    if name[0].isdigit():
        name = "_" + name
    library = compile_model(path, name, args.output.resolve(), options)
    model = CompiledModel(library)

    if args.model:
        feeds = random_inputs(model)
        describe(model.run(feeds))
    else:
        images = np.load(DIGITS / "test_images.npy")
        classify(model, images, np.load(DIGITS / "test_labels.npy"))
        feeds = {model.inputs[0].name: images[:1]}
    measure(model, feeds)
    sizes(model, library)
    return 0


if __name__ == "__main__":
    sys.exit(main())
