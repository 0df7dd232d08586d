#!/usr/bin/python3
# ===- check_accesses.py - Generated code reads and writes its own ---------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles random graphs so that AddressSanitizer sees every access, and runs them.

Graphs are those of fuzz.py; each buffer and each constant is memory of its own.
Needs the sanitizer's runtime: .ci/setup.sh installs it.

examples:
  check_accesses.py --graphs=200
  check_accesses.py --only=conv --vpu-arch=x86-64-v3 --threads=2
  check_accesses.py --seed=7 --first=132 --graphs=1 --keep=build/accesses
"""

import concurrent.futures
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import accesses, fuzz, suite  # noqa: E402
from nacre.fuzz import arguments, engine  # noqa: E402


# Architectures and threads, which batches take in turn.
TURNS = (("x86-64-v4", 1), ("x86-64-v3", 1), (str(engine.SMALL_CPU), 2),
         ("x86-64-v4", 2), (str(engine.SMALL_NPU), 1), ("NPU40XX", 2))


def check(checker, indices, args, turn, dynamic):
    """What is wrong with the code of these graphs in one model; None if
    nothing."""
    graphs = [fuzz.generate(args.seed, index, args.only) for index in indices]
    case = engine.Case.of(graphs)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        case.write(folder)
        expected = engine.execute(case, folder, engine.ORACLE)
        if isinstance(expected, engine.Failure):
            return expected.message
        model = case.model if dynamic else accesses.fix_sizes(case.model,
                                                              case.inputs)
        if args.keep:
            folder = args.keep / f"seed{args.seed}-graph{indices[0]}"
            folder.mkdir(parents=True, exist_ok=True)
        try:
            actual = checker.run(model, case.inputs, expected, folder, *turn)
        except RuntimeError as error:
            refused = dynamic and any(words in str(error)
                                      for words in engine.REFUSALS)
            return None if refused else f"{turn}: {error}"
    failure = engine.judge(case, (), actual, expected)
    return failure and f"{turn}: {failure.message}"


def check_batch(checker, indices, args):
    """[graph number, what is wrong] of each that fails."""
    architecture, threads = TURNS[indices[0] // args.batch % len(TURNS)]
    turn = (args.vpu_arch or architecture, args.threads or threads)

    def alone(index, dynamic):
        return index, check(checker, [index], args, turn, dynamic)

    found = [alone(index, True) for index in indices
             if fuzz.generate(args.seed, index, args.only).symbolic]
    together = check(checker, indices, args, turn, dynamic=False)
    if together:
        apart = [alone(index, False) for index in indices]
        # It may take company to fail.
        found += apart if any(message for _, message in apart) \
            else [(indices[0], together)]
    return [(index, message) for index, message in found if message]


def main():
    parser = arguments.parser(__doc__, graphs=100)
    parser.add_argument("--vpu-arch", metavar="NAME",
                        help="not those that batches take in turn")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER",
                        help="where models and what they became stay")
    args = parser.parse_args()
    arguments.announce(args)
    end = args.first + args.graphs
    batches = [range(start, min(start + args.batch, end))
               for start in range(args.first, end, args.batch)]
    wrong = set()
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        checker = accesses.Checker(scratch)
        for found in pool.map(lambda batch: check_batch(checker, batch, args),
                              batches):
            for index, message in found:
                wrong.add(index)
                print(f"FAIL: seed {args.seed}, graph {index}: {message}",
                      flush=True)
    print(suite.summary(args.graphs - len(wrong), len(wrong), 0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
