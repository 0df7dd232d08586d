# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`reference-hw` computes what the other ways do, one op of the engine for each
of the model's."""

import re

import numpy as np
import onnx
import pytest

from backends import run
from nacre import builders, cli, tolerances

DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
ARCHITECTURES = ["host", "NPU37XX", "NPU40XX"]


def residual_network():
    """What default-hw fuses: activations, an addition, padding, a depthwise
    convolution beside a pointwise one, and a softmax of software."""
    rng = np.random.default_rng(5)

    def weights(*shape):
        scale = np.sqrt(2 / np.prod(shape[1:]))
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    nodes = [
        builders.node("Conv", ["x", "w0"], ["a"], "conv0", pads=[1] * 4),
        builders.node("Relu", ["a"], ["b"], "relu0"),
        builders.node("Conv", ["b", "w1"], ["c"], "depthwise", pads=[1] * 4,
                      group=16),
        builders.node("Conv", ["c", "w2"], ["d"], "pointwise"),
        builders.node("Add", ["d", "b"], ["e"], "add"),
        builders.node("Relu", ["e"], ["f"], "relu1"),
        builders.node("MaxPool", ["f"], ["g"], "pool", kernel_shape=[2, 2],
                      strides=[2, 2]),
        builders.node("GlobalAveragePool", ["g"], ["h"], "mean"),
        builders.node("Flatten", ["h"], ["i"], "flatten"),
        builders.node("MatMul", ["i", "w3"], ["j"], "matmul"),
        builders.node("Softmax", ["j"], ["y"], "softmax"),
    ]
    return builders.model(
        nodes, {"x": ("float32", [1, 3, 16, 16])},
        {"y": ("float32", [1, 10])},
        weights={"w0": weights(16, 3, 3, 3), "w1": weights(16, 1, 3, 3),
                 "w2": weights(16, 16, 1, 1), "w3": weights(16, 10)})


MODELS = {"digits": (lambda: onnx.load(str(DIGITS)), "image", (1, 1, 8, 8)),
          "residual": (residual_network, "x", (1, 3, 16, 16))}


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", MODELS)
def test_results_are_those_of_the_other_ways(name, arch, tmp_path):
    build, key, shape = MODELS[name]
    x = np.random.default_rng(2).random(shape, dtype=np.float32)
    options = [f"--vpu-arch={arch}", f"--shape={key}={'x'.join(map(str, shape))}"]
    results = [run(build(), {key: x}, tmp_path, backend, *options)
               for backend in ("interpreter", "reference-hw", "cpu")]
    for found in results[1:]:
        assert found.keys() == results[0].keys()
        for output, value in found.items():
            np.testing.assert_allclose(value, results[0][output],
                                       **tolerances.DEFAULT)


def test_every_op_of_the_engine_is_alone(tmp_path):
    path = tmp_path / "residual.onnx"
    path.write_bytes(residual_network().SerializeToString())
    cli.nacre("compile", path, "--backend=reference-hw", "-o",
              tmp_path / "model.so", f"--dump-ir={tmp_path / 'ir'}")
    # The first one is about operators, the last one about the code of kernels.
    *_, file, _ = sorted((tmp_path / "ir").glob("*_vpu-choose-strategies.mlir"))
    text = file.read_text().split("{-#")[0]
    strategies = re.findall(r"VPU\.strategy = (#VPU\.strategy<[^>]*>)", text)
    assert len(strategies) > 5 and set(strategies) == {"#VPU.strategy<>"}
    for op in "Convolution", "DepthConvolution", "MaxPool", "Eltwise":
        assert f"VPU.NCE.{op}" in text
    assert "scf.forall" not in text


def test_levels_are_those_of_the_fast_way(tmp_path):
    with pytest.raises(Exception, match="--emit=vpu is a level of the cpu"):
        cli.nacre("compile", DIGITS, "--backend=reference-hw", "--emit=vpu",
                  "-o", tmp_path / "model.mlir")
