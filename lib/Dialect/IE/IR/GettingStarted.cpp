//===- GettingStarted.cpp - The tutorial's op, attribute, type and interface
//-===//
//
// Type inference, verification and folding of the IE operator family: the
// tutorial's op, attribute, type and interface.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/GettingStarted.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#define GET_OP_CLASSES
#include "nacre/Dialect/IE/IR/GettingStarted.cpp.inc"

void IEDialect::registerGettingStarted() {
  addOperations<
#define GET_OP_LIST
#include "nacre/Dialect/IE/IR/GettingStarted.cpp.inc"
      >();
}
