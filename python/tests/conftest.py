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


# What nacre says where a machine lacks instructions that a test asks for, and
# the architecture that has them: the one it names, or any with bf16.
_UNSUPPORTED = [
    (r"this CPU lacks instructions that the model was compiled for.*: ([\w-]+)",
     None),
    (r"the architecture [\w-]+ does not compute in bf16", "znver4")]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Skips tests that ask for what this machine does lack."""
    from backends import is_runnable

    outcome = yield
    if call.excinfo is None:
        return
    for pattern, architecture in _UNSUPPORTED:
        found = re.search(pattern, str(call.excinfo.value))
        if found and not is_runnable(architecture or found[1]):
            report = outcome.get_result()
            path, line, _ = item.location
            report.outcome = "skipped"
            report.longrepr = (path, line, found[0])
