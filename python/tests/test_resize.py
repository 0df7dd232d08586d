"""Resize with constant scales, as models have them, on all backends.

ONNX's own tests pass the scales as inputs, which compiled code refuses; the
interpreter passes those, and here it is what the others are compared with.
"""

import itertools

import numpy as np
import onnx
import pytest

from nacre import builders, cli

MODES = ["nearest", "linear", "cubic"]
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners",
               "asymmetric", "tf_crop_and_resize"]


def run(model, backend, x, folder):
    out = folder / backend
    np.save(folder / "x.npy", x)
    cli.nacre("run", model, f"--backend={backend}", "--input",
              f"x={folder / 'x.npy'}", "--output-dir", out)
    return np.load(out / "y.npy")


@pytest.mark.parametrize("mode, coordinates",
                         itertools.product(MODES, COORDINATES))
@pytest.mark.parametrize("scales", [(1, 1, 2, 1.5), (1, 1, 0.6, 0.5)],
                         ids=["larger", "smaller"])
def test_resize_by_constants_agrees_on_all_backends(tmp_path, mode, coordinates,
                                                    scales):
    shape = [1, 2, 7, 9]
    result = [int(np.floor(n * s)) for n, s in zip(shape, scales)]
    roi = [0, 0, 0.1, 0.2, 1, 1, 0.9, 1.3]
    model = builders.single(
        "Resize", {"x": ("float32", shape)}, {"y": ("float32", result)},
        weights={"roi": np.array(roi, np.float32),
                 "scales": np.array(scales, np.float32)},
        mode=mode, coordinate_transformation_mode=coordinates,
        extrapolation_value=-7.0)
    path = tmp_path / "resize.onnx"
    onnx.save(model, str(path))
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    expected = run(path, "interpreter", x, tmp_path)
    for backend in ("cpu", "reference"):
        np.testing.assert_allclose(run(path, backend, x, tmp_path), expected,
                                   rtol=1e-5, atol=1e-5)
