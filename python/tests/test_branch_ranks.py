# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches that give different ranks, chosen between at run time."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, run
from nacre import builders, cli, suite
from subgraphs import subgraph

AXES = {"first": np.array([0], np.int64), "last": np.array([-1], np.int64),
        "one": np.int64(1), "two": np.int64(2), "end": np.int64(-1)}


def model_of(nodes, inputs, outputs, **weights):
    model = builders.model(nodes, inputs, {name: ("float32", None)
                                           for name in outputs},
                           weights=dict(AXES, **weights))
    for output in model.graph.output:
        output.CopyFrom(helper.make_tensor_value_info(
            output.name, TensorProto.FLOAT, None))
    return model


def choose(condition, result, then_nodes, then, else_nodes, other):
    """An If of two subgraphs, whose results are the names given."""
    return builders.node(
        "If", [condition], [result],
        then_branch=subgraph(result + "Then", then_nodes, [], [then]),
        else_branch=subgraph(result + "Else", else_nodes, [], [other]))


def squeezed(x, condition, result, prefix):
    """x without its last dimension, or x itself."""
    return choose(condition, result,
                  [builders.node("Squeeze", [x, "last"], [prefix + "a"])],
                  prefix + "a",
                  [builders.node("Identity", [x], [prefix + "b"])],
                  prefix + "b")


def cell(x, result, prefix, scale):
    """What exporters write for a cell of a network that takes a row or several:
    one row becomes a batch, and the batch's result a row again. What is used
    is the last result, by an operator that takes matrices."""
    def n(*names):
        return [prefix + name for name in names]

    return [
        builders.node("Shape", [x], n("shape")),
        builders.node("Gather", [*n("shape"), "end"], n("size")),
        builders.node("Equal", [*n("size"), "one"], n("single")),
        squeezed(x, *n("single", "v", "0")),
        builders.node("Shape", n("v"), n("dims")),
        builders.node("Size", n("dims"), n("rank")),
        builders.node("Equal", [*n("rank"), "two"], n("isBatch")),
        choose(*n("isBatch", "batch"),
               [builders.node("Identity", n("v"), n("whole"))], *n("whole"),
               [builders.node("Unsqueeze", [*n("v"), "first"], n("row"))],
               *n("row")),
        builders.node("Gemm", [*n("batch"), scale], n("scaled")),
        choose(*n("isBatch", "y"),
               [builders.node("Identity", n("scaled"), n("all"))], *n("all"),
               [builders.node("Squeeze", [*n("scaled"), "first"], n("only"))],
               *n("only")),
        builders.node("Abs", n("y"), [result]),
    ]


def nested_cells():
    """The run chooses between two of them, by a number."""
    return model_of(
        [builders.node("Equal", ["rate", "one"], ["isOne"]),
         choose("isOne", "y", cell("x", "p", "t", "w"), "p",
                cell("x", "q", "e", "u"), "q")],
        {"x": ("float32", ["n", 2, "m"]), "rate": ("int64", [])}, ["y"],
        w=np.float32([[1, 2], [3, 4]]), u=np.float32([[-5, 6], [7, -8]]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rate", [1, 2])
def test_nested_ifs_of_two_ranks_give_what_their_users_fit(tmp_path, backend,
                                                           rate):
    x = np.arange(6, dtype=np.float32).reshape(3, 2, 1) - 2
    weight = np.float32([[1, 2], [3, 4]] if rate == 1 else [[-5, 6], [7, -8]])
    y = run(nested_cells(), {"x": x, "rate": np.int64(rate)}, tmp_path,
            backend)["y"]
    np.testing.assert_array_equal(y, np.abs(x[..., 0] @ weight))


@pytest.mark.parametrize("backend", BACKENDS)
def test_branch_whose_rank_fits_no_user_ends_the_run(tmp_path, backend):
    feeds = {"x": np.ones((3, 2, 4), np.float32), "rate": np.int64(1)}
    with pytest.raises(cli.NacreError) as error:
        run(nested_cells(), feeds, tmp_path, backend)
    assert error.value.code == cli.Exit.BAD_INPUT


def reduced():
    """Both ranks have a use."""
    return model_of(
        [squeezed("x", "flag", "v", ""),
         builders.node("Neg", ["v"], ["negated"]),
         builders.node("ReduceMax", ["negated"], ["y"], axes=[0], keepdims=0),
         builders.node("Shape", ["v"], ["dims"]),
         builders.node("Size", ["dims"], ["rank"]),
         builders.node("Cast", ["rank"], ["number"], to=TensorProto.FLOAT),
         builders.node("ReduceSum", ["negated"], ["sum"], keepdims=0),
         builders.node("Add", ["sum", "number"], ["z"])],
        {"x": ("float32", ["n", "m"]), "flag": ("bool", [])}, ["z"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("flag", [True, False])
def test_value_of_either_rank_goes_on_in_both(tmp_path, backend, flag):
    x = np.float32([[1], [-2], [5]])
    z = run(reduced(), {"x": x, "flag": np.array(flag)}, tmp_path,
            backend)["z"]
    assert z == -x.sum() + (1 if flag else 2)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("outer, flag", [(True, True), (True, False),
                                         (False, True)])
def test_value_of_either_rank_leaves_the_branch_that_makes_it(
        tmp_path, backend, outer, flag):
    model = model_of(
        [choose("outer", "v", [squeezed("x", "flag", "t", "i")], "t",
                [builders.node("Abs", ["x"], ["e"])], "e"),
         builders.node("ReduceSum", ["v"], ["sum"], keepdims=0),
         builders.node("Shape", ["v"], ["dims"]),
         builders.node("Size", ["dims"], ["rank"]),
         builders.node("Cast", ["rank"], ["number"], to=TensorProto.FLOAT),
         builders.node("Add", ["sum", "number"], ["z"])],
        {"x": ("float32", ["n", "m"]), "flag": ("bool", []),
         "outer": ("bool", [])}, ["z"])
    x = np.float32([[1], [-2], [5]])
    feeds = {"x": x, "flag": np.array(flag), "outer": np.array(outer)}
    z = run(model, feeds, tmp_path, backend)["z"]
    assert z == ((x if outer else np.abs(x)).sum()
                 + (1 if outer and flag else 2))


@pytest.mark.parametrize("count", [8, 70])
def test_many_values_of_either_rank_are_refused(tmp_path, count):
    """Each doubles what follows it: there is an end to that."""
    nodes = []
    for i in range(count):
        nodes += [squeezed("x", "flag", f"v{i}", f"p{i}"),
                  builders.node("ReduceSum", [f"v{i}"], [f"s{i}"], keepdims=0)]
    nodes.append(builders.node("Sum", [f"s{i}" for i in range(count)], ["y"]))
    model = model_of(nodes, {"x": ("float32", ["n", "m"]),
                             "flag": ("bool", [])}, ["y"])
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match="fix them with --shape") as error:
        cli.nacre("info", tmp_path / "model.onnx")
    assert error.value.code == cli.Exit.UNSUPPORTED


SILERO = suite.models_folder() / "silero_vad_v5"


@pytest.mark.skipif(not SILERO.is_dir(), reason=f"no model in {SILERO}")
@pytest.mark.parametrize("backend", ["reference", "interpreter"])
def test_silero_of_both_rates_in_one_artifact(backend):
    """The suite of models does so on the backend cpu."""
    cli.nacre("check", SILERO / "model.onnx", f"--backend={backend}",
              *sorted(SILERO.glob("test_data_set_*")), "--dynamic")


@pytest.mark.skipif(not SILERO.is_dir(), reason=f"no model in {SILERO}")
@pytest.mark.parametrize("rate, sets", [(16000, (0, 1)), (8000, (2,))])
def test_silero_of_one_rate_and_any_batch(rate, sets):
    cli.nacre("check", SILERO / "model.onnx", f"--value=sr={rate}",
              *(SILERO / f"test_data_set_{i}" for i in sets),
              "--dynamic", "--backend=interpreter")
