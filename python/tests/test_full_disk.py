# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot be written ends a command with an error, and leaves no half of
it behind.

A limit on the size of files stands for a full disk.
"""

import os
import resource
import subprocess

import numpy as np
import onnx
import pytest

from nacre import builders, cli

LIMIT = 512


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.onnx"
    weights = "w" * LIMIT  # A name that alone fills the disk.
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", weights], ["y"])],
        {"x": ("float32", [64, 8])}, {"y": ("float32", [64, 64])},
        weights={weights: np.ones((8, 64), np.float32)}), str(path))
    return path


def nacre(*arguments, limit=None, tool="nacre", **streams):
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [cli.tool(tool), *map(str, arguments)], text=True,
        stderr=subprocess.PIPE,
        preexec_fn=limit_files if limit is not None else None, **streams)


WRITES = {
    "library": ["compile", "{model}", "-o", "{out}/m.so"],
    "archive": ["compile", "{model}", "--emit=static", "-o", "{out}/m.a"],
    "object": ["compile", "{model}", "--emit=obj", "-o", "{out}/m.o"],
    "assembly": ["compile", "{model}", "--emit=asm", "-o", "{out}/m.s"],
    "LLVM": ["compile", "{model}", "--emit=llvm", "-o", "{out}/m.ll"],
    "IR": ["compile", "{model}", "--emit=loops", "-o", "{out}/m.mlir"],
    "IR of passes": ["compile", "{model}", "--emit=loops", "-o", "/dev/null",
                     "--dump-ir={out}/ir"],
    "graph": ["compile", "{model}", "--emit=ie", "-o", "/dev/null",
              "--dump-graph={out}/graph.dot"],
    "listing": ["compile", "{model}", "--emit=ie", "-o", "/dev/null",
                "--dump-listing={out}/listing.lst"],
    "outputs": ["run", "{model}", "--output-dir={out}/outputs"],
    "profile": ["bench", "{model}", "--seconds=0.01",
                "--profile-html={out}/page.html"],
}


@pytest.mark.parametrize("what", WRITES)
def test_file_on_a_full_disk_is_an_error_and_not_left_behind(what, model,
                                                             tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    words = [word.format(model=model, out=out) for word in WRITES[what]]
    process = nacre(*words, limit=LIMIT)
    assert process.returncode == cli.Exit.BAD_INPUT, process.stderr
    assert "cannot write" in process.stderr
    # Whatever is there is whole: files of which the limit has cut nothing.
    left = list(out.rglob("*"))
    assert [file for file in left if file.suffix == ".tmp"] == []
    assert [file for file in left
            if file.is_file() and file.stat().st_size >= LIMIT] == []
    assert left == [] or what == "IR of passes"


@pytest.mark.parametrize("tool, words, message", [
    ("nacre-opt", [], "error: cannot write"),
    # Upstream's main lets the signal of the limit end it.
    ("nacre-translate", ["--import-onnx"], ""),
])
def test_tool_on_a_full_disk_leaves_its_output_as_it_was(tool, words, message,
                                                         model, tmp_path):
    if tool == "nacre-opt":
        source, model = model, tmp_path / "model.mlir"
        nacre("--import-onnx", source, "-o", model, tool="nacre-translate")
    out = tmp_path / "out"
    out.mkdir()
    (out / "file").write_text("old")
    process = nacre(*words, model, "-o", out / "file", limit=LIMIT, tool=tool)
    assert process.returncode != 0
    assert message in process.stderr
    assert [file.name for file in out.iterdir()] == ["file"]
    assert (out / "file").read_text() == "old"


def test_reproducer_that_cannot_be_written_is_not_left_behind(tmp_path):
    source = cli.ROOT / "test" / "Driver" / "reproducer.mlir"
    out = tmp_path / "out"
    out.mkdir()
    process = nacre("compile", source, "--no-winograd", "-o", tmp_path / "m.o",
                    limit=LIMIT, env={**os.environ, "TMPDIR": str(out)})
    assert process.returncode == cli.Exit.INTERNAL, process.stderr
    assert "canonicalize fails on @main" in process.stderr
    assert "repeats the failure" not in process.stderr
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("words", [["--help"], ["info"], ["run"]])
def test_full_standard_output_is_an_error(words, model):
    words = words if words[0].startswith("--") else [*words, model]
    with open("/dev/full", "w") as full:
        process = nacre(*words, stdout=full)
    assert process.returncode == cli.Exit.BAD_INPUT
    assert "cannot write to standard output" in process.stderr
