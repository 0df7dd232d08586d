//===- Logical.td - Comparison, logic and selection --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: comparison, logic and selection.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_LOGICAL_TD
#define NACRE_DIALECT_IE_IR_LOGICAL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

class IE_LogicOp<string mnemonic, string text, string details>
    : IE_BinaryOp<mnemonic, IE_BoolTensor, IE_BoolTensor, [Commutative]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%2 = IE." # mnemonic #
      " %0, %1 : tensor<2x8xi1>, tensor<8xi1> -> tensor<2x8xi1>">.text;
  let hasFolder = 1;
}

def IE_AndOp : IE_LogicOp<"And", "True where both are, broadcasting",
    "`x and true` folds to `x`.">;
def IE_OrOp : IE_LogicOp<"Or", "True where either is, broadcasting",
    "`x or false` folds to `x`.">;
def IE_XorOp : IE_LogicOp<"Xor", "True where exactly one is, broadcasting",
    "`x xor false` folds to `x`.">;

def IE_NotOp : IE_UnaryOp<"Not", IE_BoolTensor> {
  let summary = "True where the operand is false";
  let description = IE_OpDoc<"Not", "Its own inverse.",
      "%1 = IE.Not %0 : tensor<2x8xi1> -> tensor<2x8xi1>">.text;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

class IE_CompareOp<string mnemonic, string text, Type operandType,
                   list<Trait> traits = []>
    : IE_BinaryOp<mnemonic, operandType, IE_BoolTensor,
                  !listconcat(traits, [IE_ComputesFloats])> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, "False where either operand is NaN.",
      "%2 = IE." # mnemonic #
      " %0, %1 : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xi1>">.text;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return ::nacre::IE::inferBroadcastType(
          location, adaptor.getOperands(),
          ::mlir::IntegerType::get(context, 1), inferred);
    }
  }];
}

def IE_EqualOp : IE_CompareOp<"Equal", "lhs == rhs, broadcasting", IE_WideTensor,
                              [Commutative]>;
def IE_GreaterOp
    : IE_CompareOp<"Greater", "lhs > rhs, broadcasting", IE_NumberTensor>;
def IE_GreaterOrEqualOp : IE_CompareOp<"GreaterOrEqual",
    "lhs >= rhs, broadcasting", IE_NumberTensor>;
def IE_LessOp
    : IE_CompareOp<"Less", "lhs < rhs, broadcasting", IE_NumberTensor>;
def IE_LessOrEqualOp : IE_CompareOp<"LessOrEqual",
    "lhs <= rhs, broadcasting", IE_NumberTensor>;

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

// What a condition chooses is computed with.
def IE_WhereOp : IE_OnnxOp<"Where", [
    IE_SizesOfBroadcast,
    IE_ComputesFloats,
    AllElementTypesMatch<["on_true", "on_false"]>]> {
  let summary = "Elements of one tensor or another, by a condition";
  let description = [{
    All three operands broadcast.

    Example:
    ```mlir
    %3 = IE.Where %0, %1, %2
        : tensor<2x1xi1>, tensor<2x8xf32>, tensor<f32> -> tensor<2x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Where.html
  }];
  let arguments = (ins
    IE_BoolTensor:$condition,
    IE_Tensor:$on_true,
    IE_Tensor:$on_false
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false attr-dict
    `:` type(operands) `->` type($output)
  }];
  let hasFolder = 1;
}

#endif // NACRE_DIALECT_IE_IR_LOGICAL_TD
