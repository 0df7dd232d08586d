# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small model of each operation of IE, of dynamic sizes."""

import numpy as np
from onnx import TensorProto

from dynamic_case import (BOOL, F32, I32, I64, I8, U8, Case, f, i64, ints,
                          node, positive, single)
from dynamic_control_cases import CASES as CONTROL_CASES

CASES = {**CONTROL_CASES}

# Elementwise.
for op in ("Relu HardSwish Sigmoid Softplus Softsign Tanh LeakyRelu Elu Celu "
           "Selu ThresholdedRelu HardSigmoid Shrink Neg Abs Sign Floor Ceil "
           "Round Exp Erf Sin Cos Tan Atan Sinh Cosh Asinh Identity").split():
    CASES[op] = single(op, lambda n: {"x": f(n, 3)}, 2)
for op in "Sqrt Reciprocal Log Asin Acos Atanh".split():
    CASES[op] = single(op, lambda n: {"x": positive(n, 3)}, 2)
CASES["Acosh"] = single("Acosh", lambda n: {"x": 1 + positive(n, 3)}, 2)
CASES["Mish"] = single("Mish", lambda n: {"x": f(n, 3)}, 2, opset=18)
CASES["Gelu"] = single("Gelu", lambda n: {"x": f(n, 3)}, 2, opset=20)
CASES["Swish"] = single("Swish", lambda n: {"x": f(n, 3)}, 2, opset=24)
for op in ("IsNaN", "IsInf"):
    CASES[op] = single(op, lambda n: {"x": np.copysign(np.float32(np.inf),
                                                   f(n, 3))}, 2, dtype=BOOL)
for op in "Add Sub Mul Div".split():
    CASES[op] = single(op, lambda n: {"x": f(n, 3), "z": positive(n, 1)}, 2)
for op in "Sum Min Max Mean".split():
    CASES[op] = single(op, lambda n: {"x": f(n, 3), "z": f(1, n, 1),
                                      "u": f(2, 1, 3)}, 3)
CASES["Pow"] = single("Pow", lambda n: {"x": positive(n, 3), "z": f(n, 1)}, 2)
CASES["PRelu"] = single("PRelu", lambda n: {"x": f(n, 3), "s": f(n, 1)}, 2)
CASES["Mod"] = single("Mod", lambda n: {"x": ints(I64, -9, 9, n, 3),
                                        "z": ints(I64, 1, 9, n, 1)}, 2,
                      dtype=I64)
for op in "BitwiseAnd BitwiseOr BitwiseXor".split():
    CASES[op] = single(op, lambda n: {"x": ints(I32, -99, 99, n, 3),
                                      "z": ints(I32, -99, 99, n, 1)}, 2,
                       dtype=I32, opset=18)
CASES["BitwiseNot"] = single(
    "BitwiseNot", lambda n: {"x": ints(I32, -99, 99, n, 3)}, 2, dtype=I32,
    opset=18)
CASES["BitShift"] = single(
    "BitShift", lambda n: {"x": ints(U8, 0, 99, n, 3),
                           "z": ints(U8, 0, 9, n, 1)}, 2, dtype=U8,
    direction="LEFT")
for op in "And Or Xor".split():
    CASES[op] = single(op, lambda n: {"x": f(n, 3) > 0, "z": f(n, 1) > 0}, 2,
                       dtype=BOOL)
CASES["Not"] = single("Not", lambda n: {"x": f(n, 3) > 0}, 2, dtype=BOOL)
for op in "Equal Greater GreaterOrEqual Less LessOrEqual".split():
    CASES[op] = single(op, lambda n: {"x": ints(I32, 0, 3, n, 3),
                                      "z": ints(I32, 0, 3, n, 1)}, 2,
                       dtype=BOOL)
CASES["Where"] = single("Where", lambda n: {"c": f(n, 1) > 0, "x": f(n, 3),
                                            "z": f(1, 3)}, 2)
CASES["Cast"] = single("Cast", lambda n: {"x": 9 * f(n, 3)}, 2, dtype=I32,
                       to=TensorProto.INT32)
CASES["CastLike"] = single(
    "CastLike", lambda n: {"x": 9 * f(n, 3), "t": ints(I32, 0, 9, n + 1)}, 2,
    dtype=I32)
CASES["BitCast"] = single("BitCast", lambda n: {"x": f(n, 3)}, 2, dtype=I32,
                          opset=26, to=TensorProto.INT32)
CASES["Dropout"] = single("Dropout", lambda n: {"x": f(n, 3)},
                          {"y": (F32, 2), "m": (BOOL, 2)})
CASES["Dropout in training"] = single(
    "Dropout", lambda n: {"x": f(n, 3)}, {"y": (F32, 2), "m": (BOOL, 2)},
    {"r": np.array(0.5, np.float32), "t": np.array(True)}, seed=3)
CASES["Clip"] = single("Clip", lambda n: {"x": f(n, 3)}, 2,
                       {"l": np.array(-0.5, np.float32),
                        "h": np.array(1, np.float32)})

# Shapes and movement.
CASES["Transpose"] = single("Transpose", lambda n: {"x": f(n, 3, n + 1)}, 3,
                            perm=[2, 0, 1])
CASES["Concat"] = single("Concat", lambda n: {"x": f(n, 3), "z": f(n + 2, 3)},
                         2, axis=0)
CASES["Split"] = single(
    "Split", lambda n: {"x": f(2 * n + 1, 3)},
    {"a": (F32, 2), "b": (F32, 2), "c": (F32, 2)}, opset=18, num_outputs=3)
CASES["Split of rows without elements"] = single(
    "Split", lambda n: {"x": f(2 * n + 1, 0)},
    {"a": (F32, 2), "b": (F32, 2), "c": (F32, 2)}, opset=18, num_outputs=3)
CASES["Split by run-time sizes"] = single(
    "Split", lambda n: {"x": f(n, 3), "s": i64(1, n - 1)},
    {"a": (F32, 2), "b": (F32, 2)})
CASES["Slice"] = single(
    "Slice", lambda n: {"x": f(n, n + 2)}, 2,
    {"s": i64(1, -1), "e": i64(2**62, -2**62), "a": i64(0, 1),
     "t": i64(2, -1)})
CASES["Slice backwards from before the first element"] = single(
    "Slice", lambda n: {"x": f(n, 1)}, 2,
    {"s": i64(-2), "e": i64(-100), "a": i64(1), "t": i64(-1)})
CASES["Slice along run-time axes"] = single(
    "Slice", lambda n: {"x": f(n, n + 2), "s": i64(1), "e": i64(n - 1),
                        "a": i64(n % 2 - 2)}, 2)
CASES["Pad"] = single("Pad", lambda n: {"x": f(n, 3)}, 2,
                      {"p": i64(1, 0, 2, 1)})
for mode in ("constant", "reflect", "edge"):
    CASES[f"Pad of run-time amounts, {mode}"] = single(
        "Pad", lambda n: {"x": f(n, 3), "p": i64(n - 3, -1, 2, 1)}, 2,
        mode=mode)
# In one size once around an axis, in the other several times; or cut.
for mode, opset in (("reflect", 17), ("wrap", 19), ("edge", 17)):
    CASES[f"Pad around, {mode}"] = single(
        "Pad", lambda n: {"x": f(n - 3, n + 3, 1)}, 3,
        {"p": i64(3, 6, 2, 3, -1, 0)}, mode=mode, opset=opset)
    CASES[f"Pad on all sides, {mode}"] = single(
        "Pad", lambda n: {"x": f(n - 3, n + 3, 1)}, 3,
        {"p": i64(3, 6, 2, 0, 4, 1)}, mode=mode, opset=opset)
CASES["Expand"] = single("Expand", lambda n: {"x": f(n, 1),
                                              "s": i64(2, 1, n + 1)}, 3)
CASES["Tile"] = single("Tile", lambda n: {"x": f(n, 3), "r": i64(n - 3, 2)}, 2)
for mode in ("DCR", "CRD"):
    CASES[f"DepthToSpace {mode}"] = single(
        "DepthToSpace", lambda n: {"x": f(2, 4 * n, n, 3)}, 4, blocksize=2,
        mode=mode)
CASES["SpaceToDepth"] = single("SpaceToDepth",
                               lambda n: {"x": f(2, n, 2 * n, 6)}, 4,
                               blocksize=2)
CASES["Trilu"] = single("Trilu", lambda n: {"x": f(n, n + 1)}, 2)
for upper in (0, 1):
    half = "upper" if upper else "lower"
    CASES[f"Trilu of bytes, {half}"] = single(
        "Trilu", lambda n: {"x": ints(U8, 0, 99, 2, n, 3 * n + 1), "k": i64(n - 4)},
        3, dtype=U8, upper=upper)
    CASES[f"Trilu of truths, {half}"] = single(
        "Trilu", lambda n: {"x": f(n, n + 1) > 0, "k": i64(9 - 4 * n)}, 2,
        dtype=BOOL, upper=upper)
    CASES[f"Trilu of float16, {half}"] = single(
        "Trilu", lambda n: {"x": f(n, 2, n + 40).astype(np.float16)}, 3,
        dtype="float16", upper=upper)
CASES["ReverseSequence"] = single(
    "ReverseSequence", lambda n: {"x": f(n + 1, n, 2),
                                  "l": ints(I64, 1, n, n)}, 3)
CASES["Compress"] = single("Compress", lambda n: {"x": f(n, 3),
                                                  "c": f(n) > 0}, 2, axis=0)
CASES["Reshape"] = single("Reshape", lambda n: {"x": f(n, 6),
                                                "s": i64(0, 2, -1)}, 3)
CASES["Flatten"] = single("Flatten", lambda n: {"x": f(n, 3, n)}, 2)
CASES["Squeeze"] = single("Squeeze", lambda n: {"x": f(n, 1, 3)}, 2,
                          {"a": i64(1)})
CASES["Squeeze along run-time axes"] = single(
    "Squeeze", lambda n: {"x": f(1, n, 1), "a": i64(-1, 0)}, 1)
CASES["Unsqueeze"] = single("Unsqueeze", lambda n: {"x": f(n, 3)}, 3,
                            {"a": i64(1)})
CASES["Unsqueeze along run-time axes"] = single(
    "Unsqueeze", lambda n: {"x": f(n, 3), "a": i64(n % 3 - 3)}, 3)
CASES["Shape"] = single("Shape", lambda n: {"x": f(n, 3)}, 1, dtype=I64)
CASES["Size"] = single("Size", lambda n: {"x": f(n, 3)}, 0, dtype=I64)
CASES["ConstantOfShape"] = single(
    "ConstantOfShape", lambda n: {"s": i64(n, 2)}, 2)
CASES["Range"] = single("Range", lambda n: {"s": np.array(1), "l": np.array(n),
                                            "d": np.array(2)}, 1, dtype=I64)
CASES["Range of floats"] = single(
    "Range", lambda n: {name: np.array(value, np.float32) for name, value
                        in (("s", 1), ("l", -n), ("d", -0.5))}, 1)
CASES["EyeLike"] = single("EyeLike", lambda n: {"x": f(n, n + 1)}, 2, k=1)

# Access by index.
CASES["Gather"] = single("Gather", lambda n: {"x": f(n, 3),
                                              "i": ints(I64, 0, n, 2, n)}, 3)
CASES["GatherElements"] = single(
    "GatherElements", lambda n: {"x": f(n, 3), "i": ints(I64, 0, n, n + 1, 3)},
    2)
CASES["GatherND"] = single("GatherND", lambda n: {
    "x": f(n, n, 3), "i": ints(I64, 0, n, n + 1, 2)}, 2)
CASES["ScatterElements"] = single("ScatterElements", lambda n: {
    "x": f(n, 3), "i": ints(I64, 0, n, n - 1, 3), "u": f(n - 1, 3)}, 2,
    opset=16, reduction="add")
CASES["ScatterND"] = single("ScatterND", lambda n: {
    "x": f(n, 3), "i": np.arange(n - 1).reshape(n - 1, 1), "u": f(n - 1, 3)},
    2)
CASES["OneHot"] = single("OneHot", lambda n: {
    "i": ints(I64, 0, n, n, 2), "d": np.array(n), "v": np.float32([0, 1])}, 3)

# Products.
CASES["MatMul"] = single("MatMul", lambda n: {"x": f(2, n, n + 1),
                                              "z": f(n + 1, n - 1)}, 3)
CASES["MatMulInteger"] = single("MatMulInteger", lambda n: {
    "x": ints(U8, 0, 9, n, n + 1), "z": ints(U8, 0, 9, n + 1, 3),
    "xz": ints(U8, 0, 9, n), "zz": ints(U8, 0, 9, 3)}, 2, dtype=I32)
CASES["QLinearMatMul"] = single("QLinearMatMul", lambda n: {
    "x": ints(U8, 0, 99, n, n + 1), "xs": positive(n),
    "xz": ints(U8, 0, 9, n), "z": ints(U8, 0, 99, n + 1, 3),
    "zs": np.float32([0.1]), "zz": ints(U8, 0, 9, 1),
    "ys": np.float32([9]), "yz": ints(U8, 0, 9, 1)}, 2, dtype=U8)
CASES["Gemm"] = single("Gemm", lambda n: {"x": f(n + 1, n), "z": f(n + 1, 3),
                                          "c": f(n, 1)}, 2, transA=1)
CASES["Einsum"] = single("Einsum", lambda n: {
    "x": f(2, n, n + 1), "z": f(2, n + 1, 3), "u": f(n, 3)}, 2,
    equation="bij,bjk,ik->kb")
# What is a product of matrices once its operands are transposed.
for equation, shapes in {
        "bshd,bthd->bhst": lambda n: (f(2, n, 2, 5), f(2, n + 1, 2, 5)),
        "bhst,bthd->bshd": lambda n: (f(2, 2, n, n + 1), f(2, n + 1, 2, 5)),
        "bhwc,dc->bdhw": lambda n: (f(2, n, n + 1, 3), f(4, 3)),
        "kib,kjb->bji": lambda n: (f(n, n + 1, 2), f(n, 3, 2)),
        "bij,bjk->bik": lambda n: (f(1, n, 3), f(n, 3, n))}.items():
    CASES[f"Einsum {equation}"] = single(
        "Einsum", lambda n, shapes=shapes: dict(zip("xz", shapes(n))),
        len(equation.split(">")[1]), equation=equation)
CASES["Einsum with a diagonal"] = single(
    "Einsum", lambda n: {"x": f(n, n, 3)}, 2, equation="iij->ji")
CASES["Det"] = single("Det", lambda n: {"x": f(2, n, n)}, 1)

# Images.
for pads, words in ((dict(pads=[1, 0, 2, 1]), ""),
                    (dict(auto_pad="SAME_UPPER"), " padded to the same size"),
                    (dict(auto_pad="SAME_LOWER"), " padded in front")):
    shape = dict(strides=[2, 1], kernel_shape=[3, 2], **pads)
    CASES["Conv" + words] = single(
        "Conv", lambda n: {"x": f(n - 2, 4, n, n + 1)}, 4,
        {"w": f(6, 2, 3, 2), "b": f(6)}, group=2, **shape)
    for op in ("MaxPool", "AveragePool"):
        CASES[op + words] = single(
            op, lambda n: {"x": f(n - 2, 3, n + 1, n)}, 4, **shape)
        if "pads" in pads:
            CASES[op + " rounding up"] = single(
                op, lambda n: {"x": f(n - 2, 3, n + 1, n)}, 4, ceil_mode=1,
                **dict(shape, pads=[1, 0, 1, 1]))
    CASES["ConvTranspose" + words] = single(
        "ConvTranspose", lambda n: {"x": f(n - 2, 4, n, n + 1)}, 4,
        {"w": f(4, 3, 3, 2), "b": f(6)}, group=2, **shape)
# With a stride beyond the kernel, the last window may begin behind the image.
for words, shape in {
        "": {"kernel_shape": [3, 2], "strides": [2, 3], "pads": [1, 0, 1, 0]},
        ", dilated": {"kernel_shape": [2, 2], "strides": [3, 2],
                      "dilations": [2, 1]}}.items():
    CASES["LpPool rounding up" + words] = single(
        "LpPool", lambda n: {"x": f(n - 2, 3, n + 1, n)}, 4, opset=18,
        ceil_mode=1, p=3, **shape)
for op in ("MaxPool", "AveragePool"):
    CASES[op + " by small windows"] = single(
        op, lambda n: {"x": f(n - 2, 3, n + 1, n)}, 4, kernel_shape=[2, 2],
        strides=[2, 1])
CASES["MaxPool of bytes by small windows"] = single(
    "MaxPool", lambda n: {"x": ints(U8, 0, 255, n - 2, 3, n + 1)}, 3,
    kernel_shape=[3], dtype=U8)
CASES["AveragePool counting pads"] = single(
    "AveragePool", lambda n: {"x": f(2, 3, n, n)}, 4, kernel_shape=[3, 3],
    pads=[1, 1, 1, 1], count_include_pad=1, strides=[2, 2], ceil_mode=1)
CASES["Conv with run-time weights"] = single("Conv", lambda n: {
    "x": f(1, n, 9, 9), "w": f(n + 1, n, n - 2, 2)}, 4)
CASES["ConvTranspose with run-time weights"] = single(
    "ConvTranspose", lambda n: {"x": f(1, 2 * n, 5, 5),
                                "w": f(2 * n, 3, n - 2, 2)}, 4, group=2)
CASES["ConvInteger"] = single("ConvInteger", lambda n: {
    "x": ints(U8, 0, 9, 1, 2, n, 5)}, 4,
    {"w": ints(U8, 0, 9, 3, 2, 3, 3), "z": np.uint8(3)}, dtype=I32)
CASES["QLinearConv"] = single("QLinearConv", lambda n: {
    "x": ints(U8, 0, 9, 1, 2, n, 5)}, 4,
    {"xs": np.float32(0.1), "xz": np.uint8(3), "w": ints(I8, -9, 9, 3, 2, 3, 3),
     "ws": positive(3), "wz": np.zeros(3, np.int8), "ys": np.float32(0.2),
     "yz": np.uint8(100)}, dtype=U8)
CASES["MaxPoolWithIndices"] = single(
    "MaxPool", lambda n: {"x": f(n - 2, 3, n + 1, n)},
    {"y": (F32, 4), "i": (I64, 4)}, kernel_shape=[3, 2], pads=[1, 0, 1, 1],
    strides=[2, 2])
CASES["MaxUnpool"] = single("MaxUnpool", lambda n: {
    "x": f(1, 2, n, 2), "i": np.arange(4 * n).reshape(1, 2, n, 2) * 3}, 4,
    kernel_shape=[2, 2], strides=[2, 2])
for op in ("GlobalAveragePool", "GlobalMaxPool"):
    CASES[op] = single(op, lambda n: {"x": f(n - 2, 3, n, n + 1)}, 4)
CASES["BatchNormalization"] = single("BatchNormalization", lambda n: {
    "x": f(2, n, 3, n), "s": f(n), "b": f(n), "m": f(n), "v": positive(n)}, 4)
CASES["InstanceNormalization"] = single("InstanceNormalization", lambda n: {
    "x": f(2, n, 3, n), "s": f(n), "b": f(n)}, 4)
CASES["LRN"] = single("LRN", lambda n: {"x": f(n, n + 1, 2, 3)}, 4, size=3)
for mode, more in (("nearest", {}), ("linear", {}), ("cubic", {}),
                   ("linear", dict(antialias=1))):
    words = f"Resize {mode}" + (" antialiased" if more else "")
    CASES[words] = single(
        "Resize", lambda n: {"x": f(1, 2, n, n + 1)}, 4,
        {"r": np.zeros(0, np.float32), "s": np.float32([1, 1, 1.5, 0.6])},
        mode=mode, opset=18 if more else 13, **more)
for transform, rounding in (
        ("half_pixel", "round_prefer_ceil"), ("asymmetric", "floor"),
        ("asymmetric", "ceil"), ("pytorch_half_pixel", "round_prefer_floor"),
        ("align_corners", "round_prefer_floor")):
    CASES[f"Resize nearest by whole numbers, {transform}, {rounding}"] = single(
        "Resize", lambda n: {"x": f(1, 2, n, n + 1)}, 4,
        {"r": np.zeros(0, np.float32), "s": np.float32([1, 1, 2, 3])},
        mode="nearest", coordinate_transformation_mode=transform,
        nearest_mode=rounding, opset=13)
for times, power in ((2, 2), (3, 3), (2, 1)):
    CASES[f"Resize nearest of bytes by {times}, n^{power} columns"] = single(
        "Resize", lambda n, power=power: {
            "x": ints(U8, 0, 99, 1, 2, 3, n ** power)}, 4,
        {"r": np.zeros(0, np.float32), "s": np.float32([1, 1, 1, times])},
        dtype=U8, mode="nearest", coordinate_transformation_mode="asymmetric",
        nearest_mode="floor", opset=13)
for transform in ("half_pixel", "align_corners", "asymmetric",
                  "pytorch_half_pixel"):
    CASES[f"Resize to run-time sizes, {transform}"] = Case(
        [node("Resize", ["x", "", "", "s"], ["y"], mode="linear",
              coordinate_transformation_mode=transform)],
        lambda n: {"x": f(n, 2, n, 5), "s": i64(n, 2, n + 2, 3)},
        {"y": (F32, 4)}, opset=13)
CASES["Resize within a region"] = Case(
    [node("Resize", ["x", "r", "", "s"], ["y"], mode="linear",
          coordinate_transformation_mode="tf_crop_and_resize")],
    lambda n: {"x": f(1, 2, n, n), "s": i64(1, 2, n - 1, 4),
               "r": np.float32([0, 0, 0.2, 0.1, 1, 1, 0.7, 0.8])},
    {"y": (F32, 4)}, opset=13)
# The window of a filter is as wide as the scale, known only at run time, asks for.
for mode in ("nearest", "linear", "cubic"):
    for more in ({}, {"exclude_outside": 1}):
        CASES[f"Resize antialiased by scales, {mode} {more}"] = Case(
            [node("Resize", ["x", "", "s"], ["y"], mode=mode, antialias=1,
                  axes=[2, 3], **more)],
            lambda n: {"x": f(n - 3, 2, 5 * n, 9),
                       "s": np.float32([0.9 / n, 1 / n])},
            {"y": (F32, 4)}, opset=18)
for policy in ("stretch", "not_larger", "not_smaller"):
    CASES[f"Resize antialiased by sizes, {policy}"] = Case(
        [node("Resize", ["x", "", "", "s"], ["y"], mode="linear", antialias=1,
              keep_aspect_ratio_policy=policy, axes=[2, 3])],
        lambda n: {"x": f(1, 2, 5 * n, 60), "s": i64(n, n)},
        {"y": (F32, 4)}, opset=18)
for padding in ("zeros", "border", "reflection"):
    CASES[f"GridSample {padding}"] = single("GridSample", lambda n: {
        "x": f(n - 2, 3, n, n + 1), "g": f(n - 2, 3, n + 2, 2)}, 4,
        padding_mode=padding)
CASES["RoiAlign"] = single("RoiAlign", lambda n: {
    "x": f(2, 3, n + 4, n + 5),
    "r": np.float32([[0, 1, n, n + 2]] * (n - 2)),
    "b": np.arange(n - 2) % 2}, 4, output_height=2, output_width=3,
    sampling_ratio=2)
CASES["RoiAlign of no regions"] = single("RoiAlign", lambda n: {
    "x": f(1, 3, n, n), "r": np.zeros((0, 4), np.float32),
    "b": np.zeros(0, np.int64)}, 4, output_height=2, output_width=3,
    sampling_ratio=2)
# Of few points, so that the image is not worth transposing.
CASES["RoiAlign of few regions"] = single("RoiAlign", lambda n: {
    "x": f(1, 19, 8 * n, 8), "r": np.float32([[0, 1, n, n + 2]]),
    "b": np.zeros(1, np.int64)}, 4, output_height=1, output_width=3,
    sampling_ratio=1)

# Quantization, reductions, sorting.
CASES["QuantizeLinear"] = single("QuantizeLinear", lambda n: {
    "x": 9 * f(2, n), "s": positive(n), "z": ints(U8, 0, 99, n)}, 2, dtype=U8)
CASES["DequantizeLinear"] = single("DequantizeLinear", lambda n: {
    "x": ints(U8, 0, 99, 2, n), "s": positive(n), "z": ints(U8, 0, 99, n)}, 2)
CASES["DynamicQuantizeLinear"] = single(
    "DynamicQuantizeLinear", lambda n: {"x": f(n, 3)},
    {"q": (U8, 2), "s": (F32, 0), "z": (U8, 0)})
for op in ("ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 "
           "ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare").split():
    CASES[op] = single(op, lambda n: {"x": positive(n, 3, n + 1)}, 2,
                       {"a": i64(1)}, opset=18, keepdims=0)
CASES["ReduceSum along run-time axes"] = single(
    "ReduceSum", lambda n: {"x": f(n, 3, n + 1), "a": i64(-1, n % 2)}, 1,
    keepdims=0)
CASES["ReduceMean along any number of axes"] = single(
    "ReduceMean", lambda n: {"x": f(n, 3, n + 1),
                             "a": np.arange(n - 4, dtype=np.int64)}, 3,
    opset=18)
for op in ("ArgMax", "ArgMin"):
    CASES[op] = single(op, lambda n: {"x": f(n, 3, n + 1)}, 2, dtype=I64,
                       axis=2, keepdims=0)
CASES["CumSum"] = single("CumSum", lambda n: {"x": f(n, n + 1)}, 2,
                         {"a": i64(1)}, reverse=1)
CASES["CumSum of float16"] = single(
    "CumSum", lambda n: {"x": f(n, n + 1).astype(np.float16)}, 2,
    {"a": np.array(0)}, dtype="float16")
CASES["CumSum along a run-time axis"] = single(
    "CumSum", lambda n: {"x": f(n, n + 1), "a": np.array(n % 2)}, 2)
CASES["CumProd"] = single("CumProd", lambda n: {"x": f(n, n + 1)}, 2,
                          {"a": i64(1)}, opset=26, exclusive=1, reverse=1)
CASES["CumProd along a run-time axis"] = single(
    "CumProd", lambda n: {"x": f(n, n + 1), "a": np.array(n % 2)}, 2, opset=26)
for op in ("Softmax", "LogSoftmax", "Hardmax"):
    CASES[op] = single(op, lambda n: {"x": f(n, n + 1)}, 2, axis=0)
CASES["LayerNormalization"] = single(
    "LayerNormalization", lambda n: {"x": f(n, n + 1, 3), "s": f(n + 1, 3)},
    {"y": (F32, 3), "m": (F32, 3), "v": (F32, 3)}, opset=17, axis=1)
CASES["LayerNormalization with a bias"] = single(
    "LayerNormalization", lambda n: {"x": f(n, n + 1), "s": f(n + 1),
                                     "b": f(n + 1)}, 2, opset=17)
CASES["TopK"] = single("TopK", lambda n: {"x": f(n, n + 3), "k": i64(n - 1)},
                       {"v": (F32, 2), "i": (I64, 2)})
CASES["NonZero"] = single("NonZero", lambda n: {"x": f(n, 3) > 0}, 2,
                          dtype=I64)
CASES["Unique"] = single("Unique", lambda n: {"x": ints(I64, 0, 4, n, 3)},
                         {"y": (I64, 1), "i": (I64, 1), "v": (I64, 1),
                          "c": (I64, 1)})
CASES["NonMaxSuppression"] = single("NonMaxSuppression", lambda n: {
    "b": positive(1, n, 4) + np.float32([0, 0, 1, 1]), "s": positive(1, 2, n)},
    2, {"m": i64(2), "t": np.float32([0.5])}, dtype=I64)

# Random numbers: the generators agree, so results do.
for op in ("RandomUniformLike", "RandomNormalLike"):
    CASES[op] = single(op, lambda n: {"x": f(n, 3)}, 2, seed=3.0)
for op in ("RandomUniform", "RandomNormal"):
    CASES[op] = Case(
        [node(op, [], ["r"], seed=3.0, shape=[3]),
         node("Add", ["x", "r"], ["y"])], lambda n: {"x": f(n, 3)},
        {"y": (F32, 2)})
CASES["Bernoulli"] = single("Bernoulli", lambda n: {"x": positive(n, 3)}, 2,
                            seed=3.0)
CASES["Multinomial"] = single("Multinomial", lambda n: {"x": f(n, n + 1)}, 2,
                              dtype=I32, sample_size=5, seed=3.0)

# Signals and recurrent layers.
for axis in (1, 2):
    CASES[f"DFT along axis {axis}"] = single(
        "DFT", lambda n: {"x": f(2, n, n + 1, 1)}, 4, axis=axis, onesided=1)
CASES["DFT of complex numbers, inverse"] = single(
    "DFT", lambda n: {"x": f(n, n + 1, 2)}, 3, axis=1, inverse=1)
for more in ({}, {"onesided": 1}, {"inverse": 1}):
    for axis in (0, -2):
        CASES[f"DFT along run-time axis {axis} {more}"] = Case(
            [node("DFT", ["x", "", "a"], ["y"], **more)],
            lambda n, axis=axis, parts=2 if "inverse" in more else 1: {
                "x": f(n, n + 1, 3, parts), "a": np.array(axis)},
            {"y": (F32, 4)}, opset=20)
CASES["DFT of run-time length and axis"] = Case(
    [node("DFT", ["x", "l", "a"], ["y"])],
    lambda n: {"x": f(5, n, 2), "l": np.array(n + 2), "a": np.array(n % 2)},
    {"y": (F32, 3)}, opset=20)
CASES["STFT"] = Case(
    [node("STFT", ["x", "s", "w"], ["y"])],
    lambda n: {"x": f(2, 9 * n, 1), "s": np.array(n), "w": f(2 * n)},
    {"y": (F32, 4)})
CASES["MelWeightMatrix"] = single("MelWeightMatrix", lambda n: {
    "b": np.array(n), "l": np.array(8 * n)}, 2,
    {"r": np.array(8192), "low": np.array(0, np.float32),
     "high": np.array(4096, np.float32)})
CASES["TfIdfVectorizer"] = single("TfIdfVectorizer", lambda n: {
    "x": ints(I32, 0, 4, n - 2, n)}, 2, mode="TF", max_gram_length=2,
    max_skip_count=1, min_gram_length=1, ngram_counts=[0, 2],
    ngram_indexes=[0, 1, 2, 3], pool_int64s=[1, 2, 1, 2, 3, 0])
for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
    CASES[op] = single(op, lambda n: {"x": f(n, n - 2, 3)},
                       {"y": (F32, 4), "h": (F32, 3)},
                       {"w": f(1, 5 * gates, 3), "r": f(1, 5 * gates, 5)},
                       hidden_size=5)
    CASES[op + " both ways, of lengths"] = Case(
        [node(op, ["x", "w", "r", "b", "l"], ["y", "h"], hidden_size=5,
              direction="bidirectional")],
        lambda n: {"x": f(n, n - 2, 3), "l": ints(I32, 1, n, n - 2)},
        {"y": (F32, 4), "h": (F32, 3)},
        {"w": f(2, 5 * gates, 3), "r": f(2, 5 * gates, 5),
         "b": f(2, 10 * gates)})
    for more in ({}, {"linear_before_reset": 1}) if op == "GRU" else ({},):
        CASES[f"{op} of an unknown number of states {more}"] = Case(
            [node(op, ["x", "w", "r", "b", "l", "i"], ["y", "h"],
                  direction="bidirectional", **more)],
            lambda n, gates=gates: {
                "x": f(n, 2, 3), "w": f(2, gates * n, 3),
                "r": f(2, gates * n, n), "b": f(2, 2 * gates * n),
                "l": np.int32([n, 1]), "i": f(2, 2, n)},
            {"y": (F32, 4), "h": (F32, 3)})
CASES["RNN without a state, of an unknown number"] = Case(
    [node("RNN", ["x", "w", "r"], ["y", "h"], layout=1)],
    lambda n: {"x": f(n - 1, n, 3), "w": f(1, n, 3), "r": f(1, n, n)},
    {"y": (F32, 4), "h": (F32, 3)})
CASES["LSTM with peepholes of an unknown number of states"] = Case(
    [node("LSTM", ["x", "w", "r", "", "", "", "", "p"], ["y", "h", "c"])],
    lambda n: {"x": f(n, n - 2, 3), "w": f(1, 4 * n, 3), "r": f(1, 4 * n, n),
               "p": f(1, 3 * n)},
    {"y": (F32, 4), "h": (F32, 3), "c": (F32, 3)})

# Combinations of operations that compute with sizes themselves.
CASES["CenterCropPad"] = single(
    "CenterCropPad", lambda n: {"x": f(n, 3, n + 2), "s": i64(6, n - 1)}, 3,
    opset=18, axes=[0, -1])
for mode in ("linear", "circular"):
    CASES[f"TensorScatter, {mode}"] = single(
        "TensorScatter", lambda n: {"c": f(2, 3, n + 2, 4), "u": f(2, 3, n, 4),
                                    "w": i64(2, 1)}, 4, opset=24, mode=mode)
CASES["Attention of unknown heads"] = single(
    "Attention", lambda n: {"q": f(2, 2 * n, 3, n), "k": f(2, n, 5, n),
                            "v": f(2, n, 5, n + 1), "m": f(3, 5)}, 4, opset=24)
CASES["Attention of an unknown hidden size"] = single(
    "Attention", lambda n: {"q": f(n, 3, 4 * n), "k": f(n, 5, 2 * n),
                            "v": f(n, 5, 2 * n)}, 3, opset=24, q_num_heads=4,
    kv_num_heads=2, is_causal=1)
for interleaved in (0, 1):
    CASES[f"RotaryEmbedding, {interleaved}"] = single(
        "RotaryEmbedding",
        lambda n: {"x": f(2, n, 3, 2 * n), "c": f(9, n), "s": f(9, n + 0),
                   "i": ints(I64, 0, 9, 2, 3)}, 4, opset=24,
        interleaved=interleaved)
    CASES[f"RotaryEmbedding of a part, {interleaved}"] = single(
        "RotaryEmbedding",
        lambda n: {"x": f(2, n, 2 * n), "c": f(2, n, 2), "s": f(2, n, 2)}, 3,
        opset=24, num_heads=1, rotary_embedding_dim=4, interleaved=interleaved)
for opset in (18, 21):
    CASES[f"GroupNormalization {opset}"] = single(
        "GroupNormalization",
        lambda n, opset=opset: {"x": f(2, 2 * n, 3, n),
                                "s": f(2 if opset < 21 else 2 * n),
                                "b": f(2 if opset < 21 else 2 * n)}, 4,
        opset=opset, num_groups=2)
CASES["CenterCropPad of as many sizes as axes"] = Case(
    [node("Slice", ["s", "zero", "two"], ["t"]),
     node("CenterCropPad", ["x", "t"], ["y"], axes=[0, -1])],
    lambda n: {"x": f(n, 3, n + 2), "s": ints(I64, 2, 6, n)}, {"y": (F32, 3)},
    {"zero": i64(0), "two": i64(2)}, opset=18)
for op in ("MatMul", "Gemm"):
    CASES[f"Shape of a {op} by as many rows as an input has"] = Case(
        [node(op, ["x", "w"], ["p"]), node("Shape", ["p"], ["y"])],
        lambda n: {"x": f(n + 3, n), "w": f(n, 4)}, {"y": (I64, 1)},
        exact=True)
CASES["Reshape of a part of what was computed"] = Case(
    [node("Where", ["c", "x", "z"], ["w"]),
     node("Slice", ["w", "two", "end", "axis", "three"], ["p"]),
     node("Squeeze", ["p", "axis"], ["y"])],
    lambda n: {"c": f(n, 7, n, 1) > 0, "x": f(n, 7, n, 5),
               "z": f(n, 7, 1, 1)}, {"y": (F32, 3)},
    {"two": i64(-2), "end": i64(2 ** 62), "axis": i64(0), "three": i64(3)})

# How large the result is shows only when the shape has been taken apart.
CASES["Range up to a size that is known"] = Case(
    [node("Shape", ["x"], ["s"]), node("Slice", ["s", "one", "two"], ["t"]),
     node("Squeeze", ["t", "axis"], ["n"]),
     node("Range", ["zero", "n", "step"], ["y"])],
    lambda n: {"x": f(n, 16)}, {"y": (I64, 1)},
    {"one": i64(1), "two": i64(2), "axis": i64(0),
     "zero": np.array(0, np.int64), "step": np.array(1, np.int64)}, exact=True)

# Several results that start as the same tensor.
CASES["Concat of one input with two others"] = Case(
    [node("Concat", ["x", "a"], ["y"], axis=0),
     node("Concat", ["x", "b"], ["z"], axis=0)],
    lambda n: {"x": f(n, 3), "a": f(n + 1, 3), "b": 1 + f(n + 1, 3)},
    {"y": (F32, 2), "z": (F32, 2)})
CASES["Concat of one constant with two inputs"] = Case(
    [node("Concat", ["k", "a"], ["y"], axis=0),
     node("Concat", ["k", "b"], ["z"], axis=0)],
    lambda n: {"a": f(n, 3), "b": 1 + f(n, 3)},
    {"y": (F32, 2), "z": (F32, 2)}, {"k": f(2, 3)})
CASES["ScatterND and ScatterElements of one input"] = Case(
    [node("ScatterND", ["x", "i", "u"], ["y"]),
     node("ScatterND", ["x", "i", "v"], ["z"]),
     node("ScatterElements", ["x", "j", "v"], ["w"])],
    lambda n: {"x": f(n, 3), "i": np.arange(n - 1).reshape(n - 1, 1),
               "u": f(n - 1, 3), "v": 1 + f(n - 1, 3),
               "j": ints(I64, 0, 1, n - 1, 3)},
    {"y": (F32, 2), "z": (F32, 2), "w": (F32, 2)})
CASES["reductions of one input in two broadcasts"] = Case(
    [node("Expand", ["x", "s"], ["p"]), node("Expand", ["x", "t"], ["q"]),
     node("ReduceMax", ["p"], ["y"], axes=[1], keepdims=0),
     node("ReduceMin", ["q"], ["z"], axes=[1], keepdims=0)],
    lambda n: {"x": f(8192), "s": i64(n, 8192), "t": i64(40 * n, 8192)},
    {"y": (F32, 1), "z": (F32, 1)})
for key_heads in (1, 2):
    CASES[f"LinearAttention, {key_heads}"] = single(
        "LinearAttention",
        lambda n, h=key_heads: {
            "q": f(n, n, 2 * n), "k": f(n, n, h * n), "v": f(n, n, 2 * h * n),
            "s": f(n, h, n, 2 * n), "d": f(n, n, h * n),
            "b": f(n, n, h) / 8},
        {"y": (F32, 3), "t": (F32, 4)}, opset=27, q_num_heads=2,
        kv_num_heads=key_heads, scale=0.1)
CASES["CausalConvWithState"] = single(
    "CausalConvWithState",
    lambda n: {"x": f(n, 3, n), "w": f(3, 1, 4), "b": f(3), "p": f(n, 3, 3)},
    {"y": (F32, 3), "t": (F32, 3)}, opset=27, activation="silu")
CASES["SwiGLU"] = single(
    "SwiGLU", lambda n: {"a": f(n, 3), "b": f(n, 3)}, 2, opset=28)
CASES["Attention of known lengths"] = single(
    "Attention", lambda n: {"x": f(n, 5, 8), "l": ints(I32, 1, 6, n)}, 3,
    {"w": f(8, 24), "b": f(24)}, domain="com.microsoft", num_heads=2,
    names=["x", "w", "b", "l"])
CASES["Attention of known ends and starts"] = single(
    "Attention", lambda n: {"x": f(n, 5, 8), "l": ints(I32, 1, 6, 2 * n)}, 3,
    {"w": f(8, 24), "b": f(24)}, domain="com.microsoft", num_heads=2,
    names=["x", "w", "b", "l"])
CASES["Scaler"] = single(
    "Scaler", lambda n: {"x": f(n, 3)}, 2, domain="ai.onnx.ml",
    offset=[1.0, 2.0, 3.0], scale=[4.0])
CASES["EmbedLayerNormalization"] = single(
    "EmbedLayerNormalization", lambda n: {"ids": ints(I32, 0, 9, 2, n)}, 3,
    {"words": f(9, 5), "positions": f(8, 5), "gamma": f(5), "beta": f(5)},
    domain="com.microsoft",
    names=["ids", "", "words", "positions", "", "gamma", "beta"])

# What cannot be compiled without knowing more: the model, and what the refusal
# says, which is one of nacre.fuzz.engine.REFUSALS.
REFUSED = {
    "GatherND by indices of unknown length": (
        Case([node("GatherND", ["x", "i"], ["g"]),
              node("Reshape", ["g", "flat"], ["y"])],
             lambda n: {"x": f(9, 9, 9, 9, 9, 9, 9), "i": ints(I64, 0, 9, 2, n)},
             {"y": (F32, 1)}, {"flat": np.array([-1])}),
        "the number of its result's dimensions depends on data"),
}
