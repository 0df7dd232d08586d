# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradient on all backends, against differences."""

import numpy as np
import onnx
import pytest
from onnx import helper

from nacre import builders, cli, tolerances

BACKENDS = ["cpu", "reference", "interpreter"]
TRAINING = "ai.onnx.preview.training"


def build(nodes, variables, output, shapes):
    """NODES and the gradient of OUTPUT by VARIABLES."""
    names = [f"d{name}" for name in variables]
    gradient = helper.make_node(
        "Gradient", variables, names, "gradient", domain=TRAINING,
        xs=variables, y=output)
    model = builders.model(
        [*nodes, gradient],
        {name: ("float32", shape) for name, shape in shapes.items()},
        {name: ("float32", shapes[name[1:]]) for name in names})
    model.opset_import.append(helper.make_opsetid(TRAINING, 1))
    return model


def run(model, inputs, folder, backend):
    path = folder / "model.onnx"
    onnx.save(model, str(path))
    arguments = []
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
        arguments += ["--input", f"{name}={folder / name}.npy"]
    return cli.nacre("run", path, f"--backend={backend}", *arguments,
                     "--output-dir", folder / "out")


def differences(compute, inputs, name):
    """The derivative of COMPUTE by input NAME."""
    wide = {key: array.astype(np.float64) for key, array in inputs.items()}
    expected = np.zeros(wide[name].shape)
    for index in np.ndindex(expected.shape):
        moved = {key: value.copy() for key, value in wide.items()}
        moved[name][index] += 1e-5
        ahead = compute(**moved)
        moved[name][index] -= 2e-5
        expected[index] = (ahead - compute(**moved)) / 2e-5
    return expected


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradient_of_a_network_matches_differences(tmp_path, backend):
    rng = np.random.default_rng(0)
    shapes = {"x": [5, 4], "w": [4, 3], "b": [3], "s": [5, 1]}
    inputs = {name: rng.uniform(0.5, 1.5, shape).astype(np.float32)
              for name, shape in shapes.items()}
    nodes = [builders.node("MatMul", ["x", "w"], ["p"]),
             builders.node("Sub", ["p", "b"], ["q"]),
             builders.node("Tanh", ["q"], ["t"]),
             builders.node("Exp", ["t"], ["e"]),
             builders.node("Div", ["e", "s"], ["d"]),
             builders.node("Log", ["d"], ["l"]),
             builders.node("Mul", ["l", "q"], ["m"]),
             builders.node("Sigmoid", ["m"], ["g"]),
             builders.node("ReduceMean", ["g"], ["r"], axes=[1], keepdims=0),
             builders.node("Pow", ["r", "r"], ["y"])]

    def compute(x, w, b, s):
        q = x @ w - b
        m = np.log(np.exp(np.tanh(q)) / s) * q
        r = (1 / (1 + np.exp(-m))).mean(axis=1)
        return (r ** r).sum()

    run(build(nodes, list(shapes), "y", shapes), inputs, tmp_path, backend)
    for name in inputs:
        np.testing.assert_allclose(np.load(tmp_path / "out" / f"d{name}.npy"),
                                   differences(compute, inputs, name),
                                   **tolerances.DIFFERENCE_QUOTIENT)


@pytest.mark.parametrize("backend", BACKENDS)
def test_gradient_of_a_normalization_is_that_of_its_formula(tmp_path, backend):
    rng = np.random.default_rng(1)
    shapes = {"x": [3, 4], "s": [4], "b": [4]}
    inputs = {name: rng.uniform(0.5, 1.5, shape).astype(np.float32)
              for name, shape in shapes.items()}
    nodes = [builders.node("LayerNormalization", ["x", "s", "b"],
                           ["n", "m", "v"], epsilon=0.5),
             builders.node("Mul", ["n", "n"], ["q"]),
             builders.node("Mul", ["q", "v"], ["r"]),
             builders.node("Add", ["r", "m"], ["y"])]

    def compute(x, s, b):
        mean = x.mean(axis=1, keepdims=True)
        inverse = 1 / np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True)
                              + 0.5)
        return (((x - mean) * inverse * s + b) ** 2 * inverse + mean).sum()

    run(build(nodes, list(shapes), "y", shapes), inputs, tmp_path, backend)
    for name in inputs:
        np.testing.assert_allclose(np.load(tmp_path / "out" / f"d{name}.npy"),
                                   differences(compute, inputs, name),
                                   **tolerances.DIFFERENCE_QUOTIENT)


def test_gradient_of_an_operator_without_derivative_is_unsupported(tmp_path):
    model = build([builders.node("Floor", ["x"], ["y"])], ["x"], "y",
                  {"x": [3]})
    with pytest.raises(cli.NacreError) as error:
        run(model, {"x": np.ones(3, np.float32)}, tmp_path, "cpu")
    assert error.value.code == cli.Exit.UNSUPPORTED
    assert "no derivative of Floor" in str(error.value)
