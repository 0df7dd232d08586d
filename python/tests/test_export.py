# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that nacre exports mean what those meant that it imported."""

import subprocess

import numpy as np
import onnx
import pytest

import merged_models
from backends import run
from nacre import builders, cli, suite
from onnx_backend_suite import DATA, expected_file

NODES = DATA / "node"
# Debian's onnx knows the operator sets up to 17. Those after it have changed
# these operators or have them first; what else is in models is checked.
KNOWN_OPSET = 17
CHANGED = {"AveragePool", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor",
           "CastLike", "DFT", "Gelu", "GridSample", "LpPool", "Mish", "Pad",
           "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
           "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
           "ReduceSumSquare", "Resize", "Split"}
DOORS = ["imported", "optimized"]


def export(model, target, door):
    """Writes MODEL again, as it is or optimised."""
    if door == "optimized":
        cli.nacre("compile", model, "--emit=onnx", "-o", target)
        return
    subprocess.run([cli.tool("nacre-translate"), "--import-onnx",
                    "--export-onnx", "--mlir-print-debuginfo", str(model),
                    "-o", str(target)], check=True)


def check_graph(model):
    """Lets onnx.checker look at MODEL, without the operators that it does not
    know."""
    def hide(graph):
        for node in graph.node:
            for attribute in node.attribute:
                hide(attribute.g)
            if node.domain == "" and node.op_type in CHANGED:
                node.domain = "newer"

    hide(model.graph)
    model.ir_version = onnx.IR_VERSION
    for entry in model.opset_import:
        if entry.domain == "":
            entry.version = KNOWN_OPSET
    model.opset_import.append(onnx.helper.make_opsetid("newer", 1))
    onnx.checker.check_model(model)


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """ONNX's tests of single nodes, all that nacre passes, a model of many for
    each operator set."""
    passed = suite.ExpectedPasses(expected_file("node")).names("interpreter")
    tests = {name: folder for name, folder in suite.find_tests(NODES).items()
             if name in passed}
    if not tests:
        pytest.skip(f"no {NODES}")
    root = tmp_path_factory.mktemp("nodes")
    folders = []
    for key, group in merged_models.group(tests).items():
        merged_models.merge(group, root / key)
        folders.append(root / key)
    return folders


@pytest.mark.parametrize("door", DOORS)
def test_every_backend_test_means_the_same_again(groups, door):
    for folder in groups:
        target = folder / f"{door}.onnx"
        export(folder / "model.onnx", target, door)
        model = onnx.load(str(target))
        assert [output.name for output in model.graph.output] == [
            output.name for output in
            onnx.load(str(folder / "model.onnx")).graph.output]
        # Raises an error that names what differs.
        cli.nacre("check", target, folder / "test_data_set_0",
                  "--backend=interpreter")
        check_graph(model)


def small_network():
    rng = np.random.default_rng(0)
    nodes = [builders.node("Conv", ["image", "w", "b"], ["conv"], name="first",
                           kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
             builders.node("Relu", ["conv"], ["r1"], name="second"),
             builders.node("GlobalAveragePool", ["r1"], ["pooled"]),
             builders.node("Flatten", ["pooled"], ["scores"], name="last")]
    weights = {"w": rng.standard_normal((8, 3, 3, 3)).astype(np.float32),
               "b": rng.standard_normal(8).astype(np.float32)}
    model = builders.model(nodes, {"image": ("float32", ["N", 3, 8, 8])},
                           {"scores": ("float32", ["N", 8])},
                           weights=weights, opset=11)
    onnx.helper.set_model_props(model, {"author": "someone", "task": "shapes"})
    return model


@pytest.mark.parametrize("door", DOORS)
def test_names_sizes_and_metadata_stay(door, tmp_path):
    source, target = tmp_path / "a.onnx", tmp_path / "b.onnx"
    onnx.save(small_network(), str(source))
    export(source, target, door)
    model = onnx.load(str(target))
    graph = model.graph
    assert model.ir_version == 10
    assert [(entry.domain, entry.version)
            for entry in model.opset_import] == [("", 21)]
    assert {entry.key: entry.value for entry in model.metadata_props} == {
        "author": "someone", "task": "shapes"}
    assert [node.name for node in graph.node][:2] == ["first", "second"]
    assert {node.op_type for node in graph.node} <= {
        "Conv", "Relu", "GlobalAveragePool", "Flatten", "Reshape", "Shape",
        "Slice", "Concat"}
    assert {"conv", "r1", "pooled"} <= {value.name
                                        for value in graph.value_info}
    assert {tensor.name for tensor in graph.initializer} >= {"w", "b"}
    batch = graph.input[0].type.tensor_type.shape.dim[0]
    assert batch.dim_param == "N"
    x = np.random.default_rng(1).standard_normal((2, 3, 8, 8))
    feeds = {"image": x.astype(np.float32)}
    for folder in "before", "after":
        (tmp_path / folder).mkdir()
    before = run(onnx.load(str(source)), feeds, tmp_path / "before", "cpu")
    after = run(model, feeds, tmp_path / "after", "cpu")
    np.testing.assert_allclose(after["scores"], before["scores"], rtol=1e-5)


def test_external_data_lie_beside_the_model(tmp_path):
    source, target = tmp_path / "a.onnx", tmp_path / "b.onnx"
    # Its weights have 864 bytes, and 32.
    small = small_network()
    large = np.ones((512, 512), np.float32)
    small.graph.initializer.append(onnx.numpy_helper.from_array(large, "large"))
    small.graph.node.append(builders.node("MatMul", ["wide", "large"], ["y"]))
    small.graph.input.append(onnx.helper.make_tensor_value_info(
        "wide", onnx.TensorProto.FLOAT, [1, 512]))
    small.graph.output.append(onnx.helper.make_tensor_value_info(
        "y", onnx.TensorProto.FLOAT, [1, 512]))
    onnx.save(small, str(source))
    cli.nacre("compile", source, "--emit=onnx", "--external-data", "-o", target)
    data = tmp_path / "b.onnx.data"
    assert data.stat().st_size == large.nbytes
    assert target.stat().st_size < 8192
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.onnx", "b.onnx", "b.onnx.data"]
    # Also by who knows the format otherwise.
    tensors = {tensor.name: tensor
               for tensor in onnx.load(str(target)).graph.initializer}
    np.testing.assert_array_equal(
        onnx.numpy_helper.to_array(tensors["large"]), large)
    cli.nacre("run", target, "--shape", "image=1x3x8x8")


def test_without_a_form_in_onnx_nothing_is_written(tmp_path):
    """CastMap is of ai.onnx.ml, and IE has another op for what it does."""
    node = builders.node("CastMap", ["m"], ["y"], name="values",
                         domain="ai.onnx.ml", cast_to="TO_FLOAT")
    value = onnx.TypeProto()
    value.map_type.key_type = onnx.TensorProto.INT64
    value.map_type.value_type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    model = builders.model([node], {}, {"y": ("float32", [1, "n"])}, opset=17)
    model.graph.input.append(onnx.ValueInfoProto(name="m", type=value))
    model.opset_import.append(onnx.helper.make_opsetid("ai.onnx.ml", 1))
    source, target = tmp_path / "a.onnx", tmp_path / "b.onnx"
    onnx.save(model, str(source))
    target.write_bytes(b"kept")
    with pytest.raises(cli.NacreError, match="'values'.*IE.MapValues") as caught:
        cli.nacre("compile", source, "--emit=onnx", "-o", target)
    assert caught.value.code == cli.Exit.UNSUPPORTED
    assert target.read_bytes() == b"kept"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("options, message", [
    (["-o", "/dev/full"], "(?i)space"),
    (["-o", "no/such/b.onnx"], "no such folder"),
    (["--external-data", "-o", "-"], "need a name"),
    (["--emit=ie", "--external-data", "-o", "b.mlir"], "needs --emit=onnx"),
    (["--emit=vpu", "-o", "b.onnx"], "contradicts"),
])
def test_output_that_cannot_be_is_told(options, message, tmp_path):
    source = tmp_path / "a.onnx"
    onnx.save(small_network(), str(source))
    if not any(option.startswith("--emit") for option in options):
        options = ["--emit=onnx", *options]
    with pytest.raises(cli.NacreError, match=message) as caught:
        cli.nacre("compile", source, *options)
    assert caught.value.code == cli.Exit.BAD_INPUT


@pytest.mark.parametrize("value, holds", [(2, True), (3, False)])
def test_require_is_a_function_that_others_can_run(value, holds, tmp_path):
    """What ends a run of nacre ends that of the exported model."""
    text = """
      func.func @main(%x: tensor<2xf32> {nacre.name = "x"},
                      %n: tensor<i64> {nacre.name = "n"})
          -> (tensor<2xf32> {nacre.name = "y"}) {
        %two = IE.Constant dense<2> : tensor<i64>
        %fits = IE.Equal %n, %two
            : tensor<i64>, tensor<i64> -> tensor<i1>
        %y = IE.Require %x if %fits, "expected two" : tensor<2xf32>,
            tensor<i1> -> tensor<2xf32>
        return %y : tensor<2xf32>
      }"""
    source, target = tmp_path / "a.mlir", tmp_path / "b.onnx"
    source.write_text(text)
    cli.nacre("compile", source, "--emit=onnx", "-o", target)
    model = onnx.load(str(target))
    (function,) = model.functions
    assert function.name == "Require"
    feeds = {"x": np.float32([1, 2]), "n": np.int64(value)}
    for renamed in False, True:
        # Under another name it is any function.
        if renamed:
            for part in (*model.graph.node, *model.functions,
                         *model.opset_import):
                part.domain = part.domain and "other"
        folder = tmp_path / str(renamed)
        folder.mkdir()
        if holds:
            y = run(model, feeds, folder, "interpreter")["y"]
            np.testing.assert_array_equal(y, feeds["x"])
        else:
            expected = "range|index" if renamed else "expected two"
            with pytest.raises(cli.NacreError, match=expected):
                run(model, feeds, folder, "interpreter")
