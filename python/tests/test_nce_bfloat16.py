# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the NCE operations on bf16 against numpy.

Operands are bf16 numbers, sums are f32. Only the last step rounds, so that a
result is at most one unit of bf16's last place from numpy's.
"""

import numpy as np

from nce_cases import (Case, block_bias, make_fixture, memref, opened,
                       parametrize, taps, transform_filters)
from nacre import tolerances

rng = np.random.default_rng(3)


def narrow(values):
    """The bits of the nearest bf16 numbers, half to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def widen(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def random(*shape):
    return narrow(rng.standard_normal(shape))


def pack(weights, count):
    """(..., K, lanes) to (..., K / count, lanes, count)."""
    if count == 1:
        return weights
    *outer, steps, lanes = weights.shape
    return weights.reshape(*outer, steps // count, count, lanes).swapaxes(
        -1, -2)


def convolution(name, x_blocks, x_lanes, y_blocks, y_lanes, kernel, stride,
                height, width, residual=False, result=narrow, channels=None):
    """`channels` are those of the last block that hold data."""
    x = random(1, x_blocks, height, width, x_lanes)
    w = random(y_blocks, x_blocks, kernel, kernel, x_lanes, y_lanes)
    if channels:
        x[:, -1, ..., channels:] = 0
        w[:, -1, ..., channels:, :] = 0
    b = rng.standard_normal((y_blocks, y_lanes)).astype(np.float32)
    rows, row_taps = taps(height, kernel, stride, 1)
    columns, column_taps = taps(width, kernel, stride, 1)
    y = np.zeros((1, y_blocks, rows, columns, y_lanes)) + block_bias(b)
    for i, r in enumerate(row_taps):
        for j, c in enumerate(column_taps):
            y += np.einsum("nbhwx,obxy->nohwy",
                           widen(x)[:, :, r, c].astype(np.float64),
                           widen(w)[:, :, i, j])
    extra, clause = [], ""
    if residual:
        extra = [random(*y.shape)]
        y += widen(extra[0])
        clause = f" residual(%a3 : {memref(extra[0])})"
    y = result(np.maximum(y, 0))
    known = ""
    if channels:
        # Nobody says what is beyond them.
        x[:, -1, ..., channels:] = narrow(np.nan)
        known = (f", inputChannels = {(x_blocks - 1) * x_lanes + channels} "
                 ": i64")
    for count in (1, 2):
        weights = pack(w, count)
        yield Case(f"{name}_pack{count}", [x, weights, b, *extra], y,
                   f"VPU.NCE.Convolution ins(%a0, %a1 : {memref(x)}, "
                   f"{memref(weights)}) bias(%a2 : {memref(b)}){clause} "
                   f"outs(%a{3 + len(extra)} : {memref(y)}) "
                   f"{{strides = array<i64: {stride}, {stride}>, "
                   f"ppe = #VPU.PPE<mode = RELU>{known}}}", pack=count)


def winograd(name, tile, x_blocks, y_blocks, rows, columns):
    """Of 16 lanes; transformed weights and inputs are rounded once more."""
    x = random(1, x_blocks, rows + 2, columns + 2, 16)
    w = rng.standard_normal((y_blocks, x_blocks, 3, 3, 16, 16))
    w /= 12 * np.sqrt(x_blocks)
    b = rng.standard_normal((y_blocks, 16)).astype(np.float32)
    r = random(1, y_blocks, rows, columns, 16)
    y = np.zeros(r.shape) + block_bias(b) + widen(r)
    for i in range(3):
        for j in range(3):
            y += np.einsum("nbhwx,obxy->nohwy",
                           widen(x)[:, :, i:i + rows, j:j + columns],
                           w[:, :, i, j])
    y = narrow(y)
    for count in (1, 2):
        u = pack(narrow(transform_filters(w, tile)), count)
        case = Case(f"winograd_{name}_pack{count}", [x, u, b, r], y,
                    f"VPU.NCE.WinogradConvolution ins(%a0, %a1 : {memref(x)}, "
                    f"{memref(u)}) bias(%a2 : {memref(b)}) residual(%a3 : "
                    f"{memref(r)}) outs(%a4 : {memref(y)}) "
                    f"{{tileSize = {tile} : i64}}", lanes=16, pack=count)
        yield case
        yield opened(case, [0, 3, 4])


def matmul(name, batch, m, k, n, panel):
    """The multiplication, and the packing of its right side in both orders
    from bf16 and from f32."""
    a, b = random(batch, m, k), random(batch, k, n)
    panels = np.zeros((batch, -(-n // panel), k, panel), np.uint16)
    for j in range(n):
        panels[:, j // panel, :, j % panel] = b[:, :, j]
    y = narrow(widen(a).astype(np.float64) @ widen(b))
    for count in (1, 2):
        packed = np.ascontiguousarray(pack(panels, count))
        yield Case(f"{name}_pack{count}", [a, packed], y,
                   f"VPU.NCE.MatMul ins(%a0, %a1 : {memref(a)}, "
                   f"{memref(packed)}) outs(%a2 : {memref(y)})", pack=count)
        for order, source in (("KN", b), ("NK", b.transpose(0, 2, 1))):
            for kind, matrix in (("bf16", source), ("f32", widen(source))):
                yield Case(f"{name}_{order}_{kind}_pack{count}", [matrix],
                           packed, f"VPU.Copy ins(%a0 : {memref(matrix)}) "
                           f"outs(%a1 : {memref(packed)}) "
                           f"{{srcOrder = #VPU.order<{order}>, "
                           "dstOrder = #VPU.order<KNn>}",
                           pack=count)


def conversions():
    x = random(1, 40, 5, 7)
    blocked = np.zeros((1, 48, 5, 7), np.uint16)
    blocked[:, :40] = x
    blocked = np.ascontiguousarray(
        blocked.reshape(1, 3, 16, 5, 7).transpose(0, 1, 3, 4, 2))
    order = ("{{srcOrder = #VPU.order<{}>, dstOrder = #VPU.order<{}>}}")
    for name, source, result, orders in (
            ("block", widen(x), blocked, ("NCHW", "NCHWc")),
            ("unblock", blocked, widen(x), ("NCHWc", "NCHW")),
            ("narrow", widen(blocked), blocked, ("ANY", "ANY")),
            ("widen", blocked, widen(blocked), ("ANY", "ANY"))):
        yield Case(f"copy_{name}", [source], result,
                   f"VPU.Copy ins(%a0 : {memref(source)}) "
                   f"outs(%a1 : {memref(result)}) {order.format(*orders)}")


def others():
    a, b = random(1, 2, 3, 5, 7), random(1, 2, 3, 5, 7)
    y = narrow(widen(a) + widen(b))
    yield Case("eltwise", [a, b], y,
               f"VPU.NCE.Eltwise ins(%a0, %a1 : {memref(a)}, {memref(b)}) "
               f"outs(%a2 : {memref(y)}) {{kind = #VPU.eltwise<ADD>}}")
    x = random(1, 2, 6, 9, 33)
    y = np.maximum(widen(x)[:, :, :, 1:], widen(x)[:, :, :, :-1])
    y = narrow(np.maximum(y[:, :, 1:], y[:, :, :-1]))
    yield Case("max_pool", [x], y,
               f"VPU.NCE.MaxPool ins(%a0 : {memref(x)}) "
               f"outs(%a1 : {memref(y)}) {{kernel = array<i64: 2, 2>}}")
    w = rng.standard_normal((2, 2, 2, 33)).astype(np.float32)
    y = np.zeros((1, 2, 5, 8, 33))
    for i in range(2):
        for j in range(2):
            y += (widen(x)[:, :, i:i + 5, j:j + 8]
                  * w[None, :, None, None, i, j])
    y = narrow(y)
    yield Case("depthwise", [x, w], y,
               f"VPU.NCE.DepthConvolution ins(%a0, %a1 : {memref(x)}, "
               f"{memref(w)}) outs(%a2 : {memref(y)})")
    w = rng.standard_normal((2, 2, 2, 2, 20)).astype(np.float32)
    x, b = random(1, 2, 6, 9, 20), rng.standard_normal((2, 20), np.float32)
    r = random(1, 2, 5, 8, 20)
    y = np.zeros(r.shape) + block_bias(b) + widen(r)
    for i in range(2):
        for j in range(2):
            for d in range(2):
                y += (widen(x)[:, :, i:i + 5, j:j + 8]
                      * block_bias(w[:, i, j, d]))[..., np.arange(20) ^ d]
    y = narrow(y)
    yield Case("groups", [x, w, b, r], y,
               f"VPU.NCE.GroupConvolution ins(%a0, %a1 : {memref(x)}, "
               f"{memref(w)}) bias(%a2 : {memref(b)}) residual(%a3 : "
               f"{memref(r)}) outs(%a4 : {memref(y)})")


def packed_groups(size, rows, columns):
    """Groups of `size` channels in blocks of 16, multiplied in pairs: lane l has
    pair l mod 8 of a pixel, and is of the output channel `output(l)`."""
    pairs = size // 2

    def output(lane):
        return (lane % 8 // pairs * size + lane // 8 * pairs
                + lane % 8 % pairs)

    dense = random(2, 3, 3, 16, size)  # output channel, input of its group
    x = random(1, 2, rows + 2, columns + 2, 16)
    b = rng.standard_normal((2, 16)).astype(np.float32)
    r = random(1, 2, rows, columns, 16)
    w = np.zeros((2, 3, 3, pairs, 16, 2), np.uint16)
    for d in range(pairs):
        for lane in range(16):
            for j in range(2):
                w[..., d, lane, j] = dense[..., output(lane ^ d),
                                           (lane % 8 * 2 + j) % size]
    y = np.zeros(r.shape) + block_bias(b) + widen(r)
    for i in range(3):
        for j in range(3):
            pixels = widen(x)[:, :, i:i + rows, j:j + columns].reshape(
                1, 2, rows, columns, 16 // size, size).astype(np.float64)
            weights = widen(dense)[:, i, j].reshape(2, 16 // size, size, size)
            y += np.einsum("nbhwgi,bgoi->nbhwgo", pixels,
                           weights).reshape(y.shape)
    y = narrow(y)
    case = Case(f"groups_of_{size}", [x, w, b, r], y,
                f"VPU.NCE.GroupConvolution ins(%a0, %a1 : {memref(x)}, "
                f"{memref(w)}) bias(%a2 : {memref(b)}) residual(%a3 : "
                f"{memref(r)}) outs(%a4 : {memref(y)})", lanes=16, pack=2)
    yield case
    yield opened(case, [0, 3, 4])


def cases():
    yield from convolution("conv3x3", 2, 16, 3, 16, 3, 1, 9, 11, residual=True)
    yield from convolution("conv_strided", 1, 8, 1, 20, 3, 2, 12, 9)
    yield from convolution("conv1x1", 3, 16, 5, 16, 1, 1, 7, 7)
    yield from convolution("conv_to_f32", 1, 4, 2, 16, 5, 1, 8, 9,
                           result=np.float32)
    # More columns than a tile of a matrix unit has, and not a multiple of them.
    yield from convolution("conv_wide", 2, 16, 2, 16, 3, 1, 5, 37,
                           residual=True)
    yield from convolution("conv1x1_strided", 2, 16, 3, 16, 1, 2, 13, 35)
    # Of enough output channels for a matrix unit's tiles to be packed.
    yield from convolution("conv1x1_packed", 6, 16, 9, 16, 1, 1, 6, 50,
                           residual=True)
    # Weights beyond the cache, which are asked for ahead.
    yield from convolution("conv_streams", 12, 16, 9, 16, 3, 1, 9, 9)
    yield from winograd("whole_tiles", 4, 2, 3, 8, 12)
    yield from winograd("part_tiles", 4, 1, 2, 5, 7)
    yield from winograd("small_tiles", 2, 2, 3, 7, 5)
    # Weights beyond the cache, which are asked for ahead.
    yield from winograd("streams", 4, 12, 9, 9, 30)
    yield from matmul("matmul", 2, 13, 34, 50, 16)
    yield from matmul("matmul_narrow", 1, 5, 8, 3, 16)
    yield from matmul("matmul_wide", 1, 4, 66, 81, 32)
    yield from matmul("matmul_deep", 2, 35, 64, 70, 32)
    yield from conversions()
    yield from others()
    for size in (2, 4, 8):
        yield from packed_groups(size, 5, 11)
    yield from convolution("conv_part_block", 3, 16, 3, 16, 3, 1, 9, 19,
                           residual=True, channels=6)
    yield from convolution("conv_only_part_block", 1, 16, 2, 16, 3, 2, 9, 37,
                           channels=10)
    # Rows that share the tiles of a matrix unit, of few weights.
    yield from convolution("conv_short_rows", 8, 16, 3, 16, 3, 1, 9, 9,
                           residual=True)
    # Right tiles pass the first cache by, of a shallow product and a deep one.
    yield from matmul("matmul_shallow", 2, 215, 256, 200, 16)
    yield from matmul("matmul_very_deep", 1, 37, 1056, 48, 16)


CASES = {case.name: case for case in cases()}
library = make_fixture(CASES)


@parametrize(CASES)
def test_kernel_of_bfloat16_rounds_once(library, name):
    case = CASES[name]
    result, expected = case.run(library), case.expected
    if result.dtype == np.float32:
        np.testing.assert_allclose(result, expected,
                                   **tolerances.CANCELLATION)
        return
    if name.startswith("copy") or "KN" in name or "NK" in name:
        np.testing.assert_array_equal(result, expected)
        return
    if name.startswith("winograd"):
        np.testing.assert_allclose(widen(result), widen(expected),
                                   **tolerances.BFLOAT16_WINOGRAD)
        return
    np.testing.assert_allclose(widen(result), widen(expected),
                               **tolerances.BFLOAT16_ROUNDING)
