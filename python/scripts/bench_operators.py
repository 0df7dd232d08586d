#!/usr/bin/python3
# ===- bench_operators.py - Operators against ONNX Runtime ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races single operators and idioms of a few nodes against ONNX Runtime.

The cases are drawn from the operators' definitions (nacre.race): every operator
with every element type in three sizes, which vary with the seed, and with symbols
for sizes, compiled once and raced at four of them. Of each case
ONNX Runtime's outputs are what nacre's have to be, and the two take turns. Where
they differ by more than a type's rounding explains, both are compared with the
same model in float64, and nacre may be a tenth further from it than ONNX Runtime
is. What is near or below 1 is timed again, so that noise does not decide.

The table, worst first, says what each case became: the steps that a run spends
its time in. It is written to build/bench/operators.md, and every figure to
operators.json beside it. The exit status is 1 if a result differs or a case that
ONNX Runtime runs is refused.

examples:
  bench_operators.py                        600 cases, chosen by the seed
  bench_operators.py --cases=0              all of them
  bench_operators.py --only=softmax --only=topk --seed=3
  bench_operators.py --dynamic --type=float cases whose sizes only a run knows
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from onnx import load_tensor, numpy_helper  # noqa: E402

from nacre import cli, race  # noqa: E402
from nacre.race import exact  # noqa: E402

import bench  # noqa: E402
import bench_kernels  # noqa: E402

# A case that nacre wins by less is timed again.
CLEAR = 1.25
REFUSED, UNRACED = "Differs or is refused", "ONNX Runtime does not run"


class Refused(Exception):
    """A compiler or runtime that does not take a case, with its reason."""


def write(cases, folder):
    """The cases' model, and their inputs as ONNX test data folders, which this
    gives."""
    (folder / "model.onnx").write_bytes(cases[0].model.SerializeToString())
    folders = []
    for number, case in enumerate(cases):
        data = folder / f"test_data_set_{number}"
        data.mkdir()
        for index, (name, array) in enumerate(case.inputs.items()):
            bench_kernels.write_tensor(data / f"input_{index}.pb", array, name)
        folders.append(data)
    return folders


def expect_exact(case, data):
    """Makes the outputs in float64 those that nacre's have to be, as near as ONNX
    Runtime's are; false where there are none."""
    right = exact.evaluate(case, data.parent) if case.decibels else None
    if right is None:
        return False
    theirs = [numpy_helper.to_array(load_tensor(data / f"output_{index}.pb"))
              for index in range(len(right))]
    right = [array.astype(output.dtype)
             for array, output in zip(right, theirs)]
    least = exact.decibels(theirs, right)
    if least == float("inf"):
        return False
    case.decibels = least - exact.SLACK_DECIBELS
    for index, (array, output) in enumerate(
            zip(right, case.model.graph.output)):
        bench_kernels.write_tensor(data / f"output_{index}.pb", array,
                                   output.name)
    return True


def run(command):
    try:
        return bench.run(command, timeout=300)
    except subprocess.TimeoutExpired:
        raise Refused("takes more than 300 s") from None
    except RuntimeError as error:
        raise Refused(str(error).removeprefix("nacre: error: ")) from None


def steps(profile):
    """The names of the steps with most of the time, for people."""
    times = collections.Counter()
    for step in profile["steps"]:
        times[step["kernel"]] += step["ms"]
    total = sum(times.values()) or 1
    return ", ".join(f"{name} {time / total:.0%}"
                     for name, time in times.most_common(3)
                     if time > 0.05 * total)


def options(case):
    """Those by which nacre computes as exactly as a session of ONNX Runtime does
    by default: it rounds to bytes what is multiplied with weights of few bits that
    a DequantizeLinear has in blocks, though no model says so. By default nacre
    does not."""
    nodes = case.model.graph.node
    in_blocks = any(attribute.name == "block_size"
                    for node in nodes if node.op_type == "DequantizeLinear"
                    for attribute in node.attribute)
    return ["--accuracy-level=4"] if in_blocks else []


def compile_model(case, folder, threads):
    """The library of the folder's model, which is the case's."""
    library = folder / f"case{threads}.so"
    compiled = subprocess.run(
        [cli.tool(), "compile", folder / "model.onnx", f"--threads={threads}",
         *options(case), "-o", library],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if compiled.returncode:
        lines = compiled.stderr.strip().splitlines()
        raise Refused(next((line for line in lines if "error:" in line),
                           lines[0] if lines else "no message"))
    return library


class Race:
    """The rounds of one case with one number of threads."""

    def __init__(self, peer, case, library, data, threads, args):
        model = data.parent / "model.onnx"
        self.theirs = [peer, model, data, threads, args.seconds]
        self.bench = [cli.tool(), "bench", library, data, "--json",
                      f"--seconds={args.seconds}"]
        self.profiling = [cli.tool(), "bench", model, data, "--json",
                          "--profile", f"--seconds={args.seconds}",
                          f"--threads={threads}", *options(case)]
        if case.symbols:
            self.profiling.append("--dynamic")
        self.expect(case)
        self.rounds = []

    def expect(self, case):
        """Takes over how near nacre's outputs have to be."""
        tolerance = [f"--snr={case.decibels}"] if case.decibels else []
        self.ours = [*self.bench, *tolerance]
        self.profile = [*self.profiling, *tolerance]

    def time(self):
        pair = bench.take_turns(self.theirs, self.ours, len(self.rounds), run)
        self.rounds.append([result["median_ms"] for result in pair])

    @property
    def ratio(self):
        return statistics.median(a / b for a, b in self.rounds)

    def result(self, case, threads):
        theirs, ours = map(statistics.median, zip(*self.rounds))
        return {"operator": case.operator, "type": case.dtype,
                "size": case.size, "shapes": case.description,
                "symbols": case.symbols,
                "threads": threads, "ort_ms": theirs, "ms": ours,
                "ratio": self.ratio, "rounds": len(self.rounds)}


def race_cases(peer, cases, args):
    """The results of the cases of one model, for each number of threads; what ONNX
    Runtime refuses has none."""
    with tempfile.TemporaryDirectory(prefix="nacre-race-") as name:
        folder = pathlib.Path(name)
        contests = [*zip(cases, write(cases, folder))]
        for _, data in contests:
            run([peer, folder / "model.onnx", data, 1, 0, "--write-outputs"])
        for threads in args.threads:
            try:
                library = compile_model(cases[0], folder, threads)
            except Refused as error:
                yield cases[0], str(error)
                continue
            for case, data in contests:
                yield case, race_threads(peer, case, library, data, threads,
                                         args)


def race_threads(peer, case, library, data, threads, args):
    """The result of a case, or a line that says why there is none."""
    try:
        contest = Race(peer, case, library, data, threads, args)
        try:
            contest.time()
        except Refused:
            if not expect_exact(case, data):
                raise
            contest.expect(case)
            contest.time()
        while contest.ratio < CLEAR and len(contest.rounds) < args.rounds:
            contest.time()
        result = contest.result(case, threads)
        if contest.ratio < 1:
            result["steps"] = steps(run(contest.profile))
        return result
    except Refused as error:
        return str(error)


def table(results):
    lines = ["| case | shapes | ONNX Runtime ms | nacre ms | ratio | steps |",
             "|---|---|--:|--:|--:|---|"]
    for r in sorted(results, key=lambda result: result["ratio"]):
        dynamic = f" of {r['symbols']}" if r["symbols"] else ""
        lines.append(
            f"| {r['operator']}, {r['type']}{dynamic} | {r['shapes']} | "
            f"{r['ort_ms']:.4f} | {r['ms']:.4f} | {r['ratio']:.2f} | "
            f"{r.get('steps', '')} |")
    return lines


def summary(results, threads):
    ratios = [r["ratio"] for r in results]
    return (f"{threads} thread{'s' * (threads > 1)}: {len(ratios)} cases, "
            f"geometric mean {bench.geometric_mean(ratios):.2f}, "
            f"{sum(r < 0.5 for r in ratios)} under 0.5, "
            f"{sum(r < 0.8 for r in ratios)} under 0.8, "
            f"{sum(r < 1 for r in ratios)} under 1")


def report(args, results, troubles):
    text = [f"{bench.today()}, seed {args.seed}, up to {args.rounds} rounds of "
            f"{args.seconds:g} s."]
    for threads in args.threads:
        chosen = [r for r in results if r["threads"] == threads]
        shown = [r for r in chosen if args.all or r["ratio"] < 1]
        text += ["", summary(chosen, threads), ""]
        text += table(shown) if shown else []
    for title, lines in troubles.items():
        if lines:
            text += ["", f"{title}:", ""]
            text += [f"- {line}" for line in lines]
    text += ["", "Not raced: " + ", ".join(
        f"{name} ({why})" for name, why in race.missing().items()) + "."]
    return "\n".join(text)


def choose(args):
    """The cases to build: a sample that has every operator, if it can."""
    entries = [entry for entry in race.draw_cases(args.seed, args.only)
               if (not args.type or entry[3] in args.type)
               and (not args.dynamic or entry[4] == race.DYNAMIC)]
    if not args.cases or args.cases >= len(entries):
        return entries
    random = np.random.default_rng(args.seed)
    order = random.permutation(len(entries))
    by_operator = collections.defaultdict(list)
    for index in order:
        by_operator[entries[index][1]].append(index)
    # One of each operator, then the second ones, and so on.
    turns = sorted((turn, place, index)
                   for place, indices in enumerate(by_operator.values())
                   for turn, index in enumerate(indices))
    chosen = sorted(index for _, _, index in turns[:args.cases])
    return [entries[index] for index in chosen]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=600,
                        help="how many, 0 for all (default: 600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[],
                        help="cases whose operator's name contains this")
    parser.add_argument("--type", action="append", default=[],
                        help="cases of this element type")
    parser.add_argument("--dynamic", action="store_true",
                        help="only cases whose sizes are known to a run alone")
    parser.add_argument("--rounds", type=int, default=5,
                        help="at most, for what is near 1 (default: 5)")
    parser.add_argument("--seconds", type=float, default=0.1,
                        help="per engine and round (default: 0.1)")
    parser.add_argument("--threads", type=int, action="append",
                        help="default: 1 and 2")
    parser.add_argument("--all", action="store_true",
                        help="list the cases that nacre wins, too")
    args = parser.parse_args()
    args.threads = sorted(set(args.threads or [1, 2]))

    entries = choose(args)
    if not entries:
        print("bench: no operator of that name and type")
        return 3
    peer = bench.build_peer()
    results = []
    troubles = {REFUSED: [], UNRACED: []}
    for number, entry in enumerate(entries, 1):
        cases = race.build(*entry)
        if not cases:
            continue
        name = ", ".join((entry[1], *entry[3:]))
        words = []
        try:
            for case, outcome in race_cases(peer, cases, args):
                if isinstance(outcome, str):
                    troubles[REFUSED].append(
                        f"{case.name}, {case.description}: {outcome}")
                    words.append(outcome)
                else:
                    results.append(outcome)
                    words.append(f"{outcome['ratio']:.2f}")
        except Refused as error:
            troubles[UNRACED].append(f"{name}: {error}")
            words.append("not run by ONNX Runtime")
        print(f"[{number}/{len(entries)}] {name}: {', '.join(words)}",
              flush=True)
    text = report(args, results, troubles)
    (bench.FOLDER / "operators.md").write_text(text + "\n")
    (bench.FOLDER / "operators.json").write_text(
        json.dumps(results, indent=1) + "\n")
    print(f"\n{text}\n\nwritten to {bench.FOLDER / 'operators.md'}")
    return 1 if troubles[REFUSED] else 0


if __name__ == "__main__":
    sys.exit(main())
