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


@pytest.mark.parametrize("command", [["run"], ["bench", "--seconds=0.01"]])
def test_trace_of_run_has_each_step_once_within_it(command, model, tmp_path):
    events = trace(tmp_path, command[0], model, *command[1:])
    assert_nested(events)
    whole, = find(events, "run")
    for name in ("product", "shares"):
        step, = find(events, name)
        assert is_inside(step, whole) and step["args"]["detail"]


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
