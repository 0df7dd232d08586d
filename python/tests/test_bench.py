"""The memory columns of the race."""

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import bench
from nacre import builders

ROWS, COLUMNS = 2000, 4000
WEIGHT_BYTES = ROWS * COLUMNS * 4


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """A data folder of y = x w with 32 MB of weights; its batch is dynamic."""
    rng = np.random.default_rng(6)
    weights = rng.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    graph = helper.make_graph(
        [builders.node("MatMul", ["x", "w"], ["y"])], "product",
        [builders.value("x", "float32", ["batch", ROWS])],
        [builders.value("y", "float32", ["batch", COLUMNS])],
        [numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    folder = tmp_path_factory.mktemp("product")
    onnx.save(model, str(folder / "model.onnx"))
    (folder / "test_data_set_0").mkdir()
    x = numpy_helper.from_array(np.ones((1, ROWS), np.float32), "x")
    (folder / "test_data_set_0" / "input_0.pb").write_bytes(
        x.SerializeToString())
    return folder


@pytest.fixture(scope="module", params=[1, 2])
def memory(product, request):
    """In bytes, with one thread and with two."""
    result = bench.measure_memory(bench.build_runner(), product, request.param)
    return {key: result[key] * 2**20 for key in ("rss_mb", "private_mb")}


def test_a_process_that_runs_a_model_needs_its_weights_once(memory):
    assert WEIGHT_BYTES < memory["rss_mb"] < WEIGHT_BYTES + (8 << 20)


def test_weights_of_a_process_that_runs_a_model_are_pages_of_a_file(memory):
    assert 0 < memory["private_mb"] < 4 << 20
