# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of dynamic sizes, and what it is run on.

A case gives its inputs as a function of a size. Dimensions in which the inputs
of two sizes differ are symbolic in the model, so that one artifact has to serve
both.
"""

import dataclasses

import numpy as np
from onnx import helper

from nacre import builders

SIZES = (4, 7)

F32, I64, BOOL, U8, I8, I32 = ("float32", "int64", "bool", "uint8", "int8",
                               "int32")
node = helper.make_node


@dataclasses.dataclass
class Case:
    """NODES over the inputs that INPUTS makes of a size, and WEIGHTS."""

    nodes: list
    inputs: object
    outputs: dict          # by name (type, rank)
    weights: dict = dataclasses.field(default_factory=dict)
    opset: int = 17
    exact: bool = False

    def model(self):
        small, large = (self.inputs(size) for size in SIZES)
        inputs = {}
        for name, array in small.items():
            shape = [f"{name}_{i}" if a != b else a for i, (a, b)
                     in enumerate(zip(array.shape, large[name].shape))]
            inputs[name] = (array.dtype.name, shape)
        outputs = {name: (dtype, [f"{name}_{i}" for i in range(rank)])
                   for name, (dtype, rank) in self.outputs.items()}
        return builders.model(self.nodes, inputs, outputs, self.weights,
                              name="dynamic", opset=self.opset)


def rng(size):
    return np.random.default_rng(size)


def f(*shape):
    return rng(sum(shape)).uniform(-2, 2, shape).astype(np.float32)


def positive(*shape):
    return np.abs(f(*shape)) / 4 + np.float32(0.25)


def ints(dtype, low, high, *shape):
    return rng(sum(shape)).integers(low, high, shape).astype(dtype)


def i64(*values):
    return np.array(values, np.int64)


def single(op, inputs, rank, weights=None, dtype=F32, opset=17, domain="",
           names=None, exact=False, **attributes):
    """One node whose operands are the inputs, then the weights."""
    operands = names or [*inputs(SIZES[0]), *(weights or {})]
    outputs = rank if isinstance(rank, dict) else {"y": (dtype, rank)}
    built = node(op, operands, list(outputs), op.lower(), domain=domain,
                 **attributes)
    return Case([built], inputs, outputs, weights or {}, opset, exact)
