# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that stay in one buffer from call to call."""

import subprocess

import numpy as np
import pytest

import nacre
from nacre import builders, cli


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def recurrent(kind):
    """One step of a GRU or an LSTM with the states h and, of the LSTM, c."""
    gates, size = {"GRU": 3, "LSTM": 4}[kind], 16
    weights = {"w": random([1, gates * size, 8], 1) / 4,
               "r": random([1, gates * size, size], 2) / 4}
    state = ("float32", [1, 2, size])
    inputs = {"x": ("float32", [1, 2, 8]), "h": state}
    outputs = {"y": ("float32", [1, 1, 2, size]), "next_h": state}
    names = ["x", "w", "r", "", "", "h"]
    if kind == "LSTM":
        inputs["c"] = outputs["next_c"] = state
        names.append("c")
    node = builders.node(kind, names, list(outputs), hidden_size=size)
    return builders.model([node], inputs, outputs, weights=weights, opset=14)


def cache():
    """A key/value cache that takes a row at a time, and queries on it."""
    rows, size = 12, 4
    return builders.model(
        [builders.node("ScatterND", ["past", "at", "row"], ["present"]),
         builders.node("Transpose", ["present"], ["keys"], perm=[1, 0]),
         builders.node("MatMul", ["row", "keys"], ["scores"]),
         builders.node("Softmax", ["scores"], ["weights"]),
         builders.node("MatMul", ["weights", "present"], ["y"])],
        {"past": ("float32", [rows, size]), "row": ("float32", [1, size]),
         "at": ("int64", [1, 1])},
        {"y": ("float32", [1, size]), "present": ("float32", [rows, size])})


def window():
    """The last rows that came, which overlap with those of the call before."""
    rows, size = 6, 4
    return builders.model(
        [builders.node("Slice", ["past", "one", "all"], ["newer"]),
         builders.node("Concat", ["newer", "row"], ["present"], axis=0),
         builders.node("ReduceMean", ["present"], ["y"], axes=[0])],
        {"past": ("float32", [rows, size]), "row": ("float32", [1, size])},
        {"y": ("float32", [1, size]), "present": ("float32", [rows, size])},
        weights={"one": np.array([1]), "all": np.array([100])})


def decay():
    """A state that every element of which changes, and that is needed after."""
    shape = ("float32", [64, 64])
    return builders.model(
        [builders.node("Mul", ["past", "factor"], ["old"]),
         builders.node("Add", ["old", "x"], ["present"]),
         builders.node("Sub", ["present", "past"], ["y"])],
        {"past": shape, "x": shape}, {"y": shape, "present": shape},
        weights={"factor": np.array(0.5, np.float32)})


def exchange():
    """Two states that become each other."""
    shape = ("float32", [5])
    return builders.model(
        [builders.node("Identity", ["a"], ["next_b"]),
         builders.node("Add", ["b", "x"], ["next_a"]),
         builders.node("Sub", ["a", "b"], ["y"])],
        {"a": shape, "b": shape, "x": shape},
        {"y": shape, "next_a": shape, "next_b": shape})


def given():
    """A state that is also given away as it came, and as it becomes."""
    shape = ("float32", [2, 3])
    return builders.model(
        [builders.node("Tanh", ["x"], ["squashed"]),
         builders.node("Add", ["squashed", "past"], ["present"]),
         builders.node("Flatten", ["past"], ["before"], axis=0),
         builders.node("Identity", ["present"], ["y"])],
        {"past": shape, "x": shape},
        {"y": shape, "present": shape, "before": ("float32", [1, 6])})


MODELS = {
    "GRU": (recurrent("GRU"), {"h": "next_h"}),
    "LSTM": (recurrent("LSTM"), {"h": "next_h", "c": "next_c"}),
    "cache": (cache(), {"past": "present"}),
    "window": (window(), {"past": "present"}),
    "decay": (decay(), {"past": "present"}),
    "exchange": (exchange(), {"a": "next_a", "b": "next_b"}),
    "given": (given(), {"past": "present"}),
}


def draw(session, step):
    """Arrays for the session's inputs."""
    feeds = {}
    for i, value in enumerate(session.get_inputs()):
        if value.type == "tensor(int64)":
            feeds[value.name] = np.full(value.shape, step)
        else:
            feeds[value.name] = random(value.shape, 100 * step + i)
    return feeds


@pytest.mark.parametrize("backend, threads", [("cpu", 1), ("cpu", 2),
                                              ("reference", 1)])
@pytest.mark.parametrize("name", MODELS)
def test_runs_with_states_equal_runs_that_pass_them(name, backend, threads):
    model, states = MODELS[name]
    options = dict(backend=backend, threads=threads)
    explicit = nacre.InferenceSession(model, **options)
    session = nacre.InferenceSession(model, states=states, **options)
    outputs = [value.name for value in session.get_outputs()]
    assert set(outputs).isdisjoint(states.values())
    buffers = session.states
    passed = {name: np.zeros_like(array) for name, array in buffers.items()}
    for step in range(5):
        feeds = draw(session, step)
        found = session.run(outputs, feeds)
        everything = [value.name for value in explicit.get_outputs()]
        expected = dict(zip(everything,
                            explicit.run(everything, {**feeds, **passed})))
        passed = {before: expected[after] for before, after in states.items()}
        for output, array in zip(outputs, found):
            np.testing.assert_array_equal(array, expected[output])
        for state, array in buffers.items():
            np.testing.assert_array_equal(array, passed[state])


def test_reset_state_starts_again():
    model, states = MODELS["GRU"]
    session = nacre.InferenceSession(model, states=states)
    feeds = draw(session, 1)
    first = session.run(["y"], feeds)[0]
    assert not np.array_equal(session.run(["y"], feeds)[0], first)
    session.reset_state()
    np.testing.assert_array_equal(session.run(["y"], feeds)[0], first)


def test_states_may_begin_with_what_is_written_into_them():
    model, states = MODELS["exchange"]
    session = nacre.InferenceSession(model, states=states)
    session.states["a"][:] = 3
    y, = session.run(None, {"x": np.ones(5, np.float32)})
    np.testing.assert_array_equal(y, np.full(5, 3))
    np.testing.assert_array_equal(session.states["b"], np.full(5, 3))
    np.testing.assert_array_equal(session.states["a"], np.ones(5))


def test_a_library_keeps_its_states(tmp_path):
    model, states = MODELS["cache"]
    library = nacre.compile(model, tmp_path / "cache.so", states=states)
    session = nacre.InferenceSession(library)
    assert [value.name for value in session.get_inputs()] == ["row", "at"]
    feeds = draw(session, 3)
    session.run(["y"], feeds)
    np.testing.assert_array_equal(session.states["past"][3], feeds["row"][0])


def test_a_state_is_one_field_of_the_header(tmp_path):
    model, states = MODELS["cache"]
    nacre.compile(model, tmp_path / "cache.a", states=states)
    program = tmp_path / "main.c"
    program.write_text("""
        #include "cache.h"
        #include <stdio.h>
        static char arena[cache_ARENA_BYTES + cache_ARENA_ALIGNMENT];
        int main(void) {
          static float past[cache_INPUT_past_ELEMENTS];
          float row[4] = {1, 2, 3, 4}, y[4];
          int64_t at = 0;
          struct cache_inputs in = {past, row, &at};
          struct cache_outputs out = {y};
          char *start = arena + (-(intptr_t)arena & (cache_ARENA_ALIGNMENT - 1));
          for (; at < 3; ++at) {
            if (cache_run(&in, &out, start) != 0) return 1;
          }
          for (int i = 0; i < 16; ++i) printf("%g ", past[i]);
          return 0;
        }""")
    subprocess.run(["cc", "-Wall", "-Werror", "main.c", "cache.a", "-lm",
                    "-o", "main"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], cwd=tmp_path, check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    assert printed.split() == ["1", "2", "3", "4"] * 3 + ["0"] * 4


def test_run_shows_what_a_state_becomes(tmp_path):
    model, states = MODELS["exchange"]
    library = nacre.compile(model, tmp_path / "exchange.so", states=states)
    for name, value in {"a": 1, "b": 2, "x": 4}.items():
        np.save(tmp_path / f"{name}.npy", np.full(5, value, np.float32))
    cli.nacre("run", library, "--output-dir", tmp_path / "out",
              *(f"--input={name}={tmp_path / name}.npy" for name in "abx"))
    for name, value in {"y": -1, "next_a": 6, "next_b": 1}.items():
        np.testing.assert_array_equal(
            np.load(tmp_path / "out" / f"{name}.npy"), np.full(5, value))


def test_a_fed_state_is_refused():
    model, states = MODELS["GRU"]
    session = nacre.InferenceSession(model, states=states)
    feeds = {**draw(session, 0), "h": session.states["h"]}
    with pytest.raises(nacre.InvalidInput, match="'h' is a state"):
        session.run(None, feeds)


def test_states_of_unknown_names_are_refused():
    model, _ = MODELS["GRU"]
    with pytest.raises(nacre.InvalidInput, match="no output 'z'.*'next_h'"):
        nacre.InferenceSession(model, states={"h": "z"})
    with pytest.raises(nacre.InvalidInput, match="no input 'z'.*'h'"):
        nacre.InferenceSession(model, states={"z": "next_h"})


@pytest.mark.parametrize("state, message", [
    ("h", "--state needs INPUT:OUTPUT, found 'h'"),
    ("z:next_h", "begins with no input of the model; it has x, h"),
    ("h:z", "ends with no output of the model; it has y, next_h")])
def test_wrong_states_are_bad_input(tmp_path, state, message):
    path = tmp_path / "gru.onnx"
    path.write_bytes(recurrent("GRU").SerializeToString())
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("compile", path, "-o", tmp_path / "gru.so",
                  f"--state={state}")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert message in error.value.message


def test_a_state_of_another_type_is_unsupported(tmp_path):
    with pytest.raises(nacre.CompileError) as error:
        nacre.compile(recurrent("GRU"), tmp_path / "gru.so",
                      states={"x": "next_h"})
    assert error.value.code == cli.Exit.UNSUPPORTED
    assert ("a state keeps its type and its shape, which is known, found 'x' "
            "of 'tensor<1x2x8xf32>' to become 'next_h' of "
            "'tensor<1x2x16xf32>'") in error.value.message


def test_a_state_of_4_bits_is_unsupported_for_its_elements(tmp_path):
    # Two share a byte, so that tensors of them are no buffers.
    path = tmp_path / "state.mlir"
    path.write_text("""
        func.func @main(%x: tensor<4xi4> {nacre.name = "past"})
            -> (tensor<4xi4> {nacre.name = "present"}) {
          %0 = IE.Concat %x {axis = 0 : i64} : tensor<4xi4> -> tensor<4xi4>
          return %0 : tensor<4xi4>
        }""")
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("compile", path, "-o", tmp_path / "state.so",
                  "--state=past:present")
    assert error.value.code == cli.Exit.UNSUPPORTED
    assert ("unsupported state 'past' of 'tensor<4xi4>': a state is a buffer "
            "of numbers of a byte at least; leave it out of --state"
            ) in error.value.message
