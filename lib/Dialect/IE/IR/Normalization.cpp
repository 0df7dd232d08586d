//===- Normalization.cpp - Normalisation and softmax ----------------------===//
//
// Type inference, verification and folding of the IE operator family:
// normalisation and softmax.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Normalization.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Normalization.cpp.inc"

void IEDialect::registerNormalizationOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Normalization.cpp.inc"
      >();
}
