//===- TapValues.cpp - The ie-tap-values pass -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is inside of a model becomes a result, so that whoever runs it sees it.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/Transforms/ValueKeys.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/IR/Quantization.h"
#include "nacre/Dialect/IE/Transforms/InferAndFold.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Interpreter/Tensor.h"
#include "nacre/Interpreter/TensorMemory.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/GlobPattern.h"

namespace nacre::IE {
#define GEN_PASS_DEF_TAPVALUES
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;

/// The dimension whose indices are channels; -1 where there is none.
static int64_t getChannelAxis(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  auto isProduct = [](Operation *op) {
    return isa_and_present<IE::MatMulOp, IE::GemmOp>(op);
  };
  bool isMatrix = isProduct(value.getDefiningOp()) ||
                  llvm::any_of(value.getUsers(), isProduct);
  return rank < 2 ? -1 : isMatrix ? rank - 1 : 1;
}

/// Scale and zero point, which the integers of a value stand for floats by;
/// null where nothing says that.
static std::pair<Value, Value> findParameters(Value value) {
  if (auto quantize = value.getDefiningOp<IE::QuantizeLinearOp>()) {
    return {quantize.getScale(), quantize.getZeroPoint()};
  }
  for (Operation *user : value.getUsers()) {
    auto dequantize = dyn_cast<IE::DequantizeLinearOp>(user);
    if (dequantize && dequantize.getInput() == value) {
      return {dequantize.getScale(), dequantize.getZeroPoint()};
    }
  }
  return {};
}

/// The names of values that are wanted; nothing, after an error, for a pattern
/// that is none.
static FailureOr<std::optional<llvm::GlobPattern>> parseNames(ModuleOp module,
                                                              StringRef names) {
  if (names.empty()) {
    return std::optional<llvm::GlobPattern>();
  }
  constexpr size_t kMostAlternatives = 1024;
  auto glob = llvm::GlobPattern::create(names, kMostAlternatives);
  if (!glob) {
    return module.emitError("'")
           << names
           << "' is no pattern of names: " << llvm::toString(glob.takeError());
  }
  return std::optional<llvm::GlobPattern>(std::move(*glob));
}

namespace {

struct TapValuesPass final : nacre::IE::impl::TapValuesBase<TapValuesPass> {
  using TapValuesBase::TapValuesBase;

  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || function.isExternal()) {
      getOperation().emitError("expected a function @main");
      return signalPassFailure();
    }
    IE::ValueKeys keys(function, allTypes);
    SmallVector<Value> wanted;
    if (failed(chooseNamed(keys, wanted))) {
      return signalPassFailure();
    }
    int64_t last = 0;
    SmallVector<Value> group =
        chooseGroup(wanted, countBytes(function, keys, wanted), last);
    for (Value value : group) {
      addResult(function, value, keys.get(value));
    }
    record(keys, group, last);
    numTapped = group.size();
  }

private:
  LogicalResult chooseNamed(const IE::ValueKeys &keys,
                            SmallVectorImpl<Value> &wanted) {
    auto glob = parseNames(getOperation(), names);
    if (failed(glob)) {
      return failure();
    }
    llvm::copy_if(
        keys.getValues(), std::back_inserter(wanted), [&](Value value) {
          StringRef name = keys.get(value);
          bool isChosen = chosen.empty() || llvm::is_contained(chosen, name);
          return isChosen && (!*glob || name == names || (*glob)->match(name));
        });
    if (!wanted.empty() || !*glob) {
      return success();
    }
    InFlightDiagnostic error = getOperation().emitError("no value is called '");
    error << names << "'";
    if (!keys.getValues().empty()) {
      error << "; the model computes '" << keys.get(keys.getValues().back())
            << "' last";
    }
    return error;
  }

  /// Bytes of each value. Those of dynamic size count as nothing.
  SmallVector<int64_t> countBytes(func::FuncOp function,
                                  const IE::ValueKeys &keys,
                                  ArrayRef<Value> wanted) {
    SmallVector<Type> types(ValueRange(wanted).getTypes());
    bool areKnown = llvm::all_of(types, [](Type type) {
      return cast<RankedTensorType>(type).hasStaticShape();
    });
    if (maxBytes > 0 && !areKnown) {
      types = inferTypes(function, keys, wanted);
    }
    SmallVector<int64_t> bytes;
    for (Type type : types) {
      auto tensor = cast<RankedTensorType>(type);
      bytes.push_back(tensor.hasStaticShape()
                          ? interpreter::countBytes(tensor).value_or(maxBytes)
                          : 0);
    }
    return bytes;
  }

  /// The types that values have when constants have decided what they can.
  SmallVector<Type> inferTypes(func::FuncOp function, const IE::ValueKeys &keys,
                               ArrayRef<Value> wanted) {
    IRMapping mapping;
    func::FuncOp copy = function.clone(mapping);
    // Passes run on what is in the module.
    SymbolTable(getOperation()).insert(copy);
    for (Value value : wanted) {
      addResult(copy, mapping.lookup(value), keys.get(value));
    }
    OpPassManager passes(func::FuncOp::getOperationName());
    IE::addInferAndFold(passes);
    // Whoever compiles the model runs these passes, too, and hears of errors.
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) {});
    SmallVector<Type> types(ValueRange(wanted).getTypes());
    if (succeeded(runPipeline(passes, copy))) {
      types = llvm::to_vector(copy.getResultTypes().take_back(wanted.size()));
    }
    copy.erase();
    return types;
  }

  /// The values of the wanted group, and the number of the last one.
  SmallVector<Value> chooseGroup(ArrayRef<Value> wanted,
                                 ArrayRef<int64_t> sizes, int64_t &last) {
    SmallVector<Value> chosen;
    int64_t bytes = 0;
    for (auto [value, size] : llvm::zip_equal(wanted, sizes)) {
      bytes += size;
      if (maxBytes > 0 && bytes > maxBytes && bytes > size) {
        ++last;
        bytes = size;
      }
      if (last == group) {
        chosen.push_back(value);
      }
    }
    return chosen;
  }

  static void addResult(func::FuncOp function, Value value, StringRef name) {
    auto terminator =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    Builder builder(function.getContext());
    NamedAttribute named = abi::name<abi::Name>(builder.getStringAttr(name));
    if (succeeded(function.insertResult(function.getNumResults(),
                                        value.getType(),
                                        builder.getDictionaryAttr(named)))) {
      terminator.getOperandsMutable().append(value);
    }
  }

  abi::TapAttr describe(Value value, StringRef name) {
    Builder builder(&getContext());
    Operation *op = value.getDefiningOp();
    StringRef node = op ? IE::getNodeName(op) : StringRef();
    StringRef kind = op ? op->getName().stripDialect() : StringRef();
    auto argument = dyn_cast<BlockArgument>(value);
    int64_t number = argument ? argument.getArgNumber()
                              : cast<OpResult>(value).getResultNumber();
    auto [scale, zeroPoint] = findParameters(value);
    auto scales = scale ? IE::getConstantFloats(scale) : std::nullopt;
    auto zeroPoints = IE::getConstantInts(zeroPoint);
    DenseF64ArrayAttr knownScales;
    DenseI64ArrayAttr knownZeroPoints;
    if (scales && (zeroPoints || !zeroPoint)) {
      knownScales = builder.getDenseF64ArrayAttr(*scales);
      knownZeroPoints = builder.getDenseI64ArrayAttr(
          zeroPoints.value_or(SmallVector<int64_t>{0}));
    }
    return abi::TapAttr::get(
        &getContext(), builder.getStringAttr(name), builder.getStringAttr(node),
        builder.getStringAttr(kind), number, getChannelAxis(value), knownScales,
        knownZeroPoints);
  }

  /// What runs show of the values, for those who run it.
  void record(const IE::ValueKeys &keys, ArrayRef<Value> group, int64_t last) {
    Builder builder(&getContext());
    SmallVector<Attribute> taps;
    for (Value value : group) {
      taps.push_back(describe(value, keys.get(value)));
    }
    abi::set<abi::Taps>(
        getOperation(),
        abi::TapsAttr::get(&getContext(),
                           builder.getStringAttr(IE::getGraphDigest(keys)),
                           last + 1, builder.getArrayAttr(taps)));
  }
};

} // namespace
