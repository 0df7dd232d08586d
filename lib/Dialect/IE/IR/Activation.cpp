//===- Activation.cpp - Activation functions ------------------------------===//
//
// Type inference, verification and folding of the IE operator family:
// activation functions.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Activation.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Activation.cpp.inc"

void IEDialect::registerActivationOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Activation.cpp.inc"
      >();
}

LogicalResult ReluOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getInput().getType());
  return success();
}
