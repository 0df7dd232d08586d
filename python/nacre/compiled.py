# ===- compiled.py - Calls a compiled model -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a shared library that `nacre compile --emit=shared` wrote.

A compiled model is plain C: its header declares

  int NAME_run(const struct NAME_inputs *, struct NAME_outputs *, void *arena);

where the structs hold one pointer per input and output, and the arena is
memory the caller owns. Whatever NAME is, a library exports the same as
nacre_model_run, and describes itself in nacre_model_metadata, so numpy and
ctypes suffice to call it. What is no array of numbers of a fixed size
is a value of the runtime that the library brings along; see values.py.
"""

import ctypes
import json
import math
import pathlib

import numpy as np

from nacre import elf, values
from nacre.errors import Exit, InvalidInput, NacreError, RuntimeException
from nacre.interface import PACKED


class Value:
    """One input or output: its ONNX name, element type and shape."""

    def __init__(self, metadata):
        self.name = metadata["name"]
        self.element = metadata["type"]
        # A list is of no shape. A dynamic dimension is its name,
        # or None.
        shape = metadata["shape"]
        self.shape = None if shape is None else tuple(shape)
        self.is_handle = self.shape is None or self.element == "string" or \
            self.element in PACKED or \
            not all(isinstance(dim, int) for dim in self.shape)
        self.dtype = None if self.is_handle else values.stored(self.element)
        # Of an input that is a state: the output that it becomes.
        self.state = metadata.get("state")

    def checked(self, array, what, view):
        """ARRAY as what the compiled code takes; `view` forbids a copy."""
        given = array
        array = np.asarray(array, order=None if view else "C")
        array = values.as_stored(array, self.element)
        if array.dtype != self.dtype or array.shape != self.shape:
            raise InvalidInput(
                f"{what} '{self.name}' expects {self.element} of shape "
                f"{self.shape}, found {array.dtype} of shape {array.shape}")
        if self.element == "complex128" and array.ctypes.data % 16:
            # numpy aligns the parts alone.
            if view:
                raise InvalidInput(f"{what} '{self.name}' needs an array "
                                   "aligned to 16 bytes")
            array = array.copy()
        if view and not (isinstance(given, np.ndarray)
                         and array.flags.c_contiguous
                         and array.flags.writeable):
            raise InvalidInput(f"{what} '{self.name}' needs a writeable, "
                               "C-contiguous array")
        return array


class CompiledModel:
    """A compiled model. Any number of threads may run it at once."""

    def __init__(self, library):
        path = pathlib.Path(library).resolve()
        elf.check_library(path)
        try:
            self._library = ctypes.CDLL(str(path))
            # A char array's address is where the string lies.
            text = ctypes.c_char.in_dll(self._library, "nacre_model_metadata")
            self._run = self._library["nacre_model_run"]
            picked = self._library["nacre_model_architecture"]
        except OSError as error:
            raise InvalidInput(f"cannot load the library: {error}") from None
        except (ValueError, AttributeError):
            raise InvalidInput(f"cannot load the library '{path}': nacre made "
                               "none without nacre_model_run") from None
        self.metadata = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self.name = self.metadata["name"]
        self.inputs = [Value(value) for value in self.metadata["inputs"]]
        # What a state becomes is written over it, and is no output.
        self.outputs = [Value(value) for value in self.metadata["outputs"]
                        if "state" not in value]
        # The one whose code is used; None when this CPU can run none.
        picked.argtypes, picked.restype = [], ctypes.c_char_p
        self.architecture = picked().decode() if picked() else None
        self._run.argtypes = [ctypes.c_void_p] * 3
        self._run.restype = ctypes.c_int
        self._runtime = None
        if hasattr(self._library, "nacre_error"):
            self._runtime = values.Runtime(self._library)
        # Arenas that no run uses now. Lists append and pop atomically.
        self._arenas = []

    def _new_arena(self):
        """Working memory, and the aligned address in it."""
        arena = _aligned(self.metadata["arena_bytes"],
                         max(self.metadata["arena_alignment"], 1))
        return arena, arena.ctypes.data

    def run(self, feeds, outputs=None):
        """Maps {input name: array} to {output name: array}.

        Contiguous inputs are read where they lie. Those that are states are
        overwritten. `outputs` may map names to arrays to write results into.
        """
        outputs = outputs or {}
        _known(feeds, self.inputs, "input")
        _known(outputs, self.outputs, "output")
        for value in self.inputs:
            if value.name not in feeds:
                raise InvalidInput(f"no array for input '{value.name}'")
        for value in self.outputs:
            if value.is_handle and value.name in outputs:
                raise InvalidInput(
                    f"output '{value.name}' cannot be written into an array: "
                    "its size is known only at run time")
        arrays = [None if value.is_handle else
                  value.checked(feeds[value.name],
                                "state" if value.state else "input",
                                bool(value.state))
                  for value in self.inputs]
        results = [None if value.is_handle else
                   value.checked(outputs[value.name], "output", True)
                   if value.name in outputs
                   else _new_result(value.shape, value.dtype)
                   for value in self.outputs]
        if outputs or any(value.state for value in self.inputs):
            self._check_overlap(arrays, results)
        handles, keep = [], []
        try:
            given, taken = _pointers(arrays), _pointers(results)
            for i, value in enumerate(self.inputs):
                if value.is_handle:
                    given[i] = self._create(value, feeds[value.name], keep)
                    handles.append(given[i])
            self._call(given, taken)
            for i, value in enumerate(self.outputs):
                if value.is_handle:
                    handles.append(taken[i])
                    results[i] = self._runtime.read(taken[i], value.element,
                                                    keep)
        finally:
            for handle in handles:
                self._runtime.release(handle)
        return {v.name: array for v, array in zip(self.outputs, results)}

    def _create(self, value, feed, keep):
        """A handle of what is given for an input."""
        if value.shape is not None:
            shape = np.shape(feed)
            if len(shape) != len(value.shape) or any(
                    isinstance(wanted, int) and wanted != dim
                    for wanted, dim in zip(value.shape, shape)):
                raise InvalidInput(
                    f"input '{value.name}' expects {value.element} of shape "
                    f"{value.shape}, found shape {shape}")
        try:
            return self._runtime.create(feed, value.element, keep)
        except InvalidInput as error:
            raise InvalidInput(f"input '{value.name}': {error}") from None

    def _check_overlap(self, arrays, results):
        """Compiled code takes it that no two of its arguments overlap."""
        for i, (value, result) in enumerate(zip(self.outputs, results)):
            if result is not None and any(
                    np.may_share_memory(result, other)
                    for other in arrays + results[:i] if other is not None):
                raise InvalidInput(f"output '{value.name}' overlaps another "
                                   "array of the call")
        for i, (value, array) in enumerate(zip(self.inputs, arrays)):
            if value.state and any(
                    np.may_share_memory(array, other)
                    for other in arrays[:i] + arrays[i + 1:]
                    if other is not None):
                raise InvalidInput(f"state '{value.name}' overlaps another "
                                   "array of the call")

    def call(self, arrays, results):
        """Runs on arrays in the struct's order, writing into `results`."""
        self._call(_pointers(arrays), _pointers(results))

    def _call(self, inputs, outputs):
        """Runs on the two structs."""
        try:
            arena = self._arenas.pop()
        except IndexError:
            arena = self._new_arena()
        try:
            status = self._run(inputs, outputs, arena[1])
        finally:
            self._arenas.append(arena)
        if status == 1:
            raise NacreError(
                [f"{self.name}_run"], Exit.UNSUPPORTED,
                "this CPU lacks instructions that the model was compiled for, "
                "or the system refuses them to this process: "
                + ", ".join(self.metadata["architectures"]))
        if status == 3:
            raise RuntimeException("the model cannot run on these inputs: "
                                   + self._runtime.error())
        if status != 0:
            raise RuntimeError(f"{self.name}_run returned {status}")


# A run stores whole lines past the caches only.
_LINE = 64


def _aligned(size, alignment):
    """SIZE bytes at a multiple of ALIGNMENT."""
    storage = np.empty(size + alignment, np.uint8)
    start = -storage.ctypes.data % alignment
    return storage[start:start + size]


def _new_result(shape, dtype):
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    return _aligned(size, _LINE).view(dtype).reshape(shape)


def _known(arrays, values, what):
    names = [value.name for value in values]
    for name in arrays:
        if name not in names:
            raise InvalidInput(f"the model has no {what} '{name}'; it has "
                               + (", ".join(f"'{n}'" for n in names) or
                                  "none"))


def _pointers(arrays):
    """The struct of pointers that the C entry point takes."""
    return (ctypes.c_void_p * max(len(arrays), 1))(
        *(None if array is None else array.ctypes.data for array in arrays))
