//===- Activation.td - Activation functions ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: activation functions. All but PRelu map one tensor per
// element and differ in their parameters only.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_ACTIVATION_TD
#define NACRE_DIALECT_IE_IR_ACTIVATION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

class IE_ActivationOp<string mnemonic, string text, string details,
                      string attributes = "", Type type = IE_FloatTensor,
                      list<Trait> traits = []>
    : IE_UnaryOp<mnemonic, type, !listconcat(traits, [IE_ComputesFloats])> {
  let summary = text;
  let description = IE_OpDoc<mnemonic, details, "%1 = IE." # mnemonic # " %0" #
      attributes # " : tensor<2x8xf32> -> tensor<2x8xf32>">.text;
}

//===----------------------------------------------------------------------===//
// Without parameters
//===----------------------------------------------------------------------===//

def IE_ReluOp : IE_ActivationOp<"Relu", "max(0, x)", "NaN stays NaN.", "",
                                IE_NumberTensor, [IE_Homogeneous]> {
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def IE_HardSwishOp : IE_ActivationOp<"HardSwish",
    "x * max(0, min(1, x / 6 + 0.5))", "A piecewise stand-in for x * sigmoid(x).">;
def IE_MishOp : IE_ActivationOp<"Mish", "x * tanh(softplus(x))",
    "Computed without overflow for large x.">;
def IE_SigmoidOp : IE_ActivationOp<"Sigmoid", "1 / (1 + exp(-x))",
    "Lies in [0, 1].">;
def IE_SoftplusOp : IE_ActivationOp<"Softplus", "log(exp(x) + 1)",
    "Computed without overflow for large x.">;
def IE_SoftsignOp : IE_ActivationOp<"Softsign", "x / (1 + |x|)",
    "Lies in [-1, 1].">;
def IE_TanhOp : IE_ActivationOp<"Tanh", "Hyperbolic tangent",
    "Lies in [-1, 1].">;

//===----------------------------------------------------------------------===//
// With parameters
//===----------------------------------------------------------------------===//

def IE_LeakyReluOp : IE_ActivationOp<"LeakyRelu", "x where x >= 0, else alpha * x",
    "`alpha` is the slope of the negative half.", " {alpha = 2.0e-01 : f32}",
    IE_FloatTensor, [IE_Homogeneous]> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "0.01f">:$alpha
  );
}

def IE_EluOp : IE_ActivationOp<"Elu", "x where x >= 0, else alpha * (exp(x) - 1)",
    "`-alpha` is the limit of the negative half.", " {alpha = 2.0 : f32}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$alpha
  );
}

def IE_SwishOp : IE_ActivationOp<"Swish", "x * sigmoid(alpha * x)",
    "Known as SiLU with `alpha` 1, and as QuickGelu with 1.702.",
    " {alpha = 1.702 : f32}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$alpha
  );
}

def IE_CeluOp : IE_ActivationOp<"Celu",
    "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))",
    "Continuously differentiable for every `alpha`.", " {alpha = 2.0 : f32}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$alpha
  );
  let hasVerifier = 1;
}

def IE_SeluOp : IE_ActivationOp<"Selu",
    "gamma * x where x > 0, else gamma * alpha * (exp(x) - 1)",
    "The defaults keep mean and variance through a layer."> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.67326319217681884765625f">:$alpha,
    DefaultValuedAttr<F32Attr, "1.05070102214813232421875f">:$gamma
  );
}

def IE_ThresholdedReluOp : IE_ActivationOp<"ThresholdedRelu",
    "x where x > alpha, else 0", "`alpha` is the threshold.",
    " {alpha = 2.0 : f32}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "1.0f">:$alpha
  );
}

def IE_HardSigmoidOp : IE_ActivationOp<"HardSigmoid",
    "max(0, min(1, alpha * x + beta))", "A piecewise stand-in for the sigmoid.",
    " {alpha = 5.0e-01 : f32}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedAttr<F32Attr, "0.2f">:$alpha,
    DefaultValuedAttr<F32Attr, "0.5f">:$beta
  );
}

def IE_ShrinkOp : IE_ActivationOp<"Shrink",
    "x + bias below -lambd, x - bias above lambd, else 0",
    "Integers are computed in double precision and truncated.",
    " {lambd = 1.5 : f32}", IE_NumberTensor> {
  let arguments = (ins
    IE_NumberTensor:$input,
    DefaultValuedAttr<F32Attr, "0.0f">:$bias,
    DefaultValuedAttr<F32Attr, "0.5f">:$lambd
  );
}

def IE_GeluOp : IE_ActivationOp<"Gelu", "x * P(X <= x), X standard normal",
    "`approximate` = \"none\" uses the error function, \"tanh\" the usual "
    "approximation through the hyperbolic tangent.",
    " {approximate = \"tanh\"}"> {
  let arguments = (ins
    IE_FloatTensor:$input,
    DefaultValuedStrAttr<IE_StringAttrOf<["none", "tanh"]>, "none">:$approximate
  );
}

//===----------------------------------------------------------------------===//
// With a second operand
//===----------------------------------------------------------------------===//

def IE_AnyPRelu : AnyTypeOf<[IE_AnyFloat, I32, I64, UI32, UI64],
                            "floating point or integer of 32 or 64 bits">;
def IE_PReluTensor : RankedTensorOf<[IE_AnyPRelu]>;

def IE_PReluOp : IE_OnnxOp<"PRelu", [
    IE_ComputesFloats,
    IE_SizesOfBroadcast,
    SameOperandsElementType]> {
  let summary = "x where x >= 0, else slope * x";
  let description = [{
    `slope` broadcasts to the shape of `input`, never the other way round.

    Example:
    ```mlir
    %2 = IE.PRelu %0, %1
        : tensor<1x4x8x8xf32>, tensor<4x1x1xf32> -> tensor<1x4x8x8xf32>
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__PRelu.html
  }];
  let arguments = (ins IE_PReluTensor:$input, IE_PReluTensor:$slope);
  let results = (outs IE_PReluTensor:$output);
  let assemblyFormat =
      "$input `,` $slope attr-dict `:` type(operands) `->` type($output)";
}

#endif // NACRE_DIALECT_IE_IR_ACTIVATION_TD
