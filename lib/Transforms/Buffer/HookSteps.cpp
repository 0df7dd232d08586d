//===- HookSteps.cpp - The hook-steps pass --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between two steps main compares one pointer with null, and calls what it
// finds there where it is not.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "nacre-c/Hooks.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nacre {
#define GEN_PASS_DEF_HOOKSTEPS
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

/// The buffer whose start a kernel gets, where it gets its sizes as numbers.
static Value getWhole(Value buffer) {
  auto parts = buffer.getDefiningOp<memref::ExtractStridedMetadataOp>();
  return parts ? parts.getSource() : buffer;
}

/// What a buffer is a part of.
static Value getRoot(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp>(op)) {
      break;
    }
    buffer = op->getOperand(0);
  }
  return buffer;
}

namespace {

/// A step, and what its hooks are given.
struct HookedStep {
  Operation *op;
  SmallVector<Value> buffers;
  SmallVector<uint8_t> roles;
};

/// Hooks the steps of one module.
class StepHooker {
public:
  StepHooker(ModuleOp module, func::FuncOp main, VPU::ArchAttr arch)
      : module(module), main(main), arch(arch), context(module.getContext()) {}

  /// Gives the number of steps.
  FailureOr<size_t> run(ArrayRef<Operation *> found) {
    BlockArgument arena = abi::findArgument(main, abi::Role::Arena);
    if (!arena) {
      return main.emitError("expected an argument of the role arena; run "
                            "plan-memory first");
    }
    SmallVector<HookedStep> steps;
    SmallVector<Attribute> described;
    for (Operation *op : found) {
      if (isKernelStep(op)) {
        steps.push_back(collect(op));
        described.push_back(describe(steps.back()));
      }
    }
    Builder builder(context);
    abi::set<abi::Steps>(module, builder.getArrayAttr(described));
    abi::mark<abi::Hooks>(module);
    unsigned position = arena.getArgNumber();
    if (failed(main.insertArgument(
            position, LLVM::LLVMPointerType::get(context),
            abi::buildRole(context, abi::Role::Hooks), main.getLoc()))) {
      return failure();
    }
    insertHooks(main.getArgument(position), steps);
    return steps.size();
  }

private:
  /// Calls of the runtime are no steps of the model.
  bool isKernelStep(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      return true;
    }
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee && !callee.isExternal();
  }

  /// Hooks' role of the argument that a buffer is a part of.
  static unsigned getRole(Value buffer) {
    switch (abi::getRole(getRoot(buffer)).value_or(abi::Role::Arena)) {
    case abi::Role::Input:
    case abi::Role::State:
      return NACRE_INPUT;
    case abi::Role::Output:
      return NACRE_OUTPUT;
    case abi::Role::Weights:
      return NACRE_CONSTANT;
    case abi::Role::Arena:
    case abi::Role::Hooks:
      return 0;
    }
    llvm_unreachable("an argument has one of these roles");
  }

  /// The number of an argument among the inputs or among the outputs.
  static int64_t countBefore(BlockArgument argument) {
    auto isOutput = [](BlockArgument candidate) {
      return abi::getRole(candidate) == abi::Role::Output;
    };
    auto isInput = [](BlockArgument candidate) {
      return llvm::is_contained({abi::Role::Input, abi::Role::State},
                                abi::getRole(candidate));
    };
    auto before =
        argument.getOwner()->getArguments().take_front(argument.getArgNumber());
    return isOutput(argument) ? llvm::count_if(before, isOutput)
                              : llvm::count_if(before, isInput);
  }

  HookedStep collect(Operation *op) {
    HookedStep step{op, {}, {}};
    for (Value buffer : getStepBuffers(op)) {
      unsigned roles = findAccesses(buffer, op, symbols) | getRole(buffer);
      step.buffers.push_back(getWhole(buffer));
      step.roles.push_back(static_cast<uint8_t>(roles));
    }
    return step;
  }

  abi::StepAttr describe(const HookedStep &step) {
    Builder builder(context);
    SmallVector<Attribute> operands;
    for (auto [buffer, roles] : llvm::zip_equal(step.buffers, step.roles)) {
      auto type = cast<MemRefType>(buffer.getType());
      auto [strides, offset] = type.getStridesAndOffset();
      auto root = dyn_cast<BlockArgument>(getRoot(buffer));
      bool isBoundary = root && (roles & (NACRE_INPUT | NACRE_OUTPUT));
      memref::ViewOp view = getStorageView(buffer);
      std::optional<int64_t> from =
          view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
      operands.push_back(abi::StepOperandAttr::get(
          context, type.getElementType(),
          builder.getDenseI64ArrayAttr(type.getShape()),
          builder.getDenseI64ArrayAttr(strides), roles,
          isBoundary ? builder.getI64IntegerAttr(countBefore(root))
                     : IntegerAttr(),
          from ? builder.getI64IntegerAttr(*from) : IntegerAttr()));
    }
    return describeStep(step.op, arch, symbols, builder.getArrayAttr(operands));
  }

  void insertHooks(Value hooks, ArrayRef<HookedStep> steps) {
    Location loc = main.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&main.front());
    Value null = LLVM::ZeroOp::create(builder, loc, hooks.getType());
    Value isOn = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      hooks, null);
    SymbolTable table(module);
    buildDispatcher(table);
    scf::IfOp last;
    for (auto [number, step] : llvm::enumerate(steps)) {
      func::FuncOp callback = buildCallback(table, step, number);
      // What follows the step before may as well precede this one, if nothing
      // happens in between.
      bool joins = last && !hasEffectsBetween(last, step.op);
      if (joins) {
        last->moveBefore(step.op);
      } else {
        builder.setInsertionPoint(step.op);
        last = scf::IfOp::create(builder, loc, isOn, /*withElse=*/false);
      }
      addCall(last, callback, hooks, step, kBefore);
      builder.setInsertionPointAfter(step.op);
      last = scf::IfOp::create(builder, loc, isOn, /*withElse=*/false);
      addCall(last, callback, hooks, step, kAfter);
    }
  }

  static bool hasEffectsBetween(Operation *first, Operation *second) {
    for (Operation *op = first->getNextNode(); op != second;
         op = op->getNextNode()) {
      if (!isMemoryEffectFree(op)) {
        return true;
      }
    }
    return false;
  }

  static void addCall(scf::IfOp branch, func::FuncOp callback, Value hooks,
                      const HookedStep &step, int64_t field) {
    OpBuilder builder(branch.thenBlock()->getTerminator());
    Location loc = branch.getLoc();
    SmallVector<Value> operands = {
        hooks, arith::ConstantOp::create(builder, loc,
                                         builder.getI64IntegerAttr(field))};
    for (Value buffer : step.buffers) {
      auto parts =
          memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
      operands.push_back(buildPointer(builder, loc, buffer, parts));
      if (!getKnownBytes(buffer)) {
        operands.push_back(buildBytes(builder, loc, buffer, parts));
      }
    }
    func::CallOp::create(builder, loc, callback, operands);
  }

  /// A function beside main that stays out of its way.
  func::FuncOp createFunction(SymbolTable &table, StringRef name,
                              TypeRange types) {
    OpBuilder builder(context);
    auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr("passthrough",
                      builder.getStrArrayAttr({"noinline", "cold"}));
    function->setAttr("llvm.linkage",
                      LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
    function.addEntryBlock();
    table.insert(function);
    return function;
  }

  /// Builds the function that calls a hook, if there is one: of hooks, the
  /// field of the hook, and what the hook is given.
  void buildDispatcher(SymbolTable &table) {
    OpBuilder builder(context);
    Location loc = module.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(context);
    Type number = builder.getI64Type();
    dispatcher = createFunction(
        table, "call_hook",
        {pointer, number, number, number, pointer, pointer, pointer});
    builder.setInsertionPointToStart(&dispatcher.front());
    ValueRange arguments = dispatcher.getArguments();
    Value hooks = arguments[0];
    Value field = LLVM::GEPOp::create(builder, loc, pointer, pointer, hooks,
                                      ArrayRef<LLVM::GEPArg>{arguments[1]});
    Value hook = LLVM::LoadOp::create(builder, loc, pointer, field);
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    Value isSet =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, hook, null);
    auto branch = scf::IfOp::create(builder, loc, isSet, /*withElse=*/false);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value user = LLVM::LoadOp::create(builder, loc, pointer, hooks);
    SmallVector<Value> operands = {hook, user};
    llvm::append_range(operands, arguments.drop_front(2));
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(context),
        {pointer, number, number, pointer, pointer, pointer});
    LLVM::CallOp::create(builder, loc, type, operands);
  }

  /// Builds the function that gives a step's buffers to a hook: of each the
  /// pointer and, where they are dynamic, the bytes.
  func::FuncOp buildCallback(SymbolTable &table, const HookedStep &step,
                             size_t number) {
    OpBuilder builder(context);
    Location loc = step.op->getLoc();
    Type pointer = LLVM::LLVMPointerType::get(context);
    Type wide = builder.getI64Type(), narrow = builder.getI8Type();
    SmallVector<Type> types = {pointer, wide};
    for (Value buffer : step.buffers) {
      types.push_back(pointer);
      if (!getKnownBytes(buffer)) {
        types.push_back(wide);
      }
    }
    func::FuncOp function =
        createFunction(table, "hook_step_" + std::to_string(number), types);
    builder.setInsertionPointToStart(&function.front());
    auto getNumber = [&](Type type, int64_t value) -> Value {
      return LLVM::ConstantOp::create(builder, loc, type,
                                      builder.getIntegerAttr(type, value));
    };
    Value count = getNumber(wide, static_cast<int64_t>(step.buffers.size()));
    auto allocate = [&](Type element) -> Value {
      return LLVM::AllocaOp::create(builder, loc, pointer, element, count);
    };
    Value pointers = allocate(pointer);
    Value bytes = allocate(wide);
    Value roles = allocate(narrow);
    auto store = [&](Value array, size_t index, Value value) {
      Value place = LLVM::GEPOp::create(
          builder, loc, pointer, value.getType(), array,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      LLVM::StoreOp::create(builder, loc, value, place);
    };
    ValueRange given = function.getArguments().drop_front(2);
    for (auto [i, buffer] : llvm::enumerate(step.buffers)) {
      std::optional<int64_t> known = getKnownBytes(buffer);
      store(pointers, i, given.front());
      store(bytes, i, known ? getNumber(wide, *known) : given[1]);
      store(roles, i, getNumber(narrow, step.roles[i]));
      given = given.drop_front(known ? 1 : 2);
    }
    func::CallOp::create(
        builder, loc, dispatcher,
        ValueRange{function.getArgument(0), function.getArgument(1),
                   getNumber(wide, static_cast<int64_t>(number)), count,
                   pointers, bytes, roles});
    func::ReturnOp::create(builder, loc);
    return function;
  }

  static int64_t getElementBytes(Value buffer) {
    return llvm::divideCeil(
        cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(), 8);
  }

  /// The bytes from a buffer's first element to the end of the last one;
  /// nothing where they are dynamic.
  static std::optional<int64_t> getKnownBytes(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    auto [strides, offset] = type.getStridesAndOffset();
    if (!type.hasStaticShape() ||
        llvm::any_of(strides, ShapedType::isDynamic)) {
      return std::nullopt;
    }
    if (type.getNumElements() == 0) {
      return 0;
    }
    int64_t elements = 1;
    for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
      elements += (size - 1) * stride;
    }
    return elements * getElementBytes(buffer);
  }

  static Value widen(OpBuilder &builder, Location loc, Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }

  /// The same as a value.
  static Value buildBytes(OpBuilder &builder, Location loc, Value buffer,
                          memref::ExtractStridedMetadataOp parts) {
    auto getIndex = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    // The last element is as far as all dimensions together go.
    Value elements = getIndex(1);
    for (auto [size, stride] :
         llvm::zip_equal(parts.getSizes(), parts.getStrides())) {
      Value steps = arith::SubIOp::create(builder, loc, size, getIndex(1));
      elements = arith::AddIOp::create(
          builder, loc, elements,
          arith::MulIOp::create(builder, loc, steps, stride));
    }
    for (Value size : parts.getSizes()) {
      Value isEmpty = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, size, getIndex(0));
      elements =
          arith::SelectOp::create(builder, loc, isEmpty, getIndex(0), elements);
    }
    return widen(builder, loc,
                 arith::MulIOp::create(builder, loc, elements,
                                       getIndex(getElementBytes(buffer))));
  }

  /// The address of a buffer's first element.
  static Value buildPointer(OpBuilder &builder, Location loc, Value buffer,
                            memref::ExtractStridedMetadataOp parts) {
    Value size =
        arith::ConstantIndexOp::create(builder, loc, getElementBytes(buffer));
    Value start =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    start = arith::AddIOp::create(
        builder, loc, start,
        arith::MulIOp::create(builder, loc, parts.getOffset(), size));
    return LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        widen(builder, loc, start));
  }

  /// The fields of struct nacre_hooks behind the user's pointer.
  static constexpr int64_t kBefore = 1, kAfter = 2;

  ModuleOp module;
  func::FuncOp main;
  VPU::ArchAttr arch;
  MLIRContext *context;
  SymbolTableCollection symbols;
  func::FuncOp dispatcher;
};

struct HookStepsPass final : nacre::impl::HookStepsBase<HookStepsPass> {
  using HookStepsBase::HookStepsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Steps> steps = findSteps(module);
    if (failed(steps)) {
      return signalPassFailure();
    }
    FailureOr<size_t> count =
        StepHooker(module, steps->main, steps->arch).run(steps->ops);
    if (failed(count)) {
      return signalPassFailure();
    }
    numSteps = *count;
  }
};

} // namespace
