# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a model and a folder of data to a library that computes on bytes."""

import re
import subprocess

import numpy as np
import pytest
from onnx import helper, numpy_helper

from nacre import builders, cli
from nacre.compiled import CompiledModel
from nacre.errors import NacreError

BATCH = 4


def make_net(rng, batch=BATCH):
    """Convolutions with what is usual between them, and a classifier."""
    def weights(*shape):
        fan = np.prod(shape[1:]) if len(shape) > 1 else 1
        return rng.normal(0, 1 / np.sqrt(fan), shape).astype(np.float32)

    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w0", "b0"], ["c0"], pads=[1, 1, 1, 1], name="Conv_0"),
        node("Clip", ["c0", "zero", "six"], ["r0"], name="Clip_1"),
        node("Conv", ["r0", "w1"], ["c1"], pads=[1, 1, 1, 1], group=8,
             name="Conv_2"),
        node("Add", ["c1", "r0"], ["s"], name="Add_3"),
        node("Relu", ["s"], ["r1"], name="Relu_4"),
        node("MaxPool", ["r1"], ["p"], kernel_shape=[2, 2], strides=[2, 2],
             name="MaxPool_5"),
        node("Conv", ["p", "w2", "b2"], ["c2"], name="Conv_6"),
        node("GlobalAveragePool", ["c2"], ["g"], name="Pool_7"),
        node("Flatten", ["g"], ["f"], name="Flatten_8"),
        node("Gemm", ["f", "w3", "b3"], ["y"], transB=1, name="Gemm_9")]
    values = {"w0": weights(8, 3, 3, 3), "b0": weights(8),
              "w1": weights(8, 1, 3, 3), "w2": weights(16, 8, 1, 1),
              "b2": weights(16), "w3": weights(10, 16), "b3": weights(10),
              "zero": np.float32(0), "six": np.float32(6)}
    return builders.model(nodes, {"x": ("float32", [batch, 3, 12, 12])},
                          {"y": ("float32", [batch, 10])}, values)


def write_samples(folder, rng, count=6, batch=BATCH):
    samples = []
    for i in range(count):
        sample = rng.normal(0, 1, (batch, 3, 12, 12)).astype(np.float32)
        place = folder / f"test_data_set_{i}"
        place.mkdir(parents=True)
        (place / "input_0.pb").write_bytes(
            numpy_helper.from_array(sample, "x").SerializeToString())
        samples.append(sample)
    return samples


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quantization")
    rng = np.random.default_rng(1)
    (folder / "net.onnx").write_bytes(make_net(rng).SerializeToString())
    samples = write_samples(folder / "data", rng)
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "-o", folder / "net.ranges.yaml")
    return folder, samples


def compile_and_run(folder, samples, name, *options):
    """The outputs of a library of that name, and its metadata."""
    library = folder / f"{name}.so"
    cli.nacre("compile", folder / "net.onnx", "-o", library, *options)
    model = CompiledModel(library)
    return (np.stack([model.run({"x": sample})["y"] for sample in samples]),
            model.metadata)


def decibels(expected, found):
    noise = ((expected - found) ** 2).sum()
    return 10 * np.log10((expected ** 2).sum() / max(noise, 1e-30))


VARIANTS = [
    (30, []),
    (30, ["--calibrator=minmax"]),
    (25, ["--calibrator=percentile:99.9"]),
    (20, ["--calibrator=entropy"]),
    (30, ["--activations=int8"]),
    (28, ["--schema=symmetric"]),
    (28, ["--schema=symmetric_with_uint8"]),
    (22, ["--schema=symmetric_power2"]),
    (25, ["--per-tensor"]),
    (30, ["--bias-correction=off"]),
]


@pytest.mark.parametrize("floor,options", VARIANTS,
                         ids=lambda part: " ".join(part)
                         if isinstance(part, list) else "")
def test_quantized_library_stays_near_the_model(net, floor, options):
    folder, samples = net
    expected, plain = compile_and_run(folder, samples, "plain")
    name = "quantized" + "".join(c for c in str(options) if c.isalnum())
    found, metadata = compile_and_run(
        folder, samples, name, f"--ranges={folder / 'net.ranges.yaml'}",
        *options)
    assert floor < decibels(expected, found) < 80  # not the same either
    assert metadata["weight_bytes"] < plain["weight_bytes"]


def test_convolutions_compute_on_bytes(net):
    folder, _ = net
    ir = folder / "net.vpu.mlir"
    cli.nacre("compile", folder / "net.onnx", "-o", ir, "--vpu-arch=x86-64-v3",
              f"--ranges={folder / 'net.ranges.yaml'}")
    text = ir.read_text()
    steps = [line for line in text.splitlines() if "VPU.NCE." in line]
    assert len(steps) >= 5
    for line in steps:
        assert "xi8>" in line, line


def test_backends_agree(net):
    folder, samples = net
    options = [f"--ranges={folder / 'net.ranges.yaml'}", "--input",
               f"x={folder / 'data/test_data_set_0/input_0.pb'}"]
    outputs = []
    for backend in "cpu", "reference", "interpreter":
        out = folder / backend
        cli.nacre("run", folder / "net.onnx", f"--backend={backend}",
                  f"--output-dir={out}", *options)
        outputs.append(np.load(out / "y.npy"))
    for found in outputs[1:]:
        assert decibels(outputs[0], found) > 35


def test_order_of_samples_changes_nothing(net, tmp_path):
    folder, samples = net
    for i, sample in enumerate(reversed(samples)):
        place = tmp_path / "data" / str(i)
        place.mkdir(parents=True)
        (place / "input_0.pb").write_bytes(
            numpy_helper.from_array(sample, "x").SerializeToString())
    for option in "--threads=1", "--threads=2", "--memory=1":
        cli.nacre("calibrate", folder / "net.onnx", option,
                  f"--data={tmp_path / 'data'}", "-o", tmp_path / "r.yaml")
        if option != "--threads=2":  # whose sums may round otherwise
            assert ((tmp_path / "r.yaml").read_text()
                    == (folder / "net.ranges.yaml").read_text()), option


def test_model_of_any_batch_takes_ranges_of_another(net, tmp_path):
    _, samples = net
    model = make_net(np.random.default_rng(1), batch="n")
    (tmp_path / "net.onnx").write_bytes(model.SerializeToString())
    rng = np.random.default_rng(2)
    write_samples(tmp_path / "data/a", rng, 2, batch=1)
    write_samples(tmp_path / "data/b", rng, 2, batch=3)
    cli.nacre("calibrate", tmp_path / "net.onnx", f"--data={tmp_path}/data/a",
              f"--data={tmp_path}/data/b", "-o", tmp_path / "r.yaml")
    assert "samples:         8" in (tmp_path / "r.yaml").read_text()
    expected, _ = compile_and_run(tmp_path, samples, "plain")
    found, _ = compile_and_run(tmp_path, samples, "quantized",
                               f"--ranges={tmp_path / 'r.yaml'}")
    assert decibels(expected, found) > 25


def test_names_of_other_compilers_do_the_same(net, tmp_path):
    folder, samples = net
    cli.nacre("profile", folder / "net.onnx", f"--data={folder / 'data'}", "-o",
              tmp_path / "r.yaml")
    ranges = folder / "net.ranges.yaml"
    assert (tmp_path / "r.yaml").read_text() == ranges.read_text()
    texts = []
    for option in (f"--ranges={ranges}", f"--load-profile={ranges}"):
        cli.nacre("compile", folder / "net.onnx", option, "-o",
                  tmp_path / "net.s")
        texts.append((tmp_path / "net.s").read_text())
    cli.nacre("compile", folder / "net.onnx", "--load-profile", ranges, "-o",
              tmp_path / "net.s")
    assert texts[0] == texts[1] == (tmp_path / "net.s").read_text()
    cli.nacre("compile", folder / "net.onnx", "-o", tmp_path / "net.s")
    assert texts[0] != (tmp_path / "net.s").read_text()


def test_names_of_other_compilers_are_refused_with_the_same_reasons(net):
    model = net[0] / "net.onnx"
    assert "needs one model and --data" in refused("profile", model)
    assert "No such file" in refused("run", model, "--load-profile=none.yaml")
    assert "'--ranges' needs a value" in refused("run", model, "--load-profile")


def refused(*arguments):
    with pytest.raises(NacreError) as error:
        cli.nacre(*arguments)
    assert error.value.code == cli.Exit.BAD_INPUT
    return str(error.value)


def test_bad_ranges_are_refused_with_the_reason(net, tmp_path):
    folder, _ = net
    model = folder / "net.onnx"
    assert "No such file" in refused("run", model, "--ranges=none.yaml")
    bad = tmp_path / "bad.yaml"
    bad.write_text("range_profile: 1\nmodel: {}\nvalues: 3\n")
    assert "line 3: not a sequence" in refused("run", model, f"--ranges={bad}")
    bad.write_text("range_profile: 1\nmodel: {}\nvalues: []\n")
    assert "knows no range of value 'x'" in refused("run", model,
                                                    f"--ranges={bad}")
    ranges = f"--ranges={folder / 'net.ranges.yaml'}"
    assert "--schema needs asymmetric or symmetric" in refused(
        "run", model, ranges, "--schema=other")
    assert "--schema needs --ranges" in refused("run", model,
                                                "--schema=symmetric")
    assert "--activations is a choice of" in refused(
        "run", model, ranges, "--schema=symmetric", "--activations=int8")
    assert "a number above 50" in refused(
        "run", model, ranges, "--calibrator=percentile:7")


def test_ranges_of_another_graph_are_warned_of(net, tmp_path):
    folder, _ = net
    command = [cli.tool(), "run", folder / "net.onnx"]
    text = (folder / "net.ranges.yaml").read_text()
    other = tmp_path / "other.yaml"
    other.write_text(re.sub("(graph: *)[0-9a-f]+", r"\g<1>0123456789abcdef",
                            text))
    for ranges, warns in (folder / "net.ranges.yaml", False), (other, True):
        said = subprocess.run([*command, f"--ranges={ranges}"], text=True,
                              capture_output=True, check=True).stderr
        assert ("was measured on another graph" in said) == warns


def test_bad_data_are_refused_with_the_reason(net, tmp_path):
    folder, _ = net
    model = folder / "net.onnx"
    assert "needs one model and --data" in refused("calibrate", model)
    assert "no such data folder" in refused("calibrate", model, "--data=none")
    assert "expected input_0.pb in" in refused("calibrate", model,
                                               f"--data={tmp_path}")
    write_samples(tmp_path, np.random.default_rng(1), 1, batch=7)
    assert "but the data set holds" in refused(
        "calibrate", model, f"--data={tmp_path}", "-o", tmp_path / "r.yaml")
    assert not (tmp_path / "r.yaml").exists()
