//===- MatMul.cpp - Matrix products ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference, verification and folding of the IE operator family: matrix
// products.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/EinsumUtils.h"
#include "nacre/Dialect/IE/Utils/ProductUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/MatMul.cpp.inc"

void IEDialect::registerMatMulOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/MatMul.cpp.inc"
      >();
}

/// True when both sizes are static and `a` is not `b`.
static bool differ(int64_t a, int64_t b) {
  return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b;
}

/// The shape of a product by NumPy's rules.
static FailureOr<SmallVector<int64_t>>
inferProductShape(std::optional<Location> location, Value left, Value right) {
  auto lhs = cast<RankedTensorType>(left.getType());
  auto rhs = cast<RankedTensorType>(right.getType());
  if (lhs.getRank() == 0 || rhs.getRank() == 0) {
    (void)emitOptionalError(location,
                            "expected operands of rank 1 or more, found ", lhs,
                            " and ", rhs);
    return failure();
  }
  SmallVector<int64_t> a(lhs.getShape()), b(rhs.getShape());
  if (a.size() == 1) {
    a.insert(a.begin(), 1);
  }
  if (b.size() == 1) {
    b.push_back(1);
  }
  if (differ(a.back(), b[b.size() - 2])) {
    (void)emitOptionalError(location, "expected equal inner dimensions, found ",
                            lhs, " and ", rhs);
    return failure();
  }
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(
      {ArrayRef<int64_t>(a).drop_back(2), ArrayRef<int64_t>(b).drop_back(2)});
  if (failed(shape)) {
    (void)emitOptionalError(location,
                            "expected batch dimensions that broadcast, found ",
                            lhs, " and ", rhs);
    return failure();
  }
  if (lhs.getRank() > 1) {
    shape->push_back(a[a.size() - 2]);
  }
  if (rhs.getRank() > 1) {
    shape->push_back(b.back());
  }
  return shape;
}

/// The sizes of that product.
static LogicalResult buildProductSizes(SizeBuilder &sizes, Value left,
                                       Value right,
                                       ReifiedRankedShapedTypeDims &results) {
  Sizes lhs = sizes.getSizes(left), rhs = sizes.getSizes(right);
  bool hasRow = lhs.size() > 1, hasColumn = rhs.size() > 1;
  sizes.requireEqual(lhs.back(), rhs[hasColumn ? rhs.size() - 2 : 0],
                     "matrices of sizes that do not multiply");
  auto getBatch = [](const Sizes &shape) {
    return Sizes(ArrayRef(shape).drop_back(std::min<size_t>(shape.size(), 2)));
  };
  Sizes &result = results.emplace_back(
      sizes.broadcastShapes({getBatch(lhs), getBatch(rhs)}));
  if (hasRow) {
    result.push_back(lhs[lhs.size() - 2]);
  }
  if (hasColumn) {
    result.push_back(rhs.back());
  }
  return success();
}

LogicalResult MatMulOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  return buildProductSizes(sizes, getLhs(), getRhs(), results);
}

LogicalResult
MatMulIntegerOp::buildSizes(SizeBuilder &sizes,
                            ReifiedRankedShapedTypeDims &results) {
  return buildProductSizes(sizes, getLhs(), getRhs(), results);
}

LogicalResult
QLinearMatMulOp::buildSizes(SizeBuilder &sizes,
                            ReifiedRankedShapedTypeDims &results) {
  return buildProductSizes(sizes, getLhs(), getRhs(), results);
}

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  FailureOr<SmallVector<int64_t>> shape =
      inferProductShape(location, adaptor.getLhs(), adaptor.getRhs());
  if (failed(shape)) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(
      *shape, getElementTypeOrSelf(adaptor.getLhs().getType())));
  return success();
}

QuantizableKind MatMulOp::getQuantizableKind() {
  return QuantizableKind::Linear;
}

std::optional<LinearOperands> MatMulOp::getLinearOperands() {
  auto rankOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  int64_t rank = rankOf(getRhs());
  if (rank < 2 || rankOf(getLhs()) < 2) {
    return std::nullopt;
  }
  return getOperandsOfLinear(getOperation(), rank - 1, rank - 2);
}

/// For a product of batches of matrices, or of one matrix per sample with a
/// common one. A batch of rows is better multiplied at once.
bool MatMulOp::computesSamples() {
  RankedTensorType lhs = getBatchType(getLhs().getType());
  if (!lhs || lhs.getRank() < 3) {
    return false;
  }
  RankedTensorType rhs = getBatchType(getRhs().getType());
  return rhs ? rhs.getRank() == lhs.getRank()
             : isOnlyFirstBatched(getOperation());
}

bool MatMulOp::deservesLoop() { return false; }

LogicalResult MatMulIntegerOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  FailureOr<SmallVector<int64_t>> shape =
      inferProductShape(location, adaptor.getLhs(), adaptor.getRhs());
  if (failed(shape)) {
    return failure();
  }
  inferred.push_back(
      RankedTensorType::get(*shape, IntegerType::get(context, 32)));
  return success();
}

/// The shape in which a zero point broadcasts to `matrix`: dimension `along`,
/// counted from the end, has the one-dimensional form's values.
static SmallVector<int64_t> getZeroShape(Value zeroPoint, Value matrix,
                                         int64_t along) {
  auto zero = cast<RankedTensorType>(zeroPoint.getType());
  auto type = cast<RankedTensorType>(matrix.getType());
  SmallVector<int64_t> shape(type.getRank(), 1);
  if (zero.getRank() > 1) {
    return SmallVector<int64_t>(zero.getShape());
  }
  if (zero.getRank() == 1 && zero.getDimSize(0) != 1) {
    if (type.getRank() < along) {
      // A single row or column has a single zero point: this fits nothing.
      return {zero.getDimSize(0), 1};
    }
    shape[type.getRank() - along] = zero.getDimSize(0);
  }
  return shape;
}

SmallVector<int64_t> MatMulIntegerOp::getLhsZeroShape() {
  return getZeroShape(getAZeroPoint(), getLhs(), /*along=*/2);
}

SmallVector<int64_t> MatMulIntegerOp::getRhsZeroShape() {
  return getZeroShape(getBZeroPoint(), getRhs(), /*along=*/1);
}

template <typename OpT>
static LogicalResult verifyZeroPoint(OpT op, Value zeroPoint, Value matrix,
                                     ArrayRef<int64_t> shape, int64_t along) {
  auto type = cast<RankedTensorType>(matrix.getType());
  FailureOr<SmallVector<int64_t>> both =
      broadcastShapes({shape, type.getShape()});
  // One for each row, or each column, has one for all that are summed.
  int64_t summed = static_cast<int64_t>(shape.size()) - (along == 2 ? 1 : 2);
  bool differs = summed >= 0 && !ShapedType::isDynamic(shape[summed]) &&
                 shape[summed] != 1;
  if (differs || failed(both) ||
      failed(verifyCompatibleShape(*both, type.getShape())) ||
      getElementTypeOrSelf(zeroPoint.getType()) != type.getElementType()) {
    return op.emitOpError("expected a zero point of the type of ")
           << type << " that broadcasts to its rows or columns, found "
           << zeroPoint.getType();
  }
  return success();
}

IE::TransposeOp nacre::IE::getColumnTranspose(MatMulOp op) {
  auto transpose = op.getRhs().getDefiningOp<TransposeOp>();
  auto type = cast<RankedTensorType>(op.getRhs().getType());
  int64_t rank = type.getRank();
  bool movesColumns = transpose && rank >= 2 &&
                      transpose.getPermutation()[rank - 2] == rank - 1;
  return movesColumns ? transpose : TransposeOp();
}

bool nacre::IE::readsMatricesInOrder(ArrayRef<int64_t> lhsBatch,
                                     ArrayRef<int64_t> rhsBatch) {
  auto isOne = [](int64_t size) { return size == 1; };
  while (!lhsBatch.empty() && !rhsBatch.empty() && isOne(rhsBatch.back())) {
    lhsBatch = lhsBatch.drop_back();
    rhsBatch = rhsBatch.drop_back();
  }
  return lhsBatch.drop_while(isOne) == rhsBatch.drop_while(isOne);
}

LogicalResult MatMulIntegerOp::verify() {
  if (getAZeroPoint() &&
      failed(verifyZeroPoint(*this, getAZeroPoint(), getLhs(),
                             getLhsZeroShape(), /*along=*/2))) {
    return failure();
  }
  return getBZeroPoint() ? verifyZeroPoint(*this, getBZeroPoint(), getRhs(),
                                           getRhsZeroShape(), /*along=*/1)
                         : success();
}

LogicalResult QLinearMatMulOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  FailureOr<SmallVector<int64_t>> shape =
      inferProductShape(location, adaptor.getLhs(), adaptor.getRhs());
  if (failed(shape)) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(
      *shape, getElementTypeOrSelf(adaptor.getOutputZeroPoint().getType())));
  return success();
}

SmallVector<int64_t> QLinearMatMulOp::getLhsParameterShape() {
  return getZeroShape(getLhsZeroPoint(), getLhs(), /*along=*/2);
}

SmallVector<int64_t> QLinearMatMulOp::getRhsParameterShape() {
  return getZeroShape(getRhsZeroPoint(), getRhs(), /*along=*/1);
}

LogicalResult QLinearMatMulOp::verify() {
  if (failed(verifyZeroPoint(*this, getLhsZeroPoint(), getLhs(),
                             getLhsParameterShape(), /*along=*/2)) ||
      failed(verifyZeroPoint(*this, getRhsZeroPoint(), getRhs(),
                             getRhsParameterShape(), /*along=*/1))) {
    return failure();
  }
  auto mayHaveOneElement = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return !type.hasStaticShape() || type.getNumElements() == 1;
  };
  if (!mayHaveOneElement(getOutputScale()) ||
      !mayHaveOneElement(getOutputZeroPoint())) {
    return emitOpError("expected a single scale and zero point of the result, "
                       "found ")
           << getOutputScale().getType() << " and "
           << getOutputZeroPoint().getType();
  }
  // A single row or column has no dimension that its scales could follow.
  auto isVector = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank() < 2;
  };
  if ((isVector(getLhs()) || isVector(getRhs())) &&
      (!mayHaveOneElement(getLhsScale()) ||
       !mayHaveOneElement(getRhsScale()))) {
    return emitOpError("expected two matrices where there are several scales, "
                       "found ")
           << getLhs().getType() << " and " << getRhs().getType();
  }
  auto verifyScale = [&](Value scale, Value zeroPoint) -> LogicalResult {
    auto type = cast<RankedTensorType>(zeroPoint.getType());
    if (failed(verifyCompatibleShape(
            type.getShape(),
            cast<RankedTensorType>(scale.getType()).getShape()))) {
      return emitOpError("expected a scale of the zero point's shape, found ")
             << scale.getType() << " and " << type;
    }
    return success();
  };
  return failure(failed(verifyScale(getLhsScale(), getLhsZeroPoint())) ||
                 failed(verifyScale(getRhsScale(), getRhsZeroPoint())));
}

int64_t MatMulNBitsOp::getN() {
  return cast<RankedTensorType>(getWeights().getType()).getDimSize(0);
}

int64_t MatMulNBitsOp::getNumBlocks() {
  return llvm::divideCeilSigned(getK(), getBlockSize());
}

bool MatMulNBitsOp::hasPackedZeroPoints() {
  return getZeroPoints() &&
         isa<IntegerType>(getElementTypeOrSelf(getZeroPoints().getType()));
}

LogicalResult MatMulNBitsOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto weights = cast<RankedTensorType>(adaptor.getWeights().getType());
  if (input.getRank() < 1 || weights.getRank() != 3) {
    return emitOptionalError(location,
                             "expected rows and weights of rank 3, found ",
                             input, " and ", weights);
  }
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = weights.getDimSize(0);
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult MatMulNBitsOp::buildSizes(SizeBuilder &sizes,
                                        ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  sizes.requireEqual(result.back(), sizes.number(getK()),
                     "matrices of sizes that do not multiply");
  result.back() = sizes.number(getN());
  return success();
}

LogicalResult MatMulNBitsOp::verify() {
  constexpr int64_t kByteBits = 8;
  int64_t bits = getBits(), size = getBlockSize();
  if (bits != 2 && bits != 4 && bits != kByteBits) {
    return emitOpError("expected 2, 4 or 8 bits, found ") << bits;
  }
  if (getK() < 1 || size < 1 || size * bits % kByteBits != 0) {
    return emitOpError("expected a positive K and blocks of whole bytes, "
                       "found K = ")
           << getK() << " and blocks of " << size;
  }
  auto level = static_cast<int64_t>(getAccuracyLevel());
  if (level < 0 || level > kOfBytes) {
    return emitOpError("expected an accuracy_level from 0 to ")
           << kOfBytes << ", found " << level;
  }
  int64_t n = getN(), blocks = getNumBlocks();
  auto verifyShape = [&](StringRef what, Value value,
                         ArrayRef<int64_t> shape) -> LogicalResult {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getShape() != shape) {
      return emitOpError("expected ")
             << what << " of shape " << type.clone(shape) << ", found " << type;
    }
    return success();
  };
  auto verifyFloats = [&](StringRef what, Value value,
                          ArrayRef<int64_t> shape) -> LogicalResult {
    Type element = getElementTypeOrSelf(getInput().getType());
    if (getElementTypeOrSelf(value.getType()) != element) {
      return emitOpError("expected ")
             << what << " of " << element << ", found " << value.getType();
    }
    return verifyShape(what, value, shape);
  };
  auto input = cast<RankedTensorType>(getInput().getType());
  if (differ(input.getShape().back(), getK())) {
    return emitOpError("expected rows of ")
           << getK() << " elements, found " << input;
  }
  if (ShapedType::isDynamic(n) ||
      failed(verifyShape("weights", getWeights(),
                         {n, blocks, size * bits / kByteBits})) ||
      failed(verifyFloats("scales", getScales(), {n, blocks})) ||
      (getBias() && failed(verifyFloats("a bias", getBias(), {n})))) {
    return failure();
  }
  if (!getZeroPoints()) {
    return success();
  }
  int64_t bytes = llvm::divideCeilSigned(blocks * bits, kByteBits);
  return hasPackedZeroPoints()
             ? verifyShape("zero points", getZeroPoints(), {n, bytes})
             : verifyFloats("zero points", getZeroPoints(), {n, blocks});
}

LogicalResult EinsumOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  FailureOr<EinsumEquation> equation = resolveEinsum(
      location, adaptor.getEquation(), adaptor.getInputs().getTypes());
  if (failed(equation)) {
    return failure();
  }
  inferred.push_back(RankedTensorType::get(
      equation->getResultShape(),
      getElementTypeOrSelf(adaptor.getInputs().front().getType())));
  return success();
}

LogicalResult DetOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t rank = input.getRank();
  if (rank < 2 || differ(input.getDimSize(rank - 2), input.getShape().back())) {
    return emitOptionalError(location, "expected square matrices, found ",
                             input);
  }
  inferred.push_back(input.clone(input.getShape().drop_back(2)));
  return success();
}

LogicalResult GemmOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  if (lhs.getRank() != 2 || rhs.getRank() != 2) {
    return emitOptionalError(location, "expected two matrices, found ", lhs,
                             " and ", rhs);
  }
  bool transA = adaptor.getTransA() != 0, transB = adaptor.getTransB() != 0;
  if (differ(lhs.getDimSize(transA ? 0 : 1), rhs.getDimSize(transB ? 1 : 0))) {
    return emitOptionalError(
        location, "expected equal inner dimensions, found ", lhs, " and ", rhs);
  }
  SmallVector<int64_t> shape = {lhs.getDimSize(transA ? 1 : 0),
                                rhs.getDimSize(transB ? 0 : 1)};
  if (Value addend = adaptor.getAddend()) {
    ArrayRef<int64_t> addendShape =
        cast<RankedTensorType>(addend.getType()).getShape();
    FailureOr<SmallVector<int64_t>> both =
        broadcastShapes({shape, addendShape});
    if (failed(both) || failed(verifyCompatibleShape(*both, shape))) {
      return emitOptionalError(
          location, "expected an addend that broadcasts to the product, found ",
          addend.getType());
    }
  }
  inferred.push_back(RankedTensorType::get(shape, lhs.getElementType()));
  return success();
}

QuantizableKind GemmOp::getQuantizableKind() { return QuantizableKind::Linear; }

std::optional<LinearOperands> GemmOp::getLinearOperands() {
  if (getTransA() != 0 || !getAlpha().isExactlyValue(1.0) ||
      !getBeta().isExactlyValue(1.0)) {
    return std::nullopt;
  }
  int64_t channelAxis = getTransB() != 0 ? 0 : 1;
  return getOperandsOfLinear(getOperation(), channelAxis, 1 - channelAxis);
}

LogicalResult GemmOp::buildSizes(SizeBuilder &sizes,
                                 ReifiedRankedShapedTypeDims &results) {
  int64_t row = getTransA() != 0, column = getTransB() == 0;
  sizes.requireEqual(sizes.getSize(getLhs(), 1 - row),
                     sizes.getSize(getRhs(), 1 - column),
                     "matrices of sizes that do not multiply");
  results.push_back(
      {sizes.getSize(getLhs(), row), sizes.getSize(getRhs(), column)});
  return success();
}

FailureOr<Sizes> EinsumOp::getLetterSizes(SizeBuilder &sizes) {
  FailureOr<EinsumEquation> equation =
      resolveEinsum(getLoc(), getEquation(), getInputs().getTypes());
  if (failed(equation)) {
    return failure();
  }
  SmallVector<Sizes> candidates(equation->sizes.size());
  for (auto [input, letters] :
       llvm::zip_equal(getInputs(), equation->operands)) {
    for (auto [dim, letter] : llvm::enumerate(letters)) {
      candidates[letter].push_back(
          sizes.getSize(input, static_cast<int64_t>(dim)));
    }
  }
  Sizes letters;
  for (const Sizes &all : candidates) {
    letters.push_back(sizes.broadcast(all));
  }
  return letters;
}

LogicalResult EinsumOp::buildSizes(SizeBuilder &sizes,
                                   ReifiedRankedShapedTypeDims &results) {
  FailureOr<EinsumEquation> equation =
      resolveEinsum(getLoc(), getEquation(), getInputs().getTypes());
  FailureOr<Sizes> letters = getLetterSizes(sizes);
  if (failed(letters)) {
    return failure();
  }
  Sizes &result = results.emplace_back();
  for (int64_t letter : equation->result) {
    result.push_back((*letters)[letter]);
  }
  return success();
}

LogicalResult DetOp::buildSizes(SizeBuilder &sizes,
                                ReifiedRankedShapedTypeDims &results) {
  Sizes &result = results.emplace_back(sizes.getSizes(getInput()));
  sizes.requireEqual(result[result.size() - 2], result.back(),
                     "matrices that are not square");
  result.truncate(result.size() - 2);
  return success();
}
