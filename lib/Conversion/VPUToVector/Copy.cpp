//===- Copy.cpp - Kernel of VPU.Copy --------------------------------------===//
//
// The DMA engine on a CPU: layout changes, padding and packing, a vector at a
// time where both sides are contiguous.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nacre;
using VPU::DimsOrder;

namespace {

struct CopyKernel final : OpRewritePattern<VPU::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    DimsOrder from = op.getSrcOrder(), to = op.getDstOrder();
    if (to == DimsOrder::NCHWc &&
        (from == DimsOrder::NCHW || op.hasPads() || op.getRowOffset())) {
      copyPadded(op, kernel);
    } else if (from == DimsOrder::NCHWc && to == DimsOrder::NCHW) {
      copyToPlanes(op, kernel);
    } else if (to == DimsOrder::KNn && from != DimsOrder::KNn) {
      packPanels(op, kernel);
    } else {
      copyPlain(op, kernel);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void copyPlain(VPU::CopyOp op, KernelBuilder &kernel) {
    SmallVector<Value> operands = {op.getSource(), op.getInit()};
    mergeContiguous(kernel, operands);
    ArrayRef<int64_t> shape = getShape(operands[1]);
    kernel.nest(shape.drop_back(), [&](ValueRange outer) {
      kernel.vectors(shape.back(), [&](Value base, Lanes lanes) {
        SmallVector<Value> at(outer);
        at.push_back(base);
        kernel.store(kernel.load(operands[0], at, lanes), operands[1], at,
                     lanes);
      });
    });
  }

  /// Into blocks, with padding. Whether a destination row exists in the source
  /// is decided once per row.
  static void copyPadded(VPU::CopyOp op, KernelBuilder &kernel) {
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    bool fromPlanes = op.getSrcOrder() == DimsOrder::NCHW;
    ArrayRef<int64_t> source = getShape(op.getSource());
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t sourceRows = source[2], sourceColumns = source[3];
    int64_t top = op.getPads()[0], left = op.getPads()[1];
    double fill = op.getPadValue().convertToDouble();
    kernel.nest({out[0], out[1], out[2]}, [&](ValueRange at) {
      auto fillColumns = [&](int64_t first, int64_t count) {
        kernel.loop(count, [&](Value column) {
          kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
            kernel.store(
                kernel.splat(fill, lanes), op.getInit(),
                {at[0], at[1], at[2], kernel.add(column, first), channel},
                lanes);
          });
        });
      };
      Value row = kernel.add(at[2], -top);
      if (op.getRowOffset()) {
        row = kernel.add(row, op.getRowOffset());
      }
      auto copyRow = [&] {
        fillColumns(0, left);
        if (fromPlanes) {
          copyRowFromPlanes(op, kernel, at, row, left);
        } else {
          kernel.loop(sourceColumns, [&](Value column) {
            kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
              Value x = kernel.load(
                  op.getSource(), {at[0], at[1], row, column, channel}, lanes);
              kernel.store(
                  x, op.getInit(),
                  {at[0], at[1], at[2], kernel.add(column, left), channel},
                  lanes);
            });
          });
        }
        fillColumns(left + sourceColumns, out[3] - left - sourceColumns);
      };
      if (top == 0 && !op.getRowOffset() && out[2] == sourceRows) {
        copyRow();
        return;
      }
      // Unsigned: a row above the source is a huge number.
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           row, kernel.index(sourceRows));
      auto branch = scf::IfOp::create(b, loc, inside, /*withElse=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      copyRow();
      b.setInsertionPointToStart(branch.elseBlock());
      fillColumns(0, out[3]);
    });
  }

  /// One row of pixels from channel planes: `c` strided loads per pixel,
  /// channels beyond the last zero.
  static void copyRowFromPlanes(VPU::CopyOp op, KernelBuilder &kernel,
                                ValueRange at, Value row, int64_t left) {
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    ArrayRef<int64_t> source = getShape(op.getSource());
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t channels = source[1], width = out[4];
    Value first = kernel.mul(at[1], width);
    kernel.loop(width, [&](Value lane) {
      Value channel = kernel.add(first, lane);
      auto copyLane = [&] {
        kernel.loop(source[3], [&](Value column) {
          Value x =
              kernel.loadScalar(op.getSource(), {at[0], channel, row, column});
          memref::StoreOp::create(
              b, loc, x, op.getInit(),
              ValueRange{at[0], at[1], at[2], kernel.add(column, left), lane});
        });
      };
      if (channels % width == 0) {
        copyLane();
        return;
      }
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                           channel, kernel.index(channels));
      auto branch = scf::IfOp::create(b, loc, exists, /*withElse=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      copyLane();
      b.setInsertionPointToStart(branch.elseBlock());
      Value zero =
          arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0)).getResult();
      kernel.loop(source[3], [&](Value column) {
        memref::StoreOp::create(
            b, loc, zero, op.getInit(),
            ValueRange{at[0], at[1], at[2], kernel.add(column, left), lane});
      });
    });
  }

  /// Blocks back to channel planes; the last block may hold fewer channels.
  static void copyToPlanes(VPU::CopyOp op, KernelBuilder &kernel) {
    ArrayRef<int64_t> source = getShape(op.getSource());
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t width = source[4];
    bool isPoint = out[2] == 1 && out[3] == 1;
    kernel.loop(out[0], [&](Value image) {
      kernel.tiles(out[1], width, [&](Value channel, int64_t count) {
        Value block = kernel.div(channel, width);
        Value zero = kernel.index(0);
        if (isPoint && isContiguous(op.getInit(), 1, 3)) {
          // Both sides are a row of channels.
          Value flat = collapse(kernel, op.getInit(), 1, 3);
          kernel.vectors(count, [&](Value lane, Lanes lanes) {
            Value x = kernel.load(op.getSource(),
                                  {image, block, zero, zero, lane}, lanes);
            kernel.store(x, flat, {image, kernel.add(channel, lane)}, lanes);
          });
          return;
        }
        kernel.nest({count, out[2], out[3]}, [&](ValueRange at) {
          Value x = kernel.loadScalar(op.getSource(),
                                      {image, block, at[1], at[2], at[0]});
          memref::StoreOp::create(
              kernel.builder, kernel.loc, x, op.getInit(),
              ValueRange{image, kernel.add(channel, at[0]), at[1], at[2]});
        });
      });
    });
  }

  /// (B,K,N) or (B,N,K) into panels of n columns, zero beyond the last column.
  static void packPanels(VPU::CopyOp op, KernelBuilder &kernel) {
    OpBuilder &b = kernel.builder;
    bool transposed = op.getSrcOrder() == DimsOrder::NK;
    ArrayRef<int64_t> source = getShape(op.getSource());
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t columns = source[transposed ? 1 : 2], depth = out[2], n = out[3];
    kernel.loop(out[0], [&](Value batch) {
      kernel.tiles(columns, n, [&](Value column, int64_t count) {
        Value panel = kernel.div(column, n);
        if (count < n) {
          kernel.nest({depth}, [&](ValueRange k) {
            kernel.vectors(n, [&](Value lane, Lanes lanes) {
              kernel.store(kernel.splat(0, lanes), op.getInit(),
                           {batch, panel, k[0], lane}, lanes);
            });
          });
        }
        if (!transposed) {
          kernel.loop(depth, [&](Value k) {
            kernel.vectors(count, [&](Value lane, Lanes lanes) {
              Value x = kernel.load(
                  op.getSource(), {batch, k, kernel.add(column, lane)}, lanes);
              kernel.store(x, op.getInit(), {batch, panel, k, lane}, lanes);
            });
          });
          return;
        }
        kernel.nest({depth, count}, [&](ValueRange at) {
          Value x = kernel.loadScalar(
              op.getSource(), {batch, kernel.add(column, at[1]), at[0]});
          memref::StoreOp::create(b, kernel.loc, x, op.getInit(),
                                  ValueRange{batch, panel, at[0], at[1]});
        });
      });
    });
  }
};

} // namespace

void nacre::populateCopyKernels(RewritePatternSet &patterns) {
  patterns.add<CopyKernel>(patterns.getContext());
}
