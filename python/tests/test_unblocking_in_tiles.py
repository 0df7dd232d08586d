# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large results of the engine that get the model's order tile by tile, compared
with the interpreter."""

import numpy as np
import pytest

from backends import run
from nacre import builders
from test_dynamic_images import (assert_near, compile_model, get_feeds,
                                 network, random)

CHANNELS, SIZE = 8, (120, 132)


def convolution(outputs, kernel=3, batch=1, **attributes):
    """A convolution whose result the model gives."""
    groups = attributes.get("group", 1)
    weights = {"w": random(outputs, CHANNELS // groups, kernel, kernel),
               "b": random(outputs)}
    return network([builders.node("Conv", ["x", "w", "b"], ["y"],
                                  **attributes)],
                   [batch, CHANNELS, "height", "width"], weights)


NETWORKS = {
    "dilated": convolution(64, dilations=[2, 3], pads=[2, 3, 2, 3]),
    "Winograd's": convolution(64, pads=[1] * 4),
    "pointwise": convolution(72, kernel=1),
    "with a stride": convolution(72, pads=[1] * 4, strides=[1, 2]),
    "of part of a block": convolution(37, dilations=[1, 2], pads=[1, 2, 1, 2]),
    "in groups": convolution(64, pads=[1] * 4, group=2),
    "without padding": convolution(64, kernel=5),
    "of a batch": convolution(24, batch=3, pads=[1] * 4),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("sizes", ["known", "unknown"])
@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", NETWORKS)
def test_results_in_tiles_are_right(name, architecture, sizes, threads,
                                    tmp_path):
    model = NETWORKS[name]
    batch = 3 if name == "of a batch" else 1
    shape = f"{batch}x{CHANNELS}x{SIZE[0]}x{SIZE[1]}"
    known = [f"--shape=x={shape}"] if sizes == "known" else []
    compiled = compile_model(model, tmp_path, threads,
                             f"--vpu-arch={architecture}", *known)
    feeds = get_feeds(model, SIZE)
    expected = run(model, feeds, tmp_path, "interpreter")["y"]
    assert_near(compiled.run(feeds)["y"], expected, name)


def test_result_in_blocks_takes_a_tile_of_memory(tmp_path):
    """The arena has tiles alone, of what is padded and of the result."""
    model = NETWORKS["dilated"]
    compiled = compile_model(
        model, tmp_path, 1, "--vpu-arch=x86-64-v4",
        f"--shape=x=1x{CHANNELS}x{4 * SIZE[0]}x{SIZE[1]}")
    result = 4 * np.prod([64, *SIZE]) * np.dtype(np.float32).itemsize
    assert compiled.metadata["arena_bytes"] < result / 8
