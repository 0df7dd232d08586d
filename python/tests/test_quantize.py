# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nacre quantize`: models of floats into ONNX models of integers."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network(path):
    """Two convolutions, an addition, and a product."""
    onnx.save(builders.model(
        [builders.node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1] * 4),
         builders.node("Relu", ["c1"], ["r1"]),
         builders.node("Conv", ["r1", "w2"], ["c2"], pads=[1] * 4),
         builders.node("Add", ["c2", "r1"], ["sum"]),
         builders.node("Relu", ["sum"], ["r2"]),
         builders.node("GlobalAveragePool", ["r2"], ["mean"]),
         builders.node("Flatten", ["mean"], ["flat"]),
         builders.node("Gemm", ["flat", "w3"], ["y"])],
        {"x": ("float32", [1, 3, 12, 12])}, {"y": ("float32", [1, 10])},
        weights={"w1": random((16, 3, 3, 3), 1) / 4, "b1": random(16, 2) / 4,
                 "w2": random((16, 16, 3, 3), 3) / 8,
                 "w3": random((16, 10), 4) / 4}), str(path))


def samples(folder, count):
    for i in range(count):
        (folder / f"test_data_set_{i}").mkdir(parents=True)
        tensor = numpy_helper.from_array(random((1, 3, 12, 12), 10 + i), "x")
        (folder / f"test_data_set_{i}" / "input_0.pb").write_bytes(
            tensor.SerializeToString())
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantize")
    network(folder / "net.onnx")
    cli.nacre("quantize", folder / "net.onnx", "--data",
              samples(folder / "samples", 8), "-o", folder / "small.onnx")
    return folder


def decibels(actual, expected):
    noise = np.sum((actual - expected) ** 2)
    return 10 * np.log10(np.sum(expected ** 2) / noise)


@pytest.mark.parametrize("backend", BACKENDS)
def test_quantized_file_computes_nearly_what_the_model_does(files, tmp_path,
                                                            backend):
    x = random((1, 3, 12, 12), 5)
    expected = run(onnx.load(str(files / "net.onnx")), {"x": x}, tmp_path,
                   "interpreter")["y"]
    actual = run(onnx.load(str(files / "small.onnx")), {"x": x}, tmp_path,
                 backend)["y"]
    assert 25 < decibels(actual, expected) < 80


def test_quantized_file_is_onnx_with_weights_of_bytes(files):
    model = onnx.load(str(files / "small.onnx"))
    kinds = {node.op_type for node in model.graph.node}
    assert {"QuantizeLinear", "DequantizeLinear", "Conv", "Gemm"} <= kinds
    large = [tensor for tensor in model.graph.initializer
             if np.prod(tensor.dims) >= 100]
    assert len(large) == 3
    assert {tensor.data_type for tensor in large} == {onnx.TensorProto.INT8}


def test_file_and_its_ranges_compile_to_the_same_code(files, tmp_path):
    """The ranges stay beside the file."""
    cli.nacre("compile", files / "net.onnx", "--ranges",
              files / "small.ranges.yaml", "-o", tmp_path / "net.s")
    cli.nacre("compile", files / "small.onnx", "-o", tmp_path / "small.s",
              "--name=net")
    texts = [(tmp_path / f"{name}.s").read_text() for name in ("net", "small")]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("option", ["--schema=symmetric", "--calibrator=minmax",
                                    "--per-tensor"])
def test_options_of_quantization_decide(files, tmp_path, option):
    cli.nacre("quantize", files / "net.onnx", "--ranges",
              files / "small.ranges.yaml", option, "-o", tmp_path / "other.onnx")
    assert ((tmp_path / "other.onnx").read_bytes()
            != (files / "small.onnx").read_bytes())


@pytest.mark.parametrize("arguments, status, message", [
    ([], 3, "one of --data=FOLDER, --ranges=FILE"),
    (["--data=.", "--ranges=x"], 3, "one of --data=FOLDER, --ranges=FILE"),
    (["--ranges=nothing.yaml"], 3, "nothing.yaml"),
    (["--ranges=x", "-o", "x.so"], 3, "writes an .onnx file")])
def test_bad_arguments_are_refused(files, arguments, status, message):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("quantize", files / "net.onnx", *arguments)
    assert error.value.code == status
