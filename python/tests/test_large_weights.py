# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of hundreds of megabytes: where they lie, and when they leave."""

import ctypes
import mmap
import re
import resource
import time

import numpy as np
import onnx
import pytest

from nacre import builders, cli
from nacre.compiled import CompiledModel
from nacre.tolerances import DEFAULT

SIZE, LAYERS = 3800, 5
# Of more digits than a float of 16 bits has, or weights were stored in those.
WEIGHT = 1 + 2 ** -12
HUGE_PAGE = 2 << 20


@pytest.fixture(scope="module")
def layers(tmp_path_factory):
    """A model of 289 MB of weights, a few in each column not 0, and them."""
    rng = np.random.default_rng(8)
    weights = {f"w{i}": (rng.random((SIZE, SIZE), np.float32) < 0.001)
               * np.float32(WEIGHT) for i in range(LAYERS)}
    nodes = [builders.node("MatMul", [f"v{i}", f"w{i}"], [f"v{i + 1}"])
             for i in range(LAYERS)]
    model = builders.model(
        nodes, {"v0": ("float32", [1, SIZE])},
        {f"v{LAYERS}": ("float32", [1, SIZE])}, weights=weights)
    path = tmp_path_factory.mktemp("layers") / "layers.onnx"
    onnx.save(model, str(path))
    return path, list(weights.values())


@pytest.fixture(scope="module", params=[1, 2])
def library(layers, request):
    path = layers[0].parent / f"layers{request.param}.so"
    cli.nacre("compile", layers[0], f"--threads={request.param}", "-o", path)
    return path


class Mapping:
    """The pages of a library's weights in this process."""

    def __init__(self, library):
        with open("/proc/self/smaps", encoding="ascii") as file:
            parts = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", file.read(),
                             flags=re.MULTILINE)
        sizes = {}
        for part in parts:
            if str(library) in part:
                begin, end = (int(number, 16) for number in
                              re.match(r"(\w+)-(\w+)", part).groups())
                sizes[end - begin] = begin, part
        self.begin, self.text = sizes[max(sizes)]

    def kilobytes(self, key):
        return int(re.search(rf"^{key}:\s*(\d+) kB$", self.text,
                             re.MULTILINE).group(1))


def test_large_weights_begin_with_a_huge_page(library):
    CompiledModel(library)
    assert Mapping(library).begin % HUGE_PAGE == 0


def test_large_weights_are_written_once(layers):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock
    cli.nacre("compile", layers[0], "-o", layers[0].parent / "once.so")
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock
    if after == before:
        pytest.skip("the system does not count what is written here")
    # In blocks of 512 bytes.
    assert (after - before) * 512 < 1.5 * LAYERS * SIZE * SIZE * 4


def test_runs_that_release_weights_find_them_again(layers, library):
    model = CompiledModel(library)
    x = np.arange(SIZE, dtype=np.float32).reshape(1, SIZE) % 7
    expected = x
    for weights in layers[1]:
        expected = expected @ weights
    for _ in range(3):
        result = model.run({"v0": x})[f"v{LAYERS}"]
        np.testing.assert_allclose(result, expected, **DEFAULT)


def seconds_to_release(address):
    """How long it takes to release a huge page and to find it again."""
    libc = ctypes.CDLL(None)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(HUGE_PAGE),
                     mmap.MADV_DONTNEED)
        ctypes.string_at(address, 1)
        times.append(time.perf_counter() - start)
    return min(times)


def test_a_run_leaves_no_weights_in_memory_where_files_have_huge_pages(
        library):
    model = CompiledModel(library)
    before = Mapping(library)
    ctypes.string_at(before.begin, HUGE_PAGE)
    if Mapping(library).kilobytes("FilePmdMapped") == 0:
        pytest.skip("the system has no huge pages for these files")
    if seconds_to_release(before.begin) > 4e-6:
        pytest.skip("releasing a page takes long here, so weights may stay")
    model.run({"v0": np.ones((1, SIZE), np.float32)})
    # But for the page at the end, which is not whole.
    assert Mapping(library).kilobytes("Rss") * 1024 <= 2 * HUGE_PAGE
