# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks that normalise before they convolve compute what the interpreter
does, and stay in the engine."""

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances


def dense_block(channels, size, layers=2, growth=16):
    """Each layer normalises, rectifies and convolves all that was there, and
    adds to it."""
    random = np.random.default_rng(2)
    nodes, weights, x = [], {}, "x"
    for i in range(layers):
        for name, low in (("s", 0.5), ("b", -1), ("m", -1), ("v", 0.5)):
            weights[f"{name}{i}"] = random.uniform(low, 1.5, channels)
        weights[f"w{i}"] = random.standard_normal(
            (growth, channels, 3, 3)) / np.sqrt(9 * channels)
        nodes += [
            builders.node("BatchNormalization",
                          [x] + [f"{name}{i}" for name in "sbmv"], [f"n{i}"]),
            builders.node("Relu", [f"n{i}"], [f"r{i}"]),
            builders.node("Conv", [f"r{i}", f"w{i}"], [f"c{i}"],
                          pads=[1, 1, 1, 1]),
            builders.node("Concat", [x, f"c{i}"], [f"x{i}"], axis=1)]
        x = f"x{i}"
        channels += growth
    nodes[-1].output[0] = "y"
    first = channels - layers * growth
    return builders.model(
        nodes, {"x": ("float32", ["n", first, *size])},
        {"y": ("float32", ["n", channels, *size])},
        {name: value.astype(np.float32) for name, value in weights.items()})


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", [[14, 14], [9, 40], ["h", "w"]])
@pytest.mark.parametrize("channels", [24, 32])
def test_dense_block_is_what_the_interpreter_computes(tmp_path, channels, size,
                                                      threads):
    model = dense_block(channels, size)
    shape = [2, channels, *(20 if isinstance(n, str) else n for n in size)]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    found = run(model, {"x": x}, tmp_path, "cpu", f"--threads={threads}")
    expected = run(model, {"x": x}, tmp_path, "interpreter")
    np.testing.assert_allclose(found["y"], expected["y"],
                               **tolerances.DEFAULT)


def test_normalisation_is_left_to_no_software_kernel(tmp_path):
    onnx.save(dense_block(32, [14, 14]), str(tmp_path / "net.onnx"))
    cli.nacre("compile", tmp_path / "net.onnx", "--emit=vpu", "-o",
              tmp_path / "net.mlir")
    text = (tmp_path / "net.mlir").read_text()
    assert "linalg.generic" not in text
    assert text.count("VPU.NCE.DepthConvolution") == 2
