# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--instrument`: compiled models that call hooks before and after each step."""

import json
import subprocess

import numpy as np
import onnx
import pytest

import nacre
from backends import run
from nacre import builders, cli
from test_cross_targets import MACHINES, require

LLVM = "/usr/lib/llvm-22/bin"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"]

# Prints a line for each call of a hook, with sums of what operands hold, and
# the outputs of runs with hooks, without, and with half of them.
PROGRAM = """
#include "net.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts { const char *name; int calls; };

static void print(const struct counts *counts, const char *when, uint64_t step,
                  uint64_t count, const void *const *pointers,
                  const uint64_t *bytes, const uint8_t *roles) {
  printf("%s %s %d", counts->name, when, (int)step);
  for (uint64_t i = 0; i < count; ++i) {
    unsigned sum = 0;
    for (uint64_t k = 0; k < bytes[i]; ++k)
      sum = sum * 31 + ((const uint8_t *)pointers[i])[k];
    printf(" %d:%u:%x", roles[i], (unsigned)bytes[i], sum);
  }
  printf("\\n");
}

static void before(void *user, uint64_t step, uint64_t count,
                   const void *const *pointers, const uint64_t *bytes,
                   const uint8_t *roles) {
  ++((struct counts *)user)->calls;
  print((struct counts *)user, "before", step, count, pointers, bytes, roles);
}

static void after(void *user, uint64_t step, uint64_t count,
                  const void *const *pointers, const uint64_t *bytes,
                  const uint8_t *roles) {
  ++((struct counts *)user)->calls;
  print((struct counts *)user, "after", step, count, pointers, bytes, roles);
}

@CALLS@
"""

LIBRARY = """
static _Alignas(net_ARENA_ALIGNMENT) char arena[net_ARENA_BYTES];

int main(void) {
  static float x[net_INPUT_x_ELEMENTS], y[4][net_OUTPUT_y_ELEMENTS];
  if (fread(x, sizeof x, 1, stdin) != 1)
    return 100;
  struct net_inputs inputs = {x};
  struct net_outputs outputs = {0};
  struct counts all = {"all", 0}, some = {"some", 0};
  struct nacre_hooks both = {&all, before, after}, one = {&some, NULL, after};
  const struct nacre_hooks *hooks[] = {&both, &one, NULL};
  for (int i = 0; i < 3; ++i) {
    outputs.y = y[i];
    if (net_run_with_hooks(&inputs, &outputs, arena, hooks[i]) != NACRE_OK)
      return 101;
  }
  outputs.y = y[3];
  if (net_run(&inputs, &outputs, arena) != NACRE_OK)
    return 102;
  for (int i = 1; i < 4; ++i)
    if (memcmp(y[0], y[i], sizeof y[0]) != 0)
      return 103;
  if (net_run_with_hooks(NULL, &outputs, arena, NULL) != NACRE_BAD_POINTER)
    return 104;
  printf("calls %d %d\\n", all.calls, some.calls);
  for (int i = 0; i < net_OUTPUT_y_ELEMENTS; ++i)
    printf("%.9g\\n", y[0][i]);
  return 0;
}
""".replace("_Alignas(net_ARENA_ALIGNMENT) char arena[net_ARENA_BYTES]",
            "char arena[net_ARENA_BYTES] "
            "__attribute__((aligned(net_ARENA_ALIGNMENT)))")

BUNDLE = """
static const uint8_t weights[NET_CONSTANT_MEM_SIZE]
    NACRE_MEM_ALIGN(NET_MEM_ALIGN) = {
#include "net.weights.txt"
};
static uint8_t placeholders[NET_MUTABLE_MEM_SIZE] NACRE_MEM_ALIGN(NET_MEM_ALIGN);
static uint8_t activations[NET_ACTIVATIONS_MEM_SIZE]
    NACRE_MEM_ALIGN(NET_MEM_ALIGN);

int main(void) {
  struct counts all = {"all", 0}, some = {"some", 0};
  struct nacre_hooks both = {&all, before, after}, one = {&some, NULL, after};
  static float y[3][NET_y_ELEMENTS];
  if (fread(NACRE_GET_ADDR(placeholders, NET_x), NET_x_BYTES, 1, stdin) != 1)
    return 100;
  if (net_with_hooks(weights, placeholders, activations, &both) != 0)
    return 101;
  memcpy(y[0], NACRE_GET_ADDR(placeholders, NET_y), NET_y_BYTES);
  if (net_with_hooks(weights, placeholders, activations, &one) != 0)
    return 102;
  memcpy(y[1], NACRE_GET_ADDR(placeholders, NET_y), NET_y_BYTES);
  if (net(weights, placeholders, activations) != 0)
    return 103;
  memcpy(y[2], NACRE_GET_ADDR(placeholders, NET_y), NET_y_BYTES);
  if (memcmp(y[0], y[1], NET_y_BYTES) || memcmp(y[0], y[2], NET_y_BYTES))
    return 104;
  if (net_with_hooks(weights, 0, activations, &both) != 2)
    return 105;
  printf("calls %d %d\\n", all.calls, some.calls);
  for (int i = 0; i < NET_y_ELEMENTS; ++i)
    printf("%.9g\\n", y[0][i]);
  return 0;
}
"""


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


X = random((1, 3, 12, 12), 1)


def network():
    return builders.model(
        [builders.node("Conv", ["x", "w1", "b1"], ["c1"], "first", pads=[1] * 4),
         builders.node("Relu", ["c1"], ["r1"], "rectify"),
         builders.node("MaxPool", ["r1"], ["p1"], "pool", kernel_shape=[2, 2],
                       strides=[2, 2]),
         builders.node("Flatten", ["p1"], ["flat"], "flatten"),
         builders.node("Gemm", ["flat", "w2"], ["g"], "product"),
         builders.node("Softmax", ["g"], ["y"], "shares", axis=1)],
        {"x": ("float32", [1, 3, 12, 12])}, {"y": ("float32", [1, 10])},
        weights={"w1": random((16, 3, 3, 3), 2), "b1": random(16, 3),
                 "w2": random((576, 10), 4) / 16})


def instrument(folder, *options, model=None, out="net.a"):
    """Compiles a model, and returns what is printed and its steps."""
    onnx.save(model or network(), str(folder / "net.onnx"))
    text = cli.nacre("compile", folder / "net.onnx", "--instrument",
                     "--name=net", *options, "-o", folder / out)
    return text, json.loads((folder / "net.steps.json").read_text())


def build_and_run(folder, calls, objects, compiler=f"{LLVM}/clang",
                  emulator=()):
    """The lines that the program prints: of hooks, of counts, of the output."""
    (folder / "program.c").write_text(PROGRAM.replace("@CALLS@", calls))
    subprocess.run([compiler, *STRICT, "-I.", "program.c", *objects, "-lm", "-o",
                    "program", "-Wl,-rpath,."], cwd=folder, check=True)
    result = subprocess.run([*emulator, "./program"], cwd=folder,
                            input=X.tobytes(),
                            capture_output=True, check=False)
    assert result.returncode == 0, result
    lines = result.stdout.decode().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("calls "))
    return ([line.split() for line in lines[:at]],
            [int(count) for count in lines[at].split()[1:]],
            np.array([float(line) for line in lines[at + 1:]], np.float32))


def check_calls(calls, counts, steps):
    """Each step has a call before and one after it, in order."""
    assert counts == [2 * len(steps), len(steps)]
    assert [(when, int(step)) for name, when, step, *_ in calls
            if name == "all"] == [
                (when, i) for i in range(len(steps))
                for when in ("before", "after")]
    assert [int(step) for name, when, step, *_ in calls
            if name == "some" and when == "after"] == list(range(len(steps)))


KINDS = [("net.so", []), ("net.a", []), ("net.o", []),
         ("net.so", ["--threads=2"]), ("net.a", ["--vpu-arch=x86-64-v3"])]


@pytest.mark.parametrize("file, options", KINDS)
def test_hooks_see_each_step_of_a_library(tmp_path, file, options):
    text, described = instrument(tmp_path, *options, out=file)
    assert "net.steps.json" in text
    steps = described["steps"]
    assert described["name"] == "net" and len(steps) >= 3
    calls, counts, y = build_and_run(
        tmp_path, LIBRARY, [f"./{file}", *(["-pthread"] if options else [])])
    check_calls(calls, counts, steps)
    expected = run(network(), {"x": X}, tmp_path, "interpreter")["y"]
    np.testing.assert_allclose(y, expected.ravel(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("machine", MACHINES)
def test_hooks_work_on_other_machines(tmp_path, machine):
    require(machine)
    prefix, emulator = MACHINES[machine]
    _, described = instrument(tmp_path, f"--vpu-arch={machine}")
    calls, counts, y = build_and_run(tmp_path, LIBRARY, ["./net.a", "-static"],
                                     f"{prefix}-gcc", [emulator])
    check_calls(calls, counts, described["steps"])
    expected = run(network(), {"x": X}, tmp_path, "interpreter")["y"]
    np.testing.assert_allclose(y, expected.ravel(), rtol=1e-4, atol=1e-6)


def test_steps_file_says_what_hooks_get(tmp_path):
    steps = instrument(tmp_path)[1]["steps"]
    calls, _, _ = build_and_run(tmp_path, LIBRARY, ["./net.a"])
    first = {int(call[2]): call[3:] for call in calls if call[0] == "all"
             and call[1] == "before"}
    last = {int(call[2]): call[3:] for call in calls if call[0] == "all"
            and call[1] == "after"}
    bits = {"read": 1, "written": 2, "constant": 4, "input": 8, "output": 16}
    names = set()
    for i, step in enumerate(steps):
        assert step["step"] == i and step["kernel"] and step["nodes"]
        assert len(step["operands"]) == len(first[i])
        for operand, before, after in zip(step["operands"], first[i], last[i]):
            roles, size, content = before.split(":")
            assert int(roles) == sum(bits[role] for role in operand["roles"])
            length = np.dtype(operand["type"]).itemsize
            assert int(size) == length * (1 + sum(
                (extent - 1) * stride for extent, stride
                in zip(operand["shape"], operand["strides"])))
            assert operand["roles"]
            if "written" not in operand["roles"]:
                assert after == before
            names.update({operand["name"]} if "name" in operand else ())
            if "constant" in operand["roles"] or not set(
                    operand["roles"]) & {"input", "output"}:
                assert operand["offset"] >= 0
        # What a step writes it changes.
        assert any(a != b for a, b in zip(first[i], last[i]))
    assert names == {"x", "y"}
    nodes = {node for step in steps for node in step["nodes"]}
    assert {"first", "rectify", "pool", "product", "shares"} <= nodes
    # Convolution and product do the most.
    assert max(steps, key=lambda step: step["flop"])["node"] in ("first",
                                                                  "rectify")


def test_hooks_see_each_step_of_a_bundle(tmp_path):
    steps = instrument(tmp_path, "--emit=bundle", out="")[1]["steps"]
    calls, counts, y = build_and_run(tmp_path, BUNDLE, ["./net.o"])
    check_calls(calls, counts, steps)
    expected = run(network(), {"x": X}, tmp_path, "interpreter")["y"]
    np.testing.assert_allclose(y, expected.ravel(), rtol=1e-4, atol=1e-6)


def test_instrumented_code_writes_no_globals_and_needs_no_others(tmp_path):
    instrument(tmp_path, "--emit=bundle", out="")
    symbols = subprocess.run([f"{LLVM}/llvm-nm", str(tmp_path / "net.o")],
                             capture_output=True, text=True,
                             check=True).stdout.split("\n")
    kinds = {line.split()[-2] for line in symbols if line}
    assert not kinds & set("BbDd"), symbols
    others = {line.split()[-1] for line in symbols if " U " in line}
    assert others <= {"memcpy", "memset", "expf"}


def test_hooks_see_buffers_of_sizes_that_a_run_knows(tmp_path):
    """The same model for any batch: pointers and bytes follow the sizes."""
    model = builders.model(
        [builders.node("MatMul", ["x", "w"], ["z"], "product"),
         builders.node("Softmax", ["z"], ["y"], "shares", axis=1)],
        {"x": ("float32", ["n", 16])}, {"y": ("float32", ["n", 8])},
        weights={"w": random((16, 8), 5)})
    steps = instrument(tmp_path, model=model)[1]["steps"]
    calls = """
static char arena[net_ARENA_BYTES + 1]
    __attribute__((aligned(net_ARENA_ALIGNMENT)));

int main(void) {
  static float x[5 * 16];
  struct counts all = {"all", 0};
  struct nacre_hooks both = {&all, before, after};
  for (int n = 1; n <= 5; n += 4) {
    int64_t dims[] = {n, 16};
    nacre_value *input = nacre_tensor_wrap(NACRE_FLOAT32, 2, dims, x);
    struct net_inputs inputs = {input};
    struct net_outputs outputs = {0};
    if (net_run_with_hooks(&inputs, &outputs, arena, &both) != NACRE_OK)
      return 101;
    nacre_release(outputs.y);
    nacre_release(input);
  }
  printf("calls %d 0\\n", all.calls);
  return 0;
}
"""
    found, counts, _ = build_and_run(tmp_path, calls, ["./net.a"])
    assert counts[0] == 4 * len(steps)
    sizes = {int(operand.split(":")[1]) for call in found
             for operand in call[3:]}
    # Inputs and outputs of one row, and of five.
    assert {4 * 8, 4 * 8 * 5} <= sizes
    assert any(None in operand["shape"] for step in steps
               for operand in step["operands"])


@pytest.mark.parametrize("options, message", [
    (["--emit=vpu"], "--instrument needs code or --emit=loops"),
    (["--emit=onnx"], "--instrument needs code or --emit=loops"),
    (["--backend=reference"], "--instrument is a choice of the cpu backend"),
    (["--vpu-arch=x86-64-v3,x86-64-v4"], "--instrument needs one architecture")])
def test_what_has_no_steps_is_refused(tmp_path, options, message):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("compile", tmp_path / "net.onnx", "--instrument", *options,
                  "-o", tmp_path / "out")
    assert error.value.code == cli.Exit.BAD_INPUT


def test_hooks_are_part_of_a_lowered_module(tmp_path):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    for name, options in (("hooked", ["--instrument"]), ("plain", [])):
        cli.nacre("compile", tmp_path / "net.onnx", *options, "-o",
                  tmp_path / f"{name}.loops.mlir")
    cli.nacre("compile", tmp_path / "hooked.loops.mlir", "-o",
              tmp_path / "net.a")
    assert (tmp_path / "net.steps.json").exists()
    assert "net_run_with_hooks" in (tmp_path / "net.h").read_text()
    with pytest.raises(nacre.NacreError, match="whose kernels are still to be"):
        cli.nacre("compile", tmp_path / "plain.loops.mlir", "--instrument", "-o",
                  tmp_path / "other.a")
    assert not (tmp_path / "other.h").exists()


def test_instrumented_library_is_one_for_the_tools(tmp_path):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    np.save(tmp_path / "x.npy", X)
    for name, options in (("net.so", ["--instrument"]), ("plain.so", [])):
        cli.nacre("compile", tmp_path / "net.onnx", *options, "-o",
                  tmp_path / name)
    outputs = [cli.nacre("run", tmp_path / name,
                         f"--input=x={tmp_path / 'x.npy'}")
               for name in ("net.so", "plain.so")]
    assert outputs[0] == outputs[1]
