//===- ValueNames.cpp - What a model calls its values ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace nacre;

// Of results all names, of an argument one: passes give arguments the location
// of their op, whose results' names are not theirs.
static constexpr StringRef kResults = abi::kValueNames;
static constexpr StringRef kArgument = abi::kArgumentName;

/// The names that a location holds under `key`, of merged ones the last.
static ArrayAttr findNames(Location loc, StringRef key) {
  if (auto named = dyn_cast<NameLoc>(loc)) {
    return findNames(named.getChildLoc(), key);
  }
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused) {
    return {};
  }
  if (auto data = dyn_cast_if_present<DictionaryAttr>(fused.getMetadata())) {
    if (auto names = data.getAs<ArrayAttr>(key)) {
      return names;
    }
  }
  for (Location part : llvm::reverse(fused.getLocations())) {
    if (ArrayAttr names = findNames(part, key)) {
      return names;
    }
  }
  return {};
}

/// The location with names in place of those that it may have.
static Location replaceNames(Location loc, StringRef key,
                             ArrayRef<StringRef> names) {
  if (auto named = dyn_cast<NameLoc>(loc)) {
    return NameLoc::get(named.getName(),
                        replaceNames(named.getChildLoc(), key, names));
  }
  Builder builder(loc.getContext());
  SmallVector<Location> parts = {loc};
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && fused.getMetadata()) {
    parts.assign(fused.getLocations().begin(), fused.getLocations().end());
  }
  return FusedLoc::get(loc.getContext(), parts,
                       builder.getDictionaryAttr(builder.getNamedAttr(
                           key, builder.getStrArrayAttr(names))));
}

void IE::setValueName(Value value, StringRef name) {
  if (name.empty() || !getValueName(value).empty()) {
    return;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    argument.setLoc(replaceNames(argument.getLoc(), kArgument, name));
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  SmallVector<StringRef> names;
  for (Value known : op->getResults()) {
    names.push_back(known == value ? name : getValueName(known));
  }
  op->setLoc(replaceNames(op->getLoc(), kResults, names));
}

StringRef IE::getValueName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    ArrayAttr names = findNames(argument.getLoc(), kArgument);
    return names ? cast<StringAttr>(names[0]).getValue() : StringRef();
  }
  auto result = cast<OpResult>(value);
  ArrayAttr names = findNames(result.getOwner()->getLoc(), kResults);
  // What computes a part of several results is none of them.
  if (!names || names.size() != result.getOwner()->getNumResults()) {
    return {};
  }
  return cast<StringAttr>(names[result.getResultNumber()]).getValue();
}

/// The name of the last node that a location is of.
static StringRef findNode(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc)) {
    return named.getName();
  }
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    return findNode(call.getCallee());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : llvm::reverse(fused.getLocations())) {
      StringRef name = findNode(part);
      if (!name.empty()) {
        return name;
      }
    }
  }
  return {};
}

StringRef IE::getNodeName(Operation *op) { return findNode(op->getLoc()); }
