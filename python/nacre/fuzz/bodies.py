# ===- bodies.py - Random subgraphs, and values that loops carry ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a branch or a loop holds, and what a loop hands to its next iteration.

What a loop carries keeps to an interval, a grid and an error that are drawn
before its body: what the body computes is made to fit. So the three hold after
any number of iterations.
"""

import math

import numpy as np
from onnx import helper, numpy_helper

from nacre import builders
from nacre.fuzz.graph import (BOOL, F16, LARGEST, MANTISSA, ROUNDING, Graph,
                              Rejected, Value)

DEEPEST = 2


class Body(Graph):
    """A subgraph; it reads what surrounds it, too."""

    def __init__(self, outer):
        super().__init__(outer.rng, outer.prefix, outer.drawers)
        self.outer = outer
        self.depth = outer.depth + 1
        self.limit = outer.limit
        self.inputs = outer.inputs
        self.symbolic = outer.symbolic
        self.values = list(outer.values)
        self.surrounding = len(self.values)
        self.parameters = []   # their names and types in ONNX
        self.results = []

    def name(self, stem="v"):
        return self.outer.name(stem)

    def info(self, name, dtype, shape):
        """A declaration, some without a shape."""
        if self.chance(0.5):
            return builders.value(name, dtype, shape)
        return helper.make_tensor_value_info(
            name, builders.element_type(dtype), None)

    def parameter(self, dtype, shape, low, high, err=0.0, grid=0):
        value = Value(self.name("p"), dtype, shape, low, high, err, grid)
        self.parameters.append(self.info(value.name, value.dtype, value.shape))
        self.values.append(value)
        self.surrounding += 1
        return value

    def fill(self):
        """Draws what the body computes."""
        if self.depth < DEEPEST and self.chance(0.2):
            self.grow(1, [pair for pair in self.drawers
                          if pair[0].__module__.endswith(".control")])
        self.grow(self.between(1, 4), self.drawers)

    def computed_here(self, accepts=lambda value: True):
        return [value for value in self.values[self.surrounding:]
                if value.data is None and accepts(value)]

    def any_value(self, accepts=lambda value: True):
        """What the body computes, or else what it knows."""
        here = self.computed_here(accepts)
        return self.choice(here[-3:]) if here and self.chance(0.8) \
            else self.pick(accepts=accepts)

    def shaped(self, dtype, shape, exact=False):
        """A value of that type, computed in the body where that can be."""
        here = self.computed_here(lambda value: value.dtype == dtype and
                                  (value.exact or not exact))
        alike = [value for value in here if value.shape == shape]
        if alike and self.chance(0.8):
            return self.choice(alike[-3:])
        if not here or not here[-1].size or self.chance(0.1):
            return self.pick((dtype,), shape=shape, exact=exact)
        source = self.choice(here[-3:])
        if not source.size:
            raise Rejected("no element to gather")
        flat = self.emit("Reshape", [source, self.constant([-1])],
                         [self.same(source, (source.size,))])
        index = self.constant(self.rng.integers(0, source.size, shape))
        return self.emit("Gather", [flat, index], [self.same(source, shape)])

    def give(self, value):
        """Makes VALUE a result: what is not of the body's own, as a copy."""
        own = [*self.parameters, *self.computed_here()]
        if not any(value.name == known.name for known in own) or any(
                value.name == result.name for result in self.results) or \
                self.chance(0.2):
            value = self.emit("Identity", [value],
                              [self.same(value, value.shape)])
        self.used.add(value.name)
        self.results.append(self.info(value.name, value.dtype, value.shape))

    def proto(self):
        """The finished body, whose constants may lie in it or outside."""
        constants = [v for v in self.initializers if v.name in self.used]
        where = self.choice(("inside", "outside", "nodes"))
        nodes, inside = list(self.nodes), []
        if where == "outside":
            self.outer.initializers += constants
        for constant in constants:
            tensor = numpy_helper.from_array(constant.data, constant.name)
            # Scalars of most types cannot be printed as nodes.
            if where == "inside" or where == "nodes" and not constant.rank:
                inside.append(tensor)
            elif where == "nodes":
                nodes.insert(0, helper.make_node(
                    "Constant", [], [constant.name], value=tensor))
        return helper.make_graph(nodes, self.name("body"), self.parameters,
                                 self.results, inside)


def enclose(g, op, operands, results, bodies, **attributes):
    """Adds a node with BODIES, by the name of the attribute."""
    protos = {name: body.proto() for name, body in bodies.items()}
    emitted = g.emit(op, operands, results, **protos, **attributes)
    for body in bodies.values():
        g.used |= body.used
    return emitted


def shallow(g):
    """Rejects what would be nested too deeply."""
    if g.depth >= DEEPEST:
        raise Rejected("nested too deeply")


# Conditions.

def element(g, value):
    """One element of VALUE, as a scalar."""
    if not value.size:
        raise Rejected("no element")
    if value.rank:
        value = g.emit("Reshape", [value, g.constant([-1])],
                       [g.same(value, (value.size,))])
    else:
        value = g.emit("Unsqueeze", [value, g.constant([0])],
                       [g.same(value, (1,))])
    return g.emit("Gather", [value, g.constant(g.between(0, value.size - 1))],
                  [g.same(value, ())])


def compare(g, op, value, constant):
    return g.emit(op, [value, g.constant(constant, value.dtype)],
                  [g.computed(BOOL, value.shape, 0, 1)])


def decide(g):
    """A boolean computed at run time."""
    value = element(g, g.pick(exact=True))
    if value.dtype == BOOL:
        return value
    middle = math.floor(max(min(value.low / 2 + value.high / 2, 100), -100))
    if value.dtype.kind == "u":
        middle = max(middle, 0)
    return compare(g, g.choice(("Less", "Greater")), value, middle)


# What loops carry.

def lasting(g, values):
    """What holds of a carried value in every iteration, if one of VALUES, all
    of one type, is where it starts from."""
    dtype, shape = values[0].dtype, values[0].shape
    if dtype == BOOL:
        return Value("", dtype, shape, 0, 1, 0.0, 0)
    low = min(value.low for value in values)
    high = max(value.high for value in values)
    if dtype.kind != "f":
        if g.chance(0.5):
            ends = np.iinfo(dtype)
            return Value("", dtype, shape, float(ends.min), float(ends.max),
                         0.0, 0)
        return Value("", dtype, shape, min(low, 0), max(high, 9), 0.0, 0)
    bound = float(max(2, math.ceil(max(-low, high))))
    if all(value.exact for value in values) and g.chance(0.7):
        grid = min(0, *(value.grid for value in values))
        if bound <= MANTISSA[dtype] * 2.0 ** grid:
            return Value("", dtype, shape, -bound, bound, 0.0, grid)
    err = max(ROUNDING[dtype] * bound * (4 if dtype == F16 else 32),
              *(2 * value.err for value in values))
    if err > 0.01 * bound or bound > LARGEST[dtype]:
        raise Rejected("too wide to be carried")
    return Value("", dtype, shape, -bound, bound, err)


def fits(value, wanted):
    return (value.low >= wanted.low and value.high <= wanted.high
            and value.err <= wanted.err
            and (not wanted.is_float or wanted.grid is None or
                 value.grid is not None and value.grid >= wanted.grid))


def settle(g, value, wanted):
    """VALUE, changed where it does not keep to what is WANTED."""
    if value.is_float and wanted.grid is not None and \
            value.grid < wanted.grid:
        value = g.emit(g.choice(("Floor", "Ceil", "Round")), [value], [Value(
            "", value.dtype, value.shape, value.low - 1, value.high + 1, 0.0,
            0)])
    elif value.err > wanted.err or (value.is_float and wanted.grid is None and
                                    value.bound > wanted.bound and
                                    g.chance(0.5)):
        # The product rounds, too: half of what may be is left for that.
        scale = max(value.err / wanted.err, value.bound / wanted.bound)
        factor = 2.0 ** -math.ceil(math.log2(2 * scale))
        value = g.emit("Mul", [value, g.constant(factor, value.dtype)],
                       [g.computed(value.dtype, value.shape,
                                   factor * value.low, factor * value.high,
                                   factor * value.err)])
    if value.low < wanted.low or value.high > wanted.high:
        result = g.same(value, value.shape)
        result.low = min(max(value.low, wanted.low), wanted.high)
        result.high = max(min(value.high, wanted.high), wanted.low)
        if value.is_float and g.chance(0.7):
            ends = [g.constant(end, value.dtype)
                    for end in (wanted.low, wanted.high)]
            value = g.emit("Clip", [value, *ends], [result])
        else:
            value = g.emit("Max", [value, g.constant(wanted.low, value.dtype)],
                           [g.same(value, value.shape)])
            value = g.emit("Min", [value, g.constant(wanted.high,
                                                     value.dtype)], [result])
    if not fits(value, wanted):
        raise Rejected("does not settle")
    return value


class Carried:
    """The values that a loop hands from iteration to iteration."""

    def __init__(self, g, count):
        self.starts = []
        for _ in range(count):
            if self.starts and g.chance(0.6):
                first = self.starts[0]
                self.starts.append(g.pick((first.dtype,), shape=first.shape))
            else:
                self.starts.append(g.pick(
                    accepts=lambda value: value.size <= g.limit))
        alike = {}
        for start in self.starts:
            alike.setdefault((start.dtype, start.shape), []).append(start)
        lasts = {kind: lasting(g, values) for kind, values in alike.items()}
        self.wanted = [lasts[start.dtype, start.shape]
                       for start in self.starts]

    def declare(self, body):
        self.parameters = [
            body.parameter(last.dtype, last.shape, last.low, last.high,
                           last.err, last.grid) for last in self.wanted]

    def give(self, body):
        """What the next iteration gets: computed, or another parameter."""
        for parameter, wanted in zip(self.parameters, self.wanted):
            exact = wanted.grid is not None
            kind = body.choice(("computed",) * 5 + ("kept", "handed on",
                                                    "handed on", "captured"))
            if kind == "kept":
                value = parameter
            elif kind == "handed on":
                value = body.choice([
                    other for other, last in zip(self.parameters, self.wanted)
                    if last is wanted])
            elif kind == "captured":
                value = body.pick((wanted.dtype,), shape=wanted.shape,
                                  exact=exact)
            else:
                value = body.shaped(wanted.dtype, wanted.shape, exact)
            body.give(settle(body, value, wanted))

    def finals(self, g):
        return [g.same(last, last.shape) for last in self.wanted]
