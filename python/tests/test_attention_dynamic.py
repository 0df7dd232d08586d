# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of dynamic lengths: a library compiled once is right at
every length, and stores no scores."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from nacre import builders, cli
from nacre.attention import attend, causal, hide, join_heads, split_heads
from test_row_fusion_dynamic import build, check, random

HEADS, SIZE = 3, 16

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


def split(x):
    return split_heads(x, HEADS)


def given(**shapes):
    """Random inputs of these shapes."""
    return {name: random(*shape) for name, shape in shapes.items()}


def cached(queries, **attributes):
    """ONNX's Attention with a cache; QUERIES heads share HEADS of keys."""
    heads, keys = (["b", n, "s", SIZE] for n in (queries, HEADS))
    past, present = (["b", HEADS, n, SIZE] for n in "pn")
    inputs = {"q": heads, "k": keys, "v": keys, "pk": past, "pv": past}
    mask = attributes.pop("mask", None)
    if mask:
        inputs["mask"] = mask
    return build([builders.node("Attention",
                                ["q", "k", "v", "mask" if mask else "", "pk",
                                 "pv"], ["y", "nk", "nv"], **attributes)],
                 inputs, {"y": heads, "nk": present, "nv": present}, opset=23)


def cached_inputs(queries, b, s, p, **more):
    return given(q=(b, queries, s, SIZE), k=(b, HEADS, s, SIZE),
                 v=(b, HEADS, s, SIZE), pk=(b, HEADS, p, SIZE),
                 pv=(b, HEADS, p, SIZE), **more)


def attend_cached(q, k, v, pk, pv, mask=None):
    """Causal where there is no mask."""
    k, v = np.concatenate([pk, k], 2), np.concatenate([pv, v], 2)
    rows, past = q.shape[2], pk.shape[2]
    if mask is None:
        mask = hide(causal(rows, rows + past, past))
    elif mask.shape[1] == 1:
        mask = np.broadcast_to(mask, (*mask.shape[:3], rows + past))
    return attend(q, k, v, mask)[0], k, v


# Batch, queries, those before them.
PASTS = [(1, 1, 1), (1, 1, 77), (2, 9, 4), (1, 200, 300)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("queries", [HEADS, 2 * HEADS])
def test_attention_operator_with_a_growing_cache(tmp_path, queries, threads):
    check(cached(queries, is_causal=1),
          [cached_inputs(queries, *sizes) for sizes in PASTS], attend_cached,
          threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("queries", [HEADS, 2 * HEADS])
@pytest.mark.parametrize("heads", [1, "queries", "unknown"])
def test_attention_operator_with_a_cache_and_a_mask(tmp_path, queries, heads,
                                                    threads):
    """Of a mask there may be one row, one column, or one of the batch."""
    known = {1: [1], "queries": [queries], "unknown": [1, queries]}[heads]
    cases = [cached_inputs(queries, b, s, p, mask=shape)
             for b, s, p in PASTS for h in known
             for shape in ((b, h, s, s + p), (b, h, 1, s + p),
                           (1, h, s, s + p), (b, h, s, 1))]
    mask = ["c", known[0] if len(known) == 1 else "h", "r", "m"]
    check(cached(queries, mask=mask), cases, attend_cached, threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("boolean", [False, True])
def test_attention_operator_with_a_mask_of_queries_and_keys(tmp_path, boolean,
                                                            threads):
    """All heads have it in common, of which two share keys."""
    net = cached(2 * HEADS, mask=["r", "m"])
    cases = [cached_inputs(2 * HEADS, b, s, p, mask=shape)
             for b, s, p in PASTS for shape in ((s, s + p), (1, s + p))]

    def expected(mask, **feeds):
        return attend_cached(mask=(hide(mask) if boolean else mask)[None, None],
                             **feeds)

    if boolean:
        [mask] = [x for x in net.graph.input if x.name == "mask"]
        mask.type.tensor_type.elem_type = onnx.TensorProto.BOOL
        for feeds in cases:
            feeds["mask"] = feeds["mask"] > -1
            feeds["mask"][:, 0] = True
    check(net, cases, expected, threads, tmp_path)


def test_mask_with_other_rows_than_queries_ends_the_run(tmp_path):
    session = nacre.InferenceSession(
        cached(2 * HEADS, mask=["b", 2 * HEADS, "r", "m"]), cache_dir=tmp_path)
    for rows in (2, 3, 8):
        with pytest.raises(cli.InvalidInput, match="a mask of one row"):
            session.run(None, cached_inputs(2 * HEADS, 1, 4, 3,
                                            mask=(1, 2 * HEADS, rows, 7)))


def test_mask_with_more_columns_than_keys_ends_the_run(tmp_path):
    session = nacre.InferenceSession(
        cached(HEADS, mask=["b", 1, "s", "m"]), cache_dir=tmp_path)
    with pytest.raises(cli.InvalidInput, match="a mask of no more elements"):
        session.run(None, cached_inputs(HEADS, 1, 2, 3, mask=(1, 1, 2, 6)))


def multi_head(past):
    flat = HEADS * SIZE
    keys = "s" if past else "t"
    inputs = {"q": ["b", "s", flat], "k": ["b", keys, flat],
              "v": ["b", keys, flat]}
    outputs = {"y": ["b", "s", flat]}
    names = ["q", "k", "v"]
    if past:
        inputs |= {n: ["b", HEADS, "p", SIZE] for n in ("pk", "pv")}
        outputs |= {n: ["b", HEADS, "n", SIZE] for n in ("nk", "nv")}
        names += ["", "", "", "pk", "pv"]
    return build([helper.make_node("MultiHeadAttention", names, list(outputs),
                                   domain="com.microsoft", num_heads=HEADS,
                                   unidirectional=int(past))],
                 inputs, outputs, domains=["com.microsoft"])


def multi_head_inputs(b, s, p):
    flat, past = (b, s, HEADS * SIZE), (b, HEADS, p, SIZE)
    return given(q=flat, k=flat, v=flat, pk=past, pv=past)


@pytest.mark.parametrize("threads", [1, 2])
def test_multi_head_attention_of_unknown_length(tmp_path, threads):
    flat = HEADS * SIZE
    check(multi_head(past=False),
          [given(q=(b, s, flat), k=(b, t, flat), v=(b, t, flat))
           for b, s, t in LENGTHS],
          lambda q, k, v: join_heads(attend(split(q), split(k), split(v))[0]),
          threads, tmp_path)


def test_multi_head_attention_takes_each_form_of_ends(tmp_path):
    flat = HEADS * SIZE
    net = build([helper.make_node("MultiHeadAttention",
                                  ["q", "k", "v", "", "mask"], ["y"],
                                  domain="com.microsoft", num_heads=HEADS)],
                {"q": ["b", "s", flat], "k": ["b", "t", flat],
                 "v": ["b", "t", flat]}, {"y": ["b", "s", flat]},
                domains=["com.microsoft"])
    net.graph.input.append(builders.value("mask", "int32", ["m"]))
    session = nacre.InferenceSession(net, cache_dir=tmp_path)
    feeds = given(q=(2, 4, flat), k=(2, 5, flat), v=(2, 5, flat))
    # By themselves; with starts; with where packed queries and keys start.
    for mask, starts in (([3, 5], [0, 0]), ([3, 5, 1, 2], [1, 2]),
                         ([3, 5, 1, 4, 8, 1, 3, 8], [0, 0])):
        ends, starts = (np.reshape(x, (2, 1, 1, 1)) for x in ([3, 5], starts))
        hidden = np.where((np.arange(5) < ends) & (np.arange(5) >= starts),
                          np.float32(0), np.float32(-10000))
        y, = session.run(None, feeds | {"mask": np.array(mask, np.int32)})
        np.testing.assert_allclose(
            y, join_heads(attend(*map(split, feeds.values()), hidden)[0]),
            rtol=1e-4, atol=1e-5)
    with pytest.raises(cli.InvalidInput, match="of three and two more"):
        session.run(None, feeds | {"mask": np.zeros(3, np.int32)})


@pytest.mark.parametrize("threads", [1, 2])
def test_multi_head_attention_with_a_growing_cache(tmp_path, threads):
    def expected(q, k, v, pk, pv):
        y, nk, nv = attend_cached(split(q), split(k), split(v), pk, pv)
        return join_heads(y), nk, nv

    check(multi_head(past=True), [multi_head_inputs(*s) for s in PASTS],
          expected, threads, tmp_path)


def packed(past):
    """com.microsoft's Attention, which projects; with a mask and a cache."""
    flat = HEADS * SIZE
    inputs, outputs = {"x": ["n", "s", flat]}, {"y": ["n", "s", flat]}
    names = ["x", "w", "b"]
    if past:
        inputs |= {"mask": ["n", "m"], "past": [2, "n", HEADS, "p", SIZE]}
        outputs["present"] = [2, "n", HEADS, "q", SIZE]
        names += ["mask", "past"]
    weights = {"w": random(flat, 3 * flat) / 8, "b": random(3 * flat)}
    net = build([helper.make_node("Attention", names, list(outputs),
                                  domain="com.microsoft", num_heads=HEADS,
                                  unidirectional=int(past))],
                inputs, outputs, weights, domains=["com.microsoft"])
    return net, weights


@pytest.mark.parametrize("threads", [1, 2])
def test_packed_attention_of_unknown_length(tmp_path, threads):
    net, weights = packed(past=False)

    def expected(x):
        parts = np.split(x @ weights["w"] + weights["b"], 3, axis=-1)
        return join_heads(attend(*map(split, parts))[0])

    check(net, [given(x=(b, s, HEADS * SIZE)) for b, s, _ in LENGTHS], expected,
          threads, tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
def test_packed_attention_with_a_mask_and_a_growing_cache(tmp_path, threads):
    net, weights = packed(past=True)

    def expected(x, mask, past):
        q, k, v = map(split, np.split(x @ weights["w"] + weights["b"], 3, -1))
        k, v = (np.concatenate(pair, 2) for pair in zip(past, (k, v)))
        rows, before = x.shape[1], past.shape[3]
        bias = np.where(mask[:, None, None], 0, np.float32(-10000))
        bias = bias + hide(causal(rows, rows + before, before))
        return join_heads(attend(q, k, v, bias)[0]), np.stack([k, v])

    cases = [given(x=(b, s, HEADS * SIZE), past=(2, b, HEADS, p, SIZE),
                   mask=(b, s + p)) for b, s, p in PASTS]
    for feeds in cases:
        feeds["mask"] = (feeds["mask"] > -1).astype(np.float32)
        feeds["mask"][:, 0] = 1
    check(net, cases, expected, threads, tmp_path)


QUERIES, SHARED = 4, 2


def grouped(capacity, present, total=None, bias=None, **attributes):
    """GroupQueryAttention; without TOTAL, that is an input."""
    flat = ["b", "s", QUERIES * SIZE], ["b", "s", SHARED * SIZE]
    past, present = (["b", SHARED, n, SIZE] for n in (capacity, present))
    inputs = {"q": flat[0], "k": flat[1], "v": flat[1], "pk": past, "pv": past}
    names = ["q", "k", "v", "pk", "pv", "last", "total"]
    if bias:
        inputs["bias"] = bias
        names += ["", "", "", "bias"]
    net = build(
        [helper.make_node("GroupQueryAttention", names, ["y", "nk", "nv"],
                          domain="com.microsoft", num_heads=QUERIES,
                          kv_num_heads=SHARED, **attributes)],
        inputs, {"y": flat[0], "nk": present, "nv": present},
        total and {"total": np.array(total, np.int32)},
        domains=["com.microsoft"])
    net.graph.input.append(builders.value("last", "int32", ["b"]))
    if total is None:
        net.graph.input.append(builders.value("total", "int32", []))
    return net


def grouped_inputs(b, s, capacity, lasts, total=None, **more):
    """LASTS are the numbers of each sequence's last position."""
    feeds = given(q=(b, s, QUERIES * SIZE), k=(b, s, SHARED * SIZE),
                  v=(b, s, SHARED * SIZE), pk=(b, SHARED, capacity, SIZE),
                  pv=(b, SHARED, capacity, SIZE), **more)
    feeds["last"] = np.array(lasts, np.int32)
    return feeds if total is None else feeds | {
        "total": np.array(total, np.int32)}


def attend_grouped(q, k, v, pk, pv, last, total=None, window=0, bias=None):
    total = max(pk.shape[2], total or 0)
    k, v = split_heads(k, SHARED), split_heads(v, SHARED)
    room = ((0, 0), (0, 0), (0, total - pk.shape[2]), (0, 0))
    nk, nv = np.pad(pk, room), np.pad(pv, room)
    rows = q.shape[1]
    visible = []
    for i, end in enumerate(last + 1):
        before = max(end - rows, 0)
        nk[i, :, before:before + rows] = k[i]
        nv[i, :, before:before + rows] = v[i]
        mask = causal(rows, total, before) & (np.arange(total) < end)
        if window:
            mask &= ~causal(rows, total, before - window)
        visible.append(mask)
    hidden = hide(np.stack(visible)[:, None])
    if bias is not None:
        room = total - bias.shape[3]
        hidden = hidden + np.pad(bias, ((0, 0), (0, 0), (0, 0), (0, room)))
    y = attend(split_heads(q, QUERIES), nk, nv, hidden)
    return join_heads(y[0]), nk, nv


@pytest.mark.parametrize("threads", [1, 2])
def test_grouped_queries_of_unknown_number_with_a_cache(tmp_path, threads):
    """A prompt in front of an empty cache, or what follows it."""
    capacity = 300
    cases = [grouped_inputs(b, s, capacity, [s - 1 + before] * b)
             for b, s, before in ((1, 1, 0), (2, 5, 0), (1, 130, 0), (2, 300, 0),
                                  (2, 1, 77), (1, 1, 299), (1, 100, 200))]
    check(grouped(capacity, capacity, capacity), cases, attend_grouped, threads,
          tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("window", [0, 6])
def test_grouped_queries_with_a_cache_of_unknown_size(tmp_path, window,
                                                      threads):
    """The cache grows, or has room, and sequences differ in their lengths."""
    cases = [grouped_inputs(*sizes) for sizes in (
        (1, 5, 0, [4], 5), (1, 1, 5, [5], 6), (2, 1, 9, [9, 7], 10),
        (2, 1, 300, [8, 250], 251), (1, 150, 0, [149], 150),
        (2, 3, 20, [17, 19], 20))]
    check(grouped("p", "n", local_window_size=window or -1), cases,
          lambda **feeds: attend_grouped(**feeds, window=window), threads,
          tmp_path)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("capacity", [40, "p"], ids=["known", "unknown"])
def test_grouped_queries_with_a_bias_shorter_than_the_cache(tmp_path, capacity,
                                                            threads):
    """It is for the keys that there are, behind which the cache has room."""
    cases = [grouped_inputs(b, s, 40, lasts, total, bias=(1, 1, s, total))
             for b, s, lasts, total in ((1, 5, [4], 5), (1, 1, [5], 6),
                                        (2, 1, [38, 39], 40))]
    check(grouped(capacity, capacity, bias=[1, 1, "s", "t"]), cases,
          attend_grouped, threads, tmp_path)


#===----------------------------------------------------------------------===#
# Memory
#===----------------------------------------------------------------------===#

MEASURE = """
import resource, sys
import numpy as np
from nacre.compiled import CompiledModel
model, feeds = CompiledModel(sys.argv[1]), dict(np.load(sys.argv[2]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
model.run(feeds)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""

# Queries, and keys and values of as many or, with a cache, of some more.
LONG, PAST = 4096, 512
ATTENTIONS = {
    "nodes": lambda: (attention(mask=False), given(
        **{name: (1, HEADS, LONG, SIZE) for name in "qkv"})),
    "causal": lambda: (build(
        [builders.node("Attention", ["q", "k", "v"], ["y"], is_causal=1)],
        {name: ["b", HEADS, "s", SIZE] for name in "qkv"},
        {"y": ["b", HEADS, "s", SIZE]}, opset=23), given(
            **{name: (1, HEADS, LONG, SIZE) for name in "qkv"})),
    "cache": lambda: (cached(HEADS, is_causal=1),
                      cached_inputs(HEADS, 1, LONG, PAST)),
    "masked cache": lambda: (
        cached(HEADS, mask=["b", 1, 1, "m"]),
        cached_inputs(HEADS, 1, LONG, PAST, mask=(1, 1, 1, LONG + PAST))),
    "shared keys": lambda: (cached(2 * HEADS, is_causal=1),
                            cached_inputs(2 * HEADS, 1, LONG, PAST)),
    "shared keys and a mask": lambda: (
        cached(2 * HEADS, mask=["s", "m"]), cached_inputs(
            2 * HEADS, 1, LONG, PAST, mask=(LONG, LONG + PAST))),
    "MultiHeadAttention": lambda: (multi_head(past=True),
                                   multi_head_inputs(1, LONG, PAST)),
    "packed": lambda: (packed(past=True)[0], given(
        x=(1, LONG, HEADS * SIZE), past=(2, 1, HEADS, PAST, SIZE),
        mask=(1, LONG + PAST))),
    "GroupQueryAttention": lambda: (
        grouped("p", "n"), grouped_inputs(1, LONG, PAST, [LONG + PAST - 1],
                                          LONG + PAST)),
    "GroupQueryAttention of a known cache": lambda: (
        grouped(LONG, LONG, LONG), grouped_inputs(1, LONG, LONG, [LONG - 1])),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ATTENTIONS)
def test_scores_of_attention_of_unknown_length_are_not_stored(tmp_path, name,
                                                              threads):
    net, feeds = ATTENTIONS[name]()
    library = tmp_path / "net.so"
    onnx.save(net, str(tmp_path / "net.onnx"))
    np.savez(tmp_path / "feeds.npz", **feeds)
    cli.nacre("compile", tmp_path / "net.onnx", "-o", library,
              f"--threads={threads}")
    (tmp_path / "measure.py").write_text(MEASURE)
    done = subprocess.run(
        [sys.executable, tmp_path / "measure.py", library,
         tmp_path / "feeds.npz"],
        check=True, capture_output=True, text=True,
        env={"PYTHONPATH": ":".join(sys.path)})
    # In KiB; the scores of one head take 64 MiB at least.
    assert int(done.stdout) * 1024 < LONG * LONG * 4 / 2
