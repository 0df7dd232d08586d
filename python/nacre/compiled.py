# ===- compiled.py - Calls a compiled model -------------------------------=== #
"""Loads a shared library that `nacre compile --emit=shared` wrote.

A compiled model is plain C: its header declares

  int NAME_run(const struct NAME_inputs *, struct NAME_outputs *, void *arena);

where the structs hold one pointer per input and output, and the arena is
memory the caller owns. A tensor with dimensions that only a run knows is a
pointer to a nacre_value, which the library's nacre_ functions make and read.
The library describes itself in NAME_metadata, so numpy and ctypes suffice to
call it.
"""

import ctypes
import json
import pathlib
import weakref

import numpy as np

from nacre import interface
from nacre.cli import InvalidInput, NacreError, Exit

# The runtime's number of an element type, which is ONNX's.
_CODES = {numpy: code for code, (_, numpy) in interface.ELEMENTS.items()
          if numpy}


class Value:
    """One input or output: its ONNX name, element type and shape."""

    def __init__(self, metadata):
        self.name = metadata["name"]
        self.element = metadata["type"]
        # numpy has no bfloat16: its bits travel as 16-bit integers.
        self.dtype = np.dtype("uint16" if self.element == "bfloat16"
                              else self.element)
        # A dimension that only a run knows is its name, or None.
        self.shape = tuple(metadata["shape"])
        self.is_dynamic = not all(isinstance(dim, int) for dim in self.shape)
        # Of an input that is a state: the output that it becomes.
        self.state = metadata.get("state")

    def checked(self, array, what, view):
        """ARRAY as what the compiled code takes; `view` forbids a copy."""
        given = array
        array = np.asarray(array, order=None if view else "C")
        if array.dtype.name == "bfloat16" == self.element:
            array = array.view(np.uint16)
        if array.dtype != self.dtype or not self.fits(array.shape):
            raise InvalidInput(
                f"{what} '{self.name}' expects {self.element} of shape "
                f"{self.shape}, found {array.dtype} of shape {array.shape}")
        if view and not (isinstance(given, np.ndarray)
                         and array.flags.c_contiguous
                         and array.flags.writeable):
            raise InvalidInput(f"{what} '{self.name}' needs a writeable, "
                               "C-contiguous array")
        return array

    def fits(self, shape):
        """True for a shape that has the dimensions which are known."""
        return len(shape) == len(self.shape) and all(
            wanted == dim or not isinstance(wanted, int)
            for wanted, dim in zip(self.shape, shape))


class CompiledModel:
    """A compiled model. Any number of threads may run it at once."""

    def __init__(self, library, name=None):
        path = pathlib.Path(library).resolve()
        self.name = name or path.stem
        try:
            self._library = ctypes.CDLL(str(path))
            # A char array's address is where the string lies.
            text = ctypes.c_char.in_dll(self._library,
                                        f"{self.name}_metadata")
            self._run = self._library[f"{self.name}_run"]
            picked = self._library[f"{self.name}_architecture"]
        except OSError as error:
            raise InvalidInput(f"cannot load the library: {error}") from None
        except (ValueError, AttributeError):
            raise InvalidInput(
                f"expected a library made by nacre with {self.name}_run in "
                f"'{path}'; was the file renamed?") from None
        self.metadata = json.loads(ctypes.string_at(ctypes.addressof(text)))
        self.inputs = [Value(value) for value in self.metadata["inputs"]]
        # What a state becomes is written over it, and is no output.
        self.outputs = [Value(value) for value in self.metadata["outputs"]
                        if "state" not in value]
        # The one whose code is used; None when this CPU can run none.
        picked.argtypes, picked.restype = [], ctypes.c_char_p
        self.architecture = picked().decode() if picked() else None
        self._run.argtypes = [ctypes.c_void_p] * 3
        self._run.restype = ctypes.c_int
        if any(value.is_dynamic for value in self.inputs + self.outputs):
            self._declare_runtime()
        # Arenas that no run uses now. Lists append and pop atomically.
        self._arenas = []

    def _declare_runtime(self):
        """The functions of the library that make and read nacre_values."""
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        for name, result, arguments in (
                ("tensor_wrap", pointer, [number, number, pointer, pointer]),
                ("tensor_data", pointer, [pointer]),
                ("tensor_rank", number, [pointer]),
                ("tensor_dim", number, [pointer, number]),
                ("release", None, [pointer])):
            function = self._library[f"nacre_{name}"]
            function.restype, function.argtypes = result, arguments

    def _wrap(self, value, array):
        """A nacre_value over the elements of ARRAY."""
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self._library.nacre_tensor_wrap(
            _CODES[value.element], array.ndim, shape, array.ctypes.data)

    def _unwrap(self, value, pointer):
        """The elements of a nacre_value, which lives as long as the array."""
        library = self._library
        rank = library.nacre_tensor_rank(pointer)
        shape = tuple(library.nacre_tensor_dim(pointer, i)
                      for i in range(rank))
        size = int(np.prod(shape)) * value.dtype.itemsize
        if size == 0:
            library.nacre_release(pointer)
            return np.empty(shape, value.dtype)
        block = (ctypes.c_char * size).from_address(
            library.nacre_tensor_data(pointer))
        weakref.finalize(block, library.nacre_release, pointer)
        return np.frombuffer(block, value.dtype).reshape(shape)

    def _new_arena(self):
        """Working memory, and the aligned address in it."""
        alignment = max(self.metadata["arena_alignment"], 1)
        size = self.metadata["arena_bytes"]
        storage = np.empty(size + alignment, dtype=np.uint8)
        start = storage.ctypes.data
        return storage, start + -start % alignment

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
        arrays = [value.checked(feeds[value.name],
                                "state" if value.state else "input",
                                bool(value.state))
                  for value in self.inputs]
        for value in self.outputs:
            if value.is_dynamic and value.name in outputs:
                raise InvalidInput(
                    f"output '{value.name}' cannot be written into an array: "
                    "only a run knows its size")
        results = [value.checked(outputs[value.name], "output", True)
                   if value.name in outputs
                   else None if value.is_dynamic
                   else np.empty(value.shape, value.dtype)
                   for value in self.outputs]
        if outputs or any(value.state for value in self.inputs):
            self._check_overlap(arrays, results)
        self.call(arrays, results)
        return {v.name: array for v, array in zip(self.outputs, results)}

    def _check_overlap(self, arrays, results):
        """Compiled code takes it that no two of its arguments overlap."""
        for i, (value, result) in enumerate(zip(self.outputs, results)):
            if result is not None and any(
                    np.may_share_memory(result, other)
                    for other in arrays + results[:i] if other is not None):
                raise InvalidInput(f"output '{value.name}' overlaps another "
                                   "array of the call")
        for i, (value, array) in enumerate(zip(self.inputs, arrays)):
            if value.state and any(np.may_share_memory(array, other)
                                   for other in arrays[:i] + arrays[i + 1:]):
                raise InvalidInput(f"state '{value.name}' overlaps another "
                                   "array of the call")

    def call(self, arrays, results):
        """Runs on arrays in the struct's order, writing into `results`.

        Where there is None in `results`, it puts the array that the run gives.
        """
        wrapped = [self._wrap(value, array) if value.is_dynamic else None
                   for value, array in zip(self.inputs, arrays)]
        inputs = _pointers(wrap or array.ctypes.data
                           for wrap, array in zip(wrapped, arrays))
        outputs = _pointers(None if array is None else array.ctypes.data
                            for array in results)
        try:
            arena = self._arenas.pop()
        except IndexError:
            arena = self._new_arena()
        try:
            status = self._run(inputs, outputs, arena[1])
            if status == 3:
                # On this thread; the next run would forget it.
                error = self._library.nacre_error
                error.restype = ctypes.c_char_p
                reason = error().decode()
        finally:
            self._arenas.append(arena)
            for pointer in wrapped:
                if pointer:
                    self._library.nacre_release(pointer)
        if status == 1:
            raise NacreError(
                [f"{self.name}_run"], Exit.UNSUPPORTED,
                "this CPU lacks instructions that the model was compiled for: "
                + ", ".join(self.metadata["architectures"]))
        if status == 3:
            raise InvalidInput(f"the model cannot run on these inputs: "
                               f"{reason}")
        if status != 0:
            raise RuntimeError(f"{self.name}_run returned {status}")
        for i, value in enumerate(self.outputs):
            if results[i] is None:
                results[i] = self._unwrap(value, outputs[i])


def _known(arrays, values, what):
    names = [value.name for value in values]
    for name in arrays:
        if name not in names:
            raise InvalidInput(f"the model has no {what} '{name}'; it has "
                               + (", ".join(f"'{n}'" for n in names) or
                                  "none"))


def _pointers(addresses):
    """The struct of pointers that the C entry point takes."""
    addresses = list(addresses)
    return (ctypes.c_void_p * len(addresses))(*addresses)
