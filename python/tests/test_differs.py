# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python/scripts/differs.py: when a model is of interest to nacre-reduce."""

import subprocess
import sys

import pytest

from backends import skip_unless_runnable
from nacre import cli

SCRIPT = cli.ROOT / "python" / "scripts" / "differs.py"

# The product of rows that only f32 tells apart from zero.
MODEL = """
func.func @main(%x: tensor<4x256xf32> {nacre.name = "x"})
    -> (tensor<4x64xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.3> : tensor<256x64xf32>
  %y = IE.MatMul(%x, %w)
    : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}
"""


@pytest.mark.parametrize("options, text, status", [
    ([], MODEL, 0),
    # Of numbers with 8 bits.
    (["--option=--precision=bf16", "--option=--vpu-arch=znver4"], MODEL, 1),
    ([], MODEL.replace("IE.MatMul", "IE.NoOperator"), 0)],
    ids=["right", "wrong", "no model"])
def test_models_whose_backends_disagree_are_of_interest(tmp_path, options, text,
                                                        status):
    if any("znver4" in option for option in options):
        skip_unless_runnable("znver4")
    model = tmp_path / "model.mlir"
    model.write_text(text)
    process = subprocess.run([sys.executable, SCRIPT, model, *options],
                             capture_output=True, text=True, check=False)
    assert process.returncode == status, process.stderr
    assert ("y differs" in process.stdout) == bool(status)
