# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spectra on all backends, against NumPy's Fourier transforms."""

import numpy as np
import pytest

import backends
from backends import BACKENDS
from nacre import builders, cli, tolerances


def run(node, inputs, outputs, folder, backend, opset=17, weights=None):
    """The only output; INPUTS holds arrays."""
    typed = {name: (array.dtype.name, list(array.shape))
             for name, array in inputs.items()}
    model = builders.model([node], typed, {"y": ("float32", outputs)},
                           weights=weights, opset=opset)
    return backends.run(model, inputs, folder, backend)["y"]


def random(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def parts(complexes):
    return np.stack([complexes.real, complexes.imag], axis=-1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis, length, onesided, inverse, complex_input", [
    (1, None, 0, 0, False), (2, None, 1, 0, False), (1, 16, 0, 0, True),
    (2, 5, 0, 1, True), (1, 7, 1, 0, False)])
def test_dft_matches_numpy(tmp_path, backend, axis, length, onesided, inverse,
                           complex_input):
    x = random([2, 9, 12, 2 if complex_input else 1])
    signal = x[..., 0] + (1j * x[..., 1] if complex_input else 0)
    expected = (np.fft.ifft if inverse else np.fft.fft)(signal, length, axis)
    if onesided:
        bins = expected.shape[axis] // 2 + 1
        expected = expected.take(range(bins), axis)
    node = builders.node("DFT", ["x"] + (["n"] if length else []), ["y"],
                         axis=axis, onesided=onesided, inverse=inverse)
    weights = {"n": np.array(length, np.int64)} if length else {}
    y = run(node, {"x": x}, [*expected.shape, 2], tmp_path, backend,
            weights=weights)
    np.testing.assert_allclose(y, parts(expected), **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis, length, size", [
    (1, None, 9), (2, 7, 12), (1, 24, 9), (2, 12, 7)])
def test_onesided_inverse_dft_matches_numpy(tmp_path, backend, axis, length,
                                            size):
    # Fewer and more bins than the length has, and both parities.
    shape = [2, 9, 12, 2]
    shape[axis] = size
    x = random(shape)
    expected = np.fft.irfft(x[..., 0] + 1j * x[..., 1], length, axis)[..., None]
    node = builders.node("DFT", ["x"] + (["n"] if length else []), ["y"],
                         axis=axis, onesided=1, inverse=1)
    weights = {"n": np.array(length, np.int64)} if length else {}
    y = run(node, {"x": x}, expected.shape, tmp_path, backend, weights=weights)
    np.testing.assert_allclose(y, expected, **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
def test_onesided_inverse_dft_of_a_run_time_length_matches_numpy(tmp_path,
                                                                 backend):
    x = random([2, 9, 2])
    node = builders.node("DFT", ["x", "n"], ["y"], axis=1, onesided=1,
                         inverse=1)
    for length in (11, 16):
        folder = tmp_path / str(length)
        folder.mkdir()
        y = run(node, {"x": x, "n": np.array(length, np.int64)}, [2, "n", 1],
                folder, backend)
        expected = np.fft.irfft(x[..., 0] + 1j * x[..., 1], length, 1)
        np.testing.assert_allclose(y[..., 0], expected,
                                   **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [None, 7])
def test_onesided_inverse_dft_along_a_run_time_axis_matches_numpy(
        tmp_path, backend, length):
    x = random([2, 9, 12, 2])
    node = builders.node("DFT", ["x", "n" if length else "", "axis"], ["y"],
                         onesided=1, inverse=1)
    for axis in (1, -2):
        folder = tmp_path / str(axis)
        folder.mkdir()
        y = run(node, {"x": x, "axis": np.array(axis, np.int64)},
                ["a", "b", "c", 1], folder, backend, opset=20,
                weights={"n": np.array(length, np.int64)} if length else {})
        expected = np.fft.irfft(x[..., 0] + 1j * x[..., 1], length, axis % 4)
        np.testing.assert_allclose(y[..., 0], expected,
                                   **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length, onesided", [(None, 0), (None, 1), (7, 0)])
def test_dft_along_a_run_time_axis_matches_numpy(tmp_path, backend, length,
                                                 onesided):
    x = random([2, 9, 12, 1])
    node = builders.node("DFT", ["x", "n" if length else "", "axis"], ["y"],
                         onesided=onesided)
    for axis in (0, 1, 2, -3):
        at = axis % x.ndim
        expected = np.fft.fft(x[..., 0], length, at)
        if onesided:
            expected = expected.take(range(expected.shape[at] // 2 + 1), at)
        folder = tmp_path / str(axis)
        folder.mkdir()
        y = run(node, {"x": x, "axis": np.array(axis, np.int64)},
                ["a", "b", "c", 2], folder, backend, opset=20,
                weights={"n": np.array(length, np.int64)} if length else {})
        np.testing.assert_allclose(y, parts(expected),
                                   **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("axis", [3, -1, -5, 7])
@pytest.mark.parametrize("onesided", [0, 1])
def test_dft_along_no_axis_of_the_signal_fails(tmp_path, backend, axis,
                                               onesided):
    # Onesided, the shape of the result leaves one axis.
    node = builders.node("DFT", ["x", "", "axis"], ["y"], onesided=onesided)
    axes = "1" if onesided else "0 or 1 or 2"
    with pytest.raises(cli.NacreError,
                       match=f"expected the axis of a DFT to be {axes}, or"):
        run(node, {"x": random([2, 9, 12, 1]), "axis": np.array(axis, np.int64)},
            [2, 5 if onesided else 9, 12, 2], tmp_path, backend, opset=20)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [16, 17])
def test_stft_of_run_time_lengths_matches_numpy(tmp_path, backend, length):
    # Both lengths have nine bins, so that the shapes do not tell.
    x = random([2, 120 + length, 1])
    inputs = {"x": x, "step": np.array(10, np.int64),
              "length": np.array(length, np.int64)}
    node = builders.node("STFT", ["x", "step", "", "length"], ["y"])
    frames = np.stack([x[:, 10 * i:10 * i + length, 0] for i in range(13)], 1)
    y = run(node, inputs, [2, 13, 9, 2], tmp_path, backend)
    np.testing.assert_allclose(y, parts(np.fft.rfft(frames)),
                               **tolerances.CANCELLATION)


@pytest.mark.parametrize("backend", BACKENDS)
def test_stft_of_a_complex_signal_with_a_window_matches_numpy(
        tmp_path, backend):
    x, window = random([1, 40, 2]), np.hanning(8).astype(np.float32)
    node = builders.node("STFT", ["x", "step", "window"], ["y"], onesided=0)
    frames = np.stack([(x[..., 0] + 1j * x[..., 1])[:, 4 * i:4 * i + 8]
                       for i in range(9)], 1)
    y = run(node, {"x": x}, [1, 9, 8, 2], tmp_path, backend,
            weights={"step": np.array(4, np.int64), "window": window})
    np.testing.assert_allclose(y, parts(np.fft.fft(frames * window)),
                               **tolerances.CANCELLATION)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("transform", ["half_pixel", "output_half_pixel"])
@pytest.mark.parametrize("ratio", [0, 3])
@pytest.mark.parametrize("channels", [3, 35])
def test_roi_align_agrees_on_all_backends(tmp_path, mode, transform, ratio,
                                          channels):
    inputs = {"x": random([2, channels, 9, 11]),
              "rois": np.array([[0, 0, 21, 17], [3.5, 4, 9, 9.5],
                                [-8, -9, 30, 40], [5, 5, 5, 5]], np.float32),
              "batch": np.array([1, 0, 1, 0], np.int64)}
    node = builders.node("RoiAlign", list(inputs), ["y"], mode=mode,
                         coordinate_transformation_mode=transform,
                         output_height=3, output_width=4, sampling_ratio=ratio,
                         spatial_scale=0.5)
    shape = [4, channels, 3, 4]
    expected = run(node, inputs, shape, tmp_path, "interpreter", 16)
    for backend in ("cpu", "reference"):
        np.testing.assert_allclose(
            run(node, inputs, shape, tmp_path, backend, 16), expected,
            **tolerances.DEFAULT)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode, expected", [
    ("TF", [[2, 0, 1, 1]]), ("IDF", [[0.5, 0, 3, 4]]),
    ("TFIDF", [[1, 0, 3, 4]])])
def test_tf_idf_vectorizer_weighs_by_its_mode(
        tmp_path, backend, mode, expected):
    node = builders.node(
        "TfIdfVectorizer", ["x"], ["y"], mode=mode, min_gram_length=1,
        max_gram_length=2, max_skip_count=1, ngram_counts=[0, 2],
        ngram_indexes=[0, 1, 3, 2], pool_int64s=[5, 6, 5, 7, 7, 8],
        weights=[0.5, 2.0, 4.0, 3.0])
    # 5 twice, 6 never, (5, 7) once with a token between, (7, 8) once.
    x = np.array([[5, 5, 9, 7, 8]], np.int64)
    y = run(node, {"x": x}, [1, 4], tmp_path, backend, 9)
    if mode == "TF":
        np.testing.assert_array_equal(y, expected)
    np.testing.assert_allclose(y, expected)
