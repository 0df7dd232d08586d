# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What classical models do to strings, on every backend."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, run


WORDS = np.array([["cat", "dog"], ["", "cat"]])


def model(op, x, y, opset=13, domain="ai.onnx.ml", version=3, **attributes):
    """One node of a domain; x and y are pairs of element type and shape."""
    kinds = {"string": TensorProto.STRING, "float": TensorProto.FLOAT,
             "int64": TensorProto.INT64}
    graph = helper.make_graph(
        [helper.make_node(op, ["x"], ["y"], domain=domain, **attributes)],
        "strings",
        [helper.make_tensor_value_info("x", kinds[x[0]], x[1])],
        [helper.make_tensor_value_info("y", kinds[y[0]], y[1])])
    built = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml",
                                                            version)])
    built.ir_version = 7
    return built


@pytest.mark.parametrize("backend", BACKENDS)
def test_labels_of_strings_become_numbers(tmp_path, backend):
    built = model("LabelEncoder", ("string", [2, 2]), ("int64", [2, 2]),
                  keys_strings=["cat", "dog"], values_int64s=[7, 9],
                  default_int64=-5)
    y = run(built, {"x": WORDS}, tmp_path, backend)["y"]
    assert y.tolist() == [[7, 9], [-5, 7]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_labels_of_numbers_become_strings(tmp_path, backend):
    built = model("LabelEncoder", ("int64", [3]), ("string", [3]),
                  keys_int64s=[1, 2], values_strings=["one", "zwölf"])
    y = run(built, {"x": np.array([2, 1, 3])}, tmp_path, backend)["y"]
    assert y.tolist() == ["zwölf", "one", "_Unused"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_hot_of_strings(tmp_path, backend):
    built = model("OneHotEncoder", ("string", [2, 2]), ("float", [2, 2, 3]),
                  cats_strings=["dog", "cat", ""])
    y = run(built, {"x": WORDS}, tmp_path, backend)["y"]
    assert y.tolist() == [[[0, 1, 0], [1, 0, 0]], [[0, 0, 1], [0, 1, 0]]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_ngrams_of_strings_are_counted(tmp_path, backend):
    # "cat", "dog", then "cat cat".
    built = model("TfIdfVectorizer", ("string", [4]), ("float", [3]),
                  domain="", min_gram_length=1, max_gram_length=2,
                  max_skip_count=0, mode="TF", ngram_counts=[0, 2],
                  ngram_indexes=[0, 1, 2],
                  pool_strings=["cat", "dog", "cat", "cat"])
    words = np.array(["cat", "cat", "owl", "cat"])
    y = run(built, {"x": words}, tmp_path, backend)["y"]
    assert y.tolist() == [3, 0, 1]
