# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tutorial and the page on plugins quote is in the tree."""

import re

import pytest

from nacre import cli

SOURCES = [path for folder in ("include", "lib", "tblgen", "unittests",
                               "test/lib")
           for path in sorted((cli.ROOT / folder).rglob("*"))
           if path.suffix in (".h", ".cpp", ".td")]


def normalize(code):
    """Without comments and white space."""
    return "".join(re.sub(r"//.*", "", code).split())


def find_quotes(page):
    text = (cli.ROOT / "docs" / page).read_text()
    blocks = re.findall(r"^```(?:c\+\+|tablegen)\n(.*?)^```", text,
                        re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    return blocks


@pytest.fixture(scope="module")
def sources():
    return [normalize(path.read_text()) for path in SOURCES]


@pytest.mark.parametrize("quote",
                         find_quotes("Tutorial.md") + find_quotes("Plugins.md"),
                         ids=lambda quote: quote.strip().splitlines()[0])
def test_quote_is_in_one_file_with_ellipses_for_what_is_left_out(quote,
                                                                 sources):
    parts = [re.escape(part) for part in normalize(quote).split("…")]
    pattern = re.compile(".*?".join(parts))
    assert any(pattern.search(source) for source in sources), quote
