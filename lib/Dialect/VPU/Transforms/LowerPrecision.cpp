//===- LowerPrecision.cpp - The vpu-lower-precision pass ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores the engine's activations and weights as bf16. Sums and what follows
// them stay f32, in registers, or in memory where several convolutions add to
// one; so does everything that software kernels compute.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"

#include "nacre/Dialect/VPU/IR/VPUOps.h"
#include "nacre/Dialect/VPU/Transforms/Passes.h"
#include "nacre/Support/ConstantReleaser.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nacre::VPU {
#define GEN_PASS_DEF_LOWERPRECISION
#include "nacre/Dialect/VPU/Transforms/Passes.h.inc"
} // namespace nacre::VPU

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

namespace {

/// Rewrites the ops of a module.
class PrecisionLowering {
public:
  PrecisionLowering(ArchAttr arch, IRRewriter &builder)
      : builder(builder), arch(arch), bf16(builder.getBF16Type()),
        pack(arch.getPack(builder.getBF16Type())) {}

  /// True when the op was replaced by one on bf16.
  bool lower(NCEOpInterface op);

private:
  /// `value` in bf16. Of what only moves data, a copy in bf16 is made.
  Value narrow(Value value);
  /// A convolution's input in bf16 with whole packs of channels; null where
  /// that would take more than blocking fewer channels than a pack has with a
  /// gap.
  Value narrowImage(NCEConvolutionOp op);
  /// Replaces `op` by a clone with these operands, and a bf16 result unless
  /// only software reads it.
  void replace(NCEOpInterface op, ValueRange operands);
  /// A product's right operand in bf16; null when it makes no packs.
  Value narrowPanels(Value panels);
  /// Constant weights in bf16 that will be in packs; null when they are not
  /// constant, or not of f32.
  Value narrowWeights(Value weights);

  IRRewriter &builder;
  ArchAttr arch;
  Type bf16;
  int64_t pack;
  /// What has become of weights that several ops read.
  DenseMap<Operation *, Value> narrowed;
};

} // namespace

/// The weights of an op, yet to be packed; null where it has others.
static PackWeightsOp getPackedLate(Value weights) {
  return weights.getDefiningOp<PackWeightsOp>();
}

/// True for weights of groups whose packs fill vectors.
static bool canPackGroups(NCEGroupConvolutionOp op, ArchAttr arch) {
  int64_t pack = arch.getPack(BFloat16Type::get(op.getContext()));
  return op.getPack() == 1 && pack > 1 && op.getGroupSize() % pack == 0 &&
         op.getInitType().getDimSize(4) == arch.getLanes();
}

Value PrecisionLowering::narrow(Value value) {
  RankedTensorType type = getTensorType(value).clone(bf16);
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  if (auto extend = dyn_cast_if_present<arith::ExtFOp>(op);
      extend && extend.getIn().getType() == type) {
    return extend.getIn();
  }
  if (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    Value source = narrow(op->getOperand(0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Operation *view = builder.clone(*op);
    view->setOperand(0, source);
    view->getResult(0).setType(type);
    return view->getResult(0);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  if (auto copy = dyn_cast_if_present<CopyOp>(op)) {
    Value init = tensor::EmptyOp::create(
        builder, loc, getTracedSizes(builder, loc, copy.getInit()), bf16);
    Operation *narrowed = builder.clone(*op);
    cast<CopyOp>(narrowed).getInitMutable().assign(init);
    narrowed->getResult(0).setType(type);
    return narrowed->getResult(0);
  }
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value PrecisionLowering::narrowImage(NCEConvolutionOp op) {
  RankedTensorType type = getTensorType(op.getInput());
  int64_t block = type.getDimSize(4);
  if (block % pack == 0) {
    return narrow(op.getInput());
  }
  // The model's few channels as they are: their blocking leaves room.
  auto copy = op.getInput().getDefiningOp<CopyOp>();
  if (!copy || type.getDimSize(1) != 1 || op.getGroups() != 1 ||
      !copy.isFrom(DimsOrder::NCHW, DimsOrder::NCHWc)) {
    return {};
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  SmallVector<OpFoldResult> sizes =
      getTracedSizes(builder, copy.getLoc(), copy.getInit());
  sizes[4] = builder.getIndexAttr(llvm::alignTo(block, pack));
  IRMapping mapping;
  Value init = tensor::EmptyOp::create(builder, copy.getLoc(), sizes, bf16);
  mapping.map(copy.getInit(), init);
  Operation *widened = builder.clone(*copy, mapping);
  widened->getResult(0).setType(cast<RankedTensorType>(init.getType()));
  return widened->getResult(0);
}

/// True for ops that only move elements on tensors.
static bool movesElements(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             linalg::TransposeOp>(op);
}

/// True when an op of the engine, or a copy, reads `value` as it is or moved.
static bool isReadByEngine(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<NCEOpInterface, CopyOp>(user) ||
           (movesElements(user) && isReadByEngine(user->getResult(0)));
  });
}

/// True for a sum that only a convolution without a bias goes on with, as for
/// the next element of a kernel's depth.
static bool isPartialSum(NCEOpInterface op) {
  if (!op->hasOneUse() || op.getPpe() != PPEAttr::get(op->getContext())) {
    return false;
  }
  OpOperand &use = *op->use_begin();
  auto next = dyn_cast<NCEOpInterface>(use.getOwner());
  if (!next || !next.getResidualOperand() ||
      next.getResidualOperand()->empty() ||
      &(*next.getResidualOperand())[0] != &use) {
    return false;
  }
  return llvm::TypeSwitch<Operation *, bool>(next)
      .Case<NCEConvolutionOp, NCEDepthConvolutionOp, NCEGroupConvolutionOp>(
          [](auto conv) { return !conv.getBias(); })
      .Default(false);
}

void PrecisionLowering::replace(NCEOpInterface op, ValueRange operands) {
  Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  Operation *lowered = builder.clone(*op);
  lowered->setOperands(operands);
  if (auto product = dyn_cast<NCEMatMulNBitsOp>(lowered)) {
    product.setRowParts(std::min<uint64_t>(
        product.getRowParts(), NCEMatMulNBitsOp::kRowPartsOf16Bits));
  }
  // Software computes in f32: rounding for it would save little. A sum is
  // rounded once, in the end.
  if (isPartialSum(op) || !isReadByEngine(op->getResult(0))) {
    builder.replaceOp(op, lowered);
    return;
  }
  RankedTensorType type = getTensorType(op->getResult(0));
  auto destination = cast<DestinationStyleOpInterface>(lowered);
  builder.setInsertionPoint(lowered);
  Value init = tensor::EmptyOp::create(
      builder, loc,
      tensor::getMixedSizes(builder, loc,
                            destination.getDpsInitOperand(0)->get()),
      bf16);
  destination.setDpsInitOperand(0, init);
  lowered->getResult(0).setType(type.clone(bf16));
  builder.setInsertionPointAfter(lowered);
  Value wide = arith::ExtFOp::create(builder, loc, type, lowered->getResult(0));
  builder.replaceOp(op, wide);
}

Value PrecisionLowering::narrowWeights(Value weights) {
  PackWeightsOp op = getPackedLate(weights);
  if (!op || !op.getWeights().getType().getElementType().isF32()) {
    return {};
  }
  Value &result = narrowed[op];
  SmallVector<float, 0> storage;
  std::optional<ArrayRef<float>> values =
      result ? std::nullopt : getConstantFloats(op.getWeights(), storage);
  if (!values) {
    return result;
  }
  WeightPacking packing = op.getPacking();
  packing.pack = pack;
  packing.inputWidth =
      static_cast<int64_t>(llvm::alignTo(packing.inputWidth, pack));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  Value rounded =
      buildConstant(builder, op.getWeights().getLoc(),
                    op.getWeights().getType().clone(bf16), *values, "rounded");
  result = PackWeightsOp::create(builder, op.getLoc(), rounded, packing);
  return result;
}

Value PrecisionLowering::narrowPanels(Value panels) {
  RankedTensorType type = getTensorType(panels);
  if (type.getDimSize(2) % pack != 0) {
    return {};
  }
  if (Value constant = narrowWeights(panels)) {
    return constant;
  }
  auto copy = panels.getDefiningOp<CopyOp>();
  if (!copy || copy.getDstOrder() != DimsOrder::KNn) {
    return {};
  }
  SmallVector<int64_t> shape(type.getShape());
  if (pack > 1) {
    shape[2] /= pack;
    shape.push_back(pack);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  Value init = tensor::EmptyOp::create(builder, copy.getLoc(), shape, bf16);
  return CopyOp::create(builder, copy.getLoc(), copy.getSource(), init,
                        copy.getSrcOrder(), copy.getDstOrder())
      ->getResult(0);
}

bool PrecisionLowering::lower(NCEOpInterface op) {
  if (!getTensorType(op->getResult(0)).getElementType().isF32()) {
    return false;
  }
  builder.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands());
  if (auto conv = dyn_cast<NCEConvolutionOp>(*op)) {
    bool isFloat = getTensorType(conv.getInput()).getElementType().isF32();
    PackWeightsOp weights = getPackedLate(conv.getWeights());
    Value image = weights && isFloat ? narrowImage(conv) : Value();
    Value rounded = image ? narrowWeights(weights) : Value();
    // Blocks that make no packs are read as they are.
    if (rounded) {
      operands[0] = image;
      operands[1] = rounded;
    }
  } else if (auto matmul = dyn_cast<NCEMatMulOp>(*op)) {
    bool hasPanels = !matmul.getTransposed() &&
                     getTensorType(matmul.getLhs()).getElementType().isF32();
    Value panels = hasPanels ? narrowPanels(matmul.getRhs()) : Value();
    if (panels) {
      operands[0] = narrow(matmul.getLhs());
      operands[1] = panels;
    }
  } else {
    // Everything else is memory bound: its activations count. Only groups of
    // channels make packs of weights.
    int64_t rank = getTensorType(op->getResult(0)).getRank();
    auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
    for (OpOperand *operand : destination.getDpsInputOperands()) {
      Value value = operand->get();
      RankedTensorType type = getTensorType(value);
      auto part = value.getDefiningOp<NCEOpInterface>();
      if (type.getRank() == rank && type.getElementType().isF32() &&
          !(part && isPartialSum(part)) && !getPackedLate(value) &&
          !matchPattern(value, m_Constant())) {
        operands[operand->getOperandNumber()] = narrow(value);
      }
    }
    auto group = dyn_cast<NCEGroupConvolutionOp>(*op);
    bool hasPairs = group &&
                    getTensorType(operands[0]).getElementType() == bf16 &&
                    canPackGroups(group, arch);
    if (Value weights =
            hasPairs ? narrowWeights(group.getWeights()) : Value()) {
      operands[1] = weights;
    }
  }
  if (std::optional<MutableOperandRange> residual = op.getResidualOperand();
      residual && !residual->empty()) {
    OpOperand &operand = (*residual)[0];
    if (operand.get().getDefiningOp<arith::ExtFOp>()) {
      operands[operand.getOperandNumber()] = narrow(operand.get());
    }
  }
  SmallVector<Value> replaced(op->getOperands());
  replace(op, operands);
  for (Value value : replaced) {
    if (PackWeightsOp late = getPackedLate(value); late && late.use_empty()) {
      Value weights = late.getWeights();
      narrowed.erase(late);
      builder.eraseOp(late);
      eraseIfDead(builder, weights);
    }
  }
  return true;
}

namespace {
struct LowerPrecisionPass final
    : VPU::impl::LowerPrecisionBase<LowerPrecisionPass> {
  using LowerPrecisionBase::LowerPrecisionBase;

  void runOnOperation() override {
    ArchAttr arch = ArchAttr::require(getOperation());
    if (!arch) {
      return signalPassFailure();
    }
    IRRewriter builder(&getContext());
    std::optional<ConstantReleaser> releaser;
    if (releaseConstants) {
      builder.setListener(&releaser.emplace(getOperation()));
    }
    if (!arch.supportsElementType(builder.getBF16Type())) {
      getOperation().emitError("the architecture ")
          << arch.getName()
          << " does not compute in bf16: choose one with bf16 among its "
             "element_types";
      return signalPassFailure();
    }
    SmallVector<NCEOpInterface> ops;
    getOperation().walk([&](NCEOpInterface op) { ops.push_back(op); });
    PrecisionLowering lowering(arch, builder);
    for (NCEOpInterface op : ops) {
      numLowered += lowering.lower(op);
    }
    // A change of layout also converts.
    getOperation().walk([&](CopyOp copy) {
      auto extend = copy.getSource().getDefiningOp<arith::ExtFOp>();
      bool widens = extend && getTensorType(extend.getIn()).getElementType() ==
                                  builder.getBF16Type();
      if (widens) {
        copy.getSourceMutable().assign(extend.getIn());
      }
    });
  }
};
} // namespace
