# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DequantizeLinear and QuantizeLinear of other parameters, to the bit."""

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders

BOUNDS = {name: np.iinfo(name) for name in ("int8", "uint8", "int16", "uint16")}


def everything(name):
    """All integers of a type."""
    return np.arange(BOUNDS[name].min, BOUNDS[name].max + 1).astype(name)


def dequantize(x, scale, zero):
    return ((x.astype(np.int32) - np.int32(zero)).astype(np.float32)
            * np.float32(scale))


def quantize(x, scale, zero, name):
    y = np.rint(x / np.float32(scale)) + np.float32(zero)
    return np.clip(y, BOUNDS[name].min, BOUNDS[name].max).astype(name)


def pair(number, source, steps, relu=False, shape=()):
    """Nodes from a value through (scale, zero point, type) of each step, and the
    constants that they read, in `shape`."""
    nodes, constants, at = [], {}, source
    for i, (scale, zero, name) in enumerate(steps):
        prefix = f"{number}_{i}"
        constants[f"s{prefix}"] = np.full(shape, scale, np.float32)
        constants[f"z{prefix}"] = np.full(shape, zero, name)
        if i > 0:
            nodes.append(builders.node(
                "QuantizeLinear", [at, f"s{prefix}", f"z{prefix}"],
                [f"q{prefix}"]))
            at = f"q{prefix}"
        if i + 1 < len(steps):
            nodes.append(builders.node(
                "DequantizeLinear", [at, f"s{prefix}", f"z{prefix}"],
                [f"d{prefix}"]))
            at = f"d{prefix}"
            if relu:
                nodes.append(builders.node("Relu", [at], [f"r{prefix}"]))
                at = f"r{prefix}"
    return nodes, constants, at


def formula(x, steps, relu):
    for (scale, zero, _), (other, point, name) in zip(steps, steps[1:]):
        x = dequantize(x, scale, zero)
        x = quantize(np.maximum(x, np.float32(0)) if relu else x, other, point,
                     name)
    return x


def draw(rng, names):
    """Steps of scales that are round numbers, or not, where ties are many."""
    steps = []
    for name in names:
        scale = (rng.integers(1, 100) / 100 if rng.integers(2) else
                 np.exp(rng.uniform(-5, 0)))
        low = max(BOUNDS[name].min, -200)
        steps.append((scale, rng.integers(low, min(BOUNDS[name].max, 200)),
                      name))
    return steps


CHAINS = [("uint8", "int8"), ("uint8", "uint8"), ("int8", "int16"),
          ("int16", "int8"), ("int16", "uint16"), ("uint8", "int16", "uint8"),
          ("int8", "int8", "int8")]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("relu", [False, True])
def test_all_integers_become_what_both_operators_make_of_them(tmp_path, backend,
                                                              relu):
    rng = np.random.default_rng(7)
    nodes, constants, outputs, expected = [], {}, {}, {}
    inputs = {name: everything(name) for name in BOUNDS}
    for number in range(12 * len(CHAINS)):
        steps = draw(rng, CHAINS[number % len(CHAINS)])
        more, values, last = pair(number, steps[0][2], steps, relu)
        nodes += more
        constants.update(values)
        source = inputs[steps[0][2]]
        outputs[last] = (steps[-1][2], list(source.shape))
        expected[last] = formula(source, steps, relu)
    model = builders.model(
        nodes, {name: (name, list(x.shape)) for name, x in inputs.items()},
        outputs, constants, opset=21)
    found = run(model, inputs, tmp_path, backend)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_chain_with_vectors_of_one_scale_is_merged(tmp_path, backend):
    steps = [(0.5, 3, "uint8"), (0.25, 0, "int16"), (1, 5, "uint8")]
    x = everything("uint8").reshape(256, 1)
    nodes, constants, last = pair(0, "x", steps, shape=(1,))
    model = builders.model(nodes, {"x": ("uint8", [256, 1])},
                           {last: ("uint8", [256, 1])}, constants, opset=21)
    np.testing.assert_array_equal(run(model, {"x": x}, tmp_path, backend)[last],
                                  formula(x, steps, relu=False))


@pytest.mark.parametrize("backend", BACKENDS)
def test_joined_integers_of_several_scales_are_those_of_one(tmp_path, backend):
    """Between two convolutions, where the engine has its own layout."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 256, (1, 16, 9, 7)).astype(np.uint8)
    constants = {"w": rng.integers(-128, 128, (16, 16, 3, 3)).astype(np.int8),
                 "v": rng.integers(-128, 128, (8, 48, 1, 1)).astype(np.int8),
                 "ws": np.float32(0.01), "xs": np.float32(0.02),
                 "xz": np.uint8(128), "as": np.float32(0.11),
                 "bs": np.float32(0.07), "bz": np.int8(-9),
                 "cs": np.float32(0.13), "cz": np.int8(5)}
    nodes = [
        builders.node("DequantizeLinear", ["x", "xs", "xz"], ["xf"]),
        builders.node("DequantizeLinear", ["w", "ws"], ["wf"]),
        builders.node("Conv", ["xf", "wf"], ["conv"], pads=[1, 1, 1, 1]),
        builders.node("QuantizeLinear", ["conv", "as", "xz"], ["a"]),
        builders.node("DequantizeLinear", ["a", "as", "xz"], ["af"]),
        builders.node("QuantizeLinear", ["af", "bs", "bz"], ["b"]),
        builders.node("DequantizeLinear", ["b", "bs", "bz"], ["bf"]),
        builders.node("Concat", ["af", "bf", "xf"], ["joined"], axis=1),
        builders.node("QuantizeLinear", ["joined", "cs", "cz"], ["c"]),
        builders.node("DequantizeLinear", ["c", "cs", "cz"], ["cf"]),
        builders.node("DequantizeLinear", ["v", "ws"], ["vf"]),
        builders.node("Conv", ["cf", "vf"], ["y"])]
    model = builders.model(nodes, {"x": ("uint8", list(x.shape))},
                           {"a": ("uint8", [1, 16, 9, 7]),
                            "b": ("int8", [1, 16, 9, 7]),
                            "c": ("int8", [1, 48, 9, 7]),
                            "y": ("float32", [1, 8, 9, 7])}, constants)
    found = run(model, {"x": x}, tmp_path, backend)
    a = dequantize(found["a"], 0.11, 128)
    np.testing.assert_array_equal(found["b"], quantize(a, 0.07, -9, "int8"))
    joined = np.concatenate([a, dequantize(found["b"], 0.07, -9),
                             dequantize(x, 0.02, 128)], axis=1)
    np.testing.assert_array_equal(found["c"], quantize(joined, 0.13, 5, "int8"))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("channels", [False, True])
def test_integers_that_are_rectified_and_moved_round_as_they_are(
        tmp_path, backend, channels):
    """One scale in all, or one for each row; many of the numbers are ties."""
    rng = np.random.default_rng(11)
    x = everything("uint8").reshape(1, 256).repeat(3, axis=0)
    constants = {}
    nodes, outputs, expected = [], {}, {}
    for i in range(24):
        scales = np.float32(rng.integers(1, 100, 3) / 100)
        zeros = rng.integers(0, 200, 3).astype(np.uint8)
        other = np.float32(rng.integers(1, 100) / 50)
        if not channels:
            scales, zeros = scales[:1].reshape(()), zeros[:1].reshape(())
        constants.update({f"s{i}": scales, f"z{i}": zeros, f"t{i}": other,
                          f"u{i}": np.int8(-7)})
        nodes += [
            builders.node("DequantizeLinear", ["x", f"s{i}", f"z{i}"],
                          [f"d{i}"], axis=0),
            builders.node("Relu", [f"d{i}"], [f"r{i}"]),
            builders.node("Transpose", [f"r{i}"], [f"m{i}"], perm=[1, 0]),
            builders.node("QuantizeLinear", [f"m{i}", f"t{i}", f"u{i}"],
                          [f"y{i}"])]
        outputs[f"y{i}"] = ("int8", [256, 3])
        floats = ((x.astype(np.int32) - zeros.reshape(-1, 1).astype(np.int32))
                  .astype(np.float32) * scales.reshape(-1, 1))
        expected[f"y{i}"] = quantize(np.maximum(floats, np.float32(0)).T, other,
                                     -7, "int8")
    model = builders.model(nodes, {"x": ("uint8", [3, 256])}, outputs,
                           constants, opset=21)
    found = run(model, {"x": x}, tmp_path, backend)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)
