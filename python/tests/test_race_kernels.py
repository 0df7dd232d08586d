# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The race of kernel steps: its steps, and what it says of figures. Nothing is
timed here."""

import sys

import pytest

from nacre import cli
from nacre.race import kernels

sys.path.insert(0, str(cli.ROOT / "python" / "scripts"))

import bench_onednn  # noqa: E402

CONV = """module @conv attributes {VPU.arch = #VPU.arch<name = "x86-64-v4">} {
  func.func @main(%arg0: tensor<1x16x4x4xi8>) -> tensor<1x16x4x4xi8> {
    %cst = arith.constant dense_resource<packed> : tensor<1x1x1x1x4x16x4xi8>
    %cst_0 = arith.constant dense_resource<scale> : tensor<1x16xf32>
    %0 = tensor.empty() : tensor<1x1x4x4x16xi8>
    %1 = VPU.Copy ins(%arg0 : tensor<1x16x4x4xi8>) outs(%0 : tensor<1x1x4x4x16xi8>) -> tensor<1x1x4x4x16xi8>
    %2 = VPU.NCE.Convolution ins(%1, %cst : tensor<1x1x4x4x16xi8>, tensor<1x1x1x1x4x16x4xi8>) scale(%cst_0 : tensor<1x16xf32>) outs(%0 : tensor<1x1x4x4x16xi8>) {ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>} -> tensor<1x1x4x4x16xi8>
    return %2 : tensor<1x1x4x4x16xi8>
  }
}
"""


def test_step_has_the_operands_of_its_op_as_arguments():
    text, element = kernels.isolate(CONV)
    assert element == "i8"
    assert text == """\
func.func @main(%arg0: tensor<1x1x4x4x16xi8>, \
%arg1: tensor<1x1x1x1x4x16x4xi8>, %arg2: tensor<1x16xf32>) \
-> tensor<1x1x4x4x16xi8> {
  %out = tensor.empty() : tensor<1x1x4x4x16xi8>
  %step = VPU.NCE.Convolution ins(%arg0, %arg1 : tensor<1x1x4x4x16xi8>, \
tensor<1x1x1x1x4x16x4xi8>) scale(%arg2 : tensor<1x16xf32>) \
outs(%out : tensor<1x1x4x4x16xi8>) \
{ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>} -> tensor<1x1x4x4x16xi8>
  return %step : tensor<1x1x4x4x16xi8>
}
"""


@pytest.mark.parametrize("text", ["", CONV + CONV], ids=["none", "two"])
def test_model_of_other_than_one_engine_op_is_no_step(text):
    with pytest.raises(kernels.NoStep, match="engine ops"):
        kernels.isolate(text)


@pytest.mark.parametrize("precision", kernels.TYPES)
@pytest.mark.parametrize("kernel", [
    kernels.Conv(16, 32, 8, 3, stride=2), kernels.Conv(32, 32, 8, 3, groups=4),
    kernels.Conv(32, 32, 8, 5, groups=32), kernels.Product(8, 32, 64)],
    ids=lambda kernel: kernel.name)
def test_kernel_becomes_a_step_that_compiles(kernel, precision, tmp_path):
    architecture = "--vpu-arch=sapphirerapids"
    step, result = bench_onednn.compile_step(kernel, precision, tmp_path,
                                             architecture)
    of_engine = {"f32": "f32", "bf16": "bf16", "int8": "u8"}[precision]
    # Of a product the model's result is the step's.
    assert result == of_engine or (precision == "bf16" and result == "f32")
    cli.nacre("compile", step, "-o", tmp_path / "step.o", architecture)


def test_kernels_have_names_of_their_own():
    names = [kernel.name for kernel in (*kernels.KERNELS, *kernels.MORE)]
    assert len(set(names)) == len(names)


def test_drawn_kernels_follow_from_the_seed():
    assert kernels.choose(3, 5) == kernels.choose(3, 5)
    assert kernels.choose(3, 5) != kernels.choose(4, 5)
    assert kernels.choose(3, 5)[:-5] == [*kernels.KERNELS]


def test_kernels_are_chosen_by_name():
    assert kernels.choose(1, 5, ["matmul 8x"]) == [
        kernels.Product(8, 1024, 1024)]


def pair(peer_ms, ms):
    return ({"median_ms": peer_ms, "implementation": "brgemm:amx",
             "engine": "onednn 2.6.3"}, {"median_ms": ms})


def test_summary_is_of_medians():
    product = kernels.Product(100, 1000, 1000)  # 0.2 GFLOP
    result = bench_onednn.summarize(
        product, "f32", [pair(1, 2), pair(4, 2), pair(2, 2)], [0.5, 0.4])
    assert result["ratio"] == 1
    assert (result["lowest"], result["highest"]) == (0.5, 2)
    assert result["gflops"] == result["peer_gflops"] == 100
    assert result["share"] == 0.2


def test_time_of_the_roofline_is_that_of_all_steps():
    steps = [{"roofline": 0.5, "ms": 2}, {"roofline": 0.25, "ms": 4}]
    assert bench_onednn.least_ms({"steps": steps}) == 2


def test_table_has_the_worst_first_and_a_mean_of_each_type():
    results = [bench_onednn.summarize(kernels.Product(1, 2, 3), precision,
                                      [pair(peer_ms, 1)], [0.5])
               for precision, peer_ms in (("f32", 4), ("int8", 0.5),
                                          ("f32", 1))]
    _, _, *rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in bench_onednn.table(results).splitlines()]
    assert [row[1:3] for row in rows] == [
        ["int8", "0.50"], ["f32", "1.00"], ["f32", "4.00"],
        ["f32", "2.00"], ["int8", "0.50"]]
    assert rows[0][-1] == "brgemm:amx"
    assert len({len(row) for row in rows}) == 1
