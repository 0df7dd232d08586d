# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MatMulInteger and ConvInteger with zero points of every kind against numpy.

Sums wrap around in 32 bits, so that results are equal, not merely close.
"""

import itertools

import numpy as np
import pytest

from backends import BACKENDS, run, runnable
from nacre import builders

ARCHITECTURES = runnable(["host", "x86-64-v3"])
DTYPES = ["uint8", "int8"]


def draw(rng, dtype, *shape):
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def check(model, inputs, expected, folder, backend):
    for arch in ARCHITECTURES if backend == "cpu" else [""]:
        options = [f"--vpu-arch={arch}"] if arch else []
        result = run(model, inputs, folder, backend, *options)["y"]
        np.testing.assert_array_equal(result, expected, err_msg=arch)


def build(op, operands, computed, shape, **attributes):
    """A model of one node, whose operands of the names in COMPUTED are inputs,
    and the inputs."""
    given = {k: v for k, v in operands.items() if v is not None}
    names = [k if v is not None else "" for k, v in operands.items()]
    while not names[-1]:
        names.pop()
    inputs = {k: v for k, v in given.items() if k in computed}
    node = builders.node(op, names, ["y"], **attributes)
    model = builders.model(
        [node], {k: (v.dtype.name, v.shape) for k, v in inputs.items()},
        {"y": ("int32", shape)},
        weights={k: v for k, v in given.items() if k not in computed})
    return model, inputs


def difference(x, zero, shape):
    x = x.astype(np.int32)
    if zero is None:
        return x
    zero = zero.astype(np.int32)
    return x - (zero.reshape(shape) if zero.size != 1 else zero)


def multiply(folder, backend, a, b, a_zero, b_zero, computed):
    operands = {"a": a, "b": b, "p": a_zero, "q": b_zero}
    expected = (difference(a, a_zero, (-1, 1))
                @ difference(b, b_zero, (1, -1))).astype(np.int32)
    model, inputs = build("MatMulInteger", operands, computed, expected.shape)
    check(model, inputs, expected, folder, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("zeros", ["none", "one", "each"])
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
def test_products_are_exact_with_any_zero_points(tmp_path, types, zeros,
                                                 backend):
    rng = np.random.default_rng(0)
    a_type, b_type = types
    a, b = draw(rng, a_type, 5, 24), draw(rng, b_type, 24, 37)
    shapes = {"none": None, "one": ((), ()), "each": ((5,), (37,))}[zeros]
    a_zero, b_zero = (None, None) if shapes is None else (
        draw(rng, dtype, *shape) for dtype, shape in zip(types, shapes))
    for computed in ["apq", "abpq"]:
        multiply(tmp_path, backend, a, b, a_zero, b_zero, computed)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows, depth, columns", [
    (1, 64, 100), (1, 7, 3), (2, 33, 70), (33, 67, 16), (3, 66, 1),
    (200, 256, 48)])
def test_products_of_many_sizes_are_exact(tmp_path, rows, depth, columns,
                                          backend):
    rng = np.random.default_rng(1)
    a, b = draw(rng, "uint8", rows, depth), draw(rng, "uint8", depth, columns)
    zeros = draw(rng, "uint8"), draw(rng, "uint8")
    for computed in ["ap", "abpq"]:
        multiply(tmp_path, backend, a, b, *zeros, computed)


@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
@pytest.mark.parametrize("zeros", ["none", "one", "each"])
@pytest.mark.parametrize("rows, depth, columns", [
    (1, 2, 16), (1, 9, 17), (2, 40, 31), (1, 129, 2050), (2, 3, 4200)])
def test_few_rows_by_a_computed_matrix_are_exact(tmp_path, rows, depth,
                                                 columns, zeros, types):
    rng = np.random.default_rng(2)
    a, b = draw(rng, types[0], rows, depth), draw(rng, types[1], depth, columns)
    a.flat[:2], b[:2] = np.iinfo(types[0]).min, np.iinfo(types[1]).min
    shapes = {"none": None, "one": ((), ()), "each": ((rows,), (columns,))}
    a_zero, b_zero = (None, None) if shapes[zeros] is None else (
        draw(rng, dtype, *shape)
        for dtype, shape in zip(types, shapes[zeros]))
    multiply(tmp_path, "cpu", a, b, a_zero, b_zero, "abpq")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
@pytest.mark.parametrize("depth, columns", [(1100, 1030), (2050, 640)])
def test_rows_by_a_large_computed_matrix_are_exact(tmp_path, depth, columns,
                                                   types, threads):
    rng = np.random.default_rng(6)
    b = draw(rng, types[1], depth, columns)
    for known, sizes in [(1, [1]), (7, [7]), ("m", [1, 8, 40])]:
        model = builders.model(
            [builders.node("MatMulInteger", ["a", "b"], ["y"])],
            {"a": (types[0], [known, depth]), "b": (types[1], [depth, columns])},
            {"y": ("int32", [known, columns])})
        for rows in sizes:
            inputs = {"a": draw(rng, types[0], rows, depth), "b": b}
            expected = inputs["a"].astype(np.int32) @ b.astype(np.int32)
            for arch in ARCHITECTURES:
                result = run(model, inputs, tmp_path, "cpu",
                             f"--vpu-arch={arch}", f"--threads={threads}")["y"]
                np.testing.assert_array_equal(result, expected, err_msg=arch)


@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
@pytest.mark.parametrize("rows, depth, columns", [(1, 40, 64), (3, 21, 75)])
def test_few_rows_by_as_many_computed_matrices_are_exact(
        tmp_path, rows, depth, columns, types):
    rng = np.random.default_rng(7)
    inputs = {"a": draw(rng, types[0], 2, 3, rows, depth),
              "b": draw(rng, types[1], 2, 3, depth, columns)}
    expected = inputs["a"].astype(np.int32) @ inputs["b"].astype(np.int32)
    model = builders.model(
        [builders.node("MatMulInteger", ["a", "b"], ["y"])],
        {name: (x.dtype.name, x.shape) for name, x in inputs.items()},
        {"y": ("int32", expected.shape)})
    check(model, inputs, expected, tmp_path, "cpu")


@pytest.mark.parametrize("zeros, threads", [
    ("none", 1), ("one", 2), ("each", 1), ("each", 2), ("vector", 1)])
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
def test_any_number_of_rows_by_a_computed_matrix_is_exact(tmp_path, types,
                                                          zeros, threads):
    rng = np.random.default_rng(4)
    depth, columns = 67, 37
    names = ["a", "b"] + (["p", "q"] if zeros != "none" else [])
    p_shape, q_shape = {"none": ([], []), "one": ([], []),
                        "each": (["m", 1], [1, columns]),
                        "vector": (["m"], [columns])}[zeros]
    shapes = {"a": (types[0], ["n", "m", depth]),
              "b": (types[1], [depth, columns]),
              "p": (types[0], p_shape), "q": (types[1], q_shape)}
    model = builders.model(
        [builders.node("MatMulInteger", names, ["y"])],
        {name: shapes[name] for name in names},
        {"y": ("int32", ["n", "m", columns])})
    for batch, rows in [(1, 1), (2, 9), (0, 4), (3, 0), (1, 130)]:
        sizes = {"n": batch, "m": rows}
        inputs = {name: draw(rng, dtype, *(sizes.get(d, d) for d in shape))
                  for name, (dtype, shape) in shapes.items() if name in names}
        expected = (difference(inputs["a"], inputs.get("p"), (-1, 1))
                    @ difference(inputs["b"], inputs.get("q"), (1, -1))).astype(
                        np.int32)
        for arch in ARCHITECTURES:
            result = run(model, inputs, tmp_path, "cpu", f"--vpu-arch={arch}",
                         f"--threads={threads}")["y"]
            np.testing.assert_array_equal(result, expected, err_msg=arch)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
def test_products_of_sizes_that_a_run_knows_are_exact(tmp_path, types, threads):
    rng = np.random.default_rng(3)
    node = builders.node("MatMulInteger", ["a", "b", "p", "q"], ["y"])
    model = builders.model(
        [node], {"a": (types[0], ["m", "k"]), "b": (types[1], ["k", "n"]),
                 "p": (types[0], []), "q": (types[1], [])},
        {"y": ("int32", ["m", "n"])})
    for rows, depth, columns in [(1, 300, 2060), (3, 17, 5), (9, 8, 33),
                                 (0, 4, 4), (2, 0, 20), (1, 5, 0)]:
        a, b = draw(rng, types[0], rows, depth), draw(rng, types[1], depth,
                                                      columns)
        p, q = draw(rng, types[0]), draw(rng, types[1])
        expected = (difference(a, p, ()) @ difference(b, q, ())).astype(
            np.int32)
        inputs = {"a": a, "b": b, "p": p, "q": q}
        for arch in ARCHITECTURES:
            result = run(model, inputs, tmp_path, "cpu", f"--vpu-arch={arch}",
                         f"--threads={threads}")["y"]
            np.testing.assert_array_equal(result, expected, err_msg=arch)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
def test_batches_of_products_are_exact(tmp_path, types, backend):
    rng = np.random.default_rng(2)
    a_type, b_type = types
    for left, right in [((2, 3), (2, 3)), ((2, 3), ()), ((1, 3), (1, 1)),
                        ((), (3,))]:
        a = draw(rng, a_type, *left, 6, 20)
        b = draw(rng, b_type, *right, 20, 33)
        multiply(tmp_path, backend, a, b, draw(rng, a_type), draw(rng, b_type),
                 "abpq")
        multiply(tmp_path, backend, a, b, draw(rng, a_type), draw(rng, b_type),
                 "ap")


def convolve(x, w, group, strides, pads):
    """The convolution of differences from the zero points: padding is 0."""
    x = np.pad(x, [(0, 0), (0, 0), pads, pads])
    outputs, inputs, rows, columns = w.shape
    size = [(x.shape[2 + i] - k) // strides + 1
            for i, k in enumerate((rows, columns))]
    y = np.zeros((x.shape[0], outputs, *size), np.int64)
    for m, i, j in itertools.product(range(outputs), range(rows),
                                     range(columns)):
        first = m // (outputs // group) * inputs
        part = x[:, first:first + inputs,
                 i:i + (size[0] - 1) * strides + 1:strides,
                 j:j + (size[1] - 1) * strides + 1:strides]
        y[:, m] += np.einsum("nchw,c->nhw", part, w[m, :, i, j])
    return y.astype(np.int32)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("types", itertools.product(DTYPES, DTYPES))
@pytest.mark.parametrize("group, channels, outputs", [
    (1, 3, 20), (1, 16, 5), (2, 8, 6), (20, 20, 20)])
def test_convolutions_are_exact_with_any_zero_points(
        tmp_path, group, channels, outputs, types, backend):
    rng = np.random.default_rng(3)
    x = draw(rng, types[0], 2, channels, 9, 9)
    w = draw(rng, types[1], outputs, channels // group, 3, 3)
    x_zero = draw(rng, types[0])
    cases = [(None, (1, 1), 1, "xp"), (draw(rng, types[1]), (0, 1), 1, "xpq"),
             (draw(rng, types[1], outputs), (1, 1), 2, "x")]
    for w_zero, pads, strides, computed in cases:
        expected = convolve(difference(x, x_zero, ()),
                            difference(w, w_zero, (-1, 1, 1, 1)), group,
                            strides, pads)
        operands = {"x": x, "w": w, "p": x_zero, "q": w_zero}
        model, inputs = build("ConvInteger", operands, computed,
                              expected.shape, group=group,
                              strides=[strides] * 2,
                              pads=[pads[0]] * 2 + [pads[1]] * 2)
        check(model, inputs, expected, tmp_path, backend)
