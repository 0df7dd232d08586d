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


# What nacre says where a machine lacks instructions that a test asks for. The
# architectures of a library come last, or the one that computes in no bf16.
_UNSUPPORTED = [
    r"this CPU lacks instructions that the model was compiled for.*: ([-\w, ]+)",
    r"the architecture ([-\w]+) does not compute in bf16"]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Skips tests that ask for what this machine does lack."""
    from backends import is_runnable, lacks_bf16
    from nacre.errors import NacreError

    outcome = yield
    if call.excinfo is None or not isinstance(call.excinfo.value,
                                              (NacreError, RuntimeError)):
        return
    lacks_cpu, lacks_type = (re.search(pattern, str(call.excinfo.value))
                             for pattern in _UNSUPPORTED)
    if lacks_cpu:
        found = lacks_cpu
        is_left = not any(map(is_runnable, found[1].strip().split(", ")))
    elif lacks_type:
        found = lacks_type
        is_left = lacks_bf16(found[1])
    else:
        return
    if is_left:
        report = outcome.get_result()
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, line + 1, found[0])
