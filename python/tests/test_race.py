# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the race of operators are models, and follow from the seed."""

import sys

import onnx
import pytest

from nacre import cli, race

sys.path.insert(0, str(cli.ROOT / "python" / "scripts"))

import bench_operators  # noqa: E402

SMALL = [entry for entry in race.draw_cases(1) if entry[4] == "small"]


@pytest.mark.parametrize("entry", SMALL, ids=lambda e: f"{e[1]}-{e[3]}")
def test_small_case_is_a_model_with_its_inputs(entry):
    case = race.build(*entry)
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
    first, second = race.build(*entry), race.build(*entry)
    assert first.model == second.model
    assert race.build(2, *entry[1:]).model != first.model


def test_every_operator_is_raced_or_has_a_reason():
    raced = {entry[1] for entry in SMALL}
    for name, reason in race.missing().items():
        assert name not in raced
        assert reason


def test_sample_of_cases_has_every_operator():
    class Arguments:
        seed, only, cases = 7, (), 200

    chosen = bench_operators.choose(Arguments)
    assert len(chosen) == 200
    assert {entry[1] for entry in chosen} == {entry[1] for entry in SMALL}


def test_unknown_operator_is_bad_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bench_operators.py", "--only=nothing"])
    assert bench_operators.main() == 3
    assert "no operator" in capsys.readouterr().out
