# ===- quantized.py - Integers that stand for floats -----------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of quantisation, and of convolutions and products of integers."""

import numpy as np

from nacre.race import MICROSOFT, recipe

BYTES = ("uint8", "int8")
# What lies between two quantised numbers may become either.
STEP = 30


def _scale(draw, value=0.05, shape=()):
    return draw.weight(np.full(shape, value, np.float32))


def _point(draw, dtype, shape=()):
    """A zero point of any value."""
    limits = (0, 256) if np.dtype(dtype) == np.uint8 else (-128, 128)
    point = draw.random.integers(*limits) if draw.among(True, False) else 0
    return draw.weight(np.full(shape, point, dtype))


@recipe("QuantizeLinear", "DequantizeLinear", types=BYTES, decibels=STEP)
def _quantize(draw):
    shape = draw.shape()
    data = draw.values(shape, dtype=np.float32) \
        if draw.operator == "QuantizeLinear" else draw.values(shape)
    draw.node(draw.operator, [draw.input(data), _scale(draw),
                              _point(draw, draw.dtype)])


@recipe("DynamicQuantizeLinear", types=("float",), decibels=STEP)
def _dynamic(draw):
    draw.node("DynamicQuantizeLinear",
              [draw.input(draw.values(draw.shape()))], 3)


def _sides(draw):
    inner = draw.among(*draw.weights_by_size((32, 64), (256, 768),
                                             (1024, 2048)))
    return draw.count(1, 16, 128), inner, draw.among(inner, 2 * inner)


@recipe("MatMulInteger", types=BYTES)
def _matmul_integer(draw):
    rows, inner, columns = _sides(draw)
    left = np.uint8 if draw.dtype == np.uint8 else draw.among(np.uint8, np.int8)
    point = draw.input(np.array(draw.random.integers(0, 100), left))
    draw.node("MatMulInteger",
              [draw.input(draw.values((rows, inner), dtype=left)),
               draw.weight(draw.values((inner, columns))), point,
               _point(draw, draw.dtype, draw.among((), (columns,)))])


@recipe("MatMulInteger of run-time weights", types=BYTES)
def _matmul_integer_at_run_time(draw):
    rows, inner, columns = _sides(draw)
    draw.node("MatMulInteger",
              [draw.input(draw.values((rows, inner), dtype=np.uint8)),
               draw.input(draw.values((inner, columns)))])


@recipe("QLinearMatMul", types=BYTES, decibels=STEP)
def _qlinear_matmul(draw):
    rows, inner, columns = _sides(draw)
    draw.node("QLinearMatMul",
              [draw.input(draw.values((rows, inner))), _scale(draw),
               _point(draw, draw.dtype),
               draw.weight(draw.values((inner, columns))), _scale(draw),
               _point(draw, draw.dtype), _scale(draw, inner / 9),
               _point(draw, draw.dtype)])


def _convolution(draw):
    image = draw.image()
    edge = draw.among(1, 3)
    group = draw.among(1, 1, image[1])
    outputs = image[1] if group > 1 else 64
    weights = draw.weight(draw.values(
        (outputs, image[1] // group, edge, edge), dtype=np.int8))
    return (draw.values(image), weights, outputs,
            {"pads": [edge // 2] * 4, "group": group})


@recipe("ConvInteger", types=("uint8",))
def _conv_integer(draw):
    data, weights, _, attributes = _convolution(draw)
    draw.node("ConvInteger",
              [draw.input(data), weights,
               draw.input(np.array(draw.random.integers(0, 100), np.uint8))],
              **attributes)


@recipe("QLinearConv", types=BYTES, decibels=STEP)
def _qlinear_conv(draw):
    data, weights, outputs, attributes = _convolution(draw)
    shape = draw.among((), (outputs,))
    draw.node("QLinearConv",
              [draw.input(data), _scale(draw), _point(draw, draw.dtype),
               weights, _scale(draw, 0.01, shape),
               draw.weight(np.zeros(shape, np.int8)), _scale(draw, 3),
               _point(draw, draw.dtype)], **attributes)


@recipe("MatMulNBits", types=("float",))
def _matmul_nbits(draw):
    rows, inner, columns = _sides(draw)
    block = draw.among(32, 128) if inner >= 128 else 32
    blocks = inner // block
    weights = draw.random.integers(0, 256, (columns, blocks, block // 2))
    scales = draw.random.uniform(0.01, 0.02, columns * blocks)
    draw.node("MatMulNBits",
              [draw.input(draw.values((rows, inner), -1, 1)),
               draw.weight(weights.astype(np.uint8)),
               draw.weight(scales.astype(np.float32))],
              domain=MICROSOFT, types=[np.float32], K=inner, N=columns, bits=4,
              block_size=block)
