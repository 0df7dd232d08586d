# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--strategies` of operators and of software kernels: whatever a person decides
about them, their results stay."""

import json
import random
import re

import numpy as np
import pytest

from backends import run
from nacre import builders, cli, tolerances

ALGORITHMS = {
    "IE.ArgMax": ["inTurn", "atOnce"],
    "IE.ArgMin": ["inTurn", "atOnce"],
    "IE.AveragePool": ["direct", "software", "slices"],
    "IE.Conv": ["inTurn", "atOnce"],
    "IE.ConvTranspose": ["phases", "phasesAsChannels", "software"],
    "IE.Gemm": ["panels", "rowMajor"],
    "IE.GridSample": ["direct", "planes"],
    "IE.LRN": ["direct", "slices"],
    "IE.MatMul": ["panels", "rowMajor"],
    "IE.MatMulInteger": ["panels", "software", "rowMajor"],
    "IE.MaxPool": ["direct", "software", "asOperand", "slices"],
    "IE.RoiAlign": ["direct", "channelsLast", "channelsLastIfMany"],
    "IE.Softmax": ["direct", "inPlace", "atOnce"],
    "IE.TopK": ["candidates", "columns", "sortedColumns"],
    "IE.Trilu": ["direct", "cutRows"],
}
# Of 16-bit floats, and of single elements.
ALGORITHMS_OF_NODES = {
    "mixed": ["inTurn", "rowMajor"],
    "blurred": ["direct", "software", "slices", "narrowImage",
                "narrowSoftware"]}


def network():
    """Operators with several algorithms, and software kernels whose loops could be
    others: transpositions of many and of few elements, products of few rows of
    bytes, and a mean of large windows. Means of 16-bit floats are of an image that is
    too large for a table of the engine's divisors. The maxima are of volumes, as are
    two convolutions."""
    rng = np.random.default_rng(3)
    nodes = [
        builders.node("TopK", ["columns", "k"], ["best", "places"], name="best",
                      axis=1),
        builders.node("ConvTranspose", ["image", "kernel"], ["larger"],
                      name="larger", strides=[2, 2]),
        builders.node("LRN", ["image"], ["even"], name="even", size=5),
        builders.node("GridSample", ["image", "grid"], ["warped"],
                      name="warped"),
        builders.node("RoiAlign", ["image", "regions", "images"], ["crops"],
                      name="crops", output_height=3, output_width=3,
                      sampling_ratio=2),
        builders.node("Softmax", ["row"], ["shares"], name="shares"),
        builders.node("Trilu", ["colours"], ["upper"], name="upper"),
        builders.node("Transpose", ["matrix"], ["turned"], name="turned",
                      perm=[1, 0]),
        builders.node("Transpose", ["colours"], ["planes"], name="planes",
                      perm=[1, 0]),
        builders.node("MatMulInteger", ["few", "bytes"], ["sums"], name="sums"),
        builders.node("MatMulInteger", ["few", "unsigned"], ["more"], name="more"),
        builders.node("AveragePool", ["image"], ["means"], name="means",
                      kernel_shape=[7, 7], pads=[3] * 4),
        builders.node("ArgMax", ["columns"], ["highest"], name="highest", axis=1),
        builders.node("ArgMin", ["columns"], ["lowest"], name="lowest", axis=2),
        builders.node("Cast", ["halves"], ["floats"], name="floats", to=1),
        builders.node("AveragePool", ["floats"], ["blurred"], name="blurred",
                      kernel_shape=[3, 3], pads=[1] * 4),
        builders.node("MaxPool", ["volume"], ["maxima"], name="maxima",
                      kernel_shape=[2, 2, 2], strides=[2, 2, 2]),
        builders.node("Conv", ["volume", "cube"], ["filtered"], name="filtered",
                      pads=[1] * 6),
        builders.node("Conv", ["volume", "mixture"], ["mixed"], name="mixed"),
        builders.node("MatMul", ["matrix", "computed"], ["product"],
                      name="product"),
        builders.node("Gemm", ["rows", "computed"], ["affine"], name="affine",
                      transB=1),
    ]
    inputs = {"columns": ("float32", [2, 90, 12]),
              "image": ("float32", [1, 8, 20, 24]),
              "row": ("float32", [1, 20000]),
              "grid": ("float32", [1, 9, 11, 2]),
              "matrix": ("float32", [40, 52]), "colours": ("uint8", [100, 3]),
              "few": ("uint8", [2, 20]), "bytes": ("int8", [20, 70]),
              "unsigned": ("uint8", [20, 70]),
              "halves": ("float16", [1, 8, 200, 190]),
              "volume": ("float32", [1, 4, 6, 8, 6]),
              "computed": ("float32", [52, 37]), "rows": ("float32", [3, 37])}
    outputs = {"best": ("float32", [2, 4, 12]), "places": ("int64", [2, 4, 12]),
               "larger": ("float32", [1, 3, 42, 50]),
               "even": ("float32", [1, 8, 20, 24]),
               "warped": ("float32", [1, 8, 9, 11]),
               "crops": ("float32", [2, 8, 3, 3]),
               "shares": ("float32", [1, 20000]),
               "turned": ("float32", [52, 40]), "planes": ("uint8", [3, 100]),
               "upper": ("uint8", [100, 3]),
               "sums": ("int32", [2, 70]), "more": ("int32", [2, 70]),
               "means": ("float32", [1, 8, 20, 24]),
               "highest": ("int64", [2, 1, 12]), "lowest": ("int64", [2, 90, 1]),
               "blurred": ("float32", [1, 8, 200, 190]),
               "maxima": ("float32", [1, 4, 3, 4, 3]),
               "filtered": ("float32", [1, 5, 6, 8, 6]),
               "mixed": ("float32", [1, 5, 6, 8, 6]),
               "product": ("float32", [40, 37]), "affine": ("float32", [3, 52])}
    model = builders.model(
        nodes, inputs, outputs, opset=16,
        weights={"k": np.array([4], np.int64),
                 "kernel": rng.standard_normal((8, 3, 4, 4)).astype(np.float32),
                 "cube": rng.standard_normal((5, 4, 3, 3, 3)).astype(np.float32),
                 "mixture":
                     rng.standard_normal((5, 4, 1, 1, 1)).astype(np.float32),
                 "regions": np.array([[1, 1, 15, 12], [0, 3, 20, 19]],
                                     np.float32),
                 "images": np.zeros(2, np.int64)})
    feeds = {name: rng.integers(0, 100, shape).astype(dtype)
             if "int" in dtype
             else rng.standard_normal(shape).astype(dtype)
             for name, (dtype, shape) in inputs.items()}
    return model, feeds


def draw_loops(rng, entry):
    """Other loops for a software kernel: of a transposition, blocks; of other
    kernels, those of the op."""
    text = entry["strategy"]
    if "blockEdge" in text:
        edge = rng.choice([0, 2, 4, 8, 16, 32])
        return re.sub(r"blockEdge = \d+", f"blockEdge = {edge}", text)
    if "byteProduct" in text:
        rows, columns = rng.choice([4, 8, 12]), rng.choice([16, 64, 100])
        text = re.sub(r"rows = \d+", f"rows = {rows}", text)
        text = re.sub(r"columns = \d+", f"columns = {columns}", text)
        return rng.choice([text, text.replace(", rowsInside = true", "")])
    return rng.choice([text, "#VPU.strategy<kernel = <loops = <>>>"])


def draw(rng, entry):
    if entry["decides"] == "operators":
        algorithms = ALGORITHMS[entry["signature"].split(" ")[0]]
        algorithm = rng.choice(
            ALGORITHMS_OF_NODES.get(entry["node"], algorithms))
        return f"#VPU.strategy<algorithm = {algorithm}>"
    return draw_loops(rng, entry)


@pytest.fixture(scope="module", params=["host", "x86-64-v3", "x86-64"])
def chosen(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    model, feeds = network()
    dump = folder / "chosen.json"
    options = [f"--vpu-arch={request.param}"]
    expected = run(model, feeds, folder, "cpu", *options,
                   f"--dump-strategies={dump}")
    return model, feeds, options, expected, json.loads(dump.read_text())


def test_each_operator_with_a_choice_has_an_entry(chosen):
    named = {entry["signature"].split(" ")[0] for entry in chosen[-1]["ops"]
             if entry["decides"] == "operators"}
    assert named == set(ALGORITHMS)


def test_software_kernels_have_entries_for_their_loops(chosen):
    text = [entry["strategy"] for entry in chosen[-1]["ops"]
            if entry["decides"] == "registers" and "linalg" in
            entry["signature"]]
    for word in ("blockEdge = ", "unrolled = ", "innermost = "):
        assert any(word in strategy for strategy in text)


@pytest.mark.parametrize("seed", range(6))
def test_any_strategy_has_the_same_results(chosen, seed, tmp_path):
    model, feeds, options, expected, strategies = chosen
    rng = random.Random(seed)
    # Kernels are those of the algorithms that were chosen: either is changed.
    decides = rng.choice(["operators", "registers"])
    entries = [dict(entry, strategy=draw(rng, entry))
               for entry in strategies["ops"]
               if entry["decides"] == decides and
               ("IE." in entry["signature"] or "linalg" in entry["signature"])]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    found = run(model, feeds, tmp_path, "cpu", *options,
                f"--strategies={file}")
    for name in ("best", "places", "turned", "planes", "sums", "more", "highest",
                 "lowest", "maxima"):
        np.testing.assert_array_equal(found[name], expected[name])
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name],
                                   **tolerances.CANCELLATION)


def test_an_algorithm_that_cannot_be_applied_is_refused(chosen, tmp_path):
    model, feeds, options, _, strategies = chosen
    entries = [dict(entry, strategy="#VPU.strategy<algorithm = bestElement>")
               for entry in strategies["ops"] if entry["node"] == "best"
               and entry["decides"] == "operators"]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    with pytest.raises(cli.NacreError, match="'best'.*expected algorithm = "
                                             "candidates or columns or sortedColumns alone"):
        run(model, feeds, tmp_path, "cpu", *options, f"--strategies={file}")


def reductions():
    """Two reductions of one operand, rows that are summed where they are computed,
    and a layer of which cores share the channels of the result."""
    rng = np.random.default_rng(4)
    nodes = [
        builders.node("ReduceMax", ["table"], ["most"], name="most", axes=[0, 1],
                      keepdims=0),
        builders.node("ReduceMin", ["table"], ["least"], name="least",
                      axes=[0, 1], keepdims=0),
        builders.node("Softmax", ["row"], ["shares"], name="shares"),
        builders.node("Conv", ["image", "w"], ["first"], name="first"),
        builders.node("Conv", ["first", "u"], ["layer"], name="layer"),
    ]
    inputs = {"table": ("float32", [300, 200]), "row": ("float32", [8, 4096]),
              "image": ("float32", [1, 96, 7, 7])}
    outputs = {"most": ("float32", []), "least": ("float32", []),
               "shares": ("float32", [8, 4096]),
               "layer": ("float32", [1, 320, 7, 7])}
    model = builders.model(
        nodes, inputs, outputs, opset=13,
        weights={"w": rng.standard_normal((512, 96, 1, 1)).astype(np.float32),
                 "u": rng.standard_normal((320, 512, 1, 1)).astype(np.float32)})
    feeds = {name: rng.standard_normal(shape).astype(dtype)
             for name, (dtype, shape) in inputs.items()}
    return model, feeds


@pytest.mark.parametrize("decides, word", [
    ("groups", "merge = "), ("joins", "joinStored = true"),
    ("buffers", "prefetchInput = true")])
def test_what_is_read_once_or_early_has_the_same_results_without(decides, word,
                                                                 tmp_path):
    model, feeds = reductions()
    # A host may have caches too small for an input to be asked for.
    options = ["--vpu-arch=x86-64-v3", "--threads=2"]
    dump = tmp_path / "chosen.json"
    expected = run(model, feeds, tmp_path, "cpu", *options,
                   f"--dump-strategies={dump}")
    strategies = json.loads(dump.read_text())
    entries = [dict(entry, strategy="#VPU.strategy<>")
               for entry in strategies["ops"]
               if entry["decides"] == decides and word in entry["strategy"]]
    assert entries
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**strategies, "ops": entries}))
    again = tmp_path / "again.json"
    found = run(model, feeds, tmp_path, "cpu", *options,
                f"--strategies={file}", f"--dump-strategies={again}")
    assert word not in again.read_text()
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name],
                                   **tolerances.CANCELLATION)
