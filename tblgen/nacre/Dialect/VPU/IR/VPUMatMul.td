//===- VPUMatMul.td - Matrix products of VPU ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VPU op family: matrix products.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUMATMUL_TD
#define NACRE_DIALECT_VPU_IR_VPUMATMUL_TD

include "nacre/Dialect/VPU/IR/VPUOpBase.td"

def VPU_NCEMatMulOp : VPU_NCEOp<"MatMul", [AttrSizedOperandSegments]> {
  let summary = "Matrix product with packed panels";
  let description = [{
    `y = ppe(a * b + bias + residual)` for row-major `a`, `y` and packed `b`.
    The last panel of `b` is zero-padded: `N <= NB * n`. A single panel of `N`
    columns is a matrix as it is, of any width. 8-bit operands are
    summed, offset and scaled as in `VPU.NCE.Convolution`, whose results of 32-bit
    integers and second form of weights there are here, too.

    | operand  | shape                                        |
    |----------|----------------------------------------------|
    | lhs      | (B, M, K)                                    |
    | rhs      | (B or 1, NB, K, n), (B or 1, NB, K/p, n, p)  |
    | offset   | (NB, n), 32-bit integers                     |
    | scale    | (NB, n)                                      |
    | bias     | (NB, n)                                      |
    | residual | the shape of `init`                          |
    | init     | (B, M, N)                                    |

    ```mlir
    %y = VPU.NCE.MatMul
        ins(%a, %b : tensor<1x128x256xf32>, tensor<1x16x256x16xf32>)
        outs(%init : tensor<1x128x250xf32>) -> tensor<1x128x250xf32>
    ```
  }];
  let arguments = (ins
    VPU_ShapedOf<[3], "row-major matrices (B, M, K)">:$lhs,
    VPU_ShapedOf<[4, 5], "packed panels (B or 1, NB, K, n)">:$rhs,
    Optional<VPU_SumsOf<[2], "per-column offset (NB, n)">>:$offset,
    Optional<VPU_FloatsOf<[2], "per-column scale (NB, n)">>:$scale,
    Optional<VPU_FloatsOf<[2], "per-column bias (NB, n)">>:$bias,
    Optional<VPU_FloatsOf<[3], "row-major matrices (B, M, N)">>:$residual,
    VPU_ResultOf<[3], "row-major matrices (B, M, N)">:$init,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe
  );
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = nceDeclarations # withResidual # [{
    int64_t getMacsPerCycle(ArchAttr arch);
    /// True when a matrix unit of the architecture multiplies this: packs of a
    /// type that it takes, in a reduction of a length that tiles divide, for
    /// enough rows to make use of one.
    bool fitsMatrixUnit(ArchAttr arch);
    /// Elements multiplied at once for each lane.
    int64_t getPack() {
      auto rhs = ::llvm::cast<::mlir::ShapedType>(getRhs().getType());
      return rhs.getRank() == 5 ? rhs.getDimSize(4) : 1;
    }
    int64_t getPanelWidth() {
      return ::llvm::cast<::mlir::ShapedType>(getRhs().getType()).getDimSize(3);
    }
    unsigned getRowDim() { return 1; }
    unsigned getBlockDim() { return 2; }
    /// True where the one panel is a matrix that was not packed, of which any
    /// columns can be taken.
    bool hasPlainColumns() {
      auto rhs = ::llvm::cast<::mlir::ShapedType>(getRhs().getType());
      return rhs.getDimSize(1) == 1 && getPack() == 1 &&
             !rhs.isDynamicDim(3) &&
             rhs.getDimSize(3) == getInitType().getDimSize(2);
    }
    int64_t getBlockStep() { return hasPlainColumns() ? 1 : getPanelWidth(); }
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUMATMUL_TD
