#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and succeeds when it exits with the status given first.

usage: status.py STATUS COMMAND...

Scripts rely on the driver's exact exit statuses; `not` only tells success from
failure.
"""

import subprocess
import sys

expected = int(sys.argv[1])
actual = subprocess.call(sys.argv[2:])
if actual != expected:
    sys.exit(f"expected exit status {expected}, found {actual}")
