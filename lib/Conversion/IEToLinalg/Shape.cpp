//===- Shape.cpp - Lower the Shape family to linalg ---------------------===//
//
// Software kernels for the IE operator family Shape.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Shape.h"

using namespace mlir;
using namespace nacre;

void nacre::populateShapeToLinalgPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {}
