# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices of odd sizes, constant and computed by a run: compared with
the interpreter."""

import pytest

from nacre import tolerances
from side_by_side import Case, check

PRODUCTS = {
    "single numbers": Case("MatMul", [(1, 1), (1, 1)], 2),
    "odd": Case("MatMul", [(3, 5), (5, 7)], 2),
    "primes": Case("MatMul", [(31, 53), (53, 37)], 2),
    "constant primes": Case("MatMul", [(31, 53), (53, 37)]),
    "row": Case("MatMul", [(1, 67), (67, 129)]),
    "row of a run": Case("MatMul", [(1, 67), (67, 129)], 2),
    "wide row of a run": Case("MatMul", [(1, 320), (320, 1100)], 2),
    "rows of a run": Case("MatMul", [(61, 53), (53, 200)], 2),
    "column": Case("MatMul", [(67, 31), (31, 1)], 2),
    "vector": Case("MatMul", [(2, 5, 31), (31, 17)]),
    "batch": Case("MatMul", [(2, 3, 5, 7), (2, 3, 7, 11)], 2),
    "batch of constants": Case("MatMul", [(3, 5, 7), (3, 7, 11)]),
    "rows of batches": Case("MatMul", [(2, 3, 5, 7), (7, 11)], 2),
    "rows of heads": Case("MatMul", [(12, 1, 64), (12, 64, 130)], 2),
    "repeated left": Case("MatMul", [(5, 7), (3, 7, 11)], 2),
    "repeated right": Case("MatMul", [(2, 3, 5, 7), (2, 1, 7, 11)], 2),
    "Gemm": Case("Gemm", [(13, 29), (29, 23), (23,)]),
    "Gemm, transposed": Case("Gemm", [(13, 29), (23, 29), (23,)], transB=1),
    "Gemm, scaled": Case("Gemm", [(13, 29), (23, 29), (23,)], transB=1,
                         alpha=0.3, beta=0.7),
    "Gemm, one addend": Case("Gemm", [(13, 29), (29, 23), (1,)]),
    "Gemm of a run": Case("Gemm", [(13, 29), (29, 23)], 2),
    "Gemm of a run, constant addend": Case("Gemm", [(13, 29), (29, 23), (23,)],
                                           2),
    "Gemm of a run, transposed": Case("Gemm", [(13, 29), (23, 29)], 2,
                                      transB=1),
    "Gemm of a run, all scaled": Case("Gemm", [(29, 13), (23, 29), (13, 1)], 3,
                                      transA=1, transB=1, alpha=0.3, beta=0.7),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("architecture", ["x86-64-v3", "x86-64-v4"])
def test_products_are_right(architecture, threads, tmp_path):
    check(PRODUCTS, tmp_path, threads, f"--vpu-arch={architecture}",
          tolerance=tolerances.DEFAULT)


def test_products_in_bfloat16_are_near(tmp_path):
    check(PRODUCTS, tmp_path, 1, "--precision=bf16", "--vpu-arch=sapphirerapids",
          tolerance=tolerances.NETWORK_BFLOAT16)
