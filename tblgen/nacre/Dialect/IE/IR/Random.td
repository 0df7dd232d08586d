//===- Random.td - Random tensors --------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: random tensors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RANDOM_TD
#define NACRE_DIALECT_IE_IR_RANDOM_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// ONNX leaves open what a seed stands for. Here all random operators draw from
// one generator, each from its own start of it, so that a result depends on the
// seed alone: on no other node, no earlier run, no number of threads.
class IE_RandomDoc<string mnemonic, string details, string example>
    : IE_OpDoc<mnemonic, details # " The numbers are those of NumPy's "
      "`RandomState(seed)`: the Mersenne Twister MT19937, two outputs for each "
      "number of 53 bits. A seed that is not an integer of 32 bits stands for "
      "the bits of its float. The importer numbers the nodes without a seed.",
      example>;

// The bounds or moments of a distribution, and where its numbers come from.
class IE_RandomOp<string mnemonic> : IE_OnnxOp<mnemonic, [IE_OwnSizes]> {
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = "attr-dict `:` type($output)";
}

class IE_RandomLikeOp<string mnemonic>
    : IE_OnnxOp<mnemonic, [IE_SizesOfFirst]> {
  let results = (outs IE_FloatTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def IE_RandomUniformOp : IE_RandomOp<"RandomUniform"> {
  let summary = "Uniformly distributed numbers";
  let description = IE_RandomDoc<"RandomUniform",
      "Numbers in [`low`, `high`), which rounding to the element type may turn "
      "into `high`.",
      "%0 = IE.RandomUniform {seed = 7.0, shape = array<i64: 2, 3>}\n"
      "    : tensor<2x3xf32>">.text;
  let arguments = (ins
    OptionalAttr<TypeAttrOf<IE_AnyFloat>>:$dtype,
    DefaultValuedAttr<F32Attr, "1.0f">:$high,
    DefaultValuedAttr<F32Attr, "0.0f">:$low,
    DefaultValuedAttr<F64Attr, "0.0">:$seed,
    DenseI64ArrayAttr:$shape
  );
}

def IE_RandomUniformLikeOp : IE_RandomLikeOp<"RandomUniformLike"> {
  let summary = "Uniformly distributed numbers in the shape of a tensor";
  let description = IE_RandomDoc<"RandomUniformLike",
      "`IE.RandomUniform` of the operand's shape, and of its element type "
      "without `dtype`.",
      "%1 = IE.RandomUniformLike %0 : tensor<2x3xf32> -> tensor<2x3xf32>">.text;
  let arguments = (ins
    IE_NumberOrBoolTensor:$input,
    OptionalAttr<TypeAttrOf<IE_AnyFloat>>:$dtype,
    DefaultValuedAttr<F32Attr, "1.0f">:$high,
    DefaultValuedAttr<F32Attr, "0.0f">:$low,
    DefaultValuedAttr<F64Attr, "0.0">:$seed
  );
}

def IE_RandomNormalOp : IE_RandomOp<"RandomNormal"> {
  let summary = "Normally distributed numbers";
  let description = IE_RandomDoc<"RandomNormal",
      "Numbers of the given `mean`, with `scale` as standard deviation, by the "
      "polar method of Marsaglia.",
      "%0 = IE.RandomNormal {seed = 7.0, shape = array<i64: 2, 3>}\n"
      "    : tensor<2x3xf32>">.text;
  let arguments = (ins
    OptionalAttr<TypeAttrOf<IE_AnyFloat>>:$dtype,
    DefaultValuedAttr<F32Attr, "0.0f">:$mean,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F64Attr, "0.0">:$seed,
    DenseI64ArrayAttr:$shape
  );
}

def IE_RandomNormalLikeOp : IE_RandomLikeOp<"RandomNormalLike"> {
  let summary = "Normally distributed numbers in the shape of a tensor";
  let description = IE_RandomDoc<"RandomNormalLike",
      "`IE.RandomNormal` of the operand's shape, and of its element type "
      "without `dtype`.",
      "%1 = IE.RandomNormalLike %0 : tensor<2x3xf32> -> tensor<2x3xf32>">.text;
  let arguments = (ins
    IE_NumberOrBoolTensor:$input,
    OptionalAttr<TypeAttrOf<IE_AnyFloat>>:$dtype,
    DefaultValuedAttr<F32Attr, "0.0f">:$mean,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F64Attr, "0.0">:$seed
  );
}

def IE_BernoulliOp : IE_OnnxOp<"Bernoulli", [IE_SizesOfFirst]> {
  let summary = "Ones with given probabilities, else zeros";
  let description = IE_RandomDoc<"Bernoulli",
      "1 where a uniform number in [0, 1) is less than the operand's element. "
      "Elements are of the type `dtype`, by default the operand's.",
      "%1 = IE.Bernoulli %0 {dtype = i1} : tensor<8xf32> -> tensor<8xi1>">.text;
  let arguments = (ins
    IE_FloatTensor:$input,
    OptionalAttr<TypeAttrOf<IE_NumberOrBool>>:$dtype,
    DefaultValuedAttr<F64Attr, "0.0">:$seed
  );
  let results = (outs IE_NumberOrBoolTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def IE_MultinomialOp : IE_OnnxOp<"Multinomial", [IE_OwnSizes]> {
  let summary = "Classes drawn by their unnormalised log-probabilities";
  let description = IE_RandomDoc<"Multinomial",
      "| operand | shape                 |\n|---------|-----------------------|"
      "\n| input   | (batch, classes)      |\n| output  | (batch, sample_size)  "
      "|\n\nA sample is the first class up to which the probabilities, the "
      "softmax of a row, sum up to more than a uniform number in [0, 1).",
      "%1 = IE.Multinomial %0 {sample_size = 4 : i64}\n"
      "    : tensor<2x10xf32> -> tensor<2x4xi32>">.text;
  let arguments = (ins
    2DTensorOf<[IE_AnyFloat]>:$input,
    OptionalAttr<TypeAttrOf<AnyTypeOf<[I32, I64]>>>:$dtype,
    DefaultValuedAttr<I64Attr, "1">:$sample_size,
    DefaultValuedAttr<F64Attr, "0.0">:$seed
  );
  let results = (outs 2DTensorOf<[I32, I64]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif // NACRE_DIALECT_IE_IR_RANDOM_TD
