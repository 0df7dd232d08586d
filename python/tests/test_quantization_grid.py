# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every choice of types and schemas on the digit classifier, and what guards are
for: biases beyond their type, rounding that leans to one side, batches."""

import re

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor
from test_repairs import decibels

DIGITS = cli.ROOT / "python" / "models" / "digits"
# Decibels that every schema has to leave of the scores, whatever the bias and the
# scales of weights are: a power of two wastes up to a bit, a zero point of 0 half
# of the integers of what is not negative.
FLOORS = {"asymmetric": 27, "symmetric": 24, "symmetric_with_uint8": 27,
          "symmetric_power2": 20}
WIDE_FLOORS = {8: 30, 16: 75}


def read_images():
    images = np.load(DIGITS / "test_images.npy").astype(np.float32)
    return images.reshape(-1, 1, 1, 8, 8)


def scores(model, images):
    session = nacre.InferenceSession(str(model))
    return np.concatenate([session.run(None, {"image": image})[0]
                           for image in images])


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """Ranges of some images, others, and what they are in f32."""
    folder = tmp_path_factory.mktemp("grid")
    images = read_images()
    nacre.calibrate(DIGITS / "digits.onnx",
                    [{"image": image} for image in images[:128]],
                    folder / "ranges.yaml")
    return (folder / "ranges.yaml", images[128:],
            scores(DIGITS / "digits.onnx", images[128:]))


def activations(path):
    """(scale, zero point) of each QuantizeLinear of a file."""
    graph = onnx.load(str(path)).graph
    constants = {tensor.name: numpy_helper.to_array(tensor)
                 for tensor in graph.initializer}
    return [(constants[node.input[1]], constants[node.input[2]])
            for node in graph.node if node.op_type == "QuantizeLinear"]


def quantize(digits, folder, *options):
    cli.nacre("quantize", DIGITS / "digits.onnx", f"--ranges={digits[0]}",
              *options, "-o", folder / "small.onnx")
    return decibels(digits[2], scores(folder / "small.onnx", digits[1]))


@pytest.mark.parametrize("granularity", [[], ["--per-tensor"]])
@pytest.mark.parametrize("schema, bias", [
    *((schema, "int32") for schema in FLOORS), ("asymmetric", "int8"),
    ("symmetric", "f32")])
def test_schema_reaches_its_floor(digits, tmp_path, schema, bias, granularity):
    found = quantize(digits, tmp_path, f"--schema={schema}", f"--bias={bias}",
                     *granularity)
    assert found >= FLOORS[schema]
    parameters = activations(tmp_path / "small.onnx")
    assert parameters
    for scale, zero in parameters:
        if schema != "asymmetric":
            assert zero == 0
        if schema == "symmetric_power2":
            assert np.log2(scale) == np.round(np.log2(scale))


@pytest.mark.parametrize("granularity", [[], ["--per-tensor"]])
@pytest.mark.parametrize("bias", ["int32", "f32"])
@pytest.mark.parametrize("bits", WIDE_FLOORS)
def test_sixteen_bits_reach_their_floor(digits, tmp_path, bits, bias,
                                        granularity):
    found = quantize(digits, tmp_path, "--activations=int16", f"--bias={bias}",
                     f"--weights=int{bits}", *granularity)
    assert found >= WIDE_FLOORS[bits]
    for _, zero in activations(tmp_path / "small.onnx"):
        assert zero == 0 and zero.dtype == np.int16


@pytest.mark.parametrize("granularity", [[], ["--per-tensor"]])
def test_bias_that_is_beyond_its_scale_is_not_lost(tmp_path, granularity):
    """The scale of sums would make 5 an integer that int32 has not."""
    rng = np.random.default_rng(6)
    feeds = [{"x": rng.random((4, 8)).astype(np.float32)} for _ in range(4)]
    onnx.save(builders.model(
        [builders.node("Gemm", ["x", "w", "b"], ["y"], "gemm")],
        {"x": ("float32", [4, 8])}, {"y": ("float32", [4, 2])},
        {"w": np.full((8, 2), 1e-9, np.float32),
         "b": np.float32([5, -5])}), str(tmp_path / "net.onnx"))
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx", feeds,
                   per_tensor=bool(granularity))
    found = nacre.InferenceSession(str(tmp_path / "small.onnx")).run(
        None, feeds[0])[0]
    most = 0.01   # of 5: steps of 2^-30 of it, and what rounds to nothing
    assert np.abs(found - np.float32([5, -5])).max() <= most * 5


def test_bias_makes_up_for_weights_that_round_to_one_side(tmp_path):
    """All but one weight of a channel lie just below the middle of a step."""
    rng = np.random.default_rng(9)
    weights = np.full((64, 8), 10.45 / 127, np.float32)
    weights[0] = 1
    feeds = [{"x": (1 + rng.random((4, 64))).astype(np.float32)}
             for _ in range(8)]
    onnx.save(builders.model(
        [builders.node("Gemm", ["x", "w", "b"], ["y"], "gemm")],
        {"x": ("float32", [4, 64])}, {"y": ("float32", [4, 8])},
        {"w": weights, "b": np.zeros(8, np.float32)}),
        str(tmp_path / "net.onnx"))
    errors = []
    for corrects in (False, True):
        path = tmp_path / f"{corrects}.onnx"
        nacre.quantize(tmp_path / "net.onnx", path, feeds,
                       bias_correction=corrects)
        small = nacre.InferenceSession(str(path))
        exact = nacre.InferenceSession(str(tmp_path / "net.onnx"))
        errors.append(np.mean([small.run(None, feed)[0] -
                               exact.run(None, feed)[0] for feed in feeds]))
    assert abs(errors[1]) <= abs(errors[0]) / 2


def test_batches_of_samples_change_no_range(tmp_path):
    """The same 28 rows by one, four and seven at a time."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((28, 3, 6, 6)).astype(np.float32)
    weights = rng.standard_normal((4, 3, 3, 3)).astype(np.float32)
    found = []
    for size in 1, 4, 7:
        folder = tmp_path / str(size)
        folder.mkdir()
        onnx.save(builders.model(
            [builders.node("Conv", ["x", "w"], ["c"], "conv"),
             builders.node("Relu", ["c"], ["y"], "relu")],
            {"x": ("float32", [size, 3, 6, 6])},
            {"y": ("float32", [size, 4, 4, 4])}, {"w": weights}),
            str(folder / "net.onnx"))
        for i in range(0, len(rows), size):
            (folder / "data" / str(i)).mkdir(parents=True)
            write_tensor(folder / "data" / str(i) / "input_0.pb", "x",
                         rows[i:i + size])
        cli.nacre("calibrate", folder / "net.onnx", "-o", folder / "r.yaml",
                  f"--data={folder / 'data'}", "--backend=interpreter")
        text = (folder / "r.yaml").read_text()
        found.append(text[re.search(r"^values:", text, re.M).start():])
    assert found[0] == found[1] == found[2]
