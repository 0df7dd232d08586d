# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over windows of more elements than LLVM unrolls loops for."""

import numpy as np
import pytest

from backends import run
from nacre import builders


def average(x, size, pads):
    """Means of windows, of the elements that are in the image."""
    axes = tuple(range(2, x.ndim))
    padding = [(0, 0)] * 2 + [(pad, pad) for pad in pads]
    sums, counts = (
        np.lib.stride_tricks.sliding_window_view(
            np.pad(values.astype(np.float64), padding), size, axis=axes)
        .sum(axis=tuple(range(-len(size), 0)))
        for values in (x, np.ones_like(x)))
    return sums / counts


@pytest.mark.parametrize("knows_size", [True, False])
@pytest.mark.parametrize("element", ["float32", "float64", "float16"])
@pytest.mark.parametrize("shape, size, pads", [
    ((2, 3, 19, 37), (7, 7), (3, 3)),
    ((1, 2, 12, 40), (3, 13), (1, 6)),
    ((1, 4, 150), (64,), (20,)),
    ((1, 2, 9, 9, 20), (5, 5, 5), (2, 2, 2)),
])
def test_mean_of_large_windows_is_of_what_is_inside(
        tmp_path, shape, size, pads, element, knows_size):
    x = np.random.default_rng(7).standard_normal(shape).astype(element)
    expected = average(x, size, pads)
    free = [f"d{i}" for i in range(x.ndim - 2)]
    model = builders.single(
        "AveragePool",
        {"x": (element, list(shape) if knows_size else [*shape[:2], *free])},
        {"y": (element, list(expected.shape) if knows_size
               else [*shape[:2], *(f"o{name}" for name in free)])},
        kernel_shape=size, pads=[*pads, *pads])
    y = run(model, {"x": x}, tmp_path, "cpu")["y"]
    most = {"float64": 1e-14, "float32": 1e-6, "float16": 1e-3}[element]
    np.testing.assert_allclose(y.astype(np.float64), expected, rtol=most,
                               atol=most)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("element", ["float16", "float32"])
def test_mean_of_windows_two_apart_is_of_what_is_inside(tmp_path, element,
                                                        threads):
    """With two cores, the padded image is filled and written by loops."""
    x = np.random.default_rng(7).standard_normal((1, 16, 96, 96))
    x = x.astype(element)
    expected = average(x, (3, 3), (1, 1))[..., ::2, ::2]
    model = builders.single(
        "AveragePool", {"x": (element, x.shape)},
        {"y": (element, expected.shape)}, kernel_shape=[3, 3],
        pads=[1, 1, 1, 1], strides=[2, 2])
    y = run(model, {"x": x}, tmp_path, "cpu", f"--threads={threads}")["y"]
    most = 1e-3 if element == "float16" else 1e-6
    np.testing.assert_allclose(y.astype(np.float64), expected, rtol=most,
                               atol=most)
