# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progressions of dynamic length."""

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders, cli


def progression(dtype):
    return builders.single(
        "Range", {name: (dtype, []) for name in ("start", "limit", "delta")},
        {"y": (dtype, ["n"])})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype, start, limit, delta", [
    ("int64", 3, 17, 5), ("int64", 10, -6, -3), ("int64", 5, 5, 1),
    ("int64", 5, 1, 1), ("int64", -2**63, -2**63 + 4, 2),
    ("int64", 2**63 - 1, 2**63 - 4, -2), ("int32", -3, 3, 2),
    ("int16", 0, 7, 7), ("float32", 0, 1, 0.25), ("float32", 1, 0, 0.5),
    ("float64", 2, -1, -0.7)])
def test_range_is_numpys(tmp_path, backend, dtype, start, limit, delta):
    values = {name: np.array(value, dtype) for name, value in
              (("start", start), ("limit", limit), ("delta", delta))}
    y = run(progression(dtype), values, tmp_path, backend)["y"]
    assert y.dtype == dtype
    np.testing.assert_allclose(y, np.arange(start, limit, delta, dtype),
                               rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype, limit, delta", [
    ("int64", 3, 0), ("float32", 3, 0), ("float32", np.nan, 1),
    ("float64", 1e30, 1)])
def test_range_without_end_is_an_error(tmp_path, backend, dtype, limit, delta):
    values = {name: np.array(value, dtype) for name, value in
              (("start", 0), ("limit", limit), ("delta", delta))}
    with pytest.raises(cli.NacreError, match="delta other than 0"):
        run(progression(dtype), values, tmp_path, backend)
