# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that every file of the project keeps."""

import graphlib
import pathlib
import posixpath
import re
import subprocess

from nacre import cli

IDENTIFIER = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SOURCES = {".c", ".cmake", ".cpp", ".def", ".h", ".py", ".sh", ".td"}
# What the top of the project holds; anything else is a stray file.
TOP = {".ci", ".clang-format", ".clang-tidy", ".github", ".gitignore",
       "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
       "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "VERSION",
       "docs", "include", "lib", "python", "tblgen", "test", "tools",
       "unittests"}


def tracked():
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=cli.ROOT, check=True,
        stdout=subprocess.PIPE, text=True).stdout
    return [name for name in listing.split("\0") if name]


def test_top_level_has_nothing_else():
    assert {name.split("/")[0] for name in tracked()} <= TOP


def test_file_names_are_plain():
    for name in tracked():
        assert all(c.isascii() and (c.isalnum() or c in "._-/") for c in name)
        assert not any(part.startswith("-") or part.endswith("-")
                       for part in name.split("/")), name


def test_sources_name_their_license():
    for name in tracked():
        path = cli.ROOT / name
        if path.suffix in SOURCES or path.name in ("CMakeLists.txt", "Makefile"):
            head = path.read_text().splitlines()[:6]
            assert any(IDENTIFIER in line for line in head), name


def room(name):
    """The library that a file belongs to. IE's IR has its Utils, the importer its
    expansions; a header of a library's name, beside its folder, is the library's."""
    path = str(pathlib.PurePosixPath(name).parent)
    for prefix in ("include/nacre/", "include/", "lib/"):
        path = path.removeprefix(prefix)
    own = posixpath.join(path, pathlib.PurePosixPath(name).stem)
    if (cli.ROOT / "lib" / own / "CMakeLists.txt").exists():
        return own
    return path.replace("IE/Utils", "IE/IR").replace("/Expansions", "")


def included(name, files):
    """The files of the project that a file includes."""
    for path in re.findall(r'^#include "([^"]+)"', (cli.ROOT / name).read_text(),
                           re.MULTILINE):
        for found in (posixpath.join("include", path), posixpath.normpath(
                posixpath.join(posixpath.dirname(name), path))):
            if found in files:
                yield found
                break
        else:
            if path.startswith("nacre/"):
                # Generated from the .td file of that name.
                yield posixpath.join("include", path)


def include_graph():
    files = set(tracked())
    graph = {}
    for name in files:
        if name.startswith(("include/nacre/", "lib/")) and \
                name.endswith((".h", ".cpp", ".c")):
            graph.setdefault(room(name), set()).update(
                room(found) for found in included(name, files))
    return {key: value - {key} for key, value in graph.items()}


def reachable(graph, start):
    seen, left = set(), [start]
    while left:
        for after in graph.get(left.pop(), set()) - seen:
            seen.add(after)
            left.append(after)
    return seen


def find_circle(graph):
    """Libraries of which each includes the one before it, and the first is the
    last; none where there are no such."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def test_circles_of_folders_are_found():
    assert not find_circle({"A": {"B", "C"}, "B": {"C"}, "C": set()})
    circle = find_circle({"A": {"B"}, "B": {"C"}, "C": {"B"}, "D": {"A"}})
    assert sorted(circle[1:]) == ["B", "C"] and circle[0] == circle[-1]


def test_folders_with_sources_are_libraries():
    files = set(tracked())
    for name in files:
        if name.startswith("lib/") and name.endswith((".cpp", ".c")):
            assert f"lib/{room(name)}/CMakeLists.txt" in files, name


def test_folders_do_not_include_each_other_in_a_circle():
    graph = include_graph()
    assert "Interpreter" in graph["Dialect/IE/Transforms"]
    assert "Conversion/RuntimeCalls" in graph["Transforms/Buffer"]
    assert " is included by ".join(find_circle(graph)) == ""


def test_dialect_of_the_model_does_not_know_the_machine():
    graph = include_graph()
    for name in ("Dialect/IE/IR", "Dialect/IE/Transforms", "Import/ONNX",
                 "Export/ONNX", "Interpreter"):
        assert not [other for other in reachable(graph, name)
                    if other.startswith("Dialect/VPU")], name
    for name in ("Dialect/IE/IR", "Dialect/IE/Transforms", "Interpreter"):
        assert "Runtime" not in reachable(graph, name), name


def test_glossary_points_at_what_there_is():
    """Names in code are of files, passes, options and ops."""
    source = "\n".join(
        (cli.ROOT / name).read_text() for name in tracked()
        if name.startswith(("include/", "lib/", "tblgen/"))
        and name.endswith((".h", ".cpp", ".td", ".c")))
    files = "\n".join(tracked())
    text = (cli.ROOT / "docs" / "Glossary.md").read_text()
    names = [name for name in re.findall(r"`([^`]+)`", text) if len(name) > 1]
    assert len(names) > 20
    for name in names:
        stem = name.removeprefix("NAME").removeprefix("VPU.").rstrip(".*")
        assert stem in files or stem in source, name


# Two or three ops are told apart by what a pass does with each of them. More, that
# are treated alike, are a property that the next op may have as well: a trait or an
# interface in its definition, so that adding the op touches no pass.
MOST_LISTED = 3


def listed_ops(text):
    """The lists of nacre's own ops that a source treats alike: what isa<> is given,
    and the cases of a TypeSwitch, unless each op has a function of its own."""
    lists = re.finditer(
        r"\b(?:isa(?:_and_\w+)?|Case)<((?:\s*(?:IE::|VPU::)?\w+Op\s*,?)+)>"
        r"\((?!\s*\[[^\]]*\]\(auto )", text)
    return [re.findall(r"\w+Op\b", found.group(1)) for found in lists]


def test_lists_of_ops_are_found():
    assert listed_ops("isa<IE::AddOp,\n IE::SubOp>(op)") == [["AddOp", "SubOp"]]
    assert listed_ops(".Case<AddOp, SubOp>([&](Operation *op) {") == \
        [["AddOp", "SubOp"]]
    assert listed_ops(".Case<IE::AddOp, IE::SubOp>(isSum)")
    assert not listed_ops(".Case<IE::AddOp, IE::SubOp>([&](auto op) {")
    assert not listed_ops("isa<arith::AddIOp, arith::SubIOp>(op)")


def test_passes_ask_ops_for_traits_instead_of_listing_them():
    for name in tracked():
        if name.startswith(("lib/Conversion/", "lib/Transforms/",
                            "lib/Dialect/")) and name.endswith((".h", ".cpp")):
            for ops in listed_ops((cli.ROOT / name).read_text()):
                assert len(ops) <= MOST_LISTED, (name, ops)


def test_passes_ask_for_what_a_machine_has_not_which_kind_it_is():
    for name in tracked():
        is_pass = name.startswith(("lib/Conversion/", "lib/Transforms/",
                                   "lib/Dialect/"))
        # Makes the attribute that answers.
        if is_pass and not name.endswith("InitCompiler.cpp"):
            assert "isNPU" not in (cli.ROOT / name).read_text(), name
            assert "ArchKind::" not in (cli.ROOT / name).read_text(), name


# Names that passes give to numbers of a machine, and what they compare with some.
MACHINE_NUMBERS = re.compile(
    r"\bk\w*(?:Line|Cache|Latency|Stack|Cycles|Bandwidth)\w* *=[^;]*\b[1-9]\d"
    r"|\b(?:\w*[rR]egisters|\w*[lL]anes|getRegisters\(\)|getCmxBytes\(\))"
    r" *(?:[<>]=?|==) *\d\d")


def test_numbers_of_machines_are_found():
    for text in ("constexpr int64_t kLineBytes = 64;", "machine.registers <= 16",
                 "constexpr int64_t kMostStackBytes = int64_t(1) << 18;",
                 "arch.getCmxBytes() > 65536"):
        assert MACHINE_NUMBERS.search(text), text
    for text in ("kLineBits = kCacheLineBytes * 8", "getClusters() == 1",
                 "constexpr unsigned kSecondCache = 2;"):
        assert not MACHINE_NUMBERS.search(text), text


def test_numbers_of_machines_are_written_in_one_place():
    """In descriptors, or in the cost model with what measured them."""
    allowed = ("lib/Dialect/VPU/Cost/", "include/nacre/Dialect/VPU/Cost/")
    for name in tracked():
        if name.startswith(("lib/Conversion/", "lib/Transforms/", "lib/Dialect/",
                            "include/nacre/Dialect/")) and \
                name.endswith((".h", ".cpp")) and not name.startswith(allowed):
            # One of lanes names instructions of its width.
            found = MACHINE_NUMBERS.findall((cli.ROOT / name).read_text())
            expected = 1 if name.endswith("/DotIntrinsic.cpp") else 0
            assert len(found) == expected, (name, found)


# Names of numbers from which on something is done in another way.
THRESHOLD = re.compile(
    r"k(?:Most|Least|Max|Min|Few|Fewest|Many|Enough|Short|Shortest|Long|Longest"
    r"|Large|Largest|Small|Smallest|Narrow|Gain|Share|Portion)(?![a-z])\w*")

# Those in passes that are details of one algorithm, or bounds of code and of the time
# to compile: Architecture.md says what is. Any other is decided by a chooser, which
# writes it into a strategy, or is a number of the cost model.
DETAILS = {
    "lib/Conversion/IEToLinalg/ColumnTopK.cpp": ["kMostColumns"],
    # Rows that are worth a loop of vectors for themselves.
    "lib/Conversion/IEToLinalg/Cumulative.cpp": ["kLongRow"],
    # Tensors of so many parts take long to compile, and positions so small are
    # stored as such.
    "lib/Conversion/IEToLinalg/DataMovement.cpp": ["kMostInPlace", "kNarrow"],
    "lib/Conversion/IEToLinalg/Elementwise.cpp": ["kMostBits"],
    "lib/Conversion/IEToLinalg/Indexing.cpp": ["kFew"],
    "lib/Conversion/IEToLinalg/RadixSort.h": ["kFew"],
    "lib/Conversion/IEToLinalg/Resize.cpp": ["kMostTimes"],
    "lib/Conversion/IEToLinalg/Selection.cpp": ["kLeastPortion"],
    "lib/Conversion/IEToVPU/Common.cpp": ["kMaxInlineElements"],
    # A block that is nearly empty, and what floats hold.
    "lib/Conversion/IEToVPU/Convolution.cpp": ["kMostOfBlock", "kMostExact",
                                               "kMostProduct"],
    # What copying a matrix is worth.
    "lib/Conversion/IEToVPU/ExpandMatrices.cpp": ["kFewRows"],
    # How far sizes are traced.
    "lib/Conversion/IEToVPU/MixedSizes.cpp": ["kMaxDepth", "kMaxDepth"],
    # The largest table that a library should hold.
    "lib/Conversion/IEToVPU/Pooling.cpp": ["kLargest"],
    "lib/Conversion/IEToVPU/Volume.h": ["kMaxVolumeOps"],
    "lib/Conversion/VPUToVector/Copy.cpp": ["kMostInterleaved"],
    # The registers of a matrix unit have numbers.
    "lib/Conversion/VPUToVector/MatrixTile.cpp": ["kMostParts"],
    # The exponents of f16.
    "lib/Dialect/VPU/Transforms/NarrowWeights.cpp": ["kLeast"],
    "lib/Dialect/VPU/Transforms/WeightPacker.cpp": ["kMaxInlineElements"],
    # Bounds of what is unrolled and moved, against who writes strategies by hand.
    "lib/Dialect/VPU/Transforms/KernelLoops.cpp": ["kMostUnrolled", "kMostBits"],
    # What a plan may take.
    "lib/Transforms/Buffer/MemoryPlanner.cpp": ["kMostSteps", "kMostTries"],
    "lib/Transforms/Buffer/OutlineKernels.cpp": ["kMostKernels"],
    "lib/Transforms/Buffer/PlanMemory.cpp": ["kMostBytes", "kMostSizes"],
    "lib/Transforms/LLVM/CheckAllocations.cpp": ["kNarrow"],
    "lib/Transforms/LLVM/RollLongLoops.cpp": ["kLongLoop"],
    "lib/Transforms/Tensor/RecomputeBroadcasts.cpp": ["kMostClones"],
}

# Parts of choosers beside them, which verifiers ask as well.
DECIDES = re.compile(
    r"Chooser\.|Verifier\.|/(?:BlockFusion|CacheTile|KernelTiles|RowGroupFinder"
    r"|SoftwareStrategy)\.cpp$")


def thresholds(text):
    """The integers of a source that have such a name and a number for a value."""
    found = []
    for statement in re.findall(
            r"constexpr (?:u?int\d*_t|size_t|unsigned|int) ([^;]*);", text):
        for name, value in re.findall(r"(\bk\w+)\s*=\s*([^,]*)", statement):
            # A limit of a type or another constant is no number.
            literal = re.sub(r"\w*_t\b|\bk[A-Z]\w*", "", value)
            if THRESHOLD.fullmatch(name) and re.search(r"\d", literal) and \
                    "numeric_limits" not in value:
                found.append(name)
    return found


def passes():
    """The sources of what rewrites ops, but for the dialects themselves."""
    return [name for name in tracked()
            if name.startswith(("lib/Conversion/", "lib/Transforms/",
                                "lib/Dialect/VPU/Transforms/"))
            and name.endswith((".h", ".cpp"))]


def test_thresholds_are_found():
    assert thresholds("constexpr int64_t kBlock = 3, kMostRows = 1 << 4;") == \
        ["kMostRows"]
    assert thresholds("static constexpr size_t kFew =\n    2;") == ["kFew"]
    assert thresholds("  constexpr unsigned kShortest = 0x10;")
    for text in ("constexpr int64_t kMost = kNearBytes;",
                 "constexpr double kLeast = 0.5;",
                 "constexpr int64_t kMost = std::numeric_limits<int16_t>::max();",
                 "constexpr int64_t kFirst = 3;", "int64_t kMost = 3;"):
        assert not thresholds(text), text


def test_passes_have_no_thresholds_but_details():
    found = {name: thresholds((cli.ROOT / name).read_text()) for name in passes()
             if not DECIDES.search(name)}
    assert {name: names for name, names in found.items() if names} == DETAILS


# What the cost model knows of caches and memory, and descriptors.
SIZES = re.compile(r"\bget(?:CmxBytes|SharedCacheBytes|MemoryBytesPerCycle|"
                   r"CacheBytesPerCycle|DmaGigabytesPerSecond|ClockMHz)\(")


def test_sizes_of_caches_are_asked_for_by_who_decides():
    """Or by who must know what a scratchpad holds at all."""
    found = {name for name in passes() if not DECIDES.search(name)
             and SIZES.search((cli.ROOT / name).read_text())}
    assert found == {"lib/Conversion/IEToVPU/MatMul.cpp",
                     "lib/Conversion/IEToVPU/Pooling.cpp",
                     "lib/Dialect/VPU/Transforms/VerifyCMX.cpp"}
    for name in found:
        text = (cli.ROOT / name).read_text()
        assert "hasScratchpad()" in text and len(SIZES.findall(text)) <= 2, name


def test_typical_sizes_are_written_in_one_place():
    """What dynamic sizes are taken for, in whatever estimate."""
    typical = re.compile(r"\bk(?:Typical|Nominal|Expected|Assumed)\w*\s*=\s*\d")
    found = {name: len(typical.findall((cli.ROOT / name).read_text()))
             for name in tracked() if name.startswith(("include/", "lib/"))
             and name.endswith((".h", ".cpp"))}
    assert {name: count for name, count in found.items() if count} == \
        {"include/nacre/Dialect/VPU/IR/TypicalSizes.h": 2}


def test_options_of_passes_have_no_numbers_of_machines():
    """Sizes and cycles that a pass has by default are those of the cost model."""
    for name in tracked():
        if name.startswith("tblgen/") and name.endswith(".td"):
            text = (cli.ROOT / name).read_text()
            for option, default in re.findall(
                    r'Option<"\w+", "(min-[\w-]+)", "int64_t",'
                    r'\s*(?:/\*default=\*/)?"([^"]*)"', text):
                assert default.startswith("::nacre::VPU::k"), (name, option)


def test_kernels_have_tests_of_their_names():
    """Sources with a header of their own are parts of several kernels."""
    files = set(tracked())
    tests = {pathlib.PurePosixPath(name).stem.replace("-", "") for name in files
             if name.startswith("test/Conversion/VPUToVector/")}
    kernels = [pathlib.PurePosixPath(name).stem for name in files
               if name.startswith("lib/Conversion/VPUToVector/")
               and name.endswith(".cpp")
               and name.removesuffix(".cpp") + ".h" not in files]
    assert len(kernels) > 10
    for kernel in kernels:
        # The pass itself, which consists of them.
        assert kernel == "VPUToVector" or kernel.lower() in tests, kernel


def test_names_of_the_runtime_are_written_in_one_place():
    """Its own sources aside: functions on values by the conversion of their
    dialect, all others by a header."""
    allowed = ("lib/Runtime/", "lib/Conversion/RuntimeToFunc/RuntimeToFunc.cpp",
               "lib/Target/RuntimeObjects.cpp",
               "include/nacre/Runtime/FunctionNames.h")
    found = [name for name in tracked() if name.startswith(("lib/", "include/"))
             and not name.startswith(allowed)
             and '"nacre_' in (cli.ROOT / name).read_text()]
    assert not found
    assert all(any(name.startswith(place) for name in tracked())
               for place in allowed)


ATTRIBUTES = ("include/nacre/Dialect/Nacre/", "lib/Dialect/Nacre/")


def test_attributes_are_written_in_one_place():
    """Everything else names them by the helpers of their dialect, which verifies
    them. The Python package has the same name, hence sources in C++ alone."""
    # The names of an input and a result of a model, and no attributes.
    others = {"include/nacre/Dialect/IE/Transforms/SimulateQuantization.h":
              ['"nacre.quantization"', '"nacre.means"']}
    for name in tracked():
        if name.startswith(("include/", "lib/", "tools/", "unittests/")) and \
                name.endswith((".h", ".cpp")) and \
                not name.startswith(ATTRIBUTES):
            found = re.findall(r'"nacre\.[a-z_]+"',
                               (cli.ROOT / name).read_text())
            assert found == others.get(name, []), name


def test_attributes_are_all_described():
    """The dialect's description, from which its reference is made, has each
    attribute, and so have the verifier's table and its negative test."""
    dialect = (cli.ROOT / "tblgen/nacre/Dialect/Nacre/IR/NacreBase.td").read_text()
    declared = dialect[dialect.index("discardableAttrs"):]
    names = re.findall(r"\$(\w+)", declared[:declared.index(");")])
    assert len(names) > 20
    rules = (cli.ROOT / "lib/Dialect/Nacre/IR/Verifier.cpp").read_text()
    invalid = (cli.ROOT / "test/Dialect/Nacre/IR/invalid.mlir").read_text()
    for name in names:
        camel = "".join(part.capitalize() for part in name.split("_"))
        camel = {"Role": "ArgumentRole"}.get(camel, camel)
        assert f"| `nacre.{name}` |" in dialect, name
        assert f"makeRule<{camel}>" in rules, name
        assert f"expected 'nacre.{name}'" in invalid, name


def test_what_newer_onnx_packages_have_not_is_not_used():
    """They have no module `mapping`."""
    for name in tracked():
        if name.endswith(".py"):
            text = (cli.ROOT / name).read_text()
            assert not re.search(r"(from|import) onnx\.mapping|onnx\.mapping\.|"
                                 r"from onnx import .*\bmapping\b", text), name
