# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that every file of the project keeps."""

import subprocess

from nacre import cli

IDENTIFIER = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = {".c", ".cmake", ".cpp", ".def", ".h", ".py", ".sh", ".td"}
# What the top of the project holds; anything else is a stray file.
TOP = {".ci", ".clang-format", ".clang-tidy", ".github", ".gitignore",
       "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
       "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "VERSION",
       "docs", "include", "lib", "python", "tblgen", "test", "tools",
       "unittests"}


def tracked():
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=cli.ROOT, check=True,
        stdout=subprocess.PIPE, text=True).stdout
    return [name for name in listing.split("\0") if name]


def test_top_level_has_nothing_else():
    assert {name.split("/")[0] for name in tracked()} <= TOP


def test_file_names_are_plain():
    for name in tracked():
        assert all(c.isascii() and (c.isalnum() or c in "._-/") for c in name)
        assert not any(part.startswith("-") or part.endswith("-")
                       for part in name.split("/")), name


def test_sources_name_their_license():
    for name in tracked():
        path = cli.ROOT / name
        if path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Makefile"):
            head = path.read_text().splitlines()[:6]
            assert any(IDENTIFIER in line for line in head), name
