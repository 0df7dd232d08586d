//===- Adapters.cpp - Older operator set versions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IE has the newest semantics of each operator. What an older version said
// differently, usually an attribute that became an input, is rewritten here.
//
//===----------------------------------------------------------------------===//

#include "Expansions/Expansions.h"
#include "Node.h"
#include "TensorData.h"
#include "Training.h"

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/IR/String.h"
#include "nacre/Dialect/IE/Utils/Builders.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace nacre;
using namespace nacre::onnx_import;

namespace {

struct AdapterContext {
  OpBuilder &builder;
  Node &node;
  bool &unsupported;

  Value constant(ArrayRef<int64_t> values) {
    return IE::buildInts(builder, node.loc, values);
  }

  /// A scalar of the element type of `like`.
  Value scalar(double value, Value like) {
    return IE::buildScalar(builder, node.loc, getElementTypeOrSelf(like),
                           value);
  }

  LogicalResult reject(const Twine &reason) {
    unsupported = true;
    return emitError(node.loc)
           << "unsupported " << node.opType << ": " << reason;
  }

  /// The element type of an input; none where it is left out.
  Type getElement(unsigned index) {
    Value input = node.getInput(index);
    auto shaped = input ? dyn_cast<ShapedType>(input.getType()) : ShapedType();
    return shaped ? shaped.getElementType() : builder.getNoneType();
  }

  LogicalResult expand(Expansion expansion) {
    return onnx_import::expand(expansion, builder, node, unsupported);
  }

  /// An INTS attribute becomes input number `index`.
  void attributeToInput(StringRef name, unsigned index) {
    if (auto values = node.take<DenseI64ArrayAttr>(name)) {
      node.setInput(index, constant(values));
    }
  }
};

} // namespace

/// Clip had its bounds as attributes before 11.
static LogicalResult adaptClip(AdapterContext &context) {
  Node &node = context.node;
  auto low = node.take<FloatAttr>("min");
  auto high = node.take<FloatAttr>("max");
  if (node.opset >= 11 || !node.getInput(0)) {
    return success();
  }
  if (low) {
    node.setInput(1, context.scalar(low.getValueAsDouble(), node.inputs[0]));
  }
  if (high) {
    node.setInput(2, context.scalar(high.getValueAsDouble(), node.inputs[0]));
  }
  return success();
}

/// Pad had amounts and value as attributes before 11.
static LogicalResult adaptPad(AdapterContext &context) {
  Node &node = context.node;
  if (node.opset >= 11 || !node.getInput(0)) {
    return success();
  }
  context.attributeToInput("paddings", 1);
  context.attributeToInput("pads", 1);
  if (auto value = node.take<FloatAttr>("value")) {
    node.setInput(2, context.scalar(value.getValueAsDouble(), node.inputs[0]));
  }
  return success();
}

/// Before 13 the softmax family worked on the input flattened to a matrix at
/// `axis`, by default 1.
static LogicalResult adaptSoftmax(AdapterContext &context) {
  Node &node = context.node;
  if (node.opset >= 13 || !node.getInput(0)) {
    return success();
  }
  OpBuilder &builder = context.builder;
  auto type = cast<RankedTensorType>(node.inputs[0].getType());
  int64_t rank = type.getRank();
  auto attr = node.take<IntegerAttr>("axis");
  int64_t axis = attr ? attr.getInt() : 1;
  if (axis < -rank || axis > rank) {
    return emitError(node.loc) << "expected an axis in [" << -rank << ", "
                               << rank << "], found " << axis;
  }
  axis += axis < 0 ? rank : 0;
  if (axis == rank - 1) {
    node.attributes["axis"] = builder.getI64IntegerAttr(axis);
    return success();
  }
  Value matrix = IE::FlattenOp::create(builder, node.loc, node.inputs[0], axis);
  auto normalize = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, node.loc, matrix,
                                 builder.getI64IntegerAttr(-1))
        .getResult();
  };
  Value result = node.opType == "Softmax"      ? normalize(IE::SoftmaxOp())
                 : node.opType == "LogSoftmax" ? normalize(IE::LogSoftmaxOp())
                                               : normalize(IE::HardmaxOp());
  if (type.hasStaticShape()) {
    node.results.push_back(
        IE::ReshapeOp::create(builder, node.loc, type, result));
    return success();
  }
  Value shape = IE::ShapeOp::create(builder, node.loc, node.inputs[0],
                                    /*start=*/0, /*end=*/IntegerAttr());
  node.results.push_back(IE::ReshapeOp::create(builder, node.loc, type, result,
                                               shape, /*allowzero=*/0));
  return success();
}

static LogicalResult adaptBatchNormalization(AdapterContext &context) {
  Node &node = context.node;
  auto training = node.take<IntegerAttr>("training_mode");
  auto test = node.take<IntegerAttr>("is_test");
  auto spatial = node.take<IntegerAttr>("spatial");
  node.take("consumed_inputs");
  if (spatial && spatial.getInt() == 0) {
    return context.reject("statistics per element ('spatial' = 0)");
  }
  // Until version 14, training showed in the results that it has.
  if ((training && training.getInt() != 0) || node.numOutputs > 1) {
    return importTrainingBatchNormalization(context.builder, node);
  }
  if (node.opset < 7 && (!test || test.getInt() == 0)) {
    return context.reject("training mode; export the model for inference");
  }
  return success();
}

/// Dropout is the identity at inference; its attributes became inputs at 12.
static LogicalResult adaptDropout(AdapterContext &context) {
  Node &node = context.node;
  auto test = node.take<IntegerAttr>("is_test");
  node.take("ratio");
  if (node.opset < 7 && (!test || test.getInt() == 0)) {
    return context.reject("training mode; export the model for inference");
  }
  return success();
}

static LogicalResult adaptMaxPool(AdapterContext &context) {
  Node &node = context.node;
  if (node.numOutputs > 1) {
    node.opType = "MaxPoolWithIndices";
  } else {
    // Only says how indices are counted.
    node.take("storage_order");
  }
  return success();
}

static LogicalResult adaptSplit(AdapterContext &context) {
  Node &node = context.node;
  context.attributeToInput("split", 1);
  // How many parts there are may be all that is known of them.
  Value sizes = node.getInput(1);
  if (!sizes || !cast<ShapedType>(sizes.getType()).hasStaticShape()) {
    node.attributes["num_outputs"] =
        context.builder.getI64IntegerAttr(node.numOutputs);
  }
  return success();
}

/// Slice had its ranges as attributes before 10.
static LogicalResult adaptSlice(AdapterContext &context) {
  context.attributeToInput("starts", 1);
  context.attributeToInput("ends", 2);
  context.attributeToInput("axes", 3);
  return success();
}

/// `value` with `count` dimensions of 1 after its own.
static Value appendDims(AdapterContext &context, Value value, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.append(count, 1);
  auto axes = llvm::to_vector(
      llvm::seq<int64_t>(type.getRank(), type.getRank() + count));
  return IE::UnsqueezeOp::create(context.builder, context.node.loc,
                                 type.clone(shape), value,
                                 context.constant(axes));
}

/// Before 7 the elementwise operators broadcast one way: the second operand's
/// dimensions are some of the first's, from a given axis on.
static LogicalResult adaptBroadcast(AdapterContext &context) {
  Node &node = context.node;
  auto broadcast = node.take<IntegerAttr>("broadcast");
  auto axis = node.take<IntegerAttr>("axis");
  node.take("consumed_inputs");
  if (node.opset >= 7 || !broadcast || broadcast.getInt() == 0 || !axis ||
      !node.getInput(0) || !node.getInput(1)) {
    return success();
  }
  int64_t rank = cast<RankedTensorType>(node.inputs[0].getType()).getRank();
  int64_t own = cast<RankedTensorType>(node.inputs[1].getType()).getRank();
  int64_t first = axis.getInt() + (axis.getInt() < 0 ? rank : 0);
  if (first < 0 || first + own > rank) {
    return emitError(node.loc)
           << "expected " << own << " dimensions from axis " << axis.getInt()
           << " on, found " << node.inputs[0].getType();
  }
  if (int64_t missing = rank - own - first) {
    node.setInput(1, appendDims(context, node.inputs[1], missing));
  }
  return success();
}

/// Before 7 the slopes of PRelu were one per channel, or one for all.
static LogicalResult adaptPRelu(AdapterContext &context) {
  Node &node = context.node;
  node.take("consumed_inputs");
  Value input = node.getInput(0), slope = node.getInput(1);
  if (node.opset >= 7 || !input || !slope) {
    return success();
  }
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  auto type = cast<RankedTensorType>(slope.getType());
  if (type.getRank() == 1 && type.getDimSize(0) != 1 && rank > 2) {
    node.setInput(1, appendDims(context, slope, rank - 2));
  }
  return success();
}

/// Before 6, Cast had the name of the element type.
static LogicalResult adaptCast(AdapterContext &context) {
  auto name =
      dyn_cast_if_present<StringAttr>(context.node.attributes.lookup("to"));
  if (!name || context.node.opset >= 6) {
    return success();
  }
  onnx::TensorProto::DataType number;
  Type element;
  if (onnx::TensorProto::DataType_Parse(name.str(), &number)) {
    element = getElementType(context.builder.getContext(), number);
  }
  if (!element) {
    return emitError(context.node.loc)
           << "expected the name of an element type in attribute 'to', found "
           << name;
  }
  context.node.attributes["to"] = TypeAttr::get(element);
  return success();
}

/// CastLike takes no more than a type from its second operand, and that is
/// known here: what computes the operand need not run.
static LogicalResult adaptCastLike(AdapterContext &context) {
  Node &node = context.node;
  if (!node.getInput(0) || !node.getInput(1)) {
    return success();
  }
  Type element = cast<ShapedType>(node.inputs[1].getType()).getElementType();
  node.opType = "Cast";
  node.inputs.resize(1);
  node.attributes["to"] = TypeAttr::get(element);
  return success();
}

static LogicalResult adaptReshape(AdapterContext &context) {
  context.attributeToInput("shape", 1);
  return success();
}

static LogicalResult adaptAxes(AdapterContext &context) {
  context.attributeToInput("axes", 1);
  return success();
}

/// Of integers ONNX has functions that IE has of floats only.
static LogicalResult adaptIntegers(AdapterContext &context) {
  return isa<IntegerType>(context.getElement(0))
             ? context.expand(expandOnWiderType)
             : success();
}

/// Numbers between integers are computed on floats and cut off, as ONNX's
/// reference does, but for those of a cubic Resize, which are rounded, and
/// those that IE.Resize weighs by integers. What is no mode, the op refuses.
static LogicalResult adaptInterpolation(AdapterContext &context,
                                        StringRef defaultMode) {
  Node &node = context.node;
  auto mode = dyn_cast_or_null<StringAttr>(node.attributes.lookup("mode"));
  auto antialias =
      dyn_cast_or_null<IntegerAttr>(node.attributes.lookup("antialias"));
  bool isNearest = (mode ? mode.getValue() : defaultMode) == "nearest";
  bool isFixedPoint = node.opType == "Resize" && antialias &&
                      antialias.getInt() != 0 &&
                      context.getElement(0).isInteger(8);
  return isNearest || isFixedPoint ? success() : adaptIntegers(context);
}

/// The way of Resize 10 to find the nearest element: the one before, and where
/// dimensions become smaller the one after. Null where these are dimensions of
/// one operator, and make a difference.
static StringAttr findNearestMode(OpBuilder &builder, Value scales) {
  DenseFPElementsAttr values;
  bool grows = false, shrinks = false;
  if (scales && matchPattern(scales, m_Constant(&values))) {
    for (const APFloat &value : values) {
      double scale = value.convertToDouble();
      grows |= scale > 1;
      // Every other element, every third, … is both.
      shrinks |= scale < 1 &&
                 static_cast<float>(std::nearbyint(1 / scale) * scale) != 1;
    }
  }
  return grows && shrinks ? StringAttr()
                          : builder.getStringAttr(shrinks ? "ceil" : "floor");
}

/// Before 11, Resize and its predecessor Upsample had one way to find elements
/// and no region of interest; before 9, the scales were an attribute.
static LogicalResult adaptResize(AdapterContext &context) {
  Node &node = context.node;
  bool isUpsample = node.opType == "Upsample";
  // Expansions want a slot for each input, given or not.
  node.inputs.resize(std::max<size_t>(node.inputs.size(), 4));
  if (node.opset >= 11 && !isUpsample) {
    return adaptInterpolation(context, "nearest");
  }
  node.opType = "Resize";
  Value scales = node.getInput(1);
  if (auto values = node.take<DenseF32ArrayAttr>("scales")) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                      context.builder.getF32Type());
    scales = IE::ConstantOp::create(
        context.builder, node.loc,
        DenseElementsAttr::get(type, values.asArrayRef()));
  }
  node.setInput(1, Value());
  node.setInput(2, scales);
  node.attributes["coordinate_transformation_mode"] =
      context.builder.getStringAttr("asymmetric");
  StringAttr nearest = findNearestMode(context.builder, scales);
  if (!nearest) {
    return context.reject("scales below and above 1 at once, before operator "
                          "set 11; convert the model to a newer one");
  }
  node.attributes["nearest_mode"] = nearest;
  return adaptInterpolation(context, "nearest");
}

/// Since 20, the extremes of bools are their conjunction and disjunction.
static LogicalResult adaptExtreme(AdapterContext &context) {
  context.attributeToInput("axes", 1);
  return context.getElement(0).isInteger(1) ? context.expand(expandOnWiderType)
                                            : success();
}

/// Since 20, elements can be float8.
static LogicalResult adaptClassification(AdapterContext &context) {
  return IE::isSmallNumber(context.getElement(0))
             ? context.expand(expandOnWiderType)
             : success();
}

/// Since 19, elements can be float8, since 21 quantized by blocks and to a
/// stated type.
static LogicalResult adaptQuantization(AdapterContext &context) {
  Node &node = context.node;
  if (node.opType == "QuantizeLinear" && context.getElement(0).isInteger(32) &&
      isa<FloatType>(context.getElement(1))) {
    Value input = node.inputs[0];
    Type type = cast<ShapedType>(input.getType()).clone(context.getElement(1));
    node.setInput(0, IE::CastOp::create(context.builder, node.loc, type, input,
                                        TypeAttr::get(context.getElement(1))));
  }
  auto getRank = [&](unsigned i) -> int64_t {
    Value input = node.getInput(i);
    auto type = input ? dyn_cast<RankedTensorType>(input.getType())
                      : RankedTensorType();
    return type ? type.getRank() : -1;
  };
  // A vector of one zero point is one for the whole tensor, too.
  bool isExtended = getRank(1) == 0 && getRank(2) == 1;
  for (StringRef name : {"block_size", "output_dtype", "precision"}) {
    isExtended |= node.attributes.contains(name);
  }
  for (Value input : node.inputs) {
    isExtended |=
        input && IE::isSmallNumber(getElementTypeOrSelf(input.getType()));
  }
  if (!isExtended) {
    return success();
  }
  return context.expand(node.opType == "QuantizeLinear"
                            ? expandQuantizeLinear
                            : expandDequantizeLinear);
}

/// IE counts runs of numbers.
static LogicalResult adaptTfIdfVectorizer(AdapterContext &context) {
  return context.node.attributes.contains("pool_strings")
             ? context.expand(expandStringNGrams)
             : success();
}

/// TopK had its number as an attribute before 10.
static LogicalResult adaptTopK(AdapterContext &context) {
  if (auto k = context.node.take<IntegerAttr>("k")) {
    context.node.setInput(1, context.constant(k.getInt()));
  }
  return success();
}

/// Before 20, GridSample was of images only and named its modes after them.
static LogicalResult adaptGridSample(AdapterContext &context) {
  Node &node = context.node;
  if (node.opset >= 20) {
    return adaptInterpolation(context, "linear");
  }
  if (auto mode = node.take<StringAttr>("mode")) {
    StringRef name = llvm::StringSwitch<StringRef>(mode.getValue())
                         .Case("bilinear", "linear")
                         .Case("bicubic", "cubic")
                         .Default(mode.getValue());
    node.attributes["mode"] = context.builder.getStringAttr(name);
  }
  return adaptInterpolation(context, "linear");
}

/// DFT had its axis as an attribute before 20, with another default.
static LogicalResult adaptDFT(AdapterContext &context) {
  Node &node = context.node;
  auto axis = node.take<IntegerAttr>("axis");
  if (node.opset < 20) {
    auto type = RankedTensorType::get({}, context.builder.getI64Type());
    int64_t value = axis ? axis.getInt() : 1;
    node.setInput(2,
                  IE::ConstantOp::create(context.builder, node.loc,
                                         DenseElementsAttr::get(type, value)));
  }
  auto isSet = [&](StringRef name) {
    auto value = dyn_cast_if_present<IntegerAttr>(node.attributes.lookup(name));
    return value && value.getInt() != 0;
  };
  return isSet("inverse") && isSet("onesided")
             ? context.expand(expandRealInverseDFT)
             : success();
}

/// Without an input there is no element.
static LogicalResult adaptOptionalHasElement(AdapterContext &context) {
  Node &node = context.node;
  if (!node.getInput(0)) {
    auto type = RankedTensorType::get({}, context.builder.getI1Type());
    node.results = {IE::ConstantOp::create(
        context.builder, node.loc, DenseElementsAttr::get(type, false))};
  }
  return success();
}

/// Before 16, RoiAlign did not shift regions by half an element.
static LogicalResult adaptRoiAlign(AdapterContext &context) {
  Node &node = context.node;
  if (node.opset < 16) {
    node.attributes["coordinate_transformation_mode"] =
        context.builder.getStringAttr("output_half_pixel");
  }
  return success();
}

/// What cannot be matched is a limit of nacre's, and no mistake in the model.
static LogicalResult adaptRegexFullMatch(AdapterContext &context) {
  auto *it = context.node.attributes.find("pattern");
  auto pattern = it == context.node.attributes.end()
                     ? StringAttr()
                     : dyn_cast<StringAttr>(it->second);
  if (!pattern) {
    return emitError(context.node.loc) << "expected a 'pattern'";
  }
  std::string problem = IE::getPatternProblem(pattern.getValue());
  return problem.empty() ? success()
                         : context.reject("the pattern '" + pattern.getValue() +
                                          "': " + problem);
}

LogicalResult onnx_import::adaptToNewestOpset(OpBuilder &builder, Node &node,
                                              bool &unsupported) {
  using Adapter = LogicalResult (*)(AdapterContext &);
  StringRef op = node.opType;
  Adapter adapter =
      llvm::StringSwitch<Adapter>(op)
          .Case("Clip", adaptClip)
          .Case("Pad", adaptPad)
          .Cases({"Softmax", "LogSoftmax", "Hardmax"}, adaptSoftmax)
          .Case("BatchNormalization", adaptBatchNormalization)
          .Case("Dropout", adaptDropout)
          .Case("MaxPool", adaptMaxPool)
          .Case("Split", adaptSplit)
          .Case("Slice", adaptSlice)
          .Case("Reshape", adaptReshape)
          .Cases({"Resize", "Upsample"}, adaptResize)
          .Cases({"Squeeze", "Unsqueeze"}, adaptAxes)
          .Case("TfIdfVectorizer", adaptTfIdfVectorizer)
          .Case("TopK", adaptTopK)
          .Case("GridSample", adaptGridSample)
          .Case("PRelu", adaptPRelu)
          .Case("Cast", adaptCast)
          .Case("CastLike", adaptCastLike)
          .Cases({"ReduceMax", "ReduceMin"}, adaptExtreme)
          .Cases({"IsNaN", "IsInf"}, adaptClassification)
          .Case("Erf", adaptIntegers)
          .Case("DFT", adaptDFT)
          .Case("OptionalHasElement", adaptOptionalHasElement)
          .Case("RegexFullMatch", adaptRegexFullMatch)
          .Case("RoiAlign", adaptRoiAlign)
          .StartsWith("Reduce", adaptAxes)
          .Cases({"QuantizeLinear", "DequantizeLinear"}, adaptQuantization)
          .Cases({"Add", "Sub", "Mul", "Div", "Pow"}, adaptBroadcast)
          .Cases({"And", "Or", "Xor", "Equal", "Greater", "Less", "Gemm"},
                 adaptBroadcast)
          .Default(nullptr);
  // Scatter was only renamed.
  if (op == "Scatter") {
    node.opType = "ScatterElements";
  }
  AdapterContext context{builder, node, unsupported};
  return adapter ? adapter(context) : success();
}
