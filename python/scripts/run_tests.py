#!/usr/bin/python3
# ===- run_tests.py - Every test suite, one table of totals ----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs nacre's test suites one after the other and adds up their totals.

The suites' own output streams through while they run. The last line is
`N passed, N failed, N skipped`; the exit status is 0 only when nothing failed.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli  # noqa: E402
from nacre.suite import BACKENDS  # noqa: E402

import entries  # noqa: E402

LLVM_BIN = "/usr/lib/llvm-22/bin"
SCRIPTS = cli.ROOT / "python" / "scripts"


class Totals(collections.namedtuple("Totals", "passed failed skipped")):
    def __add__(self, other):
        return Totals(*(a + b for a, b in zip(self, other)))


def _sum(lines, patterns):
    """Adds up the first group of every pattern over all lines."""
    return sum(int(match[1]) for line in lines for pattern in patterns
               for match in [re.search(pattern, line)] if match)


def lit_totals(lines):
    """Numbers are aligned at their last digit."""
    def count(*words):
        return _sum(lines, [rf"^\s+{word}\s*: +(\d+)" for word in words])

    return Totals(
        count("Passed", "Passed With Retry", "Expectedly Failed"),
        count("Failed", "Unresolved", "Timed Out", "Unexpectedly Passed"),
        count("Unsupported", "Skipped"))


def gtest_totals(lines):
    return Totals(_sum(lines, [r"^\[  PASSED  \] (\d+) tests?\."]),
                  _sum(lines, [r"^\[  FAILED  \] (\d+) tests?, listed"]),
                  _sum(lines, [r"^\[  SKIPPED \] (\d+) tests?, listed"]))


def pytest_totals(lines):
    last = [line for line in lines if re.search(r"\d+ \w+.* in [\d.]+s", line)]
    last = last[-1:]
    return Totals(_sum(last, [r"(\d+) passed", r"(\d+) xfailed"]),
                  _sum(last, [r"(\d+) failed", r"(\d+) errors?",
                              r"(\d+) xpassed"]),
                  _sum(last, [r"(\d+) skipped"]))


def own_totals(lines):
    """The line that nacre.suite.summary writes."""
    prefix = r"^suite total:.*\b(\d+) "
    return Totals(*(_sum(lines, [prefix + word])
                    for word in ("passed", "failed", "skipped")))


Suite = collections.namedtuple("Suite", "name about command totals")


def suites(build):
    """The table of suites. Quick ones come first."""

    def script(name, *arguments):
        return [sys.executable, SCRIPTS / name, *arguments]

    return [
        Suite("lit", "IR in, IR out: every pass and operator",
              [f"{LLVM_BIN}/lit", "-v", "-j2", build / "test"], lit_totals),
        Suite("unit", "C++ unit tests",
              [cli.tool("nacre-unittests"), "--gtest_brief=0"], gtest_totals),
        Suite("python", "the demo, the Python package, the README",
              [sys.executable, "-m", "pytest", "-v", "-rs", "-n2",
               "--dist=loadfile", "-p", "no:cacheprovider",
               cli.ROOT / "python" / "tests"],
              pytest_totals),
        Suite("fuzz", "random graphs on every backend",
              script("fuzz.py", "--seed=1", "--graphs=60"), own_totals),
        Suite("sizes", "random graphs of dynamic sizes, against numpy",
              script("fuzz_sizes.py", "--seed=1", "--graphs=80"), own_totals),
        Suite("onnx", "ONNX's own backend suite",
              script("onnx_backend_suite.py"), own_totals),
        Suite("onnx-1.23", "the tests of ONNX 1.23 on every backend",
              script("onnx_backend_suite.py", "--kind=1.23",
                     *(f"--backend={name}" for name in BACKENDS)), own_totals),
        Suite("models", "whole networks on every backend",
              script("check_models.py"), own_totals),
        Suite("code", "the code of whole networks: arena, spills, cost",
              script("check_code.py"), own_totals),
        Suite("damaged", "damaged models are refused, not crashed on",
              script("damaged_models.py"), own_totals),
        Suite("mutated", "models of broken meaning are refused, not crashed on",
              script("mutated_models.py"), own_totals),
    ]


def run(suite):
    """Runs one suite, streaming its output; returns its totals."""
    lines = []
    try:
        process = subprocess.Popen(
            [str(part) for part in suite.command], cwd=cli.ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError as error:
        print(f"FAIL: {suite.name}: {error}")
        return Totals(0, 1, 0)
    with process:
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            print(lines[-1], flush=True)
    totals = suite.totals(lines)
    if process.returncode != 0 and totals.failed == 0:
        print(f"FAIL: {suite.name} exited with {process.returncode} without "
              "counting a failure")
        totals += Totals(0, 1, 0)
    if process.returncode == 0 and sum(totals) == 0:
        print(f"FAIL: {suite.name} ran no test")
        totals += Totals(0, 1, 0)
    return totals


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="SUITE",
                        help="what to run (default: all; --list names them)")
    entries.add_arguments(parser, "suites")
    args = parser.parse_args()

    known = suites(args.build)
    if args.list:
        entries.show(known)
        return 0
    rows = [(suite.name, totals, seconds) for suite, totals, seconds
            in entries.run_each(
                entries.choose(parser, known, args.suites, "suite"), run)]

    print(f"\n{'suite':10} {'passed':>7} {'failed':>7} {'skipped':>7} "
          f"{'seconds':>8}")
    for name, totals, seconds in rows:
        print(f"{name:10} {totals.passed:7} {totals.failed:7} "
              f"{totals.skipped:7} {seconds:8.1f}")
    total = sum((totals for _, totals, _ in rows), Totals(0, 0, 0))
    print(f"{total.passed} passed, {total.failed} failed, "
          f"{total.skipped} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
