//===- Recurrent.td - Recurrent layers ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: recurrent layers. Each is a matrix product of the whole
// sequence and a scan, which is what ie-decompose makes of it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_RECURRENT_TD
#define NACRE_DIALECT_IE_IR_RECURRENT_TD

include "nacre/Dialect/IE/IR/IEBase.td"

def IE_RecurrentDirection
    : IE_StringAttrOf<["forward", "reverse", "bidirectional"]>;

// Base of the family; `numGates` matrices of weights lie below one another in W
// and R.
class IE_RecurrentOp<string mnemonic, int numGates, dag extraInputs,
                     dag extraAttributes, dag extraResults>
    : IE_OnnxOp<mnemonic, [IE_OwnSizes, IE_ComputesFloats,
                           AttrSizedOperandSegments]> {
  string sharedDescription = [{
    Shapes, for sequences of length S, batches of B, I inputs, H states and D
    directions (2 for `bidirectional`): `X` (S, B, I), `W` (D, }] # numGates #
    [{ H, I), `R` (D, }] # numGates # [{ H, H), `B` (D, }] # !mul(numGates, 2) #
    [{ H), the weights' biases before the recurrent ones', `sequence_lens` (B),
    initial and last states (D, B, H), `Y` (S, D, B, H). With `layout` 1 the
    batch comes first: `X` (B, S, I), `Y` (B, S, D, H), states (B, D, H). Beyond
    an element's length its state stays and `Y` is 0; the reverse direction
    starts at its last element.

    `activations` names the functions of each direction, which take their
    parameters from `activation_alpha` and `activation_beta` in turn; `clip`
    limits what they are given. Every op of this family becomes a matrix product
    and an `IE.Scan` in `ie-decompose`.
  }];
  let arguments = !con((ins
    IE_FloatTensor:$X,
    IE_FloatTensor:$W,
    IE_FloatTensor:$R,
    Optional<IE_FloatTensor>:$B,
    Optional<RankedTensorOf<[I32]>>:$sequence_lens,
    Optional<IE_FloatTensor>:$initial_h
  ), extraInputs, (ins
    OptionalAttr<DenseF32ArrayAttr>:$activation_alpha,
    OptionalAttr<DenseF32ArrayAttr>:$activation_beta,
    OptionalAttr<StrArrayAttr>:$activations,
    OptionalAttr<F32Attr>:$clip,
    DefaultValuedStrAttr<IE_RecurrentDirection, "forward">:$direction,
    OptionalAttr<I64Attr>:$hidden_size,
    DefaultValuedAttr<I64Attr, "0">:$layout
  ), extraAttributes);
  let results = !con((outs IE_FloatTensor:$Y, IE_FloatTensor:$Y_h),
                     extraResults);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def IE_RNNOp : IE_RecurrentOp<"RNN", 1, (ins), (ins), (outs)> {
  let summary = "A layer whose state feeds back";
  let description = sharedDescription # [{
    One gate: `h = f(W x + Wb + R h + Rb)`, f is Tanh by default.

    Example:
    ```mlir
    %y, %h = IE.RNN(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
        : (tensor<5x1x2xf32>, tensor<1x4x2xf32>, tensor<1x4x4xf32>)
          -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__RNN.html
  }];
}

def IE_GRUOp : IE_RecurrentOp<"GRU", 3, (ins),
    (ins DefaultValuedAttr<I64Attr, "0">:$linear_before_reset), (outs)> {
  let summary = "A layer of gated recurrent units";
  let description = sharedDescription # [{
    Gates z, r, h, in this order: `z = f(…)`, `r = f(…)`,
    `n = g(Wh x + Wbh + Rh (r * h) + Rbh)`, `h = (1 - z) * n + z * h`. With
    `linear_before_reset` the reset gate follows the product:
    `n = g(Wh x + Wbh + r * (Rh h + Rbh))`. f is Sigmoid and g Tanh by default.

    Example:
    ```mlir
    %y, %h = IE.GRU(%x, %w, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
        : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x4xf32>)
          -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__GRU.html
  }];
}

def IE_LSTMOp : IE_RecurrentOp<"LSTM", 4,
    (ins Optional<IE_FloatTensor>:$initial_c, Optional<IE_FloatTensor>:$P),
    (ins DefaultValuedAttr<I64Attr, "0">:$input_forget),
    (outs IE_FloatTensor:$Y_c)> {
  let summary = "A layer of long short-term memory";
  let description = sharedDescription # [{
    Gates i, o, f, c, in this order, and a second state, the cell c:
    `i = f(… + Pi * c)`, `f = f(… + Pf * c)`, `n = g(…)`, `c = f * c + i * n`,
    `o = f(… + Po * c)`, `h = o * h(c)`. The peepholes `P` (D, 3 H) hold i, o, f.
    With `input_forget` the gate f is `1 - i`. f is Sigmoid, g and h are Tanh by
    default.

    Example:
    ```mlir
    %y, %h, %c = IE.LSTM(%x, %w, %r)
        {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
        : (tensor<5x1x2xf32>, tensor<1x16x2xf32>, tensor<1x16x4xf32>)
          -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__LSTM.html
  }];
}

#endif // NACRE_DIALECT_IE_IR_RECURRENT_TD
