# ===- suite.py - Many folders of test data, one verdict ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `nacre check` over ONNX test folders against an expected-pass list.

A test folder holds a model.onnx and test_data_set_* folders. The list says
which tests must pass, on which backends; it may only grow:

  test_abs cpu interpreter reference

A listed test that does not pass is a failure, and so is any crash, time-out
or silent refusal, listed or not. An unlisted test that is refused with a
message is skipped.
"""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import time

from nacre import cli

BACKENDS = ("cpu", "reference", "interpreter")

PASS = "pass"
DIFFERS = "differs"
UNSUPPORTED = "unsupported"
BAD_INPUT = "bad input"
NO_MESSAGE = "no message"
TIMEOUT = "timeout"
CRASH = "crash"

# What no test may do, expected to pass or not.
NEVER = (CRASH, TIMEOUT, NO_MESSAGE)

Outcome = collections.namedtuple("Outcome", "name kind seconds message")


def models_folder():
    """Where the whole networks are, which the repository does not hold."""
    default = cli.ROOT.parent / "shared" / "models"
    return pathlib.Path(os.environ.get("NACRE_MODELS") or default)


def find_tests(folder):
    """The test folders below FOLDER, by name."""
    found = pathlib.Path(folder).glob("*/model.onnx")
    return {model.parent.name: model.parent for model in sorted(found)
            if any(model.parent.glob("test_data_set_*"))}


def check(name, folder, backend, threads=1, timeout=120, snr=None,
          dynamic=False):
    """Runs every data set of one test folder, by one artifact if DYNAMIC; SNR
    replaces the tolerances."""
    folder = pathlib.Path(folder)
    command = [cli.tool(), "check", str(folder / "model.onnx"),
               *map(str, sorted(folder.glob("test_data_set_*"))),
               f"--backend={backend}", f"--threads={threads}"]
    if dynamic:
        command.append("--dynamic")
    if snr is not None:
        command.append(f"--snr={snr.decibels}")
    start = time.monotonic()
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired:
        return Outcome(name, TIMEOUT, timeout, f"no end after {timeout} s")
    text = process.stdout.decode(errors="replace").strip()
    lines = text.splitlines() or [""]
    seconds = time.monotonic() - start
    return Outcome(name, classify(process.returncode, lines), seconds,
                   first_error(lines))


def classify(code, lines):
    kinds = {cli.Exit.SUCCESS: PASS, cli.Exit.DIFFERS: DIFFERS,
             cli.Exit.UNSUPPORTED: UNSUPPORTED, cli.Exit.BAD_INPUT: BAD_INPUT}
    kind = kinds.get(code, CRASH)
    if kind == PASS and lines[-1].strip() != "PASS":
        return NO_MESSAGE
    if kind in (UNSUPPORTED, BAD_INPUT) and not lines[-1]:
        return NO_MESSAGE
    return kind


def first_error(lines):
    """The line that says what is wrong; notes follow it."""
    for line in lines:
        if "error" in line:
            return line.strip()[:200]
    return lines[-1].strip()[:200]


def check_all(tests, jobs=2, report=None):
    """Runs (name, keyword arguments of `check`) pairs, `jobs` at a time."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(check, name, **arguments)
                   for name, arguments in tests]
        outcomes = []
        for future in futures:
            outcomes.append(future.result())
            if report:
                report(len(outcomes), len(futures), outcomes[-1])
    return outcomes


class ExpectedPasses:
    """The file of tests that must pass: a name, then backends, per line."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.header = []
        self.backends = {}
        if not self.path.exists():
            return
        for line in self.path.read_text().splitlines():
            if line.startswith("#"):
                self.header.append(line)
            elif line.strip():
                name, *backends = line.split()
                self.backends.setdefault(name, set()).update(backends)

    def names(self, backend):
        return {name for name, backends in self.backends.items()
                if backend in backends}

    def add(self, names, backend):
        for name in names:
            self.backends.setdefault(name, set()).add(backend)

    def write(self):
        lines = list(self.header)
        for name, backends in sorted(self.backends.items()):
            lines.append(" ".join([name, *sorted(backends)]))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(lines) + "\n")


def judge(outcomes, expected):
    """Splits outcomes into passed, failed, skipped and newly passing."""
    passed, failed, skipped, new = [], [], [], []
    for outcome in outcomes:
        if outcome.kind == PASS:
            passed.append(outcome)
            if outcome.name not in expected:
                new.append(outcome)
        elif outcome.kind in NEVER or outcome.name in expected:
            failed.append(outcome)
        else:
            skipped.append(outcome)
    missing = expected - {outcome.name for outcome in outcomes}
    failed += [Outcome(name, "missing", 0, "expected to pass, but not found")
               for name in sorted(missing)]
    return passed, failed, skipped, new


def summary(passed, failed, skipped=0):
    """The line by which the test runner reads a suite's totals."""
    return f"suite total: {passed} passed, {failed} failed, {skipped} skipped"
