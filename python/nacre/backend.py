# ===- backend.py - nacre behind onnx.backend ------------------------------=== #
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
from onnx import numpy_helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from nacre import cli
from nacre.session import InferenceSession

TIMEOUT_SECONDS = 120


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


prepare = NacreBackend.prepare
run_model = NacreBackend.run_model
supports_device = NacreBackend.supports_device
