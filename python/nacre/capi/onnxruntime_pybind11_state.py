# ===- onnxruntime_pybind11_state.py - ONNX Runtime's exceptions -----------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre's exceptions under the names that ONNX Runtime's have.

Those of states that nacre's sessions cannot be in are there to be named.
"""

from nacre.errors import (Fail, InvalidGraph, InvalidInput, InvalidProtobuf,
                          NacreError, NoSuchFile, NotImplemented,
                          RuntimeException)

InvalidArgument = InvalidInput


class EPFail(NacreError):
    """An execution provider failed: nacre has one, which computes in place."""


class EngineError(NacreError):
    """An execution engine failed."""


class ModelLoaded(NacreError):
    """A session was given another model: nacre's have one from the start."""


class NoModel(NacreError):
    """A session has no model."""


__all__ = ["EPFail", "EngineError", "Fail", "InvalidArgument", "InvalidGraph",
           "InvalidProtobuf", "ModelLoaded", "NoModel", "NoSuchFile",
           "NotImplemented", "RuntimeException"]
