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

class RecurrenceSharer {
public:
  RecurrenceSharer(RewriterBase &rewriter, IE::ScanOp scan, VPU::ArchAttr arch)
      : rewriter(rewriter), loc(scan.getLoc()), scan(scan),
        clusters(arch.getClusters()) {}

  /// Fails where the numbers of rows do not show to be equal.
  LogicalResult share(int64_t grain);

private:
  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename OpT> Value build(Value a, Value b) {
    return rewriter.createOrFold<OpT>(loc, a, b);
  }
  FailureOr<OpFoldResult> findRows();
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

LogicalResult RecurrenceSharer::share(int64_t grain) {
  rewriter.setInsertionPoint(scan);
  FailureOr<OpFoldResult> size = findRows();
  if (failed(size)) {
    return failure();
  }
  Value rows = getValueOrCreateConstantIndexOp(rewriter, loc, *size);
  OpFoldResult steps = getMixedSizes(
      rewriter, loc,
      scan.getInputs().back())[scan.getInputAxis(scan.getNumScanInputs() - 1)];
  Value numParts = countParts(
      rows, getValueOrCreateConstantIndexOp(rewriter, loc, steps), grain);
  Value perPart = build<arith::CeilDivUIOp>(rows, numParts);
  SmallVector<MixedSizes> sizes;
  SmallVector<Value> outputs;
  for (auto [i, output] : llvm::enumerate(scan.getOutputs())) {
    auto type = cast<RankedTensorType>(output.getType());
    MixedSizes own =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    if (i >= scan.getNumStates()) {
      own[scan.getOutputAxis(i - scan.getNumStates())] = steps;
    }
    own[getRowDimOfOutput(scan, i)] = *size;
    outputs.push_back(
        tensor::EmptyOp::create(rewriter, loc, own, type.getElementType()));
    sizes.push_back(std::move(own));
  }
  auto parts = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{numParts}, outputs,
      rewriter.getArrayAttr(VPU::ClusterAttr::get(
          rewriter.getContext(),
          VPU::StrategyAttr::lookup(scan).getMultiCluster())));
  abi::mark<abi::HasSteps>(parts);
  rewriter.setInsertionPoint(parts.getTerminator());
  Value first = build<arith::MinUIOp>(
      rows, build<arith::MulIOp>(parts.getInductionVar(0), perPart));
  Value count =
      build<arith::MinUIOp>(perPart, build<arith::SubIOp>(rows, first));
  IRMapping mapping;
  for (auto [i, input] : llvm::enumerate(scan.getInputs())) {
    if (std::optional<int64_t> dim = getRowDimOfInput(scan, i)) {
      Rows part(rewriter, getMixedSizes(rewriter, loc, input), *dim, first,
                count);
      mapping.map(input,
                  tensor::ExtractSliceOp::create(
                      rewriter, loc, cast<RankedTensorType>(input.getType()),
                      input, part.offsets, part.sizes, part.strides));
    }
  }
  auto ofPart = cast<IE::ScanOp>(rewriter.clone(*scan, mapping));
  ofPart->removeAttr(VPU::StrategyAttr::attrName);
  rewriter.setInsertionPointToEnd(parts.getTerminator().getBody());
  for (auto [i, result] : llvm::enumerate(ofPart.getOutputs())) {
    Rows part(rewriter, sizes[i], getRowDimOfOutput(scan, i), first, count);
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, result, parts.getRegionIterArgs()[i], part.offsets,
        part.sizes, part.strides);
  }
  rewriter.setInsertionPointAfter(parts);
  for (auto [output, whole] :
       llvm::zip_equal(scan.getOutputs(), parts.getResults())) {
    Value result = whole;
    if (result.getType() != output.getType()) {
      result = tensor::CastOp::create(rewriter, loc, output.getType(), result);
    }
    rewriter.replaceAllUsesWith(output, result);
  }
  rewriter.eraseOp(scan);
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
