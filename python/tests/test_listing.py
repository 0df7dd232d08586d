# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Listings of whole networks, and of every operator, are consistent: sizes add
up, all users exist, and no two buffers share memory while both are alive."""

import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import helper

import merged_models
from nacre import builders, cli, suite
from nacre.samples import write_tensor
from onnx_backend_suite import DATA, expected_file

MODELS = suite.find_tests(suite.models_folder())
LEVELS = ["graph", "kernels"]


def verify(path):
    """What --verify-listing finds in the file at PATH."""
    process = subprocess.run(
        [cli.tool("nacre-translate"), "--verify-listing", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.returncode == 0, process.stdout
    return process.stdout


def compile_model(model, folder, level, *options):
    """Compiles MODEL in FOLDER and returns its listing, and its header."""
    listing = folder / f"{level}.lst"
    cli.nacre("compile", model, "-O0", "-o", folder / "model.o",
              f"--dump-listing={listing}", f"--listing-level={level}", *options)
    verify(listing)
    return listing.read_text(), (folder / "model.h").read_text()


def get_arena(listing):
    return re.search(r"activations (\d+|\?)", listing).group(1)


def find_unread(listing):
    """Steps that write nothing but buffers of the arena which nobody reads
    afterwards. What a step needs for itself counts as written, too; a buffer that
    is written again and then read counts as needed."""
    steps = [(int(number), len(indent) > 2,
              re.findall(r"@(in|out|inout) (%\w+)", uses))
             for indent, number, uses in re.findall(
                 r"^( +)(\d+) (\w+ @.*)$", listing, re.MULTILINE)]
    assert steps, "the listing has no steps in the form that is read here"
    local = set(re.findall(r"^ *(%\w+) = alloc ", listing, re.MULTILINE))

    def is_needed(number, is_in_loop, buffer):
        # The next iteration of a loop may read it in an earlier step.
        return buffer not in local or any(
            (step > number or is_in_loop) and buffer == other and role != "out"
            for step, _, uses in steps for role, other in uses)

    def is_unread(number, is_in_loop, uses):
        written = [buffer for role, buffer in uses if role != "in"]
        return written and not any(is_needed(number, is_in_loop, buffer)
                                   for buffer in written)

    return [step[0] for step in steps if is_unread(*step)]


@pytest.mark.parametrize("options", [[], ["--threads=2"],
                                     ["--threads=2", "--vpu-arch=NPU37XX"]],
                         ids=["cpu", "threads", "npu"])
@pytest.mark.parametrize("name", MODELS)
def test_kernels_of_a_network_have_the_arena_of_its_header(name, options,
                                                           tmp_path):
    listing, header = compile_model(MODELS[name] / "model.onnx", tmp_path,
                                    "kernels", *options)
    bytes_ = re.search(r"_ARENA_BYTES (\d+)", header).group(1)
    assert get_arena(listing) in (bytes_, "?" if bytes_ == "0" else bytes_)
    # Nothing is left for a pass that removes dead stores.
    assert not find_unread(listing)


def test_step_whose_result_nobody_reads_is_found():
    assert find_unread("""code {
  %a0 = alloc f32<4>                   ; 16 bytes at 0, users: @out 0, @in 1
  %a1 = alloc f32<4>                   ; 16 bytes at 16, users: @out 0, @out 2
  0 kernel_0 @out %a0, @out %a1, @in %x
  1 kernel_1 @out %y, @in %a0
  2 kernel_2 @out %a1, @in %x
}""") == [2]


@pytest.mark.parametrize("name", MODELS)
def test_graph_of_a_network_is_consistent(name, tmp_path):
    listing, dots = tmp_path / "graph.lst", []
    for option in "--dump-graph", "--dump-graph-optimized":
        dots.append(tmp_path / f"{option}.dot")
    cli.nacre("compile", MODELS[name] / "model.onnx", "--emit=ie", "-o",
              tmp_path / "model.mlir", f"--dump-listing={listing}",
              f"--dump-graph={dots[0]}", f"--dump-graph-optimized={dots[1]}")
    verify(listing)
    for dot in dots:
        check_graph(dot.read_text())


def check_graph(text):
    """Edges lead from nodes to nodes, and frames are closed."""
    nodes = set(re.findall(r"^ *(\w+) \[label=", text, re.MULTILINE))
    edges = re.findall(r"^ *(\w+) -> (\w+) \[label=", text, re.MULTILINE)
    assert edges and {node for edge in edges for node in edge} <= nodes
    lines = [line.strip() for line in text.splitlines()]
    assert sum(line.endswith(" {") for line in lines) == lines.count("}")


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    """ONNX's tests of single nodes, many as one model."""
    passed = suite.ExpectedPasses(expected_file("node")).names("cpu")
    tests = {name: folder
             for name, folder in suite.find_tests(DATA / "node").items()
             if name in passed}
    if not tests:
        pytest.skip(f"no {DATA}")
    root = tmp_path_factory.mktemp("nodes")
    folders = []
    for key, group in merged_models.group(tests).items():
        merged_models.merge(group, root / key)
        folders.append(root / key)
    return folders


@pytest.mark.parametrize("level", LEVELS)
def test_every_operator_is_listed(groups, level):
    for folder in groups:
        listing = folder / f"{level}.lst"
        cli.nacre("compile", folder / "model.onnx", "--emit=ie", "-o",
                  folder / "model.mlir", f"--dump-listing={listing}",
                  f"--listing-level={level}")
        verify(listing)


def make_linear():
    rng = np.random.default_rng(0)
    nodes = [builders.node("Gemm", ["input_1", "fc.weight", "fc.bias"], ["fc"],
                           "Gemm_0", transB=1),
             builders.node("Sigmoid", ["fc"], ["output_1"], "Sigmoid_1")]
    return builders.model(
        nodes, {"input_1": ("float32", [3, 10])},
        {"output_1": ("float32", [3, 5])},
        weights={"fc.weight": rng.random((5, 10), np.float32),
                 "fc.bias": rng.random(5, np.float32)})


def test_linear_layer_is_listed_as_the_documentation_shows(tmp_path):
    page = (cli.ROOT / "docs" / "Listing.md").read_text()
    shown = re.search(r"^```\n(function linear.*?)^```", page,
                      re.DOTALL | re.MULTILINE).group(1)
    onnx.save(make_linear(), str(tmp_path / "linear.onnx"))
    listing, _ = compile_model(tmp_path / "linear.onnx", tmp_path, "graph",
                               "--vpu-arch=sapphirerapids")
    assert listing == shown


def test_linear_layer_needs_no_arena(tmp_path):
    onnx.save(make_linear(), str(tmp_path / "linear.onnx"))
    listing, header = compile_model(tmp_path / "linear.onnx", tmp_path,
                                    "kernels", "--vpu-arch=sapphirerapids")
    assert get_arena(listing) == "0" and "_ARENA_BYTES 0" in header
    assert re.search(r"0 vpu_nce_matmul @out %output_1, .*Gemm_0 \+ Sigmoid_1",
                     listing)


def test_tune_shows_the_first_model_that_it_compiles(tmp_path):
    """Of samples of two shapes, with ranges and without."""
    weights = np.ones((4, 1, 3, 3), np.float32)
    onnx.save(builders.model(
        [helper.make_node("Conv", ["x", "w"], ["y"], "conv")],
        {"x": ("float32", [1, 1, "h", 8])}, {"y": ("float32", [1, 4, "k", 6])},
        weights={"w": weights}), str(tmp_path / "net.onnx"))
    for i, height in enumerate((9, 13)):
        (tmp_path / "data" / str(i)).mkdir(parents=True)
        image = np.random.default_rng(i).random((1, 1, height, 8), np.float32)
        write_tensor(tmp_path / "data" / str(i) / "input_0.pb", "x", image)
    command = ["tune", tmp_path / "net.onnx", f"--data={tmp_path / 'data'}",
               "--target=sqnr>=20", "-o", tmp_path / "tuned.yaml"]
    shown = [tmp_path / name for name in ("net.lst", "net.dot", "best.dot")]
    for ranges in [], [f"--ranges={tmp_path / 'r.yaml'}"]:
        cli.nacre(*command, *ranges, f"--dump-listing={shown[0]}",
                  f"--dump-graph={shown[1]}",
                  f"--dump-graph-optimized={shown[2]}")
        verify(shown[0])
        assert "x9x8>" in shown[0].read_text()
        assert "x13x8>" not in shown[0].read_text()
        for dot in shown[1:]:
            check_graph(dot.read_text())
            dot.unlink()
        (tmp_path / "tuned.yaml").rename(tmp_path / "r.yaml")
