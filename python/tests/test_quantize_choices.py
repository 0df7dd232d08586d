# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--reduce-range, --calibrate-weights, --ops, --keep-between, --keep-activations
and --int4-form: what is quantized, and how."""

import json
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli
from nacre.quantization import QuantType, quantize_dynamic, quantize_static
from nacre.samples import write_tensor


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def feeds(seed):
    return {"x": random((4, 24), seed), "k": random((5, 24), seed + 50)}


def build():
    """Two layers with a ReLU6 in between, and attention without weights."""
    outliers = random((24, 24), 1) / 4
    outliers[0] *= 20    # one weight of each channel is far larger
    return builders.model(
        [helper.make_node("MatMul", ["x", "w1"], ["p"], "first"),
         helper.make_node("Clip", ["p", "zero", "six"], ["r"], "limit"),
         helper.make_node("MatMul", ["r", "w2"], ["q:0"], "second"),
         helper.make_node("Transpose", ["k"], ["kt"], "turn", perm=[1, 0]),
         helper.make_node("MatMul", ["q:0", "kt"], ["s"], "scores"),
         helper.make_node("Softmax", ["s"], ["a"], "softmax"),
         helper.make_node("MatMul", ["a", "k"], ["y"], "mix")],
        {"x": ("float32", [4, 24]), "k": ("float32", [5, 24])},
        {"y": ("float32", [4, 24])},
        weights={"w1": outliers, "w2": random((24, 24), 2) / 5,
                 "zero": np.float32(0), "six": np.float32(6)})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("choices")
    onnx.save(build(), str(folder / "net.onnx"))
    for i in range(8):
        place = folder / "data" / str(i)
        place.mkdir(parents=True)
        for j, (name, array) in enumerate(feeds(i).items()):
            write_tensor(place / f"input_{j}.pb", name, array)
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "--calibrator=mse", "-o", folder / "r.yaml")
    return folder


def quantize(files, out, *options):
    """The report's JSON."""
    report = out.with_suffix(".json")
    process = subprocess.run(
        [cli.tool(), "quantize", files / "net.onnx", "-o", out,
         f"--report={report}", *options], text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    return json.loads(report.read_text())


def by_ranges(files, out, *options):
    return quantize(files, out, f"--ranges={files / 'r.yaml'}", *options)


def precisions(report):
    return {product["node"]: product["precision"]
            for product in report["products"]}


def weights(path):
    """The integers of matrices, by their names."""
    return {tensor.name: numpy_helper.to_array(tensor)
            for tensor in onnx.load(str(path)).graph.initializer
            if list(tensor.dims) == [24, 24]}


def decibels(path, files, backend="cpu"):
    folder = path.parent
    expected, found = (
        run(onnx.load(str(model)), feeds(1), folder, how)["y"]
        for model, how in ((files / "net.onnx", "cpu"), (path, backend)))
    return 10 * np.log10((expected ** 2).sum()
                         / ((found - expected) ** 2).sum())


def refuse(files, tmp_path, message, *options):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("compile", files / "net.onnx", "-o", tmp_path / "a.so",
                  *options)
    assert error.value.code == cli.Exit.BAD_INPUT


@pytest.mark.parametrize("options", [["--ranges"], ["--activations=dynamic"],
                                     ["--ranges", "--rounding=hessian"]])
def test_reduced_range_has_seven_bits(files, tmp_path, options):
    if "--rounding=hessian" in options:
        cli.nacre("calibrate", files / "net.onnx", f"--data={files / 'data'}",
                  "--calibrator=mse", "--hessians", "-o", tmp_path / "r.yaml")
        options = [f"--ranges={tmp_path / 'r.yaml'}", "--rounding=hessian"]
    elif options == ["--ranges"]:
        options = [f"--ranges={files / 'r.yaml'}"]
    report = quantize(files, tmp_path / "a.onnx", *options, "--reduce-range")
    assert [(w.dtype, np.abs(w).max()) for w in
            weights(tmp_path / "a.onnx").values()] == [(np.int8, 63)] * 2
    assert "weights of 7 bits" in report["options"]
    plain = quantize(files, tmp_path / "b.onnx", *options)
    assert report["constant_bytes"] == plain["constant_bytes"]
    assert 127 == max(np.abs(w).max()
                      for w in weights(tmp_path / "b.onnx").values())
    assert decibels(tmp_path / "a.onnx", files) > 15


@pytest.mark.parametrize("options", [["--ranges"], ["--activations=dynamic"]])
def test_calibrated_weights_have_less_noise(files, tmp_path, options):
    if options == ["--ranges"]:
        options = [f"--ranges={files / 'r.yaml'}"]
    noise = []
    for name, more in (("a", []), ("b", ["--calibrate-weights"])):
        report = quantize(files, tmp_path / f"{name}.onnx", *options, *more,
                          "--per-tensor", "--reduce-range")
        noise.append({product["node"]: product["weights_snr_db"]
                      for product in report["products"]
                      if "weights_snr_db" in product})
    assert all(noise[1][node] >= noise[0][node] for node in noise[0])
    assert noise[1]["second"] > noise[0]["second"]
    assert "weights of least squared error" in report["options"]


@pytest.mark.parametrize("options, message", [
    (["--reduce-range"], "--reduce-range needs --ranges"),
    (["--calibrate-weights"], "--calibrate-weights needs --ranges"),
    (["--activations=none", "--weights=int4", "--reduce-range"],
     "--reduce-range is of no use"),
    (["--activations=none", "--weights=int4", "--calibrate-weights"],
     "has the scales of least squared error anyway"),
    (["R", "--activations=int16", "--weights=int16", "--calibrate-weights"],
     "--calibrate-weights is for int8 weights"),
    (["R", "--activations=int16", "--weights=int16", "--reduce-range"],
     "--reduce-range is for int8 weights"),
    (["R", "--activations=int16", "--reduce-range"],
     "--reduce-range is for products of 8-bit activations"),
    (["R", "--ops=Gemm", "--only=Gemm"], "give one of them"),
    (["R", "--ops=default,MatMulActivation"], "found 'MatMulActivation'"),
    (["R", "--ops=default,Gemm"], "found 'Gemm'"),
    (["R", "--ops="], "--ops expects kinds of operators"),
    (["--activations=dynamic", "--ops=default,MatMulActivations"],
     "--ops=MatMulActivations needs --ranges"),
    (["--activations=none", "--weights=int8", "--ops=MatMulActivations"],
     "--ops=MatMulActivations needs --ranges"),
    (["R", "--keep-between=x"], "expected VALUE:VALUE"),
    (["R", "--keep-between=x:nowhere"], "no value 'nowhere'"),
    (["--activations=dynamic", "--keep-between=nowhere:y"], "no value 'nowhere'"),
    (["R", "--keep-between=y:x"], "nothing is between"),
    (["--activations=dynamic", "--keep-activations"], "--keep-activations is of"),
    (["R", "--int4-form=nbits"], "--int4-form needs --activations=none"),
    (["--int4-form=nbits"], "--int4-form needs --activations=none"),
    (["--activations=none", "--weights=int8", "--int4-form=nbits"],
     "--int4-form is for --weights=int4"),
    (["--activations=none", "--weights=int4", "--int4-form=nbits", "--block=24"],
     "needs --block=16, 32, 64, 128 or 256"),
    (["--activations=none", "--weights=int4", "--int4-form=nbits", "--block=0"],
     "needs --block=16, 32, 64, 128 or 256"),
    (["--activations=none", "--weights=int4", "--int4-form=qdq"],
     "blocks.*nbits")])
def test_what_makes_no_sense_is_refused(files, tmp_path, options, message):
    ranges = f"--ranges={files / 'r.yaml'}"
    refuse(files, tmp_path, message,
           *[ranges if option == "R" else option for option in options])


@pytest.mark.parametrize("ops, on_integers", [
    (None, {"first", "second"}),
    ("default", {"first", "second"}),
    ("default,MatMulActivations", {"first", "second", "scores", "mix"}),
    ("MatMulActivations", {"scores", "mix"}),
    ("MatMul", {"first", "second"}),
    ("MatMul,MatMulActivations", {"first", "second", "scores", "mix"}),
    ("Conv", set())])
def test_ops_say_what_becomes_integers(files, tmp_path, ops, on_integers):
    report = by_ranges(files, tmp_path / "a.onnx",
                       *([f"--ops={ops}"] if ops else []))
    assert {node for node, precision in precisions(report).items()
            if precision == "int8"} == on_integers


def test_products_of_activations_alone_become_integers(files, tmp_path):
    report = by_ranges(files, tmp_path / "a.onnx", "--only=MatMulActivations")
    assert {node for node, precision in precisions(report).items()
            if precision == "int8"} == {"scores", "mix"}


def test_products_of_activations_stay_where_their_kind_is_kept(files, tmp_path):
    report = by_ranges(files, tmp_path / "a.onnx",
                       "--ops=default,MatMulActivations",
                       "--keep=MatMulActivations")
    assert {node for node, precision in precisions(report).items()
            if precision == "int8"} == {"first", "second"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_products_of_activations_are_near(files, tmp_path, backend):
    by_ranges(files, tmp_path / "a.onnx", "--ops=default,MatMulActivations")
    assert decibels(tmp_path / "a.onnx", files, backend) > 25


def test_tune_may_leave_products_of_activations_in_f32(files, tmp_path):
    cli.nacre("tune", files / "net.onnx", f"--data={files / 'data'}",
              f"--ranges={files / 'r.yaml'}", "--target=sqnr>=200", "-o",
              tmp_path / "t.yaml", "--ops=default,MatMulActivations")
    text = (tmp_path / "t.yaml").read_text()
    for node in "first", "second", "scores", "mix":
        assert re.search(rf"^ *- node: +'?{node}'?$", text, re.M)


@pytest.mark.parametrize("ends, kept", [
    ("x:y", {"first", "second"}), ("x:r", {"first"}), ("r:q:0", {"second"}),
    ("k:y", set())])
def test_all_between_two_values_stays(files, tmp_path, ends, kept):
    report = by_ranges(files, tmp_path / "a.onnx", f"--keep-between={ends}")
    reasons = {product["node"]: product.get("why", "")
               for product in report["products"]
               if product["node"] in ("first", "second")}
    assert {node for node, why in reasons.items() if why} == kept
    first, last = ("r", "q:0") if ends == "r:q:0" else ends.split(":")
    for node in kept:
        assert reasons[node] == \
            f"all between '{first}' and '{last}' is to stay f32"


def test_what_is_between_may_be_several_times(files, tmp_path):
    report = by_ranges(files, tmp_path / "a.onnx", "--keep-between=x:p",
                       "--keep-between=r:q:0")
    assert set(precisions(report).values()) == {"f32"}


@pytest.mark.parametrize("options, clips", [([], 0), (["--keep-activations"], 1)])
def test_clip_stays_where_it_is_asked_for(files, tmp_path, options, clips):
    by_ranges(files, tmp_path / "a.onnx", *options)
    kinds = [node.op_type
             for node in onnx.load(str(tmp_path / "a.onnx")).graph.node]
    assert kinds.count("Clip") == clips
    assert decibels(tmp_path / "a.onnx", files) > 25


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("block", [16, 32])
def test_products_of_four_bits_are_those_of_blocks(files, tmp_path, backend,
                                                   block):
    options = ["--activations=none", "--weights=int4", f"--block={block}"]
    quantize(files, tmp_path / "a.onnx", *options)
    report = quantize(files, tmp_path / "b.onnx", *options, "--int4-form=nbits")
    assert "as MatMulNBits" in report["options"]
    graph = onnx.load(str(tmp_path / "b.onnx")).graph
    products = [node for node in graph.node if node.op_type == "MatMulNBits"]
    assert [node.domain for node in products] == ["com.microsoft"] * 2
    assert "DequantizeLinear" not in {node.op_type for node in graph.node}
    outputs = [run(onnx.load(str(tmp_path / f"{name}.onnx")), feeds(1), tmp_path,
                   backend)["y"] for name in "ab"]
    np.testing.assert_allclose(outputs[0], outputs[1], rtol=1e-4, atol=1e-5)


def test_compiling_the_model_is_compiling_the_file(files, tmp_path):
    for options in (["--activations=none", "--weights=int4", "--int4-form=nbits"],
                    [f"--ranges={files / 'r.yaml'}", "--keep-activations",
                     "--ops=default,MatMulActivations", "--reduce-range"]):
        cli.nacre("compile", files / "net.onnx", *options, "-o",
                  tmp_path / "a.s", "--name=net")
        quantize(files, tmp_path / "file.onnx", *options)
        cli.nacre("compile", tmp_path / "file.onnx", "-o", tmp_path / "b.s",
                  "--name=net")
        assert (tmp_path / "a.s").read_text() == (tmp_path / "b.s").read_text()


def test_python_has_them(files, tmp_path):
    for options, arguments in (
            ({"reduce_range": True, "calibrate_weights": True},
             ["--reduce-range", "--calibrate-weights"]),
            ({"ops": ["default", "MatMulActivations"]},
             ["--ops=default,MatMulActivations"]),
            ({"keep_between": "x:r", "keep_activations": True},
             ["--keep-between=x:r", "--keep-activations"])):
        by_ranges(files, tmp_path / "a.onnx", *arguments)
        nacre.quantize(files / "net.onnx", tmp_path / "b.onnx",
                       ranges=files / "r.yaml", **options)
        assert (tmp_path / "a.onnx").read_bytes() == \
            (tmp_path / "b.onnx").read_bytes()
    quantize(files, tmp_path / "a.onnx", "--activations=none", "--weights=int4",
             "--int4-form=nbits")
    nacre.quantize(files / "net.onnx", tmp_path / "b.onnx", activations="none",
                   weights="int4", int4_form="nbits")
    assert (tmp_path / "a.onnx").read_bytes() == \
        (tmp_path / "b.onnx").read_bytes()


def test_calls_of_onnx_runtime_mean_the_same(files, tmp_path):
    net, out = str(files / "net.onnx"), str(tmp_path / "a.onnx")
    data = [feeds(i) for i in range(8)]
    quantize_static(net, out, data, reduce_range=True)
    assert {np.abs(w).max() for w in weights(out).values()} == {63}
    quantize_dynamic(net, out, reduce_range=True)
    assert {np.abs(w).max() for w in weights(out).values()} == {63}

    def count(kind):
        return [node.op_type for node in onnx.load(out).graph.node].count(kind)
    quantize_static(net, out, data)
    few, clips = count("QuantizeLinear"), count("Clip")
    quantize_static(net, out, data, extra_options={"MatMulConstBOnly": False})
    assert count("QuantizeLinear") > few
    quantize_static(net, out, data, op_types_to_quantize=["MatMul"],
                    extra_options={"MatMulConstBOnly": False})
    assert count("QuantizeLinear") > few
    quantize_static(net, out, data, activation_type=QuantType.QUInt8,
                    extra_options={"QDQKeepRemovableActivations": True})
    assert count("Clip") == 1 >= clips
    for extra in ({"MatMulConstBOnly": False},
                  {"QDQKeepRemovableActivations": True}):
        with pytest.raises(nacre.InvalidInput, match=min(extra)):
            quantize_dynamic(net, out, extra_options=extra)
    with pytest.raises(nacre.InvalidInput, match="reduce_range"):
        quantize_static(net, out, data, reduce_range=True,
                        activation_type=QuantType.QInt16,
                        extra_options={"ActivationSymmetric": True})
