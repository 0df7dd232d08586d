# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in float16 and bfloat16 are computed in float32, and round once."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from backends import run
from nacre import builders, cli
from nacre.compiled import CompiledModel

COMPILED = ("cpu", "reference")


def product(rows, columns=48):
    """A product with constant weights, and its operands in float64."""
    random = np.random.default_rng(3)
    x = random.standard_normal((rows, 80)).astype(np.float16)
    w = random.standard_normal((80, columns)).astype(np.float16)
    model = builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"])],
        {"x": ("float16", ["n", 80])}, {"y": ("float16", ["n", columns])},
        {"w": w})
    return model, x, x.astype(np.float64) @ w.astype(np.float64)


@pytest.mark.parametrize("backend", COMPILED)
def test_sum_of_neighbours_that_float16_has_not_is_no_infinity(
        tmp_path, backend):
    x = np.array([60000, -60000, 1], np.float16)
    model = builders.model(
        [builders.node("Add", ["x", "x"], ["twice"]),
         builders.node("Sub", ["twice", "x"], ["y"])],
        {"x": ("float16", [3])}, {"y": ("float16", [3])})
    np.testing.assert_array_equal(
        run(model, {"x": x}, tmp_path, backend)["y"], x)


@pytest.mark.parametrize("arch", ["host", "x86-64-v3"])
@pytest.mark.parametrize("knows_rows", [False, True])
@pytest.mark.parametrize("rows", [1, 3, 100])
def test_product_in_float16_rounds_the_exact_sum(tmp_path, arch, knows_rows,
                                                 rows):
    model, x, expected = product(rows)
    if knows_rows:
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = rows
    y = run(model, {"x": x}, tmp_path, "cpu", f"--vpu-arch={arch}")["y"]
    # Half a unit in the last place, and what sums in float32 are off.
    distance = np.abs(y.astype(np.float64) - expected)
    assert np.all(distance <= 0.5 * np.spacing(np.abs(y)) + 1e-5)


def test_weights_in_float16_take_two_bytes(tmp_path):
    model, _, _ = product(1, columns=64)
    onnx.save(model, str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "--vpu-arch=x86-64-v4", "-o",
              tmp_path / "model.so")
    weights = CompiledModel(tmp_path / "model.so").metadata["weight_bytes"]
    assert weights == 2 * 80 * 64


@pytest.mark.parametrize("backend", COMPILED)
def test_conversion_of_the_model_rounds(tmp_path, backend):
    x = np.array([1.0001, 2.0003], np.float32)
    model = builders.model(
        [builders.node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16),
         builders.node("Cast", ["h"], ["y"], to=TensorProto.FLOAT)],
        {"x": ("float32", [2])}, {"y": ("float32", [2])})
    np.testing.assert_array_equal(
        run(model, {"x": x}, tmp_path, backend)["y"],
        x.astype(np.float16).astype(np.float32))


def test_library_converts_where_neither_machine_nor_library_can(tmp_path):
    """Baseline x86-64 has no instruction, and the library is loaded without one
    of a compiler."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = np.sort(halves[np.isfinite(halves)].astype(np.float32))
    middles = (finite[1:] + finite[:-1]) / 2
    x = np.concatenate([
        finite, middles, np.nextafter(middles, -np.float32(np.inf)),
        np.nextafter(middles, np.float32(np.inf)),
        np.float32([65519, 65520, np.inf, -np.inf, np.nan, 1e-30])])
    model = builders.model(
        [builders.node("Cast", ["h"], ["f"], to=TensorProto.FLOAT),
         builders.node("Cast", ["x"], ["y"], to=TensorProto.FLOAT16)],
        {"h": ("float16", ["m"]), "x": ("float32", ["n"])},
        {"f": ("float32", ["m"]), "y": ("float16", ["n"])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "--vpu-arch=x86-64", "-o",
              tmp_path / "model.so")
    found = CompiledModel(tmp_path / "model.so").run({"h": halves, "x": x})
    np.testing.assert_array_equal(found["f"], halves.astype(np.float32))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(found["y"], x.astype(np.float16))


@pytest.mark.parametrize("arch", ["host", "x86-64-v3", "x86-64"])
@pytest.mark.parametrize("operator, function", [
    ("Floor", np.floor), ("Ceil", np.ceil), ("Round", np.round)])
def test_any_float16_is_rounded_to_an_integer_with_its_sign(
        tmp_path, arch, operator, function):
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    model = builders.model(
        [builders.node(operator, ["x"], ["y"])],
        {"x": ("float16", x.shape)}, {"y": ("float16", x.shape)})
    y = run(model, {"x": x}, tmp_path, "cpu", f"--vpu-arch={arch}")["y"]
    with np.errstate(invalid="ignore"):
        expected = function(x.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(y, expected)
    known = ~np.isnan(x)
    np.testing.assert_array_equal(np.signbit(y[known]), np.signbit(x[known]))


def average(x, kernel, padding, strides=1, overhang=0, counts_padding=False):
    """Means of windows of the last two dimensions, of what lies inside."""
    counted = np.pad(np.ones(x.shape), [(0, 0)] * 2 + [(padding,) * 2] * 2,
                     constant_values=float(counts_padding))

    def add_windows(image):
        image = np.pad(image, [(0, 0)] * 2 + [(0, overhang)] * 2)
        windows = np.lib.stride_tricks.sliding_window_view(
            image, (kernel, kernel), axis=(2, 3))
        return windows[:, :, ::strides, ::strides].sum(axis=(4, 5))

    padded = np.pad(x.astype(np.float64), [(0, 0)] * 2 + [(padding,) * 2] * 2)
    return add_windows(padded) / add_windows(counted)


def check_is_rounded_once(y, expected):
    assert y.shape == expected.shape
    distance = np.abs(y.astype(np.float64) - expected)
    assert np.all(distance <= 0.5 * np.spacing(np.abs(y)) + 1e-5)


@pytest.mark.parametrize("strides", [1, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_large_average_pool_in_float16_divides_by_what_is_inside(
        tmp_path, strides, threads):
    random = np.random.default_rng(5)
    x = random.uniform(-2, 2, (1, 20, 130, 131)).astype(np.float16)
    expected = average(x, 3, 1, strides)
    model = builders.model(
        [builders.node("AveragePool", ["x"], ["y"], kernel_shape=[3, 3],
                       pads=[1] * 4, strides=[strides] * 2)],
        {"x": ("float16", x.shape)}, {"y": ("float16", expected.shape)})
    y = run(model, {"x": x}, tmp_path, "cpu", f"--threads={threads}")["y"]
    check_is_rounded_once(y, expected)


@pytest.mark.parametrize("arch", ["host", "x86-64-v3", "x86-64"])
@pytest.mark.parametrize("kernel", [3, 5])
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("options, geometry", [
    ({}, {}),
    ({"count_include_pad": 1}, {"counts_padding": True}),
    ({"strides": [2, 2], "ceil_mode": 1}, {"strides": 2, "overhang": 1}),
    ({"strides": [2, 2], "ceil_mode": 1, "count_include_pad": 1},
     {"strides": 2, "overhang": 1, "counts_padding": True})])
def test_average_pool_in_float16_rounds_the_exact_mean(
        tmp_path, arch, kernel, is_known, options, geometry):
    x = np.random.default_rng(6).uniform(-2, 2, (2, 3, 10, 12))
    x = x.astype(np.float16)
    expected = average(x, kernel, kernel // 2, **geometry)
    size = x.shape if is_known else ["n", 3, "h", "w"]
    model = builders.model(
        [builders.node("AveragePool", ["x"], ["y"],
                       kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4,
                       **options)],
        {"x": ("float16", size)},
        {"y": ("float16", expected.shape if is_known
               else ["n", 3, "p", "q"])}, opset=19)
    y = run(model, {"x": x}, tmp_path, "cpu", f"--vpu-arch={arch}")["y"]
    check_is_rounded_once(y, expected)


@pytest.mark.parametrize("arch", ["host", "x86-64-v3"])
@pytest.mark.parametrize("kernel", [3, 5])
def test_average_pool_in_bfloat16_rounds_the_exact_mean(tmp_path, arch,
                                                        kernel):
    x = np.random.default_rng(7).uniform(-2, 2, (2, 3, 10, 12))
    bits = (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    model = builders.model(
        [builders.node("AveragePool", ["x"], ["y"],
                       kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4)],
        {"x": ("uint16", x.shape)}, {"y": ("uint16", x.shape)}, opset=22)
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    y = run(model, {"x": bits}, tmp_path, "cpu", f"--vpu-arch={arch}")["y"]

    def to_float(numbers):
        return (numbers.astype(np.uint32) << 16).view(np.float32)

    expected = average(to_float(bits), kernel, kernel // 2)
    distance = np.abs(to_float(y) - expected)
    assert np.all(distance <= 2.0**-8 * np.abs(expected) + 1e-5)
