# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types that ONNX's own tests do not give an operator."""

import types

import numpy as np
import pytest
from onnx import TensorProto

import nacre
from backends import BACKENDS, run
from nacre import builders, cli, tolerances
from nacre.compiled import CompiledModel
from nacre.interface import element_code

# Ties between two numbers of bfloat16, and what rounds up and down.
NUMBERS = np.array([[1, 1.00390625, 1.01171875], [3.14159, -255.6, 0]])


def bits_of_bfloat16(array):
    """Rounded to the nearest, of two to the even one."""
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("arch", ["host", "x86-64-v3"])
@pytest.mark.parametrize("dtype", ["float64", "float16", "int64", "uint8"])
def test_cast_to_bfloat16_rounds(tmp_path, backend, arch, dtype):
    x = np.abs(NUMBERS).astype(dtype)
    model = builders.model(
        [builders.node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16)],
        {"x": (dtype, ["n", 3])}, {"y": ("uint16", ["n", 3])})
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.BFLOAT16
    y = run(model, {"x": x}, tmp_path, backend, f"--vpu-arch={arch}")["y"]
    np.testing.assert_array_equal(y, bits_of_bfloat16(x))


@pytest.mark.parametrize("backend", BACKENDS)
def test_bfloat16_is_read_as_the_bits_that_are_written(tmp_path, backend):
    x = bits_of_bfloat16(NUMBERS)
    model = builders.single("Neg", {"x": ("uint16", [2, 3])},
                            {"y": ("uint16", [2, 3])})
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, x ^ 0x8000)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op, reduce", [("ReduceMin", np.min),
                                        ("ReduceMax", np.max)])
def test_reduction_of_large_unsigned_integers(tmp_path, backend, op, reduce):
    x = np.array([[3, 2**64 - 1], [2**63, 2**63 + 1]], np.uint64)
    model = builders.single(op, {"x": ("uint64", [2, 2])},
                            {"y": ("uint64", [2])}, axes=[1], keepdims=0)
    np.testing.assert_array_equal(run(model, {"x": x}, tmp_path, backend)["y"],
                                  reduce(x, axis=1))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float64", "float16"])
def test_mean_variance_normalization_of_other_floats(tmp_path, backend, dtype):
    x = np.random.default_rng(0).normal(3, 2, (2, 3, 4, 5)).astype(dtype)
    exact = x.astype(np.float64)
    expected = (exact - exact.mean((0, 3), keepdims=True)) / \
        exact.std((0, 3), keepdims=True)
    model = builders.single("MeanVarianceNormalization",
                            {"x": (dtype, [2, "n", 4, 5])},
                            {"y": (dtype, [2, "n", 4, 5])}, axes=[0, -1])
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_allclose(
        y, expected, **(tolerances.HALF if dtype == "float16"
                        else tolerances.DEFAULT))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_resize_of_integers_rounds_cubics_and_cuts_off_the_rest(
        tmp_path, backend, dtype, mode):
    x = np.random.default_rng(1).integers(20, 100, (1, 1, 4, 5))
    if dtype.startswith("int"):
        x[0, 0, :2] *= -1
    weights = {"roi": np.float32([]), "scales": np.float32([1, 1, 2, 0.6])}

    def resize(values):
        shape = list(values.shape)
        model = builders.single("Resize", {"x": (values.dtype.name, shape)},
                                {"y": (values.dtype.name, [1, 1, 8, 3])},
                                weights=weights, mode=mode)
        return run(model, {"x": values}, tmp_path, backend)["y"]

    # No float holds all integers of 64 bits: these are cut off, too.
    whole = np.rint if mode == "cubic" and dtype != "int64" else np.trunc
    expected = whole(resize(x.astype(np.float64))).astype(dtype)
    np.testing.assert_array_equal(resize(x.astype(dtype)), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_operators_on_types_that_no_kernel_has(tmp_path, backend):
    float8 = np.arange(256, dtype=np.uint8)
    whole = np.array([-3, -1, 0, 1, 200], np.int32)
    model = builders.model(
        [builders.node("IsNaN", ["e4"], ["nan"]),
         builders.node("IsInf", ["e5"], ["inf"]),
         builders.node("QuantizeLinear", ["i", "scale", "zero"], ["q"]),
         builders.node("Erf", ["i"], ["erf"])],
        {"e4": ("uint8", [256]), "e5": ("uint8", [256]), "i": ("int32", [5])},
        {"nan": ("bool", [256]), "inf": ("bool", [256]), "q": ("uint8", [5]),
         "erf": ("int32", [5])},
        {"scale": np.float32(0.5), "zero": np.uint8(7)}, opset=20)
    # float8e4m3fn and float8e5m2, by their numbers in ONNX.
    for value, number in zip(model.graph.input, (17, 19)):
        value.type.tensor_type.elem_type = number
    results = run(model, {"e4": float8, "e5": float8, "i": whole}, tmp_path,
                  backend)
    np.testing.assert_array_equal(results["nan"], float8 % 128 == 0x7f)
    np.testing.assert_array_equal(results["inf"], float8 % 128 == 0x7c)
    np.testing.assert_array_equal(results["q"], [1, 5, 7, 9, 255])
    # Whole numbers of a function below 1.
    np.testing.assert_array_equal(results["erf"][1:4], [0, 0, 0])


def test_casts_of_a_library_call_nothing_that_programs_lack(tmp_path):
    """The compiler has functions that code it has just compiled can call."""
    dtypes = ["bool", "float16", "float32", "float64", *(
        f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))]
    values = np.arange(40)
    model = builders.model(
        [builders.node("Cast", [a], [f"{a}_{b}"], to=builders.element_type(b))
         for a in dtypes for b in dtypes],
        {a: (a, values.shape) for a in dtypes},
        {f"{a}_{b}": (b, values.shape) for a in dtypes for b in dtypes})
    library = nacre.compile(model, tmp_path / "casts.so", opt_level=0,
                            vpu_arch="x86-64-v3")
    # A library without weights, whose segment of them begins behind its end.
    assert "weights     0 bytes" in cli.nacre("info", library)
    results = CompiledModel(library).run(
        {a: values.astype(a) for a in dtypes})
    for a in dtypes:
        for b in dtypes:
            np.testing.assert_array_equal(results[f"{a}_{b}"],
                                          values.astype(a).astype(b), f"{a}_{b}")


@pytest.mark.parametrize("arch", ["host", "x86-64-v3"])
def test_bfloat16_in_a_library_calls_nothing_that_programs_lack(tmp_path, arch):
    """An element that is read once and written in a loop."""
    model = builders.model(
        [builders.node("Expand", ["x", "shape"], ["y"])],
        {"x": ("uint16", ["n", 1]), "shape": ("int64", [2])},
        {"y": ("uint16", ["n", "m"])})
    for value in (model.graph.input[0], model.graph.output[0]):
        value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    library = nacre.compile(model, tmp_path / "expand.so", vpu_arch=arch)
    x = bits_of_bfloat16(NUMBERS[:1].T)
    [y] = nacre.InferenceSession(library).run(
        None, {"x": x, "shape": np.array([3, 50])})
    np.testing.assert_array_equal(y, np.broadcast_to(x, (3, 50)))


@pytest.mark.parametrize("arch", ["host", "x86-64-v3"])
@pytest.mark.parametrize("reduction, expected", [
    ("add", [1, 6, 3]), ("mul", [1, 8, 3]), ("max", [1, 4, 3]),
    ("min", [1, 2, 3])])
def test_bfloat16_is_combined_where_it_is_scattered(tmp_path, arch, reduction,
                                                    expected):
    model = builders.model(
        [builders.node("ScatterElements", ["x", "at", "by"], ["y"],
                       reduction=reduction)],
        {"x": ("uint16", [3]), "at": ("int64", [1]), "by": ("uint16", [1])},
        {"y": ("uint16", [3])}, opset=18)
    for value in (*model.graph.input, model.graph.output[0]):
        if value.name != "at":
            value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    library = nacre.compile(model, tmp_path / "scatter.so", vpu_arch=arch)
    x, by, y = (bits_of_bfloat16(np.array(a, np.float32))
                for a in ([1, 2, 3], [4], expected))
    [found] = nacre.InferenceSession(library).run(
        None, {"x": x, "at": np.array([1]), "by": by})
    np.testing.assert_array_equal(found, y)


@pytest.mark.parametrize("dtype, code", [
    ("float32", TensorProto.FLOAT), ("float64", TensorProto.DOUBLE),
    ("bool", TensorProto.BOOL), ("complex64", TensorProto.COMPLEX64),
    (">i8", TensorProto.INT64), ("object", TensorProto.STRING),
    ("<U3", TensorProto.STRING)])
def test_types_of_numpy_have_their_codes(dtype, code):
    assert element_code(np.dtype(dtype)) == code


def test_types_of_ml_dtypes_have_their_codes():
    """Their arrays say no more of their type."""
    for name, code in (("bfloat16", TensorProto.BFLOAT16),
                       ("float8_e4m3fn", 17), ("int4", 22), ("uint2", 25)):
        dtype = types.SimpleNamespace(name=name, kind="V")
        assert element_code(dtype) == code


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("columns", [17, 33])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_last_of_odd_narrow_columns_leaves_what_is_behind_it(
        tmp_path, dtype, columns, threads):
    code = element_code(np.dtype(dtype))
    model = builders.model(
        [builders.node("Cast", ["x"], ["a"], to=code),
         builders.node("Cast", ["z"], ["b"], to=code),
         builders.node("Concat", ["a", "b"], ["y"], axis=1)],
        {"x": ("float32", [6, columns]), "z": ("float32", [6, columns])},
        {"y": (dtype, [6, 2 * columns])})
    x = (np.arange(6 * columns, dtype=np.float32) % 90 + 1).reshape(6, -1)
    result = run(model, {"x": x, "z": x}, tmp_path, "cpu",
                 f"--threads={threads}")["y"]
    np.testing.assert_array_equal(result, np.hstack([x, x]).astype(dtype))
