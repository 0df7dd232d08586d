#!/usr/bin/python3
# ===- onnx_backend_suite.py - ONNX's own test data ------------------------=== #
"""Runs ONNX's backend test data through `nacre check`.

The data are those of `onnx.backend.test`, as Debian's libonnx-testdata
installs them: one model per operator and situation ("node"), and a few
larger ones. test/Integration/onnx-KIND-expected.txt lists what must pass:
it may only grow, and --update makes it grow by what passes today.

examples:
  onnx_backend_suite.py
  onnx_backend_suite.py --backend=interpreter --kind=node --filter=conv
  onnx_backend_suite.py --update
"""

import argparse
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
KINDS = ("node", "simple", "pytorch-operator", "pytorch-converted")


def expected_file(kind):
    return cli.ROOT / "test" / "Integration" / f"onnx-{kind}-expected.txt"


def progress(done, total, outcome):
    """One line per fiftieth of the way, and per test that misbehaves."""
    if outcome.kind in suite.NEVER:
        print(f"{outcome.kind.upper()}: {outcome.name}: {outcome.message}")
    if done % max(total // 50, 1) == 0 or done == total:
        print(f"  {done} of {total}", flush=True)


def run_kind(kind, args):
    """Runs one kind; returns the numbers of passed, failed and skipped."""
    tests = suite.find_tests(pathlib.Path(args.data) / kind)
    expectations = suite.ExpectedPasses(expected_file(kind))
    expected = expectations.names(args.backend)
    if args.filter:
        wanted = re.compile(args.filter)
        tests = {n: path for n, path in tests.items() if wanted.search(n)}
        expected = {n for n in expected if wanted.search(n)}
    print(f"{kind}: {len(tests)} tests on {args.backend}, "
          f"{len(expected)} expected to pass", flush=True)
    options = dict(backend=args.backend, threads=args.threads,
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
        expectations.add([outcome.name for outcome in new], args.backend)
        expectations.write()
        print(f"added {len(new)} tests to {expectations.path}")
    elif new:
        print(f"{len(new)} tests pass that are not in the list, for example "
              f"{new[0].name}; to add them, run:\n"
              f"  python/scripts/onnx_backend_suite.py --kind={kind} "
              f"--backend={args.backend} --update")
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
    parser.add_argument("--kind", choices=KINDS, action="append",
                        help="a kind of tests (default: all)")
    parser.add_argument("--backend", choices=suite.BACKENDS, default="cpu")
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

    totals = [run_kind(kind, args) for kind in args.kind or KINDS]
    passed, failed, skipped = map(sum, zip(*totals))
    print(suite.summary(passed, failed, skipped))
    return 1 if failed or not passed + skipped else 0


if __name__ == "__main__":
    sys.exit(main())
