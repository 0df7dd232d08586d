//===- RuntimeInterfaces.td - What passes ask of the ops ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces through which passes decide about values of the runtime without
// knowing the ops that they are operands and results of.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_RUNTIME_IR_RUNTIMEINTERFACES_TD
#define NACRE_DIALECT_RUNTIME_IR_RUNTIMEINTERFACES_TD

include "mlir/IR/OpBase.td"

def RT_FunctionOpInterface : OpInterface<"RuntimeFunctionOpInterface"> {
  let cppNamespace = "::nacre::rt";
  let description = [{
    An op that is a call of one function of the runtime, of the same name.
  }];
  let methods = [
    InterfaceMethod<[{
      The arguments of the function, in its order: the op's operands in theirs,
      and between them attributes, which are constants of the call.
    }], "::llvm::SmallVector<::mlir::OpFoldResult>", "getCallArguments">
  ];
}

def RT_OwnershipOpInterface : OpInterface<"OwnershipOpInterface"> {
  let cppNamespace = "::nacre::rt";
  let description = [{
    An op which is known to treat values of the runtime by the dialect's rules of
    ownership. It is to values what upstream's BufferDeallocationOpInterface is to
    buffers. A function with an op on values that does not have this interface is
    left alone by `release-values`.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether the op takes over what owns `operand`, a value: the block does not
      own it afterwards. Other operands are borrowed.
    }], "bool", "takesOver", (ins "::mlir::OpOperand &":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
      Whether `result`, a value, has one owner more by this op, the block that the
      op is in. Otherwise it is owned by whoever owned it before.
    }], "bool", "addsOwner", (ins "::mlir::OpResult":$result),
      /*methodBody=*/"", /*defaultImplementation=*/"return true;">
  ];
}

def RT_InPlaceOpInterface
    : OpInterface<"InPlaceOpInterface", [RT_OwnershipOpInterface]> {
  let cppNamespace = "::nacre::rt";
  let description = [{
    An op whose only result is a changed copy of one operand, and which can change
    that operand instead. It is to values what upstream's
    DestinationStyleOpInterface is to tensors, with the decision written on the op.
    In place, the op takes the operand over, and its result is the operand if that
    had no other owner; elsewhere it is a copy all the same.
  }];
  let methods = [
    InterfaceMethod<"The operand that the result is a changed copy of.",
      "::mlir::OpOperand &", "getUpdatedOperand">,
    InterfaceMethod<"Whether the op changes this operand.", "bool", "getInPlace">,
    InterfaceMethod<"Lets the op change this operand, or not.", "void",
      "setInPlace", (ins "bool":$inPlace)>
  ];
}

#endif // NACRE_DIALECT_RUNTIME_IR_RUNTIMEINTERFACES_TD
