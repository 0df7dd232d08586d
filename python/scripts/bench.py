#!/usr/bin/python3
# ===- bench.py - The race against ONNX Runtime ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races nacre against ONNX Runtime over whole networks.

Both engines get the same model, data and number of threads, one right after the
other, several rounds of it, and take turns at going first. A model's figure is
the median of the rounds' ratios of median times: above 1, nacre is faster.
nacre verifies its outputs before it is timed. Each round has every number of
threads, so that what more threads gain is a ratio of neighbours, too.

The memory columns are peaks, and what of it is private, which no file backs: the
rest are pages that the system can drop, and that processes share. nacre's are of
a process that runs the compiled library and does nothing else
(nacre-run-compiled, which `nacre bench` starts), as the program of a user would.
The last column is the time from the model to machine code, of the fastest round.

With --busy=N, N processes that compute without end have cores meanwhile, the
last ones, as other programs of a machine would. Times are means then: a run that
waits for its core takes some milliseconds, and medians leave that out.

The peer is the library in the npm package onnxruntime-node, used through its C
interface; it is fetched and built in build/bench the first time. The table is
written to build/bench/results.md, and every figure to results.json beside it.
"""

import argparse
import contextlib
import datetime
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

import check_models  # noqa: E402

FOLDER = cli.ROOT / "build" / "bench"
SOURCE = cli.ROOT / "tools" / "ort-bench" / "ort-bench.cpp"
CLANG = "/usr/lib/llvm-22/bin/clang++"
TWINS = ("light_squeezenet", "light_shufflenet", "light_inception_v1",
         "light_resnet50")


def build_peer():
    """The program that times ONNX Runtime, fetched and built if need be."""
    program = FOLDER / "ort-bench"
    if program.exists() and program.stat().st_mtime > SOURCE.stat().st_mtime:
        return program
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not list(FOLDER.glob("node_modules/onnxruntime-node/bin/*/linux/*")):
        print("bench: fetching onnxruntime-node", flush=True)
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-fund",
                        "--no-audit", "--prefix", str(FOLDER),
                        "onnxruntime-node"], check=True)
    machine = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
    library = next(FOLDER.glob("node_modules/onnxruntime-node/bin/*/linux/"
                               f"{machine}/libonnxruntime.so.1"))
    print("bench: building ort-bench", flush=True)
    subprocess.run([CLANG, "-O2", "-std=c++17", "-DONNX_ML=1",
                    "-DONNX_NAMESPACE=onnx", str(SOURCE), "-o", str(program),
                    str(library), f"-Wl,-rpath,{library.parent}",
                    "-lonnx_proto", "-lprotobuf"], check=True)
    return program


def run(command, timeout=900):
    """The last line of JSON that COMMAND prints."""
    process = subprocess.run([str(part) for part in command],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=timeout)
    lines = [line for line in process.stdout.splitlines()
             if line.startswith("{")]
    if process.returncode or not lines:
        message = (process.stderr.strip().splitlines() or ["no output"])[-1]
        raise RuntimeError(message)
    return json.loads(lines[-1])


def take_turns(theirs, ours, index, run=run):
    """(Peer's result, nacre's result) of round INDEX."""
    # Going first costs up to a fifth on models of microseconds.
    first, second = (ours, theirs) if index % 2 else (theirs, ours)
    results = [run(first), run(second)]
    return results[::-1] if index % 2 else results


@contextlib.contextmanager
def busy_processes(count):
    """As many as `nacre bench --busy` starts, on the same cores."""
    cores = sorted(os.sched_getaffinity(0))
    processes = []
    try:
        for index in range(count):
            core = cores[-1 - index % len(cores)]
            processes.append(subprocess.Popen(
                [sys.executable, "-c", "import os\n"
                 f"os.sched_setaffinity(0, [{core}])\nwhile True: pass"]))
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def race(peer, name, folder, args):
    """All rounds of one model, for each number of threads: (peer's result,
    nacre's result) of each."""
    ratio = check_models.RATIOS.get(name)
    tolerance = [f"--snr={ratio.decibels}"] if ratio else []
    model, inputs = folder / "model.onnx", folder / "test_data_set_0"
    rounds = {threads: [] for threads in args.threads}

    def run_beside(command):
        # nacre has an option for it.
        with busy_processes(args.busy if command[0] == peer else 0):
            return run(command)

    for index in range(args.rounds):
        for threads in args.threads:
            ours = [cli.tool(), "bench", model, inputs, f"--threads={threads}",
                    f"--seconds={args.seconds}", "--json",
                    f"--precision={args.precision}",
                    f"--busy={args.busy}", *tolerance]
            theirs = [peer, model, inputs, threads, args.seconds]
            rounds[threads].append(take_turns(theirs, ours, index,
                                              run_beside))
    return rounds


def measure(args):
    """The time that counts."""
    return "mean_ms" if args.busy else "median_ms"


def summarize(name, threads, rounds, time):
    """A model's figures of all ROUNDS, with TIME as measure() returns it."""
    def median(engine, key):
        return statistics.median(pair[engine][key] for pair in rounds)

    ratios = [theirs[time] / ours[time] for theirs, ours in rounds]
    return {"model": name, "threads": threads,
            "ratio": statistics.median(ratios),
            "lowest": min(ratios), "highest": max(ratios),
            "ort_ms": median(0, time), "ms": median(1, time),
            "ort_rss_mb": median(0, "rss_mb"), "rss_mb": median(1, "rss_mb"),
            "ort_private_mb": median(0, "private_mb"),
            "private_mb": median(1, "private_mb"),
            "ort_load_ms": median(0, "load_ms"), "load_ms": median(1, "load_ms"),
            # Others on the machine only make it longer.
            "compile_ms": min(pair[1]["compile_ms"] for pair in rounds),
            "arena_bytes": median(1, "arena_bytes")}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def today():
    """When and where, as the tables say it."""
    return f"{datetime.date.today()}, {cpu_name()}"


def table(results, threads):
    """One number of threads as a Markdown table."""
    chosen = [r for r in results if r["threads"] == threads]
    lines = ["| model | ONNX Runtime ms | nacre ms | ratio | spread | "
             "ONNX Runtime MB | private | nacre MB | private | compile s |",
             "|---|" + "--:|" * 9]
    for r in chosen:
        lines.append(
            f"| {r['model']} | {r['ort_ms']:.3f} | {r['ms']:.3f} | "
            f"{r['ratio']:.2f} | {r['lowest']:.2f}-{r['highest']:.2f} | "
            f"{r['ort_rss_mb']:.0f} | {r['ort_private_mb']:.0f} | "
            f"{r['rss_mb']:.0f} | {r['private_mb']:.0f} | "
            f"{r['compile_ms'] / 1000:.2f} |")
    mean = geometric_mean([r["ratio"] for r in chosen])
    lines.append(f"| geometric mean | | | {mean:.2f} | | | | | | |")
    return "\n".join(lines)


def scaling(rounds, engine, threads, time):
    """How many times faster an engine is with THREADS than with the fewest."""
    fewest = min(rounds)
    return statistics.median(
        one[engine][time] / more[engine][time]
        for one, more in zip(rounds[fewest], rounds[threads]))


def scaling_table(races, threads, time):
    """What more threads gain, as Markdown: NAME to rounds in RACES."""
    fewest, more = min(threads), [t for t in sorted(threads)[1:]]
    lines = ["| model | " + " | ".join(
        f"ONNX Runtime {t} over {fewest} | nacre {t} over {fewest}"
        for t in more) + " |", "|---|" + "--:|" * (2 * len(more))]
    for name, rounds in races.items():
        lines.append(f"| {name} | " + " | ".join(
            f"{scaling(rounds, 0, t, time):.2f} | "
            f"{scaling(rounds, 1, t, time):.2f}"
            for t in more) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1,
                        help="per engine and round (default: 1)")
    parser.add_argument("--threads", type=int, action="append",
                        help="default: 1 and 2")
    parser.add_argument("--model", action="append",
                        help="a model to race (default: all)")
    parser.add_argument("--busy", type=int, default=0,
                        help="processes that keep cores busy meanwhile")
    parser.add_argument("--precision", default="f32", choices=("f32", "bf16"),
                        help="of nacre's convolutions and products")
    args = parser.parse_args()
    args.threads = sorted(set(args.threads or [1, 2]))

    models = suite.models_folder()
    if not models.is_dir():
        print(f"bench: no models in {models} (NACRE_MODELS names another "
              "folder)")
        return 3
    tests = suite.find_tests(models)
    twins = check_models.random_twins(models)
    tests.update({f"rw-{name}": twins[f"rw-{name}"] for name in TWINS
                  if f"rw-{name}" in twins})
    names = [name for name in tests if not args.model or name in args.model]
    if not names:
        print(f"bench: no model of that name in {models}")
        return 3
    peer = build_peer()

    results, failures, races = [], [], {}
    for number, name in enumerate(names, 1):
        try:
            rounds = race(peer, name, tests[name], args)
            summaries = [summarize(name, threads, rounds[threads],
                                   measure(args))
                         for threads in args.threads]
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failures.append((name, str(error)))
            print(f"[{number}/{len(names)}] {name}: no figure: {error}",
                  flush=True)
            continue
        races[name] = rounds
        results += summaries
        for result in summaries:
            print(f"[{number}/{len(names)}] {name}, {result['threads']} "
                  f"threads: {result['ort_ms']:.3f} ms and "
                  f"{result['ms']:.3f} ms, ratio {result['ratio']:.2f}",
                  flush=True)

    text = [f"{today()}, {args.rounds} rounds of {args.seconds:g} s, nacre in "
            f"{args.precision}"
            + (f", means beside {args.busy} busy "
               f"process{'es' if args.busy > 1 else ''}." if args.busy
               else ".")]
    for threads in args.threads:
        text += ["", f"{threads} thread{'s' if threads > 1 else ''}:", "",
                 table(results, threads)]
    if len(args.threads) > 1:
        text += ["", "What more threads gain, in times:", "",
                 scaling_table(races, args.threads, measure(args))]
    if failures:
        text += ["", "Without a figure:", ""]
        text += [f"- {name}: {reason}" for name, reason in failures]
    (FOLDER / "results.md").write_text("\n".join(text) + "\n")
    (FOLDER / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    print("\n".join(["", *text, "", f"written to {FOLDER / 'results.md'}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
