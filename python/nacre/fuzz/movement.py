# ===- movement.py - Random operators that move elements -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws reshapes, transposes, slices, gathers and the like."""

import math

import numpy as np

from nacre.fuzz.graph import BOOL, F32, I32, I64, NUMBERS, Rejected

RANKED = (1, 2, 3, 4, 5)


def op_reshape(g):
    x = g.pick()
    factors, left = [], x.size
    while left > 1 and len(factors) < 5:
        divisors = [d for d in range(2, left + 1) if left % d == 0]
        factors.append(g.choice(divisors))
        left //= factors[-1]
    if left > 1:
        factors.append(left)
    for _ in range(g.between(0, 1)):
        factors.insert(g.between(0, len(factors)), 1)
    spelled = list(factors)
    if spelled and g.chance(0.4):
        spelled[g.between(0, len(spelled) - 1)] = -1
    for i, dim in enumerate(spelled):
        if i < x.rank and dim == x.shape[i] and g.chance(0.3):
            spelled[i] = 0
    g.emit("Reshape", [x, g.constant(spelled)], [g.same(x, factors)])


def op_flatten(g):
    x = g.pick()
    axis = g.between(0, x.rank)
    g.emit("Flatten", [x], [g.same(x, (math.prod(x.shape[:axis]),
                                       math.prod(x.shape[axis:])))],
           axis=axis - x.rank if axis < x.rank and g.chance(0.3) else axis)


def op_transpose(g):
    x = g.pick(rank=(2, 3, 4, 5))
    order = [int(i) for i in g.rng.permutation(x.rank)]
    attributes = {"perm": order}
    if g.chance(0.1):
        order, attributes = list(reversed(range(x.rank))), {}
    g.emit("Transpose", [x], [g.same(x, [x.shape[i] for i in order])],
           **attributes)


def op_unsqueeze(g):
    x = g.pick(accepts=lambda value: value.rank < 5)
    rank = x.rank + g.between(1, min(2, 5 - x.rank))
    axes = [int(i) for i in g.rng.permutation(rank)[:rank - x.rank]]
    dims = iter(x.shape)
    shape = [1 if i in axes else next(dims) for i in range(rank)]
    spelled = [axis - rank if g.chance(0.3) else axis for axis in axes]
    g.emit("Unsqueeze", [x, g.constant(spelled)], [g.same(x, shape)])


def op_squeeze(g):
    x = g.pick(accepts=lambda value: 1 in value.shape,
               shape=None if g.find(lambda v: 1 in v.shape) else (1, 7, 1, 3))
    ones = [i for i, dim in enumerate(x.shape) if dim == 1]
    axes = ones if g.chance(0.3) else [g.choice(ones)]
    operands = [x, g.constant(axes)]
    if len(axes) == len(ones) and g.chance(0.5):
        operands.pop()
    g.emit("Squeeze", operands, [g.same(
        x, [dim for i, dim in enumerate(x.shape) if i not in axes])])


def op_concat(g):
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    parts = [x]
    for _ in range(g.between(0, 3)):
        shape = list(x.shape)
        if g.chance(0.5):
            shape[axis] = g.choice((1, 2, 3, 7))
        parts.append(g.pick((x.dtype,), shape=shape))
    g.rng.shuffle(parts)
    shape = list(x.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    g.emit("Concat", parts, [g.merged(parts, shape)], axis=spelled)


def op_split(g):
    x = g.pick(rank=RANKED, accepts=lambda value: max(value.shape) > 1,
               shape=None if g.find(lambda v: v.rank and max(v.shape) > 1)
               else (7, 4))
    axis = g.choice([i for i, dim in enumerate(x.shape) if dim > 1])
    count = g.between(2, min(4, x.shape[axis]))
    cuts = sorted(int(i) + 1 for i in
                  g.rng.permutation(x.shape[axis] - 1)[:count - 1])
    sizes = np.diff([0, *cuts, x.shape[axis]])
    operands = [x, g.constant(sizes)]
    if x.shape[axis] % count == 0 and g.chance(0.5):
        sizes = [x.shape[axis] // count] * count
        operands.pop()
    results = []
    for size in sizes:
        shape = list(x.shape)
        shape[axis] = size
        results.append(g.same(x, shape))
    g.emit("Split", operands, results,
           axis=axis - x.rank if g.chance(0.3) else axis)


def op_slice(g):
    x = g.pick(rank=RANKED)
    axes = [i for i in range(x.rank) if g.chance(0.6)] or [0]
    starts, ends, steps, shape = [], [], [], list(x.shape)
    for axis in axes:
        dim = x.shape[axis]
        step = g.choice((1, 1, 1, 2, 3, -1, -2))
        low = g.between(0, dim - 1)
        high = g.between(low, dim - 1)
        start, end = (low, high + 1) if step > 0 else (high, low - 1)
        picked = len(range(start, end, step))
        if end == -1:
            end = -dim - 1 - g.between(0, 3)
        elif end == dim and g.chance(0.3):
            end = g.choice((2 ** 31 - 1, 2 ** 63 - 1, dim + 5))
        elif g.chance(0.3) and end < dim:
            end -= dim
        starts.append(start - dim if g.chance(0.3) else start)
        ends.append(end)
        steps.append(step)
        shape[axis] = picked
    kind = I64 if max(ends) >= 2 ** 31 else g.choice((I32, I64))
    spelled = [axis - x.rank if g.chance(0.2) else axis for axis in axes]
    g.emit("Slice", [x] + [g.constant(part, kind) for part in
                           (starts, ends, spelled, steps)],
           [g.same(x, shape)])


def op_pad(g):
    x = g.pick(NUMBERS + (BOOL,), rank=RANKED)
    mode = g.choice(("constant", "constant", "reflect", "edge"))
    pads = [g.between(0, 2) if g.chance(0.6) else 0 for _ in range(2 * x.rank)]
    if mode == "constant" and g.chance(0.2):
        pads = [-1 if pad == 0 and x.shape[i % x.rank] > 3 and g.chance(0.4)
                else pad for i, pad in enumerate(pads)]
    if mode == "reflect":
        pads = [min(pad, x.shape[i % x.rank] - 1)
                for i, pad in enumerate(pads)]
    shape = [dim + pads[i] + pads[i + x.rank] for i, dim in enumerate(x.shape)]
    operands = [x, g.constant(pads)]
    result = g.same(x, shape)
    if mode == "constant":
        value = 0
        if g.chance(0.5):
            value = g.choice((0, 1))
            operands.append(g.constant(value, x.dtype))
        result.low, result.high = min(x.low, value), max(x.high, value)
        if result.grid is not None:
            result.grid = min(result.grid, 0)
    g.emit("Pad", operands, [result], mode=mode)


def op_expand(g):
    x = g.pick(accepts=lambda value: value.size <= g.limit // 8)
    target = [g.choice((2, 3, 7)) if dim == 1 and g.chance(0.7) else dim
              for dim in x.shape]
    shape = list(target)
    if g.chance(0.3) and x.rank < 5:
        target = shape = [g.choice((1, 2, 3)), *shape]
    elif shape and g.chance(0.3):
        # One of the two may be 1 here, too.
        i = g.between(0, len(shape) - 1)
        target = [1 if j == i and len(shape) == x.rank and
                  shape[j] == x.shape[j] else dim
                  for j, dim in enumerate(shape)]
    g.emit("Expand", [x, g.constant(target)], [g.same(x, shape)])


def op_tile(g):
    x = g.pick(rank=RANKED,
               accepts=lambda value: value.size <= g.limit // 8)
    repeats = [g.choice((1, 1, 2, 3)) for _ in x.shape]
    g.emit("Tile", [x, g.constant(repeats)], [g.same(
        x, [dim * times for dim, times in zip(x.shape, repeats)])])


def indices(g, shape, count, const=None):
    """Indices into a dimension of COUNT elements, some from the end."""
    low = -count if g.chance(0.3) else 0
    return g.leaf(g.choice((I32, I64)), shape, low, count - 1, const=const)


def op_gather(g):
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    index = indices(g, g.shape(g.between(0, 2), 12), x.shape[axis])
    shape = x.shape[:axis] + index.shape + x.shape[axis + 1:]
    if len(shape) > 5:
        raise Rejected("too many dimensions")
    g.emit("Gather", [x, index], [g.same(x, shape)], axis=spelled)


def op_gather_elements(g):
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    shape = [g.choice((1, 2, 5)) if i == axis else g.between(1, dim)
             for i, dim in enumerate(x.shape)]
    index = indices(g, shape, x.shape[axis])
    g.emit("GatherElements", [x, index], [g.same(x, shape)], axis=spelled)


def op_gather_nd(g):
    x = g.pick(rank=(2, 3, 4))
    depth = g.between(1, x.rank)
    batch = g.shape(g.between(0, 2), 12)
    index = np.stack([g.rng.integers(-dim if g.chance(0.2) else 0, dim, batch)
                      for dim in x.shape[:depth]], -1)
    operand = g.hold(index.astype(I64))
    g.emit("GatherND", [x, operand], [g.same(x, batch + x.shape[depth:])])


def op_scatter_elements(g):
    x = g.pick(rank=RANKED)
    spelled, axis = g.axis(x.rank)
    shape = [g.between(1, dim) for dim in x.shape]
    # Each index once: what two writes to one element leave is open.
    order = np.argsort(g.rng.random(
        [dim if i != axis else x.shape[axis] for i, dim in enumerate(shape)]),
        axis=axis)
    index = np.take(order, range(shape[axis]), axis)
    kind = g.choice((I32, I64))
    if g.chance(0.3):
        index = index - x.shape[axis]
    updates = g.pick((x.dtype,), shape=shape)
    g.emit("ScatterElements", [x, g.hold(index.astype(kind)), updates],
           [g.merged([x, updates], x.shape)], axis=spelled)


def op_scatter_nd(g):
    x = g.pick(rank=RANKED)
    depth = g.between(1, x.rank)
    slots = math.prod(x.shape[:depth])
    count = g.between(1, min(slots, 9))
    chosen = g.rng.permutation(slots)[:count]
    index = np.stack(np.unravel_index(chosen, x.shape[:depth]), -1)
    updates = g.pick((x.dtype,), shape=(count, *x.shape[depth:]))
    g.emit("ScatterND", [x, g.hold(index.astype(I64)), updates],
           [g.merged([x, updates], x.shape)])


def op_blocks(g):
    block = g.choice((2, 2, 3))
    n, c, h, w = g.choice((1, 2)), g.between(1, 5), g.between(1, 6), \
        g.between(1, 6)
    if g.chance(0.5):
        x = g.pick(NUMBERS, shape=(n, c * block * block, h, w))
        g.emit("DepthToSpace", [x], [g.same(
            x, (n, c, h * block, w * block))], blocksize=block,
            mode=g.choice(("DCR", "CRD")))
    else:
        x = g.pick(NUMBERS, shape=(n, c, h * block, w * block))
        g.emit("SpaceToDepth", [x], [g.same(
            x, (n, c * block * block, h, w))], blocksize=block)


def op_trilu(g):
    x = g.pick(rank=(2, 3, 4))
    result = g.same(x, x.shape)
    result.low, result.high = min(x.low, 0), max(x.high, 0)
    g.emit("Trilu", [x, g.constant(g.between(-3, 3))], [result],
           upper=int(g.chance(0.5)))


def op_reverse_sequence(g):
    x = g.pick(rank=(2, 3, 4))
    batch = g.between(0, 1)
    lengths = g.leaf(I64, (x.shape[batch],), 1, x.shape[1 - batch])
    g.emit("ReverseSequence", [x, lengths], [g.same(x, x.shape)],
           batch_axis=batch, time_axis=1 - batch)


def op_one_hot(g):
    index = g.pick((I64, I32), rank=(0, 1, 2), accepts=lambda v: v.size < 400)
    depth = g.choice((2, 5, 7))
    values = g.leaf(g.choice((F32, I32, I64)), (2,))
    spelled, axis = g.axis(index.rank + 1)
    shape = index.shape[:axis] + (depth,) + index.shape[axis:]
    g.emit("OneHot", [index, g.constant(depth), values],
           [g.same(values, shape)], axis=spelled)


def op_compress(g):
    x = g.pick(rank=RANKED)
    axis = g.between(0, x.rank - 1)
    mask = g.rng.random(x.shape[axis]) < 0.6
    mask[g.between(0, len(mask) - 1)] = True
    shape = list(x.shape)
    shape[axis] = int(mask.sum())
    g.emit("Compress", [x, g.constant(mask, BOOL)], [g.same(x, shape)],
           axis=axis)


def op_shape(g):
    x = g.pick()
    if g.chance(0.5):
        g.emit("Size", [x], [g.computed(I64, (), x.size, x.size)])
        return
    if not x.rank:
        raise Rejected("compiled models hold no empty tensors")
    g.emit("Shape", [x], [g.computed(I64, (x.rank,), min(x.shape),
                                     max(x.shape))])


def op_computed_shape(g):
    """A reshape to what the graph computes from the shape of its input."""
    x = g.pick(rank=(2, 3, 4, 5))
    shape = g.emit("Shape", [x], [g.computed(I64, (x.rank,), 1, x.size)])
    keep = g.between(0, x.rank - 1)
    if g.chance(0.5):
        kept = g.emit("Gather", [shape, g.constant(keep)],
                      [g.computed(I64, (), 1, x.size)], axis=0)
        kept = g.emit("Unsqueeze", [kept, g.constant([0])],
                      [g.computed(I64, (1,), 1, x.size)])
    else:
        kept = g.emit("Slice", [shape, g.constant([keep]),
                                g.constant([keep + 1])],
                      [g.computed(I64, (1,), 1, x.size)])
    dims = [x.shape[keep], x.size // x.shape[keep]]
    parts = [kept, g.constant([-1])]
    if g.chance(0.4):
        half = next(d for d in (3, 2, 1) if dims[1] % d == 0)
        dims[1:] = [half, dims[1] // half]
        parts.insert(1, g.constant([half]))
    if g.chance(0.5):
        dims.reverse()
        parts.reverse()
    target = g.emit("Concat", parts, [g.computed(
        I64, (len(dims),), -1, x.size)], axis=0)
    g.emit("Reshape", [x, target], [g.same(x, dims)])


OPERATORS = {
    op_computed_shape: 3, op_reshape: 6, op_flatten: 1, op_transpose: 6, op_unsqueeze: 2,
    op_squeeze: 2, op_concat: 4, op_split: 3, op_slice: 5, op_pad: 4,
    op_expand: 2, op_tile: 2, op_gather: 3, op_gather_elements: 1,
    op_gather_nd: 1, op_scatter_elements: 2, op_scatter_nd: 2, op_blocks: 2,
    op_trilu: 1, op_reverse_sequence: 1, op_one_hot: 1, op_compress: 1,
    op_shape: 1,
}
