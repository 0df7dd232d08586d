# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of control flow, sequences and optionals: see dynamic_cases.py."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from dynamic_case import BOOL, F32, I64, Case, f, ints, node
from nacre import builders

CASES = {}

# Control flow.

def graph(nodes, inputs, outputs, constants=None):
    def infos(names):
        return [helper.make_tensor_value_info(
            name, builders.element_type(dtype), shape)
            for name, (dtype, shape) in names.items()]

    return helper.make_graph(
        nodes, "body", infos(inputs), infos(outputs),
        [numpy_helper.from_array(value, name)
         for name, value in (constants or {}).items()])


LOOP_INPUTS = {"i": (I64, []), "c": (BOOL, [])}

CASES["If with branches of different sizes"] = Case(
    [node("If", ["c"], ["y"],
          then_branch=graph([node("Concat", ["x", "x"], ["t"], axis=0)], {},
                            {"t": (F32, [None, 3])}),
          else_branch=graph([node("Neg", ["x"], ["e"])], {},
                            {"e": (F32, [None, 3])}))],
    lambda n: {"c": np.array(n > 4), "x": f(n, 3)}, {"y": (F32, 2)})
CASES["Loop that joins"] = Case(
    [node("Loop", ["n", "", "x"], ["y"], body=graph(
        [node("Identity", ["c"], ["d"]),
         node("Concat", ["s", "x"], ["t"], axis=0)],
        {**LOOP_INPUTS, "s": (F32, [None, 3])},
        {"d": (BOOL, []), "t": (F32, [None, 3])}))],
    lambda n: {"n": np.array(n), "x": f(n, 3)}, {"y": (F32, 2)})
CASES["Loop that joins until a condition"] = Case(
    [node("Loop", ["", "go", "x"], ["y", "z"], body=graph(
        [node("Concat", ["s", "x"], ["t"], axis=0),
         node("Size", ["t"], ["size"]),
         node("Less", ["size", "limit"], ["d"]),
         node("ReduceSum", ["t"], ["u"], keepdims=0)],
        {**LOOP_INPUTS, "s": (F32, [None, 3])},
        {"d": (BOOL, []), "t": (F32, [None, 3]), "u": (F32, [])}))],
    lambda n: {"x": f(n, 3)}, {"y": (F32, 2), "z": (F32, 1)},
    {"go": np.array(True), "limit": np.array(40)})
CASES["Loop that stacks"] = Case(
    [node("Loop", ["n", "", "x"], ["y", "z"], body=graph(
        [node("Identity", ["c"], ["d"]), node("Add", ["s", "x"], ["t"]),
         node("Mul", ["t", "t"], ["u"])],
        {**LOOP_INPUTS, "s": (F32, [None, 3])},
        {"d": (BOOL, []), "t": (F32, [None, 3]), "u": (F32, [None, 3])}))],
    lambda n: {"n": np.array(n - 4), "x": f(n, 3)},
    {"y": (F32, 2), "z": (F32, 3)})
CASES["Loop that joins in a branch"] = Case(
    [node("Loop", ["n", "", "x"], ["y"], body=graph(
        [node("Identity", ["c"], ["d"]), node("Mod", ["i", "two"], ["m"]),
         node("Cast", ["m"], ["odd"], to=TensorProto.BOOL),
         node("If", ["odd"], ["t"],
              then_branch=graph(
                  [node("Concat", ["s", "x"], ["tt"], axis=0)], {},
                  {"tt": (F32, [None, 3])}),
              else_branch=graph([node("Neg", ["s"], ["te"])], {},
                                {"te": (F32, [None, 3])}))],
        {**LOOP_INPUTS, "s": (F32, [None, 3])},
        {"d": (BOOL, []), "t": (F32, [None, 3])}))],
    lambda n: {"n": np.array(n), "x": f(n, 3)}, {"y": (F32, 2)},
    {"two": np.array(2)})
CASES["Scan"] = Case(
    [node("Scan", ["s", "x"], ["y", "z"], num_scan_inputs=1, body=graph(
        [node("Add", ["a", "b"], ["c"]), node("Mul", ["c", "b"], ["d"])],
        {"a": (F32, [None]), "b": (F32, [None])},
        {"c": (F32, [None]), "d": (F32, [None])}))],
    lambda n: {"s": f(n + 1), "x": f(n, n + 1)},
    {"y": (F32, 1), "z": (F32, 2)})
# The length of the indices, and so the rank of the result, follows from what
# computes their shape.
CASES["GatherND by indices of a computed shape"] = Case(
    [node("Shape", ["x"], ["s"]), node("Size", ["s"], ["rank"]),
     node("Sub", ["rank", "one"], ["count"]),
     node("Unsqueeze", ["count", "zero"], ["last"]),
     node("Concat", ["any", "last"], ["shape"], axis=0),
     node("Reshape", ["i", "shape"], ["j"]), node("GatherND", ["x", "j"], ["y"])],
    lambda n: {"x": f(n, n + 1, 3), "i": ints(I64, 0, n, 2 * n)},
    {"y": (F32, 2)}, {"one": np.array(1), "zero": np.array([0]),
                      "any": np.array([-1])})
CASES["GatherND of a vector by tuples of any length"] = Case(
    [node("GatherND", ["x", "i"], ["y"])],
    lambda n: {"x": f(n), "i": ints(I64, 0, n, 2 * n, 1)}, {"y": (F32, 1)})
CASES["GatherND by stacked indices"] = Case(
    [node("SequenceConstruct", ["i", "j"], ["s"]),
     node("ConcatFromSequence", ["s"], ["k"], axis=-1, new_axis=1),
     node("GatherND", ["x", "k"], ["y"])],
    lambda n: {"x": f(n, n + 1, 3), "i": ints(I64, 0, n, n - 2),
               "j": ints(I64, 0, n, n - 2)}, {"y": (F32, 2)})
for direction in (0, 1):
    # As many are not zero in each row, which the model does not say.
    CASES[f"Scan of elements that values size, direction {direction}"] = Case(
        [node("Scan", ["s", "x"], ["y", "z"], num_scan_inputs=1,
              scan_output_axes=[2 * direction],
              scan_output_directions=[direction], body=graph(
                  [node("Add", ["a", "b"], ["c"]), node("NonZero", ["b"], ["d"])],
                  {"a": (F32, [None]), "b": (F32, [None])},
                  {"c": (F32, [None]), "d": (I64, [1, None])}))],
        lambda n: {"s": f(n), "x": 1 - np.eye(n, dtype=np.float32)},
        {"y": (F32, 1), "z": (I64, 3)})
CASES["Scan of no elements"] = Case(
    [node("Scan", ["x"], ["z"], num_scan_inputs=1, body=graph(
        [node("NonZero", ["b"], ["d"])], {"b": (F32, [3])},
        {"d": (I64, [1, None])}))],
    lambda n: {"x": np.ones((n % 4, 3), np.float32)}, {"z": (I64, 3)})
CASES["Scan of a batch"] = Case(
    [node("Scan", ["", "s", "x"], ["y", "z"], num_scan_inputs=1,
          directions=[1], body=graph(
              [node("Add", ["a", "b"], ["c"]), node("Mul", ["c", "b"], ["d"])],
              {"a": (F32, [2]), "b": (F32, [2])},
              {"c": (F32, [2]), "d": (F32, [2])}))],
    lambda n: {"s": f(n, 2), "x": f(n, n + 1, 2)},
    {"y": (F32, 2), "z": (F32, 3)}, opset=8)

# Sequences and optionals.
CASES["SequenceConstruct"] = Case(
    [node("SequenceConstruct", ["x", "z"], ["s"]),
     node("SequenceInsert", ["s", "x"], ["t"]),
     node("SequenceErase", ["t", "zero"], ["u"]),
     node("SequenceAt", ["u", "zero"], ["a"]),
     node("SequenceLength", ["u"], ["l"]),
     node("ConcatFromSequence", ["u"], ["y"], axis=0),
     node("SequenceEmpty", [], ["e"]),
     node("SequenceInsert", ["e", "z"], ["g"]),
     node("ConcatFromSequence", ["g"], ["w"], axis=0)],
    lambda n: {"x": f(n, 3), "z": f(n + 1, 3)},
    {"a": (F32, 2), "l": (I64, 0), "y": (F32, 2), "w": (F32, 2)},
    {"zero": np.array(0)})
CASES["SplitToSequence"] = Case(
    [node("SplitToSequence", ["x", "two"], ["s"], axis=0),
     node("SequenceLength", ["s"], ["l"]),
     node("SequenceAt", ["s", "zero"], ["y"])],
    lambda n: {"x": f(n, 3)}, {"l": (I64, 0), "y": (F32, 2)},
    {"two": np.array(2), "zero": np.array(0)})
CASES["Optional"] = Case(
    [node("Optional", ["x"], ["o"]), node("OptionalHasElement", ["o"], ["h"]),
     node("OptionalGetElement", ["o"], ["g"]), node("Neg", ["g"], ["y"])],
    lambda n: {"x": f(n, 3)}, {"h": (BOOL, 0), "y": (F32, 2)})
