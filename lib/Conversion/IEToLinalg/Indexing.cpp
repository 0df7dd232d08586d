//===- Indexing.cpp - Lower the Indexing family to linalg ---------------===//
//
// Software kernels for the IE operator family Indexing.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/Indexing.h"

using namespace mlir;
using namespace nacre;

void nacre::populateIndexingToLinalgPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {}
