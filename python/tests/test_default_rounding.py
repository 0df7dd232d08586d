# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights are rounded for their inputs where samples show that it is worth it."""

import json
import re
import subprocess

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli, tolerances

# Of bytes that rounding activations does not blur.
EXACT = {"activations": "int16"}


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network(rows=32, inner=48):
    """Two products, of rows that are mixtures of few others, as samples are."""
    return builders.model(
        [builders.node("MatMul", ["x", "w0"], ["h"], name="first"),
         builders.node("Tanh", ["h"], ["t"]),
         builders.node("MatMul", ["t", "w1"], ["y"], name="second")],
        {"x": ("float32", [rows, 24])}, {"y": ("float32", [rows, 8])},
        weights={"w0": random((24, inner), 1) / 5,
                 "w1": random((inner, 8), 2) / 5})


def feeds(count=8, rows=32, kinds=4):
    """Samples of KINDS directions; of many, none tells anything of others."""
    mixture = random((kinds, 24), 3)
    return [{"x": random((rows, kinds), 10 + i) @ mixture}
            for i in range(count)]


def decibels(path, other, samples):
    expected, found = (
        np.stack([nacre.InferenceSession(str(name)).run(None, feed)[0]
                  for feed in samples]) for name in (path, other))
    return 10 * np.log10((expected ** 2).sum() / ((expected - found) ** 2).sum())


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    path = tmp_path_factory.mktemp("rounding") / "net.onnx"
    onnx.save(network(), str(path))
    return path


def read_gain(ranges):
    """What a profile says that rounding gains; none where it says nothing."""
    found = re.search(r"name: +rounding\n +decibels: +(\S+)\n +kept: +true",
                      ranges.read_text())
    return found and float(found[1])


def test_weights_are_rounded_for_inputs_where_that_is_better(net, tmp_path):
    nacre.quantize(net, tmp_path / "auto.onnx", feeds(), **EXACT)
    assert read_gain(tmp_path / "auto.ranges.yaml") > 1
    assert (tmp_path / "auto.ranges.yaml.sums").exists()
    for rounding in "nearest", "hessian":
        nacre.quantize(net, tmp_path / f"{rounding}.onnx", rounding=rounding,
                       ranges=tmp_path / "auto.ranges.yaml", **EXACT)
    assert (tmp_path / "auto.onnx").read_bytes() == \
        (tmp_path / "hessian.onnx").read_bytes()
    # Of samples that nobody has measured.
    others = feeds(20)[8:]
    assert decibels(net, tmp_path / "auto.onnx", others) > \
        decibels(net, tmp_path / "nearest.onnx", others) + 1


def test_ranges_compile_to_the_code_of_the_file(net, tmp_path):
    nacre.quantize(net, tmp_path / "small.onnx", feeds(), **EXACT)
    cli.nacre("compile", net, f"--ranges={tmp_path / 'small.ranges.yaml'}",
              "--activations=int16", "-o", tmp_path / "net.s")
    cli.nacre("compile", tmp_path / "small.onnx", "-o", tmp_path / "small.s",
              "--name=net")
    assert (tmp_path / "net.s").read_text() == \
        (tmp_path / "small.s").read_text()


@pytest.mark.parametrize("options", [EXACT, {}])
def test_calibrate_finds_what_quantize_finds(net, tmp_path, options):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    nacre.quantize(net, tmp_path / "a" / "s.onnx", feeds(), **options)
    nacre.calibrate(net, feeds(), tmp_path / "b" / "s.ranges.yaml", **options)
    nacre.quantize(net, tmp_path / "b" / "s.onnx",
                   ranges=tmp_path / "b" / "s.ranges.yaml", **options)
    names = [sorted(path.name for path in (tmp_path / folder).iterdir())
             for folder in "ab"]
    assert names[0] == names[1]
    for name in names[0]:
        assert (tmp_path / "a" / name).read_bytes() == \
            (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("count", [12, 45])
def test_order_of_samples_changes_nothing(net, tmp_path, count):
    """Also where some of them judge."""
    samples = feeds(count)
    files = []
    for name, order in ("a", samples), ("b", samples[::-1]):
        (tmp_path / name).mkdir()
        nacre.calibrate(net, order, tmp_path / name / "r.yaml", **EXACT)
        files.append([(tmp_path / name / file).read_bytes()
                      for file in ("r.yaml", "r.yaml.sums")])
    assert files[0] == files[1]


def unlike(count=8, rows=32, columns=24):
    """Samples whose numbers tell nothing of each other."""
    return [{"x": random((rows, columns), 100 + i)} for i in range(count)]


@pytest.mark.parametrize("samples, options", [
    (feeds(7), EXACT),                          # too few to tell
    (feeds(8), {**EXACT, "rounding": "nearest"}),
    (feeds(8), {**EXACT, "weights": "int16"}),  # nothing to gain
    (feeds(8), {**EXACT, "bias_correction": "exact"}),
    (feeds(8), {**EXACT, "backend": "interpreter"}),
    ("random", {**EXACT, "allow_random": True})])
def test_without_gain_there_are_no_sums(net, tmp_path, samples, options):
    nacre.quantize(net, tmp_path / "small.onnx", samples, **options)
    assert not (tmp_path / "small.ranges.yaml.sums").exists()
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert "rounding" not in text and "sums" not in text


def product(path, rows, columns):
    """One product, of rows of so many numbers."""
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"], name="only")],
        {"x": ("float32", [rows, columns])}, {"y": ("float32", [rows, 64])},
        weights={"w": random((columns, 64), 1) / 5}), str(path))


def test_too_little_gain_leaves_no_sums(tmp_path):
    product(tmp_path / "net.onnx", 32, 24)
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx", unlike(128),
                   **EXACT)
    assert not (tmp_path / "small.ranges.yaml.sums").exists()
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert re.search(r"name: +rounding\n +decibels: +\S+\n +kept: +false", text)
    assert "sums" not in text


def quantize(*arguments):
    """What nacre quantize says."""
    done = subprocess.run([cli.tool(), "quantize", *map(str, arguments)],
                          text=True, capture_output=True, check=True)
    return done.stderr


def test_rounding_that_is_asked_for_is_done_whatever_samples_say(tmp_path):
    """Of less rows than numbers in each, it learns the rows: others lose."""
    model = tmp_path / "net.onnx"
    product(model, 16, 256)
    np.savez(tmp_path / "x.npz",
             x=np.stack([feed["x"] for feed in unlike(8, 16, 256)]))
    said = quantize(model, f"--data={tmp_path / 'x.npz'}", "--rounding=hessian",
                    "--activations=int16", "-o", tmp_path / "asked.onnx",
                    f"--report={tmp_path / 'report.json'}")
    lost = re.search(r"warning: --rounding=hessian gains -(\S+) dB on 4 runs that "
                     r"it was not learned from; it is done, as asked for", said)
    assert float(lost[1]) > 0.3
    repair, = json.loads((tmp_path / "report.json").read_text())["repairs"]
    assert repair["kept"] and repair["unseen"]
    assert repair["gain_db"] == -float(lost[1])
    ranges = tmp_path / "asked.ranges.yaml"
    for rounding in "auto", "nearest", "hessian":
        nacre.quantize(model, tmp_path / f"{rounding}.onnx", rounding=rounding,
                       ranges=ranges, **EXACT)
    read = {name: (tmp_path / f"{name}.onnx").read_bytes()
            for name in ("asked", "auto", "nearest", "hessian")}
    assert read["asked"] == read["hessian"] != read["nearest"]
    # Nobody has asked for it there.
    assert read["auto"] == read["nearest"]
    for rounding, rounds in ("auto", False), ("hessian", True):
        nacre.quantize(model, tmp_path / "other.onnx", rounding=rounding,
                       ranges=ranges, report=tmp_path / "other.json", **EXACT)
        repair, = json.loads((tmp_path / "other.json").read_text())["repairs"]
        assert repair["kept"] == rounds


def test_rounding_is_not_said_to_be_left_out_where_it_was_not_tried(tmp_path):
    """That is beside corrected biases."""
    model = tmp_path / "net.onnx"
    product(model, 16, 256)
    np.savez(tmp_path / "x.npz",
             x=np.stack([feed["x"] for feed in unlike(8, 16, 256)]))
    said = quantize(model, f"--data={tmp_path / 'x.npz'}", "--rounding=hessian",
                    "--activations=int16", "--bias-correction=exact",
                    "-o", tmp_path / "asked.onnx")
    assert "it is done, as asked for\n" in said


@pytest.mark.parametrize("options", [
    ["--activations=int16"],
    ["--activations=none", "--weights=int4", "--block=0"]])
@pytest.mark.parametrize("count", [4, 16])
def test_rounding_of_no_layer_is_one_warning_and_leaves_no_sums(
        tmp_path, count, options):
    """The inputs are too large for exact sums."""
    model = tmp_path / "net.onnx"
    product(model, 32, 24)
    np.savez(tmp_path / "x.npz",
             x=np.stack([feed["x"] * np.float32(1e7) for feed in feeds(count)]))
    said = quantize(model, f"--data={tmp_path / 'x.npz'}", "--rounding=hessian",
                    *options, "-o", tmp_path / "asked.onnx",
                    f"--report={tmp_path / 'report.txt'}")
    warnings = re.findall("warning: .*", said)
    assert len(warnings) == 1 and "no layer can be rounded" in warnings[0]
    assert "rounding:" not in (tmp_path / "report.txt").read_text()
    ranges = tmp_path / "asked.ranges.yaml"
    assert not (tmp_path / "asked.ranges.yaml.sums").exists()
    assert "sums" not in ranges.read_text()
    assert "rounding" not in ranges.read_text()
    # Neither those of data nor sums are needed for weights alone.
    quantize(model, *([] if len(options) > 1 else [f"--ranges={ranges}"]),
             *options, "-o", tmp_path / "nearest.onnx")
    assert (tmp_path / "asked.onnx").read_bytes() == \
        (tmp_path / "nearest.onnx").read_bytes()


def test_sums_of_much_work_are_held_once(tmp_path):
    """Of wide layers those of runs that judge would take much memory."""
    model = tmp_path / "net.onnx"
    product(model, 32, 2800)
    nacre.quantize(model, tmp_path / "small.onnx", unlike(8, 32, 2800),
                   rounding="hessian", **EXACT)
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert "name:            rounding" in text and "unseen" not in text


def test_what_few_samples_say_is_said_to_be_theirs(net, tmp_path):
    """Of so few, none is left out of the sums."""
    nacre.quantize(net, tmp_path / "small.onnx", feeds(4), rounding="hessian",
                   **EXACT)
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert "kept: " in text and "unseen" not in text


@pytest.mark.parametrize("made, used, rounding", [
    (EXACT, {}, "hessian"),
    # Rounding of activations hides what that of weights gains.
    ({}, EXACT, "nearest")])
def test_rounding_for_other_integers_is_no_secret(tmp_path, made, used, rounding):
    """What ranges choose was tried for some integers."""
    model = tmp_path / "net.onnx"
    product(model, 32, 24)
    samples = feeds(16) if rounding == "hessian" else unlike(16)
    nacre.quantize(model, tmp_path / "made.onnx", samples, **made)
    ranges = tmp_path / "made.ranges.yaml"
    options = [f"--{name}={value}" for name, value in used.items()]
    said = quantize(model, f"--ranges={ranges}", *options, "-o",
                    tmp_path / "used.onnx")
    names = {"{}": "asymmetric uint8, a scale for each channel",
             str(EXACT): "symmetric int16, a scale for each channel"}
    assert (f"tried rounding for inputs for {names[str(made)]}, found "
            f"{names[str(used)]}: --rounding is {rounding}") in said
    nacre.quantize(model, tmp_path / "named.onnx", ranges=ranges,
                   rounding=rounding, **used)
    assert (tmp_path / "used.onnx").read_bytes() == \
        (tmp_path / "named.onnx").read_bytes()
    again = quantize(model, f"--ranges={ranges}",
                     *[f"--{name}={value}" for name, value in made.items()],
                     "-o", tmp_path / "again.onnx")
    assert "tried rounding" not in again
    # This one measures, and reads ranges again then.
    np.savez(tmp_path / "x.npz", x=np.stack([feed["x"] for feed in samples]))
    exact = quantize(model, f"--ranges={ranges}", *options,
                     f"--data={tmp_path / 'x.npz'}", "--bias-correction=exact",
                     "-o", tmp_path / "exact.onnx")
    assert exact.count("tried rounding") == 1


@pytest.mark.parametrize("count, rows", [(8, 32), (8, 64), (32, 64)])
@pytest.mark.parametrize("options", [EXACT, {}])
def test_what_fits_the_samples_alone_is_not_kept(tmp_path, count, rows,
                                                 options):
    """Of about as many rows as numbers in each, rounding learns the rows."""
    model = tmp_path / "net.onnx"
    product(model, rows, 256)
    samples = unlike(count, rows, 256)
    nacre.quantize(model, tmp_path / "auto.onnx", samples, **options)
    nacre.quantize(model, tmp_path / "nearest.onnx", rounding="nearest",
                   ranges=tmp_path / "auto.ranges.yaml", **options)
    others = unlike(count + 8, rows, 256)[count:]
    assert decibels(model, tmp_path / "auto.onnx", others) > \
        decibels(model, tmp_path / "nearest.onnx", others) - 0.1
    assert not (tmp_path / "auto.ranges.yaml.sums").exists()


@pytest.mark.parametrize("count", [16, 128])
def test_runs_judge_before_they_are_summed(tmp_path, count):
    """Others of the same kind gain what the profile says."""
    model = tmp_path / "net.onnx"
    product(model, 64, 256)
    mixture = random((60, 256), 3)
    samples = [{"x": random((64, 60), 10 + i) @ mixture}
               for i in range(count + 16)]
    nacre.quantize(model, tmp_path / "auto.onnx", samples[:count], **EXACT)
    nacre.quantize(model, tmp_path / "nearest.onnx", rounding="nearest",
                   ranges=tmp_path / "auto.ranges.yaml", **EXACT)
    others = samples[count:]
    gain = decibels(model, tmp_path / "auto.onnx", others) - \
        decibels(model, tmp_path / "nearest.onnx", others)
    assert gain > 1
    assert read_gain(tmp_path / "auto.ranges.yaml") == \
        pytest.approx(gain, abs=0.5)


@pytest.mark.parametrize("samples, options", [
    (feeds(16), {}), (unlike(16), {"hessians": True})])
def test_runs_that_have_judged_are_summed(tmp_path, samples, options):
    product(tmp_path / "net.onnx", 32, 24)
    nacre.calibrate(tmp_path / "net.onnx", samples, tmp_path / "r.yaml",
                    **options, **EXACT)
    rows = np.concatenate([feed["x"] for feed in samples]).astype(np.float64)
    found = np.fromfile(tmp_path / "r.yaml.sums", np.float32)
    np.testing.assert_allclose(found, (rows.T @ rows)[np.tril_indices(24)],
                               **tolerances.CANCELLATION)


@pytest.mark.parametrize("scale", [1e7, 1e19, 1e-9])
@pytest.mark.parametrize("hessians", [False, True])
def test_numbers_beyond_exact_sums_leave_a_layer_as_it_is(tmp_path, scale,
                                                          hessians):
    """Of two layers, by one that has others."""
    model = tmp_path / "net.onnx"
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w0"], ["y"], name="first"),
         builders.node("Tanh", ["z"], ["t"]),
         builders.node("MatMul", ["t", "w1"], ["u"], name="second")],
        {"x": ("float32", [32, 24]), "z": ("float32", [32, 24])},
        {"y": ("float32", [32, 8]), "u": ("float32", [32, 8])},
        weights={"w0": random((24, 8), 1) / 5, "w1": random((24, 8), 2) / 5}),
        str(model))
    samples = [{"x": feed["x"] * np.float32(scale), "z": feed["x"]}
               for feed in feeds(16)]
    nacre.calibrate(model, samples, tmp_path / "r.yaml", hessians=hessians,
                    **EXACT)
    text = (tmp_path / "r.yaml").read_text()
    products = text[text.index("sums:"):] if "sums:" in text else ""
    found = re.findall(r"result: +(\S+)", products)
    # The worse output decides, and does not change.
    assert found == (["u"] if hessians else [])
    assert read_gain(tmp_path / "r.yaml") is None


def test_calibrate_takes_the_rounding_of_quantize(net, tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
    options = {**EXACT, "rounding": "hessian"}
    nacre.quantize(net, tmp_path / "a" / "s.onnx", feeds(), **options)
    nacre.calibrate(net, feeds(), tmp_path / "b" / "s.ranges.yaml", **options)
    for name in "s.ranges.yaml", "s.ranges.yaml.sums":
        assert (tmp_path / "a" / name).read_bytes() == \
            (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize("options", [
    ["--rounding=hessian"],
    ["--activations=none", "--weights=int4", "--rounding=hessian"]])
def test_sums_that_are_asked_for_need_a_file(net, tmp_path, options):
    samples = tmp_path / "x.npz"
    np.savez(samples, x=np.stack([feed["x"] for feed in feeds()]))
    with pytest.raises(nacre.NacreError, match="-o names a file"):
        cli.nacre("calibrate", net, f"--data={samples}", "-o", "-", *options)


@pytest.mark.parametrize("sizes, options", [
    ([12, 13], {"hessians": True}),
    ([12, 13], {}),
    # More than are judged by, of few sizes: each is compiled for.
    ([*range(10, 21)] * 3, {"rounding": "hessian"})])
def test_order_of_sizes_changes_nothing(tmp_path, sizes, options):
    """Where they decide the pads of a convolution, too."""
    model = tmp_path / "net.onnx"
    onnx.save(builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], auto_pad="SAME_UPPER",
                       strides=[2, 2])],
        {"x": ("float32", [1, 3, "H", "W"])},
        {"y": ("float32", [1, 8, "A", "B"])},
        weights={"w": random((8, 3, 3, 3), 1) / 5}), str(model))
    sizes = [*sizes] * (16 // len(sizes) or 1)
    samples = [{"x": random((1, 3, size, size), i).cumsum(2).cumsum(3) / 100}
               for i, size in enumerate(sizes)]
    files = []
    for name, order in ("a", samples), ("b", samples[::-1]):
        (tmp_path / name).mkdir()
        nacre.calibrate(model, order, tmp_path / name / "r.yaml", **EXACT,
                        **options)
        files.append([path.read_bytes()
                      for path in sorted((tmp_path / name).iterdir())])
    assert len(files[0]) == 2 and files[0] == files[1]


def test_layers_of_few_rows_keep_the_nearest_integers(tmp_path):
    onnx.save(network(rows=4, inner=400), str(tmp_path / "net.onnx"))
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                   feeds(16, rows=4), **EXACT)
    text = (tmp_path / "small.ranges.yaml").read_text()
    assert re.findall(r"columns: +(\d+)", text) == ["24"]


def test_profile_on_standard_output_has_no_sums(net, tmp_path):
    samples = tmp_path / "x.npz"
    np.savez(samples, x=np.stack([feed["x"] for feed in feeds()]))
    text = cli.nacre("calibrate", net, f"--data={samples}", "-o", "-",
                     "--activations=int16")
    assert "range_profile" in text and "sums" not in text


def test_ranges_without_their_sums_round_to_the_nearest(net, tmp_path):
    nacre.calibrate(net, feeds(), tmp_path / "r.yaml", **EXACT)
    (tmp_path / "r.yaml.sums").unlink()
    said = subprocess.run(
        [cli.tool(), "quantize", net, f"--ranges={tmp_path / 'r.yaml'}",
         "--activations=int16", "-o", tmp_path / "auto.onnx"], text=True,
        capture_output=True, check=True).stderr
    assert "warning: there is no '" in said
    assert "r.yaml.sums" in said and "--rounding is nearest" in said
    nacre.quantize(net, tmp_path / "nearest.onnx", rounding="nearest",
                   ranges=tmp_path / "r.yaml", **EXACT)
    assert (tmp_path / "auto.onnx").read_bytes() == \
        (tmp_path / "nearest.onnx").read_bytes()


def test_unknown_rounding_is_refused(net, tmp_path):
    with pytest.raises(nacre.NacreError, match="auto or nearest or hessian"):
        nacre.quantize(net, tmp_path / "small.onnx", feeds(1), rounding="up")
