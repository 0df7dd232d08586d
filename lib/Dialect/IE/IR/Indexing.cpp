//===- Indexing.cpp - Element access by index -----------------------------===//
//
// Type inference, verification and folding of the IE operator family: element
// access by index.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Indexing.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Indexing.cpp.inc"

void IEDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Indexing.cpp.inc"
      >();
}
