# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation of IE compiled once for all sizes, against the interpreter.

The cases are in dynamic_cases.py. An operation without one fails the first
test, so none can be forgotten.
"""

import importlib.util

import numpy as np
import onnx
import pytest

from backends import run
from dynamic_case import SIZES
from dynamic_cases import CASES, REFUSED
from nacre import builders, cli, tolerances
from nacre.compiled import CompiledModel
from nacre.fuzz import engine

# What has no shape to know, or tests of its own.
ELSEWHERE = {
    "Constant": "has no operands",
    "GettingStarted": "is no operator",
    "GettingStartedRepeat": "is no operator",
    "Require": "is no operator; test_signal.py",
    "Yield": "is part of its loop or branch",
    "StringNormalizer": "test_strings.py",
    "StringConcat": "test_strings.py",
    "StringSplit": "test_strings.py",
    "RegexFullMatch": "test_strings.py",
    "ZipMap": "test_maps.py",
    "MapGet": "test_maps.py",
    "MapValues": "test_maps.py",
    "MatMulNBits": "test_matmul_n_bits.py",
}
RENAMED = {"MaxPoolWithIndices": "MaxPool"}


def operations():
    """The names of all operations of IE."""
    path = cli.ROOT / "python" / "scripts" / "update_operators.py"
    spec = importlib.util.spec_from_file_location("update_operators", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return set(module.operations())


def operators(graph):
    """The operators of a graph and of the bodies in it."""
    found = set()
    for node in graph.node:
        found.add(node.op_type)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found |= operators(attribute.g)
    return found


def test_every_operation_has_a_case():
    covered = set(ELSEWHERE)
    for name, case in CASES.items():
        covered |= operators(case.model().graph)
    covered |= {name for name, op in RENAMED.items()
                if name in CASES and op in covered}
    assert operations() - covered == set()


@pytest.mark.parametrize("name", CASES)
def test_operation_compiled_once_is_right_at_every_size(name, tmp_path):
    case = CASES[name]
    model = case.model()
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", library)
    compiled = CompiledModel(library)
    for size in SIZES:
        feeds = case.inputs(size)
        expected = run(model, feeds, tmp_path, "interpreter")
        for key, found in compiled.run(feeds).items():
            wanted = expected[key]
            assert found.shape == wanted.shape
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted,
                                       **tolerances.CANCELLATION)


def test_every_refusal_has_a_model():
    assert {message for _, message in REFUSED.values()} == set(engine.REFUSALS)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_what_has_to_know_more_is_refused_by_name(name, backend, tmp_path):
    case, message = REFUSED[name]
    path = tmp_path / "model.onnx"
    onnx.save(case.model(), str(path))
    with pytest.raises(cli.NacreError, match=message) as info:
        cli.nacre("compile", path, "-o", tmp_path / "model.so",
                  f"--backend={backend}")
    assert info.value.code == cli.Exit.UNSUPPORTED


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_what_is_refused_compiles_once_the_model_or_the_user_says_more(
        backend, tmp_path):
    case, _ = REFUSED["GatherND by indices of unknown length"]
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(case.model(), str(path))
    with pytest.raises(cli.NacreError, match="state the shape of 'g'"):
        cli.nacre("compile", path, "-o", library, f"--backend={backend}")
    cli.nacre("compile", path, "-o", library, f"--backend={backend}",
              "--shape=i=2x3")
    stated = case.model()
    stated.graph.value_info.append(
        onnx.helper.make_tensor_value_info("g", onnx.TensorProto.FLOAT,
                                           [2, None, None]))
    onnx.save(stated, str(path))
    cli.nacre("compile", path, "-o", library, f"--backend={backend}")


@pytest.mark.parametrize("op", ["Relu", "Softmax", "CumSum"])
@pytest.mark.parametrize("threads", [1, 2])
def test_result_reshaped_to_swapped_sizes_has_them(op, threads, tmp_path):
    weights = {"swap": np.int64([1, 0]), "last": np.int64(1)}
    operands = ["x", "last"] if op == "CumSum" else ["x"]
    model = builders.model(
        [builders.node(op, operands, ["a"]),
         builders.node("Shape", ["x"], ["s"]),
         builders.node("Gather", ["s", "swap"], ["t"]),
         builders.node("Reshape", ["a", "t"], ["y"])],
        {"x": ("float32", ["r", "c"])}, {"y": ("float32", ["c", "r"])}, weights)
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", library, f"--threads={threads}")
    compiled = CompiledModel(library)
    for shape in [(1, 40000), (3, 7), (4, 4)]:
        x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        expected = run(model, {"x": x}, tmp_path, "interpreter")["y"]
        found = compiled.run({"x": x})["y"]
        assert found.shape == expected.shape == shape[::-1]
        np.testing.assert_allclose(found, expected, **tolerances.CANCELLATION)


@pytest.mark.parametrize("transform, rounding", [
    ("half_pixel", "round_prefer_floor"), ("asymmetric", "floor")])
def test_elements_repeated_beyond_single_precision_are_all_there(
        transform, rounding, tmp_path):
    """Positions from 2^23 on, of which f32 has no halves."""
    model = builders.single(
        "Resize", {"x": ("float32", [1, "n"])}, {"y": ("float32", [1, "m"])},
        weights={"roi": np.float32([]), "scales": np.float32([1, 256])},
        mode="nearest", coordinate_transformation_mode=transform,
        nearest_mode=rounding)
    path, library = tmp_path / "model.onnx", tmp_path / "model.so"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", library)
    static = tmp_path / "static.so"
    cli.nacre("compile", path, "-o", static, "--shape=x=1x33000")
    x = np.arange(33000, dtype=np.float32)[None]
    for compiled in (CompiledModel(library), CompiledModel(static)):
        np.testing.assert_array_equal(compiled.run({"x": x})["y"],
                                      np.repeat(x, 256, axis=1))
