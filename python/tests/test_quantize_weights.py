# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--activations=none`: f32 models whose matrices have few bits."""

import json

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli
from nacre.compiled import CompiledModel
from nacre.samples import write_tensor


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def build():
    """Products with a bias, transposed and with rows that are no whole blocks, a
    convolution, and attention's product."""
    nodes = [
        helper.make_node("Conv", ["x", "wc"], ["c"], "conv", pads=[1] * 4),
        helper.make_node("Flatten", ["c"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w1"], ["m"], "up"),
        helper.make_node("Add", ["m", "b1"], ["a"], "bias"),
        helper.make_node("Relu", ["a"], ["r"], "relu"),
        helper.make_node("Gemm", ["r", "w2", "b2"], ["g"], "down", transB=1),
        helper.make_node("MatMul", ["g", "mix"], ["p"], "mixed"),
        helper.make_node("MatMul", ["p", "w3"], ["y"], "odd")]
    return builders.model(
        nodes, {"x": ("float32", ["n", 2, 8, 8]), "mix": ("float32", [50, 50])},
        {"y": ("float32", ["n", 10])},
        weights={"wc": random((2, 2, 3, 3), 1), "w1": random((128, 96), 2) / 8,
                 "b1": random(96, 3), "w2": random((50, 96), 4) / 8,
                 "b2": random(50, 5), "w3": random((50, 10), 6) / 4})


FEEDS = {"x": random((3, 2, 8, 8), 7), "mix": random((50, 50), 8) / 7}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    onnx.save(build(), str(folder / "net.onnx"))
    (folder / "data" / "0").mkdir(parents=True)
    for i, (name, array) in enumerate(FEEDS.items()):
        write_tensor(folder / "data" / "0" / f"input_{i}.pb", name, array)
    for name, options in (("int8", []), ("int4", []), ("int4", ["--block=8"]),
                          ("int4", ["--block=0"]), ("int8", ["--block=16"])):
        number = options[0][8:] if options else ""
        cli.nacre("quantize", folder / "net.onnx", "--activations=none",
                  f"--weights={name}", "-o", folder / f"{name}{number}.onnx",
                  *options)
    return folder


def decibels(actual, expected):
    return 10 * np.log10((expected ** 2).sum()
                         / ((actual - expected) ** 2).sum())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name, floor", [
    ("int8", 35), ("int816", 35), ("int4", 13), ("int48", 16), ("int40", 11)])
def test_model_of_few_bits_is_near_the_one_of_floats(files, tmp_path, name,
                                                     floor, backend):
    expected = run(build(), FEEDS, tmp_path, "interpreter")["y"]
    actual = run(onnx.load(str(files / f"{name}.onnx")), FEEDS, tmp_path,
                 backend)["y"]
    assert floor < decibels(actual, expected) < 80


def dequantize(graph, node):
    """The floats that a DequantizeLinear makes of initializers."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    integers, scales = (tensors[name] for name in node.input)
    shape = tuple(integers.dims)
    if integers.data_type == 22:
        codes = np.frombuffer(integers.raw_data, np.uint8)
        halves = np.stack([codes & 15, codes >> 4], 1).reshape(-1)
        values = halves[:np.prod(shape)].astype(np.int8)
        values = np.where(values > 7, values - 16, values).reshape(shape)
    else:
        values = numpy_helper.to_array(integers)
    scale = numpy_helper.to_array(scales)
    attributes = {a.name: a.i for a in node.attribute}
    axis, block = attributes.get("axis", 1), attributes.get("block_size", 0)
    if block:
        scale = np.repeat(scale, block, axis).take(range(shape[axis]), axis)
    elif scale.ndim:
        scale = np.expand_dims(scale, 1 - axis)
    return values * scale


@pytest.mark.parametrize("name, code, floor", [
    ("int8", 3, 40), ("int4", 22, 16), ("int48", 22, 18)])
def test_file_has_standard_nodes_of_these_integers(files, name, code, floor):
    graph = onnx.load(str(files / f"{name}.onnx")).graph
    nodes = [node for node in graph.node if node.op_type == "DequantizeLinear"]
    assert "Cast" not in {node.op_type for node in graph.node}
    types = {tensor.name: tensor.data_type for tensor in graph.initializer}
    assert [types[node.input[0]] for node in nodes] == [code] * 3
    weights = {tensor.name: numpy_helper.to_array(tensor)
               for tensor in build().graph.initializer}
    found = {array.shape: array for array in
             (dequantize(graph, node) for node in nodes)}
    for key in "w1", "w2", "w3":
        assert decibels(found[weights[key].shape], weights[key]) > floor


def test_library_is_as_small_as_the_file(files, tmp_path):
    sizes = {}
    for name in "net", "int8", "int4":
        session = nacre.compile(files / f"{name}.onnx", tmp_path / f"{name}.so")
        sizes[name] = CompiledModel(session).metadata["weight_bytes"]
    assert sizes["int8"] < sizes["net"] / 3
    assert sizes["int4"] < sizes["net"] / 5


def test_compiling_the_model_is_compiling_the_file(files, tmp_path):
    cli.nacre("compile", files / "net.onnx", "--activations=none",
              "--weights=int4", "-o", tmp_path / "a.s", "--name=net")
    cli.nacre("compile", files / "int4.onnx", "-o", tmp_path / "b.s",
              "--name=net")
    assert (tmp_path / "a.s").read_text() == (tmp_path / "b.s").read_text()


def test_report_compares_and_says_what_stays(files, tmp_path):
    cli.nacre("quantize", files / "net.onnx", "--activations=none",
              "--weights=int4", "--keep-node=up", "-o", tmp_path / "a.onnx",
              f"--data={files / 'data'}", f"--report={tmp_path / 'r.json'}")
    report = json.loads((tmp_path / "r.json").read_text())
    products = {product["node"]: product for product in report["products"]}
    assert {node: product["precision"] for node, product in products.items()} \
        == {"conv": "f32", "bias": "int4 weights", "down": "int4 weights",
            "mixed": "f32", "odd": "int4 weights"}
    assert products["conv"]["why"] == "only matrices are read in few bits"
    assert products["mixed"]["why"].startswith("its weights are no constants")
    assert 15 < products["down"]["weights_snr_db"] < 25
    assert 10 < report["outputs"][0]["snr_db"] < 30
    assert report["constant_bytes"] < report["constant_bytes_before"] / 5
    cli.nacre("quantize", files / "net.onnx", "--activations=none",
              "--weights=int8", "-o", tmp_path / "a.onnx",
              f"--report={tmp_path / 'r.txt'}")
    text = (tmp_path / "r.txt").read_text()
    assert "net.onnx with weights of 8 bits" in text


@pytest.mark.parametrize("command, options, message", [
    ("quantize", ["--activations=none"], "needs --weights=int8 or int4"),
    ("compile", ["--weights=int4"], "--weights needs --ranges or --activations=none"),
    ("compile", ["--block=32"], "--block needs --activations=none"),
    ("quantize", ["--activations=none", "--weights=int3"],
     "--weights needs int8 or int4"),
    ("run", ["--activations=none", "--weights=int4", "--block=12"],
     "--block needs a multiple of 8"),
    ("run", ["--activations=none", "--weights=int4", "--schema=symmetric"],
     "--schema is of no use for --activations=none"),
    ("quantize", ["--activations=none", "--weights=int4", "--ranges=x"],
     "--ranges is of no use"),
    ("quantize", ["--activations=none", "--weights=int4", "--data=."],
     "others are for a --report"),
    ("tune", ["--activations=none", "--weights=int4", "--data=.",
              "--target=sqnr>=1"], "which --activations=none does without")])
def test_bad_arguments_are_refused(files, tmp_path, command, options, message):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre(command, files / "net.onnx", *options)
    assert error.value.code == cli.Exit.BAD_INPUT


@pytest.mark.parametrize("options, named", [
    (["--activations=none", "--weights=int8"], "--weights"),
    (["--activations=dynamic"], "--activations")])
def test_library_and_lowered_modules_are_too_late(files, tmp_path, options,
                                                  named):
    cli.nacre("compile", files / "net.onnx", "-o", tmp_path / "net.vpu.mlir")
    cli.nacre("compile", files / "net.onnx", "-o", tmp_path / "net.so")
    for name in "net.so", "net.vpu.mlir":
        with pytest.raises(nacre.NacreError, match=f"{named} needs a model"):
            cli.nacre("run", tmp_path / name, *options)
