# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test runners themselves: a runner that misses a failure is worse than
no test."""

import json
import re
import subprocess
import sys

import pytest

import check_tidy
import damaged_models
import run_tests
from nacre import cli, suite


def outcome(name, kind):
    return suite.Outcome(name, kind, 0.1, "")


def names(outcomes):
    return [o.name for o in outcomes]


def test_judge_sorts_outcomes_by_expectation():
    passed, failed, skipped, new = suite.judge(
        [outcome("kept", suite.PASS), outcome("lost", suite.UNSUPPORTED),
         outcome("won", suite.PASS), outcome("refused", suite.UNSUPPORTED),
         outcome("crashed", suite.CRASH), outcome("hung", suite.TIMEOUT)],
        expected={"kept", "lost", "vanished"})
    assert names(passed) == ["kept", "won"]
    assert names(failed) == ["lost", "crashed", "hung", "vanished"]
    assert names(skipped) == ["refused"]
    assert names(new) == ["won"]


@pytest.mark.parametrize("code, lines, kind", [
    (0, ["y: 0 0", "PASS"], suite.PASS),
    (0, [""], suite.NO_MESSAGE),
    (1, ["FAIL"], suite.DIFFERS),
    (2, ["error: unsupported"], suite.UNSUPPORTED),
    (2, [""], suite.NO_MESSAGE),
    (3, ["error: no such file"], suite.BAD_INPUT),
    (70, ["internal error"], suite.CRASH),
    (-11, [""], suite.CRASH),
])
def test_classify_follows_the_exit_codes(code, lines, kind):
    assert suite.classify(code, lines) == kind


def test_expected_passes_only_grow(tmp_path):
    path = tmp_path / "expected.txt"
    path.write_text("# why\ntest_b cpu\ntest_a cpu reference\n")
    expected = suite.ExpectedPasses(path)
    expected.add(["test_c", "test_b"], "interpreter")
    expected.write()
    assert path.read_text() == ("# why\ntest_a cpu reference\n"
                                "test_b cpu interpreter\ntest_c interpreter\n")


def test_lit_totals_are_read():
    lines = ["Testing Time: 1.2s", "", "Total Discovered Tests: 10",
             "  Unsupported      : 2 (20.00%)", "  Passed           : 5 (50%)",
             "  Expectedly Failed: 1 (10.00%)", "  Failed           : 2 (20%)"]
    assert run_tests.lit_totals(lines) == (6, 2, 2)


def test_lit_totals_of_many_and_few_are_read():
    """Lit aligns numbers at their last digit."""
    lines = ["Total Discovered Tests: 412", "  Unsupported:   2 (0.49%)",
             "  Passed     : 407 (98.79%)", "  Failed     :   3 (0.73%)"]
    assert run_tests.lit_totals(lines) == (407, 3, 2)


def test_gtest_totals_are_read():
    lines = ["[==========] 12 tests from 3 test suites ran. (5 ms total)",
             "[  PASSED  ] 10 tests.", "[  SKIPPED ] 1 test, listed below:",
             "[  SKIPPED ] A.b", "[  FAILED  ] 1 test, listed below:",
             "[  FAILED  ] A.c"]
    assert run_tests.gtest_totals(lines) == (10, 1, 1)


def test_pytest_totals_are_read():
    lines = ["a.py::test_1 passed in spirit",
             "=== 1 failed, 12 passed, 3 skipped, 1 error in 0.52s ==="]
    assert run_tests.pytest_totals(lines) == (12, 2, 3)


def test_own_totals_are_read():
    assert run_tests.own_totals([suite.summary(7, 2, 11)]) == (7, 2, 11)


@pytest.mark.parametrize("script, totals", [
    ("print('suite total: 3 passed, 0 failed, 1 skipped')", (3, 0, 1)),
    # Died before it could count.
    ("import sys; sys.exit(1)", (0, 1, 0)),
    ("import os; os.abort()", (0, 1, 0)),
    # Found nothing to do.
    ("pass", (0, 1, 0)),
])
def test_run_counts_a_suite_that_ends_badly(script, totals):
    fake = run_tests.Suite("fake", "", [sys.executable, "-c", script],
                           run_tests.own_totals)
    assert run_tests.run(fake) == totals


def test_run_counts_a_suite_that_does_not_start():
    fake = run_tests.Suite("fake", "", ["/nonexistent"], run_tests.own_totals)
    assert run_tests.run(fake) == (0, 1, 0)


def damaged(script):
    """The damaged-model verdict on a child that runs SCRIPT."""
    result = damaged_models.run([sys.executable, "-c", script])
    return damaged_models.verdict(*result, allowed={0, 2, 3})


def test_damaged_verdict_accepts_a_refusal_with_a_message():
    assert damaged("print('error: cut short'); exit(3)") is None


@pytest.mark.parametrize("script, complaint", [
    ("exit(3)", "without a message"),
    ("exit(70)", "exit code 70"),
    ("import os; os.abort()", "SIGABRT"),
    ("exit(1)", "exit code 1"),
])
def test_damaged_verdict_complains_of(script, complaint):
    assert complaint in damaged(script)


def test_damaged_verdict_complains_of_hangs_and_memory(monkeypatch):
    monkeypatch.setattr(damaged_models, "SECONDS", 0.5)
    monkeypatch.setattr(damaged_models, "MEMORY_BYTES", 50 << 20)
    assert "no end" in damaged("import time; time.sleep(60)")
    assert "of memory" in damaged("x = b'1' * (100 << 20)")


def test_damage_is_the_same_every_time():
    import random
    content = bytes(range(256)) * 40
    first, second = (damaged_models.damage(content, random.Random(5))
                     for _ in range(2))
    assert first == second and first[0] != content


def test_run_tests_rejects_an_unknown_suite():
    process = subprocess.run([sys.executable, run_tests.__file__, "nonsense"],
                             stderr=subprocess.PIPE, text=True)
    assert process.returncode == 2
    assert "unknown suite 'nonsense'" in process.stderr


def test_ctest_runs_every_suite():
    lists = (cli.ROOT / "CMakeLists.txt").read_text()
    (named,) = re.findall(r"foreach\(suite (.*)\)", lists)
    assert named.split() == [suite.name for suite in
                             run_tests.suites(cli.ROOT / "build")]


def test_tidy_takes_what_changed_and_a_sample_of_the_rest():
    sources = [f"lib/{i:04}.cpp" for i in range(3200)] + ["lib/z.c"]
    sample = check_tidy.select(sources, set())
    assert 50 < len(sample) * check_tidy.STRIDE / 32 < 200
    other = next(name for name in sources if name not in sample)
    chosen = check_tidy.select(sources, {other, "lib/z.c", "README.md"})
    assert set(chosen) == {*sample, other}


def test_tidy_of_fewer_files_keeps_its_sample():
    sources = [f"lib/{i:04}.cpp" for i in range(640)]
    sample = check_tidy.select(sources, set())
    fewer = [name for name in sources if name != sample[0]]
    assert check_tidy.select(fewer, set()) == sample[1:]


def test_tidy_of_a_precompiled_header_parses_what_is_included():
    entry = {"directory": "/d", "file": "a.cpp", "command":
             "clang++ -Xclang -fno-pch-timestamp -Winvalid-pch -Xclang "
             "-include-pch -Xclang '/a b/x.pch' -Xclang -include -Xclang "
             "'/a b/x' -o a.o -c a.cpp"}
    assert check_tidy.without_precompiled(entry)["arguments"] == (
        "clang++ -Xclang -fno-pch-timestamp -Winvalid-pch "
        "-o a.o -c a.cpp".split())


def test_tidy_fails_on_a_warning(tmp_path):
    good, bad = tmp_path / "good.cpp", tmp_path / "bad.cpp"
    good.write_text("static int one() { return 1; }\n"
                    "int main() { return one(); }\n")
    bad.write_text("static int Bad_Name() { return 1; }\n"
                   "int main() { return Bad_Name(); }\n")
    (tmp_path / ".clang-tidy").write_text(
        (cli.ROOT / ".clang-tidy").read_text())
    (tmp_path / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(tmp_path), "file": str(path),
          "arguments": ["clang++", "-c", str(path)]} for path in (good, bad)]))
    assert check_tidy.check(tmp_path, str(good)) == (True, "")
    fine, text = check_tidy.check(tmp_path, str(bad))
    assert not fine and "Bad_Name" in text
