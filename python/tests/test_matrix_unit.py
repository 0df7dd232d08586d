# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels for a matrix unit (AMX), on machines that have none, too.

The kernels are lowered for sapphirerapids; `matrix_unit.c` takes the place of
the instructions on tiles and checks how they are used. Everything is a whole
number small enough for sums to be exact: results are compared bit by bit.
"""

import pathlib
import platform
import random
import re
import subprocess

import numpy as np
import pytest

from nce_cases import LLVM_BIN, Case, memref, taps
from nacre import cli

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64",
    reason="the kernels have other instructions of x86, too")

EMULATOR = pathlib.Path(__file__).with_name("matrix_unit.c")
# Intrinsics, what takes their place, and its operands.
INTRINSICS = {"ldtilecfg": ("ldtilecfg", "ptr"),
              "tilerelease": ("tilerelease", ""),
              "tilezero": ("tilezero", "i8"),
              "tileloadd64": ("tileload", "i8, ptr, i64"),
              "tileloaddt164": ("tileload", "i8, ptr, i64"),
              "tilestored64": ("tilestore", "i8, ptr, i64"),
              "tdpbusd": ("tdpbusd", "i8, i8, i8"),
              "tdpbf16ps": ("tdpbf16ps", "i8, i8, i8")}
PACK = {"i8": 4, "bf16": 2}
LANES = 16

rng = np.random.default_rng(1)


def whole(element, signed, *shape):
    if element == "i8":
        return rng.integers(*((-128, 128) if signed else (0, 256)), shape)
    return rng.integers(-8 if signed else 0, 8, shape)


def stored(array, element):
    if element == "i8":
        return array.astype(np.uint8)
    return (array.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def clause(strategy):
    """`strategy` is the part on tiles; None leaves it to the compiler."""
    if strategy is None:
        return []
    prefetch, _, tiles = strategy.rpartition("; ")
    prefetch += ", " if prefetch else ""
    return [f"VPU.strategy = #VPU.strategy<kernel = <{prefetch}"
            f"matrixTiles = <{tiles}>>>"]


def convolution(name, strategy, element="i8", images=1, blocks=1, inner=None,
                size=(5, 5), kernel=(3, 3), outputs=2, strides=(1, 1),
                dilations=(1, 1), groups=1):
    """`inner` is the number of packs in a block of channels, which fill the
    vector unless given."""
    pack = PACK[element]
    inner = inner or LANES // pack
    x = whole(element, False, images, blocks * groups, *size, inner * pack)
    w = whole(element, True, outputs * groups, blocks, *kernel, inner, LANES,
              pack)
    (rows, row_taps), (columns, column_taps) = map(
        taps, size, kernel, strides, dilations)
    y = np.zeros((images, outputs * groups, rows, columns, LANES))
    # To (outputs, blocks, rows, columns, channels, lanes).
    plain = w.swapaxes(5, 6).reshape(*w.shape[:4], inner * pack, LANES)
    plain = plain.astype(float)
    for g in range(groups):
        here = slice(g * outputs, (g + 1) * outputs)
        window = x[:, g * blocks:(g + 1) * blocks].astype(float)
        for i, r in enumerate(row_taps):
            for j, c in enumerate(column_taps):
                y[:, here] += np.einsum("nbhwc,obcl->nohwl", window[:, :, r, c],
                                        plain[here, :, i, j], optimize=True)
    y = y.astype(np.float32)
    x, w = stored(x, element), stored(w, element)
    attributes = ", ".join([
        f"strides = array<i64: {strides[0]}, {strides[1]}>",
        f"dilations = array<i64: {dilations[0]}, {dilations[1]}>",
        f"groups = {groups} : i64", *clause(strategy)])
    return Case(name, [x, w], y,
                f"VPU.NCE.Convolution ins(%a0, %a1 : {memref(x)}, {memref(w)})"
                f" outs(%a2 : {memref(y)}) {{{attributes}}}")


def product(name, strategy, element, rows, columns, depth):
    pack = PACK[element]
    a = whole(element, False, 1, rows, depth)
    b = whole(element, True, 1, columns // LANES, depth // pack, LANES, pack)
    plain = b.transpose(0, 2, 4, 1, 3).reshape(1, depth, columns)
    y = (a.astype(float) @ plain).astype(np.float32)
    a, b = stored(a, element), stored(b, element)
    return Case(name, [a, b], y,
                f"VPU.NCE.MatMul ins(%a0, %a1 : {memref(a)}, {memref(b)}) "
                f"outs(%a2 : {memref(y)}) {{{', '.join(clause(strategy))}}}")


def tiles(size):
    return -(-size // LANES)


def drawn(seed, count):
    """Convolutions and strategies that fit them."""
    draw = random.Random(seed)
    while count:
        element = draw.choice(["i8", "bf16"])
        kernel = draw.choice([(3, 3), (5, 5), (1, 7), (2, 2), (1, 1), (4, 3)])
        strides = draw.choice([(1, 1), (2, 2), (2, 1), (1, 2), (3, 2)])
        out = draw.choice([1, 2, 5, 7]), draw.choice([1, 5, 14, 16, 17, 33])
        inner = draw.choice([1, 2, LANES // PACK[element]])
        case = {"element": element, "kernel": kernel, "strides": strides,
                "inner": inner, "groups": draw.choice([1, 1, 2]),
                "images": draw.choice([1, 2]),
                "outputs": draw.choice([1, 3, 5])}
        if kernel != (1, 1) and draw.random() < 0.5:
            window = [r for r in range(1, kernel[0] + 1)
                      if r * kernel[1] * inner <= 16
                      and (element == "i8" or kernel[0] % r == 0)]
            if not window:
                continue
            strategy = f"windowRows = {draw.choice(window)}"
            case["blocks"], dilations = 1, (1, 1)
        else:
            case["blocks"] = draw.choice([2, 4, 6])
            fitting = [p for p in range(2, 7)
                       if case["blocks"] % p == 0 and p * inner <= 16]
            if not fitting:
                continue
            strategy = f"pieces = {draw.choice(fitting)}"
            dilations = draw.choice([(1, 1), (2, 2), (1, 2)])
        strips = tiles(out[1]) * draw.randint(1, out[0] + 1)
        size = tuple((o - 1) * s + (k - 1) * d + 1 for o, s, k, d in
                     zip(out, strides, kernel, dilations))
        strategy += f", stripTiles = {strips}"
        yield convolution(f"drawn_{count}", strategy,
                          size=size, dilations=dilations, **case)
        count -= 1


def by_hand():
    conv = convolution
    for element in PACK:
        yield conv(f"window_{element}_pieces_2", "pieces = 2, stripTiles = 7",
                   element, blocks=4, size=(9, 9), outputs=3)
    yield conv("window_i8_square_transpose", "pieces = 4, stripTiles = 7",
               blocks=4, size=(9, 18))
    yield conv("window_joined_rows", "joinRows = true, pieces = 4, "
               "stripTiles = 3", blocks=4, size=(9, 9))
    yield conv("window_bf16_joined_rows", "joinRows = true, pieces = 2, "
               "stripTiles = 2", "bf16", blocks=4, size=(9, 9))
    yield conv("window_last_strip_short", "pieces = 4, stripTiles = 4",
               blocks=8, size=(9, 23), outputs=3)
    yield conv("window_grouped_batch", "pieces = 2, stripTiles = 3", images=2,
               blocks=4, groups=2, size=(7, 9))
    yield conv("window_strided_dilated", "pieces = 3, stripTiles = 2",
               blocks=6, size=(14, 15), strides=(2, 3), dilations=(2, 1))
    yield conv("window_prefetched", "prefetchWeights = true; pieces = 4, "
               "stripTiles = 3", blocks=8, size=(9, 9))
    for stride in (1, 2, 3):
        yield conv(f"window_rows_stride_{stride}", "windowRows = 2, "
                   "stripTiles = 4", inner=1, size=(20, 21), kernel=(7, 7),
                   strides=(stride, stride), images=2, outputs=4)
    yield conv("window_rows_bf16", "windowRows = 3, stripTiles = 2", "bf16",
               inner=1, size=(8, 20), outputs=3)
    for pieces in (2, 3, 4):
        yield conv(f"pointwise_pieces_{pieces}", f"pieces = {pieces}, "
                   "stripTiles = 3", blocks=12, size=(5, 14), kernel=(1, 1),
                   outputs=5)
    yield conv("pointwise_strided_pieces", "pieces = 4, stripTiles = 2",
               blocks=4, size=(13, 23), kernel=(1, 1), strides=(2, 2),
               outputs=3)
    yield conv("pointwise_bf16_pieces", "pieces = 2, stripTiles = 2", "bf16",
               blocks=4, size=(5, 14), kernel=(1, 1), outputs=3)
    yield from drawn(7, 12)


def chosen():
    for element in PACK:
        yield product(f"product_{element}", None, element, 64, 256, 256)
        yield product(f"product_{element}_odd_rows", None, element, 77, 80, 128)
        yield convolution(f"chosen_window_{element}", None, element, blocks=4,
                          size=(16, 16), outputs=4)
        yield convolution(f"chosen_pointwise_{element}", None, element,
                          blocks=4, size=(14, 14), kernel=(1, 1), outputs=8)
    yield convolution("chosen_stem", None, inner=1, size=(37, 37),
                      kernel=(7, 7), strides=(2, 2), outputs=4)


CASES = {"by_hand": {case.name: case for case in by_hand()},
         "chosen": {case.name: case for case in chosen()}}


def build(kind, folder):
    """A program of all cases of a kind, and what strategies they have."""
    def run(*command):
        subprocess.run([str(part) for part in command], check=True)

    cases = CASES[kind].values()
    (folder / "kernels.mlir").write_text(
        "".join(case.function() for case in cases))
    choose = (["--vpu-choose-strategies=decide=registers"]
              if kind == "chosen" else [])
    run(cli.tool("nacre-opt"), folder / "kernels.mlir",
        "--init-compiler=vpu-arch=sapphirerapids threads=1", *choose, "-o",
        folder / "strategies.mlir")
    run(cli.tool("nacre-opt"), folder / "strategies.mlir",
        "--convert-vpu-to-vector", "--lower-to-llvm", "-o",
        folder / "llvm.mlir")
    run(f"{LLVM_BIN}/mlir-translate", "--mlir-to-llvmir",
        "--allow-unregistered-dialect", folder / "llvm.mlir", "-o",
        folder / "kernels.ll")
    text = (folder / "kernels.ll").read_text()
    for intrinsic, (function, _) in INTRINSICS.items():
        text = re.sub(rf"^declare .*@llvm\.x86\.{intrinsic}\(.*$", "", text,
                      flags=re.MULTILINE)
        text = text.replace(f"@llvm.x86.{intrinsic}(", f"@emulated_{function}(")
    assert "@llvm.x86.t" not in text, "an instruction that is not emulated"
    text += "".join(f"declare void @emulated_{function}({operands})\n"
                    for function, operands in sorted(set(INTRINSICS.values())))
    (folder / "kernels.ll").write_text(text)
    run(f"{LLVM_BIN}/clang", "-O1", "-march=native", "-Wno-override-module",
        "-rdynamic", EMULATOR, folder / "kernels.ll", "-o", folder / "program",
        "-lm", "-ldl")
    return folder / "program", text


@pytest.fixture(name="programs", scope="module")
def make_programs(tmp_path_factory):
    built = {}

    def program(kind):
        if kind not in built:
            built[kind] = build(kind, tmp_path_factory.mktemp(kind))
        return built[kind]
    return program


@pytest.mark.parametrize("kind, name", [
    (kind, name) for kind, cases in CASES.items() for name in cases])
def test_matrix_unit_kernel_equals_numpy(programs, tmp_path, kind, name):
    case = CASES[kind][name]
    program, text = programs(kind)
    body = text[text.index(f" @{name}("):].partition("\n}\n")[0]
    assert "@emulated_tdp" in body, "the kernel does not use the matrix unit"
    *operands, result = case.operands
    files = [tmp_path / f"operand{i}" for i in range(len(operands))]
    for file, operand in zip(files, operands):
        file.write_bytes(operand.tobytes())
    done = subprocess.run(
        [str(program), name, str(result.nbytes), *map(str, files)],
        capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    actual = np.frombuffer(done.stdout, np.float32)
    np.testing.assert_array_equal(actual.reshape(result.shape), case.expected)
