# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How check_code.py counts spills, and code that must have none."""

import numpy as np
import onnx
import pytest

from nacre import builders, cli

import check_code

ASSEMBLY = """
kernel_3:                               # @kernel_3
# %bb.0:
	vmovups	%ymm0, 32(%rsp)                 # 32-byte Spill
.LBB0_1:                                # =>This Loop Header: Depth=1
	vmovups	%ymm0, 64(%rsp)                 # 32-byte Spill
.LBB0_2:                                #   Parent Loop BB0_1 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	vmovups	64(%rsp), %ymm1                 # 32-byte Reload
	movq	%rax, 8(%rsp)                   # 8-byte Spill
	jne	.LBB0_4
# %bb.3:                                #   in Loop: Header=BB0_2 Depth=2
	vfmadd231ps	32(%rsp), %ymm1, %ymm0  # 32-byte Folded Reload
	jne	.LBB0_2
.LBB0_4:                                #   in Loop: Header=BB0_1 Depth=1
	vmovups	64(%rsp), %ymm1                 # 32-byte Reload
	jne	.LBB0_1
# %bb.5:
	retq
kernel_12:                              # @kernel_12
.LBB1_1:                                # =>This Inner Loop Header: Depth=1
	vmovups	%zmm1, (%rsp)                   # 64-byte Spill
	jne	.LBB1_1
clean:                                  # @clean
.LBB2_1:                                # =>This Inner Loop Header: Depth=1
	vaddps	%zmm1, %zmm0, %zmm0
	jne	.LBB2_1
"""


def test_inner_spills_counts_vectors_in_innermost_loops():
    assert check_code.inner_spills(ASSEMBLY) == {"kernel_3": 2, "kernel_12": 1}


def test_inner_spills_around_calls_are_not_counted():
    assembly = ASSEMBLY.replace("\tjne\t.LBB1_1\n",
                                "\tcallq\tmemcpy@PLT\n\tjne\t.LBB1_1\n")
    assert assembly != ASSEMBLY
    assert check_code.inner_spills(assembly) == {"kernel_3": 2}


def gates():
    """Three functions in one loop, of more constants than AVX2 has registers."""
    return builders.model(
        [builders.node("Tanh", ["a"], ["e"]),
         builders.node("Sigmoid", ["b"], ["f"]),
         builders.node("Sigmoid", ["c"], ["g"]),
         builders.node("Mul", ["e", "f"], ["h"]),
         builders.node("Mul", ["d", "g"], ["i"]),
         builders.node("Add", ["h", "i"], ["y"])],
        inputs={name: ("float32", [1, 128]) for name in "abcd"},
        outputs={"y": ("float32", [1, 128])})


def transposition():
    """Vectors of six rows are shuffled into each other."""
    return builders.single("Transpose", {"x": ("float32", [1, 6, 30, 40])},
                           {"y": ("float32", [1, 30, 40, 6])},
                           perm=[0, 2, 3, 1])


def groups():
    """A window whose weights are the same for every pixel."""
    weights = np.random.default_rng(1).standard_normal((32, 8, 3, 3))
    return builders.single("Conv", {"x": ("float32", [1, 32, 57, 61])},
                           {"y": ("float32", [1, 32, 55, 59])},
                           weights={"w": weights.astype(np.float32)}, group=4)


@pytest.mark.parametrize("architecture", check_code.ARCHITECTURES)
@pytest.mark.parametrize("build", [gates, transposition, groups])
def test_loop_that_needs_many_constants_spills_nothing(build, architecture,
                                                       tmp_path):
    path, assembly = tmp_path / "model.onnx", tmp_path / "model.s"
    onnx.save(build(), str(path))
    cli.nacre("compile", path, "-o", assembly, "--emit=asm",
              f"--vpu-arch={architecture}")
    text = assembly.read_text()
    assert "Inner Loop Header" in text
    assert not check_code.inner_spills(text)
