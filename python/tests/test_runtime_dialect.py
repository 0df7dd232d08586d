# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each op of the Runtime dialect is one function of the C runtime, as
docs/Dialects/Runtime.md says: the names and types of one are those of the other."""

import re

from nacre import cli

DEFINITIONS = cli.ROOT / "tblgen/nacre/Dialect/Runtime/IR"
VALUE, NUMBER, TEXT = "nacre_value *", "int64_t", "char *"
# What becomes of an argument of an op in C.
TYPES = {"RT_Value": [VALUE], "RT_ElementAttr": [NUMBER], "RT_Count": [NUMBER],
         "I64Attr": [NUMBER], "I64": [NUMBER], "Index": [NUMBER],
         "StrAttr": [TEXT], "StrArrayAttr": [TEXT, NUMBER]}


def read_ops():
    """Name, base class, C types of arguments and result of each op."""
    ops = {}
    for file in sorted(DEFINITIONS.glob("*.td")):
        for base, name, arguments, body in re.findall(
                r"^def RT_\w+Op : (RT_\w*Op)<\"(\w+)\"(?:,\s*\(ins([^)]*)\))?.*?>"
                r" \{(.*?)^\}", file.read_text(), re.M | re.S):
            if base == "RT_DataOp":
                arguments = " RT_Value:$tensor"
            given = re.findall(r"(\w+):\$\w+", arguments)
            result = re.search(r"let results = \(outs (\w+):", body)
            gives = VALUE if base in ("RT_ValueOp", "RT_EditOp") else \
                TEXT if base == "RT_DataOp" else \
                TYPES[result[1]][0] if result else "void"
            ops[name] = (base, [c for kind in given for c in TYPES[kind]], gives)
    return ops


def read_functions(header):
    """C types of the parameters and the result of each function."""
    text = (cli.ROOT / "include/nacre-c" / header).read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    functions = {}
    for result, name, parameters in re.findall(
            r"^((?:const )?\w+ \*?)nacre_(\w+)\(([^()]*)\);", text, re.M):
        types = [re.sub(r"\w+$", "", part.strip()).removeprefix("const ").strip()
                 for part in parameters.split(",") if part.strip() != "void"]
        functions[name] = (types, result.removeprefix("const ").strip())
    return functions


def test_each_op_has_the_parameters_and_the_result_of_its_function():
    ops = read_ops()
    assert len(ops) > 35
    functions = read_functions("Runtime.h") | read_functions("Compiled.h")
    for name, (base, parameters, result) in ops.items():
        assert functions[name] == (parameters, result), name
        if base == "RT_EditOp":
            assert functions[name + "_in_place"] == (parameters, result), name


def test_each_function_on_values_that_only_compiled_code_calls_has_an_op():
    names = {name.removesuffix("_in_place") for name, (parameters, result)
             in read_functions("Compiled.h").items()
             if VALUE in [*parameters, result]}
    assert len(names) > 25
    assert names <= set(read_ops())


def test_each_op_says_what_it_is_and_has_an_example():
    for file in sorted(DEFINITIONS.glob("*.td")):
        for name, body in re.findall(r"^def RT_(\w+Op) : RT_(.*?)^\}",
                                     file.read_text(), re.M | re.S):
            assert "let summary" in body, name
            assert "Example:" in body, name
