# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors without elements on all backends."""

import numpy as np
import onnx
import pytest

from backends import BACKENDS, run
from nacre import builders, cli


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op, shapes, attributes, expected", [
    ("Concat", [[2, 0], [2, 3]], {"axis": 1}, np.ones([2, 3])),
    ("MatMul", [[2, 0], [0, 3]], {}, np.zeros([2, 3])),
    ("ReduceMax", [[0, 3]], {"axes": [0], "keepdims": 0},
     np.full([3], -np.inf)),
    ("ReduceSum", [[2, 0, 3]], {}, np.zeros([1, 1, 1])),
    ("ReduceL2", [[2, 0, 3]], {"axes": [1]}, np.zeros([2, 1, 3])),
    ("Transpose", [[2, 0, 3]], {}, np.zeros([3, 0, 2])),
    ("Relu", [[4, 0]], {}, np.zeros([4, 0])),
], ids=lambda value: value if isinstance(value, str) else "")
def test_operator_on_an_empty_tensor_matches_numpy(
        tmp_path, backend, op, shapes, attributes, expected):
    inputs = {f"x{i}": np.ones(shape, np.float32)
              for i, shape in enumerate(shapes)}
    typed = {name: ("float32", list(array.shape))
             for name, array in inputs.items()}
    model = builders.single(op, typed, {"y": ("float32", list(expected.shape))},
                            **attributes)
    np.testing.assert_array_equal(run(model, inputs, tmp_path, backend)["y"],
                                  expected)


TWO = np.array([2], np.int64)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", ["static", "dynamic"])
@pytest.mark.parametrize("op, others, attributes, expected", [
    ("Cast", [], {"to": onnx.TensorProto.STRING}, np.zeros([2, 0, 4], "U1")),
    ("Compress", [np.array([True, False])], {"axis": 2},
     np.zeros([2, 0, 1], np.float32)),
    ("GlobalAveragePool", [], {}, np.zeros([2, 0, 1], np.float32)),
    ("NonZero", [], {}, np.zeros([3, 0], np.int64)),
    ("Reshape", [np.array([0, 2, -1, 2])], {},
     np.zeros([2, 2, 0, 2], np.float32)),
    ("Slice", [0 * TWO, TWO, TWO], {}, np.zeros([2, 0, 2], np.float32)),
    ("Unsqueeze", [TWO], {}, np.zeros([2, 0, 1, 4], np.float32)),
], ids=lambda value: value if isinstance(value, str) else "")
def test_operator_without_elements_keeps_the_shape(
        tmp_path, backend, batch, op, others, attributes, expected):
    inputs = {"x": np.zeros([2, 0, 4], np.float32)}
    inputs.update((f"x{i}", array) for i, array in enumerate(others))
    typed = {name: (array.dtype, array.shape if batch == "static" or
                    name != "x" else [f"d{i}" for i in range(3)])
             for name, array in inputs.items()}
    dtype = object if expected.dtype.kind == "U" else expected.dtype
    model = builders.single(op, typed, {"y": (dtype, [None] * expected.ndim)},
                            opset=17, **attributes)
    result = run(model, inputs, tmp_path, backend)["y"]
    assert result.shape == expected.shape
    assert result.dtype.kind == expected.dtype.kind


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", ["static", "dynamic"])
@pytest.mark.parametrize("weights, mode, shape, expected", [
    ({"scales": [1, 2, 2]}, "linear", [0, 3, 4], [0, 6, 8]),
    ({"scales": [1, 2, 2]}, "nearest", [2, 0, 4], [2, 0, 8]),
    ({"scales": [1, 0.5, 2]}, "cubic", [2, 1, 4], [2, 0, 8]),
    ({"sizes": [0, 6, 8]}, "linear", [0, 3, 4], [0, 6, 8]),
], ids=str)
def test_resizing_what_has_no_elements(tmp_path, backend, batch, weights, mode,
                                       shape, expected):
    by_scales = "scales" in weights
    names = ["x", "", "scales"] if by_scales else ["x", "", "", "sizes"]
    model = builders.model(
        [builders.node("Resize", names, ["y"], mode=mode)],
        {"x": ("float32", shape if batch == "static" else ["n", "h", "w"])},
        {"y": ("float32", [None] * 3)},
        {name: np.array(values, np.float32 if by_scales else np.int64)
         for name, values in weights.items()})
    result = run(model, {"x": np.ones(shape, np.float32)}, tmp_path, backend)
    assert list(result["y"].shape) == expected


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", ["static", "dynamic"])
def test_resizing_nothing_to_something_is_refused(tmp_path, backend, batch):
    shape = [1, 0, 4] if batch == "static" else ["n", "h", "w"]
    model = builders.model(
        [builders.node("Resize", ["x", "", "", "sizes"], ["y"])],
        {"x": ("float32", shape)}, {"y": ("float32", [None] * 3)},
        {"sizes": np.array([1, 3, 8])})
    with pytest.raises(cli.NacreError, match="expected positive sizes|"
                       "elements of a tensor that has none"):
        run(model, {"x": np.ones([1, 0, 4], np.float32)}, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("columns", ["m", 0])
def test_cores_share_no_loop_without_steps(tmp_path, backend, columns):
    """Of a type that says so, and of a size that comes out as 0."""
    model = builders.model(
        [builders.node("Slice", ["x", "a", "b", "axis", "step"], ["s"]),
         builders.node("Slice", ["s", "a", "b"], ["t"]),
         builders.node("Abs", ["t"], ["y"]),
         builders.node("Shape", ["x"], ["shape"]),
         builders.node("ConstantOfShape", ["shape"], ["z"])],
        {"x": ("float32", ["n", columns])},
        {"y": ("float32", [None] * 2), "z": ("float32", [None] * 2)},
        {"a": np.array([1]), "b": np.array([1]), "axis": np.array([0]),
         "step": np.array([2])})
    x = np.ones([4, 0], np.float32)
    results = run(model, {"x": x}, tmp_path, backend, "--threads=2")
    assert results["y"].shape == (0, 0)
    assert results["z"].shape == x.shape


@pytest.mark.parametrize("backend", BACKENDS)
def test_reshape_of_nothing_has_the_sizes_that_are_asked_for(tmp_path, backend):
    """As many samples, none, say nothing about the dimensions behind them."""
    model = builders.model(
        [builders.node("Concat", ["none", "size"], ["shape"], axis=0),
         builders.node("Reshape", ["x", "shape"], ["y"], allowzero=1)],
        {"x": ("float32", [0, "n", "m"]), "size": ("int64", [1])},
        {"y": ("float32", [None] * 2)}, {"none": np.array([0])})
    result = run(model, {"x": np.ones([0, 2, 3], np.float32),
                         "size": np.array([4])}, tmp_path, backend)
    assert result["y"].shape == (0, 4)
