# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that ONNX Runtime adds to ONNX, on all backends.

numpy says what they yield, by ONNX Runtime's description of them.
"""

import numpy as np
import pytest

import nacre
from nacre import builders, cases, cli, tolerances
from nacre.cases import integers, parametrize, random


def Case(*arguments, domain="com.microsoft", **others):
    return cases.Case(*arguments, domain=domain, **others)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    # The error function by its series; x is a few units at most.
    z = np.asarray(x, np.float64) / np.sqrt(2)
    term, total = z.copy(), z.copy()
    for n in range(1, 80):
        term = -term * z * z / n
        total += term / (2 * n + 1)
    return (x / 2 * (1 + 2 / np.sqrt(np.pi) * total)).astype(np.float32)


def fast_gelu(x):
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return (x / 2 * (1 + np.tanh(inner))).astype(np.float32)


def activation_cases():
    x, bias = random(2, 5, 8), random(8, seed=1)
    yield Case("Gelu", "Gelu", {"x": x}, [gelu(x)])
    yield Case("BiasGelu", "BiasGelu", {"x": x, "b": bias}, [gelu(x + bias)])
    yield Case("FastGelu", "FastGelu", {"x": x}, [fast_gelu(x)])
    yield Case("FastGelu_bias", "FastGelu", {"x": x, "b": bias},
               [fast_gelu(x + bias)])
    yield Case("QuickGelu", "QuickGelu", {"x": x}, [x * sigmoid(1.702 * x)])
    yield Case("QuickGelu_alpha", "QuickGelu", {"x": x}, [x * sigmoid(3 * x)],
               alpha=3.0)
    yield Case("BiasSplitGelu", "BiasSplitGelu", {"x": x, "b": bias},
               [(x + bias)[..., :4] * gelu((x + bias)[..., 4:])])
    yield Case("BiasAdd", "BiasAdd", {"x": x, "b": bias, "s": -2 * x},
               [bias - x])
    wide = np.exp(x + bias)
    yield Case("BiasSoftmax", "BiasSoftmax", {"x": x, "b": bias[None, None]},
               [wide / wide.sum((1, 2), keepdims=True)], axis=1,
               is_inner_broadcast=1)


def normalize(x, epsilon):
    mean = x.mean(-1, keepdims=True)
    deviation = np.sqrt(((x - mean)**2).mean(-1, keepdims=True) + epsilon)
    return (x - mean) / deviation, mean, 1 / deviation


def root_mean_square(x, epsilon):
    root = np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
    return x / root, 1 / root


def normalization_cases():
    x, skip = random(2, 3, 8), random(3, 8, seed=1)
    gamma, beta, bias = (random(8, seed=i) for i in (2, 3, 4))
    total = x + skip + bias
    normal, mean, inverse = normalize(total, 1e-3)
    yield Case("SkipLayerNormalization", "SkipLayerNormalization",
               {"x": x, "skip": skip},
               [normal * gamma + beta, mean, inverse, total],
               {"gamma": gamma, "beta": beta, "bias": bias}, epsilon=1e-3)
    yield Case("SkipLayerNormalization_plain", "SkipLayerNormalization",
               {"x": x, "skip": x},
               [normalize(2 * x, 1e-12)[0] * gamma], {"gamma": gamma})
    normal, inverse = root_mean_square(total, 1e-3)
    yield Case("SkipSimplifiedLayerNormalization",
               "SkipSimplifiedLayerNormalization", {"x": x, "skip": skip},
               [normal * gamma, None, inverse, total],
               {"gamma": gamma, "bias": bias}, epsilon=1e-3)
    normal, inverse = root_mean_square(x, 1e-5)
    for domain in ("", "com.microsoft"):
        yield Case(f"SimplifiedLayerNormalization_{domain or 'onnx'}",
                   "SimplifiedLayerNormalization", {"x": x},
                   [normal * gamma, inverse], {"gamma": gamma}, domain=domain)
    ids, segments = integers(0, 9, 2, 3), integers(0, 2, 2, 3, seed=1)
    ids, segments = ids.astype(np.int32), segments.astype(np.int32)
    words, positions, kinds = (random(n, 8, seed=n) for n in (9, 5, 2))
    mask = np.array([[1, 1, 0], [1, 1, 1]], np.int32)
    total = words[ids] + positions[:3] + kinds[segments]
    yield Case("EmbedLayerNormalization", "EmbedLayerNormalization",
               {"ids": ids, "segments": segments},
               [normalize(total, 1e-12)[0] * gamma + beta,
                np.zeros(2, np.int32)],
               {"words": words, "positions": positions, "kinds": kinds,
                "gamma": gamma, "beta": beta})
    order = integers(0, 5, 2, 3, seed=5).astype(np.int32)
    total = words[ids] + positions[order]
    yield Case("EmbedLayerNormalization_positions", "EmbedLayerNormalization",
               {"ids": ids, "segments": None, "mask": mask, "order": order},
               [normalize(total, 1e-12)[0] * gamma + beta,
                np.array([2, 3], np.int32), total],
               {"words": words, "positions": positions, "gamma": gamma,
                "beta": beta, "kinds": None},
               order=["ids", "segments", "words", "positions", "kinds", "gamma",
                      "beta", "mask", "order"])
    tables = [integers(0, 256, *shape, seed=i, dtype=np.uint8)
              for i, shape in enumerate([(9, 8), (5, 8), (2, 8), (8,), (8,)])]
    scales = [np.float32(0.01 * (i + 1)) for i in range(5)]
    zeros = [np.uint8(120 + i) for i in range(5)]
    word, position, kind, factor, shift = (
        (table.astype(np.float32) - zero) * scale
        for table, scale, zero in zip(tables, scales, zeros))
    total = word[ids] + position[:3] + kind[segments]
    names = ["w", "p", "k", "g", "b"]
    yield Case("QEmbedLayerNormalization", "QEmbedLayerNormalization",
               {"ids": ids, "segments": segments, "mask": mask},
               [normalize(total, 1e-5)[0] * factor + shift,
                np.array([2, 3], np.int32)],
               {**dict(zip(names, tables)),
                **{f"{n}s": np.array(s) for n, s in zip(names, scales)},
                **{f"{n}z": np.array(z) for n, z in zip(names, zeros)}},
               order=["ids", "segments", *names, "mask",
                      *(f"{n}s" for n in names), *(f"{n}z" for n in names)],
               epsilon=1e-5)
    image = random(2, 3, 4, 6)
    gamma, beta = gamma[:6], beta[:6]
    grouped = image.reshape(2, 12, 3, 2)
    mean = grouped.mean((1, 3), keepdims=True)
    variance = grouped.var((1, 3), keepdims=True)
    normal = ((grouped - mean) / np.sqrt(variance + 1e-5)).reshape(image.shape)
    normal = normal * gamma + beta
    for activation, expected in [(0, normal), (1, normal * sigmoid(normal))]:
        yield Case(f"GroupNorm_{activation}", "GroupNorm", {"x": image},
                   [expected], {"gamma": gamma, "beta": beta}, groups=3,
                   activation=activation)


def unpacked(packed, bits, count):
    """The first COUNT integers of the last dimension."""
    parts = [(packed >> shift) & ((1 << bits) - 1)
             for shift in range(0, 8, bits)]
    return np.stack(parts, -1).reshape(*packed.shape[:-1], -1)[..., :count]


# Between -1 and 1, as many of a normal distribution below each as between them.
NORMAL_QUANTILES = np.array([
    -1, -0.6961928, -0.52507305, -0.3949175, -0.28444138, -0.18477343,
    -0.09105004, 0, 0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983,
    0.562617, 0.72295684, 1])


def matmul_cases():
    a, b = random(2, 3, 5), random(2, 5, 4, seed=1)
    yield Case("FusedMatMul", "FusedMatMul", {"a": a, "b": b}, [0.5 * a @ b],
               alpha=0.5)
    yield Case("FusedMatMul_transposed", "FusedMatMul",
               {"a": a.swapaxes(1, 2), "b": b[0].T}, [a @ b[0]], transA=1,
               transB=1)
    deep, wide = random(2, 3, 4, 5), random(2, 3, 5, 4, seed=1)
    yield Case("FusedMatMul_rows_in_front", "FusedMatMul",
               {"a": np.moveaxis(deep, 2, 0), "b": np.moveaxis(wide, 2, 0)},
               [deep @ wide], transBatchA=1, transBatchB=1)
    yield Case("TransposeMatMul", "TransposeMatMul",
               {"a": a, "b": b.swapaxes(1, 2)}, [a @ b], transB=1)
    bias = random(4, seed=2)
    yield Case("GemmFastGelu", "GemmFastGelu", {"a": a, "b": b[0]},
               [fast_gelu(a @ b[0] + bias)], {"bias": bias})
    product = 2 * a[0] @ b[0] + 3 * bias
    for name, activated in [
            ("Relu", np.maximum(product, 0)), ("Tanh", np.tanh(product)),
            ("Sigmoid", sigmoid(product))]:
        yield Case(f"FusedGemm_{name}", "FusedGemm", {"a": a[0], "b": b[0].T},
                   [activated], {"bias": bias}, alpha=2.0, beta=3.0, transB=1,
                   activation=name)
    yield Case("FusedGemm_LeakyRelu", "FusedGemm", {"a": a[0], "b": b[0]},
               [np.where(a[0] @ b[0] < 0, 0.3, 1) .astype(np.float32)
                * (a[0] @ b[0])], activation="LeakyRelu", activation_alpha=0.3)
    x, w, z = random(1, 3, 6, 5), random(4, 3, 1, 1, seed=1), random(
        1, 4, 6, 5, seed=2)
    conv = np.einsum("nchw,mc->nmhw", x, w[:, :, 0, 0])
    conv += bias[:, None, None]
    yield Case("FusedConv_Relu", "FusedConv", {"x": x, "w": w, "b": bias},
               [np.maximum(conv, 0)], activation="Relu")
    yield Case("FusedConv_Clip", "FusedConv",
               {"x": x, "w": w, "b": bias, "z": z},
               [np.clip(conv + z, -0.5, 1)], activation="Clip",
               activation_params=[-0.5, 1.0])
    distance = ((a[0][:, None] - a[1][None])**2).sum(-1)
    yield Case("CDist", "CDist", {"a": a[0], "b": a[1]}, [distance])
    yield Case("CDist_root", "CDist", {"a": a[0], "b": a[1]},
               [np.sqrt(distance)], metric="euclidean")
    for bits in (2, 4, 8):
        # The last block is not whole, the zero points do not fill their bytes.
        n, k, block = 6, 40, 16
        x = random(2, 3, k)
        packed = integers(0, 256, n, 3, block * bits // 8, dtype=np.uint8)
        scales = random(n, 3, seed=3)
        steps = unpacked(packed, bits, block).astype(np.float32)
        for name, zeros, zero in [
                ("default", None, np.float32(2**(bits - 1))),
                ("packed", packed[:, 0, :-(-3 * bits // 8)], None),
                ("float", random(n, 3, seed=4), random(n, 3, seed=4))]:
            if zero is None:
                zero = unpacked(zeros, bits, 3).astype(np.float32)
            zero = np.broadcast_to(zero, (n, 3))[:, :, None]
            w = ((steps - zero) * scales[:, :, None]).reshape(n, -1)[:, :k]
            weights = {"b": packed, "scales": scales.ravel(), "zeros": zeros}
            yield Case(f"MatMulNBits_{bits}_{name}", "MatMulNBits", {"x": x},
                       [x @ w.T], weights, K=k, N=n, bits=bits,
                       block_size=block, accuracy_level=1,
                       tolerance=tolerances.QUANTIZED_BLOCKS)
    # Rows of the weights in any order of their blocks.
    n, k, block = 6, 32, 16
    packed, zeros = (integers(0, 256, n, *rest, dtype=np.uint8)
                     for rest in ([2, block // 2], [1]))
    x, scales, groups = random(3, k), random(n, 2, seed=3), np.tile([1, 0], 16)
    steps = unpacked(packed, 4, block).reshape(n, k).astype(np.float32)
    zero = unpacked(zeros, 4, 2).astype(np.float32)
    w = (steps - zero[:, groups]) * scales[:, groups]
    yield Case("MatMulNBits_groups", "MatMulNBits", {"x": x}, [x @ w.T],
               {"b": packed, "scales": scales, "zeros": zeros,
                "groups": groups.astype(np.int32)}, K=k, N=n, bits=4,
               block_size=block, tolerance=tolerances.QUANTIZED_BLOCKS)
    # 99 weights in blocks of 16, the upper half of a byte first.
    n, k, block = 3, 33, 16
    packed = integers(0, 256, 50, dtype=np.uint8)
    x, scales = random(2, k), np.abs(random(7, seed=3))
    steps = unpacked(packed[:, None], 4, 2)[:, ::-1].ravel()[:n * k]
    quarters = np.array([0, 1 / 192, 2 / 3, 1, 1 / 3, 1 / 2, 1 / 6, 1 / 4])
    for kind, entries in enumerate([np.concatenate([quarters, -quarters]),
                                    NORMAL_QUANTILES]):
        w = entries[steps] * scales[np.arange(n * k) // block]
        w = w.reshape(n, k).astype(np.float32)
        yield Case(f"MatMulBnb4_{kind}", "MatMulBnb4", {"x": x}, [x @ w.T],
                   {"b": packed, "scales": scales}, K=k, N=n,
                   block_size=block, quant_type=kind,
                   tolerance=tolerances.QUANTIZED_BLOCKS)
    table = integers(0, 256, 7, 16, dtype=np.uint8)
    scales, ids = random(7, 2, seed=3), integers(0, 7, 2, 3)
    zeros = integers(0, 256, 7, 1, dtype=np.uint8)
    for name, packed_zeros, zero in [
            ("default", None, np.full((7, 2), 8)),
            ("packed", zeros, unpacked(zeros, 4, 2))]:
        rows = unpacked(table, 4, 32).reshape(7, 2, 16).astype(np.float32)
        rows = (rows - zero[..., None]) * scales[..., None]
        yield Case(f"GatherBlockQuantized_{name}", "GatherBlockQuantized",
                   {"ids": ids},
                   [rows.reshape(7, 32)[ids].astype(np.float32)],
                   {"table": table, "scales": scales, "zeros": packed_zeros},
                   order=["table", "ids", "scales", "zeros"], bits=4,
                   block_size=16, quantize_axis=1)


def alias_cases():
    x = random(3, 4)
    yield Case("Trilu", "Trilu", {"x": x}, [np.tril(x, -1)],
               {"k": np.array(-1)}, upper=0)
    yield Case("ExpandDims", "ExpandDims", {"x": x}, [x[:, None]],
               {"axis": np.array(1, np.int32)})
    rows = np.array([[2, 1], [0, 3]], np.int32)
    yield Case("GatherND", "GatherND", {"x": x, "i": rows}, [x[[2, 0], [1, 3]]])
    yield Case("Pad", "Pad", {"x": x},
               [np.pad(x, [(1, 0), (0, 2)], mode="edge")],
               {"pads": np.array([1, 0, 0, 2])}, mode="edge")
    yield Case("Range", "Range", {}, [np.arange(2, 6, dtype=np.int32)],
               {"start": np.array(2, np.int32), "end": np.array(6, np.int32)})
    image = random(1, 2, 3, 4)
    # The middles of two elements.
    grid = np.array([[-0.75, -2 / 3], [0.25, 0]], np.float32)[None, None]
    yield Case("GridSample", "GridSample", {"x": image, "g": grid},
               [image[:, :, [0, 1], [0, 2]][:, :, None]], mode="bilinear",
               padding_mode="border")
    yield Case("Unique", "Unique",
               {"x": np.array([2, 1, 1, 3, 2], np.float32)},
               [np.array([2, 1, 3], np.float32), np.array([0, 1, 1, 2, 0]),
                np.array([2, 2, 1])])
    scale, zero = np.array(0.02, np.float32), np.array(7, np.int8)
    q = np.clip(np.rint(x / scale) + zero, -128, 127).astype(np.int8)
    yield Case("QuantizeLinear", "QuantizeLinear", {"x": x}, [q],
               {"scale": scale, "zero": zero})
    yield Case("DequantizeLinear", "DequantizeLinear", {"x": q},
               [(q.astype(np.float32) - 7) * scale],
               {"scale": scale, "zero": zero})


@parametrize([*activation_cases(), *normalization_cases()])
def test_activation_or_normalization_matches_numpy(case, backend):
    case.check(backend)


@parametrize([*matmul_cases(), *alias_cases()])
def test_product_or_alias_matches_numpy(case, backend):
    case.check(backend)


@pytest.mark.parametrize("kind, scales, message", [
    ("int64", [7], "expected 'scales' of 2 dimensions, found tensor<7xf32>"),
    ("float32", [7, 2], "operand #1 must be ranked tensor of 32-bit")])
def test_rows_of_a_packed_table_are_refused_with_what_is_wrong(
        tmp_path, kind, scales, message):
    net = builders.model(
        [builders.node("GatherBlockQuantized", ["table", "ids", "scales"],
                       ["y"], domain="com.microsoft", bits=4, block_size=16)],
        {"ids": (kind, [3])}, {"y": ("float32", [3, 32])},
        weights={"table": np.zeros([7, 16], np.uint8),
                 "scales": np.ones(scales, np.float32)})
    with pytest.raises(nacre.CompileError) as error:
        nacre.compile(net, tmp_path / "net.so")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert message in error.value.message
