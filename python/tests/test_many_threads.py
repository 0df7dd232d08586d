# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of more threads than rows or blocks: what they share is cut in other
ways, and the results are those of one thread."""

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, compiled, tolerances

THREADS = (7, 12, 16, 48)


@pytest.fixture(autouse=True)
def machine_of_many_cores(monkeypatch):
    monkeypatch.setenv("NACRE_THREADS", str(max(THREADS)))


def random(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def convolution(x, channels, kernel, **attributes):
    weights = {"w": random(channels, x[1] // attributes.get("group", 1),
                           kernel, kernel) / np.float32(kernel * x[1] ** 0.5)}
    return builders.single(
        "Conv", {"x": ("float32", x)}, {"y": ("float32", [None] * 4)},
        weights=weights, pads=[kernel // 2] * 4, **attributes)


def separable(x, channels):
    """A depthwise convolution and the 1x1 convolution that reads it."""
    weights = {"d": random(x[1], 1, 3, 3),
               "w": random(channels, x[1], 1, 1) / np.float32(x[1] ** 0.5)}
    return builders.model(
        [builders.node("Conv", ["x", "d"], ["a"], group=x[1],
                       pads=[1, 1, 1, 1]),
         builders.node("Conv", ["a", "w"], ["y"])],
        {"x": ("float32", x)}, {"y": ("float32", [None] * 4)}, weights)


def product(rows, depth, columns):
    return builders.single(
        "MatMul", {"x": ("float32", [*rows, depth])},
        {"y": ("float32", [*rows, columns])},
        weights={"w": random(depth, columns) / np.float32(depth ** 0.5)})


MODELS = {
    # Rows and blocks are both split, and the result leaves in the model's order.
    "few rows and blocks": convolution([2, 16, 28, 17], 96, 3),
    "few rows and blocks of a separable convolution":
        separable([1, 480, 10, 10], 80),
    "65 blocks, which leave a rest": convolution([8, 208, 6, 5], 1040, 3),
    "groups": convolution([1, 240, 7, 7], 240, 3, group=5),
    "few rows, 1000 columns": product([9], 1024, 1000),
    "batch of few rows": product([5, 13], 512, 197),
    "normalised lines": builders.single(
        "Softmax", {"x": ("float32", [7, 8000])},
        {"y": ("float32", [7, 8000])}),
}


@pytest.mark.parametrize("name", MODELS)
def test_result_is_that_of_one_thread(name, tmp_path):
    model = MODELS[name]
    onnx.save(model, str(tmp_path / "net.onnx"))
    shape = [dim.dim_value for dim in
             model.graph.input[0].type.tensor_type.shape.dim]
    feeds = {"x": random(*shape)}

    def run(threads):
        library = tmp_path / f"net{threads}.so"
        nacre.compile(tmp_path / "net.onnx", library, threads=threads)
        return compiled.CompiledModel(library).run(feeds)["y"]

    expected = run(1)
    for threads in THREADS:
        result = run(threads)
        np.testing.assert_allclose(result, expected, **tolerances.DEFAULT)
