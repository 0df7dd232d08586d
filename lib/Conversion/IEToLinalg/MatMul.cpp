//===- MatMul.cpp - Lower the MatMul family to linalg -------------------===//
//
// Software kernels for the IE operator family MatMul.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/MatMul.h"

using namespace mlir;
using namespace nacre;

void nacre::populateMatMulToLinalgPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {}
