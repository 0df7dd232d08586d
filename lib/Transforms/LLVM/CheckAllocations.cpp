//===- CheckAllocations.cpp - The check-allocations pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a buffer is computed as an address. With addresses of 64 bits, no
// machine has the memory for which that would overflow.
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Pointers.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace nacre {
#define GEN_PASS_DEF_CHECKALLOCATIONS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The bytes that the type says, with 1 for each size that it leaves open;
/// nothing where they are more than `most`.
static std::optional<int64_t> getKnownBytes(MemRefType type, int64_t most,
                                            const DataLayout &layout) {
  int64_t bytes = layout.getTypeSize(type.getElementType());
  for (int64_t size : type.getShape()) {
    if (size == 0) {
      return 0;
    }
    if (ShapedType::isStatic(size)) {
      if (bytes > most / size) {
        return std::nullopt;
      }
      bytes *= size;
    }
  }
  return bytes;
}

/// Asserts that the buffer has at most `most` bytes. Each size is compared
/// before it is multiplied with, so that products fit 64 bits.
static void assertSize(memref::AllocOp alloc, int64_t known, int64_t most) {
  OpBuilder builder(alloc);
  Location loc = alloc.getLoc();
  Value limit = arith::ConstantIndexOp::create(builder, loc, most);
  Value bytes = arith::ConstantIndexOp::create(builder, loc, known);
  Value fits;
  auto require = [&](Value number) {
    Value isSmall = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ule, number, limit);
    fits = fits ? arith::AndIOp::create(builder, loc, fits, isSmall) : isSmall;
  };
  for (Value size : alloc.getDynamicSizes()) {
    require(size);
    bytes = arith::MulIOp::create(builder, loc, bytes, size);
    require(bytes);
  }
  cf::AssertOp::create(builder, loc, fits, "a tensor of an impossible size");
}

namespace {
struct CheckAllocationsPass final
    : nacre::impl::CheckAllocationsBase<CheckAllocationsPass> {
  void runOnOperation() override {
    unsigned bits = getPointerBits(getOperation());
    if (bits > kNarrow) {
      return;
    }
    // What an allocation adds to align a buffer and to find it again.
    constexpr int64_t kRoom = 1 << 16;
    int64_t most = getLargestObject(bits) - kRoom;
    DataLayout layout = DataLayout::closest(getOperation());
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk(
        [&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    for (memref::AllocOp alloc : allocs) {
      std::optional<int64_t> known =
          getKnownBytes(alloc.getType(), most, layout);
      if (!known) {
        alloc.emitError("unsupported buffer of ")
            << alloc.getType() << " where addresses have " << bits << " bits";
        signalPassFailure();
      } else if (*known > 0 && !alloc.getDynamicSizes().empty()) {
        assertSize(alloc, *known, most);
      }
    }
  }

private:
  /// Products of two sizes that fit these are numbers of 64 bits.
  static constexpr unsigned kNarrow = 32;
};
} // namespace
