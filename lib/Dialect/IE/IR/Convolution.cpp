//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family:
// convolutions.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Convolution.cpp.inc"

void IEDialect::registerConvolutionOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Convolution.cpp.inc"
      >();
}

/// Checks what all convolutions have in common: ranks and kernel_shape.
/// Returns the spatial rank.
static FailureOr<int64_t> checkOperands(std::optional<Location> location,
                                        RankedTensorType input,
                                        RankedTensorType weights,
                                        std::optional<ArrayRef<int64_t>> kernel,
                                        int64_t group) {
  int64_t rank = input.getRank();
  auto fail = [&](const Twine &message) -> FailureOr<int64_t> {
    (void)emitOptionalError(location, message);
    return failure();
  };
  if (rank < 3 || rank > 5) {
    return fail(
        "expected an input with 1 to 3 spatial dimensions, found rank " +
        Twine(rank));
  }
  if (weights.getRank() != rank) {
    return fail("expected weights of the input's rank " + Twine(rank) +
                ", found rank " + Twine(weights.getRank()));
  }
  if (group < 1) {
    return fail("expected a positive 'group', found " + Twine(group));
  }
  if (kernel && (static_cast<int64_t>(kernel->size()) != rank - 2 ||
                 failed(verifyCompatibleShape(
                     *kernel, weights.getShape().drop_front(2))))) {
    return fail("expected 'kernel_shape' to be the weights' spatial shape");
  }
  return rank - 2;
}

static LogicalResult checkBias(std::optional<Location> location, Value bias,
                               int64_t channels) {
  if (!bias) {
    return success();
  }
  auto type = cast<RankedTensorType>(bias.getType());
  if (type.getRank() != 1 ||
      failed(verifyCompatibleShape(type.getShape(), {channels}))) {
    return emitOptionalError(location, "expected a bias of shape [", channels,
                             "], found ", type);
  }
  return success();
}

/// True when both sizes are static and `a` is not `b`.
static bool differ(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// The window attributes of a convolution by `weights`.
template <typename OpT>
static WindowAttributes getAttributes(OpT op, RankedTensorType weights) {
  WindowAttributes attributes =
      getWindowAttributes(op, weights.getShape().drop_front(2));
  attributes.isKernelOperand = true;
  return attributes;
}

/// The shape of a convolution's output.
template <typename AdaptorT>
static FailureOr<SmallVector<int64_t>>
inferConvolutionShape(std::optional<Location> location, AdaptorT adaptor) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto weights = cast<RankedTensorType>(adaptor.getWeights().getType());
  int64_t group = adaptor.getGroup();
  if (failed(checkOperands(location, input, weights, adaptor.getKernelShape(),
                           group))) {
    return failure();
  }
  if (!weights.isDynamicDim(1) &&
      differ(input.getDimSize(1), weights.getDimSize(1) * group)) {
    (void)emitOptionalError(location, "expected ", weights.getDimSize(1),
                            " input channels in each of ", group,
                            " groups, found ", input.getDimSize(1), " in all");
    return failure();
  }
  if (!weights.isDynamicDim(0) && weights.getDimSize(0) % group != 0) {
    (void)emitOptionalError(location, "expected output channels divisible by ",
                            group, " groups, found ", weights.getDimSize(0));
    return failure();
  }
  FailureOr<Window> window =
      resolveWindow(location, input.getShape().drop_front(2),
                    getAttributes(adaptor, weights));
  if (failed(window)) {
    return failure();
  }
  SmallVector<int64_t> shape = {input.getDimSize(0), weights.getDimSize(0)};
  llvm::append_range(shape, window->output);
  return shape;
}

template <typename OpT> static FailureOr<Window> getConvolutionWindow(OpT op) {
  auto weights = cast<RankedTensorType>(op.getWeights().getType());
  if (ShapedType::isDynamicShape(weights.getShape().drop_front(2))) {
    return failure();
  }
  return resolveWindow(
      op.getLoc(),
      cast<ShapedType>(op.getInput().getType()).getShape().drop_front(2),
      getAttributes(op, weights));
}

template <typename OpT>
static SizedWindow buildConvolutionWindow(SizeBuilder &sizes, OpT op) {
  Sizes input = sizes.getSizes(op.getInput());
  Sizes weights = sizes.getSizes(op.getWeights());
  return buildWindow(sizes, ArrayRef(input).drop_front(2),
                     ArrayRef(weights).drop_front(2),
                     getWindowAttributes(op, {}));
}

template <typename OpT>
static LogicalResult
buildConvolutionSizes(SizeBuilder &sizes, OpT op,
                      ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back();
  result = {sizes.getSize(op.getInput(), 0), sizes.getSize(op.getWeights(), 0)};
  llvm::append_range(result, buildConvolutionWindow(sizes, op).output);
  return success();
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto weights = cast<RankedTensorType>(adaptor.getWeights().getType());
  if (input.getElementType() != weights.getElementType()) {
    return emitOptionalError(location,
                             "expected weights of the input's element type");
  }
  FailureOr<SmallVector<int64_t>> shape =
      inferConvolutionShape(location, adaptor);
  if (failed(shape) ||
      failed(checkBias(location, adaptor.getBias(), weights.getDimSize(0)))) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(*shape, input.getElementType()));
  return success();
}

FailureOr<Window> ConvOp::getWindow() { return getConvolutionWindow(*this); }

SizedWindow ConvOp::getWindow(SizeBuilder &sizes) {
  return buildConvolutionWindow(sizes, *this);
}

LogicalResult ConvOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  return buildConvolutionSizes(sizes, *this, results);
}

QuantizableKind ConvOp::getQuantizableKind() { return QuantizableKind::Linear; }

std::optional<LinearOperands> ConvOp::getLinearOperands() {
  LinearOperands operands =
      getOperandsOfLinear(getOperation(), /*channelAxis=*/0, /*inputAxis=*/1);
  operands.groups = static_cast<int64_t>(getGroup());
  return operands;
}

LogicalResult ConvIntegerOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  FailureOr<SmallVector<int64_t>> shape =
      inferConvolutionShape(location, adaptor);
  if (failed(shape)) {
    return failure();
  }
  inferred.push_back(
      RankedTensorType::get(*shape, IntegerType::get(context, 32)));
  return success();
}

FailureOr<Window> ConvIntegerOp::getWindow() {
  return getConvolutionWindow(*this);
}

SizedWindow ConvIntegerOp::getWindow(SizeBuilder &sizes) {
  return buildConvolutionWindow(sizes, *this);
}

LogicalResult ConvIntegerOp::buildSizes(SizeBuilder &sizes,
                                        ReifiedRankedShapedTypeDims &results) {
  return buildConvolutionSizes(sizes, *this, results);
}

LogicalResult ConvIntegerOp::verify() {
  auto isOne = [](RankedTensorType type) {
    return !type.hasStaticShape() || type.getNumElements() == 1;
  };
  if (getXZeroPoint()) {
    auto zero = cast<RankedTensorType>(getXZeroPoint().getType());
    if (!isOne(zero) ||
        zero.getElementType() != getElementTypeOrSelf(getInput().getType())) {
      return emitOpError("expected a single zero point of the input's type, "
                         "found ")
             << zero;
    }
  }
  if (getWZeroPoint()) {
    auto zero = cast<RankedTensorType>(getWZeroPoint().getType());
    auto weights = cast<RankedTensorType>(getWeights().getType());
    bool fits =
        isOne(zero) || (zero.getRank() == 1 && weights.getRank() != 0 &&
                        !differ(zero.getDimSize(0), weights.getDimSize(0)));
    if (!fits || zero.getElementType() != weights.getElementType()) {
      return emitOpError("expected one zero point of the weights' type, or one "
                         "for each output channel, found ")
             << zero;
    }
  }
  return success();
}

LogicalResult QLinearConvOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  FailureOr<SmallVector<int64_t>> shape =
      inferConvolutionShape(location, adaptor);
  auto weights = cast<RankedTensorType>(adaptor.getWeights().getType());
  if (failed(shape) ||
      failed(checkBias(location, adaptor.getBias(), weights.getDimSize(0)))) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(
      *shape, getElementTypeOrSelf(adaptor.getOutputZeroPoint().getType())));
  return success();
}

LogicalResult QLinearConvOp::buildSizes(SizeBuilder &sizes,
                                        ReifiedRankedShapedTypeDims &results) {
  return buildConvolutionSizes(sizes, *this, results);
}

LogicalResult QLinearConvOp::verify() {
  auto getType = [](Value value) {
    return cast<RankedTensorType>(value.getType());
  };
  auto isOne = [&](Value value) {
    RankedTensorType type = getType(value);
    return !type.hasStaticShape() || type.getNumElements() == 1;
  };
  for (Value value : {getInputScale(), getInputZeroPoint(), getOutputScale(),
                      getOutputZeroPoint()}) {
    if (!isOne(value)) {
      return emitOpError("expected single scales and zero points of input and "
                         "result, found ")
             << value.getType();
    }
  }
  RankedTensorType weights = getType(getWeights());
  if (weights.getRank() == 0) {
    return success(); // type inference, which comes after this, says so
  }
  int64_t channels = weights.getDimSize(0);
  for (Value value : {getWeightsScale(), getWeightsZeroPoint()}) {
    RankedTensorType type = getType(value);
    if (!isOne(value) &&
        (type.getRank() != 1 || differ(type.getDimSize(0), channels))) {
      return emitOpError("expected a scale and zero point of the weights, or "
                         "one for each output channel, found ")
             << type;
    }
  }
  for (auto [zeroPoint, quantized] :
       {std::pair(getInputZeroPoint(), getInput()),
        std::pair(getWeightsZeroPoint(), getWeights())}) {
    if (getType(zeroPoint).getElementType() !=
        getType(quantized).getElementType()) {
      return emitOpError("expected a zero point of the type of ")
             << quantized.getType() << ", found " << zeroPoint.getType();
    }
  }
  return success();
}

/// Resolves ConvTranspose's window: kernel, strides and dilations as for a
/// convolution, then either pads give the output or output_shape the pads.
template <typename AdaptorT>
static FailureOr<Window>
resolveTransposed(std::optional<Location> location, ArrayRef<int64_t> spatial,
                  ArrayRef<int64_t> kernel, AdaptorT op) {
  size_t rank = spatial.size();
  WindowAttributes attributes = getWindowAttributes(op, kernel);
  attributes.isKernelOperand = true;
  attributes.autoPad = "NOTSET";
  // An input of unknown size skips the fit, which is the other way round here.
  SmallVector<int64_t> unknown(rank, ShapedType::kDynamic);
  FailureOr<Window> window = resolveWindow(location, unknown, attributes);
  if (failed(window)) {
    return failure();
  }
  ArrayRef<int64_t> extra = op.getOutputPadding().value_or(ArrayRef<int64_t>());
  ArrayRef<int64_t> wanted = op.getOutputShape().value_or(ArrayRef<int64_t>());
  if ((!extra.empty() && extra.size() != rank) ||
      (!wanted.empty() && wanted.size() != rank)) {
    (void)emitOptionalError(location, "expected ", rank,
                            " values in 'output_padding' and 'output_shape'");
    return failure();
  }
  bool same = op.getAutoPad().starts_with("SAME");
  for (size_t i = 0; i < rank; ++i) {
    bool isOpen = ShapedType::isDynamic(spatial[i]);
    bool isCropped = !wanted.empty() || same;
    if (ShapedType::isDynamic(window->kernel[i]) ||
        (isOpen && !wanted.empty())) {
      if (isCropped) {
        window->padsBegin[i] = window->padsEnd[i] = ShapedType::kDynamic;
      }
      continue;
    }
    int64_t extent = (window->kernel[i] - 1) * window->dilations[i] + 1;
    // What is beyond a stride for each input.
    int64_t surplus =
        extent + (extra.empty() ? 0 : extra[i]) - window->strides[i];
    int64_t spread = isOpen ? 0 : spatial[i] * window->strides[i];
    int64_t output =
        spread + surplus - window->padsBegin[i] - window->padsEnd[i];
    if (isCropped) {
      output = wanted.empty() ? spread : wanted[i];
      // Output beyond the full extent is filled with bias, not cropped.
      int64_t total = std::max<int64_t>(spread + surplus - output, 0);
      int64_t smaller = total / 2, larger = total - smaller;
      bool upper = op.getAutoPad() == "SAME_UPPER";
      window->padsBegin[i] = upper ? smaller : larger;
      window->padsEnd[i] = upper ? larger : smaller;
    }
    if (isOpen) {
      continue;
    }
    if (output <= 0) {
      (void)emitOptionalError(location,
                              "expected a positive output size in "
                              "dimension ",
                              i, ", found ", output);
      return failure();
    }
    window->output[i] = output;
  }
  return window;
}

LogicalResult ConvTransposeOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto weights = cast<RankedTensorType>(adaptor.getWeights().getType());
  int64_t group = adaptor.getGroup();
  if (input.getElementType() != weights.getElementType()) {
    return emitOptionalError(location,
                             "expected weights of the input's element type");
  }
  if (failed(checkOperands(location, input, weights, adaptor.getKernelShape(),
                           group))) {
    return failure();
  }
  if (differ(input.getDimSize(1), weights.getDimSize(0)) ||
      (!input.isDynamicDim(1) && input.getDimSize(1) % group != 0)) {
    return emitOptionalError(
        location, "expected the input's ", input.getDimSize(1),
        " channels, divisible by 'group', as the weights' first dimension, "
        "found ",
        weights.getDimSize(0));
  }
  int64_t channels = weights.isDynamicDim(1) ? ShapedType::kDynamic
                                             : weights.getDimSize(1) * group;
  if (failed(checkBias(location, adaptor.getBias(), channels))) {
    return failure();
  }
  FailureOr<Window> window =
      resolveTransposed(location, input.getShape().drop_front(2),
                        weights.getShape().drop_front(2), adaptor);
  if (failed(window)) {
    return failure();
  }
  SmallVector<int64_t> shape = {input.getDimSize(0), channels};
  llvm::append_range(shape, window->output);
  inferred.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

FailureOr<Window> ConvTransposeOp::getWindow() {
  auto weights = cast<RankedTensorType>(getWeights().getType());
  if (ShapedType::isDynamicShape(weights.getShape().drop_front(2))) {
    return failure();
  }
  return resolveTransposed(
      getLoc(), cast<ShapedType>(getInput().getType()).getShape().drop_front(2),
      weights.getShape().drop_front(2), *this);
}

SizedWindow ConvTransposeOp::getWindow(SizeBuilder &sizes) {
  Sizes input = sizes.getSizes(getInput());
  Sizes weights = sizes.getSizes(getWeights());
  size_t rank = input.size() - 2;
  WindowAttributes attributes = getWindowAttributes(*this, {});
  auto orOnes = [&](ArrayRef<int64_t> values) {
    return values.empty() ? SmallVector<int64_t>(rank, 1)
                          : SmallVector<int64_t>(values);
  };
  SizedWindow window;
  window.kernel.assign(weights.begin() + 2, weights.end());
  window.strides = orOnes(attributes.strides);
  window.dilations = orOnes(attributes.dilations);
  ArrayRef<int64_t> extra = getOutputPadding().value_or(ArrayRef<int64_t>());
  ArrayRef<int64_t> wanted = getOutputShape().value_or(ArrayRef<int64_t>());
  bool same = getAutoPad().starts_with("SAME");
  OpFoldResult zero = sizes.number(0), one = sizes.number(1);
  for (size_t i = 0; i < rank; ++i) {
    OpFoldResult size = input[i + 2];
    OpFoldResult stride = sizes.number(window.strides[i]);
    OpFoldResult last = sizes.subtract(size, one);
    OpFoldResult full =
        sizes.add(sizes.multiply({stride, last}),
                  sizes.add(window.getReach(sizes, i),
                            1 + (extra.empty() ? 0 : extra[i])));
    if (wanted.empty() && !same) {
      ArrayRef<int64_t> pads = attributes.pads;
      int64_t begin = pads.empty() ? 0 : pads[i];
      int64_t end = pads.empty() ? 0 : pads[i + rank];
      window.padsBegin.push_back(sizes.number(begin));
      window.padsEnd.push_back(sizes.number(end));
      window.output.push_back(
          sizes.max(sizes.subtract(full, sizes.number(begin + end)), zero));
      continue;
    }
    OpFoldResult output = wanted.empty() ? sizes.multiply({size, stride})
                                         : sizes.number(wanted[i]);
    OpFoldResult total = sizes.max(sizes.subtract(full, output), zero);
    OpFoldResult smaller = sizes.divideDown(total, sizes.number(2));
    OpFoldResult larger = sizes.subtract(total, smaller);
    bool upper = getAutoPad() == "SAME_UPPER";
    window.padsBegin.push_back(upper ? smaller : larger);
    window.padsEnd.push_back(upper ? larger : smaller);
    window.output.push_back(output);
  }
  return window;
}

LogicalResult
ConvTransposeOp::buildSizes(SizeBuilder &sizes,
                            ReifiedRankedShapedTypeDims &results) {
  OpFoldResult channels =
      sizes.multiply({sizes.getSize(getWeights(), 1),
                      sizes.number(static_cast<int64_t>(getGroup()))});
  Sizes &result = results.emplace_back();
  result = {sizes.getSize(getInput(), 0), channels};
  llvm::append_range(result, getWindow(sizes).output);
  return success();
}
