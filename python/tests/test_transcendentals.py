# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transcendental functions of compiled code over the whole range of f32.

Every sign and exponent with thousands of mantissas each, and all special values,
against double precision. The bounds are those that docs/Performance.md states:
in units in the last place (ulp) of the exact result, plus what the absolute
error may be besides.
"""

import collections
import ctypes
import math
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

from nacre import builders, cli
from nacre.compiled import CompiledModel

LLVM_BIN = "/usr/lib/llvm-22/bin"

# Results below the smallest normal number (times the input, where that is a
# factor) may be zero.
TINY = 2.0 ** -126
# exp saturates here, a tenth below the largest number.
EXP_LIMIT = 3.12e38


def samples():
    """Every 1021st bit pattern, and those where something changes."""
    bits = np.arange(0, 2 ** 32, 1021, dtype=np.uint64).astype(np.uint32)
    edges = [0, 1, 0x007FFFFF, 0x00800000, 0x3F7FFFFF, 0x3F800000, 0x3F800001,
             0x7F7FFFFF, 0x7F800000, 0x7FC00000]
    edges += [edge | 0x80000000 for edge in edges]
    bits = np.concatenate([bits, np.array(edges, np.uint32)])
    # A multiple of the vector width and some, so that scalar code runs, too.
    padding = -len(bits) % 64 + 3
    return np.concatenate([bits, np.zeros(padding, np.uint32)]).view(np.float32)


X = samples()
WIDE = X.astype(np.float64)

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x):
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


def softplus(x):
    return np.logaddexp(0, x)


def gelu(x):
    bell = np.vectorize(lambda v: math.erfc(-v * math.sqrt(0.5)),
                        otypes=[np.float64])
    return np.where(np.isneginf(x), np.nan, x / 2 * bell(x))


def gelu_tanh(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
    return np.where(np.isneginf(x), np.nan, x * sigmoid(2 * inner))


def swish(x):
    return np.where(np.isneginf(x), np.nan, x * sigmoid(x))


def mish(x):
    return np.where(np.isneginf(x), np.nan, x * np.tanh(softplus(x)))


def below_zero(curve):
    return lambda x: np.where(x < 0, curve(x), x)


SELU_ALPHA, SELU_GAMMA = (float(np.float32(1.6732632)),
                          float(np.float32(1.0507010)))

# ulp: of the exact result. of_input: what the error may be besides, as a share of
# the input, where the formula takes a difference that nearly vanishes.
# limit: magnitude of results above which nothing is promised.
Bound = collections.namedtuple("Bound", "function ulp of_input limit",
                               defaults=(0, math.inf))

OPERATORS = {
    "Exp": Bound(np.exp, 2, limit=EXP_LIMIT),
    "Log": Bound(np.log, 2),
    "Tanh": Bound(np.tanh, 5),
    "Erf": Bound(erf, 6),
    "Sigmoid": Bound(sigmoid, 4),
    "Softplus": Bound(softplus, 4),
    "Elu": Bound(below_zero(np.expm1), 4),
    "Selu": Bound(lambda x: SELU_GAMMA * below_zero(
        lambda v: SELU_ALPHA * np.expm1(v))(x), 4),
    "Mish": Bound(mish, 8),
    "Gelu": Bound(gelu, 4, of_input=2 ** -22),
    "Sin": Bound(np.sin, 2), "Cos": Bound(np.cos, 2), "Tan": Bound(np.tan, 2),
    "Asin": Bound(np.arcsin, 2), "Acos": Bound(np.arccos, 2),
    "Atan": Bound(np.arctan, 2), "Sinh": Bound(np.sinh, 3),
    "Cosh": Bound(np.cosh, 3), "Asinh": Bound(np.arcsinh, 2),
    "Acosh": Bound(np.arccosh, 2), "Atanh": Bound(np.arctanh, 2),
    "Sqrt": Bound(np.sqrt, 0.5),
}

# What the engine applies to a result while it is in a register.
ACTIVATIONS = {
    "SIGMOID": OPERATORS["Sigmoid"], "TANH": OPERATORS["Tanh"],
    "SWISH": Bound(swish, 5), "GELU": OPERATORS["Gelu"],
    "MISH": Bound(mish, 8), "ELU": OPERATORS["Elu"],
    "GELU_TANH": Bound(gelu_tanh, 5, of_input=2 ** -22),
}
# The activations that have a slope.
SLOPED = ("SWISH", "ELU")


def check(actual, bound):
    """Compares with the exact values, and says where it is worst."""
    with np.errstate(all="ignore"):
        exact = bound.function(WIDE)
        rounded = exact.astype(np.float32)
        exponent = np.floor(np.log2(np.maximum(np.abs(exact), TINY)))
        ulp = 2.0 ** (np.minimum(exponent, 127) - 23)
        size = np.nan_to_num(np.abs(WIDE), posinf=0)
        allowed = (bound.ulp * ulp + TINY * np.maximum(size, 1)
                   + bound.of_input * size)
        error = np.abs(actual.astype(np.float64) - exact)
        excess = error / allowed
    promised = np.abs(np.nan_to_num(exact, posinf=0, neginf=0)) <= bound.limit
    finite = np.isfinite(rounded) & promised
    assert np.isfinite(actual[finite]).all(), X[finite][
        ~np.isfinite(actual[finite])][:8]
    worst = np.argmax(np.where(finite, excess, 0))
    assert excess[worst] <= 1, (
        f"f({X[worst]!r}) is {actual[worst]!r} instead of {exact[worst]!r}: "
        f"{error[worst] / ulp[worst]:.1f} ulp")
    special = ~np.isfinite(rounded) & promised
    np.testing.assert_array_equal(actual[special], rounded[special])


@pytest.mark.parametrize("name", list(OPERATORS))
def test_operator_is_as_exact_as_stated(name, tmp_path):
    model = builders.single(name, {"x": ("float32", [len(X)])},
                            {"y": ("float32", [len(X)])})
    del model.opset_import[:]
    model.opset_import.append(helper.make_opsetid("", 20))
    onnx.save(model, str(tmp_path / "f.onnx"))
    cli.nacre("compile", tmp_path / "f.onnx", "-o", tmp_path / "f.so")
    check(CompiledModel(tmp_path / "f.so").run({"x": X})["y"],
          OPERATORS[name])


def double_samples():
    """All exponents up to that of the largest result of exp, many numbers around
    1, special values."""
    random = np.random.default_rng(1)
    spread = np.ldexp(random.uniform(1, 2, 40000),
                      random.integers(-1074, 11, 40000))
    near = np.concatenate([random.uniform(0, 40, 40000),
                           random.uniform(680, 760, 5000)])
    size = np.concatenate([spread, near, [0, 0.625, np.inf, 709.782712893384,
                                          745.1332191019411, 1e308]])
    return np.concatenate([size, -size, [np.nan]])


def angles():
    """All exponents, multiples of a quarter turn, of which sine or cosine nearly
    vanish, and the double nearest to one in proportion."""
    random = np.random.default_rng(2)
    size = np.ldexp(random.uniform(1, 2, 60000),
                    random.integers(-1074, 1024, 60000))
    quarters = np.pi / 2 * np.arange(1, 20000)
    nearest = 6381956970095103 * 2.0 ** 797
    size = np.concatenate([size, random.uniform(0, 100, 20000), quarters,
                           [0, nearest, np.inf, np.finfo(float).max]])
    return np.concatenate([size, -size, [np.nan]])


def run_operator(folder, name, dtype, *inputs):
    """What the cpu backend computes of vectors."""
    shape = [len(inputs[0])]
    names = [f"x{i}" for i in range(len(inputs))]
    model = builders.single(name, {x: (dtype, shape) for x in names},
                            {"y": (dtype, shape)})
    onnx.save(model, str(folder / "f.onnx"))
    cli.nacre("compile", folder / "f.onnx", "-o", folder / "f.so")
    return CompiledModel(folder / "f.so").run(dict(zip(names, inputs)))["y"]


def check_rounded(y, exact, bound, describe):
    """Compares with values of more bits than those of Y; results of the least
    exponents may be wrong by the smallest number."""
    with np.errstate(over="ignore"):
        nearest = exact.astype(y.dtype)
    finite = np.isfinite(nearest)
    error = np.abs(y[finite].astype(np.longdouble) - exact[finite])
    with np.errstate(over="ignore"):
        ulp = np.spacing(np.abs(nearest[finite])).astype(np.longdouble)
    worst = np.argmax(error / ulp)
    assert error[worst] <= bound * ulp[worst], (
        f"f({describe(np.flatnonzero(finite)[worst])}) is "
        f"{y[finite][worst]!r} instead of {nearest[finite][worst]!r}: "
        f"{error[worst] / ulp[worst]:.2f} ulp")
    np.testing.assert_array_equal(y[~finite], nearest[~finite])


@pytest.mark.parametrize("name", ["Exp", "Tanh", "Sin", "Cos"])
def test_operator_on_doubles_is_as_exact_as_stated(name, tmp_path):
    x = angles() if name in ("Sin", "Cos") else double_samples()
    y = run_operator(tmp_path, name, "float64", x)
    with np.errstate(over="ignore", invalid="ignore"):
        exact = OPERATORS[name].function(x.astype(np.longdouble))
    check_rounded(y, exact, 2, lambda i: repr(x[i]))
    zero = x == 0
    np.testing.assert_array_equal(np.signbit(y[zero]),
                                  np.signbit(exact[zero]))


def powers(dtype):
    """Bases of all exponents and around 1, with powers of all sizes, many of
    which are neither 0 nor infinite, and all pairs of special values."""
    limits = np.finfo(dtype)
    random = np.random.default_rng(3)
    count = 60000
    base = np.ldexp(random.uniform(1, 2, count),
                    random.integers(limits.minexp - limits.nmant,
                                    limits.maxexp, count))
    near = 1 + np.ldexp(random.uniform(-1, 1, count),
                        -random.integers(1, limits.nmant, count))
    base = np.concatenate([base, near, random.uniform(0, 20, count)])
    base = base.astype(dtype).astype(np.longdouble)
    # The power of two that the result is.
    wanted = random.uniform(limits.minexp - limits.nmant - 5,
                            limits.maxexp + 5, len(base))
    with np.errstate(divide="ignore"):
        exponent = wanted / np.log2(base)
    exponent[::7] = random.integers(-30, 30, len(exponent[::7]))
    exponent[::11] = random.uniform(-10, 10, len(exponent[::11]))
    # Negative bases have whole powers.
    sign = np.where(np.arange(len(base)) % 7, 1, random.choice([-1, 1],
                                                               len(base)))
    special = np.array([0, 0.5, 1, 2, 3, 1e300, 2.0 ** 53 - 1, np.inf,
                        limits.max, limits.tiny,
                        limits.smallest_subnormal]).astype(dtype)
    special = np.concatenate([special, -special, [np.nan]])
    a, b = np.meshgrid(special, special)
    with np.errstate(over="ignore"):
        return (np.concatenate([sign * base, a.ravel()]).astype(dtype),
                np.concatenate([exponent, b.ravel()]).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_power_is_as_exact_as_stated(dtype, tmp_path):
    with np.errstate(over="ignore"):
        x, exponent = powers(np.dtype(dtype))
    y = run_operator(tmp_path, "Pow", dtype, x, exponent)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.longdouble),
                         exponent.astype(np.longdouble))
    check_rounded(y, exact, 1,
                  lambda i: f"{x[i]!r}, {exponent[i]!r}")
    zero = y == 0
    np.testing.assert_array_equal(np.signbit(y[zero]),
                                  np.signbit(exact[zero]))


@pytest.fixture(scope="module")
def activations(tmp_path_factory):
    """A library with a function of (x, zero, result) for each activation."""
    folder = tmp_path_factory.mktemp("activations")
    lanes = 16
    shape = f"memref<1x1x1x{len(X) // lanes}x{lanes}xf32>"
    (folder / "f.mlir").write_text("".join(
        f"func.func @{mode}(%x: {shape} {{llvm.noalias}}, "
        f"%z: {shape} {{llvm.noalias}}, %y: {shape} {{llvm.noalias}}) {{\n"
        f"VPU.NCE.Eltwise ins(%x, %z : {shape}, {shape}) outs(%y : {shape}) "
        f"{{kind = #VPU.eltwise<ADD>, ppe = #VPU.PPE<mode = {mode}"
        f"{', slope = 1.0 : f32' if mode in SLOPED else ''}>}}\n"
        "return }\n" for mode in ACTIVATIONS))
    for command in (
            [cli.tool("nacre-opt"), folder / "f.mlir",
             "--init-compiler=vpu-arch=host", "--vpu-allocate-scratch",
             "--vpu-choose-strategies=decide=registers",
             "--convert-vpu-to-vector", "--approximate-math",
             "--lower-to-llvm", "-o", folder / "llvm.mlir"],
            [f"{LLVM_BIN}/mlir-translate", "--mlir-to-llvmir",
             "--allow-unregistered-dialect", folder / "llvm.mlir", "-o",
             folder / "f.ll"],
            [f"{LLVM_BIN}/clang", "-O2", "-march=native", "-shared", "-fPIC",
             "-Wno-override-module", folder / "f.ll", "-o", folder / "f.so",
             "-lm"]):
        subprocess.run([str(part) for part in command], check=True)
    return ctypes.CDLL(str(folder / "f.so"))


@pytest.mark.parametrize("mode", list(ACTIVATIONS))
def test_activation_of_the_engine_is_as_exact_as_stated(activations, mode):
    def aligned():
        memory = np.zeros(len(X) + 16, np.float32)
        start = -memory.ctypes.data % 64 // 4
        return memory[start:start + len(X)]

    x, zero, y = aligned(), aligned(), aligned()
    x[:] = X
    getattr(activations, mode)(*[ctypes.c_void_p(a.ctypes.data)
                                 for a in (x, zero, y)])
    # What does not fill a vector is not part of the tensor.
    whole = len(X) // 16 * 16
    y[whole:] = ACTIVATIONS[mode].function(WIDE[whole:])
    check(y, ACTIVATIONS[mode])
