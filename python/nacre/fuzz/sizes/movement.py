# ===- movement.py - Operators that move elements of dynamic sizes ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws reshapes, slices, concatenations, gathers and the like. Many give a view of
what they read, so that a result may lie where another value does."""

import numpy as np

from nacre.fuzz.graph import BOOL, F32, I32, I64, Rejected
from nacre.fuzz.sizes.graph import STRING, is_fixed

ALL = (0, 1, 2, 3, 4, 5)
RANKED = (1, 2, 3, 4)


def spelled(g, axis, rank):
    return axis - rank if g.chance(0.3) else axis


def op_identity(g):
    x = g.pick()
    g.emit("Identity", [x], [g.moved(x, np.array)])


def op_transpose(g):
    x = g.pick(rank=(2, 3, 4))
    order = [int(axis) for axis in g.rng.permutation(x.rank)]
    g.emit("Transpose", [x], [g.moved(
        x, lambda array: array.transpose(order))], perm=order)


def shape_part(g, x, axis):
    """The size of an axis as a vector of one element."""
    shape = g.emit("Shape", [x], [g.computed(
        I64, [np.array(array.shape, np.int64) for array in x.arrays])])
    if g.chance(0.5):
        part = g.emit("Gather", [shape, g.weight(np.array(axis))], [g.moved(
            shape, lambda array: array[axis])], axis=0)
        return g.emit("Unsqueeze", [part, g.ints(0)], [g.moved(
            part, lambda array: array.reshape(1))])
    return g.emit("Slice", [shape, g.ints(axis), g.ints(axis + 1)], [g.moved(
        shape, lambda array: array[axis:axis + 1])])


def op_reshape(g):
    """Joins neighbours, inserts ones, takes apart what has a factor, by a shape
    that is a constant or computed."""
    x = g.pick(rank=ALL)
    groups, axis = [], 0
    while axis < x.rank:
        length = g.choice((1, 1, 1, 2, 2, 3))
        groups.append(range(axis, min(axis + length, x.rank)))
        axis += length
    # Each entry: what it is in each run, and how a shape may say so.
    entries = []
    for group in groups:
        sizes = tuple(int(np.prod([x.sizes[i][run] for i in group]))
                      for run in range(g.runs))
        factor = next((f for f in (4, 3, 2) if is_fixed(sizes)
                       and sizes[0] % f == 0 and sizes[0] > f), None)
        if factor and g.chance(0.4):
            entries += [((factor,) * g.runs, None),
                        (tuple(size // factor for size in sizes), None)]
        else:
            entries.append((sizes, group[0] if len(group) == 1 else None))
    for _ in range(g.between(0, 2) if g.chance(0.3) else 0):
        entries.insert(g.between(0, len(entries)), ((1,) * g.runs, None))
    # In a shape that may hold a computed 0, none stands for the operand's size.
    literal = x.empty or g.chance(0.2)
    parts, inferred = [], False
    for place, (sizes, axis) in enumerate(entries):
        if is_fixed(sizes) and g.chance(0.8):
            parts.append(int(sizes[0]))
        elif axis == place and not literal and g.chance(0.4):
            parts.append(0)
        elif not inferred and not x.empty:
            parts.append(-1)
            inferred = True
        elif axis is not None:
            parts.append(shape_part(g, x, axis))
        elif is_fixed(sizes):
            parts.append(int(sizes[0]))
        else:
            raise Rejected("no shape says so")
    target = target_shape(g, parts)
    arrays = [array.reshape([sizes[run] for sizes, _ in entries])
              for run, array in enumerate(x.arrays)]
    result = g.moved(x, np.array)
    result.arrays = arrays
    g.emit("Reshape", [x, target], [result], allowzero=int(literal))


def target_shape(g, parts):
    """The operand that holds PARTS, some of which are values."""
    if all(isinstance(part, int) for part in parts):
        return g.ints(*parts)
    pieces = [g.ints(part) if isinstance(part, int) else part
              for part in parts]
    if len(pieces) == 1:
        return pieces[0]
    return g.emit("Concat", pieces, [g.merged(pieces, [
        np.concatenate([piece.arrays[run] for piece in pieces])
        for run in range(g.runs)])], axis=0)


def op_flatten(g):
    x = g.pick(rank=(1, 2, 3, 4))
    axis = g.between(0, x.rank)
    g.emit("Flatten", [x], [g.moved(x, lambda array: array.reshape(
        int(np.prod(array.shape[:axis])), int(np.prod(array.shape[axis:]))))],
           axis=axis)


def op_unsqueeze(g):
    x = g.pick(rank=(0, 1, 2, 3))
    axis = g.between(0, x.rank)
    g.emit("Unsqueeze", [x, g.ints(axis - x.rank - 1 if g.chance(0.3)
                                   else axis)],
           [g.moved(x, lambda array: np.expand_dims(array, axis))])


def op_squeeze(g):
    def ones(value):
        return [i for i, size in enumerate(value.sizes) if set(size) == {1}]

    x = g.pick(accepts=ones)
    axis = g.choice(ones(x))
    g.emit("Squeeze", [x, g.ints(spelled(g, axis, x.rank))],
           [g.moved(x, lambda array: array.squeeze(axis))])


def fitting(g, x, axis):
    """Another value that X can be joined with along AXIS."""
    def fits(other):
        return other.dtype == x.dtype and other.rank == x.rank and all(
            a == b for i, (a, b) in enumerate(zip(x.sizes, other.sizes))
            if i != axis)

    found = [value for value in g.values if fits(value)]
    if found and g.chance(0.75):
        return g.choice(found)
    sizes = list(x.sizes)
    sizes[axis] = g.size()
    return g.input(x.dtype, sizes)


def concat(g, parts, axis):
    return g.emit("Concat", parts, [g.merged(parts, [
        np.concatenate([part.arrays[run] for part in parts], axis)
        for run in range(g.runs)])], axis=spelled(g, axis, parts[0].rank))


def op_concat(g):
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    parts = [x, *(fitting(g, x, axis) for _ in range(g.between(1, 3)))]
    if g.chance(0.3):
        g.rng.shuffle(parts)
    concat(g, parts, axis)


def op_concat_twice(g):
    """Two concatenations that start as one value, both of which are results."""
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    for _ in range(2):
        g.outputs.append(concat(g, [x, fitting(g, x, axis)], axis))


def op_slice(g):
    x = g.pick(rank=RANKED)
    slice_of(g, x, [axis for axis in range(x.rank) if g.chance(0.5)] or [0])


def slice_of(g, x, axes):
    starts, ends, steps = [], [], []
    index = [slice(None)] * x.rank
    for axis in axes:
        step = g.choice((1, 1, 1, 1, 2, 3, -1, -1, -2))
        if step > 0:
            start = g.choice((0, 0, 1, 2, -1, -2, -3, 100))
            end = g.choice((1, 2, 5, -1, -2, 2 ** 31 - 1, 2 ** 63 - 1))
        else:
            start = g.choice((-1, -1, -2, 1, 3, 2 ** 31 - 1, 1000))
            end = g.choice((0, 1, -3, -2 ** 31, -2 ** 63 + 1, -1000))
        starts.append(start)
        ends.append(end)
        steps.append(step)
        index[axis] = axis, start, end, step

    def function(array):
        return array[tuple(
            onnx_slice(array.shape[part[0]], *part[1:])
            if isinstance(part, tuple) else part for part in index)]

    operands = [x, g.ints(*starts), g.ints(*ends), g.ints(*axes)]
    if any(step != 1 for step in steps) or g.chance(0.3):
        operands.append(g.ints(*steps))
    return g.emit("Slice", operands, [g.moved(x, function)])


def onnx_slice(size, start, end, step):
    """What ONNX clamps such numbers to, as a slice of numpy's."""
    start, end = (number + size if number < 0 else number
                  for number in (start, end))
    if step > 0:
        return slice(min(max(start, 0), size), min(max(end, 0), size), step)
    start = min(max(start, 0), size - 1)
    end = min(max(end, -1), size - 1)
    if start <= end or size == 0:
        return slice(0, 0)
    return slice(start, None if end < 0 else end, step)


def op_slice_of_slice(g):
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    slice_of(g, slice_of(g, x, [axis]), [axis])


def op_join_slices(g):
    """Slices of one value, some of which overlap, joined."""
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    concat(g, [slice_of(g, x, [axis]) for _ in range(g.between(2, 3))], axis)


def op_computed_slice(g):
    """A slice that ends where another value does."""
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    other = g.pick(rank=RANKED)
    place = g.between(0, other.rank - 1)
    bound = shape_part(g, other, place)
    first = g.chance(0.5)
    step = g.choice((1, 1, 2)) if first else g.choice((1, -1))
    limit = 2 ** 31 - 1
    if first:
        pair = [g.ints(0), bound]
    elif step > 0:
        pair = [bound, g.ints(limit)]
    else:
        pair = [bound, g.ints(-limit)]

    result = g.moved(x, np.array)
    result.arrays = []
    for array, size in zip(x.arrays, other.sizes[place]):
        ends = (0, size) if first else (size, limit if step > 0 else -limit)
        index = [slice(None)] * x.rank
        index[axis] = onnx_slice(array.shape[axis], *ends, step)
        result.arrays.append(array[tuple(index)])
    g.emit("Slice", [x, *pair, g.ints(axis), g.ints(step)], [result])


def op_split(g):
    """Parts, of which some are joined again, in this or another order."""
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    sizes = x.sizes[axis]
    count = g.between(2, 4)
    attributes, operands = {}, [x]
    if is_fixed(sizes) and sizes[0] >= 2 and g.chance(0.6):
        count = min(count, sizes[0])
        cuts = sorted(int(i) + 1 for i in
                      g.rng.permutation(sizes[0] - 1)[:count - 1])
        bounds = [[0, *cuts, sizes[0]]] * g.runs
        operands.append(g.ints(*np.diff(bounds[0])))
    else:
        attributes = {"num_outputs": count}
        bounds = []
        for size in sizes:
            step = -(-size // count)
            if step * (count - 1) > size:
                raise Rejected("no part is left for the last")
            bounds.append([min(i * step, size) for i in range(count)] + [size])
    results = []
    for part in range(count):
        result = g.moved(x, np.array)
        result.arrays = [
            np.take(array, np.arange(bound[part], bound[part + 1]), axis)
            for array, bound in zip(x.arrays, bounds)]
        results.append(result)
    g.emit("Split", operands, results, axis=axis, **attributes)
    if g.chance(0.5):
        order = g.rng.permutation(count)
        concat(g, [results[i] for i in (range(count) if g.chance(0.4)
                                        else order)], axis)


def op_pad(g):
    x = g.pick(rank=RANKED, accepts=lambda value: value.dtype != STRING)
    mode = g.choice(("constant",) * 3 + ("edge", "reflect"))
    pads = [g.choice((0, 0, 1, 2, 5)) for _ in range(2 * x.rank)]
    least = [min(size) for size in x.sizes]
    if mode == "constant" and g.chance(0.3):
        pads = [-1 if g.chance(0.3) and least[i % x.rank] > 1 else pad
                for i, pad in enumerate(pads)]
    if mode != "constant":
        pads = [min(pad, max(least[i % x.rank] - 1, 0))
                if mode == "reflect" or not least[i % x.rank] else pad
                for i, pad in enumerate(pads)]
    operands, value = [x, g.ints(*pads)], 0
    if mode == "constant" and x.dtype != BOOL and g.chance(0.5):
        value = 1
        operands.append(g.weight(np.array(
            value, x.dtype), dtype=x.dtype))

    def function(array):
        pairs = [*zip(pads[:x.rank], pads[x.rank:])]
        array = array[tuple(
            slice(max(-low, 0), size - max(-high, 0))
            for size, (low, high) in zip(array.shape, pairs))]
        pairs = [(max(low, 0), max(high, 0)) for low, high in pairs]
        return np.pad(array, pairs, mode, **(
            {"constant_values": value} if mode == "constant" else {}))

    result = g.moved(x, function)
    if result.grid is not None:
        result.grid = min(result.grid, 0)
    g.emit("Pad", operands, [result], mode=mode)


def op_expand(g):
    x = g.pick(accepts=lambda value: any(
        set(size) == {1} for size in value.sizes) or value.rank < 3)
    like = g.pick(rank=RANKED)
    try:
        shapes = [np.broadcast_shapes(a.shape, b.shape)
                  for a, b in zip(x.arrays, like.arrays)]
    except ValueError:
        raise Rejected("does not broadcast") from None
    shape = g.emit("Shape", [like], [g.computed(
        I64, [np.array(array.shape, np.int64) for array in like.arrays])])
    result = g.moved(x, np.array)
    result.arrays = [np.broadcast_to(array, shape)
                     for array, shape in zip(x.arrays, shapes)]
    g.emit("Expand", [x, shape], [result])


def op_tile(g):
    x = g.pick(rank=RANKED)
    times = [g.choice((1, 1, 2, 3)) for _ in range(x.rank)]
    g.emit("Tile", [x, g.ints(*times)],
           [g.moved(x, lambda array: np.tile(array, times))])


def positions(g, sizes, shape):
    """An input of indices, into a dimension of SIZES elements in each run."""
    least = min(sizes)
    if least == 0:
        raise Rejected("nothing to pick")
    low = -least if g.chance(0.4) else 0
    if g.chance(0.4) and all(is_fixed(size) for size in shape):
        return g.weight(g.rng.integers(low, least, g.at(shape, 0)))
    return g.input(g.choice((I64, I32)), shape, low, least)


def op_gather(g):
    x = g.pick(rank=(1, 2, 3))
    axis = g.between(0, x.rank - 1)
    index = positions(g, x.sizes[axis], g.shape(g.between(0, 2)))
    result = g.moved(x, np.array)
    result.arrays = [np.take(array, at, axis)
                     for array, at in zip(x.arrays, index.arrays)]
    g.emit("Gather", [x, index], [result], axis=spelled(g, axis, x.rank))


def op_gather_elements(g):
    x = g.pick(rank=(1, 2, 3))
    axis = g.between(0, x.rank - 1)
    shape = list(x.sizes)
    shape[axis] = g.size()
    index = positions(g, x.sizes[axis], shape)
    result = g.moved(x, np.array)
    result.arrays = [np.take_along_axis(array, at.astype(np.int64), axis)
                     for array, at in zip(x.arrays, index.arrays)]
    g.emit("GatherElements", [x, index], [result], axis=axis)


def op_scatter_nd(g):
    """Rows in other places, each once."""
    x = g.pick(rank=(1, 2, 3))
    least = min(x.sizes[0])
    if least == 0:
        raise Rejected("nothing to replace")
    rows = g.rng.permutation(least)[:g.between(1, min(least, 4))]
    updates = g.input(x.dtype, [(len(rows),) * g.runs, *x.sizes[1:]])

    def scatter(run):
        array = np.array(x.arrays[run])
        array[rows] = updates.arrays[run]
        return array

    g.emit("ScatterND", [x, g.weight(rows[:, None]), updates],
           [g.merged([x, updates], [scatter(run) for run in range(g.runs)])])


def op_scatter_elements(g):
    x = g.pick(rank=(1, 2, 3), accepts=lambda value: value.dtype != BOOL)
    axis = g.between(0, x.rank - 1)
    least = min(x.sizes[axis])
    if least == 0:
        raise Rejected("nothing to replace")
    count = g.between(1, min(least, 3))
    sizes = list(x.sizes)
    sizes[axis] = (count,) * g.runs
    index = g.input(I64, sizes)
    for run, array in enumerate(index.arrays):
        shape = [1] * x.rank
        shape[axis] = count
        chosen = g.rng.permutation(least)[:count].reshape(shape)
        index.arrays[run] = np.array(np.broadcast_to(chosen, array.shape))
    # No other node reads it: as numbers they would be any.
    g.values.remove(index)
    updates = g.input(x.dtype, sizes)

    def scatter(run):
        array = np.array(x.arrays[run])
        np.put_along_axis(array, index.arrays[run], updates.arrays[run], axis)
        return array

    g.emit("ScatterElements", [x, index, updates],
           [g.merged([x, updates], [scatter(run) for run in range(g.runs)])],
           axis=axis)


def op_where(g):
    x = g.pick()
    y = g.partner(x)
    condition = g.partner(x, BOOL)
    try:
        arrays = [np.where(c, a, b) for c, a, b in
                  zip(condition.arrays, x.arrays, y.arrays)]
    except ValueError:
        raise Rejected("does not broadcast") from None
    g.emit("Where", [condition, x, y], [g.merged([x, y], arrays)])


def op_trilu(g):
    x = g.pick(rank=(2, 3), accepts=lambda value: value.dtype != STRING)
    shift, upper = g.between(-2, 2), g.chance(0.5)
    g.emit("Trilu", [x, g.weight(np.array(shift))], [g.moved(
        x, lambda array: (np.triu if upper else np.tril)(array, shift))],
        upper=int(upper))


def op_depth_to_space(g):
    x = g.pick(g.float, rank=(4,), accepts=lambda value:
               is_fixed(value.sizes[1]) and value.sizes[1][0] % 4 == 0)

    def function(array):
        n, c, h, w = array.shape
        return array.reshape(n, 2, 2, c // 4, h, w).transpose(
            0, 3, 4, 1, 5, 2).reshape(n, c // 4, 2 * h, 2 * w)

    g.emit("DepthToSpace", [x], [g.moved(x, function)], blocksize=2)


def op_shape(g):
    x = g.pick()
    if g.chance(0.5) or not x.rank:
        g.emit("Size", [x], [g.computed(I64, [np.array(array.size, np.int64)
                                              for array in x.arrays])])
        return
    g.emit("Shape", [x], [g.computed(I64, [np.array(array.shape, np.int64)
                                           for array in x.arrays])])


def op_range(g):
    """Numbers up to the size of an axis."""
    x = g.pick(rank=RANKED)
    part = shape_part(g, x, g.between(0, x.rank - 1))
    end = g.emit("Squeeze", [part, g.ints(0)], [g.moved(
        part, lambda array: array.reshape(()))])
    step = g.choice((1, 1, 2, 3))
    g.emit("Range", [g.weight(np.array(0)), end, g.weight(np.array(step))],
           [g.computed(I64, [np.arange(0, int(array), step)
                             for array in end.arrays])])


def op_constant_of_shape(g):
    x = g.pick(rank=RANKED)
    shape = g.emit("Shape", [x], [g.computed(
        I64, [np.array(array.shape, np.int64) for array in x.arrays])])
    g.emit("ConstantOfShape", [shape], [g.computed(
        F32, [np.zeros(array.shape) for array in x.arrays], grid=0)])


def op_non_zero(g):
    x = g.pick((g.float, I64, BOOL), rank=(1, 2, 3), exact=True)
    g.emit("NonZero", [x], [g.computed(I64, [
        np.array(np.nonzero(array), np.int64) for array in x.arrays])])


def op_compress(g):
    x = g.pick(rank=(1, 2, 3))
    axis = g.between(0, x.rank - 1)
    mask = g.input(BOOL, [x.sizes[axis]])
    result = g.moved(x, np.array)
    result.arrays = [np.compress(keep, array, axis)
                     for array, keep in zip(x.arrays, mask.arrays)]
    g.emit("Compress", [x, mask], [result], axis=axis)


def op_top_k(g):
    """The largest or smallest of whole numbers, the first of equal ones first."""
    x = g.pick((g.float, I64), rank=(1, 2, 3), exact=True)
    axis = g.between(0, x.rank - 1)
    least = min(x.sizes[axis])
    count = g.between(0, min(least, 5))
    largest = g.chance(0.5)
    orders = [np.take(np.argsort(-array if largest else array, axis,
                                 kind="stable"), np.arange(count), axis)
              for array in x.arrays]
    values = g.moved(x, np.array)
    values.arrays = [np.take_along_axis(array, order, axis)
                     for array, order in zip(x.arrays, orders)]
    g.emit("TopK", [x, g.ints(count)], [values, g.computed(I64, orders)],
           axis=axis, largest=int(largest))


OPERATORS = {
    op_identity: 2, op_transpose: 4, op_reshape: 6, op_flatten: 1,
    op_unsqueeze: 2, op_squeeze: 2, op_concat: 5, op_concat_twice: 2,
    op_slice: 5, op_slice_of_slice: 2, op_join_slices: 3,
    op_computed_slice: 2, op_split: 4, op_pad: 4, op_expand: 3, op_tile: 1,
    op_gather: 3, op_gather_elements: 1, op_scatter_nd: 2,
    op_scatter_elements: 1, op_where: 3, op_trilu: 1, op_depth_to_space: 1,
    op_shape: 1, op_range: 1, op_constant_of_shape: 1, op_non_zero: 1,
    op_compress: 1, op_top_k: 1,
}
