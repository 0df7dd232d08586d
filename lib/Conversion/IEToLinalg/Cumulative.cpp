//===- Cumulative.cpp - Lower cumulative sums and products to linalg ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Software kernels for the operators of IE's family Reduction whose results
// have all that elements combine to on the way: a loop along an axis, in which
// an accumulator in a register, or a slice of them, is added to.
//
//===----------------------------------------------------------------------===//

#include "Accumulation.h"
#include "Indices.h"
#include "Loops.h"

#include "nacre/Dialect/IE/IR/Reduction.h"
#include "nacre/Dialect/IE/Utils/ShapeUtils.h"
#include "nacre/Support/TensorTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace nacre;

namespace {

template <typename OpT>
struct CumulativeToLinalg final : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        getRankedType(*this->getTypeConverter(), op.getOutput());
    Location loc = op.getLoc();
    Value output = buildEmpty(rewriter, loc, type, getResultSize(rewriter, op));
    std::optional<SmallVector<int64_t>> constant =
        IE::getConstantInts(op.getAxis());
    if (constant) {
      int64_t axis = constant->front();
      axis += axis < 0 ? type.getRank() : 0;
      rewriter.replaceOp(op, buildScan(rewriter, loc, op, adaptor.getInput(),
                                       output, axis, canShare(op)));
      return success();
    }
    Value axis = buildSafeIndex(rewriter, loc,
                                extractScalar(rewriter, loc, adaptor.getAxis()),
                                type.getRank());
    rewriter.replaceOp(op, buildChoice(rewriter, loc, op, adaptor.getInput(),
                                       output, axis, 0));
    return success();
  }

private:
  static constexpr bool multiplies = std::is_same_v<OpT, IE::CumProdOp>;

  static Value buildNeutral(OpBuilder &builder, Location loc, Type type) {
    return buildScalar(builder, loc, type, multiplies ? 1 : 0);
  }

  static Value combine(const ScalarEmitter &e, Value before, Value x) {
    return multiplies ? e.mul(before, x) : e.add(before, x);
  }

  /// True where cores share loops: those of a function, not those in loops or
  /// branches.
  static bool canShare(OpT op) {
    VPU::ArchAttr arch = VPU::ArchAttr::lookup(op);
    return arch && arch.hasCores() && arch.getClusters() > 1 &&
           isa<FunctionOpInterface>(op->getParentOp());
  }

  /// The scan along the axis known only at run time, which is not below
  /// `first`: one scan per possible axis, all of them into the same
  /// destination.
  static Value buildChoice(OpBuilder &builder, Location loc, OpT op,
                           Value input, Value output, Value axis,
                           int64_t first) {
    if (first + 1 == getTensorType(output).getRank()) {
      return buildScan(builder, loc, op, input, output, first,
                       /*isShared=*/false);
    }
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, axis,
                              buildIndex(builder, loc, first));
    return scf::IfOp::create(
               builder, loc, isFirst,
               [&](OpBuilder &b, Location nestedLoc) {
                 scf::YieldOp::create(b, nestedLoc,
                                      buildScan(b, nestedLoc, op, input, output,
                                                first,
                                                /*isShared=*/false));
               },
               [&](OpBuilder &b, Location nestedLoc) {
                 scf::YieldOp::create(b, nestedLoc,
                                      buildChoice(b, nestedLoc, op, input,
                                                  output, axis, first + 1));
               })
        .getResult(0);
  }

  /// Writes what elements along `axis` combine to into `output`: a scan is no
  /// linalg op.
  static Value buildScan(OpBuilder &builder, Location loc, OpT op, Value input,
                         Value output, int64_t axis, bool isShared) {
    if (getTensorType(input).getDimSize(axis) == 1 && !op.getExclusive()) {
      return buildCast(builder, loc, input, getTensorType(output));
    }
    bool isInnermost =
        llvm::all_of(getTensorType(output).getShape().drop_front(axis + 1),
                     [](int64_t size) { return size == 1; });
    return isInnermost
               ? scanLines(builder, loc, op, input, output, axis)
               : scanSlices(builder, loc, op, input, output, axis, isShared);
  }

  /// Where step `step` of a scan along `length` elements is.
  static Value getPosition(OpBuilder &builder, Location loc, OpT op, Value step,
                           Value length) {
    if (op.getReverse() == 0) {
      return step;
    }
    Value last = arith::SubIOp::create(builder, loc, length,
                                       buildIndex(builder, loc, 1));
    return arith::SubIOp::create(builder, loc, last, step);
  }

  /// One line along `axis` after the other, with its accumulator in a register.
  static Value scanLines(OpBuilder &builder, Location loc, OpT op, Value input,
                         Value output, int64_t axis) {
    Value length = getValueOrCreateConstantIndexOp(
        builder, loc, getSize(builder, loc, input, axis));
    Values lower, upper, step;
    for (auto [i, size] : llvm::enumerate(getSizes(builder, loc, input))) {
      if (static_cast<int64_t>(i) != axis) {
        lower.push_back(buildIndex(builder, loc, 0));
        upper.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
        step.push_back(buildIndex(builder, loc, 1));
      }
    }
    Type elementType = getTensorType(output).getElementType();
    Value neutral = buildNeutral(builder, loc, getAccumulatorType(elementType));
    auto scanOne = [&](OpBuilder &b, Value index, ValueRange line,
                       ValueRange state) -> Values {
      ScalarEmitter e(b, loc, /*isUnsigned=*/false);
      Values at(line);
      at.insert(at.begin() + axis, getPosition(b, loc, op, index, length));
      Value element = widenHalf(b, loc, buildExtract(b, loc, input, at));
      Value next = combine(e, state[1], element);
      Value written =
          narrowHalf(b, loc, op.getExclusive() ? state[1] : next, elementType);
      return {tensor::InsertOp::create(b, loc, written, state[0], at), next};
    };
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, lower, upper, step, output,
        [&](OpBuilder &b, Location, ValueRange line, ValueRange state) {
          Values init = {state[0], neutral};
          Value written =
              buildFor(b, loc, buildIndex(b, loc, 0), length, init,
                       [&](OpBuilder &inner, Value i, ValueRange carried) {
                         return scanOne(inner, i, line, carried);
                       })[0];
          return scf::ValueVector{written};
        });
    return nest.results.front();
  }

  /// The dimensions whose elements are scanned for themselves, so that what
  /// they combine to stays near: those outside of `axis`, which cores share.
  /// Where there are none, cores share the next one if its elements are long
  /// rows; a core alone reads slices on in order.
  static SmallVector<int64_t> getOuterDims(RankedTensorType type, int64_t axis,
                                           bool isShared) {
    constexpr int64_t kLongRow = 64;
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, axis));
    ArrayRef<int64_t> inner = type.getShape().drop_front(axis + 1);
    if (axis == 0 && isShared && inner.size() > 1 &&
        !ShapedType::isDynamicShape(inner.drop_front()) &&
        ShapedType::getNumElements(inner.drop_front()) >= kLongRow) {
      dims.push_back(axis + 1);
    }
    llvm::erase_if(dims,
                   [&](int64_t dim) { return type.getDimSize(dim) == 1; });
    return dims;
  }

  /// All lines of a slice at once.
  static Value scanSlices(OpBuilder &builder, Location loc, OpT op, Value input,
                          Value output, int64_t axis, bool isShared) {
    RankedTensorType type = getTensorType(output);
    SmallVector<int64_t> dims = getOuterDims(type, axis, isShared);
    Sizes sizes = getSizes(builder, loc, input);
    Values ends;
    for (int64_t dim : dims) {
      ends.push_back(getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]));
      sizes[dim] = builder.getIndexAttr(1);
    }
    Sizes roomSizes = sizes;
    roomSizes[axis] = builder.getIndexAttr(1);
    Value room = buildEmpty(
        builder, loc,
        RankedTensorType::get(getShape(roomSizes),
                              getAccumulatorType(type.getElementType())),
        roomSizes);
    if (dims.empty()) {
      return scanPart(builder, loc, op, input, output, room, axis).front();
    }
    Values zeros(ends.size(), buildIndex(builder, loc, 0));
    Values ones(ends.size(), buildIndex(builder, loc, 1));
    auto partType =
        RankedTensorType::get(getShape(sizes), type.getElementType());
    scf::LoopNest nest = scf::buildLoopNest(
        builder, loc, zeros, ends, ones, {output, room},
        [&](OpBuilder &b, Location, ValueRange at,
            ValueRange state) -> scf::ValueVector {
          SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
          SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
          for (auto [dim, position] : llvm::zip_equal(dims, at)) {
            offsets[dim] = position;
          }
          auto take = [&](Value from) {
            return tensor::ExtractSliceOp::create(b, loc, partType, from,
                                                  offsets, sizes, strides);
          };
          Values results =
              scanPart(b, loc, op, take(input), take(state[0]), state[1], axis);
          return {tensor::InsertSliceOp::create(b, loc, results[0], state[0],
                                                offsets, sizes, strides),
                  results[1]};
        });
    for (auto [loop, dim] : llvm::zip_equal(nest.loops, dims)) {
      markIndependent(loop, dim);
    }
    return nest.results.front();
  }

  /// The same of a part, slice by slice, and the room in which it keeps what
  /// lines combine to.
  static Values scanPart(OpBuilder &builder, Location loc, OpT op, Value input,
                         Value output, Value room, int64_t axis) {
    RankedTensorType type = getTensorType(output);
    Sizes sliceSizes = getSizes(builder, loc, input);
    Value length =
        getValueOrCreateConstantIndexOp(builder, loc, sliceSizes[axis]);
    sliceSizes[axis] = builder.getIndexAttr(1);
    auto sliceType =
        RankedTensorType::get(getShape(sliceSizes), type.getElementType());
    Value neutral =
        buildNeutral(builder, loc, getTensorType(room).getElementType());
    Value accumulators =
        linalg::FillOp::create(builder, loc, neutral, room).result();
    return buildFor(
        builder, loc, buildIndex(builder, loc, 0), length,
        {output, accumulators},
        [&](OpBuilder &b, Value step, ValueRange state) -> Values {
          SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
          SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
          offsets[axis] = getPosition(b, loc, op, step, length);
          Value slice = tensor::ExtractSliceOp::create(
              b, loc, sliceType, input, offsets, sliceSizes, strides);
          Value written = tensor::ExtractSliceOp::create(
              b, loc, sliceType, state[0], offsets, sliceSizes, strides);
          SmallVector<AffineMap> maps(3,
                                      b.getMultiDimIdentityMap(type.getRank()));
          SmallVector<utils::IteratorType> parallel(
              type.getRank(), utils::IteratorType::parallel);
          auto scan = linalg::GenericOp::create(
              b, loc, TypeRange{sliceType, state[1].getType()}, slice,
              ValueRange{written, state[1]}, maps, parallel,
              [&](OpBuilder &inner, Location innerLoc, ValueRange args) {
                ScalarEmitter e(inner, innerLoc, /*isUnsigned=*/false);
                Value next =
                    combine(e, args[2], widenHalf(inner, innerLoc, args[0]));
                Value result = narrowHalf(inner, innerLoc,
                                          op.getExclusive() ? args[2] : next,
                                          type.getElementType());
                linalg::YieldOp::create(inner, innerLoc,
                                        ValueRange{result, next});
              });
          return {tensor::InsertSliceOp::create(b, loc, scan.getResult(0),
                                                state[0], offsets, sliceSizes,
                                                strides),
                  scan.getResult(1)};
        });
  }
};

} // namespace

void nacre::populateCumulativeToLinalgPatterns(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns
      .add<CumulativeToLinalg<IE::CumSumOp>, CumulativeToLinalg<IE::CumProdOp>>(
          converter, patterns.getContext());
}
