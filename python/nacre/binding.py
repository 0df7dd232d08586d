# ===- binding.py - Values that are bound before a run ---------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`OrtValue` and `IOBinding` for programs written for ONNX Runtime.

Both stand on numpy's arrays, in the memory of the CPU.
"""

import ctypes

import numpy as np

from nacre.errors import InvalidInput
from nacre.interface import ELEMENTS, TYPE_NAMES
from nacre.values import stored


def _check_device(name, number=0):
    if str(name).lower() != "cpu" or number != 0:
        raise InvalidInput("nacre computes on the CPU, device 0; found device "
                           f"'{name}' {number}")


def _dtype(element_type):
    """numpy's type for one of numpy's or for ONNX's code of one."""
    if isinstance(element_type, int):
        if element_type not in ELEMENTS:
            raise InvalidInput(f"ONNX has no element type {element_type}")
        name = ELEMENTS[element_type][1]
        return stored(name) if name else np.dtype(object)
    return np.dtype(element_type)


def _type_name(array):
    if array.dtype.kind in "OUS":
        return TYPE_NAMES["string"]
    if array.dtype.name not in TYPE_NAMES:
        raise InvalidInput(f"ONNX has no element type for {array.dtype}")
    return TYPE_NAMES[array.dtype.name]


class OrtValue:
    """A tensor, or a list of them, as one value."""

    def __init__(self, value):
        self._value = value

    @staticmethod
    def ortvalue_from_numpy(numpy_obj, device_type="cpu", device_id=0):
        """A value in the memory of an array."""
        _check_device(device_type, device_id)
        value = np.asarray(numpy_obj)
        _type_name(value)
        return OrtValue(value)

    @staticmethod
    def ortvalue_from_shape_and_type(shape, element_type, device_type="cpu",
                                     device_id=0):
        """A value with room for such a tensor, whose elements are arbitrary."""
        _check_device(device_type, device_id)
        return OrtValue(np.empty(tuple(shape), _dtype(element_type)))

    def _tensor(self):
        if not self.is_tensor():
            raise InvalidInput("the value is no tensor")
        return self._value

    def numpy(self):
        """The array that the value lies in."""
        return self._tensor()

    def shape(self):
        return list(self._tensor().shape)

    def data_type(self):
        """Its type in ONNX Runtime's words: "tensor(float)"."""
        if self.is_tensor():
            return _type_name(self._value)
        if self.is_tensor_sequence():
            return f"seq({_type_name(self._value[0])})" if self._value \
                else "seq(undefined)"
        raise InvalidInput("the value has no type of its own")

    def data_ptr(self):
        """The address of its first element."""
        return self._tensor().ctypes.data

    def device_name(self):
        return "cpu"

    def has_value(self):
        return self._value is not None

    def is_tensor(self):
        return isinstance(self._value, np.ndarray)

    def is_sparse_tensor(self):
        return False

    def is_tensor_sequence(self):
        return isinstance(self._value, list) and \
            all(isinstance(value, np.ndarray) for value in self._value)

    def update_inplace(self, np_arr):
        """Writes an array of the same type and shape into the value."""
        array = np.asarray(np_arr)
        copy_into(self._tensor(), array, "the value")


def copy_into(target, array, what):
    """Writes ARRAY into another of its type and shape, which is WHAT."""
    if target.dtype != array.dtype or target.shape != array.shape:
        raise InvalidInput(f"{what} is {target.dtype} of shape {target.shape}, "
                           f"found {array.dtype} of shape {array.shape}")
    target[...] = array


def unwrap(feeds):
    """FEEDS with what lies in OrtValues in their place."""
    return {name: value._value if isinstance(value, OrtValue) else value
            for name, value in feeds.items()}


def _view(element_type, shape, address):
    """The array of that type and shape at an address."""
    dtype = _dtype(element_type)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if dtype.hasobject:
        raise InvalidInput("strings cannot be bound by their address")
    if size == 0:
        return np.empty(tuple(shape), dtype)
    if not address:
        raise InvalidInput("expected the address of a buffer")
    block = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(block, dtype).reshape(tuple(shape))


class IOBinding:
    """Inputs and outputs of a session's runs, bound to where they lie.

    Outputs that are bound without a place get one of their own in each run.
    """

    def __init__(self, session):
        self._inputs = {}
        self._outputs = {}   # the arrays to write into, or None
        self._results = {}
        self._known = [[value.name for value in values] for values in
                       (session.get_inputs(), session.get_outputs())]

    def _check(self, name, is_output):
        if name not in self._known[is_output]:
            what = "output" if is_output else "input"
            raise InvalidInput(
                f"the model has no {what} '{name}'; it has "
                + (", ".join(f"'{n}'" for n in self._known[is_output])
                   or "none"))

    def bind_cpu_input(self, name, arr_on_cpu):
        """Binds an array, whose elements are read by each run."""
        self._check(name, False)
        self._inputs[name] = arr_on_cpu

    def bind_input(self, name, device_type, device_id, element_type, shape,
                   buffer_ptr):
        """Binds what lies at an address."""
        _check_device(device_type, device_id)
        self.bind_cpu_input(name, _view(element_type, shape, buffer_ptr))

    def bind_ortvalue_input(self, name, ortvalue):
        self._check(name, False)
        self._inputs[name] = ortvalue._value

    def bind_output(self, name, device_type="cpu", device_id=0,
                    element_type=None, shape=None, buffer_ptr=None):
        """Binds an output, to what lies at an address if one is given."""
        _check_device(device_type, device_id)
        self._check(name, True)
        place = None
        if buffer_ptr is not None:
            if element_type is None or shape is None:
                raise InvalidInput(f"output '{name}' needs the type and the "
                                   "shape of its buffer")
            place = _view(element_type, shape, buffer_ptr)
        elif shape is not None and element_type is not None:
            place = np.empty(tuple(shape), _dtype(element_type))
        self._outputs[name] = place

    def bind_ortvalue_output(self, name, ortvalue):
        self._check(name, True)
        self._outputs[name] = ortvalue._tensor()

    def synchronize_inputs(self):
        """Has nothing to wait for: all is in the CPU's memory."""

    def synchronize_outputs(self):
        """Has nothing to wait for: all is in the CPU's memory."""

    def clear_binding_inputs(self):
        self._inputs = {}

    def clear_binding_outputs(self):
        self._outputs, self._results = {}, {}

    def get_outputs(self):
        """The outputs of the last run as OrtValues, in the order bound."""
        return [OrtValue(self._results[name]) for name in self._outputs
                if name in self._results]

    def copy_outputs_to_cpu(self):
        """The same as arrays of their own."""
        return [value.copy() if isinstance(value, np.ndarray) else value
                for value in (self._results[name] for name in self._outputs
                              if name in self._results)]

    def run(self, call):
        """Has `call(feeds, outputs)` compute the outputs that are bound."""
        if not self._outputs:
            raise InvalidInput("no output is bound")
        places = {name: place for name, place in self._outputs.items()
                  if place is not None}
        results = call(self._inputs, places)
        self._results = {name: results[name] for name in self._outputs}
