//===- SampleUtils.cpp - Which ops keep samples apart ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value of a function is the same for all samples, or tells how many
// there are, or has one part for each of them. The ops say which parts of their
// results follow from which of their operands.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SampleUtils.h"

#include "nacre/Dialect/IE/IR/IE.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;

bool IE::computesSamples(Operation *op) {
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), IE::getBatchType)) {
    return false;
  }
  if (auto samples = dyn_cast<IE::SamplesOpInterface>(op)) {
    return samples.computesSamples();
  }
  bool isElementwise =
      op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<IE::Broadcasts>();
  return isElementwise && IE::broadcastsOverBatch(op);
}

namespace {

/// What a value has to do with samples.
enum class Content {
  /// It is the same for all of them.
  Common,
  /// It follows from how many there are.
  Count,
  /// Its part i belongs to sample i.
  Samples
};

class SampleTracer {
public:
  bool trace(func::FuncOp function);

private:
  bool traceArguments(func::FuncOp function);
  bool visit(Operation &op);
  bool keepsApart(Operation *op);
  bool isCommon(Value value) const {
    return !value || contents.lookup(value) == Content::Common;
  }
  bool mayBroadcast(IE::GemmOp gemm) const;

  llvm::DenseMap<Value, Content> contents;
};

} // namespace

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// All arguments whose number of samples is open have to be of one batch: there
/// is one, or all have the same name for it.
bool SampleTracer::traceArguments(func::FuncOp function) {
  Attribute batch;
  size_t numBatches = 0;
  for (BlockArgument argument : function.getArguments()) {
    if (isStatic(argument)) {
      contents[argument] = Content::Common;
      continue;
    }
    if (!IE::getBatchType(argument.getType())) {
      return false;
    }
    auto names =
        abi::getOfArgument<abi::Dims>(function, argument.getArgNumber());
    auto name =
        names && !names.empty() ? cast<StringAttr>(names[0]) : StringAttr();
    bool isNamed = name && !name.getValue().empty();
    if (numBatches++ > 0 && (!isNamed || name != batch)) {
      return false;
    }
    batch = isNamed ? name : Attribute();
    contents[argument] = Content::Samples;
  }
  return numBatches > 0;
}

/// True if what is added to a product has a row for each sample, or one for
/// all.
bool SampleTracer::mayBroadcast(IE::GemmOp gemm) const {
  if (!gemm.getAddend()) {
    return true;
  }
  auto type = cast<RankedTensorType>(gemm.getAddend().getType());
  return isCommon(gemm.getAddend())
             ? type.getRank() < 2 || type.getDimSize(0) == 1
             : type.getRank() == 2;
}

/// True if samples of an op's results follow from those of its operands, some
/// of which have samples.
bool SampleTracer::keepsApart(Operation *op) {
  if (!llvm::all_of(op->getResultTypes(), IE::getBatchType)) {
    return false;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    // Only the shape may follow from their number.
    bool isShape =
        op->hasTrait<IE::KeepsElements>() && operand.getOperandNumber() > 0;
    if (contents.lookup(operand.get()) == Content::Count && !isShape) {
      return false;
    }
    // A first dimension that is open looks like a batch, and is none.
    if (isCommon(operand.get()) && !isStatic(operand.get())) {
      return false;
    }
  }
  if (op->hasTrait<IE::KeepsElements>()) {
    return IE::keepsSamples(op);
  }
  // Products of rows with what is the same for all.
  if (auto gemm = dyn_cast<IE::GemmOp>(op)) {
    return !gemm.getTransA() && isCommon(gemm.getRhs()) && mayBroadcast(gemm);
  }
  if (auto product = dyn_cast<IE::MatMulOp>(op);
      product && isCommon(product.getRhs())) {
    auto lhs = cast<RankedTensorType>(product.getLhs().getType());
    auto rhs = cast<RankedTensorType>(product.getRhs().getType());
    return rhs.getRank() <= 2 && lhs.getRank() >= 2;
  }
  if (auto gather = dyn_cast<IE::GatherOp>(op)) {
    // Rows of a table for each sample, or the same parts of all samples.
    return isCommon(gather.getData())
               ? gather.getAxis() == 0
               : isCommon(gather.getIndices()) &&
                     IE::isInnerAxis(gather.getAxis(), gather.getData());
  }
  if (auto slice = dyn_cast<IE::SliceOp>(op)) {
    auto axes = IE::getKnownInts(slice.getAxes());
    return axes && IE::isOnlyFirstBatched(op) &&
           llvm::all_of(*axes, [&](int64_t axis) {
             return IE::isInnerAxis(axis, slice.getData());
           });
  }
  return IE::computesSamples(op);
}

bool SampleTracer::visit(Operation &op) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  auto reads = [&](Content content) {
    return llvm::any_of(
        used, [&](Value value) { return contents.lookup(value) == content; });
  };
  Content content = reads(Content::Samples) ? Content::Samples
                    : reads(Content::Count) ? Content::Count
                                            : Content::Common;
  if (isa<IE::ShapeOp>(op) && content == Content::Samples) {
    content = Content::Count;
  }
  if (content == Content::Samples &&
      (op.getNumRegions() > 0 || !keepsApart(&op))) {
    return false;
  }
  for (Value result : op.getResults()) {
    contents[result] = content;
  }
  return true;
}

bool SampleTracer::trace(func::FuncOp function) {
  if (!traceArguments(function)) {
    return false;
  }
  Block &body = function.getBody().front();
  return llvm::all_of(body.without_terminator(),
                      [&](Operation &op) { return visit(op); }) &&
         llvm::none_of(body.getTerminator()->getOperands(), [&](Value value) {
           return contents.lookup(value) == Content::Count;
         });
}

bool IE::keepsSamplesApart(func::FuncOp function) {
  return SampleTracer().trace(function);
}
