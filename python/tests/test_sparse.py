# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse constants and initializers, which are dense in IE."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, run
from nacre import builders, cli

DENSE = np.float32([[0, 5, 0], [0, 6, 0]])


def sparse(name, indices, dims=(2, 3), shape=None):
    values = helper.make_tensor(name, TensorProto.FLOAT, [2], [5.0, 6.0])
    return helper.make_sparse_tensor(
        values, helper.make_tensor("indices", TensorProto.INT64,
                                   shape or [len(indices)], indices), dims)


def with_initializer(tensor):
    model = builders.model([builders.node("Add", ["x", "w"], ["y"])],
                           {"x": ("float32", [2, 3])},
                           {"y": ("float32", [2, 3])})
    model.graph.sparse_initializer.append(tensor)
    return model


X = np.float32([[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("indices, shape", [([1, 4], [2]),
                                            ([0, 1, 1, 1], [2, 2])])
def test_sparse_initializer_has_zeros_elsewhere(tmp_path, backend, indices,
                                                shape):
    model = with_initializer(sparse("w", indices, shape=shape))
    np.testing.assert_array_equal(
        run(model, {"x": X}, tmp_path, backend)["y"], X + DENSE)


@pytest.mark.parametrize("backend", BACKENDS)
def test_sparse_constant_has_zeros_elsewhere(tmp_path, backend):
    constant = builders.node("Constant", [], ["w"],
                             sparse_value=sparse("", [1, 4]))
    model = builders.model([constant, builders.node("Add", ["x", "w"], ["y"])],
                           {"x": ("float32", [2, 3])},
                           {"y": ("float32", [2, 3])})
    np.testing.assert_array_equal(
        run(model, {"x": X}, tmp_path, backend)["y"], X + DENSE)


@pytest.mark.parametrize("tensor, message", [
    (sparse("w", [1, 6]), "indices within a sparse"),
    (sparse("w", [-1, 4]), "indices within a sparse"),
    (sparse("w", [0, 1, 1, 3], shape=[2, 2]), "indices within a sparse"),
    (sparse("w", [1]), "an index of each of 2 values"),
    (sparse("w", [0, 1, 1], shape=[1, 3]), "an index of each of 2 values"),
    (sparse("w", [0, 1], dims=(2**16, 2**15)), "at most 4294967296 bytes"),
    (sparse("w", [0, 1], dims=(-1, 2)), "non-negative dimensions"),
    (sparse("w", [0, 1], dims=(-2**63, 2)), "non-negative dimensions"),
], ids=["beyond", "negative", "beyond_row", "few", "shape", "large", "dims",
        "least"])
def test_malformed_sparse_tensor_is_bad_input(tmp_path, tensor, message):
    with pytest.raises(cli.NacreError, match=message) as caught:
        run(with_initializer(tensor), {"x": X}, tmp_path, "cpu")
    assert caught.value.code == cli.Exit.BAD_INPUT
