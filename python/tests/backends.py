# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs small models on every backend through `nacre run`."""

import pathlib

import numpy as np
import onnx

from nacre import cli

BACKENDS = ["cpu", "reference", "interpreter"]


def multiplies_bytes(arch):
    """Whether code for ARCH sums products of bytes, of this machine alone: the
    general architectures in use here have no instructions for that."""
    path = pathlib.Path("/proc/cpuinfo")
    flags = path.read_text().split() if path.is_file() else []
    return arch == "host" and not {"avx512_vnni", "avx_vnni"}.isdisjoint(flags)


def run(model, inputs, folder, backend, *options):
    """The outputs of MODEL by name; INPUTS maps names to arrays, or to tensors
    of types that NumPy has not."""
    path, out = folder / "model.onnx", folder / backend
    onnx.save(model, str(path))
    arguments = []
    for name, array in inputs.items():
        file = folder / f"{name}.npy"
        if isinstance(array, onnx.TensorProto):
            file = file.with_suffix(".pb")
            file.write_bytes(array.SerializeToString())
        else:
            np.save(file, array)
        arguments += ["--input", f"{name}={file}"]
    cli.nacre("run", path, f"--backend={backend}", *options, *arguments,
              "--output-dir", out)
    return {file.stem: np.load(file) for file in out.glob("*.npy")}
