//===- ValueEvaluator.cpp - Values known during import --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works backwards from the value that is asked for: types are inferred again
// from what is known of the operands, values are folded or interpreted.
//
//===----------------------------------------------------------------------===//

#include "ValueEvaluator.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"
#include "nacre/Interpreter/Interpreter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;
using interpreter::Tensor;

// What decides about shapes is not larger.
static constexpr int64_t kMaxElements = 1024;

static bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getNumElements() <= kMaxElements;
}

Operation *ValueEvaluator::copyInto(Block &block, Operation *op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Type type = getType(operand);
    std::optional<Tensor> known =
        isSmall(type) ? getValue(operand) : std::nullopt;
    mapping.map(operand, known ? Value(IE::ConstantOp::create(
                                     builder, op->getLoc(), known->toAttr()))
                               : block.addArgument(type, op->getLoc()));
  }
  Operation *copy = builder.clone(*op, mapping);
  auto inferable = dyn_cast<InferTypeOpInterface>(copy);
  SmallVector<Type> inferred;
  if (!inferable || op->getNumRegions() != 0 ||
      failed(inferable.inferReturnTypes(
          op->getContext(), std::nullopt, copy->getOperands(),
          copy->getDiscardableAttrDictionary(), copy->getPropertiesStorage(),
          copy->getRegions(), inferred)) ||
      inferred.size() != copy->getNumResults()) {
    return nullptr;
  }
  for (auto [result, type] : llvm::zip_equal(copy->getResults(), inferred)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !cast<ShapedType>(result.getType()).hasStaticShape()) {
      result.setType(tensor);
    }
  }
  return copy;
}

void ValueEvaluator::forget() {
  types.clear();
  values.clear();
}

Type ValueEvaluator::getType(Value value) {
  Operation *op = value.getDefiningOp();
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !tensor || tensor.hasStaticShape()) {
    return value.getType();
  }
  auto found = types.find(value);
  if (found != types.end()) {
    return found->second;
  }
  Block scratch;
  Type type = value.getType();
  if (Operation *copy = copyInto(scratch, op)) {
    type = copy->getResult(cast<OpResult>(value).getResultNumber()).getType();
  }
  types[value] = type;
  return type;
}

/// The integers that follow from constants and from the dimensions that types
/// know, whatever the others are.
static std::optional<Tensor> getInts(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isSignlessInteger(64)) {
    return std::nullopt;
  }
  std::optional<SmallVector<int64_t>> ints = IE::getKnownInts(value);
  if (!ints || ints->size() > kMaxElements ||
      llvm::is_contained(*ints, ShapedType::kDynamic)) {
    return std::nullopt;
  }
  SmallVector<int64_t> shape(type.getRank(), ints->size());
  Tensor tensor(type.clone(shape));
  llvm::copy(*ints, tensor.mutableValues<int64_t>().begin());
  return tensor;
}

std::optional<Tensor> ValueEvaluator::getValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0) {
    return std::nullopt;
  }
  auto found = values.find(value);
  if (found != values.end()) {
    return found->second;
  }
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto compute = [&]() -> std::optional<Tensor> {
    auto read = [](Attribute attr) -> std::optional<Tensor> {
      auto elements = dyn_cast_if_present<ElementsAttr>(attr);
      FailureOr<Tensor> tensor =
          elements ? Tensor::fromAttr(elements) : FailureOr<Tensor>(failure());
      return succeeded(tensor) ? std::optional<Tensor>(*tensor) : std::nullopt;
    };
    if (ElementsAttr constant = IE::getConstantElements(value)) {
      return read(constant);
    }
    if (std::optional<Tensor> ints = getInts(value)) {
      return ints;
    }
    if (!isa<InterpretableOpInterface>(op)) {
      return std::nullopt;
    }
    Block scratch;
    Operation *copy = copyInto(scratch, op);
    if (!copy || !llvm::all_of(copy->getResultTypes(), isSmall)) {
      return std::nullopt;
    }
    // Shape and its like fold: they need their operand's type only.
    SmallVector<Attribute> constants(copy->getNumOperands());
    SmallVector<OpFoldResult> folded;
    if (succeeded(copy->fold(constants, folded)) && number < folded.size()) {
      if (std::optional<Tensor> tensor =
              read(dyn_cast<Attribute>(folded[number]))) {
        return tensor;
      }
    }
    SmallVector<Tensor> operands, results;
    for (Value operand : copy->getOperands()) {
      ElementsAttr constant = IE::getConstantElements(operand);
      std::optional<Tensor> tensor = constant ? read(constant) : std::nullopt;
      if (!tensor) {
        return std::nullopt;
      }
      operands.push_back(*tensor);
    }
    // An op that cannot be evaluated is none that follows from constants.
    ScopedDiagnosticHandler quiet(op->getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(interpreter::evaluate(copy, operands, results))) {
      return std::nullopt;
    }
    return results[number];
  };
  std::optional<Tensor> result = compute();
  values[value] = result;
  return result;
}
