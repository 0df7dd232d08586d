# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `make install` installs works away from the checkout."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from nacre import cli

BIN = pathlib.Path(cli.tool()).resolve().parent
# The release build puts its tools outside of its folder.
BUILD = cli.ROOT / "build" / "release" if BIN == cli.ROOT / "build" / "bin" \
    else BIN.parent
MODEL = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"


def call(*command, **options):
    options = {"env": environment(), **options}
    return subprocess.run([str(word) for word in command], check=True,
                          text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, **options).stdout


def environment(**others):
    """This one without what leads to the checkout."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("NACRE_BIN_DIR", "PYTHONPATH")}
    return {**kept, **others}


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    call("cmake", "--install", BUILD, "--prefix", folder)
    return folder


def test_installed_files_name_no_path_of_the_build(prefix):
    files = [path for path in prefix.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert os.fsencode(cli.ROOT) not in path.read_bytes(), path


def test_installed_tools_have_the_projects_version(prefix):
    version = (cli.ROOT / "VERSION").read_text().strip()
    tools = sorted(path.name for path in (prefix / "bin").iterdir())
    assert tools == ["nacre", "nacre-lsp-server", "nacre-opt",
                     "nacre-reduce", "nacre-run-compiled", "nacre-translate"]
    for name in tools:
        text = call(prefix / "bin" / name, "--version", cwd=prefix)
        assert text.startswith(f"nacre {version}\n")


def test_installed_package_calls_the_tools_beside_it(prefix):
    script = ("import nacre.cli; print(nacre.__version__); "
              "print(nacre.cli.tool())")
    version, tool = call(
        sys.executable, "-c", script, cwd=prefix, env=environment(
            PYTHONPATH=str(prefix / "lib/python3/dist-packages"))).split()
    assert version == (cli.ROOT / "VERSION").read_text().strip()
    assert pathlib.Path(tool) == prefix / "bin" / "nacre"


def test_the_installed_cmake_example_has_its_model(prefix, tmp_path):
    source = prefix / "share" / "doc" / "nacre" / "examples" / "cmake"
    build = tmp_path / "build"
    call("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    call("cmake", "--build", build)
    assert call(build / "digit") == "this is a 6\n"


def test_a_plugin_is_built_with_what_is_installed(prefix, tmp_path):
    # Away from the checkout, whose headers it would find.
    source = tmp_path / "source"
    shutil.copytree(cli.ROOT / "test" / "lib" / "ToyOperator", source)
    build = tmp_path / "build"
    call("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
         "-DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir",
         "-DCMAKE_CXX_COMPILER=/usr/lib/llvm-22/bin/clang++",
         "-DCMAKE_C_COMPILER=/usr/lib/llvm-22/bin/clang")
    call("cmake", "--build", build)
    model = tmp_path / "bump.mlir"
    model.write_text("""func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = toy.Bump %x : tensor<3xf32> -> tensor<3xf32>
      return %y : tensor<3xf32>
    }""")
    text = call(prefix / "bin" / "nacre-opt", model,
                f"--load-dialect-plugin={build / 'ToyOperator.so'}",
                "--convert-ie-to-linalg")
    assert "math.exp" in text and "toy." not in text


@pytest.mark.parametrize("static", ["ON", "OFF"])
def test_the_cmake_example_builds_runs_and_follows_its_model(
        prefix, tmp_path, static):
    model = tmp_path / "digits.onnx"
    shutil.copy(MODEL, model)
    source = cli.ROOT / "docs" / "examples" / "cmake"
    build = tmp_path / "build"
    call("cmake", "-G", "Ninja", "-S", source, "-B", build,
         f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMODEL={model}",
         f"-DSTATIC={static}")
    call("ninja", "-C", build)
    assert call(build / "digit") == "this is a 6\n"
    assert "no work to do" in call("ninja", "-C", build)
    model.touch()
    assert "Compiling the model digits" in call("ninja", "-C", build)
