# ===- graph.py - Random graphs with known error bounds -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a random ONNX graph is built with.

Every value carries the interval its elements lie in and a bound of how far
two correct implementations may be apart. Values on a grid, the small multiples
of a power of two, are exact: sums and products of them round nowhere, so that
every order of evaluation gives the same bits. Only exact values go into
operators that jump, such as a rounding or a comparison; everything else is
compared within its bound, and nothing needs a tolerance chosen by hand.
"""

import math

import numpy as np
from onnx import helper, numpy_helper

from nacre import builders

F16, F32, F64 = (np.dtype(f"float{bits}") for bits in (16, 32, 64))
I8, I16, I32, I64 = (np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
U8, U16, U32, U64 = (np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
BOOL = np.dtype(bool)
FLOATS = (F32, F32, F32, F16, F64)
SIGNED = (I8, I16, I32, I64)
INTEGERS = SIGNED + (U8, U16, U32, U64)
NUMBERS = FLOATS * 2 + INTEGERS
ELEMENTS = NUMBERS + (BOOL,)

# Error of one operation relative to the largest magnitude in it. Functions are
# approximated to a few units in the last place and sums are reassociated.
ROUNDING = {F16: 2.0 ** -9, F32: 2.0 ** -18, F64: 2.0 ** -46}
# Integers up to this many are exact.
MANTISSA = {F16: 2 ** 11, F32: 2 ** 24, F64: 2 ** 53}
LARGEST = {F16: 2e3, F32: 1e5, F64: 1e7}

OPSET = 17
SIZES = (1, 1, 2, 3, 4, 5, 7, 7, 8, 9, 16, 17, 17, 31, 33)
# Elements of a tensor: few graphs are large, as large ones take long.
MAX_ELEMENTS, LARGE_ELEMENTS = 6000, 50000


class Rejected(Exception):
    """The operator drawn does not fit what the graph has; draw another."""


class Value:
    """A tensor of the graph; `data` is known for inputs and initializers."""

    def __init__(self, name, dtype, shape, low, high, err=0.0, grid=None,
                 data=None):
        self.name = name
        self.dtype = np.dtype(dtype)
        self.shape = tuple(int(dim) for dim in shape)
        self.low, self.high = low, high
        self.err = err
        self.grid = grid
        self.data = data

    @property
    def is_float(self):
        return self.dtype.kind == "f"

    @property
    def exact(self):
        return not self.is_float or self.grid is not None

    @property
    def bound(self):
        return max(abs(self.low), abs(self.high))

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)


class Graph:
    """A graph under construction, all of it drawn from one generator."""

    depth = 0   # of subgraphs around it

    def __init__(self, rng, prefix="g", drawers=()):
        self.rng = rng
        self.prefix = prefix
        self.drawers = drawers   # of operators in subgraphs
        self.limit = LARGE_ELEMENTS if self.chance(0.1) else MAX_ELEMENTS
        self.count = 0
        self.nodes = []
        self.inputs = []
        self.initializers = []
        self.values = []   # inputs and results, the newest last
        self.apart = []    # results that nothing may read
        self.used = set()
        # Inputs whose dimensions have names only, results of dynamic
        # sizes.
        self.symbolic, self.unsized = set(), set()

    # Drawing.

    def grow(self, count, drawers):
        """Draws operators until there are COUNT nodes."""
        weights = np.array([weight for _, weight in drawers])
        weights /= weights.sum()
        while len(self.nodes) < count:
            drawer = drawers[int(self.rng.choice(len(drawers), p=weights))][0]
            try:
                drawer(self)
            except Rejected:
                continue

    def chance(self, probability):
        return self.rng.random() < probability

    def choice(self, options):
        return options[int(self.rng.integers(len(options)))]

    def between(self, low, high):
        """An integer of [low, high]."""
        return int(self.rng.integers(low, high + 1))

    def shape(self, rank=None, limit=None):
        rank = self.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5)) \
            if rank is None else rank
        dims = [self.choice(SIZES) for _ in range(rank)]
        if self.limit == LARGE_ELEMENTS:
            dims = [dim * self.choice((1, 2, 3)) for dim in dims]
        while math.prod(dims) > (limit or self.limit):
            dims[int(np.argmax(dims))] //= 2
        return tuple(dims)

    def name(self, stem="v"):
        self.count += 1
        return f"{self.prefix}{stem}{self.count}"

    # Leaves.

    def array(self, dtype, shape, low, high, step=None):
        """Elements of [low, high]; multiples of `step` where it is given."""
        if dtype == BOOL:
            return self.rng.random(shape) < 0.5
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            low, high = max(low, info.min), min(high, info.max)
            return self.rng.integers(int(low), int(high), shape, dtype,
                                     endpoint=True)
        if step is not None:
            ints = self.rng.integers(math.ceil(low / step),
                                     math.floor(high / step), shape,
                                     endpoint=True)
            return np.asarray(ints * step, dtype)
        return np.asarray(self.rng.uniform(low, high, shape), dtype)

    def leaf(self, dtype, shape, low=-2.0, high=2.0, exact=None, const=None):
        """A new input or initializer. Integers are wide where `low` is."""
        dtype = np.dtype(dtype)
        grid = None
        if dtype.kind == "f" and (self.chance(0.5) if exact is None
                                  else exact):
            grid = -self.between(1, 3)
            if high - low < 4 * 2.0 ** grid:
                grid = math.floor(math.log2((high - low) / 8))
        data = self.array(dtype, shape, low, high,
                          None if grid is None else 2.0 ** grid)
        return self.hold(data, grid, const)

    def hold(self, data, grid=None, const=None):
        """`data` as an input or initializer."""
        data = np.asarray(data)
        if not self.inputs:
            const = False   # all constant, it would fold to nothing
        const = self.chance(0.4) if const is None else const
        low, high = (data.min(), data.max()) if data.size else (0, 0)
        value = Value(self.name("c" if const else "x"), data.dtype, data.shape,
                      float(low), float(high), 0.0, grid, data)
        if const:
            self.initializers.append(value)
        else:
            self.inputs.append(value)
            self.values.append(value)
            if value.rank and self.chance(0.15):
                self.symbolic.add(value.name)
        return value

    def constant(self, data, dtype=I64):
        """An initializer whose value the operator's shape depends on."""
        data = np.asarray(data, dtype)
        if not self.inputs:
            self.leaf(F32, self.shape(1))
        return self.hold(data, 0 if dtype != F32 else None, True)

    # Operands.

    def find(self, accepts):
        """A value that `accepts`, the new ones more often; None without."""
        fitting = [value for value in self.values if accepts(value)]
        if not fitting:
            return None
        if self.chance(0.6):
            fitting = fitting[-2:]
        return self.choice(fitting)

    def pick(self, dtypes=ELEMENTS, rank=None, exact=False, low=None,
             high=None, shape=None, accepts=lambda value: True):
        """An operand of one of `dtypes`, within [low, high]; else a leaf."""
        ranks = (rank,) if isinstance(rank, int) else rank

        def fits(value):
            return (value.dtype in dtypes
                    and (ranks is None or value.rank in ranks)
                    and (shape is None or value.shape == tuple(shape))
                    and (not exact or value.exact)
                    and (not value.is_float or
                         ((low is None or value.low >= low) and
                          (high is None or value.high <= high)))
                    and accepts(value))

        found = self.find(fits) if self.chance(0.85) else None
        if found:
            return found
        dtype = self.choice(dtypes)
        dims = self.shape(None if ranks is None else self.choice(ranks)) \
            if shape is None else shape
        leaf = self.leaf(
            dtype, dims,
            *self.leaf_range(dtype, low, high), exact=True if exact else None)
        if not accepts(leaf):
            raise Rejected("no such operand")
        return leaf

    def leaf_range(self, dtype, low, high):
        if dtype.kind != "f":
            info = np.iinfo(dtype) if dtype != BOOL else None
            wide = info is not None and self.chance(0.3)
            return (info.min, info.max) if wide else (-9, 9)
        if low is None and high is None:
            return -2.0, 2.0
        if low is None:
            return high - 3.0, float(high)
        return float(low), float(low + 3.0 if high is None
                                 else min(high, low + 3.0))

    def partner(self, value, low=None, high=None, exact=False,
                dtypes=None, one_way=False):
        """An operand that broadcasts with `value`."""
        dtypes = dtypes or (value.dtype,)

        def fits(other):
            if not one_way and other is value and self.chance(0.5):
                return False
            try:
                shape = np.broadcast_shapes(value.shape, other.shape)
            except ValueError:
                return False
            return (math.prod(shape) <= self.limit
                    and (not one_way or shape == value.shape))

        if self.chance(0.6):
            return self.pick(dtypes, exact=exact, low=low, high=high,
                             shape=self.broadcast_shape(value.shape, one_way))
        return self.pick(
            dtypes, exact=exact, low=low, high=high, accepts=fits,
            shape=None if self.find(fits) else value.shape)

    def broadcast_shape(self, shape, one_way=False):
        """A shape that broadcasts with `shape`."""
        dims = [1 if self.chance(0.2) else dim for dim in shape]
        if self.chance(0.35):
            dims = dims[self.between(0, len(dims)):]
        elif not one_way and len(dims) < 5 and self.chance(0.15):
            extra = self.choice((1, 2, 3))
            if extra * math.prod(shape) <= self.limit:
                dims = [extra, *dims]
        return tuple(dims)

    def axis(self, rank):
        """An axis in one of its two spellings, and in the canonical one."""
        axis = self.between(0, rank - 1)
        return (axis - rank if self.chance(0.3) else axis), axis

    # Results.

    def emit(self, op, operands, results, **attributes):
        """Adds a node; results are values from `result`, not yet named."""
        for value in results:
            if value.size > 2 * self.limit or value.rank > 6:
                raise Rejected("too large")
            if value.is_float:
                if not value.bound <= LARGEST[value.dtype]:
                    raise Rejected("too wide an interval")
                if value.err > 0.02 * max(value.bound, 1e-3):
                    raise Rejected("too large an error")
        names = [value.name if value is not None else "" for value in operands]
        self.used.update(names)
        for value in results:
            value.name = self.name()
        self.nodes.append(helper.make_node(
            op, names, [value.name for value in results],
            self.name(op), **attributes))
        self.values += results
        return results[0] if len(results) == 1 else results

    def same(self, value, shape, dtype=None):
        """A result that holds elements of `value`, moved."""
        return Value("", dtype or value.dtype, shape, value.low, value.high,
                     value.err, value.grid)

    def merged(self, values, shape):
        """A result whose elements come from several values."""
        grids = [value.grid for value in values]
        return Value("", values[0].dtype, shape,
                     min(value.low for value in values),
                     max(value.high for value in values),
                     max(value.err for value in values),
                     None if None in grids else min(grids))

    def computed(self, dtype, shape, low, high, err=0.0, grid=None, peak=None):
        """A computed result: exact on a grid while `peak` steps suffice."""
        dtype = np.dtype(dtype)
        if dtype.kind != "f":
            return Value("", dtype, shape, low, high, 0.0, 0)
        peak = max(abs(low), abs(high)) if peak is None else peak
        if grid is not None and peak <= MANTISSA[dtype] * 2.0 ** grid:
            return Value("", dtype, shape, low, high, 0.0, grid)
        slack = ROUNDING[dtype] * max(peak, 1e-3) + err
        return Value("", dtype, shape, low - slack, high + slack, slack)

    # The finished graph.

    def outputs(self):
        """What nothing reads, and a few values that something does."""
        results = [value for value in self.values if value.data is None]
        return [value for i, value in enumerate(results)
                if value.name not in self.used or i % 5 == 2] + self.apart


def every_node(nodes):
    """The nodes and those of their subgraphs."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            yield from every_node(attribute.g.node)


def shape_of(graph, value):
    if value.name in graph.symbolic | graph.unsized:
        return [f"{value.name}_d{i}" for i in range(value.rank)]
    return value.shape


def to_model(graphs, name="fuzz"):
    """The graphs side by side in one model."""
    def info(graph, value):
        return builders.value(value.name, value.dtype, shape_of(graph, value))

    built = helper.make_graph(
        [node for graph in graphs for node in graph.nodes], name,
        [info(graph, value) for graph in graphs for value in graph.inputs],
        [info(graph, value)
         for graph in graphs for value in graph.outputs()],
        [numpy_helper.from_array(value.data, value.name)
         for graph in graphs for value in graph.initializers])
    model = helper.make_model(built, producer_name="nacre",
                              opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    return model
