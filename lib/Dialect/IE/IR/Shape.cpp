//===- Shape.cpp - Changes of shape that move no element ------------------===//
//
// Type inference, verification and folding of the IE operator family: changes
// of shape that move no element.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Shape.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Shape.cpp.inc"

void IEDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Shape.cpp.inc"
      >();
}
