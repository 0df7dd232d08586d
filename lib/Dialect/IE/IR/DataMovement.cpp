//===- DataMovement.cpp - Reordering and copying of elements --------------===//
//
// Type inference, verification and folding of the IE operator family:
// reordering and copying of elements.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/DataMovement.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

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
