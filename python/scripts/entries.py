# ===- entries.py - Scripts that run a list of named things ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What run_tests.py and check_workflow.py have in common: entries with a `name` and
what they are `about`, of which some or all run one after the other."""

import pathlib
import time

from nacre import cli


def add_arguments(parser, what):
    """Options to name the build folder, and the entries, which are called WHAT."""
    parser.add_argument("--build", type=pathlib.Path,
                        default=cli.ROOT / "build" / "release",
                        help="the build folder (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help=f"name the {what}")


def show(entries):
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        print(f"{entry.name:{width}} {entry.about}")


def choose(parser, entries, names, what):
    """Those of the NAMES, or all without any; an unknown one is a bad argument."""
    unknown = set(names or ()) - {entry.name for entry in entries}
    if unknown:
        parser.error(f"unknown {what} '{min(unknown)}'")
    return [entry for entry in entries if not names or entry.name in names]


def run_each(entries, run):
    """(Entry, what RUN gives for it, seconds), each as soon as it has run."""
    for number, entry in enumerate(entries, 1):
        print(f"\n=== [{number}/{len(entries)}] {entry.name}: {entry.about}",
              flush=True)
        start = time.monotonic()
        result = run(entry)
        yield entry, result, time.monotonic() - start
