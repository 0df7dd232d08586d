# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ArgMax and ArgMin along inner and outer axes, on all backends, against NumPy."""

import numpy as np
import pytest

import backends
from backends import BACKENDS
from nacre import builders


def position(line, operator, last):
    """By the definition: a NaN is never better, and nothing better than one."""
    best = 0
    for i, x in enumerate(line):
        better = x > line[best] if operator == "ArgMax" else x < line[best]
        if better or (last and x == line[best]):
            best = i
    return best


def check(x, folder, backend, operator="ArgMax", axis=-1, last=0):
    expected = np.apply_along_axis(position, axis, x, operator, last)
    model = builders.model(
        [builders.node(operator, ["x"], ["y"], axis=axis, keepdims=0,
                       select_last_index=last)],
        {"x": (x.dtype.name, list(x.shape))},
        {"y": ("int64", list(expected.shape))}, opset=13)
    found = backends.run(model, {"x": x}, folder, backend)
    np.testing.assert_array_equal(found["y"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_of_equal_elements_the_first_or_the_last(tmp_path, backend, operator,
                                                 last, axis):
    x = np.random.default_rng(axis).integers(-9, 9, (37, 41, 67))
    check(x.astype(np.float32), tmp_path, backend, operator, axis, last)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("dtype", [
    "float16", "float64", "int8", "uint8", "int32", "int64", "uint64"])
def test_every_element_type_in_its_order(tmp_path, backend, operator, dtype):
    if dtype == "float16":
        x = np.random.default_rng(1).normal(0, 10, 600).astype(dtype)
    else:
        bits = np.random.default_rng(1).integers(0, 256, 600 * 8, np.uint8)
        x = np.nan_to_num(bits.view(dtype)[:600])
    check(x.reshape(4, 150), tmp_path, backend, operator)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("axis", [0, 1])
def test_nan_counts_where_it_is_the_first_and_zeros_are_equal(
        tmp_path, backend, operator, last, axis):
    values = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45],
                      np.float32)
    random = np.random.default_rng(2)
    x = np.concatenate([values[random.integers(0, 7, (50, 9))],
                        values[random.integers(4, 6, (50, 9))],
                        np.full((1, 9), np.nan, np.float32)])
    x = np.ascontiguousarray(x.T if axis == 0 else x)
    check(x, tmp_path, backend, operator, axis, last)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", ["ArgMax", "ArgMin"])
def test_the_worst_elements_of_a_type_have_positions(tmp_path, backend,
                                                     operator):
    limits = np.iinfo(np.int8)
    x = np.stack([np.full(70, limits.min, np.int8),
                  np.full(70, limits.max, np.int8)])
    for last in (0, 1):
        check(x, tmp_path, backend, operator, last=last)
