# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The committed digit classifier: what it is worth and where it comes from."""

import filecmp
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import train_digits
from nacre import cli

DIGITS = cli.ROOT / "python" / "models" / "digits"


def convolve(x, weight, bias):
    n, _, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    result = np.zeros((n, len(weight), h, w)) + bias[:, None, None]
    for i in range(3):
        for j in range(3):
            window = padded[:, :, i:i + h, j:j + w]
            result += np.einsum("nchw,mc->nmhw", window, weight[:, :, i, j])
    return result


def pool(x):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))


def evaluate(model, images):
    """The network in numpy, with the weights that the ONNX file holds."""
    weights = {tensor.name: numpy_helper.to_array(tensor)
               for tensor in model.graph.initializer}
    x = images
    for conv in "12":
        x = convolve(x, weights[f"w{conv}"], weights[f"b{conv}"])
        x = pool(np.maximum(x, 0))
    return x.reshape(len(x), -1) @ weights["w3"].T + weights["b3"]


def test_committed_model_recognises_97_percent_of_held_out_digits():
    images = np.load(DIGITS / "test_images.npy")
    labels = np.load(DIGITS / "test_labels.npy")
    model = onnx.load(str(DIGITS / "digits.onnx"))
    right = evaluate(model, images).argmax(axis=1) == labels
    assert len(labels) == 360
    assert right.mean() >= 0.97


def test_training_again_reproduces_the_committed_files(tmp_path):
    script = cli.ROOT / "python" / "scripts" / "train_digits.py"
    subprocess.run([sys.executable, str(script), "--output", str(tmp_path)],
                   check=True)
    names = ["digits.onnx", "test_images.npy", "test_labels.npy"]
    same, different, errors = filecmp.cmpfiles(DIGITS, tmp_path, names,
                                               shallow=False)
    assert (sorted(same), different, errors) == (names, [], [])


def test_exact_matmul_does_not_depend_on_the_order_of_its_sums():
    rng = np.random.RandomState(0)
    a = train_digits.snap(rng.rand(50, 300))
    b = train_digits.snap(rng.rand(300, 20) - 0.5)
    order = rng.permutation(300)
    bits = 2 * train_digits.VALUE_BITS
    np.testing.assert_array_equal(
        train_digits.exact_matmul(a, b, bits),
        train_digits.exact_matmul(a[:, order], b[order], bits))


def test_exact_matmul_refuses_sums_that_would_round():
    huge = np.full((1, 4), 2.0**20)
    with pytest.raises(ArithmeticError):
        train_digits.exact_matmul(huge, huge.T, 2 * train_digits.VALUE_BITS)
