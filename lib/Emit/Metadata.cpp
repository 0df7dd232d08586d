//===- Metadata.cpp - What an artifact says of itself ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the metadata of artifacts as JSON, and reads it.
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"

#include "nacre/Support/Json.h"
#include "nacre/Target/Version.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace nacre;

std::string CodeTarget::describe() const {
  std::string text = triple + ", " + cpu;
  if (!features.empty()) {
    text += ", " + features;
  }
  if (!floatABI.empty()) {
    text += ", floats " + floatABI;
  }
  std::string chosen = code.describe();
  return chosen.empty() ? text : text + ", " + chosen;
}

std::string nacre::buildMetadata(const ArtifactInfo &info) {
  auto describe = [](const std::vector<ModelTensor> &tensors,
                     const std::vector<ModelTensor> &others) {
    llvm::json::Array result;
    for (const ModelTensor &tensor : tensors) {
      // A dynamic dimension is a name, or null.
      llvm::json::Array shape;
      for (int64_t i = 0; tensor.type && i < tensor.type.getRank(); ++i) {
        std::string name = tensor.getDimName(i);
        if (!tensor.type.isDynamicDim(i)) {
          shape.push_back(tensor.type.getDimSize(i));
        } else if (name == "?") {
          shape.push_back(nullptr);
        } else {
          shape.push_back(llvm::json::fixUTF8(name));
        }
      }
      llvm::json::Object description{
          {"name", llvm::json::fixUTF8(tensor.name)},
          {"c_name", tensor.cName},
          {"type", getValueTypeName(tensor.getValueType())},
          {"shape", tensor.type ? llvm::json::Value(std::move(shape))
                                : llvm::json::Value(nullptr)}};
      if (tensor.state) {
        description["state"] = llvm::json::fixUTF8(others[*tensor.state].name);
      }
      if (tensor.integers) {
        description["scale"] = static_cast<double>(tensor.integers->scale);
        description["zero_point"] = tensor.integers->zeroPoint;
      }
      result.push_back(std::move(description));
    }
    return result;
  };
  llvm::json::Array targets;
  for (const CodeTarget &target : info.targets) {
    llvm::json::Object description{{"triple", target.triple},
                                   {"cpu", target.cpu},
                                   {"features", target.features}};
    for (auto [key, value] :
         {std::pair("float_abi", &target.floatABI),
          std::pair("abi", &target.code.abi),
          std::pair("code_model", &target.code.codeModel),
          std::pair("relocation_model", &target.code.relocation)}) {
      if (!value->empty()) {
        description[key] = *value;
      }
    }
    targets.push_back(std::move(description));
  }
  const ModelInterface &interface = info.interface;
  llvm::json::Object root{
      {"name", info.name},
      {"nacre", getVersion()},
      {"architectures", llvm::json::Array(info.architectures)},
      {"targets", std::move(targets)},
      {"threads", info.threads},
      {"arena_bytes", info.arenaBytes},
      {"arena_alignment", info.arenaAlignment},
      {"weight_bytes", info.weightBytes},
      {"inputs", describe(interface.inputs, interface.outputs)},
      {"outputs", describe(interface.outputs, interface.inputs)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(root));
  return text;
}

/// Reads the tensors of one side from the metadata. Each that is a state refers
/// to one of `others` by its name.
static LogicalResult readTensors(Location loc, const llvm::json::Array *list,
                                 ArrayRef<ModelTensor> others,
                                 std::vector<ModelTensor> &tensors) {
  if (!list) {
    return emitError(loc) << "the library's metadata lists no tensors";
  }
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *object = value.getAsObject();
    auto name = object ? object->getString("name") : std::nullopt;
    auto cName = object ? object->getString("c_name") : std::nullopt;
    auto type = object ? object->getString("type") : std::nullopt;
    const llvm::json::Array *shape =
        object ? object->getArray("shape") : nullptr;
    Type element =
        type ? parseElementTypeName(loc.getContext(), *type) : Type();
    Type listType =
        type && !element ? parseListTypeName(loc.getContext(), *type) : Type();
    if (name && cName && listType) {
      tensors.push_back({name->str(),
                         cName->str(),
                         RankedTensorType(),
                         /*isRead=*/true,
                         listType,
                         {}});
      continue;
    }
    if (!name || !cName || !element || !shape) {
      return emitError(loc) << "the library's metadata is malformed";
    }
    SmallVector<int64_t> dims;
    std::vector<std::string> names;
    for (const llvm::json::Value &dim : *shape) {
      dims.push_back(dim.getAsInteger().value_or(ShapedType::kDynamic));
      if (dims.back() < 0 && !ShapedType::isDynamic(dims.back())) {
        return emitError(loc) << "the library's metadata is malformed";
      }
      names.push_back(dim.getAsString().value_or("").str());
    }
    tensors.push_back({name->str(), cName->str(),
                       RankedTensorType::get(dims, element),
                       /*isRead=*/true, Type(), std::move(names)});
    auto scale = object->getNumber("scale");
    auto zero = object->getInteger("zero_point");
    if (scale && zero) {
      tensors.back().integers = IntegerScale{static_cast<float>(*scale), *zero};
    }
    if (auto state = object->getString("state")) {
      for (auto [i, other] : llvm::enumerate(others)) {
        if (other.name == *state) {
          tensors.back().state = i;
        }
      }
    }
  }
  return success();
}

LogicalResult nacre::parseMetadata(Location loc, StringRef text,
                                   ArtifactInfo &info) {
  auto parsed = parseJson(text);
  llvm::json::Object *root = parsed ? parsed->getAsObject() : nullptr;
  if (!root) {
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
    }
    return emitError(loc) << "the library's metadata is malformed";
  }
  info.name = root->getString("name").value_or("model").str();
  if (const llvm::json::Array *names = root->getArray("architectures")) {
    for (const llvm::json::Value &value : *names) {
      info.architectures.push_back(value.getAsString().value_or("").str());
    }
  }
  if (const llvm::json::Array *targets = root->getArray("targets")) {
    for (const llvm::json::Value &value : *targets) {
      if (const llvm::json::Object *target = value.getAsObject()) {
        auto get = [&](StringRef key) {
          return target->getString(key).value_or("").str();
        };
        info.targets.push_back(
            {get("triple"),
             get("cpu"),
             get("features"),
             get("float_abi"),
             {get("abi"), get("code_model"), get("relocation_model")}});
      }
    }
  }
  info.threads = root->getInteger("threads").value_or(1);
  info.arenaBytes = root->getInteger("arena_bytes").value_or(0);
  info.arenaAlignment = root->getInteger("arena_alignment").value_or(64);
  info.weightBytes = root->getInteger("weight_bytes").value_or(0);
  auto &[inputs, outputs] = info.interface;
  if (failed(readTensors(loc, root->getArray("inputs"), {}, inputs)) ||
      failed(readTensors(loc, root->getArray("outputs"), inputs, outputs))) {
    return failure();
  }
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (output.state) {
      inputs[*output.state].state = i;
    }
  }
  return success();
}
