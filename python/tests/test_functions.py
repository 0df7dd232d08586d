# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that a model defines for itself."""

import numpy as np
import pytest
from onnx import helper

from backends import BACKENDS, run
from nacre import builders

DOMAIN = helper.make_opsetid("local", 1)
# Fields that are newer than the packaged onnx.
NODE_OVERLOAD, DEFAULTS, FUNCTION_OVERLOAD = 8, 11, 13


def function(name, nodes, attributes=()):
    return helper.make_function(
        "local", name, ["a"], ["b"], nodes,
        [helper.make_opsetid("", 17), DOMAIN], attributes)


def with_field(message, number, value):
    """MESSAGE with the bytes VALUE in a field that onnx does not know."""
    tag = number << 3 | 2
    return type(message).FromString(
        message.SerializeToString() + bytes([tag, len(value)]) + value)


def build(nodes, functions):
    outputs = {name: ("float32", ["n"]) for node in nodes
               for name in node.output}
    model = builders.model(nodes, {"x": ("float32", ["n"])}, outputs)
    model.functions.extend(functions)
    model.opset_import.append(DOMAIN)
    return model


def leaky():
    node = builders.node("LeakyRelu", ["a"], ["b"])
    node.attribute.add(name="alpha", ref_attr_name="alpha", type=1)
    return function("Leaky", [node], ["alpha"])


X = np.float32([-2, 1, 3])


@pytest.mark.parametrize("backend", BACKENDS)
def test_function_calls_another_with_an_attribute(tmp_path, backend):
    inner = builders.node("Leaky", ["a"], ["c"], domain="local")
    inner.attribute.add(name="alpha", ref_attr_name="slope", type=1)
    outer = function("Twice", [inner, builders.node("Add", ["c", "c"], ["b"])],
                     ["slope"])
    model = build([builders.node("Twice", ["x"], ["y"], domain="local",
                                 slope=0.25)], [outer, leaky()])
    np.testing.assert_array_equal(
        run(model, {"x": X}, tmp_path, backend)["y"], [-1, 2, 6])


@pytest.mark.parametrize("backend", BACKENDS)
def test_attribute_that_a_call_leaves_out_has_the_functions_default(tmp_path,
                                                                    backend):
    default = helper.make_attribute("alpha", 0.5).SerializeToString()
    model = build(
        [builders.node("Leaky", ["x"], ["y"], domain="local"),
         builders.node("Leaky", ["x"], ["z"], domain="local", alpha=0.25)],
        [with_field(leaky(), DEFAULTS, default)])
    results = run(model, {"x": X}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], [-1, 1, 3])
    np.testing.assert_array_equal(results["z"], [-0.5, 1, 3])


@pytest.mark.parametrize("backend", BACKENDS)
def test_calls_take_the_overload_that_they_name(tmp_path, backend):
    nodes = [with_field(builders.node("F", ["x"], [name], domain="local"),
                        NODE_OVERLOAD, overload)
             for name, overload in (("y", b"one"), ("z", b"two"))]
    functions = [with_field(function("F", [builders.node(op, ["a"], ["b"])]),
                            FUNCTION_OVERLOAD, overload)
                 for op, overload in (("Abs", b"one"), ("Neg", b"two"))]
    results = run(build(nodes, functions), {"x": X}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], [2, 1, 3])
    np.testing.assert_array_equal(results["z"], [2, -1, -3])
