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
    columns is a matrix as it is, of any width, or with `transposed` its
    transpose, (B or 1, 1, N, K): a kernel packs as many of its rows as it
    multiplies with at a time. 8-bit operands are
    summed, offset and scaled as in `VPU.NCE.Convolution`, whose results of 32-bit
    integers and second form of weights there are here, too.

    Of a matrix of bytes as it is, machines that multiply and add `p` bytes at once
    for each lane pack `p` rows in registers. Then `a` may have more columns than
    `b` has rows, fewer than 16 more, which hold zeros: so many as make `K` a
    multiple of `p`. With `unsignedRhs` such a matrix holds unsigned bytes, which
    are 128 more than what they stand for.

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
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    UnitAttr:$transposed,
    UnitAttr:$unsignedRhs
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
    /// The same for a kernel of the architecture, which may pack rows of bytes
    /// itself.
    int64_t getStepPack(ArchAttr arch);
    /// True where it does so.
    bool packsRows(ArchAttr arch) { return getStepPack(arch) != getPack(); }
    /// Where the right operand has the columns of a panel, and the reduction.
    unsigned getColumnDim() { return getTransposed() ? 2 : 3; }
    unsigned getDepthDim() { return getTransposed() ? 3 : 2; }
    /// The longest reduction of which kernels have room for a vector of
    /// columns.
    static constexpr int64_t kMostTransposedDepth = 4096;
    int64_t getPanelWidth() {
      return ::llvm::cast<::mlir::ShapedType>(getRhs().getType())
          .getDimSize(getColumnDim());
    }
    unsigned getRowDim() { return 1; }
    unsigned getBlockDim() { return 2; }
    /// True where the right operand is a matrix of bytes that was not packed,
    /// without columns that only fill its panel.
    bool hasByteRows() {
      auto rhs = ::llvm::cast<::mlir::ShapedType>(getRhs().getType());
      return rhs.getRank() == 4 && rhs.getElementType().isInteger(8) &&
             rhs.getDimSize(1) == 1 && !getTransposed() &&
             rhs.getDimSize(3) == getInitType().getDimSize(2);
    }
    /// The most that the left operand may have more columns than such a matrix
    /// has rows.
    static constexpr int64_t kMostRest = 15;
    /// True where the one panel is a matrix that was not packed, of which any
    /// columns can be taken.
    bool hasPlainColumns() {
      auto rhs = ::llvm::cast<::mlir::ShapedType>(getRhs().getType());
      return getTransposed() ||
             (rhs.getDimSize(1) == 1 && getPack() == 1 &&
              !rhs.isDynamicDim(3) &&
              rhs.getDimSize(3) == getInitType().getDimSize(2));
    }
    int64_t getBlockStep() { return hasPlainColumns() ? 1 : getPanelWidth(); }
  }];
}

def VPU_NCEMatMulNBitsOp : VPU_NCEOp<"MatMulNBits", [AttrSizedOperandSegments]> {
  let summary = "Matrix product with weights of few bits";
  let description = [{
    `y = ppe(a * w + bias + residual)`, where the weights `w` are unsigned integers
    of `bits` bits: `w = (q - zeroPoint) * scale`. Where there is no `zeroPoint`, it
    is half the range, `2^(bits - 1)`. The integers are in `G` blocks of `S` rows,
    whose products are summed before they are scaled. `G / H` successive blocks
    have one scale and zero point for every column.

    A word of `weights` holds `32 / bits` integers of one column and successive
    rows, the first in its lowest bits; `W = S * bits / 32` words are the rows of a
    block. The last panel is filled with anything: `N <= NB * n`.

    | operand   | shape                                               |
    |-----------|-----------------------------------------------------|
    | lhs       | (B, M, G * S)                                       |
    | weights   | (NB, G, W, n), words                                |
    | scale     | (NB, H, n)                                          |
    | zeroPoint | (NB, H, n), unsigned bytes or floats                |
    | bias      | (NB, n)                                             |
    | residual  | the shape of `init`                                 |
    | scratch   | (X), on buffers; overwritten                        |
    | init      | (B, M, N)                                           |

    Of many rows, the weights of some panels become f32 in `scratch`, once for all
    rows, or, where a matrix unit multiplies bf16, tiles of such: the integers are
    exact, and an element of a row is the sum of `rowParts`. Of few, weights become
    f32 in registers each time that they are multiplied. Where the architecture
    multiplies bytes, rows can become integers of as many bytes in `scratch`
    instead, `integerRows` of them at a time: all of a known number of rows, or of
    a dynamic one, if that is more than 8; else few rows are, and many are
    multiplied as before. Which it is says a strategy's `chunk`;
    `vpu-allocate-scratch` provides what is needed.

    Three parts of eight bits are all of an f32; fewer are for models that ask for
    less.

    ```mlir
    %y = VPU.NCE.MatMulNBits
        ins(%a, %w : tensor<1x1x256xf32>, tensor<16x8x4x16xi32>)
        scale(%s : tensor<16x8x16xf32>)
        outs(%init : tensor<1x1x250xf32>) {bits = 4 : i64}
        -> tensor<1x1x250xf32>
    ```
  }];
  let arguments = (ins
    VPU_SinglesOf<[3], "row-major matrices (B, M, G * S)">:$lhs,
    VPU_SumsOf<[4], "packed panels (NB, G, W, n)">:$weights,
    VPU_SinglesOf<[3], "scales of blocks (NB, H, n)">:$scale,
    Optional<VPU_ShapedOf<[3], "zero points of blocks (NB, H, n)",
                          [F32, F16, BF16, I8]>>:$zeroPoint,
    Optional<VPU_SinglesOf<[2], "per-column bias (NB, n)">>:$bias,
    Optional<VPU_SinglesOf<[3], "row-major matrices (B, M, N)">>:$residual,
    Optional<MemRefRankOf<[F32], [1]>>:$scratch,
    VPU_SinglesOf<[3], "row-major matrices (B, M, N)">:$init,
    I64Attr:$bits,
    DefaultValuedAttr<I64Attr, "3">:$rowParts,
    DefaultValuedAttr<I64Attr, "0">:$integerRows,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe
  );
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $weights `:` type($lhs) `,` type($weights) `)`
    `scale` `(` $scale `:` type($scale) `)`
    (`zeroPoint` `(` $zeroPoint^ `:` type($zeroPoint) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = nceDeclarations # withResidual # [{
    /// A word's bits.
    static constexpr int64_t kWordBits = 32;
    /// So many rows are multiplied by weights that are unpacked in registers.
    static constexpr int64_t kFewRows = 8;
    /// The panels that are floats at a time, where there are more rows.
    static constexpr int64_t kScratchPanels = 2;
    /// The parts of eight bits that an f32 is the sum of.
    static constexpr int64_t kMostRowParts = 3;
    /// Those of an f16 or a bf16, whose exponent is its own, unlike a block's.
    static constexpr int64_t kRowPartsOf16Bits = 2;

    ::llvm::ArrayRef<int64_t> getWeightsShape() {
      return ::llvm::cast<::mlir::ShapedType>(getWeights().getType())
          .getShape();
    }
    int64_t getPanelWidth() { return getWeightsShape()[3]; }
    /// The integers in a word.
    int64_t getPerWord() { return kWordBits / getBits(); }
    /// The rows of a block, S.
    int64_t getBlockSize() { return getWeightsShape()[2] * getPerWord(); }
    /// The blocks that share a scale and a zero point, G / H.
    int64_t getBlocksPerScale() {
      return getWeightsShape()[1] /
             ::llvm::cast<::mlir::ShapedType>(getScale().getType()).getDimSize(1);
    }
    /// The panels that scratch has room for as floats, at most those.
    int64_t getScratchPanels() {
      int64_t elements =
          ::llvm::cast<::mlir::ShapedType>(getScratch().getType()).getDimSize(0);
      return ::std::min(kScratchPanels,
                        elements / (getDepth() * getPanelWidth()));
    }
    /// The rows of the weights, G * S.
    int64_t getDepth() { return getWeightsShape()[1] * getBlockSize(); }
    /// True when a matrix unit of the architecture multiplies this, or may: many
    /// rows, or any number of them, by panels of its width, in bf16.
    bool fitsMatrixUnit(ArchAttr arch);
    /// True for a known number of few rows.
    bool hasFewRows();
    /// True where the architecture can multiply rows as integers, scaled by the
    /// largest element of each block: sums of such are exact.
    bool canSumIntegers(ArchAttr arch);
    /// True where it does so, however many rows there are.
    bool sumsIntegersOfAnyRows();
    /// What is kept of a block of a row of integers: its scale and the sum of
    /// each of their bytes.
    int64_t getRowParameters() {
      return 1 + static_cast<int64_t>(getRowParts());
    }
    /// The elements of scratch for a row of integers.
    int64_t getRowElements() {
      return static_cast<int64_t>(getRowParts()) * getDepth() / 4 +
             getRowParameters() * getWeightsShape()[1];
    }
    unsigned getRowDim() { return 1; }
    unsigned getBlockDim() { return 2; }
    int64_t getBlockStep() { return getPanelWidth(); }
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUMATMUL_TD
