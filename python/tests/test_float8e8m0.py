# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""float8e8m0, powers of two that scale other numbers, on all backends.

The format is written down here once more, and rounding is a search among all
its numbers.
"""

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from backends import run
from nacre import cli
from nacre.cases import BACKENDS
from test_small_numbers import FLOAT, model, value

SCALE, HALF, DOUBLE, BFLOAT, STRING, INT8 = 24, 10, 11, 16, 8, 3
NUMBERS = 2.0 ** np.arange(-127, 128)
NAN = 255
MODES = ("up", "down", "nearest")


def decode(codes):
    return np.append(NUMBERS, np.nan)[codes].astype(np.float32)


def encode(values, mode="up", saturate=True):
    codes = []
    for number in np.abs(np.asarray(values, np.float32).astype(np.float64)):
        if np.isnan(number):
            codes.append(NAN)
            continue
        below = np.searchsorted(NUMBERS, number, "right") - 1
        if below < 0 or number > NUMBERS[-1]:
            codes.append(max(below, 0) if saturate else NAN)
            continue
        above = min(below + 1, 254)
        is_up = {"up": number > NUMBERS[below], "down": False,
                 "nearest": number - NUMBERS[below] >=
                 NUMBERS[above] - number > 0}[mode]
        codes.append(above if is_up else below)
    return np.array(codes, np.uint8)


def interesting():
    """All numbers, the middles between, their neighbours, what is beyond."""
    numbers = NUMBERS.astype(np.float32)
    values = np.concatenate([numbers, numbers * np.float32(1.5),
                             np.float32([0, -0.0, 1e-45, -2.5, -np.inf, np.inf,
                                         3.4e38, np.nan])])
    return np.concatenate([values] + [
        np.nextafter(values, np.float32(end)) for end in (0, np.inf)])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_cast_rounds_and_saturates_as_told(tmp_path, dynamic, backend):
    values, codes = interesting(), np.arange(256, dtype=np.uint8)
    sizes = (["n"], ["m"]) if dynamic else (values.shape, codes.shape)
    ways = [(mode, saturate) for mode in MODES for saturate in (0, 1)]
    nodes = [helper.make_node("Cast", ["x"], [f"{mode}_{saturate}"], to=SCALE,
                              round_mode=mode, saturate=saturate)
             for mode, saturate in ways]
    nodes += [helper.make_node("CastLike", ["x", "c"], ["like"],
                               round_mode="nearest", saturate=0),
              helper.make_node("Cast", ["c"], ["wide"], to=FLOAT)]
    outputs = [value(node.output[0], SCALE, sizes[0]) for node in nodes[:-1]]
    graph = model(nodes, [value("x", FLOAT, sizes[0]),
                          value("c", SCALE, sizes[1])],
                  [*outputs, value("wide", FLOAT, sizes[1])])
    results = run(graph, {"x": values, "c": codes}, tmp_path, backend, "-O1")
    for mode, saturate in ways:
        np.testing.assert_array_equal(
            results[f"{mode}_{saturate}"],
            encode(values, mode, bool(saturate)), err_msg=f"{mode} {saturate}")
    np.testing.assert_array_equal(results["like"], results["nearest_0"])
    np.testing.assert_array_equal(results["wide"], decode(codes))


@pytest.mark.parametrize("backend", BACKENDS)
def test_cast_from_and_to_other_types(tmp_path, backend):
    numbers = np.array([1, 2, 4, 64, 3, 100])
    codes = encode(numbers)
    others = {HALF: "float16", DOUBLE: "float64", INT8: "int8", 7: "int64"}
    nodes, inputs, outputs, expected = [], [], [], {}
    for code, other in others.items():
        inputs.append(value(other, code, [6]))
        nodes += [helper.make_node("Cast", [other], [f"to_{other}"], to=SCALE),
                  helper.make_node("Cast", ["c"], [f"of_{other}"], to=code)]
        outputs += [value(f"to_{other}", SCALE, [6]),
                    value(f"of_{other}", code, [6])]
        # What int8 does not hold wraps.
        expected.update({f"to_{other}": codes, f"of_{other}": np.array(
            [1, 2, 4, 64, 4, 128]).astype(other)})
    nodes += [helper.make_node("Cast", ["c"], ["texts"], to=STRING),
              helper.make_node("Cast", ["texts"], ["read"], to=SCALE),
              helper.make_node("Cast", ["c"], ["brain"], to=BFLOAT),
              helper.make_node("Cast", ["brain"], ["back"], to=SCALE),
              helper.make_node("Cast", ["c"], ["tiny"], to=17),
              helper.make_node("Cast", ["tiny"], ["back_again"], to=SCALE)]
    outputs += [value("texts", STRING, [6])]
    outputs += [value(name, SCALE, [6]) for name in ("read", "back",
                                                     "back_again")]
    expected.update({"read": codes, "back": codes, "back_again": codes,
                     "texts": np.array(["1.0", "2.0", "4.0", "64.0", "4.0",
                                        "128.0"])})
    feeds = {other: numbers.astype(other) for other in others.values()}
    results = run(model(nodes, [*inputs, value("c", SCALE, [6])], outputs),
                  {**feeds, "c": codes}, tmp_path, backend, "-O1")
    for name, array in expected.items():
        np.testing.assert_array_equal(results[name], array, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("target, dtype", [(INT8, np.int8), (2, np.uint8)])
def test_quantization_by_scales_of_powers_of_two(tmp_path, target, dtype,
                                                 backend):
    random = np.random.default_rng(0)
    x = (20 * random.standard_normal((4, 6))).astype(np.float32)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    q = random.integers(low, high + 1, (4, 6)).astype(dtype)
    codes = {"whole": np.uint8(125), "rows": np.uint8([124, 127, 129, 126]),
             "blocks": np.uint8([[125, 127], [126, 124], [130, 1], [127, 0]])}
    wide = {"whole": decode(codes["whole"]),
            "rows": decode(codes["rows"])[:, None],
            "blocks": np.repeat(decode(codes["blocks"]), 3, 1)}
    options = {"whole": {}, "rows": {"axis": 0},
               "blocks": {"axis": 1, "block_size": 3}}
    nodes, outputs, expected, inputs = [], [], {}, []
    for kind, scale in codes.items():
        inputs.append(value(kind, SCALE, np.shape(scale)))
        nodes += [helper.make_node("QuantizeLinear", ["x", kind], [f"{kind}_q"],
                                   output_dtype=target, **options[kind]),
                  helper.make_node("DequantizeLinear", ["q", kind],
                                   [f"{kind}_x"], output_dtype=FLOAT,
                                   **options[kind])]
        outputs += [value(f"{kind}_q", target, [4, 6]),
                    value(f"{kind}_x", FLOAT, [4, 6])]
        with np.errstate(over="ignore"):
            expected[f"{kind}_q"] = np.clip(np.rint(x / wide[kind]), low, high)
        expected[f"{kind}_x"] = q.astype(np.float32) * wide[kind]
    graph = model(nodes, [value("x", FLOAT, [4, 6]), value("q", target, [4, 6]),
                          *inputs], outputs)
    results = run(graph, {"x": x, "q": q, **codes}, tmp_path, backend, "-O1")
    for name, array in expected.items():
        np.testing.assert_array_equal(results[name], array, err_msg=name)


def test_constants_and_sessions_hold_codes():
    codes = np.random.default_rng(1).integers(0, 256, 133).astype(np.uint8)
    weight = onnx.TensorProto(name="w", data_type=SCALE, dims=[133],
                              raw_data=codes.tobytes())
    nodes = [helper.make_node("Concat", ["x", "w"], ["y"], axis=0)]
    session = nacre.InferenceSession(model(
        nodes, [value("x", SCALE, ["n"])], [value("y", SCALE, ["m"])],
        [weight]))
    assert [v.type for v in (*session.get_inputs(), *session.get_outputs())] \
        == ["tensor(float8e8m0)"] * 2
    x = np.array([0, 127, 255], np.uint8)
    y, = session.run(None, {"x": x})
    assert y.dtype == np.uint8
    np.testing.assert_array_equal(y, np.concatenate([x, codes]))


@pytest.mark.parametrize("node, message", [
    (helper.make_node("Cast", ["x"], ["y"], to=SCALE, round_mode="sideways"),
     "'round_mode' failed to satisfy"),
    (helper.make_node("QuantizeLinear", ["x", "x"], ["y"], output_dtype=SCALE),
     "quantization to other types than float8 with a sign"),
    (helper.make_node("DequantizeLinear", ["q", "s"], ["y"]),
     "expected an 'output_dtype' beside a scale of float8"),
], ids=["round_mode", "quantized", "output_dtype"])
def test_refusal_of_what_onnx_does_not_have(tmp_path, node, message):
    graph = model([node], [value("x", FLOAT, []), value("q", INT8, []),
                           value("s", SCALE, [])], [value("y", SCALE, [])])
    with pytest.raises(cli.NacreError, match=message) as e:
        run(graph, {}, tmp_path, "cpu")
    assert e.value.code in (cli.Exit.BAD_INPUT, cli.Exit.UNSUPPORTED)
