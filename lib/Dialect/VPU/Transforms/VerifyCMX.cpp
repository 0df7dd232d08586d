//===- VerifyCMX.cpp - The vpu-verify-cmx pass ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what vpu-apply-tiles promises about the scratchpad.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_VERIFYCMX
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

static MemoryKind getMemoryKind(Type type) {
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    auto space = dyn_cast_if_present<MemoryKindAttr>(buffer.getMemorySpace());
    return space ? space.getValue() : MemoryKind::DDR;
  }
  auto layout = dyn_cast_if_present<LayoutAttr>(
      cast<RankedTensorType>(type).getEncoding());
  return layout ? layout.getMemory() : MemoryKind::DDR;
}

static LogicalResult verify(NCEOpInterface op, ArchAttr arch) {
  // An operand used twice is in CMX once.
  llvm::SmallPtrSet<Value, 4> seen;
  int64_t bytes = 0;
  for (Value operand : op->getOperands()) {
    auto type = cast<ShapedType>(operand.getType());
    if (getMemoryKind(type) != MemoryKind::CMX) {
      return op->emitOpError("expected all operands in CMX, found ") << type;
    }
    if (!type.hasStaticShape()) {
      return op->emitOpError("expected operands of static shape, found ")
             << type;
    }
    if (seen.insert(operand).second) {
      bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
    }
  }
  if (bytes > arch.getCmxBytes()) {
    return op->emitOpError("expected a working set of at most ")
           << arch.getCmxBytes() << " bytes, the CMX of " << arch.getName()
           << ", found " << bytes;
  }
  return success();
}

LogicalResult VPU::verifyCMX(Operation *module, ArchAttr arch) {
  if (!arch.hasScratchpad()) {
    return success();
  }
  bool failedAny = false;
  module->walk(
      [&](NCEOpInterface op) { failedAny |= failed(verify(op, arch)); });
  return failure(failedAny);
}

namespace {
struct VerifyCMXPass final : VPU::impl::VerifyCMXBase<VerifyCMXPass> {
  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch || failed(verifyCMX(getOperation(), arch))) {
      signalPassFailure();
    }
  }
};
} // namespace
