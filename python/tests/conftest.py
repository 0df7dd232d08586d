"""Puts the nacre package and the scripts on the path of the tests."""

import pathlib
import sys

PYTHON = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PYTHON), str(PYTHON / "scripts")]
