# ===- elf.py - Is a file a library to load? ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the system's loader takes for granted about a file. It maps what the
headers promise: of a truncated library the first access ends the process.
"""

import struct

from nacre.errors import InvalidInput

# Of the file's header: what tells the machine, where the program headers are.
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SHARED = 3
_MACHINES = {3: "i386", 40: "arm", 62: "x86-64", 183: "aarch64", 243: "riscv"}


def check_library(path):
    """Raises InvalidInput unless PATH is a whole library for this machine."""
    def refuse(reason):
        raise InvalidInput(f"cannot load the library '{path}': {reason}")

    try:
        with open(path, "rb") as file, open("/proc/self/exe", "rb") as own:
            header, host = file.read(_HEADER.size), own.read(_HEADER.size)
            size = file.seek(0, 2)
            if size == 0:
                refuse("the file is empty")
            if not header.startswith(b"\x7fELF"):
                refuse("it is no library")
            if size < _HEADER.size:
                refuse("it is truncated")
            fields, machine = _HEADER.unpack(header), _HEADER.unpack(host)[2]
            # Class and byte order, then the machine.
            if header[4:6] != host[4:6] or fields[2] != machine:
                refuse(f"it is for {_name(fields[2])}, and this machine is "
                       f"{_name(machine)}")
            if fields[1] != _SHARED:
                refuse("it is an object or a program")
            offset, count = fields[5], fields[10]
            file.seek(offset)
            table = file.read(count * _SEGMENT.size)
    except OSError as error:
        refuse(error.strerror)
    # A segment that has nothing in the file may begin behind its end.
    if len(table) < count * _SEGMENT.size or any(
            segment[5] > 0 and segment[2] + segment[5] > size
            for segment in _SEGMENT.iter_unpack(table)):
        refuse("it is truncated")


def _name(machine):
    return _MACHINES.get(machine, f"machine {machine}")
