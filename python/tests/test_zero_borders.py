# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions whose kernels leave out what is multiplied with a border of zeros:
the results are bit for bit those of kernels that multiply with the zeros, and
near the interpreter's."""

import re

import numpy as np
import onnx
import pytest

from nacre import builders, cli, tolerances

# Channels, images, windows: nothing that register tiles divide, but some.
CASES = {
    "seven by seven": dict(inputs=32, outputs=48, size=(7, 7)),
    "fourteen by fourteen": dict(inputs=16, outputs=32, size=(14, 14)),
    "several tiles in a row": dict(inputs=16, outputs=32, size=(5, 33)),
    "a single pixel": dict(inputs=16, outputs=16, size=(1, 1)),
    "narrow": dict(inputs=16, outputs=16, size=(9, 3)),
    "strided": dict(inputs=16, outputs=32, size=(15, 13), strides=[2, 2]),
    "strided unevenly": dict(inputs=16, outputs=16, size=(11, 14),
                             strides=[1, 3]),
    "dilated": dict(inputs=16, outputs=32, size=(8, 9), dilations=[2, 3],
                    pads=[2, 3, 2, 3]),
    "dilated by more than the image": dict(
        inputs=16, outputs=16, size=(4, 4), dilations=[6, 6],
        pads=[6, 6, 6, 6]),
    "of uneven pads": dict(inputs=16, outputs=32, size=(7, 8),
                           pads=[2, 0, 1, 2]),
    "of a large window": dict(inputs=16, outputs=32, size=(8, 6),
                              kernel=(5, 7), pads=[2, 3, 2, 3]),
    "of more pads than window": dict(inputs=16, outputs=16, size=(3, 3),
                                     pads=[4, 5, 3, 4]),
    "of many vectors": dict(inputs=64, outputs=128, size=(7, 7)),
    "of few channels": dict(inputs=3, outputs=20, size=(7, 7)),
    "in groups": dict(inputs=64, outputs=64, size=(7, 7), group=4),
    "several images": dict(inputs=16, outputs=16, size=(7, 6), batch=3),
}
ARCHITECTURES = ["x86-64-v3", "x86-64-v4", "znver4"]
TOLERANCES = {"int8": tolerances.EXACT, "f32": tolerances.CANCELLATION,
              "bf16": tolerances.CHECK_BFLOAT16}
BORDER = re.compile(r",? ?zeroBorder = array<i64: [^>]*>,?")

rng = np.random.default_rng(7)


def network(element, inputs, outputs, size, kernel=(3, 3), pads=(1, 1, 1, 1),
            strides=(1, 1), dilations=(1, 1), group=1, batch=1):
    """A padded convolution, and its input."""
    shape = [outputs, inputs // group, *kernel]
    image = [batch, inputs, *size]
    result = [batch, outputs] + [
        (size[i] + pads[i] + pads[i + 2] - (kernel[i] - 1) * dilations[i] - 1)
        // strides[i] + 1 for i in (0, 1)]
    attributes = dict(pads=list(pads), strides=list(strides),
                      dilations=list(dilations), group=group)
    if element == "int8":
        model = builders.single(
            "ConvInteger", {"x": ("uint8", image)}, {"y": ("int32", result)},
            weights={"w": rng.integers(-127, 128, shape).astype(np.int8)},
            **attributes)
        return model, rng.integers(0, 256, image).astype(np.uint8)
    model = builders.single(
        "Conv", {"x": ("float32", image)}, {"y": ("float32", result)},
        weights={"w": rng.standard_normal(shape).astype(np.float32),
                 "b": rng.standard_normal(outputs).astype(np.float32)},
        **attributes)
    return model, rng.standard_normal(image).astype(np.float32)


def compute(program, image, folder, *options):
    np.save(folder / "x.npy", image)
    out = folder / "out"
    cli.nacre("run", program, *options, "--input", f"x={folder / 'x.npy'}",
              "--output-dir", out)
    return np.load(out / "y.npy")


def check(element, case, folder, *options):
    """Compares the case with its zeros multiplied and with the interpreter, and
    returns whether zeros were left out."""
    model, image = network(element, **CASES[case])
    path, level = folder / "model.onnx", folder / "model.mlir"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", level, "--emit=vpu", "--no-winograd",
              *options)
    text = level.read_text()
    actual = compute(level, image, folder)
    level.write_text(BORDER.sub("", text))
    np.testing.assert_array_equal(actual, compute(level, image, folder))
    expected = compute(path, image, folder, "--backend=interpreter")
    near = TOLERANCES[element]
    np.testing.assert_allclose(actual, expected, rtol=near["rtol"],
                               atol=near["rtol"] * np.abs(expected).max())
    return bool(BORDER.search(text))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("element", ["f32", "int8"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("case", CASES)
def test_products_with_zeros_are_left_out(case, architecture, element, threads,
                                          tmp_path):
    assert check(element, case, tmp_path, f"--vpu-arch={architecture}",
                 f"--threads={threads}")


@pytest.mark.parametrize("case", CASES)
def test_products_with_zeros_are_left_out_in_bfloat16(case, tmp_path):
    assert check("bf16", case, tmp_path, "--vpu-arch=znver4",
                 "--precision=bf16")
