#!/usr/bin/python3
# ===- onnx_backend_suite.py - ONNX's own test data ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ONNX's backend test data through `nacre check`.

The data are those of `onnx.backend.test`, as Debian's libonnx-testdata
installs them: one model per operator and situation ("node"), and a few
larger ones. The kind "1.23" are those of ONNX 1.23, of one operator and of a
few, in an archive beside the folder of models (see check_models.py); without it
they are skipped. test/Integration/onnx-KIND-expected.txt lists what must pass:
it may only grow, and --update makes it grow by what passes today.

examples:
  onnx_backend_suite.py
  onnx_backend_suite.py --kind=1.23 --backend=cpu --backend=reference
  onnx_backend_suite.py --backend=interpreter --kind=node --filter=conv
  onnx_backend_suite.py --update
"""

import argparse
import os
import pathlib
import re
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
KINDS = ("node", "simple", "pytorch-operator", "pytorch-converted")
# What lies in an archive of its own.
ARCHIVED = "1.23"
ARCHIVE = "onnx_1.23_node_tests.tar.xz"


def expected_file(kind):
    return cli.ROOT / "test" / "Integration" / f"onnx-{kind}-expected.txt"


def progress(done, total, outcome):
    """One line per fiftieth of the way, and per test that misbehaves."""
    if outcome.kind in suite.NEVER:
        print(f"{outcome.kind.upper()}: {outcome.name}: {outcome.message}")
    if done % max(total // 50, 1) == 0 or done == total:
        print(f"  {done} of {total}", flush=True)


def run_archived(args):
    """Runs what the archive holds, or says that there is none."""
    archive = suite.models_folder().parent / ARCHIVE
    if not archive.is_file():
        print(f"skipped: no {archive} (NACRE_MODELS names a folder beside it)")
        return 0, 0, 1
    with tempfile.TemporaryDirectory(prefix="nacre-onnx-") as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        tests = {}
        for kind in ("node", "simple"):
            tests.update(suite.find_tests(pathlib.Path(folder) / kind))
        totals = [run_kind(ARCHIVED, tests, backend, args)
                  for backend in args.backend]
    return tuple(map(sum, zip(*totals)))


def run(kind, args):
    """Runs one kind; returns the numbers of passed, failed and skipped."""
    if kind == ARCHIVED:
        return run_archived(args)
    tests = suite.find_tests(pathlib.Path(args.data) / kind)
    totals = [run_kind(kind, tests, backend, args) for backend in args.backend]
    return tuple(map(sum, zip(*totals)))


def run_kind(kind, tests, backend, args):
    """Runs the tests of one kind on one backend."""
    expectations = suite.ExpectedPasses(expected_file(kind))
    expected = expectations.names(backend)
    if args.filter:
        wanted = re.compile(args.filter)
        tests = {n: path for n, path in tests.items() if wanted.search(n)}
        expected = {n for n in expected if wanted.search(n)}
    print(f"{kind}: {len(tests)} tests on {backend}, "
          f"{len(expected)} expected to pass", flush=True)
    options = dict(backend=backend, threads=args.threads,
                   timeout=args.timeout)
    outcomes = suite.check_all(
        [(name, dict(options, folder=path)) for name, path in tests.items()],
        args.jobs, progress)
    passed, failed, skipped, new = suite.judge(outcomes, expected)

    for outcome in failed:
        print(f"FAIL: {kind}/{outcome.name}: {outcome.kind}: {outcome.message}")
    # A refusal is fine, another result is worth a look even if unlisted.
    for outcome in skipped:
        if args.verbose or outcome.kind == suite.DIFFERS:
            print(f"skipped: {kind}/{outcome.name}: {outcome.kind}: "
                  f"{outcome.message}")
    if new and args.update:
        expectations.add([outcome.name for outcome in new], backend)
        expectations.write()
        print(f"added {len(new)} tests to {expectations.path}")
    elif new:
        print(f"{len(new)} tests pass that are not in the list, for example "
              f"{new[0].name}; to add them, run:\n"
              f"  python/scripts/onnx_backend_suite.py --kind={kind} "
              f"--backend={backend} --update")
    if args.report:
        with open(args.report, "a") as file:
            for outcome in outcomes:
                fields = (kind, outcome.name, outcome.kind,
                          f"{outcome.seconds:.2f}", outcome.message)
                file.write("\t".join(fields) + "\n")
    return len(passed), len(failed), len(skipped)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kind", choices=(*KINDS, ARCHIVED),
                        action="append", help="a kind of tests (default: all "
                        f"but {ARCHIVED})")
    parser.add_argument("--backend", choices=suite.BACKENDS, action="append",
                        help="a backend to run on (default: cpu)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--filter", help="regular expression on test names")
    parser.add_argument("--update", action="store_true",
                        help="add what passes to the expected-pass list")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--timeout", type=int, default=120, help="in seconds")
    parser.add_argument("--report", help="append one line per test to a .tsv")
    parser.add_argument("--data", default=DATA, help="default: %(default)s")
    parser.add_argument("--verbose", action="store_true",
                        help="also name the tests that are skipped")
    args = parser.parse_args()

    args.backend = args.backend or ["cpu"]
    totals = [run(kind, args) for kind in args.kind or KINDS]
    passed, failed, skipped = map(sum, zip(*totals))
    print(suite.summary(passed, failed, skipped))
    return 1 if failed or not passed + skipped else 0


if __name__ == "__main__":
    sys.exit(main())
