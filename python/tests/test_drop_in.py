# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs written for ONNX Runtime call beside `run`."""

import warnings

import numpy as np
import pytest

import nacre as ort
from nacre import builders, options
from nacre.capi import onnxruntime_pybind11_state as state

X = np.float32([[1, -2, 3], [4, 5, -6]])


def model(rows=2):
    return builders.model(
        [builders.node("Neg", ["x"], ["y"]), builders.node("Abs", ["x"], ["z"])],
        {"x": ("float32", [rows, 3])},
        {"y": ("float32", [rows, 3]), "z": ("float32", [rows, 3])})


@pytest.fixture(scope="module")
def session():
    return ort.InferenceSession(model().SerializeToString())


@pytest.fixture(scope="module")
def dynamic():
    return ort.InferenceSession(model("rows").SerializeToString())


def test_binding_gives_outputs_in_the_order_bound(session):
    binding = session.io_binding()
    binding.bind_cpu_input("x", X)
    binding.bind_output("z")
    binding.bind_output("y", "cpu", 0)
    session.run_with_iobinding(binding)
    z, y = binding.copy_outputs_to_cpu()
    np.testing.assert_array_equal(z, np.abs(X))
    np.testing.assert_array_equal(y, -X)
    value = binding.get_outputs()[1]
    assert value.is_tensor() and value.device_name() == "cpu"
    assert (value.shape(), value.data_type()) == ([2, 3], "tensor(float)")
    np.testing.assert_array_equal(value.numpy(), -X)
    binding.clear_binding_outputs()
    assert binding.get_outputs() == []
    with pytest.raises(ort.InvalidInput, match="no output is bound"):
        session.run_with_iobinding(binding)
    binding.clear_binding_inputs()
    binding.bind_output("y")
    with pytest.raises(ort.InvalidInput, match="no array for input 'x'"):
        session.run_with_iobinding(binding)


@pytest.mark.parametrize("which", ["session", "dynamic"])
def test_binding_of_addresses_reads_and_writes_there(which, request):
    session = request.getfixturevalue(which)
    x, y = X.copy(), np.zeros_like(X)
    binding = session.io_binding()
    binding.bind_input("x", "cpu", 0, np.float32, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, np.float32, y.shape, y.ctypes.data)
    z = ort.OrtValue.ortvalue_from_shape_and_type([2, 3], np.float32)
    binding.bind_ortvalue_output("z", z)
    for _ in range(2):
        session.run_with_iobinding(binding)
        np.testing.assert_array_equal(y, -x)
        np.testing.assert_array_equal(z.numpy(), np.abs(x))
        assert binding.get_outputs()[0].data_ptr() == y.ctypes.data
        x += 1
    binding.bind_output("y", "cpu", 0, np.float32, (3, 3),
                        np.zeros((3, 3), np.float32).ctypes.data)
    with pytest.raises(ort.InvalidInput, match="output 'y'"):
        session.run_with_iobinding(binding)


def test_binding_of_what_is_not_there_is_refused(session):
    binding = session.io_binding()
    with pytest.raises(ort.InvalidInput, match="no input 'q'; it has 'x'"):
        binding.bind_cpu_input("q", X)
    with pytest.raises(ort.InvalidInput, match="no output 'x'; it has 'y', "):
        binding.bind_output("x")
    with pytest.raises(ort.InvalidInput, match="found device 'cuda' 0"):
        binding.bind_output("y", "cuda")
    with pytest.raises(ort.InvalidInput, match="type and the shape"):
        binding.bind_output("y", buffer_ptr=X.ctypes.data)


def test_values_go_into_runs_and_come_out(session):
    x = ort.OrtValue.ortvalue_from_numpy(X.copy())
    np.testing.assert_array_equal(session.run(["y"], {"x": x})[0], -X)
    (y,) = session.run_with_ort_values(["y"], {"x": x})
    np.testing.assert_array_equal(y.numpy(), -X)
    x.update_inplace(X + 1)
    np.testing.assert_array_equal(session.run(["y"], {"x": x})[0], -X - 1)
    with pytest.raises(ort.InvalidInput, match="of shape"):
        x.update_inplace(X[:1])
    assert ort.OrtValue.ortvalue_from_numpy(
        np.array(["a"], object)).data_type() == "tensor(string)"


def test_dimensions_fixed_by_name_are_those_of_inputs_and_outputs():
    options = ort.SessionOptions()
    options.add_free_dimension_override_by_name("rows", 2)
    session = ort.InferenceSession(model("rows"), options)
    assert [v.shape for v in session.get_inputs() + session.get_outputs()] \
        == [[2, 3]] * 3
    np.testing.assert_array_equal(session.run(["y"], {"x": X})[0], -X)
    with pytest.raises(ort.InvalidInput, match="shape"):
        session.run(None, {"x": X[:1]})
    assert session.get_session_options() is options


def test_dimensions_fixed_beside_others_that_are_not():
    options = ort.SessionOptions()
    options.add_free_dimension_override_by_name("rows", 2)
    net = builders.single("Neg", {"x": ("float32", ["rows", "columns"])},
                          {"y": ("float32", ["rows", "columns"])})
    session = ort.InferenceSession(net, options)
    assert session.get_inputs()[0].shape == [2, "columns"]
    assert session.get_outputs()[0].shape == [2, "columns"]
    for columns in (1, 3):
        x = X[:, :columns].copy()
        np.testing.assert_array_equal(session.run(None, {"x": x})[0], -x)
    with pytest.raises(ort.InvalidInput, match=r"expects the shape \[2, 'col"):
        session.run(None, {"x": X[:1]})


def test_dimension_that_no_input_has_is_warned_of():
    options = ort.SessionOptions()
    options.add_free_dimension_override_by_name("nothing", 2)
    with pytest.warns(UserWarning, match="has a dimension 'nothing'"):
        ort.InferenceSession(model(), options)


def test_what_a_session_says_of_itself(session):
    assert session.get_overridable_initializers() == []
    assert session.get_provider_options() == {"CPUExecutionProvider": {}}
    assert isinstance(session.get_session_options(), ort.SessionOptions)
    ort.InferenceSession(model(), disabled_optimizers=["ConstantFolding"])


@pytest.mark.parametrize("arguments, threads", [
    ({}, 1), ({"sess_options": ort.SessionOptions()}, 3),
    ({"providers": ["CPUExecutionProvider"]}, 3),
    ({"sess_options": ort.SessionOptions(), "threads": 2}, 2)])
def test_calls_written_for_onnx_runtime_take_all_cores(monkeypatch, arguments,
                                                       threads):
    assert options.physical_cores() >= 1
    monkeypatch.setattr(options, "physical_cores", lambda: 3)
    session = ort.InferenceSession(model(), **arguments)
    (compiled,) = session._variants.values()
    assert compiled.metadata["threads"] == threads


def test_session_options_beside_a_compiled_library_are_no_error(tmp_path):
    library = ort.compile(model(), tmp_path / "model.so")
    session = ort.InferenceSession(library, ort.SessionOptions())
    np.testing.assert_array_equal(session.run(["y"], {"x": X})[0], -X)


def test_severity_silences_warnings():
    providers = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    try:
        ort.set_default_logger_severity(3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            options.check_providers(providers)
    finally:
        ort.set_default_logger_severity(2)
    with pytest.warns(UserWarning, match="CUDA"):
        options.check_providers(providers)
    with pytest.raises(ort.InvalidInput, match="from 0 to 4, found 7"):
        ort.set_default_logger_severity(7)


def test_exceptions_have_the_names_of_onnx_runtime(session, tmp_path):
    with pytest.raises(state.InvalidArgument):
        session.run(None, {"x": X[0]})
    with pytest.raises(state.InvalidProtobuf):
        ort.InferenceSession(b"no model")
    with pytest.raises(state.NoSuchFile, match="nothing.onnx"):
        ort.InferenceSession(tmp_path / "nothing.onnx")
    with pytest.raises(state.NotImplemented, match="NoSuchOperator"):
        ort.InferenceSession(builders.single(
            "NoSuchOperator", {"x": ("float32", [1])},
            {"y": ("float32", [1])}))
    wrong = model()
    wrong.graph.node[0].input[0] = "nobody"
    with pytest.raises(state.InvalidGraph, match="nobody"):
        ort.InferenceSession(wrong)
    total = ort.InferenceSession(builders.single(
        "Add", {"x": ("float32", ["n"]), "w": ("float32", ["m"])},
        {"y": ("float32", ["k"])}))
    with pytest.raises(state.RuntimeException, match="cannot run"):
        total.run(None, {"x": X[0], "w": X[0, :2]})
    for name in state.__all__:
        assert issubclass(getattr(state, name), ort.NacreError)
