#!/usr/bin/python3
# ===- check_workflow.py - From f32 to bytes, and what looks inside ---------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what nacre promises of quantization, bundles, listings, graph passes and
instrumentation, entry by entry.

Some checks are files of the test suites, some are other scripts, which this one
runs; the others measure whole networks and compare with a bound. The table at the
end has what was measured, the bound and the verdict of each. The exit status is 1
where one failed, or none passed. What cannot be checked here is skipped, with the
name of what is to be installed: `.ci/setup.sh --bench` installs photographs and
speech; the networks are in the folder that NACRE_MODELS names.

examples:
  check_workflow.py --list
  check_workflow.py --only=bundle --only=listing
  check_workflow.py --only=accuracy --model=digits
  check_workflow.py --times=without            # beside other work
"""

import argparse
import collections
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import nacre  # noqa: E402
from nacre import progress  # noqa: E402

import entries  # noqa: E402
import workflow  # noqa: E402
import workflow_accuracy  # noqa: E402
import workflow_artifacts  # noqa: E402
import workflow_cost  # noqa: E402
from workflow import FAIL, PASS, SKIPPED, Row, lit, pytest  # noqa: E402

# How the checks with clocks count.
TIMES = ("with", "without", "only")
VARIANT_MODELS = ("bert_mini", "light_shufflenet", "light_squeezenet", "mnist8",
                  "mobilenet_v2", "silero_vad_static16k", "ultraface_rfb320")

# CHECKS give rows; TIMED ones measure time, which other processes disturb.
Entry = collections.namedtuple("Entry", "name about checks timed")


def race_variants(what, names):
    """The races of bench_variants.py."""
    folders = workflow.models(names or VARIANT_MODELS).values()
    return workflow.script("bench_variants.py", what, "--seconds=0.1", *folders)


def list_entries(names, build):
    """All entries, for networks of those NAMES if any."""
    def transforms(*tests):
        return lit(build, "Dialect/IE/Transforms", *tests)

    return [
        Entry("accuracy", "quantized models against f32 and ONNX Runtime",
              [lambda: workflow_accuracy.check_models(names)], []),
        Entry("ranges", "what calibration gives, keeps and takes",
              [lambda: pytest("test_quantization.py", "test_sample_batches.py",
                              "test_calibration_memory.py",
                              "test_quantization_data.py"),
               workflow_cost.check_range_memory],
              [workflow_cost.check_range_seconds]),
        Entry("schemas", "each schema, type, bias and granularity",
              [lambda: pytest("test_quantization_grid.py",
                              "test_quantize_wide.py"),
               workflow_accuracy.check_schemas], []),
        Entry("speed", "quantized networks against f32 and ONNX Runtime",
              [lambda: pytest("test_quantized_models.py"),
               lambda: transforms("fold-quantization",
                                  "fuse-quantization")],
              [lambda: workflow_cost.check_speed(names)]),
        Entry("repairs", "equalization, smoothing, rounding, biases",
              [lambda: pytest("test_repairs.py", "test_bias_correction.py")], []),
        Entry("tune", "the layers that need more bits", [],
              [lambda: pytest("test_tune.py")]),
        Entry("doors", "commands, options and Python do the same",
              [lambda: pytest("test_quantization_doors.py", "test_quantize.py",
                              "test_quantize_dynamic.py",
                              "test_quantize_weights.py",
                              "test_quantization_report.py",
                              "test_assert_quantized.py")], []),
        Entry("export", "models as ONNX again",
              [lambda: pytest("test_export.py"),
               lambda: lit(build, "Export"),
               lambda: workflow_artifacts.check_round_trips(names)], []),
        Entry("bundle", "code, weights and header, here and on other machines",
              [lambda: pytest("test_bundle.py", "test_killed_bundle.py",
                              "test_cross_targets.py"),
               lambda: lit(build, "Emit", "cross", "bare-metal"),
               lambda: lit(build, "Driver", "target", "code-options")], []),
        Entry("listing", "what a listing says is what is made",
              [lambda: pytest("test_listing.py"),
               lambda: lit(build, "Listing"),
               lambda: workflow_artifacts.check_arenas(names)], []),
        Entry("graph-passes", "the graph optimiser keeps results and speed",
              [transforms,
               lambda: pytest("test_fuzz_patterns.py"),
               lambda: workflow_artifacts.check_graphs(names),
               workflow_artifacts.check_random_graphs],
              [lambda: race_variants("graph", names)]),
        Entry("instrumentation", "values, hooks and traces of a run",
              [lambda: pytest("test_dump_tensors.py", "test_tap_kernels.py",
                              "test_hooks.py"),
               lambda: workflow_artifacts.check_taps(names)],
              [lambda: pytest("test_trace.py"),
               lambda: workflow_artifacts.check_traces(names),
               lambda: race_variants("hooks", names)]),
        Entry("classify", "pictures in, classes out",
              [lambda: pytest("test_classify.py")], []),
    ]


def run_check(name, check):
    """The rows of one check of that entry, each as soon as it is there."""
    try:
        yield from check()
    except workflow.Missing as error:
        yield Row(name, f"install {error}", "", SKIPPED)
    except (nacre.NacreError, RuntimeError, subprocess.SubprocessError) as error:
        yield Row(name, str(error).splitlines()[0], "no error", FAIL)


def run_entry(entry, times):
    """The rows of an entry."""
    checks = [*(entry.checks if times != "only" else ()),
              *(entry.timed if times != "without" else ())]
    for check in checks:
        rows = run_check(entry.name, check)
        while True:
            with progress.shown(entry.name):
                row = next(rows, None)
            if row is None:
                break
            print(f"{row.verdict}: {row.what}: {row.found}", flush=True)
            yield row


def table(rows):
    """(Entry, row) of each check, as Markdown."""
    lines = ["| entry | measured | found | bound | |", "|---|---|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(row) + " |" for name, row in rows]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME",
                        help="an entry to check (default: all); may be repeated")
    parser.add_argument("--model", action="append", metavar="NAME",
                        help="a network, where an entry looks at many; may be "
                             "repeated")
    parser.add_argument("--times", choices=TIMES, default="with",
                        help="with the checks that measure time, without them, "
                             "or these only (default: with)")
    entries.add_arguments(parser, "entries")
    args = parser.parse_args()
    known = list_entries(args.model, args.build)
    if args.list:
        entries.show(known)
        return 0
    rows = []
    for entry, found, seconds in entries.run_each(
            entries.choose(parser, known, args.only, "entry"),
            lambda entry: list(run_entry(entry, args.times))):
        rows += [(entry.name, row) for row in found]
        print(f"{seconds:.0f} s", flush=True)
    counts = collections.Counter(row.verdict for _, row in rows)
    print(f"\n{table(rows)}\n\n{counts[PASS]} passed, {counts[FAIL]} failed, "
          f"{counts[SKIPPED]} skipped")
    return 1 if counts[FAIL] or not counts[PASS] else 0


if __name__ == "__main__":
    sys.exit(main())
