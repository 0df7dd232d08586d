# ===- interface.py - Inputs and outputs of an ONNX file ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what a model takes and gives, without the onnx package.

Of the file's protocol buffers only the few fields are looked at that say so;
weights are stepped over.
"""

import dataclasses

from nacre.errors import InvalidProtobuf

# ONNX's element types by their code: its name in `tensor(...)`, and numpy's.
# For those that numpy does not have, see STORED.
ELEMENTS = {1: ("float", "float32"), 2: ("uint8", "uint8"),
            3: ("int8", "int8"), 4: ("uint16", "uint16"),
            5: ("int16", "int16"), 6: ("int32", "int32"),
            7: ("int64", "int64"), 8: ("string", None), 9: ("bool", "bool"),
            10: ("float16", "float16"), 11: ("double", "float64"),
            12: ("uint32", "uint32"), 13: ("uint64", "uint64"),
            14: ("complex64", "complex64"),
            15: ("complex128", "complex128"),
            16: ("bfloat16", "bfloat16"),
            17: ("float8e4m3fn", "float8e4m3fn"),
            18: ("float8e4m3fnuz", "float8e4m3fnuz"),
            19: ("float8e5m2", "float8e5m2"),
            20: ("float8e5m2fnuz", "float8e5m2fnuz"),
            21: ("uint4", "uint4"), 22: ("int4", "int4"),
            23: ("float4e2m1", "float4e2m1"),
            24: ("float8e8m0", "float8e8m0"),
            25: ("uint2", "uint2"), 26: ("int2", "int2")}
# What numpy has no type for travels as another: floats as their bits, integers
# of fewer bits as those of eight. The names are those of arrays of the ml_dtypes
# package, which are taken, too.
STORED = {"bfloat16": ("uint16", "bfloat16"),
          "float8e4m3fn": ("uint8", "float8_e4m3fn"),
          "float8e4m3fnuz": ("uint8", "float8_e4m3fnuz"),
          "float8e5m2": ("uint8", "float8_e5m2"),
          "float8e5m2fnuz": ("uint8", "float8_e5m2fnuz"),
          "float8e8m0": ("uint8", "float8_e8m0fnu"),
          "uint4": ("uint8", "uint4"), "int4": ("int8", "int4"),
          "uint2": ("uint8", "uint2"), "int2": ("int8", "int2"),
          "float4e2m1": ("uint8", "float4_e2m1fn")}
# Two or four share a byte in compiled code, but not in numpy.
PACKED = {"uint4": (0, 15), "int4": (-8, 7), "float4e2m1": (0, 15),
          "uint2": (0, 3), "int2": (-2, 1)}
TYPE_NAMES = {numpy or onnx: f"tensor({onnx})"
              for onnx, numpy in ELEMENTS.values()}
# ONNX's codes by what numpy or ml_dtypes calls a type.
_CODES = {STORED[name][1] if name in STORED else name or "object": code
          for code, (_, name) in ELEMENTS.items()}


def element_code(dtype):
    """ONNX's code of a numpy type, or of one of the ml_dtypes package. Those of
    strings are objects. The onnx package has had this under several names."""
    return _CODES["object" if dtype.kind in "OU" else dtype.name]


@dataclasses.dataclass
class NodeArg:
    """An input or output, as ONNX Runtime describes one.

    `type` reads like "tensor(float)". A dimension of `shape` is a number, a
    string if it only has a name, or None; without a shape it is None.
    """

    name: str
    type: str
    shape: list


@dataclasses.dataclass
class ModelMetadata:
    """What a model says of itself, in ONNX Runtime's words."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: dict


@dataclasses.dataclass
class Interface:
    inputs: list
    outputs: list
    data_files: list   # where weights outside the file lie
    metadata: ModelMetadata


def read(data):
    """The interface of the model that the bytes `data` hold."""
    try:
        return _model(memoryview(data))
    except (IndexError, UnicodeDecodeError, _Malformed) as error:
        raise InvalidProtobuf(f"not an ONNX model: {error}") from None


class _Malformed(Exception):
    pass


def _varint(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        if byte < 128:
            return result, at
        shift += 7


def _fields(data):
    """(number, value) of a message's fields; bytes stay a view."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at:at + size], at + size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        else:
            raise _Malformed("its protocol buffers cannot be read")
        if at > len(data):
            raise _Malformed("it is cut off")
        yield tag >> 3, value


def _text(data):
    return bytes(data).decode()


def _first(data, number, default=b""):
    return next((value for n, value in _fields(data) if n == number), default)


def _model(data):
    graph = _first(data, 7, None)
    if graph is None:
        raise _Malformed("it holds no graph")
    inputs, outputs, constants, files = [], [], set(), set()
    for number, value in _fields(graph):
        if number == 5:
            name, location = _initializer(value)
            constants.add(name)
            files |= location
        elif number == 15:   # a sparse initializer, named by its values
            constants.add(_initializer(_first(value, 1))[0])
        elif number == 11:
            inputs.append(_value(value))
        elif number == 12:
            outputs.append(_value(value))
    return Interface([value for value in inputs
                      if value.name not in constants], outputs, sorted(files),
                     _metadata(data, graph))


def _metadata(data, graph):
    custom = {_text(_first(entry, 1)): _text(_first(entry, 2))
              for number, entry in _fields(data) if number == 14}
    return ModelMetadata(
        producer_name=_text(_first(data, 2)), graph_name=_text(_first(graph, 2)),
        domain=_text(_first(data, 4)), description=_text(_first(data, 6)),
        graph_description=_text(_first(graph, 10)),
        version=_first(data, 5, 0), custom_metadata_map=custom)


def _initializer(data):
    """The name of a TensorProto, and the file that holds its elements."""
    name, location = "", set()
    for number, value in _fields(data):
        if number == 8:
            name = _text(value)
        elif number == 13 and _text(_first(value, 1)) == "location":
            location.add(_text(_first(value, 2)))
    return name, location


def _value(data):
    kind = _first(data, 2)
    tensor = _first(kind, 1, None)
    if tensor is None:
        return NodeArg(_text(_first(data, 1)), _type_name(kind), None)
    shape = _first(tensor, 2, None)
    if shape is not None:
        shape = [_dimension(dim) for number, dim in _fields(shape)
                 if number == 1]
    return NodeArg(_text(_first(data, 1)), _type_name(kind), shape)


def _type_name(kind):
    """A TypeProto as ONNX Runtime writes it: "seq(tensor(float))"."""
    for number, name in ((4, "seq"), (9, "optional")):
        holder = _first(kind, number, None)
        if holder is not None:
            return f"{name}({_type_name(_first(holder, 1))})"
    entries = _first(kind, 5, None)
    if entries is not None:
        key = ELEMENTS.get(_first(entries, 1, 0), ("undefined", None))[0]
        return f"map({key},{_type_name(_first(entries, 2))})"
    tensor = _first(kind, 1, None)
    if tensor is None:
        # A sparse tensor: the compiler says what it takes.
        return "unsupported"
    element = ELEMENTS.get(_first(tensor, 1, 0), ("undefined", None))[0]
    return f"tensor({element})"


def _dimension(data):
    for number, value in _fields(data):
        if number == 1:
            return value
        if number == 2 and len(value):
            return _text(value)
    return None
