# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No pass loses the nodes that ops come from, by which diagnostics, listings and
profiles call them."""

import pytest

from nacre import cli, suite

DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
# Models that compile within seconds: passes look at every op twice.
LIGHT_BYTES = 8 << 20
MODELS = {name: path / "model.onnx" for name, path in
          suite.find_tests(suite.models_folder()).items()}
LIGHT = {"digits": DIGITS,
         **{name: path for name, path in MODELS.items()
            if path.stat().st_size < LIGHT_BYTES}}


@pytest.mark.parametrize("backend", ["cpu", "reference", "reference-hw"])
@pytest.mark.parametrize("name", LIGHT)
def test_each_op_can_be_traced_to_a_node(name, backend, tmp_path):
    cli.nacre("compile", LIGHT[name], "--verify-locations", "--threads=2",
              f"--backend={backend}", "-O0", "-o", tmp_path / "model.o")


def test_ops_of_an_npu_can_be_traced_to_a_node(tmp_path):
    cli.nacre("compile", DIGITS, "--verify-locations", "--vpu-arch=NPU40XX",
              "--shape=image=1x1x8x8", "-o", tmp_path / "model.o")
