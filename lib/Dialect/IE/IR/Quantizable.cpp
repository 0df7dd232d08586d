//===- Quantizable.cpp - Ops on quantized values --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ie-fuse-quantization and the engine compute on integers. Ops that are
// not here compute floats.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Quantizable.h"
#include "nacre/Dialect/IE/IR/IE.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/QuantizableInterface.cpp.inc"

/// The third operand; null where an op has but two.
static OpOperand *getThird(Operation *op) {
  return op->getNumOperands() > 2 ? &op->getOpOperand(2) : nullptr;
}

static LinearOperands makeOperands(Operation *op, int64_t channelAxis,
                                   int64_t inputAxis) {
  return {&op->getOpOperand(0), &op->getOpOperand(1), getThird(op), channelAxis,
          inputAxis};
}

namespace {

template <typename OpT, QuantizableKind kind>
struct Simple : QuantizableOpInterface::ExternalModel<Simple<OpT, kind>, OpT> {
  QuantizableKind getQuantizableKind(Operation *) const { return kind; }
  std::optional<LinearOperands> getLinearOperands(Operation *) const {
    return std::nullopt;
  }
};

template <typename ModelT, typename OpT>
struct Linear : QuantizableOpInterface::ExternalModel<ModelT, OpT> {
  QuantizableKind getQuantizableKind(Operation *) const {
    return QuantizableKind::Linear;
  }
};

struct LinearConv : Linear<LinearConv, ConvOp> {
  std::optional<LinearOperands> getLinearOperands(Operation *op) const {
    LinearOperands operands =
        makeOperands(op, /*channelAxis=*/0, /*inputAxis=*/1);
    operands.groups = static_cast<int64_t>(cast<ConvOp>(op).getGroup());
    return operands;
  }
};

struct LinearGemm : Linear<LinearGemm, GemmOp> {
  std::optional<LinearOperands> getLinearOperands(Operation *op) const {
    auto gemm = cast<GemmOp>(op);
    if (gemm.getTransA() != 0 || !gemm.getAlpha().isExactlyValue(1.0) ||
        !gemm.getBeta().isExactlyValue(1.0)) {
      return std::nullopt;
    }
    int64_t channelAxis = gemm.getTransB() != 0 ? 0 : 1;
    return makeOperands(op, channelAxis, 1 - channelAxis);
  }
};

struct LinearMatMul : Linear<LinearMatMul, MatMulOp> {
  std::optional<LinearOperands> getLinearOperands(Operation *op) const {
    auto product = cast<MatMulOp>(op);
    auto rankOf = [](Value value) {
      return cast<RankedTensorType>(value.getType()).getRank();
    };
    int64_t rank = rankOf(product.getRhs());
    if (rank < 2 || rankOf(product.getLhs()) < 2) {
      return std::nullopt;
    }
    return makeOperands(op, rank - 1, rank - 2);
  }
};

} // namespace

template <QuantizableKind kind, typename... Ops>
static void attach(MLIRContext *context) {
  (Ops::template attachInterface<Simple<Ops, kind>>(*context), ...);
}

void IE::registerQuantizableExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, IEDialect *) {
    ConvOp::attachInterface<LinearConv>(*context);
    GemmOp::attachInterface<LinearGemm>(*context);
    MatMulOp::attachInterface<LinearMatMul>(*context);
    attach<QuantizableKind::Arithmetic, AddOp, GlobalAveragePoolOp>(context);
    attach<QuantizableKind::Carries, FlattenOp, MaxPoolOp, ReshapeOp, SliceOp,
           SqueezeOp, TransposeOp, UnsqueezeOp>(context);
  });
}
