# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `nacre calibrate` keeps of samples: statistics, and no values."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli
from nacre.samples import write_tensor

MEGABYTE = 1 << 20
SIZE, CHANNELS, LAYERS = 64, 64, 4
# Bytes of the values of one sample: what convolutions and rectifiers compute.
VALUES = 2 * LAYERS * CHANNELS * SIZE ** 2 * 4
# As many as choose a calibrator, and more.
FEW, MANY = 8, 32
# Pictures of this size take more than a megabyte.
INPUT = 320


@pytest.fixture(scope="module")
def net(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    rng = np.random.default_rng(2)
    nodes, weights, at, channels = [], {}, "x", 3
    for i in range(LAYERS):
        weights[f"w{i}"] = rng.normal(
            0, (9 * channels) ** -0.5,
            (CHANNELS, channels, 3, 3)).astype(np.float32)
        nodes += [builders.node("Conv", [at, f"w{i}"], [f"c{i}"], pads=[1] * 4),
                  builders.node("Relu", [f"c{i}"], [f"r{i}"])]
        at, channels = f"r{i}", CHANNELS
    onnx.save(builders.model(
        nodes, {"x": ("float32", [1, 3, SIZE, SIZE])},
        {at: ("float32", [1, CHANNELS, SIZE, SIZE])}, weights=weights),
        str(folder / "net.onnx"))
    for i in range(MANY):
        (folder / "data" / f"{i:02}").mkdir(parents=True)
        write_tensor(folder / "data" / f"{i:02}" / "input_0.pb", "x",
                     rng.normal(0, 1, (1, 3, SIZE, SIZE)).astype(np.float32))
    return folder


def peak(net, count, *options):
    """The most bytes that calibration by so many samples takes."""
    return cli.measure("calibrate", net / "net.onnx",
                       f"--data={net / 'data'}", f"--samples={count}", "-o",
                       net / "r.yaml", *options).memory


@pytest.mark.parametrize("options", [[], ["--hessians"], ["--threads=2"]])
def test_memory_does_not_depend_on_the_number_of_samples(net, options):
    few, many = (peak(net, count, *options) for count in (FEW, MANY))
    # Half of the values of a single sample would show.
    assert many - few < VALUES / 2, (few / MEGABYTE, many / MEGABYTE)


def test_memory_is_that_of_one_run_and_of_statistics(net):
    """What one sample's values take, and a quarter of them in parts."""
    run = cli.measure("run", net / "net.onnx").memory
    # Without the runs that choose a calibrator, which keep no values.
    alone = "--calibrator=mse"
    parts = peak(net, FEW, f"--memory={VALUES // 4 // MEGABYTE}", alone)
    assert peak(net, FEW) - run < 4 * VALUES
    assert parts < peak(net, FEW, alone)


def write_numbers(path, array):
    """A tensor whose elements are numbers of the message, not bytes in it."""
    tensor = onnx.helper.make_tensor("x", onnx.TensorProto.FLOAT, array.shape,
                                     array.ravel())
    path.write_bytes(tensor.SerializeToString())


def make_large_inputs(folder, size, count, raw=True):
    """A model of few values besides its input, and so many samples."""
    rng = np.random.default_rng(3)
    onnx.save(builders.model(
        [builders.node("Conv", ["x", "w"], ["c"], strides=[8, 8]),
         builders.node("Relu", ["c"], ["y"])],
        {"x": ("float32", [1, 3, size, size])},
        {"y": ("float32", [1, 2, size // 8, size // 8])},
        weights={"w": rng.normal(0, 0.1, (2, 3, 8, 8)).astype(np.float32)}),
        str(folder / "net.onnx"))
    for i in range(count):
        file = folder / "data" / f"{i:02}" / "input_0.pb"
        file.parent.mkdir(parents=True)
        image = rng.normal(0, 1, (1, 3, size, size)).astype(np.float32)
        if raw:
            write_tensor(file, "x", image)
        else:
            write_numbers(file, image)


@pytest.mark.parametrize("calibrator", ["auto", "measured"])
def test_choice_of_a_calibrator_keeps_no_samples(tmp_path, calibrator):
    make_large_inputs(tmp_path, INPUT, MANY)
    few, many = (cli.measure(
        "quantize", tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
        f"--samples={count}", f"--calibrator={calibrator}", "-o",
        tmp_path / "small.onnx").memory for count in (FEW, MANY))
    inputs = (MANY - FEW) * 3 * INPUT ** 2 * 4
    assert many - few < inputs / 4, (few / MEGABYTE, many / MEGABYTE)


@pytest.mark.parametrize("raw", [True, False])
def test_samples_of_less_than_a_megabyte_leave_no_holes(tmp_path, raw):
    """What is kept between samples is no reason to keep their room."""
    size, count = 280, 80
    make_large_inputs(tmp_path, size, count, raw)
    few, many = (peak(tmp_path, number) for number in (FEW, count))
    inputs = (count - FEW) * 3 * size ** 2 * 4
    assert many - few < inputs / 4, (few / MEGABYTE, many / MEGABYTE)
