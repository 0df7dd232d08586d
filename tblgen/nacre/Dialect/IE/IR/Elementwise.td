//===- Elementwise.td - Elementwise arithmetic and math ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: elementwise arithmetic and math, and conversion between
// element types. Most ops differ only in name and in what they compute, so a
// base class per signature carries everything else.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ELEMENTWISE_TD
#define NACRE_DIALECT_IE_IR_ELEMENTWISE_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_AnyUnsigned : AnyTypeOf<[UI8, UI16, UI32, UI64], "unsigned integer">;
def IE_AnySigned : AnyTypeOf<[IE_AnyFloat, I8, I16, I32, I64],
                             "floating point or signed integer">;
def IE_AnyPowBase : AnyTypeOf<[IE_AnyFloat, I32, I64],
                              "floating point, i32 or i64">;
def IE_Bits : AnyTypeOf<[IE_NumberOrBool, IE_SmallNumber, IE_Complex],
                        "any but string">;

def IE_UnsignedTensor : RankedTensorOf<[IE_AnyUnsigned]>;
def IE_SignedTensor : RankedTensorOf<[IE_AnySigned]>;
def IE_IntegerTensor : RankedTensorOf<[IE_AnyInteger]>;
def IE_PowBaseTensor : RankedTensorOf<[IE_AnyPowBase]>;
def IE_BitsTensor : RankedTensorOf<[IE_Bits]>;

//===----------------------------------------------------------------------===//
// Binary and variadic arithmetic
//===----------------------------------------------------------------------===//

class IE_ArithmeticOp<string mnemonic, string text, string details,
                      Type type = IE_NumberTensor, list<Trait> traits = []>
    : IE_BinaryOp<mnemonic, type, type,
                  !listconcat(traits, [IE_ComputesFloats])> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%2 = IE." # mnemonic #
      " %0, %1 : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>">.text;
}

def IE_AddOp : IE_ArithmeticOp<"Add", "Sum of two tensors, broadcasting",
    "Integers wrap around.", IE_NumberTensor,
    [Commutative, IE_ArithmeticOnIntegers]> {
  let hasFolder = 1;
}

def IE_SubOp : IE_ArithmeticOp<"Sub", "Difference of two tensors, broadcasting",
    "Integers wrap around."> {
  let hasFolder = 1;
}

def IE_MulOp : IE_ArithmeticOp<"Mul", "Product of two tensors, broadcasting",
    "Integers wrap around.", IE_NumberTensor, [Commutative]> {
  let hasFolder = 1;
}

def IE_DivOp : IE_ArithmeticOp<"Div", "Quotient of two tensors, broadcasting",
    "Integer division truncates towards zero. Division of an integer by zero, "
    "which ONNX leaves open, gives zero."> {
  let hasFolder = 1;
}

def IE_ModOp : IE_BinaryOp<"Mod", IE_NumberTensor, IE_NumberTensor,
                           [IE_ComputesFloats]> {
  let summary = "Remainder of a division, broadcasting";
  let description = [{
    With `fmod` = 0 the remainder has the sign of the divisor (Python's `%`);
    with `fmod` = 1 that of the dividend (C's `fmod`). Floats need `fmod` = 1.
    The remainder of an integer division by zero, which ONNX leaves open, is
    zero.

    Example:
    ```mlir
    %2 = IE.Mod %0, %1 {fmod = 1 : i64}
        : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Mod.html
  }];
  let arguments = (ins
    IE_NumberTensor:$lhs,
    IE_NumberTensor:$rhs,
    DefaultValuedAttr<I64Attr, "0">:$fmod
  );
  let hasVerifier = 1;
}

def IE_PowOp : IE_BroadcastOp<"Pow", [IE_ComputesFloats]> {
  let summary = "Base raised to an exponent, broadcasting";
  let description = [{
    The exponent may have another element type; the result has the base's. An
    integer base with an integer exponent is exact modulo the base's width; a
    negative exponent gives the truncated reciprocal.

    Example:
    ```mlir
    %2 = IE.Pow %0, %1 : tensor<2x8xf32>, tensor<i64> -> tensor<2x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Pow.html
  }];
  let arguments = (ins IE_PowBaseTensor:$base, IE_NumberTensor:$exponent);
  let results = (outs IE_PowBaseTensor:$output);
  let assemblyFormat =
      "$base `,` $exponent attr-dict `:` type(operands) `->` type($output)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

class IE_VariadicOp<string mnemonic, string text, string details, Type type>
    : IE_BroadcastOp<mnemonic, [SameOperandsElementType, IE_ComputesFloats]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%2 = IE." # mnemonic #
      " %0, %1 : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>">.text;
  let arguments = (ins Variadic<type>:$inputs);
  let results = (outs type:$output);
  let assemblyFormat =
      "$inputs attr-dict `:` type($inputs) `->` type($output)";
  let hasFolder = 1;
  // Inference runs before any verifier: it must report a missing operand itself.
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      if (adaptor.getInputs().empty()) {
        return ::mlir::emitOptionalError(
            location, "expected at least one operand, found none");
      }
      return ::nacre::IE::inferBroadcastType(
          location, adaptor.getInputs(),
          ::mlir::getElementTypeOrSelf(adaptor.getInputs().front()), inferred);
    }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) {
      // Of a single operand each of these is that operand.
      if (getInputs().size() == 1 && getInputs()[0].getType() == getType()) {
        return getInputs()[0];
      }
      return {};
    }
  }];
}

def IE_MinOp : IE_VariadicOp<"Min", "Least of the operands, broadcasting",
    "NaN in any operand gives NaN.", IE_NumberTensor>;
def IE_MaxOp : IE_VariadicOp<"Max", "Greatest of the operands, broadcasting",
    "NaN in any operand gives NaN.", IE_NumberTensor>;
def IE_SumOp : IE_VariadicOp<"Sum", "Sum of the operands, broadcasting",
    "Of two operands it canonicalizes to `IE.Add`.", IE_FloatTensor> {
  let hasCanonicalizer = 1;
}
def IE_MeanOp : IE_VariadicOp<"Mean",
    "Arithmetic mean of the operands, broadcasting",
    "The operands' sum divided by their number.", IE_FloatTensor>;

//===----------------------------------------------------------------------===//
// Bit manipulation
//===----------------------------------------------------------------------===//

class IE_BitwiseOp<string mnemonic, string text>
    : IE_BinaryOp<mnemonic, IE_IntegerTensor, IE_IntegerTensor, [Commutative]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, "Computed bit by bit.",
      "%2 = IE." # mnemonic #
      " %0, %1 : tensor<2x8xi32>, tensor<8xi32> -> tensor<2x8xi32>">.text;
}

def IE_BitwiseAndOp : IE_BitwiseOp<"BitwiseAnd", "Bitwise and, broadcasting">;
def IE_BitwiseOrOp : IE_BitwiseOp<"BitwiseOr", "Bitwise or, broadcasting">;
def IE_BitwiseXorOp
    : IE_BitwiseOp<"BitwiseXor", "Bitwise exclusive or, broadcasting">;

def IE_BitwiseNotOp : IE_UnaryOp<"BitwiseNot", IE_IntegerTensor> {
  let summary = "Complement of every bit";
  let description = IE_OpDoc<"BitwiseNot", "Its own inverse.",
      "%1 = IE.BitwiseNot %0 : tensor<2x8xi32> -> tensor<2x8xi32>">.text;
  let hasFolder = 1;
}

def IE_BitShiftOp : IE_BinaryOp<"BitShift", IE_UnsignedTensor,
                                IE_UnsignedTensor> {
  let summary = "Bits shifted left or right, broadcasting";
  let description = [{
    Zeros come in at the far end, so a distance of the element's width or more
    gives zero.

    Example:
    ```mlir
    %2 = IE.BitShift %0, %1 {direction = "LEFT"}
        : tensor<8xui8>, tensor<8xui8> -> tensor<8xui8>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__BitShift.html
  }];
  let arguments = (ins
    IE_UnsignedTensor:$lhs,
    IE_UnsignedTensor:$rhs,
    IE_StringAttrOf<["LEFT", "RIGHT"]>:$direction
  );
}

//===----------------------------------------------------------------------===//
// Unary math
//===----------------------------------------------------------------------===//

class IE_MathOp<string mnemonic, string text, string details,
                Type type = IE_FloatTensor>
    : IE_UnaryOp<mnemonic, type, [IE_ComputesFloats]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%1 = IE." # mnemonic #
      " %0 : tensor<2x8xf32> -> tensor<2x8xf32>">.text;
}

// f(f(x)) = f(x) or f(f(x)) = x: the folder removes one or both.
class IE_FoldedMathOp<string mnemonic, string text, string details,
                      Type type = IE_FloatTensor>
    : IE_MathOp<mnemonic, text, details, type> {
  let hasFolder = 1;
}

def IE_NegOp : IE_FoldedMathOp<"Neg", "Negation",
    "Integers wrap around.", IE_SignedTensor>;
def IE_AbsOp : IE_FoldedMathOp<"Abs", "Absolute value",
    "The least signed integer is its own absolute value.", IE_NumberTensor>;
def IE_SignOp : IE_FoldedMathOp<"Sign", "-1, 0 or 1 by the sign",
    "NaN stays NaN.", IE_NumberTensor>;
def IE_FloorOp : IE_FoldedMathOp<"Floor", "Greatest integer not above",
    "Infinities and NaN are kept.">;
def IE_CeilOp : IE_FoldedMathOp<"Ceil", "Least integer not below",
    "Infinities and NaN are kept.">;
def IE_RoundOp : IE_FoldedMathOp<"Round", "Nearest integer",
    "Halves go to the even neighbour.">;

def IE_SqrtOp : IE_MathOp<"Sqrt", "Square root", "NaN for negative elements.">;
def IE_ReciprocalOp : IE_MathOp<"Reciprocal", "1 / x", "Infinite at zero.">;
def IE_ExpOp : IE_MathOp<"Exp", "e raised to x", "Overflows to infinity.">;
def IE_LogOp : IE_MathOp<"Log", "Natural logarithm",
    "NaN for negative elements, -infinity at zero.">;
def IE_ErfOp : IE_MathOp<"Erf", "Gauss error function", "Lies in [-1, 1].">;
def IE_SinOp : IE_MathOp<"Sin", "Sine", "In radians.">;
def IE_CosOp : IE_MathOp<"Cos", "Cosine", "In radians.">;
def IE_TanOp : IE_MathOp<"Tan", "Tangent", "In radians.">;
def IE_AsinOp : IE_MathOp<"Asin", "Arc sine", "NaN outside [-1, 1].">;
def IE_AcosOp : IE_MathOp<"Acos", "Arc cosine", "NaN outside [-1, 1].">;
def IE_AtanOp : IE_MathOp<"Atan", "Arc tangent", "Lies in [-pi/2, pi/2].">;
def IE_SinhOp : IE_MathOp<"Sinh", "Hyperbolic sine", "Overflows to infinity.">;
def IE_CoshOp : IE_MathOp<"Cosh", "Hyperbolic cosine",
    "Overflows to infinity.">;
def IE_AsinhOp : IE_MathOp<"Asinh", "Inverse hyperbolic sine",
    "Defined everywhere.">;
def IE_AcoshOp : IE_MathOp<"Acosh", "Inverse hyperbolic cosine",
    "NaN below 1.">;
def IE_AtanhOp : IE_MathOp<"Atanh", "Inverse hyperbolic tangent",
    "NaN outside [-1, 1].">;

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

class IE_ClassificationOp<string mnemonic>
    : IE_OnnxOp<mnemonic, [IE_SizesOfFirst, Elementwise, IE_ComputesFloats]> {
  let arguments = (ins IE_FloatTensor:$input);
  let results = (outs IE_BoolTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location>,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(
          ::llvm::cast<::mlir::ShapedType>(adaptor.getInput().getType())
              .clone(::mlir::IntegerType::get(context, 1)));
      return ::mlir::success();
    }
  }];
}

def IE_IsNaNOp : IE_ClassificationOp<"IsNaN"> {
  let summary = "True where an element is NaN";
  let description = IE_OpDoc<"IsNaN", "Infinities are not NaN.",
      "%1 = IE.IsNaN %0 : tensor<2x8xf32> -> tensor<2x8xi1>">.text;
}

def IE_IsInfOp : IE_ClassificationOp<"IsInf"> {
  let summary = "True where an element is infinite";
  let description = [{
    Either sign can be left out by setting its attribute to 0.

    Example:
    ```mlir
    %1 = IE.IsInf %0 {detect_negative = 0 : i64}
        : tensor<2x8xf32> -> tensor<2x8xi1>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__IsInf.html
  }];
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<I64Attr, "1">:$detect_negative,
    DefaultValuedAttr<I64Attr, "1">:$detect_positive
  );
}

//===----------------------------------------------------------------------===//
// Conversion and copies
//===----------------------------------------------------------------------===//

def IE_RoundMode : ConfinedAttr<StrAttr, [AttrConstraint<
    CPred<"::llvm::is_contained({\"up\", \"down\", \"nearest\"}, "
          "::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "of \"up\", \"down\" or \"nearest\"">]>;

def IE_CastOp : IE_OnnxOp<"Cast", [IE_SizesOfFirst, Elementwise,
                                   IE_ReadsFloats]> {
  let summary = "Elements converted to another type";
  let description = [{
    A float becomes an integer by truncation towards zero and a bool by
    comparison with zero; integers wrap to narrower ones. A float beyond the
    integer type, which ONNX leaves open, takes some value of that type.
    A string is read as a number in plain or scientific notation, as `NaN` or as
    `INF` with or without a sign, whatever the case; another string is an error.
    Numbers are written as NumPy writes them: floats with as few digits as tell
    them from their neighbours, so `0.1` or `1e-05`. Bools are `True` and
    `False`, and no string becomes one.

    To float8 and float4, a number rounds to nearest even. What is beyond the
    largest finite number, infinity included, becomes that number; where
    `saturate` is 0, it becomes infinity, in the formats without one NaN, and in
    float4, which has neither, the largest all the same. float8e8m0 has powers
    of two alone, neither sign nor zero: the magnitude rounds as `round_mode`
    says, `up`, `down` or to the `nearest`, the middle up, and what is beyond
    the largest or smallest becomes that or, where `saturate` is 0, NaN. A float
    saturates to integers of 4 bits and, as in ONNX's tests, wraps to 2.

    Example:
    ```mlir
    %1 = IE.Cast %0 to i64 : tensor<2x8xf32> -> tensor<2x8xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Cast.html
  }];
  let arguments = (ins
    IE_RealTensor:$input,
    TypeAttrOf<IE_RealElement>:$to,
    DefaultValuedAttr<I64Attr, "1">:$saturate,
    DefaultValuedStrAttr<IE_RoundMode, "up">:$round_mode
  );
  let results = (outs IE_RealTensor:$output);
  let assemblyFormat =
      "$input `to` $to attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def IE_CastLikeOp : IE_OnnxOp<"CastLike", [IE_SizesOfFirst]> {
  let summary = "Elements converted to the type of another tensor's";
  let description = [{
    `IE.Cast` to the element type of `target_type`, whose shape and value do not
    matter; it canonicalizes to that.

    Example:
    ```mlir
    %2 = IE.CastLike %0, %1 : tensor<2x8xf32>, tensor<1xi64> -> tensor<2x8xi64>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__CastLike.html
  }];
  let arguments = (ins
    IE_RealTensor:$input,
    IE_RealTensor:$target_type,
    DefaultValuedAttr<I64Attr, "1">:$saturate,
    DefaultValuedStrAttr<IE_RoundMode, "up">:$round_mode
  );
  let results = (outs IE_RealTensor:$output);
  let assemblyFormat = [{
    $input `,` $target_type attr-dict `:` type(operands) `->` type($output)
  }];
  let hasCanonicalizer = 1;
}

def IE_BitCastOp : IE_OnnxOp<"BitCast", [IE_SizesOfFirst, Elementwise]> {
  let summary = "The bits of elements, read as another type of their width";
  let description = [{
    A bool is 8 bits wide, one for true; of other types' bits, all but zero are
    true. A complex number has its real part in the low bits.

    Example:
    ```mlir
    %1 = IE.BitCast %0 to i32 : tensor<2x8xf32> -> tensor<2x8xi32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__BitCast.html
  }];
  let arguments = (ins
    IE_BitsTensor:$input,
    TypeAttrOf<IE_Bits>:$to
  );
  let results = (outs IE_BitsTensor:$output);
  let assemblyFormat =
      "$input `to` $to attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def IE_IdentityOp : IE_UnaryOp<"Identity", IE_Tensor, [IE_RearrangesFloats]> {
  let summary = "The operand itself";
  let description = IE_OpDoc<"Identity",
      "Folds away; models use it to give a value a second name.",
      "%1 = IE.Identity %0 : tensor<2x8xf32> -> tensor<2x8xf32>">.text;
  let hasFolder = 1;
}

def IE_DropoutOp : IE_OnnxOp<"Dropout", [
    IE_SizesOfFirst,
    IE_ComputesFloats,
    AttrSizedOperandSegments]> {
  let summary = "Random zeroing of elements in training, a copy in inference";
  let description = [{
    Without `training_mode`, with a false one, or with a ratio of zero, `output`
    is `data` and `mask` is all true. Else `mask` is true where a random number
    in [0, 1), drawn as `IE.RandomUniform` does in double precision, is at least
    the ratio, by default 0.5; there `output` is `data / (1 - ratio)`, and zero
    elsewhere. The op always has both results; a model that names only the first
    leaves `mask` unused.

    Example:
    ```mlir
    %output, %mask = IE.Dropout %data ratio(%ratio : tensor<f32>)
        : tensor<2x8xf32> -> tensor<2x8xf32>, tensor<2x8xi1>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Dropout.html
  }];
  let arguments = (ins
    IE_FloatTensor:$data,
    Optional<IE_FloatTensor>:$ratio,
    Optional<IE_BoolTensor>:$training_mode,
    DefaultValuedAttr<I64Attr, "0">:$seed
  );
  let results = (outs IE_FloatTensor:$output, IE_BoolTensor:$mask);
  let assemblyFormat = [{
    $data (`ratio` `(` $ratio^ `:` type($ratio) `)`)?
    (`training_mode` `(` $training_mode^ `:` type($training_mode) `)`)?
    attr-dict `:` type($data) `->` type($output) `,` type($mask)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// True when the constants among the operands make this a plain copy.
    bool isInference();
  }];
}

def IE_ClipOp : IE_OnnxOp<"Clip", [IE_SizesOfFirst, IE_Broadcasts,
                                   IE_ComputesFloats,
                                   AttrSizedOperandSegments,
                                   SameOperandsElementType]> {
  let summary = "Elements limited to an interval";
  let description = [{
    `min(max(input, min), max)`: where the bounds cross, the upper one wins. A
    missing bound does not limit. NaN elements stay NaN.

    Example:
    ```mlir
    %1 = IE.Clip %0 min(%lo : tensor<f32>) max(%hi : tensor<f32>)
        : tensor<2x8xf32> -> tensor<2x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Clip.html
  }];
  let arguments = (ins
    IE_NumberTensor:$input,
    Optional<IE_NumberTensor>:$min,
    Optional<IE_NumberTensor>:$max
  );
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    $input (`min` `(` $min^ `:` type($min) `)`)?
    (`max` `(` $max^ `:` type($max) `)`)?
    attr-dict `:` type($input) `->` type($output)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // NACRE_DIALECT_IE_IR_ELEMENTWISE_TD
