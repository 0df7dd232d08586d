# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nacre check --against`: two models on the same data, value by value."""

import json

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from nacre import builders, cli


def random(shape, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def network(noise=0.0, values=("hidden", "active"), output="y",
            dtype="float32"):
    """Two products with a Relu between; NOISE is in the first weights."""
    hidden, active = values
    weights = {"w1": random((8, 12), 1) + noise * random((8, 12), 2),
               "w2": random((12, 4), 3)}
    return builders.model(
        [builders.node("MatMul", ["x", "w1"], [hidden], name="first"),
         builders.node("Relu", [hidden], [active], name="second"),
         builders.node("MatMul", [active, "w2"], [output], name="third")],
        {"x": (dtype, [5, 8])}, {output: (dtype, [5, 4])},
        {name: array.astype(dtype) for name, array in weights.items()})


def save(folder, name, model):
    path = folder / name
    onnx.save(model, str(path))
    return path


def data_set(folder, seed=7, dtype="float32"):
    """Inputs alone: nobody knows what to expect."""
    folder.mkdir()
    (folder / "input_0.pb").write_bytes(numpy_helper.from_array(
        random((5, 8), seed).astype(dtype), "x").SerializeToString())
    return folder


def fail(code, *words):
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("check", *words)
    assert error.value.code == code
    return str(error.value)


@pytest.fixture
def pair(tmp_path):
    return (save(tmp_path, "a.onnx", network(noise=0.01)),
            save(tmp_path, "b.onnx", network()))


def ratio(expected, found):
    noise = expected.astype(np.float64) - found
    return 10 * np.log10((expected.astype(np.float64)**2).sum() /
                         (noise**2).sum())


def compute(noise, x):
    hidden = x @ (random((8, 12), 1) + np.float32(noise) * random((8, 12), 2))
    active = np.maximum(hidden, 0)
    return {"hidden": hidden, "active": active, "y": active @ random((12, 4), 3)}


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_values_of_both_are_compared_by_name(pair, tmp_path, backend):
    sets = [data_set(tmp_path / f"set{i}", i) for i in (7, 8)]
    line = cli.nacre("check", pair[0], *sets, f"--against={pair[1]}",
                     "--layers=graph", "--json", "--rtol=1", "--atol=1",
                     f"--backend={backend}")
    report = json.loads(line)
    assert report["outputs_agree"]
    x = np.concatenate([random((5, 8), seed) for seed in (7, 8)])
    found, expected = compute(0.01, x), compute(0, x)
    assert [value["name"] for value in report["values"]] == list(expected)
    for value in report["values"]:
        a, b = expected[value["name"]], found[value["name"]]
        assert value["snr_db"] == pytest.approx(ratio(a, b), abs=0.1)
        assert value["largest_error"] == pytest.approx(abs(a - b).max(),
                                                       rel=1e-3)
        assert value["cosine"] == pytest.approx(
            (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()), abs=1e-5)
    assert report["values"][1]["op"] == "Relu"


def test_the_worst_value_comes_first(pair, tmp_path):
    data = data_set(tmp_path / "set")
    report = json.loads(cli.nacre(
        "check", pair[0], data, f"--against={pair[1]}", "--layers", "--json",
        "--snr=10"))
    ratios = [value["snr_db"] for value in report["values"]]
    assert ratios == sorted(ratios) and ratios[0] < ratios[-1]
    text = cli.nacre("check", pair[0], data, f"--against={pair[1]}",
                     "--layers=loss", "--snr=10")
    assert "3 of 3 values of" in text and text.splitlines()[-1] == "PASS"
    names = [line.split()[3] for line in text.splitlines()
             if line.endswith(")")]
    assert names == [value["name"] for value in report["values"]]


def test_equal_models_are_exact(pair, tmp_path):
    data = data_set(tmp_path / "set")
    text = cli.nacre("check", pair[1], data, f"--against={pair[1]}",
                     "--layers")
    assert text.count(" exact  ") == 3 and text.splitlines()[-1] == "PASS"


def test_outputs_are_those_of_the_other_model(pair, tmp_path):
    data = data_set(tmp_path / "set")
    assert "pass" in cli.nacre("check", pair[0], data, "--snr=10",
                               f"--against={pair[1]}")
    fail(cli.Exit.DIFFERS, pair[0], data, f"--against={pair[1]}")
    # By number, where they have other names; also of a compiled model.
    other = save(tmp_path, "c.onnx", network(output="z"))
    cli.nacre("check", pair[1], data, f"--against={other}")
    cli.nacre("compile", other, "-o", tmp_path / "c.so")
    cli.nacre("check", pair[1], data, f"--against={tmp_path / 'c.so'}")


def test_outputs_of_the_same_name_are_compared_whatever_their_order(tmp_path):
    def two(names, noise):
        model = network(noise, output=names[0])
        model.graph.node.append(builders.node("MatMul", ["x", "w3"],
                                              [names[1]], name="other"))
        model.graph.initializer.append(numpy_helper.from_array(
            random((8, 4), 4), "w3"))
        model.graph.output.append(onnx.helper.make_tensor_value_info(
            names[1], onnx.TensorProto.FLOAT, [5, 4]))
        return model

    data = data_set(tmp_path / "set")
    # q of each is what `third` computes, p and r what `other` does.
    one = two(["q", "p"], 0)
    one.graph.output.reverse()
    cli.nacre("check", save(tmp_path, "a.onnx", one), data,
              f"--against={save(tmp_path, 'b.onnx', two(['q', 'r'], 0))}")
    fail(cli.Exit.DIFFERS, tmp_path / "a.onnx", data,
         f"--against={save(tmp_path, 'c.onnx', two(['q', 'r'], 0.1))}")


def test_other_outputs_are_named(pair, tmp_path):
    data = data_set(tmp_path / "set")
    other = network(output="z")
    other.graph.output.append(onnx.helper.make_tensor_value_info(
        "active", onnx.TensorProto.FLOAT, [5, 12]))
    message = fail(cli.Exit.BAD_INPUT, pair[0], data,
                   f"--against={save(tmp_path, 'c.onnx', other)}")
    assert "has no output 'y'" in message


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_values_that_floats_round_to_one_are_not_exact(tmp_path, dtype):
    def shifted(by):
        return builders.model(
            [builders.node("Add", ["x", "w"], ["h"], name="first"),
             builders.node("Sub", ["h", "v"], ["y"], name="second")],
            {"x": (dtype, [4])}, {"y": (dtype, [4])},
            {"w": np.array([2**40 + by], dtype),
             "v": np.array([2**40 + by], dtype)})

    data = tmp_path / "set"
    data.mkdir()
    (data / "input_0.pb").write_bytes(numpy_helper.from_array(
        np.arange(4).astype(dtype), "x").SerializeToString())
    report = json.loads(cli.nacre(
        "check", save(tmp_path, "a.onnx", shifted(1)), data, "--json",
        f"--against={save(tmp_path, 'b.onnx', shifted(2))}", "--layers"))
    values = {value["name"]: value for value in report["values"]}
    assert values["h"]["largest_error"] == 1 and not values["h"]["exact"]
    assert values["h"]["snr_db"] == pytest.approx(20 * np.log10(2**40), abs=0.1)
    assert values["y"]["exact"] and values["y"]["snr_db"] is None


def test_noise_where_zeros_are_expected_is_the_worst(tmp_path):
    def scaled(factor):
        return builders.model(
            [builders.node("Mul", ["x", "w"], ["h"], name="scale"),
             builders.node("Sub", ["x", "h"], ["y"], name="rest")],
            {"x": ("float32", [5, 8])}, {"y": ("float32", [5, 8])},
            {"w": np.array([factor], np.float32)})

    words = ["check", save(tmp_path, "a.onnx", scaled(0.01)),
             data_set(tmp_path / "set"), "--rtol=1", "--atol=1", "--layers",
             f"--against={save(tmp_path, 'b.onnx', scaled(0))}"]
    lines = cli.nacre(*words).splitlines()
    worst = next(line for line in lines if line.endswith("scale (Mul)"))
    assert worst.split()[:2] == ["-inf", "0.000000"]
    assert lines.index(worst) < next(
        i for i, line in enumerate(lines) if line.endswith("rest (Sub)"))
    first = json.loads(cli.nacre(*words, "--json"))["values"][0]
    assert first["name"] == "h" and first["snr_db"] is None
    assert not first["exact"]


def test_what_writes_files_and_strategies_are_for_the_first_model(tmp_path):
    data = data_set(tmp_path / "set")
    one = save(tmp_path, "a.onnx", network())
    renamed = network(noise=0.01)
    for node in renamed.graph.node:
        node.name = f"other_{node.name}"
    other = save(tmp_path, "b.onnx", renamed)
    cli.nacre("compile", one, "-o", tmp_path / "a.so",
              f"--dump-strategies={tmp_path / 'a.json'}")
    options = [f"--dump-ir={tmp_path / 'ir'}",
               f"--dump-strategies={tmp_path / 'new.json'}",
               f"--strategies={tmp_path / 'a.json'}"]
    cli.nacre("check", one, data, f"--against={other}", "--layers", "--snr=10",
              *options)
    strategies = json.loads((tmp_path / "new.json").read_text())
    assert strategies == json.loads((tmp_path / "a.json").read_text())
    files = sorted((tmp_path / "ir").iterdir())
    assert files and not any("other_" in file.read_text() for file in files)
    assert len({file.name.split("_")[0] for file in files}) == len(files)
    # What else runs the model leaves them as they are, too.
    cli.nacre("check", one, data, f"--against={other}", "--snr=10", *options,
              f"--dump-tensors={tmp_path / 'values'}")
    assert files == sorted((tmp_path / "ir").iterdir())


def test_values_of_other_types_are_named_and_not_compared(tmp_path):
    def cast(model, kind):
        nodes = model.graph.node
        nodes.insert(1, builders.node("Cast", ["hidden"], ["moved"], to=kind))
        nodes.insert(2, builders.node("Cast", ["moved"], ["back"],
                                      to=onnx.TensorProto.FLOAT))
        nodes[3].input[0] = "back"
        return model

    data = data_set(tmp_path / "set")
    one = save(tmp_path, "a.onnx", cast(network(), onnx.TensorProto.DOUBLE))
    other = save(tmp_path, "b.onnx", cast(network(), onnx.TensorProto.FLOAT16))
    text = cli.nacre("check", one, data, f"--against={other}", "--layers",
                     "--snr=20")
    assert ("moved: not compared, expected and found: float16[5,12] and "
            "float64[5,12]") in text


def test_models_without_common_names_are_refused(pair, tmp_path):
    data = data_set(tmp_path / "set")
    other = save(tmp_path, "c.onnx", network(values=("p", "q"), output="z"))
    message = fail(cli.Exit.BAD_INPUT, pair[1], data, f"--against={other}",
                   "--layers")
    assert "have no values of the same names" in message


def test_quantized_model_is_compared_with_itself_as_it_is(pair, tmp_path):
    data = data_set(tmp_path / "set")
    ranges = tmp_path / "b.yaml"
    cli.nacre("calibrate", pair[1], f"--data={data}", "-o", ranges)
    report = json.loads(cli.nacre(
        "check", pair[1], data, f"--against={pair[1]}", "--layers", "--json",
        f"--ranges={ranges}", "--snr=20"))
    noisy = {value["name"]: value["snr_db"] for value in report["values"]}
    assert 20 < noisy["y"] < 60


@pytest.mark.parametrize("options, message", [
    (["--layers"], "--layers needs --against"),
    (["--json"], "--json needs --layers"),
    (["--against={b}", "--json"], "--json needs --layers"),
    (["--against={b}", "--layers=size"], "--layers needs loss or graph"),
    (["--against=none.onnx"], "none.onnx"),
    (["--against=c.so", "--layers"], "needs models to compile")], ids=str)
def test_what_does_not_fit_is_refused(options, message, pair, tmp_path):
    data = data_set(tmp_path / "set")
    words = [word.format(b=pair[1]) for word in options]
    assert message in fail(cli.Exit.BAD_INPUT, pair[0], data, *words)


@pytest.mark.parametrize("options", [["-O1"], ["--no-winograd"],
                                     ["--backend=reference"]])
def test_options_of_compiling_beside_one_library_are_for_the_model(
        tmp_path, options):
    model = save(tmp_path, "a.onnx", network())
    library = tmp_path / "a.so"
    cli.nacre("compile", model, "-o", library)
    data = data_set(tmp_path / "data")
    assert "pass" in cli.nacre("check", model, data, f"--against={library}",
                               *options)
    assert "pass" in cli.nacre("check", library, data, f"--against={model}",
                               *options)


def test_options_of_compiling_beside_two_libraries_are_refused(tmp_path):
    library = tmp_path / "a.so"
    cli.nacre("compile", save(tmp_path, "a.onnx", network()), "-o", library)
    assert "-O1 needs a model to compile: the library" in fail(
        3, library, data_set(tmp_path / "data"), f"--against={library}", "-O1")
