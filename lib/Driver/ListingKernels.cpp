//===- ListingKernels.cpp - Listings of kernels ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is the arguments of @main, views of the arena and of the weights, and
// what a run allocates. What a kernel does with it, its body tells. A kernel
// may take the arena as a whole, for buffers of its own.
//
//===----------------------------------------------------------------------===//

#include "KernelMemory.h"
#include "ListingText.h"
#include "Listings.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using listing::Item;
using listing::Storage;

namespace {

class KernelCollector {
public:
  KernelCollector(ModuleOp module, func::FuncOp main)
      : module(module), main(main), memory(main) {}

  listing::Function collect();

private:
  /// "a0", "a1" and so on.
  std::string makeName(char kind) {
    return kind + std::to_string(numbers[kind]++);
  }
  void addArguments();
  size_t addRegion(StringRef name, Storage kind, Type type);
  size_t getRegion(Value root);
  size_t getWeight(memref::ViewOp view);
  size_t getBuffer(const PlacedBuffer &buffer, Block *scope);
  void buildBody(Block &block, listing::Body &body);
  void addInstruction(Operation &op, listing::Body &body);

  ModuleOp module;
  func::FuncOp main;
  KernelMemory memory;
  listing::Function function;
  DenseMap<Value, size_t> regions;
  DenseMap<int64_t, size_t> weights; // by offset
  /// What is allocated in a block.
  DenseMap<Block *, SmallVector<size_t>> locals;
  llvm::StringSet<> taken;
  llvm::SmallDenseMap<char, int64_t> numbers;
};

} // namespace

size_t KernelCollector::addRegion(StringRef name, Storage kind, Type type) {
  listing::Region region;
  region.name = name.str();
  for (int number = 2; !taken.insert(region.name).second; ++number) {
    region.name = name.str() + "#" + std::to_string(number);
  }
  region.kind = kind;
  region.type = getRegionType(type);
  region.bytes = countRegionBytes(type);
  function.regions.push_back(std::move(region));
  return function.regions.size() - 1;
}

/// Inputs, and outputs other than what states become, by their roles.
void KernelCollector::addArguments() {
  SmallVector<std::string> inputs, outputs;
  auto interface = abi::get<abi::Interface>(module);
  DenseSet<int64_t> states;
  auto add = [&](SmallVectorImpl<std::string> &names, DictionaryAttr value,
                 const Twine &otherwise) {
    auto name = abi::get<abi::Name>(value);
    names.push_back(name ? name.str() : otherwise.str());
  };
  for (size_t i = 0; interface && i < interface.getInputs().size(); ++i) {
    if (auto state = abi::get<abi::State>(interface.getInput(i))) {
      states.insert(state.getInt());
    }
    add(inputs, interface.getInput(i), "input" + Twine(i));
  }
  for (size_t i = 0; interface && i < interface.getOutputs().size(); ++i) {
    if (!states.contains(static_cast<int64_t>(i))) {
      add(outputs, interface.getOutput(i), "output" + Twine(i));
    }
  }
  size_t numInputs = 0, numOutputs = 0;
  for (BlockArgument argument : main.getArguments()) {
    if (memory.isStorage(argument)) {
      continue;
    }
    std::optional<abi::Role> role = abi::getRole(argument);
    bool isOutput = role == abi::Role::Output;
    bool isInput = role == abi::Role::Input || role == abi::Role::State;
    ArrayRef<std::string> names = isOutput  ? ArrayRef(outputs)
                                  : isInput ? ArrayRef(inputs)
                                            : ArrayRef<std::string>();
    size_t number = isOutput ? numOutputs++ : isInput ? numInputs++ : 0;
    std::string name =
        number < names.size()
            ? names[number]
            : "argument" + std::to_string(argument.getArgNumber());
    regions[argument] =
        addRegion(name, Storage::Placeholder, argument.getType());
  }
}

/// The constant that a view of the weights is, which may have several views.
size_t KernelCollector::getWeight(memref::ViewOp view) {
  PlacedBuffer place = memory.getPlace(view);
  auto [entry, isNew] = weights.try_emplace(place.offset, 0);
  if (isNew) {
    entry->second = addRegion(makeName('w'), Storage::Constant, view.getType());
    function.regions[entry->second].offset = place.offset;
  }
  return entry->second;
}

size_t KernelCollector::getBuffer(const PlacedBuffer &buffer, Block *scope) {
  size_t region = addRegion(makeName('a'), Storage::Activation, buffer.type);
  listing::Region &added = function.regions[region];
  added.offset = buffer.offset;
  added.copies = buffer.copies;
  added.bytes = {buffer.bytes, false};
  locals[scope].push_back(region);
  return region;
}

/// The region of what findRoots() has found.
size_t KernelCollector::getRegion(Value root) {
  auto found = regions.find(root);
  if (found != regions.end()) {
    return found->second;
  }
  memref::ViewOp view = memory.getPlacedView(root);
  size_t region;
  if (view && memory.isOfWeights(view)) {
    region = getWeight(view);
  } else if (view) {
    region = getBuffer(memory.getPlace(view), view->getBlock());
  } else {
    // Where a value of the runtime goes to is known only at run time.
    region = addRegion(makeName('v'), Storage::Activation, root.getType());
    locals[&main.front()].push_back(region);
  }
  regions[root] = region;
  return region;
}

/// The nodes of the model that an op comes from.
static std::string describeNodes(Location loc) {
  constexpr size_t kMostNodes = 4;
  SmallVector<StringRef> nodes;
  loc->walk([&](Location part) {
    auto name = dyn_cast<NameLoc>(part);
    if (name && !llvm::is_contained(nodes, name.getName().getValue())) {
      nodes.push_back(name.getName());
    }
    return WalkResult::advance();
  });
  std::string text = llvm::join(ArrayRef(nodes).take_front(kMostNodes), " + ");
  return nodes.size() > kMostNodes ? text + " + ..." : text;
}

/// "0 to 8 step 2" for each dimension of a loop.
static std::string describeRange(LoopLikeOpInterface loop) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lower || !upper || !steps) {
    return "";
  }
  auto toText = [](OpFoldResult number) {
    std::optional<int64_t> known = getConstantIntValue(number);
    return known ? std::to_string(*known) : "?";
  };
  std::string text;
  llvm::ListSeparator separator;
  for (auto [first, end, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    text += separator;
    text += toText(first) + " to " + toText(end) + " step " + toText(step);
  }
  return text;
}

static std::string getMnemonic(Operation &op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call ? call.getCallee().str() : op.getName().stripDialect().str();
}

void KernelCollector::addInstruction(Operation &op, listing::Body &body) {
  Item item;
  item.mnemonic = getMnemonic(op);
  item.comment = describeNodes(op.getLoc());
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    item.attributes = describeRange(loop);
  } else if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    llvm::raw_string_ostream os(item.attributes);
    os << '"';
    llvm::printEscapedString(assertion.getMsg(), os);
    os << '"';
  }
  for (const BufferUse &use : memory.getUses(&op)) {
    item.operands.push_back({use.access, getRegion(use.root), {}});
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    for (auto &[buffer, access] : memory.getOwnBuffers(call)) {
      item.operands.push_back({access, getBuffer(buffer, op.getBlock()), {}});
    }
  }
  for (Region &region : op.getRegions()) {
    if (!region.empty()) {
      buildBody(region.front(), item.bodies.emplace_back());
    }
  }
  body.push_back(std::move(item));
}

void KernelCollector::buildBody(Block &block, listing::Body &body) {
  for (Operation &op : block) {
    Item item;
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      item.kind = Item::Alloc;
      item.region = regions[alloc] =
          addRegion(makeName('v'), Storage::Activation, alloc.getType());
      body.push_back(std::move(item));
      continue;
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      item.kind = Item::Dealloc;
      item.region = getRegion(memory.findRoots(dealloc.getMemref()).front());
      body.push_back(std::move(item));
      continue;
    }
    bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
    if (isEnd ? !memory.getUses(&op).empty() : !isMemoryEffectFree(&op)) {
      addInstruction(op, body);
    }
  }
  listing::allocate(body, locals[&block]);
}

listing::Function KernelCollector::collect() {
  addArguments();
  buildBody(main.front(), function.code);
  bool isOpen = llvm::any_of(function.regions, [](const auto &region) {
    return region.kind == Storage::Activation && region.bytes.isOpen;
  });
  function.activations = {abi::getNumber<abi::ArenaBytes>(module), isOpen};
  function.liveSet = {abi::getNumber<abi::ArenaLowerBound>(module), isOpen};
  listing::complete(function);
  return std::move(function);
}

FailureOr<listing::Function> driver::listKernels(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal() || !main.getBody().hasOneBlock()) {
    return module.emitError("expected a function main of one block");
  }
  listing::Function function = KernelCollector(module, main).collect();
  function.level = "kernels";
  return function;
}
