# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float8, float4 and integers of four bits, on all backends.

The formats are written down here once more, from ONNX's description of them,
and rounding is a search for the nearest number.
"""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import nacre
import packed_program
from backends import run
from nacre import builders, cli
from nacre.cases import BACKENDS
from nacre.cli import InvalidInput

# Number in ONNX, bits, bits of the mantissa, bias, largest code, code of NaN.
FLOATS = {"float8e4m3fn": (17, 8, 3, 7, 0x7e, 0x7f),
          "float8e4m3fnuz": (18, 8, 3, 8, 0x7f, 0x80),
          "float8e5m2": (19, 8, 2, 15, 0x7b, 0x7f),
          "float8e5m2fnuz": (20, 8, 2, 16, 0x7f, 0x80),
          "float4e2m1": (23, 4, 1, 1, 0x7, None)}
INTEGERS = {"uint4": (21, 0, 15), "int4": (22, -8, 7)}
CODES = {**{name: known[0] for name, known in FLOATS.items()},
         **{name: known[0] for name, known in INTEGERS.items()}}
FLOAT, INT8, STRING = 1, 3, 8


def decode(name):
    """The number of every code of a float."""
    _, bits, mantissa, bias, largest, nan = FLOATS[name]
    numbers = []
    for code in range(2 ** bits):
        magnitude = code % 2 ** (bits - 1)
        fraction = magnitude % 2 ** mantissa / 2 ** mantissa
        exponent = magnitude >> mantissa
        value = (1 + fraction) * 2.0 ** (exponent - bias) if exponent \
            else fraction * 2.0 ** (1 - bias)
        if magnitude > largest or code == nan:
            value = np.inf if name == "float8e5m2" and magnitude == 0x7c \
                else np.nan
        numbers.append(-value if code != magnitude else value)
    return np.array(numbers, np.float32)


def encode(name, values, saturate=True):
    """The codes of numbers."""
    _, bits, _, _, largest, nan = FLOATS[name]
    numbers = decode(name)[:largest + 1].astype(np.float64)
    # Half a step beyond the largest number, rounding ends.
    limit = numbers[-1] + (numbers[-1] - numbers[-2]) / 2
    sign = 2 ** (bits - 1)
    result = []
    for value in np.asarray(values, np.float32).ravel().astype(np.float64):
        distance = np.abs(numbers - abs(value))
        near = np.flatnonzero(distance == distance.min()) if \
            np.isfinite(value) else [largest]
        code = next((c for c in near if c % 2 == 0), near[0])
        isLarge = abs(value) > limit or abs(value) == limit and largest % 2
        if isLarge and not saturate and nan is not None:
            code = 0x7c if name == "float8e5m2" else nan
        if np.isnan(value):
            code = largest if nan is None else nan
        if np.signbit(value) and not (name.endswith("uz") and code == 0):
            code |= sign
        result.append(code)
    return np.array(result, np.uint8).reshape(np.shape(values))


def packed(name, codes):
    """What a TensorProto holds of codes."""
    codes = np.asarray(codes).ravel().astype(np.uint8)
    if not name.endswith("4") and name != "float4e2m1":
        return codes.tobytes()
    codes = np.pad(codes & 15, (0, codes.size % 2))
    return (codes[::2] | codes[1::2] << 4).astype(np.uint8).tobytes()


def tensor(title, name, codes):
    codes = np.asarray(codes)
    return TensorProto(name=title, data_type=CODES[name], dims=codes.shape,
                       raw_data=packed(name, codes))


def value(title, code, shape):
    return helper.make_tensor_value_info(title, code, shape)


def model(nodes, inputs, outputs, weights=(), version=23):
    graph = helper.make_graph(nodes, "small", inputs, outputs, weights)
    result = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", version)])
    result.ir_version = 8
    return result


def interesting(name):
    """Every number of a format, all middles between two, and what is near."""
    numbers = decode(name)
    finite = np.unique(numbers[np.isfinite(numbers)])
    middles = (finite[1:] + finite[:-1]) / 2
    top = finite[-1] + (finite[-1] - finite[-2]) / 2
    values = np.concatenate([finite, middles, [top, -top, 1e6, -1e6, 1e-9,
                                               -1e-9, 0.0, -0.0, np.inf,
                                               -np.inf, np.nan]])
    near = [np.nextafter(values, direction).astype(np.float32)
            for direction in (np.float32(-np.inf), np.float32(np.inf))]
    return np.concatenate([values.astype(np.float32), *near])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", FLOATS)
def test_cast_of_floats_rounds_and_saturates(tmp_path, name, backend):
    values = interesting(name)
    codes = np.arange(2 ** FLOATS[name][1], dtype=np.uint8)
    nodes = [helper.make_node("Cast", ["x"], ["most"], to=CODES[name]),
             helper.make_node("Cast", ["x"], ["over"], to=CODES[name],
                              saturate=0),
             helper.make_node("CastLike", ["x", "c"], ["like"], saturate=0),
             helper.make_node("Cast", ["c"], ["wide"], to=FLOAT)]
    graph = model(nodes, [value("x", FLOAT, values.shape),
                          value("c", CODES[name], codes.shape)],
                  [value("most", CODES[name], values.shape),
                   value("over", CODES[name], values.shape),
                   value("like", CODES[name], values.shape),
                   value("wide", FLOAT, codes.shape)])
    results = run(graph, {"x": values, "c": codes}, tmp_path, backend, "-O1")
    np.testing.assert_array_equal(results["most"], encode(name, values))
    np.testing.assert_array_equal(results["over"],
                                  encode(name, values, saturate=False))
    np.testing.assert_array_equal(results["like"], results["over"])
    np.testing.assert_array_equal(results["wide"], decode(name))


@pytest.mark.parametrize("backend", BACKENDS)
def test_cast_between_small_and_all_other_types(tmp_path, backend):
    # Exact in all of them.
    numbers = np.array([0, 1, 2, 3, 4, 6])
    others = {1: "float32", 10: "float16", 11: "float64", 2: "uint8",
              3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64",
              12: "uint32", 13: "uint64"}
    nodes, inputs, outputs, weights, feeds, expected = [], [], [], [], {}, {}
    for code, other in others.items():
        feeds[other] = numbers.astype(other)
        inputs.append(value(other, code, [6]))
    for name, code in CODES.items():
        codes = encode(name, numbers) if name in FLOATS \
            else numbers.astype(np.uint8)
        for number, other in others.items():
            there, back = f"{other}_{name}", f"{name}_{other}"
            nodes += [helper.make_node("Cast", [other], [there], to=code),
                      helper.make_node("Cast", [there], [back], to=number)]
            outputs += [value(there, code, [6]), value(back, number, [6])]
            expected[there] = codes
            expected[back] = numbers.astype(other)
        for second, number in CODES.items():
            there = f"{name}_to_{second}"
            weights.append(tensor(f"w_{there}", name, codes))
            nodes.append(helper.make_node("Cast", [f"w_{there}"], [there],
                                          to=number))
            outputs.append(value(there, number, [6]))
            expected[there] = encode(second, numbers) if second in FLOATS \
                else numbers
        texts = f"{name}_texts"
        nodes += [helper.make_node("Cast", [f"int32_{name}"], [texts],
                                   to=STRING),
                  helper.make_node("Cast", [texts], [f"read_{name}"],
                                   to=code)]
        outputs += [value(texts, STRING, [6]), value(f"read_{name}", code, [6])]
        expected[texts] = np.array([f"{n}.0" if name in FLOATS else str(n)
                                    for n in numbers])
        expected[f"read_{name}"] = codes
    results = run(model(nodes, inputs, outputs, weights), feeds, tmp_path,
                  backend, "-O1")
    for name, array in expected.items():
        np.testing.assert_array_equal(results[name], array, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
def test_cast_to_four_bits_saturates_floats_and_wraps_integers(tmp_path,
                                                               backend):
    values = np.array([-100, -9, -8.5, -0.5, 0.9, 7.9, 8, 15.5, 16, np.inf],
                      np.float32)
    integers = np.array([-130, -9, -8, -1, 0, 7, 8, 15, 16, 100], np.int16)
    nodes = [helper.make_node("Cast", [x], [f"{x}_{name}"], to=code)
             for x in ("f", "i") for name, (code, _, _) in INTEGERS.items()]
    graph = model(nodes, [value("f", FLOAT, [10]), value("i", 5, [10])],
                  [value(f"{x}_{name}", code, [10]) for x in ("f", "i")
                   for name, (code, _, _) in INTEGERS.items()])
    results = run(graph, {"f": values, "i": integers}, tmp_path, backend,
                  "-O1")
    for name, (_, low, high) in INTEGERS.items():
        np.testing.assert_array_equal(
            results[f"f_{name}"], np.trunc(np.clip(values, low, high)))
        np.testing.assert_array_equal(
            results[f"i_{name}"], (integers - low) % 16 + low)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bit_cast_keeps_codes(tmp_path, backend):
    eight = np.arange(256, dtype=np.uint8)
    four = np.arange(-8, 8, dtype=np.int8)
    uint8 = TensorProto.UINT8
    nodes = [helper.make_node("Cast", ["four"], ["int4"], to=CODES["int4"]),
             helper.make_node("BitCast", ["eight"], ["bools"],
                              to=TensorProto.BOOL)]
    outputs = [value("bools", TensorProto.BOOL, [256])]
    expected = {"bools": eight != 0}
    for name, code in CODES.items():
        if name == "int4":
            continue
        is_wide = name in FLOATS and FLOATS[name][1] == 8
        source, count = ("eight", 256) if is_wide else ("int4", 16)
        nodes.append(helper.make_node("BitCast", [source], [name], to=code))
        outputs.append(value(name, code, [count]))
        expected[name] = eight if is_wide else four.view(np.uint8) & 15
        if is_wide:
            nodes.append(helper.make_node("BitCast", ["bools"], [f"b_{name}"],
                                          to=code))
            outputs.append(value(f"b_{name}", code, [256]))
            expected[f"b_{name}"] = (eight != 0).astype(np.uint8)
    results = run(model(nodes, [value("eight", uint8, [256]),
                                value("four", INT8, [16])], outputs,
                        version=26), {"eight": eight, "four": four}, tmp_path,
                  backend, "-O1")
    for name, array in expected.items():
        np.testing.assert_array_equal(results[name], array, err_msg=name)


def moving_nodes(x, code, shape):
    """Operators that move elements, of an input of shape (3, 5)."""
    make = helper.make_node
    return [
        (make("Identity", [x], ["identity"]), lambda a: a),
        (make("Transpose", [x], ["transposed"], perm=[1, 0]), np.transpose),
        (make("Reshape", [x, "shape"], ["reshaped"]),
         lambda a: a.reshape(5, 3)),
        (make("Flatten", [x], ["flat"], axis=0), lambda a: a.reshape(1, -1)),
        (make("Squeeze", ["unsqueezed", "one"], ["squeezed"]), lambda a: a),
        (make("Concat", [x, x], ["doubled"], axis=1),
         lambda a: np.concatenate([a, a], 1)),
        (make("Slice", [x, "one", "end", "axes", "two"], ["sliced"]),
         lambda a: a[:, 1:5:2]),
        (make("Gather", [x, "rows"], ["gathered"], axis=0),
         lambda a: a[[2, 0, 2]]),
        (make("Pad", [x, "pads"], ["padded"]),
         lambda a: np.pad(a, [(1, 0), (0, 2)])),
        (make("Expand", [x, "bigger"], ["expanded"]),
         lambda a: np.broadcast_to(a, (2, 3, 5))),
        (make("Tile", [x, "repeats"], ["tiled"]), lambda a: np.tile(a, (2, 1))),
        (make("Where", ["condition", x, "turned"], ["chosen"]),
         lambda a: np.where(np.arange(5) % 2 == 0, a, a[::-1])),
        (make("If", ["flag"], ["branched"],
              then_branch=branch(x, "Identity", "then", code, shape),
              else_branch=branch(x, "Identity", "else", code, shape)), lambda a: a),
        (make("Loop", ["count", "", x], ["looped"], body=loop(code, shape)),
         lambda a: a[::-1]),
        (make("ScatterElements", [x, "where", "update"], ["scattered"], axis=1),
         lambda a: np.concatenate([a[:, 4:], a[:, 1:]], 1)),
    ]


# Compiled code of these has to know sizes, whatever the elements are.
NEED_SIZES = ("Loop", "Pad", "ScatterElements", "Tile")


def branch(x, op, name, code, shape):
    return helper.make_graph([helper.make_node(op, [x], [name])], name, [],
                             [value(name, code, shape)])


def loop(code, shape):
    """Turns the carried rows around."""
    nodes = [helper.make_node("Gather", ["carried", "order"], ["next"], axis=0),
             helper.make_node("Identity", ["go"], ["on"])]
    return helper.make_graph(
        nodes, "body", [value("i", 7, []), value("go", 9, []),
                        value("carried", code, shape)],
        [value("on", 9, []), value("next", code, shape)])


def moving_model(name, dynamic):
    shape = ["n", 5] if dynamic else [3, 5]
    code = CODES[name]
    pairs = moving_nodes("x", code, shape)
    if dynamic:
        pairs = [pair for pair in pairs
                 if pair[0].op_type not in NEED_SIZES]
    constants = {"shape": [5, 3], "one": [1], "end": [5], "axes": [1],
                 "two": [2], "rows": [2, 0, 2], "pads": [1, 0, 0, 2],
                 "bigger": [2, 3, 5], "repeats": [2, 1],
                 "order": [2, 1, 0], "where": [[0], [0], [0]]}
    weights = [onnx.numpy_helper.from_array(np.array(v, np.int64), k)
               for k, v in constants.items()]
    weights += [onnx.numpy_helper.from_array(np.array(v), k) for k, v in {
        "condition": np.arange(5) % 2 == 0, "count": np.int64(1)}.items()]
    before = [helper.make_node("Unsqueeze", ["x", "one"], ["unsqueezed"]),
              helper.make_node("Gather", ["x", "order"], ["turned"], axis=0),
              helper.make_node("Slice", ["x", "last", "end", "axes"],
                               ["update"])]
    weights.append(onnx.numpy_helper.from_array(np.array([4], np.int64),
                                                "last"))
    graph = model(before + [node for node, _ in pairs],
                  [value("x", code, shape), value("flag", 9, [])],
                  [value(node.output[0], code, None) for node, _ in pairs],
                  weights)
    return graph, {node.output[0]: move for node, move in pairs}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", CODES)
def test_movement_keeps_small_numbers(tmp_path, name, dynamic, backend):
    graph, moves = moving_model(name, dynamic)
    low, high = INTEGERS[name][1:] if name in INTEGERS \
        else (0, 2 ** FLOATS[name][1] - 1)
    numbers = np.random.default_rng(0).integers(low, high + 1, (3, 5))
    numbers = numbers.astype(np.int8 if low < 0 else np.uint8)
    inputs = {"x": tensor("x", name, numbers), "flag": np.array(True)}
    results = run(graph, inputs, tmp_path, backend, "-O1")
    assert set(results) == set(moves)
    for output, move in moves.items():
        assert results[output].dtype == numbers.dtype
        np.testing.assert_array_equal(results[output], move(numbers),
                                      err_msg=output)


@pytest.mark.parametrize("backend", BACKENDS)
def test_constants_of_small_numbers(tmp_path, backend):
    nodes, outputs, weights, expected = [], [], [], {}
    for name, code in CODES.items():
        # More than fit a dense attribute, and an odd number of them.
        codes = np.random.default_rng(1).integers(
            0, 2 ** FLOATS[name][1] if name in FLOATS else 8, 133)
        fields = TensorProto(data_type=code, dims=[133],
                             int32_data=list(packed(name, codes)))
        single = tensor("", name, codes[:1])
        nodes += [
            helper.make_node("Identity", [f"raw_{name}"], [f"a_{name}"]),
            helper.make_node("Constant", [], [f"b_{name}"], value=fields),
            helper.make_node("ConstantOfShape", ["shape"], [f"c_{name}"],
                             value=single)]
        weights.append(tensor(f"raw_{name}", name, codes))
        outputs += [value(f"{kind}_{name}", code, [133]) for kind in "ab"]
        outputs.append(value(f"c_{name}", code, [2, 3]))
        expected.update({f"a_{name}": codes, f"b_{name}": codes,
                         f"c_{name}": np.full((2, 3), codes[0])})
    weights.append(onnx.numpy_helper.from_array(np.array([2, 3]), "shape"))
    results = run(model(nodes, [], outputs, weights), {}, tmp_path, backend,
                  "-O1")
    for name, array in expected.items():
        np.testing.assert_array_equal(results[name], array, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", FLOATS)
def test_quantization_to_floats(tmp_path, name, backend):
    x = np.random.default_rng(2).standard_normal((4, 6)).astype(np.float32)
    scales = {"whole": np.float32(0.02), "rows": np.float32([.5, .01, 2, .1]),
              "blocks": np.random.default_rng(3).uniform(
                  .01, 1, (4, 2)).astype(np.float32)}
    wide = {"whole": scales["whole"], "rows": scales["rows"][:, None],
            "blocks": np.repeat(scales["blocks"], 3, 1)}
    codes = np.random.default_rng(4).integers(
        0, 2 ** FLOATS[name][1], (4, 6)).astype(np.uint8)
    options = {"whole": {}, "rows": {"axis": 0},
               "blocks": {"axis": 1, "block_size": 3}}
    nodes, outputs, expected = [], [], {}
    weights = [tensor("zero", name, np.uint8(0))]
    for kind, scale in scales.items():
        weights.append(onnx.numpy_helper.from_array(scale, kind))
        for saturate in (0, 1):
            to = f"{kind}_{saturate}"
            nodes.append(helper.make_node(
                "QuantizeLinear", ["x", kind], [to], output_dtype=CODES[name],
                saturate=saturate, **options[kind]))
            outputs.append(value(to, CODES[name], [4, 6]))
            expected[to] = encode(name, x / wide[kind], bool(saturate))
        nodes.append(helper.make_node("DequantizeLinear", ["q", kind],
                                      [f"{kind}_back"], **options[kind]))
        outputs.append(value(f"{kind}_back", FLOAT, [4, 6]))
        expected[f"{kind}_back"] = decode(name)[codes] * wide[kind]
    nodes.append(helper.make_node("QuantizeLinear", ["x", "whole", "zero"],
                                  ["with_zero"]))
    outputs.append(value("with_zero", CODES[name], [4, 6]))
    expected["with_zero"] = expected["whole_1"]
    graph = model(nodes, [value("x", FLOAT, [4, 6]),
                          value("q", CODES[name], [4, 6])], outputs, weights)
    results = run(graph, {"x": x, "q": codes}, tmp_path, backend, "-O1")
    for output, array in expected.items():
        np.testing.assert_array_equal(results[output], array, err_msg=output)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", INTEGERS)
def test_quantization_to_four_bits(tmp_path, name, backend):
    code, low, high = INTEGERS[name]
    x = (4 * np.random.default_rng(2).standard_normal((4, 6))).astype(
        np.float32)
    scales = {"whole": np.float32(0.5), "rows": np.float32([.5, .25, 2, 1]),
              "blocks": np.float32([[.5, 1], [2, .25], [1, 1], [.5, .5]])}
    zeros = {kind: np.random.default_rng(5).integers(
        low, high + 1, np.shape(scale)) for kind, scale in scales.items()}
    options = {"whole": {}, "rows": {"axis": 0},
               "blocks": {"axis": 1, "block_size": 3}}

    def widen(kind, parameter):
        return {"whole": lambda: parameter, "rows": lambda: parameter[:, None],
                "blocks": lambda: np.repeat(parameter, 3, 1)}[kind]()

    codes = np.random.default_rng(4).integers(low, high + 1, (4, 6))
    nodes, outputs, weights, expected = [], [], [], {}
    for kind, scale in scales.items():
        weights += [onnx.numpy_helper.from_array(scale, kind),
                    tensor(f"{kind}_zero", name, zeros[kind])]
        nodes += [
            helper.make_node("QuantizeLinear", ["x", kind, f"{kind}_zero"],
                             [f"{kind}_q"], **options[kind]),
            helper.make_node("DequantizeLinear", ["q", kind, f"{kind}_zero"],
                             [f"{kind}_x"], **options[kind])]
        outputs += [value(f"{kind}_q", code, [4, 6]),
                    value(f"{kind}_x", FLOAT, [4, 6])]
        zero = widen(kind, zeros[kind])
        expected[f"{kind}_q"] = np.clip(
            np.rint(x / widen(kind, scale)) + zero, low, high)
        expected[f"{kind}_x"] = (codes - zero) * widen(kind, scale)
    graph = model(nodes, [value("x", FLOAT, [4, 6]), value("q", code, [4, 6])],
                  outputs, weights)
    results = run(graph, {"x": x, "q": tensor("q", name, codes)}, tmp_path,
                  backend, "-O1")
    for output, array in expected.items():
        np.testing.assert_array_equal(results[output], array, err_msg=output)


def casting_model(name, shape):
    """Adds one, at the boundary in a small type."""
    code = CODES[name]
    nodes = [helper.make_node("Cast", ["x"], ["wide"], to=FLOAT),
             helper.make_node("Add", ["wide", "one"], ["sum"]),
             helper.make_node("Cast", ["sum"], ["y"], to=code)]
    one = onnx.numpy_helper.from_array(np.float32(1), "one")
    return model(nodes, [value("x", code, shape)], [value("y", code, shape)],
                 [one])


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", CODES)
def test_session_takes_and_gives_bits(name, dynamic):
    session = nacre.InferenceSession(
        casting_model(name, ["n", 3] if dynamic else [3, 3]))
    assert [v.type for v in (*session.get_inputs(), *session.get_outputs())] \
        == [f"tensor({name})"] * 2
    if name in INTEGERS:
        low, high = INTEGERS[name][1:]
        x = np.linspace(low, high, 9).astype(np.int8 if low else np.uint8)
        expected = np.minimum(x + 1, high)
    else:
        x = np.arange(9, dtype=np.uint8)
        expected = encode(name, decode(name)[x] + 1)
    y, = session.run(None, {"x": x.reshape(3, 3)})
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, expected.reshape(3, 3))


def test_session_refuses_integers_of_more_bits():
    session = nacre.InferenceSession(casting_model("int4", [3]))
    with pytest.raises(InvalidInput, match="expected numbers from -8 to 7"):
        session.run(None, {"x": np.array([0, 8, -9], np.int8)})


def test_run_refuses_integers_of_more_bits(tmp_path):
    with pytest.raises(cli.NacreError, match="takes numbers from 0 to 15") as e:
        run(casting_model("uint4", [3]),
            {"x": np.array([0, 16, 2], np.uint8)}, tmp_path, "cpu")
    assert e.value.code == cli.Exit.BAD_INPUT


def test_refusal_of_types_that_onnx_has_later(tmp_path):
    graph = model([helper.make_node("Cast", ["x"], ["y"], to=27)],
                  [value("x", FLOAT, [3])], [value("y", 27, [3])])
    with pytest.raises(cli.NacreError,
                       match="unsupported element type data type 27") as e:
        run(graph, {}, tmp_path, "cpu")
    assert e.value.code == cli.Exit.UNSUPPORTED


def test_check_compares_small_numbers(tmp_path):
    for name in ("float8e5m2", "int4"):
        folder = tmp_path / name
        folder.mkdir()
        onnx.save(casting_model(name, [3]), str(tmp_path / "model.onnx"))
        codes = np.array([1, 2, 3], np.uint8)
        after = (codes + 1) if name == "int4" else \
            encode(name, decode(name)[codes] + 1)
        for title, data in (("input_0.pb", codes), ("output_0.pb", after)):
            (folder / title).write_bytes(
                tensor("", name, data).SerializeToString())
        for backend in BACKENDS:
            cli.nacre("check", tmp_path / "model.onnx", folder,
                      f"--backend={backend}")
        wrong = tensor("", name, after + np.uint8(2)).SerializeToString()
        (folder / "output_0.pb").write_bytes(wrong)
        with pytest.raises(cli.NacreError) as e:
            cli.nacre("check", tmp_path / "model.onnx", folder)
        assert e.value.code == 1


def test_c_program_exchanges_two_numbers_in_a_byte(tmp_path):
    output = packed_program.exchange(casting_model("int4", [3]), "NACRE_INT4",
                                     3, (0x21, 0x07), tmp_path)
    # 1, 2 and 7 become 2, 3 and, saturated, 7.
    assert output == "2 32 07\n"
