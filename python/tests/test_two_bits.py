# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of two bits, of which four share a byte, on all backends."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import nacre
import packed_program
from backends import run
from nacre import cli
from nacre.cases import BACKENDS
from nacre.cli import InvalidInput
from test_small_numbers import FLOAT, model, value

INTEGERS = {"uint2": (25, 0, 3), "int2": (26, -2, 1)}
STRING, INT16, INT4 = 8, 5, 22


def packed(numbers):
    """What a TensorProto holds of numbers."""
    codes = np.asarray(numbers).ravel().astype(np.uint8) & 3
    codes = np.pad(codes, (0, -codes.size % 4)).reshape(-1, 4)
    return (codes << np.uint8([0, 2, 4, 6])).sum(1, dtype=np.uint8).tobytes()


def tensor(title, name, numbers):
    return TensorProto(name=title, data_type=INTEGERS[name][0],
                       dims=np.shape(numbers), raw_data=packed(numbers))


def draw(name, shape, seed=0):
    _, low, high = INTEGERS[name]
    return np.random.default_rng(seed).integers(
        low, high + 1, shape).astype(np.int8 if low else np.uint8)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", INTEGERS)
def test_cast_wraps_and_widens(tmp_path, name, dynamic, backend):
    code, low, high = INTEGERS[name]
    values = np.array([-100, -9, -2.5, -2, -0.5, 0, 0.9, 1, 2, 3.9, 4, 127],
                      np.float32)
    integers = np.array([-130, -9, -3, -2, -1, 0, 1, 2, 3, 4, 7, 100], np.int16)
    numbers = draw(name, 13)
    others = {FLOAT: "float32", 10: "float16", 11: "float64", 2: "uint8",
              3: "int8", 7: "int64", 13: "uint64"}
    size, count = ("n", "m") if dynamic else (12, 13)
    nodes = [helper.make_node("Cast", ["f"], ["of_floats"], to=code),
             helper.make_node("Cast", ["i"], ["of_integers"], to=code),
             helper.make_node("CastLike", ["f", "c"], ["like"]),
             helper.make_node("Cast", ["c"], ["texts"], to=STRING),
             helper.make_node("Cast", ["texts"], ["read"], to=code),
             helper.make_node("Cast", ["c"], ["four"], to=INT4),
             helper.make_node("Cast", ["four"], ["back"], to=code)]
    nodes += [helper.make_node("Cast", ["c"], [other], to=to)
              for to, other in others.items()]
    outputs = [value(title, code, [size])
               for title in ("of_floats", "of_integers", "like")]
    outputs += [value("texts", STRING, [count]), value("read", code, [count]),
                value("back", code, [count])]
    outputs += [value(other, to, [count]) for to, other in others.items()]
    graph = model(nodes, [value("f", FLOAT, [size]), value("i", INT16, [size]),
                          value("c", code, [count])], outputs)
    results = run(graph, {"f": values, "i": integers, "c": numbers}, tmp_path,
                  backend, "-O1")
    wrapped = (np.trunc(values).astype(int) - low) % 4 + low
    for title, expected in {
            "of_floats": wrapped, "like": wrapped, "read": numbers,
            "of_integers": (integers - low) % 4 + low, "back": numbers,
            "texts": np.array([str(n) for n in numbers]),
            **{other: numbers.astype(other)
               for other in others.values()}}.items():
        np.testing.assert_array_equal(results[title], expected, err_msg=title)


@pytest.mark.parametrize("backend", BACKENDS)
def test_constants_and_movement_keep_numbers(tmp_path, backend):
    nodes, inputs, outputs, weights, feeds, expected = [], [], [], [], {}, {}
    for name, (code, _, _) in INTEGERS.items():
        # More than fit a dense attribute, and no multiple of four.
        raw, x = draw(name, 133, seed=1), draw(name, (3, 5), seed=2)
        fields = TensorProto(data_type=code, dims=[133],
                             int32_data=list(packed(raw)))
        nodes += [
            helper.make_node("Identity", [f"raw_{name}"], [f"a_{name}"]),
            helper.make_node("Constant", [], [f"b_{name}"], value=fields),
            helper.make_node("ConstantOfShape", ["shape"], [f"c_{name}"],
                             value=tensor("", name, raw[:1])),
            helper.make_node("Transpose", [f"x_{name}"], [f"d_{name}"],
                             perm=[1, 0]),
            helper.make_node("Concat", [f"x_{name}", f"x_{name}"],
                             [f"e_{name}"], axis=1)]
        weights.append(tensor(f"raw_{name}", name, raw))
        inputs.append(value(f"x_{name}", code, [3, 5]))
        feeds[f"x_{name}"] = tensor("", name, x)
        expected.update({f"a_{name}": raw, f"b_{name}": raw,
                         f"c_{name}": np.full((2, 3), raw[0]),
                         f"d_{name}": x.T, f"e_{name}": np.hstack([x, x])})
        outputs += [value(f"{kind}_{name}", code,
                          expected[f"{kind}_{name}"].shape) for kind in "abcde"]
    weights.append(onnx.numpy_helper.from_array(np.array([2, 3]), "shape"))
    results = run(model(nodes, inputs, outputs, weights), feeds, tmp_path,
                  backend, "-O1")
    for title, array in expected.items():
        assert results[title].dtype == array.dtype
        np.testing.assert_array_equal(results[title], array, err_msg=title)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", INTEGERS)
def test_quantization_saturates(tmp_path, name, backend):
    code, low, high = INTEGERS[name]
    x = (2 * np.random.default_rng(3).standard_normal((4, 6))).astype(
        np.float32)
    scales = {"whole": np.float32(0.5), "rows": np.float32([.5, .25, 2, 1]),
              "blocks": np.float32([[.5, 1], [2, .25], [1, 1], [.5, .5]])}
    options = {"whole": {}, "rows": {"axis": 0},
               "blocks": {"axis": 1, "block_size": 3}}
    q = draw(name, (4, 6))
    nodes, outputs, weights, expected = [], [], [], {}
    for kind, scale in scales.items():
        zero = draw(name, np.shape(scale), seed=4)
        weights += [onnx.numpy_helper.from_array(scale, kind),
                    tensor(f"{kind}_zero", name, zero)]
        nodes += [
            helper.make_node("QuantizeLinear", ["x", kind, f"{kind}_zero"],
                             [f"{kind}_q"], **options[kind]),
            helper.make_node("DequantizeLinear", ["q", kind, f"{kind}_zero"],
                             [f"{kind}_x"], **options[kind])]
        outputs += [value(f"{kind}_q", code, [4, 6]),
                    value(f"{kind}_x", FLOAT, [4, 6])]
        wide, offset = (a[:, None] if kind == "rows" else
                        np.repeat(a, 3, 1) if kind == "blocks" else a
                        for a in (scale, zero.astype(int)))
        expected[f"{kind}_q"] = np.clip(np.rint(x / wide) + offset, low, high)
        expected[f"{kind}_x"] = (q.astype(int) - offset) * wide
    graph = model(nodes, [value("x", FLOAT, [4, 6]), value("q", code, [4, 6])],
                  outputs, weights)
    results = run(graph, {"x": x, "q": tensor("q", name, q)}, tmp_path,
                  backend, "-O1")
    for title, array in expected.items():
        np.testing.assert_array_equal(results[title], array, err_msg=title)


def negating_model(name, shape):
    """3 - x, at the boundary in two bits; of int2, -1 - x."""
    code, low, high = INTEGERS[name]
    ends = onnx.numpy_helper.from_array(np.float32(low + high), "ends")
    return model([helper.make_node("Cast", ["x"], ["wide"], to=FLOAT),
                  helper.make_node("Sub", ["ends", "wide"], ["turned"]),
                  helper.make_node("Cast", ["turned"], ["y"], to=code)],
                 [value("x", code, shape)], [value("y", code, shape)], [ends])


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", INTEGERS)
def test_session_takes_and_gives_bytes(name, dynamic):
    _, low, high = INTEGERS[name]
    session = nacre.InferenceSession(
        negating_model(name, ["n", 3] if dynamic else [3, 3]))
    assert [v.type for v in (*session.get_inputs(), *session.get_outputs())] \
        == [f"tensor({name})"] * 2
    x = draw(name, (3, 3))
    y, = session.run(None, {"x": x})
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, low + high - x)
    if not dynamic:
        with pytest.raises(InvalidInput,
                           match=f"expected numbers from {low} to {high}"):
            session.run(None, {"x": x + x.dtype.type(2)})


def test_run_refuses_integers_of_more_bits(tmp_path):
    with pytest.raises(cli.NacreError, match="takes numbers from -2 to 1") as e:
        run(negating_model("int2", [3]), {"x": np.array([0, 2, -1], np.int8)},
            tmp_path, "cpu")
    assert e.value.code == cli.Exit.BAD_INPUT


def test_c_program_exchanges_four_numbers_in_a_byte(tmp_path):
    output = packed_program.exchange(negating_model("uint2", [5]),
                                     "NACRE_UINT2", 5, (0x1b, 0x02), tmp_path)
    # 3, 2, 1, 0 and 2 become 0, 1, 2, 3 and 1.
    assert output == "2 e4 01\n"
