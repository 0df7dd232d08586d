//===- NominalSizes.cpp - Sizes as of a nominal image ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the arithmetic by which sizes are computed at run time.
//
//===----------------------------------------------------------------------===//

#include "NominalSizes.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace nacre;

namespace {

class Evaluator {
public:
  explicit Evaluator(int64_t imageSize) : imageSize(imageSize) {}

  SmallVector<int64_t> getShape(Value image);

private:
  int64_t getSize(Value image, int64_t dim);
  int64_t evaluate(OpFoldResult size);
  int64_t compute(Value size);
  /// What an op without effects makes of numbers; nothing where it does not
  /// say.
  std::optional<int64_t> fold(Operation *op);

  int64_t imageSize;
  llvm::DenseMap<Value, int64_t> known;
  /// Where questions for sizes are asked, so that none of them stays.
  Block questions;
};

} // namespace

SmallVector<int64_t> Evaluator::getShape(Value image) {
  SmallVector<int64_t> shape(cast<ShapedType>(image.getType()).getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(size)) {
      size = dim == 0 ? 1 : std::max<int64_t>(getSize(image, dim), 1);
    }
  }
  return shape;
}

int64_t Evaluator::getSize(Value image, int64_t dim) {
  OpBuilder builder(image.getContext());
  builder.setInsertionPointToEnd(&questions);
  return evaluate(VPU::getTracedSize(builder, image.getLoc(), image, dim));
}

int64_t Evaluator::evaluate(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size)) {
    return *constant;
  }
  auto value = cast<Value>(size);
  if (auto found = known.find(value); found != known.end()) {
    return found->second;
  }
  int64_t result = compute(value);
  known[value] = result;
  return result;
}

int64_t Evaluator::compute(Value size) {
  Operation *op = size.getDefiningOp();
  if (!op) {
    return imageSize;
  }
  if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> dim = dimOp.getConstantIndex();
    // One that was asked here has no better answer.
    if (!dim || op->getBlock() == &questions) {
      return imageSize;
    }
    return getSize(dimOp.getSource(), *dim);
  }
  return fold(op).value_or(imageSize);
}

std::optional<int64_t> Evaluator::fold(Operation *op) {
  bool isArithmetic = op->getNumResults() == 1 && op->getNumOperands() > 0 &&
                      op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                      llvm::all_of(op->getOperandTypes(), [](Type type) {
                        return type.isIntOrIndex();
                      });
  if (!isArithmetic) {
    return std::nullopt;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(IntegerAttr::get(operand.getType(), evaluate(operand)));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1) {
    return std::nullopt;
  }
  return getConstantIntValue(results.front());
}

SmallVector<int64_t> VPU::getNominalShape(Value image, int64_t imageSize) {
  return Evaluator(imageSize).getShape(image);
}
