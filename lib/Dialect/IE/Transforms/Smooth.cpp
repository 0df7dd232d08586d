//===- Smooth.cpp - The ie-smooth pass ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has the weights of matrix products take over what makes a few columns of the
// values that they read large. After Xiao et al., SmoothQuant, 2022.
//
//===----------------------------------------------------------------------===//

#include "ChannelScaling.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Interpreter/Tensor.h"

#include "llvm/ADT/SetVector.h"

#include <cmath>

namespace nacre::IE {
#define GEN_PASS_DEF_SMOOTH
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

namespace {

/// Where factors of a value can go instead of a Mul.
struct Fold {
  /// A product that ends the way there, if one does.
  IE::ScalableProduct *producer = nullptr;
  /// Constants that are added on the way, or multiplied or normalised to at its
  /// end.
  SmallVector<OpOperand *> constants;
  /// The values on the way, the last one first.
  SmallVector<Value> values;
};

class Smoother {
public:
  Smoother(func::FuncOp function, IE::ChannelScaler &scaler)
      : function(function), scaler(scaler) {}

  void run();

  size_t numFolded = 0, numInserted = 0;

private:
  IE::Link findLink(Value value);
  std::optional<Fold> findFold(Value value);
  std::optional<IE::ChosenFactors> choose(const IE::Link &link);
  void smooth(Value value);
  void fold(const Fold &fold, ArrayRef<float> factors);
  void insertMul(const IE::Link &link, ArrayRef<float> factors);

  func::FuncOp function;
  IE::ChannelScaler &scaler;
  std::vector<IE::Repair> repairs;
};

} // namespace

static int64_t getLastSize(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

/// The products of matrices that read a value's rows.
IE::Link Smoother::findLink(Value value) {
  IE::Link link;
  link.value = value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() < 2) {
    return link;
  }
  for (OpOperand &use : value.getUses()) {
    IE::ScalableProduct *product = scaler.getProduct(use.getOwner());
    if (product && use.getOperandNumber() == 0 &&
        product->getInputDim() == type.getRank() - 1 &&
        static_cast<int64_t>(product->getNumInputs()) ==
            type.getShape().back()) {
      link.consumers.push_back(product);
    }
  }
  return link;
}

/// True for a constant that has one element for each of the last dimension, or
/// one for all.
static bool isRow(Value value, int64_t size) {
  IE::ConstantFloats constant(value);
  if (!constant || !constant.getElementType().isF32()) {
    return false;
  }
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() == 1 ||
         (type.getNumElements() == size && type.getShape().back() == size);
}

/// The operand of an op of two that is such a constant.
static OpOperand *findRow(Operation *op, int64_t size) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value other = op->getOperand(1 - operand.getOperandNumber());
    if (isRow(operand.get(), size) &&
        other.getType() == op->getResult(0).getType()) {
      return &operand;
    }
  }
  return nullptr;
}

/// Adds what normalised values are multiplied by and added to, if these are
/// such constants.
static bool findParameters(IE::LayerNormalizationOp op, Fold &fold,
                           int64_t size) {
  for (OpOperand &operand : op->getOpOperands().drop_front()) {
    if (!isRow(operand.get(), size)) {
      return false;
    }
    fold.constants.push_back(&operand);
  }
  return fold.values.back() == op.getOutput();
}

std::optional<Fold> Smoother::findFold(Value value) {
  Fold fold;
  int64_t size = getLastSize(value);
  for (bool isFirst = true; isFirst || value.hasOneUse(); isFirst = false) {
    Operation *op = value.getDefiningOp();
    auto type = cast<RankedTensorType>(value.getType());
    if (!op || type.getRank() == 0 || type.getShape().back() != size) {
      return std::nullopt;
    }
    fold.values.push_back(value);
    fold.producer = scaler.getProduct(op);
    if (fold.producer) {
      bool fits = fold.producer->getResultDim() == type.getRank() - 1 &&
                  static_cast<int64_t>(fold.producer->getNumChannels()) == size;
      return fits ? std::optional(std::move(fold)) : std::nullopt;
    }
    if (isa<IE::ReluOp, IE::LeakyReluOp, IE::ReshapeOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (auto normalization = dyn_cast<IE::LayerNormalizationOp>(op)) {
      return findParameters(normalization, fold, size)
                 ? std::optional(std::move(fold))
                 : std::nullopt;
    }
    OpOperand *constant =
        isa<IE::AddOp, IE::MulOp>(op) ? findRow(op, size) : nullptr;
    if (!constant) {
      return std::nullopt;
    }
    fold.constants.push_back(constant);
    if (isa<IE::MulOp>(op)) {
      return fold;
    }
    value = op->getOperand(1 - constant->getOperandNumber());
  }
  return std::nullopt;
}

std::optional<IE::ChosenFactors> Smoother::choose(const IE::Link &link) {
  const ValueProfile *profile =
      scaler.getProfile(link.value, link.consumers.front()->getInputDim());
  if (!profile) {
    return std::nullopt;
  }
  std::vector<double> values = IE::getMagnitudes(*profile);
  std::vector<double> weights(values.size(), 0);
  for (const IE::ScalableProduct *consumer : link.consumers) {
    for (auto [weight, range] :
         llvm::zip_equal(weights, consumer->getInputRanges())) {
      weight = std::max(weight, range);
    }
  }
  SmallVector<std::vector<float>> candidates;
  for (double alpha : {0.3, 0.5, 0.7, 0.85, 0.95}) {
    std::vector<double> numbers;
    for (auto [value, weight] : llvm::zip_equal(values, weights)) {
      numbers.push_back(std::pow(weight, 1 - alpha) / std::pow(value, alpha));
    }
    candidates.push_back(IE::makeFactors(numbers));
  }
  return IE::chooseFactors(scaler, link, candidates);
}

static Value buildRow(OpBuilder &builder, Location loc, RankedTensorType type,
                      ArrayRef<float> values) {
  interpreter::Tensor tensor(type);
  llvm::copy(values, tensor.mutableValues<float>().begin());
  return IE::ConstantOp::create(builder, loc, tensor.toAttr());
}

void Smoother::fold(const Fold &fold, ArrayRef<float> factors) {
  for (OpOperand *operand : fold.constants) {
    IE::ConstantFloats constant(operand->get());
    auto type = cast<RankedTensorType>(operand->get().getType());
    auto size = static_cast<int64_t>(factors.size());
    if (type.getNumElements() != size) {
      type = RankedTensorType::get({size}, type.getElementType());
    }
    std::vector<float> numbers;
    for (auto [i, factor] : llvm::enumerate(factors)) {
      auto number = static_cast<float>(constant[constant.size() == 1 ? 0 : i]);
      numbers.push_back(number * factor);
    }
    OpBuilder builder(operand->getOwner());
    operand->set(buildRow(builder, operand->get().getLoc(), type, numbers));
  }
  // What carries the first value's elements has its channels, if other ones.
  StringRef of = scaler.getKeys().get(fold.values.front());
  bool isCarried = true;
  for (Value value : fold.values) {
    IE::addRescaling(value, scaler.getKeys().get(value), isCarried ? of : "",
                     factors);
    isCarried &= isa_and_present<IE::ReshapeOp>(value.getDefiningOp());
  }
}

void Smoother::insertMul(const IE::Link &link, ArrayRef<float> factors) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(link.value);
  StringRef key = scaler.getKeys().get(link.value);
  std::string name = IE::getRescaledName(key);
  Location loc = NameLoc::get(builder.getStringAttr(name));
  auto size = static_cast<int64_t>(factors.size());
  Value row =
      buildRow(builder, loc,
               RankedTensorType::get({size}, builder.getF32Type()), factors);
  Value value = link.value;
  Value product = IE::MulOp::create(builder, loc, value, row);
  IE::setValueName(product, name);
  IE::addRescaling(product, key, key, factors);
  value.replaceUsesWithIf(product, [&](OpOperand &use) {
    return llvm::any_of(link.consumers, [&](const auto *consumer) {
      return consumer->getOp() == use.getOwner() && use.getOperandNumber() == 0;
    });
  });
}

void Smoother::smooth(Value value) {
  constexpr double kWorthAMul = 3;
  IE::Link link = findLink(value);
  if (link.consumers.empty()) {
    return;
  }
  bool readsAll =
      static_cast<size_t>(std::distance(value.use_begin(), value.use_end())) ==
      link.consumers.size();
  std::optional<Fold> way = readsAll ? findFold(value) : std::nullopt;
  if (way) {
    link.producer = way->producer;
  }
  std::optional<IE::ChosenFactors> chosen = choose(link);
  if (!chosen || (!way && chosen->decibels <= kWorthAMul)) {
    return;
  }
  repairs.push_back({"smooth", scaler.getKeys().get(value).str(),
                     IE::getNodeName(link.consumers.front()->getOp()).str(),
                     chosen->decibels});
  scaler.apply(link, chosen->factors);
  if (way) {
    fold(*way, chosen->factors);
    ++numFolded;
  } else {
    insertMul(link, chosen->factors);
    ++numInserted;
  }
  if (link.producer) {
    link.producer->commit();
  }
  for (IE::ScalableProduct *consumer : link.consumers) {
    consumer->commit();
  }
}

void Smoother::run() {
  llvm::SetVector<Value> values;
  for (Operation &op : function.getOps()) {
    if (IE::ScalableProduct *product = scaler.getProduct(&op)) {
      values.insert(product->getInput());
    }
  }
  for (Value value : values) {
    smooth(value);
  }
  IE::recordRepairs(function, repairs);
}

namespace {

struct SmoothPass final : nacre::IE::impl::SmoothBase<SmoothPass> {
  using SmoothBase::SmoothBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto read = IE::KnownRanges::read(UnknownLoc::get(context), ranges);
    if (failed(read)) {
      return failure();
    }
    known = *read;
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !known->getProfile().keeps("smooth")) {
      return;
    }
    IE::ChannelScaler scaler(function, IE::adjustRanges(function, known),
                             {calibrator, percentile, schema, activations},
                             perChannel);
    Smoother smoother(function, scaler);
    smoother.run();
    numFolded += smoother.numFolded;
    numInserted += smoother.numInserted;
  }

private:
  std::shared_ptr<const IE::KnownRanges> known;
};

} // namespace
