//===- Epilogue.h - What becomes of a contraction's sums --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolution and matrix product have the same operands beside what they
// multiply: where sums start, how they are scaled, what is added to them and
// where they go.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_EPILOGUE_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_EPILOGUE_H

#include "KernelBuilder.h"

namespace nacre {

class Epilogue {
public:
  /// Of an op whose operands are of `elementType`.
  template <typename Op> static Epilogue get(Op op, mlir::Type elementType) {
    Epilogue result;
    result.elementType = elementType;
    result.isFloat = mlir::isa<mlir::FloatType>(elementType);
    result.offset = op.getOffset();
    result.scale = op.getScale();
    result.bias = op.getBias();
    result.residual = op.getResidual();
    result.output = op.getInit();
    result.ppe = op.getPpe();
    return result;
  }

  /// Of an op whose sums are floats and start from its bias.
  template <typename Op> static Epilogue getOfFloats(Op op) {
    Epilogue result;
    result.elementType = mlir::Float32Type::get(op.getContext());
    result.bias = op.getBias();
    result.residual = op.getResidual();
    result.output = op.getInit();
    result.ppe = op.getPpe();
    return result;
  }

  /// What there is of numbers for a vector of channels.
  struct Factors {
    mlir::Value scale, bias;
  };

  /// The memref, by channels, of what sums start from; null for zero. Sums of
  /// floats start from the bias, those of integers from their offset.
  mlir::Value getStart() const { return isFloat ? bias : offset; }
  /// A vector of it; `channel` are the indices of the first.
  mlir::Value loadStart(KernelBuilder &kernel, mlir::ValueRange channel,
                        Lanes lanes) const;
  /// What is left to do with sums of these channels.
  Factors loadFactors(KernelBuilder &kernel, mlir::ValueRange channel,
                      Lanes lanes) const;
  /// Stores what becomes of `sums` at `indices`.
  void store(KernelBuilder &kernel, mlir::Value sums, const Factors &factors,
             mlir::ValueRange indices, Lanes lanes) const;

  mlir::Type elementType;
  /// Which a kernel may give another shape.
  mlir::Value residual, output;

private:
  bool isFloat = true;
  mlir::Value offset, scale, bias;
  VPU::PPEAttr ppe;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_EPILOGUE_H
