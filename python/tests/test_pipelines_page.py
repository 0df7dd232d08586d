# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/Pipelines.md has every pass of the pipelines, in order, with a reason."""

import re
import subprocess

import pytest

from nacre import cli

PAGE = cli.ROOT / "docs" / "Pipelines.md"
EMPTY = "func.func @main() {\n  return\n}\n"
MOST_PASSES = 94
# What the page calls an option, and how the pipeline is given it.
SINGLE = {"winograd", "threads=1"}
ALL = {"winograd", "threads>1", "bf16", "profile", "hooks", "release-constants"}


def run_passes(pipeline, options):
    """The names that --dump-pass-pipeline prints, outer passes only."""
    flag = f"--{pipeline}={options}" if options else f"--{pipeline}"
    text = subprocess.run(
        [cli.tool("nacre-opt"), flag, "--dump-pass-pipeline", "-o", "/dev/null"],
        input=EMPTY, stderr=subprocess.PIPE, text=True, check=True).stderr
    lines = [line.strip() for line in text.splitlines()]
    names = [re.match(r"[\w-]+", line) for line in lines
             if not line.startswith(("Pass Manager", "builtin.module(",
                                     "func.func(", ")"))]
    return [name[0] for name in names if name]


def read_page():
    """The rows of each numbered section: name, option, reason."""
    sections = {}
    for number, text in re.findall(r"^## (\d)\. [^\n]*\n(.*?)(?=^## |\Z)",
                                   PAGE.read_text(), re.S | re.M):
        sections[int(number)] = re.findall(
            r"^\| `([\w-]+)`(?: \(([^)]+)\))? \| (.*?) \|", text, re.M)
    return sections


def select(sections, numbers, options):
    return [name for number in numbers for name, option, _ in sections[number]
            if not option or option in options]


@pytest.mark.parametrize("pipeline, arguments, numbers, options", [
    ("default-hw", "vpu-arch=x86-64", range(1, 8), SINGLE),
    ("default-hw", "vpu-arch=NPU37XX", range(1, 8), SINGLE),
    ("default-hw", "vpu-arch=sapphirerapids threads=2 bf16=true profile=true "
     "hooks=true release-constants=true", range(1, 8), ALL),
    ("default-hw", "vpu-arch=x86-64 winograd=false", range(1, 8), {"threads=1"}),
    ("ie-optimize", "", [1], SINGLE),
    ("hw-vpu", "vpu-arch=x86-64", range(1, 4), SINGLE),
    ("hw-loops", "vpu-arch=x86-64", range(1, 7), SINGLE),
    ("vpu-loops", "", range(4, 7), SINGLE),
    ("lower-to-llvm", "threads=2", [7], ALL),
    ("reference-sw", "vpu-arch=x86-64", [1, 8, 7], SINGLE),
    ("reference-hw", "vpu-arch=x86-64", [1, 9, 7], SINGLE),
    ("reference-hw", "vpu-arch=NPU40XX", [1, 9, 7], SINGLE)])
def test_page_names_every_pass_of_a_pipeline_in_order(pipeline, arguments,
                                                      numbers, options):
    if pipeline == "vpu-loops":
        whole = run_passes("hw-loops", "vpu-arch=x86-64")
        passes = whole[len(run_passes("hw-vpu", "vpu-arch=x86-64")):]
    else:
        passes = run_passes(pipeline, arguments)
    assert passes == select(read_page(), numbers, options)


def test_page_says_how_many_passes_default_hw_has():
    stated = int(re.search(r"`default-hw` has (\d+) passes", PAGE.read_text())[1])
    passes = run_passes("default-hw", "vpu-arch=host threads=2")
    assert len(passes) == stated, (
        "fewer passes are better: give the number only with a reason that the "
        "page's table states")
    # Each needs a purpose that no other one has: more of them is a step back.
    assert stated <= MOST_PASSES


@pytest.mark.parametrize("pipeline, first, last", [
    ("ie-prepare", "ie-infer-shapes", "cse"),
    ("ie-quantization", "ie-decompose", "ie-fold-quantization-scale")])
def test_parts_of_the_graphs_pipeline_are_as_the_page_says(pipeline, first,
                                                           last):
    whole = select(read_page(), [1], SINGLE)
    begin, end = whole.index(first), whole.index(last) + 1
    assert run_passes(pipeline, "") == whole[begin:end]


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """What follows each pass of a network's compilation, by the pass."""
    folder = tmp_path_factory.mktemp("dumps")
    cli.nacre("compile", cli.ROOT / "python/models/digits/digits.onnx",
              f"--dump-ir={folder / 'ir'}", "-o", folder / "digits.so")
    found = {}
    for file in sorted((folder / "ir").glob("*.mlir")):
        lines = file.read_text().split("{-#")[0].splitlines()
        found[file.stem.split("_", 1)[1]] = [
            line for line in lines if not line.startswith("module")]
    return found


@pytest.mark.parametrize("border, gone", [
    ("convert-layouts-to-copies", r"\bVPU\.(To|From)(Blocked|Matrices)\b"),
    ("convert-ie-to-linalg", r"\bIE\."),
    ("vpu-pack-weights", r"\bVPU\.PackWeights\b"),
    ("vpu-bufferize", r"\btensor<"),
    ("convert-vpu-to-vector", r"\bVPU\.[A-Z]\w+(\.| )")])
def test_what_the_page_says_is_gone_behind_a_border_was_there(dumps, border,
                                                              gone):
    passes = list(dumps)
    at = passes.index(border)
    assert any(re.search(gone, "\n".join(dumps[name]))
               for name in passes[:at])
    for name in passes[at:]:
        assert not re.search(gone, "\n".join(dumps[name])), name


def test_main_does_nothing_but_call_kernels_on_views(dumps):
    text = "\n".join(dumps["outline-kernels"])
    main = re.search(r"func\.func @main\(.*?^  }", text, re.S | re.M)[0]
    ops = set(re.findall(r"^ +(?:%\S+ = )?([a-z]+\.?\w+)", main, re.M))
    assert "call" in ops
    assert ops <= {"call", "return", "memref.view", "memref.subview",
                   "memref.expand_shape", "memref.collapse_shape",
                   "arith.constant"}


def test_page_gives_a_reason_for_each_pass():
    rows = [row for section in read_page().values() for row in section]
    assert len(rows) > 100
    assert [name for name, _, reason in rows if not reason.strip()] == []
