//===- SubgraphImporter.cpp - ONNX subgraphs into regions -----------------===//
//
// If, Loop and Scan: nodes whose attributes are graphs.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/IR/Shape.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

// Graphs within graphs; deeper ones exhaust the stack before they mean a thing.
static constexpr unsigned kMaxSubgraphDepth = 64;

static const onnx::GraphProto *findGraph(const onnx::NodeProto &proto,
                                         StringRef name) {
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.name() == name &&
        attribute.type() == onnx::AttributeProto::GRAPH) {
      return &attribute.g();
    }
  }
  return nullptr;
}

/// A type for results whose types are not known before their op's regions are.
static RankedTensorType getPlaceholderType(MLIRContext *context) {
  return RankedTensorType::get({}, IntegerType::get(context, 1));
}

FailureOr<SmallVector<Value>>
GraphImporter::importSubgraph(const onnx::GraphProto &graph,
                              ValueRange arguments, const Scope &parent,
                              unsigned depth) {
  Location loc = getLocation(graph.name());
  if (depth >= kMaxSubgraphDepth) {
    return emitError(loc) << "subgraphs are nested too deeply";
  }
  Scope scope;
  scope.opsets = parent.opsets;
  scope.attributes = parent.attributes;
  scope.parent = &parent;
  scope.graph = &graph;
  if (static_cast<size_t>(graph.input_size()) != arguments.size()) {
    return emitError(loc) << "expected a subgraph of " << arguments.size()
                          << " inputs, found " << graph.input_size();
  }
  for (auto [input, argument] : llvm::zip(graph.input(), arguments)) {
    if (failed(define(scope, input.name(), argument, loc))) {
      return failure();
    }
  }
  if (failed(importDeclaredTypes(graph, scope)) ||
      failed(importInitializers(graph, scope))) {
    return failure();
  }
  for (const onnx::NodeProto &node : graph.node()) {
    if (failed(importNode(node, scope, depth + 1))) {
      return failure();
    }
  }
  SmallVector<Value> outputs;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    std::optional<Value> value = scope.lookup(output.name());
    if (!value || !*value) {
      return emitError(getLocation(output.name()))
             << "subgraph output '" << output.name()
             << "' is produced by no node";
    }
    outputs.push_back(*value);
  }
  return outputs;
}

LogicalResult GraphImporter::importControlFlow(const onnx::NodeProto &proto,
                                               Scope &scope, unsigned depth) {
  Location loc = getNodeLocation(proto);
  SmallVector<Value> inputs;
  for (const std::string &input : proto.input()) {
    std::optional<Value> value =
        input.empty() ? std::optional<Value>(Value()) : scope.lookup(input);
    if (!value) {
      return emitError(loc) << "input '" << input << "' of " << proto.op_type()
                            << " is not defined before its use (missing, or "
                               "part of a cycle)";
    }
    inputs.push_back(*value);
  }
  if (proto.op_type() == "If") {
    return importIf(proto, inputs, scope, depth);
  }
  return proto.op_type() == "Loop" ? importLoop(proto, inputs, scope, depth)
                                   : importScan(proto, inputs, scope, depth);
}

LogicalResult GraphImporter::defineAll(Scope &scope,
                                       const onnx::NodeProto &proto,
                                       ValueRange values, Location loc) {
  for (auto [output, value] : llvm::zip(proto.output(), values)) {
    if (failed(define(scope, output, value, loc))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GraphImporter::finishControlFlow(Operation *op,
                                               const onnx::NodeProto &proto,
                                               Scope &scope) {
  Location loc = op->getLoc();
  SmallVector<Type> inferred;
  auto inferable = cast<InferTypeOpInterface>(op);
  if (failed(inferable.inferReturnTypes(
          &context, loc, op->getOperands(), op->getDiscardableAttrDictionary(),
          op->getPropertiesStorage(), op->getRegions(), inferred))) {
    return failure();
  }
  if (inferred.size() != op->getNumResults() ||
      static_cast<size_t>(proto.output_size()) > inferred.size()) {
    return emitError(loc) << "expected at most " << inferred.size()
                          << " outputs of " << proto.op_type() << ", found "
                          << proto.output_size();
  }
  for (auto [i, type] : llvm::enumerate(inferred)) {
    RankedTensorType stated;
    if (static_cast<int>(i) < proto.output_size()) {
      stated = scope.declared.lookup(proto.output(i));
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    op->getResult(i).setType(tensor ? refineType(tensor, stated) : type);
  }
  return defineAll(scope, proto, op->getResults(), loc);
}

LogicalResult GraphImporter::importIf(const onnx::NodeProto &proto,
                                      ValueRange inputs, Scope &scope,
                                      unsigned depth) {
  Location loc = getNodeLocation(proto);
  const onnx::GraphProto *branches[] = {findGraph(proto, "then_branch"),
                                        findGraph(proto, "else_branch")};
  if (!branches[0] || !branches[1] || inputs.size() != 1 || !inputs[0]) {
    return emitError(loc)
           << "expected a condition, a then_branch and an else_branch of If";
  }
  if (!getElementTypeOrSelf(inputs[0]).isInteger(1)) {
    return emitError(loc) << "expected a condition of type bool, found "
                          << inputs[0].getType();
  }
  // A decided condition leaves one branch, whose results may be of any rank.
  if (std::optional<interpreter::Tensor> known =
          conditions.getValue(inputs[0])) {
    FailureOr<SmallVector<Value>> values = importSubgraph(
        *branches[known->getInt(0) != 0 ? 0 : 1], {}, scope, depth);
    if (failed(values)) {
      return failure();
    }
    return defineAll(scope, proto, *values, loc);
  }
  SmallVector<Type> placeholders(branches[0]->output_size(),
                                 getPlaceholderType(&context));
  auto op = IE::IfOp::create(builder, loc, placeholders, inputs[0]);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [branch, region] : llvm::zip_equal(branches, op->getRegions())) {
    builder.createBlock(&region);
    FailureOr<SmallVector<Value>> values =
        importSubgraph(*branch, {}, scope, depth);
    if (failed(values)) {
      return failure();
    }
    IE::YieldOp::create(builder, loc, *values);
  }
  for (auto [lhs, rhs, output] :
       llvm::zip(op.getThenBranch().front().getTerminator()->getOperandTypes(),
                 op.getElseBranch().front().getTerminator()->getOperandTypes(),
                 proto.output())) {
    if (IE::joinTypes(lhs, rhs)) {
      continue;
    }
    FailureOr<SmallVector<Value>> settled = settleRanks(op, proto, scope);
    if (succeeded(settled)) {
      return defineAll(scope, proto, *settled, loc);
    }
    return unsupported(loc)
           << "unsupported If: its branches give " << lhs << " and " << rhs
           << ", the condition is only known at run time, and nothing says "
              "which of them '"
           << output
           << "' is; where the condition follows from shapes, fix them with "
              "--shape NAME=DIMS, else declare the shape of '"
           << output << "' in the model";
  }
  return finishControlFlow(op, proto, scope);
}

LogicalResult GraphImporter::importBody(IE::BodyOpInterface op,
                                        const onnx::GraphProto &graph,
                                        const Scope &scope, unsigned depth,
                                        SmallVectorImpl<unsigned> &wrapped) {
  OpBuilder::InsertionGuard guard(builder);
  Region &body = op->getRegion(0);
  SmallVector<Type> types = op.getEntryTypes();
  // Each round makes a dimension dynamic, or is the last.
  while (true) {
    body.getBlocks().clear();
    conditions.forget();
    SmallVector<Location> locs(types.size(), op.getLoc());
    Block *block = builder.createBlock(&body, body.end(), types, locs);
    FailureOr<SmallVector<Value>> values =
        importSubgraph(graph, block->getArguments(), scope, depth);
    if (failed(values)) {
      return failure();
    }
    bool isStable = true;
    wrapped.clear();
    for (auto [argument, number] : op.getCarriedArguments()) {
      if (number >= values->size()) {
        return emitError(op.getLoc())
               << "expected a subgraph of more than " << number
               << " outputs, found " << values->size();
      }
      // A body may begin with an optional and go on with what it holds.
      if (isa<IE::OptionalType>(types[argument]) &&
          !isa<IE::OptionalType>((*values)[number].getType())) {
        Type held = (*values)[number].getType();
        (*values)[number] = IE::OptionalOp::create(
            builder, op.getLoc(), IE::OptionalType::get(held),
            (*values)[number], /*type=*/TypeAttr());
        wrapped.push_back(number);
      }
      Type joined = IE::joinTypes(types[argument], (*values)[number].getType());
      if (!joined) {
        return unsupported(op.getLoc())
               << "unsupported " << op->getName().stripDialect()
               << ": a carried value changes from " << types[argument] << " to "
               << (*values)[number].getType();
      }
      isStable &= joined == types[argument];
      types[argument] = joined;
    }
    IE::YieldOp::create(builder, op.getLoc(), *values);
    if (isStable) {
      return success();
    }
  }
}

/// Joins `joined` with the types of what is inserted into the list `carried`
/// until it is `yielded`; false where anything else is done with the list.
static bool joinInserted(Value yielded, Value carried, Type &joined) {
  while (yielded != carried) {
    Operation *op = yielded.getDefiningOp();
    auto result = dyn_cast<OpResult>(yielded);
    if (auto insert = dyn_cast_if_present<IE::SequenceInsertOp>(op)) {
      Type type = insert.getTensor().getType();
      joined = joined ? IE::joinTypes(joined, type) : type;
      if (!joined) {
        return false;
      }
      yielded = insert.getInputSequence();
    } else if (auto erase = dyn_cast_if_present<IE::SequenceEraseOp>(op)) {
      yielded = erase.getInputSequence();
    } else if (isa_and_present<IE::IfOp>(op)) {
      return llvm::all_of(op->getRegions(), [&](Region &branch) {
        Operation *end = branch.front().getTerminator();
        return joinInserted(end->getOperand(result.getResultNumber()), carried,
                            joined);
      });
    } else if (auto loop = dyn_cast_if_present<IE::LoopOp>(op)) {
      // The first value that a body yields is the condition, and its first
      // arguments are the iteration and the condition.
      unsigned i = result.getResultNumber();
      Block &body = loop.getBody().front();
      if (i >= loop.getCarried().size() ||
          !joinInserted(body.getTerminator()->getOperand(i + 1),
                        body.getArgument(i + 2), joined)) {
        return false;
      }
      yielded = loop.getCarried()[i];
    } else {
      return false;
    }
  }
  return true;
}

/// Lets lists that are empty before a loop be of what its body inserts: ONNX's
/// SequenceEmpty knows no shapes. True if there are any.
static bool refineEmptyLists(OpBuilder &builder, IE::LoopOp op) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  Block &body = op.getBody().front();
  bool isRefined = false;
  for (auto [i, operand] : llvm::enumerate(op.getCarriedMutable())) {
    auto empty = operand.get().getDefiningOp<IE::SequenceEmptyOp>();
    Type inserted;
    if (!empty ||
        !joinInserted(body.getTerminator()->getOperand(i + 1),
                      body.getArgument(i + 2), inserted) ||
        !inserted) {
      continue;
    }
    auto refined = IE::SequenceEmptyOp::create(
        builder, empty.getLoc(), TypeRange(IE::SequenceType::get(inserted)),
        empty.getDtypeAttr());
    operand.set(refined.getResult());
    isRefined = true;
  }
  return isRefined;
}

LogicalResult GraphImporter::importLoop(const onnx::NodeProto &proto,
                                        ValueRange inputs, Scope &scope,
                                        unsigned depth) {
  Location loc = getNodeLocation(proto);
  const onnx::GraphProto *body = findGraph(proto, "body");
  if (!body || inputs.size() < 2 || body->output_size() < 1 ||
      llvm::is_contained(inputs.drop_front(2), Value())) {
    return emitError(loc) << "expected a trip count, a condition, carried "
                             "values and a body of Loop";
  }
  SmallVector<Type> placeholders(body->output_size() - 1,
                                 getPlaceholderType(&context));
  auto op = IE::LoopOp::create(builder, loc, placeholders, inputs[0], inputs[1],
                               inputs.drop_front(2));
  auto wrapped = cast<IE::BodyOpInterface>(op.getOperation());
  SmallVector<unsigned> optionals;
  auto import = [&] {
    return importBody(wrapped, *body, scope, depth, optionals);
  };
  if (failed(import()) || (refineEmptyLists(builder, op) && failed(import())) ||
      failed(finishControlFlow(op, proto, scope))) {
    return failure();
  }
  for (unsigned number : optionals) {
    // The first value that the body yields is the condition.
    auto i = static_cast<int>(number) - 1;
    if (i < proto.output_size() && !proto.output(i).empty()) {
      Value result = op->getResult(i);
      scope.values[proto.output(i)] = IE::OptionalGetElementOp::create(
          builder, loc,
          cast<IE::OptionalType>(result.getType()).getElementType(), result);
    }
  }
  return success();
}

/// The integers of an optional attribute of the node.
static DenseI64ArrayAttr
findInts(Builder &builder, const onnx::NodeProto &proto, StringRef name) {
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.name() == name) {
      return builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
          attribute.ints().begin(), attribute.ints().end()));
    }
  }
  return {};
}

LogicalResult GraphImporter::importScan(const onnx::NodeProto &proto,
                                        ValueRange inputs, Scope &scope,
                                        unsigned depth) {
  Location loc = getNodeLocation(proto);
  auto opset = scope.opsets.find("");
  if (opset != scope.opsets.end() && opset->second < 9) {
    return importBatchedScan(proto, inputs, scope, depth);
  }
  const onnx::GraphProto *body = findGraph(proto, "body");
  int64_t numScanned = 0;
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    numScanned =
        attribute.name() == "num_scan_inputs" ? attribute.i() : numScanned;
  }
  if (!body || numScanned < 1 ||
      numScanned > static_cast<int64_t>(inputs.size()) ||
      llvm::is_contained(inputs, Value())) {
    return emitError(loc)
           << "expected states, num_scan_inputs inputs and a body of Scan";
  }
  for (Value input : inputs.take_back(numScanned)) {
    if (!isa<TensorType>(input.getType())) {
      return emitError(loc)
             << "expected a tensor to scan, found " << input.getType();
    }
  }
  SmallVector<Type> placeholders(body->output_size(),
                                 getPlaceholderType(&context));
  auto op = IE::ScanOp::create(
      builder, loc, placeholders, inputs, builder.getI64IntegerAttr(numScanned),
      findInts(builder, proto, "scan_input_axes"),
      findInts(builder, proto, "scan_input_directions"),
      findInts(builder, proto, "scan_output_axes"),
      findInts(builder, proto, "scan_output_directions"));
  auto wrapped = cast<IE::BodyOpInterface>(op.getOperation());
  SmallVector<unsigned> optionals;
  if (failed(importBody(wrapped, *body, scope, depth, optionals))) {
    return failure();
  }
  return finishControlFlow(op, proto, scope);
}

namespace {

/// A sequence of a batch that is shorter than the others.
class ShortSequence {
public:
  /// `whole` is as long as the longest, `length` a scalar.
  ShortSequence(OpBuilder &builder, Location loc, Value whole, Value length)
      : builder(builder), loc(loc),
        longest(cast<RankedTensorType>(whole.getType()).getDimSize(0)) {
    Value zero = buildInts(0);
    size = IE::UnsqueezeOp::create(builder, loc, length, zero);
    full = IE::ShapeOp::create(builder, loc, whole, /*start=*/0,
                               builder.getI64IntegerAttr(1));
    Value fits = IE::AndOp::create(
        builder, loc, IE::LessOrEqualOp::create(builder, loc, zero, size),
        IE::LessOrEqualOp::create(builder, loc, size, full));
    size = IE::RequireOp::create(
        builder, loc, size, fits,
        "expected lengths of sequences of no more elements than there are");
  }

  Value cut(Value value) {
    return IE::SliceOp::create(builder, loc, value, buildInts(0), size,
                               buildInts(0), /*steps=*/Value());
  }

  /// Adds zeros, as ONNX Runtime does; ONNX leaves it open what there is.
  Value pad(Value value) {
    Value missing = IE::SubOp::create(builder, loc, full, size);
    Value pads = IE::ConcatOp::create(
        builder, loc, ValueRange{buildInts(0), missing}, /*axis=*/0);
    Value padded =
        IE::PadOp::create(builder, loc, value, pads,
                          /*constant_value=*/Value(), /*axes=*/buildInts(0));
    if (ShapedType::isDynamic(longest)) {
      return padded;
    }
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getRank(), 0); // as it is
    shape.front() = longest;
    return IE::ReshapeOp::create(builder, loc, padded, buildInts(shape));
  }

private:
  Value buildInts(ArrayRef<int64_t> values) {
    return IE::ConstantOp::create(builder, loc,
                                  builder.getI64TensorAttr(values));
  }

  OpBuilder &builder;
  Location loc;
  int64_t longest;
  Value size, full; // vectors of one element
};

} // namespace

LogicalResult GraphImporter::importBatchedScan(const onnx::NodeProto &proto,
                                               ValueRange inputs, Scope &scope,
                                               unsigned depth) {
  Location loc = getNodeLocation(proto);
  const onnx::GraphProto *body = findGraph(proto, "body");
  int64_t numScanned = 0;
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    numScanned =
        attribute.name() == "num_scan_inputs" ? attribute.i() : numScanned;
  }
  auto numInputs = static_cast<int64_t>(inputs.size()) - 1;
  if (!body || numScanned < 1 || numScanned > numInputs ||
      llvm::is_contained(inputs.drop_front(), Value())) {
    return emitError(loc)
           << "expected states, num_scan_inputs inputs and a body of Scan";
  }
  SmallVector<Value> batched(inputs.drop_front());
  bool hasLengths = inputs[0] != nullptr;
  if (hasLengths) {
    batched.push_back(inputs[0]);
  }
  SmallVector<Type> samples;
  for (Value input : batched) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || type.getRank() == 0) {
      return emitError(loc) << "expected tensors with a batch for Scan, found "
                            << input.getType();
    }
    samples.push_back(type.clone(type.getShape().drop_front()));
  }
  if (hasLengths) {
    auto length = cast<RankedTensorType>(samples.back());
    auto whole = cast<RankedTensorType>(samples[numInputs - numScanned]);
    if (length.getRank() != 0 || !length.getElementType().isInteger(64) ||
        whole.getRank() == 0) {
      return emitError(loc) << "expected a length of type int64 for each "
                               "sequence of the batch, found lengths "
                            << batched.back().getType() << " and sequences "
                            << batched[numInputs - numScanned].getType();
    }
  }
  // A loop over the samples around that over the sequences of each.
  SmallVector<Type> placeholders(body->output_size(),
                                 getPlaceholderType(&context));
  auto batch = IE::ScanOp::create(
      builder, loc, placeholders, batched,
      builder.getI64IntegerAttr(batched.size()),
      /*scan_input_axes=*/{}, /*scan_input_directions=*/{},
      /*scan_output_axes=*/{}, /*scan_output_directions=*/{});
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locs(samples.size(), loc);
    Block *block = builder.createBlock(&batch.getBody(), {}, samples, locs);
    SmallVector<Value> operands(block->getArguments().take_front(numInputs));
    auto sequences = MutableArrayRef(operands).take_back(numScanned);
    std::optional<ShortSequence> part;
    if (hasLengths) {
      part.emplace(builder, loc, sequences.front(),
                   block->getArguments().back());
      for (Value &sequence : sequences) {
        sequence = part->cut(sequence);
      }
    }
    auto op = IE::ScanOp::create(builder, loc, placeholders, operands,
                                 builder.getI64IntegerAttr(numScanned),
                                 /*scan_input_axes=*/{},
                                 findInts(builder, proto, "directions"),
                                 /*scan_output_axes=*/{},
                                 /*scan_output_directions=*/{});
    auto wrapped = cast<IE::BodyOpInterface>(op.getOperation());
    Scope unnamed;
    SmallVector<unsigned> optionals;
    if (failed(importBody(wrapped, *body, scope, depth, optionals)) ||
        failed(finishControlFlow(op, onnx::NodeProto(), unnamed))) {
      return failure();
    }
    SmallVector<Value> results(op.getOutputs());
    if (part) {
      for (Value &result :
           MutableArrayRef(results).drop_front(numInputs - numScanned)) {
        result = part->pad(result);
      }
    }
    IE::YieldOp::create(builder, loc, results);
  }
  return finishControlFlow(batch, proto, scope);
}
