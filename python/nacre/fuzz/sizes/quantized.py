# ===- quantized.py - Bytes and fewer bits of dynamic sizes -----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws quantization, products of bytes and of weights of few bits."""

import numpy as np
from onnx import helper

from nacre.fuzz.graph import F16, F32, I32, U8, Rejected
from nacre.fuzz.sizes.graph import I8, MICROSOFT, Value
from nacre.fuzz.sizes.images import windows


def op_quantize(g):
    """To bytes, and mostly back; whole numbers and a scale that is a power of two
    leave no tie that rounding could break."""
    x = g.pick(F32, exact=True, accepts=lambda value: value.grid == 0)
    dtype = g.choice((U8, I8))
    zero = g.choice((0, 3, 128)) if dtype == U8 else g.choice((0, -5))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    scale, offset = g.weight(np.array(0.5), False, F32), g.weight(
        np.array(zero, dtype))
    codes = g.emit("QuantizeLinear", [x, scale, offset], [g.computed(
        dtype, [np.clip(array * 2 + zero, low, high).astype(dtype)
                for array in x.arrays])])
    if g.chance(0.8):
        g.emit("DequantizeLinear", [codes, scale, offset], [g.computed(
            F32, [(array.astype(np.float64) - zero) / 2
                  for array in codes.arrays], grid=-1)])


def rows_of_bytes(g):
    """Rows of bytes, and a zero point of their type."""
    x = g.rows(g.choice((U8, I8)))
    zero = g.choice((0, 3, 128)) if x.dtype == U8 else g.choice((0, 0, -5))
    return x, g.weight(np.array(zero, x.dtype))


def weights_of(g, shape, channels):
    """Bytes of another tensor, and one zero point or one for each channel."""
    dtype = g.choice((U8, I8))
    w = g.weight(g.rng.integers(0 if dtype == U8 else -128,
                                256 if dtype == U8 else 128,
                                shape).astype(dtype))
    count = (channels,) if g.chance(0.3) else ()
    return w, g.weight(g.rng.integers(0, 9, count).astype(dtype))


def wide(value, run, shape=None):
    """The elements as integers of any size."""
    array = value.arrays[run].astype(np.int64)
    return array if shape is None else array.reshape(shape)


def op_mat_mul_integer(g):
    x, zero = rows_of_bytes(g)
    depth = x.sizes[-1]
    columns = g.choice((1, 3, 8, 16, 33))
    w, offset = weights_of(g, (depth[0], columns), columns)
    g.emit("MatMulInteger", [x, w, zero, offset], [g.computed(I32, [
        ((wide(x, run) - wide(zero, run)) @ (wide(w, run) - wide(offset, run)))
        .astype(np.int32) for run in range(g.runs)])])


def op_conv_integer(g):
    channels, kernel = g.choice((1, 3, 4, 8)), g.choice((1, 3))
    pad, stride = kernel // 2, g.choice((1, 2))
    x = g.input(g.choice((U8, I8)), [g.size(), (channels,) * g.runs,
                                     g.size(), g.size()])
    if min(min(size) for size in x.sizes[2:]) < 1:
        raise Rejected("smaller than a window")
    zero = g.weight(np.array(g.between(0, 9), x.dtype))
    filters = g.choice((1, 4, 17))
    w, _ = weights_of(g, (filters, channels, kernel, kernel), filters)

    def function(run):
        view = windows(wide(x, run) - wide(zero, run), (kernel,) * 2, stride,
                       pad, 0)
        total = np.tensordot(view, wide(w, run), ([1, 4, 5], [1, 2, 3]))
        return np.moveaxis(total, -1, 1).astype(np.int32)

    g.emit("ConvInteger", [x, w, zero],
           [g.computed(I32, [function(run) for run in range(g.runs)])],
           kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)


def hidden(g, dtype, arrays):
    """A value that no other node reads, since right ones may differ in a step of
    its scale."""
    value = Value(dtype, arrays)
    value.name = g.name()
    return value


def op_dynamic_quantize(g):
    """A product of rows that become bytes in a run, as exporters write it."""
    x = g.rows(F32, least=1)
    depth = x.sizes[-1]
    if any(x.peak(run) < 0.1 for run in range(g.runs)):
        raise Rejected("no scale")
    scales = [(max(array.max(), 0) - min(array.min(), 0)) / 255
              for array in x.arrays]
    columns = g.choice((1, 3, 8, 16, 33))
    w, offset = weights_of(g, (depth[0], columns), columns)
    codes, scale, zero, total, sums, both = (
        hidden(g, dtype, x.arrays) for dtype in
        (U8, F32, U8, I32, F32, F32))
    share = g.weight(np.array(0.0625), False, F32)
    factors = [wide(w, run) - wide(offset, run) for run in range(g.runs)]
    peaks = [np.abs(factor).max(initial=0) * depth[0] / 16
             for factor in factors]
    for op, operands, results in (
            ("DynamicQuantizeLinear", [x], [codes, scale, zero]),
            ("MatMulInteger", [codes, w, zero, offset], [total]),
            ("Cast", [total], [sums]), ("Mul", [scale, share], [both])):
        g.nodes.append(helper.make_node(
            op, [value.name for value in operands],
            [value.name for value in results], g.name(op),
            **({"to": 1} if op == "Cast" else {})))
        g.used.update(value.name for value in operands)
    errors = [(scales[run] * 1.1 + 2 * x.errors[run]) * peaks[run]
              for run in range(g.runs)]
    g.emit("Mul", [sums, both], [Value(F32, [
        array @ factor / 16 for array, factor in zip(x.arrays, factors)],
        errors)])


def op_quantized_product(g):
    """Rows of bytes by weights of bytes between a DequantizeLinear and a
    QuantizeLinear, with scales that are powers of two."""
    x, zero = rows_of_bytes(g)
    depth = x.sizes[-1]
    columns = g.choice((1, 3, 8, 16, 33))
    w = g.weight(g.rng.integers(-64, 64, (depth[0], columns)).astype(np.int8))
    one, none = g.weight(np.array(1.0), False, F32), g.weight(
        np.array(0, np.int8))
    half = g.weight(np.array(0.5), False, F32)
    rows = g.emit("DequantizeLinear", [x, half, zero], [g.computed(
        F32, [(wide(x, run) - wide(zero, run)) / 2
              for run in range(g.runs)], grid=-1)])
    matrix = g.emit("DequantizeLinear", [w, one, none], [g.computed(
        F32, [array.astype(np.float64) for array in w.arrays], grid=0)])
    results = [a @ b for a, b in zip(rows.arrays, matrix.arrays)]
    total = g.emit("MatMul", [rows, matrix], [g.computed(
        F32, results, grid=-1,
        peaks=[rows.peak(run) * 64 * depth[0] for run in range(g.runs)])])
    if g.chance(0.5):
        total = g.emit("Relu", [total], [g.moved(
            total, lambda array: np.maximum(array, 0))])
    if not total.exact:
        raise Rejected("a tie that rounding may break")
    power = g.choice((4, 6, 8))
    scale = g.weight(np.array(2.0 ** power), False, F32)
    offset = g.weight(np.array(g.choice((0, 5)), np.int8))
    g.emit("QuantizeLinear", [total, scale, offset], [g.computed(
        I8, [np.clip(np.rint(array / 2 ** power) + int(offset.arrays[0]),
                     -128, 127).astype(np.int8) for array in total.arrays])])


def packed_codes(codes, bits):
    """Codes along the last axis, as many as a byte has room for in each."""
    count = 8 // bits
    return sum(codes[..., i::count] << bits * i for i in range(count))


def op_mat_mul_n_bits(g):
    """Rows by weights of two, four or eight bits, in blocks with a scale each."""
    if g.float not in (F16, F32):
        raise Rejected("another type")
    x = g.rows(g.float, (16, 32, 48, 96),
               accepts=lambda value: value.sizes[-1][0] % 16 == 0)
    depth, columns = x.sizes[-1][0], g.choice((1, 3, 8, 16, 33))
    block, bits = g.choice((16, 16, 32)), g.choice((2, 4, 4, 8))
    blocks = -(-depth // block)
    codes = g.rng.integers(0, 2 ** bits, (columns, blocks, block))
    packed = packed_codes(codes, bits)
    scales = g.choice((0.125, 0.5)) * np.ones((columns, blocks))
    operands = [x, g.weight(packed.astype(np.uint8)),
                g.weight(scales.reshape(-1), False)]
    zeros = np.full((columns, blocks), 2 ** (bits - 1))
    if g.chance(0.5):
        zeros = g.rng.integers(0, 2 ** bits, (columns, blocks))
        whole = np.pad(zeros, [(0, 0), (0, -blocks % (8 // bits))])
        operands.append(g.weight(packed_codes(whole, bits).astype(
            np.uint8).reshape(-1)))
    matrix = ((codes - zeros[..., None]) * scales[..., None]).reshape(
        columns, -1)[:, :depth].T
    peak = np.abs(matrix).max()
    # A row of bytes has two for each element.
    errors = [depth * peak * (x.errors[run] + 2.0 ** -12 * x.peak(run))
              for run in range(g.runs)]
    g.emit("MatMulNBits", operands, [g.computed(
        g.float, [array @ matrix for array in x.arrays], errors)],
        domain=MICROSOFT, K=depth, N=columns, bits=bits, block_size=block)


OPERATORS = {
    op_quantize: 2, op_mat_mul_integer: 1, op_conv_integer: 1,
    op_dynamic_quantize: 1, op_quantized_product: 2, op_mat_mul_n_bits: 2,
}
