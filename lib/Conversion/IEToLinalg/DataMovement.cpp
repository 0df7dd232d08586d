//===- DataMovement.cpp - Lower the DataMovement family to linalg -------===//
//
// Software kernels for the IE operator family DataMovement.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/DataMovement.h"

using namespace mlir;
using namespace nacre;

void nacre::populateDataMovementToLinalgPatterns(const TypeConverter &converter,
                                                 RewritePatternSet &patterns) {}
