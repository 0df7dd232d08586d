# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of convolutions on images, or sequences, of dynamic size:
compiled once, on the engine, and compared with the interpreter at many sizes."""

import collections
import pathlib
import re

import numpy as np
import onnx
import pytest
from onnx import helper

import nacre
from backends import run
from nacre import builders, cli, tolerances
from nacre.compiled import CompiledModel
from nacre.suite import models_folder
from test_quantized_models import Network

RNG = np.random.default_rng(11)

# Odd ones, fewer than a register tile or a kernel has, and a single pixel.
SIZES = [(1, 1), (3, 5), (7, 14), (16, 16), (23, 31), (40, 37)]


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def network(nodes, shape, weights, opset=13):
    rank = len(shape)
    return builders.model(
        nodes, inputs={"x": ("float32", shape)},
        outputs={"y": ("float32", [f"o{i}" for i in range(rank)])},
        weights=weights, opset=opset)


def convolution(inputs, outputs, kernel, batch=1, relu=True, **attributes):
    """A convolution of images, or of sequences where the kernel has one size."""
    group = attributes.get("group", 1)
    weights = {"w": random(outputs, inputs // group, *kernel),
               "b": random(outputs)}
    nodes = [builders.node("Conv", ["x", "w", "b"], ["a" if relu else "y"],
                           "conv", **attributes)]
    if relu:
        nodes.append(builders.node("LeakyRelu", ["a"], ["y"], alpha=0.1))
    spatial = ["height", "width"][2 - len(kernel):]
    return network(nodes, [batch, inputs, *spatial], weights)


def pool(op, channels=20, batch=1, **attributes):
    return network([builders.node(op, ["x"], ["y"], "pool", **attributes)],
                   [batch, channels, "height", "width"], {})


def residual():
    """Blocks with strides, an addition, a join and global average pooling."""
    weights = {"w1": random(32, 3, 3, 3), "w2": random(32, 1, 3, 3),
               "w3": random(32, 32, 1, 1), "w4": random(16, 64, 3, 3),
               "w5": random(16, 9)}
    return builders.model(
        [builders.node("Conv", ["x", "w1"], ["a"], strides=[2, 2],
                       pads=[1, 1, 1, 1]),
         builders.node("Relu", ["a"], ["b"]),
         builders.node("Conv", ["b", "w2"], ["c"], group=32,
                       pads=[1, 1, 1, 1]),
         builders.node("Clip", ["c", "zero", "six"], ["d"]),
         builders.node("Conv", ["d", "w3"], ["e"]),
         builders.node("Add", ["e", "b"], ["f"]),
         builders.node("Concat", ["f", "d"], ["g"], axis=1),
         builders.node("Conv", ["g", "w4"], ["h"], pads=[1, 1, 1, 1]),
         builders.node("GlobalAveragePool", ["h"], ["i"]),
         builders.node("Flatten", ["i"], ["j"]),
         builders.node("MatMul", ["j", "w5"], ["y"])],
        inputs={"x": ("float32", [1, 3, "height", "width"])},
        outputs={"y": ("float32", [1, 9])},
        weights=weights | {"zero": np.float32(0), "six": np.float32(6)})


def joined():
    """An input that is joined to, and added to, a convolution's result."""
    weights = {"w": random(16, 16, 1, 1)}
    return builders.model(
        [builders.node("Conv", ["x", "w"], ["a"]),
         builders.node("Concat", ["a", "z"], ["b"], axis=1),
         builders.node("Concat", ["z", "a"], ["c"], axis=1),
         builders.node("Mul", ["b", "c"], ["y"])],
        inputs={"x": ("float32", [1, 16, "height", "width"]),
                "z": ("float32", [1, 16, "height", "width"])},
        outputs={"y": ("float32", [1, 32, "p", "q"])}, weights=weights)


def winograd(first_kernel, first_stride, batch=1):
    """A dense 3x3 convolution, which adds its input, after one with a stride,
    after which little is left of an image."""
    before = first_kernel - 1
    weights = {"w1": random(64, 3, first_kernel, first_kernel) / 8,
               "w2": random(64, 64, 3, 3), "b2": random(64)}
    return network(
        [builders.node("Conv", ["x", "w1"], ["a"], pads=[before, before, 0, 0],
                       strides=[first_stride, first_stride]),
         builders.node("Conv", ["a", "w2", "b2"], ["b"], pads=[1, 1, 1, 1]),
         builders.node("Add", ["b", "a"], ["c"]),
         builders.node("Relu", ["c"], ["y"])],
        [batch, 3, "height", "width"], weights)


# On which tiles of four and of two outputs pay, and of several images.
WINOGRAD = {
    "large tiles": winograd(3, 1),
    "large tiles of a batch": winograd(2, 2, batch="n"),
    "small tiles": winograd(16, 16),
    "small tiles of a batch": winograd(16, 16, batch="n"),
    "without padding": convolution(32, 48, (3, 3), batch="n"),
}

NETWORKS = {
    "padded": convolution(3, 24, (3, 3), pads=[1, 1, 1, 1]),
    "pointwise": convolution(40, 48, (1, 1)),
    "pointwise with a stride": convolution(20, 16, (1, 1), strides=[2, 3]),
    "asymmetric": convolution(20, 33, (3, 5), pads=[0, 3, 2, 1],
                              strides=[2, 1]),
    "strides beyond the kernel": convolution(16, 16, (2, 2), strides=[3, 4],
                                             pads=[1, 1, 1, 1]),
    "dilated": convolution(16, 16, (3, 3), dilations=[2, 3],
                           pads=[4, 4, 4, 4]),
    "groups of blocks": convolution(64, 32, (3, 3), group=2,
                                    pads=[1, 1, 1, 1]),
    "groups within blocks": convolution(24, 36, (3, 3), group=3,
                                        pads=[1, 1, 1, 1]),
    "depthwise": convolution(24, 24, (3, 3), group=24, pads=[1, 1, 1, 1]),
    "depthwise with a stride": convolution(40, 40, (5, 5), group=40,
                                           strides=[2, 2], pads=[2, 2, 2, 2]),
    "upper": convolution(8, 16, (3, 3), auto_pad="SAME_UPPER"),
    "upper with a stride": convolution(8, 16, (3, 3), auto_pad="SAME_UPPER",
                                       strides=[2, 3]),
    "lower with a stride": convolution(8, 16, (4, 5), auto_pad="SAME_LOWER",
                                       strides=[2, 2], batch="n"),
    "batch": convolution(20, 24, (3, 3), pads=[1, 1, 1, 1], batch="n"),
    "maximum": pool("MaxPool", kernel_shape=[3, 3], strides=[2, 2],
                    pads=[1, 1, 1, 1]),
    "maximum rounded up": pool("MaxPool", kernel_shape=[2, 3],
                               strides=[2, 3], pads=[1, 1, 1, 1],
                               ceil_mode=1, batch="n"),
    "maximum of less than a window": pool("MaxPool", kernel_shape=[4, 5],
                                          strides=[4, 5], ceil_mode=1),
    "average of less than a window": pool("AveragePool", 3,
                                          kernel_shape=[3, 4],
                                          strides=[3, 4], ceil_mode=1),
    "average": pool("AveragePool", kernel_shape=[3, 3], strides=[2, 1],
                    pads=[1, 1, 1, 1], count_include_pad=1),
    "average of the image": pool("AveragePool", kernel_shape=[3, 2],
                                 strides=[1, 2], pads=[1, 1, 2, 1]),
    "average, upper": pool("AveragePool", kernel_shape=[3, 3],
                           strides=[2, 2], auto_pad="SAME_UPPER"),
    "residual": residual(),
}

SEQUENCES = {
    "sequence": convolution(16, 24, (3,), pads=[1, 1]),
    "sequence with a stride": convolution(5, 16, (4,), pads=[3, 0],
                                          strides=[2]),
    "depthwise sequence": convolution(16, 16, (3,), group=16,
                                      auto_pad="SAME_LOWER", batch="n"),
}


def compile_model(model, folder, threads, *options):
    path, library = folder / "model.onnx", folder / "model.so"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", library, f"--threads={threads}", *options)
    return CompiledModel(library)


def get_feeds(model, sizes):
    """Random inputs: `sizes` for rows and columns, three for a batch."""
    feeds = {}
    named = {}
    for value in model.graph.input:
        shape = []
        for dim in value.type.tensor_type.shape.dim:
            name = dim.dim_param
            known = {"height": sizes[0], "width": sizes[-1], "n": 3}
            shape.append(named.setdefault(name, known[name]) if name
                         else dim.dim_value)
        feeds[value.name] = random(*shape)
    return feeds


def assert_near(found, expected, what, tolerance=tolerances.NETWORK):
    assert found.shape == expected.shape
    np.testing.assert_allclose(
        found, expected, err_msg=what,
        **tolerance.scaled_to(np.abs(expected).max()))


def check_at_sizes(model, folder, threads, sizes, *options,
                   tolerance=tolerances.NETWORK):
    compiled = compile_model(model, folder, threads, *options)
    for size in sizes:
        feeds = get_feeds(model, size)
        expected = run(model, feeds, folder, "interpreter")
        for name, found in compiled.run(feeds).items():
            assert_near(found, expected[name], str(size), tolerance)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", NETWORKS)
def test_network_of_images_is_right_at_every_size(name, threads, tmp_path):
    sizes = [size for size in SIZES
             if name not in ("asymmetric", "maximum rounded up")
             or size != (1, 1)]
    check_at_sizes(NETWORKS[name], tmp_path, threads, sizes)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SEQUENCES)
def test_network_of_sequences_is_right_at_every_length(name, threads,
                                                       tmp_path):
    check_at_sizes(SEQUENCES[name], tmp_path, threads,
                   [(1,), (2,), (15,), (48,), (1001,)])


@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", ["padded", "depthwise", "residual"])
def test_network_on_other_vectors_is_right_at_every_size(name, architecture,
                                                         tmp_path):
    check_at_sizes(NETWORKS[name], tmp_path, 1, SIZES,
                   f"--vpu-arch={architecture}")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["padded", "depthwise"])
def test_large_image_is_cut_into_tiles_of_rows(name, threads, tmp_path):
    check_at_sizes(NETWORKS[name], tmp_path, threads, [(190, 333)])


# Channels that threads divide into parts of one size, of several, and with
# none for the last thread.
@pytest.mark.parametrize("channels", [4, 5, 7, 32])
@pytest.mark.parametrize("op", ["ReduceMax", "ReduceL2", "ReduceMean"])
def test_channels_reduced_by_threads_are_right_at_every_size(op, channels,
                                                             tmp_path):
    model = network(
        [helper.make_node(op, ["x"], ["y"], axes=[2, 3])],
        [1, channels, "height", "width"], {})
    check_at_sizes(model, tmp_path, 4, [(1, 1), (5, 7), (190, 333)])


@pytest.mark.parametrize("model", [
    pytest.param(NETWORKS["residual"], id="residual"),
    pytest.param(WINOGRAD["large tiles of a batch"], id="winograd")])
def test_network_in_bfloat16_is_near_at_every_size(model, tmp_path):
    check_at_sizes(model, tmp_path, 1, SIZES, "--precision=bf16",
                   tolerance=tolerances.NETWORK_BFLOAT16)


# Besides: a tile and one more, more than are multiplied at a time, and than a
# chunk or the rows that a cache holds have.
TILES = [*SIZES, (4, 4), (5, 9), (61, 83), (190, 333)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", WINOGRAD)
def test_winograd_is_right_at_every_size(name, threads, tmp_path):
    sizes = [size for size in TILES
             if name != "without padding" or min(size) >= 3]
    check_at_sizes(WINOGRAD[name], tmp_path, threads, sizes)


@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
@pytest.mark.parametrize("name", ["large tiles", "small tiles of a batch"])
def test_winograd_on_other_vectors_is_right_at_every_size(name, architecture,
                                                          tmp_path):
    check_at_sizes(WINOGRAD[name], tmp_path, 2, TILES,
                   f"--vpu-arch={architecture}")


@pytest.mark.parametrize("name", WINOGRAD)
def test_winograd_of_any_size_is_that_of_a_known_size(name, tmp_path):
    """And not the direct algorithm, which adds in another order."""
    model = WINOGRAD[name]
    compiled = compile_model(model, tmp_path, 1)
    results = {}
    for option in ("--shape=x=1x{}x224x224", "--no-winograd"):
        folder = tmp_path / option[:6]
        folder.mkdir()
        channels = model.graph.input[0].type.tensor_type.shape.dim[1].dim_value
        results[option] = compile_model(model, folder, 1,
                                        option.format(channels))
    feeds = {"x": random(*(dim.dim_value or known for dim, known in zip(
        model.graph.input[0].type.tensor_type.shape.dim, (1, 0, 224, 224))))}
    found = compiled.run(feeds)["y"]
    known, direct = (model.run(feeds)["y"] for model in results.values())
    assert_near(found, known, "known size")
    assert not np.array_equal(found, direct)


def test_operands_of_one_size_are_joined(tmp_path):
    check_at_sizes(joined(), tmp_path, 1, SIZES)


def test_network_stays_on_the_engine(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(NETWORKS["residual"], str(path))
    vpu = tmp_path / "model.mlir"
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu")
    text = vpu.read_text()
    for op in ("NCE.Convolution", "NCE.DepthConvolution", "NCE.AveragePool"):
        assert op in text
    # Into blocks once, and back once, as a vector.
    assert text.count("srcOrder = #VPU.order<NCHW>}") == 1
    assert text.count("dstOrder = #VPU.order<NCHW>,") == 1
    assert "NCE.Eltwise" not in text


def test_image_smaller_than_its_window_fails_the_run_and_names_the_node():
    session = nacre.InferenceSession(
        convolution(3, 16, (5, 5), pads=[0, 1, 0, 1]))
    with pytest.raises(nacre.InvalidInput, match="conv.*does not fit"):
        session.run(None, {"x": random(1, 3, 4, 9)})
    (y,) = session.run(None, {"x": random(1, 3, 5, 9)})
    assert y.shape == (1, 16, 1, 7)


def test_images_to_join_of_other_sizes_fail_the_run():
    model = joined()
    for dim, name in zip(model.graph.input[1].type.tensor_type.shape.dim[2:],
                         ("h2", "w2")):
        dim.dim_param = name
    session = nacre.InferenceSession(model)
    with pytest.raises(nacre.InvalidInput, match="differ in size"):
        session.run(None, {"x": random(1, 16, 4, 9), "z": random(1, 16, 4, 8)})


def test_large_buffers_are_found_again_by_later_runs(tmp_path):
    """Memory stays what it was, however many sizes there were before."""
    compiled = compile_model(NETWORKS["padded"], tmp_path, 1)

    def rss():
        status = pathlib.Path("/proc/self/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def use():
        for size in ((400, 300), (100, 80), (300, 400)):
            compiled.run(get_feeds(NETWORKS["padded"], size))

    for _ in range(3):
        use()
    before = rss()
    for _ in range(10):
        use()
    assert rss() < before + 20000


def make_fully_convolutional(name):
    """A model whose images may have any size."""
    model = onnx.load(str(models_folder() / name / "model.onnx"))
    weights = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        dims = value.type.tensor_type.shape.dim
        if value.name not in weights and len(dims) == 4:
            dims[2].dim_param, dims[3].dim_param = "height", "width"
    del model.graph.value_info[:]
    return model


@pytest.mark.skipif(not (models_folder() / "mobilenet_v2").exists(),
                    reason="no models: NACRE_MODELS names another folder")
@pytest.mark.parametrize("threads", [1, 2])
def test_mobilenet_of_any_size_is_right_at_two_of_them(threads, tmp_path):
    model = make_fully_convolutional("mobilenet_v2")
    compiled = compile_model(model, tmp_path, threads)
    for size in ((224, 224), (97, 160)):
        feeds = get_feeds(model, size)
        expected = run(model, feeds, tmp_path, "interpreter")["logits"]
        found = compiled.run(feeds)["logits"]
        assert_near(found, expected, str(size), tolerances.WHOLE_NETWORK)


# What is left to software between convolutions, or is of bytes. Sizes of the
# parts around it are still seen to be equal, or compared by a run.

def squeeze_and_excite():
    """Gates per channel between convolutions, and a residual around them."""
    # Of about the size of their operands, as sums of any terms are.
    weights = {"w1": random(24, 3, 3, 3) / 5, "w2": random(8, 24, 1, 1) / 5,
               "w3": random(24, 8, 1, 1) / 3, "w4": random(24, 24, 1, 1) / 5}
    return network(
        [builders.node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1]),
         builders.node("HardSwish", ["a"], ["b"]),
         builders.node("GlobalAveragePool", ["b"], ["c"]),
         builders.node("Conv", ["c", "w2"], ["d"]),
         builders.node("Relu", ["d"], ["e"]),
         builders.node("Conv", ["e", "w3"], ["f"]),
         builders.node("Sigmoid", ["f"], ["g"]),
         builders.node("Mul", ["b", "g"], ["h"]),
         builders.node("Conv", ["h", "w4"], ["i"]),
         builders.node("Add", ["i", "b"], ["y"])],
        ["n", 3, "height", "width"], weights, opset=14)


def pyramid():
    """Images resized to twice their size, and to that of another, and joined,
    with two computed shapes on the way."""
    weights = {"w1": random(32, 3, 3, 3) / 5, "w2": random(16, 96, 1, 1) / 8,
               "twice": np.float32([1, 1, 2, 2]), "same": np.int64([1, 32]),
               "halves": np.int64([1, 2, 16])}
    return network(
        [builders.node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1]),
         builders.node("Resize", ["a", "", "twice"], ["b"], mode="nearest",
                       coordinate_transformation_mode="asymmetric"),
         builders.node("MaxPool", ["b"], ["c"], kernel_shape=[3, 3],
                       strides=[2, 2], pads=[1, 1, 1, 1]),
         builders.node("AveragePool", ["a"], ["d"], kernel_shape=[3, 3],
                       strides=[2, 2], pads=[1, 1, 1, 1]),
         builders.node("Shape", ["x"], ["e"], start=2),
         builders.node("Concat", ["same", "e"], ["f"], axis=0),
         builders.node("Resize", ["d", "", "", "f"], ["g"], mode="linear"),
         builders.node("Concat", ["halves", "e"], ["h"], axis=0),
         builders.node("Reshape", ["a", "h"], ["i"]),
         builders.node("Transpose", ["i"], ["j"], perm=[0, 2, 1, 3, 4]),
         builders.node("Reshape", ["j", "f"], ["k"]),
         builders.node("Concat", ["c", "g", "k"], ["l"], axis=1),
         builders.node("Conv", ["l", "w2"], ["y"])],
        [1, 3, "height", "width"], weights, opset=17)


BETWEEN = {
    "groups within blocks": convolution(24, 36, (3, 3), group=3, batch="n",
                                        pads=[1, 1, 1, 1]),
    "depthwise": convolution(24, 24, (3, 3), group=24, batch="n",
                             strides=[2, 2], pads=[1, 1, 1, 1]),
    "squeeze and excite": squeeze_and_excite(),
    "pyramid": pyramid(),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", BETWEEN)
def test_network_with_software_is_right_at_every_size(name, threads, tmp_path):
    check_at_sizes(BETWEEN[name], tmp_path, threads, SIZES)


def test_convolution_behind_resized_images_is_on_the_engine(tmp_path):
    assert count_kernels(pyramid(), tmp_path)["VPU.NCE.Convolution"] == 2


def quantized_network(dtype, per_channel, batch):
    """A network in QDQ form whose first output is in front of the average."""
    model = Network(dtype, per_channel).build()
    model.graph.output.insert(0, onnx.helper.make_tensor_value_info(
        "q6_d", onnx.TensorProto.FLOAT, [1, 36, "rows", "columns"]))
    dims = model.graph.input[0].type.tensor_type.shape.dim
    dims[2].dim_param, dims[3].dim_param = "height", "width"
    if batch:
        dims[0].dim_param = batch
        for value in model.graph.output:
            value.type.tensor_type.shape.dim[0].dim_param = batch
    return model


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", [None, "n"], ids=["one", "batch"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_quantized_network_is_right_at_every_size(dtype, batch, threads,
                                                  tmp_path):
    model = quantized_network(dtype, per_channel=True, batch=batch)
    compiled = compile_model(model, tmp_path, threads)
    scales = {tensor.name: onnx.numpy_helper.to_array(tensor)
              for tensor in model.graph.initializer}
    for size in SIZES + [(130, 150)]:
        feeds = get_feeds(model, size)
        expected = run(model, feeds, tmp_path, "interpreter")
        found = compiled.run(feeds)
        np.testing.assert_array_equal(found["q6_d"], expected["q6_d"],
                                      str(size))
        # An average that is all but a tie is rounded either way.
        difference = np.abs(found["y_d"] - expected["y_d"]).max()
        assert round(difference / scales["y_scale"]) <= 1, size


def count_kernels(model, folder, *options):
    """How many ops of the engine, and of software, a model becomes."""
    path, vpu = folder / "model.onnx", folder / "model.mlir"
    onnx.save(model, str(path))
    cli.nacre("compile", path, "-o", vpu, "--emit=vpu", *options)
    return collections.Counter(re.findall(r"VPU\.NCE\.\w+|linalg\.generic",
                                          vpu.read_text()))


def test_quantized_network_is_as_much_on_the_engine_as_of_known_size(tmp_path):
    model = quantized_network(np.uint8, per_channel=False, batch="n")
    static = count_kernels(model, tmp_path, "--shape", "x=2x3x40x50")
    assert static["VPU.NCE.Convolution"] == 4
    assert count_kernels(model, tmp_path) == static
