# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the descriptions of ops in pages of the generated reference as pairs
of C++ literals, name and Markdown.

    embed_descriptions.py OUT PAGE...
"""

import pathlib
import re
import sys

OP = re.compile(r"^### `([^`\n]+)` \([^\n]*\)\n(.*?)(?=^#{1,3} |\Z)",
                re.DOTALL | re.MULTILINE)
# After the description come lists that the generic form or the page shows.
END = re.compile(r"^(Traits|Interfaces|Effects): |^#### ", re.MULTILINE)


def main(out, *pages):
    pairs = [(name, END.split(body)[0].strip())
             for page in pages
             for name, body in OP.findall(pathlib.Path(page).read_text())]
    assert pairs, "no ops in the reference"
    pathlib.Path(out).write_text("".join(
        f'{{"{name}", R"nacre({text})nacre"}},\n' for name, text in pairs))


main(*sys.argv[1:])
