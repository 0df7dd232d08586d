# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of dynamic sizes which a run finds to be one part, and which threads share
at others: the results are those of one thread, and either may end the run."""

import numpy as np
import pytest

import nacre
from nacre import builders

THREADS = (1, 2, 3, 5)


@pytest.fixture(autouse=True)
def machine_of_many_cores(monkeypatch):
    monkeypatch.setenv("NACRE_THREADS", str(max(THREADS)))


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape) \
        .astype(np.float32)


def functions_of_two_sizes():
    """Two loops are cut, the inner one where the outer one is short."""
    return builders.model(
        [builders.node("Exp", ["x"], ["a"]),
         builders.node("Transpose", ["a"], ["b"], perm=[1, 0]),
         builders.node("Erf", ["b"], ["y"])],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", ["m", "n"])})


def rows_that_are_normalised():
    """A loop over blocks of rows, in which one is behind the other."""
    return builders.model(
        [builders.node("Softmax", ["x"], ["a"], axis=-1),
         builders.node("LayerNormalization", ["a", "scale"], ["y"], axis=-1)],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", ["n", "m"])},
        {"scale": np.array([2], np.float32)})


def sums_of_channels():
    """A loop of known extent, whose parts depend on how long the sums are."""
    return builders.model(
        [builders.node("Reshape", ["x", "shape"], ["t"]),
         builders.node("ReduceSum", ["t", "axes"], ["y"], keepdims=0)],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", [8])},
        {"axes": np.array([1]), "shape": np.array([8, -1])})


SIZES = [(0, 8), (8, 0), (1, 8), (8, 1), (3, 16), (24, 57), (2, 40000),
         (40000, 2), (1600, 512), (3, 16)]


@pytest.mark.parametrize("make", [functions_of_two_sizes,
                                  rows_that_are_normalised, sums_of_channels])
def test_parts_make_no_difference(make, tmp_path):
    model = make()
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    for size in SIZES:
        feeds = {"x": random(*size)}
        (expected,) = alone.run(None, feeds)
        for session in shared:
            np.testing.assert_array_equal(session.run(None, feeds)[0], expected)


@pytest.mark.parametrize("threads", THREADS)
def test_index_out_of_range_ends_the_run_in_any_number_of_parts(threads,
                                                                tmp_path):
    columns = 64
    session = nacre.InferenceSession(
        builders.single("Gather", {"x": ("float32", ["n", columns]),
                                   "i": ("int64", ["k"])},
                        {"y": ("float32", ["k", columns])}),
        threads=threads, cache_dir=tmp_path)
    x = random(5, columns)
    for count in (1, 3, 40000, 3):
        i = np.arange(count) % 5
        np.testing.assert_array_equal(session.run(None, {"x": x, "i": i})[0],
                                      x[i])
        i[-1] = 5
        with pytest.raises(nacre.InvalidInput, match="(?i)range|index"):
            session.run(None, {"x": x, "i": i})
