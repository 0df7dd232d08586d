# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations that exporters write in several nodes, behind a convolution: they are
right, and become part of its step."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import backends
from nacre import cli

CHANNELS, SIZE = 5, 6
rng = np.random.default_rng(4)
IMAGE = rng.standard_normal((1, 3, SIZE, SIZE)).astype(np.float32) * 3
WEIGHTS = rng.standard_normal((CHANNELS, 3, 1, 1)).astype(np.float32)
SUMS = np.einsum("ocij,nchw->nohw", WEIGHTS.astype(np.float64), IMAGE)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def ramp(x):
    return np.clip(x + 3, 0, 6) / 6


# What the nodes are, from "x" to "y" with these constants; what they compute; and
# the post-processing that they become.
IDIOMS = {
    "SiLU": ([("Sigmoid", "x", "s"), ("Mul", "x s", "y")],
             lambda x: x * sigmoid(x), "SWISH, slope = 1.0"),
    "SiLU, turned": ([("Sigmoid", "x", "s"), ("Mul", "s x", "y")],
                     lambda x: x * sigmoid(x), "SWISH, slope = 1.0"),
    "SiLU, divided": ([("Neg", "x", "n"), ("Exp", "n", "e"),
                       ("Add", "e one", "d"), ("Div", "x d", "y")],
                      lambda x: x * sigmoid(x), "SWISH, slope = 1.0"),
    "QuickGelu": ([("Mul", "x alpha", "a"), ("Sigmoid", "a", "s"),
                   ("Mul", "x s", "y")],
                  lambda x: x * sigmoid(1.702 * x), "SWISH, slope = 1.702"),
    "Sigmoid": ([("Neg", "x", "n"), ("Exp", "n", "e"), ("Add", "one e", "d"),
                 ("Div", "one d", "y")], sigmoid, "SIGMOID"),
    "HardSigmoid": ([("Add", "x three", "a"), ("Clip", "a zero six", "c"),
                     ("Div", "c six", "y")], ramp, "HSIGMOID"),
    "HardSwish": ([("Add", "x three", "a"), ("Clip", "a zero six", "c"),
                   ("Mul", "x c", "p"), ("Div", "p six", "y")],
                  lambda x: x * ramp(x), "HSWISH"),
    "HardSwish, divided first": ([("Add", "x three", "a"),
                                  ("Clip", "a zero six", "c"),
                                  ("Div", "c six", "d"), ("Mul", "d x", "y")],
                                 lambda x: x * ramp(x), "HSWISH"),
    "Mish": ([("Softplus", "x", "p"), ("Tanh", "p", "t"), ("Mul", "x t", "y")],
             lambda x: x * np.tanh(np.log1p(np.exp(x))), "MISH"),
    "Elu": ([("Elu", "x", "y")],
            lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x), "ELU"),
}
CONSTANTS = {"zero": 0, "one": 1, "three": 3, "six": 6, "alpha": 1.702}


def build(nodes):
    used = {name for _, operands, _ in nodes for name in operands.split()}
    graph = helper.make_graph(
        [helper.make_node("Conv", ["image", "weights"], ["x"])]
        + [helper.make_node(kind, operands.split(), [result])
           for kind, operands, result in nodes],
        "g",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, IMAGE.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, SUMS.shape)],
        [numpy_helper.from_array(WEIGHTS, "weights")]
        + [numpy_helper.from_array(np.float32(value), name)
           for name, value in CONSTANTS.items() if name in used])
    return helper.make_model(graph, ir_version=8,
                             opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("backend", backends.BACKENDS)
@pytest.mark.parametrize("idiom", IDIOMS)
def test_activation_of_several_nodes_is_right(idiom, backend, tmp_path):
    nodes, function, _ = IDIOMS[idiom]
    actual = backends.run(build(nodes), {"image": IMAGE}, tmp_path, backend)
    np.testing.assert_allclose(actual["y"], function(SUMS), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("idiom", IDIOMS)
def test_activation_of_several_nodes_is_part_of_the_convolution(idiom, tmp_path):
    nodes, _, mode = IDIOMS[idiom]
    onnx.save(build(nodes), str(tmp_path / "model.onnx"))
    cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "m.mlir",
              "--emit=vpu", "--vpu-arch=x86-64-v4")
    text = (tmp_path / "m.mlir").read_text()
    assert f"mode = {mode}" in text and "VPU.NCE.Eltwise" not in text


def test_sigmoid_that_is_an_output_too_stays(tmp_path):
    model = build([("Sigmoid", "x", "s"), ("Mul", "x s", "y")])
    model.graph.output.append(
        helper.make_tensor_value_info("s", TensorProto.FLOAT, SUMS.shape))
    actual = backends.run(model, {"image": IMAGE}, tmp_path, "cpu")
    np.testing.assert_allclose(actual["s"], sigmoid(SUMS), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(actual["y"], SUMS * sigmoid(SUMS), rtol=1e-5,
                               atol=1e-5)
