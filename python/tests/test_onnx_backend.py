# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.backend under `onnx.backend.test`.

A few tests of each kind show that the Backend works; the whole suite runs
faster through `nacre check`, see python/scripts/onnx_backend_suite.py.
"""

import numpy as np
import pytest
from onnx.backend import test as onnx_test

from nacre import builders, cli
from nacre.backend import NacreBackend

# Debian's onnx 1.12 says np.object, which its NumPy 1.24 no longer has.
if "object" not in vars(np):
    np.object = object

SAMPLE = [
    "test_add_bcast_cpu", "test_argmax_default_axis_example_cpu",
    "test_averagepool_2d_pads_cpu", "test_basic_conv_with_padding_cpu",
    "test_concat_2d_axis_1_cpu", "test_gemm_all_attributes_cpu",
    "test_matmul_4d_cpu", "test_reshape_negative_dim_cpu",
    "test_split_equal_parts_2d_cpu",
]

backend_test = onnx_test.BackendTest(NacreBackend, __name__)
for name in SAMPLE:
    backend_test.include(f"^{name}$")
globals().update({name: case for name, case in backend_test.test_cases.items()
                  if name == "OnnxBackendNodeModelTest"})


@pytest.mark.parametrize("engine", ["cpu", "reference", "interpreter"])
def test_run_model_on_every_engine(engine):
    class Engine(NacreBackend):
        pass

    Engine.engine = engine
    model = builders.single("Relu", {"x": ("float32", [2, 3])},
                            {"y": ("float32", [2, 3])})
    x = np.array([[-1, 2, -3], [4, -5, 6]], dtype=np.float32)
    result = Engine.run_model(model, [x])
    np.testing.assert_array_equal(result["y"], np.maximum(x, 0))


def test_run_node_returns_its_results():
    x = np.float32([[3, 1, 2]])
    values, indices = NacreBackend.run_node(
        builders.node("TopK", ["x", "k"], ["values", "indices"]),
        [x, np.int64([2])])
    np.testing.assert_array_equal(values, [[3, 2]])
    np.testing.assert_array_equal(indices, [[0, 2]])


def test_run_node_of_inputs_left_out_and_repeated():
    x = np.float32([1, -5, 9])
    (y,) = NacreBackend.run_node(
        builders.node("Clip", ["x", "", "high"], ["y"]), [x, np.float32(2)],
        outputs_info=[(np.float32, (3,))])
    np.testing.assert_array_equal(y, [1, -5, 2])
    (y,) = NacreBackend.run_node(builders.node("Add", ["x", "x"], ["y"]),
                                 [x, x], opset_version=13)
    np.testing.assert_array_equal(y, x + x)
    with pytest.raises(ValueError, match="expected 2 inputs, found 1"):
        NacreBackend.run_node(builders.node("Add", ["x", "z"], ["y"]), [x])


def test_prepare_on_another_device_says_so():
    with pytest.raises(ValueError, match="device 'CUDA' is not supported"):
        NacreBackend.prepare(builders.chain(["Relu"], [1]), "CUDA")


def test_unsupported_operator_is_named():
    model = builders.single("NoSuchOperator", {"x": ("float32", [1])},
                            {"y": ("float32", [1])})
    with pytest.raises(cli.NacreError, match="NoSuchOperator") as caught:
        NacreBackend.run_model(model, [np.zeros(1, np.float32)])
    assert caught.value.code == cli.Exit.UNSUPPORTED


@pytest.mark.parametrize("engine", ["cpu", "reference", "interpreter"])
@pytest.mark.parametrize("inputs", [[], [""]])
def test_optional_without_an_input_has_no_element(engine, inputs):
    class Engine(NacreBackend):
        pass

    Engine.engine = engine
    node = builders.node("OptionalHasElement", inputs, ["y"])
    model = builders.model([node], {}, {"y": ("bool", [])}, opset=18)
    assert Engine.run_model(model, [])["y"].tolist() is False
