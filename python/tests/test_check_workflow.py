# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of the whole workflow, entry by entry."""

import re
import subprocess
import sys

import numpy as np
import pytest

from nacre import cli

import workflow
import workflow_accuracy

SCRIPT = cli.ROOT / "python" / "scripts" / "check_workflow.py"
ENTRIES = ["accuracy", "ranges", "schemas", "speed", "repairs", "tune", "doors",
           "export", "bundle", "listing", "graph-passes", "instrumentation",
           "classify"]


def check(*arguments):
    return subprocess.run([sys.executable, str(SCRIPT), *arguments],
                          capture_output=True, text=True)


def test_list_names_the_entries():
    done = check("--list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ENTRIES
    # The tests that they run are there.
    for name in re.findall(r'"(test_\w+\.py)"', SCRIPT.read_text()):
        assert (workflow.PYTHON / "tests" / name).exists(), name


def test_entry_ends_with_a_table_of_what_was_measured():
    done = check("--only=classify")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n=== [1/1] classify: " in done.stdout
    assert re.search(r"^\| classify \| pytest test_classify\.py \| \d+ passed[^|]* \| "
                     r"0 failed \| pass \|$", done.stdout, re.MULTILINE)
    assert done.stdout.endswith("\n1 passed, 0 failed, 0 skipped\n")


def test_entry_of_which_nothing_is_here_does_not_pass():
    """No network has that name."""
    done = check("--only=accuracy", "--model=nothing")
    assert done.returncode == 1
    assert done.stdout.endswith("\n0 passed, 0 failed, 0 skipped\n")


@pytest.mark.parametrize("arguments", [["--only=nothing"], ["--times=some"]])
def test_unknown_names_are_refused(arguments):
    done = check(*arguments)
    assert done.returncode == 2 and arguments[0].split("=")[1] in done.stderr


def test_figure_that_misses_its_bound_fails():
    assert workflow.at_least("a", 2, 3).verdict == workflow.FAIL
    assert workflow.at_least("a", 3, 3, " dB") == (
        "a", "3 dB", "≥ 3 dB", workflow.PASS)
    assert workflow.at_most("a", 4, 3).verdict == workflow.FAIL
    assert workflow.at_most("a", float("nan"), 3).verdict == workflow.FAIL
    assert workflow.none_of("a", ["x"], 2) == (
        "a", "1 of 2: not x", "all", workflow.FAIL)
    assert workflow.none_of("a", [], 0).verdict == workflow.FAIL


def box(left, top, right, bottom):
    return np.float32([left, top, right, bottom])


def test_faces_are_matched_once_and_by_overlap():
    face, near, far = box(0, 0, 1, 1), box(0, 0, 1, 0.95), box(0, 0, 1, 0.8)
    count = workflow_accuracy.count_matches
    assert count([face], [near]) == 1
    assert count([face], [far]) == 0 and count([face], []) == 0
    assert count([face, near], [face]) == 1


def test_faces_that_overlap_are_one():
    boxes = np.stack([box(0, 0, .5, .5), box(0, 0, .5, .45), box(.5, .5, 1, 1),
                      box(0, .5, .5, 1)])
    scores = np.float32([[.1, .8], [.1, .9], [.2, .75], [.9, .1]])
    faces = workflow_accuracy.find_faces(scores, boxes)
    assert [list(face) for face in faces] == [list(boxes[1]), list(boxes[2])]
