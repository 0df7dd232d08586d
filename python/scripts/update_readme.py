#!/usr/bin/python3
# ===- update_readme.py - The README's table of what works -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of what works today into README.md.

Every number comes from a file of the repository that a test holds to be true:
the operator definitions, the architecture descriptors and the lists of what
must pass. --check only says whether the table is up to date.
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

README = cli.ROOT / "README.md"
BEGIN = "<!-- What works: written by python/scripts/update_readme.py -->\n"
END = "<!-- End of what works -->\n"
LLVM = pathlib.Path("/usr/lib/llvm-22")
INTEGRATION = cli.ROOT / "test" / "Integration"
NODE_TESTS = 932


def operators(dialect):
    """The operators that a dialect's TableGen files define."""
    definitions = (cli.ROOT / "tblgen" / "nacre" / "Dialect" / dialect / "IR" /
                   f"{dialect}Ops.td")
    text = subprocess.run(
        [str(LLVM / "bin" / "llvm-tblgen"), "--dump-json",
         "-I", str(cli.ROOT / "tblgen"), "-I", str(LLVM / "include"),
         str(definitions)],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    records = json.loads(text)
    return sorted(records[op]["opName"] for op in records["!instanceof"]["Op"])


def architectures():
    """The names of the architecture descriptors."""
    folder = cli.ROOT / "lib" / "Target" / "Architectures"
    return sorted(path.stem for path in folder.glob("*.json"))


def backends(expected, joined=", "):
    return joined.join(f"{len(expected.names(backend))} on `{backend}`"
                       for backend in suite.BACKENDS
                       if expected.names(backend))


def rows():
    ie = [name for name in operators("IE") if name != "GettingStarted"]
    nce = [name for name in operators("VPU") if name.startswith("NCE.")]
    yield ("Operations of IE: one for each ONNX operator that is not composed of "
           "others, and a few of its own", f"{len(ie)}")
    yield "Operations of the modelled accelerator", ", ".join(
        f"`VPU.{name}`" for name in nce)
    yield "Architectures", ", ".join(f"`{name}`" for name in architectures())

    node = suite.ExpectedPasses(INTEGRATION / "onnx-node-expected.txt")
    yield f"ONNX backend node tests (of {NODE_TESTS})", backends(node)
    models = suite.ExpectedPasses(INTEGRATION / "models-expected.txt")
    everywhere = {name for name in models.backends
                  if not name.startswith("rw-")}
    yield "Whole networks compared with ONNX Runtime", ", ".join(
        f"`{name}`" for name in sorted(everywhere))


def table():
    lines = ["| | |", "|---|---|"]
    lines += [f"| {what} | {value} |" for what, value in rows()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="fail when the table is not up to date")
    check = parser.parse_args().check

    text = README.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    updated = before + BEGIN + table() + END + after
    if updated == text:
        print("README.md is up to date")
        return 0
    if check:
        print("error: README.md is out of date; run "
              "python/scripts/update_readme.py")
        return 1
    README.write_text(updated)
    print("README.md updated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
