//===- Pooling.cpp - Lower the Pooling family to linalg -----------------===//
//
// Software kernels for the IE operator family Pooling.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Pooling.h"

using namespace mlir;
using namespace nacre;

void nacre::populatePoolingToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {}
