# ===- elementwise.py - Random elementwise operators and reductions --------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws operators that compute element by element, and reductions."""

import math

import numpy as np

from nacre.fuzz.graph import (BOOL, F32, F64, FLOATS, I8, I32, I64, INTEGERS,
                              NUMBERS, SIGNED, U8, U32, U64, ELEMENTS,
                              Rejected)
from nacre.interface import element_code

# Functions that grow with their argument: the domain, and an upper bound of
# the slope on an interval.
RISING = {
    "Relu": (max, None, None, 1), "Softplus": (None, -30, 30, 1),
    "Softsign": (None, None, None, 1), "Tanh": (math.tanh, None, None, 1),
    "Sigmoid": (None, -60, 60, 0.25), "Erf": (math.erf, None, None, 1.2),
    "Exp": (math.exp, -8, 6, 410), "Log": (math.log, 0.1, 1e4, 10),
    "Sqrt": (math.sqrt, 0.05, None, 2.5), "Atan": (math.atan, None, None, 1),
    "Asin": (math.asin, -0.9, 0.9, 2.3), "Sinh": (math.sinh, -5, 5, 75),
    "Asinh": (math.asinh, None, None, 1), "Acosh": (math.acosh, 1.1, 1e4, 2.5),
    "Atanh": (math.atanh, -0.9, 0.9, 5.3), "Tan": (math.tan, -1.2, 1.2, 8),
}
FORMULA = {
    "Relu": lambda x: max(x, 0.0),
    "Softplus": lambda x: math.log1p(math.exp(x)),
    "Softsign": lambda x: x / (1 + abs(x)),
    "Sigmoid": lambda x: 1 / (1 + math.exp(-x)),
}


def wrapped(graph, dtype, shape, low, high):
    """An integer result, which wraps around beyond its type's range."""
    info = np.iinfo(dtype)
    if low < info.min or high > info.max:
        low, high = float(info.min), float(info.max)
    return graph.computed(dtype, shape, low, high)


def op_rising(g):
    op = g.choice(list(RISING))
    function, low, high, slope = RISING[op]
    function = FORMULA.get(op, function)
    x = g.pick(FLOATS, low=low, high=high)
    grid = x.grid if op == "Relu" else None
    low, high = function(x.low), function(x.high)
    # Sums with 1 on the way, however small the result.
    peak = max(abs(low), abs(high), 0 if op == "Relu" else 1)
    g.emit(op, [x], [g.computed(x.dtype, x.shape, low, high, slope * x.err,
                                grid, peak)])


def op_unary(g):
    op = g.choice(("Cos", "Sin", "Acos", "Cosh", "Reciprocal", "LeakyRelu",
                   "Elu", "Selu", "Celu", "HardSigmoid", "HardSwish"))
    limits = {"Acos": (-0.9, 0.9), "Cosh": (-5, 5), "Reciprocal": (0.1, None),
              "Cos": (-50, 50), "Sin": (-50, 50)}
    x = g.pick(FLOATS, **dict(zip(("low", "high"),
                                  limits.get(op, (None, None)))))
    attributes, slope = {}, 1.0
    low, high = min(x.low, 0), max(x.high, 0)
    if op in ("Cos", "Sin"):
        low, high = -1, 1
    elif op == "Acos":
        low, high, slope = 0.4, 2.7, 2.3
    elif op == "Cosh":
        low, high, slope = 0, math.cosh(x.bound), 75
    elif op == "Reciprocal":
        low, high, slope = 0, 10, 100
    elif op == "LeakyRelu":
        attributes["alpha"] = g.choice((0.0, 0.01, 0.25, -0.5, 1.5))
        low, high, slope = -1.5 * x.bound, 1.5 * x.bound, 1.5
    elif op in ("Elu", "Celu"):
        attributes["alpha"] = g.choice((0.5, 1.0, 2.0))
        low, slope = -2 if x.low < 0 else 0, 4.0
    elif op == "Selu":
        low, high, slope = -2, 1.06 * high, 1.8
    elif op == "HardSigmoid":
        attributes.update(alpha=g.choice((0.2, 0.5)), beta=0.5)
        low, high = 0, 1
    elif op == "HardSwish":
        low, slope = -0.4, 1.5
    if op == "Celu" and x.dtype != F32:
        raise Rejected("Celu is for float only")
    g.emit(op, [x], [g.computed(x.dtype, x.shape, low, high, slope * x.err,
                                peak=max(abs(low), abs(high), 1))],
           **attributes)


def op_sign(g):
    """Neg, Abs and what keeps exact values exact."""
    op = g.choice(("Neg", "Abs", "Identity", "Relu"))
    x = g.pick({"Neg": FLOATS + SIGNED, "Identity": ELEMENTS,
                "Relu": FLOATS + SIGNED}.get(op, NUMBERS))
    low, high = {"Neg": (-x.high, -x.low), "Abs": (0, x.bound),
                 "Relu": (max(x.low, 0), max(x.high, 0))}.get(
                     op, (x.low, x.high))
    result = g.same(x, x.shape)
    result.low, result.high = low, high
    if not x.is_float and x.dtype != BOOL:
        result = wrapped(g, x.dtype, x.shape, low, high)
    g.emit(op, [x], [result])


def op_jump(g):
    """Functions with jumps, on exact values."""
    op = g.choice(("Sign", "Floor", "Ceil", "Round", "ThresholdedRelu",
                   "Shrink", "IsNaN", "IsInf"))
    x = g.pick({"Sign": NUMBERS, "Shrink": NUMBERS,
                "IsInf": (F32, F64)}.get(op, FLOATS), exact=True)
    attributes = {}
    result = g.same(x, x.shape)
    if op in ("IsNaN", "IsInf"):
        result = g.computed(BOOL, x.shape, 0, 1)
    elif op == "Sign":
        result.low, result.high = -1, 1
        result.grid = 0 if x.is_float else result.grid
    elif op in ("Floor", "Ceil", "Round"):
        result.low, result.high = x.low - 1, x.high + 1
        result.grid = max(x.grid, 0)
    elif op == "ThresholdedRelu":
        attributes["alpha"] = g.choice((0.5, 1.0, 2.0))
        result.low, result.high = min(x.low, 0), max(x.high, 0)
    elif op == "Shrink":
        attributes.update(lambd=g.choice((0.5, 1.5)),
                          bias=g.choice((0.0, 1.0)))
        if not x.is_float and (x.dtype.kind == "u" or x.bound > 100):
            raise Rejected("bias would wrap around")
        result.low, result.high = min(x.low - 1, 0), max(x.high + 1, 0)
        if result.grid is not None:
            result.grid = min(result.grid, 0)
    g.emit(op, [x], [result], **attributes)


def op_binary(g):
    op = g.choice(("Add", "Add", "Sub", "Mul", "Mul", "Div"))
    if op == "Div":
        a = g.pick(NUMBERS)
        b = g.partner(a, low=0.25 if a.is_float else None)
    else:
        a = g.pick(NUMBERS)
        b = g.partner(a)
    if op in ("Add", "Mul") and g.chance(0.4):
        a, b = b, a
    shape = np.broadcast_shapes(a.shape, b.shape)
    grid = None
    if op in ("Add", "Sub"):
        low, high = ((a.low + b.low, a.high + b.high) if op == "Add"
                     else (a.low - b.high, a.high - b.low))
        err = a.err + b.err
        if a.exact and b.exact and a.is_float:
            grid = min(a.grid, b.grid)
    elif op == "Mul":
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(corners), max(corners)
        err = a.err * b.bound + b.err * a.bound
        if a.exact and b.exact and a.is_float:
            grid = a.grid + b.grid
    else:
        least = max(b.low, 1e-3) if a.is_float else 1
        low, high = -a.bound / least, a.bound / least
        err = a.err / least + b.err * a.bound / least ** 2
    if not a.is_float:
        g.emit(op, [a, b], [wrapped(g, a.dtype, shape, low, high)])
        return
    peak = max(abs(low), abs(high), a.bound if op != "Mul" else 0, b.bound
               if op in ("Add", "Sub") else 0)
    g.emit(op, [a, b], [g.computed(a.dtype, shape, low, high, err, grid,
                                   peak)])


def op_variadic(g):
    op = g.choice(("Min", "Max", "Sum", "Mean"))
    operands = [g.pick(NUMBERS if op in ("Min", "Max") else FLOATS)]
    for _ in range(g.between(0, 3)):
        shapes = [value.shape for value in operands]
        partner = g.partner(operands[0])
        try:
            np.broadcast_shapes(*shapes, partner.shape)
        except ValueError:
            continue
        operands.append(partner)
    shape = np.broadcast_shapes(*(value.shape for value in operands))
    if op in ("Min", "Max"):
        result = g.merged(operands, shape)
    else:
        scale = len(operands) if op == "Mean" else 1
        grid = None
        if op == "Sum" and all(value.exact for value in operands):
            grid = min(value.grid for value in operands)
        peak = sum(value.bound for value in operands)
        result = g.computed(
            operands[0].dtype, shape,
            sum(value.low for value in operands) / scale,
            sum(value.high for value in operands) / scale,
            sum(value.err for value in operands), grid, peak)
    g.emit(op, operands, [result])


def op_power(g):
    base = g.pick(FLOATS, low=0.1, high=4)
    kind = g.between(0, 2)
    if kind == 0:
        exponent = g.constant(g.choice((0.5, 2, 3, -1, -0.5, 1, 0, 1.5)),
                              base.dtype)
    elif kind == 1:
        exponent = g.partner(base, low=-2, high=2)
    else:
        exponent = g.leaf(g.choice((I32, I64)),
                          g.broadcast_shape(base.shape), -2, 3)
    low, high = -2 if kind < 2 else exponent.low, 3
    corners = [base.low ** e for e in (low, high)]
    corners += [base.high ** e for e in (low, high)]
    shape = np.broadcast_shapes(base.shape, exponent.shape)
    top = max(*corners, 1)
    g.emit("Pow", [base, exponent], [g.computed(
        base.dtype, shape, 0, top,
        base.err * 3 * top / min(base.low, 1) + 3 * top * exponent.err)])


def op_modulo(g):
    if g.chance(0.5):
        a = g.pick(INTEGERS)
        b = g.partner(a)
        fmod = int(g.chance(0.4))
    else:
        a = g.pick(FLOATS, exact=True)
        b = g.partner(a, exact=True, low=0.5)
        fmod = 1
    shape = np.broadcast_shapes(a.shape, b.shape)
    result = g.merged([a, b], shape)
    bound = max(a.bound, b.bound)
    result.low, result.high = -bound, bound
    if not a.is_float:
        result = wrapped(g, a.dtype, shape, -bound, bound)
    g.emit("Mod", [a, b], [result], fmod=fmod)


def op_compare(g):
    op = g.choice(("Equal", "Less", "LessOrEqual", "Greater",
                   "GreaterOrEqual"))
    a = g.pick(ELEMENTS if op == "Equal" else NUMBERS, exact=True)
    b = g.partner(a, exact=True)
    g.emit(op, [a, b], [g.computed(
        BOOL, np.broadcast_shapes(a.shape, b.shape), 0, 1)])


def op_logic(g):
    op = g.choice(("And", "Or", "Xor", "Not"))
    a = g.pick((BOOL,))
    operands = [a] if op == "Not" else [a, g.partner(a)]
    shape = np.broadcast_shapes(*(value.shape for value in operands))
    g.emit(op, operands, [g.computed(BOOL, shape, 0, 1)])


def op_shift(g):
    dtype = g.choice((U8, U32, U64))
    a = g.pick((dtype,))
    b = g.leaf(dtype, g.broadcast_shape(a.shape), 0, dtype.itemsize * 8 - 1)
    direction = g.choice(("LEFT", "RIGHT"))
    high = float(np.iinfo(dtype).max) if direction == "LEFT" else a.high
    g.emit("BitShift", [a, b], [g.computed(
        dtype, np.broadcast_shapes(a.shape, b.shape), 0, high)],
        direction=direction)


def op_where(g):
    a = g.pick(ELEMENTS)
    b = g.partner(a)
    shape = np.broadcast_shapes(a.shape, b.shape)
    condition = g.pick((BOOL,), shape=g.broadcast_shape(shape, True))
    g.emit("Where", [condition, a, b], [g.merged([a, b], shape)])


def op_prelu(g):
    x = g.pick(FLOATS)
    slope = g.partner(x, low=-1, high=1, one_way=True)
    bound = x.bound * max(1, slope.bound)
    g.emit("PRelu", [x, slope], [g.computed(
        x.dtype, x.shape, -bound, bound,
        max(1, slope.bound) * x.err + slope.err * x.bound)])


def op_clip(g):
    x = g.pick(FLOATS + (I32, I64, I8, U8))
    ends = [None, None]
    result = g.same(x, x.shape)
    if g.chance(0.8):
        ends[0] = g.constant(0 if x.dtype.kind == "u" else -1, x.dtype)
        result.low, result.high = max(x.low, -1), max(x.high, -1)
    if g.chance(0.8):
        ends[1] = g.constant(g.choice((1, 6)), x.dtype)
        result.low, result.high = min(result.low, 6), min(result.high, 6)
    if result.grid is not None:
        result.grid = min(result.grid, 0)
    while ends and ends[-1] is None:
        ends.pop()
    g.emit("Clip", [x, *ends], [result])


def op_cast(g):
    x = g.pick(ELEMENTS, exact=g.chance(0.7))
    to = g.choice(ELEMENTS)
    result = g.same(x, x.shape, to)
    if x.is_float and to.kind == "f":
        result = g.computed(to, x.shape, x.low, x.high, x.err, x.grid)
    elif x.is_float:
        if not x.exact:
            raise Rejected("the cast would jump")
        if to != BOOL and not (np.iinfo(to).min <= x.low
                               and x.high <= np.iinfo(to).max):
            raise Rejected("out of the type's range")
        result = g.computed(to, x.shape, *((0, 1) if to == BOOL
                                           else (x.low, x.high)))
    elif to.kind == "f":
        if x.bound > 2 ** 10:
            raise Rejected("would round")
        result = g.computed(to, x.shape, x.low, x.high, 0, 0)
    elif to == BOOL:
        result = g.computed(to, x.shape, 0, 1)
    else:
        result = wrapped(g, to, x.shape, x.low, x.high)
    g.emit("Cast", [x], [result], to=element_code(to))


def op_reduce(g):
    op = g.choice(("ReduceSum", "ReduceSum", "ReduceMean", "ReduceMean",
                   "ReduceMax", "ReduceMax", "ReduceMin", "ReduceProd",
                   "ReduceL1", "ReduceL2", "ReduceSumSquare",
                   "ReduceLogSumExp", "ReduceLogSum"))
    dtypes = FLOATS + (I32, I64)
    if op in ("ReduceMax", "ReduceMin"):
        dtypes += (I8, U8, U32)
    if op in ("ReduceL2", "ReduceLogSumExp", "ReduceLogSum"):
        dtypes = FLOATS
    x = g.pick(dtypes, rank=(1, 2, 3, 4, 5),
               low=0.1 if op == "ReduceLogSum" else None,
               high=40 if op == "ReduceLogSumExp" else None)
    axes = [axis for axis in range(x.rank) if g.chance(0.5)]
    every = not axes
    count = math.prod(x.shape[axis] for axis in axes) if axes else x.size
    keep = g.chance(0.6)
    shape = [1 if every or axis in axes else dim
             for axis, dim in enumerate(x.shape)
             if keep or not (every or axis in axes)]
    spelled = [axis - x.rank if g.chance(0.3) else axis for axis in axes]
    attributes = {} if keep and g.chance(0.5) else {"keepdims": int(keep)}
    operands = [x]
    if op == "ReduceSum":
        if axes:
            operands.append(g.constant(spelled))
        elif g.chance(0.2):
            attributes["noop_with_empty_axes"] = 1
            shape, count = x.shape, 1
    elif axes:
        attributes["axes"] = spelled
    g.emit(op, operands, [reduced(g, op, x, shape, count)], **attributes)


def reduced(g, op, x, shape, count):
    """The interval and error of a reduction of COUNT elements each."""
    low, high, err, grid, peak = x.low, x.high, x.err, x.grid, x.bound
    if op in ("ReduceMax", "ReduceMin"):
        return g.same(x, shape)
    if op in ("ReduceSum", "ReduceMean"):
        low, high, peak, err = (count * low, count * high, count * peak,
                                count * err)
        if op == "ReduceMean":
            low, high, err = x.low, x.high, x.err
            power = math.frexp(count)
            grid = grid - power[1] + 1 if grid is not None and \
                power[0] == 0.5 else None
            peak = x.bound if grid is None else count * x.bound
    elif op == "ReduceProd":
        if count * math.log(max(x.bound, 1)) > 12:
            raise Rejected("too large a product")
        top = max(x.bound, 1) ** count
        low, high, grid = -top, top, None
        err = count * top * err
        peak = top
    elif op == "ReduceL1":
        low, high, err, peak = 0, count * peak, count * err, count * peak
    elif op == "ReduceL2":
        low, high, grid = 0, math.sqrt(count) * peak, None
        err, peak = math.sqrt(count) * err, high
    elif op == "ReduceSumSquare":
        err = 2 * count * peak * err
        low, high = 0, count * peak * peak
        grid = None if grid is None else 2 * grid
        peak = high
    elif op == "ReduceLogSumExp":
        high, grid = x.high + math.log(count), None
        peak = max(abs(low), abs(high), 1)
    else:   # ReduceLogSum: the logarithm of a sum of at least low * count
        err = err / low
        low, high = math.log(low * count), math.log(high * count)
        grid, peak = None, max(abs(low), abs(high), 1)
    if not x.is_float:
        return wrapped(g, x.dtype, shape, min(low, -count * x.bound),
                       max(high, count * x.bound))
    return g.computed(x.dtype, shape, low, high, err, grid, peak)


def op_arg(g):
    x = g.pick(FLOATS + (I32, I64, I8, U8), rank=(1, 2, 3, 4), exact=True)
    spelled, axis = g.axis(x.rank)
    keep = g.chance(0.6)
    shape = [1 if i == axis else dim for i, dim in enumerate(x.shape)
             if keep or i != axis]
    g.emit(g.choice(("ArgMax", "ArgMin")), [x],
           [g.computed(I64, shape, 0, x.shape[axis] - 1)], axis=spelled,
           keepdims=int(keep), select_last_index=int(g.chance(0.3)))


def op_top_k(g):
    x = g.pick(FLOATS + (I32, I64), rank=(1, 2, 3, 4), exact=True)
    spelled, axis = g.axis(x.rank)
    k = g.between(1, x.shape[axis])
    shape = list(x.shape)
    shape[axis] = k
    g.emit("TopK", [x, g.constant([k])],
           [g.same(x, shape), g.computed(I64, shape, 0, x.shape[axis] - 1)],
           axis=spelled, largest=int(g.chance(0.6)), sorted=1)


def op_cumsum(g):
    x = g.pick(FLOATS + (I32, I64), rank=(1, 2, 3, 4))
    spelled, axis = g.axis(x.rank)
    count = x.shape[axis]
    bound = count * x.bound
    if x.is_float:
        result = g.computed(x.dtype, x.shape, -bound, bound, count * x.err,
                            x.grid)
    else:
        result = wrapped(g, x.dtype, x.shape, -bound, bound)
    g.emit("CumSum", [x, g.constant(spelled)], [result],
           exclusive=int(g.chance(0.3)), reverse=int(g.chance(0.3)))


# Operators on infinities, NaN and zeros of both signs: those whose result is
# the same to the bit, and those that are functions.
SPECIAL_EXACT = ("Relu", "Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Add",
                 "Sub", "Mul", "Div", "Max", "Min", "Equal", "Less", "Greater",
                 "IsNaN", "ReduceMax", "ReduceMin", "MaxPool", "Clip",
                 "GlobalMaxPool", "LeakyRelu", "PRelu")
SPECIAL = ("Sqrt", "Exp", "Log", "Tanh", "Sigmoid", "Erf", "Atan", "Softplus",
           "ReduceSum", "Softsign", "HardSigmoid", "Softmax")
TWO = ("Add", "Sub", "Mul", "Div", "Max", "Min", "Equal", "Less", "Greater",
       "PRelu")


def op_special(g):
    """One operator by itself on values that are not ordinary numbers."""
    op = g.choice(SPECIAL_EXACT + SPECIAL)
    dtype = g.choice(FLOATS)
    shape = (1, g.choice((1, 3, 8)), g.choice((2, 7)), g.choice((5, 17)))
    operands = []
    for _ in range(2 if op in TWO else 1):
        data = g.array(dtype, shape, -2, 2, 0.5)
        for value in (np.nan, np.inf, -np.inf, -0.0, 0.0):
            if g.chance(0.5):
                data[g.rng.random(shape) < 0.1] = value
        operands.append(g.hold(data, 0, const=False))
    attributes, out = {}, shape
    if op in ("ReduceMax", "ReduceMin"):
        attributes, out = {"axes": [3]}, (*shape[:3], 1)
    elif op == "ReduceSum":
        operands.append(g.constant([3]))
        out = (*shape[:3], 1)
    elif op == "MaxPool":
        attributes = {"kernel_shape": [2, 3]}
        out = (*shape[:2], shape[2] - 1, shape[3] - 2)
    elif op == "GlobalMaxPool":
        out = (*shape[:2], 1, 1)
    elif op == "Clip":
        operands += [g.constant(-1, dtype), g.constant(1, dtype)]
    elif op == "LeakyRelu":
        attributes = {"alpha": 0.25}
    if op in ("Equal", "Less", "Greater", "IsNaN"):
        result = g.computed(BOOL, out, 0, 1)
    else:
        result = g.computed(dtype, out, -100, 100,
                            grid=-3 if op in SPECIAL_EXACT else None)
        if op == "Div":
            result = g.computed(dtype, out, -100, 100)
    g.emit(op, operands, [result], **attributes)
    # Nothing else can tell what it gets here.
    apart = [value.name for value in operands] + [result.name]
    g.values = [value for value in g.values if value.name not in apart]
    g.apart.append(result)


OPERATORS = {
    op_special: 2, op_rising: 6, op_unary: 5, op_sign: 3, op_jump: 3, op_binary: 12,
    op_variadic: 3, op_power: 2, op_modulo: 1, op_compare: 3, op_logic: 2,
    op_shift: 1, op_where: 3, op_prelu: 1, op_clip: 3, op_cast: 4,
    op_reduce: 8, op_arg: 2, op_top_k: 1, op_cumsum: 1,
}
