//===- Elementwise.cpp - Lower the Elementwise family to linalg ---------===//
//
// Software kernels for the IE operator family Elementwise.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Elementwise.h"

using namespace mlir;
using namespace nacre;

void nacre::populateElementwiseToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {}
