//===- VPUWeights.td - Weights of VPU that are packed late -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VPU op by which NCE ops refer to weights in the model's order.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUWEIGHTS_TD
#define NACRE_DIALECT_VPU_IR_VPUWEIGHTS_TD

include "nacre/Dialect/VPU/IR/VPUOpBase.td"

defvar VPU_WeightTypes = [F64, F32, F16, BF16, I8];

def VPU_PackWeightsOp : Op<VPU_Dialect, "PackWeights", [Pure]> {
  let summary = "Constant weights in the order in which an NCE op reads them";
  let description = [{
    Passes that change weights, by rounding, transforming or narrowing them, do so
    in the model's order, before this op. `vpu-pack-weights` replaces it by a
    constant: the elements of `weights` in another order, with zeroes where a block
    holds no channel.

    | form              | weights               | result                                    |
    |-------------------|-----------------------|-------------------------------------------|
    | DENSE             | (M, C/groups, KH, KW) | (OCB, ICB/groups, KH, KW, ic/p, oc[, p])  |
    | DEPTHWISE         | (C, 1, KH, KW)        | (CB, KH, KW, c)                           |
    | GROUPED           | (M, g, KH, KW)        | (CB, KH, KW, g/p, c[, p])                 |
    | WINOGRAD          | (P, M, C)             | (P, OCB, ICB, ic/p, oc[, p])              |
    | PANELS            | (B, K, N)             | (B, NB, K/p, n[, p])                      |
    | TRANSPOSED_PANELS | (B, N, K)             | (B, NB, K/p, n[, p])                      |

    The last dimension is there where the machine multiplies `p > 1` elements at
    once for each lane. `GROUPED` are the weights of `VPU.NCE.GroupConvolution`,
    which has their order; `WINOGRAD` are weights that are transformed already.

    `groups` are those of the convolution. `inputGroups` and `outputGroups` say into
    how many groups the channels of its images are blocked, each by itself; where
    `groups` share the blocks of its input, each has zeroes for what is not its own.

    ```mlir
    %p = VPU.PackWeights %w {form = #VPU.weights<DENSE>}
        : tensor<64x60x3x3xf32> -> tensor<4x4x3x3x16x16xf32>
    %y = VPU.NCE.Convolution ins(%x, %p : …
    ```
  }];
  let arguments = (ins
    TensorRankOf<VPU_WeightTypes, [3, 4]>:$weights,
    VPU_WeightFormAttr:$form,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    DefaultValuedAttr<I64Attr, "1">:$inputGroups,
    DefaultValuedAttr<I64Attr, "1">:$outputGroups
  );
  let results = (outs TensorRankOf<VPU_WeightTypes, [4, 5, 6, 7]>:$packed);
  let assemblyFormat =
      "$weights attr-dict `:` type($weights) `->` type($packed)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$weights,
                   "const ::nacre::VPU::WeightPacking &":$packing)>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How the weights are packed.
    WeightPacking getPacking();

    ::llvm::LogicalResult verifyTypes();
    ::llvm::LogicalResult verifyGroups();
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUWEIGHTS_TD
