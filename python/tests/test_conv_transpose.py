# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposed convolutions on the engine, compared with the interpreter: every way
to pad, stride, dilate and group them, of known sizes and of unknown ones."""

import itertools

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances
from test_dynamic_images import (assert_near, check_at_sizes, compile_model,
                                 get_feeds, network, random)

# A single pixel, fewer than a register tile has, and more.
SIZES = [(1, 1), (3, 5), (23, 31)]


def transposed(inputs, outputs, kernel, batch=1, relu=True, **attributes):
    """A transposed convolution of images, or of sequences where the kernel has
    one size."""
    group = attributes.get("group", 1)
    weights = {"w": random(inputs, outputs // group, *kernel),
               "b": random(outputs)}
    nodes = [builders.node("ConvTranspose", ["x", "w", "b"],
                           ["a" if relu else "y"], "transposed",
                           **attributes)]
    if relu:
        nodes.append(builders.node("LeakyRelu", ["a"], ["y"], alpha=0.1))
    spatial = ["height", "width"][2 - len(kernel):]
    return network(nodes, [batch, inputs, *spatial], weights)


def decoder():
    """Images halved, doubled twice, normalized, and joined with those before."""
    weights = {"w1": random(24, 3, 3, 3) / 5, "w2": random(32, 24, 3, 3) / 8,
               "w3": random(32, 16, 2, 2) / 6, "w4": random(40, 3, 4, 4) / 12,
               "b1": random(24), "s": random(16), "h": random(16),
               "m": random(16), "v": np.abs(random(16)) + 1}
    return network(
        [builders.node("Conv", ["x", "w1", "b1"], ["a"], pads=[1, 1, 1, 1]),
         builders.node("Relu", ["a"], ["b"]),
         builders.node("Conv", ["b", "w2"], ["c"], pads=[1, 1, 1, 1],
                       strides=[2, 2]),
         builders.node("ConvTranspose", ["c", "w3"], ["d"], strides=[2, 2],
                       output_padding=[1, 1], pads=[1, 1, 0, 0]),
         builders.node("BatchNormalization", ["d", "s", "h", "m", "v"], ["e"]),
         builders.node("Relu", ["e"], ["f"]),
         builders.node("Concat", ["f", "b"], ["j"], axis=1),
         builders.node("ConvTranspose", ["j", "w4"], ["k"], strides=[2, 2],
                       pads=[1, 1, 1, 1]),
         builders.node("Tanh", ["k"], ["y"])],
        [1, 3, "height", "width"], weights)


def get_sizes(name):
    """Those that are halved are even."""
    return [(2 * rows, 2 * columns) if name == "decoder" else (rows, columns)
            for rows, columns in SIZES]


NETWORKS = {
    "doubled": transposed(20, 24, (4, 4), strides=[2, 2], pads=[1, 1, 1, 1]),
    "doubled without overlap": transposed(20, 33, (2, 2), strides=[2, 2]),
    "with phases of several lengths": transposed(
        20, 16, (3, 5), strides=[2, 3], pads=[1, 0, 0, 2],
        output_padding=[1, 2]),
    "without strides": transposed(20, 24, (3, 3), pads=[1, 1, 1, 1]),
    "batch": transposed(20, 24, (3, 3), strides=[2, 1], batch="n"),
    "stride beyond the kernel": transposed(20, 24, (2, 3), strides=[3, 4]),
    "dilated": transposed(16, 16, (3, 2), dilations=[2, 3]),
    "dilated with strides": transposed(16, 16, (3, 4), dilations=[3, 2],
                                       strides=[2, 4]),
    "groups of blocks": transposed(64, 32, (3, 3), group=2, strides=[2, 2]),
    "groups within blocks": transposed(24, 36, (3, 3), group=3,
                                       strides=[2, 2], pads=[1, 1, 0, 0]),
    "groups left to software": transposed(36, 4, (3, 3), group=4),
    "channels of their own": transposed(24, 24, (4, 4), group=24,
                                        strides=[2, 2], pads=[1, 1, 1, 1]),
    "few channels": transposed(20, 3, (4, 4), strides=[2, 2],
                               pads=[1, 1, 1, 1]),
    "few channels of a batch": transposed(20, 5, (3, 3), strides=[2, 2],
                                          pads=[1, 0, 0, 1], batch="n"),
    "many phases": transposed(20, 24, (16, 16), strides=[8, 8],
                              pads=[4, 4, 4, 4]),
    "many phases of groups": transposed(18, 18, (16, 16), group=18,
                                        strides=[8, 8], pads=[4, 4, 4, 4]),
    "upper": transposed(20, 24, (4, 3), auto_pad="SAME_UPPER",
                        strides=[2, 2]),
    "lower": transposed(20, 24, (4, 3), auto_pad="SAME_LOWER",
                        strides=[1, 2]),
    "same beyond the kernel": transposed(20, 24, (1, 2),
                                         auto_pad="SAME_UPPER",
                                         strides=[2, 3]),
    "valid": transposed(20, 24, (3, 3), auto_pad="VALID", strides=[2, 2]),
    "decoder": decoder(),
}

SEQUENCES = {
    "sequence": transposed(20, 24, (3,), pads=[1, 1]),
    "doubled sequence": transposed(20, 24, (4,), strides=[2], pads=[1, 1]),
    "sequence with a long kernel": transposed(32, 16, (16,), strides=[8],
                                              pads=[4, 4], batch="n"),
    "sequence of few channels": transposed(20, 1, (4,), strides=[2]),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", NETWORKS)
def test_images_are_right_at_every_size(name, threads, tmp_path):
    check_at_sizes(NETWORKS[name], tmp_path, threads, get_sizes(name))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_are_right_at_every_length(name, threads, tmp_path):
    check_at_sizes(SEQUENCES[name], tmp_path, threads,
                   [(1,), (2,), (15,), (1001,)])


@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", ["doubled", "groups within blocks",
                                  "few channels", "decoder"])
def test_images_on_other_vectors_are_right(name, architecture, tmp_path):
    check_at_sizes(NETWORKS[name], tmp_path, 1, get_sizes(name),
                   f"--vpu-arch={architecture}")


@pytest.mark.parametrize("name", ["doubled", "without strides",
                                  "channels of their own", "decoder"])
def test_images_in_bfloat16_are_near(name, tmp_path):
    model = NETWORKS[name]
    compiled = compile_model(model, tmp_path, 1, "--precision=bf16")
    for size in get_sizes(name):
        feeds = get_feeds(model, size)
        expected = run(model, feeds, tmp_path, "interpreter")["y"]
        near = tolerances.CHECK_BFLOAT16["rtol"]
        np.testing.assert_allclose(compiled.run(feeds)["y"], expected,
                                   rtol=near,
                                   atol=near * np.abs(expected).max())


# Kernels, strides, dilations, pads before and after, output padding: of one
# dimension, as the other one does not matter to it.
LINES = [(kernel, stride, dilation, pads, more)
         for kernel, stride, dilation, pads, more in itertools.product(
             (1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3),
             ((0, 0), (1, 0), (0, 2), (3, 3)), (0, 1))
         if more < max(stride, dilation)
         and stride * 5 + (kernel - 1) * dilation + more >= sum(pads)]


@pytest.mark.parametrize("stride", [1, 2, 3, 4])
def test_every_window_is_right(stride, tmp_path):
    """As many outputs of one network, for few compilations."""
    lines = [line for line in LINES if line[1] == stride]
    rng = np.random.default_rng(7)
    nodes, weights, outputs = [], {}, {}
    for i, (kernel, _, dilation, pads, more) in enumerate(lines):
        weights[f"w{i}"] = random(3, 16, kernel)
        weights[f"b{i}"] = random(16)
        nodes.append(builders.node(
            "ConvTranspose", ["x", f"w{i}", f"b{i}"], [f"y{i}"],
            strides=[stride], dilations=[dilation], pads=pads,
            output_padding=[more]))
        outputs[f"y{i}"] = ("float32", [1, 16, f"o{i}"])
    x = rng.standard_normal((1, 3, 6)).astype(np.float32)
    for shape in ([1, 3, 6], [1, 3, "length"]):
        model = builders.model(nodes, {"x": ("float32", shape)}, outputs,
                               weights)
        expected = run(model, {"x": x}, tmp_path, "interpreter")
        compiled = compile_model(model, tmp_path, 1)
        for name, found in compiled.run({"x": x}).items():
            assert_near(found, expected[name], f"{lines[int(name[1:])]}")


@pytest.mark.parametrize("output", [(9, 9), (10, 12), (7, 8)])
def test_output_shape_crops_or_extends(output, tmp_path):
    """Beyond what the kernel reaches is the bias."""
    model = transposed(20, 24, (2, 3), strides=[2, 2], output_shape=output)
    for dim, size in zip(model.graph.input[0].type.tensor_type.shape.dim[2:],
                         (4, 4)):
        dim.dim_value = size
    feeds = {"x": random(1, 20, 4, 4)}
    (expected,) = run(model, feeds, tmp_path, "interpreter").values()
    (found,) = compile_model(model, tmp_path, 1).run(feeds).values()
    assert expected.shape == (1, 24, *output)
    assert_near(found, expected, str(output))


@pytest.mark.parametrize(
    "name", sorted(NETWORKS.keys() - {"groups left to software"}))
def test_images_of_any_size_are_convolved_on_the_engine(name, tmp_path):
    path, vpu = tmp_path / "model.onnx", tmp_path / "model.mlir"
    onnx.save(NETWORKS[name], str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu")
    text = vpu.read_text()
    assert "VPU.NCE" in text
    # A software kernel would sum.
    assert '"reduction"' not in text


def test_activation_of_phases_is_post_processing(tmp_path):
    path, vpu = tmp_path / "model.onnx", tmp_path / "model.mlir"
    onnx.save(NETWORKS["doubled"], str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu")
    text = vpu.read_text()
    assert text.count("mode = LRELU") == 4
    assert "NCE.Eltwise" not in text
