//===- Quantize.cpp - The ie-quantize pass --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which values are quantized, and by which parameters. Products with
// constant weights are why; backwards from their inputs, sums and means in
// between are quantized, too, so that integers stay integers.
//
//===----------------------------------------------------------------------===//

#include "QuantizeConstants.h"
#include "ValueKeys.h"

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Quantization/Calibrators.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"

namespace nacre::IE {
#define GEN_PASS_DEF_QUANTIZE
#include "nacre/Dialect/IE/Transforms/Passes.h.inc"
} // namespace nacre::IE

using namespace mlir;
using namespace nacre;
using namespace nacre::quantization;

namespace {

/// What a range profile says, for look-ups.
class Ranges {
public:
  /// Fails, after an error at `loc`, where the file is none of ranges.
  static FailureOr<std::shared_ptr<const Ranges>> read(Location loc,
                                                       StringRef path);

  const ValueProfile *find(StringRef name) const {
    auto it = byName.find(name);
    return it == byName.end() ? nullptr : it->second;
  }
  std::optional<Range> findOverride(StringRef name) const;
  bool keepsFloat(StringRef node) const;
  StringRef getGraph() const { return profile.graph; }

private:
  RangeProfile profile;
  llvm::StringMap<const ValueProfile *> byName;
  std::vector<std::pair<llvm::GlobPattern, bool>> precisions;
};

} // namespace

FailureOr<std::shared_ptr<const Ranges>> Ranges::read(Location loc,
                                                      StringRef path) {
  llvm::Expected<RangeProfile> profile = RangeProfile::read(path);
  if (!profile) {
    return emitError(loc) << "cannot read ranges from '" << path
                          << "': " << llvm::toString(profile.takeError());
  }
  auto result = std::make_shared<Ranges>();
  result->profile = std::move(*profile);
  for (const ValueProfile &value : result->profile.values) {
    result->byName[value.name] = &value;
  }
  for (const Override &override : result->profile.overrides) {
    if (override.node.empty()) {
      continue;
    }
    llvm::Expected<llvm::GlobPattern> pattern =
        llvm::GlobPattern::create(override.node);
    if (!pattern) {
      return emitError(loc) << "'" << override.node << "' in '" << path
                            << "' is no pattern of names: "
                            << llvm::toString(pattern.takeError());
    }
    result->precisions.emplace_back(std::move(*pattern),
                                    override.precision == "f32");
  }
  return std::shared_ptr<const Ranges>(std::move(result));
}

std::optional<Range> Ranges::findOverride(StringRef name) const {
  for (const Override &override : llvm::reverse(profile.overrides)) {
    if (override.range && override.value == name) {
      return override.range;
    }
  }
  return std::nullopt;
}

/// Of several patterns that match, the last counts.
bool Ranges::keepsFloat(StringRef node) const {
  for (const auto &[pattern, keeps] : llvm::reverse(precisions)) {
    if (pattern.match(node)) {
      return keeps;
    }
  }
  return false;
}

static IE::QuantizableOpInterface getQuantizable(Value value) {
  return value.getDefiningOp<IE::QuantizableOpInterface>();
}

/// The value whose elements `value` holds in other places: quantized, it is
/// carried on as integers.
static Value findSource(Value value) {
  while (IE::QuantizableOpInterface op = getQuantizable(value)) {
    if (op.getQuantizableKind() != IE::QuantizableKind::Carries) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// The only user of a value if that limits it, as a rectifier does, and becomes
/// a part of what computes it.
static Operation *getLimit(Value value) {
  if (!value.hasOneUse()) {
    return nullptr;
  }
  Operation *user = *value.user_begin();
  return isa<IE::ReluOp, IE::LeakyReluOp, IE::ClipOp>(user) ? user : nullptr;
}

namespace {

/// The quantization of one function.
class Quantizer {
public:
  Quantizer(func::FuncOp function, const Ranges &ranges, StringRef file,
            const CalibrationOptions &options, bool correctsBias)
      : function(function), ranges(ranges), file(file), options(options),
        correctsBias(correctsBias), keys(function) {}

  /// Finds what to quantize. Fails, after an error, where a range is missing.
  LogicalResult plan();
  void apply(bool perChannel);
  size_t getNumLinear() const { return linear.size(); }
  size_t getNumValues() const { return values.size(); }

private:
  void visit(IE::QuantizableOpInterface op);
  bool canQuantize(Value source, Operation *user);
  bool demandAll(OperandRange operands, Operation *user);
  LogicalResult reportMissing();
  bool isDemanded(Value value) const;
  Parameters choose(Value source) const;
  ArrayRef<float> findMeans(Value input, const IE::LinearOperands &of) const;
  Value dropLimit(Value source, OpBuilder &builder,
                  const Parameters &parameters) const;
  void insertRoundTrip(Value source, const Parameters &parameters);

  func::FuncOp function;
  const Ranges &ranges;
  StringRef file;
  CalibrationOptions options;
  bool correctsBias;
  IE::ValueKeys keys;
  llvm::SetVector<Operation *> linear;
  llvm::SetVector<Value> values;
  /// Values without a range, and what reads them.
  llvm::DenseMap<Value, Operation *> missing;
};

} // namespace

/// False for what must stay a float.
bool Quantizer::canQuantize(Value source, Operation *user) {
  StringRef key = keys.get(source);
  if (key.empty()) {
    return false; // a constant, or no f32
  }
  if (ranges.findOverride(key)) {
    return true;
  }
  const ValueProfile *profile = ranges.find(key);
  if (!profile) {
    missing[source] = user;
    return false;
  }
  constexpr float kHuge = 1e30f;
  return profile->count > 0 && profile->nans == 0 && profile->infinities == 0 &&
         profile->low > -kHuge && profile->high < kHuge;
}

/// Quantizes all of the operands of `user`, if that can be.
bool Quantizer::demandAll(OperandRange operands, Operation *user) {
  SmallVector<Value> sources(llvm::map_range(operands, findSource));
  if (!llvm::all_of(sources,
                    [&](Value source) { return canQuantize(source, user); })) {
    return false;
  }
  values.insert_range(sources);
  return true;
}

bool Quantizer::isDemanded(Value value) const {
  Operation *limit = getLimit(value);
  return values.contains(value) ||
         (limit && values.contains(limit->getResult(0)));
}

/// Adds what `op` needs quantized. All that uses its result has been visited.
void Quantizer::visit(IE::QuantizableOpInterface op) {
  if (ranges.keepsFloat(IE::getNodeName(op))) {
    return;
  }
  switch (op.getQuantizableKind()) {
  case IE::QuantizableKind::Carries:
    return;
  case IE::QuantizableKind::Linear: {
    std::optional<IE::LinearOperands> operands = op.getLinearOperands();
    if (operands && IE::canQuantizeWeights(*operands) &&
        demandAll(
            op->getOperands().slice(operands->input->getOperandNumber(), 1),
            op)) {
      linear.insert(op);
    }
    return;
  }
  case IE::QuantizableKind::Arithmetic:
    // Tensors that broadcast are not for the engine.
    if (isDemanded(op->getResult(0)) &&
        (op->getNumOperands() == 1 || llvm::all_equal(op->getOperandTypes()))) {
      demandAll(op->getOperands(), op);
    }
    return;
  }
}

/// Fails, after an error about the first of them, where ranges are missing.
LogicalResult Quantizer::reportMissing() {
  for (Value value : keys.getValues()) {
    if (Operation *user = missing.lookup(value)) {
      return user->emitError("'")
             << file << "' knows no range of value '" << keys.get(value)
             << "', which this op reads: it was measured on another model";
    }
  }
  return success();
}

LogicalResult Quantizer::plan() {
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    if (auto quantizable = dyn_cast<IE::QuantizableOpInterface>(op)) {
      visit(quantizable);
    }
  }
  if (failed(reportMissing())) {
    return failure();
  }
  if (!ranges.getGraph().empty() &&
      ranges.getGraph() != IE::getGraphDigest(keys)) {
    function.emitWarning("'")
        << file << "' was measured on another graph, whose values have the "
        << "names of this one's";
  }
  return success();
}

Parameters Quantizer::choose(Value source) const {
  StringRef key = keys.get(source);
  std::optional<Range> range = ranges.findOverride(key);
  if (!range) {
    range = calibrate(*ranges.find(key), options);
  }
  return getParameters(*range, options.schema, options.type);
}

/// The means of the channels of a linear op's input, if they are known.
ArrayRef<float> Quantizer::findMeans(Value input,
                                     const IE::LinearOperands &of) const {
  const ValueProfile *profile = ranges.find(keys.get(input));
  if (!correctsBias || !profile || !profile->channels) {
    return {};
  }
  // Of images, channels are the second dimension, of matrices the last.
  bool isProduct = isa<IE::GemmOp, IE::MatMulOp>(of.input->getOwner());
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  bool fits = profile->channels->axis == (isProduct ? rank - 1 : 1);
  return fits ? ArrayRef<float>(profile->channels->mean) : ArrayRef<float>();
}

/// The value to quantize instead of `source`, where that is a Clip of which the
/// integers know a bound or both.
Value Quantizer::dropLimit(Value source, OpBuilder &builder,
                           const Parameters &parameters) const {
  auto clip = source.getDefiningOp<IE::ClipOp>();
  if (!clip) {
    return source;
  }
  auto getBound = [](Value value, double otherwise) -> std::optional<double> {
    if (!value) {
      return otherwise;
    }
    auto constant = IE::getConstantFloats(value);
    return constant && constant->size() == 1
               ? std::optional<double>(constant->front())
               : std::nullopt;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::optional<double> low = getBound(clip.getMin(), -kInfinity);
  std::optional<double> high = getBound(clip.getMax(), kInfinity);
  if (!low || !high || *low > *high) {
    return source;
  }
  // What is beyond a bound by less than half a step rounds to it.
  Range range = parameters.getRange();
  double half = static_cast<double>(parameters.scale) / 2;
  bool dropsLow = range.low >= *low - half;
  bool dropsHigh = range.high <= *high + half;
  if (dropsLow && dropsHigh) {
    return clip.getInput();
  }
  if (dropsHigh && *low == 0) {
    return IE::ReluOp::create(builder, clip.getLoc(), source.getType(),
                              clip.getInput());
  }
  return source;
}

void Quantizer::insertRoundTrip(Value source, const Parameters &parameters) {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfterValue(source);
  Value input = dropLimit(source, builder, parameters);
  Value result = IE::buildRoundTrip(builder, input, parameters);
  Operation *reader = result.getDefiningOp()->getOperand(0).getDefiningOp();
  source.replaceUsesWithIf(result, [&](OpOperand &use) {
    return use.getOwner() != reader && !isa<func::ReturnOp>(use.getOwner());
  });
  Operation *limit = source.getDefiningOp();
  if (input != source && limit->use_empty()) {
    limit->erase();
  }
}

void Quantizer::apply(bool perChannel) {
  OpBuilder builder(function.getContext());
  llvm::MapVector<Value, Parameters> chosen;
  for (Value source : values) {
    chosen[source] = choose(source);
  }
  for (Operation *op : linear) {
    auto operands = *cast<IE::QuantizableOpInterface>(op).getLinearOperands();
    builder.setInsertionPoint(op);
    Value input = operands.input->get();
    IE::quantizeConstants(
        builder, operands,
        {chosen[findSource(input)].scale, findMeans(input, operands)},
        perChannel);
  }
  for (const auto &[source, parameters] : chosen) {
    insertRoundTrip(source, parameters);
  }
}

namespace {

struct QuantizePass final : nacre::IE::impl::QuantizeBase<QuantizePass> {
  using QuantizeBase::QuantizeBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto read = Ranges::read(UnknownLoc::get(context), ranges);
    if (failed(read)) {
      return failure();
    }
    known = *read;
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal()) {
      return;
    }
    CalibrationOptions options;
    options.calibrator = calibrator;
    options.percentile = percentile;
    options.schema = schema;
    options.type = activations;
    Quantizer quantizer(function, *known, ranges, options, biasCorrection);
    if (failed(quantizer.plan())) {
      return signalPassFailure();
    }
    quantizer.apply(perChannel);
    numLinear += quantizer.getNumLinear();
    numValues += quantizer.getNumValues();
  }

private:
  std::shared_ptr<const Ranges> known;
};

} // namespace
