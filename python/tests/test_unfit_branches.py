# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches that are for other sizes than those a model is compiled for."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, run
from nacre import builders, cli
from subgraphs import subgraph

X = np.float32([[1, -2, 3]])


def build(then_node, else_node):
    """y is what a branch makes of x, a row of 3, and w, a matrix of 4 rows."""
    model = builders.model(
        [builders.node("If", ["flag"], ["r"], "choice",
                       then_branch=subgraph("then", [then_node], [], ["a"]),
                       else_branch=subgraph("else", [else_node], [], ["b"])),
         builders.node("Abs", ["r"], ["y"])],
        {"x": ("float32", [1, 3]), "flag": ("bool", [])},
        {"y": ("float32", None)}, weights={"w": np.ones((4, 2), np.float32)})
    model.graph.output[0].CopyFrom(
        helper.make_tensor_value_info("y", TensorProto.FLOAT, None))
    return model


def unfit(output):
    return builders.node("MatMul", ["x", "w"], [output])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("unfit_is_then", [True, False])
def test_branch_that_does_not_fit_ends_the_run_if_taken(tmp_path, backend,
                                                       unfit_is_then):
    model = (build(unfit("a"), builders.node("Neg", ["x"], ["b"]))
             if unfit_is_then else
             build(builders.node("Neg", ["x"], ["a"]), unfit("b")))
    feeds = {"x": X, "flag": np.array(not unfit_is_then)}
    y = run(model, feeds, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, np.abs(X))
    with pytest.raises(cli.NacreError, match="branch of If that does not fit") \
            as error:
        run(model, {"x": X, "flag": np.array(unfit_is_then)}, tmp_path, backend)
    assert error.value.code == cli.Exit.BAD_INPUT


@pytest.mark.parametrize("then_node, message", [
    (unfit("a"), "equal inner dimensions"),
    (builders.node("Neg", ["nowhere"], ["a"]), "defined nowhere")])
def test_other_errors_of_branches_stop_the_compilation(tmp_path, then_node,
                                                       message):
    model = build(then_node, unfit("b"))
    if message == "defined nowhere":
        model = build(then_node, builders.node("Neg", ["x"], ["b"]))
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match=message) as error:
        cli.nacre("info", tmp_path / "model.onnx")
    assert error.value.code == cli.Exit.BAD_INPUT


def build_late(rows):
    """y is |x|, or x without a dimension that would have to be 1 and is 2, which
    follows from a constant that only the optimiser computes."""
    then_nodes = [
        builders.node("ReduceSum", ["ones"], ["two"], keepdims=1),
        builders.node("Concat", ["all", "two"], ["shape"], axis=0),
        builders.node("Reshape", ["x", "shape"], ["pairs"]),
        builders.node("Squeeze", ["pairs", "last"], ["flat"]),
        builders.node("Unsqueeze", ["flat", "last"], ["a"])]
    model = builders.model(
        [builders.node("If", ["flag"], ["y"], "choice",
                       then_branch=subgraph("then", then_nodes, [], ["a"]),
                       else_branch=subgraph(
                           "else", [builders.node("Abs", ["x"], ["b"])], [],
                           ["b"]))],
        {"x": ("float32", [rows, 2]), "flag": ("bool", [])},
        {"y": ("float32", None)},
        weights={"ones": np.ones(2, np.int64), "all": np.int64([-1]),
                 "last": np.int64([1])})
    model.graph.output[0].CopyFrom(
        helper.make_tensor_value_info("y", TensorProto.FLOAT, None))
    return model


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows", [3, "n"])
def test_branch_found_unfit_after_the_import_ends_the_run_if_taken(
        tmp_path, backend, rows):
    model = build_late(rows)
    feeds = {"x": np.float32([[1, -2], [3, 4], [-5, 6]]),
             "flag": np.array(False)}
    y = run(model, feeds, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, np.abs(feeds["x"]))
    feeds["flag"] = np.array(True)
    # The interpreter takes the model as imported, so the node itself says it.
    message = ("" if backend == "interpreter" else
               "branch of If that does not fit.*") + "expected size 1"
    with pytest.raises(cli.NacreError, match=message) as error:
        run(model, feeds, tmp_path, backend)
    assert error.value.code == cli.Exit.BAD_INPUT
