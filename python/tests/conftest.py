# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the nacre package and the scripts on the path of the tests, keeps what
they compile out of the user's cache, and skips what this machine cannot run."""

import os
import pathlib
import re
import sys
import tempfile

import pytest

PYTHON = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PYTHON), str(PYTHON / "scripts")]

# Until this process ends. Subprocesses of the tests inherit the folder.
_CACHE = tempfile.TemporaryDirectory(prefix="nacre-cache-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name
os.environ.pop("NACRE_CACHE_SIZE", None)


# What nacre says where a machine lacks instructions that a test asks for: the
# architectures of a library come last.
_LACKS_CPU = re.compile("this CPU lacks instructions that the model was "
                        r"compiled for.*: ([-\w]+(?:, [-\w]+)*)")
_LACKS_BF16 = re.compile(r"the architecture ([-\w]+) does not compute in bf16")


def _find_lack(message):
    """The words of MESSAGE that say what this machine does lack, or None."""
    from backends import is_runnable, lacks_bf16

    if found := _LACKS_CPU.search(message):
        return None if any(map(is_runnable, found[1].split(", "))) else found[0]
    found = _LACKS_BF16.search(message)
    return found[0] if found and lacks_bf16(found[1]) else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Skips tests that ask for what this machine does lack."""
    outcome = yield
    # An assertion may quote such a message; NacreError is a RuntimeError.
    if call.excinfo is None or not isinstance(call.excinfo.value, RuntimeError):
        return
    if reason := _find_lack(str(call.excinfo.value)):
        report = outcome.get_result()
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, line + 1, reason)
