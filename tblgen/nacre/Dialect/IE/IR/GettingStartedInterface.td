//===- GettingStartedInterface.td - The tutorial's interface -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a dialect defines an op interface: what a pass may ask of any op that
// implements it, without knowing the op. docs/Tutorial.md walks through this
// file.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTEDINTERFACE_TD
#define NACRE_DIALECT_IE_IR_GETTINGSTARTEDINTERFACE_TD

include "mlir/IR/OpBase.td"

def IE_GettingStartedInterface : OpInterface<"GettingStartedInterface"> {
  let cppNamespace = "::nacre::IE";
  let description = [{
    Implemented by ops that count. A pass that counts down step by step may
    rely on coming to an end: the interface's verifier rejects ops with more
    than a million steps to go.
  }];
  let methods = [
    InterfaceMethod<"The op's counter.", "int64_t", "getCounter">,
    InterfaceMethod<"Whether there is nothing left to count.", "bool",
                    "isFinished", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/[{
      // Through the interface: an external model's op has no such method.
      ::mlir::Operation *op = $_op;
      return ::llvm::cast<::nacre::IE::GettingStartedInterface>(op)
                 .getCounter() <= 0;
    }]>,
    StaticInterfaceMethod<"What the counter counts, for messages.",
                          "::llvm::StringRef", "getCounted">
  ];
  let verify = [{
    return ::nacre::IE::detail::verifyGettingStarted($_op);
  }];
}

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTEDINTERFACE_TD
