# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--quantize-embeddings: tables of which Gathers pick rows are int8."""

import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli
from nacre.quantization import quantize_dynamic, quantize_static
from nacre.samples import write_tensor

ROWS, WIDTH = 300, 16
CODES = np.array([[0, 5, ROWS - 1], [-1, 7, 7]], np.int64)


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def build(tied=False):
    """Words and their places, of which a Gemm makes scores; with `tied` the words
    are the weights of those."""
    words = random((ROWS, WIDTH), 1)
    words[3] *= 1e3    # another row has another scale
    nodes = [helper.make_node("Gather", ["words", "ids"], ["w"], "words/pick"),
             helper.make_node("Gather", ["places", "at"], ["p"], "places/pick"),
             helper.make_node("Add", ["w", "p"], ["s"], "sum"),
             helper.make_node("Softmax", ["s"], ["t"], "norm"),
             helper.make_node("MatMul", ["t", "tied" if tied else "v"], ["y"],
                              "scores")]
    weights = {"words": words, "places": random((3, WIDTH), 2),
               "at": np.arange(3), "v": random((WIDTH, 8), 3)}
    if tied:
        nodes.insert(4, helper.make_node("Transpose", ["words"], ["tied"],
                                         "turn", perm=[1, 0]))
        nodes.append(helper.make_node("MatMul", ["m", "words"], ["z"], "back"))
    return builders.model(
        nodes, {"ids": ("int64", [2, 3]),
                **({"m": ("float32", [2, ROWS])} if tied else {})},
        {"y": ("float32", [2, 3, ROWS if tied else 8]),
         **({"z": ("float32", [2, WIDTH])} if tied else {})}, weights=weights)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("embeddings")
    onnx.save(build(), str(folder / "net.onnx"))
    place = folder / "data" / "0"
    place.mkdir(parents=True)
    write_tensor(place / "input_0.pb", "ids", CODES)
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "--calibrator=mse", "-o", folder / "r.yaml")
    return folder


def modes(files):
    return {"ranges": [f"--ranges={files / 'r.yaml'}"],
            "dynamic": ["--activations=dynamic"],
            "none": ["--activations=none", "--weights=int8"]}


def quantize(model, out, *options):
    process = subprocess.run([cli.tool(), "quantize", model, "-o", out,
                              *options], text=True, capture_output=True)
    assert process.returncode == 0, process.stderr
    return process.stderr


def arrays(path):
    return [numpy_helper.to_array(tensor)
            for tensor in onnx.load(str(path)).graph.initializer]


@pytest.mark.parametrize("mode", ["ranges", "dynamic", "none"])
def test_table_is_int8_with_a_scale_for_each_row(files, tmp_path, mode):
    options = modes(files)[mode]
    small = tmp_path / "small.onnx"
    summary = quantize(files / "net.onnx", small, *options,
                       "--quantize-embeddings")
    assert "1 of 1 tables of embeddings in int8" in summary
    tables = [a for a in arrays(small) if a.shape == (ROWS, WIDTH)]
    assert [table.dtype for table in tables] == [np.int8]
    scales = [a for a in arrays(small) if a.shape == (ROWS, 1)]
    words = numpy_helper.to_array(build().graph.initializer[0])
    np.testing.assert_allclose(tables[0] * scales[0], words,
                               atol=float(scales[0].max()))
    assert np.abs(tables[0]).max(1).min() == 127
    # What else there is is what it was.
    plain = tmp_path / "plain.onnx"
    quantize(files / "net.onnx", plain, *options)
    assert small.stat().st_size < plain.stat().st_size - 2 * ROWS * WIDTH


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", ["ranges", "dynamic", "none"])
def test_results_are_near(files, tmp_path, mode, backend):
    quantize(files / "net.onnx", tmp_path / "small.onnx", *modes(files)[mode],
             "--quantize-embeddings")
    feeds = {"ids": CODES}
    expected = nacre.InferenceSession(str(files / "net.onnx")).run(["y"], feeds)
    found = run(onnx.load(str(tmp_path / "small.onnx")), feeds, tmp_path,
                backend)["y"]
    noise = ((found - expected[0]) ** 2).sum()
    assert 10 * np.log10((expected[0] ** 2).sum() / noise) > 28


def test_library_has_the_table_as_the_file_has(files, tmp_path):
    for name, option in (("plain", []), ("small", ["--quantize-embeddings"])):
        cli.nacre("compile", files / "net.onnx", f"--ranges={files / 'r.yaml'}",
                  "-o", tmp_path / f"{name}.so", *option)
    quantize(files / "net.onnx", tmp_path / "file.onnx",
             f"--ranges={files / 'r.yaml'}", "--quantize-embeddings")
    cli.nacre("compile", tmp_path / "file.onnx", "-o", tmp_path / "file.so")

    def weights(name):
        line = [line for line in cli.nacre(
            "info", tmp_path / f"{name}.so").splitlines()
            if line.startswith("weights")]
        return int(line[0].split()[1])
    assert weights("small") < weights("plain") - 2 * ROWS * WIDTH
    assert weights("file") == weights("small")


@pytest.mark.parametrize("keep, why", [
    ("--keep=Gather", "Gather is to stay f32"),
    ("--keep-node=words/*", "nodes 'words/\\*' are to stay f32"),
    ("--only=Gemm", "all but Gemm is to stay f32")])
def test_kept_tables_stay(files, tmp_path, keep, why):
    summary = quantize(files / "net.onnx", tmp_path / "small.onnx",
                       f"--ranges={files / 'r.yaml'}", "--quantize-embeddings",
                       keep)
    assert "0 of 1 tables of embeddings in int8; that of 'words/pick' stays " \
        "f32: " + why.replace("\\", "") in summary
    assert [a.dtype for a in arrays(tmp_path / "small.onnx")
            if a.shape == (ROWS, WIDTH)] == [np.float32]


def test_table_that_a_product_reads_too_stays(tmp_path):
    onnx.save(build(tied=True), str(tmp_path / "net.onnx"))
    summary = quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                       "--activations=dynamic", "--quantize-embeddings",
                       "--keep-node=back")
    assert "that of 'words/pick' stays f32: something else reads it in f32" in summary


@pytest.mark.parametrize("mode", ["dynamic", "none"])
def test_table_of_a_product_that_becomes_integers_is_int8(tmp_path, mode):
    """The product has integers of its own; the report says so, and what it takes."""
    onnx.save(build(tied=True), str(tmp_path / "net.onnx"))
    options = {"dynamic": [], "none": ["--weights=int8"]}[mode]
    summary = quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                       f"--activations={mode}", "--quantize-embeddings",
                       f"--report={tmp_path / 'r.json'}", *options)
    assert "1 of 1 tables of embeddings in int8" in summary
    stored = arrays(tmp_path / "small.onnx")
    assert {a.dtype for a in stored if a.shape == (ROWS, WIDTH)} == {
        np.dtype(np.int8)}
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["tables"][0]["precision"] == "int8"
    # The model has other constants, of some bytes, too.
    assert report["constant_bytes"] == pytest.approx(
        sum(a.nbytes for a in stored), rel=0.01)


@pytest.mark.parametrize("mode", ["dynamic", "none", "ranges"])
def test_bytes_of_shared_weights_count_once(tmp_path, mode):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"], "one"),
             helper.make_node("MatMul", ["h", "w"], ["y"], "two")]
    onnx.save(builders.model(nodes, {"x": ("float32", [4, 64])},
                             {"y": ("float32", [4, 64])},
                             weights={"w": random((64, 64), 1)}),
              str(tmp_path / "net.onnx"))
    options = {"dynamic": ["--activations=dynamic"],
               "none": ["--activations=none", "--weights=int8"],
               "ranges": ["--data=random", "--allow-random"]}[mode]
    quantize(tmp_path / "net.onnx", tmp_path / "small.onnx", *options,
             f"--report={tmp_path / 'r.json'}")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["constant_bytes_before"] == 4 * 64 * 64
    assert report["constant_bytes"] == pytest.approx(
        sum(a.nbytes for a in arrays(tmp_path / "small.onnx")), rel=0.1)


def test_model_without_tables_says_so(tmp_path):
    model = builders.model([helper.make_node("Relu", ["x"], ["y"])],
                           {"x": ("float32", [2])}, {"y": ("float32", [2])})
    onnx.save(model, str(tmp_path / "net.onnx"))
    summary = quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                       "--activations=dynamic", "--quantize-embeddings")
    assert "no Gather picks rows of a constant in f32" in summary


def test_report_lists_tables(files, tmp_path):
    sizes = {}
    for form in "json", "txt", "html":
        for name, option in (("plain", []), ("small", ["--quantize-embeddings"])):
            path = tmp_path / f"{name}.{form}"
            quantize(files / "net.onnx", tmp_path / "small.onnx",
                     f"--ranges={files / 'r.yaml'}", f"--report={path}", *option)
            sizes[name] = path.read_text()
        assert ("words/pick" in sizes["small"].partition("ables")[2])
    report = json.loads((tmp_path / "small.json").read_text())
    plain = json.loads((tmp_path / "plain.json").read_text())
    table, = report["tables"]
    assert (table["node"], table["rows"], table["row_size"],
            table["precision"]) == ("words/pick", ROWS, WIDTH, "int8")
    assert 40 < table["snr_db"] < 60
    assert "tables" not in plain
    assert plain["constant_bytes"] - report["constant_bytes"] == \
        3 * ROWS * WIDTH - 4 * ROWS
    assert "int8 tables of embeddings" in report["options"]


def test_what_quantizes_nothing_else_does_not_warn(files, tmp_path):
    summary = quantize(files / "net.onnx", tmp_path / "small.onnx",
                       "--activations=none", "--weights=int8", "--only=Gather",
                       "--quantize-embeddings")
    assert "warning" not in summary
    assert "1 of 1 tables" in summary


@pytest.mark.parametrize("command, message", [
    (["compile"], "--quantize-embeddings needs --ranges or --activations"),
    (["tune", "--target=sqnr>=20"], "tune is about products")])
def test_option_is_refused_where_it_means_nothing(files, tmp_path, command,
                                                  message):
    options = [f"--data={files / 'data'}"] if command[0] == "tune" else []
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre(command[0], files / "net.onnx", "--quantize-embeddings",
                  *command[1:], *options)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_python_has_it_under_either_name(files, tmp_path):
    quantize(files / "net.onnx", tmp_path / "a.onnx", "--activations=dynamic",
             "--quantize-embeddings")
    nacre.quantize(files / "net.onnx", tmp_path / "b.onnx",
                   activations="dynamic", quantize_embeddings=True)
    assert (tmp_path / "a.onnx").read_bytes() == \
        (tmp_path / "b.onnx").read_bytes()
    for name, call in (("c", quantize_dynamic), ("d", quantize_static)):
        reader = [] if call is quantize_dynamic else [[{"ids": CODES}]]
        call(str(files / "net.onnx"), str(tmp_path / f"{name}.onnx"), *reader,
             op_types_to_quantize=["MatMul", "Gather"])
        assert [a.dtype for a in arrays(tmp_path / f"{name}.onnx")
                if a.shape == (ROWS, WIDTH)] == [np.int8]
