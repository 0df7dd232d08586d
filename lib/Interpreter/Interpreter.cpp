//===- Interpreter.cpp - Evaluation of IE functions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver: walks blocks in order and hands each op's operands to its kernel.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Interpreter/Datum.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"
#include "nacre/Interpreter/TensorMemory.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::interpreter;

static bool isStatic(Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  return tensorType && tensorType.hasStaticShape();
}

/// The types that follow from an op's operands, from the values of those that
/// are constants, too.
static LogicalResult inferTypes(Operation *op, SmallVectorImpl<Type> &types) {
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable) {
    llvm::append_range(types, op->getResultTypes());
    return success();
  }
  return inferable.inferReturnTypes(
      op->getContext(), op->getLoc(), op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getRegions(), types);
}

/// `stated`, with what only `inferred`, which is compatible, knows.
static Type refine(Type stated, Type inferred) {
  auto type = dyn_cast<RankedTensorType>(stated);
  auto other = dyn_cast<RankedTensorType>(inferred);
  if (!type || !other) {
    return stated;
  }
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, known] : llvm::zip_equal(shape, other.getShape())) {
    dim = ShapedType::isDynamic(dim) ? known : dim;
  }
  return type.clone(shape);
}

/// What says something about a shape is a number or a list of a few, or the
/// condition of a Compress.
static bool maySayShape(const Tensor &tensor) {
  constexpr int64_t kMaxShapeElements = 1024;
  return tensor.getRank() <= 1 &&
         (tensor.getElementType().isInteger(1) ||
          tensor.getNumElements() <= kMaxShapeElements);
}

namespace {
/// A copy of an op whose operands have the types of a run's values, what may
/// say something about shapes as constants: then type inference knows
/// everything, and the verifier sees what the types left open.
class StaticCopy {
public:
  /// Fails where the values are none that the op takes, or do not give what the
  /// model states of the results.
  LogicalResult create(Operation *op, ArrayRef<Datum> operands);
  Operation *get() const { return copy; }

private:
  Block scratch;
  Operation *copy = nullptr;
};
} // namespace

LogicalResult StaticCopy::create(Operation *op, ArrayRef<Datum> operands) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  IRMapping staticValues;
  for (auto [value, datum] : llvm::zip_equal(op->getOperands(), operands)) {
    if (!datum.isTensor()) {
      staticValues.map(value,
                       scratch.addArgument(value.getType(), op->getLoc()));
      continue;
    }
    const Tensor &tensor = datum.getTensor();
    if (maySayShape(tensor)) {
      Value constant =
          IE::ConstantOp::create(builder, op->getLoc(), tensor.toAttr());
      staticValues.map(value, constant);
    } else {
      staticValues.map(value,
                       scratch.addArgument(tensor.getType(), op->getLoc()));
    }
  }
  copy = builder.clone(*op, staticValues);
  SmallVector<Type> inferred;
  if (failed(inferTypes(copy, inferred))) {
    return failure();
  }
  if (!IE::areCompatibleTypes(inferred, op->getResultTypes())) {
    return op->emitError("expected values that give results of type ")
           << op->getResultTypes() << ", as the model states, found "
           << "values that give " << TypeRange(inferred);
  }
  for (auto [result, type] : llvm::zip_equal(copy->getResults(), inferred)) {
    result.setType(refine(result.getType(), type));
  }
  return copy->getName().verifyInvariants(copy);
}

static FailureOr<Tensor> readConstant(Operation *op, ElementsAttr constant) {
  if (failed(requireMemoryForConstant(op, constant))) {
    return failure();
  }
  FailureOr<Tensor> tensor = Tensor::fromAttr(constant);
  if (failed(tensor)) {
    return op->emitError("expected a constant with data");
  }
  return tensor;
}

/// Evaluates an op whose types are those of the operands and results.
static LogicalResult evaluateStatic(Operation *op, ArrayRef<Tensor> operands,
                                    SmallVectorImpl<Tensor> &results) {
  for (Type type : op->getResultTypes()) {
    if (!isStatic(type)) {
      return op->emitError("the interpreter needs static result types, found ")
             << type;
    }
    auto tensor = cast<RankedTensorType>(type);
    if (failed(requireMemory(op, tensor))) {
      return failure();
    }
    results.push_back(Tensor(tensor));
  }
  return cast<InterpretableOpInterface>(op).interpret(operands, results);
}

/// Whether the types of the operands, which are static, decide those of the
/// results: then the verifier has compared them with what the model states.
static bool isDecidedByTypes(Operation *op) {
  SmallVector<Type> inferred;
  return llvm::all_of(op->getOperandTypes(), isStatic) &&
         llvm::all_of(op->getResultTypes(), isStatic) &&
         succeeded(inferTypes(op, inferred)) &&
         llvm::all_of(inferred, isStatic);
}

LogicalResult interpreter::evaluate(Operation *op, ArrayRef<Tensor> operands,
                                    SmallVectorImpl<Tensor> &results) {
  ElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant))) {
    FailureOr<Tensor> tensor = readConstant(op, constant);
    if (failed(tensor)) {
      return failure();
    }
    results.push_back(*tensor);
    return success();
  }
  if (isDecidedByTypes(op)) {
    return evaluateStatic(op, operands, results);
  }
  StaticCopy copy;
  SmallVector<Datum> values(operands.begin(), operands.end());
  return failed(copy.create(op, values))
             ? failure()
             : evaluateStatic(copy.get(), operands, results);
}

FailureOr<Tensor> interpreter::evaluateConstant(Value value) {
  if (ElementsAttr constant = IE::getConstantElements(value)) {
    return Tensor::fromAttr(constant);
  }
  auto op = value.getDefiningOp<InterpretableOpInterface>();
  if (!op || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResultTypes(), isStatic)) {
    return failure();
  }
  SmallVector<Tensor> operands, results;
  for (Value operand : op->getOperands()) {
    FailureOr<Tensor> tensor = evaluateConstant(operand);
    if (failed(tensor)) {
      return failure();
    }
    operands.push_back(*tensor);
  }
  if (failed(evaluate(op, operands, results))) {
    return failure();
  }
  return results[cast<OpResult>(value).getResultNumber()];
}

/// Fails where a value does not have a size that its type states, which what
/// reads it relies on: a model may state wrong ones.
static LogicalResult checkSizes(Operation *op, Type stated,
                                const Datum &value) {
  auto type = dyn_cast<RankedTensorType>(stated);
  if (!type || !value.isTensor()) {
    return success();
  }
  RankedTensorType found = value.getTensor().getType();
  if (failed(verifyCompatibleShape(type, found))) {
    return op->emitError("expected a value of type ")
           << type << ", as the model states, found " << found;
  }
  return success();
}

namespace {

/// Runs blocks. A value lives until the last op of its own block that uses it,
/// itself or in its regions, is done.
class Evaluator {
public:
  LogicalResult run(Block &block, ArrayRef<Datum> arguments,
                    SmallVectorImpl<Datum> &yielded);

private:
  LogicalResult evaluate(Operation *op, ArrayRef<Datum> operands,
                         SmallVectorImpl<Datum> &results);
  LogicalResult define(Operation *op, Value value, Datum datum);

  llvm::DenseMap<Value, Datum> values;
  /// The values of which an op is the last user.
  llvm::DenseMap<Operation *, SmallVector<Value>> released;
  llvm::DenseSet<Value> known;
};

} // namespace

LogicalResult Evaluator::define(Operation *op, Value value, Datum datum) {
  if (failed(checkSizes(op, value.getType(), datum))) {
    return failure();
  }
  if (value.use_empty()) {
    return success();
  }
  values[value] = std::move(datum);
  if (!known.insert(value).second) {
    return success(); // defined by an earlier run of its block
  }
  Block *block = value.getParentBlock();
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(ancestor)) {
      last = ancestor;
    }
  }
  released[last].push_back(value);
  return success();
}

/// Whether sizes of operands are dynamic, which the verifier does not know.
static bool hasOpenSizes(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<RankedTensorType>(type) && !isStatic(type);
  });
}

LogicalResult Evaluator::evaluate(Operation *op, ArrayRef<Datum> operands,
                                  SmallVectorImpl<Datum> &results) {
  if (auto composite = dyn_cast<CompositeInterpretableOpInterface>(op)) {
    auto runRegion = [&](Region &region, ArrayRef<Datum> arguments,
                         SmallVectorImpl<Datum> &yielded) {
      return run(region.front(), arguments, yielded);
    };
    StaticCopy copy;
    if (op->getNumRegions() == 0 && hasOpenSizes(op)) {
      if (failed(copy.create(op, operands))) {
        return failure();
      }
      composite = cast<CompositeInterpretableOpInterface>(copy.get());
    }
    return composite.interpret(operands, runRegion, results);
  }
  SmallVector<Tensor> inputs, outputs;
  for (const Datum &operand : operands) {
    inputs.push_back(operand.getTensor());
  }
  if (failed(interpreter::evaluate(op, inputs, outputs))) {
    return failure();
  }
  results.append(outputs.begin(), outputs.end());
  return success();
}

LogicalResult Evaluator::run(Block &block, ArrayRef<Datum> arguments,
                             SmallVectorImpl<Datum> &yielded) {
  for (auto [argument, datum] :
       llvm::zip_equal(block.getArguments(), arguments)) {
    if (failed(define(block.getParentOp(), argument, datum))) {
      return failure();
    }
  }
  for (Operation &op : block.without_terminator()) {
    SmallVector<Datum> operands, results;
    for (Value operand : op.getOperands()) {
      operands.push_back(values[operand]);
    }
    if (failed(evaluate(&op, operands, results))) {
      return failure();
    }
    operands.clear();
    auto it = released.find(&op);
    if (it != released.end()) {
      for (Value value : it->second) {
        values.erase(value);
      }
    }
    for (auto [result, datum] : llvm::zip_equal(op.getResults(), results)) {
      if (failed(define(&op, result, std::move(datum)))) {
        return failure();
      }
    }
  }
  for (Value result : block.getTerminator()->getOperands()) {
    yielded.push_back(values[result]);
  }
  return success();
}

LogicalResult interpreter::verifyKernels(func::FuncOp function) {
  WalkResult walk = function.getBody().walk([](Operation *op) {
    if (isa<InterpretableOpInterface, CompositeInterpretableOpInterface>(op) ||
        op->hasTrait<OpTrait::ConstantLike>() ||
        op->hasTrait<OpTrait::IsTerminator>()) {
      return WalkResult::advance();
    }
    op->emitError("the interpreter has no kernel for this op");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult interpreter::run(func::FuncOp function, ArrayRef<Datum> inputs,
                               SmallVectorImpl<Datum> &outputs) {
  if (!function.getBody().hasOneBlock()) {
    return function.emitError("expected a function of one block");
  }
  Block &block = function.getBody().front();
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs)) {
    if (isa<TensorType>(argument.getType()) != input.isTensor()) {
      return function.emitError("expected an input of type ")
             << argument.getType();
    }
    if (input.isTensor() &&
        (failed(verifyCompatibleShape(argument.getType(),
                                      input.getTensor().getType())) ||
         getElementTypeOrSelf(argument) !=
             input.getTensor().getElementType())) {
      return function.emitError("expected an input of type ")
             << argument.getType() << ", found " << input.getTensor().getType();
    }
  }
  return Evaluator().run(block, inputs, outputs);
}
