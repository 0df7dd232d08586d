# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the NCE operations on 8-bit integers against numpy.

Sums of integers are exact, and what follows them rounds in a known order, so
that results are equal, not merely close. Factors are of the size that keeps
results in the range of a byte, with a few beyond it.
"""

import numpy as np

from nce_cases import (Case, block_bias, copies, make_fixture, memref,
                       parametrize, taps)

ACTIVATIONS = {
    "": ("mode = NOOP", lambda y: y),
    "RELU": ("mode = RELU", lambda y: np.maximum(y, np.float32(0))),
    "LRELU": ("mode = LRELU, slope = 0.1 : f32",
              lambda y: np.where(y < 0, np.float32(0.1) * y, y)),
    "CLAMP": ("mode = CLAMP, low = -20.0 : f32, high = 30.0 : f32",
              lambda y: np.clip(y, np.float32(-20), np.float32(30))),
}

rng = np.random.default_rng(2)


def unsigned(*shape):
    return rng.integers(0, 256, shape, np.uint8)


def signed(*shape):
    return rng.integers(-128, 128, shape, np.int8)


def floats(low, high, *shape):
    return rng.uniform(low, high, shape).astype(np.float32)


def quantize(y, zero_point):
    """Half to even, before the zero point shifts; NaN is the least number."""
    y = np.rint(y) + np.float32(zero_point)
    return np.clip(np.nan_to_num(y, nan=0), 0, 255).astype(np.uint8)


def post_process(y, mode, zero_point):
    """Values and the attribute of the last step, bytes with a zero point."""
    text, apply = ACTIVATIONS[mode]
    y = apply(y)
    if zero_point is None:
        return y, f"ppe = #VPU.PPE<{text}>"
    return (quantize(y, zero_point),
            f"ppe = #VPU.PPE<{text}, zeroPoint = {zero_point} : i64>")


def epilogue(sums, channels, with_, mode, zero_point, spread):
    """Clauses, operands and values of what follows sums from operand 2 on.

    `with_` names what there is of offset, scale, bias and residual; `spread`
    makes a shape of channels broadcast to the sums.
    """
    deviation = max(sums.std(), 1)
    clauses, operands = "", []

    def take(kind, make):
        nonlocal clauses
        if kind not in with_:
            return None
        array = make()
        clauses += f" {kind}(%a{2 + len(operands)} : {memref(array)})"
        operands.append(array)
        return array

    offset = take("offset", lambda: rng.integers(
        -int(deviation), int(deviation) + 1, channels, np.int32))
    if offset is not None:
        sums = sums + spread(offset)
    assert np.abs(sums).max() < 2 ** 31
    y = sums.astype(np.float32)
    scale = take("scale", lambda: floats(20, 60, *channels)
                 / np.float32(deviation))
    if scale is not None:
        y = y * spread(scale)
    bias = take("bias", lambda: floats(-30, 30, *channels))
    if bias is not None:
        y = y + spread(bias)
    residual = take("residual", lambda: floats(-30, 30, *sums.shape))
    if residual is not None:
        y = y + residual
    y, ppe = post_process(y, mode, zero_point)
    return clauses, operands, y, ppe


def convolution(name, x_blocks, x_lanes, y_blocks, y_lanes, kernel, stride,
                dilation, groups, height, width, with_="scale", mode="",
                zero_point=None, batch=1, channels=None):
    """`channels` of a group's inputs hold data. Packs without any are not
    read; what weights they have must not count."""
    x = unsigned(batch, x_blocks, height, width, x_lanes)
    w = signed(y_blocks, x_blocks // groups, kernel, kernel, x_lanes, y_lanes)
    rows, row_taps = taps(height, kernel, stride, dilation)
    columns, column_taps = taps(width, kernel, stride, dilation)

    def form(pack):
        weights = w.copy()
        read = w.astype(np.int64)
        if channels:
            used = channels - (w.shape[1] - 1) * x_lanes
            weights[:, -1, :, :, used:-(-used // pack) * pack] = 0
            read[:, -1, :, :, used:] = 0
        sums = np.zeros((batch, y_blocks, rows, columns, y_lanes), np.int64)
        for ob in range(y_blocks):
            first = ob // (y_blocks // groups) * w.shape[1]
            for ib in range(w.shape[1]):
                for i, r in enumerate(row_taps):
                    for j, c in enumerate(column_taps):
                        sums[:, ob] += (x[:, first + ib, r, c].astype(np.int64)
                                        @ read[ob, ib, i, j])
        clauses, operands, y, ppe = epilogue(
            sums, (y_blocks, y_lanes), with_.split(), mode, zero_point,
            block_bias)
        if pack > 1:
            weights = weights.reshape(*w.shape[:4], x_lanes // pack, pack,
                                      y_lanes).swapaxes(5, 6)
        attributes = ", ".join(filter(None, [
            f"strides = array<i64: {stride}, {stride}>",
            f"dilations = array<i64: {dilation}, {dilation}>",
            f"groups = {groups} : i64",
            f"inputChannels = {channels} : i64" if channels else "", ppe]))
        return Case(f"{name}_pack{pack}", [x, weights, *operands], y,
                    f"VPU.NCE.Convolution ins(%a0, %a1 : {memref(x)}, "
                    f"{memref(weights)}){clauses} "
                    f"outs(%a{2 + len(operands)} : {memref(y)}) "
                    f"{{{attributes}}}", pack=pack)

    for pack in (1, 2, 4):
        if x_lanes % pack == 0:
            yield form(pack)


def matmul(name, batch, b_batch, m, k, n, panel, with_="scale", mode="",
           zero_point=None):
    a, b = unsigned(batch, m, k), signed(b_batch, k, n)
    panels = np.zeros((b_batch, -(-n // panel), k, panel), np.int8)
    for j in range(n):
        panels[:, j // panel, :, j % panel] = b[:, :, j]
    sums = a.astype(np.int64) @ b.astype(np.int64)
    clauses, operands, y, ppe = epilogue(
        sums, (panels.shape[1], panel), with_.split(), mode, zero_point,
        lambda v: v.reshape(-1)[:n])
    for pack in (1, 2, 4):
        if k % pack:
            continue
        packed = panels
        if pack > 1:
            packed = panels.reshape(*panels.shape[:2], k // pack, pack,
                                    panel).swapaxes(3, 4)
        yield Case(f"{name}_pack{pack}", [a, packed, *operands], y,
                   f"VPU.NCE.MatMul ins(%a0, %a1 : {memref(a)}, "
                   f"{memref(packed)}){clauses} "
                   f"outs(%a{2 + len(operands)} : {memref(y)}) {{{ppe}}}",
                   pack=pack)


class Meaning:
    """What bytes stand for."""

    def __init__(self, scale, zero_point):
        self.text = (f"#VPU.quant<scale = {float(scale)} : f32, "
                     f"zeroPoint = {zero_point}>")
        self.scale, self.zero_point = np.float32(scale), zero_point

    def dequantize(self, x):
        return (x.astype(np.float32) - np.float32(self.zero_point)) * self.scale


def pool(name, kind, blocks, lanes, kernel, stride, height, width, meaning,
         mode="", zero_point=None):
    x = unsigned(1, blocks, height, width, lanes)
    _, row_taps = taps(height, kernel, stride, 1)
    _, column_taps = taps(width, kernel, stride, 1)
    values = meaning.dequantize(x)
    windows = [values[:, :, r, c] for r in row_taps for c in column_taps]
    if kind == "MaxPool":
        y = np.max(windows, 0)
    else:
        # The order of additions decides how their sum rounds.
        y = np.zeros_like(windows[0])
        for window in windows:
            y = y + window
        y = y * np.float32(1 / kernel ** 2)
    y, ppe = post_process(y, mode, zero_point)
    return Case(name, [x], y,
                f"VPU.NCE.{kind} ins(%a0 : {memref(x)}) "
                f"outs(%a1 : {memref(y)}) "
                f"{{kernel = array<i64: {kernel}, {kernel}>, "
                f"strides = array<i64: {stride}, {stride}>, "
                f"inputQuant = {meaning.text}, {ppe}}}")


def depthwise(name, blocks, lanes, kernel, stride, height, width, zero, with_,
              mode="", zero_point=None):
    """Integer weights as floats: sums are exact, so are the results."""
    x = unsigned(1, blocks, height, width, lanes)
    w = signed(blocks, kernel, kernel, lanes)
    _, row_taps = taps(height, kernel, stride, 1)
    _, column_taps = taps(width, kernel, stride, 1)
    sums = np.int64(0)
    for i, r in enumerate(row_taps):
        for j, c in enumerate(column_taps):
            sums = sums + ((x[:, :, r, c].astype(np.int64) - zero)
                           * w[None, :, None, None, i, j])
    clauses, operands, y, ppe = epilogue(sums, (blocks, lanes), with_.split(),
                                         mode, zero_point, block_bias)
    weights = w.astype(np.float32)
    return Case(name, [x, weights, *operands], y,
                f"VPU.NCE.DepthConvolution ins(%a0, %a1 : {memref(x)}, "
                f"{memref(weights)}){clauses} "
                f"outs(%a{2 + len(operands)} : {memref(y)}) "
                f"{{strides = array<i64: {stride}, {stride}>, "
                f"inputQuant = {Meaning(1, zero).text}, {ppe}}}")


def eltwise(name, kind, function, a, b, meanings=(None, None), mode="",
            zero_point=None):
    values, attributes = [], [f"kind = #VPU.eltwise<{kind}>"]
    for side, array, meaning in zip(("lhs", "rhs"), (a, b), meanings):
        values.append(meaning.dequantize(array) if meaning else array)
        if meaning:
            attributes.append(f"{side}Quant = {meaning.text}")
    with np.errstate(invalid="ignore"):
        y, ppe = post_process(function(*values), mode, zero_point)
    attributes.append(ppe)
    return Case(name, [a, b], y,
                f"VPU.NCE.Eltwise ins(%a0, %a1 : {memref(a)}, {memref(b)}) "
                f"outs(%a2 : {memref(y)}) {{{', '.join(attributes)}}}")


def convolutions():
    conv = convolution
    # Of enough output channels for a matrix unit's tiles to be packed: more
    # than are packed at once, of several images and groups, and with weights
    # beyond the cache.
    yield from conv("conv_1x1_packed", 4, 16, 5, 16, 1, 1, 1, 1, 6, 50,
                    "scale bias residual", "RELU", 3, batch=2)
    yield from conv("conv_1x1_strided_packed", 16, 16, 10, 16, 1, 2, 1, 2, 13,
                    69, "offset scale", "", 0)
    yield from conv("conv_1x1_streams", 68, 16, 64, 16, 1, 1, 1, 1, 5, 7,
                    "scale", "", 128)
    yield from conv("conv_3x3", 2, 16, 3, 16, 3, 1, 1, 1, 9, 9,
                    "offset scale bias", "RELU", 0)
    yield from conv("conv_stem", 1, 4, 2, 16, 7, 2, 1, 1, 21, 33,
                    "offset scale bias", "RELU", 3, channels=3)
    yield from conv("conv_unpacked_stem", 1, 3, 2, 16, 7, 2, 1, 1, 21, 33,
                    "offset scale", "", 114)
    yield from conv("conv_1x1_batch", 4, 16, 5, 16, 1, 1, 1, 1, 7, 7,
                    "scale bias", "LRELU", 128, batch=2)
    yield from conv("conv_1x1_strided", 4, 16, 4, 16, 1, 2, 1, 1, 15, 15,
                    "offset bias", "LRELU")
    yield from conv("conv_dilated", 2, 16, 2, 16, 3, 1, 2, 1, 12, 31,
                    "scale residual", "CLAMP")
    yield from conv("conv_grouped", 4, 16, 4, 16, 3, 1, 1, 2, 8, 16,
                    "offset scale", "", 255)
    yield from conv("conv_part_groups", 6, 16, 4, 16, 3, 1, 1, 2, 8, 16,
                    "scale", "RELU", 10, channels=36)
    yield from conv("conv_part_pack", 2, 16, 2, 16, 3, 1, 1, 1, 7, 9,
                    "offset scale", "", 128, channels=22)
    yield from conv("conv_part_block", 1, 16, 2, 16, 1, 1, 1, 1, 7, 9,
                    "scale", "", 128, channels=5)
    yield from conv("conv_odd_lanes", 1, 20, 1, 33, 3, 1, 1, 1, 6, 7,
                    "offset scale bias residual", "LRELU", 77)
    yield from conv("conv_few_lanes", 1, 12, 1, 15, 1, 1, 1, 1, 5, 5, "scale",
                    "", 128)
    yield from conv("conv_one_output", 1, 4, 1, 16, 5, 1, 1, 1, 5, 5, "scale")
    yield from conv("conv_nhwc", 1, 40, 1, 48, 3, 2, 1, 1, 14, 14,
                    "scale bias", "", 128)
    yield from conv("conv_sums", 3, 16, 1, 16, 1, 1, 1, 1, 1, 1, "")
    yield from conv("conv_many_blocks", 2, 16, 9, 16, 3, 1, 1, 1, 9, 15,
                    "offset scale bias residual", "RELU", 1)


def products():
    yield from matmul("matmul_vector", 1, 1, 1, 40, 100, 16,
                      "offset scale bias", "RELU", 0)
    yield from matmul("matmul_broadcast", 3, 1, 17, 36, 16, 16,
                      "scale residual")
    yield from matmul("matmul_batch", 2, 2, 128, 64, 128, 16, "offset scale",
                      "", 128)
    yield from matmul("matmul_narrow", 1, 1, 5, 8, 3, 16, "scale bias",
                      "LRELU", 128)
    yield from matmul("matmul_part_pack", 1, 1, 5, 7, 19, 16, "scale", "", 128)
    yield from matmul("matmul_wide_panel", 1, 1, 37, 20, 81, 32,
                      "offset scale bias residual", "CLAMP", 50)
    yield from matmul("matmul_sums", 1, 1, 13, 64, 50, 16, "offset")


def elementwise():
    shape = (1, 2, 3, 5, 7)
    a, b, f = unsigned(*shape), unsigned(*shape), floats(-9, 9, *shape)
    half, whole = Meaning(0.5, 128), Meaning(1, 0)
    odd = Meaning(0.0371, 11)
    yield eltwise("eltwise_add", "ADD", np.add, a, b, (half, odd), "RELU", 5)
    yield eltwise("eltwise_own_value", "ADD", np.add, a, b, (whole, half), "",
                  0)
    yield eltwise("eltwise_sub", "SUB", np.subtract, a, b, (odd, odd), "LRELU")
    yield eltwise("eltwise_mul_floats", "MUL", np.multiply, f, a, (None, odd),
                  "", 128)
    yield eltwise("eltwise_max_floats", "MAX", np.maximum, a, f, (half, None))
    # Ties, saturation, and what is no number, a full vector and a tail of it.
    special = np.resize(np.float32(
        [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, 127.5, 128.0, -128.5, -129,
         1e9, -1e9, 3e38, np.inf, -np.inf, np.nan]), (1, 2, 19))
    yield eltwise("eltwise_special", "ADD", np.add, special,
                  np.zeros_like(special), zero_point=128)


def cases():
    yield from convolutions()
    yield from products()
    yield from elementwise()
    yield depthwise("depth_3x3", 2, 16, 3, 1, 9, 11, 0, "scale bias", "RELU",
                    0)
    yield depthwise("depth_strided", 1, 33, 5, 2, 12, 13, 128, "scale", "",
                    121)
    yield depthwise("depth_sums", 1, 20, 3, 1, 6, 6, 7, "")
    yield pool("max_strided", "MaxPool", 2, 16, 3, 2, 9, 17, Meaning(1, 0), "",
               0)
    yield pool("max_floats", "MaxPool", 1, 33, 2, 1, 5, 5, Meaning(0.3, 100))
    yield pool("average_odd", "AveragePool", 1, 33, 2, 1, 5, 5,
               Meaning(0.7, 128), "RELU", 4)
    yield pool("average_global", "AveragePool", 3, 16, 7, 1, 7, 7,
               Meaning(0.0213, 3), "", 17)
    yield pool("average_floats", "AveragePool", 2, 16, 3, 2, 9, 17,
               Meaning(0.5, 0))
    yield from copies("copy_stem", unsigned(2, 3, 10, 10), 4, (3, 3, 3, 3), 114)
    yield from copies("copy_tail", unsigned(2, 40, 7, 9), 16, (1, 2, 3, 0), 255)
    yield from copies("copy_plain", unsigned(2, 32, 5, 5), 16, (0, 0, 0, 0), 0)
    yield from copies("copy_signed", signed(2, 5, 6, 17), 16, (1, 1, 1, 1), 7)
    yield from copies("copy_one_lane", unsigned(2, 1, 4, 4), 1, (2, 2, 2, 2),
                      128)
    # Rows that share the tiles of a matrix unit.
    yield from convolution("conv_short_rows", 8, 16, 3, 16, 3, 1, 1, 1, 9, 9,
                           "offset scale residual", "RELU", 1, batch=2)
    yield from matmul("matmul_shallow", 2, 1, 215, 256, 200, 16,
                      "scale")


CASES = {case.name: case for case in cases()}
library = make_fixture(CASES)


@parametrize(CASES)
def test_kernel_of_bytes_equals_numpy(library, name):
    case = CASES[name]
    np.testing.assert_array_equal(case.run(library), case.expected)
