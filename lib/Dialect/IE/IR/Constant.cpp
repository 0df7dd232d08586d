//===- Constant.cpp - Constants and generated tensors ---------------------===//
//
// Type inference, verification and folding of the IE operator family: constants
// and generated tensors.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Constant.cpp.inc"

void IEDialect::registerConstantOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Constant.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor adaptor) { return getValue(); }
