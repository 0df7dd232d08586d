# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--dump-tensors`: the values inside of a model, as its outputs would be."""

import json

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network():
    """What is fused where nobody looks: a pad, scales, activations, a residual;
    names with characters that no path has, and one that is in a branch."""
    return builders.model(
        [builders.node("Pad", ["x", "pads"], ["padded"]),
         builders.node("Conv", ["padded", "w1", "b1"], ["net/conv:0"]),
         builders.node("BatchNormalization",
                       ["net/conv:0", "s", "s", "s", "v"], ["normal"]),
         builders.node("Relu", ["normal"], ["net/relu:0"]),
         builders.node("Conv", ["net/relu:0", "w2"], ["conv 2"],
                       pads=[1] * 4),
         builders.node("Add", ["conv 2", "net/relu:0"], ["sum"]),
         builders.node("Identity", ["sum"], ["same"]),
         builders.node("Shape", ["same"], ["shape"]),
         builders.node("GlobalAveragePool", ["same"], ["mean"]),
         builders.node("Flatten", ["mean"], ["flat"]),
         builders.node("ArgMax", ["flat"], ["best"], axis=1),
         builders.node("Gemm", ["flat", "w3"], ["y"])],
        {"x": ("float32", [1, 3, 12, 12])}, {"y": ("float32", [1, 10])},
        weights={"pads": np.array([0, 0, 1, 1, 0, 0, 1, 1]),
                 "w1": random((16, 3, 3, 3), 1) / 4, "b1": random(16, 2) / 4,
                 "s": random(16, 5), "v": np.abs(random(16, 6)) + 1,
                 "w2": random((16, 16, 3, 3), 3) / 8,
                 "w3": random((16, 10), 4) / 4})


VALUES = ["padded", "net/conv:0", "normal", "net/relu:0", "conv 2", "sum",
          "same", "shape", "mean", "flat", "best", "y"]


def with_outputs(model, names):
    """The model with values as its outputs, as onnx's helper makes them."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    inferred = {value.name: value for value in
                onnx.shape_inference.infer_shapes(model).graph.value_info}
    known = {output.name for output in result.graph.output}
    result.graph.output.extend(inferred[name] for name in names
                               if name not in known)
    return result


def read_dump(folder):
    """The values of a dump by name, and their entries in the index."""
    entries = json.loads((folder / "index.json").read_text())
    return ({entry["value"]: np.load(folder / entry["file"])
             for entry in entries},
            {entry["value"]: entry for entry in entries})


def data_set(folder, arrays, outputs=None):
    folder.mkdir(parents=True)
    for kind, named in (("input", arrays), ("output", outputs or {})):
        for i, (name, array) in enumerate(named.items()):
            (folder / f"{kind}_{i}.pb").write_bytes(
                numpy_helper.from_array(array, name).SerializeToString())
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What the values are as outputs of the model."""
    folder = tmp_path_factory.mktemp("outputs")
    outputs = run(with_outputs(network(), VALUES), {"x": random((1, 3, 12, 12), 7)},
                  folder, "interpreter")
    listed = json.loads((folder / "interpreter" / "outputs.json").read_text())
    return {entry["name"]: outputs[entry["file"][:-len(".npy")]]
            for entry in listed}


@pytest.mark.parametrize("backend", BACKENDS)
def test_dumped_values_are_those_of_outputs_of_their_names(expected, tmp_path,
                                                           backend):
    x = random((1, 3, 12, 12), 7)
    onnx.save(network(), str(tmp_path / "net.onnx"))
    y = run(network(), {"x": x}, tmp_path, backend)["y"]
    data = data_set(tmp_path / "data", {"x": x}, {"y": y})
    cli.nacre("check", tmp_path / "net.onnx", data, f"--backend={backend}",
              f"--dump-tensors={tmp_path / 'dump'}")
    values, entries = read_dump(tmp_path / "dump")
    assert set(values) == {"x", *VALUES}
    np.testing.assert_array_equal(values["x"], x)
    for name in VALUES:
        assert values[name].dtype == expected[name].dtype
        np.testing.assert_allclose(values[name], expected[name], **TOLERANCE)
    assert entries["normal"]["op"] == "BatchNormalization"
    assert entries["best"]["type"] == "int64"
    assert entries["mean"]["shape"] == [1, 16, 1, 1]
    # The run whose outputs count has no taps.
    np.testing.assert_allclose(values["y"], y, **TOLERANCE)


def test_files_have_numbers_and_safe_names(tmp_path):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    cli.nacre("run", tmp_path / "net.onnx",
              f"--dump-tensors={tmp_path / 'dump'}:net/*")
    assert sorted(path.name for path in (tmp_path / "dump").iterdir()) == [
        "0000_net_conv_0.npy", "0001_net_relu_0.npy", "index.json"]


def test_parts_of_a_dump_are_the_whole(tmp_path):
    """Values of 1.5 MB each, of which a megabyte holds none but one."""
    model = builders.chain(["Relu", "Abs", "Neg"], [1, 600, 640])
    onnx.save(model, str(tmp_path / "net.onnx"))
    for name, memory in (("whole", 1024), ("parts", 1)):
        cli.nacre("run", tmp_path / "net.onnx", f"--dump-memory={memory}",
                  f"--dump-tensors={tmp_path / name}")
    whole, parts = (read_dump(tmp_path / name) for name in ("whole", "parts"))
    assert list(whole[0]) == list(parts[0]) == ["x", "v0", "v1", "y"]
    assert whole[1] == parts[1]
    for name, value in whole[0].items():
        np.testing.assert_array_equal(value, parts[0][name])


def test_each_of_several_data_sets_has_a_folder(tmp_path):
    onnx.save(builders.chain(["Relu", "Abs"], [4]), str(tmp_path / "net.onnx"))
    x = random([4], 1)
    y = np.maximum(x, 0)
    folders = [data_set(tmp_path / place / "test_data_set_0", {"x": x * i},
                        {"y": y * i}) for i, place in ((1, "a"), (2, "b"))]
    cli.nacre("check", tmp_path / "net.onnx", *folders,
              f"--dump-tensors={tmp_path / 'dump'}:v0")
    for i, name in ((1, "test_data_set_0"), (2, "test_data_set_0-2")):
        values, _ = read_dump(tmp_path / "dump" / name)
        np.testing.assert_array_equal(values["v0"], y * i)


def test_last_of_several_data_sets_are_dumped_alone(tmp_path):
    onnx.save(builders.chain(["Relu"], [4]), str(tmp_path / "net.onnx"))
    x = random([4], 1)
    folders = [data_set(tmp_path / f"data{i}", {"x": x * i},
                        {"y": np.maximum(x * i, 0)}) for i in range(4)]
    cli.nacre("check", tmp_path / "net.onnx", *folders, "--dump-last=2",
              f"--dump-tensors={tmp_path / 'dump'}")
    assert sorted(path.name for path in (tmp_path / "dump").iterdir()) == [
        "data2", "data3"]
    np.testing.assert_array_equal(
        read_dump(tmp_path / "dump" / "data3")[0]["x"], x * 3)
    for options, message in ((["--dump-last=2"], "--dump-last needs --dump-te"),
                             (["--dump-tensors=d", "--dump-last=0"],
                              "needs a number from 1")):
        with pytest.raises(nacre.NacreError, match=message) as error:
            cli.nacre("check", tmp_path / "net.onnx", *folders, *options)
        assert error.value.code == cli.Exit.BAD_INPUT


def test_values_of_a_check_that_fails_are_dumped(tmp_path):
    onnx.save(builders.chain(["Relu", "Abs"], [4]), str(tmp_path / "net.onnx"))
    data = data_set(tmp_path / "data", {"x": random([4], 1)},
                    {"y": -np.ones(4, np.float32)})
    with pytest.raises(nacre.NacreError) as error:
        cli.nacre("check", tmp_path / "net.onnx", data,
                  f"--dump-tensors={tmp_path / 'dump'}")
    assert error.value.code == cli.Exit.DIFFERS
    assert list(read_dump(tmp_path / "dump")[0]) == ["x", "v0", "y"]


def test_quantized_values_have_scale_and_zero_point(tmp_path):
    model = builders.model(
        [builders.node("QuantizeLinear", ["x", "s", "z"], ["q"]),
         builders.node("DequantizeLinear", ["q", "s", "z"], ["y"])],
        {"x": ("float32", [4])}, {"y": ("float32", [4])},
        weights={"s": np.float32(0.5), "z": np.uint8(7)})
    onnx.save(model, str(tmp_path / "net.onnx"))
    cli.nacre("run", tmp_path / "net.onnx",
              f"--dump-tensors={tmp_path / 'dump'}:q")
    _, entries = read_dump(tmp_path / "dump")
    assert entries["q"]["scale"] == [0.5] and entries["q"]["zero_point"] == [7]


def test_values_of_a_model_with_ranges_are_integers(tmp_path):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    data_set(tmp_path / "data", {"x": random((1, 3, 12, 12), 7)})
    cli.nacre("calibrate", tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
              "-o", tmp_path / "net.yaml")
    cli.nacre("run", tmp_path / "net.onnx", f"--ranges={tmp_path / 'net.yaml'}",
              f"--dump-tensors={tmp_path / 'dump'}")
    _, entries = read_dump(tmp_path / "dump")
    integers = [entry for entry in entries.values()
                if entry["op"] == "QuantizeLinear"]
    assert integers
    for entry in integers:
        assert entry["type"] == "uint8" and entry["scale"][0] > 0


def test_numbers_that_json_has_not_are_counted(tmp_path):
    onnx.save(builders.chain(["Log", "Abs"], [4]), str(tmp_path / "net.onnx"))
    np.save(tmp_path / "x.npy", np.array([-1, 0, 1, 1], np.float32))
    cli.nacre("run", tmp_path / "net.onnx", f"--input=x={tmp_path / 'x.npy'}",
              f"--dump-tensors={tmp_path / 'dump'}")
    _, entries = read_dump(tmp_path / "dump")
    assert entries["v0"]["nan"] == 1 and entries["v0"]["infinite"] == 1
    assert entries["v0"]["max"] == 0 and "min" not in entries["v0"]


def test_failed_dump_leaves_nothing(tmp_path):
    onnx.save(builders.chain(["Relu", "Abs"], [4]), str(tmp_path / "net.onnx"))
    with pytest.raises(nacre.NacreError, match="no value is called") as error:
        cli.nacre("run", tmp_path / "net.onnx",
                  f"--dump-tensors={tmp_path / 'dump'}:v7")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "dump").exists()
