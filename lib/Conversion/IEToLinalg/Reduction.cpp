//===- Reduction.cpp - Lower the Reduction family to linalg -------------===//
//
// Software kernels for the IE operator family Reduction.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Reduction.h"

using namespace mlir;
using namespace nacre;

void nacre::populateReductionToLinalgPatterns(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {}
