# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes in another order than that of their values, as ONNX Runtime takes
them."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from backends import BACKENDS, run
from nacre import builders, cli
from subgraphs import subgraph

X = np.float32([-1, 2, -3])
FLOATS = {"x": ("float32", [3])}


def test_casts_at_the_end_as_the_float16_converter_writes_them(tmp_path):
    nodes = [
        builders.node("Add", ["half", "one"], ["sum"]),
        builders.node("Relu", ["sum"], ["relu"]),
        builders.node("Cast", ["x"], ["half"], to=TensorProto.FLOAT16),
        builders.node("Cast", ["relu"], ["y"], to=TensorProto.FLOAT),
    ]
    model = builders.model(nodes, FLOATS, {"y": ("float32", [3])},
                           weights={"one": np.float16([1])})
    for backend in BACKENDS:
        y = run(model, {"x": X}, tmp_path, backend)["y"]
        np.testing.assert_array_equal(y, np.maximum(X + 1, 0))


def loop_with_captures():
    """The outer value that the body's inner branch reads is computed last, and
    the body's nodes are in the opposite order."""
    branches = {
        name: subgraph(name, [builders.node(op, [name], [f"{name}_out"]),
                              builders.node("Add", ["v", "late"], [name])],
                       [], [f"{name}_out"])
        for name, op in (("then_branch", "Neg"), ("else_branch", "Identity"))}
    body = subgraph("body", [
        builders.node("Identity", ["next"], ["stacked"]),
        builders.node("If", ["flag"], ["next"], **branches),
        builders.node("Equal", ["i", "first"], ["flag"]),
        builders.node("Identity", ["go"], ["goOn"]),
    ], ["i", "go", "v"], ["goOn", "next", "stacked"], {"first": np.int64(0)})
    return builders.model(
        [builders.node("Neg", ["last"], ["y"]),
         builders.node("Loop", ["trips", "", "x"], ["last", "all"], body=body),
         builders.node("Abs", ["x"], ["late"])],
        FLOATS, {"y": ("float32", [3]), "all": ("float32", [2, 3])},
        weights={"trips": np.int64(2)})


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_that_bodies_capture_come_before_them(tmp_path, backend):
    found = run(loop_with_captures(), {"x": X}, tmp_path, backend)
    late = np.abs(X)
    first = -(X + late)
    second = first + late
    np.testing.assert_array_equal(found["y"], -second)
    np.testing.assert_array_equal(found["all"], [first, second])


def test_function_bodies_are_sorted(tmp_path):
    domain = helper.make_opsetid("local", 1)
    function = helper.make_function(
        "local", "Twice", ["a"], ["c"],
        [builders.node("Add", ["b", "b"], ["c"]),
         builders.node("Relu", ["a"], ["b"])],
        [helper.make_opsetid("", 17)])
    model = builders.model(
        [builders.node("Neg", ["z"], ["y"]),
         builders.node("Twice", ["x"], ["z"], domain="local")],
        FLOATS, {"y": ("float32", [3])}, opset=17)
    model.functions.append(function)
    model.opset_import.append(domain)
    for backend in BACKENDS:
        y = run(model, {"x": X}, tmp_path, backend)["y"]
        np.testing.assert_array_equal(y, -2 * np.maximum(X, 0))


def test_cycle_through_a_captured_value_names_its_nodes(tmp_path):
    model = loop_with_captures()
    (late,) = [node for node in model.graph.node if node.op_type == "Abs"]
    late.input[0] = "y"
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError,
                       match="the nodes 'y', 'last', 'late' form a cycle") \
            as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o",
                  tmp_path / "model.so")
    assert error.value.code == cli.Exit.BAD_INPUT


def test_gradient_comes_after_the_values_that_its_attributes_name(tmp_path):
    domain = "ai.onnx.preview.training"
    model = builders.model(
        [builders.node("Gradient", ["x"], ["slope"], domain=domain, xs=["x"],
                       y="y"),
         builders.node("Mul", ["x", "x"], ["y"])],
        FLOATS, {"y": ("float32", [3]), "slope": ("float32", [3])})
    model.opset_import.append(helper.make_opsetid(domain, 1))
    slope = run(model, {"x": X}, tmp_path, "interpreter")["slope"]
    np.testing.assert_array_equal(slope, 2 * X)
