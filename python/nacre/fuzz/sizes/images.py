# ===- images.py - Operators on images of dynamic sizes ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws convolutions, pools, normalisations of channels and resizing."""

import numpy as np

from nacre.fuzz.graph import I64, Rejected
from nacre.fuzz.sizes.computation import add, product, reduced_count
from nacre.fuzz.sizes.graph import Value, is_fixed
from nacre.fuzz.sizes.movement import concat


def windows(array, kernel, stride, pad, fill=0.0):
    """The windows of the last axes, as the last axes."""
    pairs = [(0, 0), (0, 0)] + [(pad, pad)] * len(kernel)
    array = np.pad(array, pairs, constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(
        array, kernel, tuple(range(2, 2 + len(kernel))))
    return view[(slice(None),) * 2 + (slice(None, None, stride),)
                * len(kernel)]


def image(g):
    x = g.pick(g.float, rank=(3, 4), accepts=lambda value:
               is_fixed(value.sizes[1]) and 1 <= value.sizes[1][0] <= 16)
    if g.chance(0.4):
        return x
    # Where no image is empty most operators fit.
    least = g.choice((0, 1, 2, 3))
    return g.input(g.float, [
        g.size(), (g.choice((1, 3, 4, 8, 16)),) * g.runs,
        *(tuple(max(number, least) for number in g.size())
          for _ in range(g.between(1, 2)))])


def fit_window(g, x):
    kernel = g.choice((1, 1, 2, 3, 3))
    pad = g.between(0, kernel // 2)
    if any(min(size) + 2 * pad < kernel for size in x.sizes[2:]):
        raise Rejected("smaller than a window")
    return kernel, g.choice((1, 1, 2)), pad


def op_conv(g):
    x = image(g)
    conv(g, x, *fit_window(g, x))


def op_conv_chain(g):
    """Images that stay as large, added or joined to what came before."""
    x = image(g)
    if min(min(size) for size in x.sizes[2:]) < 1:
        raise Rejected("smaller than a window")
    before = x
    for _ in range(g.between(2, 3)):
        kernel = g.choice((1, 3))
        y = conv(g, before, kernel, 1, kernel // 2,
                 x.sizes[1][0] if g.chance(0.6) else None)
        if g.chance(0.5):
            y = g.emit("Relu", [y], [g.moved(
                y, lambda array: np.maximum(array, 0))])
        if y.sizes == before.sizes and g.chance(0.5):
            y = add(g, "Add", y, before)
        elif g.chance(0.3):
            y = concat(g, [before, y] if g.chance(0.5) else [y, before], 1)
        if y.sizes[1][0] > 32:
            break
        before = y


def conv(g, x, kernel, stride, pad, filters=None):
    channels, rank = x.sizes[1][0], x.rank - 2
    groups = channels if g.chance(0.25) else 1
    if groups > 1 or filters is None:
        filters = groups if groups > 1 else g.choice((1, 4, 8, 17))
    w = g.random_weight((filters, channels // groups, *[kernel] * rank))

    def function(array):
        view = windows(array, (kernel,) * rank, stride, pad)
        if groups > 1:
            flat = view.reshape(*view.shape[:2 + rank],
                                kernel ** rank)
            taps = w.arrays[0].reshape(filters, *[1] * rank, -1)
            return (flat * taps).sum(-1)
        axes = [1, *range(2 + rank, 2 + 2 * rank)]
        total = np.tensordot(view, w.arrays[0],
                             (axes, [1, *range(2, 2 + rank)]))
        return np.moveaxis(total, -1, 1)

    depth = channels // groups * kernel ** rank
    arrays = [function(array) for array in x.arrays]
    # An algorithm that transforms images has its own sums.
    errors = [g.rounding * 8 * x.peak(run) * w.peak(run) * depth
              if kernel == 3 else 0.0 for run in range(g.runs)]
    return product(g, "Conv", [x, w], arrays, [depth] * g.runs, errors,
                   kernel_shape=[kernel] * rank, strides=[stride] * rank,
                   pads=[pad] * 2 * rank, group=groups)


def op_pool(g):
    x = image(g)
    kernel, stride, pad = fit_window(g, x)
    rank = x.rank - 2
    axes = tuple(range(2 + rank, 2 + 2 * rank))
    attributes = {"kernel_shape": [kernel] * rank, "strides": [stride] * rank,
                  "pads": [pad] * 2 * rank}
    if g.chance(0.5):
        g.emit("MaxPool", [x], [g.moved(x, lambda array: windows(
            array, (kernel,) * rank, stride, pad, -np.inf).max(axes))],
            **attributes)
        return
    counts_pads = g.chance(0.5)

    def average(array):
        taken = windows(array, (kernel,) * rank, stride, pad)
        if counts_pads:
            return taken.mean(axes)
        inside = windows(np.ones_like(array), (kernel,) * rank, stride, pad)
        return taken.sum(axes) / inside.sum(axes)

    g.emit("AveragePool", [x], [g.computed(
        g.float, [average(array) for array in x.arrays], list(x.errors),
        peaks=[x.peak(run) for run in range(g.runs)])],
        count_include_pad=int(counts_pads), **attributes)


def op_global_pool(g):
    x = image(g)
    axes = tuple(range(2, x.rank))
    if any(reduced_count(array, axes) == 0 for array in x.arrays):
        raise Rejected("nothing to reduce")
    if g.chance(0.5):
        g.emit("GlobalMaxPool", [x], [g.moved(
            x, lambda array: array.max(axes, keepdims=True))])
        return
    g.emit("GlobalAveragePool", [x], [g.computed(
        g.float, [array.mean(axes, keepdims=True) for array in x.arrays],
        list(x.errors), peaks=[x.peak(run) for run in range(g.runs)])])


def op_conv_transpose(g):
    x = image(g)
    channels, rank = x.sizes[1][0], x.rank - 2
    if min(min(size) for size in x.sizes[2:]) < 1:
        raise Rejected("nothing to spread")
    kernel, stride = g.choice((1, 2, 3)), g.choice((1, 1, 2))
    pad = g.between(0, (kernel - 1) // 2)
    groups = channels if g.chance(0.2) else 1
    filters = 1 if groups > 1 else g.choice((1, 3, 8, 17))
    w = g.random_weight((channels, filters, *[kernel] * rank))

    def function(array):
        taps = w.arrays[0]
        spread = [(size - 1) * stride + kernel for size in array.shape[2:]]
        count = channels if groups > 1 else filters
        total = np.zeros((len(array), count, *spread))
        for at in np.ndindex(*[kernel] * rank):
            tap = taps[(slice(None), slice(None), *at)]
            part = array * tap[:, 0].reshape(1, -1, *[1] * rank) \
                if groups > 1 else \
                np.moveaxis(np.tensordot(array, tap, (1, 0)), -1, 1)
            total[(slice(None), slice(None), *(
                slice(start, start + (size - 1) * stride + 1, stride)
                for start, size in zip(at, array.shape[2:])))] += part
        inside = [slice(pad, size - pad) for size in spread]
        return total[(slice(None), slice(None), *inside)]

    depth = (1 if groups > 1 else channels) * kernel ** rank
    product(g, "ConvTranspose", [x, w],
            [function(array) for array in x.arrays], [depth] * g.runs,
            [0.0] * g.runs, kernel_shape=[kernel] * rank,
            strides=[stride] * rank, pads=[pad] * 2 * rank, group=groups)


def normalize(g, x):
    """An InstanceNormalization."""
    channels, axes = x.sizes[1][0], tuple(range(2, x.rank))
    # So large that a channel of one number has a bound, too.
    epsilon = 0.5
    results = []
    for array in x.arrays:
        count = max(reduced_count(array, axes), 1)
        centred = array - array.sum(axes, keepdims=True) / count
        variance = (centred ** 2).sum(axes, keepdims=True) / count
        results.append(centred / np.sqrt(variance + epsilon))
    # What rounding does to the mean of what is far from zero.
    errors = [4 * (x.errors[run] + g.rounding * x.peak(run))
              * (1 + np.abs(results[run]).max(initial=0)) / np.sqrt(epsilon)
              for run in range(g.runs)]
    scale, shift = (g.weight(np.full(channels, number))
                    for number in (1.0, 0.0))
    return g.emit("InstanceNormalization", [x, scale, shift],
                  [g.computed(g.float, results, errors)], epsilon=epsilon)


def op_instance_normalization(g):
    normalize(g, image(g))


def op_group_normalization(g):
    """As exporters write it: each channel of an InstanceNormalization is a group."""
    x = image(g)
    channels = x.sizes[1][0]
    groups = next(count for count in (4, 3, 2, 1) if channels % count == 0)
    if min(x.sizes[0]) == 0:
        raise Rejected("no batch that tells how large a group is")
    shape = g.emit("Shape", [x], [g.computed(
        I64, [np.array(array.shape, np.int64) for array in x.arrays])])
    y = g.emit("Reshape", [x, g.ints(0, groups, -1)], [g.moved(
        x, lambda array: array.reshape(len(array), groups,
                                       array[0].size // groups))])
    y = normalize(g, y)
    arrays = [a.reshape(b.shape) for a, b in zip(y.arrays, x.arrays)]
    g.emit("Reshape", [y, shape], [Value(y.dtype, arrays, list(y.errors),
                                         y.grid)])


def op_batch_normalization(g):
    x = image(g)
    channels = x.sizes[1][0]
    scale, shift, mean = (g.weight(g.elements(g.float, (channels,), True))
                          for _ in range(3))
    variance = g.weight(np.full(channels, 1.0))
    # A quarter is the reciprocal of two roots of four.
    epsilon = 3.0
    a, b, c = (weight.arrays[0].reshape(1, -1, *[1] * (x.rank - 2))
               for weight in (scale, shift, mean))
    errors = [(x.errors[run] + g.rounding * (x.peak(run) + 4)) * 4
              for run in range(g.runs)]
    g.emit("BatchNormalization", [x, scale, shift, mean, variance],
           [g.computed(g.float, [(array - c) * a / 2 + b
                                 for array in x.arrays], errors)],
           epsilon=epsilon)


def interpolate(array, axis, size, position):
    """Linearly between neighbours; POSITION of a result is where it lies."""
    at = np.clip([position(i) for i in range(size)], 0,
                 array.shape[axis] - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, array.shape[axis] - 1)
    share = (at - low).reshape(-1, *[1] * (array.ndim - 1 - axis))
    return np.take(array, low, axis) * (1 - share) \
        + np.take(array, high, axis) * share


def op_resize(g):
    x = image(g)
    if min(min(size) for size in x.sizes[2:]) < 1:
        raise Rejected("nothing to resize")
    factors = [g.choice((1, 2, 3)) for _ in range(x.rank - 2)]
    scales = g.weight(np.array([1, 1, *factors], np.float64), dtype=np.float32)
    if g.chance(0.5):
        def repeat(array):
            for axis, factor in enumerate(factors):
                array = array.repeat(factor, 2 + axis)
            return array

        g.emit("Resize", [x, None, scales], [g.moved(x, repeat)],
               mode="nearest", nearest_mode="floor",
               coordinate_transformation_mode="asymmetric")
        return
    aligned = g.chance(0.4)

    def function(array):
        for axis, factor in enumerate(factors):
            size = array.shape[2 + axis]
            ratio = (size - 1) / max(size * factor - 1, 1)
            array = interpolate(
                array, 2 + axis, size * factor,
                (lambda i: i * ratio) if aligned
                else lambda i: (i + 0.5) / factor - 0.5)
        return array

    # Places are computed in float32.
    errors = [x.errors[run] + 2.0 ** -20 * x.peak(run)
              * max(size[run] for size in x.sizes[2:])
              for run in range(g.runs)]
    g.emit("Resize", [x, None, scales], [g.computed(
        g.float, [function(array) for array in x.arrays], errors)],
        mode="linear", coordinate_transformation_mode="align_corners"
        if aligned else "half_pixel")


OPERATORS = {
    op_conv: 4, op_conv_chain: 3, op_pool: 2, op_global_pool: 1,
    op_conv_transpose: 2, op_instance_normalization: 2,
    op_group_normalization: 2,
    op_batch_normalization: 1, op_resize: 2,
}
