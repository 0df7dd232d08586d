# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture files for tests, written without a library."""

import struct
import zlib

import numpy as np


def png(pixels):
    """PNG of uint8 or uint16 pixels: height x width of grey, or with 2 to 4
    channels."""
    pixels = np.asarray(pixels)
    height, width = pixels.shape[:2]
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]

    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    big = pixels.astype(pixels.dtype.newbyteorder(">"))
    rows = b"".join(b"\0" + row.tobytes() for row in big)
    header = struct.pack(">IIBBBBB", width, height, 8 * pixels.itemsize, kind,
                         0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pnm(pixels, largest=255):
    """PGM or PPM of height x width pixels, or of these with 3 channels."""
    kind = "P5" if pixels.ndim == 2 else "P6"
    height, width = pixels.shape[:2]
    return f"{kind}\n# made here\n{width} {height}\n{largest}\n".encode() + (
        pixels.astype(np.uint8 if largest < 256 else ">u2").tobytes())


def plain_pnm(pixels):
    """The same as text."""
    kind = "P2" if pixels.ndim == 2 else "P3"
    height, width = pixels.shape[:2]
    return (f"{kind} {width} {height} 255\n"
            + "\n".join(map(str, pixels.ravel()))).encode()
