# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a command tells of its stages: --trace, --timing, and progress."""

import json
import os
import pty
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from nacre import builders, cli


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """y = softmax(x w): two steps."""
    weights = np.ones((64, 64), np.float32)
    graph = helper.make_graph(
        [builders.node("MatMul", ["x", "w"], ["z"], name="product"),
         builders.node("Softmax", ["z"], ["y"], name="shares")], "steps",
        [builders.value("x", "float32", [8, 64])],
        [builders.value("y", "float32", [8, 64])],
        [numpy_helper.from_array(weights, "w")])
    proto = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    proto.ir_version = 7
    path = tmp_path_factory.mktemp("steps") / "model.onnx"
    onnx.save(proto, str(path))
    return path


def run(folder, *words):
    return subprocess.run([str(cli.tool()), *map(str, words)], cwd=folder,
                          capture_output=True, text=True, timeout=60)


def trace(folder, *words):
    """The events that have a place in time."""
    result = run(folder, *words, "--trace=trace.json")
    assert result.returncode == 0, result.stderr
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    return [event for event in events if event["ph"] == "X"
            and not event["name"].startswith("Total ")]


def find(events, name):
    found = [event for event in events if event["name"] == name]
    assert found, f"no event '{name}'"
    return found


def is_inside(event, other):
    """Times are rounded to microseconds."""
    return (event["tid"] == other["tid"] and event["ts"] >= other["ts"] - 1
            and event["ts"] + event["dur"] <= other["ts"] + other["dur"] + 1)


def assert_nested(events):
    """Of two events of a thread one is inside of the other, or they are
    apart."""
    for thread in {event["tid"] for event in events}:
        open_ends = []
        for event in sorted(
                (event for event in events if event["tid"] == thread),
                key=lambda event: (event["ts"], -event["dur"])):
            end = event["ts"] + event["dur"]
            while open_ends and open_ends[-1] <= event["ts"] + 1:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1] + 1, event
            open_ends.append(end)


def test_trace_of_compilation_has_nested_passes_and_stages(model, tmp_path):
    events = trace(tmp_path, "compile", model, "-o", "out.so")
    assert_nested(events)
    passes = find(events, "passes")
    for name in ("canonicalize", "cse"):
        assert any(is_inside(event, stage)
                   for event in find(events, name) for stage in passes
                   if event["tid"] == stage["tid"])
    for name in ("import", "translation to LLVM IR", "LLVM code generation",
                 "linking"):
        find(events, name)
    # LLVM's own passes are in its stages.
    stage, = find(events, "LLVM optimization")
    assert any(is_inside(event, stage) and event is not stage
               for event in events)


@pytest.fixture(scope="module")
def data(model, tmp_path_factory):
    """Two data sets with the model's own outputs."""
    folders = []
    for i in range(2):
        folder = tmp_path_factory.mktemp("data")
        x = np.random.default_rng(i).random((8, 64), np.float32)
        np.save(folder / "x.npy", x)
        cli.nacre("run", model, f"--input=x={folder / 'x.npy'}",
                  "--output-dir", folder / "out")
        for name, array in (("input_0", x),
                            ("output_0", np.load(folder / "out" / "y.npy"))):
            (folder / f"{name}.pb").write_bytes(
                numpy_helper.from_array(array, name).SerializeToString())
        folders.append(folder)
    return folders


@pytest.mark.parametrize("command", [["run"], ["bench", "--seconds=0.01"]])
def test_trace_of_run_has_each_step_once_within_it(command, model, tmp_path):
    events = trace(tmp_path, command[0], model, *command[1:])
    assert_nested(events)
    whole, = find(events, "run")
    assert whole["args"]["steps"] == 2 and whole["args"]["arena_bytes"] > 0
    for name in ("product", "shares"):
        step, = find(events, name)
        assert is_inside(step, whole)
        assert step["args"]["node"] == name and step["args"]["kernel"]
    product, = find(events, "product")
    assert product["args"]["flop"] == 2 * 8 * 64 * 64
    assert product["args"]["bytes"] >= 4 * (8 * 64 + 8 * 64)


def test_trace_of_check_has_a_run_for_each_data_set(model, data, tmp_path):
    events = trace(tmp_path, "check", model, *data)
    assert_nested(events)
    runs = find(events, "run")
    assert [run["args"]["data"] for run in runs] == [str(name) for name in data]
    for name in ("product", "shares"):
        assert all(is_inside(step, run) for step, run in
                   zip(find(events, name), runs))


def test_steps_are_all_that_a_run_takes(tmp_path):
    """Two products of 30 million multiply-adds each."""
    weights = np.ones((1024, 1024), np.float32)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["z"], name="first"),
         builders.node("Softmax", ["z"], ["s"], name="shares"),
         builders.node("MatMul", ["s", "w"], ["y"], name="last")],
        {"x": ("float32", [32, 1024])}, {"y": ("float32", [32, 1024])},
        weights={"w": weights}), str(tmp_path / "large.onnx"))
    for command in (["run"], ["bench", "--seconds=0.01"]):
        events = trace(tmp_path, command[0], tmp_path / "large.onnx",
                       *command[1:])
        whole, = find(events, "run")
        steps = [event for event in events if "kernel" in event.get("args", {})]
        assert len(steps) == whole["args"]["steps"] >= 3
        total = sum(step["dur"] for step in steps)
        assert 0.95 * whole["dur"] <= total <= 1.001 * whole["dur"]


def test_trace_counts_the_bytes_of_the_arena(model, tmp_path):
    assert run(tmp_path, "run", model, "--trace=trace.json").returncode == 0
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    counts = [event["args"]["bytes"] for event in events
              if event["ph"] == "C"]
    whole, = find(events, "run")
    assert len(counts) == 3 and counts[-1] == 0
    assert 0 < max(counts) <= whole["args"]["arena_bytes"]


@pytest.mark.parametrize("level, has", [
    ("request", {"run"}), ("runtime", {"run", "passes"}),
    ("operator", {"run", "passes", "product", "shares"}),
    ("debug", {"run", "passes", "product", "shares", "plan-memory"})])
def test_level_says_how_much_is_in_a_trace(level, has, model, tmp_path):
    events = trace(tmp_path, "run", model, f"--trace-level={level}")
    assert_nested(events)
    names = {event["name"] for event in events}
    everything = {"run", "passes", "product", "shares", "plan-memory"}
    assert names & everything == has
    counters = "arena bytes in use" in (tmp_path / "trace.json").read_text()
    assert counters == ("product" in has)


def test_trace_of_compilation_without_passes_has_stages(model, tmp_path):
    events = trace(tmp_path, "compile", model, "-o", "out.so",
                   "--trace-level=runtime")
    assert_nested(events)
    find(events, "LLVM code generation")
    # Nothing runs, and nothing else is asked for.
    assert not trace(tmp_path, "compile", model, "-o", "out.so",
                     "--trace-level=request")


@pytest.mark.parametrize("options, message", [
    (["--trace-level=request"], "--trace-level needs --trace"),
    (["--trace=t.json", "--trace-level=all"], "--trace-level needs ")])
def test_wrong_trace_level_is_an_error(options, message, model, tmp_path):
    result = run(tmp_path, "run", model, *options)
    assert result.returncode == 3
    assert message in result.stderr
    assert not (tmp_path / "t.json").exists()


def test_trace_without_steps_has_the_run_alone(model, tmp_path):
    for option in ("--backend=interpreter", "--backend=reference"):
        events = trace(tmp_path, "run", model, option)
        whole, = find(events, "run")
        assert whole["args"]["steps"] == 0 and whole["dur"] > 0


def test_trace_in_absent_folder_is_an_error(model, tmp_path):
    result = run(tmp_path, "compile", model, "-o", "out.o",
                 "--trace=absent/trace.json")
    assert result.returncode == cli.Exit.BAD_INPUT
    assert "nacre: error: cannot write" in result.stderr


def test_timing_is_one_report_with_llvm_and_linking(model, tmp_path):
    result = run(tmp_path, "compile", model, "-o", "out.so", "--timing")
    assert result.returncode == 0
    assert result.stderr.count("Execution time report") == 1
    for name in ("passes", "Canonicalizer", "LLVM optimization",
                 "LLVM code generation", "linking"):
        assert name in result.stderr


def compile_on_terminal(model, folder, delay):
    """What a terminal at standard error gets."""
    main, other = pty.openpty()
    with subprocess.Popen(
            [str(cli.tool()), "compile", str(model), "-o", "out.so"],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=other,
            env={**os.environ, "NACRE_PROGRESS_DELAY_MS": str(delay)}
    ) as process:
        os.close(other)
        text = b""
        while True:
            try:
                text += os.read(main, 4096)
            except OSError:  # the other end is closed
                break
        assert process.wait(60) == 0
    os.close(main)
    return text.decode()


def test_progress_on_terminal_is_shown_and_cleared(model, tmp_path):
    text = compile_on_terminal(model, tmp_path, 0)
    assert re.search(r"\r\x1b\[Knacre: \d+ s, (import|passes|LLVM|translation"
                     r"|linking)", text)
    assert text.endswith("\r\x1b[K")
    assert "\n" not in text


def test_progress_of_short_compilation_is_silent(model, tmp_path):
    assert compile_on_terminal(model, tmp_path, 60000) == ""


def test_progress_without_terminal_is_silent(model, tmp_path, monkeypatch):
    monkeypatch.setenv("NACRE_PROGRESS_DELAY_MS", "0")
    assert run(tmp_path, "compile", model, "-o", "out.so").stderr == ""
