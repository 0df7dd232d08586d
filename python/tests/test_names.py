# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that no C identifier, file or comment can have, and dimensions' names."""

import json
import shutil
import subprocess

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli
from nacre.compiled import CompiledModel

NAMES = ["/a/b", "_a_b", "A", "a", "über", "日本", 'quo"te', "line\nbreak",
         "back\\", "*/ int x; /*", "__attribute__", "_Bool", "int", "NULL",
         "main", "class", "uint8_t", "errno", "a-2", "??/", "x" * 300]
COMPILERS = {"c": ["clang-22", "-std=c99"], "cpp": ["clang++-22"]}


def model():
    """Adds pairs of inputs, of which the first is called as in NAMES."""
    nodes = [builders.node("Add", [name, f"{name} too"], [f"{name}'"])
             for name in NAMES]
    nodes[0].name = 'a "node"\n*/'
    return builders.model(
        nodes,
        {name: ("float32", [2])
         for name in [*NAMES, *(f"{name} too" for name in NAMES)]},
        {f"{name}'": ("float32", [2]) for name in NAMES})


def test_outputs_of_any_names_have_files_of_their_own(tmp_path):
    path, out = tmp_path / "names.onnx", tmp_path / "out"
    onnx.save(model(), str(path))
    arguments = []
    for i, value in enumerate(onnx.load(str(path)).graph.input):
        file = tmp_path / f"{i}.npy"
        np.save(file, np.full(2, i % len(NAMES), np.float32))
        arguments += ["--input", f"{value.name}={file}"]
    cli.nacre("run", path, "--backend=interpreter", *arguments,
              "--output-dir", out)
    listed = json.loads((out / "outputs.json").read_text())
    assert [entry["name"] for entry in listed] == [f"{x}'" for x in NAMES]
    files = [entry["file"] for entry in listed]
    assert len({file.lower() for file in files}) == len(NAMES)
    for i, file in enumerate(files):
        np.testing.assert_array_equal(np.load(out / file), [2 * i] * 2)


@pytest.mark.parametrize("language", COMPILERS)
def test_header_of_any_names_compiles(tmp_path, language):
    if not shutil.which(COMPILERS[language][0]):
        pytest.skip("no such compiler")
    path = tmp_path / "names.onnx"
    onnx.save(model(), str(path))
    cli.nacre("compile", path, "-o", tmp_path / "int.o", "--emit=obj", "-O0")
    program = tmp_path / f"program.{language}"
    program.write_text(
        "#include <errno.h>\n#include <stddef.h>\n#include <stdio.h>\n"
        '#include "int.h"\n')
    subprocess.run([*COMPILERS[language], "-pedantic", "-Wall", "-Werror",
                    "-fsyntax-only", str(program)], check=True)


def test_outputs_keep_the_names_of_their_dimensions(tmp_path):
    graph = builders.single("Relu", {"x": ("float32", ["batch", 3, "width*/"])},
                            {"y": ("float32", ["batch", 3, "width*/"])})
    library = nacre.compile(graph, tmp_path / "relu.so")
    expected = ("batch", 3, "width*/")
    compiled = CompiledModel(library)
    assert compiled.inputs[0].shape == compiled.outputs[0].shape == expected
    assert "float32[batch,3,width_/]" in \
        (tmp_path / "relu.h").read_text().split("_outputs {")[1]
    for source in (graph.SerializeToString(), library):
        session = nacre.InferenceSession(source)
        assert tuple(session.get_outputs()[0].shape) == expected


def test_outputs_have_the_names_of_the_dimensions_they_follow_from(tmp_path):
    """One output through a shape that is computed, one with a name declared."""
    n = builders.node
    graph = builders.model(
        [n("Shape", ["x"], ["shape"]),
         n("Gather", ["shape", "zero"], ["batch"], axis=0),
         n("Concat", ["batch", "minus"], ["flat"], axis=0),
         n("Reshape", ["x", "flat"], ["y"]),
         n("Add", ["x", "w"], ["z"]),
         n("Concat", ["x", "x"], ["longer"], axis=2),
         n("Transpose", ["w"], ["renamed"], perm=[2, 1, 0])],
        {"x": ("float32", ["batch", 2, "width"]),
         "w": ("float32", ["batch", 2, "width"])},
        {"y": ("float32", [None, None]), "z": ("float32", [None, 2, None]),
         "longer": ("float32", [None, 2, None]),
         "renamed": ("float32", ["columns", 2, None])},
        {"zero": np.array([0]), "minus": np.array([-1])})
    expected = [["batch", None], ["batch", 2, "width"], ["batch", 2, None],
                ["columns", 2, "batch"]]
    library = nacre.compile(graph, tmp_path / "named.so")
    for source in (graph.SerializeToString(), library):
        session = nacre.InferenceSession(source)
        assert [list(value.shape) for value in session.get_outputs()] == expected
    header = (tmp_path / "named.h").read_text().split("_outputs {")[1]
    assert "float32[batch,2,width]" in header
    assert "float32[columns,2,batch]" in header
