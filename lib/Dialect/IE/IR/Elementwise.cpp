//===- Elementwise.cpp - Elementwise arithmetic and math ------------------===//
//
// Type inference, verification and folding of the IE operator family:
// elementwise arithmetic and math.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Elementwise.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Elementwise.cpp.inc"

void IEDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Elementwise.cpp.inc"
      >();
}

LogicalResult AddOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  return inferBroadcastType(location, adaptor.getOperands(),
                            getElementTypeOrSelf(adaptor.getLhs()), inferred);
}
