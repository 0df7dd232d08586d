# ===- images.py - Random layers of images ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws images, and convolutions and pools of them."""

import math

import numpy as np

from nacre.fuzz.graph import (F16, F32, F64, FLOATS, I8, I64, MAX_ELEMENTS,
                              ROUNDING, U8, Rejected)

IMAGE = (1, 2, 4, 5, 7, 8, 9, 13, 16, 17)
CHANNELS = (1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 32, 33)


def image(g, dtypes=FLOATS, spatial=None, **options):
    """An operand (N, C, …) with 1 to 3 spatial dimensions."""
    spatial = spatial or g.choice((1, 2, 2, 2, 2, 3))
    found = g.find(lambda v: v.dtype in dtypes and v.rank == spatial + 2
                   and (not options.get("exact") or v.exact))
    if found and g.chance(0.7):
        return found
    dims = [g.choice(IMAGE) for _ in range(spatial)]
    channels = g.choice(CHANNELS)
    batch = g.choice((1, 1, 1, 2, 3))
    if g.limit > MAX_ELEMENTS:
        dims = [dim * g.choice((1, 2, 3)) for dim in dims]
    while batch * channels * math.prod(dims) > g.limit:
        i = int(np.argmax(dims))
        dims[i] = max(1, dims[i] // 2)
        channels = max(1, channels - 1)
    return g.leaf(g.choice(dtypes), (batch, channels, *dims), **options)


class Window:
    """Random attributes of a sliding window, and the sizes it leads to."""

    def __init__(self, g, dims, dilates=True, ceils=False, explicit=False,
                 same=False):
        if same:
            self._keep_size(g, dims)
            return
        self.attributes = attributes = {}
        self.kernel = [g.choice([k for k in (1, 1, 2, 3, 3, 3, 5, 7)
                                 if k <= dim + 2]) for dim in dims]
        strides = [g.choice((1, 1, 2, 3)) if g.chance(0.5) else 1
                   for _ in dims]
        dilations = [g.choice((1, 2, 3)) if dilates and g.chance(0.15) else 1
                     for _ in dims]
        extents = [(k - 1) * d + 1 for k, d in zip(self.kernel, dilations)]
        if g.chance(0.8) or max(strides) > 1:
            attributes["strides"] = strides
        if max(dilations) > 1:
            attributes["dilations"] = dilations
        mode = g.choice(("NOTSET",) * 6 + ("SAME_UPPER", "SAME_LOWER",
                                           "VALID"))
        if explicit or max(dilations) > 1:
            mode = "NOTSET"
        ceil = ceils and mode == "NOTSET" and g.chance(0.25)
        self.pads = [0] * (2 * len(dims))
        if mode == "NOTSET":
            for i, k in enumerate(self.kernel):
                if k > 1 and g.chance(0.6):
                    self.pads[i] = g.between(0, k // 2)
                    self.pads[i + len(dims)] = self.pads[i] if g.chance(0.6) \
                        else g.between(0, k // 2)
            attributes["pads"] = self.pads
        else:
            attributes["auto_pad"] = mode
        if ceil:
            attributes["ceil_mode"] = 1
        self.out = []
        for i, (dim, extent, stride) in enumerate(zip(dims, extents,
                                                      strides)):
            if mode.startswith("SAME"):
                self.out.append(-(-dim // stride))
                continue
            room = dim + self.pads[i] + self.pads[i + len(dims)] - extent
            if room < 0:
                raise Rejected("the window is too large")
            self.out.append((-(-room // stride) if ceil else room // stride)
                            + 1)
            if (self.out[-1] - 1) * stride >= dim + self.pads[i]:
                raise Rejected("a window in the padding")


    def _keep_size(self, g, dims):
        size = g.choice((1, 3, 3, 5))
        self.kernel = [size] * len(dims)
        self.pads = [size // 2] * (2 * len(dims))
        self.out = list(dims)
        self.attributes = {"pads": self.pads}


def op_conv(g):
    x = image(g)
    conv(g, x)


def conv(g, x, tame=False, **wanted):
    """A convolution of x; `tame` weights keep the results as small as x."""
    channels, dims = x.shape[1], x.shape[2:]
    window = Window(g, dims, **wanted)
    group = g.choice([d for d in (1, 1, 1, 2, 4, channels)
                      if channels % d == 0])
    filters = group * g.choice((1, 2, 3)) if group > 1 else g.choice(CHANNELS)
    if tame and group == channels:
        filters = channels
    shape = (filters, channels // group, *window.kernel)
    while math.prod(window.out) * filters * math.prod(shape[1:]) > 500 * g.limit:
        raise Rejected("too slow")
    span = min(1, 6 / math.prod(shape[1:])) if tame else 1
    weights = g.leaf(x.dtype, shape, -span, span, const=g.chance(0.8))
    bound = float(np.abs(weights.data).astype(float).reshape(
        filters, -1).sum(1).max())
    operands, peak = [x, weights], bound * x.bound
    grid = None
    if x.exact and weights.exact:
        grid = x.grid + weights.grid
    if g.chance(0.6):
        bias = g.leaf(x.dtype, (filters,), -1, 1, const=g.chance(0.8))
        operands.append(bias)
        peak += bias.bound
        grid = None if not bias.exact or grid is None \
            else min(grid, bias.grid)
    err = bound * x.err
    if window.kernel == [3, 3] and group == 1:
        # Winograd's transforms round.
        grid = None
        err += 16 * ROUNDING[x.dtype] * peak
    attributes = dict(window.attributes)
    if g.chance(0.5):
        attributes["kernel_shape"] = window.kernel
    if group > 1 or g.chance(0.3):
        attributes["group"] = group
    return g.emit("Conv", operands, [g.computed(
        x.dtype, (x.shape[0], filters, *window.out), -peak, peak, err, grid)],
        **attributes)


def batch_norm(g, x):
    channels = x.shape[1]
    scale, bias, mean = (g.leaf(x.dtype, (channels,), -1, 1, const=True)
                         for _ in range(3))
    variance = g.leaf(x.dtype, (channels,), 0.5, 2, const=True)
    bound = (x.bound + 1) * 1.5 + 1
    return g.emit("BatchNormalization", [x, scale, bias, mean, variance],
                  [g.computed(x.dtype, x.shape, -bound, bound, 1.5 * x.err)],
                  epsilon=1e-3)


def op_conv_block(g):
    """A convolution and what is fused with one."""
    value = conv(g, image(g, (F32, F32, F32, F16), 2))
    if g.chance(0.4):
        value = batch_norm(g, value)
    if g.chance(0.5):
        residual = g.pick((value.dtype,), shape=value.shape)
        value = g.emit("Add", [value, residual], [g.computed(
            value.dtype, value.shape, value.low + residual.low,
            value.high + residual.high, value.err + residual.err)])
    act = g.choice(("Relu", "Sigmoid", "Tanh", "HardSwish", "LeakyRelu"))
    low, high = {"Relu": (0, max(value.high, 0)), "Sigmoid": (0, 1),
                 "Tanh": (-1, 1)}.get(act, (-value.bound, value.bound))
    value = g.emit(act, [value], [g.computed(
        value.dtype, value.shape, low, high, 1.5 * value.err)])
    if g.chance(0.3):
        conv(g, value)


def op_conv_transpose(g):
    x = image(g, (F32, F32, F16, F64))
    channels, dims = x.shape[1], x.shape[2:]
    kernel = [g.choice((1, 2, 3, 4)) for _ in dims]
    strides = [g.choice((1, 2, 3)) for _ in dims]
    dilations = [g.choice((1, 1, 1, 2)) for _ in dims]
    pads = [g.between(0, k - 1) if g.chance(0.4) else 0 for k in kernel * 2]
    extra = [g.between(0, s - 1) if g.chance(0.2) else 0 for s in strides]
    group = g.choice([d for d in (1, 1, 2, channels) if channels % d == 0])
    out = [(dim - 1) * s + (k - 1) * d + 1 - pads[i] - pads[i + len(dims)]
           + extra[i]
           for i, (dim, s, k, d) in enumerate(zip(dims, strides, kernel,
                                                  dilations))]
    filters = g.choice((1, 2, 3, 5, 17))
    if min(out) < 1 or \
            math.prod(out) * max(channels, filters * group) > 2 * g.limit:
        raise Rejected("no fitting size")
    weights = g.leaf(x.dtype, (channels, filters, *kernel), -1, 1,
                     const=g.chance(0.8))
    bound = float(np.abs(weights.data).sum()) / group
    operands, peak = [x, weights], bound * x.bound
    if g.chance(0.5):
        operands.append(g.leaf(x.dtype, (filters * group,), -1, 1))
        peak += 1
    attributes = dict(strides=strides, pads=pads, dilations=dilations,
                      group=group)
    if any(extra):
        attributes["output_padding"] = extra
    value = g.emit("ConvTranspose", operands, [g.computed(
        x.dtype, (x.shape[0], filters * group, *out), -peak, peak,
        bound * x.err)], **attributes)
    if g.chance(0.3):
        g.emit("Relu", [value], [g.computed(
            value.dtype, value.shape, 0, max(value.high, 0), value.err)])


def op_pool(g):
    op = g.choice(("MaxPool", "MaxPool", "AveragePool"))
    dtypes = FLOATS + (I8, U8) if op == "MaxPool" else FLOATS
    x = image(g, dtypes)
    window = Window(g, x.shape[2:], dilates=op == "MaxPool", ceils=True)
    attributes = dict(window.attributes, kernel_shape=window.kernel)
    shape = (*x.shape[:2], *window.out)
    if op == "AveragePool":
        if g.chance(0.5):
            attributes["count_include_pad"] = 1
        g.emit(op, [x], [g.computed(x.dtype, shape, min(x.low, 0),
                                    max(x.high, 0), x.err)], **attributes)
        return
    results = [g.same(x, shape)]
    if x.exact and g.chance(0.2):
        results.append(g.computed(I64, shape, 0, x.size))
    g.emit(op, [x], results, **attributes)


def op_global_pool(g):
    x = image(g)
    op = g.choice(("GlobalMaxPool", "GlobalAveragePool"))
    shape = x.shape[:2] + (1,) * (x.rank - 2)
    g.emit(op, [x], [g.same(x, shape) if op == "GlobalMaxPool" else
                     g.computed(x.dtype, shape, x.low, x.high, x.err)])
