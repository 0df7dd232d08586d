# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of dynamic sizes are computed in one loop, too: a library
compiled once is right at every size."""

import numpy as np
import pytest
from onnx import helper

import nacre
from nacre import builders, tolerances
from test_row_fusion import kernels, lower

RNG = np.random.default_rng(7)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def build(nodes, inputs, outputs, weights=None, opset=18, domains=()):
    net = builders.model(
        nodes, {name: ("float32", shape) for name, shape in inputs.items()},
        {name: ("float32", shape) for name, shape in outputs.items()},
        weights, opset=opset)
    for domain in domains:
        net.opset_import.append(helper.make_opsetid(domain, 1))
    return net


def check(net, cases, expected, threads, folder):
    """One library is right, and the same each time, for all the inputs."""
    library = nacre.compile(net, folder / "model.so", threads=threads)
    session = nacre.InferenceSession(library)
    for feeds in cases:
        wanted = expected(**feeds)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        found = session.run(None, feeds)
        for a, b in zip(found, wanted):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, **tolerances.CHECK)
        for a, b in zip(found, session.run(None, feeds)):
            np.testing.assert_array_equal(a, b)


def computing(text):
    """The kernels, without what the boundary calls."""
    return [name for name in kernels(text) if not name.startswith("nacre_")]


def exponentials(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e, e.sum(axis, keepdims=True)


def softmax(x, axis):
    e, total = exponentials(x, axis)
    return e / total


def log_softmax(x, axis):
    _, total = exponentials(x, axis)
    return x - x.max(axis, keepdims=True) - np.log(total)


#===----------------------------------------------------------------------===#
# Rows
#===----------------------------------------------------------------------===#

# One row, an odd number of them, and more than fit a block.
ROWS = [(1, 1), (1, 7), (5, 3), (33, 129), (700, 257), (3, 40000)]


# Tiles save little where the means are of many channels.
@pytest.mark.parametrize("shape, steps", [(["n", 96, "h", "w"], 3),
                                          ([3, "h", "w"], 1)])
def test_mean_over_channels_of_unknown_images(shape, steps, tmp_path):
    axis = shape.index("h") - 1
    net = build([builders.node("ReduceMean", ["x", "axes"], ["y"],
                               keepdims=0)],
                {"x": shape}, {"y": shape[:axis] + shape[axis + 1:]},
                {"axes": np.array([axis])})
    cases = [{"x": random(*(sizes.get(s, s) for s in shape))}
             for sizes in ({"n": 1, "h": 1, "w": 1}, {"n": 3, "h": 3, "w": 1},
                           {"n": 2, "h": 57, "w": 61}, {"n": 0, "h": 3, "w": 0},
                           {"n": 64, "h": 14, "w": 14})]
    for threads in (1, 2):
        (tmp_path / str(threads)).mkdir()
        check(net, cases, lambda x: x.mean(axis), threads,
              tmp_path / str(threads))
    alone, shared = (nacre.InferenceSession(tmp_path / folder / "model.so")
                     for folder in "12")
    for feeds in cases:
        np.testing.assert_array_equal(shared.run(None, feeds)[0],
                                      alone.run(None, feeds)[0])
    assert len(computing(lower(net, tmp_path, "--threads=1"))) == steps


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("operator, expected", [("Softmax", softmax),
                                                ("LogSoftmax", log_softmax)])
def test_softmax_of_unknown_rows_is_one_kernel(tmp_path, operator, expected,
                                               axis, threads):
    net = build([builders.node(operator, ["x"], ["y"], axis=axis)],
                {"x": ["n", "m"]}, {"y": ["n", "m"]})
    check(net, [{"x": random(*shape)} for shape in ROWS],
          lambda x: expected(x, axis), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("axis", range(4))
def test_softmax_along_any_axis_of_unknown_size(tmp_path, axis, threads):
    net = build([builders.node("Softmax", ["x"], ["y"], axis=axis)],
                {"x": ["a", 4, "b", 20]}, {"y": ["a", 4, "b", 20]})
    check(net, [{"x": random(a, 4, b, 20)}
                for a, b in ((1, 1), (3, 1), (1, 9), (2, 300), (50, 77))],
          lambda x: softmax(x, axis), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_channels_last_of_an_odd_number_of_images(tmp_path, threads):
    net = build([builders.node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]),
                 builders.node("Softsign", ["t"], ["y"])],
                {"x": ["n", 32, "h", "w"]}, {"y": ["n", "h", "w", 32]})
    check(net, [{"x": random(n, 32, h, w)}
                for n, h, w in ((1, 1, 1), (3, 12, 13), (3, 1, 40),
                                (5, 30, 1))],
          lambda x: (x / (1 + np.abs(x))).transpose(0, 2, 3, 1), threads,
          tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_group_normalisation_as_an_instance_normalisation(tmp_path, threads):
    """As PyTorch writes GroupNorm for one group of images of any size."""
    def expected(x):
        axes = (1, 2, 3)
        centred = x - x.mean(axes, keepdims=True)
        return centred / np.sqrt((centred ** 2).mean(axes, keepdims=True)
                                 + 1e-5) * scale

    scale = random(5, 1, 1)
    net = build(
        [builders.node("Reshape", ["x", "rows"], ["r"]),
         builders.node("InstanceNormalization", ["r", "one", "zero"], ["i"]),
         builders.node("Shape", ["x"], ["shape"]),
         builders.node("Reshape", ["i", "shape"], ["n"]),
         builders.node("Mul", ["n", "scale"], ["y"])],
        {"x": ["n", 5, "h", "w"]}, {"y": ["n", 5, "h", "w"]},
        {"rows": np.array([0, 1, -1]), "one": np.ones(1, np.float32),
         "zero": np.zeros(1, np.float32), "scale": scale})
    check(net, [{"x": random(n, 5, h, w)}
                for n, h, w in ((1, 1, 2), (3, 12, 13), (2, 40, 7))],
          expected, threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", ["n", 2])
def test_groups_of_images_without_elements(tmp_path, batch, threads):
    """Places in what has no elements are computed without a division by 0."""
    def expected(x):
        rows = np.tanh(x).reshape(len(x), 4, x[0].size // 4)
        count = max(rows.shape[2], 1)
        centred = rows - rows.sum(2, keepdims=True) / count
        return (centred / np.sqrt((centred ** 2).sum(2, keepdims=True) / count
                                  + 1e-5)).reshape(x.shape)

    net = build(
        [builders.node("Tanh", ["x"], ["t"]),
         builders.node("Reshape", ["t", "rows"], ["r"]),
         builders.node("InstanceNormalization", ["r", "one", "zero"], ["i"]),
         builders.node("Shape", ["t"], ["shape"]),
         builders.node("Reshape", ["i", "shape"], ["y"])],
        {"x": [batch, 16, "h", "w"]}, {"y": [None] * 4},
        {"rows": np.array([0, 4, -1]), "one": np.ones(4, np.float32),
         "zero": np.zeros(4, np.float32)})
    check(net, [{"x": random(2, 16, h, w)}
                for h, w in ((0, 4), (3, 0), (0, 0), (12, 13), (1, 1))],
          expected, threads, tmp_path)


def layer(x, scale, shift, axes):
    centred = x - x.mean(axes, keepdims=True)
    return (centred / np.sqrt((centred ** 2).mean(axes, keepdims=True) + 1e-5)
            * scale + shift)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("length", [64, "d"])
def test_layer_normalisation_of_unknown_rows_is_one_kernel(tmp_path, length,
                                                           threads):
    net = build([builders.node("LayerNormalization", ["x", "s", "t"], ["y"])],
                {"x": ["b", "n", length], "s": [length], "t": [length]},
                {"y": ["b", "n", length]})
    cases = [{"x": random(b, n, 64), "s": random(64), "t": random(64)}
             for b, n in ((1, 1), (2, 3), (3, 129), (1, 4000))]
    check(net, cases, lambda x, s, t: layer(x, s, t, -1), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_root_mean_square_and_gelu_of_unknown_rows(tmp_path, threads):
    """RMSNorm and GELU as exporters write them, with a residual."""
    def expected(x, r):
        z = x + r
        z = z / np.sqrt((z * z).mean(-1, keepdims=True) + 1)
        return z * 0.5 * (1 + np.tanh(0.8 * (z + 0.04 * z ** 3)))

    def constant(name, value):
        return {name: np.array(value, np.float32)}

    node = builders.node
    net = build(
        [node("Add", ["x", "r"], ["z"]), node("Mul", ["z", "z"], ["q"]),
         node("ReduceMean", ["q", "last"], ["m"], keepdims=1),
         node("Add", ["m", "one"], ["e"]), node("Sqrt", ["e"], ["root"]),
         node("Div", ["z", "root"], ["n"]), node("Pow", ["n", "three"], ["c"]),
         node("Mul", ["c", "small"], ["cs"]), node("Add", ["n", "cs"], ["i"]),
         node("Mul", ["i", "near"], ["is"]), node("Tanh", ["is"], ["t"]),
         node("Add", ["t", "one"], ["t1"]), node("Mul", ["n", "half"], ["h"]),
         node("Mul", ["h", "t1"], ["y"])],
        {"x": ["b", "n", "d"], "r": ["b", "n", "d"]}, {"y": ["b", "n", "d"]},
        {**constant("one", 1), **constant("three", 3), **constant("half", 0.5),
         **constant("small", 0.04), **constant("near", 0.8),
         "last": np.array([-1])})
    check(net, [{"x": random(*s), "r": random(*s)}
                for s in ((1, 1, 8), (2, 5, 33), (3, 100, 256))],
          expected, threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1
