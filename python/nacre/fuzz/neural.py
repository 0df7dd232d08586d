# ===- neural.py - Random layers of neural networks -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws matrix products, normalisations, resizes and whole networks."""

import math

import numpy as np

from nacre.fuzz.elementwise import wrapped
from nacre.fuzz.graph import (F16, F32, F64, FLOATS, I32, I64, ROUNDING, U8, U32,
                              Rejected)
from nacre.fuzz.images import (Window, batch_norm, conv, image, op_conv,
                               op_conv_block, op_conv_transpose,
                               op_global_pool, op_pool)


def op_matmul(g):
    a = g.pick(FLOATS + (F32, F32, I32, I64, U32), rank=(1, 2, 2, 3, 4))
    depth = a.shape[-1]
    batch = [1 if g.chance(0.3) else dim for dim in a.shape[:-2]]
    if g.chance(0.5):
        batch = batch[g.between(0, len(batch)):]
    if g.chance(0.1) and a.rank < 3:
        batch = [g.choice((2, 3))]
    columns = g.choice((1, 2, 5, 7, 8, 16, 17, 33))
    shape = (depth,) if g.chance(0.1) else (*batch, depth, columns)
    b = g.pick((a.dtype,), shape=shape) if g.chance(0.5) else \
        g.leaf(a.dtype, shape, -1, 1, const=g.chance(0.7))
    product = np.matmul(np.empty(a.shape, bool), np.empty(shape, bool)).shape
    if math.prod(product) * depth > 500 * g.limit:
        raise Rejected("too slow")
    g.emit("MatMul", [a, b], [dot(g, a, b, product, depth)])


def dot(g, a, b, shape, depth, scale=1.0):
    """The result of sums of DEPTH products."""
    bound = depth * b.bound
    if b.data is not None and b.is_float and b.rank == 2:
        bound = float(np.abs(b.data).astype(float).sum(0).max())
    peak = bound * a.bound * scale
    if not a.is_float:
        return wrapped(g, a.dtype, shape, -peak, peak)
    grid = a.grid + b.grid if a.exact and b.exact and scale == 1 else None
    return g.computed(a.dtype, shape, -peak, peak,
                      scale * (bound * a.err + depth * a.bound * b.err), grid)


def op_matmul_block(g):
    """A matrix product and what is fused with one."""
    rows, depth, columns = (g.choice((1, 3, 7, 8, 16, 17, 33, 64))
                            for _ in range(3))
    batch = (g.choice((1, 2, 5)),) if g.chance(0.5) else ()
    a = g.pick((F32, F32, F16), shape=(*batch, rows, depth))
    b = g.leaf(a.dtype, (depth, columns), -1, 1, const=g.chance(0.8))
    value = g.emit("MatMul", [a, b], [dot(g, a, b, (*batch, rows, columns),
                                          depth)])
    for shape in ((columns,), value.shape):
        if g.chance(0.6):
            other = g.pick((value.dtype,), shape=shape)
            pair = [value, other] if g.chance(0.5) else [other, value]
            value = g.emit("Add", pair, [g.computed(
                value.dtype, value.shape, value.low + other.low,
                value.high + other.high, value.err + other.err)])
    act = g.choice(("Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip"))
    if act == "Clip":
        g.emit(act, [value, g.constant(0, value.dtype),
                     g.constant(6, value.dtype)],
               [g.computed(value.dtype, value.shape, 0, 6, value.err)])
        return
    g.emit(act, [value], [g.computed(value.dtype, value.shape, -value.bound,
                                     value.bound, value.err)])


def op_gemm(g):
    a = g.pick(FLOATS, rank=2)
    trans_a, trans_b = int(g.chance(0.3)), int(g.chance(0.5))
    rows, depth = a.shape if not trans_a else a.shape[::-1]
    columns = g.choice((1, 3, 7, 8, 16, 17, 33))
    b = g.leaf(a.dtype, (columns, depth) if trans_b else (depth, columns),
               -1, 1, const=g.chance(0.7))
    alpha = g.choice((1.0, 1.0, 0.5, 2.0))
    peak = depth * a.bound * b.bound * alpha
    err = depth * a.err * b.bound * alpha
    operands = [a, b]
    attributes = {"transA": trans_a, "transB": trans_b, "alpha": alpha}
    if g.chance(0.7):
        shape = g.choice(((columns,), (1, columns), (rows, columns),
                          (rows, 1), (1,), ()))
        c = g.pick((a.dtype,), shape=shape)
        beta = g.choice((1.0, 1.0, 0.5, -1.0))
        operands.append(c)
        peak, err = peak + abs(beta) * c.bound, err + abs(beta) * c.err
        attributes["beta"] = beta
    g.emit("Gemm", operands, [g.computed(
        a.dtype, (rows, columns), -peak, peak, err)], **attributes)


def op_einsum(g):
    a = g.pick(FLOATS, rank=3)
    i, j, k = a.shape
    n = g.choice((1, 3, 7, 8))
    equation, shape, result, depth = g.choice((
        ("ijk,kn->ijn", (k, n), (i, j, n), k),
        ("ijk,ikn->ijn", (i, k, n), (i, j, n), k),
        ("ijk,ink->inj", (i, n, k), (i, n, j), k),
        ("ijk,jk->i", (j, k), (i,), j * k),
        ("ijk,ijk->ij", (i, j, k), (i, j), k),
        ("ijk,in->njk", (i, n), (n, j, k), i)))
    b = g.pick((a.dtype,), shape=shape)
    plain = dot(g, a, b, result, depth) if b.data is None else None
    if plain is None:
        peak = depth * a.bound * b.bound
        plain = g.computed(a.dtype, result, -peak, peak,
                           depth * a.err * b.bound)
    g.emit("Einsum", [a, b], [plain], equation=equation)


def op_batch_norm(g):
    batch_norm(g, image(g))


def op_normalize(g):
    op = g.choice(("InstanceNormalization", "LayerNormalization", "LRN",
                   "LayerNormalization"))
    x = image(g) if op != "LayerNormalization" else \
        g.pick((F32, F32, F16, F64), rank=(2, 3, 4))
    if op == "LRN":
        size = g.choice((1, 3, 5))
        g.emit(op, [x], [g.computed(x.dtype, x.shape, x.low, x.high,
                                    2 * x.err)],
               size=size, alpha=0.01, beta=0.75, bias=1.0)
        return
    epsilon = g.choice((0.01, 1.0))
    gain = 1 / math.sqrt(epsilon)
    if op == "InstanceNormalization":
        shape, attributes = (x.shape[1],), {}
        count = math.prod(x.shape[2:])
    else:
        spelled, axis = g.axis(x.rank)
        shape, attributes = x.shape[axis:], {"axis": spelled}
        count = math.prod(shape)
    operands = [x, g.leaf(x.dtype, shape, -1, 1)]
    if op == "InstanceNormalization" or g.chance(0.6):
        operands.append(g.leaf(x.dtype, shape, -1, 1))
    bound = min(2 * x.bound * gain, math.sqrt(count)) + 1
    # LayerNormalization computes doubles in float, as its stash_type says.
    rounding = max(ROUNDING[x.dtype], ROUNDING[F32])
    err = 3 * gain * (x.err + rounding * x.bound) + rounding * bound
    g.emit(op, operands, [g.computed(x.dtype, x.shape, -bound, bound, err)],
           epsilon=epsilon, **attributes)


def op_softmax(g):
    op = g.choice(("Softmax", "Softmax", "LogSoftmax", "Hardmax"))
    x = g.pick(FLOATS, rank=(1, 2, 3, 4), exact=op == "Hardmax",
               high=None if op == "Hardmax" else 40)
    spelled, axis = g.axis(x.rank)
    if op == "Hardmax":
        result = g.computed(x.dtype, x.shape, 0, 1, 0, 0)
    elif op == "Softmax":
        result = g.computed(x.dtype, x.shape, 0, 1, x.err)
    else:
        low = -(x.high - x.low) - math.log(x.shape[axis])
        result = g.computed(x.dtype, x.shape, low, 0, 2 * x.err)
    g.emit(op, [x], [result], axis=spelled)


def op_attention(g):
    heads, rows, depth = g.choice((1, 2, 4)), g.choice((3, 7, 16, 17)), \
        g.choice((4, 7, 8, 16))
    columns = rows if g.chance(0.6) else g.choice((5, 8, 33))
    q = g.pick((F32,), shape=(1, heads, rows, depth), low=-2, high=2)
    k = g.pick((F32,), shape=(1, heads, depth, columns), low=-2, high=2)
    v = g.pick((F32,), shape=(1, heads, columns, depth), low=-2, high=2)
    scores = g.emit("MatMul", [q, k], [dot(g, q, k, (1, heads, rows, columns),
                                           depth)])
    scale = g.constant(1 / math.sqrt(depth), F32)
    op = g.choice(("Mul", "Div"))
    times = float(scale.data) if op == "Mul" else 1 / float(scale.data)
    bound = scores.bound * times
    scores = g.emit(op, [scores, scale], [g.computed(
        F32, scores.shape, -bound, bound, scores.err * times)])
    if g.chance(0.5):
        mask = g.leaf(F32, (1, 1, g.choice((1, rows)), columns), -4, 0)
        scores = g.emit("Add", [scores, mask], [g.computed(
            F32, scores.shape, scores.low - 4, scores.high, scores.err)])
    weights = g.emit("Softmax", [scores], [g.computed(
        F32, scores.shape, 0, 1, scores.err)], axis=-1)
    result = g.emit("MatMul", [weights, v], [g.computed(
        F32, v.shape[:2] + (rows, depth), v.low, v.high,
        v.err + columns * v.bound * weights.err)])
    if g.chance(0.5):
        result = g.emit("Transpose", [result], [g.same(
            result, (1, rows, heads, depth))], perm=[0, 2, 1, 3])
        g.emit("Reshape", [result, g.constant([1, rows, heads * depth])],
               [g.same(result, (1, rows, heads * depth))])


def op_gelu(g):
    """The formula of Gelu that ie-raise looks for, and formulas like it."""
    x = g.pick((F32, F32, F16))
    root = g.constant(g.choice((math.sqrt(2), 2.0)), x.dtype)
    inner = g.emit("Div", [x, root], [g.computed(
        x.dtype, x.shape, -x.bound, x.bound, x.err)])
    inner = g.emit("Erf", [inner], [g.computed(
        x.dtype, x.shape, -1, 1, 1.2 * inner.err)])
    inner = g.emit("Add", [inner, g.constant(1, x.dtype)], [g.computed(
        x.dtype, x.shape, 0, 2, inner.err)])
    err = 2 * x.err + x.bound * inner.err
    inner = g.emit("Mul", [x, inner], [g.computed(
        x.dtype, x.shape, -2 * x.bound, 2 * x.bound, err)])
    g.emit("Mul", [inner, g.constant(0.5, x.dtype)], [g.computed(
        x.dtype, x.shape, -x.bound, x.bound, inner.err)])


def op_swish(g):
    """x times a sigmoid of x or of another value."""
    x = g.pick((F32, F32, F16))
    inner = x
    if g.chance(0.5):
        alpha = g.constant(g.choice((1.702, 0.5)), x.dtype)
        inner = g.emit("Mul", [x, alpha], [g.computed(
            x.dtype, x.shape, -2 * x.bound, 2 * x.bound, 2 * x.err)])
    gate = g.emit("Sigmoid", [inner], [g.computed(
        x.dtype, x.shape, 0, 1, inner.err / 4)])
    operands = [x, gate] if g.chance(0.5) else [gate, x]
    g.emit("Mul", operands, [g.computed(
        x.dtype, x.shape, -x.bound, x.bound, x.err + x.bound * gate.err)])


def op_resize(g):
    x = image(g, (F32, F32, F32, F16, U8), g.choice((1, 2, 2, 2, 3)))
    mode = g.choice(("nearest", "linear", "cubic"))
    spatial = x.rank - 2
    if mode == "cubic" and spatial != 2 or x.dtype == U8:
        mode = "nearest"
    scales = [1.0, 1.0] + [g.choice((1.0, 2.0, 0.5, 1.5, 3.0, 0.7))
                           for _ in range(spatial)]
    shape = [math.floor(dim * np.float32(scale))
             for dim, scale in zip(x.shape, scales)]
    if min(shape) < 1:
        raise Rejected("nothing left")
    empty = None
    operands = [x, empty, g.constant(scales, F32)]
    if g.chance(0.5):
        shape[2:] = [g.choice((1, 2, dim, 7, 2 * dim)) for dim in x.shape[2:]]
        operands = [x, empty, empty, g.constant(shape)]
    transform = g.choice(("half_pixel", "pytorch_half_pixel", "align_corners",
                          "asymmetric"))
    attributes = dict(mode=mode, coordinate_transformation_mode=transform)
    if mode == "nearest":
        attributes["nearest_mode"] = g.choice((
            "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
        result = g.same(x, shape)
    else:
        if mode == "cubic":
            attributes["cubic_coeff_a"] = g.choice((-0.75, -0.5))
            attributes["exclude_outside"] = int(g.chance(0.3))
        bound = x.bound * (1 if mode == "linear" else 4)
        result = g.computed(x.dtype, shape, -bound, bound,
                            4 * x.err + 8 * ROUNDING[x.dtype] * x.bound)
    g.emit("Resize", operands, [result], **attributes)


def op_grid_sample(g):
    x = image(g, (F32, F32, F64), 2)
    where = g.leaf(x.dtype, (x.shape[0], g.choice((1, 3, 7)),
                             g.choice((1, 4, 8)), 2), -1.2, 1.2, exact=False)
    reach = 8 * max(x.shape[2:]) * x.bound
    bound = 4 * x.bound
    g.emit("GridSample", [x, where], [g.computed(
        x.dtype, x.shape[:2] + where.shape[1:3], -bound, bound,
        4 * x.err + reach * ROUNDING[x.dtype])],
        mode=g.choice(("bilinear", "bicubic")),
        padding_mode=g.choice(("zeros", "border", "reflection")),
        align_corners=int(g.chance(0.5)))


def activate(g, value):
    act = g.choice(("Relu", "Relu", "Sigmoid", "HardSwish", "LeakyRelu",
                    "Tanh"))
    low, high = {"Relu": (0, max(value.high, 0)), "Sigmoid": (0, 1),
                 "Tanh": (-1, 1)}.get(act, (-value.bound, value.bound))
    return g.emit(act, [value], [g.computed(
        value.dtype, value.shape, low, high, 1.5 * value.err)])


def combine(g, op, a, b):
    """The sum or product of two values of one size, or of channels."""
    if op == "Add":
        result = g.computed(a.dtype, a.shape, a.low + b.low, a.high + b.high,
                            a.err + b.err)
    else:
        bound = a.bound * b.bound
        result = g.computed(a.dtype, a.shape, -bound, bound,
                            a.err * b.bound + b.err * a.bound)
    return g.emit(op, [a, b] if g.chance(0.5) else [b, a], [result])


def step_residual(g, x):
    value = activate(g, conv(g, x, True, same=True))
    value = conv(g, value, True, same=True)
    if value.shape != x.shape:
        x = conv(g, x, True, same=True)
    return combine(g, "Add", value, x) if value.shape == x.shape else value


def step_branches(g, x):
    parts = [activate(g, conv(g, x, True, same=True))
             for _ in range(g.between(2, 3))] + [x] * g.between(0, 1)
    channels = sum(part.shape[1] for part in parts)
    return g.emit("Concat", parts, [g.merged(
        parts, (x.shape[0], channels, *x.shape[2:]))], axis=1)


def step_squeeze(g, x):
    """A gate per channel."""
    gate = g.emit("GlobalAveragePool", [x], [g.computed(
        x.dtype, (*x.shape[:2], 1, 1), x.low, x.high, x.err)])
    weights = g.leaf(x.dtype, (x.shape[1], x.shape[1], 1, 1),
                     -1 / x.shape[1], 1 / x.shape[1], const=True)
    gate = g.emit("Conv", [gate, weights], [g.computed(
        x.dtype, gate.shape, -gate.bound, gate.bound, gate.err)])
    gate = g.emit("Sigmoid", [gate], [g.computed(
        x.dtype, gate.shape, 0, 1, gate.err)])
    return combine(g, "Mul", x, gate)


def step_shuffle(g, x):
    n, c, h, w = x.shape
    groups = g.choice([d for d in (1, 2, 3, 4) if c % d == 0])
    shape = (n, groups, c // groups, h, w)
    value = g.emit("Reshape", [x, g.constant(shape)], [g.same(x, shape)])
    shape = (n, c // groups, groups, h, w)
    value = g.emit("Transpose", [value], [g.same(value, shape)],
                   perm=[0, 2, 1, 3, 4])
    return g.emit("Reshape", [value, g.constant(x.shape)],
                  [g.same(value, x.shape)])


def step_last_to_first(g, x):
    """Channels last and back, with something between."""
    order = [0, 2, 3, 1]
    value = g.emit("Transpose", [x], [g.same(
        x, [x.shape[i] for i in order])], perm=order)
    value = activate(g, value)
    return g.emit("Transpose", [value], [g.same(value, x.shape)],
                  perm=[0, 3, 1, 2])


def step_split(g, x):
    half = x.shape[1] // 2
    if not half:
        return x
    a, b = g.emit("Split", [x, g.constant([half, x.shape[1] - half])], [
        g.same(x, (x.shape[0], part, *x.shape[2:]))
        for part in (half, x.shape[1] - half)], axis=1)
    a = activate(g, conv(g, a, True, same=True))
    return g.emit("Concat", [a, b], [g.merged([a, b], (
        x.shape[0], a.shape[1] + b.shape[1], *x.shape[2:]))], axis=1)


def step_conv(g, x):
    return activate(g, conv(g, x, True))


def step_pool(g, x):
    window = Window(g, x.shape[2:])
    op = g.choice(("MaxPool", "AveragePool"))
    if op == "AveragePool" and "dilations" in window.attributes:
        return x
    return g.emit(op, [x], [g.computed(
        x.dtype, (*x.shape[:2], *window.out), min(x.low, 0), max(x.high, 0),
        x.err)], kernel_shape=window.kernel, **window.attributes)


def op_network(g):
    """A small convolutional network."""
    x = image(g, (F32, F32, F32, F16), 2)
    if x.bound > 100:
        raise Rejected("too large to begin with")
    steps = (step_conv, step_conv, step_residual, step_branches, step_squeeze,
             step_shuffle, step_last_to_first, step_split, step_pool)
    for _ in range(g.between(2, 5)):
        x = g.choice(steps)(g, x)
    if g.chance(0.5):
        flat = (x.shape[0], math.prod(x.shape[1:]))
        x = g.emit("Flatten", [x], [g.same(x, flat)])
        weights = g.leaf(x.dtype, (flat[1], 10), -1 / flat[1], 1 / flat[1],
                         const=True)
        g.emit("Gemm", [x, weights], [g.computed(
            x.dtype, (flat[0], 10), -x.bound, x.bound, x.err)])


OPERATORS = {
    op_network: 3, op_conv: 6, op_conv_block: 4, op_conv_transpose: 2, op_pool: 5,
    op_global_pool: 1, op_matmul: 6, op_matmul_block: 4,
    op_gemm: 4, op_einsum: 1,
    op_batch_norm: 1, op_normalize: 3, op_softmax: 3, op_attention: 1,
    op_gelu: 1, op_swish: 1, op_resize: 2, op_grid_sample: 1,
}
