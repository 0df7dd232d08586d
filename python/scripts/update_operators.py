#!/usr/bin/python3
# ===- update_operators.py - The table of operators ------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/Operators.md: which operators nacre takes, and what passes.

The operators come from the definitions of IE and from the importer's tables,
their versions from the onnx package, and the numbers from ONNX's backend tests
that test/Integration/onnx-node-expected.txt says must pass. --check only says
whether the page is up to date.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import onnx
import onnx.defs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from nacre import cases, cli, suite  # noqa: E402

PAGE = cli.ROOT / "docs" / "Operators.md"
LLVM = pathlib.Path("/usr/lib/llvm-22")
EXPANSIONS = cli.ROOT / "lib" / "Import" / "ONNX" / "Expansions"
DATA = pathlib.Path("/usr/share/libonnx-testdata/data")
# Models of one operator, and of a few.
KINDS = ("node", "simple")

# The first operator set of those that Debian's onnx package is too old to know.
NEWER = {"AffineGrid": 20, "Attention": 23, "BitCast": 26, "BitwiseAnd": 18,
         "BitwiseNot": 18, "BitwiseOr": 18, "BitwiseXor": 18,
         "CausalConvWithState": 27, "CenterCropPad": 18, "Col2Im": 18,
         "CumProd": 26, "DeformConv": 19, "Gelu": 20, "GroupNormalization": 18,
         "LinearAttention": 27, "Mish": 18,
         "RMSNormalization": 23, "RegexFullMatch": 20, "RotaryEmbedding": 23,
         "StringConcat": 20, "StringSplit": 20, "SwiGLU": 28, "Swish": 24,
         "TensorScatter": 24}
# What ONNX calls the elements that these words stand for.
FLOATS = {"float16", "bfloat16", "float32", "float64"}
INTEGERS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
WORDS = {frozenset(FLOATS): "floating point", frozenset(INTEGERS): "integer",
         frozenset(FLOATS | INTEGERS): "number",
         frozenset(FLOATS | INTEGERS | {"bool", "string"}): "any"}
# What the importer knows under a newer name.
RENAMED = {"Scatter": "ScatterElements", "Upsample": "Resize"}
# Operations of IE that are no operators.
INTERNAL = {"GettingStarted", "GettingStartedRepeat", "MapGet", "MapValues",
            "MaxPoolWithIndices", "Require", "Yield", "ZipMap"}
# Those that are operators of ONNX Runtime's domain.
CONTRIBUTED = {"MatMulNBits"}

HEAD = f"""# Operators

<!-- Written by python/scripts/update_operators.py -->

Which operators a model may use, and how many of ONNX's own tests of each pass
on the three [backends](Testing.md#three-backends). `nacre info model.onnx` says
the same of a model at hand.

- **Operator sets**: the versions that are taken, up to {cases.NEWEST}, the newest that is
  tested. What an older version said otherwise is adapted by the importer. A
  model of a newer one is taken as of that one, with a warning.
- **Elements**: of the operands, in their order, as the IE operation states them,
  or ONNX where there is none. "Any" are numbers, bool, string, complex64 and
  complex128, float8, float4 and integers of 4 and 2 bits; QuantizeLinear and
  DequantizeLinear take the last three, too, and float8e8m0 as a scale. Constants
  of 2, 4 and 8 bits that a DequantizeLinear gives a MatMul, a Gemm or a Gather of
  rows stay so, in blocks (`block_size`) of the rows that are summed or gathered,
  or with one scale for each column or row.
- **Taken as**: an operation of [IE](Dialects/IE.md), a combination of such, or
  the function by which ONNX itself defines the operator.
- **Tests**: those of `onnx.backend.test` that use the operator and must pass, of
  all that use it. The suite here has operator sets up to {onnx.defs.onnx_opset_version()}; what is newer,
  or of another domain, has its tests in `python/tests` (–).
- **Dynamic sizes** are taken everywhere but where the operations
  that a node becomes depend on them: the weights, the channels and the image of
  DeformConv, and the channels and the kernel of CausalConvWithState, must be
  known. A mask of Attention that is shorter than the keys is padded where both
  lengths are known; otherwise it has one element, or as many as there are keys.
- **Indices out of range** of Gather, GatherND and ScatterND end the run of a model
  with dynamic sizes, where each picks 32 elements or more, and
  that of the interpreter. Elsewhere the last element is taken: code for known
  sizes has nothing to end a run with, and no access leaves a tensor.
- **The sign of a zero** that Max, Min, Clip, Relu and what is made of them
  give is not defined where both zeros are among their operands: code takes either.
- **FlexAttention** of the domain ai.onnx.preview, whose attributes are graphs
  that change its scores, is not taken.
"""


def operations():
    """The IE operations: the elements of their operands by name."""
    text = subprocess.run(
        [str(LLVM / "bin" / "llvm-tblgen"), "--dump-json",
         "-I", str(cli.ROOT / "tblgen"), "-I", str(LLVM / "include"),
         str(cli.ROOT / "tblgen/nacre/Dialect/IE/IR/IEOps.td")],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    records = json.loads(text)
    found = {}
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        constraints = [records[constraint["def"]]
                       for constraint, _ in record["arguments"]["args"]]
        kinds = [elements(c.get("summary", "")) for c in constraints
                 if "TypeConstraint" in c["!superclasses"]]
        found[record["opName"]] = "; ".join(dict.fromkeys(kinds))
    return found


def elements(summary):
    """What a type constraint says of the elements, in ONNX's words."""
    text = re.sub(r"^variadic of ", "", summary)
    text = re.sub(r"^(ranked |\dD(/\dD)* )?tensor of (.*) values$", r"\3", text)
    text = re.sub(r"\b1-bit signless integer", "bool", text)
    text = re.sub(r"(\d+)-bit signless integer", r"int\1", text)
    text = re.sub(r"(\d+)-bit unsigned integer", r"uint\1", text)
    text = re.sub(r"(\d+)-bit float", r"float\1", text)
    return {"A list of tensors of one element type": "sequence",
            "elements": "any",
            "any type": "any",
            "tensor of any type values or A list of tensors of one element "
            "type": "any or sequence",
            "tensor of a 32-bit or 64-bit position": "int32 or int64"
            }.get(text, text)


def expansions():
    """The (domain, operator) pairs that the importer's tables combine."""
    return {pair for file in EXPANSIONS.glob("*.cpp")
            for pair in re.findall(r'\{"([a-z.]*)",\s*"(\w+)",\s*\w+',
                                   file.read_text())}


def elements_of_schema(schema):
    """The elements of the operands as ONNX states them."""
    kinds = []
    for operand in schema.inputs:
        names = {element_of_schema(text) for text in operand.types
                 if "complex" not in text}
        others = sorted(names & {"sequence", "map"})
        names -= set(others)
        word = WORDS.get(frozenset(names | {"bfloat16"}))
        kinds.append(" or ".join(([word] if word else sorted(names)) + others))
    return "; ".join(dict.fromkeys(kinds))


def element_of_schema(text):
    """The element in a type of ONNX, in the words of IE."""
    if text.startswith(("seq(", "map(")):
        return {"s": "sequence", "m": "map"}[text[0]]
    name = re.sub(r"^\w+\((\w+)\)$", r"\1", text)
    return {"float": "float32", "double": "float64"}.get(name, name)


def tests():
    """The tests by the operators that they use."""
    found = collections.defaultdict(set)
    for kind in KINDS:
        for name, folder in suite.find_tests(DATA / kind).items():
            if "_expanded" in name:
                continue
            model = onnx.load(str(folder / "model.onnx"))
            for node in model.graph.node:
                found[node.domain, node.op_type].add(name)
    return found


def rows():
    """(domain, operator, versions, elements, taken as) of all operators."""
    known = operations()
    combined = expansions()
    schemas = collections.defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        schemas[schema.domain, schema.name].append(schema)
    # What nacre's own domain has, only nacre writes.
    names = set(schemas) | {pair for pair in combined if pair[0] != "nacre"}
    names |= {("", name) for name in known
              if name not in INTERNAL | CONTRIBUTED}
    for domain, name in sorted(names, key=lambda pair: (pair[0],
                                                        pair[1].lower())):
        history = sorted(schemas[domain, name], key=lambda s: s.since_version)
        newer = NEWER.get(name, 1) if domain == "" else 1
        first = history[0].since_version if history else newer
        kind, types = None, ""
        if domain and name in CONTRIBUTED:
            kind, types = f"`IE.{name}`", known[name]
        elif (domain, name) in combined:
            kind = "combination"
        elif domain == "" and name in known:
            kind, types = f"`IE.{name}`", known[name]
        elif domain == "" and name in RENAMED:
            kind, types = f"`IE.{RENAMED[name]}`", known[RENAMED[name]]
        elif history and (history[-1].has_function or
                          history[-1].has_context_dependent_function):
            kind = "function"
        if history and kind in ("combination", "function"):
            types = elements_of_schema(history[-1])
        yield domain, name, first, types, kind


def page():
    used = tests()
    lists = [suite.ExpectedPasses(cli.ROOT / "test" / "Integration" /
                                  f"onnx-{kind}-expected.txt")
             for kind in KINDS]
    passes = {backend: set().union(*(one.names(backend) for one in lists))
              for backend in suite.BACKENDS}
    lines, refused, current = [HEAD], [], None
    for domain, name, first, types, kind in rows():
        own = used.get((domain, name), set())
        if kind is None and own & passes["interpreter"]:
            kind = "combination"
        if kind is None:
            refused.append(f"{domain + '.' if domain else ''}{name}")
            continue
        if domain != current:
            current = domain
            lines += [f"\n## {domain or 'ai.onnx'}\n",
                      "| operator | operator sets | elements | taken as | " +
                      " | ".join(suite.BACKENDS) + " |",
                      "|---|---|---|---|" + "---|" * len(suite.BACKENDS)]
        counts = [f"{len(own & passes[backend])} of {len(own)}" if own else "–"
                  for backend in suite.BACKENDS]
        versions = f"{first}–{cases.NEWEST}" if domain == "" else f"{first}–"
        lines.append(f"| {name} | {versions} | {types} | {kind} | " +
                     " | ".join(counts) + " |")
    if refused:
        lines += ["\n## Not taken\n",
                  "Operators that the onnx package knows and nacre refuses, with "
                  "a message that\nnames the node:", ""]
        lines += [f"- {name}" for name in refused]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true",
                        help="fail when the page is not up to date")
    check = parser.parse_args().check
    text = page()
    if PAGE.exists() and PAGE.read_text() == text:
        print("docs/Operators.md is up to date")
        return 0
    if check:
        print("error: docs/Operators.md is out of date; run "
              "python/scripts/update_operators.py")
        return 1
    PAGE.write_text(text)
    print("docs/Operators.md updated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
