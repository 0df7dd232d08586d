"""How check_code.py counts spills."""

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


def test_inner_spills_counts_vectors_in_innermost_loops_by_kind():
    assert check_code.inner_spills(ASSEMBLY) == {"kernel": 3}


def test_inner_spills_around_calls_are_not_counted():
    assembly = ASSEMBLY.replace("\tjne\t.LBB1_1\n",
                                "\tcallq\tmemcpy@PLT\n\tjne\t.LBB1_1\n")
    assert assembly != ASSEMBLY
    assert check_code.inner_spills(assembly)["kernel"] == 2


def test_lower_never_raises_what_is_allowed(tmp_path, monkeypatch):
    path = tmp_path / "allowed.txt"
    path.write_text("# text\nnet v3 conv 5\nnet v3 pool 2\nother v3 conv 7\n")
    monkeypatch.setattr(check_code, "ALLOWED", path)
    allowed = check_code.Allowed()
    allowed.lower("net", "v3", {"conv": 9, "new": 4})
    allowed.write()
    assert path.read_text() == "# text\nnet v3 conv 5\nother v3 conv 7\n"
