# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime's quantized operators, on all backends."""

import numpy as np

from nacre import cases, tolerances
from nacre.cases import integers, parametrize, random


def Case(*arguments, tolerance=tolerances.QUANTIZED_STEP, **others):
    """Of integers, a step more or less is a matter of rounding."""
    return cases.Case(*arguments, domain="com.microsoft", tolerance=tolerance,
                      **others)


SCALES = [np.float32(0.02), np.float32(0.05), np.float32(0.03)]


def scale(i):
    return np.array(SCALES[i])


def zero(value, dtype=np.uint8):
    return np.array(value, dtype)


def dequantize(q, i, zero_point):
    return (q.astype(np.float32) - zero_point) * SCALES[i]


def quantize(x, i, zero_point, dtype=np.uint8):
    limits = np.iinfo(dtype)
    return np.clip(np.rint(x / SCALES[i]) + zero_point, limits.min,
                   limits.max).astype(dtype)


def elementwise_cases():
    a, b = (integers(0, 256, 2, 3, 4, 6, seed=i, dtype=np.uint8)
            for i in (0, 1))
    x, y = dequantize(a, 0, 120), dequantize(b[:, :1], 1, 99)
    for op, result in [("Add", x + y), ("Mul", x * y)]:
        yield Case(f"QLinear{op}", f"QLinear{op}", {"a": a, "b": b[:, :1]},
                   [quantize(result, 2, 7)],
                   {"as": scale(0), "az": zero(120), "bs": scale(1),
                    "bz": zero(99), "cs": scale(2), "cz": zero(7)},
                   order=["a", "as", "az", "b", "bs", "bz", "cs", "cz"])
    s = a.view(np.int8)
    signed = dequantize(s, 0, -5)
    weights = {"s": scale(0), "z": zero(-5, np.int8), "ys": scale(1),
               "yz": zero(3, np.int8)}
    for op, result, options in [
            ("Sigmoid", 1 / (1 + np.exp(-signed)), {}),
            ("LeakyRelu", np.where(signed < 0, 0.2, 1) * signed,
             {"alpha": 0.2})]:
        yield Case(f"QLinear{op}", f"QLinear{op}", {"x": s},
                   [quantize(result, 1, 3, np.int8)], weights, **options)
    weights = {"s": scale(0), "z": zero(120), "ys": scale(1), "yz": zero(3)}
    exponentials = np.exp(x)
    yield Case("QLinearSoftmax", "QLinearSoftmax", {"x": a},
               [quantize(exponentials / exponentials.sum(-1, keepdims=True), 1,
                         3)], weights, axis=-1, opset=13)
    yield Case("QLinearGlobalAveragePool", "QLinearGlobalAveragePool",
               {"x": a}, [quantize(x.mean((2, 3), keepdims=True), 1, 3)],
               weights)
    yield Case("QLinearGlobalAveragePool_last", "QLinearGlobalAveragePool",
               {"x": a}, [quantize(x.mean((1, 2), keepdims=True), 1, 3)],
               weights, channels_last=1)
    pooled = x.reshape(2, 3, 2, 2, 3, 2).mean((3, 5))
    yield Case("QLinearAveragePool", "QLinearAveragePool", {"x": a},
               [quantize(pooled, 1, 3)], weights, kernel_shape=[2, 2],
               strides=[2, 2])
    yield Case("QLinearReduceMean", "QLinearReduceMean", {"x": a},
               [quantize(x.mean((0, 2)), 1, 3)], weights, axes=[0, -2],
               keepdims=0)
    yield Case("QLinearConcat", "QLinearConcat", {"a": a, "b": b},
               [quantize(np.concatenate([x, dequantize(b, 1, 99)], 1), 2, 7)],
               {"ys": scale(2), "yz": zero(7), "as": scale(0),
                "az": zero(120), "bs": scale(1), "bz": zero(99)},
               order=["ys", "yz", "a", "as", "az", "b", "bs", "bz"], axis=1)
    condition = random(3, 1, 6) > 0
    yield Case("QLinearWhere", "QLinearWhere", {"c": condition, "a": a, "b": b},
               [quantize(np.where(condition, x, dequantize(b, 1, 99)), 2, 7)],
               {"ys": scale(2), "yz": zero(7), "as": scale(0),
                "az": zero(120), "bs": scale(1), "bz": zero(99)},
               order=["c", "a", "as", "az", "b", "bs", "bz", "ys", "yz"])


def product_cases():
    a = integers(0, 256, 4, 9, dtype=np.uint8)
    b = integers(-128, 128, 9, 5, seed=1, dtype=np.int8)
    steps, zeros = np.abs(random(5, seed=2)) / 50, integers(
        -9, 9, 5, seed=3, dtype=np.int8)
    bias = random(5, seed=4)
    product = (a.astype(np.float32) - 120) @ (b.astype(np.float32)
                                              - zeros) * (SCALES[0] * steps)
    weights = {"b": b, "as": scale(0), "bs": steps, "az": zero(120),
               "bz": zeros, "bias": bias}
    yield Case("MatMulIntegerToFloat", "MatMulIntegerToFloat", {"a": a},
               [product + bias], weights,
               tolerance=tolerances.SCALED_INTEGERS)
    weights = {"b": b, "as": scale(0), "bs": scale(1)}
    plain = a.astype(np.float32) @ b.astype(np.float32) * SCALES[0] * SCALES[1]
    yield Case("MatMulIntegerToFloat_plain", "MatMulIntegerToFloat", {"a": a},
               [plain], weights, tolerance=tolerances.DEQUANTIZED_SUMS)
    order = ["a", "as", "az", "b", "bs", "bz", "c", "ys", "yz"]
    addend = integers(-999, 999, 5, seed=5, dtype=np.int32)
    weights = {"as": scale(0), "az": zero(120), "b": np.ascontiguousarray(b.T),
               "bs": steps, "bz": zeros, "c": addend}
    total = product + addend * (SCALES[0] * steps)
    yield Case("QGemm_float", "QGemm", {"a": a}, [np.float32(0.5) * total.astype(np.float32)], weights,
               order=order[:7], transB=1, alpha=0.5,
               tolerance=tolerances.SCALED_INTEGERS)
    yield Case("QGemm", "QGemm", {"a": np.ascontiguousarray(a.T)},
               [quantize(total, 2, 7)],
               {**weights, "b": b, "ys": scale(2), "yz": zero(7)}, order=order,
               transA=1)
    x = random(2, 4, 9)
    top, bottom = max(x.max(), 0), min(x.min(), 0)
    step = np.float32((top - bottom) / 255)
    start = np.rint(np.clip(-bottom / step, 0, 255))
    q = np.clip(np.rint(x / step) + start, 0, 255)
    product = (q - start) @ (b.astype(np.float32) - zeros) * (step * steps)
    yield Case("DynamicQuantizeMatMul", "DynamicQuantizeMatMul", {"x": x},
               [(product + bias).astype(np.float32)],
               {"b": b, "bs": steps, "bz": zeros, "bias": bias},
               tolerance=tolerances.DEQUANTIZED_SUMS)


def to_channels_last(image):
    return np.ascontiguousarray(np.moveaxis(image, 1, -1))


def image_cases():
    x = integers(0, 256, 2, 4, 6, 5, dtype=np.uint8)
    w = integers(-128, 128, 3, 4, 1, 1, seed=1, dtype=np.int8)
    sums = np.einsum("nchw,mc->nmhw", dequantize(x, 0, 120),
                     dequantize(w[:, :, 0, 0], 1, -4))
    parameters = {"xs": scale(0), "xz": zero(120), "w": w, "ws": scale(1),
                  "wz": zero(-4, np.int8), "ys": scale(2), "yz": zero(99)}
    result = quantize(sums, 2, 99)
    for last in (0, 1):
        place = to_channels_last if last else np.asarray
        yield Case(f"QLinearConv_{last}", "QLinearConv", {"x": place(x)},
                   [place(result)], parameters, channels_last=last)
    pooled = x[:, :, :, :4].reshape(2, 4, 3, 2, 2, 2).max((3, 5))
    yield Case("NhwcMaxPool", "NhwcMaxPool", {"x": to_channels_last(x)},
               [to_channels_last(pooled)], kernel_shape=[2, 2], strides=[2, 2])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def recurrent_cases():
    """Two steps of an LSTM of three inputs and two states, with the gates input,
    output, forget and cell."""
    x, bias = random(2, 1, 3), random(1, 16, seed=1)
    w, r = (integers(-128, 128, 1, n, 8, seed=n, dtype=np.int8)
            for n in (3, 2))
    for name, shape in [("direction", (1,)), ("gate", (1, 8))]:
        steps = np.abs(random(*shape, seed=3)) / 100
        zeros = integers(-9, 9, *shape, seed=4, dtype=np.int8)
        kernel, recurrence = ((q[0].astype(np.float32) - zeros) * steps
                              for q in (w, r))
        h = c = np.zeros((1, 2), np.float32)
        states = []
        for row in x:
            gates = row @ kernel + h @ recurrence + bias[:, :8] + bias[:, 8:]
            i, o, f, cell = np.split(gates, 4, 1)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(cell)
            h = (sigmoid(o) * np.tanh(c)).astype(np.float32)
            states.append(h[None])
        yield Case(f"DynamicQuantizeLSTM_{name}", "DynamicQuantizeLSTM",
                   {"x": x}, [np.stack(states), h[None]],
                   {"w": w, "r": r, "b": bias, "length": None, "h": None,
                    "c": None, "p": None, "ws": steps, "wz": zeros,
                    "rs": steps, "rz": zeros}, hidden_size=2,
                   tolerance=tolerances.SCALED_INTEGERS)


@parametrize([*elementwise_cases(), *product_cases(), *image_cases(),
              *recurrent_cases()])
def test_quantized_operator_matches_numpy(case, backend):
    case.check(backend)
