//===- SizesInterface.td - Ops that know their sizes -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the sizes of an op's results follow from its operands.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SIZESINTERFACE_TD
#define NACRE_DIALECT_IE_IR_SIZESINTERFACE_TD

include "mlir/IR/OpBase.td"

// What upstream's ReifyRankedShapedTypeOpInterface asks, with a choice of where
// sizes come from.
def IE_SizesOpInterface : OpInterface<"SizesOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops whose results have sizes that follow from the sizes of
    operands, and from the elements of those that ONNX calls shapes, axes and
    the like, without computing the results. Every such op implements upstream's
    `ReifyRankedShapedTypeOpInterface` through it.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the sizes of each result as they follow from the operands, whatever
      its type knows: a model may declare wrong ones. Fails where not even the
      rank of an operand that decides is known.
    }], "::llvm::LogicalResult", "buildSizes",
      (ins "::nacre::IE::SizeBuilder &":$sizes,
           "::mlir::ReifiedRankedShapedTypeDims &":$results)>
  ];
}

#endif // NACRE_DIALECT_IE_IR_SIZESINTERFACE_TD
