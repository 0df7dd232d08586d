# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Channels that change places between convolutions stay in blocks."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli, tolerances
from test_dynamic_images import SIZES, check_at_sizes, random


def shuffled(groups, channels, size=("height", "width"), batch=1, opset=13):
    """Grouped convolutions before and after a shuffle, and a depthwise one
    between them (Zhang et al., "ShuffleNet", 2018)."""
    weights = {"w1": random(channels, channels // groups, 1, 1),
               "w2": random(channels, 1, 3, 3),
               "w3": random(channels, channels // groups, 1, 1),
               "apart": np.array([batch, groups, channels // groups]),
               "joined": np.array([batch, channels]),
               "two": np.array([2]), "four": np.array([4])}
    nodes = [
        builders.node("Conv", ["x", "w1"], ["a"], group=groups),
        builders.node("Relu", ["a"], ["b"]),
        builders.node("Shape", ["b"], ["s"]),
        builders.node("Slice", ["s", "two", "four"], ["pixels"]),
        builders.node("Concat", ["apart", "pixels"], ["s1"], axis=0),
        builders.node("Concat", ["joined", "pixels"], ["s2"], axis=0),
        builders.node("Reshape", ["b", "s1"], ["c"]),
        builders.node("Transpose", ["c"], ["d"], perm=[0, 2, 1, 3, 4]),
        builders.node("Reshape", ["d", "s2"], ["e"]),
        builders.node("Conv", ["e", "w2"], ["f"], group=channels,
                      pads=[1, 1, 1, 1]),
        builders.node("Conv", ["f", "w3"], ["y"], group=groups)]
    return builders.model(
        nodes, inputs={"x": ("float32", [batch, channels, *size])},
        outputs={"y": ("float32", [batch, channels, "p", "q"])},
        weights=weights, opset=opset)


# Groups of blocks, of parts of blocks, of more blocks than one, and images that
# are shuffled alike.
SHAPES = {"groups of a block": (4, 64, 1), "groups within blocks": (3, 24, 1),
          "groups of parts of blocks": (4, 112, 1),
          "several images": (2, 40, 3)}


def get_shuffles(model, folder, *options):
    path, vpu = folder / "model.onnx", folder / "model.mlir"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu", *options)
    return vpu.read_text().count("VPU.ShuffleChannels")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_shuffle_is_right_at_every_size(name, threads, tmp_path):
    groups, channels, batch = SHAPES[name]
    model = shuffled(groups, channels, batch=batch)
    assert get_shuffles(model, tmp_path, "--vpu-arch=x86-64-v4") > 0
    check_at_sizes(model, tmp_path, threads, SIZES)


@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", SHAPES)
def test_shuffle_of_known_size_is_right(name, architecture, tmp_path):
    groups, channels, batch = SHAPES[name]
    check_at_sizes(shuffled(groups, channels, (28, 15), batch), tmp_path, 2,
                   [(28, 15)], f"--vpu-arch={architecture}")


def test_shuffle_of_bfloat16_is_near(tmp_path):
    model = shuffled(4, 64)
    assert get_shuffles(model, tmp_path, "--precision=bf16",
                        "--vpu-arch=znver4") > 0
    check_at_sizes(model, tmp_path, 2, SIZES, "--precision=bf16",
                   tolerance=tolerances.NETWORK_BFLOAT16)


def test_shuffle_that_someone_else_reads_in_planes_stays_in_them(tmp_path):
    model = shuffled(4, 64, (14, 14))
    model.graph.output.append(onnx.helper.make_tensor_value_info(
        "e", onnx.TensorProto.FLOAT, [1, 64, 14, 14]))
    assert get_shuffles(model, tmp_path) == 0
