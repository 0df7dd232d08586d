//===- Constant.cpp - Lower the Constant family to linalg ---------------===//
//
// Software kernels for the IE operator family Constant.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Constant.h"

using namespace mlir;
using namespace nacre;

void nacre::populateConstantToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {}
