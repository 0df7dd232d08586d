# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Samples that come in batches are measured as those that come alone."""

import re

import numpy as np
import onnx
import pytest

from nacre import builders, cli
from nacre.samples import write_tensor

ROWS = 28


def draw(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def images(path, batch):
    """Convolutions, of which some might be computed by Winograd's algorithm, a
    normalisation, means, products and a softmax."""
    node = builders.node
    onnx.save(builders.model(
        [node("Conv", ["x", "w1"], ["c1"], pads=[1] * 4),
         node("Relu", ["c1"], ["r1"]),
         node("Conv", ["r1", "w2"], ["c2"], pads=[1] * 4),
         node("Add", ["c2", "r1"], ["s"]),
         node("Conv", ["s", "w3"], ["c3"], group=32, strides=[2, 2]),
         node("InstanceNormalization", ["c3", "one", "zero"], ["i"]),
         node("GlobalAveragePool", ["i"], ["g"]),
         node("Flatten", ["g"], ["f"]),
         node("Gemm", ["f", "w4"], ["p"]),
         node("Softmax", ["p"], ["y"], axis=1)],
        {"x": ("float32", [batch, 8, 14, 14])}, {"y": ("float32", [batch, 300])},
        {"w1": draw((32, 8, 3, 3), 1), "w2": draw((32, 32, 3, 3), 2),
         "w3": draw((32, 1, 3, 3), 3), "w4": draw((32, 300), 4),
         "one": np.ones(32, np.float32), "zero": np.zeros(32, np.float32)}),
        str(path))


def rows(path, batch):
    """Rows of a table, attention between the words of each sample, and the
    product with what is the same for all."""
    node = builders.node
    onnx.save(builders.model(
        [node("Gather", ["table", "x"], ["e"]),
         node("Transpose", ["e"], ["t"], perm=[0, 2, 1]),
         node("MatMul", ["e", "t"], ["q"]),
         node("Softmax", ["q"], ["a"], axis=-1),
         node("MatMul", ["a", "e"], ["v"]),
         node("MatMul", ["v", "w"], ["u"]),
         node("ReduceMean", ["u"], ["m"], axes=[1], keepdims=0),
         node("Add", ["m", "z"], ["y"])],
        {"x": ("int64", [batch, 9]), "z": ("float32", [batch, 40])},
        {"y": ("float32", [batch, 40])},
        {"table": draw((50, 72), 5), "w": draw((72, 40), 6)}, opset=13),
        str(path))


def multiplying(path, columns):
    node = builders.node
    onnx.save(builders.model(
        [node("MatMul", ["x", "w"], ["p"]), node("Relu", ["p"], ["y"])],
        {"x": ("float32", ["n", 8])}, {"y": ("float32", ["n", columns])},
        {"w": draw((8, columns), 1)}), str(path))


def words(path, batch):
    """A transformer's layer for sequences of any length, which computes its shapes:
    places, attention between heads, and rows of all samples at once."""
    node = builders.node
    onnx.save(builders.model(
        [node("Gather", ["table", "x"], ["e"]),
         node("Shape", ["x"], ["size"]),
         node("Gather", ["size", "zero"], ["batch"]),
         node("Gather", ["size", "one"], ["length"]),
         node("Slice", ["places", "zero", "length", "zero"], ["p"]),
         node("Add", ["e", "p"], ["s"]),
         node("Concat", ["batch", "length", "heads"], ["split"], axis=0),
         node("Reshape", ["s", "split"], ["h"]),
         node("Transpose", ["h"], ["q"], perm=[0, 2, 1, 3]),
         node("Transpose", ["h"], ["k"], perm=[0, 2, 3, 1]),
         node("MatMul", ["q", "k"], ["scores"]),
         node("Softmax", ["scores"], ["a"], axis=-1),
         node("MatMul", ["a", "q"], ["c"]),
         node("Transpose", ["c"], ["t"], perm=[0, 2, 1, 3]),
         node("Reshape", ["t", "rows"], ["r"]),
         node("Gemm", ["r", "w"], ["g"]),
         node("Concat", ["batch", "length", "width"], ["whole"], axis=0),
         node("Reshape", ["g", "whole"], ["y"])],
        {"x": ("int64", [batch, "length"])},
        {"y": ("float32", [batch, "length", 24])},
        {"table": draw((50, 24), 5), "places": draw((20, 24), 6),
         "w": draw((24, 24), 7), "zero": np.int64([0]), "one": np.int64([1]),
         "heads": np.int64([2, 12]), "width": np.int64([24]),
         "rows": np.int64([-1, 24])}, opset=13), str(path))


def layers(path, batch):
    """Recurrent layers, whose samples are the second dimension, and a state."""
    node = builders.node
    lstm = dict(hidden_size=6)
    onnx.save(builders.model(
        [node("LSTM", ["x", "w1", "r1", "", "", "h"], ["a"], **lstm),
         node("Squeeze", ["a", "one"], ["b"]),
         node("GRU", ["b", "w2", "r2"], ["c"], hidden_size=5,
              direction="bidirectional"),
         node("Transpose", ["c"], ["d"], perm=[0, 2, 1, 3]),
         node("Reshape", ["d", "joined"], ["e"]),
         node("RNN", ["e", "w3", "r3", "", "lengths"], ["f", "last"],
              hidden_size=4),
         node("Add", ["last", "gain"], ["y"])],
        {"x": ("float32", ["steps", batch, 8]),
         "h": ("float32", [1, batch, 6]), "lengths": ("int32", [batch]),
         "gain": ("float32", [])},
        {"y": ("float32", [1, batch, 4])},
        {"w1": draw((1, 24, 8), 1), "r1": draw((1, 24, 6), 2),
         "w2": draw((2, 15, 6), 3), "r2": draw((2, 15, 5), 4),
         "w3": draw((1, 4, 10), 5), "r3": draw((1, 4, 4), 6),
         "one": np.int64([1]), "joined": np.int64([0, 0, 10])}, opset=13),
        str(path))


def run_lengths():
    return np.random.default_rng(9).integers(1, 6, ROWS).astype(np.int32)


NETS = {"images": (images, lambda: {"x": draw((ROWS, 8, 14, 14), 7)}),
        "rows": (rows, lambda: {
            "x": np.random.default_rng(8).integers(0, 50, (ROWS, 9)),
            "z": draw((ROWS, 40), 9)}),
        "words": (words, lambda: {
            "x": np.random.default_rng(8).integers(0, 50, (ROWS, 9))}),
        "layers": (layers, lambda: {
            "x": draw((5, ROWS, 8), 7), "h": draw((1, ROWS, 6), 8),
            "lengths": run_lengths(), "gain": np.float32(2)})}
BEHIND_STEPS = {"x": 1, "h": 1, "lengths": 0, "gain": None}


def cut(array, dim, start, size):
    return (array if dim is None else
            np.take(array, range(start, min(start + size, ROWS)), axis=dim))


def write(folder, feeds, size, backwards=False):
    dims = BEHIND_STEPS if "lengths" in feeds else {}
    starts = list(range(0, ROWS, size))
    for number, start in enumerate(starts[::-1] if backwards else starts):
        place = folder / str(number)
        place.mkdir(parents=True)
        for i, (name, array) in enumerate(feeds.items()):
            write_tensor(place / f"input_{i}.pb", name,
                         cut(array, dims.get(name, 0), start, size))
    return folder


def calibrate(folder, *options, model="net.onnx", data="data"):
    cli.nacre("calibrate", folder / model, f"--data={folder / data}", "-o",
              folder / "r.yaml", *options)
    return (folder / "r.yaml").read_text()


def count(text):
    return int(re.search(r"samples: +(\d+)", text).group(1))


@pytest.mark.parametrize("net", NETS)
def test_range_profile_is_the_same_in_any_batches(tmp_path, net):
    """And in any order, and for one or two threads, byte by byte."""
    build, feeds = NETS[net]
    build(tmp_path / "net.onnx", "n")
    found = set()
    for size, threads, backwards in ((1, 1, False), (1, 2, True), (4, 1, True),
                                     (4, 2, False), (7, 1, False)):
        place = f"{size}-{threads}"
        write(tmp_path / place, feeds(), size, backwards)
        found.add(calibrate(tmp_path, f"--threads={threads}", data=place))
    assert len(found) == 1
    assert count(found.pop()) == ROWS


def test_limit_of_samples_is_one_of_batches(tmp_path):
    """All of what is in those counts."""
    build, feeds = NETS["rows"]
    build(tmp_path / "net.onnx", "n")
    write(tmp_path / "data", feeds(), 4)
    write(tmp_path / "alone", feeds(), 1)
    found = calibrate(tmp_path, "--samples=3")
    assert count(found) == 12
    assert found == calibrate(tmp_path, "--samples=12", data="alone")


def test_batches_beyond_the_default_limit_count_as_a_whole(tmp_path):
    multiplying(tmp_path / "net.onnx", 4)
    x = draw((400, 8), 3)
    for i in range(2):
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        write_tensor(tmp_path / "data" / str(i) / "input_0.pb", "x",
                     x[200 * i:200 * i + 200])
    assert count(calibrate(tmp_path)) == 400
    assert count(calibrate(tmp_path, "--samples=1")) == 200


def test_labels_are_those_of_all_samples_in_batches(tmp_path):
    multiplying(tmp_path / "net.onnx", 4)
    write(tmp_path / "data", {"x": draw((ROWS, 8), 3)}, 7)
    (tmp_path / "labels.txt").write_text("0\n" * 14)
    tune = ["tune", tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
            f"--labels={tmp_path / 'labels.txt'}", "--target=top1>=0", "-o",
            tmp_path / "t.yaml"]
    cli.nacre(*tune, "--samples=2")
    with pytest.raises(cli.NacreError, match="has 14 labels, and the samples "
                                             "need 28"):
        cli.nacre(*tune)


@pytest.mark.parametrize("array, message", [
    (np.ones((4, 8)), "tensor<4x8xf64>"),
    (np.ones((4, 9), np.float32), "4x9|4, 9")])
def test_message_names_the_data_as_they_were_given(tmp_path, array, message):
    multiplying(tmp_path / "net.onnx", 4)
    (tmp_path / "data" / "0").mkdir(parents=True)
    write_tensor(tmp_path / "data" / "0" / "input_0.pb", "x", array)
    with pytest.raises(cli.NacreError, match=message):
        calibrate(tmp_path)


def test_options_are_checked_before_data_are_read(tmp_path):
    multiplying(tmp_path / "net.onnx", 4)
    (tmp_path / "data" / "0").mkdir(parents=True)
    (tmp_path / "data" / "0" / "input_0.pb").write_bytes(b"garbage")
    for command, *options in (("calibrate",), ("quantize",),
                              ("tune", "--target=sqnr>=1")):
        with pytest.raises(cli.NacreError, match="--schema"):
            cli.nacre(command, tmp_path / "net.onnx",
                      f"--data={tmp_path / 'data'}", "--schema=none", *options)
    with pytest.raises(cli.NacreError, match="--minimize"):
        cli.nacre("tune", tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
                  "--target=sqnr>=1", "--minimize=none")


def test_quantized_model_is_the_same_in_any_batches(tmp_path):
    build, feeds = NETS["images"]
    build(tmp_path / "net.onnx", "n")
    for size in 1, 7:
        folder = tmp_path / str(size)
        write(folder / "data", feeds(), size)
        cli.nacre("quantize", tmp_path / "net.onnx", f"--data={folder / 'data'}",
                  "-o", folder / "small.onnx", f"--report={folder / 'r.json'}")
        cli.nacre("tune", tmp_path / "net.onnx", f"--data={folder / 'data'}",
                  "--target=sqnr>=10", "-o", folder / "tuned.yaml")
    for name in "small.onnx", "small.ranges.yaml", "r.json", "tuned.yaml":
        assert ((tmp_path / "1" / name).read_bytes()
                == (tmp_path / "7" / name).read_bytes()), name


def mixing(path):
    """What a sample becomes follows from all of the batch."""
    node = builders.node
    onnx.save(builders.model(
        [node("ReduceMax", ["x"], ["m"], axes=[0], keepdims=1),
         node("Sub", ["x", "m"], ["y"])],
        {"x": ("float32", ["n", 8])}, {"y": ("float32", ["n", 8])}, opset=13),
        str(path))


def recurrent(path):
    """The first dimension is time, which the model has the same name for
    everywhere."""
    node = builders.node
    onnx.save(builders.model(
        [node("LSTM", ["x", "w", "r"], ["h"], hidden_size=4),
         node("Squeeze", ["h", "axes"], ["y"])],
        {"x": ("float32", ["n", 1, 8])}, {"y": ("float32", ["n", 1, 4])},
        {"w": draw((1, 16, 8), 1), "r": draw((1, 16, 4), 2),
         "axes": np.int64([1])}, opset=13), str(path))


@pytest.mark.parametrize("build, shape", [(mixing, (8,)), (recurrent, (1, 8))])
def test_samples_that_a_model_mixes_stay_together(tmp_path, build, shape):
    build(tmp_path / "net.onnx")
    write(tmp_path / "data", {"x": draw((ROWS, *shape), 3)}, 7)
    assert count(calibrate(tmp_path)) == ROWS // 7


@pytest.mark.parametrize("op, attributes, width", [
    ("Mul", {}, 8), ("Concat", {"axis": 1}, 9)])
def test_rows_that_a_run_finds_are_no_samples(tmp_path, op, attributes, width):
    """However many there are, they are for the file as a whole."""
    node = builders.node
    onnx.save(builders.model(
        [node("NonZero", ["mask"], ["i"]),
         node("Transpose", ["i"], ["t"], perm=[1, 0]),
         node("Cast", ["t"], ["c"], to=onnx.TensorProto.FLOAT),
         node(op, ["x", "c"], ["p"], **attributes),
         node("Relu", ["p"], ["y"])],
        {"x": ("float32", ["n", 8]), "mask": ("float32", [5])},
        {"y": ("float32", ["n", width])}, opset=13), str(tmp_path / "net.onnx"))
    write(tmp_path / "data", {"x": draw((ROWS, 8), 3)}, 4)
    for folder in (tmp_path / "data").iterdir():
        write_tensor(folder / "input_1.pb", "mask",
                     np.float32([1, 1, 0, 1, 1]))
    assert count(calibrate(tmp_path)) == ROWS // 4


def test_addend_of_a_sum_for_each_sample_is_no_row_of_it(tmp_path):
    node = builders.node
    onnx.save(builders.model(
        [node("Gemm", ["x", "w", "b"], ["y"])],
        {"x": ("float32", ["n", 8]), "b": ("float32", ["n"])},
        {"y": ("float32", ["n", 4])}, {"w": draw((8, 4), 1)}, opset=13),
        str(tmp_path / "net.onnx"))
    write(tmp_path / "data", {"x": draw((ROWS, 8), 3), "b": draw(ROWS, 4)}, 4)
    assert count(calibrate(tmp_path)) == ROWS // 4


def test_model_of_a_fixed_batch_takes_no_other(tmp_path):
    build, feeds = NETS["rows"]
    build(tmp_path / "net.onnx", 4)
    write(tmp_path / "data", feeds(), 4)
    assert count(calibrate(tmp_path)) == ROWS // 4
    build(tmp_path / "net.onnx", "n")
    assert count(calibrate(tmp_path, "--shape=x=4x9", "--shape=z=4x40")) == \
        ROWS // 4
