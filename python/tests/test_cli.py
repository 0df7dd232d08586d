"""Exit codes, messages and files of the command line tool."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from nacre import builders, cases, cli


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


def test_unknown_backend_is_bad_input(relu):
    assert error("run", relu, "--backend=quantum").code == cli.Exit.BAD_INPUT


def test_check_of_right_outputs_passes(relu, tmp_path):
    data = data_set(tmp_path / "right", [[-1, 2, 3]] * 2, [[0, 2, 3]] * 2)
    assert cli.nacre("check", relu, data).splitlines()[-1] == "PASS"


def test_check_of_wrong_outputs_differs(relu, tmp_path):
    data = data_set(tmp_path / "wrong", [[-1, 2, 3]] * 2, [[1, 2, 3]] * 2)
    assert error("check", relu, data).code == cli.Exit.DIFFERS


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
