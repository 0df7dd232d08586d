# ===- backend.py - nacre behind onnx.backend ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Implements `onnx.backend.base.Backend` over `nacre.InferenceSession`.

The compiler runs in a process of its own, so that a crash of it is a failed
test and not the end of the test run. So does the interpreter. A model that
nacre does not support raises cli.NacreError, whose code is
cli.Exit.UNSUPPORTED.
"""

import json
import pathlib
import tempfile

import numpy as np
import onnx
from onnx import defs, helper, numpy_helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from nacre import cli
from nacre.interface import element_code
from nacre.session import InferenceSession

TIMEOUT_SECONDS = 120
# What a node of another domain is one of.
_DOMAIN_VERSIONS = {"ai.onnx.ml": 3}


class NacreRep(BackendRep):
    """A model, ready to run with inputs in the order the graph lists them."""

    def __init__(self, model, engine):
        self.model = model
        constants = {tensor.name for tensor in model.graph.initializer}
        self.input_names = [value.name for value in model.graph.input
                            if value.name not in constants]
        self.output_names = [value.name for value in model.graph.output]
        self.session = None
        if engine != "interpreter":
            self.session = InferenceSession(model, backend=engine,
                                            timeout=TIMEOUT_SECONDS)

    def run(self, inputs, **kwargs):
        if len(inputs) > len(self.input_names):
            raise ValueError(f"expected {len(self.input_names)} inputs, "
                             f"found {len(inputs)}")
        feeds = dict(zip(self.input_names, inputs))
        arrays = self.session.run(None, feeds) if self.session \
            else self._interpret(feeds)
        return namedtupledict("Outputs", self.output_names)(*arrays)

    def _interpret(self, feeds):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            path = folder / "model.onnx"
            onnx.save(self.model, str(path))
            arguments = ["run", path, "--backend=interpreter",
                         f"--output-dir={folder / 'out'}"]
            for index, (name, value) in enumerate(feeds.items()):
                file = folder / f"input_{index}.pb"
                file.write_bytes(_serialize(value))
                arguments += ["--input", f"{name}={file}"]
            cli.nacre(*arguments, timeout=TIMEOUT_SECONDS)
            listed = json.loads((folder / "out" / "outputs.json").read_text())
            arrays = {entry["name"]: _load(folder / "out" / entry["file"])
                      for entry in listed}
        return [arrays[name] for name in self.output_names]


def _serialize(value):
    if isinstance(value, list):
        return numpy_helper.from_list(value).SerializeToString()
    array = np.asarray(value)
    if array.dtype.kind == "U":   # ONNX's strings are objects
        array = array.astype(object)
    return numpy_helper.from_array(array).SerializeToString()


def _load(path):
    array = np.load(path)
    return array.astype(object) if array.dtype.kind == "U" else array


def _model_of(node, inputs, outputs_info, opset):
    """A model of one node, and its inputs, each once."""
    names = [name for name in node.input if name]
    if len(inputs) == len(node.input):
        inputs = [value for name, value in zip(node.input, inputs) if name]
    if len(inputs) != len(names):
        raise ValueError(f"expected {len(names)} inputs, found {len(inputs)}")
    feeds = dict(zip(names, inputs))
    names = [name for name in node.output if name]
    outputs = [onnx.ValueInfoProto(name=name) for name in names]
    if outputs_info is not None:
        outputs = [_value_info(name, np.empty(shape, dtype))
                   for name, (dtype, shape) in zip(names, outputs_info)]
    graph = helper.make_graph(
        [node], "node", [_value_info(*feed) for feed in feeds.items()], outputs)
    imports = [helper.make_opsetid("", opset or defs.onnx_opset_version())]
    if node.domain not in ("", "ai.onnx"):
        imports.append(helper.make_opsetid(
            node.domain, _DOMAIN_VERSIONS.get(node.domain, 1)))
    model = helper.make_model(graph, opset_imports=imports)
    return model, list(feeds.values())


def _value_info(name, value):
    """A graph input or output of the type of VALUE."""
    if isinstance(value, list):
        element = np.asarray(value[0]).dtype if value else np.dtype("float32")
        return helper.make_tensor_sequence_value_info(
            name, element_code(element), None)
    array = np.asarray(value)
    return helper.make_tensor_value_info(name, element_code(array.dtype),
                                         array.shape)


class NacreBackend(Backend):
    """The entry points that `onnx.backend.test` calls."""

    # Which of nacre's three ways to execute serves the runs.
    engine = "cpu"

    @classmethod
    def supports_device(cls, device):
        return device.split(":")[0] == "CPU"

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        if not cls.supports_device(device):
            raise ValueError(f"device '{device}' is not supported, only CPU")
        # No onnx.checker here, unlike the base class: it would reject models
        # newer than the installed onnx, which nacre's importer reads.
        return NacreRep(model, cls.engine)

    @classmethod
    def run_model(cls, model, inputs, device="CPU", **kwargs):
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """The outputs of one NODE on its INPUTS, which leave out those that
        the node does. `outputs_info` gives the outputs' types and shapes,
        `opset_version` is by default the newest one of the onnx package."""
        model, feeds = _model_of(node, inputs, outputs_info,
                                 kwargs.pop("opset_version", None))
        return cls.run_model(model, feeds, device, **kwargs)


prepare = NacreBackend.prepare
run_model = NacreBackend.run_model
run_node = NacreBackend.run_node
supports_device = NacreBackend.supports_device
