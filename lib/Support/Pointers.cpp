//===- Pointers.cpp - How wide addresses of a machine are -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes the entry of `!llvm.ptr` in a module's data layout.
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Pointers.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;

static constexpr unsigned kUsualBits = 64;

void nacre::recordPointers(ModuleOp module, const llvm::Triple &triple) {
  llvm::DataLayout layout(triple.computeDataLayout());
  int64_t bits = layout.getPointerSizeInBits();
  if (bits == kUsualBits || module.getDataLayoutSpec()) {
    return;
  }
  MLIRContext *context = module.getContext();
  int64_t alignment = 8 * layout.getPointerABIAlignment(0).value();
  // Size, both alignments, and what offsets are computed with.
  auto entry = DataLayoutEntryAttr::get(
      LLVM::LLVMPointerType::get(context),
      Builder(context).getI64VectorAttr({bits, alignment, alignment, bits}));
  module->setAttr(DLTIDialect::kDataLayoutAttrName,
                  DataLayoutSpecAttr::get(context, {entry}));
}

unsigned nacre::getPointerBits(Operation *op) {
  return DataLayout::closest(op).getTypeSizeInBits(
      LLVM::LLVMPointerType::get(op->getContext()));
}

int64_t nacre::getLargestObject(unsigned pointerBits) {
  return llvm::maxIntN(pointerBits);
}
