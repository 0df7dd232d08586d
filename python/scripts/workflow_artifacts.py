# ===- workflow_artifacts.py - What is written of models -------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of what nacre writes of whole networks: ONNX, listings beside bundles,
graphs that are optimised, values, traces."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx

import nacre
from nacre import cli, data
from nacre.fuzz import engine

import bench_accuracy
import bench_variants
import workflow
from workflow import Missing, at_least, at_most, none_of

sys.path.insert(1, str(workflow.PYTHON / "tests"))

import test_dump_tensors  # noqa: E402
import test_export  # noqa: E402
import test_listing  # noqa: E402

# Of one network in ONNX Runtime, before and after.
SAME_DECIBELS = 80
FUZZ_SEED, FUZZ_GRAPHS, FUZZ_BATCH = 11, 2000, 10
TAPPED = ("mnist8", "ultraface_rfb320", "mobilenet_v2", "bert_mini",
          "silero_vad_static16k")
TAP_SHARE = 1e-4
STEPS_SHARE = 0.05
TRACES = 10
# What the call of a model takes besides its steps, and two clocks.
CALL_MICROSECONDS = 0.5


def compare(expected, found):
    """Signal over noise; infinite where there is none."""
    if np.array_equal(expected, found):
        return np.inf
    return bench_accuracy.decibels(np.float64(expected), np.float64(found))


def check_round_trips(names):
    """A network that is exported, imported and exported again is the same, and
    computes the same in ONNX Runtime."""
    changed, total, noise = [], 0, {}
    for name, folder in workflow.models(names).items():
        path = folder / "model.onnx"
        total += 1
        with tempfile.TemporaryDirectory() as scratch:
            once, twice = (pathlib.Path(scratch) / f"{i}.onnx" for i in (1, 2))
            test_export.export(path, once, "imported")
            test_export.export(once, twice, "imported")
            if once.read_bytes() != twice.read_bytes():
                changed.append(name)
            feed = data.read_inputs(path, folder / "test_data_set_0")
            try:
                noise[name] = min(map(compare, workflow.run_peer(path, feed),
                                      workflow.run_peer(once, feed)))
            except Missing as error:
                yield workflow.Row(f"{name}: in ONNX Runtime as before",
                                   f"install {error}", "", workflow.SKIPPED)
            except RuntimeError as error:
                yield workflow.Row(f"{name}: in ONNX Runtime as before",
                                   str(error), "it runs", workflow.FAIL)
    yield none_of("networks that are the same after a second round", changed,
                  total)
    if noise:
        wrong = [f"{name} ({found:.0f} dB)" for name, found in noise.items()
                 if found < workflow.floor_of(name, SAME_DECIBELS)]
        yield none_of(f"ONNX Runtime's outputs as before, {SAME_DECIBELS} dB",
                      wrong, len(noise))


def check_arenas(names):
    """The arena of a listing of kernels is that of the bundle's header."""
    wrong, total = [], 0
    for name, folder in workflow.models(names).items():
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            listing = scratch / "kernels.lst"
            try:
                cli.nacre("compile", folder / "model.onnx", "--emit=bundle",
                          "-O0", "-o", scratch / "bundle", "--name=net",
                          "--weights-text=never", f"--dump-listing={listing}",
                          "--listing-level=kernels",
                          *workflow.first_inputs(folder))
            except nacre.NacreError as error:
                if error.code != cli.Exit.UNSUPPORTED:
                    raise
                print(f"  {name} has no bundle: "
                      f"{error.message.splitlines()[0]}", flush=True)
                continue
            total += 1
            test_listing.verify(listing)
            arena = test_listing.get_arena(listing.read_text())
            header = (scratch / "bundle" / "net.h").read_text()
            found = re.search(r"NET_ACTIVATIONS_MEM_SIZE (\d+)", header)[1]
            if found != arena:
                wrong.append(f"{name} ({arena} is not {found})")
    yield none_of("arena of a listing is that of the bundle", wrong, total)


def count_kinds(path, scratch):
    """How many operations of each kind a network has, as imported and
    optimised."""
    optimized = scratch / "optimized.mlir"
    cli.nacre("compile", path, "--emit=ie", "-o", optimized)
    return (bench_variants.count_operations("nacre-translate", path,
                                            "--import-onnx"),
            bench_variants.count_operations("nacre-opt", optimized))


def check_graphs(names):
    """What the graph optimiser makes of networks."""
    for name, folder in workflow.models(names).items():
        if name not in ("light_shufflenet", "ultraface_rfb320", "bert_mini"):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            before, after = count_kinds(folder / "model.onnx",
                                        pathlib.Path(scratch))
        if name == "light_shufflenet":
            yield at_most(f"{name}: operations", after.total(),
                          before.total() - 1, more=f" of {before.total()}")
        elif name == "ultraface_rfb320":
            kinds = ("Concat", "Slice", "Transpose")
            counts = [sum(part[kind] for kind in kinds)
                      for part in (before, after)]
            yield at_most(f"{name}: {', '.join(kinds)}", counts[1],
                          counts[0] - 1, more=f" of {counts[0]}")
        else:
            yield at_least(f"{name}: LayerNormalization", after["LayerNormalization"],
                           9)
            products = [part["MatMul"] + part["Gemm"] for part in (before, after)]
            yield at_most(f"{name}: products, 12 by threes merged", products[1],
                          products[0] - 8, more=f" of {products[0]}")


def check_random_graphs():
    """Graphs of what is rewritten, as imported and as optimised, on the
    interpreter."""
    campaign = engine.Campaign(FUZZ_SEED, FUZZ_BATCH, only="patterns",
                               choose=lambda _: [engine.OPTIMIZED])
    failures = campaign.run(0, FUZZ_GRAPHS)
    yield at_most(f"random graphs of {FUZZ_GRAPHS} that differ", len(failures), 0)


def check_taps(names):
    """Values of a run are those of outputs of their names in ONNX Runtime."""
    for name in TAPPED:
        if names and name not in names:
            continue
        path = workflow.model(name)
        folder = path.parent / "test_data_set_0"
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            cli.nacre("check", path, folder,
                      f"--dump-tensors={scratch / 'values'}")
            values, _ = test_dump_tensors.read_dump(scratch / "values")
            model = onnx.load(str(path))
            known = {value.name for value in
                     onnx.shape_inference.infer_shapes(model).graph.value_info}
            # Nodes that nobody reads are in no run of nacre's.
            names_of_values = [value for node in model.graph.node
                               for value in node.output
                               if value in known and value in values]
            tapped = test_dump_tensors.with_outputs(model, names_of_values)
            onnx.save(tapped, str(scratch / "tapped.onnx"))
            found = workflow.run_peer(scratch / "tapped.onnx",
                                      data.read_inputs(path, folder))
        worst, where = max(
            (difference(values[output.name], array), output.name)
            for output, array in zip(tapped.graph.output, found))
        yield at_most(f"{name}: {len(found)} values, of the largest element",
                      worst, TAP_SHARE, more=f" in '{where}'")


def difference(ours, theirs):
    """The largest difference, as a share of the largest element."""
    ours, theirs = (np.asarray(array, np.float64).reshape(-1)
                    for array in (ours, theirs))
    if not ours.size:
        return 0.0
    return np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-30)


def trace(folder):
    """Microseconds of a network's steps in a trace, of their run, and of the runs
    before it, which are measured."""
    with tempfile.TemporaryDirectory() as scratch, bench_variants.one_core():
        scratch = pathlib.Path(scratch)
        result = cli.nacre(
            "bench", folder / "model.onnx", folder / "test_data_set_0",
            "--snr=-99", "--json", "--seconds=0.2", "--trace-level=operator",
            f"--trace={scratch / 'trace.json'}")
        events = json.loads((scratch / "trace.json").read_text())["traceEvents"]
    events = [event for event in events if event["ph"] == "X"]
    whole, = (event["dur"] for event in events if event["name"] == "run")
    steps = sum(event["dur"] for event in events
                if "kernel" in event.get("args", {}))
    return (steps, whole,
            1000 * json.loads(result.splitlines()[-1])["median_ms"])


def check_traces(names):
    """What steps of a trace take is what their run does, and what measured runs
    do: in one of some traces, since one run alone is easily disturbed."""
    apart, others = [], []
    for name, folder in workflow.models(names).items():
        for _ in range(TRACES):
            steps, whole, measured = trace(folder)
            shares = [max(abs(steps - time) - CALL_MICROSECONDS, 0) / time
                      for time in (whole, measured)]
            if max(shares) <= STEPS_SHARE:
                break
        apart.append((shares[0], name))
        others.append((shares[1], name))
        print(f"  {name}: {steps:.1f} of {whole:.1f} µs, {measured:.1f} measured",
              flush=True)
    for what, found in (("their run", apart), ("measured runs", others)):
        share, name = max(found)
        yield at_most(f"sum of {len(found)} networks' steps, apart from {what}",
                      share, STEPS_SHARE, more=f" in {name}")
