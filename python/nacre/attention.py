# ===- attention.py - Attention in numpy, for tests -------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ONNX's and ONNX Runtime's attention operators have in common."""

import numpy as np


def split_heads(x, heads):
    """(batch, sequence, hidden) to (batch, heads, sequence, head size)."""
    return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)


def join_heads(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def attend(q, k, v, bias=0, scale=None, softcap=0):
    """The output, and scores: plain, bounded, biased, and normalised."""
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1), np.repeat(v, repeats, 1)
    scale = q.shape[3]**-0.5 if scale is None else scale
    plain = q @ k.swapaxes(2, 3) * scale
    bounded = softcap * np.tanh(plain / softcap) if softcap else plain
    biased = bounded + bias
    normal = softmax(biased)
    scores = [x.astype(np.float32) for x in (plain, bounded, biased, normal)]
    return (normal @ v).astype(np.float32), scores


def hide(mask):
    """0 where the mask holds, -infinity elsewhere."""
    return np.where(mask, np.float32(0), np.float32(-np.inf))


def causal(rows, columns, offset=0):
    return np.arange(columns)[None] <= np.arange(rows)[:, None] + offset


def rotate(x, cos, sin, interleaved=False):
    """x (batch, heads, sequence, size); angles (batch, sequence, pairs)."""
    cos, sin = cos[:, None], sin[:, None]
    pairs = cos.shape[-1]
    part, rest = x[..., :2 * pairs], x[..., 2 * pairs:]
    if interleaved:
        first, second = part[..., ::2], part[..., 1::2]
    else:
        first, second = part[..., :pairs], part[..., pairs:]
    real, imaginary = (first * cos - second * sin, first * sin + second * cos)
    if interleaved:
        part = np.stack([real, imaginary], -1).reshape(part.shape)
    else:
        part = np.concatenate([real, imaginary], -1)
    return np.concatenate([part, rest], -1)
