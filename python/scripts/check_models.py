#!/usr/bin/python3
# ===- check_models.py - Whole networks on every backend -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs whole networks through `nacre check` on every backend.

The models are not part of the repository: a folder (by default the models
folder of a `shared` folder beside the checkout, or NACRE_MODELS) holds one
folder per model with its test data. What is missing is skipped.

Some published test models carry one constant in all their weights, which
hides a wrong layout or channel order. Beside such a folder there may be a
tool that writes twins with random weights; those run too, as rw-NAME.

test/Integration/models-expected.txt lists what must pass, and where.
"""

import argparse
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, suite, tolerances  # noqa: E402

EXPECTED = cli.ROOT / "test" / "Integration" / "models-expected.txt"

# Each way to run a model: the backend, its number of threads, and whether one
# artifact is to serve all shapes. The name is what the list of expected passes
# uses.
CONFIGURATIONS = {
    "cpu": ("cpu", 1, False),
    "cpu-2-threads": ("cpu", 2, False),
    "cpu-dynamic": ("cpu", 1, True),
    "reference": ("reference", 1, False),
    "interpreter": ("interpreter", 1, False),
}

# Models that the slow backends do not run unless asked to: `reference` tiles
# and vectorises nothing, the interpreter generates no code.
HEAVY = {"light_resnet50", "light_inception_v1", "light_vgg19",
         "superres_core", "rw-light_resnet50", "rw-light_inception_v1",
         "rw-light_vgg19"}

# Models of numbers of few bits, which signal over noise judges.
RATIOS = {
    "bert_mini_fp16": tolerances.HALF_NETWORK,
    "mobilenet_v2_fp16": tolerances.HALF_NETWORK,
    "bert_mini_dynq": tolerances.DYNAMICALLY_QUANTIZED_NETWORK,
    "mobilenet_v2_dynq": tolerances.DYNAMICALLY_QUANTIZED_NETWORK,
    "llm_int4": tolerances.FOUR_BIT_NETWORK,
}
SLOW = {"reference", "interpreter"}


def random_twins(models):
    """Writes the random-weight twins into the build folder and finds them."""
    tool = models.parent / "tools" / "make_rw.py"
    output = cli.ROOT / "build" / "models-rw"
    if not tool.exists():
        return {}
    print("writing the random-weight twins", flush=True)
    process = subprocess.run([sys.executable, str(tool), str(output)],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True)
    if process.returncode != 0:
        print(f"{tool} failed: {process.stdout.strip()}")
        return {}
    return {f"rw-{name}": path
            for name, path in suite.find_tests(output).items()}


def select(tests, configuration, expected, args):
    """The models to run in one configuration."""
    names = [name for name in tests if not args.model or name in args.model]
    if configuration in SLOW and not args.full:
        names = [name for name in names if name not in HEAVY]
    if not args.all:
        names = [name for name in names if name in expected]
    return names


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--backend", choices=CONFIGURATIONS, action="append",
                        help="a configuration to run in (default: all)")
    parser.add_argument("--model", action="append",
                        help="a model to run (default: all)")
    parser.add_argument("--full", action="store_true",
                        help="also the heavy models on the slow backends")
    parser.add_argument("--all", action="store_true",
                        help="also models that are not expected to pass")
    parser.add_argument("--update", action="store_true",
                        help="add what passes to the expected-pass list")
    parser.add_argument("--timeout", type=int, default=600, help="in seconds")
    args = parser.parse_args()

    models = suite.models_folder()
    if not models.is_dir():
        print(f"skipped: no models in {models} (NACRE_MODELS names another "
              "folder)")
        print(suite.summary(0, 0, 1))
        return 0
    tests = {**suite.find_tests(models), **random_twins(models)}
    expectations = suite.ExpectedPasses(EXPECTED)
    counts = [0, 0, 0]
    for configuration in args.backend or CONFIGURATIONS:
        expected = expectations.names(configuration)
        names = select(tests, configuration, expected, args)
        for absent in sorted(expected - set(tests)):
            print(f"skipped: {absent} on {configuration}: not in {models}")
            counts[2] += 1
        backend, threads, dynamic = CONFIGURATIONS[configuration]

        def report(done, total, outcome):
            print(f"{outcome.kind}: {outcome.name} on {configuration} "
                  f"({outcome.seconds:.1f} s) {outcome.message}", flush=True)

        options = dict(backend=backend, threads=threads, dynamic=dynamic,
                       timeout=args.timeout)
        outcomes = suite.check_all(
            [(name, dict(options, folder=tests[name], snr=RATIOS.get(name)))
             for name in names],
            # Two at a time, if there are cores for their threads.
            jobs=max(1, min(2, os.cpu_count() or 1) // threads), report=report)
        passed, failed, skipped, new = suite.judge(
            outcomes, expected & set(names))
        counts = [a + len(b) for a, b in zip(counts, (passed, failed, skipped))]
        if args.update and new:
            expectations.add([outcome.name for outcome in new], configuration)
            expectations.write()
    print(suite.summary(*counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
