//===- OutlineKernels.cpp - The outline-kernels pass ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per distinct computation. `noalias` on a function's arguments
// is also the only aliasing fact that survives to LLVM, so outlining is what
// lets it keep values in registers.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringMap.h"

namespace nacre {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// A computation on buffers: has effects, yields no value, calls nothing.
static bool isKernel(Operation &op) {
  return op.getNumResults() == 0 && !isMemoryEffectFree(&op) &&
         !op.hasTrait<OpTrait::IsTerminator>() &&
         !isa<func::CallOp, memref::DeallocOp, cf::AssertOp>(op);
}

/// True for values that are recomputed inside the kernel: constants, and views
/// other than the arena's, so that two arguments never alias.
static bool isRecomputed(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (matchPattern(def, m_Constant()) ||
                 (isa<ViewLikeOpInterface>(def) && !isa<memref::ViewOp>(def)) ||
                 isa<memref::ReinterpretCastOp>(def));
}

/// True for a branch of the model, whose body is as the model around it, and
/// for one of so many kernels that as one function it would take LLVM long.
static bool isModelBranch(Operation &op) {
  constexpr int64_t kMostKernels = 16;
  if (!isa<scf::IfOp>(op)) {
    return false;
  }
  int64_t kernels = 0;
  for (Region &region : op.getRegions()) {
    kernels += llvm::count_if(region.getOps(), isKernel);
  }
  return op.getNumResults() != 0 || kernels > kMostKernels;
}

/// The value that dimension `dim` of a buffer, which is dynamic, was made with;
/// null where it is not at hand. By these a kernel sees which of its sizes are
/// the same.
static Value getSizeOrigin(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  unsigned open = type.getDynamicDimIndex(dim);
  Operation *op = buffer.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::ViewOp>(op)) {
    return view.getSizes()[open];
  }
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op)) {
    return alloc.getDynamicSizes()[open];
  }
  auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op);
  return expand ? expand.getOutputShape()[open] : Value();
}

/// The same for a value that is the size of a buffer, and `value` for others.
static Value getOrigin(Value value) {
  auto dim = value.getDefiningOp<memref::DimOp>();
  std::optional<int64_t> index =
      dim ? dim.getConstantIndex() : std::optional<int64_t>();
  auto type =
      dim ? dyn_cast<MemRefType>(dim.getSource().getType()) : MemRefType();
  // An index past the rank is an error of the run alone.
  bool isInside = index && type && *index >= 0 && *index < type.getRank();
  Value origin = isInside && type.isDynamicDim(*index)
                     ? getSizeOrigin(dim.getSource(), *index)
                     : Value();
  return origin ? origin : value;
}

namespace {

/// A buffer of unknown size in the signature of a kernel: its start, which is
/// as good as a bare pointer, and the numbers that its type leaves open.
struct OpenBuffer {
  Value start;
  SmallVector<Value> numbers; // offset, sizes, strides

  /// Takes `buffer` apart, as seen by a kernel that `getSizeOrigin` tells what
  /// its sizes are.
  OpenBuffer(OpBuilder &builder, Value buffer) {
    auto parts = memref::ExtractStridedMetadataOp::create(
        builder, buffer.getLoc(), buffer);
    start = parts.getBaseBuffer();
    auto type = cast<MemRefType>(buffer.getType());
    forEachNumber(type, [&](unsigned index, bool isOpen) {
      if (!isOpen) {
        return;
      }
      bool isSize = index >= 1 && index <= type.getRank();
      Value origin = isSize ? getSizeOrigin(buffer, index - 1) : Value();
      numbers.push_back(origin ? origin : parts.getResult(1 + index));
    });
  }

  /// Puts a buffer of `type` together again from its start and numbers.
  static Value build(OpBuilder &builder, Location loc, MemRefType type,
                     ValueRange arguments) {
    Value start = arguments.front();
    arguments = arguments.drop_front();
    auto [strides, offset] = type.getStridesAndOffset();
    SmallVector<int64_t> known = {offset};
    llvm::append_range(known, type.getShape());
    llvm::append_range(known, strides);
    SmallVector<OpFoldResult> all =
        getAsIndexOpFoldResult(builder.getContext(), known);
    forEachNumber(type, [&](unsigned index, bool isOpen) {
      if (isOpen) {
        all[index] = arguments.front();
        arguments = arguments.drop_front();
      }
    });
    ArrayRef<OpFoldResult> sizes = ArrayRef(all).slice(1, type.getRank());
    return memref::ReinterpretCastOp::create(
        builder, loc, type, start, all.front(), sizes,
        ArrayRef(all).drop_front(1 + type.getRank()));
  }

private:
  static void forEachNumber(MemRefType type,
                            llvm::function_ref<void(unsigned, bool)> visit) {
    auto [strides, offset] = type.getStridesAndOffset();
    unsigned index = 0;
    visit(index++, ShapedType::isDynamic(offset));
    for (int64_t size : type.getShape()) {
      visit(index++, ShapedType::isDynamic(size));
    }
    for (int64_t stride : strides) {
      visit(index++, ShapedType::isDynamic(stride));
    }
  }
};

} // namespace

/// The type of a buffer that a bare pointer does not describe; else null.
static MemRefType getOpenType(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type || type.getLayout().isIdentity()) {
    // One of several dimensions without elements has no strides.
    bool isOpen = type && (!type.hasStaticShape() ||
                           (type.getRank() > 1 && type.getNumElements() == 0));
    return isOpen ? type : MemRefType();
  }
  auto [strides, offset] = type.getStridesAndOffset();
  bool isOpen = !type.hasStaticShape() || ShapedType::isDynamic(offset) ||
                llvm::any_of(strides, ShapedType::isDynamic);
  return isOpen ? type : MemRefType();
}

/// The name a reader recognises the kernel by: its main op's.
static std::string getKernelName(Operation *body) {
  std::string name;
  body->walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "VPU" || dialect == "linalg") {
      name = op->getName().getStringRef().lower();
      // A convolution outranks the copy that feeds it, a sum what it starts
      // from.
      bool isAuxiliary = op->getName().stripDialect() == "Copy" ||
                         op->getName().stripDialect() == "FillBorder" ||
                         op->getName().stripDialect() == "fill";
      return isAuxiliary ? WalkResult::skip() : WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (name.empty()) {
    name = body->getName().getStringRef().lower();
  }
  llvm::replace(name, '.', '_');
  return name;
}

namespace {

/// The bytes that a view takes of what it is a view of: from a value, which may
/// be null, plus a number.
struct Extent {
  Value source;
  Value base;
  int64_t first;
  int64_t bytes;

  explicit Extent(memref::ViewOp view) : source(view.getSource()) {
    APInt number;
    Value shift = view.getByteShift();
    if (auto sum = shift.getDefiningOp<arith::AddIOp>();
        sum && matchPattern(sum.getRhs(), m_ConstantInt(&number))) {
      base = sum.getLhs();
    } else if (!matchPattern(shift, m_ConstantInt(&number))) {
      base = shift;
      number = APInt(64, 0);
    }
    first = number.getSExtValue();
    // Of a dynamic size, what plan-memory has found, or all.
    constexpr int64_t kAll = int64_t(1) << 60;
    MemRefType type = view.getType();
    auto most = abi::get<abi::MostBytes>(view);
    bytes = type.hasStaticShape()
                ? llvm::divideCeilSigned(
                      type.getNumElements() * type.getElementTypeBitWidth(), 8)
            : most ? most.getInt()
                   : kAll;
  }

  /// True unless the two certainly have no byte in common. Different bases are
  /// not compared: buffers of different loops are alive at the same time.
  bool overlaps(const Extent &other) const {
    return source == other.source &&
           (base != other.base ||
            (first < other.first + other.bytes && other.first < first + bytes));
  }
};

} // namespace

/// The views in a block whose memory no other view in it touches, and what
/// computes where they lie. As arguments of a kernel they are known not to
/// alias.
static llvm::SetVector<Operation *> findSeparateViews(Block &block) {
  SmallVector<memref::ViewOp> views;
  block.walk([&](memref::ViewOp view) { views.push_back(view); });
  llvm::SetVector<Operation *> separate;
  std::function<bool(Value)> addAddress = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != &block || separate.contains(def)) {
      return true;
    }
    if (!isPure(def) || def->getNumRegions() > 0 ||
        !llvm::all_of(def->getOperands(), addAddress)) {
      return false;
    }
    separate.insert(def);
    return true;
  };
  for (memref::ViewOp view : views) {
    bool isShared = llvm::any_of(views, [&](memref::ViewOp other) {
      return other != view && Extent(view).overlaps(Extent(other));
    });
    if (view->getBlock() == &block && !isShared) {
      addAddress(view.getResult());
    }
  }
  return separate;
}

/// Adds to `outside` what computes places from the counter of a loop of as many
/// parts as a run finds: a caller that has one part knows them.
static void addPlacesOfParts(scf::ForallOp loop,
                             llvm::SetVector<Operation *> &outside) {
  if (loop.getDynamicUpperBound().empty()) {
    return;
  }
  for (Value counter : loop.getInductionVars()) {
    for (Operation *user : counter.getUsers()) {
      if (user->getBlock() == loop.getBody() && isMemoryEffectFree(user) &&
          user->getNumRegions() == 0 &&
          llvm::all_of(user->getResultTypes(), llvm::IsaPred<IndexType>) &&
          llvm::all_of(user->getOperands(), [&](Value value) {
            Operation *def = value.getDefiningOp();
            return !def || def->getBlock() != loop.getBody();
          })) {
        outside.insert(user);
      }
    }
  }
}

namespace {

struct OutlineKernelsPass final
    : nacre::impl::OutlineKernelsBase<OutlineKernelsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isExternal() || !function.isPublic()) {
        continue;
      }
      outlineBlock(symbols, function.getBody().front());
    }
  }

private:
  void outlineBlock(SymbolTable &symbols, Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (abi::has<abi::HasSteps>(&op) || isModelBranch(op)) {
        for (Region &region : op.getRegions()) {
          if (!region.empty()) {
            outlineBlock(symbols, region.front());
          }
        }
      } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
        outlineBody(symbols, forall);
      } else if (isKernel(op)) {
        outlineOp(symbols, &op);
      } else {
        outlineNested(symbols, op);
      }
    }
  }

  /// Outlines the kernels in a loop that other passes built anew, or that is
  /// one itself and computes single elements, too.
  void outlineNested(SymbolTable &symbols, Operation &op) {
    for (Region &region : op.getRegions()) {
      for (Operation &inner : llvm::make_early_inc_range(region.getOps())) {
        StringRef dialect = inner.getName().getDialectNamespace();
        if (auto forall = dyn_cast<scf::ForallOp>(inner)) {
          outlineBody(symbols, forall);
        } else if (isKernel(inner) &&
                   (dialect == "linalg" || dialect == "VPU")) {
          outlineOp(symbols, &inner);
        } else {
          outlineNested(symbols, inner);
        }
      }
    }
  }

  /// Values a kernel needs from outside, in the order of first use, and the
  /// ops that are recomputed inside, in dominance order.
  struct Captures {
    llvm::SetVector<Value> arguments;
    llvm::SetVector<Operation *> recomputed;

    void add(Value value) {
      if (!isRecomputed(value)) {
        arguments.insert(value);
        return;
      }
      Operation *def = value.getDefiningOp();
      if (recomputed.contains(def)) {
        return;
      }
      for (Value operand : def->getOperands()) {
        add(operand);
      }
      recomputed.insert(def);
    }
  };

  void outlineOp(SymbolTable &symbols, Operation *op) {
    llvm::SetVector<Value> used;
    used.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    Captures captures;
    for (Value value : used) {
      captures.add(value);
    }
    OpBuilder builder(op);
    call(builder, symbols, op, captures,
         [&](OpBuilder &nested, IRMapping &mapping) {
           nested.clone(*op, mapping);
         });
    op->erase();
  }

  void outlineBody(SymbolTable &symbols, scf::ForallOp forall) {
    Block *body = forall.getBody();
    llvm::SetVector<Operation *> outside = findSeparateViews(*body);
    addPlacesOfParts(forall, outside);
    SmallVector<Operation *> ops;
    for (Operation &op : body->without_terminator()) {
      if (!outside.contains(&op)) {
        ops.push_back(&op);
      }
    }
    Captures captures;
    for (Operation *op : ops) {
      llvm::SetVector<Value> used;
      used.insert_range(op->getOperands());
      getUsedValuesDefinedAbove(op->getRegions(), used);
      for (Value value : used) {
        Operation *def = value.getDefiningOp();
        if (!def || def->getBlock() != body || outside.contains(def)) {
          captures.add(value);
        }
      }
    }
    OpBuilder builder(body->getTerminator());
    call(builder, symbols, forall, captures,
         [&](OpBuilder &nested, IRMapping &mapping) {
           for (Operation *op : ops) {
             nested.clone(*op, mapping);
           }
         });
    for (Operation *op : llvm::reverse(ops)) {
      op->erase();
    }
  }

  /// Builds the kernel, or finds an equal one, and calls it at `builder`.
  void call(OpBuilder &builder, SymbolTable &symbols, Operation *source,
            const Captures &captures,
            llvm::function_ref<void(OpBuilder &, IRMapping &)> buildBody) {
    Location loc = source->getLoc();
    // Each value once, and what each captured one is given as.
    llvm::SetVector<Value> arguments;
    SmallVector<SmallVector<Value>> parts;
    for (Value captured : captures.arguments) {
      SmallVector<Value> &own = parts.emplace_back();
      if (getOpenType(captured)) {
        OpenBuffer buffer(builder, captured);
        own.push_back(buffer.start);
        llvm::append_range(own, buffer.numbers);
      } else {
        own.push_back(getOrigin(captured));
      }
      arguments.insert_range(own);
    }
    auto type = builder.getFunctionType(
        ValueRange(arguments.getArrayRef()).getTypes(), {});
    OpBuilder detached(builder.getContext());
    auto kernel = func::FuncOp::create(detached, loc, "kernel", type);
    kernel.setPrivate();
    // Inlined into its only caller a kernel would lose its name in profiles.
    kernel->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    // MLIR's visibility ends with MLIR; the object file needs its own.
    kernel->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    Block *entry = kernel.addEntryBlock();
    IRMapping mapping;
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      if (isa<MemRefType>(argument.getType())) {
        kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
      }
    }
    detached.setInsertionPointToStart(entry);
    mapping.map(arguments.getArrayRef(), entry->getArguments());
    for (auto [captured, own] : llvm::zip_equal(captures.arguments, parts)) {
      if (MemRefType open = getOpenType(captured)) {
        auto given = llvm::map_to_vector(
            own, [&](Value part) { return mapping.lookup(part); });
        mapping.map(captured, OpenBuffer::build(detached, loc, open, given));
      } else {
        mapping.map(captured, mapping.lookup(own.front()));
      }
    }
    for (Operation *op : captures.recomputed) {
      detached.clone(*op, mapping);
    }
    buildBody(detached, mapping);
    func::ReturnOp::create(detached, loc);

    std::string key;
    llvm::raw_string_ostream stream(key);
    kernel.print(stream, OpPrintingFlags().useLocalScope());
    func::FuncOp &known = kernels[key];
    if (known) {
      kernel.erase();
    } else {
      kernel.setSymName(getKernelName(source));
      symbols.insert(kernel);
      known = kernel;
      ++numKernels;
    }
    func::CallOp::create(builder, loc, known, arguments.getArrayRef());
    ++numCalls;
  }

  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace
