//===- VPUBufferize.cpp - The vpu-bufferize pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-shot bufferization with VPU's memory kinds as memory spaces.
//
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/LocationVerifier.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_VPUBUFFERIZE
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;

/// The memory space of a tensor's buffer; DDR is the default space.
static std::optional<Attribute> getMemorySpace(TensorType type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  auto layout = ranked
                    ? dyn_cast_if_present<VPU::LayoutAttr>(ranked.getEncoding())
                    : VPU::LayoutAttr();
  if (!layout || layout.getMemory() == VPU::MemoryKind::DDR) {
    return Attribute();
  }
  return VPU::MemoryKindAttr::get(type.getContext(), layout.getMemory());
}

/// The result that argument `number` becomes if it is a state.
static std::optional<int64_t> getState(func::FuncOp function, unsigned number) {
  auto result = abi::getOfArgument<abi::State>(function, number);
  return result ? std::optional(result.getInt()) : std::nullopt;
}

/// True for a state that stays as it is.
static bool isUnchangedState(func::FuncOp function, OpOperand &returned) {
  auto argument = dyn_cast<BlockArgument>(returned.get());
  return argument && argument.getOwner() == &function.getBody().front() &&
         getState(function, argument.getArgNumber()) ==
             returned.getOperandNumber();
}

/// Callers own the model's inputs, so nothing is computed in place in them
/// unless they are states; and each result needs a buffer of its own, so a
/// value that is returned twice, or that is an argument, is copied.
static void protectBoundary(func::FuncOp function) {
  if (function.isExternal()) {
    return;
  }
  OpBuilder builder(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.setArgAttr(i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        builder.getBoolAttr(getState(function, i).has_value()));
  }
  Operation *terminator = function.getBody().back().getTerminator();
  builder.setInsertionPoint(terminator);
  llvm::SmallPtrSet<Value, 4> returned;
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    bool needsCopy = isa<BlockArgument>(operand.get()) ||
                     !returned.insert(operand.get()).second;
    if (type && needsCopy && !isUnchangedState(function, operand)) {
      operand.set(bufferization::AllocTensorOp::create(
          builder, terminator->getLoc(), type, ValueRange(), operand.get()));
    }
  }
}

/// An image that was computed where it is padded is read there, too: to
/// one-shot analysis the padded image overwrites it, unless who reads it reads
/// all of it.
static void readPaddedImages(func::FuncOp function) {
  function.walk([](tensor::InsertSliceOp padded) {
    Value image = padded.getSource();
    if (!padded.getDest().getDefiningOp<VPU::FillBorderOp>() ||
        image.hasOneUse()) {
      return;
    }
    OpBuilder builder(padded->getContext());
    builder.setInsertionPointAfter(padded);
    Value part = tensor::ExtractSliceOp::create(
        builder, padded.getLoc(), padded.getSourceType(), padded.getResult(),
        padded.getMixedOffsets(), padded.getMixedSizes(),
        padded.getMixedStrides());
    image.replaceUsesWithIf(part, [&](OpOperand &use) {
      Operation *user =
          padded->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && padded->isBeforeInBlock(user);
    });
  });
}

/// True if `value` is all of `argument` and nothing else, whatever loops
/// carried it.
static bool isBuffer(const BufferViewFlowAnalysis &aliases, Value value,
                     Value argument) {
  auto origins = aliases.resolveReverse(value);
  return value.getType() == argument.getType() &&
         llvm::all_of(origins, [&](Value origin) {
           auto block = dyn_cast<BlockArgument>(origin);
           bool isOutside =
               block && isa<func::FuncOp>(block.getOwner()->getParentOp());
           Operation *def = origin.getDefiningOp();
           bool isPassedOn = block ? !isOutside
                                   : isa<RegionBranchOpInterface>(def) ||
                                         isa<ViewLikeOpInterface>(def);
           return origin == argument || isPassedOn;
         });
}

/// Copies states that are not where their arguments are to that place, and
/// drops the results that were states: nobody needs to be told where they are.
static void placeStates(func::FuncOp function) {
  llvm::MapVector<unsigned, Value> states; // arguments by result
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (std::optional<int64_t> result = getState(function, i)) {
      states[*result] = function.getArgument(i);
      function.removeArgAttr(i, abi::State::getNameStr());
    }
  }
  if (states.empty()) {
    return;
  }
  Operation *terminator = function.getBody().back().getTerminator();
  OpBuilder builder(terminator);
  Location loc = terminator->getLoc();
  BufferViewFlowAnalysis aliases(function);
  llvm::BitVector dropped(function.getNumResults());
  // What lies in a state that is going to change is saved first.
  for (OpOperand &operand : terminator->getOpOperands()) {
    Value argument = states.lookup(operand.getOperandNumber());
    if (argument && isBuffer(aliases, operand.get(), argument)) {
      operand.set(argument);
      continue;
    }
    auto origins = aliases.resolveReverse(operand.get());
    if (llvm::any_of(states, [&](const auto &state) {
          return origins.contains(state.second);
        })) {
      auto type = cast<MemRefType>(operand.get().getType());
      Value saved = memref::AllocOp::create(builder, loc, type);
      memref::CopyOp::create(builder, loc, operand.get(), saved);
      operand.set(saved);
    }
  }
  for (auto [result, argument] : states) {
    if (terminator->getOperand(result) != argument) {
      memref::CopyOp::create(builder, loc, terminator->getOperand(result),
                             argument);
    }
    dropped.set(result);
  }
  terminator->eraseOperands(dropped);
  (void)function.eraseResults(dropped);
}

/// The buffer that was made for `value`, of which it is another shape; null
/// where there is none. `views` get what lies between, the last first.
static memref::AllocOp getReshapedBuffer(Value value,
                                         SmallVectorImpl<Operation *> &views) {
  while (isa_and_present<memref::CollapseShapeOp, memref::ExpandShapeOp>(
      value.getDefiningOp())) {
    views.push_back(value.getDefiningOp());
    value = views.back()->getOperand(0);
  }
  auto buffer = value.getDefiningOp<memref::AllocOp>();
  bool isKnown = buffer && buffer.getType().hasStaticShape() &&
                 buffer.getType().getLayout().isIdentity();
  return isKnown ? buffer : memref::AllocOp();
}

/// Makes results that are other shapes of buffers the buffers themselves, which
/// can then be the caller's; what writes to them has another shape of those.
static void placeResults(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    SmallVector<Operation *> views;
    memref::AllocOp buffer = getReshapedBuffer(operand.get(), views);
    if (!buffer || views.empty()) {
      continue;
    }
    OpBuilder builder(buffer);
    Location loc = buffer.getLoc();
    auto type = cast<MemRefType>(operand.get().getType());
    Value result =
        memref::AllocOp::create(builder, loc, type, buffer.getAlignmentAttr());
    Value source = result;
    for (Operation *view : views) {
      auto wanted = cast<MemRefType>(view->getOperand(0).getType());
      if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view)) {
        source = memref::ExpandShapeOp::create(
            builder, loc, wanted, source, collapse.getReassociationIndices());
      } else {
        auto expand = cast<memref::ExpandShapeOp>(view);
        source = memref::CollapseShapeOp::create(
            builder, loc, source, expand.getReassociationIndices());
      }
    }
    buffer.replaceAllUsesWith(source);
    operand.set(result);
    buffer.erase();
  }
}

/// Gives constants the place of what reads them where MLIR's folder, which
/// moves and merges them, has left none: their buffers are weights of some
/// node.
static void placeConstants(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!op->hasTrait<OpTrait::ConstantLike>() || isTraceable(op->getLoc())) {
      return;
    }
    for (Operation *user : op->getUsers()) {
      if (isTraceable(user->getLoc())) {
        op->setLoc(user->getLoc());
        return;
      }
    }
  });
}

namespace {
struct VPUBufferizePass final : VPU::impl::VPUBufferizeBase<VPUBufferizePass> {
  using VPUBufferizeBase::VPUBufferizeBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    if (eliminateEmpty && failed(bufferization::eliminateEmptyTensors(
                              rewriter, getOperation()))) {
      return signalPassFailure();
    }
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    options.defaultMemorySpaceFn = getMemorySpace;
    placeConstants(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      protectBoundary(function);
      readPaddedImages(function);
    }
    if (failed(VPU::fixCarriedBuffers(getOperation(), options))) {
      return signalPassFailure();
    }
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                        state))) {
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        function.removeArgAttr(
            i, bufferization::BufferizationDialect::kWritableAttrName);
      }
      placeStates(function);
      if (!function.isExternal()) {
        placeResults(function);
      }
    }
  }
};
} // namespace
