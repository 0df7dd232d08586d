# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime's attention operators, on all backends."""

import numpy as np

from nacre import cases, tolerances
from nacre.attention import (attend, causal, hide, join_heads, rotate,
                             split_heads)
from nacre.cases import integers, parametrize, random


def Case(*arguments, **others):
    return cases.Case(*arguments, domain="com.microsoft", **others)


def masked(mask):
    """What masked elements are filled with: finite, unlike in ONNX."""
    return np.where(mask, np.float32(0), np.float32(-10000))


def attention_cases():
    x, w, bias = random(2, 4, 6), random(6, 24, seed=1), random(24, seed=2)
    q, k, v = (split_heads(part, 2)
               for part in np.split(x @ w + bias, 3, axis=2))
    weights = {"w": w, "bias": bias}
    yield Case("Attention", "Attention", {"x": x},
               [join_heads(attend(q, k, v)[0])], weights, num_heads=2)
    raw = np.array([[1, 1, 0, 1], [0, 1, 1, 0]], np.int32)
    for name, mask, allowed in [
            ("keys", raw, raw[:, None, None]),
            ("pairs", np.stack([raw] * 4, 1), raw[:, None, None]),
            ("ends", np.array([3, 1], np.int32),
             np.arange(4) < np.array([3, 1])[:, None, None, None]),
            ("starts", np.array([3, 4, 1, 2], np.int32),
             (np.arange(4) < np.array([3, 4])[:, None, None, None])
             & (np.arange(4) >= np.array([1, 2])[:, None, None, None]))]:
        yield Case(f"Attention_{name}", "Attention", {"x": x, "mask": mask},
                   [join_heads(attend(q, k, v, masked(allowed))[0])], weights,
                   order=["x", "w", "bias", "mask"], num_heads=2)
    past = random(2, 2, 2, 3, 4, seed=3)
    all_k = np.concatenate([past[0], k], 2)
    all_v = np.concatenate([past[1], v], 2)
    extra = random(1, 2, 4, 7, seed=4)
    output = attend(q, all_k, all_v, hide(causal(4, 7, 3)) + extra, 0.7)[0]
    yield Case("Attention_past", "Attention",
               {"x": x, "mask": None, "past": past, "extra": extra},
               [join_heads(output), np.stack([all_k, all_v])], weights,
               order=["x", "w", "bias", "mask", "past", "extra"], num_heads=2,
               unidirectional=1, scale=0.7)
    # Values may be narrower than queries and keys.
    narrow = attend(q, k, split_heads(join_heads(v)[..., :4], 2))[0]
    yield Case("Attention_sizes", "Attention", {"x": x}, [join_heads(narrow)],
               {"w": w[:, :20], "bias": bias[:20]}, num_heads=2,
               qkv_hidden_sizes=[8, 8, 4])
    qx = integers(0, 256, 2, 4, 6, dtype=np.uint8)
    qw = integers(-128, 128, 6, 24, seed=1, dtype=np.int8)
    scale, steps = np.float32(0.01), random(24, seed=5) / 50
    joined = (qx.astype(np.float32) - 120) * scale @ (
        (qw.astype(np.float32) - 3) * steps) + bias
    parts = [split_heads(part, 2) for part in np.split(joined, 3, axis=2)]
    yield Case("QAttention", "QAttention", {"x": qx},
               [join_heads(attend(*parts)[0])],
               {"w": qw, "bias": bias, "scale": scale, "steps": steps,
                "mask": None, "zero": np.array(120, np.uint8),
                "wzero": np.array(3, np.int8)}, num_heads=2,
               tolerance=tolerances.QUANTIZED_ATTENTION)


def multi_head_cases():
    q, k, v = random(2, 4, 8), random(2, 5, 8, seed=1), random(2, 5, 6, seed=2)
    bias = random(22, seed=3)
    heads = [split_heads(x, 2) for x in (q, k, v)]
    biased = [split_heads(x + part, 2) for x, part in
              zip((q, k, v), np.split(bias, [8, 16]))]
    inputs = {"q": q, "k": k, "v": v}
    output, scores = attend(*heads)
    yield Case("MultiHeadAttention", "MultiHeadAttention", inputs,
               [join_heads(output), heads[1], heads[2], scores[0]],
               num_heads=2)
    mask = np.array([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]], np.int32)
    # The ends of keys, where packed queries start, where packed keys do.
    ends = np.arange(5) < np.array([3, 5])[:, None, None, None]
    yield Case("MultiHeadAttention_packed_ends", "MultiHeadAttention",
               {**inputs, "bias": None,
                "mask": np.array([3, 5, 0, 4, 8, 0, 3, 8], np.int32)},
               [join_heads(attend(*heads, masked(ends))[0])], num_heads=2)
    extra = random(1, 2, 4, 5, seed=4)
    yield Case("MultiHeadAttention_all", "MultiHeadAttention",
               {**inputs, "bias": bias, "mask": mask, "extra": extra},
               [join_heads(attend(*biased, extra + masked(mask[:, None, None])
                                  + hide(causal(4, 5)), 0.4)[0])],
               num_heads=2, unidirectional=1, scale=0.4)
    past_k, past_v = random(2, 2, 3, 4, seed=5), random(2, 2, 3, 3, seed=6)
    all_k = np.concatenate([past_k, heads[1]], 2)
    all_v = np.concatenate([past_v, heads[2]], 2)
    yield Case("MultiHeadAttention_past", "MultiHeadAttention",
               {**inputs, "bias": None, "mask": None, "extra": None,
                "pk": past_k, "pv": past_v},
               [join_heads(attend(heads[0], all_k, all_v)[0]), all_k, all_v],
               num_heads=2)
    # Keys and values of an encoder: heads already.
    yield Case("MultiHeadAttention_heads", "MultiHeadAttention",
               {"q": q, "k": heads[1], "v": heads[2]}, [join_heads(output)],
               num_heads=2)
    packed = random(2, 4, 2, 3, 5)
    parts = [packed[:, :, :, i].swapaxes(1, 2) for i in range(3)]
    yield Case("MultiHeadAttention_packed", "MultiHeadAttention",
               {"q": packed}, [join_heads(attend(*parts)[0])], num_heads=2)
    yield Case("MultiHeadAttention_packed_keys", "MultiHeadAttention",
               {"q": join_heads(parts[0]), "k": packed[:, :, :, 1:]},
               [join_heads(attend(*parts)[0])], num_heads=2)


def group_query_cases():
    """A cache of 8 positions, 4 heads that share 2 of keys and values."""
    size, capacity = 16, 8
    past_k, past_v = (random(2, 2, capacity, size, seed=i) for i in (1, 2))
    angles = random(capacity, size // 2, seed=3)
    cos, sin = np.cos(angles), np.sin(angles)
    constant = {"total": np.array(capacity, np.int32)}
    order = ["q", "k", "v", "pk", "pv", "lengths", "total", "cos", "sin",
             "ids", "bias"]
    for name, rows, totals, options in [
            ("prompt", 5, [5, 3], {}),
            ("token", 1, [4, 7], {}),
            ("window", 1, [4, 7], {"local_window_size": 3}),
            ("softcap", 1, [4, 7], {"softcap": 0.6, "scale": 0.9}),
            ("rotary", 1, [4, 7], {"do_rotary": 1}),
            ("rotary_prompt", 5, [5, 5], {"do_rotary": 1,
                                          "rotary_interleaved": 1}),
            # The last position has none.
            ("scores", 1, [4, 7], {"qk_output": 2})]:
        totals = np.array(totals)
        before = np.maximum(totals - rows, 0)
        q, k, v = (split_heads(random(2, rows, n * size, seed=n), n)
                   for n in (4, 2, 2))
        flat = {"q": join_heads(q), "k": join_heads(k), "v": join_heads(v)}
        if "do_rotary" in options:
            at = before[:, None] + np.arange(rows)
            q, k = (rotate(x, cos[at], sin[at],
                           options.get("rotary_interleaved")) for x in (q, k))
        cache_k, cache_v = past_k.copy(), past_v.copy()
        for b in range(2):
            cache_k[b, :, before[b]:before[b] + rows] = k[b]
            cache_v[b, :, before[b]:before[b] + rows] = v[b]
        column = np.arange(capacity)
        last = before[:, None, None] + np.arange(rows)[:, None]
        allowed = (column <= last) & (column < totals[:, None, None])
        if "local_window_size" in options:
            allowed &= column > last - options["local_window_size"]
        bias, more, expected = hide(allowed[:, None]), {}, []
        if "do_rotary" in options:
            more = {"cos": cos, "sin": sin}
        if "qk_output" in options:
            more = {"cos": None, "sin": None, "ids": None,
                    "bias": random(1, 4, rows, 7, seed=5)}
            bias = bias + np.pad(more["bias"], ((0, 0),) * 3 + ((0, 1),))
        output, scores = attend(q, cache_k, cache_v, bias,
                                options.get("scale"),
                                options.get("softcap", 0))
        if "qk_output" in options:
            constant = {"total": np.array(7, np.int32)}
            expected = [scores[3][..., :7]]
        yield Case(f"GroupQueryAttention_{name}", "GroupQueryAttention",
                   {**flat, "pk": past_k, "pv": past_v,
                    "lengths": (totals - 1).astype(np.int32)},
                   [join_heads(output), cache_k, cache_v, *expected],
                   {**constant, **more}, order=order[:7 + len(more)],
                   num_heads=4, kv_num_heads=2, **options)
    # One tensor of queries, keys and values, and nothing before them.
    rows = 5
    q, k, v = (split_heads(random(2, rows, n * size, seed=n), n)
               for n in (4, 2, 2))
    packed = np.concatenate([join_heads(x) for x in (q, k, v)], 2)
    sink = random(4, seed=9)
    scores = attend(q, k, v, hide(causal(rows, rows)))[1][2]
    wide = np.exp(np.concatenate(
        [scores, np.broadcast_to(sink[:, None, None], (2, 4, rows, 1))], 3))
    normal = (wide / wide.sum(3, keepdims=True))[..., :-1]
    output = normal @ np.repeat(v, 2, 1)
    weights = {"k": None, "v": None, "pk": None, "pv": None,
               "lengths": np.array([4, 4], np.int32),
               "total": np.array(5, np.int32), "cos": None, "sin": None,
               "ids": None, "bias": None, "sink": sink}
    yield Case("GroupQueryAttention_sink", "GroupQueryAttention",
               {"q": packed}, [join_heads(output.astype(np.float32)), k, v],
               weights, num_heads=4, kv_num_heads=2)


def rotary_cases():
    x = random(2, 3, 4, 8)
    angles = random(9, 4, seed=1)
    cos, sin = np.cos(angles), np.sin(angles)
    ids = np.array([[0, 1, 2, 3], [4, 2, 8, 0]])
    order = ["x", "ids", "cos", "sin"]
    tables = {"cos": cos, "sin": sin}
    for interleaved in (0, 1):
        expected = rotate(x, cos[ids], sin[ids], interleaved)
        yield Case(f"RotaryEmbedding_{interleaved}", "RotaryEmbedding",
                   {"x": x, "ids": ids}, [expected], tables, order=order,
                   interleaved=interleaved)
        yield Case(f"RotaryEmbedding_joined_{interleaved}", "RotaryEmbedding",
                   {"x": join_heads(x), "ids": ids}, [join_heads(expected)],
                   tables, order=order, interleaved=interleaved)
    at = np.broadcast_to(np.arange(3, 7), (2, 4))
    yield Case("RotaryEmbedding_offset", "RotaryEmbedding", {"x": x},
               [rotate(x, cos[at], sin[at])], {**tables, "ids": np.array([3])},
               order=order)
    yield Case("RotaryEmbedding_part", "RotaryEmbedding",
               {"x": join_heads(x), "ids": ids},
               [join_heads(rotate(x, cos[ids][..., :2], sin[ids][..., :2]))],
               {"cos": cos[:, :2], "sin": sin[:, :2]}, order=order,
               num_heads=3, rotary_embedding_dim=4)


@parametrize([*attention_cases(), *multi_head_cases()])
def test_attention_matches_numpy(case, backend):
    case.check(backend)


@parametrize([*group_query_cases(), *rotary_cases()])
def test_group_query_attention_matches_numpy(case, backend):
    case.check(backend)
