# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One artifact with code for two architectures."""

import concurrent.futures
import json
import os
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from backends import is_runnable
from nacre import builders, cli
from nacre.compiled import CompiledModel

LOW, HIGH = "x86-64-v3", "x86-64-v4"
# Of every constant, in bytes.
ALIGNMENT = 64


def run(*arguments, architecture=None):
    environment = dict(os.environ)
    environment.pop("NACRE_ARCH", None)
    if architecture:
        environment["NACRE_ARCH"] = architecture
    return subprocess.run([cli.tool(), *map(str, arguments)], env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A convolution and a product, whose weights each architecture packs in its
    own way, a table that both read as it is, and test data."""
    rng = np.random.default_rng(3)

    def random(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    initializers = {"w": random(20, 12, 3, 3) / 10, "b": random(20),
                    "m": random(720, 33) / 30, "t": random(1, 33)}
    graph = helper.make_graph(
        [builders.node("Conv", ["x", "w", "b"], ["c"]),
         builders.node("Relu", ["c"], ["r"]),
         builders.node("Flatten", ["r"], ["f"]),
         builders.node("MatMul", ["f", "m"], ["p"]),
         builders.node("Sin", ["t"], ["s"]),
         builders.node("Mul", ["p", "s"], ["y"])],
        "net", [builders.value("x", "float32", [1, 12, 8, 8])],
        [builders.value("y", "float32", [1, 33])],
        [numpy_helper.from_array(array, name)
         for name, array in initializers.items()])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    folder = tmp_path_factory.mktemp("architectures")
    onnx.save(model, str(folder / "net.onnx"))
    np.save(folder / "x.npy", random(1, 12, 8, 8))
    cli.nacre("run", folder / "net.onnx", "--backend=interpreter",
              "--input", f"x={folder / 'x.npy'}", "--output-dir", folder)
    data = folder / "data"
    data.mkdir()
    for file, name, source in (("input_0", "x", "x.npy"),
                               ("output_0", "y", "y.npy")):
        tensor = numpy_helper.from_array(np.load(folder / source), name)
        (data / f"{file}.pb").write_bytes(tensor.SerializeToString())
    for name, archs in (("both", f"{LOW},{HIGH}"), ("low", LOW),
                        ("high", HIGH)):
        cli.nacre("compile", folder / "net.onnx", f"--vpu-arch={archs}",
                  "-o", folder / f"{name}.so")
    return folder


def metadata(library):
    return CompiledModel(library).metadata


def test_metadata_lists_the_best_architecture_first(folder):
    assert metadata(folder / "both.so")["architectures"] == [HIGH, LOW]


def test_arena_is_that_of_the_architecture_that_needs_most(folder):
    sizes = {name: metadata(folder / f"{name}.so")["arena_bytes"]
             for name in ("both", "low", "high")}
    assert sizes["both"] == max(sizes["low"], sizes["high"])


def test_constants_of_one_layout_are_stored_once(folder):
    sizes = {name: metadata(folder / f"{name}.so")["weight_bytes"]
             for name in ("both", "low", "high")}
    assert max(sizes["low"], sizes["high"]) < sizes["both"]
    # What is not shared starts behind the others at a multiple of the alignment.
    behind = -(-sizes["low"] // ALIGNMENT) * ALIGNMENT
    assert sizes["both"] <= behind + sizes["high"] - 33 * 4


@pytest.mark.parametrize("architecture", [LOW, HIGH])
def test_each_architecture_gives_the_models_results(folder, architecture):
    outcome = run("check", folder / "both.so", folder / "data",
                  architecture=architecture)
    if architecture == HIGH and not is_runnable(HIGH):
        assert outcome.returncode == cli.Exit.BAD_INPUT
        assert "lacks instructions" in outcome.stderr
    else:
        assert outcome.stdout.splitlines()[-1] == "PASS", outcome.stderr


@pytest.mark.parametrize("asked, used", [
    (None, HIGH if is_runnable(HIGH) else LOW), (LOW, LOW),
    ("aarch64", HIGH if is_runnable(HIGH) else LOW)])
def test_bench_says_which_architecture_it_timed(folder, asked, used):
    outcome = run("bench", folder / "both.so", folder / "data", "--seconds=0",
                  "--json", architecture=asked)
    assert json.loads(outcome.stdout)["architecture"] == used


def test_the_result_is_that_of_an_artifact_for_one_architecture(folder):
    x = np.load(folder / "x.npy")
    both = CompiledModel(folder / "both.so")
    alone = CompiledModel(
        folder / ("high.so" if both.architecture == HIGH else "low.so"))
    np.testing.assert_array_equal(both.run({"x": x})["y"],
                                  alone.run({"x": x})["y"])


def test_runs_on_distinct_arenas_do_not_disturb_each_other(folder):
    rng = np.random.default_rng(4)
    inputs = [rng.standard_normal((1, 12, 8, 8)).astype(np.float32)
              for _ in range(4)]
    expected = [CompiledModel(folder / "both.so").run({"x": x})["y"]
                for x in inputs]

    def serve(index):
        model = CompiledModel(folder / "both.so")
        return all(np.array_equal(model.run({"x": inputs[index]})["y"],
                                  expected[index]) for _ in range(300))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(serve, range(4)))


@pytest.mark.parametrize("command", ["run", "bench", "check"])
def test_code_for_another_machine_is_refused_here(folder, command):
    data = [folder / "data"] if command == "check" else []
    outcome = run(command, folder / "net.onnx", *data, "--vpu-arch=aarch64")
    assert outcome.returncode == cli.Exit.BAD_INPUT
    assert "cannot run code for aarch64" in outcome.stderr
