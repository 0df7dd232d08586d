//===- Locations.cpp - What users call places in a model ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Support/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace nacre;

std::string nacre::getLocationName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    return name.getName().str();
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations()) {
      std::string name = getLocationName(part);
      if (!name.empty()) {
        return name;
      }
    }
  }
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    std::string name = file.getFilename().str();
    if (file.getLine() > 0) {
      name += ":" + std::to_string(file.getLine()) + ":" +
              std::to_string(file.getColumn());
    }
    return name;
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    return getLocationName(call.getCallee());
  }
  return "";
}

static void collectNames(Location loc, std::vector<std::string> &names) {
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations()) {
      collectNames(part, names);
    }
    return;
  }
  std::string name = getLocationName(loc);
  if (!name.empty() && !llvm::is_contained(names, name)) {
    names.push_back(name);
  }
}

std::vector<std::string> nacre::getLocationNames(Location loc) {
  std::vector<std::string> names;
  collectNames(loc, names);
  return names;
}
