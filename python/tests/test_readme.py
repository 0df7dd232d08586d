# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the README and the table of operators say is what the repository holds."""

import subprocess
import sys

from nacre import cli

README = (cli.ROOT / "README.md").read_text()


def test_table_of_what_works_is_up_to_date():
    script = cli.ROOT / "python" / "scripts" / "update_readme.py"
    process = subprocess.run([sys.executable, str(script), "--check"],
                             stdout=subprocess.PIPE, text=True)
    assert process.returncode == 0, process.stdout


def test_c_example_is_the_tested_file():
    example = (cli.ROOT / "docs" / "examples" / "digits.c").read_text()
    body = example[example.index("#include"):]
    assert f"```c\n{body}```\n" in README


def test_linked_files_exist():
    links = [part.split(")")[0] for part in README.split("](")[1:]]
    local = [link for link in links if not link.startswith("http")]
    assert local and all((cli.ROOT / link).exists() for link in local)


def test_table_of_operators_is_up_to_date():
    script = cli.ROOT / "python" / "scripts" / "update_operators.py"
    process = subprocess.run([sys.executable, str(script), "--check"],
                             stdout=subprocess.PIPE, text=True)
    assert process.returncode == 0, process.stdout
