# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What computes rows in one loop computes what the interpreter does, and stores
no scores of attention."""

import re

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import backends
from nacre import builders, cli

HEADS, SIZE = 4, 32


def attention(batch, queries, keys, mask, values=SIZE):
    """Softmax of scaled and masked products, times the values."""
    shape = [batch, HEADS, queries, SIZE]
    inputs = {"q": shape, "k": [batch, HEADS, keys, SIZE],
              "v": [batch, HEADS, keys, values]}
    nodes = [builders.node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
             builders.node("MatMul", ["q", "kt"], ["scores"]),
             builders.node("Div", ["scores", "root"], ["scaled"])]
    last = "scaled"
    if mask:
        inputs["mask"] = mask
        nodes.append(builders.node("Add", [last, "mask"], ["masked"]))
        last = "masked"
    nodes += [builders.node("Softmax", [last], ["p"], axis=-1),
              builders.node("MatMul", ["p", "v"], ["y"])]
    root = numpy_helper.from_array(np.array(SIZE ** 0.5, np.float32), "root")
    return model(nodes, inputs, [batch, HEADS, queries, values], [root])


def model(nodes, inputs, output, initializers=(), opset=18):
    graph = helper.make_graph(
        nodes, "rows",
        [builders.value(name, "float32", shape)
         for name, shape in inputs.items()],
        [builders.value("y", "float32", output)], initializers)
    result = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)])
    result.ir_version = 8
    return result


def compare(net, folder, threads):
    rng = np.random.default_rng(3)
    inputs = {}
    for value in net.graph.input:
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        inputs[value.name] = rng.standard_normal(shape).astype(np.float32)
    got = backends.run(net, inputs, folder, "cpu", f"--threads={threads}")
    expected = backends.run(net, inputs, folder, "interpreter")
    np.testing.assert_allclose(got["y"], expected["y"], rtol=1e-4, atol=1e-5)


def lower(net, folder, *options):
    """The module of kernels on buffers."""
    onnx.save(net, str(folder / "net.onnx"))
    cli.nacre("compile", folder / "net.onnx", "--emit=loops", *options, "-o",
              folder / "net.mlir")
    return (folder / "net.mlir").read_text()


def kernels(text):
    """What it calls, but for copies into the caller's buffers."""
    return [name for name in re.findall(r"func\.func private @(\w+)", text)
            if not name.startswith("linalg_copy")]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch, queries, keys, mask", [
    (1, 64, 64, None),
    (1, 512, 512, [1, 1, 1, 512]),
    (3, 96, 160, [3, 1, 1, 160]),
    (2, 48, 48, [2, 4, 48, 48]),
    (2, 48, 48, [48, 48]),
    # No block of rows but all of them, or single ones, divides a prime.
    (1, 197, 197, None),
    (1, 1, 300, [1, 1, 1, 300]),
    (5, 7, 3, None),
])
def test_attention_is_what_the_interpreter_computes(
        tmp_path, batch, queries, keys, mask, threads):
    compare(attention(batch, queries, keys, mask), tmp_path, threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_scores_of_attention_are_not_stored(tmp_path, threads):
    length = 1024
    text = lower(attention(1, length, length, [1, 1, 1, length]), tmp_path,
                 f"--threads={threads}")
    arena = int(re.search(r"nacre\.arena_bytes = (\d+)", text)[1])
    # Four heads' take 16 MiB; the packed keys and values take 1.
    assert arena < 4 * length * length


@pytest.mark.parametrize("threads", [2, 3])
def test_odd_numbers_of_tokens_and_heads_are_shared(tmp_path, threads):
    """Parts of different sizes, in buffers of a size that is known."""
    net = attention(1, 197, 197, None)
    for value in [*net.graph.input, *net.graph.output]:
        value.type.tensor_type.shape.dim[1].dim_value = 3
    compare(net, tmp_path, threads)
    text = lower(net, tmp_path, f"--threads={threads}")
    # All of the scores would take more.
    arena = int(re.search(r"nacre\.arena_bytes = (\d+)", text)[1])
    assert arena < 4 * 3 * 197 * 197 + 4 * 4 * 3 * 197 * SIZE
    assert "memref.alloc(" not in text


def grouped(heads, keys, length):
    """ONNX's Attention after `length` tokens, `keys` heads of which serve all."""
    many, few = [1, heads, length, SIZE], [1, keys, length, SIZE]
    node = builders.node("Attention", ["q", "k", "v", "", "pk", "pv"],
                         ["y", "nk", "nv"], is_causal=1)
    net = model([node], {"q": many, "k": few, "v": few, "pk": few, "pv": few},
                many, opset=23)
    net.graph.output.extend(
        builders.value(name, "float32", [1, keys, 2 * length, SIZE])
        for name in ("nk", "nv"))
    return net


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("heads, keys", [(6, 3), (9, 3), (10, 5), (4, 1)])
def test_heads_that_share_keys_store_no_scores(tmp_path, heads, keys, threads):
    compare(grouped(heads, keys, 96), tmp_path, threads)
    length = 512
    text = lower(grouped(heads, keys, length), tmp_path,
                 f"--threads={threads}")
    arena = int(re.search(r"nacre\.arena_bytes = (\d+)", text)[1])
    # Blocks of them and packed keys and values are less than half of what they
    # take as floats.
    assert arena < 4 * heads * length * 2 * length / 2


def layers(length):
    """Two layers of causal attention, as exporters write it: both read one mask,
    a comparison of positions."""
    shape = [1, HEADS, length, SIZE]
    positions = np.arange(length)
    constants = {"columns": positions[None], "rows": positions[:, None],
                 "zero": np.float32(0), "low": np.float32(-1e4),
                 "axes": np.array([0, 1])}
    nodes = [builders.node("Greater", ["columns", "rows"], ["hidden"]),
             builders.node("Where", ["hidden", "low", "zero"], ["bias"]),
             builders.node("Unsqueeze", ["bias", "axes"], ["mask"]),
             builders.node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2])]
    for x, y in (("x", "between"), ("between", "y")):
        nodes += [builders.node("MatMul", [x, "kt"], [y + "_s"]),
                  builders.node("Add", [y + "_s", "mask"], [y + "_m"]),
                  builders.node("Softmax", [y + "_m"], [y + "_p"], axis=-1),
                  builders.node("MatMul", [y + "_p", "v"], [y])]
    return model(nodes, {"x": shape, "k": shape, "v": shape}, shape,
                 [numpy_helper.from_array(np.asarray(value), name)
                  for name, value in constants.items()])


@pytest.mark.parametrize("threads", [1, 2])
def test_mask_of_several_layers_is_not_stored(tmp_path, threads):
    compare(layers(64), tmp_path, threads)
    length = 1024
    net = layers(length)
    compare(net, tmp_path, threads)
    text = lower(net, tmp_path, f"--threads={threads}")
    arena = int(re.search(r"nacre\.arena_bytes = (\d+)", text)[1])
    assert arena < 4 * length * length
    # Nor as a weight, as which it would fold.
    assert f"{length}x{length}" not in text


SHAPE = [4, 24, 12, 20]


def node(operator, **attributes):
    return [builders.node(operator, ["x"], ["y"], **attributes)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("axis", range(len(SHAPE)))
@pytest.mark.parametrize("operator", ["Softmax", "LogSoftmax"])
def test_softmax_along_any_axis_is_one_kernel(tmp_path, operator, axis,
                                              threads):
    net = model(node(operator, axis=axis), {"x": SHAPE}, SHAPE)
    compare(net, tmp_path, threads)
    text = lower(net, tmp_path, f"--threads={threads}")
    assert len(kernels(text)) == 1


def layer(axis):
    shape = SHAPE[axis:]
    return (helper.make_node("LayerNormalization", ["x", "scale", "shift"],
                             ["y"], axis=axis),
            {"x": SHAPE, "scale": shape, "shift": shape})


def instance():
    return (helper.make_node("InstanceNormalization", ["x", "scale", "shift"],
                             ["y"]),
            {"x": SHAPE, "scale": SHAPE[1:2], "shift": SHAPE[1:2]})


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", [layer(1), layer(2), layer(3), instance()],
                         ids=["layer1", "layer2", "layer3", "instance"])
def test_normalisation_is_one_kernel(tmp_path, case, threads):
    operator, inputs = case
    net = model([operator], inputs, SHAPE)
    compare(net, tmp_path, threads)
    text = lower(net, tmp_path, f"--threads={threads}")
    assert len(kernels(text)) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_products_by_weights_around_a_softmax_stay_products(tmp_path, threads):
    """Weights are read once for all rows, and not once for each block of them."""
    random = np.random.default_rng(3)
    weights = {name: random.standard_normal(shape).astype(np.float32) / 8
               for name, shape in (("w", (64, 96)), ("v", (96, 48)))}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["a"]),
             helper.make_node("Softmax", ["a"], ["b"], axis=-1),
             helper.make_node("MatMul", ["b", "v"], ["y"])]
    net = builders.model(nodes, {"x": ("float32", [2, 40, 64])},
                         {"y": ("float32", [2, 40, 48])}, weights)
    compare(net, tmp_path, threads)
