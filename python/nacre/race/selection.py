# ===- selection.py - Sorting, selecting, comparing, arithmetic ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of elementwise operators with operands of their own, of sorting and of
reductions."""

import numpy as np

from nacre.race import recipe

NUMBERS = ("float", "float16", "int64")


@recipe("TopK", types=("float", "int64"))
def _top_k(draw):
    rows = draw.among(1, 8, 64)
    columns = max(64, draw.elements // rows)
    data = draw.values((rows * draw.batch, columns), -100, 100)
    count = min(draw.among(5, 100, 300), data.shape[1])
    draw.node("TopK", [draw.input(data),
                       draw.weight(np.array([count], np.int64))], 2)


@recipe("TopK along a middle axis", types=("float", "int64"))
def _top_k_of_columns(draw):
    columns, length = draw.among(16, 80), draw.among(128, 1000)
    rows = max(1, draw.elements // (columns * length))
    data = draw.values((rows, length, columns), -100, 100)
    count = min(draw.among(5, 100), data.shape[1])
    draw.node("TopK", [draw.input(data),
                       draw.weight(np.array([count], np.int64))], 2, axis=1)


@recipe("ArgMax", "ArgMin", types=("float", "uint8", "int32"))
def _arg(draw):
    data = draw.values(draw.shape((2, 3, 4)), -1000, 1000)
    draw.node(draw.operator, [draw.input(data)],
              axis=draw.among(1, data.ndim - 1))


@recipe("NonMaxSuppression", types=("float",))
def _nms(draw):
    boxes = draw.by_size(200, 2000, 8400)
    low = draw.random.uniform(0, 0.9, (1, boxes, 2)).astype(np.float32)
    sizes = draw.random.uniform(0.02, 0.2, low.shape).astype(np.float32)
    draw.node("NonMaxSuppression",
              [draw.input(np.concatenate([low, low + sizes], 2)),
               draw.input(draw.values((1, draw.among(1, 8), boxes), 0, 1)),
               draw.weight(np.array([100], np.int64)),
               draw.weight(np.array([0.5], np.float32)),
               draw.weight(np.array([0.3], np.float32))])


@recipe("NonZero", types=("float", "bool"))
def _non_zero(draw):
    mask = draw.random.integers(0, 2, draw.shape()).astype(draw.dtype)
    draw.node("NonZero", [draw.input(mask)])


@recipe("Unique", types=("float", "int64"))
def _unique(draw):
    data = draw.random.integers(0, 1000, draw.elements).astype(draw.dtype)
    draw.node("Unique", [draw.input(data)], 4)


@recipe("Compress", types=("float",))
def _compress(draw):
    data = draw.values((max(8, draw.elements // 64), 64))
    kept = draw.values(len(data), dtype=bool)
    draw.node("Compress", [draw.input(data), draw.input(kept)], axis=0)


@recipe("Compress of elements", "Compress of columns",
        types=("float", "float16", "uint8"))
def _compress_inside(draw):
    data = draw.values((max(8, draw.elements // 512), 512))
    of_elements = draw.operator == "Compress of elements"
    kept = draw.values(data.size if of_elements else 512, dtype=bool)
    draw.node("Compress", [draw.input(data), draw.input(kept)],
              **({} if of_elements else {"axis": 1}))


@recipe("CumSum", types=("float", "int64"))
def _cumsum(draw):
    data = draw.values(draw.shape((2, 3)), -0.1, 0.1)
    axis = draw.among(*range(data.ndim))
    draw.node("CumSum", [draw.input(data), draw.weight(np.array(axis))])


# ONNX Runtime rounds each exponential of int32 to one: its results are not
# those of the formula.
@recipe("ReduceLogSumExp", types=("float", "float16"))
@recipe("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1",
        "ReduceL2", "ReduceSumSquare",
        types=("float", "float16", "int32"))
def _reduce(draw):
    data = draw.values(draw.shape((3, 4)))
    axes = draw.among((data.ndim - 1,), (1,),
                      tuple(range(2, data.ndim)))
    name = draw.input(data)
    if draw.operator == "ReduceSum":
        draw.node("ReduceSum", [name, draw.weight(np.array(axes))])
    else:
        draw.node(draw.operator, [name], axes=axes)


@recipe("Mod", types=("float", "int64"))
def _mod(draw):
    data = draw.values(draw.shape())
    by = np.where(draw.values(data.shape) > 0, 3, 5).astype(draw.dtype)
    draw.node("Mod", [draw.input(data), draw.input(by)],
              fmod=int(draw.dtype.kind == "f"))


@recipe("Div", types=("float", "float16", "int32"))
def _div(draw):
    data = draw.values(draw.shape(), 0.5, 3)
    by = draw.values(data.shape, 0.5, 3)
    draw.node("Div", [draw.input(data), draw.input(by + (by == 0))])


@recipe("BitShift", types=("uint8",))
def _bit_shift(draw):
    data = draw.values(draw.shape())
    draw.node("BitShift", [draw.input(data), draw.input(data % 8)],
              direction="RIGHT")


@recipe("Max", "Min", "Sum", "Mean", types=("float", "float16"))
def _variadic(draw):
    shape = draw.shape()
    draw.node(draw.operator, [draw.input(draw.values(shape))
                              for _ in range(draw.among(2, 3))])


@recipe("broadcast Add", "broadcast Mul", types=("float", "float16", "int32"))
def _broadcast(draw):
    data = draw.values(draw.shape((3, 4)))
    kept = draw.among({1}, {data.ndim - 1}, {data.ndim - 2, data.ndim - 1})
    other = [size if axis in kept else 1
             for axis, size in enumerate(data.shape)]
    draw.node(draw.operator.split()[1],
              [draw.input(data), draw.input(draw.values(other))])


@recipe("Clip", types=("float", "float16", "int32"))
def _clip(draw):
    limits = [draw.weight(np.array(value, draw.dtype)) for value in (-1, 1)]
    draw.node("Clip", [draw.input(draw.values(draw.shape())), *limits])


@recipe("PRelu", types=("float", "float16"))
def _prelu(draw):
    image = draw.image()
    draw.node("PRelu", [draw.input(draw.values(image)),
                        draw.weight(draw.values((image[1], 1, 1)))])


@recipe("Det", types=("float",))
def _det(draw):
    edge = 8
    draw.node("Det", [draw.input(draw.values(
        (max(1, draw.elements // edge ** 2), edge, edge)))])


@recipe("BlackmanWindow", "HammingWindow", "HannWindow", types=("int64",))
def _window(draw):
    draw.node(draw.operator, [draw.input(np.array(draw.elements))])
