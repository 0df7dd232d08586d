# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TopK of lines of any length, on all backends, against a stable sort of NumPy.

The lengths are around those at which the kernel goes another way: a block, a few
entries that are compared with each other, a list that is full."""

import numpy as np
import pytest

import backends
from backends import BACKENDS
from nacre import builders


def best(x, k, axis, largest):
    """Values and positions; NaN is larger than every number."""
    order = np.argsort(x, axis=axis, kind="stable")
    if largest:
        # Stable in the other direction, too.
        order = np.flip(x.shape[axis] - 1 - np.argsort(
            np.flip(x, axis), axis=axis, kind="stable"), axis)
    order = np.take(order, range(k), axis)
    return np.take_along_axis(x, order, axis), order


def check(x, k, folder, backend, axis=-1, largest=1):
    expected = best(x, k, axis, largest)
    model = builders.model(
        [builders.node("TopK", ["x", "k"], ["values", "indices"], axis=axis,
                       largest=largest)],
        {"x": (x.dtype.name, list(x.shape))},
        {"values": (x.dtype.name, list(expected[0].shape)),
         "indices": ("int64", list(expected[1].shape))},
        weights={"k": np.array([k], np.int64)}, opset=13)
    found = backends.run(model, {"x": x}, folder, backend)
    np.testing.assert_array_equal(found["values"], expected[0])
    np.testing.assert_array_equal(found["indices"], expected[1])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("length, k", [
    (1, 1), (63, 5), (64, 64), (65, 65), (129, 1), (128, 17), (1000, 3),
    (1000, 5), (1000, 64), (1000, 100), (1000, 999), (3001, 300), (5000, 7)])
def test_of_equal_elements_the_first_come_first(tmp_path, backend, length, k,
                                                largest):
    x = np.random.default_rng(length).integers(-40, 40, (3, length))
    check(x.astype(np.float32), k, tmp_path, backend, largest=largest)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [
    "float16", "float64", "int8", "uint8", "int32", "int64", "uint64"])
def test_every_element_type_in_its_order(tmp_path, backend, dtype):
    if dtype == "float16":
        x = np.random.default_rng(1).normal(0, 10, 500).astype(dtype)
    else:
        bits = np.random.default_rng(1).integers(0, 256, 500 * 8, np.uint8)
        x = np.nan_to_num(bits.view(dtype)[:500])
    check(x, 90, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_along_each_axis(tmp_path, backend, axis):
    x = np.random.default_rng(2).normal(size=(70, 80, 90)).astype(np.float32)
    check(x, 5, tmp_path, backend, axis=axis)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
@pytest.mark.parametrize("columns, k", [(8, 16), (32, 2), (45, 5), (80, 17),
                                         (300, 16), (5, 50), (2, 30), (20, 49)])
def test_of_equal_elements_in_columns_the_first_come_first(
        tmp_path, backend, columns, k, dtype, largest):
    """Columns that are blocks, more, and fewer; results around as many as are
    found in all columns at once."""
    x = np.random.default_rng(columns).integers(0, 9, (2, 50, columns))
    x[0, :20] = np.iinfo(np.uint8).max * largest
    check(x.astype(dtype), k, tmp_path, backend, axis=1, largest=largest)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8"])
@pytest.mark.parametrize("shape, k", [((8, 64), 5), ((5, 9, 100), 16),
                                      ((33, 20), 20), ((7, 64), 5),
                                      ((4, 6, 129), 100), ((3, 257), 257),
                                      ((16, 1025), 600)])
def test_of_equal_elements_in_many_lines_the_first_come_first(
        tmp_path, backend, shape, k, dtype, largest):
    """Lines that stand side by side as columns, and too few for that; some of
    whose elements are found, and which are sorted whole."""
    x = np.random.default_rng(k).integers(0, 9, shape)
    check(x.astype(dtype), k, tmp_path, backend, largest=largest)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
@pytest.mark.parametrize("k", [5, 100])
def test_of_elements_too_close_for_a_bound_the_first_come_first(
        tmp_path, backend, k, dtype):
    """Against the distance of the first two all others are as good as equal."""
    x = np.random.default_rng(k).integers(0, 9, (2, 3000))
    x[:, 0], x[:, 1] = 2**30, -2**30
    check(x.astype(dtype), k, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("length, k", [(2000, 30), (6000, 5), (2000, 70)])
def test_of_lines_in_order(tmp_path, backend, length, k, direction):
    """Either every element enters the list or none after the first. Those from
    which the bound is taken are the best of a longer line, or the worst."""
    x = np.arange(length, dtype=np.int32)[::direction]
    check(np.ascontiguousarray(x), k, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("largest", [0, 1])
def test_nan_is_larger_than_infinity_and_zeros_are_equal(tmp_path, backend,
                                                         largest):
    values = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1],
                      np.float32)
    x = values[np.random.default_rng(3).integers(0, len(values), 400)]
    for k in (1, 350):
        check(x, k, tmp_path, backend, largest=largest)
    # As columns that are sorted beside each other.
    check(x.reshape(40, 10), 38, tmp_path, backend, axis=0, largest=largest)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("largest", [0, 1])
def test_the_limits_of_a_type_are_elements(tmp_path, backend, largest):
    limits = np.iinfo(np.int32)
    x = np.random.default_rng(4).choice(
        np.array([limits.min, limits.max], np.int32), 300)
    check(x, 280, tmp_path, backend, largest=largest)
    check(x.reshape(20, 15), 19, tmp_path, backend, axis=0, largest=largest)
    # Many that nothing can be better than, and results that are not all such.
    check(x, 5, tmp_path, backend, largest=largest)
    x = np.full(300, limits.min if largest else limits.max, np.int32)
    x[[70, 250]] = 0
    check(x, 5, tmp_path, backend, largest=largest)


@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("k", [1, 5, 64, 65])
def test_of_lines_of_any_length_and_number(tmp_path, backend, k):
    """With a length that only a run knows, and a number of results."""
    model = builders.model(
        [builders.node("TopK", ["x", "k"], ["values", "indices"])],
        {"x": ("float32", ["lines", "length"]), "k": ("int64", [1])},
        {"values": ("float32", ["lines", "k"]),
         "indices": ("int64", ["lines", "k"])}, opset=13)
    for shape in [(0, 90), (1, k), (3, 64 + k), (2, 1000), (2, 2049), (5, 4500)]:
        x = np.random.default_rng(k).integers(-99, 99, shape)
        x = x.astype(np.float32)
        found = backends.run(model, {"x": x, "k": np.array([k], np.int64)},
                             tmp_path, backend)
        values, indices = best(x, k, -1, 1)
        np.testing.assert_array_equal(found["values"], values)
        np.testing.assert_array_equal(found["indices"], indices)
