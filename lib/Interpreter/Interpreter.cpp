//===- Interpreter.cpp - Evaluation of IE functions -----------------------===//
//
// The driver: walks blocks in order and hands each op's operands to its kernel.
//
//===----------------------------------------------------------------------===//

#include "nacre/Interpreter/Interpreter.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Interfaces/InterpretableOpInterface.h"
#include "nacre/Interpreter/Datum.h"

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

/// `declared` where it is static, else `inferred`.
static Type refine(Type declared, Type inferred) {
  auto type = dyn_cast<RankedTensorType>(declared);
  auto inferredType = dyn_cast<RankedTensorType>(inferred);
  if (!type || !inferredType || type.getRank() != inferredType.getRank()) {
    return inferred;
  }
  SmallVector<int64_t> shape(type.getShape());
  for (auto [i, dim] : llvm::enumerate(shape)) {
    dim = ShapedType::isDynamic(dim) ? inferredType.getDimSize(i) : dim;
  }
  return type.clone(shape);
}

// No operand that says something about a shape is larger.
static constexpr int64_t kMaxShapeElements = 1024;

/// Evaluates an op of dynamic shape as a copy of it whose operands have static
/// types, the small ones as constants: then its type inference knows
/// everything.
static LogicalResult evaluateStaticCopy(Operation *op,
                                        ArrayRef<Tensor> operands,
                                        SmallVectorImpl<Tensor> &results) {
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  IRMapping staticValues;
  for (auto [value, tensor] : llvm::zip_equal(op->getOperands(), operands)) {
    if (tensor.getNumElements() <= kMaxShapeElements) {
      Value constant =
          IE::ConstantOp::create(builder, op->getLoc(), tensor.toAttr());
      staticValues.map(value, constant);
    } else {
      staticValues.map(value,
                       scratch.addArgument(tensor.getType(), op->getLoc()));
    }
  }
  Operation *copy = builder.clone(*op, staticValues);
  auto inferable = dyn_cast<InferTypeOpInterface>(copy);
  SmallVector<Type> inferred;
  if (!inferable || failed(inferable.inferReturnTypes(
                        op->getContext(), op->getLoc(), copy->getOperands(),
                        copy->getAttrDictionary(), copy->getPropertiesStorage(),
                        copy->getRegions(), inferred))) {
    return op->emitError("the shape of the result cannot be inferred");
  }
  for (auto [result, type] : llvm::zip_equal(copy->getResults(), inferred)) {
    result.setType(refine(result.getType(), type));
    if (!isStatic(result.getType())) {
      return op->emitError("the interpreter needs static result types, found ")
             << result.getType();
    }
  }
  return interpreter::evaluate(copy, operands, results);
}

LogicalResult interpreter::evaluate(Operation *op, ArrayRef<Tensor> operands,
                                    SmallVectorImpl<Tensor> &results) {
  ElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant))) {
    FailureOr<Tensor> tensor = Tensor::fromAttr(constant);
    if (failed(tensor)) {
      return op->emitError("expected a constant with data");
    }
    results.push_back(*tensor);
    return success();
  }
  auto interpretable = dyn_cast<InterpretableOpInterface>(op);
  if (!interpretable) {
    return op->emitError("the interpreter has no kernel for this op");
  }
  if (!llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic)) {
    return evaluateStaticCopy(op, operands, results);
  }
  for (Type type : op->getResultTypes()) {
    results.push_back(Tensor(cast<RankedTensorType>(type)));
  }
  return interpretable.interpret(operands, results);
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
  void define(Value value, Datum datum);

  llvm::DenseMap<Value, Datum> values;
  /// The values of which an op is the last user.
  llvm::DenseMap<Operation *, SmallVector<Value>> released;
  llvm::DenseSet<Value> known;
};

} // namespace

void Evaluator::define(Value value, Datum datum) {
  if (value.use_empty()) {
    return;
  }
  values[value] = std::move(datum);
  if (!known.insert(value).second) {
    return; // defined by an earlier run of its block
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
}

LogicalResult Evaluator::evaluate(Operation *op, ArrayRef<Datum> operands,
                                  SmallVectorImpl<Datum> &results) {
  if (auto composite = dyn_cast<CompositeInterpretableOpInterface>(op)) {
    auto runRegion = [&](Region &region, ArrayRef<Datum> arguments,
                         SmallVectorImpl<Datum> &yielded) {
      return run(region.front(), arguments, yielded);
    };
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
    define(argument, datum);
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
      define(result, std::move(datum));
    }
  }
  for (Value result : block.getTerminator()->getOperands()) {
    yielded.push_back(values[result]);
  }
  return success();
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
