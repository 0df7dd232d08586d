# ===- __init__.py - nacre's Python package -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives the nacre compiler from Python.

  nacre.InferenceSession   runs a model, compiling it first if need be
  nacre.compile            compiles a model to a library, an object, IR
  nacre.quantize, nacre.calibrate, nacre.tune   make models of 8-bit integers,
                   in nacre.quantization
  nacre.InvalidInput, nacre.CompileError, nacre.Timeout, nacre.NacreError
                   what they raise, in nacre.errors
  nacre.SessionOptions, nacre.RunOptions, …   what calls written for ONNX
                   Runtime pass, in nacre.options
  nacre.OrtValue, nacre.IOBinding   values bound before a run, for the same
  nacre.capi       ONNX Runtime's names of the exceptions

  nacre.cli        runs the command line tool and turns its exit codes into
                   Python's terms
  nacre.compiled   loads a compiled model, a shared library, and calls it
  nacre.interface  reads names, types and shapes off an ONNX file
  nacre.backend    `onnx.backend.base.Backend` on top of these
  nacre.builders   builds small ONNX models
  nacre.suite      runs `nacre check` over many folders of test data
  nacre.fuzz       compares the backends on random graphs

Only `backend`, `builders` and `fuzz` need the onnx package; nothing here needs
more than numpy otherwise. cli.tool says where the compiler is looked for.
"""

from nacre import capi
from nacre.binding import IOBinding, OrtValue
from nacre.cli import version
from nacre.errors import CompileError, InvalidInput, NacreError, Timeout
from nacre.options import (ExecutionMode, GraphOptimizationLevel, RunOptions,
                           SessionOptions, get_available_providers, get_device,
                           get_version_string, set_default_logger_severity)
from nacre.quantization import calibrate, quantize, tune
from nacre.session import InferenceSession, compile

__version__ = version()

__all__ = ["CompileError", "ExecutionMode", "GraphOptimizationLevel",
           "IOBinding", "InferenceSession", "InvalidInput", "NacreError",
           "OrtValue", "RunOptions", "SessionOptions", "Timeout", "calibrate",
           "capi", "compile", "get_available_providers", "get_device",
           "get_version_string", "quantize", "set_default_logger_severity",
           "tune"]
