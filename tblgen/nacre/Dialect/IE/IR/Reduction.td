//===- Reduction.td - Reductions along axes ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE operator family: reductions along axes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_REDUCTION_TD
#define NACRE_DIALECT_IE_IR_REDUCTION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

// Opset-18 form: the axes are an operand.
class IE_ReduceOp<string mnemonic, string text>
    : IE_OnnxOp<mnemonic, [
          IE_OwnSizes,
          IE_ComputesFloats,
          IE_ComputesSamples<
              "::nacre::IE::reducesSamples(getInput(), getReducedAxes())">,
          IE_FollowsSamples<
              "::nacre::IE::followReduction(getOperation(), operands, "
              "getReducedAxes(), getKeepdims() != 0)">]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic,
      "Reduces along `axes`; all dimensions when absent or empty, unless "
      "`noop_with_empty_axes` is 1. Reduced dimensions stay as 1 when "
      "`keepdims` is 1 (the default), else they disappear. How many do must be "
      "known: from the axes, or from the declared result type.",
      "%1 = IE." # mnemonic # "(%0, %axes) {keepdims = 0 : i64}\n"
      "    : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2xf32>">.text;
  let arguments = (ins
    IE_NumberTensor:$input,
    Optional<IE_I64Tensor>:$axes,
    DefaultValuedAttr<I64Attr, "1">:$keepdims,
    DefaultValuedAttr<I64Attr, "0">:$noop_with_empty_axes
  );
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The reduced axes, ascending; nothing when they are not known statically.
    std::optional<::llvm::SmallVector<int64_t>> getReducedAxes() {
      return ::nacre::IE::getReducedAxes(
          getInput(), getAxes(), getNoopWithEmptyAxes() != 0,
          ::llvm::cast<::mlir::RankedTensorType>(getOutput().getType()));
    }
  }];
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return ::nacre::IE::inferReduction(
          location, adaptor.getInput(), adaptor.getAxes(),
          adaptor.getKeepdims() != 0, adaptor.getNoopWithEmptyAxes() != 0,
          inferred);
    }
    ::llvm::LogicalResult $cppClass::buildSizes(
        SizeBuilder &sizes, ::mlir::ReifiedRankedShapedTypeDims &results) {
      auto type = ::llvm::cast<::mlir::RankedTensorType>(getOutput().getType());
      ::nacre::IE::buildReductionSizes(
          sizes, getInput(),
          ::nacre::IE::getReductionEntries(sizes, getInput(), getAxes(),
                                           getNoopWithEmptyAxes() != 0, type),
          getKeepdims() != 0, type, results);
      return ::mlir::success();
    }
    ::llvm::LogicalResult $cppClass::canonicalize(
        $cppClass op, ::mlir::PatternRewriter &rewriter) {
      return ::nacre::IE::dropEmptyAxes(op, op.getAxesMutable(), rewriter);
    }
  }];
}

def IE_ReduceSumOp : IE_ReduceOp<"ReduceSum", "Sum along axes">;
def IE_ReduceMeanOp : IE_ReduceOp<"ReduceMean", "Mean along axes">;
def IE_ReduceMaxOp : IE_ReduceOp<"ReduceMax", "Largest element along axes">;
def IE_ReduceMinOp : IE_ReduceOp<"ReduceMin", "Smallest element along axes">;
def IE_ReduceProdOp : IE_ReduceOp<"ReduceProd", "Product along axes">;
def IE_ReduceL1Op : IE_ReduceOp<"ReduceL1", "Sum of magnitudes along axes">;
def IE_ReduceL2Op
    : IE_ReduceOp<"ReduceL2", "Square root of the sum of squares along axes">;
def IE_ReduceLogSumOp
    : IE_ReduceOp<"ReduceLogSum", "Logarithm of the sum along axes">;
def IE_ReduceLogSumExpOp : IE_ReduceOp<"ReduceLogSumExp",
    "Logarithm of the sum of exponentials along axes">;
def IE_ReduceSumSquareOp
    : IE_ReduceOp<"ReduceSumSquare", "Sum of squares along axes">;

class IE_ArgReduceOp<string mnemonic, string text>
    : IE_OnnxOp<mnemonic, [
          IE_OwnSizes,
          IE_ComputesFloats,
          IE_FollowsSamples<
              "::nacre::IE::followReduction(getOperation(), operands, "
              "::llvm::SmallVector<int64_t>(1, getAxis()), getKeepdims() != 0)">]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic,
      "The first such position, or the last when `select_last_index` is 1.",
      "%1 = IE." # mnemonic # "(%0) {axis = 1 : i64}\n"
      "    : (tensor<2x8xf32>) -> tensor<2x1xi64>">.text;
  let arguments = (ins
    IE_NumberTensor:$input,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<I64Attr, "1">:$keepdims,
    DefaultValuedAttr<I64Attr, "0">:$select_last_index
  );
  let results = (outs IE_I64Tensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def IE_ArgMaxOp
    : IE_ArgReduceOp<"ArgMax", "Position of the largest element along an axis">;
def IE_ArgMinOp
    : IE_ArgReduceOp<"ArgMin", "Position of the smallest element along an axis">;

// Scans along one axis that an operand gives.
class IE_ScanOp<string mnemonic, string text, string verb>
    : IE_OnnxOp<mnemonic, [
          IE_SizesOfFirst,
          IE_ComputesFloats,
          IE_SamplesBeside<"::nacre::IE::getKnownInts(getAxis())">]> {
  let summary = text;
  let description = IE_OpDoc<mnemonic,
      "`axis` is a scalar, constant or not. `exclusive` leaves out "
      "the element itself, `reverse` " # verb # " from the end.",
      "%1 = IE." # mnemonic # "(%0, %axis)\n"
      "    : (tensor<5xf64>, tensor<i32>) -> tensor<5xf64>">.text;
  let arguments = (ins
    IE_NumberTensor:$input, IE_IndexTensor:$axis,
    DefaultValuedAttr<I64Attr, "0">:$exclusive,
    DefaultValuedAttr<I64Attr, "0">:$reverse
  );
  let results = (outs IE_NumberTensor:$output);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return ::nacre::IE::inferScan(location, adaptor.getInput(),
                                    adaptor.getAxis(), inferred);
    }
  }];
}

def IE_CumSumOp : IE_ScanOp<"CumSum", "Cumulative sum along an axis", "sums">;
def IE_CumProdOp
    : IE_ScanOp<"CumProd", "Cumulative product along an axis", "multiplies">;

#endif // NACRE_DIALECT_IE_IR_REDUCTION_TD
