# ===- exact.py - What a case's outputs should be --------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates cases in float64, where two engines round differently.

The sum of millions of numbers is not the same in every order, and the other
engine's need not be the better one. The judge is the interpreter, which generates
no code, on the same model with every float in 64 bits.
"""

import math
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from nacre import cli

NARROW = (TensorProto.FLOAT, TensorProto.FLOAT16)
# An engine whose noise is a tenth larger is as good.
SLACK_DECIBELS = 20 * math.log10(1.1)


def _widen_tensor(tensor):
    if tensor.data_type in NARROW:
        array = numpy_helper.to_array(tensor).astype(np.float64)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def widen(model):
    """MODEL with its floats in 64 bits."""
    wide = onnx.ModelProto()
    wide.CopyFrom(model)
    graph = wide.graph
    for tensor in graph.initializer:
        _widen_tensor(tensor)
    for value in [*graph.input, *graph.output, *graph.value_info]:
        kind = value.type.tensor_type
        if kind.elem_type in NARROW:
            kind.elem_type = TensorProto.DOUBLE
    for node in graph.node:
        for attribute in node.attribute:
            if node.op_type == "Cast" and attribute.i in NARROW:
                attribute.i = TensorProto.DOUBLE
            if attribute.HasField("t"):
                _widen_tensor(attribute.t)
    return wide


def evaluate(case, folder):
    """The outputs in float64, in order; None where an operator has no such
    floats."""
    work = folder / "exact"
    work.mkdir(exist_ok=True)
    (work / "model.onnx").write_bytes(widen(case.model).SerializeToString())
    command = [cli.tool(), "run", work / "model.onnx",
               "--backend=interpreter", f"--output-dir={work}"]
    for index, (name, array) in enumerate(case.inputs.items()):
        if array.dtype in (np.float32, np.float16):
            array = array.astype(np.float64)
        np.save(work / f"input_{index}.npy", array)
        command.append(f"--input={name}={work / f'input_{index}.npy'}")
    process = subprocess.run(command, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=300)
    if process.returncode:
        return None
    return [np.load(work / f"{output.name}.npy")
            for output in case.model.graph.output]


def decibels(outputs, exact):
    """The least signal over noise of OUTPUTS; infinite if all are exact."""
    least = math.inf
    for output, right in zip(outputs, exact):
        noise = float(np.sum((output.astype(np.float64) - right) ** 2))
        signal = float(np.sum(right.astype(np.float64) ** 2))
        if noise:
            least = min(least, 10 * math.log10(signal / noise)
                        if signal else -math.inf)
    return least
