# ===- cli.py - The nacre command line from Python ------------------------=== #
"""Runs nacre's tools and names their exit codes."""

import collections
import enum
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Written by setup.py: the checkout that an installed package came from.
CHECKOUT_FILE = pathlib.Path(__file__).with_name("checkout.txt")


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


class InvalidInput(ValueError):
    """Something given to a model that does not fit it."""


def tool(name="nacre"):
    """The path of one of nacre's tools.

    They are in the folder that NACRE_BIN_DIR names, else in build/bin of the
    checkout, else on PATH.
    """
    folder = os.environ.get("NACRE_BIN_DIR")
    if folder:
        return str(pathlib.Path(folder) / name)
    root = ROOT
    if CHECKOUT_FILE.exists():
        root = pathlib.Path(CHECKOUT_FILE.read_text().strip())
    built = root / "build" / "bin" / name
    return str(built) if built.exists() else shutil.which(name) or str(built)


def nacre(*arguments, timeout=None):
    """Runs `nacre ARGUMENTS` and returns what it printed.

    Raises NacreError with the exit code and the message otherwise.
    """
    command = [tool(), *map(str, arguments)]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True,
                                 errors="replace", timeout=timeout)
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no nacre at '{command[0]}'; build it with `make build`, or let "
            "NACRE_BIN_DIR name the folder of its tools") from None
    if process.returncode != Exit.SUCCESS:
        message = process.stderr.strip() or process.stdout.strip()
        raise NacreError(command, process.returncode, message)
    return process.stdout


# A process starts with the peak of the one that forked it, which may hold a whole
# model: a small one in between gives a clean count.
_MEASURE = """
import os, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)
sys.exit(os.waitstatus_to_exitcode(status))
"""

# Peak of resident memory in bytes, and seconds of CPU time, which other
# processes do not stretch as they do the clock's.
Cost = collections.namedtuple("Cost", "memory seconds")


def measure(*arguments):
    """What `nacre ARGUMENTS` costs."""
    process = subprocess.run(
        [sys.executable, "-c", _MEASURE, tool(), *map(str, arguments)],
        stdout=subprocess.PIPE, text=True, check=True)
    memory, seconds = process.stdout.splitlines()[-1].split()
    return Cost(int(memory), float(seconds))


def output_file_name(name):
    """The file `nacre run --output-dir` writes the output NAME to."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_"
                   for c in name)
    return safe + ".npy"
