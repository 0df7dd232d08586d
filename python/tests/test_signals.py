# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A signal ends the tools, which leave all of what they write or nothing."""

import os
import pathlib
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest

from nacre import builders, cli

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """y = x w with 4 MB of weights."""
    weights = np.ones((1000, 1000), np.float32)
    model = builders.single(
        "MatMul", {"x": ("float32", [1, 1000])}, {"y": ("float32", [1, 1000])},
        weights={"w": weights})
    path = tmp_path_factory.mktemp("product") / "model.onnx"
    onnx.save(model, str(path))
    return path


def start(folder, *words):
    return subprocess.Popen(
        [str(cli.tool()), *map(str, words)], cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.parametrize("number", SIGNALS)
def test_bench_ended_while_it_measures_leaves_nothing(product, tmp_path,
                                                      number):
    process = start(tmp_path, "bench", product, "--seconds=60")
    end = time.monotonic() + 60
    while not list(tmp_path.glob("nacre-*/model.so")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(60) == -number
    assert not list(tmp_path.iterdir())


def wait_for_child(process, end):
    """The number of a process that this one has started."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while time.monotonic() < end:
        assert process.poll() is None
        if numbers := children.read_text().split():
            return int(numbers[0])
    raise TimeoutError


def assert_all_or_nothing(folder):
    assert {path.name for path in folder.iterdir()} in (set(),
                                                        {"out", "out.h"})


@pytest.mark.parametrize("form", ["static", "shared"])
@pytest.mark.parametrize("delay", [0.02, 0.05, 0.1, 0.15, 0.2])
def test_compile_ended_at_any_moment_leaves_all_or_nothing(
        product, tmp_path, form, delay):
    process = start(tmp_path, "compile", product, f"--emit={form}",
                    "-o", "out")
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) in (0, -signal.SIGINT)
    assert_all_or_nothing(tmp_path)


@pytest.mark.parametrize("number", SIGNALS)
def test_compile_ended_while_it_links_leaves_no_temporary_file(
        product, tmp_path, number):
    process = start(tmp_path, "compile", product, "--emit=shared", "-o", "out")
    linker = wait_for_child(process, time.monotonic() + 60)
    # Held, so that the signal comes while it runs.
    os.kill(linker, signal.SIGSTOP)
    process.send_signal(number)
    time.sleep(0.05)
    os.kill(linker, signal.SIGCONT)
    assert process.wait(60) == -number
    assert not list(tmp_path.iterdir())
    # Nothing is left that goes on writing.
    assert not os.path.exists(f"/proc/{linker}")


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Ten outputs of 16 MB, which take a while to write."""
    shape = [1 << 22]
    names = [f"y{i}" for i in range(10)]
    path = tmp_path_factory.mktemp("copies") / "model.onnx"
    onnx.save(builders.model(
        [builders.node("Relu", ["x"], [name]) for name in names],
        {"x": ("float32", shape)}, {name: ("float32", shape)
                                    for name in names}), str(path))
    return path


@pytest.mark.parametrize("folder", ["out", "new/inner/out"])
@pytest.mark.parametrize("number", SIGNALS)
def test_run_ended_while_it_writes_outputs_leaves_nothing(copies, tmp_path,
                                                          number, folder):
    if folder == "out":
        (tmp_path / folder).mkdir()
    process = start(tmp_path, "run", copies, f"--output-dir={folder}")
    end = time.monotonic() + 60
    while len(list((tmp_path / folder).glob("*"))) < 3:
        assert process.poll() is None and time.monotonic() < end
    process.send_signal(number)
    assert process.wait(60) == -number
    left = [path.name for path in tmp_path.rglob("*")]
    assert left == (["out"] if folder == "out" else [])
