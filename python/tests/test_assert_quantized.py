# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--assert-quantized: what stays f32 although nobody has said so is an error."""

import numpy as np
import onnx
import pytest

import nacre
from nacre import cli
from test_quantization_report import network, write_samples


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assert")
    network(folder / "net.onnx")
    write_samples(folder / "data")
    cli.nacre("calibrate", folder / "net.onnx", f"--data={folder / 'data'}",
              "--calibrator=mse", "-o", folder / "r.yaml")
    return folder


def forms(files, tmp_path):
    return (["quantize", files / "net.onnx", "-o", tmp_path / "a.onnx"],
            ["compile", files / "net.onnx", "-o", tmp_path / "a.so"])


@pytest.mark.parametrize("options, left", [
    (["--ranges"], "product"), (["--activations=dynamic"], "product"),
    (["--activations=none", "--weights=int4"], "wide")])
def test_products_left_in_f32_are_listed_by_node(files, tmp_path, options, left):
    if options == ["--ranges"]:
        options = [f"--ranges={files / 'r.yaml'}"]
    for command in forms(files, tmp_path):
        with pytest.raises(nacre.NacreError) as error:
            cli.nacre(*command, *options, "--assert-quantized")
        assert error.value.code == cli.Exit.UNSUPPORTED
        assert left in str(error.value)
        assert "stays f32, against --assert-quantized: " in str(error.value)
        assert "gemm" not in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("keep", ["--keep-node=product", "--keep=MatMul"])
def test_what_is_kept_is_not_left_over(files, tmp_path, keep):
    for command in forms(files, tmp_path):
        cli.nacre(*command, f"--ranges={files / 'r.yaml'}", keep)
        plain = command[-1].read_bytes()
        cli.nacre(*command, f"--ranges={files / 'r.yaml'}", keep,
                  "--assert-quantized")
        assert plain == command[-1].read_bytes()


def test_what_an_override_keeps_is_not_left_over(files, tmp_path):
    (tmp_path / "r.yaml").write_text(
        (files / "r.yaml").read_text().rstrip().removesuffix("...").rstrip()
        + "\noverrides:\n- {node: product, precision: f32}\n")
    cli.nacre("compile", files / "net.onnx", f"--ranges={tmp_path / 'r.yaml'}",
              "--assert-quantized", "-o", tmp_path / "a.so")


def test_option_needs_what_quantizes(files, tmp_path):
    with pytest.raises(nacre.NacreError,
                       match="--assert-quantized needs --ranges") as error:
        cli.nacre("compile", files / "net.onnx", "--assert-quantized", "-o",
                  tmp_path / "a.so")
    assert error.value.code == cli.Exit.BAD_INPUT


def test_python_raises_an_error_that_lists_them(files, tmp_path):
    model = onnx.load(str(files / "net.onnx"))
    with pytest.raises(nacre.CompileError, match="stays f32"):
        nacre.quantize(model, tmp_path / "a.onnx", ranges=files / "r.yaml",
                       assert_quantized=True)
    nacre.quantize(model, tmp_path / "a.onnx", ranges=files / "r.yaml",
                   assert_quantized=True, keep_nodes="product")


def test_product_in_a_body_is_left_over(tmp_path):
    x = onnx.helper.make_tensor_value_info("x", 1, [2, 4])
    h = onnx.helper.make_tensor_value_info("h", 1, [4])
    weights = np.eye(4, dtype=np.float32)
    body = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["h", "w"], ["p"], "inner"),
         onnx.helper.make_node("Tanh", ["p"], ["t"]),
         onnx.helper.make_node("Identity", ["t"], ["o"])],
        "body", [h],
        [onnx.helper.make_tensor_value_info("o", 1, [4])])
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Scan", ["x"], ["y"], "scan", body=body,
                               num_scan_inputs=1)],
        "g", [x], [onnx.helper.make_tensor_value_info("y", 1, [2, 4])],
        [onnx.numpy_helper.from_array(weights, "w")])
    onnx.save(onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8),
        str(tmp_path / "s.onnx"))
    with pytest.raises(nacre.NacreError, match="body of a loop") as error:
        cli.nacre("compile", tmp_path / "s.onnx", "--activations=dynamic",
                  "--assert-quantized", "-o", tmp_path / "a.so")
    assert error.value.code == cli.Exit.UNSUPPORTED
