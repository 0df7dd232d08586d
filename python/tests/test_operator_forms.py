# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of operators that take ways of their own through the compiler, computed by
the interpreter and by code for several machines, with one thread and with three."""

import numpy as np
import pytest

from backends import run, runnable
from nacre import builders, tolerances

ARCHITECTURES = runnable(["host", "x86-64-v3", "x86-64"])


def check(node, feeds, shape, folder, weights=None, dims=None, kind="float32",
          opset=19):
    """Compares what NODE makes of FEEDS with the interpreter's, for known sizes and
    for those that DIMS leaves open."""
    for open_dims in [{}] + ([dims] if dims else []):
        inputs = {name: (x.dtype.name, open_dims.get(name, x.shape))
                  for name, x in feeds.items()}
        model = builders.model([node], inputs,
                               {"y": (kind, open_dims.get("y", shape))},
                               weights=weights or {}, opset=opset)
        expected = run(model, feeds, folder, "interpreter")["y"]
        assert expected.shape == tuple(shape)
        for arch in ARCHITECTURES:
            for threads in (1, 3):
                found = run(model, feeds, folder, "cpu", f"--vpu-arch={arch}",
                            f"--threads={threads}")["y"]
                np.testing.assert_allclose(found, expected,
                                           **tolerances.CANCELLATION)


def draw(*shape, dtype=np.float32):
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(dtype)


@pytest.mark.parametrize("operator", ["CumSum", "CumProd"])
@pytest.mark.parametrize("reverse, exclusive", [(0, 0), (1, 1)])
@pytest.mark.parametrize("shape, axis", [
    ((3, 5, 70), 0), ((3, 5, 70), 1), ((2, 3, 4, 5), 2), ((1, 6, 9), -2),
    ((4, 1, 80), 0), ((2, 3, 1), 1)])
def test_cumulative_ops_along_any_axis(tmp_path, operator, reverse, exclusive,
                                       shape, axis):
    names = [f"d{i}" for i in range(len(shape) - 1)] + [shape[-1]]
    node = builders.node(operator, ["x", "axis"], ["y"], reverse=reverse,
                         exclusive=exclusive)
    check(node, {"x": draw(*shape)}, shape, tmp_path,
          weights={"axis": np.array(axis)}, dims={"x": names, "y": names},
          opset=26 if operator == "CumProd" else 19)


def test_cumulative_sums_of_halves_add_in_f32(tmp_path):
    shape = (3, 40, 66)
    check(builders.node("CumSum", ["x", "axis"], ["y"]),
          {"x": draw(*shape, dtype=np.float16)}, shape, tmp_path,
          weights={"axis": np.array(1)}, kind="float16")


@pytest.mark.parametrize("groups, each, space", [
    (5, 2, (9,)), (6, 2, (7, 8)), (3, 4, (7, 8)), (4, 2, (3, 5, 6)), (2, 16, (5, 5))])
@pytest.mark.parametrize("computed", [False, True])
def test_groups_of_one_channel_that_make_several(tmp_path, groups, each, space,
                                                 computed):
    weights = {"w": draw(groups * each, 1, *[3] * len(space)),
               "b": draw(groups * each)}
    node = builders.node("Conv", ["x", "w", "b"], ["y"], group=groups,
                         pads=[1] * 2 * len(space))
    feeds = {"x": draw(2, groups, *space)}
    if computed:
        feeds["w"] = weights.pop("w")
    check(node, feeds, (2, groups * each, *space), tmp_path, weights=weights)


@pytest.mark.parametrize("size, window, options, result", [
    ((8,), [3], {}, (4,)), ((8, 9), [3, 2], {}, (4, 5)),
    ((8, 8), [3, 3], {"pads": [1, 1, 1, 1]}, (5, 5)),
    ((8, 8), [3, 3], {"pads": [1, 1, 1, 1], "count_include_pad": 1}, (5, 5)),
    ((8, 8), [3, 3], {"count_include_pad": 1}, (4, 4)),
    ((9, 9), [2, 2], {"dilations": [3, 3]}, (4, 4)),
    ((8, 8, 8), [3, 3, 3], {}, (4, 4, 4))])
def test_averages_of_windows_that_hang_over(tmp_path, size, window, options,
                                            result):
    node = builders.node("AveragePool", ["x"], ["y"], kernel_shape=window,
                         strides=[2] * len(size), ceil_mode=1, **options)
    names = [1, 5] + [f"d{i}" for i in range(len(size))]
    results = [1, 5] + [f"r{i}" for i in range(len(size))]
    check(node, {"x": draw(1, 5, *size)}, (1, 5, *result), tmp_path,
          dims={"x": names, "y": results})


@pytest.mark.parametrize("left, right, result", [
    ((5, 8), (3, 8, 20), (3, 5, 20)), ((2, 3, 4, 8), (3, 8, 20), (2, 3, 4, 20)),
    ((2, 3, 2, 8), (3, 8, 20), (2, 3, 2, 20)),
    ((2, 3, 4, 8), (2, 1, 8, 20), (2, 3, 4, 20)),
    ((1, 3, 4, 8), (3, 8, 20), (1, 3, 4, 20)),
    ((1, 3, 4, 8), (2, 1, 8, 20), (2, 3, 4, 20)),
    ((4, 1, 1, 8), (3, 8, 20), (4, 3, 1, 20))])
@pytest.mark.parametrize("constant", [False, True])
def test_products_of_matrices_that_others_share(tmp_path, left, right, result,
                                                constant):
    feeds, weights = {"a": draw(*left)}, {"b": draw(*right)}
    if not constant:
        feeds, weights = {**feeds, **weights}, {}
    check(builders.node("MatMul", ["a", "b"], ["y"]), feeds, result, tmp_path,
          weights=weights)
