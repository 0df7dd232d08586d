//===- VPUBufferize.cpp - The vpu-bufferize pass --------------------------===//
//
// One-shot bufferization with VPU's memory kinds as memory spaces.
//
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

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

/// Callers own the model's inputs, so nothing is computed in place in them; and
/// each result needs a buffer of its own, so a value that is returned twice, or
/// that is an argument, is copied.
static void protectBoundary(func::FuncOp function) {
  if (function.isExternal()) {
    return;
  }
  OpBuilder builder(function.getContext());
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    function.setArgAttr(i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        builder.getBoolAttr(false));
  }
  Operation *terminator = function.getBody().back().getTerminator();
  builder.setInsertionPoint(terminator);
  llvm::SmallPtrSet<Value, 4> returned;
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    bool needsCopy = isa<BlockArgument>(operand.get()) ||
                     !returned.insert(operand.get()).second;
    if (type && needsCopy) {
      operand.set(bufferization::AllocTensorOp::create(
          builder, terminator->getLoc(), type, ValueRange(), operand.get()));
    }
  }
}

namespace {
struct VPUBufferizePass final : VPU::impl::VPUBufferizeBase<VPUBufferizePass> {
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    options.defaultMemorySpaceFn = getMemorySpace;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      protectBoundary(function);
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
    }
  }
};
} // namespace
