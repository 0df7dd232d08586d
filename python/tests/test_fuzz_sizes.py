# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.fuzz.sizes: that graphs of dynamic sizes give what numpy does, that they
are reproducible, and that failures are found."""

import ctypes
import os
import tempfile

import numpy as np
import pytest

from nacre import builders
from nacre.fuzz import sizes
from nacre.fuzz.engine import CRASHED, DIFFERS
from nacre.fuzz.sizes import engine, memory, movement, reduce
from nacre.fuzz.sizes.graph import Graph, is_fixed


def quiet(text):
    pass


def test_graphs_of_dynamic_sizes_match_numpy_in_all_configurations():
    campaign = engine.Campaign(11, report=quiet)
    assert campaign.run(0, len(engine.IN_TURN)) == []


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


@pytest.mark.parametrize("drawer", [
    drawer for family in sizes.FAMILIES for drawer in family.OPERATORS])
def test_each_drawer_fits_some_graph(drawer):
    graphs = (Graph(np.random.default_rng([6, index])) for index in range(60))
    assert any(sizes.grow(graph, [(drawer, 1)]) for graph in graphs
               for _ in range(3))


def test_graphs_are_of_floats_of_three_widths():
    floats = {sizes.generate(3, index).float.itemsize for index in range(40)}
    assert floats == {2, 4, 8}


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


@pytest.mark.parametrize("free_before", [True, False])
def test_freeing_a_block_that_is_not_there_is_noticed(free_before):
    blocks = memory.Memory()
    address = blocks.allocate(10, 1)
    if free_before:
        blocks.free(address)
    blocks.free(None)
    assert blocks.check()
    blocks.free(address + (0 if free_before else 1))
    assert not blocks.check()
    assert blocks.damaged == ["a block that is not there was freed"]


def died(make):
    child = engine.Child(make, ())
    while not child.read():
        pass
    return child.result()[1]


def negation():
    """A case of two runs of one size, then one of another."""
    model = builders.model([builders.node("Neg", ["x"], ["y"])],
                           inputs={"x": ("float32", ["n"])},
                           outputs={"y": ("float32", ["n"])})
    inputs = [np.arange(1, size + 1, dtype=np.float32) for size in (4, 4, 9)]
    return engine.Case(model, [engine.Run({"x": x}, {"y": -x}, {"y": 0})
                               for x in inputs])


def corrupt_result(feeds, results, before):
    results["y"][1] = 7


def corrupt_input(feeds, results, before):
    feeds["x"][1] = 7


def corrupt_last_result(feeds, results, before):
    if before is not None:
        before["y"][1] = 7


@pytest.mark.parametrize("corrupt, message", [
    (corrupt_result, "run 0: 'y': 1 of 4 elements, at (1,) 7.0"),
    (corrupt_input, "run 0: input 'x' was written"),
    (corrupt_last_result, "run 1: 'y' after the next run: 1 of 4 elements")])
def test_an_element_that_a_run_corrupts_is_found(corrupt, message,
                                                 monkeypatch):
    run = engine.CompiledModel.run
    before = None

    def corrupted(model, feeds, outputs):
        nonlocal before
        results = run(model, feeds, outputs)
        corrupt(feeds, results, before)
        before = results
        return results

    assert engine.check(negation(), [("--threads=1",)]) is None
    monkeypatch.setattr(engine.CompiledModel, "run", corrupted)
    failure = engine.check(negation(), [("--threads=1",)])
    assert failure.kind == DIFFERS and failure.message.startswith(message)


def test_as_many_threads_share_a_step_as_a_graph_is_compiled_for(monkeypatch):
    run_library = engine.run_library

    def counted(library, case, config):
        assert run_library(library, case, config) is None
        threads = len(os.listdir("/proc/self/task"))
        return engine.Failure(DIFFERS, f"{threads} threads", config)

    monkeypatch.setattr(engine, "run_library", counted)
    for threads in (1, 2, 5):
        failure = engine.check(negation(), [(f"--threads={threads}",)])
        assert failure.message == f"{threads} threads"


@pytest.fixture
def broken(monkeypatch):
    """Cases in which one element that a Transpose gives is said to be another."""
    of = engine.Case.of

    def corrupted(graph):
        case = of(graph)
        names = {name for node in graph.nodes
                 if node.op_type == "Transpose" for name in node.output}
        for run in case.runs:
            for name in names & set(run.outputs):
                array = run.outputs[name]
                array.flat[-1:] = array.flat[-1:] == 0
        return case

    monkeypatch.setattr(engine.Case, "of", corrupted)


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


def test_a_child_that_a_signal_ends_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert died(lambda: ctypes.string_at(1)).kind == CRASHED
    assert not list(tmp_path.iterdir())


def test_a_graph_that_cannot_be_drawn_is_a_failure_and_not_the_end(
        tmp_path, monkeypatch):
    generate = sizes.generate

    def refuse(seed, index, only=None):
        if index == 0:
            raise ArithmeticError("no such graph")
        return generate(seed, index, only)

    monkeypatch.setattr(sizes, "generate", refuse)
    campaign = engine.Campaign(11, jobs=1, keep=tmp_path, report=quiet)
    (number, failure), = campaign.run(0, 2)
    assert campaign.graphs == 2 and number == 0
    assert failure.kind == CRASHED and "no such graph" in failure.message
    assert not list(tmp_path.iterdir())
