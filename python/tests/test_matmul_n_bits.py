# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with weights of few bits against their definition in float64."""

import json

import numpy as np
import onnx
import pytest

from backends import BACKENDS, multiplies_bytes, run, runnable
from nacre import builders, cli, tolerances
from nacre.samples import write_tensor

DOMAIN = "com.microsoft"
ARCHITECTURES = runnable(["host", "x86-64-v4", "x86-64-v3", "x86-64"])


def pack(integers, bits):
    """Integers as bytes, the first in the lowest bits."""
    per_byte = 8 // bits
    missing = -integers.shape[-1] % per_byte
    padded = np.pad(integers, [(0, 0)] * (integers.ndim - 1) + [(0, missing)])
    split = padded.reshape(*integers.shape[:-1], -1, per_byte).astype(np.uint8)
    return np.bitwise_or.reduce(split << (np.arange(per_byte) * bits),
                                axis=-1).astype(np.uint8)


class Product:
    """Random rows and weights, and what their product is. Every `period`-th
    element of a row, if any, is an `outlier`, that many times as large, or of
    no account: its weights are zero. Or elements are pairs whose products
    nearly cancel."""

    def __init__(self, rows, depth, columns, bits, block, zeros="none",
                 has_bias=False, dtype=np.float32, period=None, outlier=1,
                 is_seen=True, is_paired=False):
        rng = np.random.default_rng(rows * depth + columns)
        blocks = -(-depth // block)
        integers = rng.integers(0, 1 << bits, (columns, blocks, block))
        if not is_seen:
            integers[..., ::period] = 1 << (bits - 1)
        if is_paired:
            integers[..., 1::2] = integers[..., ::2]
        scales = (rng.random((columns, blocks)) + 0.5).astype(dtype)
        self.weights = {"b": pack(integers, bits), "scales": scales}
        if zeros == "packed":
            zero = rng.integers(0, 1 << bits, (columns, blocks))
            self.weights["zeros"] = pack(zero, bits)
        elif zeros == "floats":
            zero = (rng.random((columns, blocks)) * 9).astype(dtype)
            self.weights["zeros"] = zero
        else:
            zero = np.full((columns, blocks), 1 << (bits - 1))
        values = ((integers - zero[..., None].astype(np.float64))
                  * scales[..., None])
        self.matrix = values.reshape(columns, -1)[:, :depth].T
        self.x = rng.standard_normal((rows, depth))
        if period:
            self.x[:, ::period] *= outlier
        if is_paired:
            self.x[:, 1::2] = -self.x[:, ::2] * (1 + 2.0**-9)
        self.x = self.x.astype(dtype)
        self.expected = self.x.astype(np.float64) @ self.matrix
        if has_bias:
            self.weights["bias"] = rng.standard_normal(columns).astype(dtype)
            self.expected += self.weights["bias"]
        self.attributes = {"K": depth, "N": columns, "bits": bits,
                           "block_size": block}

    def model(self, rows=None, following=()):
        names = ["b", "scales", "zeros", "groups", "bias"]
        names = ["x"] + [k if k in self.weights else "" for k in names]
        while not names[-1]:
            names.pop()
        output = "t" if following else "y"
        node = builders.node("MatMulNBits", names, [output], domain=DOMAIN,
                             **self.attributes)
        dtype = self.x.dtype.name
        shape = list(self.x.shape) if rows is None else [rows, self.x.shape[1]]
        return builders.model(
            [node, *following], {"x": (dtype, shape)},
            {"y": (dtype, [shape[0], self.expected.shape[1]])},
            weights=self.weights)

    def check(self, result, tolerance=tolerances.CANCELLATION):
        largest = np.abs(self.expected).max()
        np.testing.assert_allclose(result, self.expected,
                                   **tolerance.scaled_to(largest))


def get_error(result, expected):
    """The root of the mean square, for results of size 1."""
    return np.sqrt(np.mean((result - expected) ** 2) / np.mean(expected ** 2))


def check_everywhere(product, model, folder, backend, *options):
    for arch in ARCHITECTURES if backend == "cpu" else [""]:
        extra = [f"--vpu-arch={arch}"] if arch else []
        product.check(run(model, {"x": product.x}, folder, backend, *extra,
                          *options)["y"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("zeros", ["none", "packed", "floats"])
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_weights_of_any_bits_and_zero_points_are_right(tmp_path, bits, zeros,
                                                       backend):
    for rows, columns in [(1, 40), (1, 200), (30, 40)]:
        product = Product(rows, 64, columns, bits, 16, zeros)
        check_everywhere(product, product.model(), tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows, depth, columns, block", [
    (1, 256, 7, 256), (2, 40, 16, 32), (5, 33, 1, 16), (8, 96, 33, 32),
    (9, 96, 33, 32), (17, 130, 50, 128), (1, 24, 20, 8), (1, 256, 103, 256),
    (2, 40, 250, 32), (8, 96, 390, 32), (9, 96, 250, 32), (17, 130, 210, 128)])
def test_sizes_of_any_kind_are_right(tmp_path, rows, depth, columns, block,
                                     backend):
    product = Product(rows, depth, columns, 4, block, "packed", has_bias=True)
    check_everywhere(product, product.model(), tmp_path, backend)


@pytest.mark.parametrize("zeros", ["none", "packed", "floats"])
@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("block", [8, 16, 24, 64, 256])
def test_blocks_of_any_size_are_right_for_many_rows(tmp_path, block, bits,
                                                    zeros):
    if block * bits % 32:
        pytest.skip("blocks are no whole words")
    product = Product(35, 300, 490, bits, block, zeros, has_bias=True)
    check_everywhere(product, product.model(), tmp_path, "cpu")


@pytest.mark.parametrize("columns", [70, 570])
@pytest.mark.parametrize("rows", [10, 16, 31, 33, 63, 64, 65, 97, 130])
def test_any_number_of_many_rows_is_right(tmp_path, rows, columns):
    product = Product(rows, 96, columns, 4, 32, "packed")
    check_everywhere(product, product.model(), tmp_path, "cpu")


@pytest.mark.parametrize("zeros", ["none", "floats"])
def test_rows_longer_than_the_cache_are_right(tmp_path, zeros):
    product = Product(70, 9000, 450, 4, 32, zeros, has_bias=True)
    relu = builders.node("Relu", ["t"], ["y"])
    model = product.model(following=[relu])
    product.expected = np.maximum(product.expected, 0)
    check_everywhere(product, model, tmp_path, "cpu")


@pytest.mark.parametrize("columns", [64, 450])
def test_many_rows_are_as_exact_as_sums_of_f32(tmp_path, columns):
    product = Product(64, 4096, columns, 4, 32)
    result = run(product.model(), {"x": product.x}, tmp_path, "cpu")["y"]
    sums = np.zeros((64, columns), np.float32)
    for x, weights in zip(product.x.T, product.matrix.astype(np.float32)):
        sums += np.outer(x, weights)
    error, most = (np.sqrt(np.mean((y - product.expected) ** 2))
                   for y in (result, sums))
    assert 0 < error < most


@pytest.mark.parametrize("zeros", ["none", "packed", "floats"])
@pytest.mark.parametrize("level, most", [
    (0, 1e-6), (1, 1e-6), (2, 2**-11), (3, 2**-8), (4, 2**-6)])
@pytest.mark.parametrize("rows", [1, 5, 40])
def test_rows_are_as_exact_as_the_model_asks_for(tmp_path, rows, level, most,
                                                 zeros):
    product = Product(rows, 1024, 400, 4, 32, zeros)
    product.attributes["accuracy_level"] = level
    for arch in ARCHITECTURES:
        result = run(product.model(), {"x": product.x}, tmp_path, "cpu",
                     f"--vpu-arch={arch}")["y"]
        error = get_error(result, product.expected)
        assert error < most
        # Where bytes are multiplied, there are as few as the level allows; with
        # zero points of f32 they are not.
        if level >= 2 and zeros != "floats" and multiplies_bytes(arch):
            assert error > 1e-6


@pytest.mark.parametrize("option, most", [("--precision=bf16", 2**-8),
                                          ("--accuracy-level=4", 2**-6),
                                          ("--accuracy-level=3", 2**-8),
                                          ("--activations=dynamic", 2**-6)])
@pytest.mark.parametrize("rows", [1, 5, 40])
def test_rows_are_as_exact_as_the_command_asks_for(tmp_path, rows, option,
                                                   most):
    product = Product(rows, 1024, 400, 4, 32)
    result = run(product.model(), {"x": product.x}, tmp_path, "cpu",
                 option)["y"]
    error = get_error(result, product.expected)
    assert error < most
    if multiplies_bytes("host"):
        assert error > 1e-6


def test_what_the_model_asks_for_counts_more_than_the_command(tmp_path):
    product = Product(5, 1024, 350, 4, 32)
    product.attributes["accuracy_level"] = 1
    product.check(run(product.model(), {"x": product.x}, tmp_path, "cpu",
                      "--accuracy-level=4")["y"])


def check_exit(folder, model, inputs, outputs, *options):
    """The exit status of `nacre check` of a model on these data."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    onnx.save(model, folder / "m.onnx")
    for kind, tensors in ("input", inputs), ("output", outputs):
        for i, (name, array) in enumerate(tensors.items()):
            write_tensor(data / f"{kind}_{i}.pb", name, array)
    try:
        cli.nacre("check", folder / "m.onnx", data, *options)
    except cli.NacreError as error:
        return error.code
    return cli.Exit.SUCCESS


def test_tolerance_is_that_of_the_level_where_a_product_has_it(tmp_path):
    product = Product(5, 1024, 48, 4, 32)
    off = product.expected + 0.01 * np.abs(product.expected).max()

    def check(outputs, *options, model=product.model()):
        return check_exit(tmp_path, model, {"x": product.x},
                          {"y": outputs.astype(np.float32)}, *options)

    assert check(product.expected, "--accuracy-level=4") == cli.Exit.SUCCESS
    assert check(off, "--accuracy-level=4") == cli.Exit.SUCCESS
    assert check(off, "--accuracy-level=1") == cli.Exit.DIFFERS
    product.attributes["accuracy_level"] = 1
    assert check(off, "--accuracy-level=4",
                 model=product.model()) == cli.Exit.DIFFERS


def test_tolerance_of_other_models_is_that_of_f32(tmp_path):
    model = builders.model([builders.node("Relu", ["x"], ["y"])],
                           {"x": ("float32", [4])}, {"y": ("float32", [4])})
    x = np.arange(1, 5, dtype=np.float32)
    assert check_exit(tmp_path, model, {"x": x}, {"y": x * np.float32(1.01)},
                      "--accuracy-level=4") == cli.Exit.DIFFERS
    with pytest.raises(cli.NacreError, match="--accuracy-level=4 is a choice of "
                                             "the cpu and reference-hw backends"):
        cli.nacre("check", tmp_path / "m.onnx", tmp_path / "data",
                  "--backend=interpreter", "--accuracy-level=4")


def test_file_for_other_tools_asks_for_rows_of_bytes(tmp_path):
    onnx.save(Product(5, 64, 48, 4, 32).model(), tmp_path / "m.onnx")
    cli.nacre("quantize", tmp_path / "m.onnx", "--activations=dynamic", "-o",
              tmp_path / "small.onnx", "--report=" + str(tmp_path / "r.json"))
    product, = onnx.load(tmp_path / "small.onnx").graph.node
    attributes = {a.name: a.i for a in product.attribute}
    assert attributes["accuracy_level"] == 4
    report = json.loads((tmp_path / "r.json").read_text())
    assert [p["precision"] for p in report["products"]] == ["int8"]


def test_unknown_accuracy_is_refused(tmp_path):
    product = Product(1, 32, 8, 4, 32)
    product.attributes["accuracy_level"] = 5
    model = tmp_path / "m.onnx"
    onnx.save(product.model(), model)
    with pytest.raises(cli.NacreError, match="accuracy_level from 0 to 4"):
        cli.nacre("compile", model, "-o", tmp_path / "m.so")


@pytest.mark.parametrize("columns", [40, 300])
def test_infinity_and_nan_stay_in_their_rows(tmp_path, columns):
    product = Product(20, 64, columns, 4, 32)
    product.x[3, 5], product.x[7, 40] = np.inf, np.nan
    result = run(product.model(), {"x": product.x}, tmp_path, "cpu")["y"]
    finite = np.delete(np.arange(20), [3, 7])
    assert np.isnan(result[7]).all()
    assert not np.isfinite(result[3]).any()
    assert np.isinf(result[3]).any()
    np.testing.assert_allclose(
        result[finite], product.expected[finite], **tolerances.CANCELLATION)


@pytest.mark.parametrize("depth, columns", [
    (128, 70), (1024, 512), (128, 1200)])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_artifact_is_right_for_any_number_of_rows(tmp_path, threads, depth,
                                                      columns):
    for rows in [1, 4, 8, 9, 40, 130]:
        product = Product(rows, depth, columns, 4, 32, "packed")
        check_everywhere(product, product.model(rows="n"), tmp_path, "cpu",
                         f"--threads={threads}")


@pytest.mark.parametrize("columns", [48, 300])
@pytest.mark.parametrize("rows", [3, 20])
def test_what_follows_is_part_of_the_product(tmp_path, rows, columns):
    product = Product(rows, 64, columns, 4, 32)
    relu = builders.node("Relu", ["t"], ["y"])
    model = product.model(following=[relu])
    product.expected = np.maximum(product.expected, 0)
    check_everywhere(product, model, tmp_path, "cpu")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_follows_rows_of_any_number_is_part_of_the_product(tmp_path,
                                                                threads):
    """An activation and a residual, of few rows and many."""
    for rows in (0, 1, 7, 20, 65):
        product = Product(rows, 96, 96, 4, 32)
        model = product.model(rows="n", following=[
            builders.node("Sigmoid", ["t"], ["s"]),
            builders.node("Mul", ["t", "s"], ["u"]),
            builders.node("Add", ["u", "x"], ["y"])])
        result = run(model, {"x": product.x}, tmp_path, "cpu",
                     f"--threads={threads}")["y"]
        expected = product.expected
        expected = expected / (1 + np.exp(-expected)) + product.x
        np.testing.assert_allclose(result, expected, **tolerances.DEQUANTIZED_SUMS)


def test_rows_of_half_precision_are_rounded_once(tmp_path):
    product = Product(2, 64, 48, 4, 32, "packed", dtype=np.float16)
    result = run(product.model(), {"x": product.x}, tmp_path, "cpu")["y"]
    assert result.dtype == np.float16
    product.check(result, tolerances.HALF_ROUNDING)


@pytest.mark.parametrize("outlier, is_seen", [
    (1, True), (4, False), (30, True), (30, False), (1000, True),
    (1000, False)])
@pytest.mark.parametrize("block", [16, 128])
@pytest.mark.parametrize("rows", [1, 5, 40])
@pytest.mark.parametrize("named", [None, "n"])
def test_rows_of_half_precision_are_exact_beside_outliers(
        tmp_path, named, rows, block, outlier, is_seen):
    product = Product(rows, 512, 200, 4, block, dtype=np.float16, period=block,
                      outlier=outlier, is_seen=is_seen)
    product.x /= 64  # no result overflows
    product.expected = product.x.astype(np.float64) @ product.matrix
    rounding = product.expected.astype(np.float16) - product.expected
    result = run(product.model(named), {"x": product.x}, tmp_path, "cpu")["y"]
    error = result - product.expected
    assert np.sqrt(np.mean(error ** 2)) \
        <= 1.1 * np.sqrt(np.mean(rounding ** 2))


def check_is_rounded_once(result, x, matrix):
    """Results in float16 are off by half a unit in the last place, and by what
    24 bits, of which the largest of a row has all, leave of an element."""
    x = x.astype(np.float64)
    expected = x @ matrix
    largest = np.abs(x).max(axis=1, keepdims=True)
    lost = largest * np.abs(matrix).sum(axis=0) * 2.0**-23
    unit = np.spacing(np.abs(expected).astype(np.float16)).astype(np.float64)
    assert np.all(np.abs(result - expected) <= 0.5 * unit + lost)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("rows", [1, 5, 40])
@pytest.mark.parametrize("named", [None, "n"])
def test_rows_of_half_precision_are_exact_where_columns_cancel(
        tmp_path, named, rows, level):
    product = Product(rows, 512, 200, 4, 128, dtype=np.float16, is_paired=True)
    product.attributes["accuracy_level"] = level
    for arch in ARCHITECTURES:
        result = run(product.model(named), {"x": product.x}, tmp_path, "cpu",
                     f"--vpu-arch={arch}")["y"]
        check_is_rounded_once(result, product.x, product.matrix)


@pytest.mark.parametrize("zeros", ["none", "packed", "floats"])
@pytest.mark.parametrize("rows", [8, 40])
def test_rows_of_half_precision_may_hold_anything(tmp_path, rows, zeros):
    product = Product(rows, 128, 400, 4, 32, zeros, dtype=np.float16)
    random = np.random.default_rng(7)
    denormal = np.finfo(np.float16).smallest_subnormal
    product.x[0] = 0
    product.x[1, :32] = 0  # one block
    product.x[2] = random.integers(-9, 10, 128) * denormal
    product.x[3, ::2] *= denormal
    product.x[4, 5], product.x[5, 6], product.x[6, 7] = (
        np.inf, -np.inf, np.nan)
    finite = np.delete(np.arange(rows), [4, 5, 6])
    for arch in ARCHITECTURES:
        result = run(product.model(), {"x": product.x}, tmp_path, "cpu",
                     f"--vpu-arch={arch}")["y"]
        assert np.isnan(result[6]).all()
        assert not np.isfinite(result[4:6]).any()
        assert np.isinf(result[4:6]).any(axis=1).all()
        assert not result[0].any()
        check_is_rounded_once(result[finite], product.x[finite],
                              product.matrix)


def test_float_zero_points_may_be_wider_than_rows(tmp_path):
    product = Product(2, 64, 48, 4, 32, "floats", dtype=np.float16)
    product.weights["zeros"] = product.weights["zeros"].astype(np.float32)
    result = run(product.model(), {"x": product.x}, tmp_path, "cpu")["y"]
    product.check(result, tolerances.HALF_ROUNDING)


def test_artifact_is_as_large_as_the_model(tmp_path):
    product = Product(1, 1024, 4096, 4, 32, "packed")
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(product.model(), str(path))
    cli.nacre("compile", path, "-o", library)
    assert library.stat().st_size <= 1.15 * path.stat().st_size
