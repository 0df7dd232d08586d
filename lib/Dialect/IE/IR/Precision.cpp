//===- Precision.cpp - Ops and floats of 16 bits --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op's use of floats, by operator family. Ops that are not here have none,
// or are of the type that an attribute or a body names.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/Precision.h"
#include "nacre/Dialect/IE/IR/IE.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/PrecisionInterface.cpp.inc"

namespace {

template <typename OpT, FloatUse use>
struct FixedUse : PrecisionOpInterface::ExternalModel<FixedUse<OpT, use>, OpT> {
  FloatUse getFloatUse(Operation *) const { return use; }
};

/// A scatter that combines what meets computes.
template <typename OpT>
struct ScatterUse : PrecisionOpInterface::ExternalModel<ScatterUse<OpT>, OpT> {
  FloatUse getFloatUse(Operation *op) const {
    return cast<OpT>(op).getReduction() == "none" ? FloatUse::Moves
                                                  : FloatUse::Computes;
  }
};

} // namespace

template <FloatUse use, typename... Ops>
static void attach(MLIRContext *context) {
  (Ops::template attachInterface<FixedUse<Ops, use>>(*context), ...);
}

static void attachComputing(MLIRContext *context) {
  // Activation
  attach<FloatUse::Computes, CeluOp, EluOp, GeluOp, HardSigmoidOp, HardSwishOp,
         LeakyReluOp, MishOp, PReluOp, ReluOp, SeluOp, ShrinkOp, SigmoidOp,
         SoftplusOp, SoftsignOp, SwishOp, TanhOp, ThresholdedReluOp>(context);
  // Convolution
  attach<FloatUse::Computes, ConvOp, ConvTransposeOp, QLinearConvOp>(context);
  // Elementwise
  attach<FloatUse::Computes, AbsOp, AcosOp, AcoshOp, AddOp, AsinOp, AsinhOp,
         AtanOp, AtanhOp, CeilOp, ClipOp, CosOp, CoshOp, DivOp, DropoutOp,
         ErfOp, ExpOp, FloorOp, IsInfOp, IsNaNOp, LogOp, MaxOp, MeanOp, MinOp,
         ModOp, MulOp, NegOp, PowOp, ReciprocalOp, RoundOp, SignOp, SinOp,
         SinhOp, SqrtOp, SubOp, SumOp, TanOp>(context);
  // Logical: what a condition chooses is computed with.
  attach<FloatUse::Computes, EqualOp, GreaterOp, GreaterOrEqualOp, LessOp,
         LessOrEqualOp, WhereOp>(context);
  // MatMul
  attach<FloatUse::Computes, DetOp, EinsumOp, GemmOp, MatMulNBitsOp, MatMulOp,
         QLinearMatMulOp>(context);
  // Normalization
  attach<FloatUse::Computes, BatchNormalizationOp, HardmaxOp,
         InstanceNormalizationOp, LayerNormalizationOp, LogSoftmaxOp, LRNOp,
         SoftmaxOp>(context);
  // Pooling
  attach<FloatUse::Computes, AveragePoolOp, GlobalAveragePoolOp,
         GlobalMaxPoolOp, MaxPoolOp, MaxPoolWithIndicesOp, MaxUnpoolOp>(
      context);
  // Quantization
  attach<FloatUse::Computes, DequantizeLinearOp, DynamicQuantizeLinearOp,
         QuantizeLinearOp>(context);
  // Recurrent
  attach<FloatUse::Computes, GRUOp, LSTMOp, RNNOp>(context);
  // Reduction
  attach<FloatUse::Computes, ArgMaxOp, ArgMinOp, CumProdOp, CumSumOp,
         ReduceL1Op, ReduceL2Op, ReduceLogSumExpOp, ReduceLogSumOp, ReduceMaxOp,
         ReduceMeanOp, ReduceMinOp, ReduceProdOp, ReduceSumOp,
         ReduceSumSquareOp>(context);
  // Resampling
  attach<FloatUse::Computes, GridSampleOp, ResizeOp, RoiAlignOp>(context);
  // Selection, Signal, Sorting
  attach<FloatUse::Computes, DFTOp, NonZeroOp, STFTOp, TopKOp>(context);
}

static void attachMoving(MLIRContext *context) {
  // ControlFlow, Elementwise
  attach<FloatUse::Rearranges, IdentityOp, RequireOp>(context);
  // DataMovement
  attach<FloatUse::Moves, CompressOp, ConcatOp, ExpandOp, PadOp, SliceOp,
         SplitOp, TileOp, TriluOp>(context);
  attach<FloatUse::Rearranges, DepthToSpaceOp, ReverseSequenceOp,
         SpaceToDepthOp, TransposeOp>(context);
  // Indexing
  attach<FloatUse::Moves, GatherElementsOp, GatherNDOp, GatherOp>(context);
  ScatterElementsOp::attachInterface<ScatterUse<ScatterElementsOp>>(*context);
  ScatterNDOp::attachInterface<ScatterUse<ScatterNDOp>>(*context);
  // Shape
  attach<FloatUse::Rearranges, FlattenOp, ReshapeOp, SqueezeOp, UnsqueezeOp>(
      context);
}

void IE::registerPrecisionExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, IEDialect *) {
    attachComputing(context);
    attachMoving(context);
    attach<FloatUse::Reads, CastOp, ShapeOp, SizeOp>(context);
  });
}
