# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.fuzz: that graphs are reproducible, and that failures are found."""

import numpy as np
import pytest

from nacre import fuzz
from nacre.fuzz import bodies, engine, reduce
from nacre.fuzz.graph import F32, Graph, Value, every_node, to_model

CONFIG = ("--backend=cpu",)


def quiet(text):
    pass


def test_a_graph_follows_from_seed_and_number():
    first, second, other = (
        to_model([fuzz.generate(1, index)]).SerializeToString()
        for index in (7, 7, 8))
    assert first == second != other


def test_only_draws_the_operators_named():
    graph = fuzz.generate(1, 0, only="softmax")
    kinds = {node.op_type for node in graph.nodes}
    assert kinds <= {"Softmax", "LogSoftmax", "Hardmax"}
    with pytest.raises(ValueError, match="'nonsense'"):
        fuzz.generate(1, 0, only="nonsense")


def test_only_draws_a_family_by_its_name():
    graph = fuzz.generate(1, 0, only="control")
    kinds = {node.op_type for node in graph.nodes}
    assert kinds & {"If", "Loop", "Scan"} and "Conv" not in kinds


def test_bodies_hold_operators_of_all_families_and_bodies():
    nodes = [node for index in range(40)
             for node in fuzz.generate(1, index, only="control").nodes]
    inner = [node for outer in nodes for node in every_node([outer])
             if node is not outer]
    kinds = {node.op_type for node in inner}
    assert {"If", "Loop", "Scan", "Conv", "Transpose", "Add"} <= kinds


@pytest.mark.parametrize("value", [
    Value("v", F32, (2,), -9, 9, 0.1), Value("v", F32, (2,), -1, 9, 1e-9),
    Value("v", F32, (2,), -9, 9, 0.0, -3)])
def test_what_a_loop_carries_settles_within_its_bounds(value):
    for seed in range(20):
        graph = Graph(np.random.default_rng(seed))
        exact = value.exact and graph.chance(0.5)
        start = graph.leaf(F32, (2,), exact=exact)
        wanted = bodies.lasting(graph, [start])
        if wanted.grid is None or value.exact:
            assert bodies.fits(bodies.settle(graph, value, wanted), wanted)


@pytest.mark.parametrize("actual, bound, same", [
    ([1.0, 2.0], 0.0, True), ([1.0, 2.0000002], 0.0, False),
    ([1.0, 2.0000002], 1e-5, True), ([1.0, 2.1], 1e-5, False),
    ([1.0, np.nan], 1e-5, False), ([1.0, np.inf], 1e9, False)])
def test_floats_differ_beyond_their_bound(actual, bound, same):
    expected = np.array([1, 2], np.float32)
    found = engine.difference(np.array(actual, np.float32), expected, bound)
    assert (found is None) == same


def test_infinities_and_nan_equal_themselves():
    values = np.array([np.inf, -np.inf, np.nan, 0.0], np.float32)
    for bound in (0.0, 1e-5):
        assert engine.difference(values, values.copy(), bound) is None
    assert engine.difference(-values, values, 1e-5)


def test_shapes_and_types_are_compared():
    values = np.zeros((2, 3), np.float32)
    assert "found float32[3, 2]" in engine.difference(values.T, values, 0)
    assert "found int32" in engine.difference(values.astype(np.int32), values,
                                              0)


@pytest.fixture
def broken(monkeypatch):
    """A backend whose Transpose nodes lose the last element."""
    execute = engine.execute

    def corrupted(case, folder, config):
        result = execute(case, folder, ("--backend=interpreter",))
        if config == engine.ORACLE or isinstance(result, engine.Failure):
            return result
        wrong = {name for node in case.model.graph.node
                 if node.op_type == "Transpose" for name in node.output}
        for name in wrong & set(result):
            result[name] = result[name].copy()
            result[name].reshape(-1)[-1:] = 1 - result[name].reshape(-1)[-1:]
        return result

    monkeypatch.setattr(engine, "execute", corrupted)


def wrong_graph():
    """The number of a graph that shows what a transpose gives."""
    for index in range(200):
        graph = fuzz.generate(1, index)
        shown = {value.name for value in graph.outputs() if value.is_float}
        if len(graph.nodes) > 4 and any(
                node.op_type == "Transpose" and node.output[0] in shown
                for node in graph.nodes):
            return index
    raise AssertionError("no graph transposes")


def test_a_wrong_result_is_found_saved_and_reduced(broken, tmp_path):
    index = wrong_graph()
    campaign = engine.Campaign(1, jobs=1, keep=tmp_path, report=quiet)
    campaign.run(index // 5 * 5, 5)
    assert index in {number for number, _, _ in campaign.failures}
    folder = tmp_path / f"seed1-graph{index}-cpu"
    case, config = engine.Case.load(folder)
    assert config == CONFIG
    smaller, failure = reduce.reduce(case, config, quiet)
    assert failure.kind == engine.DIFFERS
    assert [node.op_type for node in smaller.model.graph.node] == ["Transpose"]


def test_a_node_keeps_what_its_bodies_read():
    """Where the nodes that do not lead to a value are dropped."""
    for index in range(20):
        graph = fuzz.generate(1, index, only="control")
        case = engine.Case.of([graph])
        outer = {name for node in graph.nodes for name in node.output}
        smaller = reduce.cut(case, {}, [graph.outputs()[-1].name], [])
        kept = smaller.model.graph
        known = {name for node in kept.node for name in node.output}
        assert not outer - known & {
            name for node in every_node(kept.node) for name in node.input}


@pytest.mark.parametrize("message, allowed", [
    ("'y': unsupported GatherND: the number of its result's dimensions depends "
     "on data", True),
    ("'y': 'IE.Tile' op expected static shapes", False)])
def test_a_refusal_is_a_failure_unless_it_is_listed(message, allowed):
    refusal = engine.Failure(engine.REFUSED, message)
    config = ("--backend=cpu", engine.DYNAMIC)
    assert (engine.judge(None, config, refusal, {}) is None) == allowed
    # Where all sizes are known, none is.
    assert engine.judge(None, CONFIG, refusal, {}) is refusal


def test_a_right_result_is_no_failure(tmp_path):
    campaign = engine.Campaign(1, jobs=1, keep=tmp_path, report=quiet)
    assert campaign.run(0, 3) == []
    assert campaign.graphs == 3 and not list(tmp_path.iterdir())


def test_a_machine_without_bf16_refuses_bf16_alone():
    refusal = engine.Failure(engine.REFUSED, "the architecture x86-64-v3 does "
                             "not compute in bf16: choose one with it")
    assert engine.judge(None, engine.BFLOAT16, refusal, {}) is None
    assert engine.judge(None, CONFIG, refusal, {}) is refusal
    other = engine.Failure(engine.REFUSED, "unsupported")
    assert engine.judge(None, engine.BFLOAT16, other, {}) is other
