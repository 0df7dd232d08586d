#!/usr/bin/python3
# ===- bench_cost.py - What the cost model expects and what is measured -----=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the cost model of the compiler with the time of models' steps.

Passes that split, fuse or choose an algorithm compare estimates, so that what
counts is their order: Spearman's correlation of the ranks of the expected and the
measured times of the steps of 20 µs and more, one thread. A model is a folder
with model.onnx and test_data_set_0; those with fewer than five such steps have no
order to speak of. The table goes to build/bench/cost.md, too. The exit status is
1 where no model could be profiled.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import cli, suite  # noqa: E402

import bench  # noqa: E402

LONG_MS = 0.02
FEWEST = 5
HEAD = ["| model | steps | measured ms | expected ms | rank correlation |",
        "|---|--:|--:|--:|--:|"]


def profile(folder, seconds):
    output = cli.nacre("bench", folder / "model.onnx",
                       folder / "test_data_set_0", "--profile", "--json",
                       "--threads=1", "--snr=-99", f"--seconds={seconds}")
    return json.loads(output.splitlines()[-1])


def row(name, result):
    steps = [step for step in result["steps"] if step["ms"] >= LONG_MS]
    measured = sum(step["ms"] for step in result["steps"])
    expected = sum(step["predicted_ms"] for step in result["steps"])
    enough = len(steps) >= FEWEST and "rank_correlation" in result
    correlation = f"{result['rank_correlation']:.2f}" if enough else ""
    return (f"| {name} | {len(steps)} | {measured:.2f} | {expected:.2f} | "
            f"{correlation} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path,
                        metavar="FOLDER",
                        help="folders of models (default: those in the folder "
                             "that NACRE_MODELS names)")
    parser.add_argument("--seconds", type=float, default=1, metavar="S",
                        help="per model (default: %(default)s)")
    args = parser.parse_args()
    folders = args.models or sorted(suite.models_folder().glob("*"))
    rows = []
    print("\n".join(HEAD))
    for folder in folders:
        if not (folder / "model.onnx").exists():
            continue
        try:
            rows.append(row(folder.name, profile(folder, args.seconds)))
        except nacre.NacreError as error:
            print(f"{folder.name}: {error.message.splitlines()[0]}",
                  file=sys.stderr)
            continue
        print(rows[-1], flush=True)
    bench.FOLDER.mkdir(parents=True, exist_ok=True)
    (bench.FOLDER / "cost.md").write_text("\n".join(HEAD + rows) + "\n")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
