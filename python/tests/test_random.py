# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random operators: the numbers are NumPy's, on all backends."""

import numpy as np
import pytest

import backends
from backends import BACKENDS
from nacre import builders

# What folds into the artifact, and what a loop of it computes.
SIZES = [[2, 3], [5, 1001]]
SEED = 1234


def run(nodes, inputs, outputs, folder, backend, opset=15):
    """The outputs by name; INPUTS holds arrays, OUTPUTS types."""
    typed = {name: (array.dtype.name, list(array.shape))
             for name, array in inputs.items()}
    model = builders.model(nodes, typed, outputs, opset=opset)
    return backends.run(model, inputs, folder, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", SIZES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_random_uniform_matches_numpy(tmp_path, backend, shape, dtype):
    node = builders.node("RandomUniform", [], ["y"], low=-1.0, high=3.0,
                         seed=float(SEED), shape=shape,
                         dtype=builders.element_type(dtype))
    y = run([node], {}, {"y": (dtype, shape)}, tmp_path, backend)["y"]
    expected = np.random.RandomState(SEED).uniform(-1, 3, shape)
    np.testing.assert_array_equal(
        y, expected.astype("float32" if dtype == "float16" else dtype)
        .astype(dtype))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", SIZES, ids=str)
def test_random_normal_like_matches_numpy(tmp_path, backend, shape):
    node = builders.node("RandomNormalLike", ["x"], ["y"], mean=0.5, scale=2.0,
                         seed=float(SEED), dtype=builders.element_type("float64"))
    x = np.zeros(shape, np.int32)
    y = run([node], {"x": x}, {"y": ("float64", shape)}, tmp_path, backend)["y"]
    np.testing.assert_allclose(
        y, np.random.RandomState(SEED).normal(0.5, 2, shape), rtol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_nodes_without_seeds_differ_and_repeat(tmp_path, backend):
    nodes = [builders.node("RandomUniform", [], [name], shape=[8])
             for name in ("a", "b")]
    outputs = {name: ("float32", [8]) for name in ("a", "b")}
    first = run(nodes, {}, outputs, tmp_path, backend)
    second = run(nodes, {}, outputs, tmp_path, backend)
    for number, name in enumerate(("a", "b")):
        expected = np.random.RandomState(number).random_sample(8)
        np.testing.assert_array_equal(first[name], expected.astype(np.float32))
        np.testing.assert_array_equal(first[name], second[name])


@pytest.mark.parametrize("backend", BACKENDS)
def test_bernoulli_compares_with_numpys_numbers(tmp_path, backend):
    p = np.random.default_rng(0).uniform(0, 1, [40, 150]).astype(np.float32)
    node = builders.node("Bernoulli", ["p"], ["y"], seed=float(SEED),
                         dtype=builders.element_type("bool"))
    y = run([node], {"p": p}, {"y": ("bool", [40, 150])}, tmp_path,
            backend)["y"]
    np.testing.assert_array_equal(
        y, np.random.RandomState(SEED).random_sample(p.shape) < p)


@pytest.mark.parametrize("backend", BACKENDS)
def test_multinomial_draws_classes_by_their_probability(tmp_path, backend):
    logits = np.log(np.array([[1, 2, 5], [6, 0, 2]], np.float32) / 8)
    node = builders.node("Multinomial", ["x"], ["y"], sample_size=3000,
                         seed=float(SEED), dtype=builders.element_type("int64"))
    y = run([node], {"x": logits}, {"y": ("int64", [2, 3000])}, tmp_path,
            backend)["y"]
    uniform = np.random.RandomState(SEED).random_sample((2, 3000))
    sums = np.cumsum(np.exp(logits.astype(np.float64)), axis=1)
    expected = (sums[:, None, :] <= uniform[:, :, None]).sum(axis=2)
    np.testing.assert_array_equal(y, np.minimum(expected, 2))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("training", [True, False])
def test_dropout_of_run_time_mode_matches_numpy(tmp_path, backend, training):
    inputs = {"x": np.random.default_rng(0).standard_normal([50, 100]).astype(
                  np.float32),
              "ratio": np.array(0.3, np.float32), "mode": np.array(training)}
    node = builders.node("Dropout", list(inputs), ["y", "mask"], seed=SEED)
    outputs = {"y": ("float32", [50, 100]), "mask": ("bool", [50, 100])}
    results = run([node], inputs, outputs, tmp_path, backend, opset=13)
    mask = np.ones([50, 100], bool)
    if training:
        uniform = np.random.RandomState(SEED).random_sample([50, 100])
        mask = uniform >= np.float32(0.3)
    np.testing.assert_array_equal(results["mask"], mask)
    np.testing.assert_allclose(
        results["y"], inputs["x"] * mask / (0.7 if training else 1), rtol=1e-6)
