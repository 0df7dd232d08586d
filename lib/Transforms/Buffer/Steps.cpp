//===- Steps.cpp - What a compiled model runs one by one ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/Cost/CostModel.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

#include <cmath>

using namespace mlir;
using namespace nacre;

/// Iterations of a loop with constant bounds; 1 where they are not constant.
static int64_t getIterations(ArrayRef<OpFoldResult> lower,
                             ArrayRef<OpFoldResult> upper,
                             ArrayRef<OpFoldResult> step) {
  int64_t iterations = 1;
  for (auto [low, high, by] : llvm::zip_equal(lower, upper, step)) {
    std::optional<int64_t> l = getConstantIntValue(low);
    std::optional<int64_t> h = getConstantIntValue(high);
    std::optional<int64_t> s = getConstantIntValue(by);
    if (l && h && s && *s > 0 && *h > *l) {
      iterations *= llvm::divideCeil(*h - *l, *s);
    }
  }
  return iterations;
}

/// Floating-point operations of a structured op: those of its body at every
/// point of its iteration space.
static int64_t countStructured(linalg::LinalgOp op) {
  int64_t points = 1;
  for (int64_t extent : op.getStaticLoopRanges()) {
    points *= ShapedType::isDynamic(extent) ? 1 : extent;
  }
  int64_t each = 0;
  op.getBlock()->walk([&](Operation *inner) {
    bool computes =
        isa<arith::ArithDialect, math::MathDialect>(inner->getDialect()) &&
        inner->getNumResults() == 1 &&
        isa<FloatType>(inner->getResult(0).getType());
    each += computes && !inner->hasTrait<OpTrait::ConstantLike>();
  });
  return points * each;
}

namespace {
/// What is computed: floating-point operations, and the cycles that a cluster
/// needs for them at least.
struct Work {
  double flops = 0;
  double cycles = 0;
};
} // namespace

/// Multiply-adds count as two operations.
static constexpr double kFlopsPerMac = 2;

/// The work below `root`, calls and loops included.
static Work countWork(Operation *root, VPU::ArchAttr arch,
                      SymbolTableCollection &symbols) {
  if (auto nce = dyn_cast<VPU::NCEOpInterface>(root)) {
    // Points of dynamic sizes cannot be counted here.
    bool isStatic = llvm::all_of(root->getOperandTypes(), [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return !shaped || shaped.hasStaticShape();
    });
    auto macs = isStatic ? static_cast<double>(nce.getMacs()) : 0;
    return {kFlopsPerMac * macs,
            macs / static_cast<double>(nce.getMacsPerCycle(arch))};
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(root)) {
    auto flops = static_cast<double>(countStructured(structured));
    // Integers count as f32.
    Type element =
        getElementTypeOrSelf(structured.getDpsInits().front().getType());
    if (!isa<FloatType>(element)) {
      element = Float32Type::get(arch.getContext());
    }
    auto perCycle =
        kFlopsPerMac * static_cast<double>(arch.getVectorMacsPerCycle(element));
    return {flops, flops / perCycle};
  }
  int64_t iterations = 1;
  if (auto call = dyn_cast<func::CallOp>(root)) {
    Operation *callee =
        symbols.lookupNearestSymbolFrom(root, call.getCalleeAttr());
    return callee ? countWork(callee, arch, symbols) : Work();
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(root)) {
    auto lower = loop.getLoopLowerBounds();
    auto upper = loop.getLoopUpperBounds();
    auto step = loop.getLoopSteps();
    if (lower && upper && step) {
      iterations = getIterations(*lower, *upper, *step);
    }
  }
  Work work;
  for (Region &region : root->getRegions()) {
    for (Operation &inner : region.getOps()) {
      Work part = countWork(&inner, arch, symbols);
      work.flops += static_cast<double>(iterations) * part.flops;
      work.cycles += static_cast<double>(iterations) * part.cycles;
    }
  }
  return work;
}

static int64_t getBytes(MemRefType type) {
  return type.hasStaticShape()
             ? type.getNumElements() * type.getElementTypeBitWidth() / 8
             : 0;
}

/// Sizes and elements, as "1x8x4xf32": strides say nothing about the model.
static std::string getShapeName(MemRefType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : type.getShape()) {
    ShapedType::isDynamic(size) ? os << "?x" : os << size << "x";
  }
  os << type.getElementType();
  return text;
}

FailureOr<Steps> nacre::findSteps(ModuleOp module) {
  Steps steps;
  steps.main = module.lookupSymbol<func::FuncOp>("main");
  if (!steps.main || !steps.main.getBody().hasOneBlock()) {
    return module.emitError("expected a function main of one block");
  }
  steps.arch = VPU::ArchAttr::require(module);
  if (!steps.arch) {
    return failure();
  }
  for (Operation &op : steps.main.getBody().front()) {
    if (isa<func::CallOp, scf::ForallOp>(op) || abi::has<abi::HasSteps>(&op)) {
      steps.ops.push_back(&op);
    }
  }
  return steps;
}

SmallVector<Value> nacre::getStepBuffers(Operation *step) {
  llvm::SetVector<Value> used;
  used.insert_range(step->getOperands());
  getUsedValuesDefinedAbove(step->getRegions(), used);
  // The arena and the weights as a whole say nothing about traffic.
  SmallVector<Value> buffers;
  llvm::copy_if(used, std::back_inserter(buffers), [](Value value) {
    return isa<MemRefType>(value.getType()) && !abi::isStorage(value);
  });
  return buffers;
}

memref::ViewOp nacre::getStorageView(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      return view;
    }
    if (op->getNumOperands() == 0) {
      break;
    }
    value = op->getOperand(0);
  }
  return {};
}

/// The bytes of the weights; none where there are no weights.
static int64_t getAllWeightBytes(Operation *step) {
  BlockArgument weights = abi::findArgument(
      step->getParentOfType<func::FuncOp>(), abi::Role::Weights);
  auto type = weights ? dyn_cast<MemRefType>(weights.getType()) : MemRefType();
  return type ? getBytes(type) : 0;
}

abi::StepAttr nacre::describeStep(Operation *step, VPU::ArchAttr arch,
                                  SymbolTableCollection &symbols,
                                  ArrayAttr operands) {
  Builder builder(step->getContext());
  int64_t bytes = 0, weightBytes = 0;
  SmallVector<int64_t> buffers;
  SmallVector<Attribute> shapes;
  for (Value value : getStepBuffers(step)) {
    auto type = cast<MemRefType>(value.getType());
    bytes += getBytes(type);
    shapes.push_back(builder.getStringAttr(getShapeName(type)));
    memref::ViewOp view = getStorageView(value);
    std::optional<int64_t> offset =
        view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
    std::optional<abi::Role> role =
        view ? abi::getRole(view.getSource()) : std::nullopt;
    weightBytes += role == abi::Role::Weights ? getBytes(type) : 0;
    if (offset && role == abi::Role::Arena) {
      buffers.append({*offset, getBytes(view.getType())});
    }
  }
  auto callee = dyn_cast<func::CallOp>(step);
  if (!callee) {
    step->walk([&](func::CallOp call) { callee = call; });
  }
  Work work = countWork(step, arch, symbols);
  double predicted = VPU::CostModel(arch).getStepCycles(
      step, symbols,
      {bytes - weightBytes, weightBytes, getAllWeightBytes(step)});
  return abi::StepAttr::get(
      builder.getContext(), LocationAttr(step->getLoc()),
      builder.getStringAttr(callee ? callee.getCallee() : StringRef("none")),
      static_cast<int64_t>(work.flops),
      static_cast<int64_t>(std::ceil(work.cycles)),
      static_cast<int64_t>(std::ceil(predicted)), bytes,
      builder.getDenseI64ArrayAttr(buffers), builder.getArrayAttr(shapes),
      operands);
}
