# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The samples and the comparisons of python/scripts/bench_accuracy.py."""

import sys

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli

sys.path.insert(0, str(cli.ROOT / "python" / "scripts"))
import accuracy_data  # noqa: E402
import bench_accuracy  # noqa: E402


@pytest.fixture
def bare(monkeypatch):
    """A machine without photographs and voices."""
    monkeypatch.setattr(accuracy_data, "photographs", list)
    monkeypatch.setattr(accuracy_data.shutil, "which", lambda name: None)


MAKERS = {"superres": (accuracy_data.superres, (1, 1, 224, 224)),
          "ultraface": (accuracy_data.ultraface, (1, 3, 240, 320)),
          "classifier": (accuracy_data.classifier("x"), (1, 3, 224, 224))}


def draw(name):
    make, shape = MAKERS[name]
    calibration, samples, source = make(None, np.random.default_rng(1))
    arrays = [array for feed in calibration + samples for array in feed.values()]
    assert {array.shape for array in arrays} == {shape}
    assert {array.dtype.name for array in arrays} == {"float32"}
    return arrays, source


@pytest.mark.parametrize("name", MAKERS)
def test_images_are_made_where_there_are_no_photographs(bare, name):
    arrays, source = draw(name)
    assert source == "made"
    assert all(np.array_equal(a, b) for a, b in zip(arrays, draw(name)[0]))


@pytest.mark.parametrize("name", MAKERS)
def test_images_are_parts_of_photographs_where_these_are(monkeypatch, name):
    pytest.importorskip("PIL")
    rng = np.random.default_rng(2)
    known = [rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
             for height, width in ((300, 500), (400, 400), (200, 160))]
    monkeypatch.setattr(accuracy_data, "photographs", lambda: known)
    arrays, source = draw(name)
    assert source == "photographs"
    assert len({array.tobytes() for array in arrays}) == len(arrays)


def test_sounds_are_made_where_nobody_speaks(bare):
    sound, source = accuracy_data.sounds(np.random.default_rng(1), 16000)
    assert source == "made" and sound.shape == (16000,)
    assert 0 < np.abs(sound).max() < 2


def test_steps_are_those_of_what_the_last_product_reads(tmp_path):
    images = accuracy_data.test_digits()[:16]
    nacre.quantize(accuracy_data.DIGITS / "digits.onnx", tmp_path / "d.onnx",
                   [{"image": image[None, None]} for image in images])
    step = bench_accuracy.last_step(tmp_path / "d.onnx")
    assert 0 < step < 1
    deep = builders.model(
        [builders.node("MatMul", ["x" if i == 0 else f"y{i}", "w"],
                       [f"y{i + 1}"]) for i in range(5)],
        {"x": ("float32", [1, 2])}, {"y5": ("float32", [1, 2])},
        {"w": np.eye(2, dtype=np.float32)})
    onnx.save(deep, str(tmp_path / "deep.onnx"))
    assert bench_accuracy.last_step(tmp_path / "deep.onnx") is None


def test_choices_are_counted_where_there_are_scores():
    scores = np.eye(10, dtype=np.float32)
    others = scores[[1, *range(1, 10)]]
    assert bench_accuracy.compare([scores], [others])[1] == (9, 10)
    assert bench_accuracy.compare([scores], [scores])[0] > 200
    assert bench_accuracy.compare([scores[:, :3]], [others[:, :3]])[1] is None
