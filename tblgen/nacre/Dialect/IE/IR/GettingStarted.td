//===- GettingStarted.td - The tutorial's ops --------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops through which docs/Tutorial.md explains how ops are defined. They
// compute nothing: a counter stands for whatever a pass would rewrite.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD
#define NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD

include "nacre/Dialect/IE/IR/GettingStartedAttributes.td"
include "nacre/Dialect/IE/IR/GettingStartedInterface.td"
include "nacre/Dialect/IE/IR/GettingStartedTypes.td"
include "nacre/Dialect/IE/IR/IEBase.td"

def IE_GettingStartedOp : IE_Op<"GettingStarted", [
    IE_InferType, DeclareOpInterfaceMethods<IE_GettingStartedInterface>]> {
  let summary = "The tutorial's op";
  let description = [{
    Yields a tensor of its first operand's type. It has one of everything: an
    optional operand of a custom type, optional, default-valued and custom
    attributes, a builder, methods, an interface, a canonicalizer that counts
    `myInt` down to 0.

    Example:
    ```mlir
    %0 = IE.GettingStarted(%arg0, %arg1) {
      gettingStarted = #IE.GettingStarted<boolParameter = true, floatParameter = 1.0>,
      myInt = 5 : i64,
      myIntArray = [1, 2, 3]
    } : tensor<10xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16>
        -> tensor<10xf16>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$input,
    Optional<IE_GettingStartedTensor>:$secondInput,
    OptionalAttr<I64Attr>:$myInt,
    OptionalAttr<I64ArrayAttr>:$myIntArray,
    OptionalAttr<F64Attr>:$myOptionalFloat,
    DefaultValuedAttr<I64Attr, "10">:$myDefaultValuedInt,
    OptionalAttr<IE_GettingStartedAttr>:$gettingStarted
  );
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` type(operands) `->` type(results)
  }];
  let builders = [
    // The result's type is inferred; the attributes get the tutorial's values.
    OpBuilder<(ins "::mlir::Value":$input, CArg<"int64_t", "5">:$myInt)>
  ];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The value that `myDefaultValuedInt` has when it is not written.
    static int64_t getDefaultInt() { return 10; }

    /// The sum of `myInt` and `myIntArray`; defined in GettingStarted.cpp.
    int64_t getSum();
  }];
}

def IE_GettingStartedRepeatOp : IE_Op<"GettingStartedRepeat",
                                      [SameOperandsAndResultType]> {
  let summary = "The tutorial's op with hand-written syntax";
  let description = [{
    Stands for a repetition of its operand. Its parser and printer are C++:
    `hasCustomAssemblyFormat`. Repeating once folds to the operand.

    Example:
    ```mlir
    %1 = IE.GettingStartedRepeat %0 times 3 : tensor<10xf16>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[AnyRankedTensor, IE_GettingStartedTensor]>:$input,
    ConfinedAttr<I64Attr, [IntPositive]>:$times
  );
  let results = (outs
    AnyTypeOf<[AnyRankedTensor, IE_GettingStartedTensor]>:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD
