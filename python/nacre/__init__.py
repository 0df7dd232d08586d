# ===- __init__.py - nacre's Python package -------------------------------=== #
"""Drives the nacre compiler from Python.

  nacre.InferenceSession   runs a model, compiling it first if need be
  nacre.compile            compiles a model to a library, an object, IR
  nacre.InvalidInput, nacre.CompileError, nacre.NacreError   what they raise
  nacre.SessionOptions, nacre.RunOptions, …   what calls written for ONNX
                   Runtime pass, in nacre.options

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

from nacre.cli import InvalidInput, NacreError
from nacre.options import (ExecutionMode, GraphOptimizationLevel, RunOptions,
                           SessionOptions, get_available_providers, get_device)
from nacre.session import CompileError, InferenceSession, compile

__all__ = ["CompileError", "ExecutionMode", "GraphOptimizationLevel",
           "InferenceSession", "InvalidInput", "NacreError", "RunOptions",
           "SessionOptions", "compile", "get_available_providers",
           "get_device"]
