# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of NCE kernels share: operations on memrefs and the libraries
that compute them."""

import ctypes
import subprocess

import numpy as np
import pytest

from backends import skip_unless_runnable
from nacre import cli

LLVM_BIN = "/usr/lib/llvm-22/bin"
# Register files of 16 x 4, 16 x 8, 32 x 16 and 32 x 4 lanes.
LANES = {"x86-64": 4, "x86-64-v3": 8, "x86-64-v4": 16, "aarch64": 4,
         "alderlake": 8, "znver4": 16, "sapphirerapids": 16}
# The elements per lane that each multiplies at once, by the type of weights.
PACKS = {"x86-64-v3": {"int8": {2}}, "x86-64-v4": {"int8": {2}},
         "alderlake": {"int8": {2, 4}},
         "znver4": {"int8": {2, 4}, "uint16": {2}},
         "sapphirerapids": {"int8": {2, 4}, "uint16": {2}}}

# Arrays of other types are stored as f32; numpy has bf16 as its bits.
ELEMENTS = {"uint8": "i8", "int8": "i8", "int32": "i32", "uint16": "bf16"}

GUARD = 0x5A


def memref(array):
    sizes = "x".join(map(str, array.shape))
    return f"memref<{sizes}x{ELEMENTS.get(array.dtype.name, 'f32')}>"


def store(array):
    """The array as the kernel finds it in memory."""
    kept = array.dtype.name in ELEMENTS
    return np.ascontiguousarray(array, None if kept else np.float32)


def unlike(expected):
    """What no element of a result is left at."""
    if expected.dtype.name in ELEMENTS:
        return np.invert(expected)
    return np.full(expected.shape, np.nan, np.float32)


class Case:
    """One operation: its text, its operands, the last one the result."""

    def __init__(self, name, operands, expected, text, lanes=None, pack=1):
        self.name = name
        self.lanes = lanes  # of the architectures it is for; None for all
        self.pack = pack    # elements per lane that they multiply
        self.operands = [store(a) for a in operands]
        self.operands.append(store(unlike(expected)))
        self.expected = expected
        self.text = text

    def is_for(self, architecture):
        if self.lanes not in (None, LANES[architecture]):
            return False
        packs = PACKS.get(architecture, {})
        return (self.pack == 1 or self.pack
                in packs.get(self.operands[1].dtype.name, set()))

    def function(self):
        arguments = ", ".join(f"%a{i}: {memref(a)} {{llvm.noalias}}"
                              for i, a in enumerate(self.operands))
        return (f"func.func @{self.name}({arguments}) {{\n{self.text}\n"
                "return }\n")

    def run(self, library):
        """The result; nothing is written behind it."""
        *operands, result = [a.copy() for a in self.operands]
        buffer = np.full(result.nbytes + 64, GUARD, np.uint8)
        buffer[:result.nbytes] = result.reshape(-1).view(np.uint8)
        getattr(library, self.name)(
            *[ctypes.c_void_p(a.ctypes.data) for a in (*operands, buffer)])
        assert (buffer[result.nbytes:] == GUARD).all(), "written out of bounds"
        return buffer[:result.nbytes].view(result.dtype).reshape(result.shape)


def opened(case, images):
    """The operation, whose operands `images` have dynamic numbers and sizes of
    images."""
    text, casts = case.text, ""
    for i in images:
        known = memref(case.operands[i])
        _, blocks, _, _, lanes = case.operands[i].shape
        element = known.removesuffix(">").rpartition("x")[2]
        unknown = f"memref<?x{blocks}x?x?x{lanes}x{element}>"
        casts += f"%open{i} = memref.cast %a{i} : {known} to {unknown}\n"
        text = text.replace(f"%a{i}", f"%open{i}").replace(known, unknown)
    return Case(f"{case.name}_open", case.operands[:-1], case.expected,
                casts + text, case.lanes, case.pack)


def request_tiles():
    """Linux's permission to use tile registers, which a compiled model asks for
    itself: arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)."""
    if ctypes.CDLL(None).syscall(158, 0x1023, 18) != 0:
        pytest.skip("this process may not use tile registers")


def build(architecture, cases, folder):
    """A library with a function for every case, in one architecture's tiles."""
    skip_unless_runnable(architecture)
    if architecture == "sapphirerapids":
        request_tiles()
    source, library = folder / "kernels.mlir", folder / "kernels.so"
    source.write_text("".join(case.function() for case in cases
                              if case.is_for(architecture)))
    for command in (
            [cli.tool("nacre-opt"), source,
             f"--init-compiler=vpu-arch={architecture}",
             "--vpu-choose-strategies=decide=buffers",
             "--vpu-allocate-scratch",
             "--vpu-choose-strategies=decide=registers",
             "--convert-vpu-to-vector",
             "--lower-to-llvm", "-o", folder / "llvm.mlir"],
            [f"{LLVM_BIN}/mlir-translate", "--mlir-to-llvmir",
             "--allow-unregistered-dialect", folder / "llvm.mlir", "-o",
             folder / "kernels.ll"],
            # Code generation gives these functions the runtime's names.
            ["sed", "-i", "s/_mlir_memref_to_llvm_alloc/malloc/g; "
             "s/_mlir_memref_to_llvm_free/free/g", folder / "kernels.ll"],
            [f"{LLVM_BIN}/clang", "-O1", "-march=native", "-shared", "-fPIC",
             "-Wno-override-module", folder / "kernels.ll", "-o", library,
             "-lm"]):
        subprocess.run([str(part) for part in command], check=True)
    return ctypes.CDLL(str(library))


def make_fixture(cases):
    """A fixture: the library of `cases` in the tiles of an architecture."""
    built = {}

    # pytest would tear down one of a wider scope between two names, too.
    @pytest.fixture
    def library(request, tmp_path_factory):
        architecture = request.param
        if architecture not in built:
            built[architecture] = build(architecture, cases.values(),
                                        tmp_path_factory.mktemp(architecture))
        return built[architecture]
    return library


def parametrize(cases):
    """Runs a test with each architecture's `library`, which make_fixture made,
    and the `name` of each case that is for it."""
    return pytest.mark.parametrize(
        "library, name",
        [pytest.param(architecture, name, id=f"{architecture}-{name}")
         for architecture in LANES
         for name, case in cases.items() if case.is_for(architecture)],
        indirect=["library"])


def taps(size, kernel, stride, dilation):
    """The number of outputs, and the slice of inputs under every tap."""
    count = (size - (kernel - 1) * dilation - 1) // stride + 1
    return count, [slice(k * dilation, k * dilation + (count - 1) * stride + 1,
                         stride) for k in range(kernel)]


def block_bias(bias):
    return bias[None, :, None, None, :]


# Where Winograd's algorithms evaluate, with either sign, per size of a tile.
SIGNED_POINTS = {2: [1], 4: [2 / 3, 3 / 2]}


def transform_filters(weights, tile):
    """(OCB, ICB, 3, 3, ...) at all points: (P, OCB, ICB, ...). The values at p
    and -p are p times those of the textbook."""
    points = [0] + [sign * p for p in SIGNED_POINTS[tile] for sign in (1, -1)]
    rows = [np.array([1, p, p * p]) * (abs(p) or 1)
            / np.prod([p - q for q in points if q != p]) for p in points]
    g = np.array([*rows, [0, 0, 1]])
    u = np.einsum("pi,qj,obij...->pqob...", g, g, weights)
    return u.reshape(-1, *u.shape[2:])


def copies(name, x, lanes, pads, value):
    """Into blocks, back, from blocks to blocks, and one slice of rows."""
    images, channels, height, width = x.shape
    blocks = -(-channels // lanes)
    top, left, bottom, right = pads
    filled = np.zeros((images, blocks * lanes, height, width), x.dtype)
    filled[:, :channels] = x
    blocked = np.ascontiguousarray(
        filled.reshape(images, blocks, lanes, height, width)
        .transpose(0, 1, 3, 4, 2))

    def pad(inner):
        result = np.full((images, blocks, height + top + bottom,
                          width + left + right, lanes), value, x.dtype)
        result[:, :, top:top + height, left:left + width] = inner
        return result

    def copy(suffix, source, expected, orders, before="", offset="",
             padded=True):
        attributes = [f"srcOrder = #VPU.order<{orders[0]}>",
                      f"dstOrder = #VPU.order<{orders[1]}>"]
        if padded:
            attributes += [
                f"pads = array<i64: {top}, {left}, {bottom}, {right}>",
                f"padValue = {float(value)} : f32"]
        return Case(f"{name}_{suffix}", [source], expected,
                    f"{before}VPU.Copy ins(%a0 : {memref(source)}){offset} "
                    f"outs(%a1 : {memref(expected)}) "
                    f"{{{', '.join(attributes)}}}")

    padded = pad(blocked)
    yield copy("block", x, padded, ("NCHW", "NCHWc"))
    yield copy("unblock", blocked, x, ("NCHWc", "NCHW"), padded=False)
    yield copy("pad", blocked, padded, ("NCHWc", "NCHWc"))
    for offset in (0, 1, height - 1):
        rows = np.full((images, blocks, 3, padded.shape[3], lanes), value,
                       x.dtype)
        part = padded[:, :, offset:offset + 3]
        rows[:, :, :part.shape[2]] = part
        yield copy(f"rows{offset}", blocked, rows, ("NCHWc", "NCHWc"),
                   before=f"%o = arith.constant {offset} : index\n",
                   offset=" offset(%o)")
