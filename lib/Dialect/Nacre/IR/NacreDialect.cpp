//===- NacreDialect.cpp - The nacre dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the dialect's attributes, and finds arguments by their roles.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::abi;

#include "nacre/Dialect/Nacre/IR/NacreBaseDialect.cpp.inc"
#include "nacre/Dialect/Nacre/IR/NacreBaseEnums.cpp.inc"

void NacreDialect::initialize() { registerAttributes(); }

std::optional<Role> abi::getRole(FunctionOpInterface function,
                                 unsigned number) {
  auto role = getOfArgument<ArgumentRole>(function, number);
  return role ? std::optional(role.getValue()) : std::nullopt;
}

std::optional<Role> abi::getRole(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  auto function = dyn_cast_if_present<FunctionOpInterface>(parent);
  bool isArgument = function && argument.getOwner()->isEntryBlock();
  return isArgument ? getRole(function, argument.getArgNumber()) : std::nullopt;
}

DictionaryAttr abi::buildRole(MLIRContext *context, Role role) {
  return DictionaryAttr::get(context,
                             name<ArgumentRole>(RoleAttr::get(context, role)));
}

void abi::setRole(FunctionOpInterface function, unsigned number, Role role) {
  setOfArgument<ArgumentRole>(function, number,
                              RoleAttr::get(function->getContext(), role));
}

void abi::setRoleOfResult(FunctionOpInterface function, unsigned number,
                          Role role) {
  setOfResult<ArgumentRole>(function, number,
                            RoleAttr::get(function->getContext(), role));
}

BlockArgument abi::findArgument(FunctionOpInterface function, Role role) {
  for (BlockArgument argument : function.getArguments()) {
    if (getRole(function, argument.getArgNumber()) == role) {
      return argument;
    }
  }
  return {};
}

bool abi::isStorage(Value value) {
  std::optional<Role> role = getRole(value);
  return role == Role::Arena || role == Role::Weights;
}
