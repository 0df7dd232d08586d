# ===- control.py - Random branches, loops and scans -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws If, Loop and Scan over operators of all families, nested, and the
sequences that a loop collects.

Conditions are computed from exact values, so that every backend takes the same
branch and runs as many iterations. Results of dynamic size are
shown as they are or summed up: no other operator has to know of them.
"""

import numpy as np
from onnx import helper

from nacre import builders
from nacre.fuzz.bodies import (Body, Carried, compare, decide, enclose, fits,
                               lasting, settle, shallow)
from nacre.fuzz.elementwise import wrapped
from nacre.fuzz.graph import BOOL, FLOATS, I32, I64

SUMMED = FLOATS + (I32, I64)
MOST_TRIPS = 5


def withhold(g, value, known=True):
    """Keeps a result from operators that draw on its shape; it is shown where
    that is known here."""
    g.values.remove(value)
    if known and not g.depth:
        g.apart.append(value)
        g.unsized.add(value.name)


def sum_up(g, value, most):
    """Sums VALUE, of a dynamic number of rows, at most MOST."""
    if value.dtype not in SUMMED:
        return
    shape, bound = value.shape[1:], most * value.bound
    if value.is_float:
        total = g.computed(value.dtype, shape, -bound, bound,
                           most * value.err, value.grid)
    else:
        total = wrapped(g, value.dtype, shape, -bound, bound)
    g.emit("ReduceSum", [value, g.constant([0])], [total], keepdims=0)


# Branches.

def op_if(g):
    shallow(g)
    known = None
    if g.chance(0.4):
        condition = g.leaf(BOOL, (), const=g.chance(0.1))
        known = bool(condition.data)
    else:
        condition = decide(g)
    branches = [Body(g), Body(g)]
    for branch in branches:
        if g.chance(0.85):
            branch.fill()
    results = []
    for _ in range(g.between(1, 3)):
        order = branches if g.chance(0.5) else branches[::-1]
        first = order[0].any_value()
        second = order[1].shaped(first.dtype, first.shape) \
            if g.chance(0.8) else order[1].pick((first.dtype,),
                                                shape=first.shape)
        order[0].give(first)
        order[1].give(second)
        results.append(g.merged([first, second], first.shape))
    grown = known is not None and not g.depth and g.chance(0.15) and \
        grow_one_branch(g, branches, known, results)
    enclose(g, "If", [condition], results,
            {"then_branch": branches[0], "else_branch": branches[1]})
    if grown:
        withhold(g, grown)


def grow_one_branch(g, branches, known, results):
    """A result that has more rows in one of the branches."""
    value = g.pick(rank=(1, 2, 3, 4))
    longer = g.choice(branches)
    twice = (2 * value.shape[0], *value.shape[1:])
    for branch in branches:
        branch.give(value if branch is not longer else branch.emit(
            "Concat", [value, value], [branch.same(value, twice)], axis=0))
    taken = branches[0 if known else 1]
    results.append(g.same(value, twice if taken is longer else value.shape))
    for branch in branches:   # the other shape is not to be declared
        info = branch.results[-1]
        branch.results[-1] = helper.make_tensor_value_info(
            info.name, builders.element_type(value.dtype), None)
    return results[-1]


# Loops.

class Trips:
    """How often a loop runs: at most `most` times, `count` times where that is
    known here; `fixed` if compilers know it, too."""

    def __init__(self, g):
        self.limit, self.start = None, None
        count = self.draw_limit(g)
        starts = self.draw_start(g)
        self.end = g.choice(("kept",) * 4 + ("constant", "until", "until",
                                             "decided"))
        if count is None:
            self.end = "until"
        self.last = g.between(0, 3)
        if self.end == "until":
            count = self.last + 1 if count is None else min(count,
                                                            self.last + 1)
            self.fixed = False
        self.most = count
        if starts is None or self.end == "decided":
            self.fixed = False
            count = None
        elif not starts:
            count = 0
        self.count = count

    def draw_limit(self, g):
        """The trip count's operand, and what it says."""
        kind = g.choice(("constant",) * 4 + ("input",) * 3 + ("shape", "none"))
        self.fixed = kind == "constant"
        if kind == "none":
            return None
        if kind == "shape":
            x = g.pick(accepts=lambda v: v.rank and min(v.shape) <= MOST_TRIPS)
            shape = g.emit("Shape", [x], [g.computed(
                I64, (x.rank,), min(x.shape), max(x.shape))])
            axis = int(np.argmin(x.shape))
            self.limit = g.emit("Gather", [shape, g.constant(axis)],
                                [g.computed(I64, (), min(x.shape),
                                            min(x.shape))])
            return min(x.shape)
        count = g.choice((0, 1, 1, 2, 3, 4, MOST_TRIPS))
        self.limit = g.constant(count) if self.fixed else \
            g.hold(np.asarray(count, I64), 0, False)
        return count

    def draw_start(self, g):
        """The first condition, and what it says where that is known."""
        kind = g.choice(("none",) * 4 + ("constant", "input", "decided"))
        if kind == "none":
            return True
        if kind == "decided":
            self.start = decide(g)
            return None
        if kind == "constant":
            self.start = g.constant(True, BOOL)
            return True
        self.start = g.hold(np.asarray(g.chance(0.7)), 0, False)
        self.fixed = False
        return bool(self.start.data)

    def declare(self, body):
        self.iteration = body.parameter(I64, (), 0, max(self.most - 1, 0))
        self.going = body.parameter(BOOL, (), 0, 1)

    def give(self, body):
        """Whether there is a next iteration."""
        if self.end == "constant":
            again = body.constant(True, BOOL)
        elif self.end == "until":
            again = compare(body, "Less", self.iteration, self.last)
        elif self.end == "decided":
            again = decide(body)
        else:
            again = self.going
        body.give(again)


def visit(body, iteration, most):
    """The iteration's slice of a captured value."""
    x = body.find(lambda v: v.rank and max(v.shape) >= most)
    if x is None:
        return
    axis = int(np.argmax(x.shape))
    body.emit("Gather", [x, iteration], [body.same(
        x, x.shape[:axis] + x.shape[axis + 1:])], axis=axis)


def op_loop(g):
    shallow(g)
    trips = Trips(g)
    stacked = g.choice((0, 0, 1, 1, 2))
    carried = Carried(g, g.between(0 if stacked else 1, 3))
    body = Body(g)
    trips.declare(body)
    carried.declare(body)
    if g.chance(0.3):
        visit(body, trips.iteration, trips.most)
    body.fill()
    trips.give(body)
    carried.give(body)
    results, stacks = carried.finals(g), []
    for _ in range(stacked):
        value = body.any_value(lambda v: v.rank < 5)
        body.give(value)
        stacks.append(g.same(value, (trips.most if trips.count is None
                                     else trips.count, *value.shape)))
    enclose(g, "Loop", [trips.limit, trips.start, *carried.starts],
            results + stacks, {"body": body})
    if trips.fixed and trips.count:
        return
    # A loop that never runs cannot tell sizes that follow from inputs.
    told = bool(trips.count) or not g.symbolic
    for stack in stacks:
        withhold(g, stack, trips.count is not None and told)
    for stack in stacks:
        if told and g.chance(0.7):
            sum_up(g, stack, max(trips.most, 1))


def spell(g, axis, rank):
    return axis - rank if g.chance(0.3) else axis


def op_scan(g):
    shallow(g)
    first = g.pick(rank=(1, 2, 3, 4, 5),
                   accepts=lambda v: 0 < min(v.shape or (0,)) <= 9)
    axes = [g.choice([i for i, dim in enumerate(first.shape) if dim <= 9])]
    length = first.shape[axes[0]]
    scanned = [first]
    for _ in range(g.choice((0, 0, 1, 2))):
        value = g.find(lambda v: length in v.shape)
        if value is None or g.chance(0.3):
            value = g.pick(shape=(length, *g.shape(g.between(0, 2), 300)))
        scanned.append(value)
        axes.append(g.choice([i for i, dim in enumerate(value.shape)
                              if dim == length]))
    stacked = g.choice((0, 1, 1, 2))
    carried = Carried(g, g.between(0 if stacked else 1, 3))
    body = Body(g)
    carried.declare(body)
    for value, axis in zip(scanned, axes):
        body.parameter(value.dtype, value.shape[:axis] +
                       value.shape[axis + 1:], value.low, value.high,
                       value.err, value.grid)
    body.fill()
    carried.give(body)
    stacks, places = [], []
    for _ in range(stacked):
        value = body.any_value(lambda v: v.rank < 5)
        body.give(value)
        place = g.between(0, value.rank) if g.chance(0.4) else 0
        places.append(spell(g, place, value.rank + 1))
        stacks.append(g.same(value, (*value.shape[:place], length,
                                     *value.shape[place:])))
    attributes = {"num_scan_inputs": len(scanned)}
    if any(axes) or g.chance(0.3):
        attributes["scan_input_axes"] = [
            spell(g, axis, value.rank) for value, axis in zip(scanned, axes)]
    if stacks and (any(places) or g.chance(0.3)):
        attributes["scan_output_axes"] = places
    if g.chance(0.5):
        attributes["scan_input_directions"] = [g.between(0, 1)
                                               for _ in scanned]
    if stacks and g.chance(0.5):
        attributes["scan_output_directions"] = [g.between(0, 1)
                                                for _ in stacks]
    enclose(g, "Scan", [*carried.starts, *scanned],
            carried.finals(g) + stacks, {"body": body}, **attributes)


# Sequences.

def plain(g, op, operands, name, **attributes):
    """A node of values that are named, such as sequences."""
    g.used.update(operands)
    g.nodes.append(helper.make_node(op, operands, [name], g.name(op),
                                    **attributes))
    return name


def read(g, sequence, position, wanted):
    """An element of a sequence of what is WANTED."""
    value = g.same(wanted, wanted.shape)
    value.name = plain(g, "SequenceAt", [
        sequence, g.constant(position).name], g.name())
    g.values.append(value)


def join(g, sequence, count, wanted):
    """A sequence of COUNT elements as one tensor."""
    shape = wanted.shape
    joined = g.same(wanted, (count, *shape))
    spelled = {"axis": 0, "new_axis": 1}
    if g.chance(0.5):
        axis = g.between(0, len(shape) - 1)
        spelled = {"axis": axis}
        joined.shape = tuple(count * dim if i == axis else dim
                             for i, dim in enumerate(shape))
    joined.name = plain(g, "ConcatFromSequence", [sequence], g.name(),
                        **spelled)
    g.values.append(joined)
    return joined


def collect(g, start, is_empty, trips, wanted):
    """A loop that adds to the sequence `start`."""
    body = Body(g)
    trips.declare(body)
    parameter = body.name("s")
    code = builders.element_type(wanted.dtype)
    body.parameters.append(helper.make_tensor_sequence_value_info(
        parameter, code, None))
    if not is_empty and g.chance(0.5):
        read(body, parameter, g.choice((0, -1)), wanted)
    body.fill()
    value = settle(body, body.shaped(wanted.dtype, wanted.shape,
                                     wanted.grid is not None), wanted)
    operands = [parameter, value.name]
    if g.chance(0.4):
        operands.append(body.constant(0).name)
    inserted = plain(body, "SequenceInsert", operands, body.name("s"))
    trips.give(body)
    body.results.append(helper.make_tensor_sequence_value_info(
        inserted, code, None))
    proto = body.proto()
    g.used |= body.used
    return plain(g, "Loop", ["" if v is None else v.name
                             for v in (trips.limit, trips.start)] + [start],
                 g.name("s"), body=proto)


def op_sequence_loop(g):
    shallow(g)
    wanted = lasting(g, [g.pick(rank=(1, 2, 3, 4))])
    given = [g.pick((wanted.dtype,), shape=wanted.shape,
                    accepts=lambda value: fits(value, wanted))
             for _ in range(g.between(0, 2))]
    trips = Trips(g)
    start = plain(g, "SequenceConstruct", [v.name for v in given],
                  g.name("s")) if given else \
        plain(g, "SequenceEmpty", [], g.name("s"),
              dtype=builders.element_type(wanted.dtype))
    final = collect(g, start, not given, trips, wanted)
    least = len(given) + (trips.count or 0)
    if least and g.chance(0.6):
        read(g, final, g.choice((0, -1, least - 1)), wanted)
    length = g.computed(I64, (), 0, len(given) + trips.most)
    length.name = plain(g, "SequenceLength", [final], g.name())
    g.values.append(length)
    if least and least * wanted.size <= g.limit:
        joined = join(g, final, least, wanted)
        if not trips.fixed:
            withhold(g, joined, trips.count is not None)


OPERATORS = {op_if: 4, op_loop: 5, op_scan: 3, op_sequence_loop: 1}
