# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices out of range end the run of a model that has dynamic sizes."""

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders, cli

I64, F32 = "int64", "float32"
ROW = 32
# Inputs other than `x`, which has five rows, and what is put there.
INDEXED = {
    "Gather": {"i": (I64, ["k"])},
    "GatherND": {"i": (I64, ["k", 1])},
    "ScatterND": {"i": (I64, ["k", 1]), "u": (F32, ["k", ROW])},
}


def build(operator, rows=ROW):
    size = "k" if operator.startswith("Gather") else "n"
    return builders.single(operator, {"x": (F32, ["n", rows]),
                                      **INDEXED[operator]},
                           {"y": (F32, [size, rows])}, opset=13)


def give(operator, indices, rows=ROW):
    indices = np.array(indices)[:, None]
    x = np.arange(5 * rows, dtype=np.float32).reshape(5, rows)
    feeds = {"x": x, "i": indices[:, 0] if operator == "Gather" else indices}
    if "u" in INDEXED[operator]:
        feeds["u"] = np.full((len(indices), rows), 7, np.float32)
    return feeds


@pytest.mark.parametrize("operator", INDEXED)
@pytest.mark.parametrize("backend", BACKENDS)
def test_index_out_of_range_ends_the_run(operator, backend, tmp_path):
    feeds = give(operator, [0, -4, 4])
    expected = feeds["x"][[0, 1, 4]]
    if "u" in feeds:
        expected = feeds["x"].copy()
        expected[[0, 1, 4]] = 7
    y = run(build(operator), feeds, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, expected)
    for wrong in (5, -6, 2**62, -2**62):
        with pytest.raises(cli.NacreError, match="(?i)range|index"):
            run(build(operator), give(operator, [0, 1, wrong]), tmp_path,
                backend)


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_index_of_few_elements_stays_within_the_tensor(backend, tmp_path):
    feeds = give("Gather", [2, 5, -6], rows=2)
    y = run(build("Gather", rows=2), feeds, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, feeds["x"][[2, 4, 4]])


@pytest.mark.parametrize("backend", BACKENDS)
def test_entry_of_an_index_tuple_out_of_range_ends_the_run(backend, tmp_path):
    model = builders.single("GatherND", {"x": (F32, ["n", 3, "m", ROW]),
                                         "i": (I64, ["k", 3])},
                            {"y": (F32, ["k", ROW])}, opset=13)
    x = np.arange(24 * ROW, dtype=np.float32).reshape(2, 3, 4, ROW)
    right = np.array([[1, 2, 3], [-2, -3, -4]])
    y = run(model, {"x": x, "i": right}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, x[[1, 0], [2, 0], [3, 0]])
    for entry, size in enumerate(x.shape[:3]):
        for wrong in (size, -size - 1):
            indices = right.copy()
            indices[1, entry] = wrong
            with pytest.raises(cli.NacreError, match="(?i)range|index"):
                run(model, {"x": x, "i": indices}, tmp_path, backend)
