//===- BufferizableOpInterfaceImpl.h - Bufferization of VPU -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the external models through which one-shot bufferization handles
// VPU ops.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define NACRE_DIALECT_VPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nacre::VPU {
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
