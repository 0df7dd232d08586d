# ===- computation.py - Operators that compute on dynamic sizes -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws arithmetic, reductions, normalisations and products."""

import numpy as np

from nacre.fuzz.graph import BOOL, F16, F32, F64, I32, I64, Rejected
from nacre.fuzz.sizes.graph import I8, STRING, is_fixed
from nacre.fuzz.sizes.movement import concat, positions

# How a Cast names what it makes.
NUMBERS = {F32: 1, I8: 3, I32: 6, I64: 7, BOOL: 9, F16: 10, F64: 11}


def broadcast(g, x, y, function):
    with np.errstate(all="ignore"):
        return [function(a, b) for a, b in zip(x.arrays, y.arrays)]


def least_grid(*values):
    grids = [value.grid for value in values]
    return None if None in grids else min(grids)


def op_add(g):
    x = g.pick(g.numbers)
    y = g.partner(x)
    operands = [x, y] if g.chance(0.7) else [y, x]
    add(g, g.choice(("Add", "Sub")), *operands)


def add(g, op, x, y):
    function = np.add if op == "Add" else np.subtract
    return g.emit(op, [x, y], [g.computed(
        x.dtype, broadcast(g, x, y, function),
        [a + b for a, b in zip(x.errors, y.errors)], least_grid(x, y))])


def op_mul(g):
    x = g.pick(g.numbers)
    y = g.partner(x)
    errors = [x.peak(run) * y.errors[run] + y.peak(run) * x.errors[run]
              + x.errors[run] * y.errors[run] for run in range(g.runs)]
    grids = [x.grid, y.grid]
    g.emit("Mul", [x, y], [g.computed(
        x.dtype, broadcast(g, x, y, np.multiply), errors,
        None if None in grids else sum(grids))])


def op_extreme(g):
    x = g.pick(g.numbers)
    y = g.partner(x)
    op, function = g.choice((("Max", np.maximum), ("Min", np.minimum)))
    g.emit(op, [x, y], [g.merged([x, y], broadcast(g, x, y, function))])


def op_unary(g):
    x = g.pick(g.numbers)
    op, function = g.choice((("Neg", np.negative), ("Abs", np.abs),
                             ("Relu", lambda array: np.maximum(array, 0))))
    g.emit(op, [x], [g.moved(x, function)])


def op_function(g):
    x = g.pick(g.float)
    op, function, slope = g.choice((
        ("Sigmoid", lambda a: 1 / (1 + np.exp(-a)), 0.25),
        ("Tanh", np.tanh, 1), ("Softplus", lambda a: np.logaddexp(a, 0), 1),
        ("LeakyRelu", lambda a: np.where(a < 0, 0.01 * a, a), 1)))
    g.lift(op, x, function, slope)


def op_compare(g):
    x = g.pick((g.float, I64, I32), exact=True)
    y = g.partner(x, exact=True)
    op, function = g.choice((("Equal", np.equal), ("Less", np.less),
                             ("GreaterOrEqual", np.greater_equal)))
    g.emit(op, [x, y], [g.computed(BOOL, broadcast(g, x, y, function))])


def op_logical(g):
    x = g.pick(BOOL)
    y = g.partner(x)
    op, function = g.choice((("And", np.logical_and), ("Or", np.logical_or),
                             ("Xor", np.logical_xor)))
    g.emit(op, [x, y], [g.computed(BOOL, broadcast(g, x, y, function))])


def op_cast(g):
    x = g.pick(exact=True, accepts=lambda value:
               value.grid == 0 and value.dtype != STRING)
    dtype = g.choice([dtype for dtype in NUMBERS if dtype != x.dtype])
    if any(x.peak(run) > 100 for run in range(g.runs)):
        raise Rejected("a number that the type does not hold")
    cast(g, x, dtype)


def cast(g, x, dtype):
    result = g.computed(dtype, [array.astype(
        np.float64 if np.dtype(dtype).kind == "f" else dtype)
        for array in x.arrays], list(x.errors), x.grid)
    return g.emit("Cast", [x], [result], to=NUMBERS[dtype])


def op_cast_float(g):
    """To another type of floats, as models of mixed precision do."""
    x = g.pick((F16, F32, F64))
    cast(g, x, g.choice([dtype for dtype in (F16, F32, F64)
                         if dtype != x.dtype]))


def reduced_count(array, axes):
    return int(np.prod([array.shape[axis] for axis in axes]))


def reduce(g, x, op, axes, keep):
    """One reduction. What is of no elements has no mean and no maximum."""
    counts = [reduced_count(array, axes) for array in x.arrays]
    if min(counts) == 0 and op != "ReduceSum":
        raise Rejected("nothing to reduce")
    # Upper bounds of the sums on the way.
    peaks = [x.peak(run) * max(counts[run], 1) for run in range(g.runs)]
    axes = tuple(axes)
    options = {"axis": axes, "keepdims": keep}
    if op == "ReduceSum":
        result = g.computed(
            x.dtype, [array.sum(dtype=array.dtype, **options)
                      for array in x.arrays],
            [error * count for error, count in zip(x.errors, counts)], x.grid,
            peaks)
    elif op == "ReduceMean":
        result = g.computed(x.dtype, [array.mean(**options)
                                      for array in x.arrays], list(x.errors),
                            peaks=[x.peak(run) for run in range(g.runs)])
    else:
        function = np.max if op == "ReduceMax" else np.min
        result = g.moved(x, lambda array: function(array, **options))
    operands = [x, g.ints(*(axis - x.rank if g.chance(0.2) else axis
                            for axis in axes))]
    return g.emit(op, operands, [result], keepdims=int(keep))


def op_reduce(g):
    x = g.pick(g.numbers, rank=(1, 2, 3, 4))
    axes = [axis for axis in range(x.rank) if g.chance(0.5)] or [x.rank - 1]
    kinds = ("ReduceSum", "ReduceMax", "ReduceMin") + (
        ("ReduceMean",) * 2 if x.is_float else ())
    reduce(g, x, g.choice(kinds), axes, g.chance(0.6))


def op_reduce_twice(g):
    """Two reductions of one tensor: along several axes, or as it is broadcast to
    several sizes."""
    x = g.pick(g.float, rank=(2, 3))
    if g.chance(0.5):
        for _ in range(2):
            reduce(g, x, g.choice(("ReduceSum", "ReduceMax", "ReduceMean")),
                   [g.between(0, x.rank - 1)], g.chance(0.5))
        return
    axes = [g.between(0, x.rank - 1)]
    kind = g.choice(("ReduceSum", "ReduceMax"))
    for _ in range(2):
        y = g.partner(x)
        total = add(g, "Add", x, y)
        rank = total.rank - x.rank
        reduce(g, total, kind, [axis + rank for axis in axes], g.chance(0.5))


def op_arg(g):
    x = g.pick((g.float, I64, I32), rank=(1, 2, 3), exact=True)
    axis = g.between(0, x.rank - 1)
    if min(x.sizes[axis]) == 0:
        raise Rejected("nothing to choose from")
    op, function = g.choice((("ArgMax", np.argmax), ("ArgMin", np.argmin)))
    keep = g.chance(0.5)

    def chosen(array):
        found = function(array, axis).astype(np.int64)
        return np.expand_dims(found, axis) if keep else found

    g.emit(op, [x], [g.computed(I64, [chosen(array) for array in x.arrays])],
           axis=axis, keepdims=int(keep))


def op_cum_sum(g):
    x = g.pick((g.float, I64), rank=(1, 2, 3))
    axis = g.between(0, x.rank - 1)
    sizes = x.sizes[axis]
    g.emit("CumSum", [x, g.weight(np.array(axis))], [g.computed(
        x.dtype, [array.cumsum(axis) for array in x.arrays],
        [error * size for error, size in zip(x.errors, sizes)], x.grid,
        [x.peak(run) * max(sizes[run], 1) for run in range(g.runs)])])


def softmax(array, axis):
    if array.shape[axis] == 0:
        return array
    powers = np.exp(array - array.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def op_softmax(g):
    x = g.pick(g.float, rank=(1, 2, 3, 4))
    axis = g.between(0, x.rank - 1)
    op, function = g.choice((
        ("Softmax", lambda a: softmax(a, axis)),
        ("LogSoftmax", lambda a: np.log(np.maximum(softmax(a, axis), 1e-30)))))
    if op == "LogSoftmax" and any(x.peak(run) > 20 for run in range(g.runs)):
        raise Rejected("too wide")
    g.lift(op, x, function, 2, axis=axis)


def op_attention(g):
    """Of queries to the keys of a cache and newer ones, which are results, too."""
    batch, depth = g.size(), (g.choice((4, 8, 16)),) * g.runs
    rows = g.size()
    cache = g.size()
    query, key, value = (g.input(g.float, [batch, rows, depth], whole=False)
                         for _ in range(3))
    old_keys, old_values = (g.input(g.float, [batch, cache, depth], whole=False)
                            for _ in range(2))
    keys = concat(g, [old_keys, key], 1)
    values = concat(g, [old_values, value], 1)
    if g.chance(0.7):
        g.outputs += [keys, values]
    if any(array.shape[1] == 0 for array in keys.arrays):
        raise Rejected("nothing to attend to")
    turned = g.emit("Transpose", [keys], [g.moved(
        keys, lambda array: array.transpose(0, 2, 1))], perm=[0, 2, 1])
    none = [0.0] * g.runs
    scores = product(g, "MatMul", [query, turned], [
        a @ b for a, b in zip(query.arrays, turned.arrays)], depth, none)
    scale = g.weight(np.array(0.25), False)
    scores = g.emit("Mul", [scores, scale], [g.computed(
        g.float, [array * 0.25 for array in scores.arrays],
        [error * 0.25 for error in scores.errors])])
    if g.chance(0.5):
        scores = add(g, "Add", scores, g.partner(scores))
    if any(a.shape != (*b.shape[:2], c.shape[1]) for a, b, c in zip(
            scores.arrays, query.arrays, keys.arrays)):
        raise Rejected("a mask of another shape")
    shares = g.lift("Softmax", scores, lambda a: softmax(a, -1), 2, axis=-1)
    product(g, "MatMul", [shares, values], [
        a @ b for a, b in zip(shares.arrays, values.arrays)],
        keys.sizes[1], none)


def op_layer_normalization(g):
    """As an operator, or as exporters write it."""
    x = g.pick(g.float, rank=(2, 3),
               accepts=lambda value: value.sizes[-1][0] > 1)
    if min(x.sizes[-1]) == 0:
        raise Rejected("nothing to normalize")
    means = [array.mean(-1, keepdims=True) for array in x.arrays]
    centred = [array - mean for array, mean in zip(x.arrays, means)]
    squares = [array ** 2 for array in centred]
    variances = [array.mean(-1, keepdims=True) for array in squares]
    # So large that a row of one number has a bound, too.
    epsilon = 0.5
    roots = [np.sqrt(array + epsilon) for array in variances]
    results = [array / root for array, root in zip(centred, roots)]
    # What rounding does to the mean of what is far from zero.
    errors = [4 * (x.errors[run] + g.rounding * x.peak(run))
              * (1 + np.abs(results[run]).max(initial=0)) / np.sqrt(epsilon)
              for run in range(g.runs)]
    result = g.computed(g.float, results, errors)
    if is_fixed(x.sizes[-1]) and g.chance(0.5):
        size = x.sizes[-1][0]
        scale = g.weight(np.full(size, 1.0))
        g.emit("LayerNormalization", [x, scale], [result], axis=-1,
               epsilon=epsilon)
        return
    last = g.ints(-1)
    mean = g.emit("ReduceMean", [x, last], [g.computed(
        g.float, means, list(x.errors),
        peaks=[x.peak(run) for run in range(g.runs)])], keepdims=1)
    middle = g.emit("Sub", [x, mean], [g.computed(
        g.float, centred, [2 * error + g.rounding * x.peak(run)
                       for run, error in enumerate(x.errors)])])
    peak = [middle.peak(run) for run in range(g.runs)]
    wide = [2 * p * error for p, error in zip(peak, middle.errors)]
    square = g.emit("Mul", [middle, middle],
                    [g.computed(g.float, squares, wide)])
    variance = g.emit("ReduceMean", [square, last], [g.computed(
        g.float, variances, list(square.errors), peaks=[p * p for p in peak])],
        keepdims=1)
    small = g.weight(np.array(epsilon), False)
    moved = g.emit("Add", [variance, small], [g.computed(
        g.float, [array + epsilon for array in variances],
        list(variance.errors))])
    root = g.emit("Sqrt", [moved], [g.computed(
        g.float, roots, [error / np.sqrt(epsilon) for error in moved.errors])])
    result.errors = [error + abs(results[run]).max(initial=0) * 2
                     * root.errors[run] for run, error
                     in enumerate(result.errors)]
    g.emit("Div", [middle, root], [result])


def product(g, op, operands, arrays, depth, errors, **attributes):
    """A sum of DEPTH products, in any order."""
    x, y = operands[:2]
    peaks = [x.peak(run) * y.peak(run) * max(depth[run], 1)
             for run in range(g.runs)]
    grids = [x.grid, y.grid]
    total = [max(depth[run], 1) * (x.peak(run) * y.errors[run]
                                   + y.peak(run) * x.errors[run]) + errors[run]
             for run in range(g.runs)]
    return g.emit(op, operands, [g.computed(
        g.float, arrays, total, None if None in grids else sum(grids), peaks)],
        **attributes)


def op_mat_mul(g):
    """With weights, or of two values."""
    x = g.pick(g.float, rank=(2, 3, 4))
    depth = x.sizes[-1]
    if is_fixed(depth) and g.chance(0.6):
        y = g.random_weight((depth[0], g.choice((1, 3, 8, 16, 17))))
    else:
        sizes = [depth, g.size()]
        if g.chance(0.4):
            sizes = [*x.sizes[:-2], *sizes]
        found = [value for value in g.values if value.dtype == g.float
                 and value.sizes[-2:-1] == [depth] and value.rank == 2]
        y = g.choice(found) if found and g.chance(0.5) \
            else g.input(g.float, sizes)
    g_errors = [x.errors[run] * y.errors[run] * depth[run]
                for run in range(g.runs)]
    product(g, "MatMul", [x, y],
            [a @ b for a, b in zip(x.arrays, y.arrays)], depth, g_errors)


def op_gemm(g):
    x = g.pick(g.float, rank=(2,))
    turned, turned_too = g.chance(0.3), g.chance(0.5)
    depth = x.sizes[0] if turned else x.sizes[1]
    columns = g.choice((1, 4, 8, 17))
    if is_fixed(depth) and g.chance(0.7):
        shape = (columns, depth[0]) if turned_too else (depth[0], columns)
        y = g.random_weight(shape)
    else:
        sizes = [depth, (columns,) * g.runs]
        y = g.input(g.float, sizes[::-1] if turned_too else sizes)
    operands = [x, y]
    if g.chance(0.6):
        operands.append(g.weight(g.elements(g.float, (columns,), True)))

    def function(run):
        a, b = x.arrays[run], y.arrays[run]
        total = (a.T if turned else a) @ (b.T if turned_too else b)
        return total + (operands[2].arrays[run] if len(operands) > 2 else 0)

    product(g, "Gemm", operands, [function(run) for run in range(g.runs)],
            [size + 5 for size in depth], [0.0] * g.runs,
            transA=int(turned), transB=int(turned_too))


# Of two operands, as attention and bilinear layers have them.
EQUATIONS = ("ij,jk->ik", "ij,kj->ik", "ij,ij->i", "ij,ij->ij", "ij,jk->ki",
             "bij,bjk->bik", "bij,bkj->bik", "bij,jk->bik", "bij,bij->bi",
             "bij,bkj->bkj", "bhij,bhkj->bhik", "bihj,bkhj->bhik", "i,j->ij",
             "bij,bj->bi", "ij,bjk->bik")


def op_einsum(g):
    equation = g.choice(EQUATIONS)
    first, second = equation.split("->")[0].split(",")
    x = g.pick(g.float, rank=(len(first),))
    sizes = dict(zip(first, x.sizes))
    other = [sizes.setdefault(letter, g.size()) for letter in second]
    found = [value for value in g.values
             if value.dtype == g.float and value.sizes == other]
    y = g.choice(found) if found and g.chance(0.5) else g.input(g.float, other)
    summed = set(first + second) - set(equation.split("->")[1])
    depth = [int(np.prod([sizes[letter][run] for letter in summed]))
             for run in range(g.runs)]
    product(g, "Einsum", [x, y],
            [np.einsum(equation, a, b) for a, b in zip(x.arrays, y.arrays)],
            depth, [x.errors[run] * y.errors[run] * depth[run]
                    for run in range(g.runs)], equation=equation)


def op_one_hot(g):
    depth = g.between(1, 9)
    index = positions(g, (depth,) * g.runs, g.shape(g.between(1, 2)))
    axis = g.between(0, index.rank)
    low, high = g.between(-2, 0), g.between(1, 3)
    places = np.arange(depth)
    results = [np.where(np.moveaxis(places == array[..., None] % depth,
                                    -1, axis), float(high), float(low))
               for array in index.arrays]
    g.emit("OneHot", [index, g.weight(np.array(depth)),
                      g.weight(np.array([low, high], np.float64))],
           [g.computed(g.float, results, grid=0)],
           axis=axis if g.chance(0.5) else axis - index.rank - 1)


OPERATORS = {
    op_add: 7, op_mul: 4, op_extreme: 2, op_unary: 4, op_function: 3,
    op_compare: 2, op_logical: 1, op_cast: 2, op_cast_float: 2, op_reduce: 5,
    op_reduce_twice: 3, op_arg: 1, op_cum_sum: 1, op_softmax: 3,
    op_attention: 2, op_layer_normalization: 2, op_mat_mul: 5, op_gemm: 2,
    op_einsum: 2, op_one_hot: 1,
}
