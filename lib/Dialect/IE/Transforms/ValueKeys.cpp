//===- ValueKeys.cpp - Names that tell values apart -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/ValueKeys.h"

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Transforms/Rescaling.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MD5.h"

using namespace mlir;
using namespace nacre;

/// What the model calls a value. Of an argument, modules that were never ONNX
/// have the name beside its type.
static StringRef getName(func::FuncOp function, Value value) {
  StringRef name = IE::getValueName(value);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!name.empty() || !argument) {
    return name;
  }
  auto declared =
      abi::getOfArgument<abi::Name>(function, argument.getArgNumber());
  return declared ? declared.getValue() : StringRef();
}

/// True for constants that are dequantized, as weights are.
static bool isFixed(Value value) {
  auto op = value.getDefiningOp<IE::DequantizeLinearOp>();
  Operation *integers = op ? op.getInput().getDefiningOp() : nullptr;
  return integers && integers->hasTrait<OpTrait::ConstantLike>();
}

/// True for what goes on as integers alone: who wants to know it reads what is
/// dequantized of them.
static bool goesOnQuantized(Value value) {
  bool isQuantized = false;
  for (Operation *user : value.getUsers()) {
    bool quantizes = isa<IE::QuantizeLinearOp>(user);
    if (!quantizes && !isa<func::ReturnOp>(user)) {
      return false;
    }
    isQuantized |= quantizes;
  }
  return isQuantized;
}

/// True for an f32 tensor that runs may decide.
static bool isDecidedFloat(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getElementType().isF32() && !isFixed(value) &&
         !goesOnQuantized(value);
}

IE::ValueKeys::ValueKeys(func::FuncOp function, bool allTypes) {
  if (function.isExternal()) {
    return;
  }
  auto isWanted = [&](Value value) {
    return isa<RankedTensorType>(value.getType()) &&
           (allTypes || isDecidedFloat(value));
  };
  Block &body = function.getBody().front();
  llvm::copy_if(body.getArguments(), std::back_inserter(values), isWanted);
  for (Operation &op : body) {
    if (!op.hasTrait<OpTrait::ConstantLike>()) {
      llvm::copy_if(op.getResults(), std::back_inserter(values), isWanted);
    }
  }
  llvm::StringSet<> taken;
  for (Value value : llvm::reverse(values)) {
    StringRef name = getName(function, value);
    if (!name.empty() && taken.insert(name).second) {
      keys[value] = name.str();
    }
  }
  llvm::StringMap<unsigned> numbers;
  for (Value value : values) {
    if (keys.contains(value)) {
      continue;
    }
    Operation *op = value.getDefiningOp();
    std::string node = op ? getNodeName(op).str() : "input";
    std::string key;
    do {
      key = node + "#" + std::to_string(numbers[node]++);
    } while (!taken.insert(key).second);
    keys[value] = key;
  }
  for (Value value : values) {
    if (std::optional<Rescaling> rescaling = getRescaling(value)) {
      keys[value] = rescaling->name.str();
    }
  }
}

StringRef IE::ValueKeys::get(Value value) const {
  auto it = keys.find(value);
  return it == keys.end() ? StringRef() : StringRef(it->second);
}

std::string IE::getGraphDigest(const ValueKeys &keys) {
  llvm::MD5 digest;
  for (Value value : keys.getValues()) {
    // Moving of elements depends on what is known of sizes.
    auto op = value.getDefiningOp<QuantizableOpInterface>();
    if (!op || op.getQuantizableKind() == QuantizableKind::Carries) {
      continue;
    }
    digest.update(op->getName().getStringRef());
    std::optional<Rescaling> rescaling = getRescaling(value);
    digest.update(rescaling ? rescaling->was : keys.get(value));
    digest.update(StringRef("\0", 1));
  }
  llvm::MD5::MD5Result result;
  digest.final(result);
  return StringRef(result.digest()).take_front(16).str();
}
