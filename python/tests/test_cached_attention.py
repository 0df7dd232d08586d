# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention on caches that have room for more than there is to see."""

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from nacre import builders, cases, cli, tolerances
from nacre.attention import (attend, causal, hide, join_heads, rotate,
                             split_heads)
from nacre.cases import parametrize, random

HEADS, SHARED = 4, 2


def grouped_case(name, capacity, totals, rows, size=16, window=None,
                 dtype=np.float32, packed=False, smooth=False, **options):
    """GroupQueryAttention of sequences that end at TOTALS in a cache whose
    unused rows are NaN: reading them would show."""
    totals, batch = np.array(totals), len(totals)
    before = np.maximum(totals - rows, 0)
    past = [random(batch, SHARED, capacity, size, seed=i).astype(dtype)
            for i in (1, 2)]
    for cache in past:
        cache[:, :, totals.max():] = np.nan
    if window:
        seen = max(before.min() - window + 1, 0)
        for cache in past:
            cache[:, :, :seen] = np.nan
    flat = [random(batch, rows, n * size, seed=n + i).astype(dtype)
            for i, n in enumerate((HEADS, SHARED, SHARED))]
    q, k, v = (split_heads(x.astype(np.float32), n)
               for x, n in zip(flat, (HEADS, SHARED, SHARED)))
    weights = {"total": np.array(totals.max(), np.int32)}
    order = ["q", "k", "v", "pk", "pv", "lengths", "total"]
    if options.get("do_rotary"):
        angles = random(capacity + rows, size // 2, seed=3)
        at = before[:, None] + np.arange(rows)
        tables = [np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)]
        q, k = (rotate(x, *(table[at].astype(np.float32) for table in tables))
                for x in (q, k))
        weights.update(zip(("cos", "sin"), tables))
        order += ["cos", "sin"]
    caches = [cache.copy() for cache in past]
    for b in range(batch):
        for cache, part in zip(caches, (k, v)):
            cache[b, :, before[b]:before[b] + rows] = part[b].astype(dtype)
    last = before[:, None, None] + np.arange(rows)[:, None]
    column = np.arange(capacity)
    allowed = (column <= last) & (column < totals[:, None, None])
    if window:
        allowed &= column > last - window
        options["local_window_size"] = window
    full = [np.nan_to_num(cache.astype(np.float32)) for cache in caches]
    if smooth:
        options["smooth_softmax"] = 1
    plain = attend(q, *full, hide(allowed[:, None]), options.get("scale"),
                   options.get("softcap", 0))
    output = plain[0]
    if smooth:
        scores = np.exp(plain[1][2])
        output = (scores / (1 + scores.sum(-1, keepdims=True))
                  ) @ np.repeat(full[1], HEADS // SHARED, 1)
    inputs = dict(zip("qkv", flat))
    if packed:
        inputs = {"q": np.concatenate(flat, 2), "k": None, "v": None}
    return cases.Case(
        f"{name}_{capacity}_{rows}", "GroupQueryAttention",
        {**inputs, "pk": past[0], "pv": past[1],
         "lengths": (totals - 1).astype(np.int32)},
        [join_heads(output).astype(dtype), *caches], weights, order=order,
        domain="com.microsoft", num_heads=HEADS, kv_num_heads=SHARED,
        tolerance=tolerances.HALF if dtype == np.float16
        else tolerances.DEFAULT, **options)


def grouped_cases():
    for capacity, totals, rows in (
            (40, [10], 1), (40, [1], 1), (40, [40], 1), (70, [33], 1),
            (40, [20], 7), (300, [130], 64), (40, [10, 33], 1),
            (40, [17, 5, 9], 1), (40, [12, 30], 5), (9, [3], 5)):
        yield grouped_case("batch" + "_".join(map(str, totals)), capacity,
                           totals, rows)
    for name, options in {
            "window": {"window": 6}, "softcap": {"softcap": 0.6},
            "rotary": {"do_rotary": 1, "scale": 0.3},
            "packed": {"packed": True, "do_rotary": 1},
            "smooth": {"smooth": True}, "half": {"dtype": np.float16},
            "half_window": {"dtype": np.float16, "window": 9,
                            "do_rotary": 1},
            "wide": {"size": 40}}.items():
        yield grouped_case(name, 50, [31], 1, **options)
        yield grouped_case(f"{name}_batch", 50, [31, 12], 1, **options)
        yield grouped_case(f"{name}_prompt", 50, [31, 22], 4, **options)


@parametrize(list(grouped_cases()))
def test_grouped_queries_read_the_used_rows_alone(case, backend):
    case.check(backend)


def standard_case(name, totals, rows, mask=False, left=-1, **options):
    """ONNX's Attention with a cache that others fill."""
    capacity, size, totals = 37, 8, np.array(totals)
    batch = len(totals)
    q = random(batch, HEADS, rows, size)
    k, v = (random(batch, SHARED, capacity, size, seed=i) for i in (1, 2))
    last = (totals - rows)[:, None, None] + np.arange(rows)[:, None]
    column = np.arange(capacity)
    allowed = np.broadcast_to(column < totals[:, None, None],
                              (batch, rows, capacity))
    if options.get("is_causal"):
        allowed = allowed & (column <= last)
    bias = hide(allowed[:, None])
    given = None
    if left >= 0:
        bias = bias + hide(column >= last - left)[:, None]
        options["left_window_size"] = left
    if mask:
        given = random(rows, capacity, seed=5)
        bias = bias + given
    full_k, full_v = k.copy(), v.copy()
    for cache in (k, v):
        cache[:, :, totals.max():] = np.nan
    return cases.Case(
        name, "Attention",
        {"q": q, "k": k, "v": v, "mask": given, "pk": None, "pv": None,
         "lengths": totals},
        [attend(q, full_k, full_v, bias)[0]], version=25, **options)


@parametrize([
    standard_case("one", [9], 1, is_causal=1),
    standard_case("several", [9, 21], 1, is_causal=1),
    standard_case("rows", [9, 21], 3, is_causal=1),
    standard_case("not_causal", [9, 21], 3),
    standard_case("mask", [9, 21], 3, is_causal=1, mask=True),
    standard_case("window", [19, 21], 3, is_causal=1, left=4),
    standard_case("window_mask", [19, 21], 3, is_causal=1, left=4, mask=True),
])
def test_attention_reads_the_used_rows_alone(case, backend):
    case.check(backend)


#===----------------------------------------------------------------------===#
# A token after the other
#===----------------------------------------------------------------------===#

SIZE = 16


def decoder(capacity, dtype="float32", batch=1, rows=1, **attributes):
    """ROWS tokens on a cache of CAPACITY rows, or on one that grows."""
    grows = capacity is None
    past, present = ([batch, SHARED, n, SIZE] for n in (
        ("p", "n") if grows else (capacity, capacity)))
    flat = [[batch, rows, n * SIZE] for n in (HEADS, SHARED, SHARED)]
    inputs = {name: (dtype, shape) for name, shape in zip("qkv", flat)}
    inputs |= {"pk": (dtype, past), "pv": (dtype, past),
               "last": ("int32", [batch]), "total": ("int32", [])}
    node = helper.make_node(
        "GroupQueryAttention", list(inputs), ["y", "nk", "nv"],
        domain="com.microsoft", num_heads=HEADS, kv_num_heads=SHARED,
        **attributes)
    outputs = {"y": (dtype, flat[0]), "nk": (dtype, present),
               "nv": (dtype, present)}
    model = builders.model([node], inputs, outputs)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


def draw(step, dtype, rows=1):
    return {name: random(1, rows, n * SIZE, seed=10 * step + i).astype(dtype)
            for i, (name, n) in enumerate(zip("qkv",
                                              (HEADS, SHARED, SHARED)))}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("attributes", [{}, {"local_window_size": 4}],
                         ids=["all", "window"])
def test_tokens_in_one_buffer_equal_those_of_a_cache_that_grows(
        dtype, attributes, threads):
    states = {"pk": "nk", "pv": "nv"}
    capacity = 24
    inplace = nacre.InferenceSession(decoder(capacity, dtype, **attributes),
                                     states=states, threads=threads)
    grows = nacre.InferenceSession(decoder(None, dtype, **attributes),
                                   threads=threads)
    past = [np.zeros((1, SHARED, 0, SIZE), dtype) for _ in states]
    for step in range(capacity):
        feeds = draw(step, dtype) | {
            "last": np.array([step], np.int32),
            "total": np.array(step + 1, np.int32)}
        found, = inplace.run(["y"], feeds)
        expected, *past = grows.run(["y", "nk", "nv"], feeds | {
            "pk": past[0], "pv": past[1]})
        tolerance = (tolerances.HALF if dtype == "float16"
                     else tolerances.DEFAULT)
        np.testing.assert_allclose(found, expected, **tolerance)
        for name, rows in zip(states, past):
            assert rows.shape[2] == step + 1
            np.testing.assert_array_equal(
                inplace.states[name][:, :, :step + 1], rows)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("batch", [1, 3])
def test_a_cache_in_one_buffer_is_neither_copied_nor_allocated(tmp_path, batch,
                                                               dtype):
    onnx.save(decoder(4096, dtype, batch), str(tmp_path / "net.onnx"))
    cli.nacre("compile", tmp_path / "net.onnx", "--emit=loops", "-o",
              tmp_path / "net.mlir", "--state=pk:nk", "--state=pv:nv")
    text = (tmp_path / "net.mlir").read_text()
    assert "memref.alloc(" not in text
    assert "memref.copy" not in text
    # The scores of all rows that there may be, and keys as a product has them.
    scores, keys = (batch * n * 4096 * 4 for n in (HEADS, SHARED * SIZE))
    arena = int(text.split("nacre.arena_bytes = ")[1].split()[0])
    assert arena < 5 * scores + (2 if dtype == "float16" else 1) * 1.1 * keys


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_prompt_in_a_large_cache_equals_one_in_a_cache_that_grows(
        tmp_path, dtype, threads):
    """A block of its scores exists at a time."""
    capacity, before, rows = 1200, 900, 64
    total = before + rows
    model = decoder(capacity, dtype, rows=rows)
    past = {name: random(1, SHARED, before, SIZE, seed=i).astype(dtype)
            for i, name in enumerate(("pk", "pv"))}
    feeds = draw(1, dtype, rows) | {"last": np.array([total - 1], np.int32),
                                    "total": np.array(total, np.int32)}
    room = ((0, 0), (0, 0), (0, capacity - before), (0, 0))
    found, *caches = nacre.InferenceSession(model, threads=threads).run(
        ["y", "nk", "nv"],
        feeds | {name: np.pad(rows, room) for name, rows in past.items()})
    grows = nacre.InferenceSession(decoder(None, dtype, rows=rows),
                                   threads=threads)
    expected, *grown = grows.run(["y", "nk", "nv"], feeds | past)
    np.testing.assert_allclose(
        found, expected, **(tolerances.HALF if dtype == "float16"
                            else tolerances.DEFAULT))
    for cache, rows_of_it in zip(caches, grown):
        np.testing.assert_array_equal(cache[:, :, :total], rows_of_it)
    onnx.save(model, str(tmp_path / "net.onnx"))
    cli.nacre("compile", tmp_path / "net.onnx", "--emit=loops",
              f"--threads={threads}", "--state=pk:nk", "--state=pv:nv", "-o",
              tmp_path / "net.mlir")
    text = (tmp_path / "net.mlir").read_text()
    assert "memref.alloc(" not in text
    arena = int(text.split("nacre.arena_bytes = ")[1].split()[0])
    assert arena < HEADS * rows * capacity * 4 * 2
