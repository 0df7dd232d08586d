# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nacre.compiled against a library written by hand to the C interface."""

import json
import os
import subprocess

import numpy as np
import pytest

from nacre.compiled import CompiledModel

METADATA = {
    "name": "twice", "architectures": ["x86-64-v3"], "threads": 1,
    "arena_bytes": 100, "arena_alignment": 64, "weight_bytes": 0,
    "inputs": [{"name": "x/0", "c_name": "x_0", "type": "float32",
                "shape": [2, 3]},
               {"name": "n", "c_name": "n", "type": "int64", "shape": []}],
    "outputs": [{"name": "y", "c_name": "y", "type": "float32",
                 "shape": [2, 3]}],
}

SOURCE = """
#include <stdint.h>
struct twice_inputs { const float *x_0; const int64_t *n; };
struct twice_outputs { float *y; };
const char nacre_model_metadata[] = %s;
const char *nacre_model_architecture(void) { return "x86-64-v3"; }
int nacre_model_run(const struct twice_inputs *in, struct twice_outputs *out,
              void *arena) {
  if ((uintptr_t)arena %% 64)
    return 1;
  for (int i = 0; i < 100; ++i)
    ((char *)arena)[i] = 1;
  for (int i = 0; i < 6; ++i)
    out->y[i] = *in->n * in->x_0[i];
  return *in->n < 0;
}
"""


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twice")
    source = folder / "twice.c"
    source.write_text(SOURCE % json.dumps(json.dumps(METADATA)))
    library = folder / "twice.so"
    subprocess.run(["/usr/lib/llvm-22/bin/clang", "-shared", "-fPIC",
                    str(source), "-o", str(library)], check=True)
    return CompiledModel(library)


def test_run_maps_names_to_arrays(twice):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = twice.run({"x/0": x, "n": np.array(2)})
    np.testing.assert_array_equal(result["y"], 2 * x)


def test_run_accepts_strided_input(twice):
    x = np.arange(6, dtype=np.float32).reshape(3, 2).T
    result = twice.run({"x/0": x, "n": np.array(1)})
    np.testing.assert_array_equal(result["y"], x)


def test_run_with_wrong_shape_says_what_was_expected(twice):
    with pytest.raises(ValueError, match=r"expects float32 of shape \(2, 3\)"):
        twice.run({"x/0": np.zeros((3, 2), np.float32), "n": np.array(1)})


def test_run_without_an_input_names_it(twice):
    with pytest.raises(ValueError, match="no array for input 'n'"):
        twice.run({"x/0": np.zeros((2, 3), np.float32)})


def test_run_of_an_unknown_input_names_those_there_are(twice):
    with pytest.raises(ValueError, match="no input 'z'; it has 'x/0', 'n'"):
        twice.run({"z": np.zeros((2, 3), np.float32)})


def test_run_turns_a_status_into_an_error(twice):
    with pytest.raises(RuntimeError, match="lacks instructions .*x86-64"):
        twice.run({"x/0": np.zeros((2, 3), np.float32), "n": np.array(-1)})


def test_run_writes_into_the_array_given(twice):
    x, y = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    result = twice.run({"x/0": x, "n": np.array(3)}, {"y": y})
    assert result["y"] is y
    np.testing.assert_array_equal(y, 3 * x)


def test_run_into_an_array_that_overlaps_an_input_is_refused(twice):
    x = np.ones((2, 3), np.float32)
    with pytest.raises(ValueError, match="output 'y' overlaps"):
        twice.run({"x/0": x, "n": np.array(3)}, {"y": x})


@pytest.mark.parametrize("change, reason", [
    (lambda data: b"no library", "it is no library"),
    (lambda data: b"", "the file is empty"),
    (lambda data: data[:40], "it is truncated"),
    (lambda data: data[:len(data) // 4], "it is truncated"),
    (lambda data: data[:18] + b"\x28\0" + data[20:], "it is for arm"),
    (lambda data: data[:16] + b"\1\0" + data[18:], "an object or a program")])
def test_a_damaged_library_is_refused(twice, tmp_path, change, reason):
    path = tmp_path / "damaged.so"
    with open(twice._library._name, "rb") as whole:
        path.write_bytes(change(whole.read()))
    with pytest.raises(ValueError, match=reason):
        CompiledModel(path)


def test_a_library_that_nacre_did_not_make_is_refused():
    with pytest.raises(ValueError, match="nacre made none without"):
        CompiledModel(f"/lib/{os.uname().machine}-linux-gnu/libm.so.6")


def test_a_renamed_library_is_found_by_its_stable_names(twice, tmp_path):
    renamed = tmp_path / "libthrice.so.1.2"
    with open(twice._library._name, "rb") as library:
        renamed.write_bytes(library.read())
    assert CompiledModel(renamed).name == "twice"
