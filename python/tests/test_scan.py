# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scan: its states, its axes and directions, lengths of sequences."""

import numpy as np
import onnx
import pytest
from onnx import helper

from backends import BACKENDS, run
from nacre import builders, cli, tolerances
from subgraphs import subgraph


@pytest.mark.parametrize("backend", BACKENDS)
def test_scan_whose_state_is_smaller_than_declared_ends_the_run(tmp_path,
                                                                backend):
    body = subgraph("body", [
        builders.node("Add", ["s", "e"], ["next"]),
        builders.node("Identity", ["e"], ["element"]),
    ], ["s", "e"], ["next", "element"])
    model = builders.model(
        [builders.node("Scan", ["z", "x"], ["last", "all"], body=body,
                       num_scan_inputs=1)],
        {"z": ("float32", ["k"]), "x": ("float32", [2, 1])},
        {"last": ("float32", [400]), "all": ("float32", [2, 1])})
    with pytest.raises(cli.NacreError, match="the model (states|"
                       "declares)"):
        run(model, {"z": np.ones(3, np.float32),
                    "x": np.ones((2, 1), np.float32)}, tmp_path, backend)


# The interpreter has room for any size.
@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("rows", [1, 7, 70000])
def test_scan_whose_body_gives_a_state_of_another_size_ends_the_run(
        tmp_path, rows, backend):
    body = subgraph("body", [builders.node("Tanh", ["e"], ["next"])],
                    ["s", "e"], ["next"])
    model = builders.model(
        [builders.node("Scan", ["z", "x"], ["last"], body=body,
                       num_scan_inputs=1)],
        {"z": ("float32", [rows, 4]), "x": ("float32", ["t", "b", 4])},
        {"last": ("float32", [None, 4])})
    feeds = {"z": np.ones((rows, 4), np.float32)}
    with pytest.raises(cli.NacreError, match="shape"):
        run(model, {**feeds, "x": np.ones((3, 5, 4), np.float32)}, tmp_path,
            backend)
    none = run(model, {**feeds, "x": np.ones((0, 5, 4), np.float32)}, tmp_path,
               backend)
    np.testing.assert_array_equal(none["last"], feeds["z"])


def test_scan_of_a_sequence_is_refused(tmp_path):
    body = subgraph("body", [builders.node("Identity", ["e"], ["element"])],
                    ["e"], ["element"])
    model = builders.model(
        [builders.node("SequenceConstruct", ["x"], ["s"]),
         builders.node("Scan", ["s"], ["y"], body=body, num_scan_inputs=1)],
        {"x": ("float32", [2, 1])}, {"y": ("float32", [2, 1])})
    with pytest.raises(cli.NacreError, match="expected a tensor to scan"):
        run(model, {"x": np.ones((2, 1), np.float32)}, tmp_path, "cpu")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape, declared", [
    ((3, 0, 2), (3, 0, 2)), ((3, 0, 2), ("n", 0, 2)), ((0, 3, 2), ("n", 3, 2)),
    ((3, 2, 0), ("n", "a", 0)), ((3, 0, 2), ("n", "a", "b")),
    ((3, 4, 2), ("n", "a", "b"))])
def test_scan_of_its_input_gives_its_elements(tmp_path, backend, shape,
                                              declared, axis):
    body = subgraph("body", [builders.node("Identity", ["s"], ["e"])],
                    ["s"], ["e"])
    model = builders.model(
        [builders.node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1,
                       scan_output_axes=[axis])],
        {"x": ("float32", declared)}, {"y": ("float32", ["p", "q", "r"])})
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, np.moveaxis(x, 0, axis))


@pytest.mark.parametrize("backend", BACKENDS)
def test_scan_of_elements_of_different_shapes_ends_the_run(tmp_path, backend):
    body = helper.make_graph(
        [builders.node("NonZero", ["b"], ["d"])], "body",
        [builders.value("b", "float32", [3])],
        [builders.value("d", "int64", [1, None])])
    model = builders.model(
        [builders.node("Scan", ["x"], ["z"], num_scan_inputs=1, body=body)],
        {"x": ("float32", ["n", 3])}, {"z": ("int64", ["n", 1, "k"])})
    x = np.float32([[0, 1, 2], [3, 0, 4]])
    z = run(model, {"x": x}, tmp_path, backend)["z"]
    np.testing.assert_array_equal(z, [[[1, 2]], [[0, 2]]])
    with pytest.raises(cli.NacreError, match="elements of one shape"):
        run(model, {"x": np.float32([[0, 1, 2], [3, 5, 4]])}, tmp_path, backend)


def batched_scan(batch, longest, directions):
    """Scan of operator set 8: running sums of two sequences, one of which may be
    read from its end, and the differences of their elements."""
    nodes = [builders.node("Add", ["s", "x"], ["next"]),
             builders.node("Sub", ["x", "y"], ["difference"]),
             builders.node("Identity", ["next"], ["sum"])]
    body = subgraph("body", nodes, ["s", "x", "y"],
                    ["next", "sum", "difference"])
    for value in body.input:
        value.CopyFrom(builders.value(value.name, "float32", [2]))
    node = builders.node("Scan", ["lengths", "start", "x", "y"],
                         ["last", "sums", "differences"], body=body,
                         num_scan_inputs=2, directions=directions)
    sequence = ("float32", [batch, longest, 2])
    return builders.model(
        [node], {"lengths": ("int64", [batch]), "start": ("float32", [batch, 2]),
                 "x": sequence, "y": sequence},
        {"last": ("float32", [batch, 2]), "sums": sequence,
         "differences": sequence}, opset=8)


def scan_batch(lengths, start, x, y, directions):
    """What ONNX says, with zeros where it says nothing."""
    last, sums, differences = start.copy(), np.zeros_like(x), np.zeros_like(x)
    for b, length in enumerate(lengths):
        xs, ys = (part[b, :length][::-1 if reverse else 1]
                  for part, reverse in zip((x, y), directions))
        for t in range(length):
            last[b] += xs[t]
            sums[b, t] = last[b]
            differences[b, t] = xs[t] - ys[t]
    return {"last": last, "sums": sums, "differences": differences}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(3, 5), ("b", "n")])
@pytest.mark.parametrize("directions", [[0, 0], [0, 1]])
def test_scan_of_sequences_of_different_lengths(tmp_path, backend, shape,
                                                directions):
    rng = np.random.default_rng(8)
    inputs = {name: rng.standard_normal(size).astype(np.float32)
              for name, size in (("start", (3, 2)), ("x", (3, 5, 2)),
                                 ("y", (3, 5, 2)))}
    for lengths in ([2, 5, 0], [1, 1, 1], [5, 5, 5]):
        inputs["lengths"] = np.array(lengths)
        got = run(batched_scan(*shape, directions), inputs, tmp_path, backend)
        for name, value in scan_batch(**inputs, directions=directions).items():
            np.testing.assert_allclose(got[name], value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [-1, 6])
def test_scan_of_a_sequence_longer_than_its_tensor_ends_the_run(
        tmp_path, backend, length):
    sequence = np.ones((2, 5, 2), np.float32)
    inputs = {"lengths": np.array([3, length]), "x": sequence, "y": sequence,
              "start": np.zeros((2, 2), np.float32)}
    with pytest.raises(cli.NacreError, match="expected lengths of sequences"):
        run(batched_scan(2, 5, [0, 0]), inputs, tmp_path, backend)


@pytest.mark.parametrize("name, changed", [
    ("lengths", ("int64", [2, 1])), ("lengths", ("int32", [2])),
    ("x", ("float32", [2]))])
def test_scan_of_sequences_without_a_length_each_is_refused(tmp_path, name,
                                                            changed):
    model = batched_scan(2, 5, [0, 0])
    [value] = [each for each in model.graph.input if each.name == name]
    value.CopyFrom(builders.value(name, *changed))
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match="expected a length of type int64"):
        cli.nacre("compile", tmp_path / "model.onnx", "-o",
                  tmp_path / "model.so")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [0, 2])
def test_scan_of_any_length_has_the_sizes_that_follow_from_its_input(
        tmp_path, backend, length):
    body = subgraph("body", [builders.node("Neg", ["e"], ["n"]),
                             builders.node("Concat", ["n", "n"], ["o"],
                                           axis=0)], ["e"], ["o"])
    model = builders.model(
        [builders.node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1)],
        {"x": ("float32", ["a", "b", "c"])}, {"y": ("float32", None)})
    x = np.ones((length, 3, 2), np.float32)
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, -np.ones((length, 6, 2), np.float32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(0, 3, 2), (4, 0, 2), (4, 3, 0), (0, 0, 0),
                                   (2, 3, 5)])
def test_scan_in_a_scan_has_the_sizes_that_follow_from_their_inputs(
        tmp_path, backend, shape):
    inner = subgraph("inner", [builders.node("Add", ["s", "e"], ["t"]),
                               builders.node("Neg", ["t"], ["n"])],
                     ["s", "e"], ["t", "n"])
    outer = subgraph(
        "outer", [builders.node("Scan", ["z", "rows"], ["last", "each"],
                                body=inner, num_scan_inputs=1,
                                scan_output_axes=[1])],
        ["rows"], ["last", "each"])
    model = builders.model(
        [builders.node("Scan", ["x"], ["sums", "all"], body=outer,
                       num_scan_inputs=1)],
        {"x": ("float32", ["a", "b", "c"]), "z": ("float32", ["c"])},
        {"sums": ("float32", None), "all": ("float32", None)})
    rng = np.random.default_rng(0)
    x = rng.integers(-9, 9, shape).astype(np.float32)
    z = rng.integers(-9, 9, shape[2:]).astype(np.float32)
    found = run(model, {"x": x, "z": z}, tmp_path, backend)
    sums = z + np.cumsum(x, axis=1)
    np.testing.assert_array_equal(found["sums"], z + x.sum(axis=1))
    np.testing.assert_array_equal(found["all"], -sums.transpose(0, 2, 1))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", [(0, 2), (3, 0), (4, 5)])
def test_scan_of_what_another_scan_has_given(tmp_path, backend, shape):
    first = subgraph("first", [builders.node("Neg", ["e"], ["n"])], ["e"],
                     ["n"])
    second = subgraph("second", [builders.node("Add", ["s", "e"], ["t"]),
                                 builders.node("Identity", ["e"], ["o"])],
                      ["s", "e"], ["t", "o"])
    model = builders.model(
        [builders.node("Scan", ["x"], ["y"], body=first, num_scan_inputs=1),
         builders.node("Scan", ["y", "y"], ["sums", "all"], body=second,
                       num_scan_inputs=1)],
        {"x": ("float32", ["a", "b"])},
        {"sums": ("float32", None), "all": ("float32", None)})
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    found = run(model, {"x": x}, tmp_path, backend)
    np.testing.assert_array_equal(found["sums"], -x - x.sum(axis=0))
    np.testing.assert_array_equal(found["all"], -x)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("shape, axis", [
    ((1, 3, 4, 1), 3), ((1, 3, 1, 4), 2), ((1, 3, 4, 2), 3),
    ((2, 1, 3, 1), 3)])
def test_scan_of_a_later_axis_than_one_of_size_1(tmp_path, backend, known,
                                                 shape, axis):
    """Which of the dimensions of size 1 is gone makes the difference."""
    body = subgraph("body", [builders.node("Identity", ["s"], ["e"])],
                    ["s"], ["e"])
    model = builders.model(
        [builders.node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1,
                       scan_input_axes=[axis])],
        {"x": ("float32", shape if known else ["n", "h", "w", "c"])},
        {"y": ("float32", ["p", "q", "r", "s"])})
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, np.moveaxis(x, axis, 0))


@pytest.mark.parametrize("backend", BACKENDS)
def test_scan_of_unsigned_numbers_of_any_size(tmp_path, backend):
    """Types that the conversion changes, in the sizes of which it asks for."""
    body = helper.make_graph(
        [builders.node("Identity", ["s"], ["t"]),
         builders.node("Mul", ["outer", "e"], ["o"])], "body",
        [builders.value(name, "uint8", None) for name in "se"],
        [builders.value(name, "uint8", None) for name in "to"])
    model = builders.model(
        [builders.node("Scan", ["z", "x"], ["last", "all"], body=body,
                       num_scan_inputs=1)],
        {"z": ("uint8", ["k"]), "x": ("uint8", [3, "n"]),
         "outer": ("uint8", ["a", "n"])},
        {"last": ("uint8", ["k"]), "all": ("uint8", [3, "a", "n"])})
    inputs = {"z": np.arange(2), "x": np.arange(12).reshape(3, 4),
              "outer": np.arange(8).reshape(2, 4)}
    inputs = {key: value.astype(np.uint8) for key, value in inputs.items()}
    found = run(model, inputs, tmp_path, backend)
    np.testing.assert_array_equal(found["last"], inputs["z"])
    np.testing.assert_array_equal(
        found["all"], inputs["outer"] * inputs["x"][:, None])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis", [0, 2, 4])
def test_scan_of_images_behind_each_other_in_any_dimension(tmp_path, backend,
                                                           axis):
    """What an engine computes, and reads, lies in columns along the last."""
    body = subgraph("body", [builders.node("Conv", ["s", "w"], ["e"])],
                    ["s"], ["e"])
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 16, 5, 7, 3)).astype(np.float32)
    w = rng.normal(size=(17, 16, 1, 1)).astype(np.float32)
    shape = [1, 17, 5, 7]
    shape.insert(axis, 3)
    model = builders.model(
        [builders.node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1,
                       scan_input_axes=[4], scan_output_axes=[axis])],
        {"x": ("float32", x.shape)}, {"y": ("float32", shape)}, {"w": w})
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    expected = np.moveaxis(np.einsum("bihwn,oi->bohwn", x, w[:, :, 0, 0]), 4,
                           axis)
    np.testing.assert_allclose(y, expected, **tolerances.CANCELLATION)
