# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that ONNX had on trial, on all backends."""

import numpy as np

from nacre import cases
from nacre.cases import parametrize, random


def Case(*arguments, **others):
    return cases.Case(*arguments, version=9, **others)


def experimental_cases():
    x, image = random(3, 4), random(1, 2, 6, 7)
    yield Case("Affine", "Affine", {"x": x}, [2 * x - 3], alpha=2.0, beta=-3.0)
    yield Case("Scale", "Scale", {"x": x}, [2 * x], scale=2.0)
    yield Case("ScaledTanh", "ScaledTanh", {"x": x}, [2 * np.tanh(x / 2)],
               alpha=2.0, beta=0.5)
    yield Case("ParametricSoftplus", "ParametricSoftplus", {"x": x},
               [2 * np.log1p(np.exp(x / 2))], alpha=2.0, beta=0.5)
    bias = np.array([1, 2], np.float32)
    yield Case("ImageScaler", "ImageScaler", {"x": image},
               [image / 2 + bias[:, None, None]], scale=0.5, bias=[1.0, 2.0])
    yield Case("Crop", "Crop", {"x": image}, [image[:, :, :-1, 1:-2]],
               border=[1, 0, 2, 1])
    yield Case("Crop_to_a_size", "Crop", {"x": image}, [image[:, :, 2:5, 1:5]],
               border=[1, 2, 0, 0], scale=[3, 4])
    yield Case("DynamicSlice", "DynamicSlice", {"x": x}, [x[:, 1:3]],
               {"starts": np.array([1]), "ends": np.array([3]),
                "axes": np.array([1])})


@parametrize([*experimental_cases()])
def test_experimental_operator_matches_numpy(case, backend):
    case.check(backend)
