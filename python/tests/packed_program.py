# ===- packed_program.py - Numbers that share bytes, in C ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A C program that gives a model numbers that share bytes and prints its own."""

import subprocess

import onnx

from nacre import cli

PROGRAM = """
#include "packed.h"
#include <stdio.h>

int main(void) {
  static _Alignas(64) char arena[packed_ARENA_BYTES + 1];
  int64_t shape[] = {%(count)d};
  char bytes[] = {%(bytes)s};
  nacre_value *x = nacre_tensor_wrap(%(type)s, 1, shape, bytes);
  struct packed_inputs inputs = {x};
  struct packed_outputs outputs;
  int status = packed_run(&inputs, &outputs, arena);
  if (status == 0) {
    const unsigned char *y =
        (const unsigned char *)nacre_tensor_data(outputs.y);
    printf("%%d %%02x %%02x\\n", (int)nacre_tensor_bytes(outputs.y), y[0],
           y[1]);
    nacre_release(outputs.y);
  }
  nacre_release(x);
  return status;
}
"""


def exchange(model, element_type, count, packed, folder):
    """How many bytes MODEL's output y has, and the first two, in hexadecimal,
    for the COUNT numbers of ELEMENT_TYPE in the two bytes PACKED as its x."""
    source = folder / "model.onnx"
    onnx.save(model, str(source))
    (folder / "main.c").write_text(PROGRAM % {
        "count": count, "type": element_type,
        "bytes": ", ".join(map(hex, packed))})
    cli.nacre("compile", source, "-o", folder / "packed.o")
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I",
                    folder, folder / "main.c", folder / "packed.o", "-lm",
                    "-o", folder / "main"], check=True)
    return subprocess.run([folder / "main"], check=True, text=True,
                          capture_output=True).stdout
