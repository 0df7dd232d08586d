//===- ListingGraph.cpp - Listings of graphs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE has values, no memory. So each value gets a buffer, alive from the op that
// computes it to the last that uses it; what an op computes element by element
// takes the place of an operand that nobody needs any more, and what the model
// gives is computed where the caller wants it.
//
//===----------------------------------------------------------------------===//

#include "ListingText.h"
#include "Listings.h"

#include "nacre/Dialect/IE/IR/ElementTraits.h"
#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Export/ONNX/GraphNames.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Transforms/Buffer/MemoryPlanner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using listing::Access;
using listing::Item;
using listing::Storage;
using onnx_export::GraphNames;

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

//===----------------------------------------------------------------------===//
// Facts about ops
//===----------------------------------------------------------------------===//

/// True for an op whose result may take the place of an operand of the same
/// sizes.
static bool computesInPlace(Operation *op, Value operand) {
  if (op->getNumResults() != 1) {
    return false;
  }
  if (op->hasTrait<IE::KeepsElements>()) {
    return operand == op->getOperand(0);
  }
  auto from = dyn_cast<RankedTensorType>(operand.getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return (op->hasTrait<OpTrait::Elementwise>() ||
          op->hasTrait<IE::Broadcasts>()) &&
         from && to && from.getShape() == to.getShape();
}

/// The operands of a product with a constant matrix.
static std::optional<IE::LinearOperands> getMatrixOperands(Operation *op) {
  auto linear = dyn_cast<IE::QuantizableOpInterface>(op);
  if (!linear || linear.getQuantizableKind() != IE::QuantizableKind::Linear) {
    return std::nullopt;
  }
  std::optional<IE::LinearOperands> operands = linear.getLinearOperands();
  if (!operands || !isConstant(operands->weights->get()) ||
      cast<RankedTensorType>(operands->weights->get().getType()).getRank() !=
          2) {
    return std::nullopt;
  }
  return operands;
}

/// True where the matrix is stored as its transpose, for all of its users.
static bool isTransposedMatrix(Value constant) {
  return !constant.use_empty() &&
         llvm::all_of(constant.getUses(), [](OpOperand &use) {
           auto operands = getMatrixOperands(use.getOwner());
           return operands && operands->weights == &use &&
                  operands->channelAxis == 0;
         });
}

/// The one element of a constant.
static std::optional<interpreter::Tensor> getScalar(Value value) {
  ElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != 1) {
    return std::nullopt;
  }
  FailureOr<interpreter::Tensor> tensor =
      interpreter::Tensor::fromAttr(elements);
  return failed(tensor) ? std::nullopt : std::optional(*tensor);
}

template <typename OpT> static std::string describeScale(OpT op) {
  std::optional<interpreter::Tensor> scale = getScalar(op.getScale());
  std::optional<interpreter::Tensor> zero = getScalar(op.getZeroPoint());
  if (!scale) {
    return "scales along dimension " + std::to_string(op.getAxis());
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("scale %.6g", scale->getDouble(0)) << ", zero "
      << (zero ? zero->getInt(0) : 0);
  return text;
}

/// What the integers of a value stand for; empty where nobody says it.
static std::string getQuantization(Value value) {
  if (auto op = value.getDefiningOp<IE::QuantizeLinearOp>()) {
    return describeScale(op);
  }
  for (OpOperand &use : value.getUses()) {
    auto op = dyn_cast<IE::DequantizeLinearOp>(use.getOwner());
    if (op && use.get() == op.getInput()) {
      return describeScale(op);
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The collector
//===----------------------------------------------------------------------===//

namespace {

/// Values that have the same memory, one after the other.
struct Buffer {
  SmallVector<Value> values;
  /// What it lives in.
  Block *scope;
  std::optional<size_t> region;
};

class GraphCollector {
public:
  GraphCollector(func::FuncOp main, CountMACs countMACs)
      : main(main), countMACs(countMACs), names(main) {}

  listing::Function collect();

private:
  /// The steps from the first to the last of an op and its bodies.
  struct Span {
    int64_t first, last;
  };
  void number(Block &block);
  void addBuffer(Value value, Block *scope);
  void assignBuffers(Block &block);
  std::optional<size_t> findReusable(Operation *op);
  bool diesAt(Value value, Operation *op);
  Span getLifetime(const Buffer &buffer);

  size_t addRegion(Value value, Storage kind, const std::string &name);
  void addConstants();
  void addInterface();
  void placeBuffers();
  std::string getName(Value value);
  std::string makeUnique(const std::string &name, bool isInterface);

  void buildBody(Block &block, listing::Body &body);
  void buildInstruction(Operation &op, listing::Body &body);
  void addCopies(listing::Body &body);
  listing::Operand getOperand(Access access, Value value) {
    return {access, regions.lookup(value), {}};
  }

  func::FuncOp main;
  CountMACs countMACs;
  GraphNames names;
  listing::Function function;
  DenseMap<Operation *, Span> spans;
  DenseMap<Block *, int64_t> starts; // of those with arguments
  int64_t numSteps = 0;
  std::vector<Buffer> buffers;
  DenseMap<Value, size_t> bufferOf, regions;
  /// The buffers that live in a block.
  DenseMap<Block *, SmallVector<size_t>> locals;
  /// What must be copied at the end: the region of an output, and its value.
  SmallVector<std::pair<size_t, Value>> copies;
  /// The names of inputs and outputs, which nothing else has, and all.
  llvm::StringSet<> interfaceNames, taken;
};

} // namespace

void GraphCollector::number(Block &block) {
  if (block.getNumArguments() > 0 && block.getParentOp() != main) {
    starts[&block] = numSteps++;
  }
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      continue;
    }
    int64_t first = numSteps++;
    for (Region &region : op.getRegions()) {
      number(region.front());
    }
    spans[&op] = {first, numSteps - 1};
  }
}

void GraphCollector::addBuffer(Value value, Block *scope) {
  bufferOf[value] = buffers.size();
  buffers.push_back({{value}, scope, std::nullopt});
}

/// True where `op` is the last that uses the value, in its block.
bool GraphCollector::diesAt(Value value, Operation *op) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && !ancestor->hasTrait<OpTrait::IsTerminator>() &&
           spans.at(ancestor).last <= spans.at(op).last;
  });
}

/// The buffer of an operand that the op's result can take.
std::optional<size_t> GraphCollector::findReusable(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto found = bufferOf.find(operand);
    if (found == bufferOf.end() ||
        buffers[found->second].scope != op->getBlock() ||
        !isa<OpResult>(operand) || !computesInPlace(op, operand) ||
        !diesAt(operand, op)) {
      continue;
    }
    listing::Bytes from = countRegionBytes(operand.getType());
    bool hasSameBytes = from == countRegionBytes(op->getResult(0).getType()) &&
                        (!from.isOpen || op->hasTrait<IE::KeepsElements>());
    if (hasSameBytes) {
      return found->second;
    }
  }
  return std::nullopt;
}

/// Results of an op without those behind the first that nobody reads, such as
/// the statistics of a normalisation: operators may leave them out.
static ResultRange getShownResults(Operation *op) {
  unsigned count = op->getNumResults();
  while (count > 1 && op->getResult(count - 1).use_empty()) {
    --count;
  }
  return op->getResults().take_front(count);
}

void GraphCollector::assignBuffers(Block &block) {
  if (block.getParentOp() != main) {
    for (BlockArgument argument : block.getArguments()) {
      addBuffer(argument, &block);
    }
  }
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      continue;
    }
    std::optional<size_t> reused = findReusable(&op);
    if (reused) {
      bufferOf[op.getResult(0)] = *reused;
      buffers[*reused].values.push_back(op.getResult(0));
    } else {
      for (Value result : getShownResults(&op)) {
        addBuffer(result, &block);
      }
    }
    for (Region &region : op.getRegions()) {
      assignBuffers(region.front());
    }
  }
}

GraphCollector::Span GraphCollector::getLifetime(const Buffer &buffer) {
  Value first = buffer.values.front();
  Span life;
  if (Operation *def = first.getDefiningOp()) {
    life.first = spans.at(def).first;
  } else {
    life.first = starts.at(buffer.scope);
  }
  life.last = life.first;
  if (Operation *def = first.getDefiningOp()) {
    life.last = spans.at(def).last;
  }
  for (Value value : buffer.values) {
    for (Operation *user : value.getUsers()) {
      Operation *ancestor = buffer.scope->findAncestorOpInBlock(*user);
      life.last = std::max(life.last, spans.at(ancestor).last);
    }
  }
  return life;
}

std::string GraphCollector::makeUnique(const std::string &name,
                                       bool isInterface) {
  std::string unique = name;
  for (int number = 2; (!isInterface && interfaceNames.contains(unique)) ||
                       !taken.insert(unique).second;
       ++number) {
    unique = name + "#" + std::to_string(number);
  }
  return unique;
}

/// What the model calls the value; of an op's value that has no name there, the
/// node with a number.
std::string GraphCollector::getName(Value value) {
  std::string name = names.getName(value);
  if (name.empty()) {
    Operation *op = value.getDefiningOp();
    name = names.makeName(op ? op : value.getParentBlock()->getParentOp());
  }
  return name;
}

size_t GraphCollector::addRegion(Value value, Storage kind,
                                 const std::string &name) {
  listing::Region region;
  region.name = makeUnique(name, kind == Storage::Placeholder);
  region.kind = kind;
  region.type = getRegionType(value.getType());
  region.bytes = countRegionBytes(value.getType());
  region.quantization = getQuantization(value);
  function.regions.push_back(std::move(region));
  return function.regions.size() - 1;
}

/// In the order in which they are used. A matrix is shown as it is multiplied
/// with, one row for each element of the sums.
void GraphCollector::addConstants() {
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isConstant(operand) || regions.contains(operand)) {
        continue;
      }
      size_t region = addRegion(operand, Storage::Constant, getName(operand));
      regions[operand] = region;
      if (isTransposedMatrix(operand)) {
        auto type = cast<RankedTensorType>(operand.getType());
        function.regions[region].type =
            getRegionType(type.clone({type.getDimSize(1), type.getDimSize(0)}));
      }
    }
  });
}

/// Inputs and outputs; what a state becomes has no memory of its own.
void GraphCollector::addInterface() {
  DenseMap<int64_t, size_t> states;
  for (BlockArgument argument : main.getArguments()) {
    unsigned number = argument.getArgNumber();
    regions[argument] = addRegion(argument, Storage::Placeholder,
                                  GraphNames::getArgumentName(main, number));
    if (auto state = abi::getOfArgument<abi::State>(main, number)) {
      states[state.getInt()] = regions[argument];
    }
  }
  Operation *end = main.front().getTerminator();
  for (OpOperand &result : end->getOpOperands()) {
    unsigned number = result.getOperandNumber();
    auto state = states.find(number);
    if (state != states.end()) {
      copies.emplace_back(state->second, result.get());
      continue;
    }
    size_t region = addRegion(result.get(), Storage::Placeholder,
                              GraphNames::getResultName(main, number));
    auto found = bufferOf.find(result.get());
    if (found != bufferOf.end() && !buffers[found->second].region) {
      buffers[found->second].region = region;
    } else {
      copies.emplace_back(region, result.get());
    }
  }
}

/// Gives the buffers of known size places, as plan-memory would.
void GraphCollector::placeBuffers() {
  constexpr int64_t kAlignment = 64;
  SmallVector<BufferLifetime> lifetimes;
  SmallVector<size_t> planned;
  for (Buffer &buffer : buffers) {
    Value named = buffer.values.back();
    if (!buffer.region) {
      buffer.region = addRegion(named, Storage::Activation, getName(named));
      locals[buffer.scope].push_back(*buffer.region);
      listing::Bytes bytes = function.regions[*buffer.region].bytes;
      if (bytes.isOpen) {
        function.activations.isOpen = true;
      } else {
        Span life = getLifetime(buffer);
        lifetimes.push_back({bytes.known, life.first, life.last});
        planned.push_back(*buffer.region);
      }
    }
    for (Value value : buffer.values) {
      regions[value] = *buffer.region;
    }
  }
  MemoryPlan plan = planMemory(lifetimes, kAlignment);
  for (auto [region, lifetime] : llvm::zip_equal(planned, lifetimes)) {
    function.regions[region].offset = lifetime.offset;
  }
  function.activations.known = plan.bytes;
  function.liveSet = {plan.lowerBound, function.activations.isOpen};
}

void GraphCollector::buildInstruction(Operation &op, listing::Body &body) {
  Item item;
  auto product = getMatrixOperands(&op);
  // With its matrix as the listing shows it.
  bool isFullyConnected =
      product && (product->channelAxis == 1 ||
                  isTransposedMatrix(product->weights->get()));
  item.mnemonic =
      isFullyConnected ? "fullyconnected" : op.getName().stripDialect().lower();
  if (!isFullyConnected) {
    item.attributes = llvm::join(getAttributeTexts(&op), ", ");
  }
  item.comment = names.getNodeName(&op);
  for (Value result : getShownResults(&op)) {
    item.operands.push_back(getOperand(Access::Out, result));
  }
  for (Value operand : op.getOperands()) {
    item.operands.push_back(getOperand(Access::In, operand));
  }
  auto remark = [&](const Twine &text) {
    item.comment += (item.comment.empty() ? text : ", " + text).str();
  };
  if (std::optional<double> macs = countMACs(&op)) {
    remark(Twine(static_cast<int64_t>(*macs)) + " MAC");
  }
  for (Value operand : op.getOperands()) {
    if (op.getNumResults() == 1 &&
        regions.lookup(operand) == regions.lookup(op.getResult(0))) {
      remark("in place");
      break;
    }
  }
  for (Region &region : op.getRegions()) {
    buildBody(region.front(), item.bodies.emplace_back());
  }
  body.push_back(std::move(item));
}

/// What a run writes into a body, and what it takes out of it, are instructions
/// of their own.
void GraphCollector::buildBody(Block &block, listing::Body &body) {
  if (starts.contains(&block)) {
    Item enter;
    enter.mnemonic = "enter";
    for (BlockArgument argument : block.getArguments()) {
      enter.operands.push_back(getOperand(Access::Out, argument));
    }
    body.push_back(std::move(enter));
  }
  for (Operation &op : block) {
    bool isEnd = &op == main.front().getTerminator();
    if (!isEnd && !op.hasTrait<OpTrait::ConstantLike>()) {
      buildInstruction(op, body);
    }
  }
  if (&block == &main.front()) {
    addCopies(body);
  }
  listing::allocate(body, locals[&block]);
}

void GraphCollector::addCopies(listing::Body &body) {
  for (auto [region, value] : copies) {
    // A state that nothing changes.
    if (regions.lookup(value) == region) {
      continue;
    }
    Item copy;
    copy.mnemonic = "copy";
    copy.operands = {{Access::Out, region, {}}, getOperand(Access::In, value)};
    body.push_back(std::move(copy));
  }
}

listing::Function GraphCollector::collect() {
  llvm::SmallDenseSet<int64_t> states;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    interfaceNames.insert(GraphNames::getArgumentName(main, i));
    if (auto state = abi::getOfArgument<abi::State>(main, i)) {
      states.insert(state.getInt());
    }
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    if (!states.contains(i)) {
      interfaceNames.insert(GraphNames::getResultName(main, i));
    }
  }
  number(main.front());
  assignBuffers(main.front());
  addConstants();
  addInterface();
  placeBuffers();
  buildBody(main.front(), function.code);
  listing::complete(function);
  return std::move(function);
}

FailureOr<listing::Function> driver::listGraph(ModuleOp module,
                                               CountMACs countMACs) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock()) {
    return module.emitError("expected a function main of one block");
  }
  listing::Function function = GraphCollector(main, countMACs).collect();
  function.level = "graph";
  return function;
}
