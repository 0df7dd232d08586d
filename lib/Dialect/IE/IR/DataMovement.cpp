//===- DataMovement.cpp - Reordering and copying of elements --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference and verification of the IE operator family: reordering and
// copying of elements. Folders are in DataMovementFolders.cpp.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/KnownInts.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/DataMovement.cpp.inc"

void IEDialect::registerDataMovementOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/DataMovement.cpp.inc"
      >();
}

static SmallVector<int64_t> getDynamicShape(int64_t rank) {
  return SmallVector<int64_t>(rank, ShapedType::kDynamic);
}

/// Appends the type unless the shape is absurd.
static LogicalResult addType(std::optional<Location> location,
                             ArrayRef<int64_t> shape, Type elementType,
                             SmallVectorImpl<Type> &inferred) {
  FailureOr<RankedTensorType> type =
      getCheckedType(location, shape, elementType);
  if (failed(type)) {
    return failure();
  }
  inferred.push_back(*type);
  return success();
}

/// View of an optional constant, for the resolvers.
static std::optional<ArrayRef<int64_t>>
asArray(const std::optional<SmallVector<int64_t>> &values) {
  return values ? std::optional<ArrayRef<int64_t>>(*values) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Transpose, Concat, Split
//===----------------------------------------------------------------------===//

SmallVector<int64_t> TransposeOp::getPermutation() {
  if (getPerm()) {
    return SmallVector<int64_t>(*getPerm());
  }
  int64_t rank = getTensorType(getData()).getRank();
  SmallVector<int64_t> permutation;
  for (int64_t i = rank - 1; i >= 0; --i) {
    permutation.push_back(i);
  }
  return permutation;
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getData());
  SmallVector<int64_t> shape;
  if (!adaptor.getPerm()) {
    shape.assign(type.getShape().rbegin(), type.getShape().rend());
  } else {
    ArrayRef<int64_t> perm = *adaptor.getPerm();
    if (static_cast<int64_t>(perm.size()) != type.getRank()) {
      return emitOptionalError(location, "expected a permutation of ",
                               type.getRank(), " dimensions, found ",
                               perm.size(), " entries");
    }
    llvm::SmallBitVector seen(type.getRank());
    for (int64_t axis : perm) {
      if (axis < 0 || axis >= type.getRank() || seen.test(axis)) {
        return emitOptionalError(
            location, "expected perm to hold each of 0 to ", type.getRank() - 1,
            " once, found ", axis,
            axis >= 0 && axis < type.getRank() ? " twice" : "");
      }
      seen.set(axis);
      shape.push_back(type.getDimSize(axis));
    }
  }
  inferred.push_back(type.clone(shape));
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  if (adaptor.getInputs().empty()) {
    return emitOptionalError(location, "expected at least one input");
  }
  if (!adaptor.getAxisAttr()) {
    return emitOptionalError(location, "expected an axis");
  }
  RankedTensorType first = getTensorType(adaptor.getInputs().front());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), first.getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<int64_t> shape(first.getShape());
  for (Value input : adaptor.getInputs().drop_front()) {
    RankedTensorType type = getTensorType(input);
    if (type.getElementType() != first.getElementType() ||
        type.getRank() != first.getRank()) {
      return emitOptionalError(location,
                               "expected inputs of one element type "
                               "and rank, found ",
                               first, " and ", type);
    }
    for (auto [i, dim] : llvm::enumerate(type.getShape())) {
      int64_t &out = shape[i];
      if (static_cast<int64_t>(i) == *axis) {
        bool dynamic = ShapedType::isDynamic(dim) || ShapedType::isDynamic(out);
        out = dynamic ? ShapedType::kDynamic : out + dim;
      } else if (ShapedType::isDynamic(out)) {
        out = dim;
      } else if (!ShapedType::isDynamic(dim) && dim != out) {
        return emitOptionalError(location,
                                 "expected inputs that differ only "
                                 "in dimension ",
                                 *axis, ", found ", first, " and ", type);
      }
    }
  }
  return addType(location, shape, first.getElementType(), inferred);
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  FailureOr<int64_t> axis =
      normalizeAxis(location, adaptor.getAxis(), type.getRank());
  if (failed(axis)) {
    return failure();
  }
  int64_t dim = type.getDimSize(*axis);
  std::optional<uint64_t> count = adaptor.getNumOutputs();
  SmallVector<int64_t> sizes;
  if (adaptor.getSplit()) {
    FailureOr<int64_t> listed = getVectorLength(location, adaptor.getSplit());
    if (failed(listed)) {
      return failure();
    }
    if (auto constant = getConstantInts(adaptor.getSplit())) {
      sizes = *constant;
      int64_t sum = 0;
      for (int64_t size : sizes) {
        if (size < 0 || size > std::numeric_limits<int32_t>::max()) {
          return emitOptionalError(location, "expected sizes of parts, found ",
                                   size);
        }
        sum += size;
      }
      if (!ShapedType::isDynamic(dim) && sum != dim) {
        return emitOptionalError(location, "expected parts that sum up to ",
                                 dim, ", found ", sum);
      }
    } else if (!ShapedType::isDynamic(*listed)) {
      sizes = getDynamicShape(*listed);
    } else if (count) {
      sizes = getDynamicShape(*count);
    } else {
      return emitOptionalError(location, "expected num_outputs or a split of "
                                         "known length");
    }
    if (count && *count != sizes.size()) {
      return emitOptionalError(location, "expected ", *count,
                               " parts as num_outputs says, found ",
                               sizes.size());
    }
  } else {
    if (!count || *count == 0 || *count > (1u << 20)) {
      return emitOptionalError(location, "expected a split operand or a "
                                         "positive num_outputs");
    }
    FailureOr<SmallVector<int64_t>> even = splitEvenly(location, dim, *count);
    if (failed(even)) {
      return failure();
    }
    sizes = *even;
  }
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t size : sizes) {
    shape[*axis] = size;
    inferred.push_back(type.clone(shape));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slice, Pad
//===----------------------------------------------------------------------===//

/// Shared by inference and getStaticSpec. Nothing when a bound is not constant.
static std::optional<FailureOr<SliceSpec>>
resolveConstantSlice(std::optional<Location> location, Value data, Value starts,
                     Value ends, Value axes, Value steps) {
  auto startValues = getConstantInts(starts), endValues = getConstantInts(ends);
  auto axisValues = getConstantInts(axes), stepValues = getConstantInts(steps);
  if (!startValues || !endValues || (axes && !axisValues) ||
      (steps && !stepValues)) {
    return std::nullopt;
  }
  return resolveSlice(location, getTensorType(data).getShape(), *startValues,
                      *endValues, asArray(axisValues), asArray(stepValues));
}

std::optional<SliceSpec> SliceOp::getStaticSpec() {
  if (!getTensorType(getData()).hasStaticShape()) {
    return std::nullopt;
  }
  auto spec = resolveConstantSlice(std::nullopt, getData(), getStarts(),
                                   getEnds(), getAxes(), getSteps());
  return spec && succeeded(*spec) ? std::optional<SliceSpec>(**spec)
                                  : std::nullopt;
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getData());
  int64_t count = ShapedType::kDynamic;
  for (Value bound : {adaptor.getStarts(), adaptor.getEnds(), adaptor.getAxes(),
                      adaptor.getSteps()}) {
    if (!bound) {
      continue;
    }
    FailureOr<int64_t> length = getVectorLength(location, bound);
    if (failed(length)) {
      return failure();
    }
    if (ShapedType::isDynamic(count)) {
      count = *length;
    } else if (!ShapedType::isDynamic(*length) && *length != count) {
      return emitOptionalError(location, "expected ", count,
                               " entries in each bound, found ", *length);
    }
  }
  auto spec = resolveConstantSlice(location, adaptor.getData(),
                                   adaptor.getStarts(), adaptor.getEnds(),
                                   adaptor.getAxes(), adaptor.getSteps());
  if (spec) {
    if (failed(*spec)) {
      return failure();
    }
    inferred.push_back(type.clone((*spec)->sizes));
    return success();
  }
  // Only dimensions that are certainly not sliced keep their size.
  auto axes = getConstantInts(adaptor.getAxes());
  if (ShapedType::isDynamic(count) || (adaptor.getAxes() && !axes)) {
    inferred.push_back(type.clone(getDynamicShape(type.getRank())));
    return success();
  }
  if (!axes) {
    axes = llvm::to_vector(llvm::seq<int64_t>(0, count));
  }
  FailureOr<SmallVector<int64_t>> normalized =
      normalizeAxes(location, *axes, type.getRank());
  if (failed(normalized)) {
    return failure();
  }
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t axis : *normalized) {
    shape[axis] = ShapedType::kDynamic;
  }
  inferred.push_back(type.clone(shape));
  return success();
}

std::optional<PadSpec> PadOp::getStaticSpec() {
  auto pads = getConstantInts(getPads()), axes = getConstantInts(getAxes());
  if (!pads || (getAxes() && !axes)) {
    return std::nullopt;
  }
  FailureOr<PadSpec> spec = resolvePad(
      std::nullopt, getTensorType(getData()).getRank(), *pads, asArray(axes));
  return succeeded(spec) ? std::optional<PadSpec>(*spec) : std::nullopt;
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getData());
  auto pads = getConstantInts(adaptor.getPads());
  auto axes = getConstantInts(adaptor.getAxes());
  if (failed(checkScalar(location, adaptor.getConstantValue()))) {
    return failure();
  }
  SmallVector<int64_t> shape(type.getShape());
  if (!pads || (adaptor.getAxes() && !axes)) {
    // Dimensions outside constant axes keep their size.
    if (!axes) {
      shape = getDynamicShape(type.getRank());
    } else {
      auto normalized = normalizeAxes(location, *axes, type.getRank());
      if (failed(normalized)) {
        return failure();
      }
      for (int64_t axis : *normalized) {
        shape[axis] = ShapedType::kDynamic;
      }
    }
    inferred.push_back(type.clone(shape));
    return success();
  }
  FailureOr<PadSpec> spec =
      resolvePad(location, type.getRank(), *pads, asArray(axes));
  if (failed(spec)) {
    return failure();
  }
  for (auto [dim, low, high] : llvm::zip_equal(shape, spec->low, spec->high)) {
    if (ShapedType::isDynamic(dim)) {
      continue;
    }
    // Anything but `constant` takes its elements from the operand.
    if (dim == 0 && (low > 0 || high > 0) && adaptor.getMode() != "constant") {
      return emitOptionalError(location,
                               "expected elements to pad from, found "
                               "an empty dimension of ",
                               type);
    }
    // Bounded separately, so that the sum cannot wrap around.
    constexpr int64_t limit = int64_t(1) << 40;
    if (low < -dim || high < -dim || low > limit || high > limit ||
        dim + low + high < 0) {
      return emitOptionalError(location,
                               "expected pads that leave a size, "
                               "found ",
                               low, " and ", high, " for a dimension of ", dim);
    }
    dim += low + high;
  }
  return addType(location, shape, type.getElementType(), inferred);
}

bool PadOp::computesSamples() {
  std::optional<SmallVector<int64_t>> pads = getConstantInts(getPads());
  auto type = getBatchType(getData().getType());
  size_t rank = type ? type.getRank() : 0;
  return type && !getAxes() && pads && pads->size() == 2 * rank &&
         (*pads)[0] == 0 && (*pads)[rank] == 0 &&
         isOnlyFirstBatched(getOperation());
}

bool PadOp::deservesLoop() { return true; }

LogicalResult PadOp::verify() {
  if (getConstantValue() &&
      getElementTypeOrSelf(getConstantValue().getType()) !=
          getElementTypeOrSelf(getData().getType())) {
    return emitOpError("expected a constant value of the operand's element "
                       "type, found ")
           << getConstantValue().getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Expand, Tile
//===----------------------------------------------------------------------===//

LogicalResult ExpandOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  auto target = getKnownInts(adaptor.getShape());
  FailureOr<int64_t> length = getRankOf(location, adaptor.getShape());
  if (failed(length)) {
    return failure();
  }
  if (!target) {
    if (ShapedType::isDynamic(*length)) {
      inferred.push_back(UnrankedTensorType::get(type.getElementType()));
      return success();
    }
    target = getDynamicShape(*length);
  }
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes({type.getShape(), *target});
  if (failed(shape)) {
    return emitOptionalError(location, "expected a shape that ", type,
                             " broadcasts to");
  }
  return addType(location, *shape, type.getElementType(), inferred);
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  auto repeats = getConstantInts(adaptor.getRepeats());
  SmallVector<int64_t> shape(type.getShape());
  if (!repeats) {
    shape = getDynamicShape(type.getRank());
    return addType(location, shape, type.getElementType(), inferred);
  }
  if (static_cast<int64_t>(repeats->size()) != type.getRank()) {
    return emitOptionalError(location, "expected one repeat per dimension of ",
                             type, ", found ", repeats->size());
  }
  for (auto [dim, repeat] : llvm::zip_equal(shape, *repeats)) {
    if (repeat < 0 ||
        (!ShapedType::isDynamic(dim) && llvm::MulOverflow(dim, repeat, dim))) {
      return emitOptionalError(location,
                               "expected a repeat that is neither "
                               "negative nor absurd, found ",
                               repeat);
    }
  }
  return addType(location, shape, type.getElementType(), inferred);
}

//===----------------------------------------------------------------------===//
// DepthToSpace, SpaceToDepth
//===----------------------------------------------------------------------===//

/// dim * factor, or dynamic.
static int64_t scale(int64_t dim, int64_t factor) {
  return ShapedType::isDynamic(dim) ? dim : dim * factor;
}

/// dim / factor, or dynamic; an error when it leaves a remainder.
static FailureOr<int64_t> divide(std::optional<Location> location, int64_t dim,
                                 int64_t factor) {
  if (!ShapedType::isDynamic(dim) && dim % factor != 0) {
    (void)emitOptionalError(location, "expected a dimension divisible by ",
                            factor, ", found ", dim);
    return failure();
  }
  return ShapedType::isDynamic(dim) ? dim : dim / factor;
}

// Keeps the square of a block size within 64 bits.
static constexpr int64_t kMaxBlock = 1 << 20;

/// The block size, if it and the operand are what both operators take.
static FailureOr<int64_t> checkBlocks(std::optional<Location> location,
                                      RankedTensorType type,
                                      IntegerAttr blockSize) {
  if (type.getRank() != 4) {
    (void)emitOptionalError(location, "expected rank 4, found ", type);
    return failure();
  }
  int64_t block = blockSize ? blockSize.getInt() : 0;
  if (block <= 0 || block > kMaxBlock) {
    (void)emitOptionalError(location, "expected a blocksize in [1, ", kMaxBlock,
                            "], found ", block);
    return failure();
  }
  return block;
}

LogicalResult DepthToSpaceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  FailureOr<int64_t> blockSize =
      checkBlocks(location, type, adaptor.getBlocksizeAttr());
  if (failed(blockSize)) {
    return failure();
  }
  int64_t block = *blockSize;
  FailureOr<int64_t> channels =
      divide(location, type.getDimSize(1), block * block);
  if (failed(channels)) {
    return failure();
  }
  return addType(location,
                 {type.getDimSize(0), *channels,
                  scale(type.getDimSize(2), block),
                  scale(type.getDimSize(3), block)},
                 type.getElementType(), inferred);
}

LogicalResult SpaceToDepthOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  FailureOr<int64_t> blockSize =
      checkBlocks(location, type, adaptor.getBlocksizeAttr());
  if (failed(blockSize)) {
    return failure();
  }
  int64_t block = *blockSize;
  FailureOr<int64_t> height = divide(location, type.getDimSize(2), block);
  FailureOr<int64_t> width = divide(location, type.getDimSize(3), block);
  if (failed(height) || failed(width)) {
    return failure();
  }
  return addType(location,
                 {type.getDimSize(0), scale(type.getDimSize(1), block * block),
                  *height, *width},
                 type.getElementType(), inferred);
}

//===----------------------------------------------------------------------===//
// Trilu, ReverseSequence, Compress
//===----------------------------------------------------------------------===//

LogicalResult TriluOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  if (type.getRank() < 2) {
    return emitOptionalError(location, "expected rank 2 or more, found ", type);
  }
  if (failed(checkScalar(location, adaptor.getK()))) {
    return failure();
  }
  inferred.push_back(type);
  return success();
}

LogicalResult ReverseSequenceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  int64_t batch = adaptor.getBatchAxis(), time = adaptor.getTimeAxis();
  if (type.getRank() < 2 || batch + time != 1 || batch * time != 0) {
    return emitOptionalError(location,
                             "expected rank 2 or more with the batch and time "
                             "axes 0 and 1 in either order, found ",
                             type, " with axes ", batch, " and ", time);
  }
  RankedTensorType lens = getTensorType(adaptor.getSequenceLens());
  if (failed(verifyCompatibleShape(type.getShape().slice(batch, 1),
                                   lens.getShape()))) {
    return emitOptionalError(location,
                             "expected one length per batch entry of ", type,
                             ", found ", lens);
  }
  inferred.push_back(type);
  return success();
}

LogicalResult CompressOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  RankedTensorType type = getTensorType(adaptor.getInput());
  int64_t kept = ShapedType::kDynamic;
  if (auto condition = getConstantInts(adaptor.getCondition())) {
    kept = condition->size() - llvm::count(*condition, 0);
  }
  if (!adaptor.getAxis()) {
    inferred.push_back(RankedTensorType::get(kept, type.getElementType()));
    return success();
  }
  FailureOr<int64_t> axis =
      normalizeAxis(location, *adaptor.getAxis(), type.getRank());
  if (failed(axis)) {
    return failure();
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[*axis] = kept;
  inferred.push_back(type.clone(shape));
  return success();
}
