# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--bias-correction=exact`: biases that make up for what runs have shown."""

import json
import re

import numpy as np
import onnx
import pytest

import nacre
from nacre import builders, cli
from nacre.samples import write_tensor

# Of what rounding alone leaves of the mean error, what may be left of it when
# biases have made up for it: they are rounded themselves.
LEFT = 0.1


def random(rng, *shape):
    fan = np.prod(shape[1:]) if len(shape) > 1 else 1
    return (rng.standard_normal(shape) / np.sqrt(fan)).astype(np.float32)


def network(size=12):
    """Rectifiers in between make errors of the mean of what rounding does to
    the numbers around zero."""
    rng = np.random.default_rng(3)
    weights = {"w0": random(rng, 16, 3, 3, 3), "b0": random(rng, 16) / 4,
               "w1": random(rng, 16, 1, 3, 3), "b1": random(rng, 16) / 4,
               "w2": random(rng, 16, 16, 1, 1), "b2": random(rng, 16) / 4,
               "w3": random(rng, 10, 16), "b3": random(rng, 10)}
    return builders.model(
        [builders.node("Conv", ["x", "w0", "b0"], ["c0"], "first", pads=[1] * 4),
         builders.node("Relu", ["c0"], ["r0"]),
         builders.node("Conv", ["r0", "w1", "b1"], ["c1"], "depthwise",
                       group=16),
         builders.node("Relu", ["c1"], ["r1"]),
         builders.node("Conv", ["r1", "w2", "b2"], ["c2"], "second"),
         builders.node("Relu", ["c2"], ["r2"]),
         builders.node("GlobalAveragePool", ["r2"], ["mean"]),
         builders.node("Flatten", ["mean"], ["flat"]),
         builders.node("Gemm", ["flat", "w3", "b3"], ["y"], "last", transB=1)],
        {"x": ("float32", [1, 3, size, size])}, {"y": ("float32", [1, 10])},
        weights=weights)


def feeds(shapes):
    rng = np.random.default_rng(4)
    return [{"x": rng.standard_normal(shape).astype(np.float32)}
            for shape in shapes]


SAMPLES = feeds([(1, 3, 12, 12)] * 12)


@pytest.fixture
def net(tmp_path):
    onnx.save(network(), str(tmp_path / "net.onnx"))
    return tmp_path / "net.onnx"


def mean_error(model, small, samples=None):
    """The largest error of a class, in the mean of the samples."""
    results = []
    for path in model, small:
        session = nacre.InferenceSession(str(path))
        results.append(np.concatenate([session.run(None, feed)[0]
                                       for feed in samples or SAMPLES]))
    return np.abs((results[1] - results[0]).mean(0)).max()


def quantize(net, name, correction, data=None, **options):
    small = net.parent / f"{name}.onnx"
    nacre.quantize(net, small, data, bias_correction=correction,
                   per_tensor=True, **options)
    return small


@pytest.mark.parametrize("options", [
    {}, {"schema": "symmetric"}, {"rounding": "hessian"}, {"bias": "f32"},
    {"equalize": "auto"}])
def test_exact_correction_leaves_no_error_of_the_mean(net, options):
    # Rounding for inputs corrects means, too.
    nearest = {**options, "rounding": "nearest"}
    off = mean_error(net, quantize(net, "off", "off", SAMPLES, **nearest))
    exact = mean_error(net, quantize(net, "exact", "exact", SAMPLES, **options))
    assert exact < off * LEFT, (exact, off)


def test_fast_correction_is_the_default(net):
    files = [quantize(net, str(correction), correction, SAMPLES).read_bytes()
             for correction in (True, "fast", False, "off", "exact")]
    assert files[0] == files[1] and files[2] == files[3]
    assert len(set(files)) == 3


def test_exact_correction_knows_samples_of_several_shapes(tmp_path):
    model = network()
    for axis in 2, 3:
        model.graph.input[0].type.tensor_type.shape.dim[axis].dim_param = "size"
    onnx.save(model, str(tmp_path / "net.onnx"))
    samples = feeds([(1, 3, size, size) for size in (8, 12, 8, 16, 12, 10)])
    off, exact = (
        mean_error(tmp_path / "net.onnx",
                   quantize(tmp_path / "net.onnx", correction, correction,
                            samples), samples)
        for correction in ("off", "exact"))
    assert exact < off * LEFT, (exact, off)


def test_ranges_have_the_corrections_of_those_who_measured(net):
    small = quantize(net, "small", "exact", SAMPLES)
    ranges = net.parent / "small.ranges.yaml"
    again = quantize(net, "again", "exact", ranges=ranges)
    assert again.read_bytes() == small.read_bytes()
    cli.nacre("compile", net, f"--ranges={ranges}", "--per-tensor",
              "--bias-correction=exact", "-o", net.parent / "net.s")
    cli.nacre("compile", small, "-o", net.parent / "small.s", "--name=net")
    assert ((net.parent / "net.s").read_text()
            == (net.parent / "small.s").read_text())
    # Without the option they are of no account.
    plain = quantize(net, "plain", "fast", ranges=ranges)
    assert plain.read_bytes() != small.read_bytes()


def test_ir_is_that_of_what_is_written(net):
    data = net.parent / "data"
    data.mkdir()
    write_tensor(data / "input_0.pb", "x", SAMPLES[0]["x"])

    def dump(name, option):
        folder = net.parent / name
        cli.nacre("quantize", net, "-o", net.parent / f"{name}.onnx",
                  "--bias-correction=exact", option, f"--dump-ir={folder}")
        return sorted(file.name for file in folder.iterdir())

    # The same, whether the ranges are measured or known.
    measured = dump("small", f"--data={data}")
    known = dump("again", f"--ranges={net.parent / 'small.ranges.yaml'}")
    assert measured == known


def test_data_beside_ranges_correct_what_overrides_leave(net):
    """The ranges that are given stay as they are."""
    nacre.calibrate(net, SAMPLES, net.parent / "r.yaml")
    text = (net.parent / "r.yaml").read_text().replace(
        "...", "overrides:\n- {node: depthwise, precision: f32}\n...")
    (net.parent / "r.yaml").write_text(text)
    small = quantize(net, "small", "exact", SAMPLES,
                     ranges=net.parent / "r.yaml",
                     report=net.parent / "report.json")
    assert (net.parent / "r.yaml").read_text() == text
    measured = (net.parent / "small.ranges.yaml").read_text()
    assert "biases:" in measured and "result:          c2" in measured
    assert "result:          c1" not in measured
    report = json.loads((net.parent / "report.json").read_text())
    assert "biases corrected by runs" in report["options"]
    off = quantize(net, "off", "off", ranges=net.parent / "r.yaml")
    assert mean_error(net, small) < mean_error(net, off) * LEFT


OPEN_SHAPES = [["n", 12], ["n", 5, 12], [1, "s", 12], ["n", "s", 12]]


def open_network(folder, shape):
    """A MatMul and an Add, which are one op with a bias whatever is known of
    sizes."""
    rng = np.random.default_rng(6)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Add", ["p", "b"], ["y"])],
        {"x": ("float32", shape)}, {"y": ("float32", [*shape[:-1], 4])},
        weights={"w": random(rng, 12, 4), "b": random(rng, 4)}),
        str(folder / "net.onnx"))
    return folder / "net.onnx"


def positive_feeds(shape, count, **sizes):
    """Numbers whose mean is far from 0, so that weights that are rounded up
    show in that of sums."""
    known = [sizes.get(size, size) for size in shape]
    return [{"x": np.abs(feed["x"])} for feed in feeds([known] * count)]


@pytest.mark.parametrize("shape", OPEN_SHAPES, ids=str)
def test_sums_of_open_sizes_are_corrected(tmp_path, shape):
    net = open_network(tmp_path, shape)
    samples = positive_feeds(shape, 8, n=3, s=7)

    def error(correction):
        small = quantize(net, correction, correction, samples)
        results = [[nacre.InferenceSession(str(path)).run(None, feed)[0]
                    .reshape(-1, 4) for feed in samples]
                   for path in (net, small)]
        apart = np.concatenate(results[1]) - np.concatenate(results[0])
        return np.abs(apart.mean(0)).max()

    off, fast, exact = map(error, ("off", "fast", "exact"))
    assert fast < off / 2 and exact < off / 2, (off, fast, exact)


@pytest.mark.parametrize("shape", OPEN_SHAPES, ids=str)
def test_sums_of_open_sizes_are_those_of_known_ones(tmp_path, shape):
    """The corrections that were measured where samples tell all sizes."""
    net = open_network(tmp_path, shape)
    small = quantize(net, "small", "exact",
                     positive_feeds(shape, 8, n=3, s=7))
    options = [f"--ranges={tmp_path / 'small.ranges.yaml'}", "--per-tensor",
               "--bias-correction=exact"]
    for name, command in ("any", [net, *options]), ("small", [small]):
        cli.nacre("compile", *command, "--name=net", "-o",
                  tmp_path / f"{name}.s")
    assert ((tmp_path / "any.s").read_text()
            == (tmp_path / "small.s").read_text())
    cli.nacre("compile", net, *options, "-o", tmp_path / "any.so")
    session = nacre.InferenceSession(str(tmp_path / "any.so"))
    empty, one, four = (positive_feeds(shape, 1, n=size, s=size)[0]
                        for size in (0, 1, 4))
    assert (session.run(None, empty)[0].shape
            == (*empty["x"].shape[:-1], 4))
    for feed in one, four:
        known = "x".join(map(str, feed["x"].shape))
        library = tmp_path / f"{known}.so"
        cli.nacre("compile", net, *options, f"--shape=x={known}", "-o", library)
        other = nacre.InferenceSession(str(library))
        np.testing.assert_array_equal(session.run(None, feed)[0],
                                      other.run(None, feed)[0])


def test_corrections_of_other_weights_are_refused(net):
    """Of the same values and ranges, as after some more training."""
    quantize(net, "small", "exact", SAMPLES)
    ranges = net.parent / "small.ranges.yaml"
    model = network()
    for tensor in model.graph.initializer:
        if tensor.name in ("w1", "b3"):
            other = onnx.numpy_helper.to_array(tensor) * np.float32(1.01)
            tensor.CopyFrom(onnx.numpy_helper.from_array(other, tensor.name))
    onnx.save(model, str(net.parent / "trained.onnx"))
    with pytest.raises(nacre.NacreError, match="corrections of biases for other "
                       "weights than these.*measured on samples") as error:
        quantize(net.parent / "trained.onnx", "other", "exact", ranges=ranges)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (net.parent / "other.onnx").exists()
    # Ranges alone may be those of other weights.
    quantize(net.parent / "trained.onnx", "other", "fast", ranges=ranges)


def test_corrections_that_do_not_say_of_which_weights_are_refused(net):
    """As older versions have written them."""
    quantize(net, "small", "exact", SAMPLES)
    ranges = net.parent / "small.ranges.yaml"
    text, count = re.subn(r"\n  weights:.*", "", ranges.read_text())
    assert count == 1
    ranges.write_text(text)
    with pytest.raises(nacre.NacreError, match="does not say of which weights "
                       "its corrections of biases are, which have to be "
                       "measured") as error:
        quantize(net, "other", "exact", ranges=ranges)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_model_without_biases_has_nothing_to_correct(tmp_path):
    rng = np.random.default_rng(5)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"])],
        {"x": ("float32", [1, 3, 12, 12])}, {"y": ("float32", [1, 3, 12, 4])},
        weights={"w": random(rng, 12, 4)}), str(tmp_path / "net.onnx"))
    files = [quantize(tmp_path / "net.onnx", correction, correction,
                      SAMPLES).read_bytes()
             for correction in ("exact", "off")]
    assert files[0] == files[1]


def test_ranges_without_corrections_say_how_to_get_them(net):
    nacre.calibrate(net, SAMPLES, net.parent / "r.yaml")
    with pytest.raises(nacre.NacreError, match="r.yaml' has no corrections of "
                       "biases.*--bias-correction=exact with --data") as error:
        quantize(net, "small", "exact", ranges=net.parent / "r.yaml")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (net.parent / "small.onnx").exists()


@pytest.mark.parametrize("options", [
    ["--schema=symmetric"], ["--calibrator=minmax"], ["--keep-node=first"],
    ["--bias=f32"], []])
def test_corrections_are_of_the_same_options(net, options):
    quantize(net, "small", "exact", SAMPLES)   # with --per-tensor
    with pytest.raises(nacre.NacreError,
                       match="for other options or overrides") as error:
        cli.nacre("compile", net, "-o", net.parent / "net.so",
                  f"--ranges={net.parent / 'small.ranges.yaml'}",
                  "--bias-correction=exact",
                  *(["--per-tensor"] if options else []), *options)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (net.parent / "net.so").exists()


@pytest.mark.parametrize("arguments, message", [
    (["quantize", "--data=.", "--bias-correction=always"],
     "--bias-correction needs fast or exact or off"),
    (["compile", "--bias-correction=off"],
     "--bias-correction needs --ranges"),
    (["compile", "--activations=dynamic", "--bias-correction=fast"],
     "--bias-correction is of no use"),
    (["tune", "--data=.", "--target=sqnr>=20", "--bias-correction=exact"],
     "leave --bias-correction=exact to nacre quantize")])
def test_options_without_meaning_are_refused(net, arguments, message):
    command, *options = arguments
    with pytest.raises(nacre.NacreError, match=message) as error:
        cli.nacre(command, net, *options, "-o", net.parent / "x.onnx")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (net.parent / "x.onnx").exists()


def test_damaged_corrections_are_refused(net):
    quantize(net, "small", "exact", SAMPLES)
    ranges = net.parent / "small.ranges.yaml"
    ranges.write_text(ranges.read_text().replace("addends:", "addenda:", 1))
    with pytest.raises(nacre.NacreError, match="addends") as error:
        quantize(net, "other", "exact", ranges=ranges)
    assert error.value.code == cli.Exit.BAD_INPUT


def test_corrections_are_of_each_product_that_is_quantized(tmp_path):
    """What is kept reads the same values as what is not, so that the same values
    are quantized with and without it."""
    rng = np.random.default_rng(7)
    convolution = [[f"w{i}", f"b{i}"] for i in range(3)]
    onnx.save(builders.model(
        [builders.node("Conv", ["x", *convolution[0]], ["c0"], "first"),
         builders.node("Relu", ["c0"], ["r0"]),
         builders.node("Conv", ["r0", *convolution[1]], ["y0"], "left"),
         builders.node("Conv", ["r0", *convolution[2]], ["y1"], "right")],
        {"x": ("float32", [1, 3, 12, 12])},
        {"y0": ("float32", [1, 4, 12, 12]), "y1": ("float32", [1, 4, 12, 12])},
        weights={"w0": random(rng, 8, 3, 1, 1), "b0": random(rng, 8),
                 "w1": random(rng, 4, 8, 1, 1), "b1": random(rng, 4),
                 "w2": random(rng, 4, 8, 1, 1), "b2": random(rng, 4)}),
        str(tmp_path / "net.onnx"))
    quantize(tmp_path / "net.onnx", "small", "exact", SAMPLES, keep_nodes="left")
    ranges = tmp_path / "small.ranges.yaml"
    quantize(tmp_path / "net.onnx", "again", "exact", ranges=ranges,
             keep_nodes="left")
    with pytest.raises(nacre.NacreError, match="for other options or overrides"):
        quantize(tmp_path / "net.onnx", "other", "exact", ranges=ranges)
    assert not (tmp_path / "other.onnx").exists()


@pytest.mark.parametrize("find, replace, message", [
    (r"addends: +\[[^,]+,", "addends: [nan,", "finite numbers in 'addends'"),
    (r"addends: +\[[^,]+,", "addends: [", "for other options or overrides"),
    (r"(?s)products:.*?\.\.\.", "products: []\n...",
     "for other options or overrides")])
def test_corrections_that_a_person_broke_are_refused(net, find, replace,
                                                     message):
    quantize(net, "small", "exact", SAMPLES)
    ranges = net.parent / "small.ranges.yaml"
    head, biases = ranges.read_text().split("\nbiases:")
    broken, count = re.subn(find, replace, biases, count=1)
    assert count == 1
    ranges.write_text(head + "\nbiases:" + broken)
    with pytest.raises(nacre.NacreError, match=message) as error:
        quantize(net, "other", "exact", ranges=ranges)
    assert error.value.code == cli.Exit.BAD_INPUT
    assert not (net.parent / "other.onnx").exists()
