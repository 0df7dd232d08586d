# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the NCE operations and of VPU.Copy against numpy.

Every case is a function of one operation on memrefs. All of them go through
`nacre-opt -convert-vpu-to-vector -lower-to-llvm` in one module, and clang makes
a library of it for the machine at hand. The sizes are odd ones on purpose:
rows, columns and channels that no register tile divides.
"""

import math

import numpy as np

from nce_cases import (Case, LANES, block_bias, copies, make_fixture, memref,
                       opened, parametrize, taps, transform_filters)
from nacre import tolerances

ACTIVATIONS = {
    "": ("", lambda y: y),
    "RELU": ("mode = RELU", lambda y: np.maximum(y, 0)),
    "CLAMP": ("mode = CLAMP, low = -0.5 : f32, high = 0.5 : f32",
              lambda y: np.clip(y, -0.5, 0.5)),
    "LRELU": ("mode = LRELU, slope = 0.1 : f32",
              lambda y: np.where(y < 0, 0.1 * y, y)),
    "SIGMOID": ("mode = SIGMOID", lambda y: 1 / (1 + np.exp(-y))),
    "TANH": ("mode = TANH", np.tanh),
    "HSIGMOID": ("mode = HSIGMOID, slope = 0.2 : f32",
                 lambda y: np.clip(y * 0.2 + 0.5, 0, 1)),
    "HSWISH": ("mode = HSWISH", lambda y: y * np.clip(y / 6 + 0.5, 0, 1)),
    "SWISH": ("mode = SWISH, slope = 1.5 : f32",
              lambda y: y / (1 + np.exp(-1.5 * y))),
    "MISH": ("mode = MISH", lambda y: y * np.tanh(np.log1p(np.exp(y)))),
    "ELU": ("mode = ELU, slope = 0.7 : f32",
            lambda y: np.where(y < 0, 0.7 * np.expm1(y), y)),
    "GELU": ("mode = GELU",
             lambda y: y / 2 * (1 + np.vectorize(math.erf)(y / np.sqrt(2)))),
    "GELU_TANH": ("mode = GELU_TANH",
                  lambda y: y / 2 * (1 + np.tanh(
                      np.sqrt(2 / np.pi) * (y + 0.044715 * y ** 3)))),
}

rng = np.random.default_rng(1)


def random(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def epilogue(y, index, bias, residual, mode, spread=lambda b: b):
    """Clauses, operands and values of what follows the accumulation."""
    clauses, operands = "", []
    for kind, array in (("bias", bias), ("residual", residual)):
        if array is not None:
            clauses += f" {kind}(%a{index + len(operands)} : {memref(array)})"
            operands.append(array)
            y = y + (spread(array) if kind == "bias" else array)
    text, apply = ACTIVATIONS[mode]
    ppe = f"ppe = #VPU.PPE<{text}>" if text else ""
    return clauses, operands, apply(y), ppe


def convolution(name, x_blocks, x_lanes, y_blocks, y_lanes, kernel, stride,
                dilation, groups, height, width, mode, bias=True,
                residual=False, batch=1, channels=None):
    """`channels` of a group's inputs hold data; the others must not be read."""
    x = random(batch, x_blocks, height, width, x_lanes)
    w = random(y_blocks, x_blocks // groups, kernel, kernel, x_lanes,
               y_lanes) / kernel
    if channels:
        unused = x_blocks // groups * x_lanes - channels
        x.reshape(batch, groups, -1, height, width, x_lanes)[
            :, :, -1, ..., x_lanes - unused:] = np.nan
        w[:, -1, :, :, x_lanes - unused:] = 0
    rows, row_taps = taps(height, kernel, stride, dilation)
    columns, column_taps = taps(width, kernel, stride, dilation)
    y = np.zeros((batch, y_blocks, rows, columns, y_lanes))
    finite = np.nan_to_num(x)
    for ob in range(y_blocks):
        first = ob // (y_blocks // groups) * w.shape[1]
        for ib in range(w.shape[1]):
            for i, r in enumerate(row_taps):
                for j, c in enumerate(column_taps):
                    y[:, ob] += (finite[:, first + ib, r, c].astype(np.float64)
                                 @ w[ob, ib, i, j])
    b = random(y_blocks, y_lanes) if bias else None
    r = random(*y.shape) if residual else None
    clauses, operands, y, ppe = epilogue(y, 2, b, r, mode, block_bias)
    attributes = ", ".join(filter(None, [
        f"strides = array<i64: {stride}, {stride}>",
        f"dilations = array<i64: {dilation}, {dilation}>",
        f"groups = {groups} : i64",
        f"inputChannels = {channels} : i64" if channels else "", ppe]))
    text = (f"VPU.NCE.Convolution ins(%a0, %a1 : {memref(x)}, {memref(w)})"
            f"{clauses} outs(%a{2 + len(operands)} : {memref(y)}) "
            f"{{{attributes}}}")
    return Case(name, [x, w, *operands], y, text)


def finished(op, name, x, w, y, stride, dilation, mode, bias, residual, **other):
    """The case of an op whose sums of products, channel by channel, are Y."""
    b = random(y.shape[1], y.shape[-1]) if bias else None
    r = random(*y.shape) if residual else None
    clauses, operands, y, ppe = epilogue(y, 2, b, r, mode, block_bias)
    attributes = ", ".join(filter(None, [
        f"strides = array<i64: {stride}, {stride}>",
        f"dilations = array<i64: {dilation}, {dilation}>", ppe]))
    text = (f"VPU.NCE.{op} ins(%a0, %a1 : {memref(x)}, {memref(w)})"
            f"{clauses} outs(%a{2 + len(operands)} : {memref(y)}) "
            f"{{{attributes}}}")
    return Case(name, [x, w, *operands], y, text, **other)


def depth_convolution(name, blocks, lanes, kernel, stride, dilation, height,
                      width, mode, bias=True, residual=False):
    x = random(1, blocks, height, width, lanes)
    w = random(blocks, kernel, kernel, lanes)
    rows, row_taps = taps(height, kernel, stride, dilation)
    columns, column_taps = taps(width, kernel, stride, dilation)
    y = np.zeros((1, blocks, rows, columns, lanes))
    for i, r in enumerate(row_taps):
        for j, c in enumerate(column_taps):
            y += x[:, :, r, c] * block_bias(w[:, i, j])
    return finished("DepthConvolution", name, x, w, y, stride, dilation, mode,
                    bias, residual)


def group_convolution(name, blocks, lanes, size, kernel, stride, dilation,
                      height, width, mode, bias=True, residual=False, batch=1,
                      vector=None):
    """Groups of `size` channels. Weight d of an input channel is that of the
    output channel whose number differs from its own by the bits of d."""
    x = random(batch, blocks, height, width, lanes)
    w = random(blocks, kernel, kernel, size, lanes) / kernel
    rows, row_taps = taps(height, kernel, stride, dilation)
    columns, column_taps = taps(width, kernel, stride, dilation)
    y = np.zeros((batch, blocks, rows, columns, lanes))
    for i, r in enumerate(row_taps):
        for j, c in enumerate(column_taps):
            for d in range(size):
                y += (x[:, :, r, c] * block_bias(w[:, i, j, d]))[
                    ..., np.arange(lanes) ^ d]
    return finished("GroupConvolution", name, x, w, y, stride, dilation, mode,
                    bias, residual, lanes=vector)


def group_cases():
    """Groups that vectors of all architectures hold, or of 16 lanes."""
    group = group_convolution
    yield group("group_of_2", 2, 16, 2, 3, 1, 1, 9, 17, "RELU")
    yield group("group_of_4", 3, 16, 4, 3, 1, 1, 9, 12, "CLAMP",
                residual=True)
    yield group("group_strided", 2, 32, 4, 3, 2, 1, 15, 31, "", bias=False)
    yield group("group_dilated", 1, 24, 4, 5, 1, 2, 12, 13, "LRELU", batch=2)
    yield group("group_1x1", 2, 16, 2, 1, 1, 1, 7, 7, "", residual=True)
    yield group("group_of_few_lanes", 1, 6, 2, 3, 1, 1, 5, 5, "SIGMOID")
    yield group("group_one_pixel", 1, 16, 4, 3, 1, 1, 3, 3, "")
    yield group("group_of_1", 2, 16, 1, 3, 1, 1, 6, 9, "")
    yield group("group_of_8", 2, 16, 8, 3, 1, 1, 7, 11, "HSWISH",
                residual=True, vector=16)
    yield group("group_of_16", 1, 16, 16, 1, 1, 1, 4, 5, "", vector=16)


def winograd(name, lanes, x_blocks, y_blocks, rows, columns, mode, bias=True,
             residual=False, tile=4, batch=1):
    """Blocks of one vector, which only one of the architectures has."""
    x = random(batch, x_blocks, rows + 2, columns + 2, lanes)
    w = random(y_blocks, x_blocks, 3, 3, lanes, lanes)
    w /= 3 * np.sqrt(x_blocks * lanes)
    y = np.zeros((batch, y_blocks, rows, columns, lanes))
    for i in range(3):
        for j in range(3):
            y += np.einsum("nbhwx,obxy->nohwy",
                           x[:, :, i:i + rows, j:j + columns], w[:, :, i, j])
    u = transform_filters(w, tile).astype(np.float32)
    b = random(y_blocks, lanes) if bias else None
    r = random(*y.shape) if residual else None
    clauses, operands, y, ppe = epilogue(y, 2, b, r, mode, block_bias)
    attributes = ", ".join(filter(None, [f"tileSize = {tile} : i64", ppe]))
    return Case(name, [x, u, *operands], y,
                f"VPU.NCE.WinogradConvolution ins(%a0, %a1 : {memref(x)}, "
                f"{memref(u)}){clauses} outs(%a{2 + len(operands)} : "
                f"{memref(y)}) {{{attributes}}}", lanes)


def matmul(name, batch, b_batch, m, k, n, panel, mode, bias=True,
           residual=False):
    """The multiplication and the packing of its right side, both orders."""
    a, b = random(batch, m, k), random(b_batch, k, n) / 4
    packed = np.zeros((b_batch, -(-n // panel), k, panel), np.float32)
    for j in range(n):
        packed[:, j // panel, :, j % panel] = b[:, :, j]
    y = a.astype(np.float64) @ b
    vector = None
    if bias:
        vector = np.zeros((packed.shape[1], panel), np.float32)
        vector.reshape(-1)[:n] = random(n)
    r = random(*y.shape) if residual else None
    clauses, operands, y, ppe = epilogue(
        y, 2, vector, r, mode, lambda v: v.reshape(-1)[:n])
    attributes = f" {{{ppe}}}" if ppe else ""
    yield Case(name, [a, packed, *operands], y,
               f"VPU.NCE.MatMul ins(%a0, %a1 : {memref(a)}, {memref(packed)})"
               f"{clauses} outs(%a{2 + len(operands)} : {memref(y)})"
               f"{attributes}")
    for order, source in (("KN", b), ("NK", b.transpose(0, 2, 1))):
        yield Case(f"{name}_pack_{order}", [source], packed,
                   f"VPU.Copy ins(%a0 : {memref(source)}) "
                   f"outs(%a1 : {memref(packed)}) "
                   f"{{srcOrder = #VPU.order<{order}>, "
                   "dstOrder = #VPU.order<KNn>}")


def pool(name, kind, blocks, lanes, kernel, stride, height, width):
    x = random(1, blocks, height, width, lanes)
    windows = np.lib.stride_tricks.sliding_window_view(
        x, (kernel, kernel), (2, 3))[:, :, ::stride, ::stride]
    if kind == "MaxPool":
        y = windows.max((-1, -2))
    else:
        y = windows.astype(np.float64).mean((-1, -2))
    return Case(name, [x], y,
                f"VPU.NCE.{kind} ins(%a0 : {memref(x)}) "
                f"outs(%a1 : {memref(y)}) "
                f"{{kernel = array<i64: {kernel}, {kernel}>, "
                f"strides = array<i64: {stride}, {stride}>}}")


def eltwise(name, kind, function):
    a, b = random(1, 2, 3, 5, 7), random(1, 2, 3, 5, 7)
    return Case(name, [a, b], np.maximum(function(a, b), 0),
                f"VPU.NCE.Eltwise ins(%a0, %a1 : {memref(a)}, {memref(a)}) "
                f"outs(%a2 : {memref(a)}) {{kind = #VPU.eltwise<{kind}>, "
                "ppe = #VPU.PPE<mode = RELU>}")


def winograd_cases(lanes):
    name = f"winograd_{lanes}"
    yield winograd(f"{name}_whole_tiles", lanes, 2, 3, 8, 12, "RELU",
                   residual=True)
    yield winograd(f"{name}_part_tiles", lanes, 1, 2, 5, 7, "")
    yield winograd(f"{name}_less_than_a_tile", lanes, 2, 1, 3, 2, "CLAMP")
    yield winograd(f"{name}_one_output", lanes, 1, 5, 1, 1, "", residual=True)
    yield winograd(f"{name}_small_tiles", lanes, 2, 3, 7, 11, "RELU",
                   residual=True, tile=2)
    yield winograd(f"{name}_several_images", lanes, 2, 2, 6, 9, "RELU",
                   residual=True, batch=3)
    # More tiles than fit the cache at a time.
    yield winograd(f"{name}_chunks", lanes, 1024 // lanes, 1, 9, 270, "")


def cases():
    conv, depth = convolution, depth_convolution
    yield conv("conv_3x3", 2, 16, 3, 16, 3, 1, 1, 1, 9, 9, "RELU",
               residual=True)
    yield conv("conv_stem", 1, 3, 2, 16, 7, 2, 1, 1, 21, 33, "CLAMP")
    yield conv("conv_1x1_batch", 4, 16, 5, 16, 1, 1, 1, 1, 7, 7, "",
               residual=True, batch=2)
    yield conv("conv_1x1_strided", 4, 16, 4, 16, 1, 2, 1, 1, 15, 15, "LRELU",
               bias=False)
    yield conv("conv_dilated", 2, 16, 2, 16, 3, 1, 2, 1, 12, 31, "SIGMOID",
               bias=False, residual=True)
    yield conv("conv_grouped", 4, 16, 4, 16, 3, 1, 1, 2, 8, 16, "TANH")
    yield conv("conv_part_groups", 6, 16, 4, 16, 3, 1, 1, 2, 8, 16, "RELU",
               channels=34)
    yield conv("conv_part_block", 1, 16, 2, 16, 1, 1, 1, 1, 7, 9, "",
               channels=6)
    yield conv("conv_odd_lanes", 1, 17, 1, 33, 3, 1, 1, 1, 6, 7, "HSWISH",
               residual=True)
    yield conv("conv_few_lanes", 1, 15, 1, 15, 1, 1, 1, 1, 5, 5, "SWISH")
    yield conv("conv_mish", 1, 16, 1, 16, 1, 1, 1, 1, 5, 5, "MISH")
    yield conv("conv_elu", 1, 16, 1, 16, 1, 1, 1, 1, 5, 5, "ELU")
    yield conv("conv_gelu", 1, 16, 1, 16, 1, 1, 1, 1, 5, 5, "GELU")
    yield conv("conv_gelu_tanh", 1, 16, 1, 16, 1, 1, 1, 1, 5, 5, "GELU_TANH")
    yield conv("conv_one_output", 1, 1, 1, 16, 5, 1, 1, 1, 5, 5, "HSIGMOID")
    yield conv("conv_nhwc", 1, 40, 1, 48, 3, 2, 1, 1, 14, 14, "", bias=False)
    yield conv("conv_one_pixel", 3, 16, 1, 16, 1, 1, 1, 1, 1, 1, "RELU",
               bias=False)
    yield conv("conv_many_blocks", 2, 16, 9, 16, 3, 1, 1, 1, 9, 15, "")
    for lanes in sorted(set(LANES.values())):
        for case in winograd_cases(lanes):
            yield case
            # The images, and the residual where there is a bias, too.
            yield opened(case, [0, *range(3, len(case.operands))])
    yield depth("depth_3x3", 3, 16, 3, 1, 1, 9, 9, "CLAMP")
    yield depth("depth_strided", 2, 16, 3, 2, 1, 15, 31, "", residual=True)
    yield depth("depth_dilated", 1, 33, 5, 1, 2, 12, 12, "RELU", bias=False)
    yield depth("depth_few_lanes", 1, 5, 3, 1, 1, 5, 5, "", residual=True)
    for case in group_cases():
        yield case
        # The images: all of five dimensions but the weights.
        yield opened(case, [i for i, array in enumerate(case.operands)
                            if array.ndim == 5 and i != 1])
    yield from matmul("matmul_vector", 1, 1, 1, 40, 100, 16, "RELU")
    yield from matmul("matmul_broadcast", 3, 1, 17, 33, 16, 16, "",
                      residual=True)
    yield from matmul("matmul_batch", 2, 2, 128, 64, 128, 16, "", bias=False)
    yield from matmul("matmul_narrow", 1, 1, 5, 7, 3, 16, "LRELU")
    yield from matmul("matmul_wide_panel", 1, 1, 37, 19, 81, 32, "TANH",
                      residual=True)
    yield from matmul("matmul_tail", 1, 1, 256, 64, 250, 16, "CLAMP",
                      bias=False, residual=True)
    yield pool("max_strided", "MaxPool", 2, 16, 3, 2, 9, 17)
    yield pool("average_odd", "AveragePool", 1, 33, 2, 1, 5, 5)
    yield pool("average_global", "AveragePool", 3, 16, 7, 1, 7, 7)
    yield pool("max_3x3", "MaxPool", 1, 16, 3, 1, 12, 12)
    for kind, function in (("ADD", np.add), ("SUB", np.subtract),
                           ("MUL", np.multiply), ("MAX", np.maximum),
                           ("MIN", np.minimum)):
        yield eltwise(f"eltwise_{kind.lower()}", kind, function)
    yield from copies("copy_stem", random(2, 3, 10, 10), 3, (3, 3, 3, 3), 0)
    for channels in (2, 3, 4, 5):
        yield from copies(f"copy_pixels_of_{channels}",
                          random(2, channels, 5, 37), channels, (1, 2, 0, 1),
                          0.5)
    yield from copies("copy_tail", random(2, 40, 7, 9), 16, (1, 2, 3, 0), -1.5)
    yield from copies("copy_plain", random(2, 32, 5, 5), 16, (0, 0, 0, 0), 0)
    yield from copies("copy_one_lane", random(2, 1, 4, 4), 1, (2, 2, 2, 2), 0)


CASES = {case.name: case for case in cases()}
library = make_fixture(CASES)


@parametrize(CASES)
def test_kernel_of_odd_sizes_matches_numpy(library, name):
    case = CASES[name]
    np.testing.assert_allclose(case.run(library), case.expected,
                               **tolerances.CANCELLATION)
