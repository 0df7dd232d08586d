# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--tap-kernels`: what the kernels of a run read and write."""

import json
import os
import pathlib
import subprocess

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from nacre import builders, cli, tolerances

DIGITS = cli.ROOT / "python" / "models" / "digits"
MODELS = os.environ.get("NACRE_MODELS")


def random(shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def read_dump(folder):
    entries = json.loads((folder / "index.json").read_text())
    return entries, [np.load(folder / entry["file"]) for entry in entries]


def check_last(folder, outputs):
    """The last output that a kernel has written is the model's."""
    entries, arrays = read_dump(folder)
    last = max(i for i, entry in enumerate(entries)
               if entry["access"] == "written" and entry["memory"] == "output")
    (expected,) = outputs.values()
    np.testing.assert_array_equal(arrays[last].reshape(-1),
                                  expected.reshape(-1))
    return entries, arrays


def fail(*words):
    with pytest.raises(cli.NacreError) as error:
        cli.nacre(*words)
    assert error.value.code == cli.Exit.BAD_INPUT
    return str(error.value)


def test_last_kernel_of_digits_writes_the_scores(tmp_path):
    image = np.load(DIGITS / "test_images.npy")[:1]
    np.save(tmp_path / "image.npy", image)
    words = ["run", DIGITS / "digits.onnx", "--input",
             f"image={tmp_path / 'image.npy'}"]
    cli.nacre(*words, "--output-dir", tmp_path / "out",
              f"--dump-tensors={tmp_path / 'dump'}", "--tap-kernels")
    entries, arrays = check_last(
        tmp_path / "dump", {"scores": np.load(tmp_path / "out" / "scores.npy")})
    # What is read first is the image, and reading comes before writing.
    assert entries[0]["memory"] == "input" and entries[0]["access"] == "read"
    np.testing.assert_array_equal(arrays[0].reshape(-1), image.reshape(-1))
    steps = [entry["step"] for entry in entries]
    assert steps == sorted(steps) and set(steps) == set(range(steps[-1] + 1))
    assert entries[0]["file"].startswith("0000_")
    assert any(len(entry["nodes"]) > 1 for entry in entries)


@pytest.mark.skipif(not MODELS, reason="NACRE_MODELS names no folder")
def test_last_kernel_of_a_checked_model_writes_its_output(tmp_path):
    folder = pathlib.Path(MODELS) / "mnist8"
    data = sorted(folder.glob("test_data_set_*"))[:1]
    cli.nacre("check", folder / "model.onnx", *data,
              f"--dump-tensors={tmp_path / 'dump'}", "--tap-kernels")
    cli.nacre("compile", folder / "model.onnx", "-o", tmp_path / "m.so")
    tensor = onnx.TensorProto()
    tensor.ParseFromString((data[0] / "input_0.pb").read_bytes())
    np.save(tmp_path / "x.npy", numpy_helper.to_array(tensor))
    info = cli.nacre("info", tmp_path / "m.so")
    name = next(line.split()[1].rstrip(":") for line in info.splitlines()
                if line.startswith("input"))
    cli.nacre("run", tmp_path / "m.so", "--input",
              f"{name}={tmp_path / 'x.npy'}", "--output-dir", tmp_path / "out")
    (saved,) = json.loads((tmp_path / "out" / "outputs.json").read_text())
    check_last(tmp_path / "dump",
               {"y": np.load(tmp_path / "out" / saved["file"])})


def chain(folder, shape=(4, 6)):
    """A product that takes a Relu with it, and a Softmax."""
    model = builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"], name="product"),
         builders.node("Relu", ["p"], ["r"], name="active"),
         builders.node("Softmax", ["r"], ["y"], name="soft")],
        {"x": ("float32", list(shape))}, {"y": ("float32", [shape[0], 5])},
        {"w": random((6, 5))})
    onnx.save(model, str(folder / "net.onnx"))
    return folder / "net.onnx"


def test_kernels_are_fused_as_always_and_found_by_their_nodes(tmp_path):
    x = random((4, 6), 2)
    np.save(tmp_path / "x.npy", x)
    words = ["run", chain(tmp_path), "--input", f"x={tmp_path / 'x.npy'}",
             "--tap-kernels"]
    cli.nacre(*words, f"--dump-tensors={tmp_path / 'all'}")
    entries, _ = read_dump(tmp_path / "all")
    fused = next(entry for entry in entries if "product" in entry["nodes"])
    assert "active" in fused["nodes"]
    cli.nacre(*words, f"--dump-tensors={tmp_path / 'some'}:act*")
    some, arrays = read_dump(tmp_path / "some")
    assert some and all("active" in entry["nodes"] for entry in some)
    written = [array for entry, array in zip(some, arrays)
               if entry["access"] == "written"]
    np.testing.assert_allclose(
        np.sort(written[0].reshape(-1)),
        np.sort(np.maximum(x @ random((6, 5)), 0).reshape(-1)),
        **tolerances.DEFAULT)
    shown = cli.nacre(*words, "--dump-tensors=-")
    assert f"{fused['kernel']}.0: float32[" in shown
    assert shown.count(", min ") == len(entries)


def test_formats_are_those_of_values(tmp_path):
    path = chain(tmp_path)
    cli.nacre("run", path, f"--dump-tensors={tmp_path / 'd'}", "--tap-kernels",
              "--dump-format=txt")
    entries = json.loads((tmp_path / "d" / "index.json").read_text())
    for entry in entries:
        lines = (tmp_path / "d" / entry["file"]).read_text().splitlines()
        assert len(lines) == 1 + np.prod(entry["shape"], dtype=int)


def test_sizes_that_a_run_knows_are_flat(tmp_path):
    path = chain(tmp_path, shape=("n", 6))
    x = random((3, 6), 2)
    np.save(tmp_path / "x.npy", x)
    cli.nacre("compile", path, "-o", tmp_path / "net.so")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "input_0.pb").write_bytes(
        numpy_helper.from_array(x, "x").SerializeToString())
    cli.nacre("run", tmp_path / "net.so", "--shape=x=3x6", "--input",
              f"x={tmp_path / 'x.npy'}", "--output-dir", tmp_path / "out")
    y = np.load(tmp_path / "out" / "y.npy")
    (folder / "output_0.pb").write_bytes(
        numpy_helper.from_array(y, "y").SerializeToString())
    cli.nacre("check", path, folder, "--dynamic",
              f"--dump-tensors={tmp_path / 'dump'}", "--tap-kernels")
    entries, arrays = read_dump(tmp_path / "dump")
    flat = [array for entry, array in zip(entries, arrays)
            if entry["access"] == "written"]
    assert any(array.size == y.size and
               np.array_equal(array.reshape(-1), y.reshape(-1))
               for array in flat)


def test_operand_that_cannot_be_read_is_named_once(tmp_path):
    """Kernels move numbers of 128 bits."""
    (tmp_path / "net.mlir").write_text("""
func.func @main(%x: tensor<2x4xcomplex<f64>>) -> tensor<4x2xcomplex<f64>> {
  %0 = IE.Transpose %x {perm = array<i64: 1, 0>}
      : tensor<2x4xcomplex<f64>> -> tensor<4x2xcomplex<f64>> loc("turn")
  return %0 : tensor<4x2xcomplex<f64>>
}
""")
    process = subprocess.run(
        [cli.tool(), "run", tmp_path / "net.mlir", "--tap-kernels",
         f"--dump-tensors={tmp_path / 'dump'}"], text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    assert read_dump(tmp_path / "dump")[0] == []
    for operand in range(2):
        assert process.stderr.count(
            f"warning: operand {operand} of kernel 'linalg_transpose' of "
            "'turn' is not shown: its elements of type int128 cannot be "
            "read") == 1


@pytest.mark.parametrize("options, message", [
    (["--tap-kernels"], "--tap-kernels needs --dump-tensors"),
    (["--tap-kernels", "--dump-tensors=-", "--dump-memory=1"],
     "--dump-memory is for the values of a model"),
    (["--tap-kernels", "--dump-tensors=-:nobody"], "is called 'nobody'"),
    (["--tap-kernels", "--dump-tensors=-:[z"], "is no pattern of names"),
    (["--tap-kernels", "--dump-tensors=-", "--backend=interpreter"],
     "needs the cpu backend"),
    (["--tap-kernels", "--dump-tensors=-", "--backend=reference"],
     "needs the cpu backend"),
    (["--tap-kernels", "--dump-tensors=-",
      "--vpu-arch=x86-64,x86-64-v3"], "and one architecture")], ids=str)
def test_what_has_no_kernels_to_look_at_is_refused(options, message, tmp_path):
    assert message in fail("run", chain(tmp_path), *options)
    assert {path.name for path in tmp_path.iterdir()} == {"net.onnx"}


def test_module_whose_kernels_are_made_is_refused(tmp_path):
    cli.nacre("compile", chain(tmp_path), "-o", tmp_path / "net.loops.mlir")
    assert "--tap-kernels needs a model whose kernels are still to be made" in \
        fail("run", tmp_path / "net.loops.mlir", "--tap-kernels",
             f"--dump-tensors={tmp_path / 'dump'}")
    assert not (tmp_path / "dump").exists()
