#!/usr/bin/python3
# ===- check_linkage.py - One copy of MLIR ----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that nacre's tools take MLIR and LLVM from the shared libraries only.

Naming one static MLIR library beside the shared one links without a word, and
then every TypeID and command-line option exists twice: casts fail at run time
and options are "registered more than once". Such a tool gives itself away: it
defines functions that libMLIR.so or libLLVM.so define out of line too (inline
functions and templates, which anyone may emit, are weak in the libraries).
"""

import argparse
import pathlib
import subprocess
import sys

LLVM = pathlib.Path("/usr/lib/llvm-22")
LIBRARIES = ("libMLIR.so", "libLLVM.so")
# Symbols that every link carries.
COMMON = {"_init", "_fini", "main", "_start", "__bss_start", "_edata", "_end"}


def symbols(path, kinds, *options):
    """The names that PATH defines with one of nm's letters."""
    text = subprocess.run(
        [str(LLVM / "bin" / "llvm-nm"), "--defined-only", "--format=posix",
         *options, str(path)],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True).stdout
    rows = (line.split() for line in text.splitlines())
    # A shared library's symbol carries its version after an @.
    return {row[0].split("@")[0] for row in rows
            if len(row) > 1 and row[1] in kinds} - COMMON


def needed(path):
    """The shared libraries that PATH asks for."""
    text = subprocess.run([str(LLVM / "bin" / "llvm-readelf"), "--needed-libs",
                           str(path)],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.strip() for line in text.splitlines() if ".so" in line]


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def demangle(names):
    text = subprocess.run([str(LLVM / "bin" / "llvm-cxxfilt")],
                          input="\n".join(names), check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return text.splitlines()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where the tools are")
    folder = parser.parse_args().folder

    shared = {}
    for library in LIBRARIES:
        for name in symbols(LLVM / "lib" / library, "T", "--dynamic"):
            shared[name] = library
    tools = [path for path in sorted(folder.iterdir())
             if path.is_file() and is_elf(path)]
    if not tools:
        print(f"error: no tools in {folder}")
        return 1
    failed = False
    for path in tools:
        twice = sorted(name for name in symbols(path, "TtWw") if name in shared)
        libraries = needed(path)
        unique = len(libraries) == len(set(libraries))
        if not twice and unique:
            print(f"{path.name}: one copy of MLIR and LLVM")
            continue
        failed = True
        print(f"error: {path.name} brings {len(twice)} functions that the "
              f"shared libraries define, needs {libraries}; for example")
        for mangled, name in zip(twice[:5], demangle(twice[:5])):
            print(f"  {name} (also in {shared[mangled]})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
