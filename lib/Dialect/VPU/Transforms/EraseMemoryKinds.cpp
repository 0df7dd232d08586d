//===- EraseMemoryKinds.cpp - The vpu-erase-memory-kinds pass -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a module for a modelled machine runnable on the host.
//
//===----------------------------------------------------------------------===//

#include "TilingUtils.h"

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_ERASEMEMORYKINDS
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;

namespace {
struct EraseMemoryKindsPass final
    : VPU::impl::EraseMemoryKindsBase<EraseMemoryKindsPass> {
  void runOnOperation() override {
    // Nobody can tell any more, once memory kinds are gone.
    auto arch = VPU::ArchAttr::lookup(getOperation());
    if (arch && failed(VPU::verifyCMX(getOperation(), arch))) {
      return signalPassFailure();
    }
    AttrTypeReplacer replacer;
    replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
      if (!isa_and_present<VPU::MemoryKindAttr>(type.getMemorySpace())) {
        return std::nullopt;
      }
      return MemRefType::get(type.getShape(), type.getElementType(),
                             type.getLayout());
    });
    replacer.recursivelyReplaceElementsIn(getOperation(),
                                          /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
  }
};
} // namespace
