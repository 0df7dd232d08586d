# ===- samples.py - Data that a model is measured on ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the command line samples that a program has in memory."""

import contextlib
import os
import pathlib
import tempfile

import numpy as np

from nacre.errors import InvalidInput

# ONNX's codes of numpy's types.
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5,
          "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
          "uint32": 12, "uint64": 13}


def _varint(number):
    number &= (1 << 64) - 1
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def _field(number, data):
    """A field of protobuf that holds bytes."""
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def write_tensor(path, name, array):
    """Writes ARRAY as ONNX's TensorProto, as test data folders hold them."""
    array = np.asarray(array, order="C")
    code = _TYPES.get(array.dtype.name)
    if code is None:
        raise InvalidInput(f"input '{name}' has elements of type "
                           f"{array.dtype}, which no sample file holds")
    data = b"".join(_varint(1 << 3) + _varint(size) for size in array.shape)
    data += _varint(2 << 3) + _varint(code)
    data += _field(8, name.encode()) + _field(9, array.astype(
        array.dtype.newbyteorder("<"), copy=False).tobytes())
    pathlib.Path(path).write_bytes(data)


def _feeds(data):
    """The feeds of DATA, an iterable or something with get_next()."""
    if not hasattr(data, "get_next"):
        yield from data
        return
    while (feed := data.get_next()) is not None:
        yield feed


@contextlib.contextmanager
def folders(data):
    """Paths of folders of samples: DATA is such a path, a list of them, or gives
    feeds, which map names of inputs to arrays: an iterable of them, or an object
    whose get_next() returns the next one and None after the last, as ONNX
    Runtime's calibration data readers do."""
    if isinstance(data, (str, os.PathLike)):
        yield [data]
        return
    if isinstance(data, (list, tuple)) and data and all(
            isinstance(item, (str, os.PathLike)) for item in data):
        yield list(data)
        return
    with tempfile.TemporaryDirectory(prefix="nacre-") as folder:
        count = 0
        for feed in _feeds(data):
            if not hasattr(feed, "items"):
                raise TypeError("expected a dict from names of inputs to "
                                f"arrays, found {type(feed).__name__}")
            place = pathlib.Path(folder) / str(count)
            place.mkdir()
            for i, (name, array) in enumerate(feed.items()):
                write_tensor(place / f"input_{i}.pb", name, array)
            count += 1
        if count == 0:
            raise InvalidInput("found no samples: the data give no feed")
        yield [folder]
