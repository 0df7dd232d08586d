//===- VPULayout.td - Changes of layout --------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops between values of the model and the engine's images and matrices.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPULAYOUT_TD
#define NACRE_DIALECT_VPU_IR_VPULAYOUT_TD

include "nacre/Dialect/VPU/IR/VPUBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// What the engine computes, and what the model has: bytes with a sign and
// without.
defvar VPU_EngineElements = [F64, F32, I32, I8];
defvar VPU_ModelElements = !listconcat(VPU_EngineElements, [UI8]);
def VPU_ModelImage : TensorRankOf<VPU_ModelElements, [3, 4, 5]>;
def VPU_EngineImage : TensorRankOf<VPU_EngineElements, [5]>;
def VPU_ModelMatrices : RankedTensorOf<VPU_ModelElements>;
def VPU_EngineMatrices : TensorRankOf<VPU_EngineElements, [3]>;

class VPU_LayoutOp<string mnemonic, list<Trait> traits = []>
    : Op<VPU_Dialect, mnemonic, !listconcat(traits, [Pure])> {
  let hasFolder = 1;
  let hasVerifier = 1;
}

class VPU_BlockingOp<string mnemonic> : VPU_LayoutOp<mnemonic> {
  let extraClassDeclaration = [{
    /// How the channels of the image are blocked.
    BlockedLayout getLayout() {
      return {getImage().getType().getDimSize(4),
              static_cast<int64_t>(getGroups())};
    }
  }];
}

def VPU_ToBlockedOp : VPU_BlockingOp<"ToBlocked"> {
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

def VPU_FromBlockedOp : VPU_BlockingOp<"FromBlocked"> {
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

def VPU_ToMatricesOp : VPU_LayoutOp<"ToMatrices"> {
  let summary = "A value of the model as the engine's matrices";
  let description = [{
    What `VPU.ToBlocked` is for images: all elements in their order, as a batch of
    matrices (B, M, K) of the model's columns. Where matrices share a right operand
    their rows are those of a single one. Bytes lose their sign.

    ```mlir
    %m = VPU.ToMatrices %x : tensor<2x8x64xf32> -> tensor<1x16x64xf32>
    ```
  }];
  let arguments = (ins VPU_ModelMatrices:$value);
  let results = (outs VPU_EngineMatrices:$matrices);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($matrices)";
}

def VPU_FromMatricesOp : VPU_LayoutOp<"FromMatrices"> {
  let summary = "Matrices of the engine as a value of the model";
  let description = [{
    The inverse of `VPU.ToMatrices`. `sizes` are the dynamic ones of the value.

    ```mlir
    %y = VPU.FromMatrices %m : tensor<1x16x64xf32> -> tensor<2x8x64xf32>
    %z = VPU.FromMatrices %n sizes(%a, %b)
        : tensor<1x?x64xf32> -> tensor<?x?x64xf32>
    ```
  }];
  let arguments = (ins
    VPU_EngineMatrices:$matrices,
    Variadic<Index>:$sizes
  );
  let results = (outs VPU_ModelMatrices:$value);
  let assemblyFormat = [{
    $matrices (`sizes` `(` $sizes^ `)`)? attr-dict
    `:` type($matrices) `->` type($value)
  }];
  let extraClassDeclaration = [{
    /// The sizes of the value.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPULAYOUT_TD
