//===- ShareRecurrences.cpp - Recurrences that clusters share -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a recurrence is little work, and the next one waits for it. Where
// its rows, the samples of a batch, do not need each other, each cluster runs
// all steps for some of them.
//
//===----------------------------------------------------------------------===//

#include "Common.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/VPU/IR/VPUOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nacre;

/// The dimension that has the rows of elements along `axis` of a sequence.
static int64_t getRowDim(int64_t axis) { return axis == 0 ? 1 : 0; }

/// The dimension of an operand that has the rows; nothing where it is the same
/// for all.
static std::optional<int64_t> getRowDimOfInput(IE::ScanOp scan,
                                               unsigned number) {
  unsigned numStates = scan.getNumStates();
  if (number < numStates) {
    return 0;
  }
  auto element = cast<RankedTensorType>(
      scan.getBody().front().getArgument(number).getType());
  return element.hasStaticShape()
             ? std::optional<int64_t>()
             : getRowDim(scan.getInputAxis(number - numStates));
}

static int64_t getRowDimOfOutput(IE::ScanOp scan, unsigned number) {
  unsigned numStates = scan.getNumStates();
  return number < numStates ? 0
                            : getRowDim(scan.getOutputAxis(number - numStates));
}

namespace {

/// Some rows of a tensor whose dimension `dim` they are.
struct Rows {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  Rows(OpBuilder &builder, MixedSizes whole, int64_t dim, OpFoldResult first,
       OpFoldResult count)
      : offsets(whole.size(), builder.getIndexAttr(0)), sizes(std::move(whole)),
        strides(sizes.size(), builder.getIndexAttr(1)) {
    offsets[dim] = first;
    sizes[dim] = count;
  }
};

/// The sizes of a recurrence.
struct Recurrence {
  OpFoldResult rows, steps;
  SmallVector<MixedSizes> inputs, outputs;
};

class RecurrenceSharer {
public:
  RecurrenceSharer(RewriterBase &rewriter, IE::ScanOp scan, VPU::ArchAttr arch)
      : rewriter(rewriter), loc(scan.getLoc()), scan(scan),
        clusters(arch.getClusters()) {}

  /// Fails where sizes do not show to be equal, or types know more of them.
  LogicalResult share(int64_t grain);

private:
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename OpT> Value build(Value a, Value b) {
    return rewriter.createOrFold<OpT>(loc, a, b);
  }
  FailureOr<OpFoldResult> findRows();
  FailureOr<Recurrence> trace();
  Value countParts(Value rows, Value steps, int64_t grain);

  RewriterBase &rewriter;
  Location loc;
  IE::ScanOp scan;
  int64_t clusters;
};

} // namespace

FailureOr<OpFoldResult> RecurrenceSharer::findRows() {
  OpFoldResult rows;
  for (auto [i, input] : llvm::enumerate(scan.getInputs())) {
    if (std::optional<int64_t> dim = getRowDimOfInput(scan, i)) {
      OpFoldResult own = getMixedSizes(rewriter, loc, input)[*dim];
      if (rows && !areComputedAlike(rows, own)) {
        return failure();
      }
      rows = own;
    }
  }
  return rows;
}

Value RecurrenceSharer::countParts(Value rows, Value steps, int64_t grain) {
  Value points = build<arith::MulIOp>(rows, steps);
  Value most = build<arith::MinUIOp>(rows, number(clusters));
  Value worth = build<arith::DivUIOp>(points, number(grain));
  return build<arith::MaxUIOp>(build<arith::MinUIOp>(worth, most), number(1));
}

/// True if a type knows as much of each size but the rows', which only a run
/// does, as was traced.
static bool isAsKnown(Type type, ArrayRef<OpFoldResult> sizes, int64_t rowDim) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  for (auto [i, dim, size] : llvm::enumerate(shape, sizes)) {
    bool isRows = static_cast<int64_t>(i) == rowDim;
    if (isRows
            ? !ShapedType::isDynamic(dim)
            : getConstantIntValue(size).value_or(ShapedType::kDynamic) != dim) {
      return false;
    }
  }
  return true;
}

FailureOr<Recurrence> RecurrenceSharer::trace() {
  FailureOr<OpFoldResult> rows = findRows();
  if (failed(rows) || getConstantIntValue(*rows)) {
    return failure();
  }
  Recurrence result;
  result.rows = *rows;
  for (auto [i, input] : llvm::enumerate(scan.getInputs())) {
    result.inputs.push_back(getMixedSizes(rewriter, loc, input));
    std::optional<int64_t> rowDim = getRowDimOfInput(scan, i);
    if (rowDim && !isAsKnown(input.getType(), result.inputs[i], *rowDim)) {
      return failure();
    }
  }
  unsigned numStates = scan.getNumStates();
  result.steps = result.inputs[numStates][scan.getInputAxis(0)];
  for (auto [i, output] : llvm::enumerate(scan.getOutputs())) {
    auto type = cast<RankedTensorType>(output.getType());
    MixedSizes own =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    if (i >= numStates) {
      own[scan.getOutputAxis(i - numStates)] = result.steps;
    }
    int64_t rowDim = getRowDimOfOutput(scan, i);
    own[rowDim] = result.rows;
    if (!isAsKnown(type, own, rowDim)) {
      return failure();
    }
    result.outputs.push_back(std::move(own));
  }
  return result;
}

LogicalResult RecurrenceSharer::share(int64_t grain) {
  rewriter.setInsertionPoint(scan);
  FailureOr<Recurrence> sizes = trace();
  if (failed(sizes)) {
    return failure();
  }
  Value rows = getValueOrCreateConstantIndexOp(rewriter, loc, sizes->rows);
  Value steps = getValueOrCreateConstantIndexOp(rewriter, loc, sizes->steps);
  Value perPart =
      build<arith::CeilDivUIOp>(rows, countParts(rows, steps, grain));
  // No part is empty but the only one, of no rows.
  Value numParts = build<arith::MaxUIOp>(
      build<arith::CeilDivUIOp>(rows,
                                build<arith::MaxUIOp>(perPart, number(1))),
      number(1));
  SmallVector<Value> outputs;
  for (auto [output, own] :
       llvm::zip_equal(scan.getOutputs(), sizes->outputs)) {
    outputs.push_back(tensor::EmptyOp::create(
        rewriter, loc, own, getElementTypeOrSelf(output.getType())));
  }
  auto parts = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{numParts}, outputs,
      rewriter.getArrayAttr(VPU::ClusterAttr::get(
          rewriter.getContext(),
          VPU::StrategyAttr::lookup(scan).getMultiCluster())));
  abi::mark<abi::HasSteps>(parts);
  rewriter.setInsertionPoint(parts.getTerminator());
  Value first = build<arith::MulIOp>(parts.getInductionVar(0), perPart);
  Value count =
      build<arith::MinUIOp>(perPart, build<arith::SubIOp>(rows, first));
  auto ofPart = cast<IE::ScanOp>(rewriter.clone(*scan));
  ofPart->removeAttr(VPU::StrategyAttr::attrName);
  rewriter.setInsertionPoint(ofPart);
  for (OpOperand &operand : ofPart->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    if (std::optional<int64_t> dim = getRowDimOfInput(scan, i)) {
      Rows part(rewriter, sizes->inputs[i], *dim, first, count);
      operand.set(tensor::ExtractSliceOp::create(rewriter, loc, operand.get(),
                                                 part.offsets, part.sizes,
                                                 part.strides));
    }
  }
  rewriter.setInsertionPointToEnd(parts.getTerminator().getBody());
  for (auto [i, result] : llvm::enumerate(ofPart.getOutputs())) {
    Rows part(rewriter, sizes->outputs[i], getRowDimOfOutput(scan, i), first,
              count);
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, result, parts.getRegionIterArgs()[i], part.offsets,
        part.sizes, part.strides);
  }
  rewriter.replaceOp(scan, parts.getResults());
  return success();
}

void nacre::shareRecurrences(Operation *root, VPU::ArchAttr arch) {
  SmallVector<IE::ScanOp> scans;
  root->walk([&](IE::ScanOp scan) {
    if (VPU::StrategyAttr::lookup(scan)) {
      scans.push_back(scan);
    }
  });
  IRRewriter rewriter(root->getContext());
  for (IE::ScanOp scan : scans) {
    VPU::StrategyAttr strategy = VPU::StrategyAttr::lookup(scan);
    RecurrenceSharer sharer(rewriter, scan, arch);
    if (strategy.getParts().empty() ||
        failed(sharer.share(strategy.getGrain()))) {
      scan->removeAttr(VPU::StrategyAttr::attrName);
    }
  }
}
