# ===- quantized.py - Random quantized layers --------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws quantization, dequantization and what lies between the two.

Scales are powers of two, mostly: the products and sums of a quantized layer
are exact then, and so is what is rounded, ties included.
"""

import math

import numpy as np

from nacre.fuzz.graph import F32, I8, I32, U8, Rejected
from nacre.fuzz.images import Window, image

BYTES = (I8, U8)


def scale(g, low=-4, high=0):
    return g.constant(2.0 ** g.between(low, high), F32)


def exponent(value):
    return int(math.log2(float(value.data.min())))


def zero_point(g, dtype):
    if dtype == I8 and g.chance(0.6) or dtype == I32:
        return g.constant(0, dtype)
    return g.constant(g.between(100, 140) if dtype == U8 else
                      g.between(-5, 5), dtype)


def quantize(g, x, dtype=None):
    dtype = dtype or g.choice(BYTES)
    zero = zero_point(g, dtype)
    info = np.iinfo(dtype)
    return g.emit("QuantizeLinear", [x, scale(g), zero],
                  [g.computed(dtype, x.shape, info.min, info.max)])


def dequantize(g, x, per_axis=None):
    """x as f32, on the grid of its scale."""
    zero = zero_point(g, x.dtype)
    if per_axis is None:
        factor = scale(g)
        attributes = {}
    else:
        count = x.shape[per_axis]
        factor = g.constant(2.0 ** g.rng.integers(-4, 1, count), F32)
        zero = g.constant(np.full(count, zero.data), x.dtype)
        attributes = {"axis": per_axis}
    top = float(factor.data.max())
    low, high = x.low - float(zero.data.min()), x.high - float(zero.data.min())
    return g.emit("DequantizeLinear", [x, factor, zero], [g.computed(
        F32, x.shape, low * top, high * top, 0, exponent(factor))],
        **attributes)


def op_quantize(g):
    x = g.pick((F32,), exact=True)
    value = quantize(g, x)
    if g.chance(0.5):
        dequantize(g, value)


def op_dequantize(g):
    x = g.pick(BYTES + (I32,), accepts=lambda v: v.bound <= 300)
    axis = g.between(0, x.rank - 1) if x.rank and g.chance(0.3) else None
    dequantize(g, x, axis)


def op_qdq_conv(g):
    """Dequantize, convolve, quantize: what an integer convolution replaces."""
    x = image(g, BYTES, 2)
    channels, dims = x.shape[1], x.shape[2:]
    window = Window(g, dims)
    group = g.choice([d for d in (1, 1, 1, channels) if channels % d == 0])
    filters = group if group > 1 else g.choice((1, 4, 7, 8, 16, 17, 33))
    weights = g.leaf(I8, (filters, channels // group, *window.kernel),
                     -127, 127, const=True)
    operands = [dequantize(g, x),
                dequantize(g, weights, 0 if g.chance(0.5) else None)]
    count = math.prod(weights.shape[1:])
    peak = count * operands[0].bound * operands[1].bound
    grid = operands[0].grid + operands[1].grid
    if g.chance(0.5):
        bias = g.leaf(I32, (filters,), -1000, 1000, const=True)
        factor = g.constant(2.0 ** grid, F32)
        operands.append(g.emit("DequantizeLinear", [bias, factor], [g.computed(
            F32, bias.shape, bias.low * 2.0 ** grid, bias.high * 2.0 ** grid,
            0, grid)]))
        peak += operands[-1].bound
    value = g.computed(F32, (x.shape[0], filters, *window.out), -peak, peak,
                       0, grid)
    if not value.exact or window.kernel == [3, 3] and group == 1:
        raise Rejected("the sums would round")
    value = g.emit("Conv", operands, [value], group=group,
                   **window.attributes)
    if g.chance(0.4):
        result = g.same(value, value.shape)
        result.low = 0
        value = g.emit("Relu", [value], [result])
    if g.chance(0.8):
        quantize_wide(g, value)


def quantize_wide(g, value):
    """Quantizes sums: the scale is of their size."""
    dtype = g.choice(BYTES)
    info = np.iinfo(dtype)
    # Sums of nothing but zeros have any scale.
    factor = g.constant(2.0 ** (math.ceil(math.log2(value.bound or 1)) -
                                g.between(7, 10)), F32)
    g.emit("QuantizeLinear", [value, factor, zero_point(g, dtype)],
           [g.computed(dtype, value.shape, info.min, info.max)])


def op_qdq_matmul(g):
    rows, depth, columns = (g.choice((1, 3, 7, 8, 16, 17, 33))
                            for _ in range(3))
    a = g.pick(BYTES, shape=(rows, depth))
    b = g.leaf(I8, (depth, columns), -127, 127, const=g.chance(0.8))
    left = dequantize(g, a)
    right = dequantize(g, b, 1 if g.chance(0.3) else None)
    peak = depth * left.bound * right.bound
    value = g.computed(F32, (rows, columns), -peak, peak, 0,
                       left.grid + right.grid)
    if not value.exact:
        raise Rejected("the sums would round")
    value = g.emit("MatMul", [left, right], [value])
    if g.chance(0.8):
        quantize_wide(g, value)


def op_qdq_add(g):
    """Two quantized values, added or multiplied, and quantized again."""
    a = g.pick(BYTES)
    b = g.pick(BYTES, shape=a.shape if g.chance(0.7)
               else g.broadcast_shape(a.shape, True))
    left, right = dequantize(g, a), dequantize(g, b)
    op = g.choice(("Add", "Add", "Mul"))
    if op == "Add":
        value = g.computed(F32, a.shape, left.low + right.low,
                           left.high + right.high, 0,
                           min(left.grid, right.grid))
    else:
        peak = left.bound * right.bound
        value = g.computed(F32, a.shape, -peak, peak, 0,
                           left.grid + right.grid)
    value = g.emit(op, [left, right], [value])
    if g.chance(0.3):
        result = g.same(value, value.shape)
        result.low = 0
        value = g.emit("Relu", [value], [result])
    quantize_wide(g, value)


def op_qdq_move(g):
    """What moves quantized elements without computing, between the two."""
    x = image(g, BYTES, 2)
    value = dequantize(g, x)
    kind = g.choice(("MaxPool", "Transpose", "Reshape", "Concat", "Relu"))
    if kind == "MaxPool":
        window = Window(g, x.shape[2:], ceils=True)
        value = g.emit(kind, [value], [g.same(
            value, (*x.shape[:2], *window.out))],
            kernel_shape=window.kernel, **window.attributes)
    elif kind == "Transpose":
        value = g.emit(kind, [value], [g.same(
            value, [x.shape[i] for i in (0, 2, 3, 1)])], perm=[0, 2, 3, 1])
    elif kind == "Reshape":
        shape = (x.shape[0], x.size // x.shape[0])
        value = g.emit(kind, [value, g.constant(shape)],
                       [g.same(value, shape)])
    elif kind == "Concat":
        shape = (2 * x.shape[0], *x.shape[1:])
        value = g.emit(kind, [value, value], [g.same(value, shape)], axis=0)
    else:
        result = g.same(value, value.shape)
        result.low, result.high = max(value.low, 0), max(value.high, 0)
        value = g.emit(kind, [value], [result])
    if value.bound == 0:
        raise Rejected("nothing but zeros")
    quantize_wide(g, value)


def op_qlinear_conv(g):
    x = image(g, BYTES, 2)
    channels, dims = x.shape[1], x.shape[2:]
    window = Window(g, dims)
    group = g.choice([d for d in (1, 1, 1, channels) if channels % d == 0])
    filters = group if group > 1 else g.choice((1, 4, 7, 8, 16, 17, 33))
    weights = g.leaf(g.choice((I8, x.dtype)),
                     (filters, channels // group, *window.kernel), -127, 127,
                     const=True)
    weight_scale = scale(g)
    weight_zero = g.constant(0 if weights.dtype == I8 else 128,
                             weights.dtype)
    if g.chance(0.4):
        weight_scale = g.constant(2.0 ** g.rng.integers(-4, 1, filters), F32)
        weight_zero = g.constant(np.full(filters, weight_zero.data),
                                 weights.dtype)
    dtype = x.dtype
    info = np.iinfo(dtype)
    operands = [x, scale(g), zero_point(g, x.dtype), weights, weight_scale,
                weight_zero, g.constant(2.0 ** g.between(2, 9), F32),
                zero_point(g, dtype)]
    if g.chance(0.5):
        operands.append(g.leaf(I32, (filters,), -3000, 3000, const=True))
    g.emit("QLinearConv", operands, [g.computed(
        dtype, (x.shape[0], filters, *window.out), info.min, info.max)],
        group=group, **window.attributes)


def op_qlinear_matmul(g):
    rows, depth, columns = (g.choice((1, 3, 7, 8, 16, 17, 33))
                            for _ in range(3))
    batch = (g.choice((1, 2)),) if g.chance(0.3) else ()
    a = g.pick(BYTES, shape=(*batch, rows, depth))
    b = g.leaf(a.dtype, (*batch, depth, columns), const=g.chance(0.8))
    info = np.iinfo(a.dtype)
    g.emit("QLinearMatMul", [
        a, scale(g), zero_point(g, a.dtype), b, scale(g),
        zero_point(g, b.dtype), g.constant(2.0 ** g.between(2, 9), F32),
        zero_point(g, a.dtype)], [g.computed(
            a.dtype, (*batch, rows, columns), info.min, info.max)])


def op_integer(g):
    """MatMulInteger and ConvInteger."""
    if g.chance(0.5):
        rows, depth, columns = (g.choice((1, 3, 7, 8, 16, 17, 33))
                                for _ in range(3))
        a = g.pick(BYTES, shape=(rows, depth))
        b = g.leaf(g.choice(BYTES), (depth, columns), const=g.chance(0.7))
        operands = [a, b]
        if g.chance(0.6):
            operands += [zero_point(g, a.dtype), zero_point(g, b.dtype)]
        bound = depth * 256.0 ** 2
        g.emit("MatMulInteger", operands, [g.computed(
            I32, (rows, columns), -bound, bound)])
        return
    x = image(g, (U8,), 2)
    window = Window(g, x.shape[2:])
    weights = g.leaf(U8, (g.choice((1, 4, 7, 17)), x.shape[1],
                          *window.kernel), 0, 255, const=g.chance(0.7))
    operands = [x, weights]
    if g.chance(0.6):
        operands += [zero_point(g, U8), g.constant(128, U8)]
    bound = math.prod(weights.shape[1:]) * 256.0 ** 2
    g.emit("ConvInteger", operands, [g.computed(
        I32, (x.shape[0], weights.shape[0], *window.out), -bound, bound)],
        **window.attributes)


OPERATORS = {
    op_quantize: 3, op_dequantize: 3, op_qdq_conv: 3, op_qdq_matmul: 2,
    op_qdq_add: 2, op_qdq_move: 2, op_qlinear_conv: 2, op_qlinear_matmul: 1, op_integer: 1,
}
