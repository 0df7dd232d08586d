//===- Pooling.cpp - Pooling ----------------------------------------------===//
//
// Type inference, verification and folding of the IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Pooling.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Pooling.cpp.inc"

void IEDialect::registerPoolingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Pooling.cpp.inc"
      >();
}
