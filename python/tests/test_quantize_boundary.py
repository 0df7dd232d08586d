# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--quantize-outputs and --io=quantized: integers in, integers out."""

import json
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli
from nacre.samples import write_tensor
from test_quantization_report import network, quantize, random


def images(seed):
    return {"x": random((2, 3, 8, 8), seed), "mix": random((10, 10), seed + 10)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model, samples with what it computes, ranges, and both kinds."""
    folder = tmp_path_factory.mktemp("boundary")
    network(folder / "net.onnx")
    session = nacre.InferenceSession(str(folder / "net.onnx"))
    for i in range(6):
        place = folder / "data" / str(i)
        place.mkdir(parents=True)
        feeds = images(10 + i)
        for j, (name, array) in enumerate(feeds.items()):
            write_tensor(place / f"input_{j}.pb", name, array)
        for j, array in enumerate(session.run(["y", "z"], feeds)):
            write_tensor(place / f"output_{j}.pb", "yz"[j], array)
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "--calibrator=mse", "-o", folder / "r.yaml")
    for name, option in (("io", "--io=quantized"),
                         ("out", "--quantize-outputs")):
        quantize(folder, f"--ranges={folder / 'r.yaml'}", option, name=name)
    return folder


def read_types(path):
    graph = onnx.load(str(path)).graph
    return [[(value.name, value.type.tensor_type.elem_type) for value in values]
            for values in (graph.input, graph.output)]


def read_integers(path):
    """Scale and zero point of inputs and outputs, by nacre info."""
    text = cli.nacre("info", path)
    return {name: (kind, float(scale), int(zero))
            for name, kind, zero, scale in re.findall(
                r"^integers +(\w+): (\w+), stands for \(integer - (-?\d+)\) \* "
                r"(\S+)$", text, re.M)}


def passing():
    """A product whose input and result are outputs, too, the latter twice."""
    return builders.model(
        [helper.make_node("MatMul", ["a", "w"], ["y"], "mm"),
         helper.make_node("Identity", ["a"], ["b"], "id"),
         helper.make_node("Identity", ["y"], ["z"], "again")],
        {"a": ("float32", [4, 8])},
        {name: ("float32", [4, 8]) for name in "byz"},
        weights={"w": random((8, 8), 3)})


def rounding():
    """A model that quantizes its input itself, by another scale."""
    scales = {"s": np.float32(0.05), "o": np.uint8(100)}
    return builders.model(
        [helper.make_node("QuantizeLinear", ["a", "s", "o"], ["q"], "q"),
         helper.make_node("DequantizeLinear", ["q", "s", "o"], ["d"], "d"),
         helper.make_node("MatMul", ["d", "w"], ["y"], "mm")],
        {"a": ("float32", [4, 8])}, {"y": ("float32", [4, 8])},
        weights={"w": random((8, 8), 3), **scales})


@pytest.mark.parametrize("make", [passing, rounding])
def test_file_says_what_the_graph_does_not(tmp_path, make):
    """Where no DequantizeLinear reads an input, and no QuantizeLinear computes an
    output."""
    onnx.save(make(), str(tmp_path / "net.onnx"))
    feeds = {"a": random((4, 8), 1)}
    place = tmp_path / "data" / "0"
    place.mkdir(parents=True)
    write_tensor(place / "input_0.pb", "a", feeds["a"])
    session = nacre.InferenceSession(str(tmp_path / "net.onnx"))
    names = [output.name for output in session.get_outputs()]
    for i, array in enumerate(session.run(names, feeds)):
        write_tensor(place / f"output_{i}.pb", names[i], array)
    quantize(tmp_path, f"--data={tmp_path / 'data'}", "--io=quantized")
    found = read_integers(tmp_path / "small.onnx")
    assert set(found) == {"a", *names}
    cli.nacre("compile", tmp_path / "net.onnx", "--io=quantized", "-o",
              tmp_path / "net.so", f"--ranges={tmp_path / 'small.ranges.yaml'}")
    cli.nacre("compile", tmp_path / "small.onnx", "-o", tmp_path / "small.so")
    listed = [re.findall(r"^.*stands for.*$", cli.nacre(
        "info", tmp_path / f"{name}.so"), re.M) for name in ("net", "small")]
    assert listed[0] == listed[1] and len(listed[0]) == len(found)
    cli.nacre("check", tmp_path / "small.onnx", place, "--snr=20")
    # Once more through a file.
    cli.nacre("compile", tmp_path / "small.onnx", "--emit=onnx", "-o",
              tmp_path / "again.onnx")
    assert read_integers(tmp_path / "again.onnx") == found
    keys = [entry.key for entry in
            onnx.load(str(tmp_path / "again.onnx")).metadata_props]
    assert keys == ["nacre.integers"]


@pytest.mark.parametrize("text, message", [
    ("[", "is no object"), ("7", "is no object"),
    pytest.param("[" * 200000, "is no object", id="deep"),
    ('{"inputs": {"x": {"scale": -1, "zero_point": 0}}}', "fit input 'x'"),
    ('{"inputs": {"x": {"scale": 1, "zero_point": 256}}}', "fit input 'x'"),
    ('{"outputs": {"y": 1}}', "does not fit output 'y'")])
def test_metadata_that_do_not_fit_are_left_out(tmp_path, text, message):
    model = builders.model(
        [helper.make_node("Not", ["b"], ["c"]),
         helper.make_node("Max", ["x", "x"], ["y"])],
        {"x": ("uint8", [4]), "b": ("bool", [4])},
        {"y": ("uint8", [4]), "c": ("bool", [4])})
    entry = model.metadata_props.add()
    entry.key, entry.value = "nacre.integers", text
    onnx.save(model, str(tmp_path / "net.onnx"))
    process = subprocess.run([cli.tool(), "info", tmp_path / "net.onnx"],
                             text=True, capture_output=True)
    assert process.returncode == 0
    assert message in process.stderr and "stands for" not in process.stdout


@pytest.mark.parametrize("scale, zero_point, said", [
    (0.25, 3, None),
    (0.5, 3, "(integer - 3) * 0.5 of input 'q', but the op beside it has "
             "(integer - 3) * 0.25: the former counts"),
    (0.25, 4, "(integer - 4) * 0.25 of input 'q', but the op beside it has "
              "(integer - 3) * 0.25: the former counts")])
def test_metadata_that_contradict_the_ops_are_warned_of(tmp_path, scale,
                                                        zero_point, said):
    model = builders.model(
        [helper.make_node("DequantizeLinear", ["q", "s", "o"], ["y"])],
        {"q": ("uint8", [4])}, {"y": ("float32", [4])},
        weights={"s": np.float32(0.25), "o": np.uint8(3)})
    entry = model.metadata_props.add()
    entry.key, entry.value = "nacre.integers", json.dumps(
        {"inputs": {"q": {"scale": scale, "zero_point": zero_point}}})
    onnx.save(model, str(tmp_path / "net.onnx"))
    process = subprocess.run([cli.tool(), "info", tmp_path / "net.onnx"],
                             text=True, capture_output=True, check=True)
    assert f"(integer - {zero_point}) * {scale}" in process.stdout
    if said:
        assert said in process.stderr
    else:
        assert "metadata" not in process.stderr


def test_file_takes_and_gives_integers(files):
    assert read_types(files / "io.onnx") == [[("x", 2), ("mix", 2)],
                                             [("y", 2), ("z", 2)]]
    assert read_types(files / "out.onnx") == [[("x", 1), ("mix", 1)],
                                              [("y", 1), ("z", 1)]]


def test_info_says_what_integers_stand_for(files):
    integers = read_integers(files / "io.onnx")
    assert set(integers) == {"x", "mix", "y", "z"}
    assert all(kind == "uint8" and scale > 0 and 0 < zero < 255
               for kind, scale, zero in integers.values())
    assert not read_integers(files / "out.onnx")


@pytest.mark.parametrize("backend", BACKENDS)
def test_program_that_rounds_itself_computes_the_same(files, tmp_path, backend):
    integers = read_integers(files / "io.onnx")
    feeds = images(10)
    rounded = {}
    for name, array in feeds.items():
        _, scale, zero = integers[name]
        steps = np.round(array / np.float32(scale)) + zero
        rounded[name] = np.clip(steps, 0, 255).astype(np.uint8)
    plain = run(onnx.load(str(files / "out.onnx")), feeds, tmp_path, backend)
    results = run(onnx.load(str(files / "io.onnx")), rounded, tmp_path, backend)
    for name, expected in plain.items():
        found = results[name]
        assert found.dtype == np.uint8
        _, scale, zero = integers[name]
        # That reads "mix" in f32.
        off = (found.astype(np.float32) - zero) * np.float32(scale) - expected
        assert np.abs(off).max() <= (0.01 if name == "y" else 2) * scale


def test_outputs_are_whole_steps(files):
    session = nacre.InferenceSession(str(files / "out.onnx"))
    y = session.run(["y"], images(10))[0]
    steps = y / np.float32(read_integers(files / "io.onnx")["y"][1])
    assert np.abs(steps - np.round(steps)).max() < 1e-3


@pytest.mark.parametrize("backend", BACKENDS)
def test_data_in_f32_are_rounded_for_it(files, tmp_path, backend):
    for model, options in (("io.onnx", []),
                           ("net.onnx", [f"--ranges={files / 'r.yaml'}",
                                         "--io=quantized"])):
        text = cli.nacre("check", files / model, files / "data" / "0",
                         "--snr=20", f"--backend={backend}", *options)
        assert text.endswith("PASS\n")
        with pytest.raises(nacre.NacreError):
            cli.nacre("check", files / model, files / "data" / "0", "--snr=90",
                      f"--backend={backend}", *options)


def test_library_says_it_and_takes_data_in_f32(files, tmp_path):
    cli.nacre("compile", files / "io.onnx", "-o", tmp_path / "io.so")
    cli.nacre("check", tmp_path / "io.so", files / "data" / "0", "--snr=20")
    assert "mix: uint8[10,10], stands for" in cli.nacre("info",
                                                        tmp_path / "io.so")
    header = (tmp_path / "io.h").read_text()
    assert re.search(r"uint8_t \*x; /\* uint8\[2,3,8,8\], stands for \(integer "
                     r"- \d+\) \* 0\.\d+ \*/", header)
    np.save(tmp_path / "x.npy", images(10)["x"])
    cli.nacre("run", tmp_path / "io.so", f"--input=x={tmp_path / 'x.npy'}",
              "--output-dir", tmp_path / "out")
    assert np.load(tmp_path / "out" / "y.npy").dtype == np.uint8


def test_bundle_says_it(files, tmp_path):
    cli.nacre("compile", files / "io.onnx", "--emit=bundle", "-o",
              tmp_path / "bundle")
    header = next((tmp_path / "bundle").glob("*.h")).read_text()
    assert "stands for (integer - " in header


def test_models_of_integers_and_floats_are_compared(files):
    cli.nacre("check", files / "io.onnx", files / "data" / "1",
              f"--against={files / 'net.onnx'}", "--snr=20")
    cli.nacre("check", files / "net.onnx", files / "data" / "1",
              f"--against={files / 'io.onnx'}", "--snr=20")
    cli.nacre("check", files / "io.onnx", files / "data" / "1",
              f"--against={files / 'io.onnx'}", "--snr=90")


def test_layers_compare_integers_as_what_they_stand_for(files):
    """Whichever of both models has them, and where both have."""
    for one, other in (("io", "net"), ("net", "io"), ("io", "io")):
        text = cli.nacre("check", files / f"{one}.onnx", files / "data" / "1",
                         f"--against={files / other}.onnx", "--layers",
                         "--snr=20", "--json")
        values = {value["name"]: value
                  for value in json.loads(text)["values"]}
        for name in "y", "z":
            if one == other:
                assert values[name]["exact"]
            else:
                assert 20 < values[name]["snr_db"] < 80


def test_compiling_the_model_is_compiling_the_file(files, tmp_path):
    cli.nacre("compile", files / "net.onnx", f"--ranges={files / 'r.yaml'}",
              "--io=quantized", "-o", tmp_path / "a.s", "--name=net")
    cli.nacre("compile", files / "io.onnx", "-o", tmp_path / "b.s",
              "--name=net")
    assert (tmp_path / "a.s").read_text() == (tmp_path / "b.s").read_text()


@pytest.mark.parametrize("schema, kind", [
    (["--schema=symmetric"], "int8"), (["--activations=int16"], "int16"),
    (["--activations=int8"], "int8")])
def test_integers_are_those_of_the_schema(files, tmp_path, schema, kind):
    quantize(files, f"--ranges={files / 'r.yaml'}", "--io=quantized", *schema,
             name="other")
    integers = read_integers(files / "other.onnx")
    assert {entry[0] for entry in integers.values()} == {kind}
    cli.nacre("check", files / "other.onnx", files / "data" / "0", "--snr=20")


def test_report_has_them(files, tmp_path):
    summary = quantize(files, f"--data={files / 'data'}", "--io=quantized",
                       f"--report={tmp_path / 'r.json'}", name="measured")
    report = json.loads((tmp_path / "r.json").read_text())
    ends = {end["name"]: end for end in report["ends"]}
    assert [ends[name]["kind"] for name in ("x", "mix", "y", "z")] == \
        ["input"] * 2 + ["output"] * 2
    for name, (kind, scale, zero) in read_integers(
            files / "measured.onnx").items():
        assert (ends[name]["type"], ends[name]["zero_point"]) == (kind, zero)
        assert ends[name]["scale"] == pytest.approx(scale)
    assert "inputs and outputs integers" in report["options"]
    # They are compared as what they stand for.
    assert {output["name"] for output in report["outputs"]} == {"y", "z"}
    assert "output 'y' has the integers of uint8, scale " in summary
    for form in "txt", "html":
        quantize(files, f"--ranges={files / 'r.yaml'}", "--quantize-outputs",
                 f"--report={tmp_path / 'r'}.{form}", name="measured")
        assert "the integers of uint8" in (tmp_path / f"r.{form}").read_text()


def test_state_and_what_was_infinite_stay_floats(tmp_path):
    """A sum that goes on as a state, beside a mask."""
    model = builders.model(
        [helper.make_node("Add", ["x", "s"], ["t"], "sum"),
         helper.make_node("Log", ["x"], ["mask"], "log"),
         helper.make_node("Identity", ["i"], ["j"], "same")],
        {"x": ("float32", [4]), "s": ("float32", [4]), "i": ("int64", [4])},
        {"t": ("float32", [4]), "mask": ("float32", [4]), "j": ("int64", [4])})
    onnx.save(model, str(tmp_path / "net.onnx"))
    place = tmp_path / "data" / "0"
    place.mkdir(parents=True)
    for i, (name, array) in enumerate({
            "x": np.array([0, 1, 2, 3], np.float32),
            "s": np.ones(4, np.float32), "i": np.arange(4)}.items()):
        write_tensor(place / f"input_{i}.pb", name, array)
    process = subprocess.run(
        [cli.tool(), "quantize", tmp_path / "net.onnx", "-o",
         tmp_path / "small.onnx", f"--data={tmp_path / 'data'}",
         "--io=quantized", "--state=s:t"], text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    assert "output 't' stays f32: it is a state" in process.stderr
    assert "output 'mask' stays f32: 'mask' was infinite" in process.stderr
    assert read_types(tmp_path / "small.onnx") == [
        [("x", 2), ("s", 1), ("i", 7)], [("t", 1), ("mask", 1), ("j", 7)]]


def test_input_that_becomes_a_state_is_integers(tmp_path):
    """A filter that goes by the sample before, too."""
    model = builders.model(
        [helper.make_node("Add", ["x", "before"], ["sum"], "add"),
         helper.make_node("MatMul", ["sum", "w"], ["y"], "mm"),
         helper.make_node("Identity", ["x"], ["next"], "keep")],
        {"x": ("float32", [1, 8]), "before": ("float32", [1, 8])},
        {"y": ("float32", [1, 8]), "next": ("float32", [1, 8])},
        weights={"w": random((8, 8), 3)})
    onnx.save(model, str(tmp_path / "net.onnx"))
    place = tmp_path / "data" / "0"
    place.mkdir(parents=True)
    for i, name in enumerate(("x", "before")):
        write_tensor(place / f"input_{i}.pb", name, random((1, 8), i))
    summary = quantize(tmp_path, f"--data={tmp_path / 'data'}",
                       "--io=quantized", "--state=before:next")
    assert "input 'x' has the integers of uint8" in summary
    assert "output 'next' stays f32: it is a state" in summary
    assert read_types(tmp_path / "small.onnx") == [
        [("x", 2), ("before", 1)], [("y", 2), ("next", 1)]]
    assert set(read_integers(tmp_path / "small.onnx")) == {"x", "y"}


@pytest.mark.parametrize("options, message", [
    (["--io=quantized"], "--io needs --ranges"),
    (["--quantize-outputs"], "--quantize-outputs needs --ranges"),
    (["--activations=dynamic", "--io=quantized"], "--io is of no use"),
    (["--activations=none", "--weights=int8", "--quantize-outputs"],
     "--quantize-outputs is of no use")])
def test_options_need_ranges(files, tmp_path, options, message):
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("compile", files / "net.onnx", "-o", tmp_path / "a.so",
                  *options)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_unknown_form_is_refused(files, tmp_path):
    with pytest.raises(nacre.NacreError, match="f32.*quantized"):
        cli.nacre("compile", files / "net.onnx", "-o", tmp_path / "a.so",
                  f"--ranges={files / 'r.yaml'}", "--io=bytes")


def test_python_has_both(files, tmp_path):
    for name, options in (("io", {"io": "quantized"}),
                          ("out", {"quantize_outputs": True})):
        nacre.quantize(files / "net.onnx", tmp_path / "small.onnx",
                       ranges=files / "r.yaml", **options)
        assert (tmp_path / "small.onnx").read_bytes() == \
            (files / f"{name}.onnx").read_bytes()


def test_tune_counts_rounded_outputs(files, tmp_path):
    """Products in f32 alone do not help where outputs have 256 numbers."""
    command = ["tune", files / "net.onnx", f"--data={files / 'data'}",
               f"--ranges={files / 'r.yaml'}", "--target=sqnr>=60", "-o",
               tmp_path / "tuned.yaml"]
    cli.nacre(*command)
    wide = (tmp_path / "tuned.yaml").read_text()
    cli.nacre(*command, "--quantize-outputs")
    rounded = (tmp_path / "tuned.yaml").read_text()
    assert wide != rounded
    assert "all in f32 (reached)" in rounded
