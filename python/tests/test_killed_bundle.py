# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A header says that a bundle is whole, also where nacre was killed as it wrote
it: at any moment, with nothing in the folder, and over another bundle."""

import os
import subprocess
import time

import numpy as np
import onnx
import pytest

from nacre import builders, cli

# Weights take 8 MB, as text 48 MB.
WIDTH = 1448
TIMES = 16


def write_model(path, seed):
    """A product, whose weights are what is written for most of the time."""
    weights = np.random.default_rng(seed).random((WIDTH, WIDTH), np.float32)
    onnx.save(builders.model(
        [builders.node("MatMul", ["x", "w"], ["y"])],
        {"x": ("float32", [1, WIDTH])}, {"y": ("float32", [1, WIDTH])},
        weights={"w": weights}), str(path))


def start(model, folder):
    return subprocess.Popen(
        [cli.tool(), "compile", model, "--emit=bundle", "-O0", "--name=net",
         "--weights-text=always", "-o", folder], stdout=subprocess.DEVNULL)


def read(folder):
    """What the files of a bundle hold, by name; not those of other names, which
    are to become them."""
    return {path.name: path.read_bytes() for path in folder.glob("net.*")
            if path.suffix != ".tmp"}


def wait_for(process, is_there):
    while process.poll() is None and not is_there():
        pass


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Two models, their whole bundles, and how long one is written."""
    folder = tmp_path_factory.mktemp("bundles")
    models, wholes = [], []
    for seed in 1, 2:
        models.append(folder / f"{seed}.onnx")
        write_model(models[-1], seed)
        place = folder / str(seed)
        process = start(models[-1], place)
        wait_for(process, lambda: place.exists() and any(place.iterdir()))
        begin = time.monotonic()
        assert process.wait() == 0
        seconds = time.monotonic() - begin
        wholes.append(read(place))
    assert sorted(wholes[0]) == ["net.h", "net.o", "net.weights.bin",
                                 "net.weights.txt"]
    assert all(wholes[0][name] != wholes[1][name]
               for name in wholes[0] if name != "net.o")
    return models, wholes, seconds


def test_killed_compiler_leaves_no_header(bundles, tmp_path):
    models, wholes, seconds = bundles
    rng, cut = np.random.default_rng(7), 0
    for number in range(TIMES):
        folder = tmp_path / str(number)
        process = start(models[0], folder)
        wait_for(process, lambda: folder.exists() and any(folder.iterdir()))
        time.sleep(rng.uniform(0, seconds))
        process.kill()
        process.wait()
        found = read(folder)
        cut += "net.h" not in found
        # Not for pytest to print, which takes minutes.
        is_whole = found == wholes[0]
        assert "net.h" not in list(found) or is_whole, number
    assert cut >= TIMES / 4


def test_killed_compiler_leaves_no_header_of_an_older_bundle(bundles, tmp_path):
    """As soon as one of its files has been replaced."""
    models, wholes, _ = bundles
    assert subprocess.run([cli.tool(), "compile", models[0], "--emit=bundle",
                           "-O0", "--name=net", "--weights-text=always", "-o",
                           tmp_path], stdout=subprocess.DEVNULL,
                          check=False).returncode == 0
    weights = tmp_path / "net.weights.bin"
    for number in range(TIMES):
        old = os.stat(weights).st_ino
        process = start(models[(number + 1) % 2], tmp_path)
        wait_for(process, lambda: os.stat(weights).st_ino != old)
        process.kill()
        process.wait()
        found = read(tmp_path)
        is_whole = found in wholes
        assert "net.h" not in list(found) or is_whole, number
