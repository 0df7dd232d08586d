# ===- data.py - ONNX test data folders -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the inputs of an ONNX test data folder, as `nacre check` does."""

import pathlib

import onnx
from onnx import numpy_helper


def graph_inputs(model):
    """The inputs of MODEL's graph that are no initializers."""
    graph = onnx.load(str(model), load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    return [value for value in graph.input if value.name not in constants]


def read_inputs(model, folder):
    """Maps the names of MODEL's inputs to the arrays in FOLDER: by the tensors'
    names, else by number."""
    names = [value.name for value in graph_inputs(model)]
    arrays = {}
    for index, name in enumerate(names):
        tensor = onnx.TensorProto()
        path = pathlib.Path(folder) / f"input_{index}.pb"
        tensor.ParseFromString(path.read_bytes())
        key = tensor.name if tensor.name in names else name
        arrays[key] = numpy_helper.to_array(tensor)
    return arrays


def shape_options(model, arrays):
    """What fixes the shapes of MODEL's dynamic inputs to those of ARRAYS."""
    options = []
    for value in graph_inputs(model):
        dims = value.type.tensor_type.shape.dim
        # Some exporters write -1 for a dimension that is not known.
        if any(not dim.HasField("dim_value") or dim.dim_value < 0
               for dim in dims):
            shape = "x".join(map(str, arrays[value.name].shape))
            options.append(f"--shape={value.name}={shape}")
    return options
