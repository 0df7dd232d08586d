# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a file of strategies without the entries of kernels."""

import json
import sys

with open(sys.argv[1]) as file:
    strategies = json.load(file)
strategies["ops"] = [entry for entry in strategies["ops"]
                     if entry["decides"] != "registers"]
json.dump(strategies, sys.stdout, indent=2)
