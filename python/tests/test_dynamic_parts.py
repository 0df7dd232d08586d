# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of dynamic sizes which a run finds to be one part, and which threads share
at others: the results are those of one thread, and either may end the run."""

import re

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli, tolerances

THREADS = (1, 2, 3, 5)


@pytest.fixture(autouse=True)
def machine_of_many_cores(monkeypatch):
    monkeypatch.setenv("NACRE_THREADS", str(max(THREADS)))


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape) \
        .astype(np.float32)


def functions_of_two_sizes():
    """Two loops are cut, the inner one where the outer one is short."""
    return builders.model(
        [builders.node("Exp", ["x"], ["a"]),
         builders.node("Transpose", ["a"], ["b"], perm=[1, 0]),
         builders.node("Erf", ["b"], ["y"])],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", ["m", "n"])})


def rows_that_are_normalised():
    """A loop over blocks of rows, in which one is behind the other."""
    return builders.model(
        [builders.node("Softmax", ["x"], ["a"], axis=-1),
         builders.node("LayerNormalization", ["a", "scale"], ["y"], axis=-1)],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", ["n", "m"])},
        {"scale": np.array([2], np.float32)})


def sums_of_channels():
    """A loop of known extent, whose parts depend on how long the sums are."""
    return builders.model(
        [builders.node("Reshape", ["x", "shape"], ["t"]),
         builders.node("ReduceSum", ["t", "axes"], ["y"], keepdims=0)],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", [8])},
        {"axes": np.array([1]), "shape": np.array([8, -1])})


def triangles_of_truths():
    """Parts of rows that are copied and filled, of several matrices."""
    return builders.model(
        [builders.node("Greater", ["x", "zero"], ["a"]),
         builders.node("Unsqueeze", ["a", "axis"], ["b"]),
         builders.node("Expand", ["b", "shape"], ["c"]),
         builders.node("Trilu", ["c", "k"], ["y"], upper=0)],
        {"x": ("float32", ["n", "m"])}, {"y": ("bool", [3, "n", "m"])},
        {"zero": np.float32(0), "axis": np.array([0]), "k": np.int64(2),
         "shape": np.array([3, 1, 1])})


def channels_between_dynamic_sizes():
    """Channels are cut where there are fewer images than threads: two and four
    make equal parts, three and five do not."""
    return builders.model(
        [builders.node("Unsqueeze", ["x", "axis"], ["a"]),
         builders.node("Expand", ["a", "shape"], ["b"]),
         builders.node("Erf", ["b"], ["y"])],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", ["n", 12, "m"])},
        {"axis": np.array([1]), "shape": np.array([1, 12, 1])})


SIZES = [(0, 8), (8, 0), (1, 8), (8, 1), (3, 16), (24, 57), (2, 40000),
         (40000, 2), (1600, 512), (3, 16)]


@pytest.mark.parametrize("make", [
    functions_of_two_sizes, rows_that_are_normalised, sums_of_channels,
    triangles_of_truths, channels_between_dynamic_sizes])
def test_parts_make_no_difference(make, tmp_path):
    model = make()
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    for size in SIZES:
        feeds = {"x": random(*size)}
        (expected,) = alone.run(None, feeds)
        for session in shared:
            np.testing.assert_array_equal(session.run(None, feeds)[0], expected)


def choose(model, folder):
    """The strategies that are chosen for two threads, as text."""
    onnx.save(model, folder / "model.onnx")
    cli.nacre("compile", folder / "model.onnx", "--threads=2",
              f"--dump-strategies={folder / 'strategies.json'}", "-o",
              folder / "model.so")
    return (folder / "strategies.json").read_text()


@pytest.mark.parametrize("last", [0, 1])
def test_positions_of_the_best_are_found_in_parts(last, tmp_path):
    """One loop with two results, which a run cuts."""
    model = builders.single(
        "ArgMax", {"x": ("float32", ["n", 13, "m"])},
        {"y": ("int64", ["n", 1, "m"])}, axis=1, select_last_index=last)
    assert re.search(r"f32>, tensor<\?x1x\?xi32>.*?parts = \[\?",
                     choose(model, tmp_path), re.DOTALL)
    for threads in THREADS:
        session = nacre.InferenceSession(model, threads=threads,
                                         cache_dir=tmp_path)
        for rows, columns in ((1, 5), (4, 0), (0, 3), (7, 12), (40, 700),
                              (3, 40000)):
            x = np.round(random(rows, 13, columns) * 2)
            places = 12 - x[:, ::-1].argmax(1) if last else x.argmax(1)
            np.testing.assert_array_equal(session.run(None, {"x": x})[0],
                                          places[:, None])


def test_images_that_are_left_of_equal_parts_make_no_difference(tmp_path):
    """Threads have equally many images, and share what is in those left."""
    model = builders.model(
        [builders.node("Conv", ["x", "w"], ["a"]),
         builders.node("Relu", ["a"], ["y"])],
        {"x": ("float32", ["n", 16, 32, 32])},
        {"y": ("float32", ["n", 64, 32, 32])}, {"w": random(64, 16, 1, 1)})
    assert "shareRest = true" in choose(model, tmp_path)
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    for images in (1, 2, 0, 3, 5, 7, 12, 1):
        feeds = {"x": random(images, 16, 32, 32)}
        (expected,) = alone.run(None, feeds)
        for session in shared:
            np.testing.assert_array_equal(session.run(None, feeds)[0], expected)


def test_samples_or_rows_make_no_difference(tmp_path):
    """Threads share a batch of images where it has samples for all of them."""
    model = builders.model(
        [builders.node("Conv", ["x", "w"], ["a"], pads=[1] * 4,
                       strides=[2, 2]),
         builders.node("MaxPool", ["a"], ["y"], kernel_shape=[5, 5],
                       pads=[2] * 4)],
        {"x": ("float32", ["n", 16, "h", "v"])},
        {"y": ("float32", ["n", 24, "k", "l"])}, {"w": random(24, 16, 3, 3)})
    chosen = choose(model, tmp_path)
    assert "fewSteps = 1" in chosen and "fewSteps = 4" in chosen
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    for images, height, width in ((1, 40, 50), (2, 40, 50), (3, 40, 50),
                                  (7, 3, 200), (0, 40, 50), (12, 30, 20),
                                  (2, 1, 3), (1, 40, 50)):
        feeds = {"x": random(images, 16, height, width)}
        (expected,) = alone.run(None, feeds)
        for session in shared:
            np.testing.assert_array_equal(session.run(None, feeds)[0], expected)


@pytest.mark.parametrize("operator, gates", [("LSTM", 4), ("GRU", 3),
                                             ("RNN", 1)])
def test_recurrence_of_any_number_of_rows_makes_no_difference(operator, gates,
                                                              tmp_path):
    """Threads run all steps for some rows each, of the second layer, too."""
    weights = {f"{name}{layer}": random(1, gates * 48, *shape) / 8
               for layer, width in enumerate((24, 48))
               for name, shape in (("w", (width,)), ("r", (48,)))}
    model = builders.model(
        [builders.node(operator, ["x", "w0", "r0", "", "", "h"], ["a", "g"],
                       hidden_size=48),
         builders.node("Squeeze", ["a", "axis"], ["b"]),
         builders.node(operator, ["b", "w1", "r1"], ["y"], hidden_size=48)],
        {"x": ("float32", ["t", "n", 24]), "h": ("float32", [1, "n", 48])},
        {"y": ("float32", ["t", 1, "n", 48]), "g": ("float32", [1, "n", 48])},
        {**weights, "axis": np.array([1])})
    assert choose(model, tmp_path).count('"IE.Scan ') == 2
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    for steps, rows in ((40, 1), (40, 2), (64, 3), (64, 8), (30, 17), (1, 200),
                        (0, 5), (5, 0), (40, 8)):
        feeds = {"x": random(steps, rows, 24), "h": random(1, rows, 48)}
        expected = alone.run(None, feeds)
        for session in shared:
            for found, other in zip(session.run(None, feeds), expected):
                np.testing.assert_array_equal(found, other)


def test_all_pairs_of_rows_are_computed_in_parts(tmp_path):
    """What a Scan keeps and what it walks along are one value."""
    rows = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT,
                                               shape)
            for name, shape in (("all", ["n", 64]), ("row", [64]),
                                ("kept", ["n", 64]), ("out", ["n", 64]))]
    body = onnx.helper.make_graph(
        [builders.node("Identity", ["all"], ["kept"]),
         builders.node("MatMul", ["all", "w"], ["a"]),
         builders.node("Sub", ["a", "row"], ["out"])], "body", rows[:2],
        rows[2:])
    model = builders.model(
        [builders.node("Scan", ["x", "x"], ["same", "y"], body=body,
                       num_scan_inputs=1)],
        {"x": ("float32", ["n", 64])},
        {"y": ("float32", ["n", "n", 64])}, {"w": random(64, 64)})
    assert '"IE.Scan ' in choose(model, tmp_path)
    for threads in THREADS:
        session = nacre.InferenceSession(model, threads=threads,
                                         cache_dir=tmp_path)
        for count in (1, 2, 5, 33, 0):
            x = random(count, 64)
            expected = (x @ random(64, 64))[None] - x[:, None]
            np.testing.assert_allclose(session.run(None, {"x": x})[0],
                                       expected, **tolerances.CANCELLATION)


@pytest.mark.parametrize("channels", [3, 40])
def test_regions_read_an_image_in_either_order(channels, tmp_path):
    model = builders.model(
        [builders.node("RoiAlign", ["x", "r", "b"], ["y"], output_height=3,
                       output_width=2, sampling_ratio=2)],
        {"x": ("float32", [1, channels, "h", "w"]), "r": ("float32", ["n", 4]),
         "b": ("int64", ["n"])}, {"y": ("float32", ["n", channels, 3, 2])},
        opset=16)
    alone, *shared = (nacre.InferenceSession(model, threads=threads,
                                             cache_dir=tmp_path)
                      for threads in THREADS)
    reference = nacre.InferenceSession(model, backend="reference")
    for height, width, regions in ((9, 8, 40), (90, 80, 2), (200, 30, 300),
                                   (7, 5, 0), (90, 80, 1)):
        low = np.abs(random(regions, 2)) * 2
        feeds = {"x": random(1, channels, height, width),
                 "r": np.concatenate([low, low + 5], axis=1),
                 "b": np.zeros(regions, np.int64)}
        (expected,) = alone.run(None, feeds)
        np.testing.assert_allclose(expected, reference.run(None, feeds)[0],
                                   rtol=1e-5, atol=1e-5)
        for session in shared:
            np.testing.assert_array_equal(session.run(None, feeds)[0], expected)


def test_no_regions_of_an_image_of_any_size_compile(tmp_path):
    model = builders.model(
        [builders.node("RoiAlign", ["x", "r", "b"], ["a"], output_height=3,
                       output_width=2, sampling_ratio=2),
         builders.node("ReduceSum", ["a"], ["y"], keepdims=0)],
        {"x": ("float32", [1, 3, "h", "w"]), "r": ("float32", [0, 4]),
         "b": ("int64", [0])}, {"y": ("float32", [])}, opset=16)
    session = nacre.InferenceSession(model, threads=2, cache_dir=tmp_path)
    feeds = {"x": random(1, 3, 4, 5),
             "r": np.zeros((0, 4), np.float32), "b": np.zeros(0, np.int64)}
    assert session.run(None, feeds)[0] == 0


@pytest.mark.parametrize("columns", [0, 3])
def test_triangles_without_columns_compile(columns, tmp_path):
    session = nacre.InferenceSession(
        builders.single("Trilu", {"x": ("uint8", ["n", columns])},
                        {"y": ("uint8", ["n", columns])}),
        threads=2, cache_dir=tmp_path)
    for rows in (0, 1, 40000):
        x = np.ones((rows, columns), np.uint8)
        np.testing.assert_array_equal(session.run(None, {"x": x})[0],
                                      np.triu(x))


@pytest.mark.parametrize("threads", (1, 2, 5))
def test_triangle_of_more_columns_than_16_bits_count(threads, tmp_path):
    session = nacre.InferenceSession(
        builders.single("Trilu", {"x": ("int8", [3, 4, 33000]),
                                  "k": ("int64", [])},
                        {"y": ("int8", [3, 4, 33000])}, upper=1),
        threads=threads, cache_dir=tmp_path)
    x = np.random.default_rng(0).integers(-9, 9, (3, 4, 33000), np.int8)
    for k in (0, 32999, 40000, -1, -40000):
        np.testing.assert_array_equal(
            session.run(None, {"x": x, "k": np.int64(k)})[0], np.triu(x, k))


@pytest.mark.parametrize("threads", THREADS)
def test_index_out_of_range_ends_the_run_in_any_number_of_parts(threads,
                                                                tmp_path):
    columns = 64
    session = nacre.InferenceSession(
        builders.single("Gather", {"x": ("float32", ["n", columns]),
                                   "i": ("int64", ["k"])},
                        {"y": ("float32", ["k", columns])}),
        threads=threads, cache_dir=tmp_path)
    x = random(5, columns)
    for count in (1, 3, 40000, 3):
        i = np.arange(count) % 5
        np.testing.assert_array_equal(session.run(None, {"x": x, "i": i})[0],
                                      x[i])
        i[-1] = 5
        with pytest.raises(nacre.InvalidInput, match="(?i)range|index"):
            session.run(None, {"x": x, "i": i})
