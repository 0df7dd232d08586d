# ===- cli.py - The nacre command line from Python ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs nacre's tools."""

import collections
import os
import pathlib
import shutil
import subprocess
import sys

# InvalidInput for those who know this module alone.
from nacre.errors import Exit, InvalidInput, NacreError, Timeout

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Written by setup.py: the checkout that an installed package came from.
CHECKOUT_FILE = pathlib.Path(__file__).with_name("checkout.txt")

# Written by setup.py, too; in a checkout the project's own.
VERSION_FILE = pathlib.Path(__file__).with_name("VERSION")
# How long a process that is to end may take to clean up.
_GRACE_SECONDS = 5


def version():
    """nacre's version, as "0.1.0"."""
    file = VERSION_FILE if VERSION_FILE.exists() else ROOT / "VERSION"
    return file.read_text().strip()


def tool(name="nacre"):
    """The path of one of nacre's tools.

    They are in the folder that NACRE_BIN_DIR names, else in bin of the prefix
    that the package is installed in together with them, else in build/bin of
    the checkout, else on PATH.
    """
    folder = os.environ.get("NACRE_BIN_DIR")
    if folder:
        return str(pathlib.Path(folder) / name)
    package = pathlib.Path(__file__).resolve().parent
    if package.parent.name == "dist-packages":
        installed = package.parents[3] / "bin" / name
        if installed.exists():
            return str(installed)
    root = ROOT
    if CHECKOUT_FILE.exists():
        root = pathlib.Path(CHECKOUT_FILE.read_text().strip())
    built = root / "build" / "bin" / name
    return str(built) if built.exists() else shutil.which(name) or str(built)


def nacre(*arguments, timeout=None):
    """Runs `nacre ARGUMENTS` and returns what it printed.

    Raises NacreError with the exit code and the message otherwise, and Timeout
    after `timeout` seconds.
    """
    command = [tool(), *map(str, arguments)]
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   errors="replace")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"no nacre at '{command[0]}'; build it with `make build`, or let "
            "NACRE_BIN_DIR name the folder of its tools") from None
    with process:
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            raise Timeout(f"`{' '.join(command)}` did not end within "
                          f"{timeout} s") from None
        except BaseException:
            _end(process)
            raise
    if process.returncode != Exit.SUCCESS:
        message = errors.strip() or output.strip()
        raise NacreError(command, process.returncode, message)
    return output


def _end(process):
    """Ends a process, which may first remove what it has begun to write."""
    process.terminate()
    try:
        process.communicate(timeout=_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


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
