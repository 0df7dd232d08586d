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


NETS = {"images": (images, lambda: {"x": draw((ROWS, 8, 14, 14), 7)}),
        "rows": (rows, lambda: {
            "x": np.random.default_rng(8).integers(0, 50, (ROWS, 9)),
            "z": draw((ROWS, 40), 9)})}


def write(folder, feeds, size, backwards=False):
    starts = list(range(0, ROWS, size))
    for number, start in enumerate(starts[::-1] if backwards else starts):
        place = folder / str(number)
        place.mkdir(parents=True)
        for i, (name, array) in enumerate(feeds.items()):
            write_tensor(place / f"input_{i}.pb", name, array[start:start + size])
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


def test_number_of_samples_is_that_of_what_is_in_batches(tmp_path):
    build, feeds = NETS["rows"]
    build(tmp_path / "net.onnx", "n")
    write(tmp_path / "data", feeds(), 4)
    write(tmp_path / "alone", feeds(), 1)
    found = calibrate(tmp_path, "--samples=6")
    assert count(found) == 6
    assert found == calibrate(tmp_path, "--samples=6", data="alone")


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


def test_model_of_a_fixed_batch_takes_no_other(tmp_path):
    build, feeds = NETS["rows"]
    build(tmp_path / "net.onnx", 4)
    write(tmp_path / "data", feeds(), 4)
    assert count(calibrate(tmp_path)) == ROWS // 4
    build(tmp_path / "net.onnx", "n")
    assert count(calibrate(tmp_path, "--shape=x=4x9", "--shape=z=4x40")) == \
        ROWS // 4
