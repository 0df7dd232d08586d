//===- Convolution.cpp - Lower the Convolution family to linalg ---------===//
//
// Software kernels for the IE operator family Convolution.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Convolution.h"

using namespace mlir;
using namespace nacre;

void nacre::populateConvolutionToLinalgPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {}
