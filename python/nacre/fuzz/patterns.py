# ===- patterns.py - Random forms that the graph optimiser rewrites ---------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what exporters write for one operator, and forms much like it that
mean something else."""

import math

import numpy as np

from nacre.fuzz.elementwise import reduced
from nacre.fuzz.graph import F32, F64, ROUNDING, Rejected
from nacre.fuzz.images import Window, image
from nacre.fuzz.neural import dot

RANKED = (1, 2, 3, 4)
REALS = (F32, F32, F32, F64)


def number(g, value, dtype, shape=None):
    """A constant on the grid of quarters, of one or more dimensions of 1."""
    if shape is None:
        shape = g.choice(((), (), (1,), (1, 1)))
    return g.hold(np.full(shape, value, dtype), -2, True)


def either(g, first, second):
    return [first, second] if g.chance(0.5) else [second, first]


def pick(g, exact=False, rank=RANKED, **options):
    """An operand of one of the types that the forms are made of."""
    return g.pick(REALS, rank=rank, exact=exact, **options)


def select(g, x, limit, below, chosen, otherwise):
    """Where(x < limit, ...), or with the comparison the other way round."""
    op = g.choice(("Less", "LessOrEqual") if below
                  else ("Greater", "GreaterOrEqual"))
    operands = [x, limit]
    if g.chance(0.3):
        flipped = {"Less": "Greater", "LessOrEqual": "GreaterOrEqual"}
        flipped |= {value: key for key, value in flipped.items()}
        op, operands = flipped[op], operands[::-1]
    condition = g.emit(op, operands, [g.same(x, x.shape, np.bool_)])
    return g.emit("Where", [condition, chosen, otherwise],
                  [g.merged([chosen, otherwise], x.shape)])


def limited(g, x, limit, below):
    """x, at least or at most a number."""
    if x.exact and g.chance(0.4):
        pair = (limit, x) if g.chance(0.7) else (x, limit)
        return select(g, x, limit, below, *pair)
    return g.emit("Max" if below else "Min", either(g, x, limit),
                  [g.merged([x, limit], x.shape)])


def op_limits(g):
    x = pick(g, exact=g.chance(0.5), rank=(2, 3, 4))
    for below in either(g, True, False)[:g.choice((1, 2, 2))]:
        limit = g.choice((0, 0, 0, 1, -1, 6)) if below else \
            g.choice((6, 6, 1, 0.5, -1))
        x = limited(g, x, number(g, limit, x.dtype), below)


def op_rectifier(g):
    x = pick(g, exact=g.chance(0.6), rank=(2, 3, 4))
    slope = number(g, g.choice((0.25, 0.5, 0.75, 2, -0.5, 0)), x.dtype)
    if g.chance(0.2):
        g.emit("PRelu", [x, slope], [g.computed(
            x.dtype, x.shape, -2 * x.bound, 2 * x.bound, 2 * x.err,
            None if x.grid is None else x.grid - 2)])
        return
    scaled = g.emit("Mul", either(g, x, slope), [g.computed(
        x.dtype, x.shape, -2 * x.bound, 2 * x.bound, 2 * x.err,
        None if x.grid is None else x.grid - 2)])
    if x.exact and scaled.exact and g.chance(0.6):
        below = g.chance(0.5)
        pair = (scaled, x) if below != g.chance(0.2) else (x, scaled)
        select(g, x, number(g, g.choice((0, 0, 0, 1)), x.dtype), below, *pair)
        return
    g.emit(g.choice(("Max", "Max", "Min")), either(g, x, scaled),
           [g.merged([x, scaled], x.shape)])


def op_hard_swish(g):
    x = pick(g, rank=(2, 3, 4))
    three, low, high = (number(g, value, x.dtype) for value in (3, 0, 6))
    ramp = g.emit("Add", either(g, x, three), [g.computed(
        x.dtype, x.shape, x.low + 3, x.high + 3, x.err,
        None if x.grid is None else min(x.grid, -2))])
    for limit, below in ((low, True), (high, False)):
        ramp = limited(g, ramp, limit, below)
    if g.chance(0.6):
        ramp = g.emit("Mul", either(g, x, ramp), [g.computed(
            x.dtype, x.shape, -x.bound * ramp.bound, x.bound * ramp.bound,
            x.bound * ramp.err + ramp.bound * x.err)])
    divisor = g.hold(np.full((), g.choice((6, 6, 5)), x.dtype), -2, True)
    g.emit("Div", [ramp, divisor], [g.computed(
        x.dtype, x.shape, ramp.low, ramp.high, ramp.err)])


def op_scaled_exponentials(g):
    """The parts of a softmax."""
    x = pick(g, low=-9, high=9)
    spelled, axis = g.axis(x.rank)
    shape = [1 if i == axis else dim for i, dim in enumerate(x.shape)]
    shifted = x
    if g.chance(0.7):
        largest = g.emit("ReduceMax", [x], [g.same(x, shape)], axes=[spelled])
        shifted = g.emit("Sub", [x, largest], [g.computed(
            x.dtype, x.shape, x.low - x.high, x.high - x.low, 2 * x.err)])
    bound = math.exp(max(shifted.high, 0) if shifted is x else 0)
    power = g.emit("Exp", [shifted], [g.computed(
        x.dtype, x.shape, 0, bound, bound * shifted.err)])
    count = x.shape[axis]
    total = g.emit("ReduceSum", [power, g.constant([axis])], [g.computed(
        x.dtype, shape, 0, count * bound, count * power.err)])
    least = 1 if shifted is not x else math.exp(x.low)
    if shifted is not x and shifted.high > 0 and shifted.err > 1e-3:
        raise Rejected("too inexact")
    err = (power.err + total.err + ROUNDING[x.dtype] * total.bound) / least
    g.emit("Div", [power, total], [g.computed(x.dtype, x.shape, 0, 1, err)])


def op_normalization(g):
    """The parts of a normalisation of layers."""
    x = pick(g, rank=(2, 3), low=-2, high=2)
    count = g.choice((1, 1, 2)) if x.rank > 2 else 1
    axes = list(range(x.rank - count, x.rank))
    if g.chance(0.15):
        axes = [0]
    shape = [1 if i in axes else dim for i, dim in enumerate(x.shape)]
    mean_of = {"axes": [axis - x.rank if g.chance(0.3) else axis
                        for axis in axes]}
    average = g.emit("ReduceMean", [x], [g.computed(
        x.dtype, shape, x.low, x.high, x.err)], **mean_of)
    width, err = x.high - x.low, 2 * x.err + ROUNDING[x.dtype] * x.bound
    centred = g.emit("Sub", [x, average], [g.computed(
        x.dtype, x.shape, -width, width, err)])
    square = g.computed(x.dtype, x.shape, 0, width * width, 2 * width * err)
    if g.chance(0.5):
        square = g.emit("Mul", [centred, centred], [square])
    else:
        square = g.emit("Pow", [centred, number(g, 2, x.dtype, ())], [square])
    variance = g.emit("ReduceMean", [square], [g.computed(
        x.dtype, shape, 0, width * width, square.err)], **mean_of)
    epsilon = g.choice((0.25, 1))
    total = g.emit("Add", either(g, variance, number(g, epsilon, x.dtype)), [
        g.computed(x.dtype, shape, epsilon, width * width + epsilon,
                   variance.err)])
    least = math.sqrt(epsilon)
    deviation = g.emit("Sqrt", [total], [g.computed(
        x.dtype, shape, least, width + 1, total.err / least)])
    bound = width / least
    err = (centred.err + bound * deviation.err) / least
    result = g.computed(x.dtype, x.shape, -bound, bound, err)
    if g.chance(0.5):
        result = g.emit("Div", [centred, deviation], [result])
    else:
        inverse = g.emit("Reciprocal", [deviation], [g.computed(
            x.dtype, shape, 0, 1 / least, deviation.err / epsilon)])
        result = g.emit("Mul", either(g, centred, inverse), [result])
    for op in ("Mul", "Add")[:g.choice((1, 2, 2))]:
        row = g.leaf(x.dtype, x.shape[-count:], -1, 1, const=g.chance(0.9))
        bound = result.bound + (op == "Add")
        result = g.emit(op, either(g, result, row), [g.computed(
            x.dtype, x.shape, -bound, bound, result.err)])


def op_part_of_joined(g):
    """A section of what has just been joined."""
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    parts = [x]
    for _ in range(g.between(1, 3)):
        shape = list(x.shape)
        shape[axis] = g.choice((1, 2, 3, 7))
        parts.append(g.pick((x.dtype,), shape=shape))
    g.rng.shuffle(parts)
    sizes = [part.shape[axis] for part in parts]
    shape = list(x.shape)
    shape[axis] = sum(sizes)
    joined = g.emit("Concat", parts, [g.merged(parts, shape)], axis=spelled)
    if g.chance(0.3):
        results = []
        for size in sizes:
            shape[axis] = size
            results.append(g.same(joined, shape))
        g.emit("Split", [joined, g.constant(sizes)], results, axis=axis)
        return
    edges = [int(edge) for edge in np.cumsum([0, *sizes])]
    low = g.choice(edges[:-1]) if g.chance(0.5) else g.between(0, edges[-1] - 1)
    later = [edge for edge in edges if edge > low]
    high = g.choice(later) if g.chance(0.5) else g.between(low + 1, edges[-1])
    section(g, joined, axis, low, high, g.choice((1, 1, 1, 2, -1)))


def section(g, x, axis, low, high, step=1):
    start, end = (low, high) if step > 0 else (high - 1, low - 1)
    if end < 0:
        end = -x.shape[axis] - 1
    shape = list(x.shape)
    shape[axis] = -(-(high - low) // abs(step))
    return g.emit("Slice", [x] + [g.constant([entry]) for entry in
                                  (start, end, axis, step)],
                  [g.same(x, shape)])


def op_joined_parts(g):
    """What has just been cut, joined, in order or not."""
    x = g.pick(rank=RANKED, accepts=lambda value: max(value.shape) > 1,
               shape=None if g.find(lambda v: v.rank and max(v.shape) > 1)
               else (7, 4))
    axis = g.choice([i for i, dim in enumerate(x.shape) if dim > 1])
    count = g.between(2, min(4, x.shape[axis]))
    cuts = sorted(int(i) + 1 for i in
                  g.rng.permutation(x.shape[axis] - 1)[:count - 1])
    edges = [0, *cuts, x.shape[axis]]
    if g.chance(0.5):
        results = []
        for size in np.diff(edges):
            shape = list(x.shape)
            shape[axis] = int(size)
            results.append(g.same(x, shape))
        parts = g.emit("Split", [x, g.constant(np.diff(edges))], results,
                       axis=axis)
    else:
        parts = [section(g, x, axis, low, high)
                 for low, high in zip(edges, edges[1:])]
    parts = list(parts)
    if g.chance(0.3):
        parts = parts[g.between(0, 1):]
    if g.chance(0.3):
        g.rng.shuffle(parts)
    shape = list(x.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    g.emit("Concat", parts, [g.merged(parts, shape)], axis=axis)


def op_even_gather(g):
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    dim = x.shape[axis]
    low = g.between(0, dim - 1)
    step = g.choice((1, 1, 2, 3))
    indices = list(range(low, dim, step))[:g.between(1, dim)]
    if g.chance(0.3):
        indices.reverse()
    if g.chance(0.1):
        indices.append(indices[0])
    indices = [index - dim if g.chance(0.2) else index for index in indices]
    listed = [len(indices)]
    if g.chance(0.4):
        indices, listed = indices[0], []
    g.emit("Gather", [x, g.constant(indices)], [g.same(
        x, [*x.shape[:axis], *listed, *x.shape[axis + 1:]])], axis=spelled)


def op_relu_pool(g):
    x = image(g, REALS)
    window = Window(g, x.shape[2:], ceils=True)
    if g.chance(0.5):
        x = g.emit("Concat", [x, x], [g.same(
            x, (x.shape[0], 2 * x.shape[1], *x.shape[2:]))], axis=1)
    x = g.emit("Relu", [x], [g.computed(
        x.dtype, x.shape, max(x.low, 0), max(x.high, 0), x.err, x.grid)])
    g.emit("MaxPool", [x], [g.same(x, (*x.shape[:2], *window.out))],
           kernel_shape=window.kernel, **window.attributes)


def transposed(g, x, order):
    return g.emit("Transpose", [x], [g.same(x, [x.shape[i] for i in order])],
                  perm=order)


def below_transpose(g, x):
    """One step of a chain that elements go through alone."""
    kind = g.choice(("Relu", "Neg", "Abs", "Add", "Mul", "Clip"))
    if kind in ("Relu", "Neg", "Abs"):
        return g.emit(kind, [x], [g.computed(
            x.dtype, x.shape, -x.bound, x.bound, x.err, x.grid)])
    if kind == "Clip":
        low, high = (number(g, value, x.dtype, ()) for value in (-1, 1))
        return g.emit(kind, [x, low, high], [g.computed(
            x.dtype, x.shape, -1, 1, x.err,
            None if x.grid is None else min(x.grid, -2))])
    shape = [dim if g.chance(0.4) else 1 for dim in x.shape]
    other = g.leaf(x.dtype, shape[g.between(0, x.rank - 1):], -1, 1, const=True)
    bound = x.bound + 1 if kind == "Add" else x.bound
    return g.emit(kind, either(g, x, other), [g.computed(
        x.dtype, x.shape, -bound, bound, x.err)])


def op_transposes(g):
    """Transpositions that could meet."""
    source = pick(g, rank=(2, 3, 4))
    order = [int(i) for i in g.rng.permutation(source.rank)]
    x = transposed(g, source, order)
    for _ in range(g.between(0, 3)):
        x = below_transpose(g, x)
    end = g.choice(("transpose", "add", "concat", "slice", "reduce"))
    if end == "transpose":
        transposed(g, x, [int(i) for i in np.argsort(order)]
                   if g.chance(0.6)
                   else [int(i) for i in g.rng.permutation(x.rank)])
    elif end in ("add", "concat"):
        other = transposed(g, g.pick((x.dtype,), shape=source.shape), order)
        if end == "add":
            g.emit("Add", either(g, x, other), [g.computed(
                x.dtype, x.shape, x.low + other.low, x.high + other.high,
                x.err + other.err)])
            return
        axis = g.between(0, x.rank - 1)
        shape = list(x.shape)
        shape[axis] *= 2
        g.emit("Concat", either(g, x, other), [g.merged([x, other], shape)],
               axis=axis)
    elif end == "slice":
        axis = g.between(0, x.rank - 1)
        low = g.between(0, x.shape[axis] - 1)
        section(g, x, axis, low, g.between(low + 1, x.shape[axis]))
    else:
        mean(g, x, [i for i in range(x.rank) if g.chance(0.5)] or [0])


def mean(g, x, axes):
    keep = g.chance(0.5)
    shape = [1 if i in axes else dim for i, dim in enumerate(x.shape)
             if keep or i not in axes]
    count = math.prod(x.shape[axis] for axis in axes)
    op = g.choice(("ReduceMean", "ReduceMean", "ReduceMax", "ReduceMin"))
    g.emit(op, [x], [reduced(g, op, x, shape, count)],
           axes=[axis - x.rank if g.chance(0.3) else axis for axis in axes],
           keepdims=int(keep))


def op_pixel_mean(g):
    x = image(g, REALS, g.choice((2, 2, 3)))
    mean(g, x, list(range(2, x.rank)))


def op_shared_products(g):
    """Products of one operand with several matrices."""
    depth = g.choice((3, 8, 17))
    x = g.pick((F32,), shape=(*g.choice(((), (2,))), g.choice((1, 5, 9)),
                              depth))
    for _ in range(g.between(2, 3)):
        columns = g.choice((64, 64, 128, 24))
        matrix = g.leaf(F32, (depth, columns), -1, 1, const=g.chance(0.9))
        y = g.emit("MatMul", [x, matrix], [dot(
            g, x, matrix, (*x.shape[:-1], columns), depth)])
        if g.chance(0.5):
            row = g.leaf(F32, (columns,), -1, 1, const=True)
            g.emit("Add", either(g, y, row), [g.computed(
                F32, y.shape, y.low - 1, y.high + 1, y.err)])


OPERATORS = {
    op_limits: 3, op_rectifier: 3, op_hard_swish: 2, op_scaled_exponentials: 2,
    op_normalization: 2,
    op_part_of_joined: 3, op_joined_parts: 2, op_even_gather: 2,
    op_relu_pool: 2, op_transposes: 5, op_pixel_mean: 1,
    op_shared_products: 1,
}
