# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calibrator where users name none: mse, or one that is clearly better."""

import pathlib
import re
import subprocess
import tempfile

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor
from test_measured_calibrator import (GAIN, decibels, make_samples, quantize,
                                      read_calibrators, save, write_sample)

# Rows and columns of matrices whose product is too much work, in eight runs.
LARGE = 1100
AGAIN = "; --calibrator=measured tries them all the same"


def is_chosen(ranges):
    return "\ncalibrators:" in ranges.read_text()


def run_quietly(*arguments):
    """What a command says on standard error."""
    return subprocess.run([cli.tool(), *map(str, arguments)], text=True,
                          capture_output=True, check=True).stderr


def write_samples(folder, samples):
    for i, sample in enumerate(samples):
        (folder / str(i)).mkdir(parents=True)
        for number, (name, value) in enumerate(sample.items()):
            write_tensor(folder / str(i) / f"input_{number}.pb", name, value)
    return folder


def calibrate(net, samples, *options, out="r.yaml"):
    """Ranges of the samples, and what the command says on standard output."""
    with tempfile.TemporaryDirectory() as folder:
        data = write_samples(pathlib.Path(folder), samples)
        said = cli.nacre("calibrate", net, f"--data={data}", "-o",
                         net.parent / out, *options)
    return net.parent / out, said


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
    assert said.count("' has tried calibrators") == 1
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


@pytest.mark.parametrize("has_ranges", [False, True])
@pytest.mark.parametrize("calibrator, said", [
    ([], "calibrator mse: others are not tried with --bias-correction=exact; "
         "--calibrator names one"),
    (["--calibrator=mse"], ""),
    (["--calibrator=measured"],
     "the best one without --bias-correction=exact, with which another may be")])
def test_calibrator_of_exact_biases_is_told(tmp_path, has_ranges, calibrator,
                                            said):
    net = save(tmp_path, clipped=True)
    folder = write_samples(tmp_path / "data", make_samples())
    options = []
    if has_ranges:
        cli.nacre("calibrate", net, f"--data={folder}", "--calibrator=measured",
                  "-o", tmp_path / "r.yaml")
        options = [f"--ranges={tmp_path / 'r.yaml'}"]
    text = cli.nacre("quantize", net, f"--data={folder}", *options, *calibrator,
                     "--bias-correction=exact", "-o", tmp_path / "small.onnx")
    assert said in text
    if not said:
        assert "--bias-correction" not in text


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
    assert read_calibrators(tuned) == pytest.approx(best, abs=0.11)
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
        used = "entropy" if precisions == "int8,f32" else "mse"
        named = quantize(net, "named", ranges=tuned, calibrator=used)
        assert small.read_bytes() == named.read_bytes()


def tune(net, samples, *options):
    with tempfile.TemporaryDirectory() as folder:
        data = write_samples(pathlib.Path(folder), samples)
        return run_quietly("tune", net, f"--data={data}", "--target=sqnr>=0", "-o",
                           net.parent / "t.yaml", *options)


def test_ranges_tuned_with_mse_lose_the_choice_of_another(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    said = tune(net, samples, f"--ranges={ranges}", "--calibrator=mse")
    assert "commands that take the ranges need" not in said
    small = quantize(net, "small", ranges=tmp_path / "t.yaml")
    plain = quantize(net, "plain", ranges=ranges, calibrator="mse")
    chosen = quantize(net, "chosen", ranges=ranges)
    assert small.read_bytes() == plain.read_bytes() != chosen.read_bytes()


def test_ranges_tuned_with_another_one_say_that_commands_need_it(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml", calibrator="mse")
    said = tune(net, samples, f"--ranges={ranges}", "--calibrator=entropy")
    assert ("nacre: this is with --calibrator=entropy, which commands that take the "
            "ranges need, too") in said
    small, named = (quantize(net, name, ranges=path, calibrator="entropy")
                    for name, path in (("small", tmp_path / "t.yaml"),
                                       ("named", ranges)))
    assert small.read_bytes() == named.read_bytes()


def test_tune_says_what_it_chooses(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    said = tune(net, samples)
    tried = read_calibrators(tmp_path / "t.yaml")
    assert (f"nacre: calibrator entropy: {tried['entropy']} dB in 64 runs, mse "
            f"{tried['mse']} dB") in said
    assert ("nacre: calibrator mse: trying others needs 8 runs, found samples for 3"
            + AGAIN) in tune(net, samples[:3])
    assert not is_chosen(tmp_path / "t.yaml")


def test_tuned_16_bits_leave_no_choice_of_nothing(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml")
    ranges.write_text(re.sub(r"(?m)^ *- name: +(mse|minmax|percentile)\n.*\n", "",
                             ranges.read_text()))
    assert list(read_calibrators(ranges)) == ["entropy"]
    tune(net, samples, f"--ranges={ranges}", "--precisions=int8,int16,f32")
    assert not is_chosen(tmp_path / "t.yaml")
    quantize(net, "small", ranges=tmp_path / "t.yaml")


@pytest.mark.parametrize("count", [1, 2, 7, 8])
def test_few_samples_choose_nothing(tmp_path, count):
    net = save(tmp_path, clipped=True)
    ranges, said = calibrate(net, make_samples()[:count])
    assert is_chosen(ranges) == (count >= 8)
    needs = f"mse: trying others needs 8 runs, found samples for {count}{AGAIN}\n"
    assert (needs in said) == (count < 8)


def test_shape_that_is_too_much_work_takes_no_choice_away(tmp_path):
    rng = np.random.default_rng(1)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Clip", ["p", "low", "high"], ["y"])],
        {"x": ("float32", [1, "n", LARGE])}, {"y": ("float32", [1, "n", LARGE])},
        weights={"w": rng.standard_normal((LARGE, LARGE)).astype(np.float32),
                 "low": np.float32(-20), "high": np.float32(20)}),
        str(tmp_path / "net.onnx"))
    samples = []
    for rows in [1] * 8 + [LARGE]:
        x = rng.standard_normal((1, rows, LARGE)).astype(np.float32)
        samples.append({"x": x})
    samples[0]["x"][0, 0] = samples[8]["x"][0, 0] = 1000
    ranges, said = calibrate(tmp_path / "net.onnx", samples)
    assert is_chosen(ranges)
    assert re.search(r"calibrator \w+: [\d.]+ dB in 8 runs, mse", said)


def test_recurrent_work_counts_for_each_element(tmp_path):
    rng = np.random.default_rng(1)
    length, width = 2500, 256
    w, r = (rng.standard_normal((1, 4 * width, width)).astype(np.float32) / width
            for _ in range(2))
    onnx.save(builders.model(
        [builders.node("LSTM", ["x", "w", "r"], ["y", "h", "c"],
                       hidden_size=width)],
        {"x": ("float32", [length, 1, width])},
        {"h": ("float32", [1, 1, width])}, weights={"w": w, "r": r}),
        str(tmp_path / "net.onnx"))
    x = rng.standard_normal((length, 1, width)).astype(np.float32)
    _, said = calibrate(tmp_path / "net.onnx", [{"x": x}] * 8)
    assert ("mse: trying others takes 6.6 G multiply-accumulates a run, and 8 runs "
            "may take 50 G together" + AGAIN) in said


def test_work_that_nobody_knows_is_not_tried(tmp_path):
    w = np.eye(8, dtype=np.float32)
    body = onnx.helper.make_graph(
        [builders.node("Identity", ["c"], ["d"]),
         builders.node("MatMul", ["v", "v"], ["u"])], "body",
        [builders.value("i", "int64", []), builders.value("c", "bool", []),
         builders.value("v", "float32", [8, 8])],
        [builders.value("d", "bool", []), builders.value("u", "float32", [8, 8])])
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Loop", ["n", "", "p"], ["y"], body=body)],
        {"x": ("float32", [8, 8]), "n": ("int64", [])},
        {"y": ("float32", [8, 8])}, weights={"w": w}), str(tmp_path / "net.onnx"))
    sample = {"x": w * 0.5, "n": np.array(2, np.int64)}
    ranges, said = calibrate(tmp_path / "net.onnx", [sample] * 8)
    assert ("mse: trying others is work of which nobody knows before how much it is"
            + AGAIN) in said
    ranges, _ = calibrate(tmp_path / "net.onnx", [sample] * 8,
                          "--calibrator=measured")
    assert is_chosen(ranges)


def test_other_backends_choose_only_where_asked(tmp_path):
    net = save(tmp_path, clipped=True)
    ranges, said = calibrate(net, make_samples(), "--backend=interpreter")
    assert not is_chosen(ranges)
    assert ("mse: trying others is for the cpu backend, since others take long"
            + AGAIN) in said
    ranges, _ = calibrate(net, make_samples()[:8], "--backend=interpreter",
                          "--calibrator=measured")
    assert is_chosen(ranges)


def test_output_without_signal_does_not_decide(tmp_path):
    model = onnx.load(str(save(tmp_path, clipped=True)))
    v = np.zeros((64, 1), np.float32)
    v[0], v[1] = 3, -1
    model.graph.initializer.append(onnx.numpy_helper.from_array(v, "v"))
    model.graph.node.append(builders.node("Gemm", ["x", "v"], ["zero"], "zeros"))
    model.graph.output.append(onnx.helper.make_tensor_value_info(
        "zero", onnx.TensorProto.FLOAT, [1, 1]))
    onnx.save(model, str(tmp_path / "net.onnx"))
    samples = make_samples()
    for sample in samples:
        # Of few bits, so that both products are the same number.
        sample["x"][0, 0] = np.round(sample["x"][0, 0] * 8) / 8
        sample["x"][0, 1] = 3 * sample["x"][0, 0]
    ranges, _ = calibrate(tmp_path / "net.onnx", samples)
    assert is_chosen(ranges)
    assert all(-100 < number < 100
               for number in read_calibrators(ranges).values())


def test_choice_of_an_earlier_version_is_warned_of_and_left(tmp_path):
    net, samples = save(tmp_path, clipped=True), make_samples()
    ranges = nacre.calibrate(net, samples, tmp_path / "r.yaml", calibrator="mse")
    ranges.write_text(ranges.read_text().replace(
        "\n...", "\ncalibrators:\n- {name: mse, decibels: 1.25}\n"
        "- {name: entropy, decibels: 16}\n..."))
    said = run_quietly("quantize", net, f"--ranges={ranges}", "-o",
                       tmp_path / "small.onnx")
    assert said.count("warning: '") == 1
    assert ("r.yaml' has a choice of calibrator by an earlier version, which does "
            "not say for which integers: --calibrator is mse; nacre quantize with "
            "--data and without --ranges tries them again") in said
    named = run_quietly("quantize", net, f"--ranges={ranges}", "--calibrator=mse",
                        "-o", tmp_path / "named.onnx")
    assert "warning" not in named
    assert ((tmp_path / "small.onnx").read_bytes()
            == (tmp_path / "named.onnx").read_bytes())
    with pytest.raises(nacre.NacreError, match="found none in '.*r.yaml'"):
        quantize(net, "x", ranges=ranges, calibrator="measured")


def test_mse_for_other_integers_is_not_warned_of(tmp_path):
    net = save(tmp_path, clipped=False)
    ranges = nacre.calibrate(net, make_samples(), tmp_path / "r.yaml",
                             calibrator="measured")
    assert is_chosen(ranges)
    assert "warning" not in run_quietly(
        "quantize", net, f"--ranges={ranges}", "--schema=symmetric",
        "--rounding=nearest", "-o", tmp_path / "small.onnx")


def test_ranges_from_a_pipe_are_those_of_a_file(tmp_path):
    net = save(tmp_path, clipped=True)
    ranges, _ = calibrate(net, make_samples())
    small = quantize(net, "small", ranges=ranges)
    with ranges.open() as file, subprocess.Popen(
            ["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
        subprocess.run([cli.tool(), "quantize", net, "--ranges=/dev/stdin", "-o",
                        tmp_path / "piped.onnx"], stdin=pipe.stdout, check=True,
                       capture_output=True)
    assert (tmp_path / "piped.onnx").read_bytes() == small.read_bytes()


def test_ranges_from_a_pipe_for_other_integers_are_named_as_users_do(tmp_path):
    net = save(tmp_path, clipped=True)
    ranges, _ = calibrate(net, make_samples())
    with ranges.open() as file, subprocess.Popen(
            ["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
        said = subprocess.run(
            [cli.tool(), "quantize", net, "--ranges=/dev/stdin",
             "--schema=symmetric", "--rounding=nearest", "-o",
             tmp_path / "piped.onnx"], stdin=pipe.stdout, check=True, text=True,
            capture_output=True).stderr
    assert "warning: '/dev/stdin' has tried calibrators for" in said


def test_ranges_without_the_choice_asked_for_are_not_left(tmp_path):
    net = save(tmp_path, clipped=True)
    with pytest.raises(nacre.NacreError, match="finds nothing to quantize"):
        calibrate(net, make_samples(), "--calibrator=measured", "--keep=Gemm")
    assert not (tmp_path / "r.yaml").exists()


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
    net, samples = tmp_path / "net.onnx", [{"x": x}] * 8
    ranges, said = calibrate(net, samples)
    assert not is_chosen(ranges)
    assert ("mse: trying others takes 6.7 G multiply-accumulates a run, and 8 runs "
            "may take 50 G together" + AGAIN) in said
    quantize(net, "asked", samples[:1], calibrator="measured")
    tried = read_calibrators(tmp_path / "asked.ranges.yaml")
    assert max(tried.values()) > tried["mse"] + 1


def test_output_says_which_one_it_is_and_why(tmp_path):
    net = save(tmp_path, clipped=True)
    ranges, said = calibrate(net, make_samples())
    tried = read_calibrators(ranges)
    assert max(tried, key=tried.get) == "entropy"
    assert (f"r.yaml: calibrator entropy: {tried['entropy']} dB in 64 runs, mse "
            f"{tried['mse']} dB\n") in said
    _, said = calibrate(net, make_samples(), "--keep=Gemm")
    assert ("r.yaml: calibrator mse: trying others finds nothing to quantize\n"
            in said)


def test_ranges_on_standard_output_are_those_of_a_file(tmp_path):
    net = save(tmp_path, clipped=True)
    write_samples(tmp_path / "data", make_samples())
    command = ["calibrate", net, f"--data={tmp_path / 'data'}", "-o"]
    cli.nacre(*command, tmp_path / "r.yaml")
    text = (tmp_path / "r.yaml").read_text()
    assert is_chosen(tmp_path / "r.yaml")
    # Rounding, which needs a file beside the ranges, is tried for a file alone.
    ranges, _, repairs = text.partition("repairs:")
    assert "rounding" in repairs
    assert cli.nacre(*command, "-").startswith(ranges)


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
