# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LinearAttention, CausalConvWithState and SwiGLU, on all backends."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli, tolerances
from nacre.cases import Case, parametrize, random


def attend(q, k, v, heads, key_heads, state=None, decay=None, beta=None,
           scale=None):
    """Position by position, in heads that are not packed."""
    b, t, _ = q.shape
    group = heads // key_heads
    q, k, v = (x.reshape(b, t, n, -1).astype(np.float32)
               for x, n in ((q, heads), (k, key_heads), (v, key_heads)))
    scale = scale or q.shape[-1]**-0.5
    if state is None:
        state = np.zeros((b, key_heads, k.shape[-1], v.shape[-1]), np.float32)
    outputs = []
    for i in range(t):
        row = v[:, i]
        if decay is not None:
            gate = np.exp(decay[:, i].reshape(b, key_heads, -1, 1))
            state = state * gate
        if beta is not None:
            seen = np.einsum("bhkv,bhk->bhv", state, k[:, i])
            row = beta[:, i][..., None] * (row - seen)
        state = state + k[:, i][..., None] * row[:, :, None]
        read = np.repeat(state, group, 1)
        outputs.append(scale * np.einsum("bhk,bhkv->bhv", q[:, i], read))
    return (np.stack(outputs, 1).reshape(b, t, -1).astype(np.float32),
            state.astype(np.float32))


def linear_cases():
    b, t, heads, keys = 2, 5, 4, 2
    q, k, v = random(b, t, heads * 3), random(b, t, keys * 3, seed=1), random(
        b, t, keys * 4, seed=2)
    past = random(b, keys, 3, 4, seed=3)
    one, each = random(b, t, keys, seed=4), random(b, t, keys * 3, seed=5)
    rate, shared = random(b, t, keys, seed=6), random(b, t, 1, seed=7)
    for name, rule, state, decay, beta in (
            ("linear", "linear", None, None, None),
            ("gated", "gated", past, each, None),
            ("delta", "delta", None, None, shared),
            ("gated_delta", "gated_delta", past, one, rate)):
        yield Case(name, "LinearAttention",
                   {"q": q, "k": k, "v": v, "past": state, "decay": decay,
                    "beta": beta},
                   attend(q, k, v, heads, keys, state, decay, beta),
                   version=27, update_rule=rule, q_num_heads=heads,
                   kv_num_heads=keys)
    yield Case("scaled", "LinearAttention", {"q": q, "k": k, "v": v},
               attend(q, k, v, heads, keys, scale=0.3), version=27, scale=0.3,
               update_rule="linear", q_num_heads=heads, kv_num_heads=keys,
               chunk_size=2)


def convolve(x, weight, bias=None, past=None, activation="none"):
    size = weight.shape[2]
    if past is None:
        past = np.zeros((*x.shape[:2], size - 1), np.float32)
    padded = np.concatenate([past, x], 2)
    windows = np.lib.stride_tricks.sliding_window_view(padded, size, 2)
    y = (windows * weight[:, 0][:, None]).sum(-1)
    if bias is not None:
        y = y + bias[:, None]
    if activation != "none":
        y = y / (1 + np.exp(-y))
    return [y.astype(np.float32), padded[:, :, padded.shape[2] - size + 1:]]


def convolution_cases():
    x, bias = random(2, 3, 6), random(3, seed=2)
    weight, past = random(3, 1, 4, seed=1), random(2, 3, 3, seed=3)
    for name, given, activation in (
            ("plain", {}, "none"), ("bias", {"bias": bias}, "silu"),
            ("past", {"bias": None, "past": past}, "none"),
            ("both", {"bias": bias, "past": past}, "swish")):
        yield Case(f"convolution_{name}", "CausalConvWithState",
                   {"x": x, "weight": weight, **given},
                   convolve(x, weight, activation=activation, **given),
                   version=27, activation=activation)
    # Shorter than what the kernel reaches back to.
    yield Case("convolution_short", "CausalConvWithState",
               {"x": x[..., :2], "weight": weight},
               convolve(x[..., :2], weight), version=27)


def gated_cases():
    a, b = random(2, 5), random(2, 5, seed=1)
    for alpha in (1.0, 1.7):
        yield Case(f"gated_{alpha}", "SwiGLU", {"a": a, "b": b},
                   [a / (1 + np.exp(-np.float32(alpha) * a)) * b], version=28,
                   alpha=alpha)
    half_a, half_b = a.astype(np.float16), b.astype(np.float16)
    yield Case("gated_half", "SwiGLU", {"a": half_a, "b": half_b},
               [(a / (1 + np.exp(-a)) * b).astype(np.float16)], version=28,
               tolerance=tolerances.HALF)


@parametrize([*linear_cases(), *convolution_cases(), *gated_cases()])
def test_sequence_with_a_state_matches_numpy(case, backend):
    case.check(backend)


LINEAR = {"q": [1, 2, 4], "k": [1, 2, 4], "v": [1, 2, 6]}
TWO = {"q_num_heads": 2, "kv_num_heads": 2}


@pytest.mark.parametrize("op, shapes, attributes, message", [
    ("LinearAttention", LINEAR, {**TWO, "update_rule": "other"},
     "expected 'update_rule' to be linear, gated, delta or gated_delta"),
    ("LinearAttention", LINEAR, {**TWO, "update_rule": "gated"},
     "expected an input 'decay' for the rule gated"),
    ("LinearAttention", {**LINEAR, "past": [1, 2, 2, 4]},
     {**TWO, "update_rule": "linear"},
     "expected 'past_state' of size 3 in dimension 3, found 4"),
    ("LinearAttention", LINEAR,
     {"q_num_heads": 3, "kv_num_heads": 2, "update_rule": "linear"},
     "a positive 'q_num_heads' that is a multiple of 'kv_num_heads'"),
    ("CausalConvWithState", {"x": [1, 3, 4], "w": [2, 1, 3]}, {},
     "expected 'weight' for 3 channels, found 2"),
    ("CausalConvWithState", {"x": [1, 2, 4], "w": [2, 1, 3]},
     {"activation": "relu"}, "'activation' to be none, silu or swish"),
    ("CausalConvWithState",
     {"x": [1, 2, 4], "w": [2, 1, 3], "b": [2], "past": [1, 2, 3]}, {},
     "expected 'past_state' of size 2 in dimension 2, found 3"),
    ("SwiGLU", {"a": [2, 3], "b": [1, 3]}, {},
     "expected 'A' and 'B' of the same shape")])
def test_what_does_not_fit_is_refused(op, shapes, attributes, message,
                                      tmp_path):
    inputs = {name: ("float32", shape) for name, shape in shapes.items()}
    node = builders.node(op, [*inputs], ["y"], **attributes)
    path = tmp_path / "model.onnx"
    rank = len(next(iter(shapes.values())))
    onnx.save(builders.model([node], inputs, {"y": ("float32", [None] * rank)},
                             {}, name="refused", opset=28), str(path))
    with pytest.raises(cli.NacreError, match=message):
        cli.nacre("compile", path, "-o", tmp_path / "model.so")
