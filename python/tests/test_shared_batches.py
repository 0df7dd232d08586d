# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A batch of unknown size whose samples threads share: one library is right for any
number of samples, and its results are those of one thread."""

import re

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, compiled
from dynamic_control_cases import graph
from test_row_fusion import lower

BATCHES = (0, 1, 2, 3, 7, 64)
TYPES = {builders.element_type(name): name
         for name in ("float32", "float16", "float64", "uint8")}


@pytest.fixture(autouse=True)
def machine_of_many_cores(monkeypatch):
    monkeypatch.setenv("NACRE_THREADS", "5")


def random(*shape):
    return np.random.default_rng(7).standard_normal(shape).astype(np.float32)


def single(op, x, weights=None, dtype="float32", **attributes):
    return builders.single(
        op, {"x": (dtype, ["n", *x])}, {"y": (dtype, [None] * (1 + len(x)))},
        weights=weights, **attributes)


def two_pools():
    """Two loops over the same samples, the second of which reads the first."""
    return builders.model(
        [builders.node("MaxPool", ["x"], ["a"], kernel_shape=[3, 3],
                       strides=[2, 2], pads=[1] * 4),
         builders.node("CumSum", ["a", "first"], ["b"]),
         builders.node("AveragePool", ["b"], ["y"], kernel_shape=[2, 2])],
        {"x": ("float32", ["n", 5, 21, 19])}, {"y": ("float32", [None] * 4)},
        {"first": np.array(0, np.int64)})


def two_results():
    return builders.model(
        [builders.node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3]),
         builders.node("GlobalAveragePool", ["y"], ["z"])],
        {"x": ("float32", ["n", 19, 17, 13])},
        {"y": ("float32", [None] * 4), "z": ("float32", [None] * 4)})


def scan():
    body = graph(
        [builders.node("Mul", ["part", "part"], ["square"]),
         builders.node("ReduceSum", ["square"], ["sum"], keepdims=0),
         builders.node("Add", ["square", "sum"], ["out"])],
        {"part": ("float32", [64, 61])}, {"out": ("float32", [64, 61])})
    return builders.model(
        [builders.node("Scan", ["x"], ["y"], num_scan_inputs=1, body=body)],
        {"x": ("float32", ["n", 64, 61])}, {"y": ("float32", ["n", 64, 61])})


MODELS = {
    "MaxPool": single("MaxPool", (16, 32, 32), kernel_shape=[3, 3],
                      strides=[2, 2], pads=[1] * 4),
    "MaxPool of odd channels": single("MaxPool", (7, 33, 31),
                                      kernel_shape=[2, 2]),
    "AveragePool": single("AveragePool", (64, 16, 16), kernel_shape=[3, 3],
                          pads=[1] * 4),
    "AveragePool of halves": single("AveragePool", (9, 16, 16),
                                    dtype="float16", kernel_shape=[5, 5],
                                    strides=[2, 2]),
    "AveragePool of doubles": single("AveragePool", (9, 16, 16),
                                     dtype="float64", kernel_shape=[3, 3]),
    "MaxPool of bytes": single("MaxPool", (9, 16, 16), dtype="uint8",
                               kernel_shape=[3, 3]),
    "dilated Conv of halves": single(
        "Conv", (8, 20, 20), {"w": random(8, 8, 3, 3).astype(np.float16)},
        dtype="float16", dilations=[2, 2]),
    "InstanceNormalization": single(
        "InstanceNormalization", (32, 14, 14),
        {"s": random(32), "b": random(32)}),
    "two pools": two_pools(),
    "two results": two_results(),
    "Scan": scan(),
}


def feed(model, batch):
    tensor = model.graph.input[0].type.tensor_type
    shape = [batch, *(dim.dim_value for dim in tensor.shape.dim[1:])]
    dtype = np.dtype(TYPES[tensor.elem_type])
    values = np.random.default_rng(batch).uniform(-50, 50, shape)
    return {"x": np.abs(values).astype(dtype) if dtype == np.uint8
            else values.astype(dtype)}


@pytest.mark.parametrize("name", MODELS)
def test_results_are_those_of_one_thread(name, tmp_path):
    model = MODELS[name]
    onnx.save(model, str(tmp_path / "net.onnx"))
    libraries = [
        compiled.CompiledModel(nacre.compile(
            model, tmp_path / f"model{threads}.so", threads=threads))
        for threads in (1, 2, 3, 5)]
    for batch in BATCHES:
        feeds = feed(model, batch)
        wanted = libraries[0].run(feeds)
        for library in libraries[1:]:
            found = library.run(feeds)
            for key, array in wanted.items():
                np.testing.assert_array_equal(found[key], array)


def outermost_loop(model, folder):
    text = lower(model, folder, "--threads=2")
    return re.search(r"scf\.\w+", text[text.index("@main"):]).group()


def test_samples_are_shared_where_one_is_too_little_for_threads(tmp_path):
    assert outermost_loop(MODELS["MaxPool"], tmp_path) == "scf.forall"
    large = single("Conv", (64, 56, 56), {"w": random(64, 64, 3, 3)},
                   pads=[1] * 4)
    assert outermost_loop(large, tmp_path) == "scf.for"
