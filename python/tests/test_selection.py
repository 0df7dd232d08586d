# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as long as the values say, on all backends, against NumPy.

Most models declare the shapes that follow from the drawn values; the others
are compiled once and run with values that give several lengths."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import backends
import nacre
from backends import BACKENDS
from nacre import builders


def run(node, inputs, outputs, folder, backend, opset=13, weights=None):
    """The outputs in order; OUTPUTS holds what is expected."""
    typed = {name: (array.dtype.name, list(array.shape))
             for name, array in inputs.items()}
    names = [name for name in node.output if name]
    model = builders.model(
        [node], typed, {name: (array.dtype.name, list(array.shape))
                        for name, array in zip(names, outputs)},
        weights=weights, opset=opset)
    found = backends.run(model, inputs, folder, backend)
    return [found[name] for name in names]


def check(node, inputs, expected, *arguments, **options):
    found = run(node, inputs, expected, *arguments, **options)
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float32", "uint8", "bool", "float64"])
def test_non_zero_gives_positions_in_row_major_order(tmp_path, backend, dtype):
    x = np.random.default_rng(1).integers(0, 3, [7, 3, 5]).astype(dtype)
    expected = np.array(np.nonzero(x))
    check(builders.node("NonZero", ["x"], ["y"]), {"x": x}, [expected],
          tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_non_zero_takes_nan_for_a_number_and_negative_zero_for_none(
        tmp_path, backend):
    x = np.array([np.nan, -0.0, 0.0, -1.0], np.float32)
    check(builders.node("NonZero", ["x"], ["y"]), {"x": x},
          [np.array([[0, 3]], np.int64)], tmp_path, backend)


def unique(x, axis, in_order):
    """What NumPy finds, in order of value or of appearance."""
    y, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True,
        axis=axis)
    inverse = inverse.reshape(-1)
    if not in_order:
        by_position = np.argsort(first)
        numbers = np.argsort(by_position)
        y = y.take(by_position, axis=axis or 0)
        first, counts = first[by_position], counts[by_position]
        inverse = numbers[inverse]
    return [y, first, inverse, counts]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("in_order", [0, 1])
@pytest.mark.parametrize("shape, axis, values", [
    ([1], None, 3), ([100], None, 37), ([257], 0, 1000), ([6, 7, 3], None, 30),
    ([40, 3], 0, 2), ([3, 40], 1, 2), ([2, 33, 2], 1, 2), ([2, 2, 33], -1, 2)])
def test_unique_matches_numpy(tmp_path, backend, shape, axis, values, in_order):
    x = np.random.default_rng(2).integers(-values, values, shape)
    x = x.astype(np.float32)
    options = {} if axis is None else {"axis": axis}
    node = builders.node("Unique", ["x"], ["y", "first", "inverse", "counts"],
                         sorted=in_order, **options)
    check(node, {"x": x}, unique(x, axis, in_order), tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "float16"])
def test_unique_orders_every_element_type(tmp_path, backend, dtype):
    x = np.random.default_rng(3).integers(0, 256, 50).astype(dtype)
    node = builders.node("Unique", ["x"], ["y", "first", "inverse", "counts"])
    check(node, {"x": x}, unique(x, None, 1), tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_unique_takes_nans_for_one_value_above_all(tmp_path, backend):
    x = np.array([np.nan, 1, np.inf, np.nan, -np.inf, 1], np.float32)
    node = builders.node("Unique", ["x"], ["y", "first", "inverse", "counts"])
    expected = [np.array([-np.inf, 1, np.inf, np.nan], np.float32),
                np.array([4, 1, 2, 0]), np.array([3, 1, 2, 3, 0, 1]),
                np.array([1, 2, 1, 2])]
    check(node, {"x": x}, expected, tmp_path, backend)


def suppress(boxes, scores, limit, iou, lowest, centered):
    """NonMaxSuppression by its definition."""
    if centered:
        x, y, width, height = np.moveaxis(boxes, -1, 0)
        boxes = np.stack([y - height / 2, x - width / 2,
                          y + height / 2, x + width / 2], -1)
    else:
        boxes = np.concatenate([np.minimum(boxes[..., :2], boxes[..., 2:]),
                                np.maximum(boxes[..., :2], boxes[..., 2:])],
                               -1)
    rows = []
    for batch, number in np.ndindex(scores.shape[:2]):
        own, chosen = scores[batch, number], []
        for i in np.argsort(-own, kind="stable"):
            box = boxes[batch, i]
            others = boxes[batch, chosen]
            sides = (np.minimum(box[2:], others[:, 2:])
                     - np.maximum(box[:2], others[:, :2])).clip(0)
            shared = sides.prod(-1)
            areas = (others[:, 2:] - others[:, :2]).prod(-1)
            union = (box[2:] - box[:2]).prod() + areas - shared
            if own[i] > lowest and len(chosen) < limit and not np.any(
                    shared / union > iou):
                chosen.append(i)
        rows += [[batch, number, i] for i in chosen]
    return np.array(rows, np.int64).reshape(-1, 3)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("centered", [0, 1])
@pytest.mark.parametrize("limit, lowest, is_constant", [
    (5, 0.3, True), (1000, 0.0, False), (3, -1.0, False)])
def test_non_max_suppression_matches_its_definition(
        tmp_path, backend, limit, lowest, is_constant, centered):
    generator = np.random.default_rng(4)
    boxes = generator.random([2, 60, 4]).astype(np.float32)
    # Scores that repeat: the box in front comes first.
    scores = (generator.integers(0, 20, [2, 3, 60]) / 20).astype(np.float32)
    inputs = {"boxes": boxes, "scores": scores}
    limits = {"limit": np.array([limit]), "iou": np.array([0.25], np.float32),
              "lowest": np.array([lowest], np.float32)}
    (inputs if not is_constant else {}).update(limits)
    node = builders.node("NonMaxSuppression", [*inputs, *limits][:5],
                         ["y"], center_point_box=centered)
    expected = suppress(boxes, scores, limit, 0.25, lowest, centered)
    check(node, inputs, [expected], tmp_path, backend,
          weights=limits if is_constant else None)


# Few may be kept, so that the best are looked at in portions; of equal scores,
# and of boxes that overlap a few others, those in front of a portion are not
# enough.
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("scores", ["different", "repeated", "equal", "sparse"])
@pytest.mark.parametrize("corners", [2, 9])
def test_non_max_suppression_of_many_boxes_goes_on_until_enough_are_kept(
        tmp_path, backend, scores, corners):
    generator = np.random.default_rng(7)
    count, limit = 1500, 60
    low = generator.integers(0, corners, [1, count, 2]).astype(np.float32)
    boxes = np.concatenate([low, low + 1], -1)
    drawn = {"different": generator.standard_normal([1, 2, count]),
             "repeated": generator.integers(0, 3, [1, 2, count]),
             "equal": np.ones([1, 2, count]),
             "sparse": generator.random([1, 2, count]) ** 40}[scores]
    inputs = {"boxes": boxes, "scores": drawn.astype(np.float32)}
    limits = {"limit": np.array([limit]), "iou": np.array([0.5], np.float32)}
    node = builders.node("NonMaxSuppression", [*inputs, *limits], ["y"])
    expected = suppress(boxes, inputs["scores"], limit, 0.5, -np.inf, 0)
    check(node, inputs, [expected], tmp_path, backend, weights=limits)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("names, boxes", [
    (["boxes", "scores"], 0), (["boxes", "scores", "limit"], 4)])
def test_non_max_suppression_without_a_limit_gives_none(
        tmp_path, backend, names, boxes):
    inputs = {"boxes": np.array([[[i, i, i + 1, i + 1] for i in range(4)]],
                                np.float32),
              "scores": np.array([[[4, 3, 2, 1]]], np.float32),
              "limit": np.array([9])}
    rows = [[0, 0, i] for i in range(boxes)]
    node = builders.node("NonMaxSuppression", names, ["y"])
    check(node, {name: inputs[name] for name in names},
          [np.array(rows, np.int64).reshape(-1, 3)], tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis, length", [(None, 200), (0, 9), (1, 20), (-1, 3)])
def test_compress_keeps_what_the_condition_covers_and_holds_for(
        tmp_path, backend, axis, length):
    generator = np.random.default_rng(5)
    x = generator.standard_normal([9, 24, 3]).astype(np.float32)
    condition = generator.integers(0, 2, length).astype(bool)
    options = {} if axis is None else {"axis": axis}
    node = builders.node("Compress", ["x", "condition"], ["y"], **options)
    check(node, {"x": x, "condition": condition},
          [np.compress(condition, x, axis)], tmp_path, backend)


COMPILED = ["cpu", "reference"]


@pytest.mark.parametrize("backend", COMPILED)
def test_selections_feed_operators_that_take_any_length(backend):
    model = builders.model(
        [builders.node("NonZero", ["x"], ["columns"]),
         builders.node("Transpose", ["columns"], ["rows"], perm=[1, 0]),
         builders.node("GatherND", ["x", "rows"], ["values"]),
         builders.node("Unique", ["values"], ["distinct", "", "", "counts"]),
         builders.node("Mul", ["distinct", "two"], ["doubled"])],
        {"x": ("float32", [6, 5])},
        {"rows": ("int64", ["n", 2]), "doubled": ("float32", ["m"]),
         "counts": ("int64", ["m"])},
        weights={"two": np.array(2, np.float32)})
    session = nacre.InferenceSession(model, backend=backend)
    for seed, most in enumerate([2, 9, 1, 4]):
        x = np.random.default_rng(seed).integers(0, most, [6, 5])
        x = x.astype(np.float32)
        distinct, counts = np.unique(x[x != 0], return_counts=True)
        expected = [np.argwhere(x), 2 * distinct, counts]
        for one, other in zip(session.run(None, {"x": x}), expected):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("backend", COMPILED)
def test_suppression_of_run_time_length_matches_its_definition(backend):
    model = builders.model(
        [builders.node("NonMaxSuppression",
                       ["boxes", "scores", "limit", "iou"], ["y"])],
        {"boxes": ("float32", [1, 40, 4]), "scores": ("float32", [1, 2, 40])},
        {"y": ("int64", ["n", 3])},
        weights={"limit": np.array([9]), "iou": np.array([0.3], np.float32)})
    session = nacre.InferenceSession(model, backend=backend)
    for seed in range(3):
        generator = np.random.default_rng(seed)
        boxes = generator.random([1, 40, 4]).astype(np.float32)
        scores = generator.random([1, 2, 40]).astype(np.float32)
        found, = session.run(None, {"boxes": boxes, "scores": scores})
        np.testing.assert_array_equal(
            found, suppress(boxes, scores, 9, 0.3, -np.inf, 0))


@pytest.mark.parametrize("backend", COMPILED)
@pytest.mark.parametrize("dtype, bounds", [
    ("int64", [(0, 5, 1), (5, 0, -2), (3, 3, 1), (0, -4, 1), (-7, 8, 5)]),
    ("int32", [(0, 5, 1), (5, 0, -1), (-3, -10, -7)]),
    ("float32", [(0, 1, 0.25), (1, -1, -0.5), (0, 1, -1), (0.5, 3, 1)])])
def test_range_of_run_time_bounds_matches_numpy(backend, dtype, bounds):
    names = ["start", "limit", "delta"]
    model = builders.model([builders.node("Range", names, ["y"])],
                           {name: (dtype, []) for name in names},
                           {"y": (dtype, ["n"])})
    session = nacre.InferenceSession(model, backend=backend)
    for values in bounds:
        y, = session.run(None, {name: np.array(value, dtype)
                                for name, value in zip(names, values)})
        np.testing.assert_array_equal(y, np.arange(*values, dtype=dtype))


@pytest.mark.parametrize("backend", COMPILED)
def test_range_without_a_step_is_refused(backend):
    names = ["start", "limit", "delta"]
    model = builders.model([builders.node("Range", names, ["y"])],
                           {name: ("int64", []) for name in names},
                           {"y": ("int64", ["n"])})
    session = nacre.InferenceSession(model, backend=backend)
    with pytest.raises(nacre.InvalidInput, match="a delta other than 0"):
        session.run(None, {name: np.array(0) for name in names})


@pytest.mark.parametrize("backend", COMPILED)
def test_declared_length_that_the_values_do_not_have_is_refused(backend):
    model = builders.model([builders.node("NonZero", ["x"], ["y"])],
                           {"x": ("float32", [4])}, {"y": ("int64", [1, 2])})
    session = nacre.InferenceSession(model, backend=backend)
    y, = session.run(None, {"x": np.array([0, 1, 1, 0], np.float32)})
    np.testing.assert_array_equal(y, [[1, 2]])
    with pytest.raises(nacre.InvalidInput, match="another length"):
        session.run(None, {"x": np.ones(4, np.float32)})


@pytest.mark.parametrize("backend", COMPILED)
@pytest.mark.parametrize("ends_early", [False, True])
def test_loop_stacks_as_many_outputs_as_it_runs(backend, ends_early):
    body = helper.make_graph(
        [builders.node("Add", ["v", "v"], ["next"]),
         builders.node("ReduceMax", ["next"], ["most"], keepdims=0),
         builders.node("Less", ["most", "limit"], ["isBelow"]),
         builders.node("Identity", ["isBelow" if ends_early else "go"],
                       ["goesOn"]),
         builders.node("Identity", ["next"], ["element"])],
        "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, []),
         helper.make_tensor_value_info("go", TensorProto.BOOL, []),
         helper.make_tensor_value_info("v", TensorProto.FLOAT, [1])],
        [helper.make_tensor_value_info("goesOn", TensorProto.BOOL, None),
         helper.make_tensor_value_info("next", TensorProto.FLOAT, [1]),
         helper.make_tensor_value_info("element", TensorProto.FLOAT, [1])],
        [numpy_helper.from_array(np.array(20, np.float32), "limit")])
    model = builders.model(
        [builders.node("Squeeze", ["n"], ["trips"]),
         builders.node("Loop", ["trips", "", "x"], ["last", "all"],
                       body=body)],
        {"n": ("int64", [1]), "x": ("float32", [1])},
        {"last": ("float32", [1]), "all": ("float32", ["n", 1])})
    session = nacre.InferenceSession(model, backend=backend)
    for trips in [3, 0, 7]:
        last, stacked = session.run(None, {"n": np.array([trips]),
                                           "x": np.ones(1, np.float32)})
        runs = min(trips, 5) if ends_early else trips
        np.testing.assert_array_equal(stacked[:, 0],
                                      2.0 ** np.arange(1, runs + 1))
        assert last == 2.0 ** runs


@pytest.mark.parametrize("backend", BACKENDS)
def test_boxes_of_a_number_that_only_shapes_tell_are_sorted_by_score(tmp_path,
                                                                     backend):
    """As detectors join the boxes of their heads, each reshaped with -1."""
    node = builders.node
    parts = [part for i in "01" for part in (
        node("Reshape", [f"x{i}", "class"], [f"s{i}"]),
        node("Reshape", [f"b{i}", "corners"], [f"c{i}"]))]
    model = builders.model(
        [node("Shape", ["x0"], ["shape"]),
         node("Gather", ["shape", "zero"], ["n"]),
         node("Concat", ["n", "one", "rest"], ["class"], axis=0),
         node("Concat", ["n", "rest", "four"], ["corners"], axis=0),
         *parts,
         node("Concat", ["s0", "s1"], ["scores"], axis=2),
         node("Concat", ["c0", "c1"], ["boxes"], axis=1),
         node("NonMaxSuppression", ["boxes", "scores", "most", "iou"], ["y"])],
        {f"{name}{i}": ("float32", ["n", size])
         for name, size in (("x", 20), ("b", 80)) for i in "01"},
        {"y": ("int64", ["m", 3])},
        weights={"zero": np.array([0]), "one": np.array([1]),
                 "rest": np.array([-1]), "four": np.array([4]),
                 "most": np.array([100]), "iou": np.float32([0.5])})
    scores = np.random.default_rng(3).random((2, 40)).astype(np.float32)
    corner = np.arange(40, dtype=np.float32)
    boxes = np.stack([corner, corner, corner + 1, corner + 1], 1).reshape(-1)
    feeds = {"x0": scores[:, :20], "x1": scores[:, 20:],
             "b0": np.stack([boxes[:80]] * 2), "b1": np.stack([boxes[80:]] * 2)}
    found = backends.run(model, feeds, tmp_path, backend)["y"]
    expected = [[image, 0, box] for image in range(2)
                for box in np.argsort(-scores[image])]
    np.testing.assert_array_equal(found, expected)
