# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products, convolutions and pooling of float64 on the engine, whose vectors hold
half as many of them as of float32: compared with the interpreter so closely that
a float32 on the way would show."""

import functools

import numpy as np
import pytest

import test_run_time_weights
from backends import BACKENDS, run
from nacre import builders, tolerances
from side_by_side import Case, check, list_software
from test_dynamic_images import assert_near, compile_model
from test_products import PRODUCTS

check = functools.partial(check, dtype="float64", tolerance=tolerances.DOUBLE)


def with_constants(case):
    return Case(case.op, case.shapes, 1, **case.attributes)


# Weights that are no constants, and constant ones.
IMAGES = test_run_time_weights.CASES | {
    f"constant: {name}": with_constants(case)
    for name, case in test_run_time_weights.CASES.items()}

POOLS = {
    "largest": Case("MaxPool", [(1, 19, 9, 11)], kernel_shape=[3, 2],
                    pads=[1, 0, 1, 1]),
    "average": Case("AveragePool", [(1, 19, 9, 11)], kernel_shape=[3, 3],
                    strides=[2, 2]),
    "average without padding": Case("AveragePool", [(1, 19, 9, 11)],
                                    kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
}

ACTIVATIONS = {
    "Relu": {}, "LeakyRelu": {"alpha": 0.3}, "Sigmoid": {}, "Tanh": {},
    "HardSigmoid": {}, "HardSwish": {}}


@pytest.mark.parametrize("architecture, threads", [
    ("x86-64", 2), ("x86-64-v3", 1), ("x86-64-v4", 2)])
def test_doubles_are_right(architecture, threads, tmp_path):
    check(IMAGES | PRODUCTS | POOLS, tmp_path, threads,
          f"--vpu-arch={architecture}")


def test_doubles_are_left_to_software_by_an_npu(tmp_path):
    names = ("primes", "Gemm, scaled")
    check({name: PRODUCTS[name] for name in names}, tmp_path, 1,
          "--vpu-arch=NPU37XX")


def test_images_of_doubles_are_computed_on_the_engine(tmp_path):
    assert not list_software(IMAGES, tmp_path, "float64")


def test_products_of_doubles_are_where_those_of_float32_are(tmp_path):
    assert list_software(PRODUCTS, tmp_path, "float64") == \
        list_software(PRODUCTS, tmp_path)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_what_follows_doubles_is_right(activation, tmp_path):
    """A bound that float32 has not, a residual, and an activation."""
    rng = np.random.default_rng(3)
    nodes = [builders.node("Conv", ["x", "w", "b"], ["a"], pads=[1, 1, 1, 1]),
             builders.node(activation, ["a"], ["c"], **ACTIVATIONS[activation]),
             builders.node("Conv", ["c", "w", "b"], ["d"], pads=[1, 1, 1, 1]),
             builders.node("Add", ["d", "x"], ["e"]),
             builders.node("Clip", ["e", "low", "high"], ["y"])]
    model = builders.model(
        nodes, {"x": ("float64", [1, 19, 6, 7])},
        {"y": ("float64", [1, 19, 6, 7])},
        {"w": rng.standard_normal((19, 19, 3, 3)) / 13,
         "b": rng.standard_normal(19), "low": np.float64(-0.1),
         "high": np.float64(1 / 3)}, opset=14)
    feeds = {"x": rng.standard_normal((1, 19, 6, 7))}
    found = {backend: run(model, feeds, tmp_path, backend)["y"]
             for backend in BACKENDS}
    for backend in BACKENDS:
        assert_near(found[backend], found["interpreter"], backend,
                    tolerances.DOUBLE)
    assert found["cpu"].max() == 1 / 3


@pytest.mark.parametrize("threads", [1, 2])
def test_products_of_any_size_are_right(threads, tmp_path):
    nodes = [builders.node("MatMul", ["x", "w"], ["a"]),
             builders.node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
             builders.node("MatMul", ["a", "t"], ["y"])]
    rng = np.random.default_rng(4)
    weights = rng.standard_normal((7, 7))
    model = builders.model(
        nodes, {"x": ("float64", ["b", "n", 7])},
        {"y": ("float64", ["b", "n", "n"])}, {"w": weights})
    compiled = compile_model(model, tmp_path, threads)
    for size in ((1, 1), (2, 5), (3, 37), (2, 130)):
        x = rng.standard_normal((*size, 7))
        expected = x @ weights @ x.transpose(0, 2, 1)
        assert_near(compiled.run({"x": x})["y"], expected, str(size),
                    tolerances.DOUBLE)
