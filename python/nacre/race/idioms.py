# ===- idioms.py - What exporters write in several nodes -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of two, three and more nodes that exporters write for one thing."""

import numpy as np

from nacre.race import SIZES, recipe

FLOATS = ("float", "float16")


def _scalar(draw, value):
    return draw.weight(np.array(value, draw.dtype))


@recipe("SiLU", types=FLOATS)
def _silu(draw):
    x = draw.input(draw.values(draw.shape()))
    draw.node("Mul", [x, draw.node("Sigmoid", [x])])


@recipe("convolution with SiLU", types=FLOATS)
def _silu_convolution(draw):
    channels = draw.among(16, 48)
    sides = (max(4, side) for side in draw.edges(draw.elements / channels))
    x = draw.input(draw.values((draw.batch, channels, *sides)))
    weights = draw.weight(draw.values((channels, channels, 1, 1), -0.3, 0.3))
    sums = draw.node("Conv", [x, weights])
    draw.node("Mul", [sums, draw.node("Sigmoid", [sums])])


@recipe("GELU", types=FLOATS)
def _gelu(draw):
    x = draw.input(draw.values(draw.shape()))
    inner = draw.node("Erf", [draw.node("Div", [x, _scalar(draw, 2 ** 0.5)])])
    outer = draw.node("Mul", [x, draw.node("Add", [inner, _scalar(draw, 1)])])
    draw.node("Mul", [outer, _scalar(draw, 0.5)])


@recipe("GELU by tanh", types=FLOATS)
def _gelu_tanh(draw):
    x = draw.input(draw.values(draw.shape()))
    cube = draw.node("Mul", [draw.node("Mul", [x, x]), x])
    sum_ = draw.node("Add", [x, draw.node(
        "Mul", [cube, _scalar(draw, 0.044715)])])
    gate = draw.node("Tanh", [draw.node("Mul", [sum_, _scalar(draw, 0.7979)])])
    draw.node("Mul", [draw.node("Mul", [x, _scalar(draw, 0.5)]),
                      draw.node("Add", [gate, _scalar(draw, 1)])])


@recipe("RMS normalisation", types=FLOATS)
def _rms(draw):
    width = draw.among(256, 768)
    x = draw.input(draw.values((draw.batch, max(1, draw.elements // width),
                                width)))
    mean = draw.node("ReduceMean", [draw.node("Mul", [x, x])], axes=[-1])
    root = draw.node("Sqrt", [draw.node("Add", [mean, _scalar(draw, 1e-3)])])
    draw.node("Mul", [draw.node("Div", [x, root]),
                      draw.weight(draw.values((width,)))])


@recipe("rotary embedding", types=FLOATS)
def _rotary(draw):
    length, width = max(1, draw.elements // 512), 64
    x = draw.input(draw.values((draw.batch, 8, length, width)))
    angle = draw.values((1, 1, length, width), -1, 1)
    halves = draw.node("Split", [x], 2, axis=3)
    turned = draw.node("Concat", [draw.node("Neg", [halves[1]]), halves[0]],
                       axis=3)
    draw.node("Add", [draw.node("Mul", [x, draw.input(np.cos(angle))]),
                      draw.node("Mul", [turned, draw.input(np.sin(angle))])])


@recipe("masked softmax", types=FLOATS)
def _masked(draw):
    length = max(8, int((draw.elements / 8) ** 0.5))
    scores = draw.input(draw.values((draw.batch, 8, length, length), -5, 5))
    mask = draw.input(draw.values((1, 1, length, length), dtype=bool))
    filled = draw.node("Where", [mask, scores, _scalar(draw, -1e4)])
    draw.node("Softmax", [filled], axis=-1)


@recipe("attention", types=FLOATS)
def _attention(draw):
    length = draw.by_size(16, 128, 384)
    heads, width = 8, 32

    def project():
        weights = draw.values((heads * width, heads * width), -0.1, 0.1)
        product = draw.node("MatMul", [x, draw.weight(weights)])
        split = draw.node("Reshape", [product, split_shape])
        return draw.node("Transpose", [split], perm=[0, 2, 1, 3])

    split_shape = draw.weight(np.array([0, 0, heads, width], np.int64))
    x = draw.input(draw.values((draw.batch, length, heads * width), -1, 1))
    queries, keys, values = project(), project(), project()
    scores = draw.node("MatMul", [queries, draw.node(
        "Transpose", [keys], perm=[0, 1, 3, 2])])
    scores = draw.node("Mul", [scores, _scalar(draw, width ** -0.5)])
    result = draw.node("MatMul", [draw.node("Softmax", [scores], axis=-1),
                                  values])
    result = draw.node("Transpose", [result], perm=[0, 2, 1, 3])
    draw.node("Reshape", [result, draw.weight(
        np.array([0, 0, heads * width], np.int64))])


@recipe("convolution with batch normalisation", types=FLOATS)
def _conv_bn(draw):
    image = draw.image()
    weights = draw.values((64, image[1], 3, 3), -0.1, 0.1)
    y = draw.node("Conv", [draw.input(draw.values(image)),
                           draw.weight(weights)], pads=[1] * 4)
    y = draw.node("BatchNormalization", [y, *(
        draw.weight(draw.values((64,), 0.5, 2)) for _ in range(4))])
    draw.node("Relu", [y])


@recipe("squeeze and excitation", types=FLOATS)
def _excitation(draw):
    image = draw.image(channels=96)
    x = draw.input(draw.values(image))
    y = draw.node("GlobalAveragePool", [x])
    y = draw.node("Conv", [y, draw.weight(
        draw.values((24, 96, 1, 1), -0.1, 0.1))])
    y = draw.node("Conv", [draw.node("Relu", [y]), draw.weight(
        draw.values((96, 24, 1, 1), -0.1, 0.1))])
    draw.node("Mul", [x, draw.node("HardSigmoid", [y])])


@recipe("channel shuffle", types=FLOATS)
def _shuffle(draw):
    image = draw.image(channels=96)
    _, channels, height, width = image
    y = draw.node("Reshape", [draw.input(draw.values(image)), draw.weight(
        np.array([0, 3, channels // 3, height, width], np.int64))])
    y = draw.node("Transpose", [y], perm=[0, 2, 1, 3, 4])
    draw.node("Reshape", [y, draw.weight(np.array(image, np.int64))])


@recipe("dynamically quantised product", types=("uint8", "int8"),
        decibels=30)
def _dynamic_product(draw):
    rows = draw.count(1, 16, 128)
    inner, columns = draw.weights_by_size((64, 64), (768, 768), (1024, 2048))
    x = draw.input(draw.values((draw.batch, rows, inner), dtype=np.float32))
    quantized, scale, point = draw.node("DynamicQuantizeLinear", [x], 3)
    zero = 128 if draw.dtype == np.uint8 else 0
    y = draw.node("MatMulInteger",
                  [quantized, draw.weight(draw.values((inner, columns))), point,
                   draw.weight(np.array(zero, draw.dtype))])
    factor = draw.node("Mul", [scale, draw.weight(np.float32(0.01))])
    y = draw.node("Mul", [draw.node("Cast", [y], to=1), factor])
    draw.node("Add", [y, draw.weight(
        draw.values((columns,), dtype=np.float32))])


@recipe("quantised convolution with ReLU", types=("uint8", "int8"),
        decibels=30)
def _qdq_convolution(draw):
    image = draw.image()
    scale = draw.weight(np.float32(0.05))
    point = draw.weight(np.array(draw.among(0, 12), draw.dtype))
    weights = draw.random.integers(-100, 100, (64, image[1], 3, 3))
    x = draw.node("DequantizeLinear", [draw.input(draw.values(image)), scale,
                                       point])
    w = draw.node("DequantizeLinear",
                  [draw.weight(weights.astype(np.int8)),
                   draw.weight(np.float32(0.01)), draw.weight(np.int8(0))])
    y = draw.node("Relu", [draw.node("Conv", [x, w], pads=[1] * 4)])
    draw.node("QuantizeLinear", [y, draw.weight(np.float32(2)), point])


@recipe("product of weights in blocks", types=FLOATS)
def _low_bit_product(draw):
    inner, columns = draw.weights_by_size((256, 256), (1024, 2048),
                                          (2048, 8192))
    block = draw.among(16, 32, 128)
    scales = draw.random.uniform(0.01, 0.02, (inner // block, columns))
    x = draw.input(draw.values((draw.count(1, 64), inner), -1, 1))
    w = draw.node("DequantizeLinear",
                  [draw.four_bits((inner, columns)),
                   draw.weight(scales.astype(draw.dtype))], axis=0,
                  block_size=block, types=[draw.dtype])
    draw.node("MatMul", [x, w], types=[draw.dtype])


@recipe("embedding of weights in blocks", types=FLOATS)
def _low_bit_embedding(draw):
    width = draw.among(256, 1024)
    rows = 4 * max(64, SIZES[draw.size] // width)
    scales = draw.random.uniform(0.01, 0.02, (rows, width // 32))
    ids = draw.random.integers(0, rows, (1, draw.count(1, 64)))
    w = draw.node("DequantizeLinear",
                  [draw.four_bits((rows, width)),
                   draw.weight(scales.astype(draw.dtype))], axis=1,
                  block_size=32, types=[draw.dtype])
    draw.node("Gather", [w, draw.input(ids)], types=[draw.dtype])
