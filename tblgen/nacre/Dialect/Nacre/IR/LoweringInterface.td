//===- LoweringInterface.td - How operators are lowered ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dialects that know no machine may ask of decisions about one.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_TD
#define NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_TD

include "mlir/IR/OpBase.td"

def LoweringAttrInterface : AttrInterface<"LoweringAttrInterface"> {
  let cppNamespace = "::nacre";
  let description = [{
    Implemented by the attribute that says how an operator of the model is lowered,
    a discardable one of another dialect.
  }];
  let methods = [
    InterfaceMethod<[{
      True where a software kernel is to compute the operator, whatever an engine
      has.
    }], "bool", "isInSoftware", (ins)>
  ];
}

#endif // NACRE_DIALECT_NACRE_IR_LOWERINGINTERFACE_TD
