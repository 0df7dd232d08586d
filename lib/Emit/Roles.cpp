//===- Roles.cpp - How main is called -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads roles off main, and compares them with the interface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Roles.h"

using namespace mlir;
using namespace nacre;

FailureOr<SmallVector<abi::Role>>
nacre::getRoles(ModuleOp module, const ModelInterface &interface) {
  auto main = module.lookupSymbol<FunctionOpInterface>("main");
  SmallVector<abi::Role> roles;
  for (unsigned i = 0; main && i < main.getNumArguments(); ++i) {
    std::optional<abi::Role> role = abi::getRole(main, i);
    if (!role) {
      return main.emitError("expected argument ")
             << i
             << " of main to have a role; record-interface, plan-memory "
                "and pack-constants give them";
    }
    roles.push_back(*role);
  }
  auto count = [&](abi::Role role) { return llvm::count(roles, role); };
  auto numInputs = static_cast<int64_t>(interface.inputs.size());
  int64_t numOutputs =
      llvm::count_if(getOwnOutputs(interface), [](const ModelTensor &tensor) {
        return !tensor.isRuntimeValue();
      });
  if (count(abi::Role::Input) + count(abi::Role::State) != numInputs ||
      count(abi::Role::Output) != numOutputs ||
      (count(abi::Role::Hooks) == 1) != abi::has<abi::Hooks>(module)) {
    return module.emitError("expected main to take ")
           << numInputs << " inputs and " << numOutputs
           << " outputs, and hooks only where the module has them";
  }
  size_t number = 0;
  for (auto [i, role] : llvm::enumerate(roles)) {
    if (role != abi::Role::Input && role != abi::Role::State) {
      continue;
    }
    const ModelTensor &input = interface.inputs[number++];
    if (input.state.has_value() != (role == abi::Role::State)) {
      return main.emitError("expected argument ")
             << i << " of main to have the role "
             << stringifyRole(input.state ? abi::Role::State : abi::Role::Input)
             << " of the input '" << input.name << "' of the interface, found "
             << stringifyRole(role);
    }
  }
  return roles;
}
