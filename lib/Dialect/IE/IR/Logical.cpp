//===- Logical.cpp - Comparison, logic and selection ----------------------===//
//
// Type inference, verification and folding of the IE operator family:
// comparison, logic and selection.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Logical.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Logical.cpp.inc"

void IEDialect::registerLogicalOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Logical.cpp.inc"
      >();
}
