# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How what a compilation costs grows with the model."""

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import nacre
from nacre import builders, cli

SIZES = (120, 240)


def chain(path, blocks):
    """Convolutions of one shape, one after the other."""
    rng = np.random.default_rng(5)
    nodes, initializers, value = [], [], "x"
    for i in range(blocks):
        weights = rng.standard_normal((32, 32, 3, 3)).astype(np.float32) / 20
        initializers.append(numpy_helper.from_array(weights, f"w{i}"))
        nodes += [builders.node("Conv", [value, f"w{i}"], [f"c{i}"],
                                pads=[1, 1, 1, 1]),
                  builders.node("Relu", [f"c{i}"], [f"r{i}"])]
        value = f"r{i}"
    shape = [1, 32, 14, 14]
    graph = helper.make_graph(nodes, "chain",
                              [builders.value("x", "float32", shape)],
                              [builders.value(value, "float32", shape)],
                              initializers)
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    onnx.save(model, str(path))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """For each size: the compiler's CPU time and the assembly."""
    folder = tmp_path_factory.mktemp("chain")
    result = {}
    for size in SIZES:
        chain(folder / f"{size}.onnx", size)
        cost = cli.measure("compile", folder / f"{size}.onnx", "--emit=asm",
                           "-o", folder / f"{size}.s")
        result[size] = cost, (folder / f"{size}.s").read_text()
    return result


def test_compile_time_grows_linearly_with_the_layers(compiled):
    once, twice = (compiled[size][0].seconds for size in SIZES)
    # 4 when it is quadratic.
    assert twice < 2.5 * once


def test_layers_of_one_shape_share_their_kernel(compiled):
    # Of very many calls some hundreds are a part of the model.
    functions = {size: len([line for line in assembly.splitlines()
                            if ",@function" in line and ".part" not in line])
                 for size, (_, assembly) in compiled.items()}
    assert len(set(functions.values())) == 1


def long_chain(path, nodes, make):
    """A model of NODES nodes from v0 to the last, on tensors of 4 x 8."""
    onnx.save(builders.model(
        [make(i) for i in range(nodes)], {"v0": ("float32", [4, 8])},
        {f"v{nodes}": ("float32", [4, 8])},
        weights={"w": np.eye(8, dtype=np.float32) / 2}), str(path))


LONG_CHAINS = {
    "one_loop": lambda i: builders.node(("Exp", "Tanh")[i % 2], [f"v{i}"],
                                        [f"v{i + 1}"]),
    "calls": lambda i: builders.node("MatMul", [f"v{i}", "w"], [f"v{i + 1}"]),
}


@pytest.mark.parametrize("kind", LONG_CHAINS)
def test_no_function_grows_with_the_number_of_nodes(kind, tmp_path):
    """What LLVM does with a function takes longer than the function is long,
    so that is bounded, and with it the time for each node.
    """
    longest = {}
    for nodes in (600, 2400):
        long_chain(tmp_path / f"{nodes}.onnx", nodes, LONG_CHAINS[kind])
        cli.nacre("compile", tmp_path / f"{nodes}.onnx", "--emit=llvm",
                  "-o", tmp_path / f"{nodes}.ll")
        code = (tmp_path / f"{nodes}.ll").read_text()
        longest[nodes] = max(function.count("\n")
                             for function in code.split("\ndefine ")[1:])
    assert longest[2400] < 1.2 * longest[600]


def test_slices_of_weights_are_copied_by_loops(tmp_path):
    """33 output channels: a tile of the last one copies its rows of weights,
    which addresses in a constant tempt LLVM to unroll.
    """
    onnx.save(builders.model(
        [builders.node("Conv", ["x", "w"], ["y"], auto_pad="SAME_LOWER",
                       strides=[2, 1])],
        {"x": ("float32", [1, 24, 9, 16])}, {"y": ("float32", [1, 33, 5, 16])},
        weights={"w": np.ones((33, 24, 5, 7), np.float32)}),
        str(tmp_path / "rows.onnx"))
    cli.nacre("compile", tmp_path / "rows.onnx", "--vpu-arch=NPU37XX",
              "--emit=llvm", "-o", tmp_path / "rows.ll")
    code = (tmp_path / "rows.ll").read_text()
    rows = 24 * 5 * 7
    assert code.count("\n") < 3 * rows


def test_sizes_that_may_all_broadcast_take_little_time(tmp_path):
    """Each size is one of two, each of which is one of two, and so on."""
    depth = 96
    names = [f"x{i}" for i in range(depth)]
    nodes, outputs, total = [], [], "x0"
    for i, name in enumerate(names[1:]):
        nodes += [builders.node("Add", [total, name], [f"s{i}"]),
                  builders.node("Concat", [f"s{i}", f"s{i}"], [f"c{i}"],
                                axis=0)]
        total = f"s{i}"
        outputs.append(f"c{i}")
    graph = helper.make_graph(
        nodes, "broadcasts",
        *([builders.value(value, "float32", [None, None]) for value in values]
          for values in (names, outputs)))
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    onnx.save(model, str(tmp_path / "model.onnx"))
    # Following both again and again would take minutes.
    cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "model.so",
              timeout=60)


@pytest.mark.parametrize("rows", [4, "n"])
@pytest.mark.parametrize("distinct", [2, 300])
def test_concat_of_hundreds_takes_little_time(tmp_path, distinct, rows):
    nodes = [builders.node("Add", ["x", f"c{i}"], [f"a{i}"])
             for i in range(distinct)]
    nodes.append(builders.node("Concat",
                               [f"a{i % distinct}" for i in range(300)], ["y"],
                               axis=0))
    path = tmp_path / "model.onnx"
    constants = {f"c{i}": np.full(8, i, np.float32) for i in range(distinct)}
    onnx.save(builders.model(nodes, {"x": ("float32", [rows, 8])},
                             {"y": ("float32", [None, 8])},
                             weights=constants), str(path))
    # 2 s; over 60 where the parts are written in place.
    cli.nacre("compile", path, "-o", tmp_path / "model.so",
              timeout=20)
    x = np.random.default_rng(3).random((4, 8), np.float32)
    result = nacre.InferenceSession(
        str(tmp_path / "model.so")).run(None, {"x": x})[0]
    expected = np.concatenate([x + i % distinct for i in range(300)])
    np.testing.assert_array_equal(result, expected)
