# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of dynamic sizes: compiled once, run at many sizes."""

import subprocess

import numpy as np
import onnx
import pytest

import nacre
from dynamic_cases import REFUSED
from nacre import builders, cli, tolerances
from nacre.compiled import CompiledModel

RNG = np.random.default_rng(3)


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def perceptron():
    """Two layers on any number of rows."""
    w1, b1, w2 = random(20, 40), random(40), random(40, 7)
    model = builders.model(
        [builders.node("MatMul", ["x", "w1"], ["a"]),
         builders.node("Add", ["a", "b1"], ["b"]),
         builders.node("Relu", ["b"], ["c"]),
         builders.node("MatMul", ["c", "w2"], ["d"]),
         builders.node("Softmax", ["d"], ["y"], axis=-1)],
        inputs={"x": ("float32", ["n", 20])},
        outputs={"y": ("float32", ["n", 7])},
        weights={"w1": w1, "b1": b1, "w2": w2})
    cases = [{"x": random(n, 20)} for n in (1, 2, 15, 33)]
    return model, cases, lambda x: softmax(np.maximum(x @ w1 + b1, 0) @ w2)


def attention():
    """Heads of queries and keys from one sequence of any batch and length."""
    heads, depth = 3, 8
    w = random(24, 24)

    def split(x):
        return x.reshape(*x.shape[:2], heads, depth)

    def expected(x):
        q = split(x @ w).transpose(0, 2, 1, 3)
        k = split(x).transpose(0, 2, 3, 1)
        v = split(x).transpose(0, 2, 1, 3)
        mixed = softmax(q @ k) @ v
        return mixed.transpose(0, 2, 1, 3).reshape(x.shape) + x

    model = builders.model(
        [builders.node("Shape", ["x"], ["shape"]),
         builders.node("Gather", ["shape", "front"], ["size"], axis=0),
         builders.node("Concat", ["size", "heads"], ["split"], axis=0),
         builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Reshape", ["p", "split"], ["p4"]),
         builders.node("Reshape", ["x", "split"], ["x4"]),
         builders.node("Transpose", ["p4"], ["q"], perm=[0, 2, 1, 3]),
         builders.node("Transpose", ["x4"], ["k"], perm=[0, 2, 3, 1]),
         builders.node("Transpose", ["x4"], ["v"], perm=[0, 2, 1, 3]),
         builders.node("MatMul", ["q", "k"], ["scores"]),
         builders.node("Softmax", ["scores"], ["shares"], axis=-1),
         builders.node("MatMul", ["shares", "v"], ["m"]),
         builders.node("Transpose", ["m"], ["m4"], perm=[0, 2, 1, 3]),
         builders.node("Reshape", ["m4", "joined"], ["m3"]),
         builders.node("Add", ["m3", "x"], ["y"])],
        inputs={"x": ("float32", ["batch", "seq", 24])},
        outputs={"y": ("float32", ["batch", "seq", 24])},
        weights={"w": w, "front": np.array([0, 1]),
                 "heads": np.array([heads, depth]),
                 "joined": np.array([0, 0, 24])})
    cases = [{"x": random(b, s, 24)}
             for b, s in ((1, 1), (2, 5), (1, 16), (3, 33))]
    return model, cases, expected


def convolutions():
    """A small network of convolutions on any number of images."""
    w1, w2, w3 = random(8, 3, 3, 3), random(8, 8, 3, 3), random(8, 5)
    model = builders.model(
        [builders.node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1]),
         builders.node("Relu", ["a"], ["b"]),
         builders.node("Conv", ["b", "w2"], ["c"], pads=[1, 1, 1, 1]),
         builders.node("Add", ["b", "c"], ["d"]),
         builders.node("MaxPool", ["d"], ["e"], kernel_shape=[2, 2],
                       strides=[2, 2]),
         builders.node("GlobalAveragePool", ["e"], ["f"]),
         builders.node("Flatten", ["f"], ["g"]),
         builders.node("MatMul", ["g", "w3"], ["y"])],
        inputs={"x": ("float32", ["n", 3, 8, 8])},
        outputs={"y": ("float32", ["n", 5])},
        weights={"w1": w1, "w2": w2, "w3": w3})

    def convolve(x, w):
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(
            padded, (3, 3), axis=(2, 3))
        return np.einsum("ncyxij,ocij->noyx", windows, w)

    def expected(x):
        b = np.maximum(convolve(x, w1), 0)
        d = b + convolve(b, w2)
        e = d.reshape(*d.shape[:2], 4, 2, 4, 2).max((3, 5))
        return e.mean((2, 3)) @ w3

    return model, [{"x": random(n, 3, 8, 8)} for n in (1, 2, 5)], expected


def broadcasts():
    """Operands of dynamic sizes, which may be repeated."""
    model = builders.model(
        [builders.node("Mul", ["x", "y"], ["p"]),
         builders.node("Sub", ["p", "x"], ["z"])],
        inputs={"x": ("float32", ["a", "b"]), "y": ("float32", ["c", "d"])},
        outputs={"z": ("float32", ["e", "f"])})
    cases = [{"x": random(*x), "y": random(*y)}
             for x, y in (((3, 4), (3, 4)), ((3, 1), (1, 4)), ((1, 4), (5, 1)),
                          ((1, 1), (2, 3)))]
    return model, cases, lambda x, y: x * y - x


def sections():
    """Slices, joins, reductions and lookups along an unknown dimension."""
    table = random(11, 6)
    model = builders.model(
        [builders.node("Gather", ["table", "ids"], ["x"], axis=0),
         builders.node("Slice", ["x", "one", "end", "zero"], ["tail"]),
         builders.node("Slice", ["x", "last", "start", "zero", "back"],
                       ["turned"]),
         builders.node("Concat", ["tail", "turned"], ["joined"], axis=0),
         builders.node("ReduceMean", ["joined"], ["mean"], axes=[0],
                       keepdims=1),
         builders.node("Sub", ["joined", "mean"], ["y"]),
         builders.node("ArgMax", ["x"], ["best"], axis=1, keepdims=0)],
        inputs={"ids": ("int64", ["n"])},
        outputs={"y": ("float32", ["m", 6]), "best": ("int64", ["n"])},
        weights={"table": table, "zero": np.array([0]), "one": np.array([1]),
                 "end": np.array([2**62]), "last": np.array([-1]),
                 "start": np.array([-2**62]), "back": np.array([-1])})

    def expected(ids):
        x = table[ids]
        joined = np.concatenate([x[1:], x[::-1]])
        return joined - joined.mean(0, keepdims=True), x.argmax(1)

    cases = [{"ids": RNG.integers(0, 11, n)} for n in (1, 2, 9)]
    return model, cases, expected


def feed_forward():
    """Products with bias, activation and residual, the second of two users."""
    w, b = random(24, 50), random(50)
    v, c = random(50, 24), random(24)
    model = builders.model(
        [builders.node("MatMul", ["x", "w"], ["p"]),
         builders.node("Add", ["p", "b"], ["q"]),
         builders.node("Tanh", ["q"], ["h"]),
         builders.node("MatMul", ["h", "v"], ["r"]),
         builders.node("Add", ["c", "r"], ["s"]),
         builders.node("Add", ["s", "x"], ["y"]),
         builders.node("Relu", ["y"], ["z"])],
        inputs={"x": ("float32", ["b", "s", 24])},
        outputs={"y": ("float32", ["b", "s", 24]),
                 "z": ("float32", ["b", "s", 24])},
        weights={"w": w, "b": b, "v": v, "c": c})

    def expected(x):
        y = np.tanh(x @ w + b) @ v + c + x
        return y, np.maximum(y, 0)

    cases = [{"x": random(*shape, 24)}
             for shape in ((1, 1), (2, 3), (1, 9), (0, 5), (3, 40))]
    return model, cases, expected


NETWORKS = [perceptron, attention, convolutions, broadcasts, sections,
            feed_forward]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("network", NETWORKS)
def test_network_compiled_once_is_right_at_every_size(network, threads,
                                                      tmp_path):
    model, cases, expected = network()
    session = nacre.InferenceSession(model, threads=threads,
                                     cache_dir=tmp_path)
    for feeds in cases:
        results = expected(**feeds)
        results = results if isinstance(results, tuple) else (results,)
        for found, wanted in zip(session.run(None, feeds), results):
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, **tolerances.CHECK)
    assert len(list(tmp_path.glob("*.so"))) == 1


@pytest.mark.parametrize("columns", [7, 40, 1000, 1001, 1008, 1024])
def test_columns_of_few_rows_are_the_same_from_each_thread(columns, tmp_path):
    # From 1000 columns on, more than a core's own cache has room for.
    depth = 2048
    w, b = random(depth, columns), random(columns)
    model = builders.model(
        [builders.node("Gemm", ["x", "w", "b"], ["y"])],
        inputs={"x": ("float32", ["n", depth])},
        outputs={"y": ("float32", ["n", columns])}, weights={"w": w, "b": b})
    alone, shared = (nacre.InferenceSession(model, threads=threads,
                                            cache_dir=tmp_path)
                     for threads in (1, 2))
    for rows in (*range(32), 64, 75):
        x = random(rows, depth)
        found = shared.run(None, {"x": x})[0]
        np.testing.assert_allclose(found, x @ w + b, **tolerances.CANCELLATION)
        np.testing.assert_array_equal(found, alone.run(None, {"x": x})[0])


@pytest.mark.parametrize("network", NETWORKS)
def test_network_on_reference_backend_is_right_at_every_size(network,
                                                             tmp_path):
    model, cases, expected = network()
    path = tmp_path / "model.onnx"
    onnx.save(model, str(path))
    library = tmp_path / "model.so"
    cli.nacre("compile", path, "-o", library, "--backend=reference")
    compiled = CompiledModel(library)
    for feeds in cases:
        results = expected(**feeds)
        results = results if isinstance(results, tuple) else (results,)
        for found, wanted in zip(compiled.run(feeds).values(), results):
            np.testing.assert_allclose(found, wanted, **tolerances.CHECK)


def test_sizes_of_one_name_that_differ_are_refused_by_name(tmp_path):
    model = builders.model(
        [builders.node("Add", ["x", "y"], ["z"])],
        inputs={"x": ("float32", ["n", 2]), "y": ("float32", ["n", 2])},
        outputs={"z": ("float32", ["n", 2])})
    session = nacre.InferenceSession(model)
    with pytest.raises(nacre.InvalidInput, match="dimension 0 of input 'y'"):
        session.run(None, {"x": random(3, 2), "y": random(4, 2)})
    # A run that failed leaves nothing behind.
    (z,) = session.run(None, {"x": random(3, 2), "y": random(3, 2)})
    assert z.shape == (3, 2)


def test_shapes_that_do_not_broadcast_fail_the_run_and_name_the_node():
    model, _, _ = broadcasts()
    model.graph.node[0].name = "scale"
    session = nacre.InferenceSession(model)
    with pytest.raises(nacre.InvalidInput, match="scale.*broadcast"):
        session.run(None, {"x": random(3, 2), "y": random(4, 2)})


def test_results_live_as_long_as_their_arrays():
    model, cases, expected = perceptron()
    session = nacre.InferenceSession(model)
    kept = [session.run(None, feeds)[0] for feeds in cases for _ in range(20)]
    del session
    for i, found in enumerate(kept):
        np.testing.assert_allclose(found, expected(**cases[i // 20]),
                                   **tolerances.CHECK)


def test_c_program_passes_and_gets_values(tmp_path):
    model, _, _ = perceptron()
    path, library = tmp_path / "model.onnx", tmp_path / "libnet.a"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", library, "--emit=static")
    source = tmp_path / "main.c"
    source.write_text("""
#include <stdio.h>
#include <stdlib.h>
#include "libnet.h"
int main(void) {
  for (int64_t rows = 1; rows < 4; ++rows) {
    int64_t shape[] = {rows, 20};
    float *x = calloc(rows * 20, sizeof(float));
    struct libnet_inputs in = {nacre_tensor_wrap(NACRE_FLOAT32, 2, shape, x)};
    struct libnet_outputs out;
    void *arena = aligned_alloc(64, libnet_ARENA_BYTES + 64);
    if (libnet_run(&in, &out, arena) != 0) {
      return 1;
    }
    float *y = (float *)nacre_tensor_data(out.y), sum = 0;
    int64_t count = nacre_tensor_dim(out.y, 0) * nacre_tensor_dim(out.y, 1);
    for (int64_t i = 0; i < count; ++i) {
      sum += y[i];
    }
    printf("%lld %.3f\\n", (long long)nacre_tensor_dim(out.y, 0), sum);
    nacre_release(out.y);
    nacre_release((nacre_value *)in.x);
    free(arena);
    free(x);
  }
  return 0;
}
""")
    program = tmp_path / "program"
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror",
                    f"-I{tmp_path}", "-o", program, source, library, "-lm"],
                   check=True)
    done = subprocess.run([program], check=True, capture_output=True,
                          text=True)
    assert done.stdout.split() == ["1", "1.000", "2", "2.000", "3", "3.000"]


def test_session_that_specializes_compiles_for_each_shape(tmp_path):
    model, cases, expected = perceptron()
    session = nacre.InferenceSession(model, specialize=True,
                                     cache_dir=tmp_path)
    for feeds in cases[:2]:
        (found,) = session.run(None, feeds)
        np.testing.assert_allclose(found, expected(**feeds), **tolerances.CHECK)
    assert len(list(tmp_path.glob("*.so"))) == 2


def test_loop_over_samples_needs_no_more_memory_for_more_of_them(tmp_path):
    model, _, _ = convolutions()
    static = onnx.ModelProto()
    static.CopyFrom(model)
    static.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1
    static.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 1
    arenas = []
    for name, built in (("any", model), ("one", static)):
        onnx.save(built, str(tmp_path / f"{name}.onnx"))
        cli.nacre("compile", tmp_path / f"{name}.onnx", "-o",
                  tmp_path / f"{name}.so")
        compiled = CompiledModel(tmp_path / f"{name}.so")
        arenas.append(compiled.metadata["arena_bytes"])
    assert arenas[0] <= 1.1 * arenas[1] + 64


def test_model_compiled_code_cannot_size_is_compiled_for_each_shape():
    case, _ = REFUSED["GatherND by indices of unknown length"]
    session = nacre.InferenceSession(case.model())
    for size in (4, 7):
        feeds = case.inputs(size)
        (y,) = session.run(None, feeds)
        wanted = feeds["x"][tuple(feeds["i"].T)]
        np.testing.assert_array_equal(y, wanted.ravel())


@pytest.mark.parametrize("network", [perceptron, attention])
def test_network_in_bfloat16_is_near_at_every_size(network):
    model, cases, expected = network()
    session = nacre.InferenceSession(model, precision="bf16")
    for feeds in cases:
        wanted = expected(**feeds)
        (found,) = session.run(None, feeds)
        near = tolerances.CHECK_BFLOAT16["rtol"]
        np.testing.assert_allclose(found, wanted, rtol=near,
                                   atol=near * np.abs(wanted).max())
