#!/usr/bin/python3
# ===- check_code.py - What the code of whole networks promises ------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the code of whole networks without running it.

arena   the planned arena is at most 1.05 times the largest set of values that
        are live together, which no plan can go below
spills  no vector is spilled to the stack inside the innermost loop of a kernel,
        for any architecture; not of networks in dynamic int8 or of 4-bit
        weights, most of whose loops are no kernels of the engine's, so that
        LLVM allots their registers
cost    the compiler takes little time and memory, and code stays small

The networks are those that check_models.py expects to pass. Their twins with
random weights have the same code; only `cost` needs them, since weights that
are one constant are cheaper to store than real ones.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli, data, suite  # noqa: E402
from nacre.compiled import CompiledModel  # noqa: E402

import check_models  # noqa: E402

# By name, not the host: the same everywhere.
ARCHITECTURES = ("x86-64-v3", "x86-64-v4", "znver4")
ARENA_SLACK = 1.05
SOFTWARE_NETWORKS = {"mobilenet_v2_dynq", "llm_int4"}
VECTOR_BYTES = 16

COST_MODEL = "rw-light_resnet50"
MOST_SECONDS = 30
# Times the model's file, the compiler itself included. Of one architecture: with
# AVX2 alone more of its convolutions are Winograd's of 4x4, which have
# four weights for each of the model's.
MOST_MEMORY = 3
COST_ARCHITECTURE = "znver4"
MOST_CODE = 1 << 20


def compile_to(output, folder, *options):
    """Compiles the model of a test folder, dynamic inputs as in its data."""
    model = folder / "model.onnx"
    shapes = data.shape_options(
        model, data.read_inputs(model, folder / "test_data_set_0"))
    cli.nacre("compile", model, "-o", output, *shapes, *options, timeout=600)
    return output


def check_arena(folder, work, threads):
    """Why the arena of one model is too large; None when it is not."""
    text = compile_to(work / "model.mlir", folder, "--emit=loops",
                      f"--threads={threads}").read_text()
    sizes = []
    for name in ("arena_bytes", "arena_lower_bound"):
        match = re.search(rf"nacre\.{name} = (\d+)", text)
        if not match:
            return f"nothing says what nacre.{name} is"
        sizes.append(int(match[1]))
    planned, bound = sizes
    if planned > ARENA_SLACK * bound:
        return f"{planned} bytes, {planned / max(bound, 1):.3f} of {bound}"
    return None


def inner_spills(assembly):
    """Vector spills and reloads in innermost loops, by function.

    LLVM's comments say which block is of which loop, and what is a spill. A loop
    that calls a function, such as memcpy, computes nothing: no vector survives
    the call in a register."""
    inner, calling, counts = set(), set(), collections.Counter()
    function = block = loop = None
    for line in assembly.splitlines():
        code, _, comment = line.partition("#")
        label = re.match(r"([\w.$]+):", code)
        if label and not label[1].startswith("."):
            function, block, loop = label[1], None, None
        elif label or comment.startswith(" %bb."):
            block = label[1].removeprefix(".L") if label else None
            loop = None
        if "This Inner Loop Header" in comment:
            inner.add(block)
            loop = block
        header = re.search(r"in Loop: Header=(\w+)", comment)
        if header:
            loop = header[1]
        spill = re.search(r"(\d+)-byte (?:Folded )?(?:Spill|Reload)", comment)
        if code.split()[:1] == ["callq"]:
            calling.add(loop)
        if spill and loop and int(spill[1]) >= VECTOR_BYTES:
            counts[function, loop] += 1
    functions = collections.Counter()
    for (function, loop), count in counts.items():
        if loop in inner - calling:
            functions[function] += count
    return functions


def check_spills(folder, work, architecture):
    """Why the kernels of one model are refused; None when they are not."""
    assembly = compile_to(work / "model.s", folder, "--emit=asm",
                          f"--vpu-arch={architecture}").read_text()
    # A small network may have no loop at all.
    if "# %bb." not in assembly:
        return "the assembly has no comments on its blocks"
    spills = inner_spills(assembly)
    return "; ".join(f"{count} in {function}"
                     for function, count in sorted(spills.items())) or None


def check_cost(folder, work):
    """Why compiling one model costs too much; None when it does not."""
    library = work / "model.so"
    size = (folder / "model.onnx").resolve().stat().st_size
    memory, seconds = cli.measure("compile", folder / "model.onnx",
                                  f"--vpu-arch={COST_ARCHITECTURE}", "-o",
                                  library)
    weights = CompiledModel(library).metadata["weight_bytes"]
    code = library.stat().st_size - weights
    print(f"  {seconds:.1f} s of CPU time, {memory >> 20} MB of memory "
          f"for a model of {size >> 20} MB, {code >> 10} KB of code",
          flush=True)
    if seconds > MOST_SECONDS:
        return f"took {seconds:.0f} s"
    if memory > MOST_MEMORY * size:
        return f"took {memory / size:.2f} times the model's memory"
    if code > MOST_CODE:
        return f"{code} bytes of code"
    return None


def why_refused(check):
    """What one of the checks says, in a folder of its own."""
    _, function, folder, *arguments = check
    with tempfile.TemporaryDirectory() as name:
        try:
            return function(folder, pathlib.Path(name), *arguments)
        except cli.NacreError as error:
            return str(error)


def report(outcomes, first, total):
    """Prints checks with why they are refused; returns how many are."""
    failed = 0
    for number, ((what, *_), reason) in enumerate(outcomes, first):
        failed += reason is not None
        print(f"[{number}/{total}] "
              + (f"FAIL: {what}: {reason}" if reason else f"pass: {what}"),
              flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", choices=("arena", "spills", "cost"),
                        action="append", help="what to check (default: all)")
    parser.add_argument("--model", action="append",
                        help="a model to check (default: all)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1),
                        help="checks at a time (default: %(default)s)")
    args = parser.parse_args()
    checks = args.check or ["arena", "spills", "cost"]

    models = suite.models_folder()
    if not models.is_dir():
        print(f"skipped: no models in {models} (NACRE_MODELS names another "
              "folder)")
        print(suite.summary(0, 0, 1))
        return 0
    expected = suite.ExpectedPasses(check_models.EXPECTED).names("cpu")
    tests = {name: folder for name, folder in suite.find_tests(models).items()
             if name in expected and (not args.model or name in args.model)}
    checks_of_models = []
    for model, folder in tests.items():
        if "arena" in checks:
            checks_of_models += [(f"arena of {model}, {threads} threads",
                                  check_arena, folder, threads)
                                 for threads in (1, 2)]
        if "spills" in checks and model not in SOFTWARE_NETWORKS:
            checks_of_models += [(f"spills of {model}, {arch}",
                                  check_spills, folder, arch)
                                 for arch in ARCHITECTURES]
    skipped = 0
    # By itself, as it looks at a clock.
    costs = []
    if "cost" in checks and (not args.model or COST_MODEL in args.model):
        twins = check_models.random_twins(models)
        if COST_MODEL in twins:
            costs.append((f"cost of {COST_MODEL}", check_cost,
                          twins[COST_MODEL]))
        else:
            print(f"skipped: cost: no {COST_MODEL}")
            skipped = 1
    total = len(checks_of_models) + len(costs)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        reasons = pool.map(why_refused, checks_of_models)
        failed = report(zip(checks_of_models, reasons), 1, total)
    failed += report(zip(costs, map(why_refused, costs)),
                     len(checks_of_models) + 1, total)
    print(suite.summary(total - failed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
