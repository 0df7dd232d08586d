# ===- small.py - Random conversions to numbers of few bits ---------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws conversions to float8, float4 and integers of four bits, movements of
them, and the way back: nothing else computes with them.

Every number of these formats is a float32, so the results are exact.
"""

import numpy as np
from onnx import TensorProto, helper

from nacre.fuzz.graph import F16, F32, F64, I8, I16, I32, I64, U8

# The number in ONNX, the largest value and the exponent of the smallest.
FLOATS = ((17, 448, -9), (18, 240, -10), (19, 57344, -16), (20, 57344, -17),
          (23, 6, -1))
INTEGERS = ((21, 0, 15), (22, -8, 7))


def move(g, name, shape):
    """Another order of the elements of `name`, and its shape."""
    kind = g.choice(("none", "Transpose", "Reshape", "Concat", "Gather"))
    if kind == "none" or not shape:
        return name, shape
    moved = g.name()
    if kind == "Transpose":
        order = [int(axis) for axis in g.rng.permutation(len(shape))]
        node = helper.make_node(kind, [name], [moved], perm=order)
        shape = tuple(shape[axis] for axis in order)
    elif kind == "Reshape":
        target = g.constant([-1])
        g.used.add(target.name)
        node = helper.make_node(kind, [name, target.name], [moved])
        shape = (int(np.prod(shape)),)
    elif kind == "Concat":
        axis = g.between(0, len(shape) - 1)
        node = helper.make_node(kind, [name, name], [moved], axis=axis)
        shape = tuple(2 * dim if i == axis else dim
                      for i, dim in enumerate(shape))
    else:
        axis = g.between(0, len(shape) - 1)
        rows = g.constant(g.rng.integers(0, max(shape[axis], 1), 3))
        g.used.add(rows.name)
        node = helper.make_node(kind, [name, rows.name], [moved], axis=axis)
        shape = tuple(3 if i == axis else dim for i, dim in enumerate(shape))
    g.nodes.append(node)
    return moved, shape


def op_small(g):
    x = g.pick((F32, F32, F16, F64, I8, U8, I16, I32, I64), exact=True,
               accepts=lambda value: value.size > 0)
    small = g.name()
    if g.chance(0.6):
        code, largest, grid = g.choice(FLOATS)
        # A number rounds up by an eighth of it at most, and to the next.
        bound = min(largest, 1.25 * x.bound + 2.0 ** grid)
        low, high = -bound, bound
    else:
        code, low, high = g.choice(INTEGERS)
        grid = 0
    g.nodes.append(helper.make_node("Cast", [x.name], [small], g.name("Cast"),
                                    to=code))
    g.used.add(x.name)
    moved, shape = move(g, small, x.shape)
    back = g.computed(F32, shape, low, high, 0, grid)
    back.name = g.name()
    g.nodes.append(helper.make_node("Cast", [moved], [back.name],
                                    g.name("Cast"), to=TensorProto.FLOAT))
    g.values.append(back)
    return back


OPERATORS = {op_small: 1}
