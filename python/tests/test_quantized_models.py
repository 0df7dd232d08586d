# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks in QDQ form: every backend and architecture rounds alike.

Sums are exact and what follows them is the same arithmetic everywhere, so that
results are equal, not merely close.
"""

import numpy as np
import onnx
import pytest

from nacre import builders, cli


class Network:
    """Nodes and weights of a network whose every value is quantized."""

    def __init__(self, dtype, per_channel):
        self.dtype = dtype
        self.per_channel = per_channel
        self.nodes, self.weights = [], {}
        self.rng = np.random.default_rng(0)

    def node(self, op, inputs, name, **attributes):
        self.nodes.append(builders.node(op, inputs, [name], **attributes))
        return name

    def quantize(self, x, name, scale, lowest=False):
        """`x` through QuantizeLinear and DequantizeLinear."""
        least = np.iinfo(self.dtype).min
        zero = least if lowest else least + 121
        self.weights[f"{name}_scale"] = np.float32(scale)
        self.weights[f"{name}_zero"] = self.dtype(zero)
        parameters = [f"{name}_scale", f"{name}_zero"]
        q = self.node("QuantizeLinear", [x, *parameters], f"{name}_q")
        return self.node("DequantizeLinear", [q, *parameters], f"{name}_d")

    def dequantized(self, name, shape, channels, axis):
        """Constant weights of int8, with a scale each or one for all."""
        self.weights[f"{name}_w"] = self.rng.integers(
            -127, 128, shape).astype(np.int8)
        count = channels if self.per_channel else ()
        self.weights[f"{name}_ws"] = np.asarray(
            self.rng.uniform(0.002, 0.004, count), np.float32)
        return self.node("DequantizeLinear", [f"{name}_w", f"{name}_ws"],
                         f"{name}_wd", axis=axis)

    def conv(self, x, name, inputs, outputs, kernel, stride=1, group=1):
        weights = self.dequantized(
            name, (outputs, inputs // group, kernel, kernel), outputs, axis=0)
        self.weights[f"{name}_b"] = self.rng.standard_normal(
            outputs).astype(np.float32)
        return self.node("Conv", [x, weights, f"{name}_b"], name, group=group,
                         strides=[stride] * 2, pads=[kernel // 2] * 4,
                         kernel_shape=[kernel] * 2)

    def build(self):
        x = self.quantize("x", "in", 0.02)
        stem = self.conv(x, "stem", 3, 20, 3, stride=2)
        self.weights.update(low=np.float32(0), high=np.float32(6))
        y = self.node("Clip", [stem, "low", "high"], "clip")
        skip = self.quantize(y, "q0", 0.03, lowest=True)
        y = self.conv(skip, "depthwise", 20, 20, 3, group=20)
        y = self.quantize(self.node("Relu", [y], "relu"), "q1", 0.04,
                          lowest=True)
        y = self.quantize(self.conv(y, "pointwise", 20, 20, 1), "q2", 0.05)
        y = self.quantize(self.node("Add", [y, skip], "sum"), "q3", 0.06)
        y = self.node("MaxPool", [y], "pool", kernel_shape=[3, 3],
                      strides=[2, 2], pads=[1, 1, 1, 1])
        y = self.quantize(y, "q4", 0.06)
        y = self.quantize(self.conv(y, "grouped", 20, 36, 3, group=4), "q5",
                          0.05)
        y = self.quantize(self.conv(y, "last", 36, 36, 3), "q6", 0.3)
        y = self.quantize(self.node("GlobalAveragePool", [y], "average"), "q7",
                          0.01)
        y = self.node("Flatten", [y], "flat")
        matrix = self.dequantized("product", (36, 11), 11, axis=1)
        y = self.node("MatMul", [y, matrix], "product")
        y = self.quantize(y, "y", 0.02)
        return builders.model(self.nodes, {"x": ("float32", [1, 3, 33, 31])},
                              {y: ("float32", [1, 11])}, self.weights)


def runner(model, shape):
    """Runs `model` of a random image: a function of a name and options."""
    folder = model.parent
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    np.save(folder / "x.npy", x)

    def run(name, *options):
        cli.nacre("run", model, *options, "--input", f"x={folder / 'x.npy'}",
                  "--output-dir", folder / name)
        return np.load(folder / name / "y_d.npy")

    return run


@pytest.mark.parametrize("per_channel", [False, True],
                         ids=["per-tensor", "per-channel"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_quantized_network_is_equal_on_all_backends(tmp_path, dtype,
                                                    per_channel):
    model = tmp_path / "model.onnx"
    onnx.save(Network(dtype, per_channel).build(), str(model))
    run = runner(model, (1, 3, 33, 31))
    expected = run("interpreter", "--backend=interpreter")
    assert len(np.unique(expected)) > 5
    np.testing.assert_array_equal(run("reference", "--backend=reference"),
                                  expected)
    np.testing.assert_array_equal(run("threads", "--threads=2"), expected)
    for architecture in ("host", "x86-64-v3", "NPU37XX"):
        np.testing.assert_array_equal(
            run(architecture, f"--vpu-arch={architecture}"), expected)


@pytest.mark.parametrize("architecture", [
    "x86-64", "x86-64-v3", "x86-64-v4", "host", "NPU37XX"])
@pytest.mark.parametrize("channels, size", [(32, 2), (20, 4), (48, 8),
                                            (32, 16)])
def test_groups_within_blocks_are_equal_to_the_interpreter(
        channels, size, architecture, tmp_path):
    network = Network(np.uint8, per_channel=True)
    x = network.quantize("x", "in", 0.02)
    y = network.quantize(network.conv(x, "first", 3, channels, 1), "q0", 0.02)
    y = network.conv(y, "grouped", channels, channels, 3,
                     group=channels // size)
    network.quantize(y, "y", 0.05)
    model = tmp_path / "model.onnx"
    onnx.save(builders.model(network.nodes, {"x": ("float32", [1, 3, 9, 21])},
                             {"y_d": ("float32", [1, channels, 9, 21])},
                             weights=network.weights, opset=13), str(model))
    run = runner(model, (1, 3, 9, 21))
    expected = run("interpreter", "--backend=interpreter")
    assert len(np.unique(expected)) > 5
    np.testing.assert_array_equal(
        run("cpu", f"--vpu-arch={architecture}"), expected)
