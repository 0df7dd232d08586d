//===- Normalization.cpp - Lower the Normalization family to linalg -----===//
//
// Software kernels for the IE operator family Normalization.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Normalization.h"

using namespace mlir;
using namespace nacre;

void nacre::populateNormalizationToLinalgPatterns(
    const TypeConverter &converter, RewritePatternSet &patterns) {}
