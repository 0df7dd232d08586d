# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complex64 and complex128, which ops move and none computes with."""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import nacre
from backends import run
from nacre import cli
from nacre.cases import BACKENDS
from nacre.cli import InvalidInput
from nacre.interface import element_code
from nacre.compiled import CompiledModel

CODES = {"complex64": TensorProto.COMPLEX64,
         "complex128": TensorProto.COMPLEX128}


def numbers(dtype, *shape, seed=0):
    """Numbers whose parts use every bit, with some that are none or -0."""
    random = np.random.default_rng(seed)
    parts = random.standard_normal((*shape, 2))
    result = parts.astype(dtype(0).real.dtype).view(dtype)[..., 0]
    special = [complex(-0.0, np.nan), complex(np.inf, -0.0)]
    result.reshape(-1)[:2] = special[:result.size]
    return result


def ints(*values):
    return np.array(values, np.int64)


def node(op, inputs, outputs=("y",), **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


A = {dtype: numbers(getattr(np, dtype), 2, 3, 4) for dtype in CODES}
# Of each op: operands other than the first, which is 2x3x4, attributes and what
# it yields. A text stands for complex numbers of a shape of OTHERS.
MOVES = {
    "Identity": ({}, {}, lambda x: [x]),
    "Transpose": ({}, {"perm": [2, 0, 1]}, lambda x: [x.transpose(2, 0, 1)]),
    "Reshape": ({"s": ints(4, -1)}, {}, lambda x, s: [x.reshape(s)]),
    "Flatten": ({}, {"axis": 2}, lambda x: [x.reshape(6, 4)]),
    "Unsqueeze": ({"a": ints(1)}, {}, lambda x, a: [x[:, None]]),
    "Squeeze": ({}, {}, lambda x: [x]),
    "Shape": ({}, {}, lambda x: [ints(*x.shape)]),
    "Size": ({}, {}, lambda x: [np.int64(x.size)]),
    "Concat": ({"o": "other"}, {"axis": 1},
               lambda x, o: [np.concatenate([x, o], 1)]),
    "Slice": ({"s": ints(3), "e": ints(-5), "a": ints(2), "t": ints(-2)}, {},
              lambda x, *_: [x[:, :, 3::-2]]),
    "Split": ({"s": ints(1, 3)}, {"axis": 2},
              lambda x, s: [x[..., :1], x[..., 1:]]),
    "Gather": ({"i": ints(2, 0, -1)}, {"axis": 1},
               lambda x, i: [x[:, i]]),
    "GatherElements": ({"i": ints(1, 0, 1, 1).reshape(1, 1, 4)}, {"axis": 0},
                       lambda x, i: [np.take_along_axis(x[:, :1], i, 0)]),
    "GatherND": ({"i": ints(1, 2, 0, 0).reshape(2, 2)}, {},
                 lambda x, i: [x[i[:, 0], i[:, 1]]]),
    "ScatterElements": ({"i": ints(*[1] * 4).reshape(1, 1, 4), "u": "row"}, {},
                        lambda x, i, u: [np.concatenate(
                            [x[:1], np.concatenate([u, x[1:, 1:]], 1)])]),
    "ScatterND": ({"i": ints(1, 0).reshape(1, 2), "u": "line"}, {},
                  lambda x, i, u: [np.concatenate(
                      [x[:1], np.concatenate([u[None], x[1:, 1:]], 1)])]),
    "Expand": ({"s": ints(2, 2, 3, 4)}, {},
               lambda x, s: [np.broadcast_to(x, s)]),
    "Tile": ({"r": ints(1, 2, 3)}, {}, lambda x, r: [np.tile(x, r)]),
    "Pad": ({"p": ints(1, 0, 2, 0, 0, 1), "c": "scalar"}, {},
            lambda x, p, c: [np.pad(x, ((1, 0), (0, 0), (2, 1)),
                                    constant_values=c)]),
    "Compress": ({"c": np.array([True, False, True])}, {"axis": 1},
                 lambda x, c: [x[:, c]]),
    "ReverseSequence": ({"n": ints(2, 1, 2)},
                        {"batch_axis": 1, "time_axis": 0},
                        lambda x, n: [np.stack([x[::-1, 0], x[:, 1],
                                                x[::-1, 2]], 1)]),
    "Trilu": ({}, {"upper": 1}, lambda x: [np.triu(x)]),
}
OTHERS = {"other": (2, 3, 4), "row": (1, 1, 4), "line": (1, 4), "scalar": ()}


def model(nodes, inputs, outputs, weights=()):
    """Inputs are arrays, outputs pairs of an element type and a shape."""
    values = [helper.make_tensor_value_info(
        name, element_code(array.dtype), array.shape)
        for name, array in inputs.items()]
    results = [helper.make_tensor_value_info(name, *kind)
               for name, kind in outputs.items()]
    result = helper.make_model(
        helper.make_graph(nodes, "complex", values, results, weights),
        opset_imports=[helper.make_opsetid("", 17)])
    result.ir_version = 8
    return result


def assert_same_bits(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert np.ascontiguousarray(found).tobytes() == \
        np.ascontiguousarray(expected).tobytes()


def moving_model(dtype, dynamic=False):
    """Every op of MOVES in a model, its feeds and its outputs."""
    nodes, weights, feeds, outputs, expected = [], [], {}, {}, {}
    feeds["x"] = A[dtype]
    for op, (operands, attributes, compute) in MOVES.items():
        names, arrays = ["x"], [A[dtype]]
        for key, operand in operands.items():
            if isinstance(operand, str):
                operand = numbers(getattr(np, dtype), *OTHERS[operand],
                                  seed=len(feeds) + len(weights))
            names.append(f"{op}_{key}")
            arrays.append(operand)
            weights.append(numpy_helper.from_array(operand, names[-1]))
        results = [np.asarray(y) for y in compute(*arrays)]
        titles = [f"{op}_{i}" for i in range(len(results))]
        nodes.append(node(op, names, titles, **attributes))
        for title, result in zip(titles, results):
            kind = element_code(result.dtype)
            shape = [None] * result.ndim if dynamic else result.shape
            outputs[title], expected[title] = (kind, shape), result
    graph = model(nodes, feeds, outputs, weights)
    if dynamic:
        dims = graph.graph.input[0].type.tensor_type.shape.dim
        dims[0].dim_param, dims[2].dim_param = "n", "m"
    return graph, feeds, expected


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", CODES)
def test_ops_that_move_elements(tmp_path, dtype, backend):
    graph, feeds, expected = moving_model(dtype)
    results = run(graph, feeds, tmp_path, backend)
    assert results.keys() == expected.keys()
    for name, value in expected.items():
        assert_same_bits(results[name], value)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", CODES)
def test_session_moves_elements(dtype, dynamic):
    graph, feeds, expected = moving_model(dtype, dynamic)
    session = nacre.InferenceSession(graph)
    assert session.get_inputs()[0].type == f"tensor({dtype})"
    # Also from where no vector of two doubles may lie.
    bytes_ = np.zeros(feeds["x"].nbytes + 8, np.uint8)
    bytes_[8:] = feeds["x"].reshape(-1).view(np.uint8)
    shifted = bytes_[8:].view(dtype).reshape(feeds["x"].shape)
    for x in (feeds["x"], shifted):
        results = session.run(list(expected), {"x": x})
        for result, value in zip(results, expected.values()):
            assert_same_bits(result, value)


@pytest.mark.parametrize("options", [
    {}, {"threads": 2}, {"threads": 2, "opt_level": 0},
    {"vpu_arch": "x86-64-v3"}], ids=str)
@pytest.mark.parametrize("dtype", CODES)
def test_many_elements(dtype, options):
    x = numbers(getattr(np, dtype), 65, 96, 33)
    graph = model([node("Transpose", ["x"], ["a"], perm=[2, 1, 0]),
                   node("Concat", ["x", "x"], ["b"], axis=2),
                   node("Slice", ["x", "s", "e"], ["c"]),
                   node("Where", ["t", "x", "u"], ["d"])],
                  {"x": x, "t": np.zeros([96, 1], bool)},
                  {"a": (CODES[dtype], [33, 96, 65]),
                   "b": (CODES[dtype], [65, 96, 66]),
                   "c": (CODES[dtype], [63, 95, 33]),
                   "d": (CODES[dtype], [65, 96, 33])},
                  [numpy_helper.from_array(ints(2, 1), "s"),
                   numpy_helper.from_array(ints(65, 96), "e"),
                   numpy_helper.from_array(x[0, 0], "u")])
    t = np.arange(96)[:, None] % 5 == 0
    session = nacre.InferenceSession(graph, **options)
    results = session.run(["a", "b", "c", "d"], {"x": x, "t": t})
    for found, expected in zip(results, [
            x.transpose(2, 1, 0), np.concatenate([x, x], 2), x[2:, 1:],
            np.where(t, x, x[0, 0])]):
        assert_same_bits(found, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", CODES)
def test_choices_blocks_and_loops(tmp_path, dtype, backend):
    code = CODES[dtype]
    x, c = A[dtype], np.arange(12).reshape(3, 4) % 3 == 0
    image = numbers(getattr(np, dtype), 1, 4, 2, 6, seed=5)
    two = numbers(getattr(np, dtype), 2, seed=6)

    def branch(nodes):
        return helper.make_graph(nodes, "body", [], [
            helper.make_tensor_value_info("b", code, [2, 3, 4])])

    scan = helper.make_graph(
        [node("Identity", ["r"], ["o"])], "body",
        [helper.make_tensor_value_info("r", code, [3, 4])],
        [helper.make_tensor_value_info("o", code, [3, 4])])
    nodes = [
        node("Where", ["c", "x", "two0"], ["where"]),
        node("DepthToSpace", ["image"], ["space"], blocksize=2),
        node("SpaceToDepth", ["image"], ["depth"], blocksize=2),
        node("OneHot", ["i", "n", "two"], ["hot"]),
        node("Constant", [], ["constant"],
             value=numpy_helper.from_array(two)),
        node("If", ["f"], ["if"],
             then_branch=branch([node("Identity", ["x"], ["b"])]),
             else_branch=branch([node("Where", ["c", "two0", "x"], ["b"])])),
        node("Scan", ["x"], ["scan"], body=scan, num_scan_inputs=1),
        node("SequenceConstruct", ["x", "x"], ["q"]),
        node("ConcatFromSequence", ["q"], ["joined"], axis=0),
        node("SplitToSequence", ["x"], ["cut"], axis=1, keepdims=0),
        node("SequenceAt", ["cut", "at"], ["picked"])]
    weights = [numpy_helper.from_array(array, name) for name, array in {
        "two0": two[0], "i": ints(2, 0), "n": ints(3), "two": two,
        "at": np.int64(1)}.items()]
    blocks = image.reshape(1, 2, 2, 1, 2, 6).transpose(0, 3, 4, 1, 5, 2)
    cells = image.reshape(1, 4, 1, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4)
    expected = {
        "where": np.where(c, x, two[0]),
        "space": blocks.reshape(1, 1, 4, 12),
        "depth": cells.reshape(1, 16, 1, 3),
        "hot": two[(np.arange(3) == ints(2, 0)[:, None]).astype(int)],
        "constant": two, "if": np.where(c, two[0], x), "scan": x,
        "joined": np.concatenate([x, x]), "picked": x[:, 1]}
    feeds = {"x": x, "c": c, "image": image, "f": np.array(False)}
    graph = model(nodes, feeds, {name: (code, value.shape)
                                 for name, value in expected.items()}, weights)
    results = run(graph, feeds, tmp_path, backend)
    for name, value in expected.items():
        assert_same_bits(results[name], value)


@pytest.mark.parametrize("dtype", CODES)
def test_weights_in_typed_fields_and_many(tmp_path, dtype):
    few, many = A[dtype], numbers(getattr(np, dtype), 40, 5)
    typed = TensorProto(name="few", data_type=CODES[dtype], dims=few.shape)
    field = typed.float_data if dtype == "complex64" else typed.double_data
    field.extend(few.reshape(-1).view(few.real.dtype).tolist())
    same = np.full([3, 7], 2 - 3j, dtype)
    weights = [typed, numpy_helper.from_array(many, "many"),
               numpy_helper.from_array(same, "same")]
    graph = model([node("Transpose", ["few"], ["a"], perm=[1, 0, 2]),
                   node("Gather", ["many", "i"], ["b"]),
                   node("Gather", ["same", "i"], ["c"])],
                  {"i": ints(2)}, {"a": (CODES[dtype], [3, 2, 4]),
                                   "b": (CODES[dtype], [1, 5]),
                                   "c": (CODES[dtype], [1, 7])}, weights)
    for backend in BACKENDS:
        results = run(graph, {"i": ints(2)}, tmp_path, backend)
        assert_same_bits(results["a"], few.transpose(1, 0, 2))
        assert_same_bits(results["b"], many[2:3])
        assert_same_bits(results["c"], same[2:3])
    del field[-1]
    graph.graph.initializer[0].CopyFrom(typed)
    with pytest.raises(cli.NacreError, match="expected 48 elements of tensor"):
        run(graph, {}, tmp_path, "cpu")


@pytest.mark.parametrize("op, attributes, message", [
    ("Add", {}, "must be ranked tensor of number values"),
    ("Equal", {}, "but got 'tensor<3xcomplex<f32>>'"),
    ("Cast", {"to": 1}, "but got 'tensor<3xcomplex<f32>>'"),
    ("Unique", {}, "but got 'tensor<3xcomplex<f32>>'")])
def test_ops_that_compute_are_refused_by_name(tmp_path, op, attributes,
                                              message):
    x = numbers(np.complex64, 3)
    inputs = ["x", "x"] if op in ("Add", "Equal") else ["x"]
    graph = model([node(op, inputs, **attributes)], {"x": x},
                  {"y": (TensorProto.COMPLEX64, [3])})
    with pytest.raises(cli.NacreError, match=message) as e:
        run(graph, {"x": x}, tmp_path, "cpu")
    assert f"IE.{op}" in str(e.value) and "'y'" in str(e.value)


def test_cast_to_complex_is_refused(tmp_path):
    x = np.zeros(3, np.float32)
    graph = model([node("Cast", ["x"], to=TensorProto.COMPLEX64)], {"x": x},
                  {"y": (TensorProto.COMPLEX64, [3])})
    with pytest.raises(cli.NacreError, match="expected 'to' to be a number"):
        run(graph, {"x": x}, tmp_path, "cpu")


def test_check_compares_both_parts(tmp_path):
    x = np.array([1 + 2j, 3 - 4j], np.complex128)
    graph = model([node("Identity", ["x"])], {"x": x},
                  {"y": (TensorProto.COMPLEX128, [2])})
    onnx.save(graph, str(tmp_path / "model.onnx"))

    def save(name, array):
        (tmp_path / name).write_bytes(
            numpy_helper.from_array(array).SerializeToString())

    save("input_0.pb", x)
    save("output_0.pb", x)
    for backend in BACKENDS:
        cli.nacre("check", tmp_path / "model.onnx", tmp_path,
                  f"--backend={backend}")
    save("output_0.pb", x + 1j)
    with pytest.raises(cli.NacreError, match="2 of 2 elements"):
        cli.nacre("check", tmp_path / "model.onnx", tmp_path)


def test_random_input(tmp_path):
    graph = model([node("Identity", ["x"])],
                  {"x": np.zeros(50, np.complex64)},
                  {"y": (TensorProto.COMPLEX64, [50])})
    onnx.save(graph, str(tmp_path / "model.onnx"))
    cli.nacre("run", tmp_path / "model.onnx", "--input=x=random",
              "--output-dir", tmp_path)
    y = np.load(tmp_path / "y.npy")
    assert len(set(y.real) | set(y.imag)) > 90 and abs(y.real).max() <= 1


def test_compiled_model_refuses_an_output_that_is_misaligned(tmp_path):
    x = np.array([1 + 2j, 3 - 4j])
    graph = model([node("Identity", ["x"])], {"x": x},
                  {"y": (TensorProto.COMPLEX128, [2])})
    onnx.save(graph, str(tmp_path / "model.onnx"))
    compiled = CompiledModel(
        nacre.compile(tmp_path / "model.onnx", tmp_path / "pair.so"))
    with pytest.raises(InvalidInput, match="'y' needs an array aligned to 16"):
        compiled.run({"x": x}, {"y": np.zeros(5)[1:].view(np.complex128)})


C_PROGRAM = """
#include "pair.h"
#include <stdio.h>

int main(void) {
  static _Alignas(64) char arena[pair_ARENA_BYTES + 1];
  float x[] = {1, 2, 3, 4};
  _Alignas(16) double z[] = {5, 6, 7, 8};
  float y[8];
  _Alignas(16) double w[4];
  struct pair_inputs inputs = {x, z};
  struct pair_outputs outputs = {y, w};
  int status = pair_run(&inputs, &outputs, arena);
  printf("%g %g %g %g %g %g\\n", y[0], y[1], y[4], w[0], w[1], w[3]);
  return status;
}
"""


def test_c_program_passes_two_parts(tmp_path):
    x, z = np.zeros(2, np.complex64), np.zeros(2, np.complex128)
    reverse = {"starts": ints(-1), "ends": ints(-9), "axes": ints(0),
               "steps": ints(-1)}
    graph = model([node("Concat", ["x", "x"], ["y"], axis=0),
                   node("Slice", ["z", *reverse], ["w"])],
                  {"x": x, "z": z}, {"y": (TensorProto.COMPLEX64, [4]),
                                     "w": (TensorProto.COMPLEX128, [2])},
                  [numpy_helper.from_array(array, name)
                   for name, array in reverse.items()])
    source = tmp_path / "model.onnx"
    onnx.save(graph, str(source))
    nacre.compile(source, tmp_path / "pair.so")
    (tmp_path / "main.c").write_text(C_PROGRAM)
    cli.nacre("compile", source, "-o", tmp_path / "pair.o", "--emit=obj")
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I",
                    tmp_path, tmp_path / "main.c", tmp_path / "pair.o", "-lm",
                    "-o", tmp_path / "main"], check=True)
    assert "const double *z; /* complex128[2], real and imaginary parts in " \
        "turn, aligned to 16 bytes */" in (tmp_path / "pair.h").read_text()
    output = subprocess.run([tmp_path / "main"], check=True, text=True,
                            capture_output=True).stdout
    assert output == "1 2 1 7 8 6\n"
