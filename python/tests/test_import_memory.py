# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much memory a model with large weights costs before code generation."""

import pytest
from onnx import TensorProto, helper

from nacre import builders, cli

ROWS, COLUMNS = 8000, 8000
WEIGHT_BYTES = ROWS * COLUMNS * 4


@pytest.fixture(scope="module")
def large_model(tmp_path_factory):
    """y = x w, the 256 MB of w stored as raw data inside the model."""
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT,
                         dims=[ROWS, COLUMNS])
    weight.raw_data = b"\0\0\x80\x3f" * (ROWS * COLUMNS)
    graph = helper.make_graph(
        [builders.node("MatMul", ["x", "w"], ["y"])], "large",
        [builders.value("x", "float32", [1, ROWS])],
        [builders.value("y", "float32", [1, COLUMNS])], [weight])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    path = tmp_path_factory.mktemp("large") / "large.onnx"
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("arguments", [
    ["info"], ["compile", "--emit=ie", "-o"]], ids=["info", "compile-to-ie"])
def test_import_of_large_weights_takes_at_most_half_as_much_again(
        large_model, tmp_path, arguments):
    if arguments[0] == "compile":
        arguments = [*arguments, tmp_path / "large.mlir"]
    assert cli.measure(*arguments, large_model).memory <= 1.5 * WEIGHT_BYTES
