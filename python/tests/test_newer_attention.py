# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as ONNX has it since operator set 23, on all backends."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli, tolerances
from nacre.attention import (attend, causal, hide, join_heads, rotate,
                             split_heads)
from nacre.cases import Case, parametrize, random


def attention_cases():
    q, k, v = random(2, 4, 5, 8), random(2, 4, 6, 8, seed=1), random(
        2, 4, 6, 10, seed=2)
    output, scores = attend(q, k, v)
    yield Case("plain", "Attention", {"q": q, "k": k, "v": v}, [output])
    yield Case("scores", "Attention", {"q": q, "k": k, "v": v},
               [output, None, None, scores[0]])
    # Two heads of the query share one of the key.
    yield Case("grouped", "Attention",
               {"q": q, "k": k[:, ::2], "v": v[:, ::2]},
               [attend(q, k[:, ::2], v[:, ::2])[0]])
    flat = {name: join_heads(x) for name, x in zip("qkv", (q, k, v))}
    yield Case("joined", "Attention", flat, [join_heads(output)],
               q_num_heads=4, kv_num_heads=4)
    flat = {"q": join_heads(q), "k": join_heads(k[:, :2]),
            "v": join_heads(v[:, :2])}
    grouped = attend(q, k[:, :2], v[:, :2], hide(causal(5, 6)), 0.3)[0]
    yield Case("joined_grouped_causal", "Attention", flat,
               [join_heads(grouped)], q_num_heads=4, kv_num_heads=2,
               is_causal=1, scale=0.3)
    mask = random(5, 6, seed=3) > -0.5
    mask[:, 0] = True
    for mode in range(4):
        output, scores = attend(q, k, v, hide(mask), softcap=0.7)
        scores[2][np.isinf(scores[2])] = -np.inf
        yield Case(f"mask_scores_{mode}", "Attention",
                   {"q": q, "k": k, "v": v, "mask": mask},
                   [output, None, None, scores[mode]], softcap=0.7,
                   qk_matmul_output_mode=mode)
    bias = random(2, 1, 5, 6, seed=3)
    yield Case("bias", "Attention", {"q": q, "k": k, "v": v, "mask": bias},
               [attend(q, k, v, bias)[0]], softmax_precision=1)
    # A mask that is too short hides the other keys.
    yield Case("short_mask", "Attention",
               {"q": q, "k": k, "v": v, "mask": mask[:, :4]},
               [attend(q, k[:, :, :4], v[:, :, :4], hide(mask[:, :4]))[0]])
    past_k, past_v = random(2, 4, 3, 8, seed=4), random(2, 4, 3, 10, seed=5)
    all_k, all_v = (np.concatenate([past_k, k], 2),
                    np.concatenate([past_v, v], 2))
    yield Case("past", "Attention",
               {"q": q, "k": k, "v": v, "mask": None, "pk": past_k,
                "pv": past_v},
               [attend(q, all_k, all_v, hide(causal(5, 9, 3)))[0], all_k,
                all_v], is_causal=1)
    # Each sequence has a length of its own in a cache that is longer.
    lengths = np.array([4, 6])
    q2 = q[:, :, :2]
    visible = np.arange(6)[None, None] <= (
        np.arange(2)[None, :, None] + lengths[:, None, None] - 2)
    yield Case("lengths", "Attention",
               {"q": q2, "k": k, "v": v, "mask": None, "pk": None, "pv": None,
                "lengths": lengths},
               [attend(q2, k, v, hide(visible[:, None]))[0]], is_causal=1)
    visible = np.arange(6) < lengths[:, None, None, None]
    yield Case("lengths_not_causal", "Attention",
               {"q": q, "k": k, "v": v, "mask": bias, "pk": None, "pv": None,
                "lengths": lengths},
               [attend(q, k, v, bias + hide(visible))[0]])
    half = {name: x.astype(np.float16) for name, x in zip("qkv", (q, k, v))}
    yield Case("half", "Attention", half,
               [attend(q, k, v)[0].astype(np.float16)], 
               tolerance=tolerances.HALF)


def visible(rows, columns, left, right, offset=0):
    """Which keys a window around the own position shows each query."""
    distance = np.arange(columns) - np.arange(rows)[:, None] - offset
    return ((distance >= -left if left >= 0 else True)
            & (distance <= right if right >= 0 else True))


def window_cases():
    q, k, v = random(2, 4, 5, 8), random(2, 2, 6, 8, seed=1), random(
        2, 2, 6, 10, seed=2)
    given = {"q": q, "k": k, "v": v}
    for left, right in ((1, -1), (-1, 1), (2, 1), (0, 0)):
        yield Case(f"window_{left}_{right}", "Attention", given,
                   [attend(q, k, v, hide(visible(5, 6, left, right)))[0]],
                   version=25, left_window_size=left, right_window_size=right)
    yield Case("window_causal", "Attention", given,
               [attend(q, k, v, hide(visible(5, 6, 2, 0)))[0]], version=25,
               left_window_size=2, right_window_size=3, is_causal=1)
    past_k, past_v = random(2, 2, 3, 8, seed=4), random(2, 2, 3, 10, seed=5)
    all_k, all_v = (np.concatenate([past_k, k], 2),
                    np.concatenate([past_v, v], 2))
    yield Case("window_past", "Attention",
               {**given, "mask": None, "pk": past_k, "pv": past_v},
               [attend(q, all_k, all_v, hide(visible(5, 9, 2, 1, 3)))[0],
                all_k, all_v], version=25, left_window_size=2,
               right_window_size=1)
    lengths = np.array([5, 6])
    seen = np.stack([visible(5, 6, 1, 0, n - 5) for n in lengths])
    yield Case("window_lengths", "Attention",
               {**given, "mask": None, "pk": None, "pv": None, "n": lengths},
               [attend(q, k, v, hide(seen[:, None]))[0]], version=25,
               left_window_size=1, is_causal=1)


def hidden_cases():
    """Queries that see no key give 0."""
    q, k, v = random(2, 4, 5, 8), random(2, 2, 6, 8, seed=1), random(
        2, 2, 6, 10, seed=2)
    given = {"q": q, "k": k, "v": v}
    mask = random(5, 6, seed=3) > -0.5
    mask[:, 0] = True
    output, scores = attend(q, k, v, hide(mask))
    normal, hidden = scores[3].copy(), mask.copy()
    hidden[[1, 4]] = False
    output[:, :, [1, 4]] = normal[:, :, [1, 4]] = 0
    for name, given_mask in (("bool", hidden), ("float", hide(hidden))):
        yield Case(f"hidden_{name}", "Attention", {**given, "mask": given_mask},
                   [output, None, None, normal], qk_matmul_output_mode=3)
    row = np.array([True, False, True, True, False, False])
    yield Case("mask_of_keys", "Attention", {**given, "mask": row},
               [attend(q, k, v, hide(row))[0]])
    yield Case("all_keys_hidden", "Attention",
               {**given, "mask": np.zeros(6, bool)}, [np.zeros_like(output)])
    # The last of these queries are as many as there are keys before the end.
    lengths = np.array([3, 6])
    seen = np.stack([causal(5, 6, n - 5) for n in lengths])[:, None]
    seen[0, :, :2] = True
    output = attend(q, k, v, hide(seen))[0]
    output[0, :, :2] = 0
    yield Case("hidden_by_lengths", "Attention",
               {**given, "mask": None, "pk": None, "pv": None, "n": lengths},
               [output], is_causal=1)


def rotary_cases():
    x = random(2, 3, 4, 8)
    angles = random(9, 4, seed=1)
    cos, sin = np.cos(angles), np.sin(angles)
    ids = np.array([[0, 1, 2, 3], [4, 2, 8, 0]])
    for interleaved in (0, 1):
        expected = rotate(x, cos[ids], sin[ids], interleaved)
        yield Case(f"ids_{interleaved}", "RotaryEmbedding",
                   {"x": x, "ids": ids}, [expected], {"cos": cos, "sin": sin},
                   ["x", "cos", "sin", "ids"], interleaved=interleaved)
        yield Case(f"joined_{interleaved}", "RotaryEmbedding",
                   {"x": join_heads(x), "cos": cos[ids], "sin": sin[ids]},
                   [join_heads(expected)], num_heads=3,
                   interleaved=interleaved)
        part_cos, part_sin = cos[ids][..., :2], sin[ids][..., :2]
        yield Case(f"part_{interleaved}", "RotaryEmbedding",
                   {"x": x, "cos": part_cos, "sin": part_sin},
                   [rotate(x, part_cos, part_sin, interleaved)],
                   rotary_embedding_dim=4, interleaved=interleaved)
    assert split_heads(join_heads(x), 3).shape == x.shape


@parametrize([*attention_cases(), *window_cases(), *hidden_cases()])
def test_attention_matches_numpy(case, backend):
    case.check(backend)


@parametrize([*rotary_cases()])
def test_rotary_embedding_matches_numpy(case, backend):
    case.check(backend)


@pytest.mark.parametrize("attributes, mask, message", [
    ({"left_window_size": -2}, None, "'left_window_size' of -1 or more"),
    ({}, [], "'attn_mask' of one to four dimensions, found 0")])
def test_attention_out_of_the_standard_is_refused(attributes, mask, message,
                                                  tmp_path):
    inputs = {name: ("float32", [1, 2, 3, 4]) for name in "qkv"}
    if mask is not None:
        inputs["mask"] = ("bool", mask)
    node = builders.node("Attention", [*inputs], ["y"], **attributes)
    path = tmp_path / "model.onnx"
    onnx.save(builders.model([node], inputs,
                             {"y": ("float32", [1, 2, 3, 4])}, {},
                             name="refused", opset=25), str(path))
    with pytest.raises(cli.NacreError, match=message):
        cli.nacre("compile", path, "-o", tmp_path / "model.so")
