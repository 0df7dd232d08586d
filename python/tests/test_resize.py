"""Resize on all backends, by constants as models have them and by inputs.

The interpreter passes ONNX's own tests, and here it is what the others are
compared with.
"""

import itertools

import numpy as np
import onnx
import pytest

from nacre import builders, cli

MODES = ["nearest", "linear", "cubic"]
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners",
               "asymmetric", "tf_crop_and_resize"]


def run(model, backend, inputs, folder):
    out = folder / backend
    arguments = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        arguments += ["--input", f"{name}={folder / name}.npy"]
    cli.nacre("run", model, f"--backend={backend}", *arguments,
              "--output-dir", out)
    return np.load(out / "y.npy")


def check(folder, known, parameters, shape, result, **attributes):
    """PARAMETERS are initializers where KNOWN, else inputs."""
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    inputs = {"x": x, **({} if known else parameters)}
    typed = {name: (array.dtype.name, list(array.shape))
             for name, array in inputs.items()}
    node = builders.node(
        "Resize", ["x", *(name if name in parameters else ""
                          for name in ("roi", "scales", "sizes"))],
        ["y"], **attributes)
    model = builders.model([node], typed, {"y": ("float32", result)},
                           parameters if known else {}, opset=18)
    path = folder / "resize.onnx"
    onnx.save(model, str(path))
    expected = run(path, "interpreter", inputs, folder)
    for backend in ("cpu", "reference"):
        np.testing.assert_allclose(run(path, backend, inputs, folder),
                                   expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mode, coordinates",
                         itertools.product(MODES, COORDINATES))
@pytest.mark.parametrize("scales", [(1, 1, 2, 1.5), (1, 1, 0.6, 0.5)],
                         ids=["larger", "smaller"])
@pytest.mark.parametrize("known", [True, False], ids=["constant", "run-time"])
def test_resize_by_scales_agrees_on_all_backends(tmp_path, mode, coordinates,
                                                 scales, known):
    shape = [1, 2, 7, 9]
    parameters = {
        "roi": np.array([0, 0, 0.1, 0.2, 1, 1, 0.9, 1.3], np.float32),
        "scales": np.array(scales, np.float32)}
    check(tmp_path, known, parameters, shape,
          [int(np.floor(n * s)) for n, s in zip(shape, scales)], mode=mode,
          coordinate_transformation_mode=coordinates,
          extrapolation_value=-7.0)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize("attributes", [
    {"antialias": 1}, {"exclude_outside": 1}, {"cubic_coeff_a": -0.5}], ids=str)
@pytest.mark.parametrize("scales", [(1.7, 1.5), (0.6, 0.3)], ids=str)
def test_resize_by_run_time_scales_filters_as_by_constants(
        tmp_path, mode, attributes, scales):
    check(tmp_path, False, {"scales": np.array(scales, np.float32)},
          [1, 2, 7, 9], [1, 2, *(int(n * s) for n, s in zip((7, 9), scales))],
          mode=mode, axes=[2, 3], **attributes)


@pytest.mark.parametrize("policy, result", [
    ("not_larger", [10, 13]), ("not_smaller", [16, 20])])
def test_resize_by_run_time_sizes_keeps_the_aspect_ratio(
        tmp_path, policy, result):
    check(tmp_path, False, {"sizes": np.array([10, 20], np.int64)},
          [1, 2, 7, 9], [1, 2, *result], mode="linear", axes=[2, 3],
          keep_aspect_ratio_policy=policy)


def single_precision_case(opset, scales, **attributes):
    """A model that resizes 30 numbers by constant scales, and what to expect of
    scales that are single precision, as exporters write them."""
    weights = {"roi": np.zeros(0, np.float32),
               "scales": np.array(scales, np.float32)}
    names = ["x", "roi", "scales"] if opset > 10 else ["x", "scales"]
    node = builders.node("Resize", names, ["y"], mode="nearest", **attributes)
    return builders.model([node], {"x": ("float32", [1, 30])},
                          {"y": ("float32", [1, None])},
                          {name: weights[name] for name in names[1:]},
                          opset=opset)


@pytest.mark.parametrize("backend", ["cpu", "reference", "interpreter"])
@pytest.mark.parametrize("opset, scale, attributes, expected", [
    # 0.7 is a little less than that, and 1.7 a little more.
    (13, 0.7, {"nearest_mode": "floor"}, [x * 10 // 7 for x in range(21)]),
    (13, 1.7, {"nearest_mode": "floor"}, [x * 10 // 17 for x in range(51)]),
    # Operator set 10 takes the next element of a smaller result.
    (10, 0.6, {}, [-(-x * 10 // 6) for x in range(18)]),
    (10, 0.5, {}, range(0, 30, 2)),
    (10, 1.7, {}, [x * 10 // 17 for x in range(51)]),
], ids=lambda value: str(value) if isinstance(value, float) else "")
def test_scales_are_single_precision(tmp_path, backend, opset, scale,
                                     attributes, expected):
    if opset > 10:
        attributes = {"coordinate_transformation_mode": "asymmetric",
                      **attributes}
    path = tmp_path / "resize.onnx"
    onnx.save(single_precision_case(opset, [1, scale], **attributes),
              str(path))
    x = np.arange(30, dtype=np.float32).reshape(1, 30)
    result = run(path, backend, {"x": x}, tmp_path)
    np.testing.assert_array_equal(result, x[:, list(expected)])


def test_old_resize_that_shrinks_and_grows_is_refused(tmp_path):
    path = tmp_path / "resize.onnx"
    onnx.save(single_precision_case(10, [2, 0.6]), str(path))
    with pytest.raises(cli.NacreError, match="below and above 1") as error:
        cli.nacre("compile", path, "-o", tmp_path / "x.so")
    assert error.value.code == cli.Exit.UNSUPPORTED
