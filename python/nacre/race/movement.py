# ===- movement.py - What moves, gathers and spreads elements --------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recipes of operators that compute little and move much."""

import numpy as np

from nacre.race import recipe

MOVED = ("float", "float16", "int64", "uint8")
INDEXED = ("float", "float16", "int64")


def _ints(draw, *values):
    return draw.weight(np.array(values, np.int64))


def _like_activation(draw):
    return draw.values(draw.shape())


@recipe("Transpose", types=MOVED)
def _transpose(draw):
    shape = draw.shape((2, 3, 4))
    orders = {2: [(1, 0)], 3: [(0, 2, 1), (1, 0, 2), (2, 1, 0)],
              4: [(0, 2, 3, 1), (0, 3, 1, 2), (0, 2, 1, 3), (3, 2, 1, 0)]}
    draw.node("Transpose", [draw.input(draw.values(shape))],
              perm=draw.among(*orders[len(shape)]))


@recipe("Concat", types=MOVED)
def _concat(draw):
    first = draw.values(draw.shape((3, 4)))
    draw.node("Concat", [draw.input(first), draw.input(draw.values(first.shape))],
              axis=draw.among(1, first.ndim - 1))


@recipe("Split", types=MOVED)
def _split(draw):
    image = draw.image(channels=96)
    draw.node("Split", [draw.input(draw.values(image))], 3, axis=1)


@recipe("Slice", types=MOVED)
def _slice(draw):
    data = _like_activation(draw)
    axis = draw.among(data.ndim - 2, data.ndim - 1)
    draw.node("Slice", [draw.input(data), _ints(draw, 1),
                        _ints(draw, data.shape[axis]), _ints(draw, axis),
                        _ints(draw, draw.among(1, 2))])


@recipe("Pad", types=("float", "float16", "uint8"))
def _pad(draw):
    draw.node("Pad", [draw.input(draw.values(draw.image())),
                      _ints(draw, 0, 0, 1, 2, 0, 0, 3, 1)],
              mode=draw.among("constant", "reflect", "edge"))


@recipe("Expand", types=MOVED)
def _expand(draw):
    inner = draw.among(64, 256)
    draw.node("Expand", [draw.input(draw.values((1, inner))),
                         _ints(draw, draw.elements // inner, inner)])


@recipe("Tile", types=MOVED)
def _tile(draw):
    image = draw.values((draw.batch, 16, draw.elements // 64 // 16, 16))
    draw.node("Tile", [draw.input(image), _ints(draw, 1, 2, 1, 2)])


@recipe("DepthToSpace", "SpaceToDepth", types=("float", "float16", "uint8"))
def _blocks(draw):
    height, width = (max(4, edge // 2 * 2)
                     for edge in draw.edges(draw.elements / 64))
    attributes = {"mode": draw.among("DCR", "CRD")} \
        if draw.operator == "DepthToSpace" else {}
    draw.node(draw.operator, [draw.input(draw.values(
        (draw.batch, 64, height, width)))], blocksize=2, **attributes)


@recipe("ReverseSequence", types=INDEXED)
def _reverse(draw):
    batch, steps = 4 * draw.batch, 64
    data = draw.values((steps, batch, max(1, draw.elements // 256)))
    lengths = draw.random.integers(1, steps + 1, batch)
    draw.node("ReverseSequence", [draw.input(data), draw.input(lengths)])


@recipe("Trilu", types=("float", "bool"))
def _trilu(draw):
    edge = int(draw.elements ** 0.5)
    draw.node("Trilu", [draw.input(draw.values((edge, edge)))])


@recipe("Gather", types=MOVED)
def _gather(draw):
    width = draw.among(64, 256, 768)
    table = draw.values((max(16, draw.elements // width), width))
    rows = draw.random.integers(0, len(table), max(4, len(table) // 4))
    draw.node("Gather", [draw.weight(table), draw.input(rows)])


@recipe("GatherElements", types=INDEXED)
def _gather_elements(draw):
    data = draw.values((max(8, draw.elements // 256), 256))
    indices = draw.random.integers(0, 256, data.shape)
    draw.node("GatherElements", [draw.input(data), draw.input(indices)], axis=1)


@recipe("GatherElements along columns", types=(*INDEXED, "uint8"))
def _gather_columns(draw):
    data = draw.values((256, max(8, draw.elements // 256)))
    indices = draw.random.integers(0, 256, data.shape)
    draw.node("GatherElements", [draw.input(data), draw.input(indices)], axis=0)


@recipe("Transpose of colours", types=MOVED)
def _colours(draw):
    edge = max(4, int((draw.elements / 3) ** 0.5))
    shape, order = draw.among(((1, edge, edge, 3), (0, 3, 1, 2)),
                              ((1, 3, edge, edge), (0, 2, 3, 1)))
    draw.node("Transpose", [draw.input(draw.values(shape))], perm=order)


@recipe("GatherND", types=INDEXED)
def _gather_nd(draw):
    data = draw.values((32, 32, max(4, draw.elements // 1024)))
    indices = draw.random.integers(0, 32, (512, 2))
    draw.node("GatherND", [draw.input(data), draw.input(indices)])


@recipe("ScatterElements", types=INDEXED)
def _scatter_elements(draw):
    data = draw.values((max(8, draw.elements // 256), 256))
    indices = np.argsort(draw.random.random(data.shape), axis=1)
    draw.node("ScatterElements",
              [draw.input(data), draw.input(indices[:, :64]),
               draw.input(draw.values(data.shape)[:, :64])], axis=1)


@recipe("ScatterND", types=INDEXED)
def _scatter_nd(draw):
    data = draw.values((1024, max(4, draw.elements // 1024)))
    indices = draw.random.permutation(1024)[:256, None]
    draw.node("ScatterND", [draw.input(data), draw.input(indices),
                            draw.input(draw.values((256, data.shape[1])))])


@recipe("Cast", types=("float", "float16", "int64", "uint8", "bool"))
def _cast(draw):
    # The element types of TensorProto: float, uint8, int64, float16.
    to = {"f4": 7, "f2": 1, "i8": 1, "u1": 1, "b1": 1}[draw.dtype.str[1:]]
    draw.node("Cast", [draw.input(_like_activation(draw))], to=to)


@recipe("Where", types=MOVED)
def _where(draw):
    data = _like_activation(draw)
    draw.node("Where", [draw.input(draw.values(data.shape, dtype=bool)),
                        draw.input(data), draw.input(draw.values(data.shape))])


@recipe("OneHot", types=("int64",))
def _one_hot(draw):
    depth = 256
    draw.node("OneHot", [draw.input(draw.random.integers(
        0, depth, max(4, draw.elements // depth))), _ints(draw, depth),
        draw.weight(np.array([0, 1], np.float32))])


@recipe("Range", types=("int64",))
def _range(draw):
    limits = [np.array(value, np.int64) for value in (0, draw.elements, 1)]
    draw.node("Range", [draw.input(limit) for limit in limits])


@recipe("EyeLike", types=("float",))
def _eye(draw):
    edge = int(draw.elements ** 0.5)
    draw.node("EyeLike", [draw.input(draw.values((edge, edge)))])


@recipe("ConstantOfShape", types=("int64",))
def _constant(draw):
    draw.node("ConstantOfShape",
              [draw.input(np.array([draw.elements], np.int64))])
