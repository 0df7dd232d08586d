# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks over three spatial dimensions on the engine, to which a volume is a
batch of images, compared with the interpreter."""

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances
from side_by_side import check, convolution, list_software, transposed
from test_dynamic_images import assert_near, compile_model, random


CONVOLUTIONS = {
    "padded": convolution((1, 20, 5, 6, 7), (24, 20, 3, 3, 3),
                          pads=[1, 1, 1, 1, 1, 1]),
    "wide enough for other algorithms": convolution(
        (1, 32, 6, 20, 20), (32, 32, 3, 3, 3), pads=[1, 1, 1, 1, 1, 1]),
    "one channel": convolution((1, 1, 5, 6, 7), (16, 1, 3, 3, 3)),
    "few channels of a batch": convolution(
        (2, 3, 9, 6, 7), (20, 3, 3, 3, 2), strides=[2, 1, 2],
        dilations=[3, 1, 2], pads=[1, 1, 0, 2, 0, 1]),
    "padded unevenly": convolution((1, 16, 4, 5, 6), (16, 16, 2, 3, 2),
                                   pads=[2, 0, 1, 0, 1, 0]),
    "strides": convolution((1, 16, 9, 9, 9), (24, 16, 3, 3, 3),
                           strides=[3, 2, 1], pads=[1, 1, 1, 1, 1, 1]),
    "dilated": convolution((1, 16, 9, 9, 9), (16, 16, 3, 3, 3),
                           dilations=[3, 2, 1]),
    "same": convolution((1, 16, 6, 6, 6), (16, 16, 4, 3, 2),
                        auto_pad="SAME_LOWER", strides=[2, 1, 2]),
    "batch": convolution((3, 16, 5, 6, 7), (16, 16, 3, 3, 3),
                         pads=[1, 1, 1, 1, 1, 1]),
    "batch with strides": convolution((2, 16, 7, 6, 5), (16, 16, 2, 2, 2),
                                      strides=[2, 2, 2]),
    "batch of images of their own": convolution((3, 16, 5, 6, 7),
                                                (16, 16, 1, 3, 3)),
    "depth alone": convolution((1, 16, 9, 5, 4), (16, 16, 5, 1, 1)),
    "1x1x1": convolution((2, 24, 3, 4, 5), (40, 24, 1, 1, 1)),
    "1x1x1 with strides": convolution((1, 24, 5, 4, 5), (40, 24, 1, 1, 1),
                                      strides=[2, 2, 2]),
    "groups of part blocks": convolution((1, 15, 5, 6, 7), (21, 5, 3, 3, 3),
                                         group=3),
    "groups in blocks": convolution((1, 16, 5, 6, 7), (16, 4, 3, 3, 3),
                                    group=4),
    "depthwise": convolution((1, 20, 5, 6, 7), (20, 1, 3, 3, 3), group=20,
                             pads=[1, 1, 1, 1, 1, 1]),
}

TRANSPOSED = {
    "doubled": transposed((1, 20, 3, 4, 5), (20, 24, 4, 4, 4),
                          strides=[2, 2, 2], pads=[1, 1, 1, 1, 1, 1]),
    "doubled without overlap": transposed((2, 20, 3, 4, 5), (20, 16, 2, 2, 2),
                                          strides=[2, 2, 2]),
    "phases of several lengths": transposed(
        (1, 20, 3, 4, 5), (20, 16, 3, 5, 2), strides=[2, 3, 2],
        pads=[1, 1, 0, 0, 2, 0], output_padding=[1, 2, 0]),
    "without strides": transposed((1, 20, 3, 4, 5), (20, 24, 3, 3, 3),
                                  pads=[1, 1, 1, 1, 1, 1]),
    "stride beyond the kernel": transposed((1, 20, 3, 4, 5),
                                           (20, 24, 2, 1, 3),
                                           strides=[3, 2, 4]),
    "dilated with strides": transposed((1, 16, 3, 4, 5), (16, 16, 3, 2, 3),
                                       dilations=[3, 2, 4], strides=[2, 4, 2]),
    "depth without strides": transposed((1, 16, 3, 4, 5), (16, 16, 3, 2, 2),
                                        strides=[1, 2, 2]),
    "depth alone": transposed((1, 16, 3, 4, 5), (16, 16, 2, 1, 1),
                              strides=[2, 1, 1]),
    "cropped": transposed((1, 16, 4, 4, 4), (16, 16, 2, 2, 2),
                          strides=[2, 2, 2], pads=[3, 1, 2, 2, 1, 0]),
    "output shape": transposed((1, 16, 3, 3, 3), (16, 16, 2, 2, 2),
                               strides=[2, 2, 2], output_shape=[5, 7, 6]),
    "same": transposed((1, 16, 3, 4, 5), (16, 16, 3, 4, 3),
                       auto_pad="SAME_UPPER", strides=[2, 2, 1]),
    "few channels": transposed((1, 20, 3, 4, 5), (20, 3, 2, 2, 2),
                               strides=[2, 2, 2]),
    "groups": transposed((1, 32, 3, 4, 5), (32, 16, 2, 2, 2), group=2,
                         strides=[2, 2, 2]),
    "groups in blocks": transposed((1, 16, 3, 4, 5), (16, 4, 3, 3, 3), group=4,
                                   strides=[2, 2, 2]),
    "depthwise": transposed((1, 20, 3, 4, 5), (20, 1, 4, 4, 4), group=20,
                            strides=[2, 2, 2]),
}

CASES = CONVOLUTIONS | {f"transposed: {k}": v for k, v in TRANSPOSED.items()}


@pytest.mark.parametrize("architecture, threads",
                         [("x86-64-v3", 1), ("x86-64-v4", 2)])
def test_windows_over_volumes_are_right(architecture, threads, tmp_path):
    check(CASES, tmp_path, threads, f"--vpu-arch={architecture}")


def test_windows_over_volumes_on_an_npu_are_right(tmp_path):
    check({name: CASES[name] for name in (
        "padded", "strides", "depthwise", "transposed: doubled")},
          tmp_path, 1, "--vpu-arch=NPU37XX")


def test_windows_over_volumes_in_bfloat16_are_near(tmp_path):
    check(CASES, tmp_path, 1, "--precision=bf16",
          tolerance=tolerances.NETWORK_BFLOAT16)


@pytest.mark.parametrize("op, group", [("Conv", 1), ("Conv", 16),
                                       ("ConvTranspose", 1)])
def test_sums_over_depth_in_bfloat16_are_rounded_once(op, group, tmp_path):
    """Of 256 and 1, bf16 has no sum."""
    w = np.zeros((16, 16 // group, 15, 1, 1), np.float32)
    for channel in range(16):
        w[channel, channel % w.shape[1], :, 0, 0] = [256, *[1] * 14]
    x = np.ones((1, 16, 15, 2, 2), np.float32)
    model = builders.model(
        [builders.node(op, ["x", "w"], ["y"], group=group)],
        {"x": ("float32", x.shape)}, {"y": ("float32", None)},
        weights={"w": w})
    y = run(model, {"x": x}, tmp_path, "cpu", "--precision=bf16")["y"]
    middle = y[:, :, y.shape[2] // 2]
    np.testing.assert_array_equal(middle, np.full((1, 16, 2, 2), 270))


def test_windows_over_volumes_are_on_the_engine(tmp_path):
    assert not list_software(CASES, tmp_path)


def segmentation(batch):
    """A U-Net of one level, a residual block in it, and a classifier."""
    def convolve(source, result, inputs, outputs, kernel=3):
        weights[f"w{result}"] = (random(outputs, inputs, *[kernel] * 3)
                                 / np.float32(np.sqrt(inputs * kernel ** 3)))
        weights[f"b{result}"] = random(outputs)
        return builders.node(
            "Conv", [source, f"w{result}", f"b{result}"], [result],
            pads=[kernel // 2] * 6)

    weights = {"u": random(32, 16, 2, 2, 2) / 8}
    nodes = [convolve("x", "a", 2, 16),
             builders.node("Relu", ["a"], ["b"]),
             builders.node("MaxPool", ["b"], ["c"], kernel_shape=[2, 2, 2],
                           strides=[2, 2, 2]),
             convolve("c", "d", 16, 32),
             builders.node("LeakyRelu", ["d"], ["e"], alpha=0.1),
             convolve("e", "f", 32, 32),
             builders.node("Add", ["f", "e"], ["g"]),
             builders.node("Relu", ["g"], ["h"]),
             builders.node("ConvTranspose", ["h", "u"], ["i"],
                           strides=[2, 2, 2]),
             builders.node("Concat", ["i", "b"], ["j"], axis=1),
             convolve("j", "k", 32, 16),
             builders.node("Sigmoid", ["k"], ["l"]),
             convolve("l", "y", 16, 3, kernel=1)]
    return builders.model(
        nodes, {"x": ("float32", [batch, 2, 8, 12, 10])},
        {"y": ("float32", [batch, 3, 8, 12, 10])}, weights)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", [1, 2, "n"])
def test_network_of_volumes_is_right(batch, threads, tmp_path):
    model = segmentation(batch)
    feeds = {"x": random(3 if batch == "n" else batch, 2, 8, 12, 10)}
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    found = compile_model(model, tmp_path, threads).run(feeds)["y"]
    assert_near(found, expected, str(batch))


POOLS = {
    "halved": ("MaxPool", {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}),
    "overlapping": ("MaxPool", {"kernel_shape": [3, 3, 3],
                                "strides": [2, 2, 2], "pads": [1] * 6}),
    "ceiling": ("MaxPool", {"kernel_shape": [2, 3, 2], "strides": [2, 2, 2],
                            "ceil_mode": 1}),
    "dilated": ("MaxPool", {"kernel_shape": [2, 2, 2], "dilations": [3, 2, 1],
                            "pads": [1, 0, 0, 0, 1, 1]}),
    "images": ("MaxPool", {"kernel_shape": [1, 2, 2], "strides": [1, 2, 2]}),
    "depth": ("MaxPool", {"kernel_shape": [3, 1, 1], "pads": [1, 0, 0] * 2}),
    "mean": ("AveragePool", {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}),
    "mean of padding": ("AveragePool", {"kernel_shape": [3, 3, 3],
                                        "pads": [1] * 6,
                                        "count_include_pad": 1}),
    "mean without padding": ("AveragePool", {"kernel_shape": [3, 3, 3],
                                             "pads": [1] * 6}),
    "mean beside padding": ("AveragePool", {"kernel_shape": [2, 3, 3],
                                            "pads": [0, 1, 1] * 2}),
    "mean beyond the end": ("AveragePool", {"kernel_shape": [2, 2, 2],
                                            "strides": [2, 2, 2],
                                            "ceil_mode": 1}),
    "whole": ("GlobalAveragePool", {}),
    "largest": ("GlobalMaxPool", {}),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", [1, 2])
def test_pools_of_volumes_of_the_engine_are_right(batch, threads, tmp_path):
    nodes = [builders.node("Conv", ["x", "w"], ["a"])]
    for i, (name, (op, attributes)) in enumerate(POOLS.items()):
        nodes.append(builders.node(op, ["a"], [f"y{i}"], name, **attributes))
    shape = (batch, 3, 7, 6, 9)
    model = builders.model(
        nodes, {"x": ("float32", shape)},
        {f"y{i}": ("float32", [batch, 20, f"d{i}", f"h{i}", f"w{i}"])
         for i in range(len(POOLS))}, {"w": random(20, 3, 1, 1, 1)})
    feeds = {"x": random(*shape)}
    expected = run(model, feeds, tmp_path, "interpreter")
    found = compile_model(model, tmp_path, threads).run(feeds)
    for i, name in enumerate(POOLS):
        assert_near(found[f"y{i}"], expected[f"y{i}"], name)


@pytest.mark.parametrize("shape", [
    (2, 17, 5, 6, 7), ("n", 17, "d", "h", "w"), (2, 17, 5, "h", 7)], ids=str)
def test_pools_of_volumes_of_bytes_are_right(shape, tmp_path):
    nodes = [
        builders.node("MaxPool", ["x"], ["a"], kernel_shape=[3, 3, 3],
                      pads=[1] * 6),
        builders.node("MaxPool", ["x"], ["b"], kernel_shape=[1, 3, 3],
                      pads=[0, 1, 1] * 2),
        *(builders.node("DequantizeLinear", [name, "scale", "zero"],
                        [f"float_{name}"]) for name in "ab"),
        builders.node("GlobalAveragePool", ["float_a"], ["mean"]),
        builders.node("QuantizeLinear", ["mean", "scale", "zero"], ["c"]),
        builders.node("Add", ["float_a", "float_b"], ["sum"]),
        builders.node("QuantizeLinear", ["sum", "scale", "zero"], ["d"])]
    model = builders.model(
        nodes, {"x": ("uint8", shape)},
        {name: ("uint8", [f"{name}{i}" for i in range(5)]) for name in "abcd"},
        {"scale": np.float32(0.5), "zero": np.uint8(3)})
    feeds = {"x": np.random.default_rng(0).integers(
        0, 256, (2, 17, 5, 6, 7)).astype(np.uint8)}
    expected = run(model, feeds, tmp_path, "interpreter")
    for name, found in compile_model(model, tmp_path, 1).run(feeds).items():
        np.testing.assert_array_equal(found, expected[name], name)


def test_network_of_volumes_leaves_the_engine_at_its_ends(tmp_path):
    path, vpu = tmp_path / "model.onnx", tmp_path / "model.mlir"
    onnx.save(segmentation(1), str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu")
    text = vpu.read_text()
    assert text.count("linalg.transpose") == 2
    assert text.count("VPU.NCE.Eltwise") == 1  # two operands of one addition
