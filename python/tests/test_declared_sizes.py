# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that declare sizes of results which a run does not find.

Nothing shows the error before the run, which has to end with a message and the
status for it, whatever the operation, or to give what it would without the
declaration. It must never take the declared size for that of a buffer.
"""

import numpy as np
import onnx
import pytest
from onnx import helper

from backends import run
from dynamic_case import SIZES
from dynamic_cases import CASES
from nacre import builders, cli

WRONG = ("larger", "smaller")
DECLARED = {"larger": lambda size: size + 3,
            "smaller": lambda size: max(size - 2, 1),
            "right": lambda size: size}


def wrap(model):
    """What a model computes, in both branches of an If."""
    graph = model.graph
    names = [value.name for value in graph.output]
    body = helper.make_graph(graph.node, "body", [], graph.output,
                             graph.initializer)
    del graph.node[:], graph.initializer[:]
    graph.node.append(helper.make_node(
        "If", ["condition"], [name + "_given" for name in names],
        then_branch=body, else_branch=body))
    graph.input.append(helper.make_tensor_value_info(
        "condition", onnx.TensorProto.BOOL, []))
    for value in graph.output:
        value.name += "_given"
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()
    return model


def check(name, way, folder, backend, wrap=lambda model: model):
    case = CASES[name]
    found = {}
    for size in SIZES:
        (folder / str(size)).mkdir()
        found[size] = run(case.model(), case.inputs(size), folder / str(size),
                          "interpreter")
    true, other = (found[size] for size in SIZES)
    feeds = {**case.inputs(SIZES[0]), "condition": np.array(True)}
    for output in case.outputs:
        model = case.model()
        declared = next(value for value in model.graph.output
                        if value.name == output).type.tensor_type.shape
        for i, (a, b) in enumerate(zip(true[output].shape,
                                       other[output].shape)):
            # A loop that is known to stack nothing is refused.
            if a != b and (way != "right" or a > 0):
                declared.dim[i].dim_value = DECLARED[way](a)
        model = wrap(model)
        given = {value.name for value in model.graph.input}
        try:
            results = run(model, {key: value for key, value in feeds.items()
                                  if key in given}, folder, backend)
        except cli.NacreError as error:
            assert way != "right", error.message
            assert error.code == cli.Exit.BAD_INPUT, error.message
        else:
            [result] = (value for key, value in results.items()
                        if key.removesuffix("_given") == output)
            np.testing.assert_allclose(result, true[output], rtol=1e-4,
                                       atol=1e-5)


@pytest.mark.parametrize("way", WRONG)
@pytest.mark.parametrize("name", CASES)
def test_interpreter_does_not_trust_declared_sizes(name, way, tmp_path):
    check(name, way, tmp_path, "interpreter")


IN_BODIES = ("Concat", "Reshape", "Slice", "Gather", "Expand", "Tile", "Pad",
             "Resize nearest", "MatMul", "Conv", "MaxPool", "ReduceSum",
             "Transpose", "Split", "NonZero")


@pytest.mark.parametrize("way", WRONG)
@pytest.mark.parametrize("name", IN_BODIES)
def test_interpreter_does_not_trust_declared_sizes_in_bodies(name, way,
                                                             tmp_path):
    check(name, way, tmp_path, "interpreter", wrap)


COMPILED = ("Concat", "Transpose", "Split", "Conv", "ConvTranspose", "MaxPool",
            "AveragePool", "GlobalMaxPool", "QLinearConv", "OneHot", "TopK",
            "Unique", "Resize nearest", "Resize antialiased by sizes, stretch",
            "Dropout", "Dropout in training", "RandomUniformLike",
            "MelWeightMatrix", "If with branches of different sizes", "Scan",
            "Scan of a batch", "Loop that stacks", "Loop that joins",
            "Loop that joins in a branch")


@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("way", DECLARED)
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_does_not_trust_declared_sizes(name, way, backend,
                                                     tmp_path):
    check(name, way, tmp_path, backend)


def constant(name, size):
    """A branch that gives as many ones."""
    return helper.make_graph(
        [helper.make_node("Constant", [], [name], value=helper.make_tensor(
            name, onnx.TensorProto.FLOAT, [size], [1.0] * size))],
        name, [], [builders.value(name, "float32", [size])])


@pytest.mark.parametrize("backend", ["cpu", "reference", "interpreter"])
def test_branch_of_another_known_size_ends_a_run_that_takes_it(backend,
                                                               tmp_path):
    model = builders.model(
        [builders.node("If", ["c"], ["y"], name="pick",
                       then_branch=constant("two", 2),
                       else_branch=constant("three", 3))],
        {"c": ("bool", [])}, {"y": ("float32", [2])})
    result = run(model, {"c": np.array(True)}, tmp_path, backend)
    np.testing.assert_array_equal(result["y"], [1, 1])
    with pytest.raises(cli.NacreError, match="'pick': ") as error:
        run(model, {"c": np.array(False)}, tmp_path, backend)
    assert error.value.code == cli.Exit.BAD_INPUT
