# ===- accesses.py - Every access of generated code, checked ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs compiled models under AddressSanitizer, with each buffer by itself.

An artifact's buffers share an arena and its constants a block, where an access
beyond one hits another. Here the same pipeline runs without laying them out,
LLVM instruments what it gives, and a C program made for the model gives each
buffer memory of exactly its size until its last use.
"""

import functools
import pathlib
import platform
import re
import subprocess

import numpy as np
import onnx

from nacre import builders, cli

CLANG = "/usr/lib/llvm-22/bin/clang"
LINKER = "/usr/lib/llvm-22/bin/ld.lld"
RUNTIME = cli.ROOT / "lib" / "Runtime"
INCLUDE = cli.ROOT / "include"
# What lays buffers and constants out, and what is in its place.
LAYOUT = {r"(plan-memory\{[^}]*)arena=true": r"\1arena=false",
          r"pack-constants(\{[^}]*\})?,": ""}
# Where pointers replace buffers.
LAST = "convert-all-to-llvm"
# Undefined behaviour is that of the runtime.
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g",
            "-O1")
TIMEOUT_SECONDS = 600

PROGRAM = r"""
#include "nacre-c/Compiled.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *allocate(size_t size, size_t alignment) {
  void *memory;
  if (posix_memalign(&memory, alignment, size)) {
    abort();
  }
  /* What is read before it is written is no number. */
  memset(memory, 0xff, size);
  return memory;
}

void *_mlir_memref_to_llvm_alloc(size_t size) { return allocate(size, 64); }
void _mlir_memref_to_llvm_free(void *memory) { free(memory); }

static void *read_file(const char *path, size_t size) {
  FILE *file = fopen(path, "rb");
  void *data = allocate(size, 64);
  if (!file || fread(data, 1, size, file) != size) {
    abort();
  }
  fclose(file);
  return data;
}

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
    abort();
  }
}

void model_call(void **results%(parameters)s);

static void body(void *unused) {
  (void)unused;
%(body)s}

int main(void) {
#ifdef __x86_64__
  /* Linux gives the registers of a matrix unit on request only. */
  syscall(SYS_arch_prctl, 0x1023, 18);
#endif
  nacre_set_allocator(allocate, free);
  int status = nacre_run(body, 0);
  if (status) {
    fprintf(stderr, "the run failed: %%s\n", nacre_error());
  }
  return status;
}
"""


class WrongAccess(RuntimeError):
    """What a sanitizer reports."""


def is_available():
    """Whether clang has the sanitizer's runtime here."""
    name = f"libclang_rt.asan-{platform.machine()}.a"
    found, _ = _run([CLANG, f"-print-file-name={name}"])
    return pathlib.Path(found.strip()).exists()


def _run(command, **options):
    try:
        process = subprocess.run(
            [str(word) for word in command], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", timeout=TIMEOUT_SECONDS, **options)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(str(error)) from None
    if process.returncode:
        found = re.search("AddressSanitizer|runtime error:", process.stderr)
        kind = WrongAccess if found else RuntimeError
        raise kind(f"{command[0]} exited with {process.returncode}: "
                   f"{process.stderr.strip()[:6000]}")
    return process.stdout, process.stderr


def pipelines(options, scratch):
    """The compiler's passes down to those that make pointers of buffers, and
    the rest, without laying buffers out; OPTIONS are default-hw's."""
    empty = scratch / "empty.mlir"
    empty.write_text("func.func @main() { return }")
    _, text = _run([cli.tool("nacre-opt"), empty, "--dump-pass-pipeline",
                    f"--pass-pipeline=builtin.module(default-hw{{{options}}})"])
    text = "".join(line.strip() for line in
                   text[text.index("builtin.module("):].splitlines())
    for name, other in LAYOUT.items():
        text, count = re.subn(name, other, text)
        if count != 1:
            raise RuntimeError(f"the pipeline has {count} passes {name}")
    begin, found, end = text.partition("," + LAST)
    if not found:
        raise RuntimeError(f"the pipeline has no {LAST}")
    return begin + ")", "builtin.module(" + LAST + end


def fix_sizes(model, inputs):
    """The model for inputs of these sizes alone."""
    fixed = onnx.ModelProto()
    fixed.CopyFrom(model)
    for value in fixed.graph.input:
        if value.name in inputs:
            dims = value.type.tensor_type.shape.dim
            for dim, size in zip(dims, inputs[value.name].shape):
                dim.dim_value = size
    return fixed


def _describe_main(text):
    """Of main's arguments the tensors' names, each with whether it is a value of
    the runtime, and the number of values that it returns."""
    signature = re.search(r"func\.func @main\((.*?)\)(?: -> (.*?))? "
                          r"(?:attributes .*)?\{\n", text)
    arguments = re.findall(r'%arg\d+: (!llvm\.ptr|memref<.*?>) '
                           r'\{[^}]*nacre\.name = "([^"]*)"',
                           signature[1])
    results = (signature[2] or "").count("!llvm.ptr")
    return [(name, kind == "!llvm.ptr") for kind, name in arguments], results


def _build_program(arguments, inputs, outputs, folder):
    """The C program; OUTPUTS are arrays of the sizes to expect."""
    first, last = [], []
    for i, (name, is_value) in enumerate(arguments):
        array = inputs.get(name, outputs.get(name))
        if name not in inputs:
            first.append(f"void *a{i} = allocate({array.nbytes}, 64);")
            last.append(f'write_file("{_output_file(folder, outputs, name)}", '
                        f"a{i}, {array.nbytes});")
            continue
        array.tofile(folder / f"{i}.in")
        data = f'read_file("{folder / f"{i}.in"}", {array.nbytes})'
        if is_value:
            shape = ", ".join(map(str, array.shape)) or "0"
            first.append(f"static const int64_t s{i}[] = {{{shape}}};")
            data = (f"nacre_tensor_wrap({builders.element_type(array.dtype)}, "
                    f"{array.ndim}, s{i}, {data})")
        first.append(f"void *a{i} = {data};")
    returned = [name for name in outputs if name not in dict(arguments)]
    names = "".join(f", a{i}" for i in range(len(arguments)))
    first += [f"void *r[{len(returned) + 1}];", f"model_call(r{names});"]
    for i, name in enumerate(returned):
        last.append(f'write_file("{_output_file(folder, outputs, name)}", '
                    f"nacre_tensor_data(r[{i}]), "
                    f"(size_t)nacre_tensor_bytes(r[{i}]));")
    return PROGRAM % dict(
        parameters=", void *" * len(arguments),
        body="".join(f"  {line}\n" for line in first + last))


def _output_file(folder, outputs, name):
    return folder / f"{list(outputs).index(name)}.out"


def _instrument(text, attributes):
    """LLVM IR whose functions are to be checked."""
    return re.sub(r"^(define .*?)(#\d+ )?\{$",
                  lambda match: f"{match[1]}sanitize_address {attributes} "
                  f"{match[2] or ''}{{", text, flags=re.M)


def _build_call(num_arguments, results):
    """LLVM IR of what the C program calls: C returns structs otherwise."""
    names = [f"ptr %a{i}" for i in range(num_arguments)]
    types = {0: "void", 1: "ptr"}.get(results,
                                      f"{{ {', '.join(['ptr'] * results)} }}")
    # The arena, of no bytes, comes last.
    call = f"call {types} @model_main({', '.join([*names, 'ptr null'])})"
    lines = [f"%r = {call}" if results else call]
    for i in range(results):
        lines.append(f"%r{i} = extractvalue {types} %r, {i}" if results > 1
                     else "%r0 = freeze ptr %r")
        lines += [f"%p{i} = getelementptr ptr, ptr %results, i64 {i}",
                  f"store ptr %r{i}, ptr %p{i}"]
    parameters = ", ".join(["ptr %results", *names])
    return (f"\ndefine void @model_call({parameters}) {{\n"
            + "".join(f"  {line}\n" for line in [*lines, "ret void"]) + "}\n")


class Checker:
    """Runs models; SCRATCH is a folder for what they have in common."""

    def __init__(self, scratch):
        self._scratch = pathlib.Path(scratch)
        self._runtime = self._scratch / "runtime.o"
        sources = sorted(RUNTIME.glob("*.c"))
        for source in sources:
            _run([CLANG, *SANITIZE, f"-I{INCLUDE}", "-c", source, "-o",
                  self._scratch / f"{source.stem}.o"])
        _run([LINKER, "-r", "-o", self._runtime,
              *(self._scratch / f"{source.stem}.o" for source in sources)])

    @functools.lru_cache(maxsize=None)
    def _pipelines(self, options):
        return pipelines(options, self._scratch)

    def run(self, model, inputs, outputs, folder, architecture="host",
            threads=1, options=""):
        """The outputs by name, as arrays of the types and shapes of OUTPUTS.

        OPTIONS are more of default-hw's. Raises WrongAccess with the report
        where the code reads or writes what it must not.
        """
        folder = pathlib.Path(folder)
        source = folder / "model.onnx"
        onnx.save(model, str(source))
        begin, end = self._pipelines(
            f"vpu-arch={architecture} threads={threads} {options}")
        imported, buffers, lowered, code = (
            folder / f"model.{kind}"
            for kind in ("mlir", "buffers.mlir", "llvm.mlir", "ll"))
        _run([cli.tool("nacre-translate"), "--import-onnx", source,
              "-o", imported])
        _run([cli.tool("nacre-opt"), imported, f"--pass-pipeline={begin}",
              "-o", buffers])
        text = buffers.read_text()
        arguments, results = _describe_main(text)
        # LLVM would take more than a buffer's bytes, to align them in.
        buffers.write_text(re.sub(
            r"(memref\.alloc\(.*\)) \{alignment = 64 : i64\}", r"\1", text))
        _run([cli.tool("nacre-opt"), buffers, f"--pass-pipeline={end}",
              "-o", lowered])
        _run([cli.tool("nacre-translate"), "--allow-unregistered-dialect",
              "--mlir-to-llvmir", lowered, "-o", code])
        target = dict(re.findall(r'\b(cpu|features) = "([^"]*)"', text))
        text = re.sub(r"@main\b", "@model_main", code.read_text())
        code.write_text(_instrument(
            text, f'"target-cpu"="{target["cpu"]}" '
            f'"target-features"="{target.get("features", "")}"')
            + _build_call(len(arguments), results))
        program = folder / "main.c"
        program.write_text(_build_program(arguments, inputs, outputs, folder))
        _run([CLANG, *SANITIZE, "-Wno-override-module", f"-I{INCLUDE}", program,
              code, self._runtime, "-o", folder / "main", "-lm",
              "-pthread"])
        _run([folder / "main"], env=dict(ASAN_OPTIONS="detect_leaks=0"))
        return {name: np.fromfile(_output_file(folder, outputs, name),
                                  array.dtype).reshape(array.shape)
                for name, array in outputs.items()}
