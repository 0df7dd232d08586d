//===- InitAllPasses.h - Passes and pipelines of nacre ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers nacre's passes and pipelines, and upstream's.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_INITALLPASSES_H
#define NACRE_INITALLPASSES_H

#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/Transforms/Passes.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Pipelines/Pipelines.h"
#include "nacre/Transforms/Passes.h"

#include "mlir/InitAllPasses.h"

namespace nacre {

inline void registerAllPasses() {
  mlir::registerAllPasses();
  registerNacreConversionPasses();
  registerNacreTransformsPasses();
  IE::registerIEPasses();
  VPU::registerVPUPasses();
  registerPipelines();
}

} // namespace nacre

#endif // NACRE_INITALLPASSES_H
