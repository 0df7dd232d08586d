# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Subgraphs as exporters write them."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from backends import BACKENDS, run
from nacre import builders, cli
from subgraphs import subgraph, typed_subgraph


def squeeze_if_single(shape):
    """What exporters write for x.squeeze(-1): a branch per rank."""
    nodes = [
        builders.node("Shape", ["x"], ["shape"]),
        builders.node("Gather", ["shape", "last"], ["size"]),
        builders.node("Equal", ["size", "one"], ["single"]),
        builders.node(
            "If", ["single"], ["y"],
            then_branch=subgraph(
                "then", [builders.node("Squeeze", ["x", "axis"], ["a"])],
                [], ["a"], {"axis": np.array([-1], np.int64)}),
            else_branch=subgraph(
                "else", [builders.node("Identity", ["x"], ["b"])], [], ["b"])),
        builders.node("Neg", ["y"], ["z"]),
    ]
    return builders.model(nodes, {"x": ("float32", shape)},
                          {"z": ("float32", [2] if shape[-1] == 1 else shape)},
                          weights={"last": np.int64(-1), "one": np.int64(1)})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("last", [1, 3])
def test_if_on_a_static_shape_has_the_taken_branchs_rank(tmp_path, backend,
                                                         last):
    x = np.arange(2 * last, dtype=np.float32).reshape(2, last)
    z = run(squeeze_if_single([2, last]), {"x": x}, tmp_path, backend)["z"]
    np.testing.assert_array_equal(z, -(x.squeeze(-1) if last == 1 else x))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("last", [1, 3])
def test_if_on_a_static_dimension_has_the_taken_branchs_rank(tmp_path, backend,
                                                             last):
    """Whatever the other dimensions are."""
    model = squeeze_if_single(["n", last])
    if last == 1:
        model.graph.output[0].CopyFrom(builders.value("z", "float32", ["n"]))
    x = np.arange(2 * last, dtype=np.float32).reshape(2, last)
    z = run(model, {"x": x}, tmp_path, backend)["z"]
    np.testing.assert_array_equal(z, -(x.squeeze(-1) if last == 1 else x))


def undeclared(name):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)


def test_if_of_two_ranks_on_a_dynamic_shape_asks_for_the_shape(tmp_path):
    model = squeeze_if_single([2, "n"])
    model.graph.output[0].CopyFrom(undeclared("z"))
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o",
                  tmp_path / "model.so")
    assert error.value.code == 2
    assert "fix them with --shape" in str(error.value)


def declared_matrix():
    """The output is declared, behind an op that keeps the rank."""
    return squeeze_if_single(["m", "n"])


def multiplied_matrix():
    """What uses the result takes matrices only."""
    model = squeeze_if_single(["m", "n"])
    model.graph.node.append(builders.node("Gemm", ["z", "w"], ["p"]))
    model.graph.initializer.append(
        numpy_helper.from_array(np.float32([[-1], [-2], [-4]]), "w"))
    model.graph.output[0].CopyFrom(undeclared("p"))
    return model


def turned_matrix():
    model = squeeze_if_single(["m", "n"])
    model.graph.node.append(
        builders.node("Transpose", ["z"], ["t"], perm=[1, 0]))
    model.graph.output[0].CopyFrom(undeclared("t"))
    return model


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("build, expected", [
    (declared_matrix, lambda x: -x), (turned_matrix, lambda x: -x.T),
    (multiplied_matrix, lambda x: x @ np.float32([[1], [2], [4]]))])
def test_if_of_two_ranks_gives_the_one_that_is_used(tmp_path, backend, build,
                                                    expected):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    (found,) = run(build(), {"x": x}, tmp_path, backend).values()
    np.testing.assert_array_equal(found, expected(x))
    with pytest.raises(cli.NacreError, match="another rank than the model"):
        run(build(), {"x": x[:, :1]}, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_if_of_two_ranks_may_have_to_squeeze(tmp_path, backend):
    model = squeeze_if_single(["m", "n"])
    model.graph.output[0].CopyFrom(builders.value("z", "float32", ["m"]))
    x = np.float32([[1], [2]])
    np.testing.assert_array_equal(
        run(model, {"x": x}, tmp_path, backend)["z"], [-1, -2])
    with pytest.raises(cli.NacreError):
        run(model, {"x": np.ones((2, 3), np.float32)}, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_loop_body_that_uses_outer_values_and_weights_matches_numpy(tmp_path,
                                                                    backend):
    inner = subgraph(
        "inner", [builders.node("Mul", ["v", "half"], ["halved"])],
        [], ["halved"], {"half": np.float32(0.5)})
    other = subgraph(
        "other", [builders.node("Add", ["v", "x"], ["added"])], [], ["added"])
    body = subgraph("body", [
        builders.node("ReduceSum", ["v"], ["sum"], keepdims=0),
        builders.node("Less", ["limit", "sum"], ["isLarge"]),
        builders.node("If", ["isLarge"], ["next"], then_branch=inner,
                      else_branch=other),
        builders.node("Identity", ["go"], ["goOn"]),
        builders.node("Identity", ["next"], ["element"]),
    ], ["i", "go", "v"], ["goOn", "next", "element"],
        {"limit": np.float32(10)})
    model = builders.model(
        [builders.node("Loop", ["trips", "", "x"], ["last", "all"], body=body)],
        {"x": ("float32", [3])},
        {"last": ("float32", [3]), "all": ("float32", [4, 3])},
        weights={"trips": np.int64(4)})
    x = np.array([1, 2, 3], np.float32)
    value, steps = x, []
    for _ in range(4):
        value = value / 2 if value.sum() > 10 else value + x
        steps.append(value)
    results = run(model, {"x": x}, tmp_path, backend)
    np.testing.assert_array_equal(results["last"], value)
    np.testing.assert_array_equal(results["all"], np.stack(steps))


def growing_loop(given=2, last="n"):
    body = subgraph("body", [
        builders.node("Concat", ["v", "x"], ["longer"], axis=0),
        builders.node("Identity", ["go"], ["goOn"]),
    ], ["i", "go", "v"], ["goOn", "longer"])
    return builders.model(
        [builders.node("Loop", ["trips", "", "x"], ["y"], body=body)],
        {"x": ("float32", [given])}, {"y": ("float32", [last])},
        weights={"trips": np.int64(2)})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("given, last", [(2, "n"), (2, 6), ("m", 6)])
def test_loop_whose_value_grows_gives_all_of_it(tmp_path, backend, given,
                                                last):
    y = run(growing_loop(given, last), {"x": np.array([1, 2], np.float32)},
            tmp_path, backend)["y"]
    np.testing.assert_array_equal(y, [1, 2, 1, 2, 1, 2])


OTHER_SHAPE = "the model (states|declares)"


def collecting_loop(*inserted):
    """A list that is empty at first, as PyTorch writes a growing one: nothing
    but what is inserted tells its elements' shapes."""
    lists = ["list", *(f"list{i}" for i in range(len(inserted)))]
    body = subgraph(
        "body",
        [builders.node("Identity", ["go"], ["more"]),
         builders.node("Gather", ["x", "i"], ["row"]),
         builders.node("Unsqueeze", ["row", "first"], ["matrix"]),
         *(builders.node("SequenceInsert", [a, value], [b]) for a, value, b
           in zip(lists, inserted, lists[1:]))],
        ["i", "go"], ["more"], {"first": np.array([0])})
    body.output[0].type.tensor_type.elem_type = TensorProto.BOOL
    for names, infos in ((lists[0], body.input), (lists[-1], body.output)):
        infos.append(helper.make_tensor_sequence_value_info(
            names, TensorProto.FLOAT, None))
    model = builders.model(
        [builders.node("SequenceEmpty", [], ["empty"]),
         builders.node("Shape", ["x"], ["shape"]),
         builders.node("Gather", ["shape", "zero"], ["n"]),
         builders.node("Loop", ["n", "", "empty"], ["rows"], body=body),
         builders.node("ConcatFromSequence", ["rows"], ["y"], axis=0)],
        {"x": ("float32", ["n", "m"])}, {"y": ("float32", None)},
        weights={"zero": np.int64(0)})
    return model


@pytest.mark.parametrize("backend", BACKENDS)
def test_list_that_a_loop_fills_has_the_rank_of_what_is_inserted(tmp_path,
                                                                 backend):
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for inserted, expected in ((["row"], x.reshape(-1)), (["matrix"], x),
                               (["matrix", "x"], np.concatenate(
                                   [np.concatenate([x[i:i + 1], x])
                                    for i in range(4)]))):
        y = run(collecting_loop(*inserted), {"x": x}, tmp_path, backend)["y"]
        np.testing.assert_array_equal(y, expected)


def listed_subgraph(name, nodes, inputs, outputs):
    """A subgraph in which what is called a list is one."""
    graph = subgraph(name, nodes, inputs, outputs)
    for info in [*graph.input, *graph.output]:
        if info.name.startswith("list"):
            info.CopyFrom(helper.make_tensor_sequence_value_info(
                info.name, TensorProto.FLOAT, None))
        elif info.name.startswith("go"):
            info.type.tensor_type.elem_type = TensorProto.BOOL
    return graph


def deeply_collecting_loop(inner):
    """A list that is filled in a branch, or in a loop, within a loop's body."""
    if inner == "If":
        fill = builders.node(
            "If", ["wanted"], ["list_next"],
            then_branch=listed_subgraph(
                "then", [builders.node("SequenceInsert", ["list", "row"],
                                       ["list_longer"])],
                [], ["list_longer"]),
            else_branch=listed_subgraph(
                "else", [builders.node("Identity", ["list"], ["list_same"])],
                [], ["list_same"]))
    else:
        fill = builders.node(
            "Loop", ["two", "", "list"], ["list_next"],
            body=listed_subgraph(
                "inner", [builders.node("Identity", ["go_in"], ["go_on"]),
                          builders.node("SequenceInsert", ["list_in", "row"],
                                        ["list_out"])],
                ["i", "go_in", "list_in"], ["go_on", "list_out"]))
    body = listed_subgraph(
        "body",
        [builders.node("Identity", ["go"], ["go_more"]),
         builders.node("Gather", ["x", "i"], ["row"]),
         builders.node("Gather", ["chosen", "i"], ["wanted"]), fill],
        ["i", "go", "list"], ["go_more", "list_next"])
    return builders.model(
        [builders.node("SequenceEmpty", [], ["empty"]),
         builders.node("Shape", ["x"], ["shape"]),
         builders.node("Gather", ["shape", "zero"], ["n"]),
         builders.node("Loop", ["n", "", "empty"], ["rows"], body=body),
         builders.node("ConcatFromSequence", ["rows"], ["y"], axis=0)],
        {"x": ("float32", ["n", "m"]), "chosen": ("bool", ["n"])},
        {"y": ("float32", None)},
        weights={"zero": np.int64(0), "two": np.int64(2)})


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("inner", ["If", "Loop"])
def test_list_that_is_filled_deep_in_a_loop_has_a_rank(tmp_path, backend,
                                                       inner):
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    chosen = np.array([True, False, True, True])
    y = run(deeply_collecting_loop(inner), {"x": x, "chosen": chosen},
            tmp_path, backend)["y"]
    expected = x[chosen] if inner == "If" else np.repeat(x, 2, axis=0)
    np.testing.assert_array_equal(y, expected.reshape(-1))


def test_list_that_a_loop_fills_with_several_ranks_is_refused(tmp_path):
    onnx.save(collecting_loop("row", "matrix"), str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o",
                  tmp_path / "model.so")
    assert error.value.code == cli.Exit.UNSUPPORTED
    assert "dimensions depends on data" in error.value.message


@pytest.mark.parametrize("backend", BACKENDS)
def test_loop_that_ends_with_another_shape_than_declared_ends_the_run(
        tmp_path, backend):
    with pytest.raises(cli.NacreError, match=OTHER_SHAPE):
        run(growing_loop("m", 5), {"x": np.array([1, 2], np.float32)},
            tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("chosen, expected", [(True, [1, 2]), (False, [5])])
def test_branches_of_different_static_sizes(tmp_path, backend, chosen,
                                            expected):
    def branch(name, op, value):
        return subgraph(name, [builders.node(
            op, [value, value], [name + "y"])], [], [name + "y"])

    model = builders.model(
        [builders.node("If", ["c"], ["y"],
                       then_branch=branch("then", "Max", "a"),
                       else_branch=branch("else", "Max", "b"))],
        {"c": ("bool", []), "a": ("float32", [2]), "b": ("float32", [1])},
        {"y": ("float32", ["n"])})
    feeds = {"c": np.array(chosen), "a": np.float32([1, 2]),
             "b": np.float32([5])}
    np.testing.assert_array_equal(run(model, feeds, tmp_path, backend)["y"],
                                  expected)


def repeated(shape, trips):
    """A loop that stacks its input, as often as is known or a run says."""
    body = subgraph("body", [builders.node("Identity", ["go"], ["goOn"]),
                             builders.node("Identity", ["x"], ["e"])],
                    ["i", "go"], ["goOn", "e"])
    inputs, weights = {"x": ("float32", shape)}, {}
    if trips is None:
        inputs["trips"] = ("int64", [])
    else:
        weights["trips"] = np.int64(trips)
    return builders.model(
        [builders.node("Loop", ["trips", ""], ["y"], body=body)], inputs,
        {"y": ("float32", [f"y{i}" for i in range(len(shape) + 1)])},
        weights=weights)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("trips", [3, None])
@pytest.mark.parametrize("shape, declared", [
    ((0,), (0,)), ((0, 2), (0, 2)), ((2, 0), ("a", 0)), ((0, 2), ("a", "b"))])
def test_loop_that_stacks_nothing_gives_its_shape(tmp_path, backend, shape,
                                                  declared, trips):
    feeds = {"x": np.zeros(shape, np.float32)}
    if trips is None:
        feeds["trips"] = np.int64(3)
    y = run(repeated(declared, trips), feeds, tmp_path, backend)["y"]
    assert y.shape == (3, *shape)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("trips", [0, 2])
def test_loop_stacks_what_it_computes_of_a_carried_value(tmp_path, backend,
                                                         trips):
    """Without a trip no size follows from anything; ONNX Runtime has 0."""
    unknown, flag = ("float32", ["a", "b"]), ("bool", [])
    body = typed_subgraph(
        "body", [builders.node("Identity", ["go"], ["more"]),
                 builders.node("Identity", ["s"], ["next"]),
                 builders.node("Neg", ["s"], ["o"])],
        {"i": ("int64", []), "go": flag, "s": unknown},
        {"more": flag, "next": unknown, "o": unknown})
    model = builders.model(
        [builders.node("Loop", ["n", "", "x"], ["last", "y"], body=body)],
        {"x": unknown, "n": ("int64", [])},
        {"last": unknown, "y": ("float32", None)})
    x = np.ones((3, 2), np.float32)
    outputs = run(model, {"x": x, "n": np.int64(trips)}, tmp_path, backend)
    np.testing.assert_array_equal(outputs["last"], x)
    np.testing.assert_array_equal(
        outputs["y"], -np.stack([x] * trips) if trips
        else np.zeros((0, 0, 0), np.float32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("trips", [-1, 0, 2])
def test_loop_with_a_condition_that_changes_runs_no_more_than_its_trips(
        tmp_path, backend, trips):
    vector, flag = ("float32", [3]), ("bool", [])
    body = typed_subgraph(
        "body", [builders.node("ReduceSum", ["s"], ["sum"], keepdims=0),
                 builders.node("Less", ["sum", "limit"], ["more"]),
                 builders.node("Add", ["s", "x"], ["next"]),
                 builders.node("Neg", ["s"], ["o"])],
        {"i": ("int64", []), "go": flag, "s": vector},
        {"more": flag, "next": vector, "o": vector})
    model = builders.model(
        [builders.node("Loop", ["n", "", "x"], ["last", "y"], body=body)],
        {"x": vector}, {"last": vector, "y": ("float32", ["k", 3])},
        weights={"n": np.int64(trips), "limit": np.float32(100)})
    x = np.float32([1, 2, 3])
    outputs = run(model, {"x": x}, tmp_path, backend)
    runs = max(trips, 0)
    np.testing.assert_array_equal(outputs["last"], x * (1 + runs))
    np.testing.assert_array_equal(
        outputs["y"], np.reshape([-x * (1 + i) for i in range(runs)], (-1, 3)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_sum_of_what_a_loop_stacks_in_a_branch_has_its_elements(tmp_path,
                                                                backend):
    vector, flag = ("float32", [3]), ("bool", [])
    body = typed_subgraph(
        "body", [builders.node("Identity", ["go"], ["more"]),
                 builders.node("Add", ["s", "x"], ["next"]),
                 builders.node("Neg", ["s"], ["o"])],
        {"i": ("int64", []), "go": flag, "s": vector},
        {"more": flag, "next": vector, "o": vector})
    then = subgraph(
        "then", [builders.node("Loop", ["n", "", "x"], ["last", "y"],
                               body=body),
                 builders.node("ReduceSum", ["y", "axes"], ["a"], keepdims=0)],
        [], ["a"])
    other = subgraph("other", [builders.node("Identity", ["x"], ["b"])], [],
                     ["b"])
    model = builders.model(
        [builders.node("If", ["c"], ["z"], then_branch=then,
                       else_branch=other)],
        {"c": flag, "n": ("int64", []), "x": vector}, {"z": vector},
        weights={"axes": np.int64([0])})
    x = np.float32([1, 2, 3])
    for chosen, expected in ((True, -6 * x), (False, x)):
        feeds = {"c": np.array(chosen), "n": np.int64(3), "x": x}
        np.testing.assert_array_equal(
            run(model, feeds, tmp_path, backend)["z"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_value_that_is_stacked_behind_an_inner_loop_is_the_one_before_it(
        tmp_path, backend):
    vector, flag = ("float32", [2]), ("bool", [])
    inner = typed_subgraph(
        "inner", [builders.node("Identity", ["go2"], ["more2"]),
                  builders.node("Softmax", ["s"], ["soft"]),
                  builders.node("Add", ["s", "soft"], ["next2"])],
        {"j": ("int64", []), "go2": flag, "s": vector},
        {"more2": flag, "next2": vector})
    body = typed_subgraph(
        "body", [builders.node("Identity", ["go"], ["more"]),
                 builders.node("Loop", ["two", "", "state"], ["next"],
                               body=inner),
                 builders.node("Identity", ["state"], ["o"])],
        {"i": ("int64", []), "go": flag, "state": vector},
        {"more": flag, "next": vector, "o": vector})
    model = builders.model(
        [builders.node("Loop", ["two", "", "x"], ["last", "y"], body=body)],
        {"x": vector}, {"last": vector, "y": ("float32", [2, 2])},
        weights={"two": np.int64(2)})
    x = np.float32([1, 2])
    states = [x]
    for _ in range(4):
        s = states[-1]
        states.append(s + np.exp(s) / np.exp(s).sum())
    outputs = run(model, {"x": x}, tmp_path, backend)
    np.testing.assert_allclose(outputs["last"], states[4], rtol=1e-5)
    np.testing.assert_allclose(outputs["y"], [states[0], states[2]], rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_loop_that_starts_over_in_a_branch_gets_its_initial_value(tmp_path,
                                                                  backend):
    vector, flag = ("float32", [2]), ("bool", [])
    then = subgraph("then", [builders.node("Identity", ["x"], ["a"])], [],
                    ["a"])
    other = subgraph("other", [builders.node("Add", ["s", "s"], ["b"])], [],
                     ["b"])
    keep = subgraph("keep", [builders.node("Identity", ["s"], ["d"])], [],
                    ["d"])
    body = typed_subgraph(
        "body", [builders.node("Identity", ["go"], ["more"]),
                 builders.node("If", ["c"], ["doubled"], then_branch=keep,
                               else_branch=other),
                 builders.node("Equal", ["i", "two"], ["isLast"]),
                 builders.node("If", ["isLast"], ["next"], then_branch=then,
                               else_branch=subgraph(
                                   "rest", [builders.node(
                                       "Identity", ["doubled"], ["e"])], [],
                                   ["e"]))],
        {"i": ("int64", []), "go": flag, "s": vector},
        {"more": flag, "next": vector})
    model = builders.model(
        [builders.node("Loop", ["n", "", "x"], ["last"], body=body)],
        {"x": vector, "c": flag, "n": ("int64", [])}, {"last": vector},
        weights={"two": np.int64(2)})
    x = np.float32([1, 2])
    for trips, chosen, expected in ((2, False, 4 * x), (3, False, x),
                                    (5, False, 4 * x), (2, True, x)):
        feeds = {"x": x, "c": np.array(chosen), "n": np.int64(trips)}
        np.testing.assert_array_equal(
            run(model, feeds, tmp_path, backend)["last"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_branch_gives_what_a_loop_carries_to_a_declared_size(tmp_path,
                                                            backend):
    """Only the branch that is taken knows how much the loop leaves."""
    body = subgraph("body", [
        builders.node("Identity", ["go"], ["goes_on"]),
        builders.node("Identity", ["x"], ["next"]),
    ], ["i", "go", "s"], ["goes_on", "next"])
    loops = subgraph("loops", [
        builders.node("Reshape", ["y", "flat"], ["start"]),
        builders.node("Loop", ["n", "", "start"], ["last"], body=body)],
        [], ["last"])
    stays = subgraph("stays", [builders.node("Identity", ["x"], ["same"])],
                     [], ["same"])
    model = builders.model(
        [builders.node("If", ["c"], ["z"], then_branch=loops,
                       else_branch=stays)],
        {"c": ("bool", []), "n": ("int64", []), "x": ("float32", [6]),
         "y": ("float32", ["a", "b"])},
        {"z": ("float32", [6])}, {"flat": np.array([-1])})
    x = np.arange(6, dtype=np.float32)
    y = -x.reshape(2, 3)
    for taken, count in ((True, 0), (True, 2), (False, 1)):
        z = run(model, {"c": np.array(taken), "n": np.array(count), "x": x,
                        "y": y}, tmp_path, backend)["z"]
        np.testing.assert_array_equal(z, x if count else y.reshape(-1))


@pytest.mark.parametrize("backend", BACKENDS)
def test_value_that_is_stacked_behind_its_update_is_the_one_before_it(
        tmp_path, backend):
    """The update is carried twice: it also takes the place of the value."""
    body = subgraph("body", [
        builders.node("Less", ["i", "last"], ["goes_on"]),
        builders.node("ScatterElements", ["b", "at", "new"], ["next_a"]),
        builders.node("Identity", ["next_a"], ["next_b"]),
        builders.node("Identity", ["b"], ["o"])],
        ["i", "go", "a", "b"], ["goes_on", "next_a", "next_b", "o"])
    model = builders.model(
        [builders.node("Loop", ["", "", "x", "y"], ["p", "q", "all"],
                       body=body)],
        {"x": ("float32", [3, 2]), "y": ("float32", [3, 2])},
        {"p": ("float32", [3, 2]), "q": ("float32", [3, 2]),
         "all": ("float32", ["n", 3, 2])},
        {"last": np.int64(1), "at": np.array([[2, 0]]),
         "new": np.float32([[7, 8]])})
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 3, 2)).astype(np.float32)
    updated = y.copy()
    updated[2, 0], updated[0, 1] = 7, 8
    found = run(model, {"x": x, "y": y}, tmp_path, backend)
    np.testing.assert_array_equal(found["p"], updated)
    np.testing.assert_array_equal(found["q"], updated)
    np.testing.assert_array_equal(found["all"], [y, updated])
