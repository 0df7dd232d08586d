//===- QuantizationReport.cpp - What quantization does to a model ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what a plan decides, what range profiles tell of it, and what runs
// have shown.
//
//===----------------------------------------------------------------------===//

#include "QuantizationReport.h"
#include "CalibratorOption.h"
#include "ConstantBytes.h"
#include "KeepArguments.h"
#include "Session.h"
#include "Work.h"

#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/IE/Transforms/QuantizeDynamic.h"
#include "nacre/Dialect/IE/Transforms/QuantizeEmbeddings.h"
#include "nacre/Dialect/IE/Transforms/QuantizeWeights.h"
#include "nacre/Dialect/IE/Utils/ConstantFloats.h"
#include "nacre/Dialect/IE/Utils/ValueNames.h"
#include "nacre/Emit/ModelInterface.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::driver;
using namespace nacre::quantization;

static StringRef describeRounding(const Arguments &arguments) {
  return arguments.get("--rounding") == "hessian" ? ", rounded for their inputs"
                                                  : "";
}

/// What biases make up for, where it is not what they do by default.
static StringRef describeCorrection(const Arguments &arguments) {
  StringRef correction = arguments.get("--bias-correction");
  return correction == "exact" ? ", biases corrected by runs"
         : correction == "off" ? ", biases as they were"
                               : "";
}

/// The calibrator by its name, and who chose it.
static std::string describeCalibrator(const Arguments &arguments) {
  // Quantization has read it from the ranges before.
  FailureOr<std::string> name = findCalibrator(arguments);
  return name.value_or("mse") +
         (measuresCalibrator(arguments)
              ? ", the best in the runs that the ranges tell of"
              : "");
}

/// What becomes of products and values.
static std::string describeProducts(const Arguments &arguments) {
  if (quantizesWeightsAlone(arguments)) {
    bool isByte = arguments.get("--weights") == "int8";
    StringRef block = arguments.get("--block", isByte ? "0" : "32");
    return arguments.get("--weights").str() + " weights, a scale for each " +
           (block == "0" ? "channel" : block.str() + " of a sum") +
           (arguments.get("--int4-form") == "nbits" ? ", as MatMulNBits" : "") +
           describeRounding(arguments).str();
  }
  if (quantizesDynamically(arguments)) {
    return "uint8 by ranges that each run finds, " + describeWeights(arguments);
  }
  return describeActivations(arguments) + ", " + describeCalibrator(arguments) +
         ", " + describeWeights(arguments) +
         (arguments.has("--bias")
              ? ", " + arguments.get("--bias").str() + " biases"
              : "") +
         describeCorrection(arguments).str() +
         (multipliesActivations(arguments) ? ", products of activations, too"
                                           : "") +
         (arguments.get("--io") == "quantized" ? ", inputs and outputs integers"
          : arguments.has("--quantize-outputs") ? ", outputs rounded"
                                                : "") +
         (arguments.get("--equalize") == "auto" ? ", equalized" : "") +
         (arguments.get("--smooth") == "auto" ? ", smoothed" : "") +
         describeRounding(arguments).str();
}

std::string driver::describeQuantization(const Arguments &arguments) {
  return describeProducts(arguments) + (arguments.has("--quantize-embeddings")
                                            ? ", int8 tables of embeddings"
                                            : "");
}

size_t QuantizationReport::countQuantized() const {
  return llvm::count_if(products, [](const ReportedProduct &product) {
    return product.obstacle.empty();
  });
}

size_t QuantizationReport::countQuantizedTables() const {
  return tables ? llvm::count_if(*tables,
                                 [](const ReportedTable &table) {
                                   return table.obstacle.empty();
                                 })
                : 0;
}

/// The part of the numbers in bins that a range leaves out.
static double getClipped(const Bins &bins, quantization::Range range) {
  double all = 0, outside = 0, width = bins.getWidth();
  for (auto [i, count] : llvm::enumerate(bins.counts)) {
    double center =
        (static_cast<double>(bins.first) + static_cast<double>(i) + 0.5) *
        width;
    all += static_cast<double>(count);
    outside += center < range.low || center > range.high
                   ? static_cast<double>(count)
                   : 0;
  }
  return all == 0 ? 0 : outside / all;
}

static ReportedValue describeValue(const ValueProfile &profile,
                                   const IE::QuantizedValue *quantized) {
  ReportedValue result;
  result.profile = profile;
  if (!quantized) {
    return result;
  }
  result.quantized = *quantized;
  if (!profile.histogram.counts.empty()) {
    // What is beyond by less than half a step rounds to the last one.
    quantization::Range range = quantized->parameters.getRange();
    double half = static_cast<double>(quantized->parameters.scale) / 2;
    result.clipped =
        getClipped(profile.histogram, {range.low - half, range.high + half});
    double squares =
        profile.mean * profile.mean + profile.deviation * profile.deviation;
    result.ownDecibels = getDecibels(
        squares, getSquaredError(profile.histogram, quantized->parameters));
  }
  return result;
}

/// Compares weights with what integers make of them.
static void describeWeights(const IE::LinearOperands &operands,
                            ArrayRef<float> rounded, ReportedProduct &product) {
  Value constant = operands.weights->get();
  std::vector<float> weights = IE::ConstantFloats(constant).getAll<float>();
  Distortion distortion;
  distortion.add(weights, rounded);
  product.weightDecibels = distortion.getDecibels();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(constant.getType()).getShape();
  int64_t axis = operands.channelAxis;
  std::vector<float> largest(shape[axis], 0);
  int64_t inner = computeStrides(shape)[axis];
  for (auto [i, weight] : llvm::enumerate(weights)) {
    float &bound = largest[static_cast<int64_t>(i) / inner % shape[axis]];
    bound = std::max(bound, std::fabs(weight));
  }
  // A channel of zeros has none.
  llvm::erase(largest, 0.0f);
  if (!largest.empty()) {
    auto [least, most] = std::minmax_element(largest.begin(), largest.end());
    product.channelSpread = static_cast<double>(*most / *least);
  }
}

/// A product as it is in the module: f32, or on integers already.
static ReportedProduct describeProduct(Operation &op,
                                       const IE::ValueKeys &keys) {
  ReportedProduct product;
  product.node = IE::getNodeName(&op).str();
  product.op = op.getName().stripDialect().str();
  product.result = keys.get(op.getResult(0)).str();
  product.macs = *countProduct(&op);
  if (getElementTypeOrSelf(op.getOperand(0).getType()).isInteger()) {
    product.precision = "int8";
  }
  return product;
}

static void addProduct(QuantizationReport &report, ReportedProduct product) {
  double macs = product.macs.value_or(0);
  report.macs += macs;
  report.macsQuantized += product.obstacle.empty() ? macs : 0;
  report.products.push_back(std::move(product));
}

/// Adds what the weights of a product gain by how they are rounded.
static void addRounding(QuantizationReport &report,
                        const ReportedProduct &product,
                        std::optional<double> decibels) {
  if (decibels) {
    report.repairs.push_back(
        {"rounding", product.result, product.node, *decibels});
  }
}

/// Adds what products on integers read instead of f32.
static void addConstants(QuantizationReport &report, ReportedProduct &product,
                         const IE::QuantizedConstants &constants,
                         ConstantBytes &bytes) {
  addRounding(report, product, constants.roundingDecibels);
  describeWeights(constants.operands, constants.getWeights(), product);
  auto scales = static_cast<int64_t>(constants.scales.size());
  auto weights = static_cast<int64_t>(constants.weights.size());
  bytes.replace(*constants.operands.weights,
                4 * scales + static_cast<int64_t>(constants.getStorageBits()) /
                                 8 * weights);
}

static constexpr StringRef kWideNote =
    "16 bits buy accuracy, not speed: what they stand for is multiplied as "
    "floats";

/// Of the integers that a product reads.
static unsigned findBits(Operation *product, const IE::QuantizationPlan &plan) {
  auto linear = cast<IE::QuantizableOpInterface>(product).getLinearOperands();
  Value source = IE::findQuantizedSource(linear->input->get());
  return plan.getValues().lookup(source).parameters.bits;
}

/// Adds what becomes of the function's inputs and results.
static void addEnds(QuantizationReport &report, func::FuncOp function,
                    const IE::QuantizationPlan &plan) {
  for (const IE::BoundaryValue &boundary : plan.getBoundary()) {
    auto argument = dyn_cast<BlockArgument>(boundary.value);
    auto name =
        boundary.result
            ? abi::getOfResult<abi::Name>(function, *boundary.result)
            : abi::getOfArgument<abi::Name>(function, argument.getArgNumber());
    report.ends.push_back(
        {name ? name.str() : plan.getKeys().get(boundary.value).str(),
         !boundary.result, plan.getValues().lookup(boundary.source).parameters,
         boundary.obstacle});
  }
}

static FailureOr<QuantizationReport>
reportPlan(func::FuncOp function, const IE::QuantizeOptions &options,
           ConstantBytes &bytes) {
  Location loc = function.getLoc();
  auto ranges = IE::readRanges(function, options.ranges, options.rounding);
  auto planOptions = IE::PlanOptions::read(loc, options);
  if (failed(ranges) || failed(planOptions)) {
    return failure();
  }
  auto plan = IE::QuantizationPlan::make(function, **ranges, *planOptions);
  if (failed(plan)) {
    return failure();
  }
  QuantizationReport report;
  bool isWide = options.activations == ActivationType::Int16;
  if (isWide) {
    report.manner = "on 16-bit integers";
    report.note = kWideNote;
  }
  report.repairs = IE::getRepairs(function);
  report.measuredRepairs = (*ranges)->getProfile().repairs;
  for (MeasuredRepair &repair : report.measuredRepairs) {
    // That of a profile may have been asked for by another command.
    bool isDone =
        repair.name != "rounding" || options.rounding == Rounding::Hessian;
    repair.isKept &= isDone;
  }
  for (Value value : plan->getKeys().getValues()) {
    const ValueProfile *profile = (*ranges)->find(plan->getKeys().get(value));
    const auto *quantized =
        plan->getValues().find(IE::findQuantizedSource(value));
    if (profile) {
      report.values.push_back(describeValue(
          *profile,
          quantized == plan->getValues().end() ? nullptr : &quantized->second));
    }
  }
  addEnds(report, function, *plan);
  for (Operation &op : function.getOps()) {
    if (!countProduct(&op)) {
      continue;
    }
    ReportedProduct product = describeProduct(op, plan->getKeys());
    bool isFloat = product.precision == "f32";
    if (isFloat) {
      product.obstacle = plan->getObstacle(&op).str();
    }
    if (isFloat && product.obstacle.empty()) {
      unsigned bits = findBits(&op, *plan);
      product.precision = "int" + std::to_string(bits);
      if (bits == 16) {
        report.note = kWideNote;
      }
      if (!IE::isProductOfValues(&op)) {
        addConstants(report, product,
                     IE::computeConstants(&op, *plan, **ranges,
                                          IE::ConstantOptions::read(options)),
                     bytes);
      }
    }
    addProduct(report, std::move(product));
  }
  return report;
}

/// Adds the values of which nothing is known but their names.
static void addNames(QuantizationReport &report, const IE::ValueKeys &keys) {
  for (Value value : keys.getValues()) {
    ValueProfile &profile = report.values.emplace_back().profile;
    profile.name = keys.get(value).str();
    if (Operation *op = value.getDefiningOp()) {
      profile.node = IE::getNodeName(op).str();
      profile.op = op->getName().stripDialect().str();
    }
  }
}

/// Fills in what becomes of a product, where rules say what is kept.
using ProductDescriber = llvm::function_ref<void(
    Operation &, const IE::KeepRules &, ReportedProduct &)>;

/// Describes the products of a function, and adds them.
static void addProducts(QuantizationReport &report, func::FuncOp function,
                        const IE::KeepOptions &keep,
                        ProductDescriber describe) {
  IE::ValueKeys keys(function);
  addNames(report, keys);
  IE::KeepRules rules(function, keep);
  for (Operation &op : function.getOps()) {
    if (countProduct(&op)) {
      ReportedProduct product = describeProduct(op, keys);
      describe(op, rules, product);
      addProduct(report, std::move(product));
    }
  }
}

static FailureOr<QuantizationReport>
reportDynamic(func::FuncOp function, const IE::QuantizeDynamicOptions &options,
              ConstantBytes &bytes) {
  auto keep = IE::KeepOptions::read(function.getLoc(), options);
  if (failed(keep)) {
    return failure();
  }
  QuantizationReport report;
  addProducts(
      report, function, *keep,
      [&](Operation &op, const IE::KeepRules &rules, ReportedProduct &product) {
        bool isFloat = product.precision == "f32";
        if (isFloat) {
          product.obstacle = IE::findDynamicObstacle(&op, rules);
        }
        if (!isFloat || !product.obstacle.empty()) {
          return;
        }
        product.precision = "int8";
        if (IE::isProduct(&op)) {
          IE::ConstantOptions constants;
          constants.perChannel = options.perChannel;
          constants.weightBits = options.weightBits;
          constants.calibrateWeights = options.calibrateWeights;
          addConstants(report, product,
                       IE::computeDynamicConstants(&op, constants), bytes);
        }
      });
  return report;
}

/// Adds what a product with weights of few bits reads instead of f32.
/// `measured` is what samples have shown of inputs, or null.
static void addLowBitWeights(QuantizationReport &report,
                             ReportedProduct &product, Operation &op,
                             const IE::ValueKeys &keys,
                             const IE::QuantizeWeightsOptions &options,
                             const IE::KnownRanges *measured,
                             ConstantBytes &bytes) {
  product.precision = "int" + std::to_string(options.bits) + " weights";
  IE::LowBitWeights weights = IE::computeLowBitWeights(
      &op, keys, {options.bits, options.blockSize, measured});
  addRounding(report, product, weights.roundingDecibels);
  describeWeights(weights.operands,
                  dequantizeBlocks(weights.weights, weights.layout), product);
  bytes.replace(*weights.operands.weights, weights.countBytes(options.bits));
}

static FailureOr<QuantizationReport>
reportWeights(func::FuncOp function, const IE::QuantizeWeightsOptions &options,
              ConstantBytes &bytes) {
  auto keep = IE::KeepOptions::read(function.getLoc(), options);
  if (failed(keep)) {
    return failure();
  }
  QuantizationReport report;
  std::shared_ptr<const IE::KnownRanges> measured;
  if (options.rounding == Rounding::Hessian) {
    auto read = IE::KnownRanges::read(function.getLoc(), options.ranges,
                                      options.rounding);
    if (failed(read)) {
      return failure();
    }
    measured = *read;
    report.measuredRepairs = measured->getProfile().repairs;
  }
  IE::ValueKeys keys(function);
  report.manner = "with weights of " + std::to_string(options.bits) + " bits";
  addProducts(
      report, function, *keep,
      [&](Operation &op, const IE::KeepRules &rules, ReportedProduct &product) {
        product.obstacle = IE::isProduct(&op)
                               ? IE::findWeightObstacle(&op, rules)
                               : "an op of its kind reads f32";
        if (product.obstacle.empty()) {
          addLowBitWeights(report, product, op, keys, options, measured.get(),
                           bytes);
        }
      });
  return report;
}

/// Adds the tables of embeddings, and what they gain.
static LogicalResult addTables(QuantizationReport &report,
                               func::FuncOp function,
                               const IE::QuantizeEmbeddingsOptions &options,
                               ConstantBytes &bytes) {
  auto keep = IE::KeepOptions::read(function.getLoc(), options);
  if (failed(keep)) {
    return failure();
  }
  report.tables.emplace();
  for (const IE::EmbeddingTable &table : IE::findEmbeddingTables(
           function, IE::KeepRules(function, *keep),
           [&](OpOperand &use) { return bytes.isReplaced(use); })) {
    ReportedTable &reported = report.tables->emplace_back();
    reported.node = IE::getNodeName(table.readers.front()).str();
    reported.obstacle = table.obstacle;
    reported.rows = table.getNumRows();
    reported.rowSize = table.getRowSize();
    if (!table.obstacle.empty()) {
      continue;
    }
    IE::ConstantOp constant = table.constant;
    std::vector<float> floats =
        IE::ConstantFloats(constant->getResult(0)).getAll<float>();
    IE::IntegerRows rows = IE::computeRows(floats, reported.rows);
    std::vector<float> rounded;
    for (auto [i, integer] : llvm::enumerate(rows.integers)) {
      rounded.push_back(static_cast<float>(integer) *
                        rows.scales[i / reported.rowSize]);
    }
    Distortion distortion;
    distortion.add(ArrayRef(floats), ArrayRef(rounded));
    reported.decibels = distortion.getDecibels();
    for (IE::GatherOp reader : table.readers) {
      bool isFirst = reader == table.readers.front();
      bytes.replace(reader.getDataMutable(), isFirst ? rows.countBytes() : 0);
    }
  }
  return success();
}

FailureOr<QuantizationReport> driver::makeReport(ModuleOp module,
                                                 const Session &session) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  ConstantBytes bytes(function);
  FailureOr<QuantizationReport> report =
      session.getQuantization()
          ? reportPlan(function, *session.getQuantization(), bytes)
      : session.getDynamicQuantization()
          ? reportDynamic(function, *session.getDynamicQuantization(), bytes)
          : reportWeights(function, *session.getWeightQuantization(), bytes);
  const auto *embeddings = session.getEmbeddingQuantization();
  if (succeeded(report) && embeddings &&
      failed(addTables(*report, function, *embeddings, bytes))) {
    return failure();
  }
  if (succeeded(report)) {
    report->constantBytesBefore = bytes.countBefore();
    report->constantBytes = bytes.countAfter();
  }
  return report;
}

/// The worse one is less; what nobody knows is the best.
static double getOrder(const std::optional<Distortion> &distortion,
                       std::optional<double> otherwise) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return distortion ? distortion->getDecibels() : otherwise.value_or(kInfinity);
}

void driver::addComparison(QuantizationReport &report,
                           const LayerComparison &comparison,
                           uint64_t samples) {
  report.samples = samples;
  report.outputs = comparison.getOutputs().vec();
  auto find = [&](StringRef name) -> std::optional<Distortion> {
    const ComparedValue *value = comparison.find(name);
    return value && value->difference.empty()
               ? std::optional<Distortion>(value->distortion)
               : std::nullopt;
  };
  for (ReportedValue &value : report.values) {
    value.distortion = find(value.profile.name);
  }
  for (ReportedProduct &product : report.products) {
    product.distortion = find(product.result);
  }
}

std::vector<std::string>
driver::describeEnds(const QuantizationReport &report) {
  std::vector<std::string> lines;
  for (const ReportedEnd &end : report.ends) {
    std::string line = (end.isInput ? "input '" : "output '") + end.name + "' ";
    const Parameters &parameters = end.parameters;
    lines.push_back(
        end.obstacle.empty()
            ? line + "has the integers of " + parameters.getTypeName() +
                  ", scale " +
                  formatNumber(static_cast<double>(parameters.scale)) +
                  ", zero point " + std::to_string(parameters.zeroPoint)
            : line + "stays f32: " + end.obstacle);
  }
  return lines;
}

/// On which samples a repair was tried, and for which integers.
static std::string describeJudges(const MeasuredRepair &repair) {
  return std::string(repair.isUnseen
                         ? " on samples that it was not learned from"
                         : " on the samples") +
         (repair.integers.empty() ? "" : ", tried for " + repair.integers);
}

std::vector<std::string>
driver::describeRepairs(const QuantizationReport &report) {
  llvm::MapVector<StringRef, size_t> counts;
  for (const IE::Repair &repair : report.repairs) {
    ++counts[repair.kind];
  }
  std::vector<std::string> lines;
  for (const MeasuredRepair &repair : report.measuredRepairs) {
    // Rounding is kept where it is asked for, even if nothing is rounded, and
    // else nobody wants to hear of it.
    bool isLeftOut = repair.name == "rounding"
                         ? repair.isKept && repair.decibels == 0
                         : !repair.isKept;
    if (isLeftOut && !counts.contains(repair.name)) {
      lines.push_back(repair.name +
                      (repair.name == "rounding" ? ": changes no result"
                       : repair.decibels == 0
                           ? ": left out, for it changes no result"
                           : ": left out, for it gains " +
                                 formatDecibels(repair.decibels) + " dB") +
                      describeJudges(repair));
    }
  }
  for (auto [kind, count] : counts) {
    auto measured = llvm::find_if(
        report.measuredRepairs,
        [kind = kind](const auto &repair) { return repair.name == kind; });
    std::string gain = measured == report.measuredRepairs.end()
                           ? ""
                           : ", gains " + formatDecibels(measured->decibels) +
                                 " dB" + describeJudges(*measured);
    lines.push_back(kind.str() + ": " + std::to_string(count) +
                    (count == 1 ? " value" : " values") + gain);
  }
  return lines;
}

/// Puts the entries of the least key first, and leaves equal ones in order.
template <typename T, typename KeyT>
static void sortByKey(std::vector<T> &entries, KeyT getKey) {
  std::vector<std::pair<double, size_t>> order;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    order.emplace_back(getKey(entry), i);
  }
  llvm::sort(order);
  std::vector<T> sorted;
  for (auto [key, i] : order) {
    sorted.push_back(std::move(entries[i]));
  }
  entries = std::move(sorted);
}

void driver::sortReport(QuantizationReport &report) {
  sortByKey(report.values, [](const ReportedValue &value) {
    return getOrder(value.distortion, value.ownDecibels);
  });
  sortByKey(report.products, [](const ReportedProduct &product) {
    return getOrder(product.distortion, product.weightDecibels);
  });
}
