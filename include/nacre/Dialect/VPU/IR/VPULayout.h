//===- VPULayout.h - Changes of layout --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the ops between values of the model and the engine's images and
// matrices.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPULAYOUT_H
#define NACRE_DIALECT_VPU_IR_VPULAYOUT_H

#include "nacre/Dialect/VPU/IR/VPUDialect.h"
#include "nacre/Dialect/VPU/IR/WeightPacking.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "nacre/Dialect/VPU/IR/VPULayout.h.inc"

namespace nacre::VPU {

/// What the engine computes where the model has elements of this type: bytes
/// have no sign.
mlir::Type getEngineElementType(mlir::Type element);

/// The type of the engine's image of a model's value.
mlir::RankedTensorType getBlockedType(mlir::RankedTensorType value,
                                      BlockedLayout layout);

/// A dimension of the operand of a change of layout that is as large, in every
/// run, as dimension `dim` of its result, which is a dynamic one. The operand
/// is null where `result` is that of another op.
std::pair<mlir::Value, int64_t> getSameDim(mlir::Value result, int64_t dim);

} // namespace nacre::VPU

#endif // NACRE_DIALECT_VPU_IR_VPULAYOUT_H
