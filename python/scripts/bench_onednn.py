#!/usr/bin/python3
# ===- bench_onednn.py - Kernel steps against oneDNN -----------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races nacre's kernel steps against oneDNN's primitives, on one thread.

A step is one convolution or product and nothing else (nacre.race.kernels): its
operands are in the engine's layouts, weights packed, images inside of the border
that a step before would have computed them in. oneDNN gets the same sizes and
types in the layouts that it prefers, reorders are not timed, nothing is fused to
it; of its two primitives for a product the faster one counts. Bytes are scaled
and rounded to bytes by both. Both are warm and take turns, several rounds of it:
a kernel's figure is the median of the rounds' ratios: above 1, nacre is faster.

Shares are of the roofline: of the time that the multiplications or the bytes
need at the peaks that `nacre bench --profile` measures, of the fastest round.

The peer is Debian's libdnnl-dev, which .ci/setup.sh --bench installs. The table,
worst first, is written to build/bench/onednn.md, and every figure to onednn.json
beside it.

examples:
  bench_onednn.py                              15 kernels and 10 others, drawn
  bench_onednn.py --more=50                    all of them
  bench_onednn.py --type=bf16 --only=matmul    some of them
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli  # noqa: E402
from nacre.race import kernels  # noqa: E402

import bench  # noqa: E402

SOURCE = cli.ROOT / "tools" / "dnnl-bench" / "dnnl-bench.cpp"
HEADER = pathlib.Path("/usr/include/oneapi/dnnl/dnnl.hpp")
# oneDNN's names of the types of results.
RESULTS = {"f32": "f32", "bf16": "bf16", "i8": "u8"}


def build_peer():
    """The program that times oneDNN, built if need be."""
    program = bench.FOLDER / "dnnl-bench"
    if program.exists() and program.stat().st_mtime > SOURCE.stat().st_mtime:
        return program
    if not HEADER.exists():
        subprocess.run([cli.ROOT / ".ci" / "setup.sh", "--bench"], check=True)
    bench.FOLDER.mkdir(parents=True, exist_ok=True)
    print("bench: building dnnl-bench", flush=True)
    subprocess.run([bench.CLANG, "-O2", "-std=c++17", str(SOURCE), "-o",
                    str(program), "-ldnnl"], check=True)
    return program


def compile_step(kernel, precision, folder, *options):
    """The module of a kernel's step in FOLDER, and oneDNN's result type."""
    model, level = folder / "model.onnx", folder / "model.vpu.mlir"
    model.write_bytes(kernel.model(precision).SerializeToString())
    cli.nacre("compile", model, "--emit=vpu", "-o", level, "--no-winograd",
              f"--precision={'bf16' if precision == 'bf16' else 'f32'}",
              *options)
    text, element = kernels.isolate(level.read_text())
    step = folder / "step.mlir"
    step.write_text(text)
    return step, RESULTS[element]


def least_ms(profile):
    """The time that the machine could need at least, as the profile has it."""
    return sum(step["roofline"] * step["ms"] for step in profile["steps"])


def race(peer, kernel, precision, args):
    """All rounds of one kernel: (oneDNN's result, nacre's) of each, and the
    least times of the machine."""
    with tempfile.TemporaryDirectory() as folder:
        step, result = compile_step(kernel, precision, pathlib.Path(folder))
        ours = [cli.tool(), "bench", step, f"--seconds={args.seconds}",
                "--json"]
        theirs = ["env", "OMP_NUM_THREADS=1", peer, args.seconds,
                  *kernels.TYPES[precision], result, *kernel.operation]
        rounds = [bench.take_turns(theirs, ours, index)
                  for index in range(args.rounds)]
        least = [least_ms(bench.run([*ours, "--profile"]))
                 for _ in range(min(args.rounds, 3))]
    return rounds, least


def summarize(kernel, precision, rounds, least):
    ratios = [theirs["median_ms"] / ours["median_ms"]
              for theirs, ours in rounds]
    peer_ms = statistics.median(theirs["median_ms"] for theirs, _ in rounds)
    ms = statistics.median(ours["median_ms"] for _, ours in rounds)
    return {"kernel": kernel.name, "type": precision,
            "implementation": rounds[0][0]["implementation"],
            "ratio": statistics.median(ratios), "lowest": min(ratios),
            "highest": max(ratios), "peer_ms": peer_ms, "ms": ms,
            "peer_gflops": 2e-6 * kernel.macs / peer_ms,
            "gflops": 2e-6 * kernel.macs / ms,
            # Others on the machine only lower its peaks.
            "peer_share": min(least) / peer_ms, "share": min(least) / ms}


def table(results):
    """The kernels as Markdown, worst first, and a mean of each type."""
    lines = ["| kernel | type | ratio | spread | nacre GFLOP/s | share | "
             "oneDNN GFLOP/s | share | oneDNN's implementation |",
             "|---|---|" + "--:|" * 6 + "---|"]
    for r in sorted(results, key=lambda r: r["ratio"]):
        lines.append(
            f"| {r['kernel']} | {r['type']} | {r['ratio']:.2f} | "
            f"{r['lowest']:.2f}-{r['highest']:.2f} | {r['gflops']:.0f} | "
            f"{r['share']:.0%} | {r['peer_gflops']:.0f} | "
            f"{r['peer_share']:.0%} | {r['implementation']} |")
    for precision in kernels.TYPES:
        ratios = [r["ratio"] for r in results if r["type"] == precision]
        if ratios:
            lines.append(f"| geometric mean | {precision} | "
                         f"{bench.geometric_mean(ratios):.2f} | "
                         f"{min(ratios):.2f}-{max(ratios):.2f} "
                         "| | | | | |")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1,
                        help="per engine and round (default: 0.1)")
    parser.add_argument("--type", action="append", choices=list(kernels.TYPES),
                        help="an element type (default: all)")
    parser.add_argument("--more", type=int, default=10,
                        help="kernels to draw besides those that are always "
                        "raced (default: 10)")
    parser.add_argument("--seed", type=int, default=1,
                        help="what draws them (default: 1)")
    parser.add_argument("--only", action="append", default=[],
                        help="race only kernels whose name has this")
    return parser.parse_args()


def main():
    args = parse_arguments()
    chosen = [(kernel, precision) for precision in args.type or kernels.TYPES
              for kernel in kernels.choose(args.seed, args.more, args.only)]
    if not chosen:
        print("bench: no kernel of that name")
        return 3
    peer = build_peer()
    results, failures, version = [], [], ""
    for number, (kernel, precision) in enumerate(chosen, 1):
        name = f"[{number}/{len(chosen)}] {kernel.name}, {precision}"
        try:
            rounds, least = race(peer, kernel, precision, args)
        except (kernels.NoStep, RuntimeError, cli.NacreError,
                subprocess.TimeoutExpired) as error:
            failures.append(f"- {kernel.name}, {precision}: {error}")
            print(f"{name}: no figure: {error}", flush=True)
            continue
        version = rounds[0][0]["engine"]
        results.append(summarize(kernel, precision, rounds, least))
        print(f"{name}: ratio {results[-1]['ratio']:.2f}, "
              f"{results[-1]['share']:.0%} and "
              f"{results[-1]['peer_share']:.0%} of the roofline", flush=True)
    text = [f"{bench.today()}, {args.rounds} rounds of {args.seconds:g} s, "
            f"1 thread, {version}.", "", table(results)]
    if failures:
        text += ["", "Without a figure:", "", *failures]
    (bench.FOLDER / "onednn.md").write_text("\n".join(text) + "\n")
    (bench.FOLDER / "onednn.json").write_text(
        json.dumps(results, indent=1) + "\n")
    print("\n".join(["", *text, "",
                     f"written to {bench.FOLDER / 'onednn.md'}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
