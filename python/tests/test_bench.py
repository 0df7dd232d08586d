# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `nacre bench` says of memory."""

import json
import shutil
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from nacre import builders, cli

ROWS, COLUMNS = 2000, 4000
WEIGHT_BYTES = ROWS * COLUMNS * 4


def bench(*words):
    return json.loads(cli.nacre("bench", *words, "--seconds=0", "--json"))


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """y = x w with 32 MB of weights."""
    rng = np.random.default_rng(6)
    weights = rng.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    model = builders.single(
        "MatMul", {"x": ("float32", [1, ROWS])}, {"y": ("float32", [1, COLUMNS])},
        weights={"w": weights})
    path = tmp_path_factory.mktemp("product") / "model.onnx"
    onnx.save(model, str(path))
    return path


@pytest.fixture(scope="module", params=[1, 2])
def memory(product, request):
    """In bytes, with one thread and with two."""
    result = bench(product, f"--threads={request.param}")
    assert result["rss_of"] == "run"
    return {key: result[key] * 2**20 for key in ("rss_mb", "private_mb")}


def test_a_process_that_runs_a_model_needs_its_weights_once(memory):
    assert WEIGHT_BYTES < memory["rss_mb"] < WEIGHT_BYTES + (8 << 20)


def test_weights_of_a_process_that_runs_a_model_are_pages_of_a_file(memory):
    assert 0 < memory["private_mb"] < 4 << 20


def test_bench_of_a_library_measures_a_run_of_it(product, tmp_path,
                                                 monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli.nacre("compile", product, "-o", "product.so")
    result = bench("product.so")
    assert {path.name for path in tmp_path.iterdir()} == {"product.h",
                                                          "product.so"}
    assert result["rss_of"] == "run"
    assert WEIGHT_BYTES < result["rss_mb"] * 2**20 < WEIGHT_BYTES + (8 << 20)
    assert 0 < result["code_bytes"] < 1 << 16


def test_bench_of_many_inputs_measures_a_run(tmp_path):
    names = [f"x{i}" for i in range(100)]
    model = builders.single("Sum", {name: ("float32", [4]) for name in names},
                            {"y": ("float32", [4])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    assert bench(tmp_path / "model.onnx")["rss_of"] == "run"


def test_bench_of_sizes_that_only_a_run_knows_measures_a_run(tmp_path):
    model = builders.single("NonZero", {"x": ("float32", [4, "m"])},
                            {"y": ("int64", [2, "n"])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "model.so")
    result = bench(tmp_path / "model.so", "--shape", "x=4x1000000")
    assert result["rss_of"] == "run"
    # The input and what is not zero of it: two numbers of 8 bytes each.
    bytes_of_values = 4 * 1000000 * (4 + 2 * 8)
    assert bytes_of_values < result["rss_mb"] * 2**20
    assert result["private_mb"] * 2**20 < 4 * bytes_of_values


def test_bench_of_a_scalar_of_any_rank_measures_a_run(tmp_path):
    model = builders.single("Add", {"x": ("float32", []), "y": ("float32", ["n"])},
                            {"z": ("float32", ["n"])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "model.so")
    assert bench(tmp_path / "model.so", "--shape", "y=5")["rss_of"] == "run"


def test_bench_of_a_state_before_a_larger_output_measures_a_run(tmp_path):
    model = builders.model(
        [helper.make_node("Neg", ["h"], ["g"]),
         helper.make_node("Expand", ["x", "sizes"], ["y"])],
        {"h": ("float32", [1]), "x": ("float32", [1])},
        {"g": ("float32", [1]), "y": ("float32", [1 << 20])},
        weights={"sizes": np.array([1 << 20])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "model.so",
              "--state=h:g")
    assert bench(tmp_path / "model.so")["rss_of"] == "run"


def test_bench_of_strings_measures_its_own_process(tmp_path):
    model = builders.single("Identity", {"a": ("object", [2])},
                            {"c": ("object", [2])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "input_0.pb").write_bytes(
        numpy_helper.from_array(np.array(["a", "b"], object),
                                "a").SerializeToString())
    result = bench(tmp_path / "model.onnx", tmp_path / "data")
    assert result["rss_of"] == "compiler" and "private_mb" not in result


def test_bench_on_data_without_outputs_compares_nothing_and_says_so(tmp_path):
    model = builders.single("Relu", {"x": ("float32", ["n"])},
                            {"y": ("float32", ["n"])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "input_0.pb").write_bytes(
        numpy_helper.from_array(np.ones(7, np.float32),
                                "x").SerializeToString())
    words = ["bench", tmp_path / "model.onnx", tmp_path / "data",
             "--seconds=0"]
    result = subprocess.run([cli.tool(), *words], check=True, text=True,
                            capture_output=True)
    assert "the outputs are compared with nothing" in result.stderr
    assert "median" in result.stdout
    with pytest.raises(cli.NacreError, match="data folder with outputs"):
        cli.nacre(*words, "--snr=20")
    with pytest.raises(cli.NacreError, match="cannot open the file"):
        cli.nacre("bench", tmp_path / "model.onnx", tmp_path / "none",
                  "--shape", "x=3")


def test_bench_leaves_no_temporary_files(product, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    bench(product)
    assert not list(tmp_path.iterdir())


def test_bench_without_a_place_for_temporary_files_says_so(
        product, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    with pytest.raises(cli.NacreError, match="TMPDIR names the place") as caught:
        bench(product)
    assert caught.value.code == cli.Exit.BAD_INPUT


def test_bench_without_the_program_that_runs_libraries_says_so(
        product, tmp_path, monkeypatch):
    shutil.copy(cli.tool(), tmp_path)
    monkeypatch.setenv("NACRE_BIN_DIR", str(tmp_path))
    with pytest.raises(cli.NacreError, match="nacre-run-compiled") as caught:
        bench(product)
    assert caught.value.code == cli.Exit.BAD_INPUT
