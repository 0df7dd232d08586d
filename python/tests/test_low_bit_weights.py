# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of, and gathers from, weights that DequantizeLinear makes of integers
of 2, 4 and 8 bits, against their definition in float64."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, multiplies_bytes, run, runnable
from nacre import builders, cli, tolerances

ARCHITECTURES = runnable(["host", "x86-64-v4", "x86-64-v3", "x86-64"])
# Number in ONNX, bits, least integer.
INTEGERS = {"int2": (26, 2, -2), "uint2": (25, 2, 0), "int4": (22, 4, -8),
            "uint4": (21, 4, 0), "int8": (3, 8, -128), "uint8": (2, 8, 0)}


def tensor(name, kind, integers):
    """An initializer of integers, the first in the lowest bits of a byte."""
    code, bits, _ = INTEGERS[kind]
    per_byte = 8 // bits
    codes = np.asarray(integers).ravel().astype(np.uint8) & (2 ** bits - 1)
    codes = np.pad(codes, (0, -codes.size % per_byte)).reshape(-1, per_byte)
    packed = (codes << (np.arange(per_byte) * bits).astype(np.uint8)).sum(
        1, dtype=np.uint8)
    return TensorProto(name=name, data_type=code, dims=np.shape(integers),
                       raw_data=packed.tobytes())


class Weights:
    """A random matrix whose dimension AXIS is quantized in blocks of BLOCK, or,
    where that is None, by the index, or, where AXIS is None, as a whole."""

    def __init__(self, shape, kind, axis, block=None, has_zeros=True,
                 dtype=np.float32):
        rng = np.random.default_rng(sum(shape) + len(kind))
        _, bits, least = INTEGERS[kind]
        self.kind, self.axis, self.block = kind, axis, block
        self.shape, self.has_zeros = shape, has_zeros

        def draw(size):
            return rng.integers(least, least + 2 ** bits, size)

        def spread(parameter):
            if axis is None:
                return parameter
            if block is None:
                return np.expand_dims(parameter, 1 - axis)
            return np.repeat(parameter, block, axis).take(
                range(shape[axis]), axis)

        size = () if axis is None else (shape[axis],)
        if block is not None:
            size = list(shape)
            size[axis] = -(-shape[axis] // block)
        self.integers, self.zeros = draw(shape), draw(size)
        self.scales = np.asarray(rng.random(size) + 0.5).astype(dtype)
        zeros = self.zeros if has_zeros else np.zeros_like(self.zeros)
        self.values = ((self.integers - spread(zeros))
                       * spread(self.scales.astype(np.float64)))

    def initializers(self):
        result = [tensor("integers", self.kind, self.integers),
                  onnx.numpy_helper.from_array(self.scales, "scales")]
        if self.has_zeros:
            result.append(tensor("zeros", self.kind, self.zeros))
        return result

    def node(self, output="w"):
        names = ["integers", "scales"] + ["zeros"] * self.has_zeros
        attributes = {} if self.axis is None else {"axis": self.axis}
        if self.block is not None:
            attributes["block_size"] = self.block
        return helper.make_node("DequantizeLinear", names, [output],
                                **attributes)


def model(nodes, inputs, outputs, weights, others=()):
    """Of inputs and outputs by name, each an element type and a shape."""
    def value(name, dtype, shape):
        return helper.make_tensor_value_info(
            name, builders.element_type(dtype), shape)

    graph = helper.make_graph(
        [weights.node(), *nodes], "low_bits",
        [value(name, *typed) for name, typed in inputs.items()],
        [value(name, *typed) for name, typed in outputs.items()],
        [*weights.initializers(),
         *(onnx.numpy_helper.from_array(array, name)
           for name, array in dict(others).items())])
    built = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 25)])
    built.ir_version = 8
    return built


class Product:
    """Random rows times weights, transposed where these are (N, K)."""

    def __init__(self, weights, rows, operator="MatMul", bias=False,
                 dtype=np.float32):
        rng = np.random.default_rng(rows)
        self.weights, self.operator, self.dtype = weights, operator, dtype
        matrix = weights.values
        self.is_transposed = operator in ("Transpose", "transB")
        if self.is_transposed:
            matrix = matrix.T
        self.x = rng.standard_normal((rows, matrix.shape[0])).astype(dtype)
        self.expected = self.x.astype(np.float64) @ matrix
        self.others = {}
        if bias:
            self.others["bias"] = rng.standard_normal(
                matrix.shape[1]).astype(dtype)
            self.expected += self.others["bias"]

    def model(self, rows=None):
        nodes, right = [], "w"
        if self.operator == "Transpose":
            nodes.append(helper.make_node("Transpose", ["w"], ["t"],
                                          perm=[1, 0]))
            right = "t"
        output = "y"
        if self.operator in ("Gemm", "transB"):
            nodes.append(helper.make_node(
                "Gemm", ["x", right, *self.others], ["y"],
                transB=int(self.operator == "transB")))
        else:
            output = "p" if self.others else "y"
            nodes.append(helper.make_node("MatMul", ["x", right], [output]))
            if self.others:
                nodes.append(helper.make_node("Add", ["p", "bias"], ["y"]))
        rows = self.x.shape[0] if rows is None else rows
        return model(nodes, {"x": (self.dtype, [rows, self.x.shape[1]])},
                     {"y": (self.dtype, [rows, self.expected.shape[1]])},
                     self.weights, self.others)

    def check(self, result, tolerance=tolerances.CANCELLATION):
        largest = np.abs(self.expected).max()
        np.testing.assert_allclose(result, self.expected,
                                   **tolerance.scaled_to(largest))


def check_everywhere(product, folder, backend, rows=None,
                     tolerance=tolerances.CANCELLATION):
    for arch in ARCHITECTURES if backend == "cpu" else [""]:
        extra = [f"--vpu-arch={arch}"] if arch else []
        product.check(run(product.model(rows), {"x": product.x}, folder,
                          backend, *extra)["y"], tolerance)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("has_zeros", [True, False], ids=["zeros", "none"])
@pytest.mark.parametrize("axis, operator", [
    (0, "MatMul"), (1, "Transpose"), (0, "Gemm"), (1, "transB")])
@pytest.mark.parametrize("kind", INTEGERS)
def test_blocks_of_any_integers_are_right(tmp_path, kind, axis, operator,
                                          has_zeros, backend):
    shape = (64, 40) if axis == 0 else (40, 64)
    weights = Weights(shape, kind, axis, 16, has_zeros)
    product = Product(weights, 12 if has_zeros else 1, operator, has_zeros)
    product.check(run(product.model(), {"x": product.x}, tmp_path,
                      backend)["y"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows, depth, columns, block", [
    (1, 256, 7, 256), (2, 40, 16, 32), (5, 33, 1, 16), (3, 300, 33, 128),
    (9, 96, 33, 48), (17, 520, 50, 256), (1, 400, 20, 200), (2, 24, 8, 12)])
def test_sizes_of_any_kind_are_right(tmp_path, rows, depth, columns, block,
                                     backend):
    weights = Weights((depth, columns), "uint4", 0, block)
    check_everywhere(Product(weights, rows), tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("kind", ["int2", "int4", "uint8"])
def test_weights_without_blocks_are_right(tmp_path, kind, axis, backend):
    for depth, rows in [(64, 1), (130, 20), (1016, 2)]:
        weights = Weights((depth, 24), kind, axis)
        check_everywhere(Product(weights, rows), tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_blocks_along_columns_are_right(tmp_path, backend):
    weights = Weights((64, 48), "int4", 1, 16)
    check_everywhere(Product(weights, 3), tmp_path, backend)


@pytest.mark.parametrize("operator", ["MatMul", "Gemm"])
def test_one_artifact_is_right_for_any_number_of_rows(tmp_path, operator):
    weights = Weights((256, 70), "int4", 0, 32)
    for rows in [1, 8, 9, 40]:
        check_everywhere(Product(weights, rows, operator, bias=True), tmp_path,
                         "cpu", rows="n")


@pytest.mark.parametrize("level, most", [
    (None, 1e-6), (1, 1e-6), (2, 2**-11), (3, 2**-8), (4, 2**-6)])
@pytest.mark.parametrize("rows", [1, 5, 40])
@pytest.mark.parametrize("kind, block", [("int4", 32), ("uint8", 128),
                                         ("int2", None)])
def test_rows_are_as_exact_as_the_command_asks_for(tmp_path, kind, block, rows,
                                                   level, most):
    axis = 0 if block else 1
    # Columns that are worth making bytes of the rows for.
    product = Product(Weights((1024, 768), kind, axis, block), rows)
    options = [] if level is None else [f"--accuracy-level={level}"]
    for arch in ARCHITECTURES:
        result = run(product.model(), {"x": product.x}, tmp_path, "cpu",
                     f"--vpu-arch={arch}", *options)["y"]
        error = np.sqrt(np.mean((result - product.expected) ** 2)
                        / np.mean(product.expected ** 2))
        assert error < most
        # Where bytes are multiplied, there are as few as the level allows.
        if level not in (None, 1) and multiplies_bytes(arch):
            assert error > 1e-6


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", ["MatMul", "Gemm"])
@pytest.mark.parametrize("block", [32, None])
def test_half_precision_is_right(tmp_path, block, operator, backend):
    axis = 0 if block else 1
    weights = Weights((96, 48), "int4", axis, block, dtype=np.float16)
    product = Product(weights, 3, operator, bias=True, dtype=np.float16)
    product.expected /= 16
    product.x = product.x / np.float16(16)
    product.others["bias"] = product.others["bias"] / np.float16(16)
    product.check(run(product.model(), {"x": product.x}, tmp_path,
                      backend)["y"], tolerances.HALF_ROUNDING)


@pytest.mark.parametrize("backend", BACKENDS)
def test_products_and_others_share_weights(tmp_path, backend):
    weights = Weights((64, 64), "int4", 1, 32)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 64)).astype(np.float32)
    ids = np.array([[3, -1, 3]])
    nodes = [helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
             helper.make_node("MatMul", ["x", "t"], ["a"]),
             helper.make_node("Gemm", ["a", "w"], ["b"], transB=1, alpha=0.5),
             helper.make_node("MatMul", ["b", "w"], ["c"]),
             helper.make_node("Gather", ["w", "ids"], ["d"]),
             helper.make_node("ReduceSum", ["w"], ["e"], keepdims=0)]
    built = model(nodes, {"x": ("float32", [2, 64]), "ids": ("int64", [1, 3])},
                  {"c": ("float32", [2, 64]), "d": ("float32", [1, 3, 64]),
                   "e": ("float32", [])}, weights)
    results = run(built, {"x": x, "ids": ids}, tmp_path, backend)
    w = weights.values
    expected = {"c": x @ w.T @ w.T / 2 @ w, "d": w[ids], "e": w.sum()}
    for name, array in expected.items():
        np.testing.assert_allclose(
            results[name], array,
            **tolerances.CANCELLATION.scaled_to(np.abs(array).max()))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis, block", [
    (1, 16), (1, 20), (1, None), (0, None), (None, None), (0, 16)])
@pytest.mark.parametrize("kind", INTEGERS)
def test_rows_of_a_table_are_right(tmp_path, kind, axis, block, backend):
    weights = Weights((50, 48), kind, axis, block)
    ids = np.array([[0, 7, -1], [49, 7, 25]])
    gather = helper.make_node("Gather", ["w", "ids"], ["y"])
    for shape in [[2, 3], ["n", "m"]]:
        built = model([gather], {"ids": ("int64", shape)},
                      {"y": ("float32", [*shape, 48])}, weights)
        result = run(built, {"ids": ids}, tmp_path, backend)["y"]
        np.testing.assert_allclose(result, weights.values[ids],
                                   **tolerances.DEFAULT)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("has_zeros", [True, False], ids=["zeros", "none"])
@pytest.mark.parametrize("kind, gather_axis, axis", [
    ("int4", 0, 1), ("uint4", 0, 1), ("int4", 1, 0)])
def test_contributed_gather_takes_integers_of_four_bits(
        tmp_path, kind, gather_axis, axis, has_zeros, backend):
    weights = Weights((40, 48), kind, axis, 16, has_zeros)
    ids = np.array([[0, 7], [39, 25]])
    names = ["integers", "ids", "scales"] + ["zeros"] * has_zeros
    gather = helper.make_node(
        "GatherBlockQuantized", names, ["y"], domain="com.microsoft",
        gather_axis=gather_axis, quantize_axis=axis, block_size=16)
    expected = np.take(weights.values, ids, gather_axis)
    built = model([gather], {"ids": ("int64", [2, 2])},
                  {"y": ("float32", expected.shape)}, weights)
    result = run(built, {"ids": ids}, tmp_path, backend)["y"]
    np.testing.assert_allclose(result, expected, **tolerances.DEFAULT)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("sizes", [(32, 10), ("n", "m"), (33, 10)])
def test_computed_integers_are_dequantized_in_blocks(tmp_path, sizes, backend):
    length = sizes[0] if isinstance(sizes[0], int) else 20
    rng = np.random.default_rng(1)
    x = rng.integers(-128, 128, (length, 10)).astype(np.int8)
    zeros = rng.integers(-9, 9, (-(-length // 8), 10)).astype(np.int8)
    scales = rng.random(zeros.shape).astype(np.float32)
    blocks = [zeros.shape[0] if isinstance(sizes[0], int) else "b", sizes[1]]
    node = helper.make_node("DequantizeLinear", ["x", "scales", "zeros"], ["y"],
                            axis=0, block_size=8)
    built = builders.model(
        [node], {"x": ("int8", list(sizes)), "scales": ("float32", blocks),
                 "zeros": ("int8", blocks)},
        {"y": ("float32", list(sizes))}, opset=21)
    result = run(built, {"x": x, "scales": scales, "zeros": zeros}, tmp_path,
                 backend)["y"]

    def spread(parameter):
        return np.repeat(parameter, 8, 0)[:length].astype(np.float64)

    np.testing.assert_allclose(result, (x - spread(zeros)) * spread(scales),
                               **tolerances.DEFAULT)


@pytest.mark.parametrize("operator, axis", [("MatMul", 0), ("transB", 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("kind, block", [
    ("int4", 32), ("uint4", 16), ("int4", None), ("int8", 64), ("uint8", None),
    ("int2", 64)])
def test_artifact_is_as_large_as_the_model(tmp_path, kind, block, dtype,
                                           operator, axis):
    shape = (1024, 4096) if axis == 0 else (4096, 1024)
    weights = Weights(shape, kind, axis if block else 1 - axis, block,
                      dtype=dtype)
    expect_small(Product(weights, 1, operator, dtype=dtype).model(), tmp_path)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("kind, block", [
    ("int4", 32), ("uint4", 16), ("uint8", None)])
def test_table_is_as_large_as_the_model(tmp_path, kind, block, dtype):
    weights = Weights((4096, 1024), kind, 1 if block else 0, block, dtype=dtype)
    gather = helper.make_node("Gather", ["w", "ids"], ["y"])
    expect_small(model([gather], {"ids": ("int64", ["n"])},
                       {"y": (dtype, ["n", 1024])}, weights), tmp_path)


def test_products_of_equal_weights_have_them_once(tmp_path):
    weights = Weights((1024, 1024), "int4", 0, 32)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MatMul", ["b", "w"], ["y"])]
    typed = ("float32", [1, 1024])
    expect_small(model(nodes, {"x": typed}, {"y": typed}, weights), tmp_path)


def expect_small(built, folder):
    path, library = folder / "model.onnx", folder / "model.so"
    onnx.save(built, str(path))
    cli.nacre("compile", path, "-o", library)
    assert library.stat().st_size <= 1.15 * path.stat().st_size
