//===- Sizes.cpp - Dynamic sizes in the lowering --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces shape arithmetic through IE to the sizes that it came from.
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "Indices.h"

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/Utils/ShapeElements.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;

//===----------------------------------------------------------------------===//
// Sizes of tensors
//===----------------------------------------------------------------------===//

Value nacre::buildKnown(OpBuilder &builder, Location loc, Value tensor,
                        ArrayRef<OpFoldResult> sizes) {
  // As slices see sizes: a constant that is a value is not known.
  SmallVector<int64_t> shape;
  SmallVector<Value> unknown;
  dispatchIndexOpFoldResults(sizes, unknown, shape);
  auto type = cast<RankedTensorType>(tensor.getType());
  return buildCast(builder, loc, tensor, type.clone(shape));
}

//===----------------------------------------------------------------------===//
// Shape arithmetic
//===----------------------------------------------------------------------===//

namespace {

/// Builds what an element of a shape is, as far as that can be followed.
class ShapeTracer {
public:
  ShapeTracer(ConversionPatternRewriter &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  OpFoldResult trace(IE::ShapeElement element) {
    OpFoldResult found = build(elements.getOrigin(element));
    if (found) {
      return found;
    }
    Value tensor = rewriter.getRemappedValue(element.tensor);
    return extractIndex(rewriter, loc, tensor, element.position);
  }

private:
  using Kind = IE::ElementOrigin::Kind;

  /// Null where the tensor that has the element is to be asked.
  OpFoldResult build(const IE::ElementOrigin &origin) {
    switch (origin.kind) {
    case Kind::Unknown:
      return {};
    case Kind::Constant:
      return rewriter.getIndexAttr(origin.number);
    case Kind::Size: {
      Value tensor = rewriter.getRemappedValue(origin.tensor);
      return tensor ? getSize(rewriter, loc, tensor, origin.number)
                    : OpFoldResult();
    }
    case Kind::Count: {
      Value tensor = rewriter.getRemappedValue(origin.tensor);
      return tensor
                 ? multiplySizes(rewriter, loc, getSizes(rewriter, loc, tensor))
                 : OpFoldResult();
    }
    case Kind::Copy:
      return isWide(origin.lhs.tensor) ? trace(origin.lhs) : OpFoldResult();
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Div:
      break;
    }
    OpFoldResult a = trace(origin.lhs), b = trace(origin.rhs);
    return origin.kind == Kind::Add   ? addSizes(rewriter, loc, a, b)
           : origin.kind == Kind::Sub ? subtractSizes(rewriter, loc, a, b)
           : origin.kind == Kind::Mul ? multiplySizes(rewriter, loc, {a, b})
                                      : buildQuotient(a, b);
  }

  /// Sizes are positive; of other numbers the sign would matter.
  OpFoldResult buildQuotient(OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> divisor = getConstantIntValue(b);
    if (!divisor || *divisor <= 0) {
      return {};
    }
    int64_t factor = IE::getConstantFactor(a);
    if (factor % *divisor != 0 || factor < 0) {
      return {};
    }
    return divideSizes(rewriter, loc, a, b);
  }

  /// Whether elements of a tensor are of the types that shapes have.
  static bool isWide(Value tensor) {
    Type type = getElementTypeOrSelf(tensor);
    return type.isInteger(64) || type.isInteger(32);
  }

  ConversionPatternRewriter &rewriter;
  Location loc;
  IE::ShapeElements elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sizes of results
//===----------------------------------------------------------------------===//

OpFoldResult TracingSizeBuilder::getSize(Value tensor, int64_t dim) {
  return nacre::getSize(rewriter, loc, getTensor(tensor), dim);
}

OpFoldResult TracingSizeBuilder::getElement(Value tensor, int64_t position) {
  return ShapeTracer(rewriter, loc).trace({tensor, position});
}

Value TracingSizeBuilder::getTensor(Value operand) {
  return rewriter.getRemappedValue(operand);
}

FailureOr<SmallVector<Sizes>>
nacre::getResultSizes(ConversionPatternRewriter &rewriter, Operation *op) {
  ReifiedRankedShapedTypeDims results;
  TracingSizeBuilder sizes(rewriter, op->getLoc());
  if (failed(cast<IE::SizesOpInterface>(op).buildSizes(sizes, results))) {
    return failure();
  }
  for (auto [result, resultType] :
       llvm::zip_equal(results, op->getResultTypes())) {
    result = refineSizes(rewriter, cast<RankedTensorType>(resultType), result);
  }
  return results;
}

Sizes nacre::getResultSize(ConversionPatternRewriter &rewriter, Operation *op) {
  FailureOr<SmallVector<Sizes>> sizes = getResultSizes(rewriter, op);
  assert(succeeded(sizes) && "only for ops whose sizes always follow");
  return sizes->front();
}
