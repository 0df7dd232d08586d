//===- ReleaseConstants.cpp - The release-constants pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources live as long as the context. Weights pass through several forms on
// their way down; this gives back those that nothing refers to any more.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

namespace nacre {
#define GEN_PASS_DEF_RELEASECONSTANTS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

namespace {
struct ReleaseConstantsPass final
    : nacre::impl::ReleaseConstantsBase<ReleaseConstantsPass> {
  void runOnOperation() override {
    llvm::StringSet<> used;
    getOperation()->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](DenseResourceElementsAttr attr) {
        used.insert(attr.getRawHandle().getKey());
      });
    });
    DialectResourceBlobManager &manager =
        DenseResourceElementsHandle::getManagerInterface(&getContext())
            .getBlobManager();
    SmallVector<StringRef> unused;
    manager.getBlobMap(
        [&](const llvm::StringMap<DialectResourceBlobManager::BlobEntry> &map) {
          for (const auto &entry : map) {
            const AsmResourceBlob *blob = entry.second.getBlob();
            if (blob && !blob->getData().empty() &&
                !used.contains(entry.getKey())) {
              unused.push_back(entry.getKey());
              bytesReleased += blob->getData().size();
            }
          }
        });
    for (StringRef key : unused) {
      manager.lookup(key)->setBlob(AsmResourceBlob());
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
