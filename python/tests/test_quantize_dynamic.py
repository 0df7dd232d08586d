# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--activations=dynamic`: products on bytes, by ranges that each run finds."""

import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli
from nacre.quantization import QuantType, quantize_dynamic
from nacre.samples import write_tensor


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def build(opset=13):
    """Convolutions, one of them depthwise, products with and without a bias, two
    that read one value, and attention's product."""
    nodes = [
        helper.make_node("Conv", ["x", "wc", "bc"], ["c"], "conv", pads=[1] * 4),
        helper.make_node("Relu", ["c"], ["cr"], "relu"),
        helper.make_node("Conv", ["cr", "wd"], ["d"], "depthwise", pads=[1] * 4,
                         group=8),
        helper.make_node("Flatten", ["d"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w1"], ["m"], "up"),
        helper.make_node("Add", ["m", "b1"], ["a"], "bias"),
        helper.make_node("Gemm", ["a", "w2", "b2"], ["g"], "down", transB=1),
        helper.make_node("MatMul", ["a", "w3"], ["h"], "side"),
        helper.make_node("MatMul", ["h", "mix"], ["p"], "mixed"),
        helper.make_node("Concat", ["g", "p"], ["y"], "join", axis=1)]
    return builders.model(
        nodes, {"x": ("float32", ["n", 3, 8, 8]), "mix": ("float32", [24, 24])},
        {"y": ("float32", ["n", 74])}, opset=opset,
        weights={"wc": random((8, 3, 3, 3), 1), "bc": random(8, 2),
                 "wd": random((8, 1, 3, 3), 3) / 3,
                 "w1": random((512, 96), 4) / 20, "b1": random(96, 5),
                 "w2": random((50, 96), 6) / 8, "b2": random(50, 7),
                 "w3": random((96, 24), 8) / 8})


FEEDS = {"x": random((3, 3, 8, 8), 7) + 1, "mix": random((24, 24), 8) / 5}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dynamic")
    onnx.save(build(), str(folder / "net.onnx"))
    (folder / "data" / "0").mkdir(parents=True)
    for i, (name, array) in enumerate(FEEDS.items()):
        write_tensor(folder / "data" / "0" / f"input_{i}.pb", name, array)
    write_tensor(folder / "data" / "0" / "output_0.pb", "y",
                 run(build(), FEEDS, folder, "cpu")["y"])
    cli.nacre("quantize", folder / "net.onnx", "--activations=dynamic", "-o",
              folder / "small.onnx")
    return folder


def decibels(actual, expected):
    return 10 * np.log10((expected ** 2).sum()
                         / ((actual - expected) ** 2).sum())


@pytest.mark.parametrize("backend", BACKENDS)
def test_model_without_data_is_near_the_one_of_floats(files, tmp_path, backend):
    expected = run(build(), FEEDS, tmp_path, "interpreter")["y"]
    actual = run(onnx.load(str(files / "small.onnx")), FEEDS, tmp_path,
                 backend)["y"]
    assert 30 < decibels(actual, expected) < 80


def test_file_has_the_nodes_that_other_tools_write(files):
    graph = onnx.load(str(files / "small.onnx")).graph
    kinds = [node.op_type for node in graph.node]
    # Both products of one value read the same bytes.
    assert kinds.count("DynamicQuantizeLinear") == 3
    assert kinds.count("ConvInteger") == 1
    assert kinds.count("MatMulInteger") == 3
    # Attention's product, and the depthwise convolution.
    assert kinds.count("MatMul") == kinds.count("Conv") == 1
    assert "Reshape" not in kinds
    types = {tuple(tensor.dims): tensor.data_type
             for tensor in graph.initializer}
    assert types[(8, 3, 3, 3)] == onnx.TensorProto.UINT8
    assert types[(512, 96)] == types[(96, 50)] == onnx.TensorProto.INT8
    assert (96, 8) not in types and types[(8, 1, 1)] == onnx.TensorProto.FLOAT


@pytest.mark.parametrize("opset", [9, 13])
def test_compiling_the_model_is_compiling_the_file(tmp_path, opset):
    onnx.save(build(opset), str(tmp_path / "net.onnx"))
    cli.nacre("quantize", tmp_path / "net.onnx", "--activations=dynamic", "-o",
              tmp_path / "small.onnx")
    cli.nacre("compile", tmp_path / "net.onnx", "--activations=dynamic",
              "-o", tmp_path / "a.s", "--name=net")
    cli.nacre("compile", tmp_path / "small.onnx", "-o", tmp_path / "b.s",
              "--name=net")
    assert (tmp_path / "a.s").read_text() == (tmp_path / "b.s").read_text()


def test_options_say_what_stays_and_reports_why(files, tmp_path):
    output = cli.nacre(
        "quantize", files / "net.onnx", "--activations=dynamic", "--per-tensor",
        "--keep-node=s*", "--keep-node=down", "-o", tmp_path / "a.onnx",
        f"--data={files / 'data'}", f"--report={tmp_path / 'r.json'}")
    assert "quantized" in output
    report = json.loads((tmp_path / "r.json").read_text())
    products = {product["node"]: product for product in report["products"]}
    assert {node: product["precision"] for node, product in products.items()} \
        == {"conv": "int8", "depthwise": "f32", "bias": "int8", "down": "f32",
            "side": "f32", "mixed": "f32"}
    assert products["side"]["why"] == "nodes 's*' are to stay f32"
    assert products["depthwise"]["why"].startswith("a depthwise convolution")
    assert products["mixed"]["why"].startswith("its weights are no constants")
    assert 25 < products["bias"]["weights_snr_db"] < 45
    assert 20 < report["outputs"][0]["snr_db"] < 60
    assert report["constant_bytes"] < report["constant_bytes_before"] / 2
    cli.nacre("quantize", files / "net.onnx", "--activations=dynamic",
              "-o", tmp_path / "a.onnx", f"--report={tmp_path / 'r.txt'}")
    text = (tmp_path / "r.txt").read_text()
    assert "net.onnx on 8-bit integers" in text
    assert "uint8 by ranges that each run finds, a scale for each channel" in text


def test_checks_and_benchmarks_take_it(files):
    assert "snr" in cli.nacre("check", files / "net.onnx", files / "data" / "0",
                              "--activations=dynamic", "--snr=30")
    assert "median" in cli.nacre("bench", files / "net.onnx", "--seconds=0.01",
                                 "--activations=dynamic", "--shape=x=1x3x8x8")


@pytest.mark.parametrize("command, options, message", [
    ("quantize", ["--activations=dynamic", "--data=."],
     "data beside the others are for a --report or --bias-correction=exact, "
     "else leave them out"),
    ("quantize", ["--activations=dynamic", "--ranges=x"],
     "--ranges is of no use for --activations=dynamic, which finds ranges"),
    ("compile", ["--activations=dynamic", "--schema=symmetric"],
     "--schema is of no use"),
    ("compile", ["--activations=dynamic", "--calibrator=minmax"],
     "--calibrator is of no use"),
    ("compile", ["--activations=dynamic", "--weights=int4"],
     "--weights is of no use .* int8 weights"),
    ("compile", ["--activations=dynamic", "--equalize=auto"],
     "--equalize is of no use"),
    ("run", ["--activations=dynamic", "--rounding=hessian"],
     "--rounding is of no use"),
    ("run", ["--activations=dynamic", "--keep-node=["], "is no pattern"),
    ("tune", ["--activations=none", "--weights=int4", "--rounding=hessian",
              "--data=.", "--target=sqnr>=1"],
     "which --activations=none does without"),
    ("tune", ["--activations=dynamic", "--data=.", "--target=sqnr>=1"],
     "which --activations=dynamic does without")])
def test_bad_arguments_are_refused(files, command, options, message):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre(command, files / "net.onnx", *options)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_model_without_products_is_warned_of(tmp_path):
    onnx.save(builders.single("Relu", {"x": ("float32", [4])},
                              {"y": ("float32", [4])}),
              str(tmp_path / "net.onnx"))
    process = subprocess.run(
        [cli.tool(), "quantize", tmp_path / "net.onnx", "--activations=dynamic",
         "-o", tmp_path / "small.onnx"], capture_output=True, text=True,
        check=True)
    assert "it has no convolutions or products" in process.stderr


def test_python_quantizes_as_the_command_does(files, tmp_path):
    out = nacre.quantize(files / "net.onnx", tmp_path / "a.onnx",
                         activations="dynamic")
    assert out.read_bytes() == (files / "small.onnx").read_bytes()
    nacre.quantize(files / "net.onnx", tmp_path / "a.onnx", [FEEDS],
                   activations="dynamic", report=tmp_path / "r.txt")
    assert "compared on 3 samples" in (tmp_path / "r.txt").read_text()
    with pytest.raises(nacre.InvalidInput, match="for a report alone"):
        nacre.quantize(files / "net.onnx", out, [FEEDS], activations="dynamic")


def kinds(path):
    return [node.op_type for node in onnx.load(str(path)).graph.node]


def test_quantize_dynamic_does_what_its_arguments_say(files, tmp_path):
    model, out = str(files / "net.onnx"), str(tmp_path / "a.onnx")
    quantize_dynamic(model, out, per_channel=True)
    assert (tmp_path / "a.onnx").read_bytes() \
        == (files / "small.onnx").read_bytes()
    quantize_dynamic(model, out, ["MatMul"], weight_type=QuantType.QInt8,
                     nodes_to_exclude=["side"], use_external_data_format=True,
                     extra_options={"MatMulConstBOnly": True,
                                    "DefaultTensorType": None})
    assert kinds(out).count("MatMulInteger") == 2
    assert kinds(out).count("Conv") == 2
    assert (tmp_path / "a.onnx.data").exists()


@pytest.mark.parametrize("arguments, message", [
    ({"weight_type": QuantType.QUInt8}, "weight_type=QUInt8 is not"),
    ({"nodes_to_quantize": ["side"]}, "nodes_to_exclude names the others"),
    ({"extra_options": {"ActivationSymmetric": True}}, "ActivationSymmetric"),
    ({"extra_options": {"Magic": 1}}, "'Magic'.=1 is not")])
def test_what_quantize_dynamic_cannot_do_is_refused_by_name(
        files, tmp_path, arguments, message):
    with pytest.raises(nacre.InvalidInput, match=message):
        quantize_dynamic(files / "net.onnx", tmp_path / "x.onnx", **arguments)
    assert not (tmp_path / "x.onnx").exists()
