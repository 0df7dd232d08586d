# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models for other machines: compiled by nacre, linked by that machine's gcc
with its C library, run by an emulator, and compared with the interpreter."""

import shutil
import subprocess

import numpy as np
import onnx
import pytest

import backends
from nacre import builders, cli, tolerances

# An architecture, the prefix of Debian's tools for it, and its emulator.
MACHINES = {"riscv64": ("riscv64-linux-gnu", "qemu-riscv64"),
            "armv7": ("arm-linux-gnueabihf", "qemu-arm")}

# Reads NAME.in for each input and writes NAME.out for each output.
PROGRAM = """
#include "net.h"
#include <stdio.h>

static _Alignas(64) char arena[net_ARENA_BYTES + 1];
{buffers}
int main(void) {{
  struct net_inputs inputs = {{{inputs}}};
  struct net_outputs outputs = {{{outputs}}};
  FILE *file;
{reads}
  int status = net_run(&inputs, &outputs, arena);
  if (status != NACRE_OK)
    return status;
{writes}
  return 0;
}}
"""

C_TYPES = {"float32": "float", "float64": "double", "float16": "uint16_t",
           "int8": "int8_t", "uint8": "uint8_t", "int32": "int32_t",
           "int64": "int64_t", "bool": "bool"}


def require(machine):
    prefix, emulator = MACHINES[machine]
    if not shutil.which(f"{prefix}-gcc") or not shutil.which(emulator):
        pytest.skip(f"no {prefix}-gcc or no {emulator}")
    return machine


@pytest.fixture(params=MACHINES)
def machine(request):
    return require(request.param)


def link(folder, machine, source, *files):
    """The path of a static program of SOURCE and FILES."""
    (folder / "main.c").write_text(source)
    program = folder / f"main.{machine}"
    subprocess.run(
        [f"{MACHINES[machine][0]}-gcc", "-std=c11", "-O1", "-Wall", "-Wextra",
         "-Werror", "-static", "-I", folder, folder / "main.c", *files, "-lm",
         "-o", program], check=True)
    return program


def emulate(machine, program, *arguments):
    return subprocess.run([MACHINES[machine][1], program, *arguments],
                          cwd=program.parent, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run_elsewhere(folder, machine, inputs, outputs, *options, form="a"):
    """Runs model.onnx on MACHINE; OUTPUTS maps names to arrays of the types and
    shapes that are expected."""
    archive = folder / f"net.{form}"
    cli.nacre("compile", folder / "model.onnx", f"--vpu-arch={machine}",
              *options, "-o", archive)

    def declare(name, array):
        c_type = C_TYPES[array.dtype.name]
        return f"static _Alignas(64) {c_type} {name}[{array.size}];\n"

    def transfer(name, suffix, mode, function):
        return (f'  file = fopen("{name}.{suffix}", "{mode}");\n'
                f"  if (!file || {function}({name}, sizeof {name}, 1, file) "
                "!= 1 || fclose(file) != 0)\n    return 100;\n")

    both = {**inputs, **outputs}
    source = PROGRAM.format(
        buffers="".join(declare(*item) for item in both.items()),
        inputs=", ".join(f".{name} = {name}" for name in inputs),
        outputs=", ".join(f".{name} = {name}" for name in outputs),
        reads="".join(transfer(name, "in", "rb", "fread") for name in inputs),
        writes="".join(transfer(name, "out", "wb", "fwrite")
                       for name in outputs))
    for name, array in inputs.items():
        array.tofile(folder / f"{name}.in")
    result = emulate(machine, link(folder, machine, source, archive))
    assert result.returncode == 0, result.stdout
    return {name: np.fromfile(folder / f"{name}.out",
                              array.dtype).reshape(array.shape)
            for name, array in outputs.items()}


def check(folder, machine, model, inputs, *options,
          tolerance=tolerances.DEFAULT, form="a"):
    expected = backends.run(model, inputs, folder, "interpreter")
    found = run_elsewhere(folder, machine, inputs, expected, *options,
                          form=form)
    for name, array in expected.items():
        if array.dtype.kind in "iub":
            np.testing.assert_array_equal(found[name], array)
        else:
            np.testing.assert_allclose(found[name], array, **tolerance)


def random(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")


def images():
    """Convolutions of each kind, pooling and a classifier."""
    node = builders.node
    weights = {"w1": random(10, 3, 3, 3) / 5, "b1": random(10, seed=2),
               "w2": random(10, 1, 3, 3, seed=3) / 3,
               "w3": random(12, 10, 1, 1, seed=4) / 3,
               "w4": random(7, 12, seed=5) / 3, "b4": random(7, seed=6)}
    return builders.model(
        [node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
         node("Relu", ["c1"], ["r1"]),
         node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
         node("Conv", ["p1", "w2"], ["c2"], group=10, pads=[1, 1, 1, 1]),
         node("Conv", ["c2", "w3"], ["c3"]),
         node("Clip", ["c3"], ["r3"]),
         node("GlobalAveragePool", ["r3"], ["p3"]),
         node("Flatten", ["p3"], ["f"]),
         node("Gemm", ["f", "w4", "b4"], ["g"], transB=1),
         node("Softmax", ["g"], ["y"])],
        {"x": ("float32", [1, 3, 13, 14])}, {"y": ("float32", [1, 7])},
        weights)


def test_images_give_the_same_on_another_machine(machine, tmp_path):
    check(tmp_path, machine, images(), {"x": random(1, 3, 13, 14)})


def test_object_and_small_code_give_the_same(machine, tmp_path):
    check(tmp_path, machine, images(), {"x": random(1, 3, 13, 14)}, "-Os",
          form="o")


def test_reference_backend_gives_the_same(machine, tmp_path):
    check(tmp_path, machine, images(), {"x": random(1, 3, 13, 14)},
          "--backend=reference")


def test_attention_gives_the_same_on_another_machine(machine, tmp_path):
    node = builders.node
    model = builders.model(
        [node("MatMul", ["x", "wq"], ["q"]), node("MatMul", ["x", "wk"], ["k"]),
         node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
         node("MatMul", ["q", "kt"], ["s"]), node("Softmax", ["s"], ["p"]),
         node("MatMul", ["p", "x"], ["a"]), node("Add", ["a", "x"], ["r"]),
         node("Erf", ["r"], ["e"]), node("Tanh", ["e"], ["t"]),
         node("ReduceMean", ["t"], ["m"], axes=[2]), node("Exp", ["m"], ["y"])],
        {"x": ("float32", [2, 9, 24])}, {"y": ("float32", [2, 9, 1])},
        {"wq": random(24, 24) / 5, "wk": random(24, 24, seed=2) / 5})
    check(tmp_path, machine, model, {"x": random(2, 9, 24, seed=3)})


def test_quantized_network_gives_the_same_integers(machine, tmp_path):
    node, rng = builders.node, np.random.default_rng(5)
    weights = {"xs": np.float32(0.02), "xz": np.uint8(120),
               "w": rng.integers(-90, 90, (8, 5, 3, 3), np.int8),
               "ws": np.full(8, 0.01, np.float32), "wz": np.zeros(8, np.int8),
               "ys": np.float32(0.05), "yz": np.uint8(128),
               "m": rng.integers(-90, 90, (8, 6), np.int8),
               "ms": np.float32(0.03), "mz": np.int8(0),
               "b": rng.integers(-900, 900, 8, np.int32),
               "zs": np.float32(0.4), "zz": np.uint8(100)}
    model = builders.model(
        [node("QLinearConv", ["x", "xs", "xz", "w", "ws", "wz", "ys", "yz",
                              "b"], ["c"], pads=[1, 1, 1, 1]),
         node("Transpose", ["c"], ["t"], perm=[0, 2, 3, 1]),
         node("QLinearMatMul", ["t", "ys", "yz", "m", "ms", "mz", "zs", "zz"],
              ["y"])],
        {"x": ("uint8", [1, 5, 6, 7])}, {"y": ("uint8", [1, 6, 7, 6])},
        weights)
    check(tmp_path, machine, model,
          {"x": rng.integers(0, 255, (1, 5, 6, 7), np.uint8)})


def test_integers_of_64_bits_stay_whole(machine, tmp_path):
    # Ends that mean "to the end", positions and sums beyond 32 bits.
    node = builders.node
    model = builders.model(
        [node("Slice", ["x", "starts", "ends"], ["s"]),
         node("Gather", ["s", "at"], ["g"]),
         node("Mul", ["n", "n"], ["sq"]), node("Add", ["sq", "n"], ["z"]),
         node("CumSum", ["n", "zero"], ["c"]),
         node("TopK", ["g", "two"], ["y", "i"])],
        {"x": ("float32", [40]), "at": ("int64", [4]), "n": ("int64", [3])},
        {"y": ("float32", [2]), "i": ("int64", [2]), "z": ("int64", [3]),
         "c": ("int64", [3])},
        {"starts": np.array([-(2**62)]), "ends": np.array([2**63 - 1]),
         "two": np.array([2]), "zero": np.array(0)})
    check(tmp_path, machine, model,
          {"x": random(40), "at": np.array([3, -1, 0, 39]),
           "n": np.array([2**31 + 5, -(2**33) - 7, 5])})


def floats(dtype):
    node = builders.node
    weights = {"w": (random(6, 4, 3, 3) / 6).astype(dtype),
               "m": (random(25, 9, seed=2) / 5).astype(dtype)}
    return builders.model(
        [node("Conv", ["x", "w"], ["c"]), node("Relu", ["c"], ["r"]),
         node("Reshape", ["r", "shape"], ["f"]),
         node("MatMul", ["f", "m"], ["p"]), node("Sigmoid", ["p"], ["y"])],
        {"x": (dtype, [1, 4, 7, 7])}, {"y": (dtype, [6, 9])},
        {**weights, "shape": np.array([6, 25])})


def test_double_precision_gives_the_same(machine, tmp_path):
    check(tmp_path, machine, floats("float64"),
          {"x": random(1, 4, 7, 7, seed=3).astype("float64")})


@pytest.mark.parametrize("form", ["a", "o"])
def test_half_precision_needs_no_helpers_of_newer_compilers(machine, form,
                                                            tmp_path):
    check(tmp_path, machine, floats("float16"),
          {"x": random(1, 4, 7, 7, seed=3).astype("float16")},
          tolerance=tolerances.HALF, form=form)


def test_digits_are_recognised_on_another_machine(machine, tmp_path):
    digits = cli.ROOT / "python" / "models" / "digits"
    model = onnx.load(str(digits / "digits.onnx"))
    name = model.graph.input[0].name
    dims = model.graph.input[0].type.tensor_type.shape.dim
    image = np.load(digits / "test_images.npy")[:1]
    shape = "x".join(map(str, image.shape))
    options = [] if dims[0].dim_value else ["--shape", f"{name}={shape}"]
    expected = backends.run(model, {name: image}, tmp_path, "interpreter",
                            *options)
    found = run_elsewhere(tmp_path, machine, {name: image}, expected, *options)
    for output, array in expected.items():
        np.testing.assert_allclose(found[output], array,
                                   **tolerances.CANCELLATION)


def compile_images(folder, *options):
    """An object of the images' network, as `readelf` shows it."""
    onnx.save(images(), str(folder / "model.onnx"))
    cli.nacre("compile", folder / "model.onnx", *options, "-o",
              folder / "net.o")
    return read_object(folder, "--file-header", "--relocs")


def read_object(folder, *what):
    """What `readelf` says of the object that was compiled last."""
    return subprocess.run(["readelf", "-W", *what, folder / "net.o"],
                          check=True, text=True, stdout=subprocess.PIPE).stdout


@pytest.mark.parametrize("target, by_table, absolute", [
    ("armv7-linux-gnueabihf", "R_ARM_GOT_PREL", "R_ARM_"),
    ("riscv64-linux-gnu", "R_RISCV_GOT_HI20", "R_RISCV_HI20"),
    ("i686-linux-gnu", "R_386_GOT32", "R_386_32")])
def test_code_is_for_any_address_or_for_one(target, by_table, absolute,
                                            tmp_path):
    pic = compile_images(tmp_path, f"--target={target}",
                         "--relocation-model=pic")
    assert by_table in pic
    pic_code = read_object(tmp_path, "--hex-dump=.text")
    assert by_table in compile_images(tmp_path, f"--target={target}")
    assert read_object(tmp_path, "--hex-dump=.text") == pic_code
    fixed = compile_images(tmp_path, f"--target={target}",
                           "--relocation-model=static")
    assert by_table not in fixed and absolute in fixed


def test_reach_of_code_is_as_asked(tmp_path):
    text = compile_images(tmp_path, "--target=riscv64-linux-gnu",
                          "--relocation-model=static", "--code-model=medium")
    assert "R_RISCV_PCREL_HI20" in text and " R_RISCV_HI20 " not in text


@pytest.mark.parametrize("abi, flags", [
    ("lp64", "soft-float ABI"), ("lp64f", "single-float ABI"),
    ("lp64d", "double-float ABI")])
def test_object_says_which_registers_have_floats(abi, flags, tmp_path):
    text = compile_images(tmp_path, "--target=riscv64-linux-gnu",
                          f"--mabi={abi}")
    assert flags in text


@pytest.mark.parametrize("options", [
    ["--relocation-model=static"],
    ["--relocation-model=static", "--code-model=medium"],
    ["--relocation-model=pic", "--code-model=small"]], ids=str)
def test_addressed_otherwise_code_gives_the_same(options, tmp_path):
    check(tmp_path, require("riscv64"), images(),
          {"x": random(1, 3, 13, 14)}, *options)


def test_fixed_addresses_give_the_same_on_arm(tmp_path):
    check(tmp_path, require("armv7"), images(), {"x": random(1, 3, 13, 14)},
          "--relocation-model=static")


@pytest.mark.parametrize("options", [
    ["--relocation-model=static"], ["--code-model=medium"],
    ["--code-model=large"],
    ["--relocation-model=static", "--code-model=large"]], ids=str)
def test_code_of_every_reach_gives_the_same_here(options, tmp_path):
    onnx.save(images(), str(tmp_path / "model.onnx"))
    x = random(1, 3, 13, 14)
    expected = backends.run(images(), {"x": x}, tmp_path, "interpreter")
    cli.nacre("compile", tmp_path / "model.onnx", *options, "-o",
              tmp_path / "net.a")
    x.tofile(tmp_path / "x.in")
    (tmp_path / "main.c").write_text(PROGRAM.format(
        buffers=f"static float x[{x.size}];\nstatic float y[7];\n",
        inputs=".x = x", outputs=".y = y",
        reads='  file = fopen("x.in", "rb");\n'
              "  if (!file || fread(x, sizeof x, 1, file) != 1)\n"
              "    return 100;\n  fclose(file);\n",
        writes='  file = fopen("y.out", "wb");\n'
               "  if (!file || fwrite(y, sizeof y, 1, file) != 1)\n"
               "    return 100;\n  fclose(file);\n"))
    where = [] if "static" not in options[0] else ["-no-pie", "-static"]
    subprocess.run(["gcc", *where, "-O1", "-I", tmp_path, tmp_path / "main.c",
                    tmp_path / "net.a", "-lm", "-o", tmp_path / "main"],
                   check=True)
    subprocess.run([tmp_path / "main"], cwd=tmp_path, check=True)
    np.testing.assert_allclose(
        np.fromfile(tmp_path / "y.out", "float32").reshape(1, 7),
        expected["y"], **tolerances.DEFAULT)


def test_static_code_in_a_library_is_refused(tmp_path):
    onnx.save(images(), str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("compile", tmp_path / "model.onnx",
                  "--relocation-model=static", "-o", tmp_path / "net.so")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert "a shared library is loaded anywhere" in str(error.value)
    assert not (tmp_path / "net.so").exists()


# Calls a model of a matrix x, whose sizes are arguments, and of an end.
DYNAMIC = """
#include "net.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(64) char arena[net_ARENA_BYTES + 1];

int main(int count, char **arguments) {
  if (count != 4)
    return 100;
  int64_t shape[] = {strtoll(arguments[1], NULL, 10),
                     strtoll(arguments[2], NULL, 10)};
  int64_t end = strtoll(arguments[3], NULL, 10);
  float *data = malloc((size_t)(shape[0] * shape[1] + 1) * sizeof *data);
  for (int64_t i = 0; i < shape[0] * shape[1]; ++i)
    data[i] = (float)i;
  nacre_value *x = nacre_tensor_wrap(NACRE_FLOAT32, 2, shape, data);
  struct net_inputs inputs = {.x = x, .end = &end};
  struct net_outputs outputs = {NULL};
  for (int i = 0; i < 2; ++i) {
    nacre_release(outputs.y);
    outputs.y = NULL;
    int status = net_run(&inputs, &outputs, arena);
    if (status != NACRE_OK) {
      printf("%d %s", status, net_error());
      return 0;
    }
  }
  const float *y = (const float *)nacre_tensor_data(outputs.y);
  int64_t rows = nacre_tensor_dim(outputs.y, 0);
  printf("%" PRId64 "x%" PRId64 ":", rows, nacre_tensor_dim(outputs.y, 1));
  for (int64_t i = 0; i < rows; ++i)
    printf(" %g", y[i * nacre_tensor_dim(outputs.y, 1)]);
  nacre_release(outputs.y);
  nacre_release(x);
  free(data);
  return 0;
}
"""


def compile_products(folder, machine):
    """y = x[:end] @ transpose(x), whose sizes and end are dynamic."""
    node = builders.node
    model = builders.model(
        [node("Slice", ["x", "zero", "end"], ["s"]),
         node("Transpose", ["x"], ["t"]), node("MatMul", ["s", "t"], ["y"])],
        {"x": ("float32", ["n", "m"]), "end": ("int64", [1])},
        {"y": ("float32", ["k", "n"])}, {"zero": np.array([0])})
    onnx.save(model, str(folder / "net.onnx"))
    cli.nacre("compile", folder / "net.onnx", f"--vpu-arch={machine}", "-o",
              folder / "net.a")
    return link(folder, machine, DYNAMIC, folder / "net.a")


def test_sizes_of_a_run_go_through_the_runtime(machine, tmp_path):
    program = compile_products(tmp_path, machine)
    assert emulate(machine, program, "3", "2", "2").stdout == "2x3: 1 3"
    # All int64 are ends, as in ONNX.
    assert emulate(machine, program, "3", "2", str(2**63 - 1)).stdout == \
        "3x3: 1 3 5"
    assert emulate(machine, program, "3", "2", str(-(2**63))).stdout == "0x3:"
    assert emulate(machine, program, "0", "5", "7").stdout == "0x0:"


def test_more_than_addresses_tell_apart_fails_the_run(tmp_path):
    program = compile_products(tmp_path, require("armv7"))
    # 65536 x 65536 elements: nothing is left of their bytes modulo 2^32.
    output = emulate("armv7", program, "65536", "1", "65536").stdout
    assert output.startswith("3 ") and "a tensor of an impossible size" in \
        output
