# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `--equalize`, `--smooth` and `--rounding` gain where models are bad for
8 bits, and that nothing is lost where they are not."""

import json
import re

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from nacre import builders, cli, tolerances


def normal(rng, *shape):
    fan = np.prod(shape[1:]) if len(shape) > 1 else 1
    return (rng.standard_normal(shape) / np.sqrt(fan)).astype(np.float32)


def decibels(expected, found):
    return 10 * np.log10((expected ** 2).sum() / ((expected - found) ** 2).sum())


def depthwise(channels=32, spread=1000, seed=1):
    """Convolutions whose channels in between are 1 to `spread` times as large,
    which the next one's weights make up for."""
    rng = np.random.default_rng(seed)
    factors = np.geomspace(1, spread, channels).astype(np.float32)
    first, second = rng.permutation(factors), rng.permutation(factors)
    across = np.s_[:, None, None, None]
    weights = {
        "w0": normal(rng, channels, 3, 3, 3) * first[across],
        "b0": normal(rng, channels) * first / 4,
        "w1": normal(rng, channels, 1, 3, 3) * (second / first)[across],
        "b1": normal(rng, channels) * second / 4,
        "w2": normal(rng, 16, channels, 1, 1) / second[None, :, None, None],
        "b2": normal(rng, 16)}
    return builders.model(
        [builders.node("Conv", ["x", "w0", "b0"], ["c0"], pads=[1] * 4),
         builders.node("Relu", ["c0"], ["r0"]),
         builders.node("Conv", ["r0", "w1", "b1"], ["c1"], pads=[1] * 4,
                       group=channels),
         builders.node("LeakyRelu", ["c1"], ["r1"], alpha=0.1),
         builders.node("Conv", ["r1", "w2", "b2"], ["y"])],
        {"x": ("float32", [1, 3, 16, 16])}, {"y": ("float32", [1, 16, 16, 16])},
        weights=weights)


def stack(width=256, seed=2):
    """Gemms that read rows of which 1 % of the columns are 50 times as large."""
    rng = np.random.default_rng(seed)
    weights = {f"w{i}": normal(rng, width, width) / 6 for i in range(3)}
    for i in range(3):
        gamma = (1 + rng.random(width) / 4).astype(np.float32)
        gamma[rng.choice(width, width // 100, replace=False)] *= 50
        weights[f"g{i}"] = gamma
    nodes = []
    value = "x"
    for i in range(3):
        nodes += [builders.node("Tanh", [value], [f"t{i}"]),
                  builders.node("Mul", [f"t{i}", f"g{i}"], [f"m{i}"]),
                  builders.node("MatMul", [f"m{i}", f"w{i}"],
                                [f"y{i}" if i < 2 else "y"])]
        value = f"y{i}"
    return builders.model(nodes, {"x": ("float32", [8, width])},
                          {"y": ("float32", [8, width])}, weights=weights)


def feeds(model, count, seed):
    rng = np.random.default_rng(seed)
    name = model.graph.input[0].name
    shape = [dim.dim_value for dim in
             model.graph.input[0].type.tensor_type.shape.dim]
    return [{name: rng.standard_normal(shape).astype(np.float32)}
            for _ in range(count)]


def outputs(path, samples):
    session = nacre.InferenceSession(str(path))
    return np.stack([session.run(None, feed)[0] for feed in samples])


def measure(folder, model, report=None, **options):
    """Decibels of a model quantized so, on samples that it was not calibrated
    by."""
    plain, small = folder / "model.onnx", folder / "small.onnx"
    onnx.save(model, str(plain))
    nacre.quantize(plain, small, feeds(model, 16, 3), report=report, **options)
    samples = feeds(model, 8, 4)
    return decibels(outputs(plain, samples), outputs(small, samples))


def test_equalization_tells_small_channels_apart(tmp_path):
    model = depthwise()
    before = measure(tmp_path, model, per_tensor=True)
    after = measure(tmp_path, model, per_tensor=True, equalize="auto")
    assert after > before + 10, (before, after)


def test_smoothing_takes_outliers_into_weights(tmp_path):
    model = stack()
    before = measure(tmp_path, model)
    after = measure(tmp_path, model, smooth="auto")
    assert after > before + 6, (before, after)


@pytest.mark.parametrize("make, repair", [(depthwise, "equalize"),
                                          (stack, "smooth")])
def test_report_tells_what_a_repair_gains(tmp_path, make, repair):
    report = tmp_path / "report.json"
    measure(tmp_path, make(), report=report, per_tensor=True, **{repair: "auto"})
    told = json.loads(report.read_text())
    # Rounding is tried, too.
    [measured] = [entry for entry in told["repairs"]
                  if entry["kind"] != "rounding"]
    assert measured["kind"] == repair and measured["kept"]
    assert measured["gain_db"] > 6
    assert len(told["repaired_values"]) >= 2
    for value in told["repaired_values"]:
        assert value["kind"] == repair and value["expected_gain_db"] > 3
    # What was rescaled has another name, since it is not the model's value.
    names = [value["name"] for value in told["values"]]
    assert any(name.endswith("/rescaled") for name in names)


@pytest.mark.parametrize("name", ["report.txt", "report.html"])
def test_readable_reports_name_the_repairs(tmp_path, name):
    measure(tmp_path, depthwise(), report=tmp_path / name, per_tensor=True,
            equalize="auto")
    text = (tmp_path / name).read_text()
    assert "equalize: 2 values, gains" in text and "Repairs" in text


@pytest.mark.parametrize("make, options", [
    (depthwise, ["--equalize=auto", "--per-tensor"]),
    (stack, ["--smooth=auto"]),
    (stack, ["--equalize=auto", "--smooth=auto", "--per-tensor"])])
def test_file_and_its_ranges_compile_to_the_same_code(tmp_path, make, options):
    model = make()
    onnx.save(model, str(tmp_path / "net.onnx"))
    arguments = dict(option[2:].split("=") for option in options
                     if "=" in option)
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                   feeds(model, 4, 1), per_tensor="--per-tensor" in options,
                   **arguments)
    cli.nacre("compile", tmp_path / "net.onnx", "--ranges",
              tmp_path / "small.ranges.yaml", *options, "-o", tmp_path / "net.s")
    cli.nacre("compile", tmp_path / "small.onnx", "-o", tmp_path / "small.s",
              "--name=net")
    texts = [(tmp_path / f"{name}.s").read_text() for name in ("net", "small")]
    assert texts[0] == texts[1]


def test_repair_that_loses_is_left_out(tmp_path):
    """The profile says so, and so does the report; the file is as without."""
    model = depthwise()
    plain = tmp_path / "net.onnx"
    onnx.save(model, str(plain))
    nacre.quantize(plain, tmp_path / "small.onnx", feeds(model, 4, 1))
    ranges = tmp_path / "small.ranges.yaml"
    text = ranges.read_text()
    assert "repairs" not in text  # nobody has asked
    ranges.write_text(text.replace(
        "...", "repairs:\n- {name: equalize, decibels: -2.5, kept: false}\n..."))
    nacre.quantize(plain, tmp_path / "other.onnx", ranges=ranges,
                   report=tmp_path / "report.txt", equalize="auto")
    assert ((tmp_path / "other.onnx").read_bytes()
            == (tmp_path / "small.onnx").read_bytes())
    assert ("equalize: left out, for it gains -2.5 dB on the samples"
            in (tmp_path / "report.txt").read_text())


def test_rounding_where_nothing_is_rounded_changes_no_result(tmp_path):
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                   feeds(model, 4, 1), rounding="hessian", keep=["MatMul"],
                   report=tmp_path / "report.txt")
    assert ("rounding: changes no result on the samples"
            in (tmp_path / "report.txt").read_text())


def test_tuning_knows_repaired_values(tmp_path):
    model = depthwise()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.tune(tmp_path / "net.onnx", tmp_path / "t.yaml", feeds(model, 4, 1),
               "sqnr>=20", per_tensor=True, equalize="auto")
    # On integers altogether, which needs the repair.
    assert "precision" not in (tmp_path / "t.yaml").read_text()


def decoder(width=128, seed=5):
    """Matrix products of inputs that go together, as those of trained models."""
    rng = np.random.default_rng(seed)
    mixture = normal(rng, width, 12).T
    weights = {"mix": mixture.astype(np.float32) * 3}
    nodes = [builders.node("MatMul", ["x", "mix"], ["h0"])]
    for i in range(3):
        weights[f"w{i}"] = normal(rng, width, width)
        nodes += [builders.node("MatMul", [f"h{i}", f"w{i}"], [f"p{i}"]),
                  builders.node("Relu", [f"p{i}"], [f"h{i + 1}"])]
    weights["head"] = normal(rng, width, 32)
    nodes.append(builders.node("MatMul", ["h3", "head"], ["y"]))
    return builders.model(nodes, {"x": ("float32", [16, 12])},
                          {"y": ("float32", [16, 32])}, weights=weights)


INT4 = {"activations": "none", "weights": "int4"}


def test_int4_weights_lose_less_where_they_are_rounded_for_inputs(tmp_path):
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "nearest.onnx", **INT4)
    before = decibels(*(outputs(tmp_path / f"{name}.onnx", feeds(model, 8, 4))
                        for name in ("net", "nearest")))
    after = measure(tmp_path, model, rounding="hessian", **INT4)
    assert after > before + 3, (before, after)


def test_int8_weights_of_convolutions_are_rounded_for_inputs(tmp_path):
    """Judged by a layer's own inputs, which activations do not blur."""
    report = tmp_path / "report.json"
    model = depthwise(spread=1)
    measure(tmp_path, model, report=report, rounding="hessian")
    told = json.loads(report.read_text())
    rounded = [value for value in told["repaired_values"]
               if value["kind"] == "rounding"]
    assert len(rounded) in (0, 3)  # none if the samples say that it loses
    assert all(value["expected_gain_db"] > 0 for value in rounded)
    [measured] = told["repairs"]
    assert measured["kind"] == "rounding"
    assert measured["kept"] == bool(rounded)


@pytest.mark.parametrize("make, arguments", [
    (decoder, INT4), (decoder, {}), (depthwise, {"equalize": "auto"}),
    (stack, {"smooth": "auto"})])
def test_sums_of_inputs_beside_the_ranges_lead_to_the_same_code(
        tmp_path, make, arguments):
    model = make()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                   feeds(model, 4, 1), rounding="hessian", **arguments)
    assert (tmp_path / "small.ranges.yaml.sums").exists()
    options = [f"--{name}={value}" for name, value in arguments.items()]
    cli.nacre("compile", tmp_path / "net.onnx", "--ranges",
              tmp_path / "small.ranges.yaml", "--rounding=hessian", *options,
              "-o", tmp_path / "net.s")
    cli.nacre("compile", tmp_path / "small.onnx", "-o", tmp_path / "small.s",
              "--name=net")
    texts = [(tmp_path / f"{name}.s").read_text() for name in ("net", "small")]
    assert texts[0] == texts[1]


def test_sums_are_those_of_the_layers_inputs(tmp_path):
    """Of a convolution with strides, pads and groups: what its windows see."""
    rng = np.random.default_rng(6)
    model = builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], strides=[2, 1],
                       pads=[1, 0, 0, 1], dilations=[1, 2], group=2)],
        {"x": ("float32", [2, 4, 7, 6])}, {"y": ("float32", [2, 6, 3, 3])},
        weights={"w": normal(rng, 6, 2, 3, 2)})
    onnx.save(model, str(tmp_path / "net.onnx"))
    samples = feeds(model, 2, 1)
    nacre.calibrate(tmp_path / "net.onnx", samples, tmp_path / "r.yaml",
                    hessians=True)
    expected = np.zeros((2, 12, 12))
    for feed in samples:
        padded = np.pad(feed["x"], [(0, 0), (0, 0), (1, 0), (0, 1)])
        for n, g, i, j in np.ndindex(2, 2, 3, 5):
            seen = padded[n, 2 * g:2 * g + 2, 2 * i:2 * i + 3, j:j + 3:2]
            expected[g] += np.outer(seen.ravel(), seen.ravel())
    found = np.fromfile(tmp_path / "r.yaml.sums", np.float32).reshape(2, -1)
    rows, columns = np.tril_indices(12)
    np.testing.assert_allclose(found, expected[:, rows, columns],
                               **tolerances.CANCELLATION)


def test_weights_of_bytes_are_rounded_for_their_inputs(tmp_path):
    """By ranges, whose rounding nobody has judged."""
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.calibrate(tmp_path / "net.onnx", feeds(model, 4, 1),
                    tmp_path / "r.yaml", hessians=True)
    products = []
    for rounding in "nearest", "hessian":
        small = tmp_path / f"{rounding}.onnx"
        nacre.quantize(tmp_path / "net.onnx", small, rounding=rounding,
                       ranges=tmp_path / "r.yaml")
        [weights] = [numpy_helper.to_array(tensor)
                     for tensor in onnx.load(str(small)).graph.initializer
                     if tuple(tensor.dims) == (128, 32)]
        products.append(weights.astype(np.int32))
    steps = np.abs(products[0] - products[1])
    assert 0 < np.count_nonzero(steps) and steps.max() <= 3


@pytest.mark.parametrize("batch", [2, "n"])
def test_int4_weights_of_products_of_rank_3_are_rounded_for_inputs(tmp_path,
                                                                   batch):
    """Also where the number of samples is open when the file is written, which
    samples told when sums were measured."""
    rng = np.random.default_rng(9)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Add", ["p", "b"], ["y"])],
        {"x": ("float32", [batch, 5, 12])}, {"y": ("float32", [batch, 5, 32])},
        weights={"w": normal(rng, 12, 32), "b": normal(rng, 32)}),
        str(tmp_path / "net.onnx"))
    mixture = normal(rng, 12, 3).T
    samples = [{"x": rng.standard_normal((2, 5, 3)).astype(np.float32) @ mixture}
               for _ in range(8)]
    nacre.calibrate(tmp_path / "net.onnx", samples, tmp_path / "r.yaml",
                    hessians=True)
    losses = []
    for name, options in (("nearest", {}),
                          ("hessian", {"ranges": tmp_path / "r.yaml"})):
        nacre.quantize(tmp_path / "net.onnx", tmp_path / f"{name}.onnx",
                       rounding=name, **INT4, **options)
        losses.append(decibels(outputs(tmp_path / "net.onnx", samples),
                               outputs(tmp_path / f"{name}.onnx", samples)))
    assert losses[1] > losses[0] + 3, losses


def test_rounding_without_sums_says_how_to_get_them(tmp_path):
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.calibrate(tmp_path / "net.onnx", feeds(model, 2, 1),
                    tmp_path / "r.yaml")
    with pytest.raises(nacre.NacreError, match="calibrate --hessians") as error:
        nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                       ranges=tmp_path / "r.yaml", rounding="hessian")
    assert error.value.code == 3


@pytest.mark.parametrize("damage, message", [
    ("gone", "cannot read"), ("cut", "is not what was measured with"),
    ("columns", "ends before the sums of")])
def test_damaged_sums_are_refused(tmp_path, damage, message):
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    nacre.calibrate(tmp_path / "net.onnx", feeds(model, 2, 1),
                    tmp_path / "r.yaml", hessians=True)
    sums = tmp_path / "r.yaml.sums"
    if damage == "gone":
        sums.unlink()
    elif damage == "cut":
        sums.write_bytes(sums.read_bytes()[:100])
    else:
        text = (tmp_path / "r.yaml").read_text()
        (tmp_path / "r.yaml").write_text(
            re.sub(r"offset:( +)\d+", r"offset:\g<1>999999", text))
    with pytest.raises(nacre.NacreError, match=message) as error:
        nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                       ranges=tmp_path / "r.yaml", rounding="hessian", **INT4)
    assert error.value.code == 3
    assert not (tmp_path / "small.onnx").exists()


def test_tuned_profile_in_another_folder_has_its_sums(tmp_path):
    model = decoder()
    onnx.save(model, str(tmp_path / "net.onnx"))
    samples = feeds(model, 4, 1)
    for name in "ab":
        (tmp_path / name).mkdir()
    nacre.calibrate(tmp_path / "net.onnx", samples, tmp_path / "a" / "r.yaml",
                    hessians=True)
    tuned = tmp_path / "b" / "t.yaml"
    nacre.tune(tmp_path / "net.onnx", tuned, samples, "sqnr>=10",
               ranges=tmp_path / "a" / "r.yaml")
    sums = tmp_path / "a" / "r.yaml.sums"
    assert (tmp_path / "b" / "t.yaml.sums").read_bytes() == sums.read_bytes()
    nacre.quantize(tmp_path / "net.onnx", tmp_path / "small.onnx",
                   ranges=tuned, rounding="hessian")
    # Those that are lost are left out, and of the tuned profile, too.
    sums.unlink()
    nacre.tune(tmp_path / "net.onnx", tuned, samples, "sqnr>=10",
               ranges=tmp_path / "a" / "r.yaml")
    assert "sums:" not in tuned.read_text()
    assert not (tmp_path / "b" / "t.yaml.sums").exists()


@pytest.mark.parametrize("options, message", [
    (["--ranges=x.yaml", "--equalize=always"], "--equalize"),
    (["--equalize=auto"], "--equalize needs --ranges"),
    (["--ranges=x.yaml", "--rounding=up"], "--rounding"),
    (["--activations=none", "--weights=int4", "--rounding=hessian"],
     "--rounding=hessian needs --ranges"),
    (["--activations=none", "--weights=int8", "--smooth=auto"],
     "--smooth is of no use")])
def test_options_without_meaning_are_refused(tmp_path, options, message):
    onnx.save(depthwise(), str(tmp_path / "net.onnx"))
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre("compile", tmp_path / "net.onnx", *options, "-o",
                  tmp_path / "net.so")
    assert error.value.code == 3
