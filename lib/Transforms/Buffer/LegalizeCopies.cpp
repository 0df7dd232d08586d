//===- LegalizeCopies.cpp - The legalize-copies pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes every copy between buffers a structured op.
//
//===----------------------------------------------------------------------===//

#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nacre {
#define GEN_PASS_DEF_LEGALIZECOPIES
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

namespace {
struct LegalizeCopiesPass final
    : nacre::impl::LegalizeCopiesBase<LegalizeCopiesPass> {
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      if (copy.getSource() != copy.getTarget()) {
        OpBuilder builder(copy);
        linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      }
      copy.erase();
    });
  }
};
} // namespace
