//===- ArtifactParts.cpp - What files of a program have in common ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactParts.h"

#include "nacre/Support/Pointers.h"
#include "nacre/Target/ArchDescriptor.h"
#include "nacre/Target/RuntimeObjects.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace nacre;

LogicalResult nacre::checkSizes(Location loc, const llvm::Triple &triple,
                                const ArtifactInfo &info) {
  llvm::DataLayout layout(triple.computeDataLayout());
  unsigned bits = layout.getPointerSizeInBits();
  int64_t most = getLargestObject(bits);
  auto check = [&](const Twine &what, int64_t bytes) -> LogicalResult {
    if (bytes <= most) {
      return success();
    }
    return emitError(loc) << "unsupported: " << what << " of " << bytes
                          << " bytes for " << triple.str()
                          << ", where addresses have " << bits << " bits";
  };
  for (const auto &[kind, tensors] :
       {std::pair("input", &info.interface.inputs),
        std::pair("output", &info.interface.outputs)}) {
    for (const ModelTensor &tensor : *tensors) {
      if (!tensor.isRuntimeValue() &&
          failed(check(Twine(kind) + " '" + tensor.name + "'",
                       countBytes(tensor.type)))) {
        return failure();
      }
    }
  }
  return success(succeeded(check("an arena", info.arenaBytes)) &&
                 succeeded(check("weights", info.weightBytes)));
}

/// Whether an object leaves a conversion of float16 to the compiler's library.
static bool needsHalf(llvm::MemoryBufferRef bytes) {
  auto object = llvm::object::ObjectFile::createObjectFile(bytes);
  if (!object) {
    llvm::consumeError(object.takeError());
    return false;
  }
  return llvm::any_of(
      (*object)->symbols(), [](const llvm::object::SymbolRef &symbol) {
        llvm::Expected<StringRef> name = symbol.getName();
        bool isHalf =
            name && llvm::is_contained({"__extendhfsf2", "__truncsfhf2",
                                        "__gnu_h2f_ieee", "__gnu_f2h_ieee"},
                                       *name);
        llvm::consumeError(name.takeError());
        return isHalf;
      });
}

bool nacre::hasABIOfRuntime(const ArtifactInfo &info) {
  return llvm::all_of(info.targets, [](const CodeTarget &target) {
    LLVMTarget described{target.triple, target.cpu, "", target.features};
    StringRef abi = getABI(described, target.code);
    // Of RISC-V there is one for Linux, whose compilers take this ABI.
    return abi.empty() || abi == "lp64d";
  });
}

std::optional<StringRef> nacre::findHalfObject(const Program &program,
                                               ArrayRef<char> code) {
  std::optional<StringRef> half = hasABIOfRuntime(program.getInfo())
                                      ? getHalfObject(program.getTriple())
                                      : std::nullopt;
  return half && needsHalf({StringRef(code.data(), code.size()), "code"})
             ? half
             : std::nullopt;
}
