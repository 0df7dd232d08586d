# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the nacre package and the scripts on the path of the tests, and keeps
what they compile out of the user's cache."""

import os
import pathlib
import sys
import tempfile

PYTHON = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PYTHON), str(PYTHON / "scripts")]

# Until this process ends. Subprocesses of the tests inherit the folder.
_CACHE = tempfile.TemporaryDirectory(prefix="nacre-cache-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name
os.environ.pop("NACRE_CACHE_SIZE", None)
