# ===- errors.py - What goes wrong -----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of this package, each a NacreError.

Those that ONNX Runtime has as well bear its names; programs written for it find
them in nacre.capi.onnxruntime_pybind11_state.
"""

import enum


class Exit(enum.IntEnum):
    """What an exit code of `nacre` means."""

    SUCCESS = 0
    DIFFERS = 1
    UNSUPPORTED = 2
    BAD_INPUT = 3
    INTERNAL = 70


class NacreError(RuntimeError):
    """A command of nacre's that did not succeed."""

    def __init__(self, command, code, message):
        RuntimeError.__init__(
            self, f"`{' '.join(command)}` exited with {code}: {message}")
        self.code = code
        self.message = message


class _Said(NacreError):
    """One that no command led to."""

    code = Exit.BAD_INPUT

    def __init__(self, message):
        RuntimeError.__init__(self, message)
        self.message = message


class InvalidInput(_Said, ValueError):
    """Something given to a model that does not fit it."""


class InvalidProtobuf(InvalidInput):
    """What was given is no ONNX model."""


class RuntimeException(InvalidInput):
    """A model cannot run on the values it was given."""


class NoSuchFile(_Said, FileNotFoundError):
    """There is no file of the name that was given."""

    def __str__(self):
        return self.message


class Timeout(_Said, TimeoutError):
    """A command of nacre's took longer than it was allowed to."""

    code = None   # it was ended

    def __str__(self):
        return self.message


class CompileError(NacreError):
    """The compiler refused a model; `message` is what it said."""

    def __init__(self, model, error):
        RuntimeError.__init__(self, f"cannot compile '{model}': "
                                    f"{error.message}")
        self.code = error.code
        self.message = error.message


class NotImplemented(CompileError):
    """The model asks for something that nacre does not have."""


class InvalidGraph(CompileError):
    """The model, or an option of its compilation, is wrong."""


class Fail(CompileError):
    """The compiler failed."""


def compile_error(model, error):
    """The CompileError for a NacreError of the compiler's."""
    kind = {Exit.UNSUPPORTED: NotImplemented,
            Exit.BAD_INPUT: InvalidGraph}.get(error.code, Fail)
    return kind(model, error)
