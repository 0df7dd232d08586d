#!/usr/bin/python3
# ===- fuzz.py - Random graphs against the interpreter ----------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random ONNX graphs and compares every backend with the interpreter.

The graphs follow from the seed. A graph that fails is saved with its inputs,
and --reduce shrinks it.

examples:
  fuzz.py --graphs=2000
  fuzz.py --seed=7 --first=132 --graphs=1
  fuzz.py --only=conv --graphs=200
  fuzz.py --reduce build/fuzz/seed7-graph132-cpu
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import onnx  # noqa: E402

from nacre import cli, suite  # noqa: E402
from nacre.fuzz import arguments, engine, reduce  # noqa: E402


def rerun(folders, reduces):
    """Runs saved cases again, and shrinks those that still fail."""
    failed = 0
    for folder in folders:
        case, config = engine.Case.load(folder)
        failure = engine.check(case, config)
        text = f"{failure.kind}: {failure.message}" if failure else "passes"
        print(f"{folder}: {' '.join(config)}: {text}")
        failed += failure is not None
        if failure and reduces:
            case, failure = reduce.reduce(case, config)
            smaller = pathlib.Path(f"{str(folder).rstrip('/')}-reduced")
            case.save(smaller, config, kind=failure.kind,
                      message=failure.message)
            print(f"  {failure.message}\n  saved as {smaller}")
            print(onnx.helper.printable_graph(case.model.graph))
    return 1 if failed else 0


def main():
    parser = arguments.parser(__doc__, graphs=2000)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--keep", default=cli.ROOT / "build" / "fuzz",
                        help="where failing graphs go (default: %(default)s)")
    parser.add_argument("--operators", action="store_true",
                        help="count the operators that were drawn")
    parser.add_argument("--rerun", nargs="+", metavar="FOLDER",
                        help="run saved graphs again")
    parser.add_argument("--reduce", nargs="+", metavar="FOLDER",
                        help="shrink saved graphs")
    args = parser.parse_args()
    if args.rerun or args.reduce:
        return rerun(args.rerun or args.reduce, bool(args.reduce))

    start = time.monotonic()
    arguments.announce(args)
    campaign = engine.Campaign(
        args.seed, args.batch, args.jobs, args.keep, args.only,
        lambda text: print(text, flush=True))
    campaign.run(args.first, args.graphs)
    print(f"{campaign.graphs} graphs, {sum(campaign.operators.values())} nodes "
          f"of {len(campaign.operators)} operators in "
          f"{time.monotonic() - start:.0f} s")
    if args.operators:
        for name, count in campaign.operators.most_common():
            print(f"  {count:6} {name}")
    wrong = len({index for index, _, _ in campaign.failures})
    print(suite.summary(campaign.graphs - wrong, wrong, 0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
