# ===- setup.py - Installing nacre's Python package ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes in the package its version and which checkout it comes from.

The compiler itself is not part of the package: it stays in that checkout's
build folder. pyproject.toml says everything else.
"""

import pathlib

from setuptools import setup
from setuptools.command.build_py import build_py

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
VERSION = CHECKOUT / "VERSION"


class BuildWithCheckout(build_py):
    def run(self):
        super().run()
        folder = pathlib.Path(self.build_lib) / "nacre"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "VERSION").write_text(VERSION.read_text())
        (folder / "checkout.txt").write_text(f"{CHECKOUT}\n")


setup(version=VERSION.read_text().strip(), cmdclass={"build_py": BuildWithCheckout})
