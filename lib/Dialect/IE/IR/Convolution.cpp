//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// Type inference, verification and folding of the IE operator family:
// convolutions.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Convolution.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/Convolution.cpp.inc"

void IEDialect::registerConvolutionOps() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/Convolution.cpp.inc"
      >();
}
