//===- VPULayout.td - Changes of layout --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops between values of the model and the engine's images of them.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPULAYOUT_TD
#define NACRE_DIALECT_VPU_IR_VPULAYOUT_TD

include "nacre/Dialect/VPU/IR/VPUBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// What the engine computes, and what the model has for it: bytes of a sign.
defvar VPU_ImageElements = [F64, F32, I32, I8];
def VPU_ModelImage
    : TensorRankOf<!listconcat(VPU_ImageElements, [UI8]), [3, 4, 5]>;
def VPU_EngineImage : TensorRankOf<VPU_ImageElements, [5]>;

class VPU_LayoutOp<string mnemonic> : Op<VPU_Dialect, mnemonic, [Pure]> {
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How the channels of the image are blocked.
    BlockedLayout getLayout() {
      return {getImage().getType().getDimSize(4),
              static_cast<int64_t>(getGroups())};
    }
  }];
}

def VPU_ToBlockedOp : VPU_LayoutOp<"ToBlocked"> {
  let summary = "A value of the model as the engine's image";
  let description = [{
    The whole change of layout between what ops of the model compute on and what
    NCE ops do, with `c` channels in a block and `groups` groups of channels, each
    of which is blocked by itself:

    | value           | image                                                  |
    |-----------------|--------------------------------------------------------|
    | (N, C, H, W)    | (N, CB, H, W, c)                                       |
    | (N, C, W)       | (N, CB, 1, W, c): a single row                         |
    | (N, C, D, H, W) | (N * D, CB, H, W, c): volumes are batches of images    |
    | ui8             | i8: the engine's bytes have no sign                    |
    | i8              | i8, by half the range more, as the sign bit changes    |

    The layout that a value is in can be read from the op that defines it: this
    one's result is in its layout, and what has no `VPU.FromBlocked` behind it is in
    the model's. So whoever makes an op of the engine states the layout that it
    wants, and a change that is undone at once folds. `convert-layouts-to-copies`
    makes copies and views of those that are left; up to there the op moves nothing,
    so that it is not in destination style and no buffer is made of it. Padding is
    the `VPU.Copy` that follows it, if any.

    ```mlir
    %b = VPU.ToBlocked %x : tensor<1x64x56x56xf32> -> tensor<1x4x56x56x16xf32>
    %g = VPU.ToBlocked %y {groups = 2 : i64}
        : tensor<1x24x8xui8> -> tensor<1x2x1x8x16xi8>
    ```
  }];
  let arguments = (ins
    VPU_ModelImage:$value,
    DefaultValuedAttr<I64Attr, "1">:$groups
  );
  let results = (outs VPU_EngineImage:$image);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($image)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value,
                   "::nacre::VPU::BlockedLayout":$layout)>
  ];
}

def VPU_FromBlockedOp : VPU_LayoutOp<"FromBlocked"> {
  let summary = "An image of the engine as a value of the model";
  let description = [{
    The inverse of `VPU.ToBlocked`. What fills blocks beyond the channels is
    dropped.

    ```mlir
    %y = VPU.FromBlocked %b : tensor<1x4x56x56x16xf32> -> tensor<1x60x56x56xf32>
    ```
  }];
  let arguments = (ins
    VPU_EngineImage:$image,
    DefaultValuedAttr<I64Attr, "1">:$groups
  );
  let results = (outs VPU_ModelImage:$value);
  let assemblyFormat = "$image attr-dict `:` type($image) `->` type($value)";
  let builders = [
    // As a value of the rank and the elements of `like`, which has the sizes of
    // volumes, too.
    OpBuilder<(ins "::mlir::Value":$image,
                   "::nacre::VPU::BlockedLayout":$layout, "int64_t":$channels,
                   "::mlir::RankedTensorType":$like)>
  ];
}

#endif // NACRE_DIALECT_VPU_IR_VPULAYOUT_TD
