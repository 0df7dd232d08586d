"""Element types that ONNX's own tests do not give an operator."""

import numpy as np
import pytest
from onnx import TensorProto

from backends import BACKENDS, run
from nacre import builders, tolerances

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
