//===- QuantizableInterface.td - Ops on quantized values ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op has to do with the quantization of its operands and result.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_QUANTIZABLEINTERFACE_TD
#define NACRE_DIALECT_IE_IR_QUANTIZABLEINTERFACE_TD

include "mlir/IR/OpBase.td"

def IE_QuantizableOpInterface : OpInterface<"QuantizableOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that can be computed on 8-bit integers which stand for
    floats. Other ops compute floats.
  }];
  let methods = [
    InterfaceMethod<[{
      How the integers of the result follow from those of the operands.
    }], "::nacre::IE::QuantizableKind", "getQuantizableKind", (ins)>,
    InterfaceMethod<[{
      The operands of a linear op: null where it cannot be computed on integers
      as it is.
    }], "std::optional<::nacre::IE::LinearOperands>", "getLinearOperands",
    (ins)>
  ];
}

#endif // NACRE_DIALECT_IE_IR_QUANTIZABLEINTERFACE_TD
