# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of every length about those of vectors: what is left over for whole ones
is computed under a mask."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli, tolerances
from nacre.compiled import CompiledModel

# Less than a vector, some, more than a step of four of them, and what is left
# over of each.
LENGTHS = [*range(1, 34), 47, 48, 49, *range(62, 67), 79, 100, 113, 120,
           *range(126, 131), 197, 255, 257, 300]
TOLERANCES = {"float32": tolerances.DEFAULT, "float64": tolerances.DOUBLE,
              "float16": tolerances.HALF}


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def compile_rows(folder, dtype, rows, length):
    """Reductions of rows, one after the other and each element by itself."""
    shape, reduced = [rows, length], [rows, 1]
    kept = {"axes": [-1], "keepdims": 1}
    model = builders.model(
        [builders.node("ReduceMax", ["x"], ["largest"], **kept),
         builders.node("ReduceMean", ["x"], ["mean"], **kept),
         builders.node("Softmax", ["x"], ["share"], axis=-1),
         builders.node("Neg", ["x"], ["negative"])],
        {"x": (dtype, shape)},
        {"largest": (dtype, reduced), "mean": (dtype, reduced),
         "share": (dtype, shape), "negative": (dtype, shape)})
    onnx.save(model, folder / "rows.onnx")
    cli.nacre("compile", folder / "rows.onnx", "-o", folder / "rows.so")
    return CompiledModel(folder / "rows.so")


def check(compiled, dtype, rows, length):
    x = np.random.default_rng(length).normal(size=(rows, length)).astype(dtype)
    found = compiled.run({"x": x})
    np.testing.assert_array_equal(found["largest"], x.max(-1, keepdims=True))
    np.testing.assert_array_equal(found["negative"], -x)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(found["mean"], wide.mean(-1, keepdims=True),
                               **TOLERANCES[dtype])
    np.testing.assert_allclose(found["share"], softmax(wide),
                               **TOLERANCES[dtype])


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_rows_whose_length_a_run_knows(tmp_path, dtype):
    compiled = compile_rows(tmp_path, dtype, "rows", "length")
    for length in LENGTHS:
        check(compiled, dtype, 3, length)


@pytest.mark.parametrize("length", [15, 17, 49, 63, 65, 79, 120, 127, 197, 300])
@pytest.mark.parametrize("dtype", TOLERANCES)
def test_rows_of_known_length(tmp_path, dtype, length):
    check(compile_rows(tmp_path, dtype, 3, length), dtype, 3, length)


def test_bytes_and_integers_of_rows_whose_length_a_run_knows(tmp_path):
    """Narrow elements, of which a register holds more."""
    model = builders.model(
        [builders.node("Cast", ["x"], ["wide"], to=onnx.TensorProto.INT32),
         builders.node("ReduceSum", ["wide", "axes"], ["sum"], keepdims=1),
         builders.node("Greater", ["x", "sevens"], ["isLarge"])],
        {"x": ("uint8", ["rows", "length"])},
        {"sum": ("int32", ["rows", 1]), "isLarge": ("bool", ["rows", "length"])},
        {"axes": np.array([1]), "sevens": np.array([7], np.uint8)})
    onnx.save(model, tmp_path / "bytes.onnx")
    cli.nacre("compile", tmp_path / "bytes.onnx", "-o", tmp_path / "bytes.so")
    compiled = CompiledModel(tmp_path / "bytes.so")
    for length in LENGTHS:
        x = np.random.default_rng(length).integers(0, 256, (3, length), np.uint8)
        found = compiled.run({"x": x})
        np.testing.assert_array_equal(
            found["sum"], x.sum(-1, keepdims=True, dtype=np.int32))
        np.testing.assert_array_equal(found["isLarge"], x > 7)
