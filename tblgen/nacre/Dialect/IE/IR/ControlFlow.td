//===- ControlFlow.td - Branches and loops -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: control flow. Bodies are regions that may use any value
// defined above them, as ONNX's subgraphs may.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONTROLFLOW_TD
#define NACRE_DIALECT_IE_IR_CONTROLFLOW_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "nacre/Dialect/IE/IR/ControlFlowInterface.td"
include "nacre/Dialect/IE/IR/SequenceTypes.td"

// What a body may carry.
def IE_Value : AnyTypeOf<[IE_Tensor, UnrankedTensorOf<[IE_AnyElement]>,
                          IE_SequenceType, IE_OptionalType, IE_MapType],
                         "tensor, sequence, optional or map">;

def IE_YieldOp : IE_Op<"Yield", [
    ReturnLike, Terminator, ParentOneOf<["IfOp", "LoopOp", "ScanOp"]>]> {
  let summary = "The results of a body";
  let description = [{
    Ends the body of an op of this family.

    Example:
    ```mlir
    IE.Yield %0, %1 : tensor<2xf32>, tensor<i1>
    ```
  }];
  let arguments = (ins Variadic<IE_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def IE_RequireOp : IE_OnnxOp<"Require", [
    IE_SizesOfFirst,
    IE_RearrangesFloats,
    IE_FollowsSamples<"::nacre::IE::followFirst(getOperation(), operands)">]> {
  let summary = "A value, if a condition holds; else the run ends";
  let description = [{
    The result is the operand where the condition holds. Where it does not, the
    run fails with the message. A run that does not need the result need not
    look at the condition. This is no operator of ONNX: decompositions state
    with it what operators expect of operands known only at run time. `x` if true
    folds to `x`.

    Example:
    ```mlir
    %1 = IE.Require %0 if %fits, "expected an axis of a matrix"
        : tensor<2x8xf32>, tensor<i1> -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins
    IE_Tensor:$input,
    IE_BoolTensor:$condition,
    StrAttr:$message
  );
  let results = (outs IE_Tensor:$output);
  let assemblyFormat = [{
    $input `if` $condition `,` $message attr-dict `:` type($input) `,`
    type($condition) `->` type($output)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(adaptor.getInput().getType());
      return ::mlir::success();
    }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def IE_IfOp : IE_OnnxOp<"If", [
    NoRegionArguments, DeclareOpInterfaceMethods<IE_YieldingOpInterface>]> {
  let summary = "One of two bodies, by a condition";
  let description = [{
    The results are what `then_branch` yields when the condition holds, else
    what `else_branch` yields. Where the branches' shapes differ, the result's
    dimension is dynamic; their ranks and element types are equal.

    Example:
    ```mlir
    %0 = IE.If %condition : (tensor<i1>) -> tensor<2xf32> {
      IE.Yield %a : tensor<2xf32>
    } else {
      IE.Yield %b : tensor<2xf32>
    }
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__If.html
  }];
  let arguments = (ins IE_BoolTensor:$condition);
  let results = (outs Variadic<IE_Value>:$outputs);
  let regions = (region SizedRegion<1>:$then_branch,
                        SizedRegion<1>:$else_branch);
  let assemblyFormat = [{
    $condition attr-dict `:` functional-type($condition, $outputs)
    $then_branch `else` $else_branch
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def IE_LoopOp : IE_OnnxOp<"Loop", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<IE_BodyOpInterface>,
    DeclareOpInterfaceMethods<IE_YieldingOpInterface>]> {
  let summary = "A body that runs a number of times, or while a condition holds";
  let description = [{
    Runs the body at most `max_trip_count` times, and only while the condition
    holds: `condition` before the first run, the body's first result before each
    other one. Without a trip count there is no limit, without a condition it is
    true.

    The body's arguments are the number of the run, the condition, and the
    carried values; it yields the condition for the next run, the carried values
    and an element of each scanned result. The results are the last carried
    values, then the scanned elements of all runs, one after the other along a
    new first dimension.

    Example:
    ```mlir
    %sum, %sums = IE.Loop(%trips, %zero) {operandSegmentSizes = array<i32: 1, 0, 1>}
        : (tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>) {
    ^bb0(%i: tensor<i64>, %condition: tensor<i1>, %carried: tensor<2xf32>):
      %next = IE.Add %carried, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      IE.Yield %condition, %next, %next : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    }
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Loop.html
  }];
  let arguments = (ins
    Optional<IE_I64Tensor>:$max_trip_count,
    Optional<IE_BoolTensor>:$condition,
    Variadic<IE_Value>:$carried
  );
  let results = (outs Variadic<IE_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let extraClassDeclaration = [{
    /// The condition under which there is a next run never changes: it is what
    /// the body got, or true.
    bool hasConstantCondition();
    unsigned getNumScanned() {
      return getOutputs().size() - getCarried().size();
    }
  }];
  let hasVerifier = 1;
}

def IE_ScanOp : IE_OnnxOp<"Scan", [
    DeclareOpInterfaceMethods<IE_BodyOpInterface>,
    DeclareOpInterfaceMethods<IE_YieldingOpInterface>]> {
  let summary = "A body that runs once per element of sequences";
  let description = [{
    Runs the body once per slice of its scanned inputs, the last
    `num_scan_inputs` operands, which are equally long along their
    `scan_input_axes`. The operands before are the initial states. The body gets
    the states and a slice of each scanned input, without the axis, and yields
    the next states and an element of each scanned output. The results are the
    last states, then the scanned outputs, with the elements along their
    `scan_output_axes`. A direction of 1 walks an input, or fills an output,
    from its end. Axes and directions left out are 0.

    Example:
    ```mlir
    %last, %all = IE.Scan(%initial, %xs) {num_scan_inputs = 1 : i64}
        : (tensor<2xf32>, tensor<5x2xf32>) -> (tensor<2xf32>, tensor<5x2xf32>) {
    ^bb0(%state: tensor<2xf32>, %x: tensor<2xf32>):
      %next = IE.Add %state, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      IE.Yield %next, %next : tensor<2xf32>, tensor<2xf32>
    }
    ```
    Operator: https://onnx.ai/onnx/operators/onnx__Scan.html
  }];
  let arguments = (ins
    Variadic<IE_Tensor>:$inputs,
    I64Attr:$num_scan_inputs,
    OptionalAttr<DenseI64ArrayAttr>:$scan_input_axes,
    OptionalAttr<DenseI64ArrayAttr>:$scan_input_directions,
    OptionalAttr<DenseI64ArrayAttr>:$scan_output_axes,
    OptionalAttr<DenseI64ArrayAttr>:$scan_output_directions
  );
  let results = (outs Variadic<IE_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let extraClassDeclaration = [{
    unsigned getNumStates() {
      return getInputs().size() - getNumScanInputs();
    }
    mlir::OperandRange getStates() {
      return getInputs().take_front(getNumStates());
    }
    mlir::OperandRange getScannedInputs() {
      return getInputs().drop_front(getNumStates());
    }
    unsigned getNumScannedOutputs() {
      return getOutputs().size() - getNumStates();
    }
    /// The axis, counted from the front, along which scanned input `i` is
    /// walked, and scanned output `i` is filled.
    int64_t getInputAxis(unsigned i);
    int64_t getOutputAxis(unsigned i);
    bool isInputReversed(unsigned i);
    bool isOutputReversed(unsigned i);
    /// The number of runs; dynamic when no scanned input says it.
    int64_t getLength();
  }];
  let hasVerifier = 1;
}

#endif // NACRE_DIALECT_IE_IR_CONTROLFLOW_TD
