# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks around a depthwise convolution of what a 1×1 convolution widens, as
MobileNets are made of, compared with the interpreter."""

import re

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances
from test_dynamic_images import (assert_near, compile_model, get_feeds,
                                 network, random)


def bottleneck(channels, wide, kernel=(3, 3), stride=1, pads=None, batch=1,
               dilation=1, tail="Conv"):
    """Widened, convolved, narrowed again or not."""
    pads = pads or [(extent - 1) * dilation // 2 for extent in kernel] * 2
    nodes = [
        builders.node("Conv", ["x", "w0"], ["a"]),
        builders.node("Conv", ["a", "w1", "b1"], ["b"]),
        builders.node("Clip", ["b", "low", "high"], ["c"]),
        builders.node("Conv", ["c", "w2", "b2"], ["d"], pads=pads, group=wide,
                      strides=[stride] * 2, dilations=[dilation] * 2),
        builders.node("Relu", ["d"], ["e"]),
        builders.node("Conv", ["e", "w3"], ["y"]) if tail == "Conv"
        else builders.node(tail, ["e"], ["y"])]
    weights = {"w0": random(channels, 3, 1, 1),
               "w1": random(wide, channels, 1, 1), "b1": random(wide) + 1,
               "w2": random(wide, 1, *kernel), "b2": random(wide),
               "w3": random(channels, wide, 1, 1),
               "low": np.float32(0), "high": np.float32(6)}
    return network(nodes, [batch, 3, "height", "width"], weights)


NETWORKS = {
    "that narrow": bottleneck(24, 144),
    "with a stride": bottleneck(16, 96, stride=2),
    "of a large window": bottleneck(16, 64, kernel=(5, 7)),
    "padded on one side": bottleneck(16, 64, stride=2, pads=[0, 0, 1, 1]),
    "padded by more than the window": bottleneck(16, 64, pads=[3, 2, 4, 1]),
    "of columns alone": bottleneck(16, 64, kernel=(1, 3)),
    "dilated": bottleneck(16, 64, dilation=2),
    "of a batch": bottleneck(16, 96, batch=3),
    "that stay wide": bottleneck(16, 96, tail="Identity"),
    "of part of a block": bottleneck(5, 20),
    "of one block": bottleneck(8, 16),
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", NETWORKS)
def test_bottlenecks_are_right(name, architecture, threads, tmp_path):
    model = NETWORKS[name]
    # Rows for an even split and for none, and more than a cache holds.
    for size in [(28, 30), (7, 7), (112, 200)]:
        batch = 3 if name == "of a batch" else 1
        folder = tmp_path / str(size[0])
        folder.mkdir()
        compiled = compile_model(model, folder, threads,
                                 f"--vpu-arch={architecture}",
                                 f"--shape=x={batch}x3x{size[0]}x{size[1]}")
        feeds = get_feeds(model, size)
        expected = run(model, feeds, tmp_path, "interpreter")["y"]
        assert_near(compiled.run(feeds)["y"], expected, name)


@pytest.mark.parametrize("threads", [1, 2])
def test_bottlenecks_in_bfloat16_are_near(threads, tmp_path):
    model = NETWORKS["that narrow"]
    compiled = compile_model(model, tmp_path, threads, "--precision=bf16",
                             "--shape=x=1x3x28x30")
    feeds = get_feeds(model, (28, 30))
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    near = tolerances.CHECK_BFLOAT16["rtol"]
    np.testing.assert_allclose(compiled.run(feeds)["y"], expected, rtol=near,
                               atol=near * np.abs(expected).max())


@pytest.mark.parametrize("name", ["that narrow", "with a stride"])
def test_wide_images_are_never_stored(name, tmp_path):
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(NETWORKS[name], str(path))
    cli.nacre("compile", path, "-o", library, "--shape=x=1x3x112x112",
              "--vpu-arch=sapphirerapids")
    header = library.with_suffix(".h").read_text()
    arena = int(re.search(r"ARENA_BYTES (\d+)", header).group(1))
    wide = 144 if name == "that narrow" else 96
    assert arena < wide * 112 * 112 * 4
