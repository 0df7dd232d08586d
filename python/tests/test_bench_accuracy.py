# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of how accurate quantized models are."""

import re
import subprocess
import sys

import pytest

from nacre import cli

SCRIPT = cli.ROOT / "python" / "scripts" / "bench_accuracy.py"


def bench(*arguments):
    return subprocess.run([sys.executable, str(SCRIPT), *arguments],
                          capture_output=True, text=True)


def test_digits_reach_their_floor():
    pytest.importorskip("sklearn")
    done = bench("digits", "--recipe=minmax-tensor-s8",
                 "--recipe=minmax-channel-u8", "--no-repairs")
    assert done.returncode == 0, done.stdout + done.stderr
    row = done.stdout.splitlines()[-1]
    default, recipe = map(float, re.findall(r"([\d.]+) dB", row)[:2])
    assert default > 35 and default > recipe - 0.5
    assert re.search(r"35[89]|360 of 360", row)


@pytest.mark.parametrize("arguments", [["nothing"], ["--recipe=none"]])
def test_unknown_names_are_refused(arguments):
    done = bench(*arguments)
    assert done.returncode == 2 and arguments[0][-4:] in done.stderr
