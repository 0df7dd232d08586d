//===- Resampling.cpp - Images of other sizes -----------------------------===//
//
// Type inference and verification of the IE operator family: resampling.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Resampling.h"
#include "nacre/Dialect/IE/Utils/ResizeUtils.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Resampling.cpp.inc"

void IEDialect::registerResamplingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Resampling.cpp.inc"
      >();
}

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto input = cast<ShapedType>(adaptor.getInput().getType());
  SmallVector<double> scales =
      getConstantFloats(adaptor.getScales()).value_or(SmallVector<double>());
  SmallVector<int64_t> sizes =
      getConstantInts(adaptor.getSizes()).value_or(SmallVector<int64_t>());
  SmallVector<int64_t> shape(input.getShape());
  if ((scales.empty() && sizes.empty()) || !input.hasStaticShape()) {
    // What is not resized keeps its size.
    SmallVector<int64_t> axes(adaptor.getAxes());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      int64_t fromEnd = static_cast<int64_t>(dim) - input.getRank();
      if (axes.empty() || llvm::is_contained(axes, static_cast<int64_t>(dim)) ||
          llvm::is_contained(axes, fromEnd)) {
        size = ShapedType::kDynamic;
      }
    }
    inferred.push_back(input.clone(shape));
    return success();
  }
  FailureOr<SmallVector<ResizedDim>> dims =
      resolveResize(location, adaptor, shape, {{}, scales, sizes});
  if (failed(dims)) {
    return failure();
  }
  for (const ResizedDim &dim : *dims) {
    shape[dim.dim] = dim.outputSize;
  }
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult ResizeOp::verify() {
  Type element = cast<ShapedType>(getInput().getType()).getElementType();
  if (getMode() != "nearest" && !isa<FloatType>(element)) {
    return emitOpError("expected floats in mode '")
           << getMode() << "', found " << getInput().getType();
  }
  if (!getScales() && !getSizes()) {
    return emitOpError("expected either scales or sizes");
  }
  return success();
}
