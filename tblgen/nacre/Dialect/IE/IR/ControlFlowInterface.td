//===- ControlFlowInterface.td - Ops with repeated bodies --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What type inference needs to know of an op that runs its body repeatedly.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONTROLFLOWINTERFACE_TD
#define NACRE_DIALECT_IE_IR_CONTROLFLOWINTERFACE_TD

include "mlir/IR/OpBase.td"

// How the values that leave a body become results.
def IE_YieldingOpInterface : OpInterface<"YieldingOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops whose results are made of what their bodies yield. All
    bodies yield as many values, and the last of these belong to the results. A
    pass may rely on each body being a region of one block.
  }];
  let methods = [
    InterfaceMethod<[{
      The types under which yielded values leave a body. They may know less of
      sizes than the yielded values, or more: what the model declares of the
      results holds for the values. Of a carried value they know what is known
      both before the first run and after the last one.
    }], "::llvm::SmallVector<::mlir::Type>", "getYieldedTypes", (ins)>
  ];
}

// How the values that enter a body's block follow from the operands.
def IE_BodyOpInterface : OpInterface<"BodyOpInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that run a body several times. Some of the body's
    arguments are carried: they are operands in the first run and what the body
    yielded in every other one. A pass may rely on the body being a region of
    one block.
  }];
  let methods = [
    InterfaceMethod<[{
      The types of the body's arguments if the body yielded what its arguments
      already are: those of the carried operands, slices of the scanned ones.
    }], "::llvm::SmallVector<::mlir::Type>", "getEntryTypes", (ins)>,
    InterfaceMethod<[{
      Per carried argument, its number and the number of the yielded value that
      replaces it.
    }], "::llvm::SmallVector<std::pair<unsigned, unsigned>>",
      "getCarriedArguments", (ins)>
  ];
}

#endif // NACRE_DIALECT_IE_IR_CONTROLFLOWINTERFACE_TD
