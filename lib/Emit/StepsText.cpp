//===- StepsText.cpp - The steps of an instrumented model -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what the numbers are that hooks get.
//
//===----------------------------------------------------------------------===//

#include "StepsText.h"

#include "nacre-c/Hooks.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Support/Locations.h"
#include "nacre/Target/Version.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace nacre;

/// The names of the roles that a number is the sum of.
static llvm::json::Array describeRoles(int64_t roles) {
  llvm::json::Array names;
  for (auto [role, name] :
       {std::pair(NACRE_READ, "read"), std::pair(NACRE_WRITTEN, "written"),
        std::pair(NACRE_CONSTANT, "constant"), std::pair(NACRE_INPUT, "input"),
        std::pair(NACRE_OUTPUT, "output")}) {
    if (roles & role) {
      names.push_back(name);
    }
  }
  return names;
}

/// Numbers, and null for dynamic ones.
static llvm::json::Array describeNumbers(ArrayRef<int64_t> numbers) {
  llvm::json::Array result;
  for (int64_t number : numbers) {
    result.push_back(ShapedType::isDynamic(number) ? llvm::json::Value(nullptr)
                                                   : llvm::json::Value(number));
  }
  return result;
}

/// The model's name of an input, or of one of the outputs that main takes.
static std::string getName(const ModelInterface &interface, bool isOutput,
                           size_t number) {
  std::vector<ModelTensor> tensors = interface.inputs;
  if (isOutput) {
    tensors = getOwnOutputs(interface);
    // Values of the runtime are results of main.
    llvm::erase_if(tensors, [](const ModelTensor &tensor) {
      return tensor.isRuntimeValue();
    });
  }
  return number < tensors.size() ? tensors[number].name : "";
}

static llvm::json::Object describeOperand(abi::StepOperandAttr operand,
                                          const ModelInterface &interface) {
  llvm::json::Object result{{"roles", describeRoles(operand.getRoles())},
                            {"type", getElementTypeName(operand.getElement())},
                            {"shape", describeNumbers(operand.getShape())},
                            {"strides", describeNumbers(operand.getStrides())}};
  if (IntegerAttr argument = operand.getArgument()) {
    result["name"] = llvm::json::fixUTF8(
        getName(interface, (operand.getRoles() & NACRE_OUTPUT) != 0,
                static_cast<size_t>(argument.getInt())));
  }
  if (IntegerAttr offset = operand.getOffset()) {
    result["offset"] = offset.getInt();
  }
  return result;
}

/// None where there is no array: modules that somebody wrote may have hooks
/// without steps.
static ArrayRef<Attribute> getElements(ArrayAttr array) {
  return array ? array.getValue() : ArrayRef<Attribute>();
}

std::string nacre::buildStepsText(ModuleOp module, const ArtifactInfo &info) {
  llvm::json::Array steps;
  for (Attribute attribute : getElements(abi::get<abi::Steps>(module))) {
    auto step = cast<abi::StepAttr>(attribute);
    Location loc = step.getName();
    llvm::json::Array nodes, operands;
    for (StringRef name : getLocationNames(loc)) {
      nodes.push_back(llvm::json::fixUTF8(name));
    }
    for (Attribute operand : getElements(step.getOperands())) {
      operands.push_back(
          describeOperand(cast<abi::StepOperandAttr>(operand), info.interface));
    }
    steps.push_back(
        llvm::json::Object{{"step", static_cast<int64_t>(steps.size())},
                           {"kernel", step.getKernel().getValue()},
                           {"node", llvm::json::fixUTF8(getLocationName(loc))},
                           {"nodes", std::move(nodes)},
                           {"flop", step.getFlops()},
                           {"bytes", step.getBytes()},
                           {"operands", std::move(operands)}});
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  // Fixed order: people read the file, too.
  json.object([&] {
    json.attribute("name", info.name);
    json.attribute("nacre", getVersion());
    json.attribute("architecture", info.architectures.front());
    json.attribute("arena_bytes", info.arenaBytes);
    json.attribute("steps", std::move(steps));
  });
  return text + "\n";
}
