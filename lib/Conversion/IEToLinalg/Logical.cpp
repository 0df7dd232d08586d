//===- Logical.cpp - Lower the Logical family to linalg -----------------===//
//
// Software kernels for the IE operator family Logical.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Logical.h"

using namespace mlir;
using namespace nacre;

void nacre::populateLogicalToLinalgPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {}
