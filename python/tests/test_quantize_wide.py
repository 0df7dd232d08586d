# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--activations=int16`, `--weights=int16` and `--bias`: types other than bytes."""

import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import cli
from nacre.quantization import QuantType, quantize_static
from test_quantize import decibels, network, random, samples

DIGITS = cli.ROOT / "python" / "models" / "digits"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model, its ranges, and both kinds of wide ones."""
    folder = tmp_path_factory.mktemp("wide")
    network(folder / "net.onnx")
    cli.nacre("calibrate", folder / "net.onnx", "--data",
              samples(folder / "samples", 8), "-o", folder / "net.yaml")
    for bits in 8, 16:
        cli.nacre("quantize", folder / "net.onnx",
                  f"--ranges={folder / 'net.yaml'}", "--activations=int16",
                  f"--weights=int{bits}", "-o", folder / f"{bits}.onnx")
    return folder


def initializers(path):
    """The element types of constants by their shapes."""
    return {tuple(tensor.dims): numpy_helper.to_array(tensor).dtype.name
            for tensor in onnx.load(str(path)).graph.initializer}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("bits, floor", [(8, 35), (16, 75)])
def test_wide_integers_are_as_exact_as_they_are_wide(files, tmp_path, backend,
                                                     bits, floor):
    x = random((1, 3, 12, 12), 10)   # one of the samples
    expected = run(onnx.load(str(files / "net.onnx")), {"x": x}, tmp_path,
                   "interpreter")["y"]
    actual = run(onnx.load(str(files / f"{bits}.onnx")), {"x": x}, tmp_path,
                 backend)["y"]
    assert decibels(actual, expected) > floor


@pytest.mark.parametrize("weights, floor", [("int8", 30), ("int16", 75)])
def test_digits_are_recognized_as_in_f32(tmp_path, weights, floor):
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)
    images = images.reshape(-1, 1, 1, 8, 8)
    nacre.quantize(DIGITS / "digits.onnx", tmp_path / "small.onnx",
                   [{"image": image} for image in images[:128]],
                   activations="int16", weights=weights)
    scores = []
    for path in DIGITS / "digits.onnx", tmp_path / "small.onnx":
        session = nacre.InferenceSession(str(path))
        scores.append(np.concatenate([session.run(None, {"image": image})[0]
                                      for image in images[128:]]))
    assert decibels(scores[1], scores[0]) > floor
    assert (scores[0].argmax(1) == scores[1].argmax(1)).mean() > 0.99


def test_file_has_standard_nodes_of_these_integers(files):
    model = onnx.load(str(files / "8.onnx"))
    assert model.opset_import[0].version >= 21
    arrays = {tensor.name: numpy_helper.to_array(tensor)
              for tensor in model.graph.initializer}
    zeros = [arrays[node.input[2]] for node in model.graph.node
             if node.op_type == "QuantizeLinear"]
    assert zeros and all(zero.dtype == np.int16 and zero == 0 for zero in zeros)
    types = initializers(files / "8.onnx")
    assert types[(16, 16, 3, 3)] == "int8" and types[(16, 10)] == "int8"
    assert initializers(files / "16.onnx")[(16, 16, 3, 3)] == "int16"


def test_compiling_the_model_is_compiling_the_file(files, tmp_path):
    cli.nacre("compile", files / "net.onnx", "--ranges", files / "net.yaml",
              "--activations=int16", "-o", tmp_path / "a.s", "--name=net")
    cli.nacre("compile", files / "8.onnx", "-o", tmp_path / "b.s",
              "--name=net")
    assert (tmp_path / "a.s").read_text() == (tmp_path / "b.s").read_text()


def biases(path):
    """The types that the biases of convolutions are stored in."""
    graph = onnx.load(str(path)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor)
              for tensor in graph.initializer}
    sources = {node.output[0]: node.input[0] for node in graph.node
               if node.op_type == "DequantizeLinear"}
    names = [node.input[2] for node in graph.node
             if node.op_type == "Conv" and len(node.input) > 2]
    return [arrays[sources.get(name, name)].dtype.name for name in names]


@pytest.mark.parametrize("activations, bias, expected", [
    ("uint8", None, "int32"), ("uint8", "int8", "int8"),
    ("uint8", "f32", "float32"), ("int16", None, "int32"),
    ("int16", "f32", "float32")])
def test_bias_has_the_type_that_is_asked_for(files, tmp_path, activations, bias,
                                             expected):
    options = [f"--bias={bias}"] if bias else []
    cli.nacre("quantize", files / "net.onnx", f"--ranges={files / 'net.yaml'}",
              f"--activations={activations}", *options, "-o",
              tmp_path / "small.onnx")
    assert biases(tmp_path / "small.onnx") == [expected]
    x = random((1, 3, 12, 12), 10)
    results = [run(onnx.load(str(path)), {"x": x}, tmp_path, "cpu")["y"]
               for path in (files / "net.onnx", tmp_path / "small.onnx")]
    assert decibels(results[1], results[0]) > 25


def test_report_says_that_it_is_for_accuracy(files, tmp_path):
    process = subprocess.run(
        [cli.tool(), "quantize", files / "net.onnx",
         f"--ranges={files / 'net.yaml'}", "--activations=int16",
         "--weights=int16", "-o", tmp_path / "small.onnx",
         f"--report={tmp_path / 'r.json'}"], text=True, capture_output=True,
        check=True)
    assert "16 bits buy accuracy, not speed" in process.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert "accuracy, not speed" in report["note"]
    assert report["options"] == ("symmetric int16, mse, a scale for each "
                                 "channel, int16 weights")
    assert {product["precision"] for product in report["products"]} == {"int16"}
    values = {value["name"]: value for value in report["values"]}
    assert values["x"]["precision"] == "int16"
    assert values["x"]["zero_point"] == 0 and values["x"]["own_snr_db"] > 70
    for name in "r.txt", "r.html":
        cli.nacre("quantize", files / "net.onnx", "--activations=int16",
                  f"--ranges={files / 'net.yaml'}", "-o",
                  tmp_path / "small.onnx", f"--report={tmp_path / name}")
        assert "buy accuracy, not speed" in (tmp_path / name).read_text()


@pytest.mark.parametrize("options, message", [
    (["--activations=int16", "--schema=asymmetric"],
     "--activations=int16 is symmetric or symmetric_power2, found "
     "--schema=asymmetric: leave it"),
    (["--activations=int16", "--schema=symmetric_with_uint8"],
     "found --schema=symmetric_with_uint8"),
    (["--activations=int16", "--calibrator=entropy"],
     "--calibrator=entropy is for 8 bits, .* use mse, minmax or percentile"),
    (["--weights=int16"], "--weights=int16 needs --activations=int16"),
    (["--activations=int16", "--weights=int4"], "need --activations=none"),
    (["--block=32"], "need --activations=none"),
    (["--activations=int32"], "--activations needs uint8"),
    (["--activations=int16", "--weights=int16", "--rounding=hessian"],
     "--rounding=hessian is of no use for --weights=int16"),
    (["--bias=int16"], "--bias needs int32")])
def test_bad_arguments_are_refused_before_anything_is_measured(
        files, tmp_path, options, message):
    for source in (f"--data={files / 'samples'}",
                   f"--ranges={files / 'net.yaml'}"):
        with pytest.raises(nacre.NacreError, match=message) as error:
            cli.nacre("quantize", files / "net.onnx", source, *options, "-o",
                      tmp_path / "x.onnx")
        assert error.value.code == cli.Exit.BAD_INPUT
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("options, message", [
    (["--bias=f32"], "--bias needs --ranges"),
    (["--weights=int8", "--activations=none", "--bias=f32"],
     "--bias is of no use for --activations=none"),
    (["--activations=dynamic", "--bias=f32"], "--bias is of no use")])
def test_bias_is_of_values_that_have_ranges(files, options, message):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("run", files / "net.onnx", *options)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_quantize_static_takes_sixteen_bits(files, tmp_path):
    feeds = [{"x": random((1, 3, 12, 12), 10 + i)} for i in range(2)]
    quantize_static(files / "net.onnx", tmp_path / "a.onnx", feeds,
                    activation_type=QuantType.QInt16,
                    weight_type=QuantType.QInt16, per_channel=True,
                    extra_options={"ActivationSymmetric": True})
    assert initializers(tmp_path / "a.onnx")[(16, 10)] == "int16"
    with pytest.raises(nacre.InvalidInput, match="activation_type=QInt16"):
        quantize_static(files / "net.onnx", tmp_path / "b.onnx", feeds,
                        activation_type=QuantType.QInt16)
    with pytest.raises(nacre.InvalidInput, match="weight_type=QInt16"):
        quantize_static(files / "net.onnx", tmp_path / "b.onnx", feeds,
                        weight_type=QuantType.QInt16)
    assert not (tmp_path / "b.onnx").exists()


def with_override(files, folder):
    """Ranges by which the last product reads 16 bits."""
    path = folder / "wide.yaml"
    path.write_text((files / "net.yaml").read_text().replace(
        "...", "overrides:\n- {node: '*', precision: int16}\n..."))
    return path


def test_sixteen_bits_have_room_for_what_no_sample_has_shown(files, tmp_path):
    """Twice the range, unless an override says which one it is."""
    ranges = (files / "net.yaml").read_text()
    (tmp_path / "given.yaml").write_text(ranges.replace(
        "...", "overrides:\n- {value: x, range: [-1, 2]}\n..."))
    x = np.abs([random((1, 3, 12, 12), 10 + i) for i in range(8)]).max()
    for name, largest in (files / "net.yaml", 2 * x), \
            (tmp_path / "given.yaml", 2):
        cli.nacre("quantize", files / "net.onnx", f"--ranges={name}",
                  "--activations=int16", "--calibrator=minmax", "-o",
                  tmp_path / "small.onnx")
        graph = onnx.load(str(tmp_path / "small.onnx")).graph
        constants = {tensor.name: numpy_helper.to_array(tensor)
                     for tensor in graph.initializer}
        scale = [constants[node.input[1]] for node in graph.node
                 if node.op_type == "QuantizeLinear" and node.input[0] == "x"]
        assert scale
        assert np.allclose(scale, largest / 32767)


@pytest.mark.parametrize("options", [["--activations=int16"], []])
def test_powers_of_two_are_scales_of_sixteen_bits_too(files, tmp_path, options):
    ranges = files / "net.yaml" if options else with_override(files, tmp_path)
    cli.nacre("quantize", files / "net.onnx", f"--ranges={ranges}", *options,
              "--schema=symmetric_power2", "-o", tmp_path / "small.onnx")
    graph = onnx.load(str(tmp_path / "small.onnx")).graph
    constants = {tensor.name: numpy_helper.to_array(tensor)
                 for tensor in graph.initializer}
    pairs = [(constants[node.input[1]], constants[node.input[2]])
             for node in graph.node if node.op_type == "QuantizeLinear"]
    assert pairs
    for scale, zero in pairs:
        assert zero.dtype == np.int16 and np.log2(scale) == np.rint(
            np.log2(scale))


def test_entropy_chooses_no_ranges_of_sixteen_bits(files, tmp_path):
    for command in (
            ["quantize", f"--ranges={with_override(files, tmp_path)}"],
            ["tune", f"--ranges={files / 'net.yaml'}", "--target=sqnr>=10",
             f"--data={files / 'samples'}", "--precisions=int8,int16,f32"]):
        with pytest.raises(nacre.NacreError,
                           match="entropy.*use mse, minmax or percentile"
                           ) as error:
            cli.nacre(command[0], files / "net.onnx", *command[1:],
                      "--calibrator=entropy", "-o", tmp_path / "x.onnx")
        assert error.value.code == cli.Exit.BAD_INPUT
        assert not (tmp_path / "x.onnx").exists()
