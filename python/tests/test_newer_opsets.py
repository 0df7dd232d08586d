# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators as ONNX has them since operator set 18, on all backends.

The packaged onnx is older: the models are built without its checker, and numpy
says what they yield, by ONNX's specification.
"""

import itertools

import numpy as np
from onnx import TensorProto

from nacre import tolerances
from nacre.cases import Case, integers, parametrize, random


def erf(x):
    """By a series that converges quickly enough for |x| < 4."""
    x = np.asarray(x, np.float64)
    term, total = x.copy(), x.copy()
    for n in range(1, 80):
        term = -term * x * x / n
        total += term / (2 * n + 1)
    return 2 / np.sqrt(np.pi) * total


# ===----------------------------------------------------------------------=== #
# Axes as an input
# ===----------------------------------------------------------------------=== #

REDUCTIONS = {
    "ReduceSum": np.sum,
    "ReduceMean": np.mean,
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceProd": np.prod,
    "ReduceL1": lambda x, **k: np.sum(np.abs(x), **k),
    "ReduceL2": lambda x, **k: np.sqrt(np.sum(x * x, **k)),
    "ReduceLogSum": lambda x, **k: np.log(np.sum(x, **k)),
    "ReduceLogSumExp": lambda x, **k: np.log(np.sum(np.exp(x), **k)),
    "ReduceSumSquare": lambda x, **k: np.sum(x * x, **k),
}


def reduction_cases():
    x = np.abs(random(3, 4, 5)) + 0.5
    for op, function in REDUCTIONS.items():
        yield Case(f"{op}_axes", op, {"x": x},
                   [function(x, axis=(0, 2), keepdims=True)],
                   {"axes": np.array([-1, 0])})
        yield Case(f"{op}_all", op, {"x": x}, [function(x)], keepdims=0)
        yield Case(f"{op}_noop", op, {"x": x},
                   [x if op in ("ReduceSum", "ReduceMean", "ReduceMax",
                                "ReduceMin", "ReduceProd")
                    else function(x[None], axis=0)],
                   {"axes": np.zeros(0, np.int64)}, noop_with_empty_axes=1)
    flags = random(3, 4) > 0
    flags[1] = True
    yield Case("ReduceMax_bool", "ReduceMax", {"x": flags},
               [flags.any(1, keepdims=True)], {"axes": np.array([1])})
    yield Case("ReduceMin_bool", "ReduceMin", {"x": flags}, [flags.all(1)],
               {"axes": np.array([1])}, keepdims=0)


# ===----------------------------------------------------------------------=== #
# Moved elements
# ===----------------------------------------------------------------------=== #

def movement_cases():
    x = random(2, 7, 5)
    yield Case("Split_uneven", "Split", {"x": x},
               [x[:, :3], x[:, 3:6], x[:, 6:]], axis=1, num_outputs=3)
    yield Case("Pad_axes", "Pad", {"x": x},
               [np.pad(x, [(2, 1), (0, 0), (0, 3)], constant_values=4)],
               {"pads": np.array([2, 0, 1, 3]),
                "value": np.array(4, np.float32), "axes": np.array([0, -1])})
    yield Case("Pad_wrap", "Pad", {"x": x},
               [np.pad(x, [(1, 2), (3, 2), (0, 4)], mode="wrap")],
               {"pads": np.array([1, 3, 0, 2, 2, 4])}, mode="wrap")
    yield Case("Reshape_allowzero", "Reshape", {"x": x}, [x.reshape(5, 14)],
               {"shape": np.array([5, -1])}, allowzero=1)
    # Crops one dimension, pads another, and rounds both towards the front.
    cropped = np.zeros((2, 4, 8), np.float32)
    cropped[:, :, 1:6] = x[:, 1:5]
    yield Case("CenterCropPad", "CenterCropPad", {"x": x}, [cropped],
               {"shape": np.array([8, 4])}, axes=[2, -2])
    yield Case("CenterCropPad_all", "CenterCropPad", {"x": x},
               [np.pad(x[:, 2:4, 1:4], [(0, 1), (0, 0), (0, 0)])],
               {"shape": np.array([3, 2, 3])})
    for reduction, ufunc in [("max", np.maximum), ("min", np.minimum)]:
        data, updates = random(4, 5), random(3, 5, seed=1)
        indices = integers(-4, 4, 3, 5)
        expected = data.copy()
        ufunc.at(expected, (indices, np.arange(5)[None]), updates)
        yield Case(f"ScatterElements_{reduction}", "ScatterElements",
                   {"data": data, "indices": indices, "updates": updates},
                   [expected], reduction=reduction)
        rows = np.array([[1], [3], [1]])
        expected = data.copy()
        ufunc.at(expected, rows[:, 0], updates)
        yield Case(f"ScatterND_{reduction}", "ScatterND",
                   {"data": data, "indices": rows, "updates": updates},
                   [expected], reduction=reduction)
    cache, update = random(2, 3, 6, 4), random(2, 3, 2, 4, seed=1)
    for mode, starts in [("linear", [4, 1]), ("circular", [5, 0])]:
        expected = cache.copy()
        for batch, start in enumerate(starts):
            for i in range(2):
                expected[batch, :, (start + i) % 6] = update[batch, :, i]
        yield Case(f"TensorScatter_{mode}", "TensorScatter",
                   {"cache": cache, "update": update,
                    "starts": np.array(starts)}, [expected], mode=mode)
    expected = cache.copy()
    expected[:, :2] = random(2, 2, 6, 4, seed=2)
    yield Case("TensorScatter_axis", "TensorScatter",
               {"cache": cache, "update": random(2, 2, 6, 4, seed=2)},
               [expected], axis=1)
    values = random(3, 6).astype(np.float16)
    order = np.argsort(-values, axis=1)[:, :2]
    yield Case("TopK_half", "TopK", {"x": values},
               [np.take_along_axis(values, order, 1), order],
               {"k": np.array([2])})
    yield Case("CumSum_half", "CumSum", {"x": values},
               [np.cumsum(values, 1, dtype=np.float32).astype(np.float16)],
               {"axis": np.array(1)}, tolerance=tolerances.HALF)
    yield Case("CumProd_half", "CumProd", {"x": values},
               [np.cumprod(values, 1, dtype=np.float32).astype(np.float16)],
               {"axis": np.array(1)}, tolerance=tolerances.HALF)
    for dtype in (np.float64, np.int32, np.int64, np.uint32, np.uint64):
        values = integers(1, 99, 3, 12).astype(dtype)
        name = f"CumProd_{np.dtype(dtype)}"
        # Integers wrap around.
        tolerance = tolerances.EXACT if values.dtype.kind in "iu" \
            else tolerances.DEFAULT
        before = np.ones_like(values)
        before[:-1] = np.cumprod(values[:0:-1], 0, dtype=dtype)[::-1]
        yield Case(name, "CumProd", {"x": values},
                   [np.cumprod(values, 1, dtype=dtype)],
                   {"axis": np.array(-1)}, tolerance=tolerance)
        yield Case(f"{name}_reverse_exclusive", "CumProd",
                   {"x": values, "axis": np.array([0], np.int32)}, [before],
                   exclusive=1, reverse=1, tolerance=tolerance)


# ===----------------------------------------------------------------------=== #
# Elementwise
# ===----------------------------------------------------------------------=== #

def elementwise_cases():
    a, b = integers(-99, 99, 3, 4), integers(-99, 99, 4, seed=1)
    yield Case("BitwiseAnd", "BitwiseAnd", {"a": a, "b": b}, [a & b])
    yield Case("BitwiseOr", "BitwiseOr", {"a": a, "b": b}, [a | b])
    yield Case("BitwiseXor", "BitwiseXor", {"a": a, "b": b}, [a ^ b])
    small = integers(0, 256, 9, dtype=np.uint8)
    yield Case("BitwiseNot", "BitwiseNot", {"a": small}, [~small])
    x = random(4, 33)
    softplus = np.log1p(np.exp(x))
    yield Case("Mish", "Mish", {"x": x}, [x * np.tanh(softplus)])
    yield Case("Swish", "Swish", {"x": x}, [x / (1 + np.exp(-x))])
    yield Case("Swish_alpha", "Swish", {"x": x}, [x / (1 + np.exp(-1.5 * x))],
               alpha=1.5)
    gelu = (x / 2 * (1 + erf(x / np.sqrt(2)))).astype(np.float32)
    yield Case("Gelu", "Gelu", {"x": x}, [gelu])
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    yield Case("Gelu_tanh", "Gelu", {"x": x},
               [(x / 2 * (1 + np.tanh(inner))).astype(np.float32)],
               approximate="tanh")
    special = np.array([0, np.inf, -np.inf, np.nan, 7], np.float16)
    yield Case("IsInf_half", "IsInf", {"x": special}, [special == -np.inf],
               detect_positive=0)
    yield Case("IsNaN_half", "IsNaN", {"x": special}, [np.isnan(special)])
    yield Case("Cast_saturate", "Cast", {"x": x}, [x.astype(np.float16)], to=10,
               saturate=0, tolerance=tolerances.HALF_ROUNDING)
    bits = integers(0, 2**16, 5, 7, dtype=np.uint16)
    bits[0, :2] = 0x7c01, 0xfe02
    yield Case("BitCast_half", "BitCast", {"x": bits.view(np.float16)}, [bits],
               to=TensorProto.UINT16, tolerance=tolerances.EXACT)
    yield Case("BitCast_back", "BitCast", {"x": bits.view(np.int16)},
               [bits.view(np.float16)], to=TensorProto.FLOAT16)
    yield Case("BitCast_to_bool", "BitCast", {"x": small}, [small != 0],
               to=TensorProto.BOOL)
    wide = random(4, 6).view(np.complex64)
    yield Case("BitCast_of_complex", "BitCast", {"x": wide},
               [wide.view(np.int64)], to=TensorProto.INT64,
               tolerance=tolerances.EXACT)
    yield Case("BitCast_of_bool", "BitCast", {"x": small > 99},
               [(small > 99).astype(np.int8)], to=TensorProto.INT8)
    yield Case("BitCast_of_empty", "BitCast", {"x": x[:0]},
               [x[:0].view(np.int32)], to=TensorProto.INT32)
    yield Case("ConstantOfShape_half", "ConstantOfShape", {},
               [np.full((2, 3), 1.5, np.float16)],
               {"shape": np.array([2, 3])},
               value=constant(np.array([1.5], np.float16)))
    yield Case("ConstantOfShape_bool", "ConstantOfShape", {},
               [np.full((3,), True)], {"shape": np.array([3])},
               value=constant(np.array([True])))


def constant(array):
    from onnx import numpy_helper
    return numpy_helper.from_array(array)


# ===----------------------------------------------------------------------=== #
# Normalisation
# ===----------------------------------------------------------------------=== #

def group_normalize(x, groups, epsilon):
    grouped = x.reshape(x.shape[0], groups, -1).astype(np.float64)
    grouped -= grouped.mean(2, keepdims=True)
    grouped /= np.sqrt((grouped * grouped).mean(2, keepdims=True) + epsilon)
    return grouped


def normalization_cases():
    x = random(2, 6, 3, 4)
    scale, bias = random(6, seed=1), random(6, seed=2)
    normal = group_normalize(x, 3, 1e-3).reshape(x.shape)
    expected = normal * scale[:, None, None] + bias[:, None, None]
    yield Case("GroupNormalization_21", "GroupNormalization", {"x": x},
               [expected.astype(np.float32)], {"scale": scale, "bias": bias},
               num_groups=3, epsilon=1e-3)
    scale, bias = scale[:3], bias[:3]
    normal = group_normalize(x, 3, 1e-5)
    expected = normal * scale[:, None] + bias[:, None]
    yield Case("GroupNormalization_18", "GroupNormalization", {"x": x},
               [expected.reshape(x.shape).astype(np.float32)],
               {"scale": scale, "bias": bias}, version=18, num_groups=3)
    scale = random(3, 4, seed=1)
    mean = (x * x).mean((2, 3), keepdims=True)
    expected = x / np.sqrt(mean + 0.5) * scale
    yield Case("RMSNormalization", "RMSNormalization", {"x": x},
               [expected.astype(np.float32)], {"scale": scale}, axis=-2,
               epsilon=0.5)
    half, scale = x.astype(np.float16), scale[0].astype(np.float16)
    root = np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    yield Case("RMSNormalization_half", "RMSNormalization", {"x": half},
               [(x / root * scale).astype(np.float16)], {"scale": scale},
               tolerance=tolerances.HALF)
    wide = (2 * scale).astype(np.float32)
    yield Case("RMSNormalization_of_two_types", "RMSNormalization", {"x": half},
               [(x / root * wide).astype(np.float32)], {"scale": wide},
               tolerance=tolerances.HALF)
    zeros = x.copy()
    zeros[0, 0, 0] = 0
    norm = np.abs(zeros).sum(3, keepdims=True)
    yield Case("LpNormalization_1", "LpNormalization", {"x": zeros},
               [zeros / np.where(norm == 0, 1, norm)], p=1)
    yield Case("LpNormalization_2", "LpNormalization", {"x": x},
               [x / np.sqrt((x * x).sum(1, keepdims=True))], axis=1)
    shift = random(4, seed=3)
    centered = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centered * centered).mean(-1, keepdims=True) + 1e-5)
    yield Case("LayerNormalization_before_17", "LayerNormalization", {"x": x},
               [centered / deviation * scale.astype(np.float32) + shift,
                x.mean(-1, keepdims=True), 1 / deviation],
               {"scale": scale.astype(np.float32), "bias": shift}, version=13)


# ===----------------------------------------------------------------------=== #
# Windows
# ===----------------------------------------------------------------------=== #

def windows(x, kernel, strides=(1, 1), dilations=(1, 1), pads=(0, 0, 0, 0),
            fill=0.0):
    """(N, C, H, W, kernel elements)"""
    x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])],
               constant_values=fill)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    sizes = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, strides)]
    taken = [x[:, :, i * dilations[0]:, j * dilations[1]:]
             [:, :, :(sizes[0] - 1) * strides[0] + 1:strides[0],
              :(sizes[1] - 1) * strides[1] + 1:strides[1]]
             for i, j in itertools.product(range(kernel[0]), range(kernel[1]))]
    return np.stack(taken, -1)


def col2im(columns, image, block, strides, dilations, pads):
    n, rows, _ = columns.shape
    channels = rows // (block[0] * block[1])
    padded = np.zeros((n, channels, image[0] + pads[0] + pads[2],
                       image[1] + pads[1] + pads[3]), columns.dtype)
    reach = [(k - 1) * d + 1 for k, d in zip(block, dilations)]
    sizes = [(full - r) // s + 1
             for full, r, s in zip(padded.shape[2:], reach, strides)]
    columns = columns.reshape(n, channels, *block, *sizes)
    for i, j in itertools.product(range(block[0]), range(block[1])):
        for y, x in itertools.product(range(sizes[0]), range(sizes[1])):
            padded[:, :, y * strides[0] + i * dilations[0],
                   x * strides[1] + j * dilations[1]] += columns[
                       :, :, i, j, y, x]
    return padded[:, :, pads[0]:pads[0] + image[0],
                  pads[1]:pads[1] + image[1]]


def sample(image, y, x):
    """`image` (C, H, W) between its elements, 0 outside."""
    total = np.zeros(image.shape[0])
    top, left = int(np.floor(y)), int(np.floor(x))
    for i, j in itertools.product((top, top + 1), (left, left + 1)):
        if 0 <= i < image.shape[1] and 0 <= j < image.shape[2]:
            total += image[:, i, j] * (1 - abs(y - i)) * (1 - abs(x - j))
    return total


def deform_conv(x, w, offset, bias, mask, group, offset_group, pads, strides,
                dilations):
    n, channels = x.shape[:2]
    m, _, kh, kw = w.shape
    oh, ow = offset.shape[2:]
    offset = offset.reshape(n, offset_group, kh, kw, 2, oh, ow)
    mask = mask.reshape(n, offset_group, kh, kw, oh, ow)
    result = np.zeros((n, m, oh, ow))
    for b, p, q in itertools.product(range(n), range(oh), range(ow)):
        taken = np.zeros((channels, kh, kw))
        for g, i, j in itertools.product(range(offset_group), range(kh),
                                         range(kw)):
            size = channels // offset_group
            part = slice(g * size, (g + 1) * size)
            dy, dx = offset[b, g, i, j, :, p, q]
            taken[part, i, j] = mask[b, g, i, j, p, q] * sample(
                x[b, part], p * strides[0] - pads[0] + i * dilations[0] + dy,
                q * strides[1] - pads[1] + j * dilations[1] + dx)
        for o in range(m):
            g = o // (m // group)
            size = channels // group
            result[b, o, p, q] = np.sum(
                taken[g * size:(g + 1) * size] * w[o]) + bias[o]
    return result.astype(np.float32)


def window_cases():
    x = random(2, 3, 8, 9)
    taken = windows(x, (3, 2), (2, 1), (2, 3), (1, 0, 2, 1))
    for p in (1, 2, 3):
        expected = (np.abs(taken)**p).sum(-1)**(1 / p)
        yield Case(f"LpPool_{p}", "LpPool", {"x": x},
                   [expected.astype(np.float32)], kernel_shape=[3, 2],
                   strides=[2, 1], dilations=[2, 3], pads=[1, 0, 2, 1], p=p)
    # The last window of each row begins in the image and ends beyond it.
    taken = windows(x, (2, 2), (3, 2), pads=(0, 0, 0, 1))
    yield Case("LpPool_ceil", "LpPool", {"x": x},
               [np.sqrt((taken * taken).sum(-1))], kernel_shape=[2, 2],
               strides=[3, 2], ceil_mode=1)
    yield Case("GlobalLpPool", "GlobalLpPool", {"x": x},
               [((np.abs(x)**3).sum((2, 3), keepdims=True)**(1 / 3))
                .astype(np.float32)], p=3)
    taken = windows(x, (3, 2), (1, 2), (2, 2), (1, 1, 1, 1))
    counts = windows(np.ones_like(x), (3, 2), (1, 2), (2, 2), (1, 1, 1, 1))
    yield Case("AveragePool_dilations", "AveragePool", {"x": x},
               [taken.sum(-1) / counts.sum(-1)], kernel_shape=[3, 2],
               strides=[1, 2], dilations=[2, 2], pads=[1, 1, 1, 1])
    geometry = {"strides": (2, 1), "dilations": (1, 2), "pads": (1, 0, 0, 1)}
    # One row of the image is beyond the last block.
    columns = random(2, 12, 12)
    yield Case("Col2Im", "Col2Im", {"x": columns},
               [col2im(columns, (6, 5), (2, 2), **geometry)],
               {"image": np.array([6, 5]), "block": np.array([2, 2])},
               **{k: list(v) for k, v in geometry.items()})
    yield Case("Col2Im_run_time", "Col2Im",
               {"x": columns, "image": np.array([6, 5]),
                "block": np.array([2, 2])},
               [col2im(columns, (6, 5), (2, 2), **geometry)],
               **{k: list(v) for k, v in geometry.items()})
    columns = random(1, 10, 5)
    image = np.zeros((1, 2, 9), np.float32)
    for i, j, c in itertools.product(range(5), range(5), range(2)):
        image[0, c, i + j] += columns[0, 5 * c + i, j]
    yield Case("Col2Im_1d", "Col2Im", {"x": columns}, [image],
               {"image": np.array([9]), "block": np.array([5])})
    x, w = random(2, 4, 6, 5), random(6, 2, 3, 2, seed=1)
    bias = random(6, seed=2)
    geometry = {"group": 2, "offset_group": 2, "pads": [1, 0, 1, 1],
                "strides": [2, 1], "dilations": [1, 2]}
    offset = random(2, 2 * 6 * 2, 3, 4, seed=3)
    mask = random(2, 2 * 6, 3, 4, seed=4)
    yield Case("DeformConv", "DeformConv",
               {"x": x, "w": w, "offset": offset, "b": bias, "mask": mask},
               [deform_conv(x, w, offset, bias, mask, **geometry)], **geometry)
    geometry = {"group": 1, "offset_group": 1, "pads": [0, 0, 0, 0],
                "strides": [1, 1], "dilations": [1, 1]}
    offset, w = random(2, 8, 5, 4, seed=3), random(3, 4, 2, 2, seed=1)
    yield Case("DeformConv_plain", "DeformConv",
               {"x": x, "w": w, "offset": offset},
               [deform_conv(x, w, offset, np.zeros(3), np.ones((2, 4, 5, 4)),
                            **geometry)])


# ===----------------------------------------------------------------------=== #
# Grids
# ===----------------------------------------------------------------------=== #

def affine_grid(theta, sizes, align):
    axes = [np.linspace(-1, 1, n) if align else (2 * np.arange(n) + 1) / n - 1
            for n in sizes]
    points = np.meshgrid(*axes, indexing="ij")[::-1] + [np.ones(sizes)]
    grid = np.stack(points, -1) @ theta.reshape(
        len(theta), *[1] * (len(sizes) - 1), *theta.shape[1:]).swapaxes(-1, -2)
    return grid.astype(np.float32)


def grid_cases():
    for align in (0, 1):
        theta = random(2, 2, 3)
        yield Case(f"AffineGrid_2d_{align}", "AffineGrid", {"theta": theta},
                   [affine_grid(theta, (4, 5), align)],
                   {"size": np.array([2, 1, 4, 5])}, align_corners=align)
        theta = random(2, 3, 4)
        yield Case(f"AffineGrid_3d_{align}", "AffineGrid", {"theta": theta},
                   [affine_grid(theta, (2, 4, 3), align)],
                   {"size": np.array([2, 1, 2, 4, 3])}, align_corners=align)
        # Of dynamic sizes.
        yield Case(f"AffineGrid_run_time_{align}", "AffineGrid",
                   {"theta": theta, "size": np.array([2, 1, 2, 4, 3])},
                   [affine_grid(theta, (2, 4, 3), align)], align_corners=align)
        theta = random(2, 2, 3)
        expected = affine_grid(theta, (3, 1), align)
        yield Case(f"AffineGrid_run_time_column_{align}", "AffineGrid",
                   {"theta": theta, "size": np.array([2, 1, 3, 1])},
                   [expected], align_corners=align)


def sample_volume(x, grid):
    """Linear, zeros outside, -1 and 1 are the outer edges."""
    sizes = np.array(x.shape[2:])
    result = np.zeros((*x.shape[:2], *grid.shape[1:4]), np.float32)
    for n, *at in itertools.product(*map(range, grid.shape[:4])):
        point = ((grid[(n, *at)][::-1] + 1) * sizes - 1) / 2
        first = np.floor(point).astype(int)
        for step in itertools.product((0, 1), repeat=3):
            tap = first + step
            if np.all((tap >= 0) & (tap < sizes)):
                weight = np.prod(1 - np.abs(point - tap))
                result[(n, slice(None), *at)] += weight * x[
                    (n, slice(None), *tap)]
    return result


def volume_cases():
    x, grid = random(2, 3, 4, 5, 3), random(2, 2, 3, 4, 3, seed=1) / 2
    yield Case("GridSample_volume", "GridSample", {"x": x, "grid": grid},
               [sample_volume(x, grid)], mode="linear")
    # Exactly at elements, of which the first is at -1.
    nearest = np.array([[[[[-1, 1, 0], [1, -1, 1]]]]], np.float32)
    yield Case("GridSample_nearest", "GridSample",
               {"x": x[:1], "grid": nearest},
               [np.stack([x[:1, :, 2, 4, 0], x[:1, :, 3, 0, 2]],
                         -1)[:, :, None, None]],
               mode="nearest", align_corners=1)


# ===----------------------------------------------------------------------=== #
# Resize
# ===----------------------------------------------------------------------=== #

def triangle(x):
    return np.maximum(1 - np.abs(x), 0)


def cubic(x, a=-0.75):
    x = np.abs(x)
    return np.where(x <= 1, (a + 2) * x**3 - (a + 3) * x**2 + 1,
                    np.where(x < 2, a * (x**3 - 5 * x**2 + 8 * x - 4), 0))


def resize(x, axis, size, scale, kernel, reach, antialias=False, symmetric=False):
    """Along one axis; elements beyond the ends are the outermost ones."""
    n = x.shape[axis]
    stretch = min(scale, 1) if antialias else 1
    center = (np.arange(size) + 0.5) / scale - 0.5
    if symmetric:
        adjustment = size / (n * scale)
        center = (n / 2) * (1 - adjustment) + (np.arange(size) + 0.5) / scale
        center -= 0.5
    margin = int(np.ceil(reach / stretch)) + 1
    taps = np.arange(-margin, n + margin)
    weights = kernel((taps[None] - center[:, None]) * stretch)
    weights /= weights.sum(1, keepdims=True)
    matrix = np.zeros((size, n))
    np.add.at(matrix.T, np.clip(taps, 0, n - 1), weights.T)
    return np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0,
                       axis).astype(np.float32)


def resize_cases():
    x = random(1, 2, 9, 7)
    nothing = {"roi": np.zeros(0, np.float32)}
    for mode, kernel, reach in [("linear", triangle, 1), ("cubic", cubic, 2)]:
        expected = resize(x, 2, 4, 4 / 9, kernel, reach, antialias=True)
        expected = resize(expected, 3, 11, 11 / 7, kernel, reach,
                          antialias=True)
        yield Case(f"Resize_antialias_{mode}", "Resize", {"x": x}, [expected],
                   {**nothing, "scales": None,
                    "sizes": np.array([4, 11])}, mode=mode, antialias=1,
                   axes=[2, 3])
    expected = resize(x, 3, 11, 1.6, triangle, 1, symmetric=True)
    yield Case("Resize_symmetric", "Resize", {"x": x}, [expected],
               {**nothing, "scales": np.array([1.6], np.float32)}, axes=[3],
               mode="linear",
               coordinate_transformation_mode="half_pixel_symmetric")
    for policy, scale in [("not_larger", 4 / 9), ("not_smaller", 6 / 7)]:
        sizes = [int(np.floor(n * scale + 0.5)) for n in (9, 7)]
        expected = resize(x, 2, sizes[0], scale, triangle, 1)
        expected = resize(expected, 3, sizes[1], scale, triangle, 1)
        yield Case(f"Resize_{policy}", "Resize", {"x": x}, [expected],
                   {**nothing, "scales": None, "sizes": np.array([4, 6])},
                   mode="linear", axes=[2, 3],
                   keep_aspect_ratio_policy=policy)


@parametrize([*reduction_cases()])
def test_reduction_matches_numpy(case, backend):
    case.check(backend)


@parametrize([*movement_cases(), *elementwise_cases()])
def test_elements_match_numpy(case, backend):
    case.check(backend)


@parametrize([*normalization_cases()])
def test_normalization_matches_numpy(case, backend):
    case.check(backend)


@parametrize([*window_cases(), *grid_cases(), *volume_cases(),
              *resize_cases()])
def test_window_or_grid_matches_numpy(case, backend):
    case.check(backend)
