# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tolerances are stated in one place, with their reasons."""

import re

from nacre import cli, tolerances


def stated():
    return {name: value for name, value in vars(tolerances).items()
            if isinstance(value, tolerances.Tolerance)}


def test_every_tolerance_has_a_reason_of_its_own():
    reasons = [value.reason for value in stated().values()]
    assert all(reasons) and len(set(reasons)) == len(reasons)


def test_comparisons_laxer_than_the_default_name_their_tolerance():
    for file in (cli.ROOT / "python").rglob("*.py"):
        for what, number in re.findall(r"(?<!-)\b([ar]tol)=([\d.][\d.e+-]*)",
                                       file.read_text()):
            assert float(number) <= tolerances.DEFAULT[what], file


def test_every_tolerance_is_used():
    text = "".join(file.read_text()
                   for file in (cli.ROOT / "python").rglob("*.py"))
    for name in stated():
        assert f"tolerances.{name}" in text, name


def test_check_applies_what_is_stated():
    text = re.sub(r"\s+", " ", cli.nacre("check", "--help"))
    check, bfloat16 = tolerances.CHECK, tolerances.CHECK_BFLOAT16
    assert f"relative tolerance (default {exponent(check['rtol'])})" in text
    assert f"absolute tolerance (default {exponent(check['atol'])})" in text
    assert f"rtol is {bfloat16['rtol']} and {bfloat16['rtol']} of the" in text


def exponent(number):
    return re.sub("e-0", "e-", f"{number:.0e}")
