# ===- cases.py - Many nodes in one model, each with what it yields --------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks operators with few runs of nacre.

  CASES = [Case("relu", "Relu", {"x": x}, [np.maximum(x, 0)])]

  @parametrize(CASES)
  def test_relu_matches_numpy(case, backend):
      case.check(backend)

Cases of the same operator sets become one model, which each backend compiles
and runs once.
"""

import functools
import pathlib
import tempfile

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from nacre import builders, cli, tolerances

BACKENDS = ["cpu", "reference", "interpreter"]
NEWEST = 28


class Case:
    """A node, by default of the newest operator set, with its inputs and what
    they yield.

    None among the inputs or outputs is one that the node leaves out; weights
    are inputs that are initializers, in the order of names `order`, by default
    after the inputs.
    """

    def __init__(self, name, op, inputs, outputs, weights=None, order=None,
                 version=NEWEST, domain="", tolerance=tolerances.DEFAULT,
                 **attributes):
        self.name, self.op, self.domain, self.version = name, op, domain, version
        self.inputs, self.weights = inputs, weights or {}
        self.order = order or [*inputs, *self.weights]
        self.outputs, self.attributes = outputs, attributes
        self.tolerance = tolerance
        self.batch = None

    def scoped(self, name):
        return f"{self.name}.{name}" if name else ""

    def node(self):
        outputs = [self.scoped(f"out{i}") if array is not None else ""
                   for i, array in enumerate(self.outputs)]
        given = {**self.inputs, **self.weights}
        names = [self.scoped(name) if given.get(name) is not None else ""
                 for name in self.order]
        return helper.make_node(self.op, names, outputs, self.name,
                                domain=self.domain, **self.attributes)

    def check(self, backend):
        """Compares what BACKEND yields with the outputs."""
        results = self.batch.run(backend)
        if isinstance(results, cli.NacreError):
            raise results
        for i, expected in enumerate(self.outputs):
            if expected is None:
                continue
            expected = np.asarray(expected)
            actual = results[self.scoped(f"out{i}")]
            if expected.dtype.kind == "U":
                np.testing.assert_array_equal(actual, expected, self.name)
                continue
            assert actual.dtype == expected.dtype
            assert actual.shape == expected.shape
            np.testing.assert_allclose(actual, expected, **self.tolerance,
                                       err_msg=self.name)


def describe(name, array):
    """An input or output like ARRAY. onnx knows strings as objects."""
    is_text = array.dtype.kind == "U"
    return builders.value(name, np.dtype(object) if is_text else array.dtype,
                          array.shape)


class Batch:
    """Cases in one model."""

    def __init__(self, cases, version):
        self.cases, self.version = cases, version
        for case in cases:
            case.batch = self

    def model(self):
        nodes, inputs, outputs, weights = [], [], [], []
        for case in self.cases:
            nodes.append(case.node())
            for name, array in case.inputs.items():
                if array is not None:
                    inputs.append(describe(case.scoped(name), array))
            for name, array in case.weights.items():
                if array is None:
                    continue
                weights.append(array if isinstance(array, onnx.TensorProto)
                               else numpy_helper.from_array(
                                   np.asarray(array)))
                weights[-1].name = case.scoped(name)
            for i, array in enumerate(case.outputs):
                if array is not None:
                    outputs.append(describe(case.scoped(f"out{i}"),
                                            np.asarray(array)))
        graph = helper.make_graph(nodes, "cases", inputs, outputs, weights)
        domains = {case.domain for case in self.cases} | {""}
        opsets = [helper.make_opsetid(domain, 1 if domain else self.version)
                  for domain in sorted(domains)]
        # A version that the packaged onnx need not know.
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = 8
        return model

    @functools.lru_cache(maxsize=None)
    def run(self, backend):
        """The outputs by name. An error is the result of every case."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            onnx.save(self.model(), str(folder / "model.onnx"))
            arguments = []
            for case in self.cases:
                for key, array in case.inputs.items():
                    if array is not None:
                        path = folder / f"{case.scoped(key)}.npy"
                        np.save(path, np.ascontiguousarray(array))
                        arguments += ["--input", f"{case.scoped(key)}={path}"]
            try:
                cli.nacre("run", folder / "model.onnx", f"--backend={backend}",
                          "-O1", *arguments, "--output-dir", folder / "out")
            except cli.NacreError as error:
                return error
            return {path.stem: np.load(path)
                    for path in (folder / "out").glob("*.npy")}


def parametrize(cases):
    """Each case on each backend."""
    by_version = {}
    for case in cases:
        by_version.setdefault(case.version, []).append(case)
    for version, same in by_version.items():
        Batch(same, version)

    def decorate(test):
        test = pytest.mark.parametrize("case", cases,
                                       ids=lambda case: case.name)(test)
        return pytest.mark.parametrize("backend", BACKENDS)(test)

    return decorate


def random(*shape, seed=0, dtype=np.float32):
    """Normally distributed numbers, the same ones every time."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def integers(low, high, *shape, seed=0, dtype=np.int64):
    """Integers in [low, high), the same ones every time."""
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)
