# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks around a convolution of small groups of channels, of which a block
holds several, compared with the interpreter."""

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances
from test_dynamic_images import (assert_near, check_at_sizes, compile_model,
                                 get_feeds, network, random)


def groups(channels, size, kernel=(3, 3), stride=1, dilation=1, batch=1):
    """What is before the groups is added behind them, if they leave the image
    as large as it is."""
    pads = [(extent - 1) * dilation // 2 for extent in kernel] * 2
    nodes = [
        builders.node("Conv", ["x", "w1"], ["a"]),
        builders.node("Relu", ["a"], ["b"]),
        builders.node("Conv", ["b", "w2", "b2"], ["c"], pads=pads,
                      group=channels // size, strides=[stride] * len(kernel),
                      dilations=[dilation] * len(kernel))]
    nodes += ([builders.node("Add", ["c", "b"], ["d"])] if stride == 1
              else [builders.node("Identity", ["c"], ["d"])])
    nodes.append(builders.node("Relu", ["d"], ["y"]))
    ones = [1] * len(kernel)
    weights = {"w1": random(channels, 3, *ones),
               "w2": random(channels, size, *kernel), "b2": random(channels)}
    return network(nodes, [batch, 3, *["height", "width"][2 - len(kernel):]],
                   weights)


NETWORKS = {
    "of 2": groups(32, 2),
    "of 4": groups(64, 4),
    "of 8": groups(32, 8),
    "of 16": groups(32, 16),
    "that end within a block": groups(20, 4),
    "with a stride": groups(48, 4, stride=2),
    "dilated": groups(16, 2, dilation=2, batch="n"),
    "pointwise": groups(32, 4, kernel=(1, 1)),
    "of a large window": groups(16, 4, kernel=(7, 5)),
}
SIZES = [(1, 1), (7, 14), (23, 31)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", NETWORKS)
def test_groups_are_right_at_every_size(name, architecture, threads, tmp_path):
    check_at_sizes(NETWORKS[name], tmp_path, threads, SIZES,
                   f"--vpu-arch={architecture}")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", NETWORKS)
def test_groups_in_a_known_image_are_right(name, architecture, threads,
                                           tmp_path):
    model = NETWORKS[name]
    batch = 3 if name == "dilated" else 1
    # Large enough for two threads.
    compiled = compile_model(model, tmp_path, threads,
                             f"--vpu-arch={architecture}",
                             f"--shape=x={batch}x3x57x61")
    feeds = get_feeds(model, (57, 61))
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    assert_near(compiled.run(feeds)["y"], expected, name)


def test_groups_in_a_sequence_are_right(tmp_path):
    check_at_sizes(groups(32, 4, kernel=(3,)), tmp_path, 2, [(1,), (48,)])


@pytest.mark.parametrize("name", NETWORKS)
def test_groups_in_bfloat16_are_near(name, tmp_path):
    model = NETWORKS[name]
    compiled = compile_model(model, tmp_path, 1, "--precision=bf16",
                             "--vpu-arch=znver4")
    feeds = get_feeds(model, (23, 31))
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    near = tolerances.CHECK_BFLOAT16["rtol"]
    np.testing.assert_allclose(compiled.run(feeds)["y"], expected, rtol=near,
                               atol=near * np.abs(expected).max())


@pytest.mark.parametrize("name, architecture, op", [
    ("of 4", "x86-64-v3", "GroupConvolution"),
    ("of 8", "x86-64-v3", "Convolution"),  # whole blocks
    ("of 8", "x86-64-v4", "GroupConvolution"),
    ("of 16", "x86-64-v4", "Convolution")])
def test_groups_keep_the_layout_of_their_neighbours(name, architecture, op,
                                                    tmp_path):
    path, vpu = tmp_path / "model.onnx", tmp_path / "model.mlir"
    onnx.save(NETWORKS[name], str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu",
              f"--vpu-arch={architecture}")
    text = vpu.read_text()
    assert text.count(f"VPU.NCE.{op} ") == (1 if op[0] == "G" else 2)
    # Into blocks once, and back once.
    assert text.count("srcOrder = #VPU.order<NCHW>}") == 1
    assert text.count("dstOrder = #VPU.order<NCHW>,") == 1
