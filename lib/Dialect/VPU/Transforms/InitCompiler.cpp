//===- InitCompiler.cpp - The init-compiler pass --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the architecture descriptor and attaches it to the module, from where
// every later pass reads it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUAttributes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/Pointers.h"
#include "nacre/Target/ArchDescriptor.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/TargetParser/Triple.h"
#include <thread>

namespace nacre::VPU {
#define GEN_PASS_DEF_INITCOMPILER
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;

/// The types spelled so; null, with an error at `module`, when one is none.
static ArrayAttr makeTypes(ModuleOp module, const ArchDescriptor &arch,
                           ArrayRef<std::string> spellings) {
  SmallVector<Attribute> types;
  for (const std::string &spelling : spellings) {
    Type type = parseType(spelling, module.getContext());
    if (!type) {
      module.emitError("architecture ")
          << arch.name << ": expected an element type, found '" << spelling
          << "'";
      return {};
    }
    types.push_back(TypeAttr::get(type));
  }
  return ArrayAttr::get(module.getContext(), types);
}

/// The descriptor as an attribute; null, with an error at `module`, when it
/// names a type that is none.
static VPU::ArchAttr makeAttr(ModuleOp module, const ArchDescriptor &arch,
                              int64_t clusters) {
  MLIRContext *context = module.getContext();
  ArrayAttr elementTypes = makeTypes(module, arch, arch.elementTypes);
  if (!elementTypes) {
    return {};
  }
  VPU::MatrixUnitAttr matrixUnit;
  if (const std::optional<MatrixUnit> &unit = arch.matrixUnit) {
    ArrayAttr types = makeTypes(module, arch, unit->elementTypes);
    if (!types) {
      return {};
    }
    matrixUnit = VPU::MatrixUnitAttr::get(context, unit->tiles, unit->rows,
                                          unit->rowBytes, types);
  }
  Builder builder(context);
  DictionaryAttr packs = builder.getDictionaryAttr(
      {builder.getNamedAttr("i8", builder.getI64IntegerAttr(arch.packI8)),
       builder.getNamedAttr("bf16", builder.getI64IntegerAttr(arch.packBF16))});
  return VPU::ArchAttr::get(
      context, arch.name, arch.isNPU ? VPU::ArchKind::npu : VPU::ArchKind::cpu,
      clusters, arch.cmxBytes, arch.sharedCacheBytes, arch.dmaEngines,
      arch.dmaGigabytesPerSecond, arch.clockMHz, arch.lanes, arch.registers,
      arch.pixels, arch.blocks, arch.blockedChannels, packs, matrixUnit,
      elementTypes, arch.target.triple, arch.target.cpu, arch.target.tune,
      arch.target.features);
}

namespace {
struct InitCompilerPass final : VPU::impl::InitCompilerBase<InitCompilerPass> {
  using InitCompilerBase::InitCompilerBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (auto present = module->getAttrOfType<VPU::ArchAttr>(
            VPU::ArchAttr::moduleAttrName)) {
      if (!arch.empty() && failed(checkSame(module, present))) {
        signalPassFailure();
      }
      return;
    }
    llvm::Expected<ArchDescriptor> descriptor =
        loadArch(arch.empty() ? StringRef("host") : StringRef(arch));
    if (!descriptor) {
      module.emitError(toString(descriptor.takeError()));
      return signalPassFailure();
    }
    // A CPU's clusters are the cores that the artifact may use.
    int64_t clusters = descriptor->clusters;
    if (!descriptor->isNPU) {
      int64_t cores = std::max(1U, std::thread::hardware_concurrency());
      clusters = std::min(clusters, threads > 0 ? int64_t(threads) : cores);
    }
    VPU::ArchAttr attr = makeAttr(module, *descriptor, clusters);
    if (!attr) {
      return signalPassFailure();
    }
    std::string wrong = IE::explainWrongKeep(&getContext(), descriptor->keep);
    if (!wrong.empty()) {
      module.emitError("architecture ") << descriptor->name << ": " << wrong;
      return signalPassFailure();
    }
    module->setAttr(VPU::ArchAttr::moduleAttrName, attr);
    if (!descriptor->keep.empty()) {
      abi::set<abi::Keep>(
          module, Builder(&getContext())
                      .getStrArrayAttr(SmallVector<StringRef>(
                          descriptor->keep.begin(), descriptor->keep.end())));
    }
    recordPointers(module, llvm::Triple(attr.getTriple()));
  }

private:
  /// Whether the architecture that was asked for is the module's own. How many
  /// cores of a CPU are used has been decided with the latter.
  LogicalResult checkSame(ModuleOp module, VPU::ArchAttr present) {
    llvm::Expected<ArchDescriptor> descriptor = loadArch(arch);
    if (!descriptor) {
      return module.emitError(toString(descriptor.takeError()));
    }
    VPU::ArchAttr asked = makeAttr(module, *descriptor,
                                   descriptor->isNPU ? descriptor->clusters
                                                     : present.getClusters());
    if (asked && asked != present) {
      return module.emitError("the module already has the architecture ")
             << present.getName() << ", found another request for " << arch;
    }
    return success(asked != nullptr);
  }
};
} // namespace
