#!/usr/bin/python3
# ===- check_tidy.py - clang-tidy within a bounded time ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy over the sources that changed and over a fixed sample.

All files take too long for every change, which is what --all is for. A change is what
the working tree differs in from --base, by default the commit's first parent:
for a merge that is the branch merged into. Of headers, which are checked with
the sources that include them, only those matter that the sources here include.
Any warning fails.

Precompiled headers are left out: what a source includes has to be what it uses.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "/usr/lib/llvm-22/bin/clang-tidy"
# One of so many sources is in the sample: by its name, so that files which come
# and go change nothing for the others.
STRIDE = 32


def without_precompiled(entry):
    """ENTRY of a compilation database without its precompiled header, which
    CMake names twice: as it was compiled, and as its text."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    left = []
    while words:
        option = words[:3:2] == ["-Xclang"] * 2 and words[1]
        if option in ("-include-pch", "-include"):
            words = words[4:]
        else:
            left.append(words.pop(0))
    return {"directory": entry["directory"], "file": entry["file"],
            "arguments": left}


def compiled(entries, build):
    """The sources of the project that ENTRIES compile into BUILD, sorted."""
    files = {pathlib.Path(entry["directory"], entry["file"]).resolve()
             for entry in entries}
    return sorted(str(file.relative_to(ROOT)) for file in files
                  if file.is_relative_to(ROOT)
                  and not file.is_relative_to(build.resolve()))


def changed(base):
    """The files that differ from the commit BASE."""
    listing = subprocess.run(["git", "diff", "--name-only", "-z", base],
                             cwd=ROOT, check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    return set(listing.split("\0"))


def select(sources, differing):
    """Those of SOURCES that are to be checked. C is not: the rules for names
    are those of C++."""
    return [name for name in sources
            if name.endswith(".cpp")
            and (name in differing or zlib.crc32(name.encode()) % STRIDE == 0)]


def check(build, name):
    """What clang-tidy finds in a file, and whether that is nothing."""
    process = subprocess.run(
        [TIDY, "-p", str(build), "--quiet", "--warnings-as-errors=*", name],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    if process.returncode == 0:
        return True, ""
    # Standard error also counts warnings of system headers.
    return False, process.stdout or process.stderr


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("--base", default="HEAD~1", metavar="COMMIT",
                        help="what changes are counted from "
                             "(default: %(default)s)")
    parser.add_argument("--all", action="store_true", help="check every file")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    args = parser.parse_args()

    entries = json.loads((args.build / "compile_commands.json").read_text())
    sources = compiled(entries, args.build)
    names = select(sources, set(sources) if args.all else changed(args.base))
    failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        pathlib.Path(folder, "compile_commands.json").write_text(
            json.dumps([without_precompiled(entry) for entry in entries]))
        for good, text in pool.map(lambda name: check(folder, name), names):
            failed += not good
            sys.stdout.write(text)
    print(f"clang-tidy: {len(names)} of {len(sources)} files, {failed} with "
          "warnings")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
