# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exit codes, messages and files of the command line tool."""

import json
import os
import resource
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from nacre import builders, cases, cli
from nacre.interface import ELEMENTS


@pytest.fixture
def relu(tmp_path):
    path = tmp_path / "relu.onnx"
    onnx.save(builders.single("Relu", {"x": ("float32", [2, 3])},
                              {"y": ("float32", [2, 3])}), str(path))
    return path


def data_set(folder, x, y):
    folder.mkdir()
    for name, array in (("input_0", x), ("output_0", y)):
        tensor = numpy_helper.from_array(np.asarray(array, np.float32),
                                         name[0].replace("i", "x")
                                         .replace("o", "y"))
        (folder / f"{name}.pb").write_bytes(tensor.SerializeToString())
    return folder


def error(*arguments):
    with pytest.raises(cli.NacreError) as caught:
        cli.nacre(*arguments, timeout=60)
    return caught.value


def test_missing_file_is_bad_input_and_named(tmp_path):
    caught = error("info", tmp_path / "absent.onnx")
    assert caught.code == cli.Exit.BAD_INPUT
    assert "absent.onnx" in caught.message


def test_file_that_is_no_model_is_bad_input(tmp_path):
    path = tmp_path / "text.onnx"
    path.write_text("this is no protobuf")
    assert error("info", path).code == cli.Exit.BAD_INPUT


def test_info_gives_the_types_of_what_is_no_tensor(tmp_path):
    row = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 3])
    names = onnx.TypeProto()
    names.map_type.key_type = TensorProto.STRING
    names.map_type.value_type.tensor_type.elem_type = TensorProto.INT64
    rows = helper.make_sequence_type_proto(row)
    graph = helper.make_graph(
        [builders.node("Identity", ["rows"], ["same"]),
         builders.node("Optional", ["rows"], ["maybe"])], "g",
        [helper.make_value_info("rows", rows),
         helper.make_value_info("names", names)],
        [helper.make_value_info("same", rows),
         helper.make_value_info("maybe",
                                helper.make_optional_type_proto(rows))])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    path = tmp_path / "lists.onnx"
    onnx.save(model, str(path))
    lines = cli.nacre("info", path).splitlines()
    for line in ("input       rows: sequence(float32[n,3])",
                 "input       names: map(string,int64)",
                 "output      maybe: optional(sequence(float32[n,3]))"):
        assert line in lines


def product(path, rows, op="MatMul", kind=TensorProto.FLOAT,
            sums=TensorProto.FLOAT):
    """y = x w, the 1000 x 100 of w in a Constant node."""
    weights = numpy_helper.from_array(
        np.ones([1000, 100], ELEMENTS[kind][1]))
    graph = helper.make_graph(
        [builders.node("Constant", [], ["w"], value=weights),
         helper.make_node(op, ["x", "w"], ["y"], name="product")], "g",
        [helper.make_tensor_value_info("x", kind, [rows, 1000])],
        [helper.make_tensor_value_info("y", sums, [rows, 100])])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, str(path))
    return path


def test_info_counts_parameters_of_constant_nodes(tmp_path):
    lines = cli.nacre("info", product(tmp_path / "p.onnx", 100)).splitlines()
    assert "parameters  100000 (0.40 MB)" in lines
    assert "MACs        10.0 million" in lines
    assert not [line for line in lines if line.startswith("software")]


def test_info_counts_products_of_integers(tmp_path):
    path = product(tmp_path / "p.onnx", 100, "MatMulInteger",
                   TensorProto.INT8, TensorProto.INT32)
    assert "MACs        10.0 million" in cli.nacre("info", path).splitlines()


def test_info_says_which_sizes_it_assumes(tmp_path):
    path = product(tmp_path / "p.onnx", "batch")
    assert ("MACs        0.1 million, assuming batch = 1; --shape gives others"
            in cli.nacre("info", path).splitlines())
    assert "MACs        10.0 million" in cli.nacre(
        "info", path, "--shape=x=100x1000").splitlines()


def test_info_names_what_the_engine_does_not_compute_and_why(tmp_path):
    path = product(tmp_path / "p.onnx", 100, "MatMul", TensorProto.INT32,
                   TensorProto.INT32)
    line, = [line for line in cli.nacre("info", path).splitlines()
             if line.startswith("software")]
    assert "'product'" in line and "an element type of the engine" in line


def test_unknown_backend_is_bad_input(relu):
    assert error("run", relu, "--backend=quantum").code == cli.Exit.BAD_INPUT


def test_check_of_right_outputs_passes(relu, tmp_path):
    data = data_set(tmp_path / "right", [[-1, 2, 3]] * 2, [[0, 2, 3]] * 2)
    assert cli.nacre("check", relu, data).splitlines()[-1] == "PASS"


def test_check_of_wrong_outputs_differs(relu, tmp_path):
    data = data_set(tmp_path / "wrong", [[-1, 2, 3]] * 2, [[1, 2, 3]] * 2)
    assert error("check", relu, data).code == cli.Exit.DIFFERS


@pytest.mark.parametrize("options, passes", [
    ([], False), (["--atol=1"], True), (["--atol=0.5"], False),
    (["--rtol=0.02"], True), (["--rtol=0.001"], False)], ids=str)
def test_check_of_integers_allows_what_is_asked_for(tmp_path, options, passes):
    path, data = tmp_path / "bytes.onnx", tmp_path / "data"
    onnx.save(builders.single("Identity", {"x": ("uint8", [3])},
                              {"y": ("uint8", [3])}), str(path))
    data.mkdir()
    for name, values in (("input_0", [100, 200, 60]),
                         ("output_0", [101, 199, 60])):
        tensor = numpy_helper.from_array(np.uint8(values), "xy"["o" in name])
        (data / f"{name}.pb").write_bytes(tensor.SerializeToString())
    if passes:
        assert "PASS" in cli.nacre("check", path, data, *options)
    else:
        assert error("check", path, data,
                     *options).code == cli.Exit.DIFFERS


def test_check_by_ratio_compares_signal_with_noise(relu, tmp_path):
    # 30 is off by 1: 900 of signal for 1 of noise are 29.5 dB.
    data = data_set(tmp_path / "near", [[-1, 0, 31], [0, 0, 0]],
                    [[0, 0, 30], [0, 0, 0]])
    report = cli.nacre("check", relu, data, "--snr=29.5")
    assert "snr 29.5 dB" in report and report.splitlines()[-1] == "PASS"
    assert error("check", relu, data, "--snr=29.6").code == cli.Exit.DIFFERS
    assert error("check", relu, data).code == cli.Exit.DIFFERS
    cli.nacre("bench", relu, data, "--snr=29.5", "--seconds=0")
    assert error("bench", relu, data, "--snr=30").code == cli.Exit.DIFFERS
    for wrong in (["--snr=x"], ["--snr=3", "--atol=1"]):
        assert error("check", relu, data,
                     *wrong).code == cli.Exit.BAD_INPUT
    assert error("bench", relu, "--snr=3").code == cli.Exit.BAD_INPUT


def test_check_of_equal_outputs_has_no_noise(relu, tmp_path):
    data = data_set(tmp_path / "equal", [[-1, 2, 3]] * 2, [[0, 2, 3]] * 2)
    assert "snr inf dB" in cli.nacre("check", relu, data, "--snr=100")


def test_check_of_wrong_shape_is_bad_input(relu, tmp_path):
    data = data_set(tmp_path / "shape", [[-1, 2]], [[0, 2]])
    assert error("check", relu, data).code == cli.Exit.BAD_INPUT


def test_check_takes_a_file_for_each_time_a_value_is_an_output(relu, tmp_path):
    model = onnx.load(str(relu))
    model.graph.output.append(model.graph.output[0])
    onnx.save(model, str(relu))
    data = data_set(tmp_path / "twice", [[-1, 2, 3]] * 2, [[0, 2, 3]] * 2)
    right = (data / "output_0.pb").read_bytes()
    (data / "output_1.pb").write_bytes(right)
    assert cli.nacre("check", relu, data).splitlines()[-1] == "PASS"
    data_set(tmp_path / "wrong", [[-1, 2, 3]] * 2, [[1, 2, 3]] * 2)
    wrong = (tmp_path / "wrong" / "output_0.pb").read_bytes()
    (data / "output_1.pb").write_bytes(wrong)
    assert error("check", relu, data).code == cli.Exit.DIFFERS


def test_check_of_two_files_for_one_output_is_bad_input(tmp_path):
    path = tmp_path / "two.onnx"
    x = ("float32", [2, 3])
    onnx.save(builders.model([builders.node("Relu", ["x"], ["y"]),
                              builders.node("Neg", ["x"], ["z"])],
                             {"x": x}, {"y": x, "z": x}), str(path))
    data = data_set(tmp_path / "data", [[-1, 2, 3]] * 2, [[0, 2, 3]] * 2)
    (data / "output_1.pb").write_bytes((data / "output_0.pb").read_bytes())
    caught = error("check", path, data)
    assert caught.code == cli.Exit.BAD_INPUT
    assert "hold 'y'" in caught.message


def test_run_writes_outputs_and_lists_them(relu, tmp_path):
    x = np.array([[-1, 2, -3], [4, -5, 6]], dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    out = tmp_path / "out"
    cli.nacre("run", relu, "--input", f"x={tmp_path / 'x.npy'}",
              "--output-dir", out)
    assert json.loads((out / "outputs.json").read_text()) == [
        {"name": "y", "file": cli.output_file_name("y")}]
    np.testing.assert_array_equal(np.load(out / "y.npy"), np.maximum(x, 0))


def test_text_goes_into_a_device_and_leaves_it(relu, tmp_path):
    device = tmp_path / "null"
    device.symlink_to("/dev/null")
    cli.nacre("compile", relu, "--emit=ie", "-o", device)
    assert device.is_char_device()


def test_artifact_does_not_replace_what_is_no_file(relu, tmp_path):
    device = tmp_path / "null"
    device.symlink_to("/dev/null")
    for place in (device, tmp_path):
        caught = error("compile", relu, "-o", place)
        assert caught.code == cli.Exit.BAD_INPUT
        assert "no regular file" in caught.message
    assert device.is_char_device()


def test_bench_prints_one_line_of_json(relu):
    line, = cli.nacre("bench", relu, "--seconds=0.1", "--json").splitlines()
    result = json.loads(line)
    assert result["engine"] == "nacre" and result["runs"] > 0
    assert result["min_ms"] <= result["mean_ms"]
    assert {"threads", "median_ms", "min_ms", "p95_ms", "load_ms",
            "compile_ms", "arena_bytes", "weight_bytes", "code_bytes",
            "rss_mb"} <= set(result)


@pytest.mark.parametrize("backend", ["cpu", "reference", "interpreter"])
def test_data_that_end_a_run_are_bad_input_on_every_backend(backend, tmp_path):
    model = builders.single("Gather", {"x": ("float32", ["n", 32]),
                                       "i": ("int64", ["k"])},
                            {"y": ("float32", ["k", 32])})
    onnx.save(model, str(tmp_path / "model.onnx"))
    np.save(tmp_path / "x.npy", np.zeros((3, 32), np.float32))
    np.save(tmp_path / "i.npy", np.array([0, 3]))
    caught = error("run", tmp_path / "model.onnx", f"--backend={backend}",
                   "--input", f"x={tmp_path / 'x.npy'}",
                   "--input", f"i={tmp_path / 'i.npy'}")
    assert caught.code == cli.Exit.BAD_INPUT


@pytest.fixture
def weighted(tmp_path):
    """A sum with a constant that the model lists as an input, too."""
    path = tmp_path / "weighted.onnx"
    row = ("float32", [3])
    onnx.save(builders.model([builders.node("Add", ["w", "x"], ["y"])],
                             {"w": row, "x": row}, {"y": row},
                             weights={"w": np.float32([1, 2, 3])}), str(path))
    return path


def weighted_set(folder, w, x, y):
    """The data of `weighted`; None leaves the initializer's value."""
    folder.mkdir()
    inputs = [("w", w), ("x", x)] if w is not None else [("x", x)]
    files = {f"input_{i}": value for i, value in enumerate(inputs)}
    files["output_0"] = ("y", y)
    for file, (name, array) in files.items():
        tensor = numpy_helper.from_array(np.float32(array), name)
        (folder / f"{file}.pb").write_bytes(tensor.SerializeToString())
    return folder


@pytest.mark.parametrize("backend", cases.BACKENDS)
def test_check_takes_values_of_initializers_that_are_inputs(weighted, tmp_path,
                                                            backend):
    own = weighted_set(tmp_path / "own", None, [1, 1, 1], [2, 3, 4])
    same = weighted_set(tmp_path / "same", [1, 2, 3], [1, 1, 1], [2, 3, 4])
    other = weighted_set(tmp_path / "other", [5, 5, 5], [1, 1, 1], [6, 6, 6])
    report = cli.nacre("check", weighted, own, same, other, own,
                       f"--backend={backend}")
    assert report.count("  pass") == 4, report
    wrong = weighted_set(tmp_path / "wrong", [5, 5, 5], [1, 1, 1], [2, 3, 4])
    assert error("check", weighted, wrong,
                 f"--backend={backend}").code == cli.Exit.DIFFERS


def test_run_and_bench_take_values_of_initializers_that_are_inputs(weighted,
                                                                   tmp_path):
    data = weighted_set(tmp_path / "data", [5, 5, 5], [1, 1, 1], [6, 6, 6])
    report = cli.nacre("run", weighted, f"--input=w={data}/input_0.pb",
                       f"--input=x={data}/input_1.pb")
    assert "[6, 6, 6]" in report
    assert "[2, 3, 4]" in cli.nacre("run", weighted,
                                    f"--input=x={data}/input_1.pb")
    cli.nacre("bench", weighted, data, "--seconds=0.01")


def test_value_of_an_initializer_must_fit_its_input(weighted, tmp_path):
    data = weighted_set(tmp_path / "data", [5, 5], [1, 1, 1], [6, 6, 6])
    caught = error("check", weighted, data)
    assert caught.code == cli.Exit.BAD_INPUT
    assert "input 'w' needs tensor<3xf32>" in caught.message


def test_value_of_an_initializer_needs_a_compilation_for_it(weighted, tmp_path):
    data = weighted_set(tmp_path / "data", [5, 5, 5], [1, 1, 1], [6, 6, 6])
    caught = error("check", weighted, data, "--dynamic")
    assert caught.code == cli.Exit.BAD_INPUT
    assert "values of initializers need an .onnx model" in caught.message


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_run_names_the_input_that_memory_cannot_hold(tmp_path, backend):
    path = tmp_path / "large.onnx"
    shape = [1 << 15, 1 << 16]
    onnx.save(builders.single("Relu", {"x": ("float32", shape)},
                              {"y": ("float32", shape)}), str(path))
    limit = 6 << 30
    process = subprocess.run(
        [cli.tool(), "run", str(path), f"--backend={backend}"],
        stderr=subprocess.PIPE, text=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                              (limit, limit)))
    assert process.returncode == cli.Exit.BAD_INPUT
    assert "input 'x'" in process.stderr
    assert f"needs {8 << 30} bytes" in process.stderr


def limited_run(path, limit, *words):
    return subprocess.run(
        [cli.tool(), *words, str(path)], stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                              (limit, limit)))


def test_run_names_the_node_whose_result_memory_cannot_hold(tmp_path):
    """Of input and output there is little; what is between them is large."""
    path = tmp_path / "large.onnx"
    size = 1 << 15
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "y"], ["square"], name="outer"),
         builders.node("Softmax", ["square"], ["soft"], axis=0),
         builders.node("ReduceSum", ["soft"], ["z"])],
        {"x": ("float32", [size, 1]), "y": ("float32", [1, size])},
        {"z": ("float32", [1, 1])}, opset=13), str(path))
    process = limited_run(path, 2 << 30, "run")
    assert process.returncode == cli.Exit.BAD_INPUT
    assert "'outer': what is computed at a time needs" in process.stderr
    assert f"{4 << 30} of them" in process.stderr


def test_code_for_this_machine_needs_no_more_memory_than_it_has(tmp_path):
    path = tmp_path / "large.onnx"
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "y"], ["square"], name="outer"),
         builders.node("Softmax", ["square"], ["soft"], axis=0),
         builders.node("ReduceSum", ["soft"], ["z"])],
        {"x": ("float64", [1 << 16, 1]), "y": ("float64", [1, 1 << 16])},
        {"z": ("float64", [1, 1])}, opset=13), str(path))
    if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") > 64 << 30:
        pytest.skip("the machine has memory for it")
    caught = error("compile", path, "-o", tmp_path / "x.o")
    assert caught.code == cli.Exit.BAD_INPUT
    assert "'outer': what is computed at a time needs" in caught.message
    assert "--vpu-arch" in caught.message
    assert not (tmp_path / "x.o").exists()
    cli.nacre("compile", path, "-o", tmp_path / "x.o", "--vpu-arch=x86-64-v3")


@pytest.mark.parametrize("operator, x, weights", [
    ("Conv", [1, 1, 4096, 4096], [1, 1, 4096, 4096]),
    ("MatMul", [1, 1 << 24], [1 << 24, 1])])
def test_weights_that_memory_cannot_hold_packed_stay_in_software(
        operator, x, weights, tmp_path):
    """Of blocks of a single channel, most is zeroes."""
    path = tmp_path / "wide.onnx"
    onnx.save(builders.model(
        [builders.node(operator, ["x", "w"], ["y"])], {"x": ("float32", x)},
        {"y": ("float32", [1] * len(x))}, opset=13,
        weights={"w": np.ones(weights, np.float32)}), str(path))
    process = limited_run(path, 850 << 20, "compile",
                          "--vpu-arch=x86-64-v4", "-o", tmp_path / "x.o")
    assert process.returncode == cli.Exit.SUCCESS, process.stderr


def test_memory_that_runs_out_is_no_internal_error(tmp_path):
    """Input and output fit, but what is written of the output does not."""
    path = tmp_path / "large.onnx"
    shape = [80 << 20]
    onnx.save(builders.single("Relu", {"x": ("float32", shape)},
                              {"y": ("float32", shape)}), str(path))
    process = limited_run(path, 1200 << 20, "run", "--backend=interpreter",
                          f"--output-dir={tmp_path}/out")
    assert process.returncode == cli.Exit.BAD_INPUT
    assert process.stderr == "nacre: error: out of memory\n"
    assert not (tmp_path / "out").exists()


def test_input_file_whose_name_begins_with_random_is_read(relu, tmp_path,
                                                          monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("random.npy", np.float32([[-1, 2, 3], [4, -5, 6]]))
    assert "[0, 2, 3, 4, 0, 6]" in cli.nacre("run", relu,
                                             "--input=x=random.npy")
    caught = error("run", relu, "--input=x=randomly.npy")
    assert "randomly.npy" in caught.message


def test_interpreter_names_the_result_that_memory_cannot_hold(tmp_path):
    path = tmp_path / "large.onnx"
    onnx.save(builders.model(
        [builders.node("ConstantOfShape", ["shape"], ["y"])],
        {"shape": ("int64", [2])}, {"y": ("float32", [None, None])}),
        str(path))
    np.save(tmp_path / "shape.npy", np.array([1 << 20, 1 << 18]))
    caught = error("run", path, "--backend=interpreter",
                   f"--input=shape={tmp_path}/shape.npy")
    assert caught.code == cli.Exit.BAD_INPUT
    assert "'y': a result of type 'tensor<1048576x262144xf32>' needs " \
        in caught.message
