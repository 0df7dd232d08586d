# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of strings, against Python's own."""

import re

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import nacre
from backends import BACKENDS
from nacre import builders, cli
from nacre.cli import InvalidInput

OBJECT = "object"   # numpy's name of ONNX's strings


def run(model, inputs, folder, backend="interpreter"):
    """The outputs by name."""
    onnx.save(model, str(folder / "model.onnx"))
    arguments = []
    for name, array in inputs.items():
        array = np.asarray(array)
        np.save(folder / f"{name}.npy",
                array.astype(str) if array.dtype == object else array)
        arguments += ["--input", f"{name}={folder / name}.npy"]
    cli.nacre("run", folder / "model.onnx", f"--backend={backend}",
              *arguments, "--output-dir", folder / "out")
    return {file.stem: np.load(file) for file in (folder / "out").glob("*.npy")}


def single(op, x, y, opset=20, inputs=1, **attributes):
    names = ["x", "z"][:inputs]
    return builders.model(
        [builders.node(op, names, list(y), **attributes)],
        dict(zip(names, x)), y, opset=opset)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8",
                                   "uint64"])
def test_cast_to_string_writes_what_numpy_writes(tmp_path, backend, dtype):
    numbers = {
        "int8": [0, -128, 127], "uint64": [0, 2**64 - 1, 7],
        "float16": [0.1, 65504, 1e-7, -0.0, 1, 1 / 3, np.nan],
    }.get(dtype, [0, -0.0, 1, 0.1, 1 / 3, -2.5, 1e-4, 1e-5, 1.5e-5, 123456789,
                  1e15, 1e16, 1.25e17, 1e-30, np.inf, -np.inf, np.nan,
                  16777216, 3.4e38, 1e-40])
    x = np.array(numbers, dtype)
    model = single("Cast", [(dtype, x.shape)], {"y": (OBJECT, x.shape)},
                   to=TensorProto.STRING)
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    # NumPy gives half-precision numbers the same digits as their strings.
    assert y.tolist() == [str(number) for number in x]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64",
                                   "uint8"])
def test_cast_from_string_reads_what_numpy_reads(tmp_path, backend, dtype):
    texts = {"int64": ["0", "-9223372036854775808", "+12", "1e3"],
             "uint8": ["0", "255", "7"]}.get(
        dtype, ["3.14", "1000", "1e-5", "1E8", "-.5", "5.", "+1", "INF",
                "-inf", "NaN", "nAn", "+INF", "0.1000000014901161193847656",
                "1e-60", "1e400"])
    x = np.array(texts, OBJECT)
    model = single("Cast", [(OBJECT, x.shape)], {"y": (dtype, x.shape)},
                   to=builders.element_type(dtype))
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    with np.errstate(over="ignore"):
        expected = np.array([float(text) if "f" in dtype or "e" in text
                             else int(text) for text in texts]).astype(dtype)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cast_of_text_that_is_no_number_is_an_error(tmp_path, backend):
    model = single("Cast", [(OBJECT, [1])], {"y": ("float32", [1])},
                   to=TensorProto.FLOAT)
    with pytest.raises(cli.NacreError, match="found the string 'twelve'"):
        run(model, {"x": np.array(["twelve"], OBJECT)}, tmp_path, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("action", ["NONE", "LOWER", "UPPER"])
@pytest.mark.parametrize("sensitive", [0, 1])
def test_normalizer_leaves_out_stopwords(tmp_path, backend, action, sensitive):
    x = np.array(["The", "äpfel", "ΣΟΦΟΣ", "the", "Ж", "end"], OBJECT)
    model = single("StringNormalizer", [(OBJECT, [6])], {"y": (OBJECT, None)},
                   case_change_action=action, is_case_sensitive=sensitive,
                   stopwords=["the", "ж"])
    y = run(model, {"x": x}, tmp_path, backend)["y"]
    left_out = {"the", "ж"}
    kept = [text for text in x
            if (text if sensitive else text.lower()) not in left_out]
    change = {"NONE": str, "UPPER": str.upper,
              # Unicode's simple mapping knows no final sigma.
              "LOWER": lambda text: "".join(c.lower() for c in text)}[action]
    assert y.tolist() == [change(text) for text in kept]


@pytest.mark.parametrize("backend", BACKENDS)
def test_concat_broadcasts(tmp_path, backend):
    model = single("StringConcat", [(OBJECT, [2, 1]), (OBJECT, [3])],
                   {"y": (OBJECT, [2, 3])}, inputs=2)
    y = run(model, {"x": np.array([["a"], ["ü"]], OBJECT),
                    "z": np.array(["1", "", "3"], OBJECT)}, tmp_path, backend)["y"]
    assert y.tolist() == [["a1", "a", "a3"], ["ü1", "ü", "ü3"]]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("delimiter", [None, ",", ", "])
@pytest.mark.parametrize("maxsplit", [None, 0, 1, 2])
def test_split_gives_what_python_gives(tmp_path, backend, delimiter, maxsplit):
    texts = ["a,b, c", "", "  x  y z ", ",,", "one"]
    attributes = {} if delimiter is None else {"delimiter": delimiter}
    if maxsplit is not None:
        attributes["maxsplit"] = maxsplit
    model = single("StringSplit", [(OBJECT, [5])],
                   {"y": (OBJECT, [5, "n"]), "n": ("int64", [5])},
                   **attributes)
    out = run(model, {"x": np.array(texts, OBJECT)}, tmp_path, backend)
    parts = [text.split(delimiter, -1 if maxsplit is None else maxsplit)
             for text in texts]
    most = max(map(len, parts))
    assert out["n"].tolist() == [len(list_) for list_ in parts]
    assert out["y"].tolist() == [list_ + [""] * (most - len(list_))
                                 for list_ in parts]


TEXTS = ["www.google.com", "a", "bc", "abc", "abab", "12", "1234", "x{", "]a^-",
         "d", "\n", "^^", "]-x", ".", "", "a\n", "é", "éé", "aé", "ABc", "a b",
         "ab", "aaaa", "\u212a", "k", "straße", "日本", "a-b", "\t x", "foo\nbar"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("pattern", [
    r"www\.[\w.-]+\.com", r"a|bc", r"(?:ab)+?", r"[^\d]*", r"[]a^-]+",
    r"\d{2,3}", r"(?P<x>a).", r"x{", r"[^a-c]", r"\^+", r"[\]\-x]*", r"\.",
    r"", r"[[:alpha:]]+", r".", r"é+", r"\W*", r"[^]-]+", r"(?i)aB[C-D]",
    r"a\b b", r"a\Bb", r"(?i:A)b", r"(?s).*", r".*", r"(a|b|ab)*", r"(a*)*",
    r"a{4}", r"a{2,}", r"(a?){3}a{3}", r"\x{e9}+", r"\x61", r"[é日-本]+",
    r"^a$|^$", r"\Aab\z|\s+x", r"(?m)foo$\n^bar", r"foo$\nbar", r"[\s\S]",
    r"(|a)+", r"((a)|b)+|c", r"[[:^alpha:]]*", r"\101Bc", r"(?i)k", r"[^\W]+",
    r"(?i-s:A.)|d", r"()", r"\D\S", r"(?U)a+b", r"[+-.]"])
def test_regex_matches_what_python_matches(tmp_path, pattern, backend):
    model = single("RegexFullMatch", [(OBJECT, [len(TEXTS)])],
                   {"y": ("bool", [len(TEXTS)])}, pattern=pattern)
    y = run(model, {"x": np.array(TEXTS, OBJECT)}, tmp_path, backend)["y"]
    python = pattern
    for own, other in [("[[:alpha:]]", "[A-Za-z]"), (r"\z", r"\Z"),
                       ("[[:^alpha:]]", "[^A-Za-z]"), (r"\x{e9}", "é"),
                       ("(?i)k", "[kK\u212a]"),
                       ("^a$|^$", "a|"), ("(?U)", "")]:
        python = python.replace(own, other)
    # A letter beyond ASCII is none for RE2.
    assert y.tolist() == [
        re.fullmatch(python, text, re.ASCII) is not None for text in TEXTS]


@pytest.mark.parametrize("backend", BACKENDS)
def test_regex_takes_time_of_the_product_of_sizes(tmp_path, backend):
    texts = np.array(["a" * 3000, "a" * 3000 + "b"], OBJECT)
    model = single("RegexFullMatch", [(OBJECT, [2])], {"y": ("bool", [2])},
                   pattern="(a*)*(a|aa)+(a?){50}c?")
    y = run(model, {"x": texts}, tmp_path, backend)["y"]
    assert y.tolist() == [True, False]


@pytest.mark.parametrize("pattern, why", [
    (r"\pL", "properties"), (r"(a)\1", "references to groups"),
    ("(?=a)", "not supported"), ("(?<=a)b", "not supported"),
    ("a**", "repeats a repetition"), ("(a", "not closed"), ("a)", "not open"),
    ("[a", "not closed"), ("*a", "nothing to repeat"),
    ("[b-a]", "ends before it begins"), ("a{1001}", "bad counts"),
    ("(?i)é", "beyond ASCII"), ("a\\", "ends with a backslash"),
    (r"\Qa.b\E", "escape that is not supported"),
    ("[[:nonsense:]]", "unknown class"),
    ("((((a{99}){99}){99}){99}){99}", "too large"),
    ("(" * 300 + ")" * 300, "too deep")])
def test_regex_beyond_what_is_supported_is_refused(tmp_path, pattern, why):
    model = single("RegexFullMatch", [(OBJECT, [1])], {"y": ("bool", [1])},
                   pattern=pattern)
    onnx.save(model, str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match=why) as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o",
                  tmp_path / "model.so")
    assert error.value.code == cli.Exit.UNSUPPORTED


@pytest.mark.parametrize("backend", BACKENDS)
def test_elements_move_like_numbers(tmp_path, backend):
    words = np.array([["ant", "bee", "cat"], ["bee", "", "dog"]], OBJECT)
    nodes = [
        builders.node("Equal", ["x", "key"], ["same"]),
        builders.node("Where", ["same", "other", "x"], ["chosen"]),
        builders.node("Transpose", ["chosen"], ["turned"]),
        builders.node("Gather", ["turned", "index"], ["picked"]),
        builders.node("Pad", ["picked", "pads"], ["padded"]),
        builders.node("Constant", [], ["word"], value_string="eel"),
        builders.node("Constant", [], ["list"], value_strings=["f", "g"]),
        builders.node("Unsqueeze", ["word", "zero"], ["row"]),
        builders.node("Concat", ["row", "list"], ["joined"], axis=0),
        builders.node("ScatterElements", ["list", "zero", "row"],
                      ["scattered"]),
        builders.node("SequenceConstruct", ["list", "row"], ["sequence"]),
        builders.node("ConcatFromSequence", ["sequence"], ["back"], axis=0),
    ]
    model = builders.model(
        nodes, {"x": (OBJECT, [2, 3])},
        {"same": ("bool", [2, 3]), "padded": (OBJECT, None),
         "joined": (OBJECT, [3]), "scattered": (OBJECT, [2]),
         "back": (OBJECT, ["n"])},
        weights={"key": np.array("bee", OBJECT),
                 "other": np.array(["BEE"], OBJECT),
                 "index": np.array([0, 2]), "zero": np.array([0]),
                 "pads": np.array([0, 0, 0, 1])}, opset=18)
    out = run(model, {"x": words}, tmp_path, backend)
    assert out["same"].tolist() == (words == "bee").tolist()
    chosen = np.where(words == "bee", "BEE", words).T[[0, 2]]
    assert out["padded"].tolist() == [[*row, ""] for row in chosen.tolist()]
    assert out["joined"].tolist() == ["eel", "f", "g"]
    assert out["scattered"].tolist() == ["eel", "g"]
    assert out["back"].tolist() == ["f", "g", "eel"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_unique_sorts_by_bytes(tmp_path, dynamic, backend):
    words = np.array(["bee", "é", "Ant", "", "bee"], OBJECT)
    model = single("Unique", [(OBJECT, ["m" if dynamic else 5])],
                   {"y": (OBJECT, ["n"]), "first": ("int64", ["n"]),
                    "inverse": ("int64", ["m"]), "counts": ("int64", ["n"])})
    out = run(model, {"x": words}, tmp_path, backend)
    assert out["y"].tolist() == ["", "Ant", "bee", "é"]
    assert out["first"].tolist() == [3, 2, 0, 1]
    assert out["inverse"].tolist() == [2, 3, 1, 0, 2]
    assert out["counts"].tolist() == [1, 1, 2, 1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_unique_of_rows_keeps_their_order(tmp_path, backend):
    words = np.array([["b", "c"], ["a", "z"], ["b", "c"], ["b", "a"]], OBJECT)
    model = single("Unique", [(OBJECT, [4, 2])],
                   {"y": (OBJECT, ["n", 2]), "first": ("int64", ["n"])},
                   axis=0, sorted=0)
    out = run(model, {"x": words}, tmp_path, backend)
    assert out["y"].tolist() == [["b", "c"], ["a", "z"], ["b", "a"]]
    assert out["first"].tolist() == [0, 1, 3]


def test_strings_have_no_random_values(tmp_path):
    model = single("Identity", [(OBJECT, [1])], {"y": (OBJECT, [1])})
    with pytest.raises(cli.NacreError, match="give it a file") as error:
        run(model, {}, tmp_path)
    assert error.value.code == 3


def test_tensor_of_too_few_strings_is_an_error(tmp_path):
    tensor = helper.make_tensor("w", TensorProto.STRING, [2], [b"a", b"b"])
    del tensor.string_data[1]
    model = single("Identity", [(OBJECT, [2])], {"y": (OBJECT, [2])})
    model.graph.initializer.append(tensor)
    model.graph.node[0].input[0] = "w"
    with pytest.raises(cli.NacreError, match="expected 2 elements") as error:
        run(model, {"x": np.array(["a", "b"], OBJECT)}, tmp_path)
    assert error.value.code == 3


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_session_takes_and_gives_strings(backend):
    model = single("StringConcat", [(OBJECT, [2, 1]), (OBJECT, [2])],
                   {"y": (OBJECT, [2, 2])}, inputs=2)
    session = nacre.InferenceSession(model.SerializeToString(),
                                     backend=backend)
    assert [value.type for value in session.get_inputs()] == \
        ["tensor(string)"] * 2
    y, = session.run(None, {"x": np.array([["ä"], [""]], OBJECT),
                            "z": np.array(["1", "2"])})
    assert y.tolist() == [["ä1", "ä2"], ["1", "2"]]


def sequence_model():
    """The last of a list of vectors, all of them joined, and one more."""
    floats = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n"])
    sequence = helper.make_sequence_type_proto(floats)
    nodes = [
        builders.node("SequenceAt", ["parts", "last"], ["at"]),
        builders.node("ConcatFromSequence", ["parts"], ["whole"], axis=0),
        builders.node("SequenceInsert", ["parts", "at", "first"], ["more"]),
    ]
    graph = helper.make_graph(
        nodes, "sequences", [helper.make_value_info("parts", sequence)],
        [helper.make_value_info("at", floats),
         helper.make_value_info("whole", floats),
         helper.make_value_info("more", sequence)],
        [numpy_helper.from_array(np.int64(-1), "last"),
         numpy_helper.from_array(np.int64(0), "first")])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 7
    return model


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_session_takes_and_gives_sequences(backend):
    session = nacre.InferenceSession(sequence_model().SerializeToString(),
                                     backend=backend)
    assert session.get_inputs()[0].type == "seq(tensor(float))"
    parts = [np.arange(n, dtype=np.float32) for n in (3, 1, 2)]
    at, whole, more = session.run(None, {"parts": parts})
    np.testing.assert_array_equal(at, parts[-1])
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    for found, wanted in zip(more, [parts[-1], *parts], strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("parts, message", [
    ([], "expected a position in a sequence of 0 elements, found -1"),
    ([np.zeros((2, 2), np.float32)],
     "float32 and rank 1, found a tensor of float32 and rank 2"),
    ([np.zeros(2, np.int32)], "expected float32, found int32"),
    (np.zeros(2, np.float32), "expected a list for a sequence")])
def test_session_refuses_other_sequences(parts, message):
    session = nacre.InferenceSession(sequence_model().SerializeToString(),
                                     backend="reference")
    with pytest.raises(InvalidInput, match=message):
        session.run(None, {"parts": parts})


@pytest.mark.parametrize("backend", BACKENDS)
def test_strings_that_start_as_one_tensor_are_several_results(tmp_path,
                                                              backend):
    model = builders.model(
        [builders.node("Concat", ["x", "x"], ["y"], axis=0),
         builders.node("Concat", ["x", "x"], ["z"], axis=0),
         builders.node("Concat", ["x", "z"], ["w"], axis=0)],
        {"x": (OBJECT, ["n"])},
        {name: (OBJECT, [None]) for name in ("y", "z", "w")}, opset=20)
    x = ["some words", "of a length", "that shows"] * 40
    results = run(model, {"x": np.array(x, object)}, tmp_path, backend)
    assert [results[name].tolist() for name in ("y", "z", "w")] == \
        [2 * x, 2 * x, 3 * x]
