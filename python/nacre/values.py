# ===- values.py - What is no array of fixed size --------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exchanges values with the runtime that a compiled model brings along.

A tensor of unknown size or of strings is an array (of objects, for strings), a
sequence is a list of arrays or dicts, an optional is what it holds or None, and
a map is a dict of numbers and strings. Type names are those of the model's
metadata: "float32", "sequence(float32)", "map(int64,float32)" and
"optional(sequence(float32))".
"""

import ctypes
import weakref

import numpy as np

from nacre.errors import InvalidInput
from nacre.interface import ELEMENTS, PACKED, STORED

_CODES = {name or "string": code for code, (_, name) in ELEMENTS.items()}
_NAMES = {code: name for name, code in _CODES.items()}

_SIGNATURES = {
    "nacre_tensor_wrap": (ctypes.c_void_p, [ctypes.c_int64, ctypes.c_int64,
                                            ctypes.c_void_p, ctypes.c_void_p]),
    "nacre_tensor_of_strings": (ctypes.c_void_p, [
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]),
    "nacre_sequence_new": (ctypes.c_void_p, [ctypes.c_int64, ctypes.c_void_p]),
    "nacre_optional_new": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_map_new": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p]),
    "nacre_map_keys": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_map_values": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_tensor_type": (ctypes.c_int64, [ctypes.c_void_p]),
    "nacre_tensor_rank": (ctypes.c_int64, [ctypes.c_void_p]),
    "nacre_tensor_dim": (ctypes.c_int64, [ctypes.c_void_p, ctypes.c_int64]),
    "nacre_tensor_data": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_tensor_pack": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int64]),
    "nacre_tensor_unpack": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_length": (ctypes.c_int64, [ctypes.c_void_p]),
    "nacre_element": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int64]),
    "nacre_retain": (ctypes.c_void_p, [ctypes.c_void_p]),
    "nacre_release": (None, [ctypes.c_void_p]),
    "nacre_error": (ctypes.c_char_p, []),
}


def stored(element):
    """numpy's type for arrays of an element type of the metadata."""
    return np.dtype(STORED.get(element, (element,))[0])


def as_stored(array, element):
    """ARRAY as one of that type, if it is one of ml_dtypes' type for it."""
    if element not in STORED or array.dtype.name != STORED[element][1]:
        return array
    if element in ("int4", "uint4", "int2", "uint2"):
        return array.astype(stored(element))
    return array.view(stored(element))


def _held(type_name, kind):
    """What `kind(...)` holds; None for another type."""
    if type_name.startswith(f"{kind}("):
        return type_name[len(kind) + 1:-1]
    return None


class Runtime:
    """The runtime in a library, if there is one in it."""

    def __init__(self, library):
        self._functions = {}
        for name, (result, arguments) in _SIGNATURES.items():
            function = library[name]
            function.restype, function.argtypes = result, arguments
            self._functions[name] = function

    def call(self, name, *arguments):
        return self._functions[name](*arguments)

    def error(self):
        return self.call("nacre_error").decode(errors="replace")

    def release(self, handle):
        self.call("nacre_release", handle)

    def create(self, value, type_name, keep):
        """A handle of `value`, which the caller releases. What it refers to is
        appended to `keep`, and must stay while the handle is in use."""
        held = _held(type_name, "sequence")
        if held:
            if not isinstance(value, (list, tuple)):
                raise InvalidInput(f"expected a list for a {type_name}, found "
                                   f"{type(value).__name__}")
            return self._create_list(value, held, keep)
        held = _held(type_name, "optional")
        if held:
            if value is None:
                return self.call("nacre_optional_new", None)
            inner = self.create(value, held, keep)
            handle = self.call("nacre_optional_new", inner)
            self.release(inner)
            return handle
        held = _held(type_name, "map")
        if held:
            return self._create_map(value, held, keep)
        return self._create_tensor(value, type_name, keep)

    def _create_map(self, value, held, keep):
        if not isinstance(value, dict):
            raise InvalidInput(f"expected a dict for a map({held}), found "
                               f"{type(value).__name__}")
        parts = []
        try:
            for element, entries in zip(held.split(","),
                                        (value.keys(), value.values())):
                dtype = object if element == "string" else element
                try:
                    array = np.array(list(entries), dtype)
                except ValueError:
                    raise InvalidInput(f"expected {element} in a map({held})"
                                       ) from None
                if element == "string" and not all(isinstance(text, str)
                                                   for text in array):
                    raise InvalidInput(f"expected strings in a map({held})")
                parts.append(self._create_tensor(array, element, keep))
            return self.call("nacre_map_new", *parts)
        finally:
            for part in parts:
                self.release(part)

    def _create_list(self, values, held, keep):
        elements = []
        try:
            for value in values:
                elements.append(self.create(value, held, keep))
            pointers = (ctypes.c_void_p * max(len(elements), 1))(*elements)
            return self.call("nacre_sequence_new", len(elements), pointers)
        finally:
            for element in elements:
                self.release(element)

    def _create_tensor(self, value, element, keep):
        array = np.asarray(value, order="C")
        shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        if element == "string":
            if array.dtype.kind not in "OU":
                raise InvalidInput(f"expected strings, found {array.dtype}")
            texts = [str(text).encode() for text in array.ravel()]
            if any(b"\0" in text for text in texts):
                raise InvalidInput("expected strings without a zero in them")
            pointers = (ctypes.c_char_p * max(len(texts), 1))(*texts)
            return self.call("nacre_tensor_of_strings", array.ndim, shape,
                             pointers)
        array = as_stored(array, element)
        if array.dtype != stored(element):
            raise InvalidInput(f"expected {element}, found {array.dtype}")
        # Not ascontiguousarray, which gives a scalar a dimension.
        array = np.asarray(array, order="C")
        if element == "complex128" and array.ctypes.data % 16:
            array = array.copy()   # numpy aligns the parts alone
        if element in PACKED:
            return self._create_packed(array, element, shape)
        keep.append(array)
        return self.call("nacre_tensor_wrap", _CODES[element], array.ndim,
                         shape, array.ctypes.data)

    def _create_packed(self, array, element, shape):
        """The same for numbers of few bits, one in each byte of `array`."""
        low, high = PACKED[element]
        if array.size and (array.min() < low or array.max() > high):
            raise InvalidInput(f"expected numbers from {low} to {high} for "
                               f"{element}, found {array.min()} to "
                               f"{array.max()}")
        codes = array.view(np.uint8)
        whole = self.call("nacre_tensor_wrap", _CODES["uint8"], codes.ndim,
                          shape, codes.ctypes.data)
        packed = self.call("nacre_tensor_pack", whole, _CODES[element])
        self.release(whole)
        return packed

    def read(self, handle, type_name, given=()):
        """What a handle holds. Arrays of numbers view it and keep it, but are
        copies of what lies in one of the `given` arrays, the caller's own."""
        for kind in ("sequence", "optional"):
            held = _held(type_name, kind)
            if not held:
                continue
            values = [self.read(self.call("nacre_element", handle, i), held,
                                given)
                      for i in range(self.call("nacre_length", handle))]
            if kind == "sequence":
                return values
            return values[0] if values else None
        if _held(type_name, "map"):
            keys, values = (self._read_tensor(self.call(name, handle)).tolist()
                            for name in ("nacre_map_keys", "nacre_map_values"))
            return dict(zip(keys, values))
        return self._read_tensor(handle, given)

    def _read_tensor(self, handle, given=()):
        shape = tuple(self.call("nacre_tensor_dim", handle, i)
                      for i in range(self.call("nacre_tensor_rank", handle)))
        element = _NAMES[self.call("nacre_tensor_type", handle)]
        if element in PACKED:
            return self._read_packed(handle, element)
        count = int(np.prod(shape, dtype=np.int64))
        data = self.call("nacre_tensor_data", handle)
        if element == "string":
            texts = (ctypes.c_char_p * count).from_address(data) if count \
                else []
            array = np.empty(count, object)
            array[:] = [text.decode(errors="replace") for text in texts]
            return array.reshape(shape)
        dtype = stored(element)
        if count == 0:
            return np.empty(shape, dtype)
        block = (ctypes.c_char * (count * dtype.itemsize)).from_address(data)
        array = np.frombuffer(block, dtype).reshape(shape)
        if any(np.may_share_memory(array, other) for other in given):
            return array.copy()
        weakref.finalize(block, self.release,
                         self.call("nacre_retain", handle))
        return array

    def _read_packed(self, handle, element):
        """The numbers of a tensor of few bits, each in a byte of its own."""
        whole = self.call("nacre_tensor_unpack", handle)
        codes = self._read_tensor(whole)
        self.release(whole)
        sign = -PACKED[element][0]
        if sign == 0:
            return codes
        return (codes ^ np.uint8(sign)).view(np.int8) - np.int8(sign)
