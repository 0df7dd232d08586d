# ===- memory.py - Blocks between pages that nobody may touch ---------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory in which an access beyond a block, or to one that was freed, ends the
process, and bytes that nobody may write show whether somebody did.

A block is what the runtime asks for: several temporaries may be parts of one, and
what the runtime keeps for a later run was not freed. So it keeps nothing for every
other run, in which temporaries have blocks of their own.
"""

import ctypes
import itertools

import numpy as np

_PAGE = 4096
_NONE, _READ_WRITE = 0, 3
_PRIVATE, _FIXED, _ANONYMOUS, _NO_RESERVE = 2, 0x10, 0x20, 0x4000
# What lies around a block, and in it until it is written: no number.
_AROUND, _FRESH = 0xA5, 0xFF

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int,
                       ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def _map(size, address=None):
    flags = _PRIVATE | _ANONYMOUS | _NO_RESERVE | (_FIXED if address else 0)
    found = _libc.mmap(address, size, _NONE, flags, -1, 0)
    if found == ctypes.c_void_p(-1).value:
        raise MemoryError(f"no {size} bytes")
    return found


def _bytes(address, size):
    return (ctypes.c_ubyte * size).from_address(address)


# A library may free what it allocated for as long as it is loaded.
_serving = []


class Memory:
    """Blocks of which three lie at the end of their pages, and each fourth at the
    start."""

    def __init__(self):
        self._blocks = {}
        self._turn = itertools.count()
        self._runs = itertools.count()
        self._library = None
        self.damaged = []
        self._functions = (
            ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t,
                             ctypes.c_size_t)(self.allocate),
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.free))

    def serve(self, library):
        """Gives the runtime of a library its memory."""
        library.nacre_set_allocator(*self._functions)
        self._library = library
        _serving.append(self)

    def begin_run(self):
        """Has the runtime give back what it keeps, every other time."""
        if self._library and next(self._runs) % 2:
            self._library.nacre_trim()

    def allocate(self, size, alignment):
        pages = -(-max(size, 1) // _PAGE) * _PAGE
        start = _map(pages + 2 * _PAGE)
        first = start + _PAGE
        _libc.mprotect(first, pages, _READ_WRITE)
        ctypes.memset(first, _AROUND, pages)
        # The fourth finds what is read in front of a block.
        room = pages - size if next(self._turn) % 4 else 0
        address = first + room // alignment * alignment
        ctypes.memset(address, _FRESH, size)
        self._blocks[address] = start, first, pages, size
        return address

    def free(self, address):
        if not address:
            return
        block = self._blocks.pop(address, None)
        if not block:
            self.damaged.append("a block that is not there was freed")
            return
        start, first, pages, size = block
        self._check(address, first, pages, size)
        _map(pages + 2 * _PAGE, start)

    def check(self):
        """Whether nothing was written around a block, nor freed twice."""
        for address, (_, first, pages, size) in [*self._blocks.items()]:
            self._check(address, first, pages, size)
        return not self.damaged

    def _check(self, address, first, pages, size):
        page = np.frombuffer(_bytes(first, pages), np.uint8)
        offset = address - first
        around = np.concatenate([page[:offset], page[offset + size:]])
        if (around != _AROUND).any():
            self.damaged.append(f"bytes beside a block of {size} were written")

    def place(self, array, alignment=None):
        """A copy of ARRAY in a block of its own."""
        array = np.asarray(array)
        address = self.allocate(array.nbytes, alignment or array.itemsize)
        copy = np.frombuffer(_bytes(address, array.nbytes), array.dtype) \
            if array.nbytes else np.empty(0, array.dtype)
        copy = copy.reshape(array.shape)
        copy[...] = array
        return copy

    def blank(self, shape, dtype, alignment):
        """An array that nothing was written into."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        address = self.allocate(size, alignment)
        return np.frombuffer(_bytes(address, size), dtype).reshape(shape) \
            if size else np.empty(shape, dtype)
