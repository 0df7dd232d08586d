# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RNN, GRU and LSTM against NumPy, on all backends."""

import numpy as np
import onnx
import pytest
from onnx import helper

from backends import BACKENDS, run
from nacre import builders, cli, tolerances

LENGTH, BATCH, INPUTS, HIDDEN = 5, 3, 4, 6
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(op, x, states, w, r, b, p, options):
    """One row of one direction: the next states."""
    clip = options.get("clip")

    def limit(value):
        return value if clip is None else np.clip(value, -clip, clip)

    wb, rb = np.split(b, 2)
    h = states[0]
    if op == "RNN":
        return [np.tanh(limit(x @ w.T + h @ r.T + wb + rb))]
    wx = np.split(x @ w.T + wb, GATES[op], axis=-1)
    if op == "GRU":
        rs, rbs = np.split(r, 3), np.split(rb, 3)
        z = sigmoid(limit(wx[0] + h @ rs[0].T + rbs[0]))
        reset = sigmoid(limit(wx[1] + h @ rs[1].T + rbs[1]))
        if options.get("linear_before_reset"):
            n = np.tanh(limit(wx[2] + reset * (h @ rs[2].T + rbs[2])))
        else:
            n = np.tanh(limit(wx[2] + (reset * h) @ rs[2].T + rbs[2]))
        return [(1 - z) * n + z * h]
    c = states[1]
    i, o, f, g = (a + b for a, b in
                  zip(wx, np.split(h @ r.T + rb, 4, axis=-1)))
    pi, po, pf = np.split(p, 3)
    i = sigmoid(limit(i + pi * c))
    f = 1 - i if options.get("input_forget") else sigmoid(limit(f + pf * c))
    c = f * c + i * np.tanh(limit(g))
    return [sigmoid(limit(o + po * c)) * np.tanh(limit(c)), c]


def reference(op, tensors, directions, options):
    """Y and the last states, with the batch second."""
    count = 2 if op == "LSTM" else 1
    outputs = []
    lasts = [[] for _ in range(count)]
    for d, direction in enumerate(directions):
        states = [tensors["initial_h"][d]]
        if op == "LSTM":
            states.append(tensors["initial_c"][d])
        y = np.zeros((LENGTH, BATCH, HIDDEN), np.float32)
        rows = range(LENGTH)
        for t in rows if direction == "forward" else reversed(rows):
            following = step(op, tensors["x"][t], states, tensors["w"][d],
                             tensors["r"][d], tensors["b"][d],
                             tensors["p"][d], options)
            runs = (t < tensors["lengths"])[:, None]
            y[t] = np.where(runs, following[0], 0)
            states = [np.where(runs, new, old)
                      for new, old in zip(following, states)]
        outputs.append(y)
        for last, state in zip(lasts, states):
            last.append(state)
    return [np.stack(outputs, 1), *(np.stack(last) for last in lasts)]


CASES = {
    "RNN-forward": ("RNN", "forward", {}),
    "RNN-both-clipped": ("RNN", "bidirectional", {"clip": 0.5}),
    "GRU-reverse": ("GRU", "reverse", {}),
    "GRU-both-linear": ("GRU", "bidirectional", {"linear_before_reset": 1}),
    "GRU-batch-first": ("GRU", "forward", {"layout": 1}),
    "LSTM-both": ("LSTM", "bidirectional", {}),
    "LSTM-coupled": ("LSTM", "forward", {"input_forget": 1, "clip": 1.0}),
    "LSTM-batch-first": ("LSTM", "bidirectional", {"layout": 1}),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES)
def test_recurrent_layer_with_every_input_matches_numpy(
        tmp_path, case, backend):
    op, direction, options = CASES[case]
    directions = (["forward", "reverse"] if direction == "bidirectional"
                  else [direction])
    random = np.random.default_rng(7)

    def draw(*shape):
        return random.standard_normal(shape).astype(np.float32)

    many, gates = len(directions), GATES[op]
    tensors = {
        "x": draw(LENGTH, BATCH, INPUTS),
        "w": draw(many, gates * HIDDEN, INPUTS),
        "r": draw(many, gates * HIDDEN, HIDDEN),
        "b": draw(many, 2 * gates * HIDDEN),
        "lengths": np.array([5, 2, 4], np.int32),
        "initial_h": draw(many, BATCH, HIDDEN),
        "initial_c": draw(many, BATCH, HIDDEN),
        "p": draw(many, 3 * HIDDEN),
    }
    expected = reference(op, tensors, directions, options)
    batch_first = options.get("layout", 0) == 1
    if batch_first:
        for name in ("x", "initial_h", "initial_c"):
            tensors[name] = np.ascontiguousarray(tensors[name].swapaxes(0, 1))
        expected = [expected[0].transpose(2, 0, 1, 3),
                    *(state.swapaxes(0, 1) for state in expected[1:])]
    names = ["x", "w", "r", "b", "lengths", "initial_h"]
    names += ["initial_c", "p"] if op == "LSTM" else []
    fed = ["x", "lengths", "initial_h"] + (["initial_c"] if op == "LSTM" else [])
    outputs = ["y", "y_h", "y_c"][:len(expected)]
    node = helper.make_node(op, names, outputs, hidden_size=HIDDEN,
                            direction=direction, **options)
    model = builders.model(
        [node],
        {name: (tensors[name].dtype.name, tensors[name].shape)
         for name in fed},
        {name: ("float32", value.shape)
         for name, value in zip(outputs, expected)},
        weights={name: tensors[name] for name in names if name not in fed},
        opset=14)
    results = run(model, {name: tensors[name] for name in fed}, tmp_path,
                  backend)
    for name, value in zip(outputs, expected):
        np.testing.assert_allclose(results[name], value, **tolerances.DEFAULT)


def directions(op, length, batch, inputs=32, hidden=64):
    """A layer of two directions, large enough for a thread each, and its
    weights."""
    random = np.random.default_rng(5)
    gates = GATES[op] * hidden
    weights = {
        name: (random.standard_normal(shape) / 8).astype(np.float32)
        for name, shape in {"w": (2, gates, inputs), "r": (2, gates, hidden),
                            "b": (2, 2 * gates)}.items()}
    node = helper.make_node(op, ["x", "w", "r", "b"], ["y", "y_h"],
                            hidden_size=hidden, direction="bidirectional")
    return builders.model(
        [node], {"x": ("float32", [length, batch, inputs])},
        {"y": ("float32", [length, 2, batch, hidden]),
         "y_h": ("float32", [2, batch, hidden])}, weights=weights, opset=14)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("op", GATES)
def test_directions_on_threads_of_their_own_match_interpreter(
        tmp_path, op, batch, threads):
    length, inputs = 40, 32
    x = np.random.default_rng(1).standard_normal((length, batch, inputs))
    feeds = {"x": x.astype(np.float32)}
    for shape in ([length, batch], ["time", "batch"]):
        model = directions(op, *shape)
        expected = run(model, feeds, tmp_path, "interpreter")
        found = run(model, feeds, tmp_path, "cpu", f"--threads={threads}")
        for name, value in expected.items():
            np.testing.assert_allclose(found[name], value,
                                       **tolerances.DEFAULT)


def test_each_direction_runs_on_one_thread(tmp_path):
    onnx.save(directions("LSTM", 40, 4), str(tmp_path / "net.onnx"))
    cli.nacre("compile", tmp_path / "net.onnx", "--emit=loops", "--threads=2",
              "-o", tmp_path / "net.mlir")
    text = (tmp_path / "net.mlir").read_text()
    assert text.count("scf.index_switch") == 1
    steps = text[text.index("scf.index_switch"):]
    assert "scf.forall" not in steps[:steps.index("VPU.cluster")]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("batch", [0, BATCH])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("op", GATES)
def test_layer_of_no_steps_keeps_batch_and_states(tmp_path, op, direction,
                                                  batch, backend):
    ways, gates = 2 if direction == "bidirectional" else 1, GATES[op]
    rng = np.random.default_rng(2)
    weights = {name: rng.uniform(-1, 1, shape).astype(np.float32)
               for name, shape in (("w", (ways, gates * HIDDEN, INPUTS)),
                                   ("r", (ways, gates * HIDDEN, HIDDEN)))}
    model = builders.model(
        [builders.node(op, ["x", "w", "r", "", "", "start"], ["y", "last"],
                       hidden_size=HIDDEN, direction=direction)],
        inputs={"x": ("float32", ["time", "batch", INPUTS]),
                "start": ("float32", [ways, "batch", HIDDEN])},
        outputs={"y": ("float32", [None] * 4), "last": ("float32", [None] * 3)},
        weights=weights)
    start = rng.standard_normal((ways, batch, HIDDEN)).astype(np.float32)
    feeds = {"x": np.zeros((0, batch, INPUTS), np.float32), "start": start}
    found = run(model, feeds, tmp_path, backend)
    assert found["y"].shape == (0, ways, batch, HIDDEN)
    np.testing.assert_array_equal(found["last"], start)
