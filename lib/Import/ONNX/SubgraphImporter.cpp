//===- SubgraphImporter.cpp - ONNX subgraphs into regions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

const onnx::GraphProto *onnx_import::findGraph(const onnx::NodeProto &node,
                                               StringRef name) {
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.name() == name &&
        attribute.type() == onnx::AttributeProto::GRAPH) {
      return &attribute.g();
    }
  }
  return nullptr;
}

RankedTensorType onnx_import::getPlaceholderType(MLIRContext *context) {
  return RankedTensorType::get({}, IntegerType::get(context, 1));
}

SmallVector<StringRef>
onnx_import::getOutputNames(const onnx::NodeProto &node) {
  return SmallVector<StringRef>(node.output().begin(), node.output().end());
}

FailureOr<SmallVector<Value>>
GraphImporter::importSubgraph(const onnx::GraphProto &graph,
                              ValueRange arguments, const Scope &parent,
                              unsigned depth, const onnx::NodeProto *node) {
  Location loc = getLocation(graph.name());
  if (depth >= kMaxSubgraphDepth) {
    return emitError(loc) << "subgraphs are nested too deeply";
  }
  Scope scope;
  scope.opsets = parent.opsets;
  scope.attributes = parent.attributes;
  scope.parent = &parent;
  scope.graph = &graph;
  scope.node = node;
  scope.next = node ? &parent : nullptr;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    scope.outputs.push_back(output.name());
  }
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
  return importNodes(graph.node(), scope, depth + 1);
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
                            << " is defined nowhere";
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

LogicalResult GraphImporter::inferResults(Operation *op,
                                          ArrayRef<StringRef> names,
                                          const Scope &scope) {
  Location loc = op->getLoc();
  SmallVector<Type> inferred;
  auto inferable = cast<InferTypeOpInterface>(op);
  if (failed(inferable.inferReturnTypes(
          &context, loc, op->getOperands(), op->getDiscardableAttrDictionary(),
          op->getPropertiesStorage(), op->getRegions(), inferred))) {
    return failure();
  }
  if (inferred.size() != op->getNumResults() ||
      names.size() > inferred.size()) {
    return emitError(loc) << "expected at most " << inferred.size()
                          << " outputs of " << op->getName().stripDialect()
                          << ", found " << names.size();
  }
  for (auto [i, type] : llvm::enumerate(inferred)) {
    RankedTensorType stated;
    if (i < names.size()) {
      stated = scope.declared.lookup(names[i]);
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    op->getResult(i).setType(tensor ? refineType(tensor, stated) : type);
  }
  return success();
}

LogicalResult GraphImporter::finishControlFlow(Operation *op,
                                               const onnx::NodeProto &proto,
                                               Scope &scope) {
  return failure(
      failed(inferResults(op, getOutputNames(proto), scope)) ||
      failed(defineAll(scope, proto, op->getResults(), op->getLoc())));
}

/// True where a body declares that its input `i` has a dimension.
static bool isVector(const onnx::GraphProto &body, int i) {
  return i < body.input_size() &&
         body.input(i).type().tensor_type().shape().dim_size() == 1;
}

/// The arguments of a body as its graph declares them: bodies of Loop may have
/// the number of the run and the condition as vectors of one element.
static SmallVector<Value> getGraphArguments(OpBuilder &builder, Operation *op,
                                            Block *block,
                                            const onnx::GraphProto &graph) {
  SmallVector<Value> arguments(block->getArguments());
  for (int i : {0, 1}) {
    if (isa<IE::LoopOp>(op) && isVector(graph, i)) {
      Value axes = IE::ConstantOp::create(builder, op->getLoc(),
                                          builder.getI64TensorAttr(0));
      arguments[i] =
          IE::UnsqueezeOp::create(builder, op->getLoc(), arguments[i], axes);
    }
  }
  return arguments;
}

Value GraphImporter::getScalarCondition(Value condition) {
  auto type = dyn_cast<RankedTensorType>(condition.getType());
  if (!type || type.getRank() != 1) {
    return condition;
  }
  Location loc = condition.getLoc();
  auto scalar = RankedTensorType::get({}, type.getElementType());
  std::optional<interpreter::Tensor> known = conditions.getValue(condition);
  if (known && known->getType().getNumElements() == 1) {
    return IE::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(scalar, known->getInt(0) != 0));
  }
  Value axes =
      IE::ConstantOp::create(builder, loc, builder.getI64TensorAttr(0));
  return IE::SqueezeOp::create(builder, loc, condition, axes);
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
    SmallVector<Value> arguments = getGraphArguments(builder, op, block, graph);
    FailureOr<SmallVector<Value>> values =
        importSubgraph(graph, arguments, scope, depth);
    if (failed(values)) {
      return failure();
    }
    if (isa<IE::LoopOp>(op) && !values->empty()) {
      Value &next = values->front();
      next = next == arguments[1] ? Value(block->getArgument(1))
                                  : getScalarCondition(next);
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
