# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated code under AddressSanitizer, each of its buffers by itself."""

import numpy as np
import pytest

from backends import run, skip_unless_runnable
from nacre import accesses, builders
from side_by_side import Case, build
from test_dynamic_images import NETWORKS, assert_near, get_feeds, random
from test_padding_in_place import NETWORKS as PADDED

pytestmark = pytest.mark.skipif(
    not accesses.is_available(),
    reason="needs AddressSanitizer, which .ci/setup.sh installs")


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    return accesses.Checker(tmp_path_factory.mktemp("runtime"))


CASES = {
    "convolution": Case("Conv", [(1, 7, 9, 11), (33, 7, 3, 3), (33,)],
                        pads=[1, 1, 1, 1]),
    "groups of part blocks": Case("Conv", [(2, 15, 9, 11), (21, 5, 3, 2)],
                                  group=3, strides=[2, 1]),
    "groups in blocks": Case("Conv", [(1, 36, 5, 6), (36, 2, 3, 3)], group=18),
    "depthwise": Case("Conv", [(1, 20, 9, 11), (20, 1, 5, 3), (20,)], group=20,
                      pads=[2, 1, 2, 1], dilations=[1, 2]),
    "run-time weights": Case("Conv", [(1, 20, 5, 6), (33, 20, 3, 3), (33,)], 3),
    "volume": Case("Conv", [(2, 17, 5, 6, 7), (18, 17, 3, 3, 3)],
                   pads=[1, 1, 1, 1, 1, 1]),
    "transposed": Case("ConvTranspose", [(1, 17, 5, 6), (17, 20, 3, 5)],
                       strides=[2, 3], pads=[1, 0, 0, 2],
                       output_padding=[1, 2]),
    "maximum": Case("MaxPool", [(1, 19, 9, 11)], kernel_shape=[3, 2],
                    strides=[2, 2], ceil_mode=1),
    "average": Case("AveragePool", [(1, 19, 9, 11)], kernel_shape=[3, 3],
                    pads=[1, 1, 1, 1]),
    "product": Case("MatMul", [(2, 5, 33), (33, 17)]),
    "product of two inputs": Case("MatMul", [(3, 7, 9), (3, 9, 1)], 2),
    "softmax": Case("Softmax", [(3, 5, 37)]),
}


@pytest.mark.parametrize("architecture, threads", [
    ("x86-64-v3", 1), ("x86-64-v4", 2)])
def test_operators_access_their_own_buffers(checker, architecture, threads,
                                            tmp_path):
    skip_unless_runnable(architecture)
    model, feeds = build(CASES)
    expected = run(model, feeds, tmp_path, "interpreter")
    found = checker.run(model, feeds, expected, tmp_path, architecture, threads)
    for i, name in enumerate(CASES):
        assert_near(found[f"y{i}"], expected[f"y{i}"], name)


@pytest.mark.parametrize("name", [
    "padded", "residual", "average", "a depthwise convolution of another",
    "what is added later"])
def test_networks_of_any_size_access_their_own_buffers(checker, name, tmp_path):
    model = {**NETWORKS, **PADDED}[name]
    feeds = get_feeds(model, (7, 13))
    expected = run(model, feeds, tmp_path, "interpreter")
    found = checker.run(model, feeds, expected, tmp_path)
    for key, value in found.items():
        assert_near(value, expected[key], name)


# An array in another's place is as long as it is.
@pytest.mark.parametrize("tensor, kind", [("x", "READ"), ("y", "WRITE")])
def test_accesses_beyond_a_buffer_are_found(checker, tensor, kind, tmp_path):
    model = builders.single("Relu", {"x": ("float32", [3, 5])},
                            {"y": ("float32", [3, 5])})
    sizes = {name: random(3, 4 if name == tensor else 5) for name in "xy"}
    with pytest.raises(accesses.WrongAccess, match=kind):
        checker.run(model, {"x": sizes["x"]}, {"y": sizes["y"]}, tmp_path)


def test_accesses_beyond_a_buffer_of_the_model_are_found(checker, tmp_path,
                                                         monkeypatch):
    monkeypatch.setattr(accesses, "PROGRAM", accesses.PROGRAM.replace(
        "return allocate(size, 64);", "return allocate(size - 4, 64);"))
    model = builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])],
        {"x": ("float32", [1, 16, 5, 5])}, {"y": ("float32", [1, 16, 5, 5])},
        {"w": np.ones((16, 16, 3, 3), np.float32)})
    feeds = {"x": random(1, 16, 5, 5)}
    with pytest.raises(accesses.WrongAccess, match="heap-buffer-overflow"):
        checker.run(model, feeds, {"y": feeds["x"]}, tmp_path)
