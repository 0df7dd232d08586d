# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.InferenceSession and nacre.compile, from model files to arrays."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import nacre
from nacre import builders, cli


def product(columns=4, rows=3):
    """y = relu(x @ w), and x again as z."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((columns, 5)).astype(np.float32)
    model = builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Relu", ["p"], ["y"]),
         builders.node("Neg", ["x"], ["z"])],
        inputs={"x": ("float32", [rows, columns])},
        outputs={"y": ("float32", [rows, 5]),
                 "z": ("float32", [rows, columns])}, weights={"w": w})
    return model, w


@pytest.fixture(scope="module")
def session():
    return nacre.InferenceSession(product()[0])


@pytest.fixture(scope="module")
def dynamic():
    return nacre.InferenceSession(product(rows="rows")[0])


X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def test_inputs_and_outputs_are_described_as_onnx_runtime_does(session):
    (x,) = session.get_inputs()
    assert (x.name, x.type, x.shape) == ("x", "tensor(float)", [3, 4])
    y, z = session.get_outputs()
    assert (y.name, y.type, y.shape) == ("y", "tensor(float)", [3, 5])


def test_run_without_names_gives_every_output_in_order(session):
    y, z = session.run(None, {"x": X})
    np.testing.assert_allclose(y, np.maximum(X @ product()[1], 0), rtol=1e-5,
                               atol=1e-5)
    np.testing.assert_array_equal(z, -X)


def test_run_gives_the_outputs_named_in_the_order_named(session):
    z, y = session.run(["z", "y"], {"x": X})
    assert z.shape == (3, 4) and y.shape == (3, 5)
    (z,) = session.run(["z"], {"x": X})
    np.testing.assert_array_equal(z, -X)


def test_run_into_writes_where_it_is_told(session):
    whole = np.full((2, 3, 4), 7, np.float32)
    session.run_into({"z": whole[1]}, {"x": X})
    np.testing.assert_array_equal(whole, [np.full((3, 4), 7), -X])


@pytest.mark.parametrize("array, message", [
    (np.zeros((3, 4), np.float64), "expects float32"),
    (np.zeros((4, 3), np.float32), r"of shape \(3, 4\)"),
    (np.zeros((4, 3), np.float32).T, "C-contiguous"),
    ([[0.0] * 4] * 3, "expects float32|C-contiguous"),
])
def test_run_into_an_array_that_does_not_fit_is_refused(session, array,
                                                        message):
    with pytest.raises(nacre.InvalidInput, match=message):
        session.run_into({"z": array}, {"x": X})


@pytest.mark.parametrize("names, feeds, message", [
    (["q"], {"x": X}, "no output 'q'; it has 'y', 'z'"),
    (None, {}, "no array for input 'x'"),
    (None, {"x": X, "q": X}, "no input 'q'; it has 'x'"),
    (None, {"x": X.astype(np.float64)}, "expects float32 .* found float64"),
    (None, {"x": X.T}, r"found float32 of shape \(4, 3\)"),
])
def test_run_with_what_does_not_fit_says_what_is_wrong(session, names, feeds,
                                                       message):
    with pytest.raises(nacre.InvalidInput, match=message):
        session.run(names, feeds)


def test_dynamic_inputs_are_compiled_once_for_all_shapes(dynamic):
    (x,) = dynamic.get_inputs()
    assert x.shape == ["rows", 4]
    for rows in (1, 2, 1, 2):
        (z,) = dynamic.run(["z"], {"x": X[:rows]})
        np.testing.assert_array_equal(z, -X[:rows])
    assert len(dynamic._variants) == 1


def test_dynamic_inputs_of_a_shape_the_model_forbids_are_refused(dynamic):
    with pytest.raises(nacre.InvalidInput, match=r"expects float32 of shape "
                       r"\('rows', 4\), found .* \(4, 3\)"):
        dynamic.run(None, {"x": X.T})


def test_shapes_given_early_make_a_dynamic_model_static():
    session = nacre.InferenceSession(product(rows="rows")[0],
                                     shapes={"x": (2, 4)})
    assert session.get_outputs()[1].shape == [2, 4]
    with pytest.raises(nacre.InvalidInput, match=r"of shape \(2, 4\)"):
        session.run(None, {"x": X})


def test_threads_share_a_session(session):
    inputs = [np.full((3, 4), i, np.float32) for i in range(64)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(
            lambda x: session.run(["z"], {"x": x})[0], inputs * 10))
    for x, z in zip(inputs * 10, results):
        np.testing.assert_array_equal(z, -x)


def test_a_path_bytes_and_a_compiled_library_run_alike(tmp_path):
    model, _ = product()
    path = tmp_path / "model.onnx"
    onnx.save(model, str(path))
    library = nacre.compile(path, tmp_path / "product.so", opt_level=1)
    expected = nacre.InferenceSession(path).run(["z"], {"x": X})[0]
    for source in (str(path), path.read_bytes(), library, str(library)):
        session = nacre.InferenceSession(source)
        assert session.get_inputs()[0].type == "tensor(float)"
        np.testing.assert_array_equal(session.run(["z"], {"x": X})[0],
                                      expected)


def test_options_reach_the_compiler(tmp_path):
    session = nacre.InferenceSession(product()[0], vpu_arch="x86-64-v3",
                                     threads=2, cache_dir=tmp_path)
    np.testing.assert_array_equal(session.run(["z"], {"x": X})[0], -X)
    compiled = next(iter(session._variants.values()))
    assert compiled.metadata["architectures"] == ["x86-64-v3"]
    assert compiled.metadata["threads"] == 2


def test_a_cache_folder_serves_the_next_session(tmp_path, monkeypatch):
    model, _ = product()
    nacre.InferenceSession(model, cache_dir=tmp_path)
    monkeypatch.setattr("nacre.session.compile", None)   # nothing to compile
    session = nacre.InferenceSession(model, cache_dir=tmp_path)
    np.testing.assert_array_equal(session.run(["z"], {"x": X})[0], -X)


def test_other_options_do_not_share_what_is_cached(tmp_path):
    model, _ = product()
    for level in (0, 1):
        nacre.InferenceSession(model, cache_dir=tmp_path, opt_level=level)
    assert len(list(tmp_path.glob("*.so"))) == 2


@pytest.mark.parametrize("dtype, name", [
    ("float64", "tensor(double)"), ("float16", "tensor(float16)"),
    ("int8", "tensor(int8)"), ("uint64", "tensor(uint64)"),
    ("bool", "tensor(bool)")])
def test_element_types_have_onnx_names(dtype, name):
    session = nacre.InferenceSession(builders.single(
        "Reshape", {"x": (dtype, [6])}, {"y": (dtype, [2, 3])},
        weights={"shape": np.array([2, 3])}))
    assert session.get_inputs()[0].type == name
    x = np.array([0, 1, 1, 0, 1, 0], dtype)
    (y,) = session.run(None, {"x": x})
    np.testing.assert_array_equal(y, x.reshape(2, 3))


def test_an_unsupported_model_raises_with_the_compilers_message():
    model = builders.single("NoSuchOperator", {"x": ("float32", [1])},
                            {"y": ("float32", [1])})
    with pytest.raises(nacre.CompileError, match="NoSuchOperator") as caught:
        nacre.InferenceSession(model)
    assert caught.value.code == cli.Exit.UNSUPPORTED


def test_a_bad_option_raises_with_the_compilers_message():
    with pytest.raises(nacre.CompileError, match="no-such-machine"):
        nacre.InferenceSession(product()[0], vpu_arch="no-such-machine")
    with pytest.raises(TypeError, match="unknown option 'vpu'"):
        nacre.InferenceSession(product()[0], vpu="host")


@pytest.mark.parametrize("model, error, message", [
    ("nothing.onnx", FileNotFoundError, "nothing.onnx"),
    ("nothing.so", FileNotFoundError, "nothing.so"),
    (b"no model at all", nacre.InvalidInput, "not an ONNX model"),
    (b"", nacre.InvalidInput, "not an ONNX model"),
    (42, TypeError, "found int"),
])
def test_what_is_no_model_is_refused(model, error, message):
    with pytest.raises(error, match=message):
        nacre.InferenceSession(model)


def test_a_cut_model_is_refused():
    data = product()[0].SerializeToString()
    for size in range(0, len(data), 7):
        with pytest.raises((nacre.InvalidInput, nacre.CompileError)):
            nacre.InferenceSession(data[:size])


def test_compile_tells_the_form_from_the_name(tmp_path):
    model, _ = product()
    for suffix in (".o", ".a", ".s"):
        path = nacre.compile(model, tmp_path / f"product{suffix}")
        assert path.stat().st_size > 0
    text = nacre.compile(model, tmp_path / "product.ie.mlir")
    assert "IE.MatMul" in text.read_text()
    with pytest.raises(nacre.CompileError, match="cannot tell"):
        nacre.compile(model, tmp_path / "product.bin")


def test_the_package_installs_as_the_readme_says_and_finds_its_compiler(
        tmp_path):
    text = (cli.ROOT / "python" / "README.md").read_text()
    commands = text.split("## Installing")[1].split("```sh\n")[1]
    (tmp_path / "python").symlink_to(cli.ROOT / "python")
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment.update(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
    # The Python of the tests is the python3 of the text.
    environment["PATH"] = os.pathsep.join(
        [os.path.dirname(sys.executable), os.environ["PATH"]])
    subprocess.run(["sh", "-ec", commands.split("```")[0]], cwd=tmp_path,
                   check=True, env=environment, stdin=subprocess.DEVNULL)
    path = tmp_path / "model.onnx"
    onnx.save(product()[0], str(path))
    script = ("import nacre, numpy as np; print(nacre.__file__); "
              "print(nacre.get_version_string()); "
              f"s = nacre.InferenceSession({str(path)!r}); "
              "print(s.run(['z'], {'x': np.ones((3, 4), 'f')})[0].sum())")
    result = subprocess.run(
        [str(tmp_path / "venv" / "bin" / "python"), "-c", script],
        cwd=tmp_path / "venv", text=True, env=environment,
        stdout=subprocess.PIPE, check=True)
    where, version, total = result.stdout.split()
    assert version == (cli.ROOT / "VERSION").read_text().strip()
    assert pathlib.Path(where).is_relative_to(tmp_path / "venv")
    assert float(total) == -12


def test_the_readmes_example_runs():
    text = (cli.ROOT / "python" / "README.md").read_text()
    code = text.split("```python\n")[1].split("```")[0]
    result = subprocess.run([sys.executable, "-c", code], cwd=cli.ROOT,
                            env={**os.environ, "PYTHONPATH": "python"},
                            text=True, stdout=subprocess.PIPE, check=True)
    assert "image tensor(float) [1, 1, 8, 8]" in result.stdout


def test_elements_of_a_sequence_outlive_what_was_given():
    kind = helper.make_tensor_sequence_value_info
    graph = helper.make_graph(
        [helper.make_node("SequenceInsert", ["s", "x"], ["y"])], "insert",
        [kind("s", TensorProto.FLOAT, None),
         helper.make_tensor_value_info("x", TensorProto.FLOAT, [200, 3])],
        [kind("y", TensorProto.FLOAT, None)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    session = nacre.InferenceSession(model)
    x = np.arange(600, dtype=np.float32).reshape(200, 3)
    inside = x + 1
    y, = session.run(None, {"s": [inside], "x": x})
    assert not np.may_share_memory(y[0], inside)
    inside[:] = 0
    np.testing.assert_array_equal(y[0], x + 1)
    np.testing.assert_array_equal(y[1], x)


ACCURACY_LEVEL = "session.qdq_matmulnbits_accuracy_level"


def with_accuracy(level):
    options = nacre.SessionOptions()
    options.add_session_config_entry(ACCURACY_LEVEL, level)
    return options


def test_accuracy_of_onnx_runtime_s_session_is_nacre_s():
    take = nacre.options.take_accuracy_level
    assert take(None, {}) == {}
    assert take(nacre.SessionOptions(), {}) == {}
    assert take(with_accuracy("4"), {}) == {"accuracy_level": 4}
    assert take(with_accuracy("4"), {"accuracy_level": 1}) == \
        {"accuracy_level": 1}
    with pytest.raises(nacre.CompileError, match="from 0 to 4, found '5'"):
        nacre.InferenceSession(product()[0], accuracy_level=5, cache_dir=None)


@pytest.mark.parametrize("level", ["high", "4.0", "-1", "5", ""])
def test_accuracy_that_is_no_level_is_refused(level):
    with pytest.raises(nacre.InvalidInput, match=(
            f"'{ACCURACY_LEVEL}' expects a level from 0 to 4, found '{level}'")):
        nacre.InferenceSession(product()[0], with_accuracy(level),
                               cache_dir=None)


def test_accuracy_of_a_session_is_ignored_by_the_backend_that_does_not_round():
    """It allows to round; whoever asks nacre itself for it is told."""
    backend = "reference"
    model, w = product()
    x = np.ones((3, 4), np.float32)
    with pytest.warns(UserWarning, match=(
            f"'{backend}' rounds no products, .* '{ACCURACY_LEVEL}'")):
        session = nacre.InferenceSession(model, with_accuracy("4"),
                                         backend=backend, cache_dir=None)
    np.testing.assert_allclose(session.run(["y"], {"x": x})[0],
                               np.maximum(x @ w, 0), rtol=1e-5)
    take = nacre.options.take_accuracy_level
    assert take(with_accuracy("1"), {"backend": backend}) == {
        "accuracy_level": 1, "backend": backend}
    with warnings.catch_warnings():
        # The entry does not count where the caller says the level.
        warnings.simplefilter("error")
        own = {"accuracy_level": 0, "backend": backend}
        assert take(with_accuracy("4"), own) == own
    with pytest.raises(nacre.CompileError, match="cpu and reference-hw"):
        nacre.InferenceSession(model, accuracy_level=4, backend=backend,
                               cache_dir=None)


def test_accuracy_of_a_session_is_that_of_what_it_compiles(tmp_path):
    """Which a library has been."""
    model, w = product()
    x = np.ones((3, 4), np.float32)
    onnx.save(model, tmp_path / "m.onnx")
    nacre.compile(tmp_path / "m.onnx", tmp_path / "m.so")
    for name in "m.onnx", "m.so":
        session = nacre.InferenceSession(tmp_path / name, with_accuracy("4"),
                                         cache_dir=None)
        np.testing.assert_allclose(session.run(["y"], {"x": x})[0],
                                   np.maximum(x @ w, 0), rtol=1e-5)


def test_sizes_of_session_options_count_beside_its_accuracy():
    options = with_accuracy("4")
    options.add_free_dimension_override_by_name("rows", 2)
    session = nacre.InferenceSession(product(rows="rows")[0], options,
                                     cache_dir=None)
    assert session.get_inputs()[0].shape == [2, 4]


def test_calls_written_for_onnx_runtime_work():
    model = product()[0]
    model.producer_name, model.model_version = "exporter", 7
    helper.set_model_props(model, {"names": "{0: 'cat'}"})
    options = nacre.SessionOptions()
    options.intra_op_num_threads = 2
    options.graph_optimization_level = \
        nacre.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = nacre.InferenceSession(
        path_or_bytes=model.SerializeToString(), sess_options=options,
        providers=nacre.get_available_providers(), provider_options=[{}])
    assert session.get_providers() == ["CPUExecutionProvider"]
    z, = session.run(output_names=["z"], input_feed={"x": X},
                     run_options=nacre.RunOptions())
    np.testing.assert_array_equal(z, -X)
    assert len(session.run([], {"x": X})) == 2
    metadata = session.get_modelmeta()
    assert (metadata.producer_name, metadata.version) == ("exporter", 7)
    assert metadata.custom_metadata_map == {"names": "{0: 'cat'}"}


@pytest.mark.parametrize("arguments, message", [
    ({"providers": ["CUDAExecutionProvider"]}, "'CPUExecutionProvider'"),
    ({"sess_options": {"enable_profiling": True}}, "nacre bench --profile"),
    ({"sess_options": {"intra_op_num_threads": 2}, "threads": 1}, "2 in the"),
], ids=["providers", "profiling", "threads"])
def test_what_onnx_runtime_alone_does_is_refused(arguments, message):
    if "sess_options" in arguments:
        options = nacre.SessionOptions()
        for name, value in arguments["sess_options"].items():
            setattr(options, name, value)
        arguments["sess_options"] = options
    with pytest.raises(nacre.InvalidInput, match=message):
        nacre.InferenceSession(product()[0], **arguments)


def test_a_provider_that_is_not_used_is_warned_of():
    with pytest.warns(UserWarning, match="'CUDAExecutionProvider'"):
        nacre.InferenceSession(
            product()[0], providers=[("CUDAExecutionProvider", {"id": 0}),
                                     "CPUExecutionProvider"])


def test_a_misspelt_option_is_refused():
    with pytest.raises(AttributeError, match="intra_op_threads"):
        nacre.SessionOptions().intra_op_threads = 2


def test_a_run_cannot_be_ended_by_options(session):
    options = nacre.RunOptions()
    options.terminate = True
    with pytest.raises(nacre.InvalidInput, match="terminate"):
        session.run(None, {"x": X}, options)
