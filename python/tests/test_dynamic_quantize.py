# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DynamicQuantizeLinear to the bit, as its formula says in float32."""

import numpy as np
import pytest
from onnx import helper

import nacre
from backends import BACKENDS, run
from nacre import builders
from nacre.compiled import CompiledModel
from test_dynamic_images import compile_model

AWKWARD = [
    [5, 5, 5], [-3, -2, -2.5], [-7, -7, -7], [7, 0, 7],  # of one sign
    [1e-40, 2e-40, 0], [-1e-40, 3e-40, 1e-42],  # denormal
    [1e-45, 0, 0], [-1e-45, 0, 1e-45],  # the scale is rounded to 0
    [3e38, 0, 1], [3.4e38, -3.4e38, 1],  # the second range overflows
    [np.inf, 1, 2], [127.5, -127.5, 0], [0.5, 254.5, -0.5],
]


def formula(x):
    """The scale, zero point and elements for each row of X."""
    with np.errstate(all="ignore"):
        low = np.minimum(x.min(axis=1), np.float32(0))
        high = np.maximum(x.max(axis=1), np.float32(0))
        scale = (high - low) / np.float32(255)
        zero = np.rint(np.clip(np.float32(0) - low / scale, 0, 255))
        y = np.rint(x / scale[:, None]) + zero[:, None]
        return scale, zero, np.clip(y, 0, 255)


def compare(x, results):
    scale, zero, y = formula(x)
    np.testing.assert_array_equal(results["scale"].view(np.uint32),
                                  scale.view(np.uint32))
    # Not a number has no zero point.
    known = ~np.isnan(zero)
    np.testing.assert_array_equal(results["zero"][known], zero[known])
    known = ~np.isnan(y)
    np.testing.assert_array_equal(results["y"][known], y[known])


def draw(rng, count, length):
    """Rows of all magnitudes, around zero and elsewhere."""
    magnitude = 10 ** rng.uniform(-12, 12, (count, 1))
    middle = rng.uniform(-3, 3, (count, 1)) * rng.integers(0, 2, (count, 1))
    rows = (rng.standard_normal((count, length)) + middle) * magnitude
    return rows.astype(np.float32)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ten_thousand_rows_are_quantized_as_the_formula_says(tmp_path, backend):
    x = np.concatenate([draw(np.random.default_rng(0), 10000, 3),
                        np.float32(AWKWARD)])
    body = helper.make_graph(
        [builders.node("DynamicQuantizeLinear", ["row"], ["q", "s", "z"])],
        "body", [builders.value("row", "float32", [3])],
        [builders.value("q", "uint8", [3]), builders.value("s", "float32", []),
         builders.value("z", "uint8", [])])
    count = len(x)
    model = builders.model(
        [builders.node("Scan", ["x"], ["y", "scale", "zero"], body=body,
                       num_scan_inputs=1)],
        {"x": ("float32", [count, 3])},
        {"y": ("uint8", [count, 3]), "scale": ("float32", [count]),
         "zero": ("uint8", [count])})
    compare(x, run(model, {"x": x}, tmp_path, backend))


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_tensors_of_any_length_are_quantized_as_the_formula_says(tmp_path,
                                                                 backend):
    model = builders.single("DynamicQuantizeLinear", {"x": ("float32", ["n"])},
                            {"y": ("uint8", ["n"]), "scale": ("float32", []),
                             "zero": ("uint8", [])})
    compiled = CompiledModel(nacre.compile(model, tmp_path / "quantize.so",
                                           backend=backend))
    rng = np.random.default_rng(1)
    for length in rng.integers(1, 200, 1000):
        x = draw(rng, 1, length)
        compare(x, {name: np.asarray(result).reshape(1, -1)[
            ..., 0 if name != "y" else slice(None)]
                    for name, result in compiled.run({"x": x[0]}).items()})


@pytest.mark.parametrize("backend", BACKENDS)
def test_zeros_are_quantized_to_zeros(tmp_path, backend):
    model = builders.single("DynamicQuantizeLinear", {"x": ("float32", [4])},
                            {"y": ("uint8", [4]), "scale": ("float32", []),
                             "zero": ("uint8", [])})
    results = run(model, {"x": np.zeros(4, np.float32)}, tmp_path, backend)
    assert not any(result.any() for result in results.values())


@pytest.mark.parametrize("threads", [1, 2])
def test_cores_find_the_range_together(threads, tmp_path):
    model = builders.single("DynamicQuantizeLinear",
                            {"x": ("float32", [1090, 384])},
                            {"y": ("uint8", [1090, 384]),
                             "scale": ("float32", []), "zero": ("uint8", [])})
    compiled = compile_model(model, tmp_path, threads)
    x = draw(np.random.default_rng(2), 1, 1090 * 384)
    # In the part of either core.
    for low, high in ((0, -1), (-1, 0), (1, 2), (-2, -3)):
        case = x.copy()
        case[0, low], case[0, high] = 3 * x.min(), 3 * x.max()
        found = compiled.run({"x": case.reshape(1090, 384)})
        compare(case, {name: np.asarray(result).reshape(1, -1)[
            ..., 0 if name != "y" else slice(None)]
                       for name, result in found.items()})
