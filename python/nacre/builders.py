# ===- builders.py - Small ONNX models for tests ---------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds ONNX models in a line or two.

  relu = builders.model(
      [builders.node("Relu", ["x"], ["y"])],
      inputs={"x": ("float32", [1, 4])}, outputs={"y": ("float32", [1, 4])})
"""

import numpy as np
from onnx import helper, numpy_helper

from nacre.interface import element_code

node = helper.make_node


def element_type(dtype):
    """ONNX's code of a numpy type."""
    return element_code(np.dtype(dtype))


def value(name, dtype, shape):
    """A graph input or output; a string in `shape` is a symbolic dimension."""
    return helper.make_tensor_value_info(name, element_type(dtype), shape)


def model(nodes, inputs, outputs, weights=None, name="model", opset=13):
    """A model of NODES; inputs and outputs map names to (dtype, shape)."""
    graph = helper.make_graph(
        nodes, name,
        [value(key, *typed) for key, typed in inputs.items()],
        [value(key, *typed) for key, typed in outputs.items()],
        [numpy_helper.from_array(np.asarray(array), key)
         for key, array in (weights or {}).items()])
    built = helper.make_model(graph, producer_name="nacre",
                              opset_imports=[helper.make_opsetid("", opset)])
    # What the packaged onnx writes by default follows its version.
    built.ir_version = 7
    return built


def single(op, inputs, outputs, opset=13, weights=None, **attributes):
    """A model of one node, whose inputs are the graph's, then the weights."""
    names = [*inputs, *(weights or {})]
    return model([node(op, names, list(outputs), op.lower(), **attributes)],
                 inputs, outputs, weights, name=op.lower(), opset=opset)


def chain(ops, shape, opset=13):
    """x -> op -> op -> ... -> y of unary float operators, in one shape."""
    values = ["x", *(f"v{i}" for i in range(len(ops) - 1)), "y"]
    nodes = [node(op, [values[i]], [values[i + 1]], f"{op.lower()}{i}")
             for i, op in enumerate(ops)]
    typed = ("float32", list(shape))
    return model(nodes, {"x": typed}, {"y": typed}, opset=opset)
