# ===- cli.py - The nacre command line from Python ------------------------=== #
"""Runs nacre's tools and names their exit codes."""

import enum
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Exit(enum.IntEnum):
    """What an exit code of `nacre` means."""

    SUCCESS = 0
    DIFFERS = 1
    UNSUPPORTED = 2
    BAD_INPUT = 3
    INTERNAL = 70


class NacreError(RuntimeError):
    """A command of nacre's that did not succeed."""

    def __init__(self, command, code, message):
        super().__init__(f"`{' '.join(command)}` exited with {code}: {message}")
        self.code = code
        self.message = message


def tool(name="nacre"):
    """The path of one of nacre's tools."""
    folder = os.environ.get("NACRE_BIN_DIR") or ROOT / "build" / "bin"
    return str(pathlib.Path(folder) / name)


def nacre(*arguments, timeout=None):
    """Runs `nacre ARGUMENTS` and returns what it printed.

    Raises NacreError with the exit code and the message otherwise.
    """
    command = [tool(), *map(str, arguments)]
    process = subprocess.run(command, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, errors="replace", timeout=timeout)
    if process.returncode != Exit.SUCCESS:
        message = process.stderr.strip() or process.stdout.strip()
        raise NacreError(command, process.returncode, message)
    return process.stdout


def output_file_name(name):
    """The file `nacre run --output-dir` writes the output NAME to."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_"
                   for c in name)
    return safe + ".npy"
