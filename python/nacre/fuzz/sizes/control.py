# ===- control.py - Branches and loops of dynamic sizes ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws If and Loop whose bodies read values from outside of them, and sequences,
which values are stored in before the graph ends."""

import numpy as np
from onnx import helper

from nacre import builders
from nacre.fuzz.graph import BOOL, F16, I64, MANTISSA, Rejected
from nacre.fuzz.sizes import movement
from nacre.fuzz.sizes.graph import Value


def info(value, name, rank=None):
    return builders.value(name, value.dtype,
                          [None] * (value.rank if rank is None else rank))


def branch(g, x, y):
    """A body of one node over values from outside, and its arrays."""
    name = g.name("b")
    kind = g.choice(("Identity", "Add", "Neg", "Transpose"))
    if kind == "Transpose" and x.rank != 2 or \
            kind == "Transpose" and any(a != b for a, b in [x.sizes[:2]]):
        kind = "Neg"
    operands = [x.name, y.name] if kind == "Add" else [x.name]
    function = {"Identity": lambda a, b: a, "Add": np.add,
                "Neg": lambda a, b: -a, "Transpose": lambda a, b: a.T}[kind]
    errors = [a + b if kind == "Add" else a
              for a, b in zip(x.errors, y.errors)]
    grid = x.grid if kind != "Add" else None if None in (x.grid, y.grid) \
        else min(x.grid, y.grid)
    result = Value(x.dtype, [function(a, b) for a, b in
                             zip(x.arrays, y.arrays)], errors, grid)
    if kind == "Add":
        result = g.computed(x.dtype, result.arrays, errors, grid)
    graph = helper.make_graph(
        [helper.make_node(kind, operands, [name])], g.name("body"), [],
        [info(result, name)])
    g.used.update(operands)
    return graph, result


def op_if(g):
    """Each branch gives what is as large."""
    x = g.pick(g.float, rank=(1, 2, 3))
    same = [value for value in g.values
            if value.dtype == g.float and value.sizes == x.sizes]
    y = g.choice(same)
    condition = g.pick(BOOL, rank=(0,))
    branches = [branch(g, x, y), branch(g, y, x)]
    results = [result for _, result in branches]
    merged = g.merged(results, [
        results[0 if array else 1].arrays[run]
        for run, array in enumerate(condition.arrays)])
    g.emit("If", [condition], [merged], then_branch=branches[0][0],
           else_branch=branches[1][0])


def op_loop(g):
    """A sum that a loop carries, of a value from outside, and what it stacks."""
    x = g.pick(g.float, rank=(1, 2, 3))
    trips = g.choice((0, 1, 2, 3))
    count = g.weight(np.array(trips))
    start = x if g.chance(0.5) else g.emit("Neg", [x], [g.moved(
        x, np.negative)])
    # How large what it stacks is, no loop of no trips tells.
    stacked = trips > 0 and g.chance(0.5)
    number, going, before, after, on = (g.name("b") for _ in range(5))
    nodes = [helper.make_node("Add", [before, x.name], [after]),
             helper.make_node("Identity", [going], [on])]
    outputs = [builders.value(on, BOOL, []), info(x, after)]
    if stacked:
        shown = g.name("b")
        nodes.append(helper.make_node("Identity", [after], [shown]))
        outputs.append(info(x, shown))
    body = helper.make_graph(
        nodes, g.name("body"),
        [builders.value(number, I64, []), builders.value(going, BOOL, []),
         info(x, before)], outputs)
    g.used.add(x.name)

    def carried(trip):
        return [a + trip * b for a, b in zip(start.arrays, x.arrays)]

    errors = [(trips + 1) * error for error in x.errors]
    peaks = [(trips + 1) * x.peak(run) for run in range(g.runs)]
    results = [g.computed(g.float, carried(trips), errors, x.grid, peaks)]
    if stacked:
        steps = [carried(trip + 1) for trip in range(trips)]
        results.append(g.computed(
            g.float, [np.stack([step[run] for step in steps])
                  for run in range(g.runs)], errors, x.grid, peaks))
    g.emit("Loop", [count, None, start], results, body=body)


def op_counted_loop(g):
    """A loop of as many trips as an axis has elements, with a branch in each."""
    x = g.pick(g.float, rank=(1, 2, 3))
    y = g.pick(rank=(1, 2, 3))
    part = movement.shape_part(g, y, g.between(0, y.rank - 1))
    trips = g.emit("Squeeze", [part, g.ints(0)], [g.moved(
        part, lambda array: array.reshape(()))])
    if max(int(array) for array in trips.arrays) > 40:
        raise Rejected("too many trips")
    least = g.between(0, 3)
    limit = g.weight(np.array(least))
    number, going, before, after, on, early = (g.name("b") for _ in range(6))
    left, right = g.name("b"), g.name("b")
    branches = [helper.make_graph([helper.make_node(*node)], g.name("body"),
                                  [], [info(x, node[2][0])])
                for node in (("Identity", [before], [left]),
                             ("Add", [before, x.name], [right]))]
    shown = g.name("b")
    body = helper.make_graph(
        [helper.make_node("Less", [number, limit.name], [early]),
         helper.make_node("If", [early], [after], then_branch=branches[0],
                          else_branch=branches[1]),
         helper.make_node("Identity", [number], [shown]),
         helper.make_node("Identity", [going], [on])], g.name("body"),
        [builders.value(number, I64, []), builders.value(going, BOOL, []),
         info(x, before)],
        [builders.value(on, BOOL, []), info(x, after),
         builders.value(shown, I64, [])])
    g.used.update((x.name, limit.name))
    adds = [max(int(array) - least, 0) for array in trips.arrays]
    errors = [(1 + count) * x.errors[run] for run, count in enumerate(adds)]
    peaks = [(1 + count) * x.peak(run) for run, count in enumerate(adds)]
    # Each trip rounds.
    if x.grid is None or g.float == F16 \
            and max(peaks) > MANTISSA[F16] * 2.0 ** x.grid:
        errors = [error + count * g.rounding * peaks[run] for
                  run, (error, count) in enumerate(zip(errors, adds))]
    g.emit("Loop", [trips, None, x], [
        g.computed(g.float, [(1 + count) * array for count, array
                             in zip(adds, x.arrays)], errors, x.grid, peaks),
        g.computed(I64, [np.arange(int(array)) for array in trips.arrays])],
        body=body)


def op_sequence(g):
    """What starts as another value does is stored, and read again when more was
    computed."""
    x = g.pick(rank=(1, 2, 3))
    axis = g.between(0, x.rank - 1)
    parts = [movement.concat(g, [x, movement.fitting(g, x, axis)], axis)
             for _ in range(g.between(1, 3))]
    if g.chance(0.5):
        parts.append(x)
    stored = g.name("s")
    before = [part.name for part in parts]
    g.used.update(before)
    g.nodes.append(helper.make_node("SequenceConstruct", before, [stored],
                                    g.name("node")))
    movement.concat(g, [x, movement.fitting(g, x, axis)], axis)
    place = g.between(0, len(parts) - 1)
    index = g.weight(np.array(place))
    taken = g.moved(parts[place], np.array)
    if g.chance(0.5):
        later = g.name("s")
        g.nodes.append(helper.make_node(
            "SequenceInsert", [stored, parts[0].name], [later],
            g.name("node")))
        stored = later
    sequence = Value(x.dtype, parts[0].arrays)
    sequence.name = stored
    g.emit("SequenceAt", [sequence, index], [taken])


OPERATORS = {op_if: 2, op_loop: 2, op_counted_loop: 1, op_sequence: 1}
