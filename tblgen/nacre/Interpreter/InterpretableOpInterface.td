//===- InterpretableOpInterface.td - Evaluation of one op --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between an op and the interpreter: given concrete operand
// tensors, compute concrete results. Implementations are external models
// attached by lib/Interpreter, so dialects do not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD
#define NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def InterpretableOpInterface : OpInterface<"InterpretableOpInterface"> {
  let cppNamespace = "::nacre";
  let description = [{
    Implemented by ops whose results the interpreter can compute from concrete
    operands. A pass may rely on the evaluation being deterministic, free of
    side effects and independent of the surrounding IR.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes the results. `operands` are in operand order; `results` hold one
      zero-filled tensor per result, allocated with the result's static type.
      Emits an error on the op and returns failure when the operands' values
      are out of the operator's domain (for example an index out of bounds).
    }], "::llvm::LogicalResult", "interpret",
      (ins "::llvm::ArrayRef<::nacre::interpreter::Tensor>":$operands,
           "::llvm::MutableArrayRef<::nacre::interpreter::Tensor>":$results)>
  ];
}

def CompositeInterpretableOpInterface
    : OpInterface<"CompositeInterpretableOpInterface"> {
  let cppNamespace = "::nacre";
  let description = [{
    Implemented by ops that the interpreter evaluates on more than tensors: with
    regions, or on sequences and optionals. The types of the results are the
    values' business.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes the results from the operands, in order; `run` evaluates a region
      of the op. Emits an error on the op and returns failure when the operands'
      values are out of the operator's domain.
    }], "::llvm::LogicalResult", "interpret",
      (ins "::llvm::ArrayRef<::nacre::interpreter::Datum>":$operands,
           "::nacre::interpreter::RegionRunner":$run,
           "::llvm::SmallVectorImpl<::nacre::interpreter::Datum> &":$results)>
  ];
}

#endif // NACRE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD
