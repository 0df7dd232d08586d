# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops as converters write them: vectors of one element for the number of the
run and the condition, and inputs that are left out."""

import numpy as np
import pytest

from backends import BACKENDS, run
from nacre import builders
from subgraphs import typed_subgraph


def counting_loop(rank, trips, condition, limit=None):
    """Adds 1.5 to v in each run, and stacks the number of the run, the
    condition before it and v behind it. With a limit it ends when v gets
    there; the condition is of the rank of v's shape."""
    shape = [1] * rank
    nodes = [builders.node("Add", ["v", "step"], ["next"]),
             builders.node("Identity", ["i"], ["number"]),
             builders.node("Identity", ["go"], ["before"]),
             builders.node("Identity", ["next"], ["element"])]
    weights = {"step": np.full(shape, 1.5, np.float32)}
    if limit is None:
        nodes.append(builders.node("Identity", ["go"], ["goOn"]))
    else:
        nodes.append(builders.node("Less", ["next", "limit"], ["goOn"]))
        weights["limit"] = np.full(shape, limit, np.float32)
    body = typed_subgraph(
        "body", nodes,
        {"i": ("int64", shape), "go": ("bool", shape),
         "v": ("float32", shape)},
        {"goOn": ("bool", shape), "next": ("float32", shape),
         "number": ("int64", shape), "before": ("bool", shape),
         "element": ("float32", shape)})
    inputs = {"v0": ("float32", shape)}
    for name, element in ((trips, "int64"), (condition, "bool")):
        if name:
            inputs[name] = (element, shape)
    stacked = ["n"] + shape
    return builders.model(
        [builders.node("Loop", [trips, condition, "v0"],
                       ["last", "numbers", "conditions", "elements"],
                       body=body)],
        inputs, {"last": ("float32", shape), "numbers": ("int64", stacked),
                 "conditions": ("bool", stacked),
                 "elements": ("float32", stacked)}, weights=weights)


def expect(results, rank, count):
    shape = [1] * rank
    elements = 1.5 * np.arange(1, count + 1, dtype=np.float32)
    np.testing.assert_array_equal(results["last"],
                                  np.full(shape, 1.5 * count, np.float32))
    np.testing.assert_array_equal(results["numbers"],
                                  np.arange(count).reshape([-1] + shape))
    np.testing.assert_array_equal(results["conditions"],
                                  np.ones([count] + shape, bool))
    np.testing.assert_array_equal(results["elements"],
                                  elements.reshape([-1] + shape))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("trips, condition, limit, count", [
    ("trips", "", None, 3), ("trips", "flag", None, 3), ("trips", "", 4, 3),
    ("", "flag", 4, 3), ("", "", 4, 3)])
def test_loop_keeps_the_ranks_that_its_body_declares(
        tmp_path, backend, rank, trips, condition, limit, count):
    shape = [1] * rank
    feeds = {"v0": np.zeros(shape, np.float32)}
    if trips:
        feeds["trips"] = np.full(shape, 3 if limit is None else 9, np.int64)
    if condition:
        feeds["flag"] = np.full(shape, True)
    results = run(counting_loop(rank, trips, condition, limit), feeds,
                  tmp_path, backend)
    expect(results, rank, count)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("trips, flag", [(0, True), (-1, True), (3, False)])
def test_loop_that_never_runs_gives_what_it_got(tmp_path, backend, rank, trips,
                                                flag):
    shape = [1] * rank
    feeds = {"v0": np.zeros(shape, np.float32),
             "trips": np.full(shape, trips, np.int64),
             "flag": np.full(shape, flag)}
    results = run(counting_loop(rank, "trips", "flag"), feeds, tmp_path,
                  backend)
    expect(results, rank, 0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("declared, given", [(0, 1), (1, 0)])
def test_loop_takes_a_condition_of_either_rank(tmp_path, backend, declared,
                                               given):
    """What the body computes need not have the rank it declares of what it
    gets."""
    shape = [1] * declared
    body = typed_subgraph(
        "body", [builders.node("Add", ["v", "one"], ["next"]),
                 builders.node("Less", ["next", "limit"], ["goOn"]),
                 builders.node("Identity", ["go"], ["before"])],
        {"i": ("int64", shape), "go": ("bool", shape),
         "v": ("float32", [1] * given)},
        {"goOn": ("bool", [1] * given), "next": ("float32", [1] * given),
         "before": ("bool", shape)})
    model = builders.model(
        [builders.node("Loop", ["", "flag", "v0"], ["last", "conditions"],
                       body=body)],
        {"v0": ("float32", [1] * given), "flag": ("bool", [])},
        {"last": ("float32", [1] * given),
         "conditions": ("bool", ["n"] + shape)},
        weights={"one": np.full([1] * given, 1, np.float32),
                 "limit": np.full([1] * given, 3, np.float32)})
    results = run(model, {"v0": np.zeros([1] * given, np.float32),
                          "flag": np.array(True)}, tmp_path, backend)
    np.testing.assert_array_equal(results["last"], np.full([1] * given, 3))
    np.testing.assert_array_equal(results["conditions"],
                                  np.ones([3] + shape, bool))
