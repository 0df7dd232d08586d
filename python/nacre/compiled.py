# ===- compiled.py - Calls a compiled model -------------------------------=== #
"""Loads a shared library that `nacre compile --emit=shared` wrote.

A compiled model is plain C: its header declares

  int NAME_run(const struct NAME_inputs *, struct NAME_outputs *, void *arena);

where the structs hold one pointer per input and output, and the arena is
memory the caller owns. The library describes itself in NAME_metadata, so
numpy and ctypes suffice to call it.
"""

import ctypes
import json
import pathlib

import numpy as np


class Value:
    """One input or output: its ONNX name, element type and shape."""

    def __init__(self, metadata):
        self.name = metadata["name"]
        # numpy has no bfloat16: its bits travel as 16-bit integers.
        element = metadata["type"]
        self.dtype = np.dtype("uint16" if element == "bfloat16" else element)
        self.shape = tuple(metadata["shape"])


class CompiledModel:
    """A compiled model with its arena. One instance serves one thread."""

    def __init__(self, library, name=None):
        path = pathlib.Path(library).resolve()
        self.name = name or path.stem
        self._library = ctypes.CDLL(str(path))
        # A char array's address is where the string lies.
        text = ctypes.c_char.in_dll(self._library, f"{self.name}_metadata")
        self.metadata = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self.inputs = [Value(value) for value in self.metadata["inputs"]]
        self.outputs = [Value(value) for value in self.metadata["outputs"]]

        self._run = self._library[f"{self.name}_run"]
        self._run.argtypes = [ctypes.c_void_p] * 3
        self._run.restype = ctypes.c_int

        alignment = max(self.metadata["arena_alignment"], 1)
        size = self.metadata["arena_bytes"]
        self._storage = np.empty(size + alignment, dtype=np.uint8)
        start = self._storage.ctypes.data
        self._arena = start + -start % alignment

    def run(self, feeds):
        """Maps {input name: array} to {output name: array}."""
        arrays = [self._checked(value, feeds) for value in self.inputs]
        results = [np.empty(value.shape, value.dtype) for value in self.outputs]
        self.call(arrays, results)
        return {v.name: array for v, array in zip(self.outputs, results)}

    def call(self, arrays, results):
        """Runs on arrays in the struct's order, writing into `results`."""
        status = self._run(_pointers(arrays), _pointers(results), self._arena)
        if status != 0:
            raise RuntimeError(f"{self.name}_run returned {status}")

    @staticmethod
    def _checked(value, feeds):
        if value.name not in feeds:
            raise ValueError(f"no array for input '{value.name}'")
        array = np.asarray(feeds[value.name], order="C")
        if array.dtype != value.dtype or array.shape != value.shape:
            raise ValueError(
                f"input '{value.name}' expects {value.dtype} of shape "
                f"{value.shape}, found {array.dtype} of shape {array.shape}")
        return array


def _pointers(arrays):
    """The struct of pointers that the C entry point takes."""
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
