# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs small models on every backend through `nacre run`."""

import pathlib

import numpy as np
import onnx
import pytest

from nacre import cli

BACKENDS = ["cpu", "reference", "interpreter"]

# What Linux calls the instructions of architectures that not every x86-64
# machine runs.
NEEDED_FLAGS = {"x86-64-v3": {"avx2", "fma", "f16c"},
                "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq",
                              "avx512vl"},
                "alderlake": {"avx_vnni"},
                "znver4": {"avx512vl", "avx512_vnni", "avx512_bf16"},
                "sapphirerapids": {"amx_tile", "amx_bf16", "amx_int8"}}


def _cpu_flags():
    path = pathlib.Path("/proc/cpuinfo")
    return set(path.read_text().split()) if path.is_file() else set()


def is_runnable(architecture):
    """Whether this machine has all the instructions of ARCHITECTURE."""
    return NEEDED_FLAGS.get(architecture, set()) <= _cpu_flags()


def runnable(architectures):
    """Those of these that this machine runs."""
    return [name for name in architectures if is_runnable(name)]


def lacks_bf16(architecture):
    """Whether ARCHITECTURE is one that `host` can be on a machine without bf16,
    and this is such a machine."""
    return (architecture in ("x86-64", "x86-64-v3", "x86-64-v4", "alderlake")
            and not is_runnable("znver4"))


def skip_unless_runnable(architecture):
    if not is_runnable(architecture):
        pytest.skip(f"this machine does not run {architecture}'s instructions")


def multiplies_bytes(arch):
    """Whether code for ARCH sums products of bytes, of this machine alone: the
    general architectures in use here have no instructions for that."""
    return arch == "host" and not {"avx512_vnni", "avx_vnni"}.isdisjoint(
        _cpu_flags())


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
