# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calibrator where users name none: mse, or one that is clearly better."""

import re
import subprocess

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor
from test_measured_calibrator import (GAIN, decibels, make_samples, quantize,
                                      read_calibrators, save, write_sample)

# Multiply-accumulates of a sample, of which so many take too long.
LARGE = 1750


def is_chosen(ranges):
    return "\ncalibrators:" in ranges.read_text()


def run_quietly(*arguments):
    """What a command says on standard error."""
    return subprocess.run([cli.tool(), *map(str, arguments)], text=True,
                          capture_output=True, check=True).stderr


def test_clearly_better_calibrator_is_the_default(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    plain = quantize(net, "plain", samples, calibrator="mse")
    assert not is_chosen(tmp_path / "plain.ranges.yaml")
    small = quantize(net, "small", samples)
    assert decibels(net, small, samples) > GAIN + decibels(net, plain, samples)
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    best = max(tried, key=tried.get)
    assert best in ("percentile", "entropy")
    named = quantize(net, "named", samples, calibrator=best)
    assert named.read_bytes() == small.read_bytes()


def test_mse_stays_where_none_is_clearly_better(tmp_path):
    net, samples = save(tmp_path, clipped=False), make_samples()
    small = quantize(net, "small", samples)
    assert not is_chosen(tmp_path / "small.ranges.yaml")
    named = quantize(net, "named", samples, calibrator="mse")
    assert named.read_bytes() == small.read_bytes()


@pytest.mark.parametrize("options", [
    {}, {"calibrator": "auto"}, {"schema": "symmetric", "per_tensor": True}])
def test_all_doors_lead_to_the_same_choice(tmp_path, options):
    net, samples = save(tmp_path, clipped=True), make_samples()
    small = quantize(net, "small", samples, **options)
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml", **options)
    assert is_chosen(ranges)
    assert ranges.read_text() == (tmp_path / "small.ranges.yaml").read_text()
    again = quantize(net, "again", ranges=ranges, **options)
    assert again.read_bytes() == small.read_bytes()
    flags = [f"--{name.replace('_', '-')}" + ("" if value is True else
                                              f"={value}")
             for name, value in options.items()]
    cli.nacre("compile", net, f"--ranges={ranges}", *flags, "-o",
              tmp_path / "net.s")
    cli.nacre("compile", small, "--name=net", "-o", tmp_path / "small.s")
    assert ((tmp_path / "net.s").read_text()
            == (tmp_path / "small.s").read_text())


def test_named_calibrator_is_none_that_ranges_choose(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    plain = quantize(net, "plain", samples, calibrator="mse")
    other = quantize(net, "other", ranges=ranges, calibrator="mse")
    assert other.read_bytes() == plain.read_bytes()


def test_choice_for_other_integers_is_warned_of_and_left(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    said = run_quietly("quantize", net, f"--ranges={ranges}",
                       "--schema=symmetric", "-o", tmp_path / "other.onnx")
    assert said.count("warning: '") == 1
    assert ("r.yaml' has tried calibrators for asymmetric uint8, a scale for "
            "each channel, found symmetric, a scale for each channel: "
            "--calibrator is mse") in said
    named = quantize(net, "named", ranges=ranges, schema="symmetric",
                     calibrator="mse")
    assert named.read_bytes() == (tmp_path / "other.onnx").read_bytes()
    assert "warning" not in run_quietly(
        "quantize", net, f"--ranges={ranges}", "-o", tmp_path / "same.onnx")


@pytest.mark.parametrize("model, options", [
    ({"last": ("ArgMax", {"axis": 1}), "dtype": "int64", "shape": (1, 1)}, {}),
    ({}, {"keep": ["Gemm"]})])
def test_where_nothing_can_be_compared_it_is_mse(tmp_path, model, options):
    net = save(tmp_path, clipped=True, **model)
    small = quantize(net, "small", make_samples(), **options)
    assert not is_chosen(tmp_path / "small.ranges.yaml")
    named = quantize(net, "named", make_samples(), calibrator="mse", **options)
    assert named.read_bytes() == small.read_bytes()


@pytest.mark.parametrize("options", [
    {"activations": "none", "weights": "int8", "rounding": "hessian"},
    {"bias_correction": "exact"}])
def test_other_options_need_no_choice(tmp_path, options):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), **options)
    assert not is_chosen(tmp_path / "small.ranges.yaml")


def test_choice_is_not_for_exact_biases(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    assert is_chosen(ranges)
    options = {"ranges": ranges, "bias_correction": "exact"}
    small = quantize(net, "small", samples, **options)
    named = quantize(net, "named", samples, calibrator="mse", **options)
    assert small.read_bytes() == named.read_bytes()


def test_16_bits_beside_8_get_no_entropy(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    text = re.sub(r"(name: +entropy\n +decibels:).*", r"\1 299",
                  ranges.read_text())
    second = re.sub(r"(name: +minmax\n +decibels:).*", r"\1 298", text)
    ranges.write_text(second.replace(
        "\n...", "\noverrides:\n- {node: nothing, precision: int16}\n..."))
    wide = quantize(net, "wide", ranges=ranges)
    named = quantize(net, "named", ranges=ranges, calibrator="minmax")
    assert wide.read_bytes() == named.read_bytes()


def test_tune_chooses_for_ranges_that_it_measures(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    small = quantize(net, "small", samples)
    tuned = nacre.tune(net, tmp_path / "t.yaml", samples, "sqnr>=10")
    best = read_calibrators(tmp_path / "small.ranges.yaml")
    assert read_calibrators(tuned) == pytest.approx(best)
    again = quantize(net, "again", ranges=tuned)
    assert again.read_bytes() == small.read_bytes()
    assert not is_chosen(nacre.tune(net, tmp_path / "t.yaml", samples,
                                    "sqnr>=10", calibrator="mse"))


def test_tuned_ranges_have_the_choice_that_was_tuned_with(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    for precisions in "int8,f32", "int8,int16,f32":
        tuned = nacre.tune(net, tmp_path / "t.yaml", samples, "sqnr>=10",
                           ranges=ranges, precisions=precisions)
        tried = read_calibrators(tuned)
        assert ("entropy" in tried) == (precisions == "int8,f32")
        small = quantize(net, "small", ranges=tuned)
        assert decibels(net, small, samples) > 10


def test_choice_of_too_much_work_is_not_made(tmp_path):
    rng = np.random.default_rng(1)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Clip", ["p", "low", "high"], ["y"])],
        {"x": ("float32", [LARGE, LARGE])}, {"y": ("float32", [LARGE, LARGE])},
        weights={"w": rng.standard_normal((LARGE, LARGE)).astype(np.float32),
                 "low": np.float32(-20), "high": np.float32(20)}),
        str(tmp_path / "net.onnx"))
    x = rng.standard_normal((LARGE, LARGE)).astype(np.float32)
    x[0] = 1000
    net, samples = tmp_path / "net.onnx", [{"x": x}] * 4
    quantize(net, "small", samples)
    assert not is_chosen(tmp_path / "small.ranges.yaml")
    quantize(net, "asked", samples[:1], calibrator="measured")
    tried = read_calibrators(tmp_path / "asked.ranges.yaml")
    assert max(tried.values()) > tried["mse"] + 1


def test_output_says_which_one_it_is_and_why(tmp_path):
    net = save(tmp_path, clipped=True)
    write_sample(tmp_path / "data")
    said = cli.nacre("calibrate", net, f"--data={tmp_path / 'data'}", "-o",
                     tmp_path / "r.yaml")
    assert re.search(r"r.yaml: calibrator \w+: [\d.]+ dB in 1 runs", said)
    said = cli.nacre("calibrate", net, f"--data={tmp_path / 'data'}",
                     "--keep=Gemm", "-o", tmp_path / "r.yaml")
    assert ("r.yaml: calibrator mse: trying others finds nothing to quantize"
            in said)


def test_ranges_on_standard_output_are_those_of_a_file(tmp_path):
    net = save(tmp_path, clipped=True)
    for i, sample in enumerate(make_samples()):
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        write_tensor(tmp_path / "data" / str(i) / "input_0.pb", "x", sample["x"])
    command = ["calibrate", net, f"--data={tmp_path / 'data'}", "-o"]
    cli.nacre(*command, tmp_path / "r.yaml")
    text = (tmp_path / "r.yaml").read_text()
    assert is_chosen(tmp_path / "r.yaml")
    assert cli.nacre(*command, "-").startswith(text)


@pytest.mark.parametrize("command", [
    ["calibrate"], ["quantize"], ["tune", "--target=sqnr>=20"]])
def test_folder_that_is_missing_is_found_before_anything_runs(tmp_path, command):
    net = save(tmp_path, clipped=True)
    write_sample(tmp_path / "data")
    with pytest.raises(nacre.NacreError, match="cannot write '.*none/out.onnx': "
                       "no such folder") as error:
        cli.nacre(command[0], net, f"--data={tmp_path / 'data'}", *command[1:],
                  "-o", tmp_path / "none" / "out.onnx")
    assert error.value.code == cli.Exit.BAD_INPUT
