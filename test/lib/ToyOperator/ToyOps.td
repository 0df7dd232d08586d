//===- ToyOps.td - Operators from outside ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of the domain com.example.toy, which nacre itself does not
// know.
//
//===----------------------------------------------------------------------===//

#ifndef TOY_OPS_TD
#define TOY_OPS_TD

include "nacre/Dialect/IE/IR/IEBase.td"
include "nacre/Dialect/IE/IR/PrecisionInterface.td"
include "nacre/Interpreter/InterpretableOpInterface.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
  let summary = "The operators of the domain com.example.toy";
}

// Results have the sizes of the first operand. Floats of 16 bits are computed
// in 32, and the interpreter evaluates each op.
class Toy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Toy_Dialect, mnemonic, !listconcat(traits, [
          Pure, IE_InferType, IE_SizesOfFirst,
          DeclareOpInterfaceMethods<IE_PrecisionOpInterface>,
          DeclareOpInterfaceMethods<InterpretableOpInterface>])> {
  let results = (outs IE_FloatTensor:$output);
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(adaptor.getOperands().front().getType());
      return ::mlir::success();
    }
    ::nacre::IE::FloatUse $cppClass::getFloatUse() {
      return ::nacre::IE::FloatUse::Computes;
    }
  }];
}

def Toy_BumpOp : Toy_Op<"Bump", [Elementwise]> {
  let summary = "height * exp(-x * x)";
  let description = [{
    Example:
    ```mlir
    %1 = toy.Bump %0 {height = 2.0 : f32} : tensor<2x8xf32> -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$height
  );
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Toy_MixOp : Toy_Op<"Mix", [AttrSizedOperandSegments,
                               SameOperandsElementType]> {
  let summary = "a + 2 * b + 3 * c, of which b and c may be left out";
  let description = [{
    Tensors of one shape.

    Example:
    ```mlir
    %1 = toy.Mix a %0 c %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    IE_FloatTensor:$a,
    Optional<IE_FloatTensor>:$b,
    Optional<IE_FloatTensor>:$c
  );
  let assemblyFormat = [{
    `a` $a (`b` $b^)? (`c` $c^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TOY_OPS_TD
