#!/usr/bin/python3
# ===- bench_variants.py - What parts of the compiler cost or gain ----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races a model against itself, compiled with and without a part of the compiler.

  graph  the passes that rewrite graphs for speed: ie-raise, ie-sink-transposes,
         ie-reduce-to-pool, ie-swap-relu-pool and ie-merge-matmuls. The table also
         has how many operations the graph has, constants not counted: as imported,
         optimised without these passes and with them; and of which kinds there are
         fewer or more with them than as imported
  hooks  --instrument, whose functions nobody asks for: what the code costs that
         compares a pointer with null for each step

Both libraries run on the same data, one right after the other, in several rounds,
and take turns at going first. Each round has copies of its own of both, since what a
small model takes depends on where the pages of its library lie in memory. A figure is
the median of the rounds' ratios, above 1 where the part makes the model faster; *error*
is three times its standard error, as far as the rounds differ. There are more rounds, up
to four times as many, until that is 3 %. A model is a folder with model.onnx and
test_data_set_0. The table goes to build/bench/WHAT.md, too. The exit
status is 1 where a model is slower by more than 3 % and by more than the error, and
where the error is more than 10 %, which tells nothing.
"""

import argparse
import collections
import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import cli, suite  # noqa: E402

import bench  # noqa: E402

PASSES = ("ie-raise", "ie-sink-transposes", "ie-reduce-to-pool",
          "ie-swap-relu-pool", "ie-merge-matmuls")
# A ratio nearer to 1 is no difference.
INDIFFERENT = 0.03
STANDARD_ERRORS = 3
MORE_ROUNDS = 4
MOST_ERROR = 0.1


def find_pipeline(path):
    """The passes that a dumped file says are left, or none."""
    found = re.search(r'^ *pipeline: "(.*)"', path.read_text(), re.MULTILINE)
    return found and found.group(1)


def without_passes(pipeline):
    """The pipeline without those that rewrite graphs."""
    names = "|".join(PASSES)
    left = re.sub(rf"(?<=[(,])(?:{names})(?:{{[^{{}}]*}})?(?=[,)])", "",
                  pipeline)
    left = re.sub(r",+", ",", left).replace("(,", "(").replace(",)", ")")
    return re.sub(r",?func\.func\(\)", "", left).replace("(,", "(")


def count_operations(tool, path, *options):
    """How many operations of each kind are in what a tool prints of a graph."""
    text = subprocess.run(
        [cli.tool(tool), path, *options,
         "--mlir-elide-elementsattrs-if-larger=8",
         "--mlir-elide-resource-strings-if-larger=8"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    return collections.Counter(
        name for name in re.findall(r"\bIE\.(\w+)", text)
        if name not in ("Constant", "Yield"))


def build_graph(folder, model):
    """Two libraries, and how many operations there are, as text."""
    cli.nacre("compile", model, "--emit=ie", f"--dump-ir={folder / 'ir'}", "-o",
              folder / "any.mlir")
    dumps = [path for path in sorted((folder / "ir").glob("*.mlir"))
             if "ie-raise" in (find_pipeline(path) or "")]
    if not dumps:
        raise RuntimeError("nothing is dumped before ie-raise")
    pipelines = [find_pipeline(dumps[-1])]
    pipelines.append(without_passes(pipelines[0]))
    imported = count_operations("nacre-translate", model, "--import-onnx")
    counts = []
    libraries = []
    for name, pipeline in zip(("with", "without"), pipelines):
        # Beside it are the weights.
        path = folder / "ir" / f"{name}.mlir"
        path.write_text(dumps[-1].read_text().replace(pipelines[0], pipeline))
        libraries.append(folder / f"{name}.so")
        cli.nacre("compile", path, "-o", libraries[-1])
        counts.append(count_operations("nacre-opt", path,
                                       f"--pass-pipeline={pipeline}"))
    used, other = counts
    differ = [f"{kind} {imported[kind]} → {used[kind]}"
              for kind in sorted(imported.keys() | used.keys())
              if imported[kind] != used[kind]]
    total = f"{imported.total()}, {other.total()}, {used.total()}"
    return libraries, [total, ", ".join(differ)]


def build_hooks(folder, model):
    """Two libraries: with hooks and without."""
    libraries = [folder / "with.so", folder / "without.so"]
    for library, options in zip(libraries, (["--instrument"], [])):
        cli.nacre("compile", model, *options, "-o", library)
    return libraries, []


BUILDS = {"graph": (build_graph, ["operations", "of which"]),
          "hooks": (build_hooks, [])}


@contextlib.contextmanager
def one_core():
    """What starts in here stays on one core: a thread that moves leaves its caches
    behind."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure(library, inputs, seconds):
    """Milliseconds of a copy of the library, which lies elsewhere in memory."""
    with tempfile.TemporaryDirectory() as scratch, one_core():
        copy = shutil.copy(library, scratch)
        output = cli.nacre("bench", copy, inputs, "--json", "--threads=1",
                           f"--seconds={seconds}", "--snr=-99")
    return json.loads(output.splitlines()[-1])["median_ms"]


def standard_error(values):
    """That of the median of values. Outliers, which other processes make, count
    little: it follows from the median distance of the values from theirs."""
    middle = statistics.median(values)
    deviation = 1.4826 * statistics.median(abs(value - middle)
                                           for value in values)
    return 1.2533 * deviation / math.sqrt(len(values))


def race(first, second, inputs, args):
    """The median ratio of the second's time to that of the first, and the
    error."""
    ratios = []
    while True:
        one, other = bench.take_turns(
            first, second, len(ratios),
            run=lambda library: math.log(measure(library, inputs,
                                                 args.seconds)))
        ratios.append(other - one)
        if len(ratios) < args.rounds:
            continue
        error = STANDARD_ERRORS * standard_error(ratios)
        if error <= INDIFFERENT or len(ratios) >= MORE_ROUNDS * args.rounds:
            return math.exp(statistics.median(ratios)), error


def row(folder, args):
    """The cells of a model, the ratio and its error."""
    with tempfile.TemporaryDirectory() as scratch:
        build, _ = BUILDS[args.what]
        libraries, cells = build(pathlib.Path(scratch), folder / "model.onnx")
        ratio, error = race(*libraries, folder / "test_data_set_0", args)
    return [folder.name, *cells, f"{ratio:.3f}", f"{error:.3f}"], ratio, error


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=BUILDS)
    parser.add_argument("models", nargs="*", type=pathlib.Path,
                        metavar="FOLDER",
                        help="folders of models (default: those in the folder "
                             "that NACRE_MODELS names)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, metavar="S",
                        help="per library and round (default: %(default)s)")
    args = parser.parse_intermixed_args()
    folders = args.models or sorted(suite.models_folder().glob("*"))
    titles = ["model", *BUILDS[args.what][1], "ratio", "error"]
    lines = ["| " + " | ".join(titles) + " |",
             "|---|" + "---|" * (len(titles) - 3) + "--:|--:|"]
    print("\n".join(lines))
    ratios, failures = [], []
    for folder in folders:
        if not (folder / "model.onnx").exists():
            continue
        try:
            cells, ratio, error = row(folder, args)
        except (nacre.NacreError, RuntimeError) as problem:
            print(f"{folder.name}: {str(problem).splitlines()[0]}",
                  file=sys.stderr)
            continue
        ratios.append(ratio)
        if error > MOST_ERROR:
            failures.append(f"{folder.name}: the rounds differ too much")
        elif ratio < 1 - max(INDIFFERENT, error):
            failures.append(f"{folder.name} is slower")
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    lines.append(f"| geometric mean | {'| ' * (len(titles) - 3)}"
                 f"{bench.geometric_mean(ratios):.3f} | |")
    print(lines[-1])
    bench.FOLDER.mkdir(parents=True, exist_ok=True)
    (bench.FOLDER / f"{args.what}.md").write_text("\n".join(lines) + "\n")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or not ratios else 0


if __name__ == "__main__":
    sys.exit(main())
