//===- MatMul.cpp - Matrix products ---------------------------------------===//
//
// Type inference, verification and folding of the IE operator family: matrix
// products.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

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

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  if (lhs.getRank() == 0 || rhs.getRank() == 0) {
    return emitOptionalError(location,
                             "expected operands of rank 1 or more, "
                             "found ",
                             lhs, " and ", rhs);
  }
  SmallVector<int64_t> a(lhs.getShape()), b(rhs.getShape());
  if (a.size() == 1) {
    a.insert(a.begin(), 1);
  }
  if (b.size() == 1) {
    b.push_back(1);
  }
  if (differ(a.back(), b[b.size() - 2])) {
    return emitOptionalError(
        location, "expected equal inner dimensions, found ", lhs, " and ", rhs);
  }
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(
      {ArrayRef<int64_t>(a).drop_back(2), ArrayRef<int64_t>(b).drop_back(2)});
  if (failed(shape)) {
    return emitOptionalError(location,
                             "expected batch dimensions that broadcast, found ",
                             lhs, " and ", rhs);
  }
  if (lhs.getRank() > 1) {
    shape->push_back(a[a.size() - 2]);
  }
  if (rhs.getRank() > 1) {
    shape->push_back(b.back());
  }
  inferred.push_back(RankedTensorType::get(*shape, lhs.getElementType()));
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
