"""Tensors without elements on all backends."""

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op, shapes, attributes, expected", [
    ("Concat", [[2, 0], [2, 3]], {"axis": 1}, np.ones([2, 3])),
    ("MatMul", [[2, 0], [0, 3]], {}, np.zeros([2, 3])),
    ("ReduceMax", [[0, 3]], {"axes": [0], "keepdims": 0},
     np.full([3], -np.inf)),
    ("ReduceSum", [[2, 0, 3]], {}, np.zeros([1, 1, 1])),
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
