# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks whose images are computed where the next operator reads them padded,
compared with the interpreter."""

import re

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances
from test_dynamic_images import (assert_near, compile_model, get_feeds,
                                 network, random)


def conv(operand, result, weights, channels, kernel, group=1, **attributes):
    """A convolution of `channels` = (input, output) channels, whose weights are
    added to `weights`; padded to keep the size unless `attributes` say
    otherwise."""
    name = f"w{len(weights)}"
    fan = channels[0] // group * kernel[0] * kernel[1]
    weights[name] = random(channels[1], channels[0] // group,
                           *kernel) / np.float32(np.sqrt(fan))
    attributes.setdefault("pads", [extent // 2 for extent in kernel] * 2)
    return builders.node("Conv", [operand, name], [result], group=group,
                         **attributes)


def chain(first, second, width=32, batch=1):
    """`first`, of `width` channels, then `second`, which reads it padded; each a
    function of what it reads, what it computes and the weights."""
    weights = {}
    nodes = [conv("x", "a", weights, (3, width), (3, 3)),
             builders.node("Relu", ["a"], ["b"]),
             first("b", "c", weights), second("c", "y", weights)]
    return network(nodes, [batch, 3, "height", "width"], weights)


def convolution(channels, kernel, **attributes):
    return lambda x, y, weights: conv(x, y, weights, channels, kernel,
                                      **attributes)


def pool(op, **attributes):
    return lambda x, y, weights: builders.node(op, [x], [y], **attributes)


def residual(pointwise):
    """What is padded is added later, too, and read by a 1×1 convolution."""
    weights = {}
    nodes = [conv("x", "a", weights, (3, 32), (3, 3)),
             conv("a", "b", weights, (32, 32), (3, 3)),
             builders.node("Relu", ["b"], ["c"]),
             conv("c", "d", weights, (32, 32), (3, 3)),
             builders.node("Add", ["c", "d"], ["e"])]
    if pointwise:
        nodes += [conv("c", "f", weights, (32, 32), (1, 1)),
                  builders.node("Add", ["e", "f"], ["y"])]
    else:
        nodes += [builders.node("Relu", ["e"], ["y"])]
    return network(nodes, [1, 3, "height", "width"], weights)


THREE = convolution((32, 32), (3, 3))
NETWORKS = {
    "a 3x3 convolution of another": chain(THREE, THREE),
    "of a batch": chain(THREE, THREE, batch=3),
    "a wide window": chain(THREE, convolution((32, 20), (5, 7))),
    "a dilated window": chain(
        THREE, convolution((32, 32), (3, 3), dilations=[2, 2], pads=[2] * 4)),
    "a stride": chain(THREE, convolution((32, 32), (3, 3), strides=[2, 2])),
    "one side": chain(
        THREE, convolution((32, 32), (3, 3), strides=[2, 2],
                           pads=[0, 0, 1, 1])),
    "more than the window": chain(
        THREE, convolution((32, 32), (3, 3), pads=[3, 2, 4, 1])),
    "columns alone": chain(THREE, convolution((32, 32), (1, 3),
                                              pads=[0, 1, 0, 1])),
    "part of a block": chain(convolution((17, 5), (3, 3)),
                             convolution((5, 33), (3, 3)), width=17),
    "groups": chain(convolution((32, 32), (3, 3), group=2),
                    convolution((32, 32), (3, 3), group=4)),
    "a depthwise convolution of another": chain(
        convolution((32, 32), (3, 3), group=32),
        convolution((32, 32), (5, 5), group=32)),
    "a 3x3 convolution of a 1x1 one": chain(convolution((32, 32), (1, 1)),
                                            THREE),
    "a convolution of a pool": chain(
        pool("MaxPool", kernel_shape=[2, 2], strides=[1, 1]), THREE),
    "a pool of a convolution": chain(
        THREE, pool("MaxPool", kernel_shape=[3, 3], pads=[1] * 4)),
    "an average of a convolution": chain(
        THREE, pool("AveragePool", kernel_shape=[3, 3], pads=[1] * 4,
                    strides=[2, 2])),
    "what is added later": residual(pointwise=False),
    "what a 1x1 convolution reads": residual(pointwise=True),
}


@pytest.mark.parametrize("architecture, threads",
                         [("x86-64-v3", 1), ("x86-64-v4", 2)])
@pytest.mark.parametrize("name", NETWORKS)
def test_padded_images_are_right(name, architecture, threads, tmp_path):
    model = NETWORKS[name]
    batch = 3 if name == "of a batch" else 1
    # A dynamic model first, then sizes that fill register tiles and that do not.
    dynamic = compile_model(model, tmp_path, threads,
                            f"--vpu-arch={architecture}")
    for size in [(28, 56), (7, 9)]:
        folder = tmp_path / str(size[0])
        folder.mkdir()
        static = compile_model(model, folder, threads,
                               f"--vpu-arch={architecture}",
                               f"--shape=x={batch}x3x{size[0]}x{size[1]}")
        feeds = get_feeds(model, size)
        expected = run(model, feeds, tmp_path, "interpreter")["y"]
        assert_near(static.run(feeds)["y"], expected, name)
        assert_near(dynamic.run(feeds)["y"], expected, f"{name}, dynamic")


@pytest.mark.parametrize("threads", [1, 2])
def test_padded_images_in_bfloat16_are_near(threads, tmp_path):
    model = NETWORKS["a 3x3 convolution of another"]
    compiled = compile_model(model, tmp_path, threads, "--precision=bf16",
                             "--shape=x=1x3x28x28")
    feeds = get_feeds(model, (28, 28))
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    near = tolerances.CHECK_BFLOAT16["rtol"]
    np.testing.assert_allclose(compiled.run(feeds)["y"], expected, rtol=near,
                               atol=near * np.abs(expected).max())


def test_border_is_filled_where_a_convolution_follows_another(tmp_path):
    """One of the two images is the model's input, which a copy pads."""
    path, assembly = tmp_path / "model.onnx", tmp_path / "model.s"
    onnx.save(NETWORKS["a 3x3 convolution of another"], str(path))
    cli.nacre("compile", path, "-o", assembly, "--emit=asm",
              "--shape=x=1x3x112x112", "--vpu-arch=x86-64-v3")
    kernels = re.findall(r"^(vpu_\w+):", assembly.read_text(), re.MULTILINE)
    assert any(kernel.startswith("vpu_fillborder") for kernel in kernels)
