# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration of nacre's lit tests: which files are tests and which tools
their RUN lines may name."""

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "nacre"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lib", "Pipelines/configs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.nacre_obj_root, "test")

llvm_config.use_default_substitutions()
config.substitutions.append(("%mlir_lib_dir", config.mlir_lib_dir))
config.substitutions.append(("%nacre_src_root", config.nacre_src_root))
# A plugin, of test/lib.
config.substitutions.append(("%toy_operator", os.path.join(
    config.nacre_tools_dir, "plugins", "ToyOperator.so")))
# Debian's interpreter: the one that sees python3-onnx and python3-numpy.
config.substitutions.append(("%python", "/usr/bin/python3"))

llvm_config.add_tool_substitutions(
    [
        ToolSubst("nacre-opt", unresolved="fatal"),
        ToolSubst("nacre-translate", unresolved="ignore"),
        ToolSubst("nacre-lsp-server", unresolved="ignore"),
        ToolSubst("nacre-reduce", unresolved="ignore"),
        ToolSubst("nacre-run-compiled", unresolved="ignore"),
        ToolSubst("nacre", unresolved="ignore"),
        ToolSubst("llvm-nm"),
        ToolSubst("llvm-readelf"),
        ToolSubst("mlir-runner", unresolved="ignore"),
        ToolSubst("clang", command=os.path.join(
            config.llvm_tools_dir, "clang"), unresolved="ignore"),
        ToolSubst("FileCheck"),
        ToolSubst("split-file"),
        ToolSubst("not"),
        ToolSubst("count"),
    ],
    [config.nacre_tools_dir, config.llvm_tools_dir],
)

# Tests that execute code for another machine ask for its emulator, which
# Debian's qemu-user has, and its C library.
CROSS_ROOT = "/usr/aarch64-linux-gnu"
config.substitutions.append(("%cross_root", CROSS_ROOT))
if shutil.which("qemu-aarch64") and os.path.exists(CROSS_ROOT + "/lib/crt1.o"):
    config.available_features.add("qemu-aarch64")

for emulator in "qemu-riscv64", "qemu-riscv32", "qemu-arm":
    if shutil.which(emulator):
        config.available_features.add(emulator)
# With the machine's gcc and C library, programs are linked as users do it.
for machine, prefix, emulator in (
        ("riscv64", "riscv64-linux-gnu", "qemu-riscv64"),
        ("armv7", "arm-linux-gnueabihf", "qemu-arm")):
    if shutil.which(f"{prefix}-gcc") and shutil.which(emulator):
        config.available_features.add(f"run-{machine}")

# Images without an operating system, on boards that an emulator has; with a C
# library, of whose files gcc repeats the name where it has none.
if shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm"):
    found = subprocess.run(["arm-none-eabi-gcc", "-print-file-name=nosys.specs"],
                           capture_output=True, text=True, check=False).stdout
    if os.path.isabs(found.strip()):
        config.available_features.add("bare-metal")

# Tests that execute x86 vector code ask for these features.
with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
    flags = set()
    for line in cpuinfo:
        if line.startswith("flags"):
            flags = set(line.split(":")[1].split())
            break
if {"avx2", "fma"} <= flags:
    config.available_features.add("x86-64-v3")
if {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags:
    config.available_features.add("x86-64-v4")
