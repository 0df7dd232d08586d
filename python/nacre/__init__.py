# ===- __init__.py - nacre's Python package -------------------------------=== #
"""Drives the nacre compiler from Python.

  nacre.cli       runs the command line tool and turns its exit codes into
                  Python's terms
  nacre.compiled  loads a compiled model, a shared library, and calls it
  nacre.backend   `onnx.backend.base.Backend` on top of the command line
  nacre.builders  builds small ONNX models
  nacre.suite     runs `nacre check` over many folders of test data

Only `backend` and `builders` need the onnx package; nothing here needs more
than numpy otherwise. The tools are looked for in build/bin, or in the folder
that NACRE_BIN_DIR names.
"""
