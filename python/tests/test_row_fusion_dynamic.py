"""Rows of sizes that only a run knows are computed in one loop, too: a library
compiled once is right at every size, and stores no scores of attention."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from nacre import builders, cli, tolerances
from nacre.attention import attend, causal, hide, join_heads, split_heads
from test_row_fusion import kernels, lower

RNG = np.random.default_rng(7)
HEADS, SIZE = 3, 16


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def build(nodes, inputs, outputs, weights=None, opset=18, domains=()):
    net = builders.model(
        nodes, {name: ("float32", shape) for name, shape in inputs.items()},
        {name: ("float32", shape) for name, shape in outputs.items()},
        weights, opset=opset)
    for domain in domains:
        net.opset_import.append(helper.make_opsetid(domain, 1))
    return net


def check(net, cases, expected, threads, folder):
    """One library is right, and the same each time, for all the inputs."""
    session = nacre.InferenceSession(net, threads=threads, cache_dir=folder)
    for feeds in cases:
        wanted = expected(**feeds)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        found = session.run(None, feeds)
        for a, b in zip(found, wanted):
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, **tolerances.CHECK)
        for a, b in zip(found, session.run(None, feeds)):
            np.testing.assert_array_equal(a, b)


def computing(text):
    """The kernels, without what the boundary calls."""
    return [name for name in kernels(text) if not name.startswith("nacre_")]


def exponentials(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e, e.sum(axis, keepdims=True)


def softmax(x, axis):
    e, total = exponentials(x, axis)
    return e / total


def log_softmax(x, axis):
    _, total = exponentials(x, axis)
    return x - x.max(axis, keepdims=True) - np.log(total)


#===----------------------------------------------------------------------===#
# Rows
#===----------------------------------------------------------------------===#

# One row, an odd number of them, and more than fit a block.
ROWS = [(1, 1), (1, 7), (5, 3), (33, 129), (700, 257), (3, 40000)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("operator, expected", [("Softmax", softmax),
                                                ("LogSoftmax", log_softmax)])
def test_softmax_of_unknown_rows_is_one_kernel(tmp_path, operator, expected,
                                               axis, threads):
    net = build([builders.node(operator, ["x"], ["y"], axis=axis)],
                {"x": ["n", "m"]}, {"y": ["n", "m"]})
    check(net, [{"x": random(*shape)} for shape in ROWS],
          lambda x: expected(x, axis), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("axis", range(4))
def test_softmax_along_any_axis_of_unknown_size(tmp_path, axis, threads):
    net = build([builders.node("Softmax", ["x"], ["y"], axis=axis)],
                {"x": ["a", 4, "b", 20]}, {"y": ["a", 4, "b", 20]})
    check(net, [{"x": random(a, 4, b, 20)}
                for a, b in ((1, 1), (3, 1), (1, 9), (2, 300), (50, 77))],
          lambda x: softmax(x, axis), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


def layer(x, scale, shift, axes):
    centred = x - x.mean(axes, keepdims=True)
    return (centred / np.sqrt((centred ** 2).mean(axes, keepdims=True) + 1e-5)
            * scale + shift)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("length", [64, "d"])
def test_layer_normalisation_of_unknown_rows_is_one_kernel(tmp_path, length,
                                                           threads):
    net = build([builders.node("LayerNormalization", ["x", "s", "t"], ["y"])],
                {"x": ["b", "n", length], "s": [length], "t": [length]},
                {"y": ["b", "n", length]})
    cases = [{"x": random(b, n, 64), "s": random(64), "t": random(64)}
             for b, n in ((1, 1), (2, 3), (3, 129), (1, 4000))]
    check(net, cases, lambda x, s, t: layer(x, s, t, -1), threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_root_mean_square_and_gelu_of_unknown_rows(tmp_path, threads):
    """RMSNorm and GELU as exporters write them, with a residual."""
    def expected(x, r):
        z = x + r
        z = z / np.sqrt((z * z).mean(-1, keepdims=True) + 1)
        return z * 0.5 * (1 + np.tanh(0.8 * (z + 0.04 * z ** 3)))

    def constant(name, value):
        return {name: np.array(value, np.float32)}

    node = builders.node
    net = build(
        [node("Add", ["x", "r"], ["z"]), node("Mul", ["z", "z"], ["q"]),
         node("ReduceMean", ["q", "last"], ["m"], keepdims=1),
         node("Add", ["m", "one"], ["e"]), node("Sqrt", ["e"], ["root"]),
         node("Div", ["z", "root"], ["n"]), node("Pow", ["n", "three"], ["c"]),
         node("Mul", ["c", "small"], ["cs"]), node("Add", ["n", "cs"], ["i"]),
         node("Mul", ["i", "near"], ["is"]), node("Tanh", ["is"], ["t"]),
         node("Add", ["t", "one"], ["t1"]), node("Mul", ["n", "half"], ["h"]),
         node("Mul", ["h", "t1"], ["y"])],
        {"x": ["b", "n", "d"], "r": ["b", "n", "d"]}, {"y": ["b", "n", "d"]},
        {**constant("one", 1), **constant("three", 3), **constant("half", 0.5),
         **constant("small", 0.04), **constant("near", 0.8),
         "last": np.array([-1])})
    check(net, [{"x": random(*s), "r": random(*s)}
                for s in ((1, 1, 8), (2, 5, 33), (3, 100, 256))],
          expected, threads, tmp_path)
    assert len(computing(lower(net, tmp_path, f"--threads={threads}"))) == 1


#===----------------------------------------------------------------------===#
# Attention
#===----------------------------------------------------------------------===#

# Batch, queries, keys.
LENGTHS = [(1, 1, 1), (1, 1, 300), (2, 5, 7), (1, 33, 129), (3, 300, 300),
           (1, 1100, 1100)]


def attention(mask):
    node = builders.node
    inputs = {"q": ["b", HEADS, "s", SIZE], "k": ["b", HEADS, "t", SIZE],
              "v": ["b", HEADS, "t", SIZE]}
    nodes = [node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
             node("MatMul", ["q", "kt"], ["scores"]),
             node("Div", ["scores", "root"], ["scaled"])]
    last = "scaled"
    if mask:
        inputs["mask"] = ["b", 1, 1, "t"]
        nodes.append(node("Add", [last, "mask"], ["masked"]))
        last = "masked"
    nodes += [node("Softmax", [last], ["p"], axis=-1),
              node("MatMul", ["p", "v"], ["y"])]
    return build(nodes, inputs, {"y": ["b", HEADS, "s", SIZE]},
                 {"root": np.array(SIZE ** 0.5, np.float32)})


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mask", [False, True])
def test_attention_of_unknown_lengths(tmp_path, mask, threads):
    cases = []
    for b, s, t in LENGTHS:
        cases.append({"q": random(b, HEADS, s, SIZE),
                      "k": random(b, HEADS, t, SIZE),
                      "v": random(b, HEADS, t, SIZE)})
        if mask:
            cases[-1]["mask"] = random(b, 1, 1, t)
    check(attention(mask), cases,
          lambda q, k, v, mask=0: attend(q, k, v, mask)[0], threads, tmp_path)


MEASURE = """
import resource, sys
import numpy as np
from nacre.compiled import CompiledModel
model, length = CompiledModel(sys.argv[1]), int(sys.argv[2])
feeds = {name: np.ones((1, %d, length, %d), np.float32) for name in "qkv"}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
model.run(feeds)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
""" % (HEADS, SIZE)


@pytest.mark.parametrize("threads", [1, 2])
def test_scores_of_attention_of_unknown_length_are_not_stored(tmp_path,
                                                              threads):
    library = tmp_path / "net.so"
    onnx.save(attention(mask=False), str(tmp_path / "net.onnx"))
    cli.nacre("compile", tmp_path / "net.onnx", "-o", library,
              f"--threads={threads}")
    (tmp_path / "measure.py").write_text(MEASURE)
    length = 4096
    done = subprocess.run(
        [sys.executable, tmp_path / "measure.py", library, str(length)],
        check=True, capture_output=True, text=True,
        env={"PYTHONPATH": ":".join(sys.path)})
    # In KiB; the scores of one head take 64 MiB.
    assert int(done.stdout) * 1024 < length * length * 4 / 2


def split(x):
    return split_heads(x, HEADS)


@pytest.mark.parametrize("threads", [1, 2])
def test_attention_operator_with_a_growing_cache(tmp_path, threads):
    heads = ["b", HEADS, "s", SIZE]
    net = build([builders.node("Attention", ["q", "k", "v", "", "pk", "pv"],
                               ["y", "nk", "nv"], is_causal=1)],
                {"q": heads, "k": heads, "v": heads,
                 "pk": ["b", HEADS, "p", SIZE], "pv": ["b", HEADS, "p", SIZE]},
                {"y": heads, "nk": ["b", HEADS, "n", SIZE],
                 "nv": ["b", HEADS, "n", SIZE]}, opset=23)

    def expected(q, k, v, pk, pv):
        k, v = np.concatenate([pk, k], 2), np.concatenate([pv, v], 2)
        rows, past = q.shape[2], pk.shape[2]
        mask = hide(causal(rows, rows + past, past))
        return attend(q, k, v, mask)[0], k, v

    cases = [{name: random(b, HEADS, s if len(name) == 1 else p, SIZE)
              for name in ("q", "k", "v", "pk", "pv")}
             for b, s, p in ((1, 1, 1), (1, 1, 77), (2, 9, 4), (1, 200, 300))]
    check(net, cases, expected, threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_multi_head_attention_of_unknown_length(tmp_path, threads):
    flat = HEADS * SIZE
    net = build([helper.make_node("MultiHeadAttention", ["q", "k", "v"], ["y"],
                                  domain="com.microsoft", num_heads=HEADS)],
                {"q": ["b", "s", flat], "k": ["b", "t", flat],
                 "v": ["b", "t", flat]}, {"y": ["b", "s", flat]},
                domains=["com.microsoft"])
    cases = [{"q": random(b, s, flat), "k": random(b, t, flat),
              "v": random(b, t, flat)} for b, s, t in LENGTHS]
    check(net, cases,
          lambda q, k, v: join_heads(attend(split(q), split(k), split(v))[0]),
          threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_packed_attention_of_unknown_length(tmp_path, threads):
    flat = HEADS * SIZE
    weights, bias = random(flat, 3 * flat) / 8, random(3 * flat)
    net = build([helper.make_node("Attention", ["x", "w", "b"], ["y"],
                                  domain="com.microsoft", num_heads=HEADS)],
                {"x": ["n", "s", flat]}, {"y": ["n", "s", flat]},
                {"w": weights, "b": bias}, domains=["com.microsoft"])

    def expected(x):
        parts = np.split(x @ weights + bias, 3, axis=-1)
        return join_heads(attend(*map(split, parts))[0])

    check(net, [{"x": random(b, s, flat)} for b, s, _ in LENGTHS], expected,
          threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_grouped_queries_of_unknown_number_with_a_cache(tmp_path, threads):
    """A prompt in front of an empty cache; two heads share one of keys."""
    queries, shared, capacity = 4, 2, 300
    flat = ["b", "s", queries * SIZE], ["b", "s", shared * SIZE]
    cache = ["b", shared, capacity, SIZE]
    net = build(
        [helper.make_node("GroupQueryAttention",
                          ["q", "k", "v", "pk", "pv", "last", "total"],
                          ["y", "nk", "nv"], domain="com.microsoft",
                          num_heads=queries, kv_num_heads=shared)],
        {"q": flat[0], "k": flat[1], "v": flat[1], "pk": cache, "pv": cache},
        {"y": flat[0], "nk": cache, "nv": cache},
        {"total": np.array(capacity, np.int32)}, domains=["com.microsoft"])
    net.graph.input.append(builders.value("last", "int32", ["b"]))

    def expected(q, k, v, pk, pv, last):
        k, v = split_heads(k, shared), split_heads(v, shared)
        rows = q.shape[1]
        nk, nv = pk.copy(), pv.copy()
        nk[:, :, :rows], nv[:, :, :rows] = k, v
        y = attend(split_heads(q, queries), k, v, hide(causal(rows, rows)))[0]
        return join_heads(y), nk, nv

    cases = []
    for b, s in ((1, 1), (2, 5), (1, 130), (2, 300)):
        cases.append({"q": random(b, s, queries * SIZE),
                      "k": random(b, s, shared * SIZE),
                      "v": random(b, s, shared * SIZE),
                      "pk": random(b, shared, capacity, SIZE),
                      "pv": random(b, shared, capacity, SIZE),
                      "last": np.full(b, s - 1, np.int32)})
    check(net, cases, expected, threads, tmp_path)
