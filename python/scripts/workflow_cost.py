# ===- workflow_cost.py - What quantizing takes and gains ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of what measuring ranges costs, and how much faster quantized models
are."""

import json
import pathlib
import tempfile
import time
import types

import numpy as np

import nacre
from nacre import cli

import accuracy_data as data
import bench
import bench_variants
import workflow
from workflow import Missing, at_least, at_most

RANGES_MODEL = "mobilenet_v2"
MANY_SAMPLES, FEW_SAMPLES = 1000, 128
EXTRA_MEGABYTES, SECONDS = 300, 60
MEGABYTE = 1 << 20

# Multiply-accumulates from which a model counts as large.
LARGE = 10e6
# Of the time of the model in f32, at most.
LARGE_TIME, SMALL_TIME = 1.0, 1.15
GAIN, GAIN_OVER_PEER = 1.8, 1.5
RACE = types.SimpleNamespace(rounds=5, seconds=0.2)
# A model that computes other numbers than its data have is raced all the same.
ANY_RESULT = "--snr=-99"


def write_samples(folder, count):
    """As many files as samples, some of which are the same."""
    images, _ = data.colour_images(np.random.default_rng(4), 16, 224, 224)
    for i in range(count):
        path = folder / f"input_{i}.npy"
        if i < len(images):
            np.save(path, ((images[i] - 0.45) / 0.225)[None].astype(np.float32))
        else:
            path.hardlink_to(folder / f"input_{i % len(images)}.npy")


def calibrate(folder, count):
    """What measures the ranges of so many samples in a folder."""
    samples = folder / "samples"
    samples.mkdir()
    write_samples(samples, count)
    return ["calibrate", workflow.model(RANGES_MODEL), f"--data={samples}",
            f"--samples={count}", "-o", folder / "ranges.yaml"]


def check_range_seconds():
    with tempfile.TemporaryDirectory() as folder:
        words = calibrate(pathlib.Path(folder), FEW_SAMPLES)
        start = time.monotonic()
        cli.nacre(*words)
        yield at_most(f"{RANGES_MODEL}: {FEW_SAMPLES} samples",
                      time.monotonic() - start, SECONDS, " s")


def check_range_memory():
    with tempfile.TemporaryDirectory() as folder:
        words = calibrate(pathlib.Path(folder), MANY_SAMPLES)
        peak = cli.measure(*words).memory / MEGABYTE
    run = cli.measure("run", workflow.model(RANGES_MODEL)).memory / MEGABYTE
    yield at_most(f"{RANGES_MODEL}: memory of {MANY_SAMPLES} samples beyond a "
                  "run's", peak - run, EXTRA_MEGABYTES, " MB",
                  f", {peak:.0f} instead of {run:.0f}")


def is_convolutional(report):
    return any("Conv" in product["op"] for product in report["products"])


def quantizes(product):
    """True for a product that was of floats, and is one of integers."""
    return "snr_db" in product and product["precision"].startswith("int")


def quantize(folder, scratch):
    """The quantized model of a network and its report; none where no product
    becomes one of integers: both would be the same code."""
    small, report = scratch / "small.onnx", scratch / "report.json"
    try:
        cli.nacre("quantize", folder / "model.onnx", f"--data={folder}", "-o",
                  small, f"--report={report}")
    except nacre.NacreError as error:
        if error.code == cli.Exit.INTERNAL:
            raise
        return None, error.message.splitlines()[0]
    report = json.loads(report.read_text())
    if not any(map(quantizes, report["products"])):
        return None, "nothing to quantize"
    return small, report


def check_speed(names):
    """The time of networks in f32 over that of the quantized ones."""
    try:
        peer = workflow.peer()
    except Missing as error:
        peer = None
        yield workflow.Row("ONNX Runtime on the same files", f"install {error}",
                           "", workflow.SKIPPED)
    gains, over_peer = [], []
    for name, folder in workflow.models(names).items():
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            small, report = quantize(folder, scratch)
            if small is None:
                print(f"  {name} is left out: {report}", flush=True)
                continue
            libraries = [scratch / "small.so", scratch / "plain.so"]
            for path, library in zip((small, folder / "model.onnx"), libraries):
                cli.nacre("compile", path, *workflow.first_inputs(folder), "-o",
                          library)
            inputs = folder / "test_data_set_0"
            gain, _ = bench_variants.race(*libraries, inputs, RACE)
            large = report["macs"] >= LARGE
            yield at_most(f"{name}: time of that in f32", 1 / gain,
                          LARGE_TIME if large else SMALL_TIME,
                          more=f", {report['macs'] / 1e6:.1f} million MACs")
            if not is_convolutional(report):
                continue
            if large:
                gains.append(gain)
            if peer:
                over_peer.append(race_peer(peer, small, libraries[0], inputs))
                print(f"  {name}: {over_peer[-1]:.2f} times as fast as ONNX "
                      "Runtime", flush=True)
    if gains:
        yield at_least("convolutional models: geometric mean of gains",
                       bench.geometric_mean(gains), GAIN,
                       more=f" of {len(gains)}")
    if over_peer:
        yield at_least("the same files in ONNX Runtime: geometric mean",
                       bench.geometric_mean(over_peer), GAIN_OVER_PEER,
                       more=f" of {len(over_peer)}")


def race_peer(peer, path, library, inputs):
    """ONNX Runtime's time for a model over that of nacre's library of it."""
    ratios = []
    for index in range(RACE.rounds):
        theirs, ours = bench.take_turns(
            [peer, path, inputs, 1, RACE.seconds],
            [cli.tool(), "bench", library, inputs, "--threads=1", ANY_RESULT,
             f"--seconds={RACE.seconds}", "--json"], index)
        ratios.append(theirs["median_ms"] / ours["median_ms"])
    return float(np.median(ratios))
