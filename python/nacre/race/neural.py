# ===- neural.py - Convolutions, products, pooling, normalisation ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of the operators that networks spend their time in."""

import numpy as np

from nacre.race import recipe

FLOATS = ("float", "float16")
PRODUCTS = ("float", "float16", "double")


def _scaled(draw, shape, inner):
    """Weights whose products with numbers about 1 are about 1."""
    return draw.values(shape, -1, 1) * draw.dtype.type(inner ** -0.5)


def _convolve(draw, edge=3, stride=1, dilation=1, depthwise=False):
    image = draw.image()
    channels = image[1]
    outputs = channels if depthwise else draw.among(32, 64, 128)
    inputs = 1 if depthwise else channels
    weights = _scaled(draw, (outputs, inputs, edge, edge),
                      inputs * edge * edge)
    draw.node("Conv", [draw.input(draw.values(image)), draw.weight(weights),
                       draw.weight(draw.values((outputs,)))],
              pads=[edge // 2 * dilation] * 4, strides=[stride] * 2,
              dilations=[dilation] * 2,
              group=channels if depthwise else 1)


@recipe("Conv", types=PRODUCTS)
def _conv(draw):
    _convolve(draw, stride=draw.among(1, 2))


@recipe("Conv 1x1", types=PRODUCTS)
def _pointwise(draw):
    _convolve(draw, edge=1)


@recipe("Conv depthwise", types=FLOATS)
def _depthwise(draw):
    _convolve(draw, edge=draw.among(3, 5), stride=draw.among(1, 2),
              depthwise=True)


@recipe("Conv dilated", types=FLOATS)
def _dilated(draw):
    _convolve(draw, dilation=2)


@recipe("Conv of one dimension", types=FLOATS)
def _conv1d(draw):
    channels, edge = draw.among(32, 64, 128), draw.among(3, 7, 11)
    length = max(16, draw.elements // channels)
    dilation = draw.among(1, 3)
    draw.node("Conv",
              [draw.input(draw.values((draw.batch, channels, length))),
               draw.weight(_scaled(draw, (channels, channels, edge),
                                   channels * edge))],
              pads=[edge // 2 * dilation] * 2, dilations=[dilation])


@recipe("ConvTranspose", types=FLOATS)
def _conv_transpose(draw):
    image = draw.image()
    edge = draw.among(2, 4)
    draw.node("ConvTranspose",
              [draw.input(draw.values(image)),
               draw.weight(_scaled(draw, (image[1], 32, edge, edge),
                                   image[1] * edge))],
              strides=[2, 2], pads=[edge // 2 - 1] * 4)


def _sides(draw):
    """Rows, inner size and columns of a product."""
    inner = draw.among(*draw.weights_by_size((32, 64), (256, 768),
                                             (1024, 2048)))
    columns = draw.among(inner, 2 * inner)
    return draw.count(16, 64, 128), inner, columns


@recipe("MatMul", types=PRODUCTS)
def _matmul(draw):
    rows, inner, columns = _sides(draw)
    draw.node("MatMul", [draw.input(draw.values((draw.batch, rows, inner))),
                         draw.weight(_scaled(draw, (inner, columns), inner))])


@recipe("MatMul of one row", types=PRODUCTS)
def _matvec(draw):
    _, inner, columns = _sides(draw)
    draw.node("MatMul", [draw.input(draw.values((draw.batch, inner))),
                         draw.weight(_scaled(draw, (inner, columns), inner))])


@recipe("MatMul of heads", types=FLOATS)
def _heads(draw):
    length = draw.by_size(16, 128, 512)
    batch, heads, width = draw.batch, draw.among(8, 12), draw.among(32, 64)
    rows = draw.among(1, length)
    left, right = ((batch, heads, rows, width), (batch, heads, width, length)) \
        if draw.among(True, False) else \
        ((batch, heads, rows, length), (batch, heads, length, width))
    draw.node("MatMul", [draw.input(draw.values(left, -1, 1)),
                         draw.input(draw.values(right, -1, 1))])


@recipe("Gemm", types=PRODUCTS)
def _gemm(draw):
    rows, inner, columns = _sides(draw)
    draw.node("Gemm", [draw.input(draw.values((rows, inner))),
                       draw.weight(_scaled(draw, (columns, inner), inner)),
                       draw.weight(draw.values((columns,)))], transB=1)


@recipe("Gemm of run-time weights", types=FLOATS)
def _gemm_at_run_time(draw):
    rows, inner, columns = _sides(draw)
    transposed = draw.among(0, 1)
    shape = (columns, inner) if transposed else (inner, columns)
    draw.node("Gemm", [draw.input(draw.values((rows, inner))),
                       draw.input(_scaled(draw, shape, inner))],
              transB=transposed)


@recipe("Einsum", types=("float",))
def _einsum(draw):
    shape = (draw.batch, draw.by_size(16, 128, 384), 8, 32)
    draw.node("Einsum", [draw.input(draw.values(shape)),
                         draw.input(draw.values(shape))],
              equation="bihd,bjhd->bhij")


@recipe("MaxPool", "AveragePool", "LpPool", types=FLOATS)
def _pool(draw):
    edge = draw.among(2, 3, 5)
    stride = draw.among(1, 2)
    draw.node(draw.operator, [draw.input(draw.values(draw.image()))],
              kernel_shape=[edge] * 2, strides=[stride] * 2,
              pads=[edge // 2 if edge > 2 else 0] * 4)


@recipe("GlobalAveragePool", "GlobalMaxPool", "MeanVarianceNormalization",
        types=FLOATS)
def _whole_image(draw):
    draw.node(draw.operator, [draw.input(draw.values(draw.image()))])


@recipe("Softmax", "LogSoftmax", types=PRODUCTS)
def _softmax(draw):
    rows = draw.batch * draw.among(1, 64, 1024)
    data = draw.values((rows, max(10, draw.elements // rows)), -5, 5)
    draw.node(draw.operator, [draw.input(data)], axis=-1)


@recipe("LayerNormalization", types=FLOATS)
def _layer_normalization(draw):
    width = draw.among(256, 768, 1024)
    data = draw.values((draw.batch, max(1, draw.elements // width), width))
    draw.node("LayerNormalization",
              [draw.input(data), draw.weight(draw.values((width,))),
               draw.weight(draw.values((width,)))])


@recipe("BatchNormalization", "InstanceNormalization", types=FLOATS)
def _normalization(draw):
    image = draw.image()
    per_channel = [draw.values((image[1],), 0.5, 2) for _ in range(4)]
    if draw.operator == "InstanceNormalization":
        per_channel = per_channel[:2]
    draw.node(draw.operator, [draw.input(draw.values(image)),
                              *map(draw.weight, per_channel)])


@recipe("LRN", types=("float",))
def _lrn(draw):
    draw.node("LRN", [draw.input(draw.values(draw.image()))], size=5,
              beta=draw.among(0.75, 0.6))


@recipe("LSTM", "GRU", "RNN", types=("float",))
def _recurrent(draw):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[draw.operator]
    steps = draw.by_size(8, 32, 64)
    width = draw.weights_by_size(32, 128, 512)
    ways = draw.among(1, 2)
    direction = "bidirectional" if ways == 2 else "forward"
    weights = [_scaled(draw, (ways, gates * width, width), width)
               for _ in range(2)]
    attributes = {"linear_before_reset": 1} if draw.operator == "GRU" else {}
    draw.node(draw.operator,
              [draw.input(draw.values((steps, draw.batch, width))),
               *map(draw.weight, weights),
               draw.weight(draw.values((ways, 2 * gates * width), -0.1, 0.1))],
              1, hidden_size=width, direction=direction, **attributes)


@recipe("Resize", types=("float", "uint8"))
def _resize(draw):
    image = draw.image(channels=draw.among(3, 32))
    factor = draw.among(0.5, 2.0, 1.5)
    draw.node("Resize",
              [draw.input(draw.values(image)), "",
               draw.weight(np.array([1, 1, factor, factor], np.float32))],
              mode=draw.among("nearest", "linear", "cubic"),
              nearest_mode="floor",
              coordinate_transformation_mode=draw.among("half_pixel",
                                                        "asymmetric"))


@recipe("GridSample", types=("float",))
def _grid_sample(draw):
    image = draw.image(channels=16)
    draw.node("GridSample", [draw.input(draw.values(image)), draw.input(
        draw.values((draw.batch, *image[2:], 2), -1, 1))])


@recipe("RoiAlign", types=("float",))
def _roi_align(draw):
    image = draw.image(channels=64)
    corners = draw.random.uniform(0, image[2] / 2, (32, 2))
    boxes = np.concatenate([corners, corners + image[2] / 3], 1)
    draw.node("RoiAlign", [draw.input(draw.values(image)),
                           draw.input(boxes.astype(np.float32)),
                           draw.input(np.zeros(32, np.int64))],
              output_height=7, output_width=7,
              sampling_ratio=draw.among(0, 2))


@recipe("DFT", types=("float",))
def _dft(draw):
    length = draw.among(256, 512, 400)
    rows = max(1, draw.elements // length)
    draw.node("DFT", [draw.input(draw.values((rows, length, 1)))], axis=1,
              onesided=1)


@recipe("STFT", types=("float",))
def _stft(draw):
    frame = draw.among(256, 400)
    signal = draw.values((1, max(frame * 2, draw.elements // 4), 1))
    window = np.hanning(frame).astype(np.float32)
    draw.node("STFT", [draw.input(signal),
                       draw.weight(np.array(frame // 2)),
                       draw.weight(window)], onesided=1)
