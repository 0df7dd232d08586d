# ===- workflow.py - What checks of the workflow have in common -------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of check_workflow.py's table, and how to get them from what exists: files of
tests, scripts, folders of models, ONNX Runtime."""

import collections
import pathlib
import re
import subprocess
import sys

from nacre import cli, data, suite

import bench
import bench_accuracy
import check_models
import run_tests

PYTHON = cli.ROOT / "python"
PASS, FAIL, SKIPPED = "pass", "FAIL", "skipped"

# What was measured, the figure, its bound, and the verdict.
Row = collections.namedtuple("Row", "what found bound verdict")


class Missing(Exception):
    """A check that cannot be made here, and what to install for it."""


def show(value, unit=""):
    number = f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    return f"{number}{unit}"


def at_least(what, value, bound, unit="", more=""):
    """MORE is said behind the figure."""
    return Row(what, show(value, unit) + more, f"≥ {show(bound, unit)}",
               PASS if value >= bound else FAIL)


def at_most(what, value, bound, unit="", more=""):
    return Row(what, show(value, unit) + more, f"≤ {show(bound, unit)}",
               PASS if value <= bound else FAIL)


def none_of(what, wrong, total):
    """WRONG are the names of those of TOTAL for which it does not hold."""
    if total == 0:
        return Row(what, "nothing to look at", "all", FAIL)
    found = f"{total - len(wrong)} of {total}"
    if wrong:
        found += ": not " + ", ".join(wrong)
    return Row(what, found, "all", FAIL if wrong else PASS)


def pytest(*selections):
    """Files of python/tests, or tests in them: a row each."""
    for selection in selections:
        process = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-rfEs", "-p",
             "no:cacheprovider", str(PYTHON / "tests" / selection)],
            cwd=cli.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        lines = process.stdout.splitlines()
        reasons = {match[1] for match in re.finditer(
            r"^SKIPPED \[\d+\] .*?:\d+: (.*)$", process.stdout, re.MULTILINE)}
        yield count_tests(f"pytest {selection}", process.returncode, lines,
                          run_tests.pytest_totals(lines), reasons)


def lit(build, folder, *names):
    """Tests in IR below test/FOLDER of the build, all or those of which the names
    begin with one of NAMES."""
    where = pathlib.Path(build) / "test" / folder
    # Lit finds a folder by its path in the build; the files are not in there.
    words = ["--filter=" + "|".join(rf"/{name}" for name in names)] \
        if names else []
    process = subprocess.run(
        [f"{run_tests.LLVM_BIN}/lit", "-v", "-j2", *words, str(where)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = process.stdout.splitlines()
    yield count_tests(" ".join([f"lit test/{folder}", *names]),
                      process.returncode, lines, run_tests.lit_totals(lines))


def count_tests(what, status, lines, totals, reasons=()):
    """The row of a run of tests, whose end is shown where one fails."""
    found = ", ".join(f"{count} {name}" for name, count
                      in totals._asdict().items() if count)
    if reasons:
        found += ": " + "; ".join(sorted(reasons))
    if totals.failed or (status != 0 and not totals.skipped):
        print("\n".join(lines[-40:]), flush=True)
        return Row(what, found or f"ended with {status}", "0 failed", FAIL)
    if not sum(totals):
        return Row(what, "no test", "0 failed", FAIL)
    return Row(what, found, "0 failed", PASS if totals.passed else SKIPPED)


def script(name, *words):
    """A script of the folder, which exits with 1 where something is wrong; the row
    has the last line of its table."""
    process = subprocess.run(
        [sys.executable, str(PYTHON / "scripts" / name), *map(str, words)],
        cwd=cli.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace")
    lines = process.stdout.splitlines()
    last = re.sub(r"[| ]+", " ", lines[-1]).strip() if lines else "no output"
    if process.returncode:
        last += "; " + "; ".join(process.stderr.splitlines()[-3:])
    words = " ".join(str(word) for word in words
                     if not isinstance(word, pathlib.Path))
    yield Row(f"{name} {words}".strip(), last, "exit status 0",
              FAIL if process.returncode else PASS)


def models(names=()):
    """The folders of whole networks by name, of those of NAMES if any."""
    folder = suite.models_folder()
    tests = suite.find_tests(folder)
    if not tests:
        raise Missing(f"networks in {folder}; NACRE_MODELS names another folder")
    return {name: path for name, path in tests.items()
            if not names or name in names}


def model(name):
    """The file of one network."""
    found = models([name])
    if not found:
        raise Missing(f"the network '{name}'")
    return found[name] / "model.onnx"


def first_inputs(folder):
    """What fixes the sizes of a network to those of its first data set."""
    path = folder / "model.onnx"
    return data.shape_options(
        path, data.read_inputs(path, folder / "test_data_set_0"))


def peer():
    """The program that runs ONNX Runtime."""
    try:
        return bench.build_peer()
    except (OSError, subprocess.CalledProcessError, StopIteration) as error:
        raise Missing("npm, which fetches ONNX Runtime") from error


def run_peer(path, feed):
    """The outputs of ONNX Runtime, in the order of the model."""
    peer()
    return [values[0] for values in bench_accuracy.run_peer(path, [feed])]


def floor_of(name, usual):
    """Decibels that a network keeps, of few bits or else as usual."""
    ratio = check_models.RATIOS.get(name)
    return ratio.decibels if ratio else usual
