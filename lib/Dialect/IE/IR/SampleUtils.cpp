//===- SampleUtils.cpp - Which ops keep samples apart ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value of a function is the same for all samples, or tells how many
// there are, or has one part for each of them along some dimension. The ops say
// which parts of their results follow from which of their operands. What a body
// carries from run to run has its samples where they were before the first one.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Utils/SampleUtils.h"

#include "nacre/Dialect/IE/IR/IE.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/ShapeElements.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nacre;

bool IE::computesSamples(Operation *op) {
  if (op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), IE::getBatchType)) {
    return false;
  }
  if (auto samples = dyn_cast<IE::SamplesOpInterface>(op)) {
    return samples.computesSamples();
  }
  bool isElementwise =
      op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<IE::Broadcasts>();
  return isElementwise && IE::broadcastsOverBatch(op);
}

namespace {

/// What a value has to do with samples.
struct Content {
  enum class Kind {
    /// It is the same for all of them.
    Common,
    /// It follows from how many there are.
    Count,
    /// It has a part for each.
    Samples
  };

  Kind kind = Kind::Common;
  IE::SamplePlace place;

  static Content of(const IE::MaybeSamples &samples) {
    return samples ? Content{Kind::Samples, *samples} : Content();
  }
  bool isCommon() const { return kind == Kind::Common; }
  bool isCount() const { return kind == Kind::Count; }
  bool hasSamples() const { return kind == Kind::Samples; }
  bool operator==(const Content &other) const {
    return kind == other.kind && (!hasSamples() || place == other.place);
  }
};

class SampleTracer {
public:
  bool trace(func::FuncOp function);
  bool traceRows(IE::ScanOp op);

private:
  using Contents = SmallVector<Content>;

  bool traceArguments(func::FuncOp function);
  bool visit(Operation &op);
  FailureOr<Contents> follow(Operation *op);
  IE::SamplesOfResults followPlaces(Operation *op);
  IE::SamplesOfResults followFirstDims(Operation *op,
                                       ArrayRef<IE::MaybeSamples> operands);
  IE::SamplesOfResults followExpand(IE::ExpandOp op);

  FailureOr<Contents> visitBody(Region &region, ArrayRef<Content> arguments);
  FailureOr<Contents> followIf(IE::IfOp op);
  FailureOr<Contents> followLoop(IE::LoopOp op);
  FailureOr<Contents> followScan(IE::ScanOp op);
  FailureOr<Contents> followSampleByRun(IE::ScanOp op);

  Content get(Value value) const { return contents.lookup(value); }
  bool isNumberOfSamples(IE::ShapeElement element);

  llvm::DenseMap<Value, Content> contents;
  IE::ShapeElements elements;
};

} // namespace

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// The only dimension of unknown size.
static std::optional<int64_t> getOpenDim(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getNumDynamicDims() != 1) {
    return std::nullopt;
  }
  return llvm::find_if(tensor.getShape(), ShapedType::isDynamic) -
         tensor.getShape().begin();
}

/// All arguments whose number of samples is open are of one batch: all have the
/// same name for it, or none has one.
bool SampleTracer::traceArguments(func::FuncOp function) {
  std::optional<StringRef> batch;
  for (BlockArgument argument : function.getArguments()) {
    if (isStatic(argument)) {
      contents[argument] = Content();
      continue;
    }
    std::optional<int64_t> dim = getOpenDim(argument.getType());
    if (!dim) {
      return false;
    }
    auto names =
        abi::getOfArgument<abi::Dims>(function, argument.getArgNumber());
    StringRef name = names && !names.empty()
                         ? cast<StringAttr>(names[*dim]).getValue()
                         : StringRef();
    if (batch && *batch != name) {
      return false;
    }
    batch = name;
    contents[argument] = Content::of(IE::SamplePlace{*dim, 1});
  }
  return batch.has_value();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// True if an element of a shape is the number of samples.
bool SampleTracer::isNumberOfSamples(IE::ShapeElement element) {
  using Kind = IE::ElementOrigin::Kind;
  while (true) {
    IE::ElementOrigin origin = elements.getOrigin(element);
    if (origin.kind == Kind::Size) {
      Content content = get(origin.tensor);
      return content.hasSamples() &&
             content.place == IE::SamplePlace{origin.number, 1};
    }
    if (origin.kind != Kind::Copy) {
      return false;
    }
    element = origin.lhs;
  }
}

/// The samples of what is repeated for each, or stays what it is.
IE::SamplesOfResults SampleTracer::followExpand(IE::ExpandOp op) {
  Content data = get(op.getInput());
  // Of the shape, elements decide; numbers that follow from how many samples
  // there are, are no samples by being repeated for each.
  if (data.isCount()) {
    return failure();
  }
  auto from = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto to = dyn_cast<RankedTensorType>(op.getOutput().getType());
  std::optional<SmallVector<int64_t>> shape = IE::getKnownInts(op.getShape());
  if (!from || !to || !shape) {
    return failure();
  }
  int64_t newDims = to.getRank() - from.getRank();
  int64_t skipped = to.getRank() - static_cast<int64_t>(shape->size());
  IE::MaybeSamples result;
  if (data.hasSamples()) {
    result = IE::SamplePlace{data.place.dim + newDims, data.place.size};
  }
  for (auto [i, size] : llvm::enumerate(*shape)) {
    int64_t dim = skipped + static_cast<int64_t>(i);
    bool isCounted =
        isNumberOfSamples({op.getShape(), static_cast<int64_t>(i)});
    if (result && result->dim == dim) {
      if (size != 1 && !(isCounted && result->size == 1)) {
        return failure();
      }
      continue;
    }
    if (ShapedType::isDynamic(size) && !get(op.getShape()).isCommon()) {
      if (result || !isCounted ||
          !IE::isBroadcastAlong(op.getInput(), to.getRank() - dim)) {
        return failure();
      }
      result = IE::SamplePlace{dim, 1};
    }
  }
  return SmallVector<IE::MaybeSamples>{result};
}

/// The samples of ops that say it of first dimensions alone.
IE::SamplesOfResults
SampleTracer::followFirstDims(Operation *op,
                              ArrayRef<IE::MaybeSamples> operands) {
  constexpr IE::SamplePlace kFirst;
  for (auto [operand, samples] : llvm::zip_equal(op->getOperands(), operands)) {
    // A first dimension that is open looks like a batch, and is none.
    if (samples ? !(*samples == kFirst) : !isStatic(operand)) {
      return failure();
    }
  }
  if (!IE::computesSamples(op)) {
    return failure();
  }
  return SmallVector<IE::MaybeSamples>(op->getNumResults(), kFirst);
}

/// Where results have their samples; fails where an op may mix them.
IE::SamplesOfResults SampleTracer::followPlaces(Operation *op) {
  if (auto expand = dyn_cast<IE::ExpandOp>(op)) {
    return followExpand(expand);
  }
  SmallVector<IE::MaybeSamples> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Content content = get(operand.get());
    // Of a shape, elements decide.
    bool isShape =
        op->hasTrait<IE::KeepsElements>() && operand.getOperandNumber() > 0;
    if (content.isCount() && !isShape) {
      return failure();
    }
    operands.push_back(content.hasSamples() ? IE::MaybeSamples(content.place)
                                            : IE::MaybeSamples());
  }
  if (op->hasTrait<IE::KeepsElements>()) {
    return IE::followElements(op, operands);
  }
  if (op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<IE::Broadcasts>()) {
    return IE::followBroadcast(op, operands);
  }
  if (auto places = dyn_cast<IE::SamplePlacesOpInterface>(op)) {
    return places.followSamples(operands);
  }
  return followFirstDims(op, operands);
}

/// What each result has to do with samples, some of which the op reads.
FailureOr<SampleTracer::Contents> SampleTracer::follow(Operation *op) {
  if (isa<IE::ShapeOp, IE::SizeOp>(op)) {
    return Contents{Content{Content::Kind::Count, {}}};
  }
  if (auto branch = dyn_cast<IE::IfOp>(op)) {
    return followIf(branch);
  }
  if (auto loop = dyn_cast<IE::LoopOp>(op)) {
    return followLoop(loop);
  }
  if (auto scan = dyn_cast<IE::ScanOp>(op)) {
    return followScan(scan);
  }
  IE::SamplesOfResults places = followPlaces(op);
  if (op->getNumRegions() > 0 || failed(places)) {
    return failure();
  }
  return llvm::map_to_vector(*places, Content::of);
}

/// True if types alone tell what the integers of a shape are.
static bool isKnown(Value value) {
  std::optional<SmallVector<int64_t>> ints = IE::getKnownInts(value);
  return ints && !llvm::is_contained(*ints, ShapedType::kDynamic);
}

bool SampleTracer::visit(Operation &op) {
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  bool readsSamples =
      llvm::any_of(used, [&](Value value) { return get(value).hasSamples(); });
  bool readsCount =
      llvm::any_of(used, [&](Value value) { return get(value).isCount(); });
  Contents results(op.getNumResults());
  if (readsSamples || (readsCount && isa<IE::ExpandOp>(op))) {
    FailureOr<Contents> found = follow(&op);
    if (failed(found)) {
      return false;
    }
    results = *found;
  } else if (readsCount) {
    results.assign(op.getNumResults(), Content{Content::Kind::Count, {}});
  }
  for (auto [result, content] : llvm::zip_equal(op.getResults(), results)) {
    contents[result] =
        content.isCount() && isKnown(result) ? Content() : content;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// What is yielded where the arguments are these.
FailureOr<SampleTracer::Contents>
SampleTracer::visitBody(Region &region, ArrayRef<Content> arguments) {
  Block &body = region.front();
  for (auto [argument, content] :
       llvm::zip_equal(body.getArguments(), arguments)) {
    contents[argument] = content;
  }
  bool keepsApart = llvm::all_of(body.without_terminator(),
                                 [&](Operation &op) { return visit(op); });
  if (!keepsApart) {
    return failure();
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return get(value); });
}

FailureOr<SampleTracer::Contents> SampleTracer::followIf(IE::IfOp op) {
  FailureOr<Contents> yielded = visitBody(op.getThenBranch(), {});
  FailureOr<Contents> otherwise = visitBody(op.getElseBranch(), {});
  if (!get(op.getCondition()).isCommon() || failed(yielded) ||
      failed(otherwise) || *yielded != *otherwise) {
    return failure();
  }
  return yielded;
}

FailureOr<SampleTracer::Contents> SampleTracer::followLoop(IE::LoopOp op) {
  auto isCommon = [&](Value value) { return !value || get(value).isCommon(); };
  if (!isCommon(op.getMaxTripCount()) || !isCommon(op.getCondition())) {
    return failure();
  }
  // The number of the run, and whether it is to be.
  Contents arguments(2);
  for (Value carried : op.getCarried()) {
    arguments.push_back(get(carried));
  }
  FailureOr<Contents> yielded = visitBody(op.getBody(), arguments);
  size_t numCarried = op.getCarried().size();
  if (failed(yielded) || !yielded->front().isCommon() ||
      ArrayRef(*yielded).slice(1, numCarried) !=
          ArrayRef(arguments).drop_front(2)) {
    return failure();
  }
  Contents results(llvm::drop_begin(*yielded));
  // What is stacked has a new first dimension.
  for (Content &scanned : MutableArrayRef(results).drop_front(numCarried)) {
    scanned.place.dim += 1;
  }
  return results;
}

/// A run for each sample: nothing may go from one to another.
FailureOr<SampleTracer::Contents>
SampleTracer::followSampleByRun(IE::ScanOp op) {
  for (unsigned i = 0, end = op.getNumScanInputs(); i != end; ++i) {
    Content content = get(op.getScannedInputs()[i]);
    if (!(content == Content::of(IE::SamplePlace{op.getInputAxis(i), 1})) ||
        op.isInputReversed(i) != op.isInputReversed(0)) {
      return failure();
    }
  }
  FailureOr<Contents> yielded =
      visitBody(op.getBody(), Contents(op.getBody().front().getNumArguments()));
  if (failed(yielded) || op.getNumStates() > 0 ||
      !llvm::all_of(*yielded,
                    [](Content &content) { return content.isCommon(); })) {
    return failure();
  }
  Contents results;
  for (unsigned i = 0, end = op.getNumScannedOutputs(); i != end; ++i) {
    if (op.isOutputReversed(i) != op.isInputReversed(0)) {
      return failure();
    }
    results.push_back(Content::of(IE::SamplePlace{op.getOutputAxis(i), 1}));
  }
  return results;
}

FailureOr<SampleTracer::Contents> SampleTracer::followScan(IE::ScanOp op) {
  Contents arguments;
  for (Value state : op.getStates()) {
    arguments.push_back(get(state));
  }
  unsigned numStates = op.getNumStates();
  for (auto [i, input] : llvm::enumerate(op.getScannedInputs())) {
    Content content = get(input);
    int64_t axis = op.getInputAxis(i);
    // There may be a run for each sample, that all results follow from.
    if (content.isCount()) {
      return failure();
    }
    if (content.hasSamples() && content.place.dim == axis) {
      return followSampleByRun(op);
    }
    content.place.dim -= axis < content.place.dim ? 1 : 0;
    arguments.push_back(content);
  }
  FailureOr<Contents> yielded = visitBody(op.getBody(), arguments);
  if (failed(yielded) || ArrayRef(*yielded).take_front(numStates) !=
                             ArrayRef(arguments).take_front(numStates)) {
    return failure();
  }
  for (unsigned i = 0, end = op.getNumScannedOutputs(); i != end; ++i) {
    Content &content = (*yielded)[numStates + i];
    content.place.dim += op.getOutputAxis(i) <= content.place.dim ? 1 : 0;
  }
  return yielded;
}

bool SampleTracer::trace(func::FuncOp function) {
  if (!traceArguments(function)) {
    return false;
  }
  Block &body = function.getBody().front();
  return llvm::all_of(body.without_terminator(),
                      [&](Operation &op) { return visit(op); }) &&
         llvm::none_of(body.getTerminator()->getOperands(),
                       [&](Value value) { return get(value).isCount(); });
}

bool IE::keepsSamplesApart(func::FuncOp function) {
  return SampleTracer().trace(function);
}

/// The rows of states and elements are samples.
bool SampleTracer::traceRows(IE::ScanOp op) {
  const Content rows = Content::of(IE::SamplePlace{0, 1});
  Block &body = op.getBody().front();
  unsigned numStates = op.getNumStates();
  Contents arguments;
  for (BlockArgument argument : body.getArguments()) {
    bool isElement = argument.getArgNumber() >= numStates;
    if (isElement && isStatic(argument)) {
      arguments.push_back(Content());
      continue;
    }
    if (getOpenDim(argument.getType()) != 0) {
      return false;
    }
    arguments.push_back(rows);
  }
  // What is computed outside may have to do with rows, too.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getBody(), captured);
  if (numStates == 0 || !llvm::all_of(captured, [](Value value) {
        return static_cast<bool>(IE::getConstantElements(value));
      })) {
    return false;
  }
  bool yieldsRows =
      llvm::all_of(body.getTerminator()->getOperandTypes(),
                   [](Type type) { return getOpenDim(type) == 0; });
  FailureOr<Contents> yielded = visitBody(op.getBody(), arguments);
  return yieldsRows && succeeded(yielded) &&
         llvm::all_of(*yielded,
                      [&](const Content &content) { return content == rows; });
}

bool IE::keepsRowsApart(IE::ScanOp op) { return SampleTracer().traceRows(op); }
