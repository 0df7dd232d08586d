# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`make demo`'s script, and the programs in C and C++ of docs/examples."""

import re
import subprocess
import sys

import numpy as np
import onnx
import pytest

from nacre import builders, cli
from nacre.compiled import CompiledModel

DEMO = cli.ROOT / "python" / "scripts" / "demo.py"
DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
EXAMPLES = cli.ROOT / "docs" / "examples"
CLANG = "/usr/lib/llvm-22/bin/clang"


def demo(*arguments):
    return subprocess.run([sys.executable, str(DEMO), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """The demo's own output, from which the tests below read."""
    folder = tmp_path_factory.mktemp("demo")
    process = demo("--output", folder)
    assert process.returncode == 0, process.stdout
    return folder, process.stdout


def test_demo_recognises_97_percent(digits):
    _, text = digits
    accuracy = re.search(r"^accuracy +([\d.]+)% \(\d+ of 360", text, re.M)
    assert float(accuracy[1]) >= 97


def test_demo_reports_latency_sizes_and_files(digits):
    folder, text = digits
    for what in ("latency", "artifact", "arena"):
        assert re.search(rf"^{what} +[\d.,]+ ", text, re.M), text
    assert f"library    {folder}/digits.so" in text
    assert (folder / "digits.so").is_file()
    assert (folder / "digits.h").is_file()


def test_demo_with_own_model_runs_it_on_random_input(tmp_path):
    path = tmp_path / "my model-1.onnx"
    onnx.save(builders.chain(["Relu", "Sqrt"], [2, 5]), str(path))
    process = demo("--model", path, "--output", tmp_path)
    assert process.returncode == 0, process.stdout
    assert "y: float32 [2, 5]" in process.stdout


def test_demo_with_missing_model_is_bad_input(tmp_path):
    process = demo("--model", tmp_path / "absent.onnx")
    assert process.returncode == cli.Exit.BAD_INPUT
    assert "no such file" in process.stdout


def test_compiled_model_is_reentrant_given_distinct_arenas(digits):
    folder, _ = digits
    first, second = (CompiledModel(folder / "digits.so") for _ in range(2))
    image = np.random.RandomState(0).rand(1, 1, 8, 8).astype(np.float32)
    np.testing.assert_array_equal(first.run({"image": image})["scores"],
                                  second.run({"image": image})["scores"])


def test_c_example_builds_without_warnings_and_recognises_its_digit(tmp_path):
    library = tmp_path / "digits.a"
    cli.nacre("compile", DIGITS, "-o", library, "--emit=static")
    program = tmp_path / "digits"
    subprocess.run([CLANG, "-std=c11", "-Wall", "-Wextra", "-Werror",
                    "-I", str(tmp_path), str(EXAMPLES / "digits.c"), str(library), "-lm",
                    "-o", str(program)], check=True)
    output = subprocess.run([str(program)], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    assert output == "this is a 6\n"


@pytest.fixture(scope="module")
def dynamic(tmp_path_factory):
    """The archive of the model of dynamic sizes."""
    library = tmp_path_factory.mktemp("dynamic") / "dynamic.a"
    cli.nacre("compile", EXAMPLES / "dynamic.mlir", "-o", library)
    return library


@pytest.mark.parametrize("source, compiler, expected", [
    ("dynamic.c", [CLANG, "-std=c99"],
     "3 5 are 2 of float32\n3 5 7 9 are 4 of float32\n"),
    ("dynamic.cpp", [CLANG + "++", "-std=c++17"], "3 5 7 9 \n")])
def test_dynamic_example_builds_without_warnings_and_takes_any_size(
        dynamic, source, compiler, expected):
    program = dynamic.with_suffix(".program")
    subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror",
                    "-I", str(dynamic.parent), str(EXAMPLES / source),
                    str(dynamic), "-lm", "-o", str(program)], check=True)
    output = subprocess.run([str(program)], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    assert output == expected + (
        "unexpected size of dimension 1 of input 'vectors': "
        "expected 3, found 4\n")
