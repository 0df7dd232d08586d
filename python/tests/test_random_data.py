# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--data=random, for who has no samples and says so."""

import json
import subprocess

import numpy as np
import pytest

import nacre
from nacre import builders, cli
from test_quantization_report import network


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("random") / "net.onnx"
    network(path)
    return path


def calibrate(model, out, *options):
    return subprocess.run(
        [cli.tool(), "calibrate", model, "--calibrator=mse", "-o", out,
         *options], text=True, capture_output=True)


def test_seed_decides_which_numbers_there_are(model, tmp_path):
    texts = []
    for data in "random", "random:0", "random:1":
        done = calibrate(model, tmp_path / "r.yaml", f"--data={data}",
                         "--allow-random", "--samples=3")
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("ranges are those of random numbers") == 1
        texts.append((tmp_path / "r.yaml").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_random_data_have_to_be_allowed(model, tmp_path):
    done = calibrate(model, tmp_path / "r.yaml", "--data=random:7")
    assert done.returncode == cli.Exit.BAD_INPUT
    assert "--data=random:7 needs --allow-random" in done.stderr
    done = calibrate(model, tmp_path / "r.yaml", "--data=random:x",
                     "--allow-random")
    assert done.returncode == cli.Exit.BAD_INPUT
    assert "expected random or random:SEED, found 'random:x'" in done.stderr
    assert not (tmp_path / "r.yaml").exists()


def test_report_says_that_samples_were_random(model, tmp_path):
    cli.nacre("quantize", model, "--data=random", "--allow-random",
              "--samples=2", "-o", tmp_path / "a.onnx",
              f"--report={tmp_path / 'a.json'}")
    report = json.loads((tmp_path / "a.json").read_text())
    assert "samples are random numbers" in report["note"]
    assert report["samples"] == 2


def test_sizes_that_are_open_have_to_be_said(tmp_path):
    net = builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"])],
        {"x": ("float32", ["n", 4])}, {"y": ("float32", ["n", 5])},
        weights={"w": np.ones((4, 5), np.float32)})
    (tmp_path / "n.onnx").write_bytes(net.SerializeToString())
    arguments = ["--data=random", "--allow-random", "--samples=2"]
    done = calibrate(tmp_path / "n.onnx", tmp_path / "r.yaml", *arguments)
    assert done.returncode == cli.Exit.BAD_INPUT
    assert "input 'x' has the dynamic shape" in done.stderr
    done = calibrate(tmp_path / "n.onnx", tmp_path / "r.yaml", *arguments,
                     "--shape=x=3x4")
    assert done.returncode == 0, done.stderr


def test_python_takes_the_same_word(model, tmp_path):
    nacre.calibrate(model, "random:0", tmp_path / "a.yaml", samples=3,
                    calibrator="mse", allow_random=True)
    done = calibrate(model, tmp_path / "b.yaml", "--data=random",
                     "--allow-random", "--samples=3")
    assert done.returncode == 0
    assert ((tmp_path / "a.yaml").read_text()
            == (tmp_path / "b.yaml").read_text())
    with pytest.raises(nacre.CompileError, match="needs --allow-random"):
        nacre.calibrate(model, "random", tmp_path / "c.yaml")
