# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the race of operators are models, and follow from the seed."""

import math
import sys

import numpy as np
import onnx
import pytest

from nacre import cli, race
from nacre.race import dynamic, exact

sys.path.insert(0, str(cli.ROOT / "python" / "scripts"))

import bench_operators  # noqa: E402

SMALL = [entry for entry in race.draw_cases(1) if entry[4] == "small"]
# One of each operator: large tensors take a while.
DYNAMIC = [*{entry[1]: entry for entry in race.draw_cases(1)
             if entry[4] == race.DYNAMIC}.values()]


@pytest.mark.parametrize("entry", SMALL, ids=lambda e: f"{e[1]}-{e[3]}")
def test_small_case_is_a_model_with_its_inputs(entry):
    [case] = race.build(*entry)
    graph = case.model.graph
    # The checker knows ONNX's own operators, and wants the rank of outputs.
    if not any(node.domain for node in graph.node) and all(
            value.type.tensor_type.HasField("shape")
            for value in graph.output):
        onnx.checker.check_model(case.model)
    assert [value.name for value in graph.input] == [*case.inputs]
    assert graph.output


def test_case_of_the_same_seed_is_the_same():
    entry = SMALL[0]
    [first], [second] = race.build(*entry), race.build(*entry)
    assert first.model == second.model
    assert race.build(2, *entry[1:])[0].model != first.model


@pytest.mark.parametrize("entry", DYNAMIC, ids=lambda e: e[1])
def test_dynamic_case_is_one_model_with_inputs_of_several_sizes(entry):
    cases = race.build(*entry)
    assert [case.size for case in cases] == ["small", "typical", "large", "odd"]
    # Each run is an instance of the model: a symbol stands for one size.
    for case in cases:
        assert case.model is cases[0].model
        sizes = {}
        for value in case.model.graph.input:
            dims = value.type.tensor_type.shape.dim
            array = case.inputs[value.name]
            assert array.ndim == len(dims)
            for dim, size in zip(dims, array.shape):
                expected = sizes.setdefault(dim.dim_param, size) \
                    if dim.dim_param else dim.dim_value
                assert size == expected
    assert len({case.description for case in cases}) > 1 or not sizes
    # What is no input is the same for all runs.
    names = {tensor.name for tensor in cases[0].model.graph.initializer}
    assert not names & {*cases[0].inputs}


def test_dynamic_image_has_other_heights_than_widths():
    entry = (1, "Relu", race._draw_uniform, "float", race.DYNAMIC)
    plans = [dynamic.SIZES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynamic, "_plans", lambda *_: plans)
        patch.setattr(race.Draw, "shape", lambda draw: draw.image())
        cases = race.build(*entry)
    assert cases[0].symbols.endswith("xNxM")


def test_dynamic_batch_leaves_the_image_known():
    entry = (1, "GlobalAveragePool",
             race.RECIPES["GlobalAveragePool"][0], "float", race.DYNAMIC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dynamic, "_plans", lambda *_: [dynamic.BATCHES])
        cases = race.build(*entry)
    shape = cases[0].symbols.split("x")
    assert shape[0] == "N" and all(size.isdigit() for size in shape[1:])


def test_weight_that_holds_sizes_is_an_input_of_a_dynamic_case():
    cases = race.build(1, "Expand", race.RECIPES["Expand"][0], "float",
                       race.DYNAMIC)
    assert [*cases[0].inputs] == ["x0", "w0"]
    assert cases[0].inputs["w0"].tolist() != cases[1].inputs["w0"].tolist()


def test_every_operator_is_raced_or_has_a_reason():
    raced = {entry[1] for entry in SMALL}
    for name, reason in race.missing().items():
        assert name not in raced
        assert reason


def test_sample_of_cases_has_every_operator():
    class Arguments:
        seed, only, cases, type, dynamic = 7, (), 200, [], False

    chosen = bench_operators.choose(Arguments)
    assert len(chosen) == 200
    assert {entry[1] for entry in chosen} == {entry[1] for entry in SMALL}


def test_dynamic_cases_alone_are_a_sample_of_them():
    class Arguments:
        seed, only, cases, type, dynamic = 7, (), 50, ["float"], True

    chosen = bench_operators.choose(Arguments)
    assert {entry[3:] for entry in chosen} == {("float", race.DYNAMIC)}
    assert len(chosen) == 50


def test_table_names_the_symbols_of_a_dynamic_case():
    result = {"operator": "Relu", "type": "float", "symbols": "NxM",
              "shapes": "3x5", "ort_ms": 1, "ms": 2, "ratio": 0.5}
    [*_, line] = bench_operators.table([result])
    assert line.startswith("| Relu, float of NxM | 3x5 |")


def test_rows_are_rounded_where_onnx_runtime_rounds_them():
    def options(operator):
        recipe, *_ = race.RECIPES[operator]
        [case] = race.build(1, operator, recipe, "float", "small")
        return bench_operators.options(case)

    assert options("product of weights in blocks") == ["--accuracy-level=4"]
    assert options("MatMul") == []


def test_unknown_operator_is_bad_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bench_operators.py", "--only=nothing"])
    assert bench_operators.main() == 3
    assert "no operator" in capsys.readouterr().out


def test_exact_outputs_are_those_of_float64(tmp_path):
    [case] = race.build(1, "Softmax", race.RECIPES["Softmax"][0], "float",
                        "small")
    [values] = case.inputs.values()
    powers = np.exp(values.astype(np.float64))
    [found] = exact.evaluate(case, tmp_path)
    assert found.dtype == np.float64
    np.testing.assert_allclose(
        found, powers / powers.sum(-1, keepdims=True), rtol=1e-12)


def test_integers_only_have_no_exact_outputs(tmp_path):
    [case] = race.build(1, "MatMulInteger", race.RECIPES["MatMulInteger"][0],
                        "uint8", "small")
    assert not bench_operators.expect_exact(case, tmp_path)


def test_noise_is_of_the_worst_output():
    right = [np.array([1.0, 1.0]), np.array([2.0])]
    assert exact.decibels(right, right) == math.inf
    near = [np.array([1.0, 1.1]), np.array([2.0])]
    assert exact.decibels(near, right) == pytest.approx(10 * math.log10(200))


def test_operators_newer_than_the_cases_operator_set_are_not_drawn(monkeypatch):
    assert "HardSwish" in race.schemas()
    monkeypatch.setattr(race, "OPSET", 13)  # it is of 14
    assert "HardSwish" not in race.schemas()
    assert race.schemas()["Relu"].since_version == 13
