//===- Kernels.h - Shared pieces of the interpreter's kernels ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel function becomes an op's interface implementation, the
// registration hooks of the operator families, and index helpers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_INTERPRETER_KERNELS_H
#define NACRE_LIB_INTERPRETER_KERNELS_H

#include "nacre/Interpreter/Datum.h"
#include "nacre/Interpreter/InterpretableOpInterface.h"

namespace nacre::interpreter {

/// The external model that calls `kernel(op, operands, results)`.
template <typename OpT, auto kernel>
struct KernelModel
    : InterpretableOpInterface::ExternalModel<KernelModel<OpT, kernel>, OpT> {
  mlir::LogicalResult interpret(mlir::Operation *op,
                                llvm::ArrayRef<Tensor> operands,
                                llvm::MutableArrayRef<Tensor> results) const {
    return kernel(llvm::cast<OpT>(op), operands, results);
  }
};

/// Makes `kernel` the evaluation of `OpT`:
/// `LogicalResult kernel(OpT, ArrayRef<Tensor>, MutableArrayRef<Tensor>)`.
template <typename OpT, auto kernel>
void attachKernel(mlir::MLIRContext *context) {
  OpT::template attachInterface<KernelModel<OpT, kernel>>(*context);
}

/// The external model that calls `kernel(op, operands, run, results)`.
template <typename OpT, auto kernel>
struct CompositeKernelModel : CompositeInterpretableOpInterface::ExternalModel<
                                  CompositeKernelModel<OpT, kernel>, OpT> {
  mlir::LogicalResult interpret(mlir::Operation *op,
                                llvm::ArrayRef<Datum> operands,
                                RegionRunner run,
                                llvm::SmallVectorImpl<Datum> &results) const {
    return kernel(llvm::cast<OpT>(op), operands, run, results);
  }
};

/// Makes `kernel` the evaluation of an `OpT` with regions or of other values
/// than tensors.
template <typename OpT, auto kernel>
void attachCompositeKernel(mlir::MLIRContext *context) {
  OpT::template attachInterface<CompositeKernelModel<OpT, kernel>>(*context);
}

/// Row-major strides, in elements, of a static shape.
llvm::SmallVector<int64_t> computeStrides(llvm::ArrayRef<int64_t> shape);

/// Strides for reading an operand of `shape` at indices of `resultShape` under
/// NumPy broadcasting: 0 where the operand's dimension is 1 or missing.
llvm::SmallVector<int64_t>
computeBroadcastStrides(llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> resultShape);

/// Calls `visit(linearIndex, index)` for every index of `shape` in row-major
/// order.
void forEachIndex(
    llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(int64_t, llvm::ArrayRef<int64_t>)> visit);

// One per operator family, each in the family's source file.
void registerActivationKernels(mlir::MLIRContext *context);
void registerControlFlowKernels(mlir::MLIRContext *context);
void registerConvolutionKernels(mlir::MLIRContext *context);
void registerDataMovementKernels(mlir::MLIRContext *context);
void registerElementwiseKernels(mlir::MLIRContext *context);
void registerGeneratorKernels(mlir::MLIRContext *context);
void registerIndexingKernels(mlir::MLIRContext *context);
void registerLogicalKernels(mlir::MLIRContext *context);
void registerMapKernels(mlir::MLIRContext *context);
void registerMatMulKernels(mlir::MLIRContext *context);
void registerNormalizationKernels(mlir::MLIRContext *context);
void registerPoolingKernels(mlir::MLIRContext *context);
void registerQuantizationKernels(mlir::MLIRContext *context);
void registerRandomKernels(mlir::MLIRContext *context);
void registerReductionKernels(mlir::MLIRContext *context);
void registerResamplingKernels(mlir::MLIRContext *context);
void registerSelectionKernels(mlir::MLIRContext *context);
void registerSequenceKernels(mlir::MLIRContext *context);
void registerShapeKernels(mlir::MLIRContext *context);
void registerSortingKernels(mlir::MLIRContext *context);
void registerStringKernels(mlir::MLIRContext *context);

} // namespace nacre::interpreter

#endif // NACRE_LIB_INTERPRETER_KERNELS_H
