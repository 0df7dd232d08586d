//===- StepRoles.cpp - What a step does with its buffers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "nacre-c/Hooks.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace nacre;

/// What an op of a step, or of what it calls, does with a buffer.
static unsigned findAccess(OpOperand &use, SymbolTableCollection &symbols);

unsigned nacre::findAccesses(Value buffer, Operation *step,
                             SymbolTableCollection &symbols) {
  unsigned roles = 0;
  for (OpOperand &use : buffer.getUses()) {
    if (!step || step->isAncestor(use.getOwner())) {
      roles |= findAccess(use, symbols);
    }
  }
  return roles;
}

static unsigned findAccess(OpOperand &use, SymbolTableCollection &symbols) {
  constexpr unsigned kAny = NACRE_READ | NACRE_WRITTEN;
  Operation *op = use.getOwner();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return !callee || callee.isExternal()
               ? kAny
               : findAccesses(callee.getArgument(use.getOperandNumber()),
                              /*step=*/nullptr, symbols);
  }
  if (isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op)) {
    unsigned roles = 0;
    for (Value result : op->getResults()) {
      roles |= isa<MemRefType>(result.getType())
                   ? findAccesses(result, /*step=*/nullptr, symbols)
                   : 0;
    }
    return roles;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) {
    return isMemoryEffectFree(op) ? 0 : kAny;
  }
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffectsOnValue(use.get(), found);
  unsigned roles = 0;
  for (const MemoryEffects::EffectInstance &effect : found) {
    roles |= isa<MemoryEffects::Read>(effect.getEffect())    ? NACRE_READ
             : isa<MemoryEffects::Write>(effect.getEffect()) ? NACRE_WRITTEN
                                                             : 0;
  }
  return roles;
}
