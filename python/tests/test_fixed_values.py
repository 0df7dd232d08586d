# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs whose values are known when a model is compiled."""

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import nacre
from backends import BACKENDS, run
from nacre import builders, cli

X = np.float32([1, -2, 3])


def scaled():
    """The inputs to be fixed come first and last."""
    return builders.model(
        [builders.node("Cast", ["factor"], ["scale"], to=1),
         builders.node("Mul", ["x", "scale"], ["y"]),
         builders.node("Gather", ["x", "pick"], ["z"])],
        {"factor": ("int32", []), "x": ("float32", ["n"]),
         "pick": ("int64", ["k"])},
        {"y": ("float32", ["n"]), "z": ("float32", ["k"])})


@pytest.fixture
def model(tmp_path):
    onnx.save(scaled(), str(tmp_path / "model.onnx"))
    return tmp_path / "model.onnx"


@pytest.mark.parametrize("backend", BACKENDS)
def test_scalars_and_lists_are_no_inputs_anymore(tmp_path, backend):
    found = run(scaled(), {"x": X}, tmp_path, backend, "--value=factor=-3",
                "--value", "pick=2, 0")
    np.testing.assert_array_equal(found["y"], X * -3)
    np.testing.assert_array_equal(found["z"], [3, 1])


def test_files_give_values(tmp_path):
    np.save(tmp_path / "factor.npy", np.int32(4))
    (tmp_path / "pick.pb").write_bytes(
        numpy_helper.from_array(np.int64([1]), "any").SerializeToString())
    found = run(scaled(), {"x": X}, tmp_path, "cpu",
                f"--value=factor={tmp_path}/factor.npy",
                f"--value=pick={tmp_path}/pick.pb")
    np.testing.assert_array_equal(found["y"], X * 4)
    np.testing.assert_array_equal(found["z"], [-2])


@pytest.mark.parametrize("value, message", [
    ("nothing=1", "--value names 'nothing', which is no graph input"),
    ("factor=many", "of which 'many' is no element"),
    ("factor=", "of which '' is no element"),
    ("factor=1.5", "of which '1.5' is no element"),
    ("factor=2147483648", "of which '2147483648' is no element"),
    ("factor=1,2", "of which '1,2' is no element"),
    ("pick=1,,2", "of which '' is no element"),
    ("x=1e60", "of which '1e60' is no element"),
    ("factor=missing.npy", "missing.npy"),
    ("factor", "--value needs NAME=V")])
def test_value_that_is_none_is_bad_input(model, value, message):
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("info", model, f"--value={value}")
    assert error.value.code == cli.Exit.BAD_INPUT
    assert message in str(error.value)


def test_value_of_another_size_is_bad_input(model):
    typed = onnx.load(str(model))
    typed.graph.input[2].CopyFrom(builders.value("pick", "int64", [3]))
    onnx.save(typed, str(model))
    np.save(model.parent / "long.npy", np.int32([1, 2]))
    for value, message in (("pick=1,2", "found 2 elements"),
                           (f"factor={model.parent}/long.npy", "needs")):
        with pytest.raises(cli.NacreError, match=message) as error:
            cli.nacre("info", model, f"--value={value}")
        assert error.value.code == cli.Exit.BAD_INPUT


def write_set(folder, **arrays):
    folder.mkdir()
    for kind, names in (("input", ["factor", "x", "pick"]),
                        ("output", ["y", "z"])):
        for i, name in enumerate(names):
            tensor = numpy_helper.from_array(arrays[name])
            (folder / f"{kind}_{i}.pb").write_bytes(tensor.SerializeToString())
    return folder


@pytest.mark.parametrize("options", [[], ["--dynamic"]])
def test_check_skips_the_file_of_a_fixed_input_of_that_value(model, options):
    folder = write_set(model.parent / "set", factor=np.array(2, np.int32), x=X,
                       pick=np.int64([0]), y=X * 2, z=X[:1])
    for backend in BACKENDS:
        assert "PASS" in cli.nacre(
            "check", model, folder, f"--backend={backend}",
            "--value=factor=2", "--value=pick=0", *options)
    with pytest.raises(cli.NacreError, match="gives input 'factor' another"):
        cli.nacre("check", model, folder, "--backend=interpreter",
                  "--value=factor=3", *options)


def test_session_has_fixed_inputs_no_more(model):
    values = {"factor": 5, "pick": np.int64([2, 2])}
    session = nacre.InferenceSession(model, values=values,
                                     cache_dir=model.parent)
    assert [value.name for value in session.get_inputs()] == ["x"]
    y, z = session.run(None, {"x": X})
    np.testing.assert_array_equal(y, X * 5)
    np.testing.assert_array_equal(z, X[[2, 2]])
    values["pick"] = [1]
    (z,) = nacre.InferenceSession(
        model, values=values, cache_dir=model.parent).run(["z"], {"x": X})
    np.testing.assert_array_equal(z, X[[1]])
