#!/usr/bin/python3
# ===- differs.py - Do two backends disagree about a model? ------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says whether two backends disagree about a model: for nacre-reduce.

    nacre-reduce wrong.mlir --test=python/scripts/differs.py -o small.mlir

Exit code 1 means that the model is of interest: both backends run it, and an
output differs by more than the tolerances of `nacre check`. All else is 0, also
what does not run at all: a reduced model can be no model.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cli  # noqa: E402

RTOL, ATOL = 1e-3, 1e-5


def outputs(model, backend, options, folder):
    """The outputs by name; none where the backend does not run the model."""
    process = subprocess.run(
        [cli.tool(), "run", str(model), f"--backend={backend}", *options,
         "--output-dir", str(folder)], capture_output=True, check=False)
    if process.returncode != 0:
        return None
    listed = json.loads((folder / "outputs.json").read_text())
    return {entry["name"]: np.load(folder / entry["file"]) for entry in listed}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path,
                        help="a model as IE, or as ONNX")
    parser.add_argument("--backend", default="cpu",
                        help="cpu (default) or reference")
    parser.add_argument("--against", default="interpreter",
                        help="the backend that is right (default: interpreter)")
    parser.add_argument("--option", action="append", default=[],
                        help="an option of nacre run, as --option=--threads=2; "
                             "may be repeated")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nacre-") as scratch:
        found, expected = (
            outputs(arguments.model, backend, options,
                    pathlib.Path(scratch) / backend)
            for backend, options in ((arguments.backend, arguments.option),
                                     (arguments.against, [])))
    if found is None or expected is None or found.keys() != expected.keys():
        return 0
    for name, right in expected.items():
        if found[name].shape != right.shape or not np.allclose(
                found[name].astype(np.float64), right.astype(np.float64),
                rtol=RTOL, atol=ATOL, equal_nan=True):
            print(f"{name} differs")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
