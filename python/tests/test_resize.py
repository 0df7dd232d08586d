# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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


@pytest.mark.parametrize("shape, scales", [
    ((1, 2, 7, 9), (1, 1, 2, 3)), ((2, 3, 5, 4), (2, 1, 1, 4)),
    ((1, 2, 7, 9), (1, 1, 2, 1.5)), ((3, 1), (2, 5)), ((0, 3), (2, 2))],
    ids=str)
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric"])
def test_nearest_elements_are_repeated(tmp_path, shape, scales, coordinates):
    result = [int(size * scale) for size, scale in zip(shape, scales)]
    check(tmp_path, True, {"scales": np.array(scales, np.float32)}, shape,
          result, mode="nearest", nearest_mode="floor",
          coordinate_transformation_mode=coordinates)


@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric"])
def test_infinity_stays_in_its_channel(tmp_path, coordinates):
    scales = np.array([1, 1, 2], np.float32)
    x = np.ones((1, 2, 3), np.float32)
    x[0, 0, 2] = np.inf
    node = builders.node("Resize", ["x", "", "scales"], ["y"], mode="linear",
                         coordinate_transformation_mode=coordinates)
    model = builders.model([node], {"x": ("float32", [1, 2, 3])},
                           {"y": ("float32", [1, 2, 6])}, {"scales": scales},
                           opset=18)
    path = tmp_path / "resize.onnx"
    onnx.save(model, str(path))
    for backend in ("cpu", "reference", "interpreter"):
        result = run(path, backend, {"x": x}, tmp_path)
        np.testing.assert_array_equal(result[0, 1], np.ones(6))


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


# What ONNX Runtime 1.30 gives for the image of image_case(), by mode, scales and
# exclude_outside; Pillow rounds in the same way.
ANTIALIASED = {
    ("linear", (0.5, 0.5), 0):
        "4d7486747b82948aa1807688",
    ("linear", (0.6, 1.5), 0):
        "0c3974af6b26619dad3e4f8ac5426fa0b6855c97b7b46a859f557ca9b94a"
        "5b90b67d4883afb45aadaa9a6b8ca2484e79b480466c",
    ("linear", (0.31, 0.43), 0):
        "657389918180",
    ("cubic", (0.5, 0.5), 0):
        "4e78866b7f849b93ab7c708c",
    ("cubic", (0.6, 0.4), 1):
        "5774767f94958e7b8aa07278",
    ("cubic", (1.3, 0.7), 0):
        "12912c953f8a26a540a951aa42cf60d17d9161c274ca9369885b76767093"
        "a167949487bdc49a84629578c0957c2ca1348c4da751ba5b",
}


def image_case(mode, scales, outside, known, dtype="uint8"):
    """A small image of all levels, some of them at the ends of the range."""
    x = (np.arange(63).reshape(1, 1, 7, 9) * 89 % 256).astype(np.uint8)
    if dtype == "int8":
        x = (x ^ 128).view(np.int8)
    result = [1, 1, *(int(np.float32(n) * np.float32(s))
                      for n, s in zip((7, 9), scales))]
    parameters = {"scales": np.array([1, 1, *scales], np.float32)}
    inputs = {"x": x, **({} if known else parameters)}
    node = builders.node("Resize", ["x", "", "scales"], ["y"], mode=mode,
                         antialias=1, exclude_outside=outside)
    model = builders.model(
        [node], {name: (array.dtype.name, list(array.shape))
                 for name, array in inputs.items()},
        {"y": (dtype, result)}, parameters if known else {}, opset=18)
    return model, inputs


@pytest.mark.parametrize("backend", ["cpu", "reference", "interpreter"])
@pytest.mark.parametrize("known", [True, False], ids=["constant", "run-time"])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_antialiased_bytes_are_those_of_image_libraries(tmp_path, backend,
                                                        known, dtype):
    """Signed ones are shifted by 128, which the rounding does not see."""
    path = tmp_path / "resize.onnx"
    for (mode, scales, outside), expected in ANTIALIASED.items():
        model, inputs = image_case(mode, scales, outside, known, dtype)
        onnx.save(model, str(path))
        y = run(path, backend, inputs, tmp_path)
        if dtype == "int8":
            y = y.view(np.uint8) ^ 128
        assert y.tobytes().hex() == expected, (mode, scales, outside)


@pytest.mark.parametrize("op, opset", [("Resize", 18), ("Upsample", 9)])
def test_mode_of_another_kind_is_refused(tmp_path, op, opset):
    names = ["x", "", "scales"] if op == "Resize" else ["x", "scales"]
    model = builders.model(
        [builders.node(op, names, ["y"], mode=3)], {"x": ("int32", [2])},
        {"y": ("int32", [4])}, {"scales": np.float32([2])}, opset=opset)
    path = tmp_path / "resize.onnx"
    onnx.save(model, str(path))
    with pytest.raises(cli.NacreError, match="mode") as error:
        cli.nacre("compile", path, "-o", tmp_path / "x.so")
    assert error.value.code in (cli.Exit.UNSUPPORTED, cli.Exit.BAD_INPUT)


@pytest.mark.parametrize("element", ["uint8", "int8", "uint16"])
def test_cubic_resize_of_integers_saturates_where_the_curve_overshoots(
        tmp_path, element):
    limits = np.iinfo(element)
    x = np.full((1, 1, 2, 8), limits.min, element)
    x[..., 4:] = limits.max
    model = builders.model(
        [builders.node("Resize", ["x", "", "scales"], ["y"], mode="cubic")],
        {"x": (element, [1, 1, 2, 8])}, {"y": (element, [1, 1, 2, 16])},
        {"scales": np.array([1, 1, 1, 2], np.float32)}, opset=18)
    path = tmp_path / "resize.onnx"
    onnx.save(model, str(path))
    # The weights of the four neighbours at a quarter, a = -0.75.
    weights = np.array([-0.10546875, 0.87890625, 0.26171875, -0.03515625])
    row = np.pad(x[0, 0, 0].astype(np.float64), 2, mode="edge")
    expected = np.empty(16)
    for i in range(8):
        expected[2 * i] = row[i:i + 4] @ weights[::-1]
        expected[2 * i + 1] = row[i + 1:i + 5] @ weights
    assert expected.min() < limits.min and expected.max() > limits.max
    expected = np.clip(np.rint(expected), limits.min, limits.max)
    for backend in ("interpreter", "cpu", "reference"):
        y = run(path, backend, {"x": x}, tmp_path)
        np.testing.assert_array_equal(y[0, 0, 1], expected.astype(element),
                                      err_msg=backend)


@pytest.mark.parametrize("size", [(2, 3, 5, 3), (1, 2, 3, 16), (1, 1, 2, 70),
                                  (1, 2, 2, 129)])
@pytest.mark.parametrize("times", [2, 3, 5, 8])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "float16", "float32"])
def test_resize_by_whole_numbers_repeats_elements(tmp_path, dtype, times, size):
    shape = [*size[:3], size[3] * times]
    model = builders.model(
        [builders.node("Resize", ["x", "", "scales"], ["y"], mode="nearest",
                       coordinate_transformation_mode="asymmetric",
                       nearest_mode="floor")],
        {"x": (dtype, list(size))}, {"y": (dtype, shape)},
        {"scales": np.float32([1, 1, 1, times])}, opset=18)
    path = tmp_path / "resize.onnx"
    onnx.save(model, str(path))
    x = np.random.default_rng(0).integers(0, 99, size).astype(dtype)
    for backend in ("cpu", "reference"):
        np.testing.assert_array_equal(run(path, backend, {"x": x}, tmp_path),
                                      x.repeat(times, axis=3))
