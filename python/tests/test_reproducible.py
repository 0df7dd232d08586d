# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model compiles to the same bytes each time, wherever the compiler's memory
lies."""

import numpy as np
import onnx
import pytest

from nacre import cli
from test_attention_dynamic import cached
from test_dynamic_images import quantized_network
from test_volumes import segmentation

MODELS = {
    "volumes": segmentation(2),
    "volumes of any batch": segmentation("n"),
    "attention of any length": cached(6),
    "quantized images of any size": quantized_network(np.uint8, True, "n"),
}


@pytest.mark.parametrize("options", [
    ("--emit=obj", "--threads=2"),
    ("--emit=obj", "--vpu-arch=x86-64-v3,x86-64-v4"),
    ("--emit=vpu", "--precision=bf16")], ids=" ".join)
@pytest.mark.parametrize("name", MODELS)
def test_compiling_again_gives_the_same_bytes(name, options, tmp_path):
    path, result = tmp_path / "model.onnx", tmp_path / "result"
    onnx.save(MODELS[name], str(path))
    found = set()
    for _ in range(2):
        cli.nacre("compile", path, "-o", result, *options)
        found.add(result.read_bytes())
    assert len(found) == 1
