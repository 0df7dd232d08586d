# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies of control-flow operators."""

from onnx import TensorProto, helper, numpy_helper

from nacre import builders


def subgraph(name, nodes, inputs, outputs, weights=None):
    """A body; inputs and outputs are names of float tensors of any shape."""
    def untyped(value):
        kind = {"i": TensorProto.INT64, "go": TensorProto.BOOL}.get(
            value, TensorProto.FLOAT)
        return helper.make_tensor_value_info(value, kind, None)

    return helper.make_graph(
        nodes, name, [untyped(value) for value in inputs],
        [untyped(value) for value in outputs],
        [numpy_helper.from_array(array, key)
         for key, array in (weights or {}).items()])


def typed_subgraph(name, nodes, inputs, outputs):
    """A subgraph whose inputs and outputs have known types."""
    return helper.make_graph(
        nodes, name, [builders.value(key, *typed)
                      for key, typed in inputs.items()],
        [builders.value(key, *typed) for key, typed in outputs.items()])
