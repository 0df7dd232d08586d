//===- IEToVPU.h - Neural compute engine ops for IE ops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of IE to the ops of an architecture's neural compute engine: one
// pattern population function per operator family.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_IETOVPU_IETOVPU_H
#define NACRE_CONVERSION_IETOVPU_IETOVPU_H

#include "nacre/Dialect/VPU/IR/VPUAttributes.h"

#include "mlir/IR/PatternMatch.h"

namespace nacre {

void populateBatchNormalizationToVPUPatterns(VPU::ArchAttr arch,
                                             mlir::RewritePatternSet &patterns);
void populateConvolutionToVPUPatterns(VPU::ArchAttr arch,
                                      mlir::RewritePatternSet &patterns);
void populateConvTransposeToVPUPatterns(VPU::ArchAttr arch,
                                        mlir::RewritePatternSet &patterns);
void populateVolumeToVPUPatterns(VPU::ArchAttr arch,
                                 mlir::RewritePatternSet &patterns);
void populateExpandMatricesPatterns(VPU::ArchAttr arch,
                                    mlir::RewritePatternSet &patterns);
void populateMatMulToVPUPatterns(VPU::ArchAttr arch,
                                 mlir::RewritePatternSet &patterns);
/// Products that say nothing of it are as exact as `accuracyLevel` asks for.
void populateMatMulNBitsToVPUPatterns(VPU::ArchAttr arch, int64_t accuracyLevel,
                                      mlir::RewritePatternSet &patterns);
void populatePoolingToVPUPatterns(VPU::ArchAttr arch,
                                  mlir::RewritePatternSet &patterns);
void populateElementwiseToVPUPatterns(VPU::ArchAttr arch,
                                      mlir::RewritePatternSet &patterns);
void populateActivationToVPUPatterns(VPU::ArchAttr arch,
                                     mlir::RewritePatternSet &patterns);
void populateConcatToVPUPatterns(VPU::ArchAttr arch,
                                 mlir::RewritePatternSet &patterns);
void populateDynamicQuantizationToVPUPatterns(
    VPU::ArchAttr arch, mlir::RewritePatternSet &patterns);

/// A constant f32 matrix (K, N), or (N, K) where `transposed`, as what
/// VPU.NCE.MatMul takes for its right operand; null for any other value.
mlir::Value buildConstantPanels(mlir::OpBuilder &builder, mlir::Location loc,
                                VPU::ArchAttr arch, mlir::Value matrix,
                                bool transposed);

} // namespace nacre

#endif // NACRE_CONVERSION_IETOVPU_IETOVPU_H
