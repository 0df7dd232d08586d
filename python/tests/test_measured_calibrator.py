# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--calibrator=measured`: the calibrator that is the best on samples."""

import re

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor
from test_tune import keep_together

# Decibels by which ranges without outliers are better at least, where what these
# become is limited: with them, a few of 256 steps are left for all else.
GAIN = 6


def save(folder, clipped, last=None, dtype="float32", shape=(1, 8)):
    """Sums of numbers of which few are large, limited where `clipped`, then given
    to the node `last`, whose result has DTYPE and SHAPE."""
    rng = np.random.default_rng(1)
    nodes = [builders.node("Gemm", ["x", "w", "b"], ["sum"], "sum")]
    limited = "limited" if last else "y"
    if clipped:
        nodes.append(builders.node("Clip", ["sum", "low", "high"], [limited]))
    else:
        nodes.append(builders.node("Identity", ["sum"], [limited]))
    if last:
        nodes.append(builders.node(last[0], [limited], ["y"], **last[1]))
    onnx.save(builders.model(
        nodes, {"x": ("float32", [1, 64])}, {"y": (dtype, list(shape))},
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


def write_sample(folder):
    folder.mkdir()
    write_tensor(folder / "input_0.pb", "x", make_samples()[0]["x"])


def decibels(net, small, samples):
    wanted, found = ([nacre.InferenceSession(str(path)).run(None, feed)[0]
                      for feed in samples] for path in (net, small))
    wanted, found = np.stack(wanted), np.stack(found)
    return 10 * np.log10((wanted ** 2).sum() / ((wanted - found) ** 2).sum())


def read_calibrators(ranges):
    """Decibels by name, as a profile has them."""
    text = ranges.read_text().split("\ncalibrators:")[1].split("\nrepairs:")[0]
    return {name: float(number) for name, number in re.findall(
        r"- name: +(\w+)\n +decibels: +([-\w.]+)", text)}


def quantize(net, name, data=None, **options):
    small = net.parent / f"{name}.onnx"
    nacre.quantize(net, small, data, **options)
    return small


def test_best_calibrator_is_that_of_the_outputs(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    plain = quantize(net, "plain", samples, calibrator="mse")
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
    # Where one is named it is of no account.
    quantize(net, "plain", samples, calibrator="mse")
    other = quantize(net, "other", ranges=ranges, calibrator="mse")
    assert other.read_bytes() == (tmp_path / "plain.onnx").read_bytes()


def test_samples_of_several_shapes_count(tmp_path):
    model = onnx.load(str(save(tmp_path, clipped=True)))
    for value in model.graph.input[0], model.graph.output[0]:
        value.type.tensor_type.shape.dim[0].dim_param = "n"
    keep_together(model)
    onnx.save(model, str(tmp_path / "net.onnx"))
    rows = [feed["x"] for feed in make_samples()]
    samples = [{"x": np.concatenate(rows[:24])}, {"x": np.concatenate(rows[24:])}]
    quantize(tmp_path / "net.onnx", "small", samples, calibrator="measured")
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert max(tried, key=tried.get) in ("percentile", "entropy")


def test_16_bits_have_no_entropy(tmp_path):
    net = save(tmp_path, clipped=False)
    quantize(net, "small", make_samples(), calibrator="measured",
             activations="int16", rounding="nearest")
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
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert (f"{max(tried, key=tried.get)}, the best in the runs that the ranges "
            "tell of" in (tmp_path / "report.txt").read_text())


@pytest.mark.parametrize("dtype, code", [("float16", 10), ("float64", 11)])
def test_outputs_of_other_floats_are_compared(tmp_path, dtype, code):
    net = save(tmp_path, clipped=True, last=("Cast", {"to": code}), dtype=dtype)
    quantize(net, "small", make_samples(), calibrator="measured")
    tried = read_calibrators(tmp_path / "small.ranges.yaml")
    assert max(tried, key=tried.get) in ("percentile", "entropy")
    assert all(-100 < number < 100 for number in tried.values())


@pytest.mark.parametrize("model, options, match", [
    ({"last": ("ArgMax", {"axis": 1}), "dtype": "int64", "shape": (1, 1)}, {},
     "finds no output of floats to compare in '.*net.onnx'"),
    ({}, {"keep": ["Gemm"]}, "finds nothing to quantize in '.*net.onnx'")])
def test_where_nothing_can_be_compared_there_is_no_choice(tmp_path, model,
                                                          options, match):
    net = save(tmp_path, clipped=True, **model)
    with pytest.raises(nacre.NacreError, match=match) as error:
        quantize(net, "small", make_samples(), calibrator="measured", **options)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "small.onnx").exists()
    assert "calibrators" not in (tmp_path / "small.ranges.yaml").read_text()


@pytest.mark.parametrize("command, match", [
    (["compile", "--ranges={ranges}"],
     "needs ranges that say which one was best, found none in .*r.yaml'"),
    (["quantize", "--ranges={ranges}"],
     "--calibrator=measured with --data and without --ranges"),
    (["tune", "--data=.", "--target=sqnr>=20"],
     "tune measures ranges, not calibrators"),
    (["compile"], "--calibrator needs --ranges")])
def test_ranges_without_a_choice_are_refused(tmp_path, command, match):
    net = save(tmp_path, clipped=True)
    nacre.calibrate(net, make_samples(), tmp_path / "r.yaml", calibrator="mse")
    verb, *options = (part.format(ranges=tmp_path / "r.yaml")
                      for part in command)
    with pytest.raises(nacre.NacreError, match=match) as error:
        cli.nacre(verb, net, *options, "--calibrator=measured", "-o",
                  tmp_path / "x.onnx")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "x.onnx").exists()


@pytest.mark.parametrize("old, new, match", [
    ("name: +mse", "name: best", "cannot read '.*small.ranges.yaml': line .*: "
     "expected a calibrator, which is mse or .*, found 'best'"),
    (r"(name: +mse\n +decibels:).*", r"\1 nan", "cannot read "
     "'.*small.ranges.yaml': line .*: expected a finite number in 'decibels'")])
def test_damaged_choices_are_refused(tmp_path, old, new, match):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), calibrator="measured")
    ranges = tmp_path / "small.ranges.yaml"
    text, count = re.subn(old, new, ranges.read_text())
    assert count == 1
    ranges.write_text(text)
    with pytest.raises(nacre.NacreError, match=match):
        quantize(net, "other", ranges=ranges, calibrator="measured")


def test_unknown_names_are_refused_with_all_there_are(tmp_path):
    net = save(tmp_path, clipped=True)
    nacre.calibrate(net, make_samples(), tmp_path / "r.yaml")
    with pytest.raises(nacre.NacreError, match="--calibrator needs mse or minmax "
                       "or percentile or entropy or auto or measured, found "
                       "'best'"):
        quantize(net, "other", ranges=tmp_path / "r.yaml", calibrator="best")


def test_best_one_beside_16_bits_is_not_entropy(tmp_path):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), calibrator="measured")
    ranges = tmp_path / "small.ranges.yaml"
    text = re.sub(r"(name: +entropy\n +decibels:).*", r"\1 299",
                  ranges.read_text())
    ranges.write_text(re.sub(r"(name: +minmax\n +decibels:).*", r"\1 298", text))
    write_sample(tmp_path / "data")
    tuned = tmp_path / "tuned.yaml"
    cli.nacre("tune", net, f"--ranges={ranges}", "--calibrator=measured",
              f"--data={tmp_path / 'data'}", "--target=sqnr>=0",
              "--precisions=int8,int16,f32", "-o", tuned)
    assert "entropy" not in read_calibrators(tuned)
    small = quantize(net, "small", ranges=tuned)
    named = quantize(net, "named", ranges=ranges, calibrator="minmax")
    entropy = quantize(net, "entropy", ranges=ranges, calibrator="entropy")
    assert small.read_bytes() == named.read_bytes() != entropy.read_bytes()


def test_best_one_beside_an_override_of_16_bits_is_not_entropy(tmp_path):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), calibrator="measured")
    ranges = tmp_path / "small.ranges.yaml"
    ranges.write_text(ranges.read_text().replace(
        "\n...", "\noverrides:\n- {node: nothing, precision: int16}\n..."))
    options = {"ranges": ranges, "calibrator": "measured"}
    tried = read_calibrators(ranges)
    assert max(tried, key=tried.get) == "entropy"
    del tried["entropy"]
    wide = quantize(net, "wide", **options)
    named = quantize(net, "named", ranges=ranges,
                     calibrator=max(tried, key=tried.get))
    assert wide.read_bytes() == named.read_bytes()


@pytest.mark.parametrize("options, found", [
    (["--activations=int16"], "symmetric int16, a scale for each channel"),
    (["--schema=symmetric"], "symmetric, a scale for each channel"),
    (["--per-tensor"], "asymmetric uint8, one scale for all weights")])
def test_choice_for_other_integers_is_refused(tmp_path, options, found):
    net = save(tmp_path, clipped=True)
    quantize(net, "small", make_samples(), calibrator="measured")
    with pytest.raises(nacre.NacreError, match="small.ranges.yaml' has tried "
                       "calibrators for asymmetric uint8, a scale for each "
                       f"channel, found {found}: use nacre quantize") as error:
        cli.nacre("compile", net, f"--ranges={tmp_path / 'small.ranges.yaml'}",
                  "--calibrator=measured", *options, "-o", tmp_path / "out.so")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (tmp_path / "out.so").exists()


def test_choice_for_weights_alone_is_refused_before_anything_is_measured(tmp_path):
    net = save(tmp_path, clipped=True)
    with pytest.raises(nacre.NacreError, match="--calibrator is of no use for "
                       "--activations=none"):
        quantize(net, "small", make_samples(), calibrator="measured",
                 activations="none", weights="int8", rounding="hessian")
    assert not (tmp_path / "small.ranges.yaml").exists()
