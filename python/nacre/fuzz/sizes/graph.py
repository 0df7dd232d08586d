# ===- graph.py - Random graphs whose sizes differ from run to run ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a graph of dynamic sizes is drawn with.

A graph is drawn for several runs at once. Each value has one array per run, which
the function that draws a node computes with numpy, so that nothing of nacre is
needed to know what is right. A size is a tuple of what it is in each run; where
these differ, only a run knows it. An operator is drawn where it may be applied in
all runs.

Floats are computed in float64. Beside them is, for each run, a bound of what two
right implementations in their type may differ by: 0 for what is only moved, and for
sums and products of small multiples of a power of two. What jumps, such as a
comparison, is drawn on values of no error.
"""

import numpy as np
from onnx import helper, numpy_helper

from nacre import builders
from nacre.fuzz.graph import (BOOL, F16, F32, F64, I32, I64, LARGEST,
                              MANTISSA, ROUNDING, U8, Rejected)

OPSET = 18
MICROSOFT = "com.microsoft"
I8 = np.dtype(np.int8)
STRING = np.dtype(object)
# Of the floats of a graph, most are of one type.
FLOATS = (F32,) * 6 + (F16, F16, F64)
OTHERS = (I64,) * 4 + (I32, I32, U8, U8, BOOL, BOOL, STRING)
WORDS = ("", "a", "some", "a longer word than others")
# Elements of a value in one run.
MOST_ELEMENTS = 100_000
MOST_RANK = 5


def as_array(array, dtype):
    """ARRAY, or a string that numpy took for one that is not an array."""
    return np.array(array, object) if dtype == STRING else array


class Value:
    """A tensor: an array, and a bound of its error, for each run. The steps that
    its elements are multiples of are 2 ** grid, or unknown."""

    def __init__(self, dtype, arrays, errors=None, grid=None):
        self.name = ""
        self.dtype = np.dtype(dtype)
        self.arrays = [as_array(array, self.dtype) for array in arrays]
        self.errors = errors or [0.0] * len(arrays)
        self.grid = grid if self.is_float else 0

    @property
    def is_float(self):
        return self.dtype.kind == "f"

    @property
    def exact(self):
        return not any(self.errors)

    @property
    def rank(self):
        return self.arrays[0].ndim

    @property
    def sizes(self):
        """Of each dimension, what it is in each run."""
        return list(zip(*(array.shape for array in self.arrays)))

    @property
    def empty(self):
        return any(array.size == 0 for array in self.arrays)

    def peak(self, run):
        array = self.arrays[run]
        return float(np.abs(array.astype(np.float64)).max(initial=0))

    def stored(self, run):
        """The array that a model is given or gives."""
        return np.array(self.arrays[run], self.dtype, order="C")


def is_fixed(sizes):
    return len(set(sizes)) == 1


class Graph:
    """Nodes, and the values that they are drawn from."""

    def __init__(self, rng):
        self.rng = rng
        self.symbols = self.draw_symbols()
        self.float = self.choice(FLOATS)
        # Models need not say which sizes are equal.
        self.named = self.chance(0.8)
        self.runs = len(self.symbols["N"])
        self.nodes, self.inputs, self.values = [], [], []
        self.initializers, self.outputs = [], []
        self.used = set()
        self.count = 0

    @property
    def dtypes(self):
        """Of what any operator takes."""
        return (self.float,) * 12 + OTHERS

    @property
    def numbers(self):
        return (self.float,) * 3 + (I64, I32)

    @property
    def rounding(self):
        """Of one operation on the graph's floats."""
        return ROUNDING[self.float]

    # Choices.

    def chance(self, probability):
        return self.rng.random() < probability

    def choice(self, options):
        return options[int(self.rng.integers(len(options)))]

    def between(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def name(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def draw_symbols(self):
        """What each symbol is in each run. Sizes are large, small and large again
        in one session, so that what a run leaves behind shows in the next."""
        names = ["N", "M", "K"][:self.between(1, 3)]
        shared = self.between(1, 12)
        large = {name: self.between(17, 70) for name in names}
        return {name: (self.between(2, 9), large[name],
                       self.choice((0, 0, 1, 2)), large[name],
                       self.choice((1, 1, 2, 3)), shared,
                       self.choice((1, 4, 8, 16)), self.between(2, 33))
                for name in names}

    def size(self):
        """A symbol, or a number."""
        if self.chance(0.55):
            return self.symbols[self.choice([*self.symbols])]
        return (self.choice((1, 1, 2, 3, 4, 5, 7, 8, 16)),) * self.runs

    def shape(self, rank=None):
        return [self.size() for _ in range(self.between(1, 4)
                                           if rank is None else rank)]

    # Values.

    def at(self, sizes, run):
        return tuple(size[run] for size in sizes)

    def elements(self, dtype, shape, whole, low=None, high=None):
        if dtype == BOOL:
            return self.rng.random(shape) < 0.5
        if dtype == STRING:
            return np.array(WORDS, object)[self.rng.integers(len(WORDS),
                                                             size=shape)]
        if dtype.kind != "f":
            low = (0 if dtype == U8 else -9) if low is None else low
            return self.rng.integers(low, 10 if high is None else high,
                                     shape).astype(dtype)
        if whole:
            return self.rng.integers(-4, 5, shape).astype(np.float64)
        return self.rng.uniform(-2, 2, shape).astype(dtype).astype(np.float64)

    def input(self, dtype, sizes, low=None, high=None, whole=None):
        """An input of random elements."""
        whole = self.chance(0.7) if whole is None else whole
        if any(np.prod(self.at(sizes, run), dtype=float) > MOST_ELEMENTS
               for run in range(self.runs)):
            raise Rejected("too large")
        value = Value(dtype, [self.elements(np.dtype(dtype),
                                            self.at(sizes, run), whole, low,
                                            high)
                              for run in range(self.runs)],
                      grid=0 if whole else None)
        value.name = self.name("x")
        self.inputs.append(value)
        self.values.append(value)
        return value

    def weight(self, array, whole=True, dtype=None):
        """An initializer; of the graph's type where it is of floats."""
        array = np.asarray(array)
        if array.dtype.kind == "f":
            dtype = np.dtype(dtype or self.float)
            array = array.astype(dtype).astype(np.float64)
        value = Value(dtype or array.dtype, [array] * self.runs,
                      grid=0 if whole else None)
        value.name = self.name("w")
        self.initializers.append(value)
        return value

    def ints(self, *numbers):
        return self.weight(np.array(numbers, np.int64))

    def random_weight(self, shape):
        whole = self.chance(0.7)
        return self.weight(self.elements(self.float, shape, whole), whole)

    def pick(self, dtypes=None, rank=None, accepts=None, exact=False):
        """A value that fits, more often a late one, or a new input."""
        dtypes = (dtypes,) if isinstance(dtypes, np.dtype) else dtypes

        def fits(value):
            return ((dtypes is None or value.dtype in dtypes)
                    and (rank is None or value.rank in rank)
                    and (not exact or value.exact)
                    and (accepts is None or accepts(value)))

        found = [value for value in self.values if fits(value)]
        if found and self.chance(0.93):
            place = self.rng.random() ** 0.6
            return found[int(place * len(found))]
        value = self.input(self.choice(dtypes or self.dtypes), self.shape(
            self.choice(rank) if rank else None))
        if not fits(value):
            self.inputs.pop()
            self.values.pop()
            raise Rejected("no such operand")
        return value

    def partner(self, value, dtype=None, exact=False):
        """An operand that broadcasts with VALUE in all runs."""
        dtype = dtype or value.dtype

        def fits(other):
            try:
                for a, b in zip(value.arrays, other.arrays):
                    np.broadcast_shapes(a.shape, b.shape)
            except ValueError:
                return False
            return True

        if self.chance(0.6):
            others = [other for other in self.values
                      if other.dtype == dtype and fits(other)
                      and (other.exact or not exact)
                      and (other is not value or self.chance(0.3))]
            if others:
                return self.choice(others)
        sizes = [(1,) * self.runs if self.chance(0.25) else size
                 for size in value.sizes]
        sizes = sizes[self.between(0, len(sizes)):] if self.chance(0.4) \
            else sizes
        if self.chance(0.4) and all(is_fixed(size) for size in sizes):
            array = self.elements(dtype, self.at(sizes, 0), True)
            return self.weight(array, dtype=dtype)
        return self.input(dtype, sizes)

    def rows(self, dtype, depths=(4, 8, 16, 24), least=0,
             accepts=lambda value: True):
        """Rows of as many elements in each run, for weights of as many rows; at
        LEAST so many where they are new."""
        if self.chance(0.4):
            return self.pick(dtype, rank=(2, 3), accepts=lambda value:
                             is_fixed(value.sizes[-1]) and accepts(value))
        depth = self.choice(depths)
        sizes = [tuple(max(number, least) for number in size)
                 for size in self.shape(self.between(1, 2))]
        return self.input(dtype, [*sizes, (depth,) * self.runs])

    # Nodes.

    def emit(self, op, operands, results, **attributes):
        """Adds a node that computes RESULTS."""
        for value in results:
            value.arrays = [as_array(array, value.dtype)
                            for array in value.arrays]
            if value.rank > MOST_RANK:
                raise Rejected("too many dimensions")
            for run, array in enumerate(value.arrays):
                if array.size > MOST_ELEMENTS:
                    raise Rejected("too large")
                if value.is_float and array.size and not (
                        np.isfinite(array).all()
                        and value.peak(run) <= LARGEST[value.dtype]
                        and value.errors[run]
                        <= 0.02 * max(value.peak(run), 1e-2)):
                    raise Rejected("too large a number or an error")
        names = [value.name if value else "" for value in operands]
        self.used.update(names)
        for value in results:
            value.name = self.name()
        self.nodes.append(helper.make_node(
            op, names, [value.name for value in results], self.name(op),
            **attributes))
        self.values += results
        return results[0] if len(results) == 1 else results

    def moved(self, value, function, dtype=None):
        """What FUNCTION makes of the array of each run, in other places."""
        return Value(dtype or value.dtype,
                     [function(array) for array in value.arrays],
                     list(value.errors), value.grid)

    def merged(self, values, arrays):
        """A result whose elements come from several values."""
        grids = [value.grid for value in values]
        return Value(values[0].dtype, arrays,
                     [max(errors) for errors in
                      zip(*(value.errors for value in values))],
                     None if None in grids else min(grids))

    def computed(self, dtype, arrays, errors=None, grid=None, peaks=None):
        """A result of arithmetic. It is exact where its elements are multiples of
        2 ** grid and no sum on the way passes what the type holds; PEAKS are the
        largest that such sums can be. Sums of float16 are of float32, and round
        once more where they are stored."""
        dtype = np.dtype(dtype)
        if dtype.kind != "f":
            return Value(dtype, arrays)
        result = Value(dtype, arrays, grid=grid)
        stored = [result.peak(run) for run in range(self.runs)]
        peaks = peaks or stored
        errors = errors or [0.0] * self.runs
        sums = F32 if dtype == F16 else dtype
        if grid is not None and not any(errors) and all(
                max(largest) <= MANTISSA[held] * 2.0 ** grid
                for largest, held in ((peaks, sums), (stored, dtype))):
            return result
        result.grid = None
        result.errors = [ROUNDING[sums] * max(peak, 1e-3)
                         + ROUNDING[dtype] * max(largest, 1e-3) + error
                         for peak, largest, error in zip(peaks, stored, errors)]
        return result

    def lift(self, op, value, function, slope=1.0, **attributes):
        """A unary function of bounded slope."""
        return self.emit(op, [value], [self.computed(
            value.dtype, [function(array) for array in value.arrays],
            [slope * error for error in value.errors])], **attributes)


def symbol_of(graph, sizes):
    """How a model writes a size: a number, the name of a symbol, or None."""
    if is_fixed(sizes):
        return int(sizes[0])
    if not graph.named:
        return None
    return next((name for name, symbol in graph.symbols.items()
                 if symbol == tuple(sizes)), None)


def to_model(graph):
    inputs = [builders.value(value.name, value.dtype,
                             [symbol_of(graph, size) for size in value.sizes])
              for value in graph.inputs]
    outputs = [builders.value(value.name, value.dtype,
                              [None] * value.rank) for value in graph.outputs]
    built = helper.make_graph(
        graph.nodes, "sizes", inputs, outputs,
        [numpy_helper.from_array(value.stored(0), value.name)
         for value in graph.initializers])
    model = helper.make_model(built, producer_name="nacre",
                              opset_imports=[helper.make_opsetid("", OPSET),
                                             helper.make_opsetid(MICROSOFT, 1)])
    model.ir_version = 8
    return model
