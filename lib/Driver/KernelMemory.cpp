//===- KernelMemory.cpp - What memory ops on buffers use ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMemory.h"

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using listing::Access;

static bool isMemory(Value value) {
  return isa<BaseMemRefType, LLVM::LLVMPointerType>(value.getType());
}

KernelMemory::KernelMemory(func::FuncOp main)
    : main(main), arena(abi::findArgument(main, abi::Role::Arena)),
      weights(abi::findArgument(main, abi::Role::Weights)) {}

memref::ViewOp KernelMemory::getPlacedView(Value root) const {
  auto view = root.getDefiningOp<memref::ViewOp>();
  return view && isStorage(view.getSource()) ? view : memref::ViewOp();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {

/// Computes numbers that depend on which iterations of loops over cores run.
class Evaluator {
public:
  explicit Evaluator(const CallArguments &arguments) : arguments(arguments) {}

  /// The number where the counters have these values; nothing where a run
  /// decides.
  std::optional<int64_t> evaluate(Value value) const;

  /// The counters that a value depends on.
  void findCounters(Value value, llvm::SetVector<Value> &counters) const;

  llvm::DenseMap<Value, int64_t> counters;

private:
  Value resolve(Value value) const {
    auto found = arguments.find(value);
    return found == arguments.end() ? value : found->second;
  }

  const CallArguments &arguments;
};

} // namespace

std::optional<int64_t> Evaluator::evaluate(Value value) const {
  value = resolve(value);
  if (std::optional<int64_t> known = getConstantIntValue(value)) {
    return known;
  }
  auto counter = counters.find(value);
  if (counter != counters.end()) {
    return counter->second;
  }
  Operation *op = value.getDefiningOp();
  if (!op) {
    return std::nullopt;
  }
  // Constants of the operands make the op fold.
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> known = evaluate(operand);
    if (!known) {
      return std::nullopt;
    }
    operands.push_back(IntegerAttr::get(operand.getType(), *known));
  }
  SmallVector<OpFoldResult> results;
  if (operands.empty() || failed(op->fold(operands, results)) ||
      results.empty()) {
    return std::nullopt;
  }
  // What adds nothing folds to an operand.
  auto same = dyn_cast<Value>(results.front());
  return same ? evaluate(same) : getConstantIntValue(results.front());
}

void Evaluator::findCounters(Value value, llvm::SetVector<Value> &found) const {
  value = resolve(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (isa<scf::ForallOp>(argument.getOwner()->getParentOp())) {
      found.insert(value);
    }
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands()) {
    findCounters(operand, found);
  }
}

/// The first number of a counter, the step, and how many there are: one where
/// it is dynamic.
static std::tuple<int64_t, int64_t, int64_t> getRange(Value counter) {
  auto loop = cast<scf::ForallOp>(
      cast<BlockArgument>(counter).getOwner()->getParentOp());
  unsigned dim = cast<BlockArgument>(counter).getArgNumber();
  auto first = getConstantIntValue(loop.getMixedLowerBound()[dim]);
  auto end = getConstantIntValue(loop.getMixedUpperBound()[dim]);
  auto step = getConstantIntValue(loop.getMixedStep()[dim]);
  if (!first || !end || !step || *step <= 0 || *end <= *first) {
    return {first.value_or(0), 1, 1};
  }
  return {*first, *step, llvm::divideCeilSigned(*end - *first, *step)};
}

/// The offsets of all iterations, each once, from the least on.
static std::vector<int64_t> findOffsets(Value offset,
                                        const CallArguments &arguments) {
  constexpr size_t kMostIterations = 4096;
  Evaluator evaluator(arguments);
  llvm::SetVector<Value> counters;
  evaluator.findCounters(offset, counters);
  size_t total = 1;
  for (Value counter : counters) {
    total *= std::get<2>(getRange(counter));
  }
  std::vector<int64_t> offsets;
  for (size_t i = 0; i < std::min(total, kMostIterations); ++i) {
    size_t rest = i;
    for (Value counter : counters) {
      auto [first, step, count] = getRange(counter);
      evaluator.counters[counter] =
          first + static_cast<int64_t>(rest % count) * step;
      rest /= count;
    }
    offsets.push_back(evaluator.evaluate(offset).value_or(0));
  }
  llvm::sort(offsets);
  offsets.erase(llvm::unique(offsets), offsets.end());
  return offsets;
}

PlacedBuffer KernelMemory::getPlace(memref::ViewOp view,
                                    const CallArguments &arguments) const {
  PlacedBuffer buffer;
  buffer.type = view.getType();
  std::vector<int64_t> offsets = findOffsets(view.getByteShift(), arguments);
  buffer.offset = offsets.front();
  if (offsets.size() > 1) {
    buffer.copies = {
        {static_cast<int64_t>(offsets.size()), offsets[1] - offsets[0]}};
  }
  if (buffer.type.hasStaticShape()) {
    buffer.bytes = buffer.type.getNumElements() *
                   llvm::divideCeil(buffer.type.getElementTypeBitWidth(), 8);
  } else if (auto most = abi::get<abi::MostBytes>(view)) {
    buffer.bytes = most.getInt();
  }
  return buffer;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// The values that a value may be, one step back; none for a root.
static SmallVector<Value> getSources(Value value) {
  SmallVector<Value> sources;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    OpOperand *init = argument ? loop.getTiedLoopInit(argument)
                               : loop.getTiedLoopInit(cast<OpResult>(value));
    BlockArgument carried =
        argument ? argument
                 : loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    OpOperand *yielded =
        carried ? loop.getTiedLoopYieldedValue(carried) : nullptr;
    for (OpOperand *source : {init, yielded}) {
      if (source) {
        sources.push_back(source->get());
      }
    }
    return sources;
  }
  if (argument) {
    return sources;
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    for (Region &region : op->getRegions()) {
      if (!region.empty() && region.back().mightHaveTerminator() &&
          number < region.back().getTerminator()->getNumOperands()) {
        sources.push_back(region.back().getTerminator()->getOperand(number));
      }
    }
    return sources;
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    return {view.getViewSource()};
  }
  // What the runtime says where a value has its elements belongs to the value.
  bool isElements =
      isa<CallOpInterface>(op) && isa<BaseMemRefType>(value.getType());
  if (isElements || isPure(op)) {
    llvm::copy_if(op->getOperands(), std::back_inserter(sources), isMemory);
  }
  return sources;
}

/// True for the address of a text, say, which is no memory of a run.
static bool isConstantAddress(Value root) {
  Operation *op = root.getDefiningOp();
  return op && isPure(op) && isa<LLVM::LLVMPointerType>(root.getType());
}

/// True for a view of storage, which a function that main calls has as an
/// argument.
bool KernelMemory::isPlaced(Value value) const {
  auto view = value.getDefiningOp<memref::ViewOp>();
  auto source =
      view ? dyn_cast<BlockArgument>(view.getSource()) : BlockArgument();
  if (!source) {
    return false;
  }
  auto function = dyn_cast<func::FuncOp>(source.getOwner()->getParentOp());
  return function && (function != main || isStorage(source));
}

llvm::SetVector<Value> KernelMemory::findRoots(Value value) const {
  llvm::SetVector<Value> seen, roots;
  SmallVector<Value> left = {value};
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (!seen.insert(next)) {
      continue;
    }
    SmallVector<Value> sources;
    if (!isPlaced(next)) {
      sources = getSources(next);
    }
    if (sources.empty()) {
      roots.insert(next);
    }
    llvm::append_range(left, sources);
  }
  return roots;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

func::FuncOp KernelMemory::getCallee(func::CallOp call) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

Access KernelMemory::toAccess(unsigned effect) {
  return effect == kReads    ? Access::In
         : effect == kWrites ? Access::Out
                             : Access::InOut;
}

/// Calls `visit` with each value that the op, without its regions, is known to
/// do something with.
static void
forEachEffect(Operation *op,
              llvm::function_ref<void(Value, bool isWritten)> visit) {
  auto known = dyn_cast<MemoryEffectOpInterface>(op);
  if (!known) {
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  known.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isAccess =
        isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect());
    if (isAccess && effect.getValue() && isMemory(effect.getValue())) {
      visit(effect.getValue(), isa<MemoryEffects::Write>(effect.getEffect()));
    }
  }
}

const KernelMemory::FunctionEffects &
KernelMemory::getEffects(func::FuncOp function) {
  auto [entry, isNew] = effects.try_emplace(function);
  if (!isNew) {
    return entry->second;
  }
  FunctionEffects found;
  function.walk([&](Operation *op) {
    forEachEffect(op, [&](Value value, bool isWritten) {
      for (Value root : findRoots(value)) {
        found[root] |= isWritten ? kWrites : kReads;
      }
    });
    // What the runtime does with memory that it is given, nobody says.
    if (isa<CallOpInterface>(op)) {
      for (Value operand : op->getOperands()) {
        if (isMemory(operand)) {
          for (Value root : findRoots(operand)) {
            found[root] |= kReads | kWrites;
          }
        }
      }
    }
  });
  return effects[function] = std::move(found);
}

SmallVector<BufferUse> KernelMemory::getUses(Operation *op) {
  SmallVector<BufferUse> uses;
  auto add = [&](Value value, unsigned effect) {
    for (Value root : findRoots(value)) {
      if (effect == kNothing || isStorage(root) || isConstantAddress(root)) {
        continue;
      }
      BufferUse use = {root, toAccess(effect)};
      if (llvm::none_of(uses, [&](const BufferUse &other) {
            return other.root == root && other.access == use.access;
          })) {
        uses.push_back(use);
      }
    }
  };
  if (auto call = dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = getCallee(call);
    for (auto [number, operand] : llvm::enumerate(call.getOperands())) {
      if (isMemory(operand)) {
        add(operand, callee
                         ? getEffects(callee).lookup(callee.getArgument(number))
                         : getRuntimeEffect(operand));
      }
    }
  } else if (op->hasTrait<OpTrait::IsTerminator>()) {
    for (Value operand : llvm::make_filter_range(op->getOperands(), isMemory)) {
      add(operand, kReads);
    }
  } else {
    llvm::MapVector<Value, unsigned> effects;
    forEachEffect(op, [&](Value value, bool isWritten) {
      effects[value] |= isWritten ? kWrites : kReads;
    });
    for (auto [value, effect] : effects) {
      add(value, effect);
    }
  }
  if (isa<CallOpInterface>(op)) {
    for (Value result : op->getResults()) {
      if (isa<LLVM::LLVMPointerType>(result.getType())) {
        add(result, kWrites);
      }
    }
  }
  // Of equal ones the order stays.
  SmallVector<BufferUse> ordered;
  for (bool isWritten : {true, false}) {
    llvm::copy_if(uses, std::back_inserter(ordered), [&](const BufferUse &use) {
      return (use.access != Access::In) == isWritten;
    });
  }
  return ordered;
}

/// What the runtime may do with memory that it is given: it never writes
/// weights, and values of its own are its own affair.
unsigned KernelMemory::getRuntimeEffect(Value operand) const {
  bool isRead = isa<LLVM::LLVMPointerType>(operand.getType()) ||
                llvm::any_of(findRoots(operand), [&](Value root) {
                  memref::ViewOp view = getPlacedView(root);
                  return view && isOfWeights(view);
                });
  return isRead ? kReads : kReads | kWrites;
}

/// Adds a buffer of a kernel. What shares memory, since a kernel needs one
/// after the other, is shown as the bytes of both.
static void
addOwnBuffer(SmallVectorImpl<std::pair<PlacedBuffer, Access>> &buffers,
             PlacedBuffer added, Access access) {
  for (auto *it = buffers.begin(); it != buffers.end();) {
    PlacedBuffer &known = it->first;
    bool isSeparate = added.copies != known.copies ||
                      known.offset >= added.offset + added.bytes ||
                      added.offset >= known.offset + known.bytes;
    if (isSeparate) {
      ++it;
      continue;
    }
    if (known.offset != added.offset || known.type != added.type) {
      int64_t end =
          std::max(known.offset + known.bytes, added.offset + added.bytes);
      added.offset = std::min(known.offset, added.offset);
      added.bytes = end - added.offset;
      added.type = MemRefType::get(
          {added.bytes}, IntegerType::get(added.type.getContext(), 8));
    }
    access = access == it->second ? access : Access::InOut;
    it = buffers.erase(it);
  }
  buffers.emplace_back(added, access);
}

SmallVector<std::pair<PlacedBuffer, Access>>
KernelMemory::getOwnBuffers(func::CallOp call) {
  SmallVector<std::pair<PlacedBuffer, Access>> buffers;
  func::FuncOp callee = getCallee(call);
  if (!callee) {
    return buffers;
  }
  CallArguments arguments;
  for (auto [inside, outside] :
       llvm::zip_equal(callee.getArguments(), call.getOperands())) {
    arguments[inside] = outside;
  }
  const FunctionEffects &found = getEffects(callee);
  callee.walk([&](memref::ViewOp view) {
    unsigned effect = found.lookup(view.getResult());
    if (effect == kNothing || arguments.lookup(view.getSource()) != arena) {
      return;
    }
    addOwnBuffer(buffers, getPlace(view, arguments), toAccess(effect));
  });
  return buffers;
}
