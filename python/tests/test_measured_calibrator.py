# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--calibrator=measured`: the calibrator that is the best on samples."""

import re

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli

# Decibels by which ranges without outliers are better at least, where what these
# become is limited: with them, a few of 256 steps are left for all else.
GAIN = 6


def save(folder, clipped):
    """Sums of numbers of which few are large, limited where `clipped`."""
    rng = np.random.default_rng(1)
    nodes = [builders.node("Gemm", ["x", "w", "b"], ["sum"], "sum")]
    if clipped:
        nodes.append(builders.node("Clip", ["sum", "low", "high"], ["y"]))
    else:
        nodes.append(builders.node("Identity", ["sum"], ["y"]))
    onnx.save(builders.model(
        nodes, {"x": ("float32", [1, 64])}, {"y": ("float32", [1, 8])},
        weights={"w": np.abs(rng.standard_normal((64, 8))).astype(np.float32),
                 "b": rng.standard_normal(8).astype(np.float32),
                 "low": np.float32(-20), "high": np.float32(20)}),
        str(folder / "net.onnx"))
    return folder / "net.onnx"


def make_samples():
    rng = np.random.default_rng(2)
    samples = []
    for number in range(64):
        x = rng.standard_normal((1, 64)).astype(np.float32)
        if number % 16 == 0:
            x[0, number % 64] = 1000
        samples.append({"x": x})
    return samples


def decibels(net, small, samples):
    wanted, found = ([nacre.InferenceSession(str(path)).run(None, feed)[0]
                      for feed in samples] for path in (net, small))
    wanted, found = np.stack(wanted), np.stack(found)
    return 10 * np.log10((wanted ** 2).sum() / ((wanted - found) ** 2).sum())


def read_calibrators(ranges):
    """Decibels by name, as a profile has them."""
    text = ranges.read_text().split("\ncalibrators:")[1]
    return {name: float(number) for name, number in re.findall(
        r"- name: +(\w+)\n +decibels: +([-\w.]+)", text)}


def quantize(net, name, data=None, **options):
    small = net.parent / f"{name}.onnx"
    nacre.quantize(net, small, data, **options)
    return small


def test_best_calibrator_is_that_of_the_outputs(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    plain = quantize(net, "plain", samples)
    small = quantize(net, "small", samples, calibrator="measured")
    gain = decibels(net, small, samples) - decibels(net, plain, samples)
    assert gain > GAIN
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert list(tried) == ["mse", "minmax", "percentile", "entropy"]
    best = max(tried, key=tried.get)
    assert best in ("percentile", "entropy")
    named = quantize(net, "named", ranges=tmp_path / "small.ranges.yaml",
                     calibrator=best)
    assert named.read_bytes() == small.read_bytes()


def test_outliers_that_count_are_kept(tmp_path):
    net, samples = save(tmp_path, clipped=False), make_samples()
    quantize(net, "small", samples, calibrator="measured")
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert max(tried, key=tried.get) in ("mse", "minmax")


def test_ranges_say_which_one_was_best(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    small = quantize(net, "small", samples, calibrator="measured")
    ranges = tmp_path / "small.ranges.yaml"
    cli.nacre("compile", net, f"--ranges={ranges}", "--calibrator=measured",
              "-o", tmp_path / "net.s")
    cli.nacre("compile", small, "--name=net", "-o", tmp_path / "small.s")
    assert ((tmp_path / "net.s").read_text()
            == (tmp_path / "small.s").read_text())
    # Without the option it is of no account.
    quantize(net, "plain", samples)
    other = quantize(net, "other", ranges=ranges)
    assert other.read_bytes() == (tmp_path / "plain.onnx").read_bytes()


def test_samples_of_several_shapes_count(tmp_path):
    model = onnx.load(str(save(tmp_path, clipped=True)))
    for value in model.graph.input[0], model.graph.output[0]:
        value.type.tensor_type.shape.dim[0].dim_param = "n"
    onnx.save(model, str(tmp_path / "net.onnx"))
    rows = [feed["x"] for feed in make_samples()]
    samples = [{"x": np.concatenate(rows[:24])}, {"x": np.concatenate(rows[24:])}]
    quantize(tmp_path / "net.onnx", "small", samples, calibrator="measured")
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert max(tried, key=tried.get) in ("percentile", "entropy")


def test_16_bits_have_no_entropy(tmp_path):
    net = save(tmp_path, clipped=False)
    quantize(net, "small", make_samples(), calibrator="measured",
             activations="int16")
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert list(tried) == ["mse", "minmax", "percentile"]


def test_repairs_and_biases_are_measured_with_it(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    small = quantize(net, "small", samples, calibrator="measured",
                     rounding="hessian", bias_correction="exact")
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert all(f"\n{part}:" in text
               for part in ("calibrators", "repairs", "biases"))
    again = quantize(net, "again", ranges=tmp_path / "small.ranges.yaml",
                     calibrator="measured", rounding="hessian",
                     bias_correction="exact")
    assert again.read_bytes() == small.read_bytes()


def test_report_says_so(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    quantize(net, "small", samples, calibrator="measured",
             report=tmp_path / "report.txt")
    assert ("the calibrator that runs found the best"
            in (tmp_path / "report.txt").read_text())


@pytest.mark.parametrize("command, match", [
    (["compile", "--ranges={ranges}"],
     "needs ranges that say which one was best, found none in .*r.yaml'"),
    (["quantize", "--ranges={ranges}"],
     "nacre quantize --calibrator=measured with --data"),
    (["tune", "--data=.", "--target=sqnr>=20"],
     "tune measures ranges, not calibrators"),
    (["compile"], "--calibrator needs --ranges")])
def test_ranges_without_a_choice_are_refused(tmp_path, command, match):
    net = save(tmp_path, clipped=True)
    nacre.calibrate(net, make_samples(), tmp_path / "r.yaml")
    verb, *options = (part.format(ranges=tmp_path / "r.yaml")
                      for part in command)
    with pytest.raises(nacre.NacreError, match=match) as error:
        cli.nacre(verb, net, *options, "--calibrator=measured", "-o",
                  tmp_path / "x.onnx")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "x.onnx").exists()


def test_unknown_choice_is_refused(tmp_path):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), calibrator="measured")
    ranges = tmp_path / "small.ranges.yaml"
    ranges.write_text(re.sub(r"(calibrators:\s+- name: +)mse", r"\1best",
                             re.sub(r"(?<=decibels:) +\S+", " 0",
                                    ranges.read_text())))
    with pytest.raises(nacre.NacreError, match="--calibrator needs mse"):
        quantize(net, "other", ranges=ranges, calibrator="measured")
