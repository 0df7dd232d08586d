//===- Reduction.cpp - Reductions along axes ------------------------------===//
//
// Type inference, verification and folding of the IE operator family:
// reductions along axes.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Reduction.cpp.inc"

void IEDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Reduction.cpp.inc"
      >();
}
