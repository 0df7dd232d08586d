# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.fuzz.sizes: that graphs of dynamic sizes give what numpy does, that they
are reproducible, and that failures are found."""

import ctypes

import numpy as np
import pytest

from nacre.fuzz import sizes
from nacre.fuzz.engine import CRASHED, DIFFERS
from nacre.fuzz.sizes import engine, memory, movement, reduce
from nacre.fuzz.sizes.graph import is_fixed

GRAPHS, BATCH = 24, 6


def quiet(text):
    pass


@pytest.mark.parametrize("first", range(0, GRAPHS, BATCH))
def test_graphs_of_dynamic_sizes_match_numpy(first):
    campaign = engine.Campaign(11, report=quiet)
    assert campaign.run(first, BATCH) == []


def test_a_graph_follows_from_seed_and_number():
    first, second, other = (
        engine.Case.of(sizes.generate(1, index)).model.SerializeToString()
        for index in (7, 7, 8))
    assert first == second != other


def test_only_draws_a_family_by_its_name():
    kinds = {node.op_type for index in range(20)
             for node in sizes.generate(1, index, only="movement").nodes}
    assert {"Concat", "Slice"} <= kinds and "MatMul" not in kinds
    with pytest.raises(ValueError, match="'nonsense'"):
        sizes.generate(1, 0, only="nonsense")


def test_sizes_differ_from_run_to_run_and_are_0_1_and_equal():
    graphs = [sizes.generate(2, index) for index in range(40)]
    symbols = [size for graph in graphs for size in graph.symbols.values()]
    assert not any(is_fixed(size) for size in symbols)
    assert {0, 1} <= {number for size in symbols for number in size}
    assert any(len(graph.symbols) > 1
               and len({size[5] for size in graph.symbols.values()}) == 1
               for graph in graphs)


def test_an_output_may_be_an_input_and_an_inner_value():
    graphs = [sizes.generate(2, index) for index in range(60)]
    assert any(set(graph.outputs) & set(graph.inputs) for graph in graphs)
    assert any(value.name in graph.used for graph in graphs
               for value in graph.outputs if value not in graph.inputs)


@pytest.mark.parametrize("bounds, expected", [
    ((-2, -100, -1), [0]), ((5, -100, -1), [2, 1, 0]), ((-2, 2, 1), [1]),
    ((0, 0, -1), []), ((2, 100, 1), [2]), ((2 ** 31 - 1, -4, -2), [2, 0])])
def test_slices_are_those_of_onnx(bounds, expected):
    size = 1 if bounds[0] == -2 and bounds[2] < 0 else 3
    found = np.arange(size)[movement.onnx_slice(size, *bounds)]
    assert found.tolist() == expected


def test_an_access_beyond_a_block_ends_the_process(tmp_path):
    blocks = memory.Memory()
    address = blocks.allocate(64, 64)

    def read():
        ctypes.string_at(address, 64 + 4096)

    assert "signal 11" in died(read).message


def test_a_write_beside_a_block_is_noticed():
    blocks = memory.Memory()
    address = blocks.allocate(10, 1)
    assert blocks.check()
    ctypes.memset(address + 10, 0, 1)
    assert not blocks.check()


def died(make):
    child = engine.Child(make, ())
    while not child.read():
        pass
    return child.result()[1]


@pytest.fixture
def broken(monkeypatch):
    """Runs in which what a Transpose gives ends in another element."""
    run_library = engine.run_library

    def corrupted(library, case, config):
        wrong = {name for node in case.model.graph.node
                 if node.op_type == "Transpose" for name in node.output}
        failure = run_library(library, case, config)
        shown = wrong & set(case.runs[0].outputs)
        return failure or (engine.Failure(DIFFERS, "made up", config)
                           if shown else None)

    monkeypatch.setattr(engine, "run_library", corrupted)


def test_a_wrong_result_is_found_saved_and_reduced(broken, tmp_path):
    index = next(index for index in range(200) if any(
        node.op_type == "Transpose" and len(graph.nodes) > 4
        and node.output[0] in {value.name for value in graph.outputs}
        for graph in [sizes.generate(4, index)] for node in graph.nodes))
    campaign = engine.Campaign(4, keep=tmp_path, report=quiet)
    (number, failure), = campaign.run(index, 1)
    assert number == index and failure.kind == DIFFERS
    case, config = engine.Case.load(tmp_path / f"sizes-seed4-graph{index}")
    assert engine.check(case, [config]).kind == DIFFERS
    smaller, _ = reduce.reduce(sizes.generate(4, index), failure, quiet)
    assert [node.op_type for node in smaller.nodes] == ["Transpose"]


def test_a_crash_is_a_failure_and_not_the_end():
    failure = died(lambda: ctypes.string_at(1))
    assert failure.kind == CRASHED and "signal 11" in failure.message
