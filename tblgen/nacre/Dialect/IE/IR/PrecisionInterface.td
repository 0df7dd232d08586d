//===- PrecisionInterface.td - Ops and floats of 16 bits ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of an op when floats of 16 bits are computed in 32.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_PRECISIONINTERFACE_TD
#define NACRE_DIALECT_IE_IR_PRECISIONINTERFACE_TD

include "mlir/IR/OpBase.td"

// How an op uses floats.
def IE_PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that take f32 wherever they take f16 or bf16. Their type
    inference gives f32 for f32; no attribute names the element type. Other ops
    keep operands and results as they are.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether elements of results are computed from those of operands, are some
      or all of those of operands, or are neither: sizes, positions, or numbers
      of a type that an attribute names.
    }], "::nacre::IE::FloatUse", "getFloatUse", (ins)>
  ];
}

#endif // NACRE_DIALECT_IE_IR_PRECISIONINTERFACE_TD
