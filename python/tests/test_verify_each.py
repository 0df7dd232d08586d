# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No pass leaves IR behind that MLIR's verifier refuses: compiling looks at what the
last one leaves alone."""

import pytest

from nacre import cli, suite

DIGITS = cli.ROOT / "python" / "models" / "digits" / "digits.onnx"
# Models that compile within seconds: one has weights of 600 MB, which its file makes
# of nothing.
LIGHT_BYTES = 16 << 20
MODELS = {name: path / "model.onnx" for name, path in
          suite.find_tests(suite.models_folder()).items()
          if name != "light_vgg19"}
LIGHT = {"digits": DIGITS,
         **{name: path for name, path in MODELS.items()
            if path.stat().st_size < LIGHT_BYTES}}
# A matrix unit and long vectors, and short ones alone.
ARCHITECTURES = ["sapphirerapids", "aarch64"]


def verify(model, tmp_path, *options):
    cli.nacre("compile", model, "--verify-each", "-O0", *options,
              "-o", tmp_path / "model.o")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("name", LIGHT)
def test_ir_of_a_model_is_right_after_each_pass(name, arch, tmp_path):
    verify(LIGHT[name], tmp_path, f"--vpu-arch={arch}", "--threads=2")


@pytest.mark.parametrize("backend", ["reference", "reference-hw"])
@pytest.mark.parametrize("name", LIGHT)
def test_ir_of_single_ops_is_right_after_each_pass(name, backend, tmp_path):
    verify(LIGHT[name], tmp_path, f"--backend={backend}")


@pytest.mark.parametrize("options", [
    ("--precision=bf16", "--vpu-arch=sapphirerapids"),
    ("--vpu-arch=NPU40XX", "--shape=image=1x1x8x8"),
    ("--no-winograd",), ("--instrument",)])
def test_ir_of_digits_is_right_after_each_pass_with_options(options, tmp_path):
    verify(DIGITS, tmp_path, *options)
