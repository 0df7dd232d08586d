# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators from outside in Python: what a session runs and a cache keeps."""

import pathlib
import shutil

import nacre
import numpy as np
import pytest
from nacre import cli, tolerances
from onnx import TensorProto, helper

PLUGIN = pathlib.Path(cli.tool()).parent / "plugins" / "ToyOperator.so"


def toy_model(rows=4):
    node = helper.make_node("Bump", ["x"], ["y"], name="bump", height=3.0,
                            domain="com.example.toy")
    shape = [rows, 3]
    graph = helper.make_graph(
        [node], "toy",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17),
                              helper.make_opsetid("com.example.toy", 1)])
    model.ir_version = 8
    return model


def check(session, rows=4):
    x = np.random.default_rng(1).standard_normal((rows, 3)).astype(np.float32)
    y, = session.run(None, {"x": x})
    np.testing.assert_allclose(y, 3 * np.exp(-x * x), **tolerances.DEFAULT)


def test_session_runs_operator_of_plugin(tmp_path):
    check(nacre.InferenceSession(toy_model(), plugins=[PLUGIN],
                                 cache_dir=tmp_path))


def test_session_takes_any_number_of_rows():
    session = nacre.InferenceSession(toy_model("rows"), plugins=[PLUGIN],
                                     cache_dir=None)
    check(session, 2)
    check(session, 7)


def test_session_options_register_a_plugin():
    options = nacre.SessionOptions()
    options.register_custom_ops_library(PLUGIN)
    check(nacre.InferenceSession(toy_model(), options, cache_dir=None))


def test_session_without_plugin_says_what_lacks():
    with pytest.raises(nacre.CompileError, match="no plugin is loaded"):
        nacre.InferenceSession(toy_model(), cache_dir=None)


def test_cache_keeps_what_was_compiled_with_this_plugin(tmp_path):
    plugin = tmp_path / "plugin.so"
    shutil.copy(PLUGIN, plugin)
    cache = tmp_path / "cache"
    for _ in range(2):
        check(nacre.InferenceSession(toy_model(), plugins=[plugin],
                                     cache_dir=cache))
        assert len(list(cache.glob("*.so"))) == 1
    # Another library of that name may compute something else.
    with open(plugin, "ab") as file:
        file.write(b"\0")
    check(nacre.InferenceSession(toy_model(), plugins=[plugin],
                                 cache_dir=cache))
    assert len(list(cache.glob("*.so"))) == 2


def test_compile_takes_plugins(tmp_path):
    library = nacre.compile(toy_model(), tmp_path / "toy.so", plugins=[PLUGIN])
    check(nacre.InferenceSession(library))


def test_plugin_has_operators_of_its_own_domain_alone():
    model = toy_model()
    model.graph.node[0].domain = "com.microsoft"
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    with pytest.raises(nacre.CompileError, match="'com.microsoft'"):
        nacre.InferenceSession(model, plugins=[PLUGIN], cache_dir=None)
