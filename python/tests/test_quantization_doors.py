# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.quantize, calibrate and tune, and quantize_static."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from nacre import builders, quantization
from nacre.quantization import (CalibrationDataReader, CalibrationMethod,
                                QuantFormat, QuantType, quantize_static)
from nacre.samples import write_tensor
from test_quantization_report import network, random


def make_feeds(count=4):
    return [{"x": random((2, 3, 8, 8), 10 + i), "mix": random((10, 10), 20 + i)}
            for i in range(count)]


class Reader(CalibrationDataReader):
    def __init__(self):
        self.feeds = iter(make_feeds())

    def get_next(self):
        return next(self.feeds, None)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("doors") / "net.onnx"
    network(path)
    return path


def kinds(path):
    """The types of zero points, and the ops of nodes."""
    graph = onnx.load(str(path)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor)
              for tensor in graph.initializer}
    zeros = {arrays[node.input[2]].dtype.name for node in graph.node
             if node.op_type == "QuantizeLinear"}
    return zeros, [node.op_type for node in graph.node]


@pytest.mark.parametrize("data", [
    make_feeds, lambda: iter(make_feeds()), Reader,
    lambda: tuple(make_feeds())], ids=["list", "iterator", "reader", "tuple"])
def test_data_of_any_form_give_the_same_model(model, tmp_path, data):
    for i in range(4):
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        for j, (name, array) in enumerate(make_feeds()[i].items()):
            write_tensor(tmp_path / "data" / str(i) / f"input_{j}.pb", name,
                         array)
    nacre.quantize(str(model), tmp_path / "a.onnx", tmp_path / "data")
    out = nacre.quantize(onnx.load(str(model)), tmp_path / "b.onnx", data())
    assert out == tmp_path / "b.onnx"
    assert (tmp_path / "a.onnx").read_bytes() == out.read_bytes()


def test_calibrate_then_quantize_is_quantize(model, tmp_path):
    ranges = nacre.calibrate(model, make_feeds(), tmp_path / "r.yaml", bins=512)
    assert "range_profile" in ranges.read_text()
    nacre.quantize(model, tmp_path / "a.onnx", ranges=ranges,
                   calibrator="minmax", keep=["Gemm"], keep_nodes=["na*"])
    _, ops = kinds(tmp_path / "a.onnx")
    assert ops.count("QuantizeLinear") == 1


@pytest.mark.parametrize("options, expected", [
    ({}, {(4, 5), (5, 6), (6, 7)}), ({"keep_first": True}, {(5, 6), (6, 7)}),
    ({"keep_last": True}, {(4, 5), (5, 6)}),
    ({"keep_first": True, "keep_last": True}, {(5, 6)})])
def test_first_and_last_products_are_kept(tmp_path, options, expected):
    nodes = [builders.node("MatMul", ["x", "w0"], ["p0"]),
             builders.node("Relu", ["p0"], ["r0"]),
             builders.node("MatMul", ["r0", "w1"], ["p1"]),
             builders.node("Relu", ["p1"], ["r1"]),
             builders.node("MatMul", ["r1", "w2"], ["y"])]
    net = builders.model(
        nodes, {"x": ("float32", [2, 4])}, {"y": ("float32", [2, 7])},
        weights={f"w{i}": random((4 + i, 5 + i), i) for i in range(3)})
    nacre.quantize(net, tmp_path / "k.onnx", [{"x": random((2, 4), 9)}], **options)
    found = {tuple(tensor.dims)
             for tensor in onnx.load(str(tmp_path / "k.onnx")).graph.initializer
             if tensor.data_type == onnx.TensorProto.INT8
             and len(tensor.dims) == 2}
    assert found == expected


def test_weights_alone_need_no_data(model, tmp_path):
    nacre.quantize(model, tmp_path / "w.onnx", activations="none",
                   weights="int4", block=8)
    graph = onnx.load(str(tmp_path / "w.onnx")).graph
    assert 22 in {tensor.data_type for tensor in graph.initializer}


def test_tune_takes_labels_and_writes_a_profile(model, tmp_path):
    session = nacre.InferenceSession(str(model))
    labels = np.concatenate([session.run(["y"], feed)[0].argmax(1)
                             for feed in make_feeds()])
    profile = nacre.tune(model, tmp_path / "t.yaml", make_feeds(), "top1>=1",
                         labels=labels, output="y", per_tensor=True,
                         precisions="int8,int16,f32", repairs="off",
                         report=tmp_path / "t.json")
    small = nacre.InferenceSession(str(nacre.quantize(
        model, tmp_path / "t.onnx", ranges=profile, per_tensor=True)))
    found = np.concatenate([small.run(["y"], feed)[0].argmax(1)
                            for feed in make_feeds()])
    assert (found == labels).mean() >= 0.8
    assert (tmp_path / "t.json").exists()
    with pytest.raises(nacre.NacreError, match="beyond the model") as error:
        nacre.tune(model, tmp_path / "t.yaml", make_feeds(), "top1>=1",
                   labels=1 - labels)
    assert error.value.code == nacre.cli.Exit.DIFFERS


def test_quantize_static_does_what_its_arguments_say(model, tmp_path):
    quantize_static(str(model), tmp_path / "a.onnx", Reader())
    zeros, ops = kinds(tmp_path / "a.onnx")
    assert zeros == {"int8"} and ops.count("QuantizeLinear") == 4
    quantize_static(model, tmp_path / "b.onnx", Reader(),
                    quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8,
                    weight_type=QuantType.QInt8, nodes_to_exclude=["gemm"],
                    op_types_to_quantize=["Conv", "Gemm"],
                    calibrate_method=CalibrationMethod.Percentile,
                    extra_options={"CalibPercentile": 99.9,
                                   "ActivationSymmetric": False,
                                   "WeightSymmetric": True})
    zeros, ops = kinds(tmp_path / "b.onnx")
    assert zeros == {"uint8"} and ops.count("QuantizeLinear") == 2
    quantize_static(model, tmp_path / "c.onnx", Reader(),
                    extra_options={"ActivationSymmetric": True})
    graph = onnx.load(str(tmp_path / "c.onnx")).graph
    assert all(not numpy_helper.to_array(tensor).any()
               for tensor in graph.initializer if tensor.data_type == 3
               and not tensor.dims)


@pytest.mark.parametrize("arguments, message", [
    ({"quant_format": QuantFormat.QOperator}, "quant_format=QOperator is not"),
    ({"activation_type": QuantType.QInt16}, "activation_type=QInt16 is not"),
    ({"weight_type": QuantType.QUInt8}, "weight_type=QUInt8 is not"),
    ({"nodes_to_quantize": ["gemm"]}, "nodes_to_quantize"),
    ({"calibrate_method": CalibrationMethod.Distribution}, "Distribution is not"),
    ({"calibration_cache_path": "x"}, "calibration_cache_path=x is not"),
    ({"calibration_providers": ["CUDAExecutionProvider"]}, "CPUExecution"),
    ({"extra_options": {"SmoothQuant": True}}, "'SmoothQuant'.=True is not"),
    ({"extra_options": {"Magic": 1}}, "'Magic'.=1 is not"),
    ({"extra_options": {"ActivationSymmetric": True},
      "activation_type": QuantType.QUInt8}, "ActivationSymmetric")])
def test_what_quantize_static_cannot_do_is_refused_by_name(model, tmp_path,
                                                           arguments, message):
    with pytest.raises(nacre.InvalidInput, match=message):
        quantize_static(model, tmp_path / "x.onnx", Reader(), **arguments)
    assert not (tmp_path / "x.onnx").exists()


def test_bad_data_are_refused(model, tmp_path):
    out = tmp_path / "x.onnx"
    with pytest.raises(nacre.InvalidInput, match="found no samples"):
        nacre.quantize(model, out, [])
    with pytest.raises(TypeError, match="expected a dict"):
        nacre.quantize(model, out, [np.zeros(3)])
    with pytest.raises(nacre.InvalidInput, match="elements of type <U1"):
        nacre.quantize(model, out, [{"x": np.array("a")}])
    with pytest.raises(nacre.CompileError, match="input 'x' needs"):
        nacre.quantize(model, out, [{"x": np.zeros(3, np.float32),
                                     "mix": random((10, 10), 1)}])
    with pytest.raises(nacre.InvalidInput, match="data or ranges"):
        nacre.quantize(model, out)
    with pytest.raises(nacre.InvalidInput, match="for a report alone"):
        nacre.quantize(model, out, make_feeds(), ranges="r.yaml")
    with pytest.raises(TypeError, match="unknown option 'precision'"):
        nacre.calibrate(model, make_feeds(), out, precision="bf16")
    with pytest.raises(nacre.Timeout, match="calibrate of"):
        nacre.calibrate(model, make_feeds(), out, timeout=0.001)
    assert not out.exists()


def test_every_number_type_can_be_a_sample(tmp_path):
    for dtype in quantization.sampling._TYPES:
        array = np.arange(6).reshape(2, 3).astype(dtype)
        write_tensor(tmp_path / "t.pb", "x", array)
        tensor = onnx.TensorProto.FromString((tmp_path / "t.pb").read_bytes())
        assert tensor.name == "x"
        np.testing.assert_array_equal(numpy_helper.to_array(tensor), array)
        assert numpy_helper.to_array(tensor).dtype == array.dtype
