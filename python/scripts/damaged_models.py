#!/usr/bin/python3
# ===- damaged_models.py - Damaged files must not hurt ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds damaged models to nacre and watches what it does.

Each damaged model is a real one that was cut at a random length or had random
bytes flipped; the n-th is the same in every run. nacre must refuse it with a
message (exit codes 2 and 3), or accept it where the damage only changed a
number in a weight. A signal, an internal error, a silent refusal, more than
a minute or more than 4 GB of memory is a failure.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite  # noqa: E402

DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
SECONDS = 60
MEMORY_BYTES = 4 << 30


def originals():
    """(name, model, data folder or None) of each model to damage."""
    found = [("digits", DIGITS, None)]
    for name, folder in suite.find_tests(suite.models_folder()).items():
        data = min(folder.glob("test_data_set_*"))
        found.append((name, folder / "model.onnx", data))
    return found


def damage(content, rng):
    """Returns the damaged bytes and what was done to them."""
    if rng.random() < 0.5:
        length = rng.randrange(len(content))
        return content[:length], f"cut to {length} of {len(content)} bytes"
    # Most bytes of a model are weights. Structure is what the importer must
    # survive damage of, so half of these aim at the ends, where it lies.
    count = rng.choice((1, 2, 8, 64))
    window = rng.choice((len(content), min(4096, len(content))))
    base = rng.choice((0, len(content) - window))
    damaged = bytearray(content)
    places = sorted(base + rng.randrange(window) for _ in range(count))
    for place in places:
        damaged[place] ^= rng.randrange(1, 256)
    listed = ", ".join(map(str, places[:4])) + (", ..." if count > 4 else "")
    return bytes(damaged), f"{count} bytes changed at {listed}"


def resident_bytes(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return int(fields[1]) * resource.getpagesize() if fields else 0


def run(command):
    """Runs under the limits; returns (exit code, text, peak bytes, late)."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT)
        end = time.monotonic() + SECONDS
        peak, late = 0, False
        while True:
            # wait4, unlike Popen.wait, tells the peak memory of this child.
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            peak = max(peak, resident_bytes(process.pid))
            late = time.monotonic() > end
            # Before a runaway takes the machine down.
            if late or peak > MEMORY_BYTES:
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace").strip()
    peak = max(peak, usage.ru_maxrss * 1024)
    return process.returncode, text, peak, late


def verdict(code, text, peak, late, allowed):
    """What is wrong with a run, or nothing."""
    if late:
        return f"no end after {SECONDS} s"
    if peak > MEMORY_BYTES:
        return f"took {peak / (1 << 30):.1f} GB of memory"
    if code < 0:
        return f"died of {signal.Signals(-code).name}"
    if code not in allowed:
        return f"exit code {code}"
    if code in (cli.Exit.UNSUPPORTED, cli.Exit.BAD_INPUT) and not text:
        return f"exit code {code} without a message"
    return None


def commands(damaged, data, scratch, index, full):
    """The command lines to try, each with its allowed exit codes."""
    refused = {cli.Exit.SUCCESS, cli.Exit.UNSUPPORTED, cli.Exit.BAD_INPUT}
    nacre = cli.tool()
    info = ([nacre, "info", damaged], refused)
    compile_ = ([nacre, "compile", damaged, "-O1", "--emit=obj",
                 "-o", os.path.join(scratch, "damaged.o")], refused)
    # Wrong weights give wrong results: that is no failure here.
    check = ([nacre, "check", damaged, str(data)],
             refused | {cli.Exit.DIFFERS})
    if full:
        return [info, compile_] + ([check] if data else [])
    return [info, check if data and index % 2 else compile_]


def attempt(index, original, args):
    """Damages one model and runs nacre on it; returns lines about failures."""
    name, path, data = original
    rng = random.Random(args.seed * 100003 + index)
    content, what = damage(path.read_bytes(), rng)
    problems, codes = [], []
    with tempfile.TemporaryDirectory() as scratch:
        damaged = os.path.join(scratch, "damaged.onnx")
        pathlib.Path(damaged).write_bytes(content)
        for command, allowed in commands(damaged, data, scratch, index,
                                         args.full):
            code, text, peak, late = run(command)
            codes.append(code)
            problem = verdict(code, text, peak, late, allowed)
            if problem:
                last = (text.splitlines() or [""])[-1][:160]
                problems.append(f"FAIL: #{index}, {name} ({what}): "
                                f"nacre {command[1]}: {problem}: {last}")
    if problems and args.keep:
        kept = pathlib.Path(args.keep)
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"{index}-{name}.onnx").write_bytes(content)
    return f"#{index} {name} ({what}): {codes}", problems


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, help="default: 40, or 200")
    parser.add_argument("--full", action="store_true",
                        help="200 models, every command on each of them")
    parser.add_argument("--first", type=int, default=0, help="start here")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count()))
    parser.add_argument("--keep", help="folder for the models that failed")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    count = args.count or (200 if args.full else 40)

    # A crash shall be reported, not fill the disk with its core.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    models = originals()
    # The small ones keep the short run short.
    if not args.full:
        models = [m for m in models if m[1].stat().st_size < 1 << 20]
    print(f"{count} damaged models made from {len(models)}", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        futures = [pool.submit(attempt, index, models[index % len(models)],
                               args)
                   for index in range(args.first, args.first + count)]
        for done, future in enumerate(futures, 1):
            line, problems = future.result()
            failed += bool(problems)
            if args.verbose:
                print(line)
            for problem in problems:
                print(problem)
            if done % 10 == 0 or done == count:
                print(f"  {done} of {count}", flush=True)
    print(suite.summary(count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
