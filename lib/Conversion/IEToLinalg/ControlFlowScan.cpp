//===- ControlFlowScan.cpp - Lower Scan to scf ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the parts of sequences.
//
//===----------------------------------------------------------------------===//

#include "BodySizes.h"
#include "ControlFlow.h"
#include "Indices.h"
#include "Loops.h"
#include "RunTimeLength.h"
#include "StackedElements.h"

#include "nacre/Dialect/IE/IR/ControlFlow.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;

/// The position of step `step` in a sequence that may be walked backwards.
static Value getPosition(OpBuilder &builder, Location loc, Value step,
                         Value length, bool reversed) {
  if (!reversed) {
    return step;
  }
  Value last =
      arith::SubIOp::create(builder, loc, length, buildIndex(builder, loc, 1));
  return arith::SubIOp::create(builder, loc, last, step);
}

namespace {

struct ScanToSCF final : OpConversionPattern<IE::ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IE::ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    unsigned numStates = op.getNumStates();
    // The sequences are equally long.
    OpFoldResult size;
    for (auto [i, whole] :
         llvm::enumerate(adaptor.getInputs().drop_front(numStates))) {
      OpFoldResult own = getSize(rewriter, loc, whole, op.getInputAxis(i));
      if (!size) {
        size = own;
      }
      assertSameSize(rewriter, loc, size, own,
                     "sequences of different lengths");
    }
    SmallVector<Value> initial(op.getStates());
    SmallVector<Sizes> stateSizes;
    for (Value state : adaptor.getInputs().take_front(numStates)) {
      stateSizes.push_back(getSizes(rewriter, loc, state));
    }
    SmallVector<std::optional<Sizes>> yieldedSizes =
        buildYieldedSizes(op, adaptor, stateSizes, rewriter);
    SmallVector<std::optional<Sizes>> elements(
        llvm::drop_begin(yieldedSizes, numStates));
    SmallVector<Type> elementTypes(
        ArrayRef(op.getYieldedTypes()).drop_front(numStates));
    for (auto [i, sizes] : llvm::enumerate(elements)) {
      auto type =
          cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
      if (!sizes) {
        initial.push_back(
            buildEmptyStack(rewriter, loc, type, op.getOutputAxis(i)));
        continue;
      }
      // The model may state what the body does not show.
      sizes = refineSizes(rewriter, cast<RankedTensorType>(elementTypes[i]),
                          *sizes);
      Sizes whole(*sizes);
      whole.insert(whole.begin() + op.getOutputAxis(i), size);
      assertDeclaredLength(rewriter, loc, type, op.getOutputAxis(i), size);
      initial.push_back(
          buildEmpty(rewriter, loc, type, refineSizes(rewriter, type, whole)));
    }
    Value length = getValueOrCreateConstantIndexOp(rewriter, loc, size);
    auto loop = scf::ForOp::create(rewriter, loc, buildIndex(rewriter, loc, 0),
                                   length, buildIndex(rewriter, loc, 1),
                                   initial, [](auto &&...) {});
    markSteps(loop);
    abi::mark<abi::KeepsSizes>(loop);
    if (std::optional<int64_t> axis = findSharedAxis(op, elements)) {
      markIndependent(loop, *axis);
    }
    Block *block = loop.getBody();
    rewriter.setInsertionPointToStart(block);
    // In front of the body, whose results are taken for as large as the loop's
    // types say.
    constexpr StringLiteral kChanges = "a state that changes its shape";
    for (auto [i, sizes] : llvm::enumerate(stateSizes)) {
      if (yieldedSizes[i]) {
        for (auto [own, size] : llvm::zip_equal(*yieldedSizes[i], sizes)) {
          assertSameSize(rewriter, loc, own, size, kChanges);
        }
      }
    }
    ValueRange carried = loop.getRegionIterArgs();
    Value step = loop.getInductionVar();
    SmallVector<Value> arguments(carried.take_front(numStates));
    ValueRange states(op.getBody().getArguments().take_front(numStates));
    castTo(rewriter, loc, arguments, states.getTypes());
    for (auto [i, whole] : llvm::enumerate(op.getScannedInputs())) {
      Value position =
          getPosition(rewriter, loc, step, length, op.isInputReversed(i));
      arguments.push_back(
          extractPart(rewriter, loc, whole, op.getInputAxis(i), position));
    }
    SmallVector<Value> yielded =
        inlineBody(rewriter, op.getBody(), block, arguments);
    rewriter.setInsertionPointToEnd(block);
    for (auto [i, sizes] : llvm::enumerate(stateSizes)) {
      if (!yieldedSizes[i]) {
        assertSameSizes(rewriter, loc, yielded[i], sizes, kChanges);
      }
    }
    for (unsigned i = 0; i < op.getNumScannedOutputs(); ++i) {
      Value &element = yielded[numStates + i];
      if (!elements[i]) {
        element = pushElement(rewriter, loc, carried[numStates + i], element,
                              op.isOutputReversed(i));
        continue;
      }
      Value position =
          getPosition(rewriter, loc, step, length, op.isOutputReversed(i));
      castTo(rewriter, loc, element, elementTypes[i]);
      assertSameSizes(rewriter, loc, element, *elements[i],
                      "elements of different shapes");
      element = insertPart(rewriter, loc, element, carried[numStates + i],
                           op.getOutputAxis(i), position);
    }
    castTo(rewriter, loc, yielded, loop.getResultTypes());
    scf::YieldOp::create(rewriter, loc, yielded);
    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results(loop.getResults());
    for (auto [i, sizes] : llvm::enumerate(elements)) {
      if (!sizes) {
        Value &result = results[numStates + i];
        auto type =
            cast<RankedTensorType>(op.getOutputs()[numStates + i].getType());
        result =
            joinStack(rewriter, loc, result, type, op.getOutputAxis(i), length);
      }
    }
    castTo(rewriter, loc, results, op->getResultTypes());
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// The axis along which each iteration writes its part of all outputs, where
  /// it needs nothing of the one before; nothing for outputs that are stacked,
  /// reversed, or along different axes.
  static std::optional<int64_t>
  findSharedAxis(IE::ScanOp op, ArrayRef<std::optional<Sizes>> elements) {
    if (op.getNumStates() != 0 || elements.empty()) {
      return std::nullopt;
    }
    int64_t axis = op.getOutputAxis(0);
    for (auto [i, sizes] : llvm::enumerate(elements)) {
      if (!sizes || op.getOutputAxis(i) != axis || op.isOutputReversed(i)) {
        return std::nullopt;
      }
    }
    return axis;
  }

  /// The sizes of states and of the elements of scanned outputs, which are the
  /// same in each run of the body; nothing for those that follow from what it
  /// computes.
  static SmallVector<std::optional<Sizes>>
  buildYieldedSizes(IE::ScanOp op, OpAdaptor adaptor,
                    ArrayRef<Sizes> stateSizes,
                    ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Block &body = op.getBody().front();
    BodySizes sizes(rewriter, loc, op.getBody());
    unsigned numStates = op.getNumStates();
    for (auto [argument, own] : llvm::zip(body.getArguments(), stateSizes)) {
      sizes.setSizes(argument, own);
    }
    for (auto [i, whole] :
         llvm::enumerate(adaptor.getInputs().drop_front(numStates))) {
      Sizes own = getSizes(rewriter, loc, whole);
      own.erase(own.begin() + op.getInputAxis(i));
      sizes.setSizes(body.getArgument(numStates + i), own);
    }
    SmallVector<std::optional<Sizes>> yielded;
    for (auto [i, value] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      // A state keeps the sizes that it starts with, whatever its body yields.
      auto type = cast<RankedTensorType>(
          i < numStates ? value.getType() : op.getYieldedTypes()[i]);
      if (type.hasStaticShape()) {
        yielded.push_back(
            getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()));
        continue;
      }
      FailureOr<Sizes> own = sizes.getSizesOf(value);
      yielded.push_back(succeeded(own) ? std::optional(*own) : std::nullopt);
    }
    return yielded;
  }
};

} // namespace

void nacre::populateScanToLinalgPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ScanToSCF>(converter, patterns.getContext());
}
