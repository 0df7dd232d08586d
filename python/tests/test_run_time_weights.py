# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions whose weights are inputs of the model, or computed by it: packed by
each run, and compared with the interpreter."""

import functools

import numpy as np
import pytest

import side_by_side
from backends import run
from nacre import builders, tolerances
from side_by_side import Case, build, check, list_software
from test_dynamic_images import assert_near, compile_model, random


# All operands are inputs.
convolution = functools.partial(side_by_side.convolution, inputs=3)
transposed = functools.partial(side_by_side.transposed, inputs=3)

CONVOLUTIONS = {
    "3x3": convolution((1, 32, 9, 11), (48, 32, 3, 3), pads=[1, 1, 1, 1]),
    "part blocks": convolution((2, 20, 9, 11), (33, 20, 3, 2)),
    "few channels": convolution((1, 3, 9, 11), (24, 3, 5, 5),
                                strides=[2, 2]),
    "1x1": convolution((1, 40, 5, 6), (24, 40, 1, 1)),
    "constant bias": Case("Conv", [(1, 16, 5, 6), (16, 16, 3, 3), (16,)], 2),
    "no bias": Case("Conv", [(1, 16, 5, 6), (16, 16, 3, 3)], 2),
    "dilated": convolution((1, 16, 9, 11), (16, 16, 3, 3),
                           dilations=[2, 3]),
    "sequence": convolution((1, 24, 37), (24, 24, 5), pads=[2, 2]),
    "groups of blocks": convolution((1, 64, 5, 6), (32, 32, 3, 3), group=2),
    "groups of part blocks": convolution((1, 15, 5, 6), (21, 5, 3, 3),
                                         group=3),
    "groups in blocks": convolution((1, 24, 5, 6), (24, 4, 3, 3), group=6),
    "pairs in blocks": convolution((1, 36, 5, 6), (36, 2, 1, 1), group=18),
    "depthwise": convolution((1, 36, 9, 11), (36, 1, 3, 3), group=36),
    "volume": convolution((1, 20, 5, 6, 7), (24, 20, 3, 3, 3),
                          pads=[1, 1, 1, 1, 1, 1]),
    "volume of few channels": convolution((1, 2, 5, 6, 7), (20, 2, 3, 3, 3)),
    "single elements of volumes": convolution((2, 20, 5, 6, 7),
                                              (24, 20, 1, 1, 1)),
    "depthwise volume": convolution((1, 20, 5, 6, 7), (20, 1, 3, 3, 3),
                                    group=20),
    "volume of groups in blocks": convolution((1, 16, 5, 6, 7),
                                              (16, 4, 3, 3, 3), group=4),
}

TRANSPOSED = {
    "doubled": transposed((1, 32, 5, 6), (32, 24, 4, 4), strides=[2, 2],
                          pads=[1, 1, 1, 1]),
    "doubled without overlap": transposed((2, 20, 5, 6), (20, 33, 2, 2),
                                          strides=[2, 2]),
    "phases of several lengths": transposed(
        (1, 20, 5, 6), (20, 16, 3, 5), strides=[2, 3], pads=[1, 0, 0, 2],
        output_padding=[1, 2]),
    "without strides": transposed((1, 20, 5, 6), (20, 24, 3, 3)),
    "stride beyond the kernel": transposed((1, 20, 5, 6), (20, 24, 2, 3),
                                           strides=[3, 4]),
    "dilated with strides": transposed((1, 16, 5, 6), (16, 16, 3, 4),
                                       dilations=[3, 2], strides=[2, 4]),
    "sequence": transposed((1, 20, 31), (20, 24, 4), strides=[2]),
    "few channels": transposed((1, 20, 5, 6), (20, 3, 4, 4), strides=[2, 2]),
    "few channels and zeroes": transposed((2, 20, 5, 6), (20, 3, 3, 5),
                                          strides=[3, 3], pads=[1, 0, 0, 1]),
    "few channels of groups": transposed((1, 20, 5, 6), (20, 3, 3, 3), group=2,
                                         strides=[2, 2]),
    "groups of part blocks": transposed((1, 24, 5, 6), (24, 12, 3, 3), group=3,
                                        strides=[2, 2]),
    "groups in blocks": transposed((1, 24, 5, 6), (24, 4, 3, 3), group=6,
                                   strides=[2, 2]),
    "depthwise": transposed((1, 24, 5, 6), (24, 1, 4, 4), group=24,
                            strides=[2, 2]),
    "volume": transposed((1, 20, 3, 4, 5), (20, 24, 3, 3, 3),
                         strides=[2, 2, 2], pads=[1, 1, 1, 1, 1, 1],
                         output_padding=[1, 0, 1]),
    "doubled volume": transposed((2, 20, 3, 4, 5), (20, 16, 2, 2, 2),
                                 strides=[2, 2, 2]),
}

CASES = CONVOLUTIONS | {f"transposed: {k}": v for k, v in TRANSPOSED.items()}


@pytest.mark.parametrize("architecture, threads",
                         [("x86-64-v3", 1), ("x86-64-v4", 2)])
def test_weights_of_a_run_are_right(architecture, threads, tmp_path):
    check(CASES, tmp_path, threads, f"--vpu-arch={architecture}")


def test_weights_of_a_run_are_left_to_software_by_an_npu(tmp_path):
    check({name: CASES[name] for name in ("3x3", "transposed: doubled")},
          tmp_path, 1, "--vpu-arch=NPU37XX")


def test_weights_of_a_run_in_bfloat16_are_near(tmp_path):
    check(CASES, tmp_path, 1, "--precision=bf16",
          tolerance=tolerances.NETWORK_BFLOAT16)


def test_weights_of_a_run_are_convolved_on_the_engine(tmp_path):
    assert not list_software(CASES, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_weights_that_the_model_computes_are_right(threads, tmp_path):
    """Modulated ones of a convolution of a generator, on images of any size
    whose channels have been joined."""
    nodes = [builders.node("Conv", ["x", "v"], ["a"], group=2),
             builders.node("Mul", ["w", "s"], ["m"]),
             builders.node("ReduceL2", ["m"], ["n"], axes=[1, 2, 3]),
             builders.node("Div", ["m", "n"], ["d"]),
             builders.node("Conv", ["a", "d"], ["c"], pads=[1, 1, 1, 1]),
             builders.node("Relu", ["c"], ["y"])]
    model = builders.model(
        nodes, {"x": ("float32", [1, 10, "h", "w"]),
                "s": ("float32", [1, 10, 1, 1])},
        {"y": ("float32", [1, 24, "p", "q"])},
        {"v": random(10, 5, 1, 1), "w": random(24, 10, 3, 3)})
    compiled = compile_model(model, tmp_path, threads)
    for size in ((1, 1), (9, 14)):
        feeds = {"x": random(1, 10, *size), "s": random(1, 10, 1, 1)}
        expected = run(model, feeds, tmp_path, "interpreter")["y"]
        assert_near(compiled.run(feeds)["y"], expected, str(size))


def test_runs_do_not_share_weights(tmp_path):
    case = {"3x3": CONVOLUTIONS["3x3"]}
    model, feeds = build(case)
    compiled = compile_model(model, tmp_path, 1)
    first = compiled.run(feeds)["y0"].copy()
    feeds["x0_1"] = 2 * feeds["x0_1"]
    feeds["x0_2"] = 2 * feeds["x0_2"]
    assert_near(compiled.run(feeds)["y0"], 2 * first, "twice the weights")
    assert not np.array_equal(first, 2 * first)
