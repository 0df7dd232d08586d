"""How much memory a model with large weights costs before code generation."""

import subprocess
import sys

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


# A process starts with the peak of the one that forked it, which here holds a
# whole model: a small one in between gives a clean count.
MEASURE = """
import os, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_bytes(*arguments):
    """The largest resident memory of `nacre ARGUMENTS`."""
    process = subprocess.run(
        [sys.executable, "-c", MEASURE, cli.tool(), *map(str, arguments)],
        stdout=subprocess.PIPE, text=True, check=True)
    return int(process.stdout.splitlines()[-1])


@pytest.mark.parametrize("arguments", [
    ["info"], ["compile", "--emit=ie", "-o"]], ids=["info", "compile-to-ie"])
def test_import_of_large_weights_takes_at_most_half_as_much_again(
        large_model, tmp_path, arguments):
    if arguments[0] == "compile":
        arguments = [*arguments, tmp_path / "large.mlir"]
    assert peak_bytes(*arguments, large_model) <= 1.5 * WEIGHT_BYTES
