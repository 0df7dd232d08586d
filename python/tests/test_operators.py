# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on values that ONNX's own tests do not have, on all backends."""

import itertools

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders, tolerances


def typed(arrays):
    return {name: (array.dtype.name, list(array.shape))
            for name, array in arrays.items()}


def random(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("k", [1, 2, 7, 31, 40])
@pytest.mark.parametrize("largest", [0, 1])
def test_top_k_of_many_equal_elements_matches_a_stable_sort(
        tmp_path, backend, k, largest):
    x = np.random.default_rng(k).integers(-5, 5, (3, 40, 2)).astype(np.int32)
    shape = [3, k, 2]
    model = builders.single(
        "TopK", typed({"x": x}),
        {"values": ("int32", shape), "indices": ("int64", shape)},
        weights={"k": np.array([k], np.int64)}, axis=1, largest=largest)
    order = np.argsort(-x if largest else x, axis=1, kind="stable")[:, :k]
    results = run(model, {"x": x}, tmp_path, backend)
    np.testing.assert_array_equal(results["indices"], order)
    np.testing.assert_array_equal(results["values"],
                                  np.take_along_axis(x, order, axis=1))


@pytest.mark.parametrize("mode, padding, align", itertools.product(
    ["bilinear", "nearest", "bicubic"], ["zeros", "border", "reflection"],
    [0, 1]))
def test_grid_sample_far_outside_agrees_on_all_backends(
        tmp_path, mode, padding, align):
    inputs = {"x": random([2, 3, 5, 7]), "grid": 2 * random([2, 6, 4, 2], 1)}
    # Also the ends themselves, and what is far beyond.
    inputs["grid"][0, :4, 0] = [[-1, 1], [1, -1], [50, -70], [0, 0]]
    model = builders.single(
        "GridSample", typed(inputs), {"y": ("float32", [2, 3, 6, 4])},
        opset=16, mode=mode, padding_mode=padding, align_corners=align)
    expected = run(model, inputs, tmp_path, "interpreter")["y"]
    for backend in ("cpu", "reference"):
        np.testing.assert_allclose(run(model, inputs, tmp_path, backend)["y"],
                                   expected, **tolerances.CANCELLATION)


@pytest.mark.parametrize("channels, image, result", [
    (1, (9, 300), (5, 1)), (3, (40, 50), (7, 33)), (40, (60, 70), (3, 19)),
    (33, (9, 20, 17), (2, 3, 21)), (2, (5, 1, 9), (2, 1, 8)),
    (16, (50, 90), (64, 70)), (3, (50, 90), (130, 140))])
@pytest.mark.parametrize("padding", ["zeros", "border"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_grid_sample_of_any_number_of_channels_agrees_on_all_backends(
        tmp_path, channels, image, result, padding, dynamic):
    batch = 1 if channels == 3 else 2
    inputs = {"x": random([batch, channels, *image]),
              "grid": random([batch, *result, len(image)], 1)}
    # No number that is outside of the image becomes part of a result.
    inputs["x"][:, :, 0] = np.inf
    shapes = typed(inputs)
    if dynamic:
        shapes["x"] = ("float32", [batch, channels, *"DHW"[-len(image):]])
        shapes["grid"] = ("float32", [batch, *"dhw"[-len(image):], len(image)])
    sizes = "dhw"[-len(image):] if dynamic else result
    model = builders.single(
        "GridSample", shapes, {"y": ("float32", [batch, channels, *sizes])},
        opset=20, padding_mode=padding)
    expected = run(model, inputs, tmp_path, "interpreter")["y"]
    for options in ([], ["--threads=2"]):
        np.testing.assert_allclose(
            run(model, inputs, tmp_path, "cpu", *options)["y"], expected,
            **tolerances.CANCELLATION)


@pytest.mark.parametrize("index, element", [
    (-4, 0), (-1, 3), (3, 3), (4, 3), (-5, 3), (2**62, 3), (-2**63, 3)])
def test_gather_elements_beyond_the_ends_stays_inside(tmp_path, index, element):
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    inputs = {"x": x, "i": np.full((2, 9), index, np.int64)}
    model = builders.single("GatherElements", typed(inputs),
                            {"y": ("float32", [2, 9])}, axis=1)
    np.testing.assert_array_equal(
        run(model, inputs, tmp_path, "cpu")["y"],
        np.repeat(x[:, element:element + 1], 9, axis=1))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("equation, shapes", [
    ("ij,jk", [(3, 4), (4, 5)]),
    ("bqhd,bkhd->bhqk", [(2, 3, 4, 5), (2, 6, 4, 5)]),
    ("...ij,...jk->...ik", [(2, 1, 3, 4), (5, 4, 6)]),
    ("...ii->...i", [(2, 3, 3)]),
    ("iij,jki", [(3, 3, 4), (4, 5, 3)]),
    ("iii->", [(4, 4, 4)]),
    ("ijk->kj", [(2, 3, 4)]),
    ("i,j->ji", [(3,), (4,)]),
    ("a,ab,bc,c->", [(3,), (3, 4), (4, 5), (5,)]),
    ("ij,ij->ij", [(3, 4), (3, 4)]),
    ("ij,kl->jl", [(2, 3), (4, 5)]),
    ("i...,i...->...", [(3, 4, 2), (3, 1, 2)]),
], ids=lambda value: value if isinstance(value, str) else "")
def test_einsum_matches_numpy(tmp_path, backend, equation, shapes):
    inputs = {f"x{i}": random(shape, i) for i, shape in enumerate(shapes)}
    expected = np.einsum(equation, *inputs.values())
    model = builders.single(
        "Einsum", typed(inputs), {"y": ("float32", list(expected.shape))},
        equation=equation)
    np.testing.assert_allclose(run(model, inputs, tmp_path, backend)["y"],
                               expected, **tolerances.CANCELLATION)


def quantize(sums, scale, zero_point):
    """Sums by their scale as uint8."""
    scaled = np.rint(sums.astype(np.float32) * np.float32(scale))
    return np.clip(scaled + zero_point, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("backend", BACKENDS)
def test_qlinear_matmul_of_rows_and_columns_matches_numpy(tmp_path, backend):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 256, (9, 33)).astype(np.uint8)
    b = rng.integers(-128, 128, (33, 17)).astype(np.int8)
    parameters = {
        "a_scale": rng.uniform(0.01, 0.02, 9).astype(np.float32),
        "a_zero": rng.integers(100, 156, 9).astype(np.uint8), "b": b,
        "b_scale": rng.uniform(0.01, 0.02, 17).astype(np.float32),
        "b_zero": rng.integers(-9, 10, 17).astype(np.int8),
        "y_scale": np.array(0.05, np.float32),
        "y_zero": np.array(121, np.uint8)}
    model = builders.single("QLinearMatMul", typed({"a": a}),
                            {"y": ("uint8", [9, 17])}, weights=parameters)
    sums = ((a.astype(np.int32) - parameters["a_zero"][:, None])
            @ (b.astype(np.int32) - parameters["b_zero"]))
    scale = (parameters["a_scale"][:, None] * parameters["b_scale"]
             / parameters["y_scale"])
    np.testing.assert_array_equal(
        run(model, {"a": a}, tmp_path, backend)["y"],
        quantize(sums, scale, 121))


@pytest.mark.parametrize("backend", BACKENDS)
def test_qlinear_conv_of_channels_with_bias_matches_numpy(tmp_path, backend):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 256, (1, 5, 6, 7)).astype(np.uint8)
    w = rng.integers(-128, 128, (19, 5, 1, 1)).astype(np.int8)
    bias = rng.integers(-9000, 9000, 19).astype(np.int32)
    scales = rng.uniform(0.001, 0.01, 19).astype(np.float32)
    model = builders.single(
        "QLinearConv", typed({"x": x}), {"y": ("uint8", [1, 19, 6, 7])},
        weights={
            "x_scale": np.array(0.02, np.float32),
            "x_zero": np.array(117, np.uint8), "w": w, "w_scale": scales,
            "w_zero": np.zeros(19, np.int8),
            "y_scale": np.array(0.03, np.float32),
            "y_zero": np.array(128, np.uint8), "bias": bias})
    sums = np.einsum("nchw,mc->nmhw", x.astype(np.int32) - 117,
                     w[:, :, 0, 0].astype(np.int32))
    sums += bias[:, None, None]
    scale = np.float32(0.02) * scales / np.float32(0.03)
    np.testing.assert_array_equal(
        run(model, {"x": x}, tmp_path, backend)["y"],
        quantize(sums, scale[:, None, None], 128))


@pytest.mark.parametrize("backend", BACKENDS)
def test_det_of_matrices_with_zeros_matches_numpy(tmp_path, backend):
    x = random([3, 4, 6, 6])
    x[0, 0, :, 2] = 0
    x[:, 1, 0, 0] = 0
    model = builders.single("Det", typed({"x": x}), {"y": ("float32", [3, 4])})
    np.testing.assert_allclose(run(model, {"x": x}, tmp_path, backend)["y"],
                               np.linalg.det(x), **tolerances.ELIMINATION)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op, reduce", [
    ("ReduceSum", np.sum), ("ReduceMean", np.mean), ("ReduceMax", np.max),
    ("ReduceProd", np.prod),
    ("ReduceLogSumExp", lambda x, axis: np.log(np.sum(np.exp(x), axis)))])
@pytest.mark.parametrize("axes", [[0, 1], [-1, 0], [2, 1]])
def test_reduction_along_run_time_axes_matches_numpy(
        tmp_path, backend, op, reduce, axes):
    # Any two of the dimensions leave the same shape.
    inputs = {"x": random([3, 3, 3]), "axes": np.array(axes, np.int64)}
    model = builders.single(op, typed(inputs), {"y": ("float32", [3])},
                            opset=18, keepdims=0)
    np.testing.assert_allclose(run(model, inputs, tmp_path, backend)["y"],
                               reduce(inputs["x"], tuple(axes)),
                               **tolerances.DEFAULT)


def max_roi_pool(x, rois, rows, columns, scale):
    y = np.zeros((len(rois), x.shape[1], rows, columns), np.float32)
    for r, (image, *corners) in enumerate(rois):
        left, top, right, bottom = (
            int(np.sign(c) * np.floor(abs(c) * scale + 0.5)) for c in corners)
        height = max(bottom - top + 1, 1) / rows
        width = max(right - left + 1, 1) / columns
        for i, j in itertools.product(range(rows), range(columns)):
            part = x[int(image), :,
                     max(int(np.floor(i * height)) + top, 0):
                     max(int(np.ceil((i + 1) * height)) + top, 0),
                     max(int(np.floor(j * width)) + left, 0):
                     max(int(np.ceil((j + 1) * width)) + left, 0)]
            if part.size:
                y[r, :, i, j] = part.max((1, 2))
    return y


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_max_roi_pool_of_regions_that_leave_the_image_matches_numpy(
        tmp_path, backend, scale):
    x = random([2, 3, 8, 9])
    # Also one of a point, one around the image, and one whose end comes first.
    rois = np.float32([[0, 0, 0, 5, 6], [1, 2, 1, 7, 7], [0, 3, 3, 3, 3],
                       [1, -2, -1, 24, 24], [0, 7, 6, 2, 2]])
    model = builders.single(
        "MaxRoiPool", {"x": ("float32", ["n", 3, "h", 9]),
                       "rois": ("float32", ["regions", 5])},
        {"y": ("float32", ["regions", 3, 3, 2])}, pooled_shape=[3, 2],
        spatial_scale=scale)
    y = run(model, {"x": x, "rois": rois}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, max_roi_pool(x, rois, 3, 2, scale))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows", [3, "rows"])
def test_layer_normalization_far_from_zero_matches_numpy(tmp_path, backend,
                                                         rows):
    # The squares need twice the digits of what they differ by.
    x = 30 + random([3, 256]) / 10
    scale, bias = random([256], 1), random([256], 2)
    model = builders.single(
        "LayerNormalization", {"x": ("float32", [rows, 256])},
        {"y": ("float32", [rows, 256])}, opset=17,
        weights={"scale": scale, "bias": bias})
    wide = x.astype(np.float64)
    deviation = np.sqrt(wide.var(-1, keepdims=True) + 1e-5)
    expected = (wide - wide.mean(-1, keepdims=True)) / deviation * scale + bias
    np.testing.assert_allclose(
        run(model, {"x": x}, tmp_path, backend)["y"], expected,
        **tolerances.FAR_FROM_ZERO)


def lrn(x, size, alpha, beta, bias):
    """LRN of ONNX's operator specification."""
    before = (size - 1) // 2
    sums = np.zeros_like(x)
    for c in range(x.shape[1]):
        window = x[:, max(c - before, 0):c - before + size]
        sums[:, c] = (window ** 2).sum(axis=1)
    return x / (bias + alpha / size * sums) ** beta


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("beta", [0.75, 0.6])
@pytest.mark.parametrize("size, channels", [
    (1, 3), (2, 2), (3, 2), (4, 4), (4, 9), (5, 5), (5, 24), (20, 24)])
def test_lrn_of_any_window_matches_numpy(tmp_path, backend, size, channels,
                                         beta):
    x = random([2, channels, 5, 7], size)
    options = {"alpha": 0.5, "beta": beta, "bias": 2.0}
    model = builders.single("LRN", typed({"x": x}), typed({"y": x}),
                            size=size, **options)
    result = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_allclose(result, lrn(x, size, **options),
                               **tolerances.DEFAULT)


def integer_pairs(dtype):
    """Small and large numbers, many next to multiples of the divisor."""
    limits = np.iinfo(dtype)
    draws = np.random.default_rng(5)
    divisor = draws.integers(limits.min, limits.max, 20000, dtype,
                             endpoint=True)
    divisor >>= draws.integers(0, limits.bits, 20000, dtype)
    divisor[divisor == 0] = 1
    multiple = draws.integers(0, limits.max, 20000).astype(dtype) // divisor
    a = divisor * multiple + draws.integers(-1, 2, 20000).astype(dtype)
    edges = np.array([limits.min, limits.min + 1, limits.max, 1, 2, 3], dtype)
    x, y = np.meshgrid(edges, edges[edges != 0])
    return (np.concatenate([a, x.ravel()]),
            np.concatenate([divisor, y.ravel()]))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int32",
                                  "uint32", "int64"])
def test_quotient_of_integers_is_exact(tmp_path, backend, name):
    dtype = np.dtype(name)
    with np.errstate(over="ignore"):
        a, b = integer_pairs(dtype)
    model = builders.single("Div", typed({"a": a, "b": b}),
                            {"y": (name, list(a.shape))})
    # Towards zero, where numpy rounds down.
    with np.errstate(over="ignore"):
        down, rest = a // b, a % b
        expected = (down + ((rest != 0) & ((a < 0) != (b < 0)))).astype(dtype)
    results = run(model, {"a": a, "b": b}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["int8", "uint16", "int32", "uint32"])
def test_remainder_of_integers_is_exact(tmp_path, backend, name):
    dtype = np.dtype(name)
    with np.errstate(over="ignore"):
        a, b = integer_pairs(dtype)
    model = builders.single("Mod", typed({"a": a, "b": b}),
                            {"y": (name, list(a.shape))})
    with np.errstate(over="ignore"):
        expected = a % b
    results = run(model, {"a": a, "b": b}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_power_of_wide_integers_wraps(tmp_path, backend):
    base = np.array([0, 1, 2, 3, 7, 10, 3, 5, 2, 2])
    exponent = np.array([0, 2 ** 62, 63, 40, 1, 19, 2 ** 40 + 1, 0, 64, 62])
    base = np.concatenate([base, -base, [1, -1, -1, 5]])
    exponent = np.concatenate([exponent, exponent, [-3, -3, -4, -1]])
    model = builders.single("Pow", typed({"a": base, "b": exponent}),
                            {"y": ("int64", list(base.shape))})
    expected = [pow(int(a), int(b), 2 ** 64) if b >= 0
                else {1: 1, -1: (-1) ** int(-b)}.get(int(a), 0)
                for a, b in zip(base, exponent)]
    expected = np.array([number % 2 ** 64 for number in expected], np.uint64)
    results = run(model, {"a": base, "b": exponent}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], expected.astype(np.int64))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("pads", [(0, 1, 2, 0, 3, 1), (1, 0, 0, 0, 0, 0),
                                  (0, 2, 2, 1, 2, 2), (0, -1, 2, 0, 1, -1)])
def test_pad_of_a_large_middle_matches_numpy(tmp_path, backend, mode, pads):
    x = random((3, 12, 10))
    low, high = pads[:3], pads[3:]
    cut = tuple(slice(max(-before, 0), size - max(-after, 0))
                for size, before, after in zip(x.shape, low, high))
    added = [(max(before, 0), max(after, 0)) for before, after in zip(low, high)]
    if mode != "constant" and min(pads) < 0:
        pytest.skip("what is cut away and what is added speak of the same edge")
    expected = np.pad(x[cut], added, mode)
    model = builders.single("Pad", typed({"x": x}),
                            {"y": ("float32", list(expected.shape))},
                            weights={"pads": np.array(pads, np.int64)},
                            mode=mode)
    model.opset_import[0].version = 19
    results = run(model, {"x": x}, tmp_path, backend)
    np.testing.assert_array_equal(results["y"], expected)
