//===- VPUOps.td - Ops of the VPU dialect ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NCE ops and the DMA. What lowerings may rely on:
//
//  - Operands are all tensors (one result, of the type of `init`) or all
//    memrefs (no result). `init` is only written: its old value never matters.
//  - `bias` and `residual` are absent, or one value of the documented shape.
//  - Batch, rows and columns of images may be dynamic; blocks and their channels
//    are known, and so are weights.
//  - The channels of a block beyond the model's may be computed: weights and bias
//    are zero there, and what activations hold is finite but unspecified, since
//    consumers have zero weights for them and VPU.Copy drops them.
//  - Constant weights come in the model's order through VPU.PackWeights until
//    vpu-pack-weights packs them.
//  - 8-bit activations are unsigned, 8-bit weights signed. What an activation
//    stands for is said where it matters, by #VPU.quant.
//  - Float maxima and minima propagate NaN as ONNX's do (arith.maximumf).
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUOPS_TD
#define NACRE_DIALECT_VPU_IR_VPUOPS_TD

include "nacre/Dialect/VPU/IR/VPUMatMul.td"
include "nacre/Dialect/VPU/IR/VPUOpBase.td"
include "nacre/Dialect/VPU/IR/VPUPooling.td"
include "nacre/Dialect/VPU/IR/VPUWeights.td"

def VPU_NCEConvolutionOp : VPU_NCEOp<"Convolution", [AttrSizedOperandSegments]> {
  let summary = "Convolution over blocked activations";
  let description = [{
    `y = ppe(conv(x, w) + bias + residual)`. The input is already padded and may
    be larger than needed: `IH >= (OH-1)*sh + (KH-1)*dh + 1`, the same for
    columns. With `groups > 1`, a group's input and output channels are whole
    blocks. `inputChannels` says how many of a group's input channels hold data
    where that is not all of them: the others are not read.

    An 8-bit input with 8-bit weights is summed in 32 bits:
    `y = ppe(scale * (conv(x, w) + offset) + bias + residual)`. A result of 32-bit
    integers is the sums with their offset, which nothing follows.

    | operand  | shape                                     |
    |----------|-------------------------------------------|
    | input    | (N, ICB, IH, IW, ic)                      |
    | weights  | (OCB, ICB/groups, KH, KW, ic, oc), or     |
    |          | (OCB, ICB/groups, KH, KW, ic/p, oc, p)    |
    | offset   | (OCB, oc), 32-bit integers                |
    | scale    | (OCB, oc)                                 |
    | bias     | (OCB, oc)                                 |
    | residual | the shape of `init`                       |
    | init     | (N, OCB, OH, OW, oc)                      |

    The second form of weights is for machines that multiply and add `p` elements
    at once for each lane.

    `zeroBorder` is [top, left, bottom, right]: that many rows and columns at the
    edges of the input hold zeros, so that products with them can be left out. It
    may say less than there is, and a tile that ends inside the image says nothing
    of the edges that it does not reach for certain.

    ```mlir
    %y = VPU.NCE.Convolution
        ins(%x, %w : tensor<1x4x58x58x16xf32>, tensor<4x4x3x3x16x16xf32>)
        bias(%b : tensor<4x16xf32>)
        outs(%init : tensor<1x4x56x56x16xf32>)
        {ppe = #VPU.PPE<mode = RELU>, zeroBorder = array<i64: 1, 1, 1, 1>}
        -> tensor<1x4x56x56x16xf32>
    %q = VPU.NCE.Convolution
        ins(%x, %w : tensor<1x4x58x58x16xi8>, tensor<4x4x3x3x4x16x4xi8>)
        offset(%o : tensor<4x16xi32>) scale(%s : tensor<4x16xf32>)
        outs(%init : tensor<1x4x56x56x16xi8>)
        {ppe = #VPU.PPE<mode = RELU, zeroPoint = 0 : i64>}
        -> tensor<1x4x56x56x16xi8>
    ```
  }];
  let arguments = (ins
    VPU_Blocked:$input,
    VPU_ShapedOf<[6, 7], "packed weights (OCB, ICB/groups, KH, KW, ic, oc)">:$weights,
    Optional<VPU_SumsOf<[2], "per-channel offset (OCB, oc)">>:$offset,
    Optional<VPU_FloatsOf<[2], "per-channel scale (OCB, oc)">>:$scale,
    Optional<VPU_FloatsOf<[2], "per-channel bias (OCB, oc)">>:$bias,
    Optional<VPU_BlockedFloats>:$residual,
    VPU_BlockedResult:$init,
    VPU_Pair<>:$strides,
    VPU_Pair<>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    OptionalAttr<I64Attr>:$inputChannels,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    OptionalAttr<DenseI64ArrayAttr>:$zeroBorder
  );
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `:` type($input) `,` type($weights) `)`
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = blockedDeclarations # withResidual # [{
    ::llvm::LogicalResult adaptTile(
        ::mlir::OpBuilder &builder, ::mlir::Operation *tiled,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes);
    int64_t getMacsPerCycle(ArchAttr arch);
    /// True when a matrix unit of the architecture multiplies this: packs of a
    /// type that it takes, for blocks of output channels of its width.
    bool fitsMatrixUnit(ArchAttr arch);
    /// Elements multiplied at once for each lane.
    int64_t getPack() {
      auto weights = ::llvm::cast<::mlir::ShapedType>(getWeights().getType());
      return weights.getRank() == 7 ? weights.getDimSize(6) : 1;
    }
    /// Channels of an input block.
    int64_t getInputBlockSize() {
      auto weights = ::llvm::cast<::mlir::ShapedType>(getWeights().getType());
      return weights.getDimSize(4) * getPack();
    }
    /// True when a pixel of the result needs the input's pixel at its place.
    bool isPointwise() {
      auto weights = ::llvm::cast<::mlir::ShapedType>(getWeights().getType());
      return weights.getDimSize(2) == 1 && weights.getDimSize(3) == 1 &&
             getStrides() == ::llvm::ArrayRef<int64_t>{1, 1};
    }
  }];
}

def VPU_NCEWinogradConvolutionOp : VPU_NCEOp<"WinogradConvolution",
    [AttrSizedOperandSegments]> {
  let summary = "3×3 convolution by Winograd's algorithm";
  let description = [{
    `y = ppe(conv(x, w) + bias + residual)` with stride and dilation 1, in fewer
    multiplications (Lavin and Gray, "Fast Algorithms for Convolutional Neural
    Networks", 2016): tiles of inputs and the filters are transformed, multiplied
    element by element, summed over input channels and transformed back. The
    weights are transformed at compile time.

    `tileSize` is the number of outputs of a tile per row and column:

    | tileSize | algorithm    | points P | multiplications per output |
    |----------|--------------|----------|----------------------------|
    | 2        | F(2×2, 3×3)  | 16       | 4                          |
    | 4        | F(4×4, 3×3)  | 36       | 2.25                       |

    Larger tiles save more and round worse. Polynomials are evaluated at 0,
    infinity, and `getSignedPoints()` with either sign; their choice keeps the
    factors of the transforms small.

    | operand      | shape                                              |
    |--------------|----------------------------------------------------|
    | input        | (N, ICB, IH, IW, ic), padded                       |
    | weights      | (P, OCB, ICB, ic, oc) or (P, OCB, ICB, ic/p, oc, p)|
    | bias         | (OCB, oc)                                          |
    | residual     | the shape of `init`                                |
    | inputPlanes  | (S), on buffers; overwritten                       |
    | outputPlanes | (T), on buffers; overwritten                       |
    | init         | (N, OCB, OH, OW, oc)                               |

    The second form of weights is that of `VPU.NCE.Convolution`. Transformed
    inputs are rounded to the weights' type; they are summed in f32.

    `chunk` is the number of tile rows and tile columns that are worked on at a
    time, for which the scratch, `inputPlanes` and `outputPlanes`, holds the
    transformed tiles; `vpu-allocate-scratch` sets all three. Where the number of
    images, rows or columns is dynamic, `chunk` is a number of groups and of tiles
    in each: the tiles of all images are counted through, and so many groups of
    them are taken at a time, each of which is laid out by itself, so that few tiles
    fill few groups. Any number of tiles will do, also none; those beyond an edge of
    an image repeat its last rows and columns.

    ```mlir
    %y = VPU.NCE.WinogradConvolution
        ins(%x, %u : tensor<1x4x58x58x16xf32>, tensor<36x4x4x16x16xf32>)
        bias(%b : tensor<4x16xf32>)
        outs(%init : tensor<1x4x56x56x16xf32>)
        {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x4x56x56x16xf32>
    %z = VPU.NCE.WinogradConvolution
        ins(%x, %u : tensor<1x4x58x58x16xbf16>, tensor<16x4x4x8x16x2xbf16>)
        outs(%init : tensor<1x4x56x56x16xbf16>)
        {tileSize = 2 : i64} -> tensor<1x4x56x56x16xbf16>
    ```
  }];
  let arguments = (ins
    VPU_BlockedFloats:$input,
    VPU_FloatsOf<[5, 6], "transformed weights (P, OCB, ICB, ic, oc)">:$weights,
    Optional<VPU_FloatsOf<[2], "per-channel bias (OCB, oc)">>:$bias,
    Optional<VPU_BlockedFloats>:$residual,
    Optional<MemRefRankOf<[F32, F16, BF16], [1]>>:$inputPlanes,
    Optional<MemRefRankOf<[F32], [1]>>:$outputPlanes,
    VPU_BlockedFloats:$init,
    DefaultValuedAttr<I64Attr, "4">:$tileSize,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$chunk,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe
  );
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `:` type($input) `,` type($weights) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`scratch` `(` $inputPlanes^ `,` $outputPlanes `:` type($inputPlanes) `,`
     type($outputPlanes) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = blockedDims # withResidual # [{
    /// Channels are transformed by whole vectors.
    int64_t getBlockStep() {
      return getBlockDim() == 1 ? 1 : getInitType().getDimSize(4);
    }
    /// The finite points other than 0, without their signs; empty where there
    /// is no such algorithm.
    static ::llvm::ArrayRef<double> getSignedPoints(int64_t tileSize);

    /// Inputs of a tile per row and column, and values of a transformed tile.
    static int64_t getInputTileSize(int64_t tileSize) { return tileSize + 2; }
    static int64_t getNumPoints(int64_t tileSize) {
      return getInputTileSize(tileSize) * getInputTileSize(tileSize);
    }
    int64_t getNumPoints() { return getNumPoints(getTileSize()); }
    /// True where the number of tiles is dynamic.
    bool isOpen() { return !getInitType().hasStaticShape(); }
    /// What `chunk` says of the scratch: groups, and tiles next to each other.
    int64_t getNumGroups() { return isOpen() ? getChunk()[0] : 1; }
    int64_t getTilesPerGroup() {
      return isOpen() ? getChunk()[1] : getChunk()[0] * getChunk()[1];
    }
    /// The different numbers of tiles next to each other that chunks have, on
    /// buffers: of known sizes those at the edges are smaller.
    ::llvm::SmallVector<int64_t> getTilesOfChunks();
    int64_t getRowStep() { return getTileSize(); }
    int64_t getMacsPerCycle(ArchAttr arch);
    /// Elements multiplied at once for each lane.
    int64_t getPack() {
      auto weights = ::llvm::cast<::mlir::ShapedType>(getWeights().getType());
      return weights.getRank() == 6 ? weights.getDimSize(5) : 1;
    }

    /// Elements from one transformed value of a group of so many tiles to the
    /// next, before and after the multiplication.
    int64_t getInputPitch(int64_t tiles);
    int64_t getOutputPitch(int64_t tiles);
    /// The bytes of scratch that such a group takes.
    int64_t getScratchBytes(int64_t tiles);
  }];
}

def VPU_NCEDepthConvolutionOp : VPU_NCEOp<"DepthConvolution", [AttrSizedOperandSegments]> {
  let summary = "Depthwise convolution over blocked activations";
  let description = [{
    Each channel is convolved with its own kernel:
    `y = ppe(scale * (conv(x, w) + offset) + bias + residual)`. Padding is as in
    `VPU.NCE.Convolution`; the weights are `(CB, KH, KW, c)`. An 8-bit input takes
    the meaning that `inputQuant` gives it and is summed in f32, exactly so where
    weights, meaning and offset are integers.

    ```mlir
    %y = VPU.NCE.DepthConvolution
        ins(%x, %w : tensor<1x2x58x58x16xf32>, tensor<2x3x3x16xf32>)
        outs(%init : tensor<1x2x28x28x16xf32>) {strides = array<i64: 2, 2>}
        -> tensor<1x2x28x28x16xf32>
    ```
  }];
  let arguments = (ins
    VPU_Blocked:$input,
    VPU_FloatsOf<[4], "packed depthwise weights (CB, KH, KW, c)">:$weights,
    Optional<VPU_FloatsOf<[2], "per-channel offset (CB, c)">>:$offset,
    Optional<VPU_FloatsOf<[2], "per-channel scale (CB, c)">>:$scale,
    Optional<VPU_FloatsOf<[2], "per-channel bias (CB, c)">>:$bias,
    Optional<VPU_BlockedFloats>:$residual,
    VPU_Blocked:$init,
    VPU_Pair<>:$strides,
    VPU_Pair<>:$dilations,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    OptionalAttr<VPU_QuantAttr>:$inputQuant
  );
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `:` type($input) `,` type($weights) `)`
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = blockedDeclarations # withResidual;
}

def VPU_NCEGroupConvolutionOp : VPU_NCEOp<"GroupConvolution", [AttrSizedOperandSegments]> {
  let summary = "Convolution of small groups of channels within blocks";
  let description = [{
    `y = ppe(conv(x, w) + bias + residual)` where each output channel sees the `g`
    input channels of its own group, and a block holds whole groups. Padding is as
    in `VPU.NCE.Convolution`.

    | operand  | shape                                        |
    |----------|----------------------------------------------|
    | input    | (N, CB, IH, IW, c)                           |
    | weights  | (CB, KH, KW, g, c), or                       |
    |          | (CB, KH, KW, g/p, c, p)                      |
    | bias     | (CB, c)                                      |
    | residual | the shape of `init`                          |
    | init     | (N, CB, OH, OW, c)                           |

    `g` is a power of two. A vector of a pixel's channels is multiplied as it lies
    in memory, `g` times: `weights[b, kh, kw, d, i]` is what input channel `i` of a
    block adds to output channel `i xor d`. The sums of each `d` are exchanged
    within groups and added up last, once for a whole window. An input channel
    whose weights are zero must still be finite.

    The second form is for machines that multiply and add `p` elements at once for
    each lane. The `c/p` packs of a pixel are repeated `p` times, so that lane `l`
    has pack `l mod c/p`, and its sums are of the output channel
    `getOutputChannel(l)`. `weights[b, kh, kw, d, l, j]` is what element `j` of the
    pack in lane `l` adds to the output channel of lane `l xor d`, of the same
    group, as `d` is less than `g/p`.

    ```mlir
    %y = VPU.NCE.GroupConvolution
        ins(%x, %w : tensor<1x8x58x58x16xf32>, tensor<8x3x3x4x16xf32>)
        bias(%b : tensor<8x16xf32>)
        outs(%init : tensor<1x8x56x56x16xf32>)
        {ppe = #VPU.PPE<mode = RELU>} -> tensor<1x8x56x56x16xf32>
    ```
  }];
  let arguments = (ins
    VPU_BlockedFloats:$input,
    VPU_FloatsOf<[5, 6], "packed weights of groups (CB, KH, KW, g, c)">:$weights,
    Optional<VPU_FloatsOf<[2], "per-channel bias (CB, c)">>:$bias,
    Optional<VPU_BlockedFloats>:$residual,
    VPU_BlockedFloats:$init,
    VPU_Pair<>:$strides,
    VPU_Pair<>:$dilations,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe
  );
  let assemblyFormat = [{
    `ins` `(` $input `,` $weights `:` type($input) `,` type($weights) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = blockedDims # withResidual # [{
    /// Elements multiplied at once for each lane.
    int64_t getPack() {
      auto weights = ::llvm::cast<::mlir::ShapedType>(getWeights().getType());
      return weights.getRank() == 6 ? weights.getDimSize(5) : 1;
    }
    /// Sums that are exchanged within a group.
    int64_t getNumExchanged() {
      return ::llvm::cast<::mlir::ShapedType>(getWeights().getType())
          .getDimSize(3);
    }
    /// Channels of a group.
    int64_t getGroupSize() { return getNumExchanged() * getPack(); }
    /// The output channel of a lane in blocks of `width` channels, of groups of
    /// `pack` times `exchanged`.
    static int64_t getOutputChannel(int64_t lane, int64_t width,
                                    int64_t exchanged, int64_t pack);
    int64_t getMacsPerCycle(ArchAttr arch);
    /// Groups stay whole, and so do blocks of packs, whose lanes are permuted.
    int64_t getBlockStep() {
      return getBlockDim() == 1 ? 1
             : getPack() > 1    ? getInitType().getDimSize(4)
                                : getGroupSize();
    }
  }];
}

def VPU_NCEEltwiseOp : VPU_NCEOp<"Eltwise"> {
  let summary = "Elementwise arithmetic of two equal shapes";
  let description = [{
    `y = ppe(lhs kind rhs)` for tensors of one shape: blocked activations or
    row-major matrices. `lhsQuant` and `rhsQuant` say what 8-bit operands stand
    for.

    ```mlir
    %y = VPU.NCE.Eltwise
        ins(%a, %b : tensor<1x4x56x56x16xf32>, tensor<1x4x56x56x16xf32>)
        outs(%init : tensor<1x4x56x56x16xf32>)
        {kind = #VPU.eltwise<ADD>} -> tensor<1x4x56x56x16xf32>
    ```
  }];
  let arguments = (ins
    VPU_ShapedOf<[3, 5], "blocked activations or row-major matrices">:$lhs,
    VPU_ShapedOf<[3, 5], "blocked activations or row-major matrices">:$rhs,
    VPU_ShapedOf<[3, 5], "blocked activations or row-major matrices">:$init,
    VPU_EltwiseKindAttr:$kind,
    DefaultValuedAttr<VPU_PPEAttr, VPU_DefaultPPE>:$ppe,
    OptionalAttr<VPU_QuantAttr>:$lhsQuant,
    OptionalAttr<VPU_QuantAttr>:$rhsQuant
  );
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // On tensors; the result has the destination's type.
    OpBuilder<(ins
      "::mlir::Value":$lhs, "::mlir::Value":$rhs, "::mlir::Value":$init,
      "EltwiseKind":$kind, "PPEAttr":$ppe,
      CArg<"QuantAttr", "QuantAttr()">:$lhsQuant,
      CArg<"QuantAttr", "QuantAttr()">:$rhsQuant), [{
      build($_builder, $_state, ::mlir::TypeRange(init.getType()), lhs, rhs,
            init, kind, ppe, lhsQuant, rhsQuant);
    }]>
  ];
  let extraClassDeclaration = nceDeclarations # withoutResidual # [{
    unsigned getRowDim() { return getInitType().getRank() == 5 ? 2 : 1; }
    unsigned getBlockDim() {
      if (getInitType().getRank() == 3) {
        return 2;
      }
      return getInitType().getDimSize(1) > 1 ? 1 : 4;
    }
    int64_t getBlockStep() { return 1; }
  }];
}

def VPU_CopyOp : VPU_Op<"Copy",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<VPU_TiledOpInterface, ["adaptTile"]>]> {
  let summary = "Move data, changing its layout and padding it on the way";
  let description = [{
    The DMA engine. `srcOrder` and `dstOrder` say what the dimensions mean:

    | srcOrder → dstOrder | effect                                          |
    |-----------------------|-------------------------------------------------|
    | NCHW → NCHWc          | (N,C,H,W) → (N,CB,H',W',c): blocks channels,    |
    |                       | pads rows and columns, zeroes channels ≥ C      |
    | NCHWc → NCHW          | the inverse; padding channels are dropped       |
    | NCHWc → NCHWc         | pads rows and columns                           |
    | KN → KNn, NK → KNn    | (B,K,N), (B,N,K) → (B,NB,K,n) or                |
    |                       | (B,NB,K/p,n,p): packs panels, zeroes columns    |
    |                       | ≥ N                                             |
    | X → X                 | plain copy of equal shapes                      |

    Floats are converted where the element types differ. With `flipsSign`, bytes
    on the way from KN into panels have the other sign bit: unsigned ones become
    signed ones that are less by 128. Columns that are added are zero all the
    same.

    `pads` is [top, left, bottom, right] in rows and columns of the destination
    and only allowed into `NCHWc`: row `r` of the destination is row
    `r + rowOffset - top` of the source and `padValue` where the source has no
    such row; columns have no offset. `rowOffset`, by default zero, is what
    tiling sets: a tile of the destination reads the whole source's rows, and
    says with it where the tile lies. Without `rowOffset` the destination has
    exactly `top + H + bottom` rows; with it, any number. What 8-bit images are
    padded with may also be computed at run time, `fill`, in place of `padValue`.

    ```mlir
    %p = VPU.Copy ins(%x : tensor<1x3x224x224xf32>)
        outs(%init : tensor<1x1x230x230x3xf32>)
        {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>,
         pads = array<i64: 3, 3, 3, 3>} -> tensor<1x1x230x230x3xf32>
    %t = VPU.Copy ins(%x : tensor<1x4x56x56x16xf32>) offset(%row)
        outs(%cmx : tensor<1x4x10x58x16xf32>)
        {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>,
         pads = array<i64: 1, 1, 1, 1>} -> tensor<1x4x10x58x16xf32>
    ```
  }];
  let arguments = (ins
    VPU_Shaped:$source,
    Optional<Index>:$rowOffset,
    Optional<I8>:$fill,
    VPU_Shaped:$init,
    DefaultValuedAttr<VPU_OrderAttr,
        "::nacre::VPU::DimsOrder::ANY">:$srcOrder,
    DefaultValuedAttr<VPU_OrderAttr,
        "::nacre::VPU::DimsOrder::ANY">:$dstOrder,
    VPU_Pair<"{0, 0, 0, 0}">:$pads,
    DefaultValuedAttr<F32Attr, "0.0f">:$padValue,
    UnitAttr:$flipsSign
  );
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)` (`offset` `(` $rowOffset^ `)`)?
    (`fill` `(` $fill^ `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // On tensors; the result has the destination's type.
    OpBuilder<(ins
      "::mlir::Value":$source, "::mlir::Value":$init,
      CArg<"DimsOrder", "DimsOrder::ANY">:$srcOrder,
      CArg<"DimsOrder", "DimsOrder::ANY">:$dstOrder,
      CArg<"::llvm::ArrayRef<int64_t>", "{0, 0, 0, 0}">:$pads,
      CArg<"float", "0.0f">:$padValue,
      CArg<"::mlir::Value", "{}">:$fill,
      CArg<"bool", "false">:$flipsSign), [{
      build($_builder, $_state, init.getType(), source, ::mlir::Value(), fill,
            init, srcOrder, dstOrder, pads, ::llvm::APFloat(padValue),
            flipsSign);
    }]>
  ];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = baseDeclarations # [{
    ::mlir::ShapedType getSourceType() {
      return ::llvm::cast<::mlir::ShapedType>(getSource().getType());
    }
    bool hasPads() {
      return ::llvm::any_of(getPads(), [](int64_t pad) { return pad != 0; });
    }
    bool isFrom(DimsOrder source, DimsOrder destination) {
      return getSrcOrder() == source && getDstOrder() == destination;
    }
  }];
}

def VPU_FillBorderOp : VPU_Op<"FillBorder",
    [DeclareOpInterfaceMethods<VPU_TiledOpInterface, ["adaptTile"]>]> {
  let summary = "Fill the rows and columns around an image";
  let description = [{
    (N, CB, H, W, c): the first and last rows and columns, as many as `pads`,
    [top, left, bottom, right], says, become `padValue`. What they surround is
    unspecified: who writes there leaves an image that is padded already, without
    the copy that would pad it.

    ```mlir
    %frame = VPU.FillBorder outs(%init : tensor<1x2x16x16x16xf32>)
        {pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x16xf32>
    %inside = tensor.extract_slice %frame[0, 0, 1, 1, 0] [1, 2, 14, 14, 16]
        [1, 1, 1, 1, 1] : tensor<1x2x16x16x16xf32> to tensor<1x2x14x14x16xf32>
    %y = VPU.NCE.Convolution ins(...) outs(%inside : tensor<1x2x14x14x16xf32>)
        -> tensor<1x2x14x14x16xf32>
    %padded = tensor.insert_slice %y into %frame[0, 0, 1, 1, 0] ...
    ```
  }];
  let arguments = (ins
    VPU_Blocked:$init,
    VPU_Pair<"{0, 0, 0, 0}">:$pads,
    DefaultValuedAttr<F32Attr, "0.0f">:$padValue
  );
  let assemblyFormat = [{
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // On tensors; the result has the destination's type.
    OpBuilder<(ins "::mlir::Value":$init, "::llvm::ArrayRef<int64_t>":$pads,
                   "::llvm::APFloat":$padValue), [{
      build($_builder, $_state, ::mlir::TypeRange(init.getType()), init, pads,
            padValue);
    }]>
  ];
}

def VPU_ShuffleChannelsOp : VPU_Op<"ShuffleChannels",
    [DeclareOpInterfaceMethods<VPU_TiledOpInterface>]> {
  let summary = "Move channels between blocks";
  let description = [{
    (N, CB, H, W, c) → (M, DB, H, W, d): each pixel's channels change places, as
    a channel shuffle between grouped convolutions does. Lanes are counted through
    images and blocks: lane `l` of block `b` of image `m` is number
    `(m * DB + b) * d + l` of the destination. `channels` has the number of the
    source's lane for each of them, and -1 for those that are zero. Its length is
    that of some images of the destination; others are the same, of the source's
    images that follow.

    ```mlir
    // 2 groups of 2 channels
    %y = VPU.ShuffleChannels ins(%x : tensor<1x1x56x56x4xf32>)
        outs(%init : tensor<1x1x56x56x4xf32>)
        {channels = array<i64: 0, 2, 1, 3>} -> tensor<1x1x56x56x4xf32>
    ```
  }];
  let arguments = (ins
    VPU_Blocked:$source,
    VPU_Blocked:$init,
    DenseI64ArrayAttr:$channels
  );
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclarations # [{
    ::mlir::ShapedType getSourceType() {
      return ::llvm::cast<::mlir::ShapedType>(getSource().getType());
    }
    /// Images of the destination that `channels` describes.
    int64_t getPeriod() {
      ::llvm::ArrayRef<int64_t> shape = getInitType().getShape();
      return static_cast<int64_t>(getChannels().size()) / (shape[1] * shape[4]);
    }
    /// Images of the source that these consist of.
    int64_t getSourcePeriod() {
      return getSourceType().getDimSize(0) * getPeriod() /
             getInitType().getDimSize(0);
    }
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUOPS_TD
