# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps, and classifiers with names of classes, as scikit-learn's models have
them: in compiled code, and in a session."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import nacre
from nacre import cli
from nacre.cases import BACKENDS, Case, integers, parametrize, random
from nacre.cli import InvalidInput

ML = "ai.onnx.ml"
INT64, FLOAT, DOUBLE, STRING = (TensorProto.INT64, TensorProto.FLOAT,
                                TensorProto.DOUBLE, TensorProto.STRING)
WORDS = ["setosa", "versicolor", "Käfer"]


def map_type(key, value):
    result = onnx.TypeProto()
    result.map_type.key_type = key
    result.map_type.value_type.tensor_type.elem_type = value
    return result


def maps_type(key, value):
    result = onnx.TypeProto()
    result.sequence_type.elem_type.CopyFrom(map_type(key, value))
    return result


def value(name, kind, shape=None):
    if isinstance(kind, onnx.TypeProto):
        return onnx.ValueInfoProto(name=name, type=kind)
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=()):
    graph = helper.make_graph(nodes, "maps", inputs, outputs, weights)
    result = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid(ML, 3)])
    result.ir_version = 8
    return result


def classifier(labels, batch="N"):
    """What scikit-learn's logistic regression is exported as."""
    w, b = random(3, 4, seed=1), random(3, seed=2)
    words = isinstance(labels[0], str)
    names = {"classlabels_strings" if words else "classlabels_ints": labels}
    keys = {"classlabels_strings" if words else "classlabels_int64s": labels}
    nodes = [helper.make_node("LinearClassifier", ["x"], ["label", "scores"],
                              domain=ML, post_transform="SOFTMAX",
                              coefficients=w.ravel().tolist(),
                              intercepts=b.tolist(), **names),
             helper.make_node("Normalizer", ["scores"], ["p"], domain=ML,
                              norm="L1"),
             helper.make_node("ZipMap", ["p"], ["probabilities"], domain=ML,
                              **keys)]
    kind = STRING if words else INT64
    graph = model(nodes, [value("x", FLOAT, [batch, 4])],
                  [value("label", kind, [batch]),
                   value("probabilities", maps_type(kind, FLOAT))])

    def expected(x):
        scores = x @ w.T + b
        scores = np.exp(scores - scores.max(1, keepdims=True))
        scores /= scores.sum(1, keepdims=True)
        return np.array(labels)[scores.argmax(1)], scores

    return graph, expected


@pytest.mark.parametrize("batch", ["N", 6], ids=["dynamic", "static"])
@pytest.mark.parametrize("labels", [WORDS, [7, -1, 2**40]],
                         ids=["words", "numbers"])
def test_session_gives_dicts(labels, batch):
    graph, expected = classifier(labels, batch)
    session = nacre.InferenceSession(graph)
    key = "string" if labels is WORDS else "int64"
    assert session.get_outputs()[1].type == \
        f"seq(map({key},tensor(float)))"
    x = random(6, 4)
    label, maps = session.run(None, {"x": x})
    names, scores = expected(x)
    assert label.tolist() == names.tolist()
    assert [list(each) for each in maps] == [labels] * 6
    np.testing.assert_allclose([list(each.values()) for each in maps], scores,
                               rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_run_writes_keys_and_values(tmp_path, backend):
    graph, expected = classifier(WORDS)
    onnx.save(graph, str(tmp_path / "model.onnx"))
    x = random(2, 4)
    np.save(tmp_path / "x.npy", x)
    cli.nacre("run", tmp_path / "model.onnx", f"--backend={backend}",
              f"--input=x={tmp_path / 'x.npy'}", "--shape=x=2x4",
              "--output-dir", tmp_path)
    files = {entry["name"]: tmp_path / entry["file"] for entry in
             json.loads((tmp_path / "outputs.json").read_text())}
    for i, scores in enumerate(expected(x)[1]):
        keys = np.load(files[f"probabilities[{i}].keys"])
        np.testing.assert_array_equal(keys, WORDS)
        np.testing.assert_allclose(
            np.load(files[f"probabilities[{i}].values"]), scores, rtol=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_check_reads_sequences_of_maps(tmp_path, backend):
    graph, expected = classifier([7, -1, 12])
    onnx.save(graph, str(tmp_path / "model.onnx"))
    x = random(5, 4)
    names, scores = expected(x)
    folder = tmp_path / "data"
    folder.mkdir()
    maps = [dict(zip([7, -1, 12], row)) for row in scores]

    def write(maps):
        data = [("input_0", numpy_helper.from_array(x)),
                ("output_0", numpy_helper.from_array(names)),
                ("output_1", sequence(maps))]
        for name, proto in data:
            (folder / f"{name}.pb").write_bytes(proto.SerializeToString())

    def sequence(maps):
        result = onnx.SequenceProto(elem_type=onnx.SequenceProto.MAP)
        for each in maps:
            entry = result.map_values.add()
            entry.key_type = INT64
            entry.keys.extend(each)
            entry.values.elem_type = onnx.SequenceProto.TENSOR
            entry.values.tensor_values.extend(
                numpy_helper.from_array(v) for v in each.values())
        return result

    write(maps)
    cli.nacre("check", tmp_path / "model.onnx", folder,
              f"--backend={backend}")
    maps[3][-1] += np.float32(1)
    write(maps)
    with pytest.raises(cli.NacreError) as error:
        cli.nacre("check", tmp_path / "model.onnx", folder,
                  f"--backend={backend}")
    assert error.value.code == cli.Exit.DIFFERS


def vectorizer(op, kind, result, shape, **attributes):
    node = helper.make_node(op, ["x"], ["y"], domain=ML, **attributes)
    return nacre.InferenceSession(
        model([node], [value("x", kind)], [value("y", result, shape)]))


@pytest.mark.parametrize("dtype, code", [("float32", FLOAT),
                                         ("float64", DOUBLE),
                                         ("int64", INT64)])
def test_dict_vectorizer_takes_the_vocabulary(dtype, code):
    session = vectorizer("DictVectorizer", map_type(STRING, code), code,
                         [1, 4], string_vocabulary=["b", "a", "", "c"])
    assert session.get_inputs()[0].type.startswith("map(string,tensor(")
    y, = session.run(None, {"x": {"c": 3, "a": 1, "other": 9}})
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, [[0, 1, 0, 3]])
    y, = session.run(None, {"x": {}})
    np.testing.assert_array_equal(y, [[0, 0, 0, 0]])


def test_dict_vectorizer_of_strings():
    session = vectorizer("DictVectorizer", map_type(INT64, STRING), STRING,
                         [1, 3], int64_vocabulary=[5, -2, 2**40])
    y, = session.run(None, {"x": {2**40: "large", 5: "five", 3: "no"}})
    assert y.tolist() == [["five", "", "large"]]


@pytest.mark.parametrize("form, size, expected", [
    ("DENSE", 1, [2, 0.5, 7]), ("SPARSE", 5, [0, 2, 0, 0.5, 0])])
def test_cast_map(form, size, expected):
    feed = {9: 7.0, 3: 0.5, 1: 2.0}
    session = vectorizer("CastMap", map_type(INT64, FLOAT), FLOAT, None,
                         map_form=form, max_map=size)
    y, = session.run(None, {"x": feed})
    np.testing.assert_array_equal(y, [expected])
    session = vectorizer("CastMap", map_type(INT64, FLOAT), INT64, None,
                         map_form=form, max_map=size, cast_to="TO_INT64")
    y, = session.run(None, {"x": feed})
    np.testing.assert_array_equal(y, np.trunc([expected]))
    session = vectorizer("CastMap", map_type(INT64, STRING), FLOAT, None,
                         map_form=form, max_map=size)
    y, = session.run(None, {"x": {k: str(v) for k, v in feed.items()}})
    np.testing.assert_array_equal(y, [expected])
    session = vectorizer("CastMap", map_type(INT64, FLOAT), STRING, None,
                         map_form=form, max_map=size, cast_to="TO_STRING")
    y, = session.run(None, {"x": feed})
    assert y.tolist() == [["" if v == 0 else str(float(v)) for v in expected]]


def test_interpreter_agrees_on_maps(tmp_path):
    node = helper.make_node("CastMap", ["x"], ["y"], domain=ML,
                            map_form="SPARSE", max_map=4)
    onnx.save(model([node], [value("x", map_type(INT64, FLOAT))],
                    [value("y", FLOAT, [1, 4])]), str(tmp_path / "model.onnx"))
    folder = tmp_path / "data"
    folder.mkdir()
    proto = onnx.MapProto(key_type=INT64, keys=[2, 0])
    proto.values.elem_type = onnx.SequenceProto.TENSOR
    proto.values.tensor_values.extend(
        numpy_helper.from_array(np.float32(v)) for v in (5, 3))
    (folder / "input_0.pb").write_bytes(proto.SerializeToString())
    (folder / "output_0.pb").write_bytes(numpy_helper.from_array(
        np.float32([[3, 0, 5, 0]])).SerializeToString())
    for backend in BACKENDS:
        cli.nacre("check", tmp_path / "model.onnx", folder,
                  f"--backend={backend}")


def test_session_passes_maps_on():
    kind = map_type(STRING, FLOAT)
    session = nacre.InferenceSession(model(
        [helper.make_node("Identity", ["x"], ["y"])], [value("x", kind)],
        [value("y", kind)]))
    assert session.run(None, {"x": {"a": 1.5, "": -2.0}}) == \
        [{"a": 1.5, "": -2.0}]


@pytest.mark.parametrize("feed, message", [
    ([1, 2], "expected a dict"), ({1: 2.0}, "expected strings in a map"),
    ({"a": "b"}, "expected float32 in a map")])
def test_session_refuses_other_values(feed, message):
    session = vectorizer("DictVectorizer", map_type(STRING, FLOAT), FLOAT,
                         [1, 1], string_vocabulary=["a"])
    with pytest.raises(InvalidInput, match=message):
        session.run(None, {"x": feed})


def test_maps_of_other_types_are_refused(tmp_path):
    onnx.save(model([helper.make_node("Identity", ["x"], ["y"])],
                    [value("x", map_type(TensorProto.INT32, FLOAT))],
                    [value("y", map_type(TensorProto.INT32, FLOAT))]),
              str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match="a map of int32 to") as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "m.so")
    assert error.value.code == cli.Exit.UNSUPPORTED


def test_labels_of_another_number_are_refused(tmp_path):
    node = helper.make_node("ZipMap", ["x"], ["y"], domain=ML,
                            classlabels_int64s=[1, 2])
    onnx.save(model([node], [value("x", FLOAT, [2, 3])],
                    [value("y", maps_type(INT64, FLOAT))]),
              str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError,
                       match="expected a label for each of 3 columns") as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "m.so")
    assert error.value.code == cli.Exit.BAD_INPUT


# ===----------------------------------------------------------------------=== #
# Names of classes and categories
# ===----------------------------------------------------------------------=== #

def word_cases():
    x, w, b = random(9, 4), random(3, 4, seed=1), random(3, seed=2)
    scores = x @ w.T + b
    yield Case("linear", "LinearClassifier", {"x": x},
               [np.array(WORDS)[scores.argmax(1)], scores], domain=ML,
               coefficients=w.ravel().tolist(), intercepts=b.tolist(),
               classlabels_strings=WORDS)
    yield Case("linear_binary", "LinearClassifier", {"x": x},
               [np.where(scores[:, 0] > 0, "yes", "no"),
                np.hstack([1 - scores[:, :1], scores[:, :1]])], domain=ML,
               coefficients=w[0].tolist(), intercepts=b[:1].tolist(),
               classlabels_strings=["no", "yes"])
    # x[0] <= 0 ? the second class : the first and third.
    tree = dict(nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2],
                nodes_featureids=[0, 0, 0], nodes_values=[0.0, 0.0, 0.0],
                nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
                nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0],
                class_treeids=[0, 0, 0], class_nodeids=[1, 2, 2],
                class_ids=[1, 0, 2], class_weights=[1.0, 0.25, 0.75])
    left = x[:, :1] <= 0
    yield Case("tree", "TreeEnsembleClassifier", {"x": x},
               [np.where(left[:, 0], WORDS[1], WORDS[2]),
                np.where(left, np.float32([0, 1, 0]),
                         np.float32([.25, 0, .75]))], domain=ML,
               classlabels_strings=WORDS, **tree)
    binary = {**tree, "class_nodeids": [1, 2], "class_treeids": [0, 0],
              "class_ids": [0, 0], "class_weights": [0.125, 0.75]}
    second = np.where(left, np.float32(0.125), np.float32(0.75))
    yield Case("tree_binary", "TreeEnsembleClassifier", {"x": x},
               [np.where(left[:, 0], "no", "yes"),
                np.hstack([1 - second, second])], domain=ML,
               classlabels_strings=["no", "yes"], **binary)


def category_cases():
    numbers = integers(0, 6, 3, 4)
    texts = np.array(["b", "a", "", "zz", "b"])
    cats = dict(cats_strings=["a", "b", "c"], cats_int64s=[5, 0, 3])
    yield Case("mapper_of_strings", "CategoryMapper", {"x": texts},
               [np.array([0, 5, -1, -1, 0])], domain=ML, **cats)
    words = {5: "a", 0: "b", 3: "c"}
    yield Case("mapper_of_numbers", "CategoryMapper", {"x": numbers},
               [np.vectorize(lambda i: words.get(i, "other"))(numbers)],
               domain=ML, default_string="other", **cats)
    yield Case("encoder_1_of_strings", "LabelEncoder", {"x": texts},
               [np.array([1, 0, 7, 7, 1])], domain=ML,
               classes_strings=["a", "b"], default_int64=7)
    yield Case("encoder_1_of_numbers", "LabelEncoder", {"x": numbers},
               [np.vectorize(lambda i: {0: "a", 1: "b"}.get(i, "_Unused"))(
                   numbers)], domain=ML, classes_strings=["a", "b"])
    pack = numpy_helper.from_array
    yield Case("encoder_4_of_strings", "LabelEncoder", {"x": texts},
               [np.array([2.5, -1, 9, 9, 2.5])], domain=ML,
               keys_tensor=pack(np.array(["b", "a"], object)),
               values_tensor=pack(np.array([2.5, -1])),
               default_tensor=pack(np.array([9.0])))
    yield Case("encoder_4_of_doubles", "LabelEncoder",
               {"x": np.array([0.5, np.nan, 2])},
               [np.array([3, 4, -7], np.int16)], domain=ML,
               keys_tensor=pack(np.array([np.nan, 0.5])),
               values_tensor=pack(np.array([4, 3], np.int16)),
               default_tensor=pack(np.array([-7], np.int16)))


@parametrize([*word_cases(), *category_cases()])
def test_strings_match_numpy(case, backend):
    case.check(backend)


@pytest.mark.parametrize("op, attributes", [
    ("Scaler", {"offset": [0.0], "scale": [1.0]}), ("FeatureVectorizer", {}),
    ("Binarizer", {})])
def test_maps_where_tensors_belong_are_refused(tmp_path, op, attributes):
    node = helper.make_node(op, ["x"], ["y"], domain=ML, **attributes)
    onnx.save(model([node], [value("x", map_type(INT64, FLOAT))],
                    [value("y", FLOAT, [1, 1])]),
              str(tmp_path / "model.onnx"))
    with pytest.raises(cli.NacreError, match="another kind of value") as error:
        cli.nacre("compile", tmp_path / "model.onnx", "-o", tmp_path / "m.so")
    assert error.value.code == cli.Exit.BAD_INPUT
