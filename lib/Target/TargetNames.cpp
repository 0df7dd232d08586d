//===- TargetNames.cpp - What LLVM knows of machines ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists LLVM's own tables, and finds in them what somebody may have meant.
//
//===----------------------------------------------------------------------===//

#include "TargetCheck.h"
#include "nacre/Target/TargetChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace llvm;
using namespace nacre;

static void initializeAllTargets() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();
}

static void initializeNativeTarget() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
}

const Target *nacre::findTarget(const Triple &triple) {
  static const Triple host(sys::getProcessTriple());
  static std::mutex mutex;
  static llvm::once_flag native, all;
  // LLVM does not guard its list of targets.
  std::lock_guard<std::mutex> lock(mutex);
  // Most code is for this machine, and what LLVM has for the others takes some
  // megabytes.
  if (triple.getArch() == host.getArch()) {
    llvm::call_once(native, initializeNativeTarget);
  } else {
    llvm::call_once(all, initializeAllTargets);
  }
  std::string ignored;
  return TargetRegistry::lookupTarget(triple, ignored);
}

std::unique_ptr<MCSubtargetInfo>
nacre::makeSubtarget(const Triple &triple, StringRef cpu, StringRef features) {
  const Target *target = findTarget(triple);
  return std::unique_ptr<MCSubtargetInfo>(
      target ? target->createMCSubtargetInfo(triple, cpu, features) : nullptr);
}

std::string nacre::suggest(StringRef word, ArrayRef<StringRef> known) {
  SmallVector<std::string> nearest;
  // Further away it is another word; two letters swapped are two apart.
  constexpr size_t kSwapped = 5, kMost = 3;
  unsigned least = word.size() == kSwapped ? 2 : word.size() / 3;
  for (StringRef candidate : known) {
    unsigned distance = word.edit_distance(candidate);
    if (distance < least) {
      least = distance;
      nearest.clear();
    }
    if (distance == least && nearest.size() < kMost) {
      nearest.push_back(("'" + candidate + "'").str());
    }
  }
  return nearest.empty() ? "" : "perhaps " + join(nearest, " or ") + "; ";
}

std::vector<StringRef> nacre::getMachineNames() {
  std::vector<StringRef> names;
  for (unsigned arch = Triple::UnknownArch + 1; arch <= Triple::LastArchType;
       ++arch) {
    StringRef name =
        Triple::getArchTypeName(static_cast<Triple::ArchType>(arch));
    // Some are called otherwise in triples.
    Triple triple(name + "-unknown-unknown");
    bool isMachine = triple.getArch() == arch && findTarget(triple);
    if (!isMachine) {
      continue;
    }
    if (Error error = checkTriple(triple, TargetOrigin::Choice)) {
      consumeError(std::move(error));
      continue;
    }
    names.push_back(name);
  }
  sort(names);
  return names;
}

template <typename Entry>
static std::vector<StringRef> getKeys(ArrayRef<Entry> table) {
  std::vector<StringRef> names;
  for (const Entry &entry : table) {
    names.push_back(entry.Key);
  }
  sort(names);
  return names;
}

std::vector<StringRef> nacre::getCPUNames(StringRef triple) {
  auto subtarget = makeSubtarget(Triple(Triple::normalize(triple)));
  return subtarget ? getKeys(subtarget->getAllProcessorDescriptions())
                   : std::vector<StringRef>();
}

std::vector<StringRef> nacre::getFeatureNames(StringRef triple) {
  auto subtarget = makeSubtarget(Triple(Triple::normalize(triple)));
  return subtarget ? getKeys(subtarget->getAllProcessorFeatures())
                   : std::vector<StringRef>();
}
