# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantization as ONNX has it since operator set 21, on all backends."""

import numpy as np
import onnx

from nacre import tolerances
from nacre.cases import Case, integers, parametrize, random

# ONNX's numbers of element types.
FLOAT, INT16, UINT4, INT4 = 1, 5, 21, 22


def quantize(x, scale, zero, dtype):
    limits = np.iinfo(dtype)
    steps = np.rint(x / scale) + zero
    return np.clip(steps, limits.min, limits.max).astype(dtype)


def blocks(parameter, axis, size, length):
    """A parameter for each element along AXIS."""
    repeated = np.repeat(parameter, size, axis)
    return np.take(repeated, range(length), axis)


def four_bits(values, data_type):
    """A tensor of integers of four bits, of which each byte has two."""
    flat = np.pad(values.ravel(), (0, values.size % 2)) & 15
    packed = (flat[::2] | flat[1::2] << 4).astype(np.uint8)
    return onnx.TensorProto(data_type=data_type, dims=values.shape,
                            raw_data=packed.tobytes())


def four_bit_cases():
    scale = np.abs(random(3, 5, seed=1)) + 0.1
    for name, data_type, low in [("uint4", UINT4, 0), ("int4", INT4, -8)]:
        q = integers(low, low + 16, 3, 5)
        zero = integers(low, low + 16, 5, seed=2)
        yield Case(f"Dequantize_{name}", "DequantizeLinear", {},
                   [((q - zero) * scale[0]).astype(np.float32)],
                   {"x": four_bits(q, data_type), "scale": scale[0],
                    "zero": four_bits(zero, data_type)})
        yield Case(f"Dequantize_{name}_vector_of_one_zero_point",
                   "DequantizeLinear", {},
                   [((q - zero[:1]) * scale[0, 0]).astype(np.float32)],
                   {"x": four_bits(q, data_type), "scale": scale[0, 0],
                    "zero": four_bits(zero[:1], data_type)})
        q = integers(low, low + 16, 3, 40, seed=3)
        yield Case(f"Dequantize_{name}_blocks", "DequantizeLinear", {},
                   [(q * blocks(scale, 1, 8, 40)).astype(np.float32)],
                   {"x": four_bits(q, data_type), "scale": scale},
                   block_size=8)


def quantization_cases():
    x = 3 * random(4, 6, 5)
    for name, dtype, zero in [("uint16", np.uint16, 1000), ("int16", np.int16,
                                                            -7)]:
        scale = np.array(0.001, np.float32)
        yield Case(f"Quantize_{name}", "QuantizeLinear", {"x": x},
                   [quantize(x, scale, zero, dtype)],
                   {"scale": scale, "zero": np.array(zero, dtype)})
        q = integers(np.iinfo(dtype).min, np.iinfo(dtype).max, 4, 6,
                     dtype=dtype)
        yield Case(f"Dequantize_{name}", "DequantizeLinear", {"x": q},
                   [((q.astype(np.int64) - zero) * scale).astype(np.float32)],
                   {"scale": scale, "zero": np.array(zero, dtype)})
    scale = np.array([0.5, 0.25, 0.125, 1, 2, 3], np.float32)
    yield Case("Quantize_output_dtype", "QuantizeLinear", {"x": 9e4 * x},
               [quantize(9e4 * x, scale[:, None], 0, np.int16)],
               {"scale": scale}, output_dtype=INT16)
    for axis, size, count in [(1, 2, 3), (-1, 3, 2), (0, 4, 1)]:
        shape = list(x.shape)
        shape[axis] = count
        scale = np.abs(random(*shape, seed=1)) + 0.1
        zero = integers(-9, 9, *shape, seed=2, dtype=np.int8)
        wide = [blocks(p, axis, size, x.shape[axis]) for p in (scale, zero)]
        yield Case(f"Quantize_blocks_{axis}", "QuantizeLinear", {"x": x},
                   [quantize(x, *wide, np.int8)],
                   {"scale": scale, "zero": zero}, axis=axis, block_size=size)
        q = integers(-128, 128, *x.shape, seed=3, dtype=np.int8)
        expected = (q.astype(np.float32) - wide[1]) * wide[0]
        yield Case(f"Dequantize_blocks_{axis}", "DequantizeLinear", {"x": q},
                   [expected], {"scale": scale, "zero": zero}, axis=axis,
                   block_size=size)
        # Weights are constants, and fold.
        yield Case(f"Dequantize_weights_{axis}", "DequantizeLinear", {},
                   [expected], {"x": q, "scale": scale, "zero": zero},
                   axis=axis, block_size=size)
    scale = np.abs(random(4, 3, 5, seed=1)).astype(np.float16) + np.float16(.5)
    q = integers(0, 256, *x.shape, seed=3, dtype=np.uint8)
    expected = q * blocks(scale, 1, 2, 6).astype(np.float32)
    yield Case("Dequantize_half_blocks", "DequantizeLinear", {"x": q},
               [expected.astype(np.float16)], {"scale": scale}, axis=1,
               block_size=2, tolerance=tolerances.HALF_ROUNDING)
    yield Case("Dequantize_output_dtype", "DequantizeLinear", {"x": q},
               [expected.astype(np.float16).astype(np.float32)],
               {"scale": scale}, axis=1, block_size=2, output_dtype=FLOAT,
               tolerance=tolerances.HALF_ROUNDING)
    half = (x / 4).astype(np.float16)
    scale = np.array(0.01, np.float16)
    exact = half.astype(np.float32) / np.float32(scale)
    yield Case("Quantize_half", "QuantizeLinear", {"x": half},
               [quantize(exact, 1, 128, np.uint8)],
               {"scale": scale, "zero": np.array(128, np.uint8)})


@parametrize([*quantization_cases(), *four_bit_cases()])
def test_quantization_matches_numpy(case, backend):
    case.check(backend)
