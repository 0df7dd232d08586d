# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands and the Python of docs/Quantization.md work, in their order."""

import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

import nacre
from nacre import cli
from nacre.samples import write_tensor

DIGITS = cli.ROOT / "python" / "models" / "digits"
TEXT = (cli.ROOT / "docs" / "Quantization.md").read_text()


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)
    assert found
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The digit classifier as model.onnx, samples with outputs, and labels."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(DIGITS / "digits.onnx", folder / "model.onnx")
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)[:40]
    images = images.reshape(-1, 1, 1, 8, 8)
    labels = np.load(DIGITS / "test_labels.npy")[:40]
    session = nacre.InferenceSession(str(DIGITS / "digits.onnx"))
    for i, image in enumerate(images):
        sample = folder / "samples" / f"test_data_set_{i}"
        sample.mkdir(parents=True)
        write_tensor(sample / "input_0.pb", "image", image)
        write_tensor(sample / "output_0.pb", "scores",
                     session.run(None, {"image": image})[0])
    (folder / "labels.txt").write_text("\n".join(map(str, labels)) + "\n")
    return folder, images, labels


def test_commands_succeed(place):
    folder = place[0]
    tools = pathlib.Path(cli.tool()).resolve().parent
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    lines = [line for block in blocks("sh") for line in block.splitlines()
             if line.startswith("nacre ")]
    assert len(lines) > 8
    for line in lines:
        process = subprocess.run(["bash", "-c", line], cwd=folder, text=True,
                                 env=environment, capture_output=True)
        assert process.returncode == 0, f"{line}\n{process.stderr}"
    for name in ("small.html", "small.txt", "small.so", "model.so",
                 "model.tuned.yaml", "tuned.html"):
        assert (folder / name).stat().st_size > 0


def test_python_runs(place, tmp_path, monkeypatch):
    folder, images, labels = place
    monkeypatch.chdir(tmp_path)
    shutil.copy(folder / "model.onnx", tmp_path)
    code = next(block for block in blocks("python") if "import nacre" in block)
    exec(compile(code, "Quantization.md", "exec"),
         {"images": images, "labels": labels})
    assert (tmp_path / "tuned.onnx").exists()
    assert (tmp_path / "small.html").exists()
