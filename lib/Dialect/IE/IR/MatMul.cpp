//===- MatMul.cpp - Matrix products ---------------------------------------===//
//
// Type inference, verification and folding of the IE operator family: matrix
// products.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/MatMul.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/MatMul.cpp.inc"

void IEDialect::registerMatMulOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/MatMul.cpp.inc"
      >();
}
