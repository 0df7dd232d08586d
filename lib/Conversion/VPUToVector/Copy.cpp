//===- Copy.cpp - Kernel of VPU.Copy --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DMA engine on a CPU: layout changes, padding and packing, a vector at a
// time where both sides are contiguous.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using VPU::DimsOrder;

/// Elements of a copy's source, in f32 if they become that: LLVM shuffles
/// vectors of f32 best, and not all of those of 16 bits.
static Value loadWide(KernelBuilder &kernel, Value source, ValueRange at,
                      Lanes lanes, Value init) {
  Value x = kernel.load(source, at, lanes);
  Type element = getElementType(init);
  return element.isF32() ? kernel.convert(x, element) : x;
}

namespace {

struct CopyKernel final : OpRewritePattern<VPU::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(VPU::CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(checkKernelOperands(op, rewriter))) {
      return failure();
    }
    ArrayRef<int64_t> out = getShape(op.getInit());
    if (op.getDstOrder() == DimsOrder::KNn && out.size() == 5 &&
        !canPack(op, out[4])) {
      return rewriter.notifyMatchFailure(
          op, "packs must be pairs of 16 bits, or of rows of bytes");
    }
    bool isStatic = op.getSourceType().hasStaticShape() &&
                    op.getInitType().hasStaticShape();
    if (op.getDstOrder() == DimsOrder::KNn &&
        op.getSrcOrder() != DimsOrder::KNn && !isStatic) {
      return rewriter.notifyMatchFailure(
          op, "matrices are only packed whose sizes are known");
    }
    KernelBuilder kernel(rewriter, op.getLoc(), getVectorMachine(op));
    DimsOrder from = op.getSrcOrder(), to = op.getDstOrder();
    if (to == DimsOrder::NCHWc &&
        (from == DimsOrder::NCHW || op.hasPads() || op.getRowOffset())) {
      copyPadded(op, kernel);
    } else if (from == DimsOrder::NCHWc && to == DimsOrder::NCHW) {
      copyToPlanes(op, kernel);
    } else if (to == DimsOrder::KNn && from != DimsOrder::KNn) {
      if (getShape(op.getInit()).size() == 5) {
        packWords(op, kernel);
      } else {
        packPanels(op, kernel);
      }
    } else {
      copyPlain(op, kernel);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  static bool canPack(VPU::CopyOp op, int64_t pack) {
    Type element = getElementType(op.getInit());
    if (element.isInteger(8)) {
      return op.getSrcOrder() == DimsOrder::KN && (pack == 2 || pack == 4);
    }
    return pack == 2 && element.getIntOrFloatBitWidth() == 16;
  }

  static void copyPlain(VPU::CopyOp op, KernelBuilder &kernel) {
    SmallVector<Value> operands = {op.getSource(), op.getInit()};
    mergeContiguous(kernel, operands);
    SmallVector<OpFoldResult> shape = kernel.getSizes(operands[1]);
    auto copyRow = [&](ValueRange outer) {
      kernel.vectors(shape.back(), [&](Value base, Lanes lanes) {
        SmallVector<Value> at(outer);
        at.push_back(base);
        kernel.store(kernel.load(operands[0], at, lanes), operands[1], at,
                     lanes);
      });
    };
    // LLVM unrolls hundreds of rows into one block where the source is a
    // constant, since its addresses fold.
    kernel.nest(ArrayRef(shape).drop_back(), copyRow, /*rolled=*/true);
  }

  /// Into blocks, with padding. Whether a destination row exists in the source
  /// is decided once per row.
  static void copyPadded(VPU::CopyOp op, KernelBuilder &kernel) {
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    bool fromPlanes = op.getSrcOrder() == DimsOrder::NCHW;
    Value source = op.getSource(), init = op.getInit();
    if (!op.hasPads() && !op.getRowOffset() && isContiguous(source, 2, 3) &&
        isContiguous(init, 2, 3)) {
      source = expandUnit(kernel, collapse(kernel, source, 2, 3), 2);
      init = expandUnit(kernel, collapse(kernel, init, 2, 3), 2);
    }
    SmallVector<OpFoldResult> out = kernel.getSizes(init);
    OpFoldResult sourceRows = kernel.getSize(source, 2);
    OpFoldResult sourceColumns = kernel.getSize(source, 3);
    int64_t top = op.getPads()[0], left = op.getPads()[1];
    auto buildFill = [&](Lanes lanes) -> Value {
      Type element = getElementType(init);
      if (Value fill = op.getFill()) {
        return vector::BroadcastOp::create(
            b, loc, VectorType::get({lanes.width}, element), fill);
      }
      return kernel.splat(op.getPadValue().convertToDouble(), lanes, element);
    };
    kernel.nest(ArrayRef(out).take_front(3), [&](ValueRange at) {
      auto fillColumns = [&](Value first, OpFoldResult count) {
        kernel.loop(count, [&](Value column) {
          kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
            kernel.store(
                buildFill(lanes), init,
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
        fillColumns(kernel.index(0), b.getIndexAttr(left));
        if (fromPlanes) {
          copyRowFromPlanes(source, init, kernel, at, row, left);
        } else {
          kernel.loop(sourceColumns, [&](Value column) {
            kernel.vectors(out[4], [&](Value channel, Lanes lanes) {
              Value x = kernel.load(
                  source, {at[0], at[1], row, column, channel}, lanes);
              kernel.store(
                  x, init,
                  {at[0], at[1], at[2], kernel.add(column, left), channel},
                  lanes);
            });
          });
        }
        fillColumns(kernel.add(kernel.index(sourceColumns), left),
                    b.getIndexAttr(op.getPads()[3]));
      };
      // All rows are the source's where none are added.
      bool addsRows = op.getPads()[0] != 0 || op.getPads()[2] != 0;
      if (!addsRows && !op.getRowOffset()) {
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
      fillColumns(kernel.index(0), out[3]);
    });
  }

  /// One row of pixels from channel planes, channels beyond the last zero.
  static void copyRowFromPlanes(Value source, Value init, KernelBuilder &kernel,
                                ValueRange at, Value row, int64_t left) {
    int64_t channels = getShape(source)[1];
    int64_t width = getShape(init)[4];
    int64_t fullBlocks = channels / width, rest = channels % width;
    auto copyBlock = [&](int64_t count) {
      copyBlockFromPlanes(source, init, kernel, at, row, left, count);
    };
    if (rest == 0 || fullBlocks == 0) {
      copyBlock(rest == 0 ? width : rest);
      return;
    }
    OpBuilder &b = kernel.builder;
    Value isFull =
        arith::CmpIOp::create(b, kernel.loc, arith::CmpIPredicate::ult, at[1],
                              kernel.index(fullBlocks));
    auto branch = scf::IfOp::create(b, kernel.loc, isFull, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    copyBlock(width);
    b.setInsertionPointToStart(branch.elseBlock());
    copyBlock(rest);
  }

  /// The same for one block, of which `count` channels exist.
  static void copyBlockFromPlanes(Value source, Value init,
                                  KernelBuilder &kernel, ValueRange at,
                                  Value row, int64_t left, int64_t count) {
    OpFoldResult columns = kernel.getSize(source, 3);
    int64_t width = getShape(init)[4];
    int64_t machineLanes = kernel.machine.lanes;
    Value firstChannel = kernel.mul(at[1], width);
    if (width == 1 && isContiguous(init, 3, 4)) {
      Value flat = collapse(kernel, init, 3, 4);
      kernel.vectors(columns, [&](Value column, Lanes pixels) {
        Value x =
            kernel.load(source, {at[0], firstChannel, row, column}, pixels);
        kernel.store(x, flat, {at[0], at[1], at[2], kernel.add(column, left)},
                     pixels);
      });
      return;
    }
    // Pixels of few channels, all of which exist, are one row of elements. More
    // would be shuffled as often as a tile that is transposed: a count of
    // instructions, equal on all machines.
    constexpr int64_t kMostInterleaved = 4;
    auto isWide = [](Value memref) {
      return getElementType(memref).getIntOrFloatBitWidth() >= 32;
    };
    if (count == width && width <= kMostInterleaved &&
        (isWide(source) || isWide(init)) && isContiguous(init, 3, 4)) {
      Value flat = collapse(kernel, init, 3, 4);
      auto copyPixels = [&](Value column, int64_t pixels) {
        SmallVector<Value> planes;
        for (int64_t i = 0; i < width; ++i) {
          planes.push_back(loadWide(
              kernel, source, {at[0], kernel.add(firstChannel, i), row, column},
              Lanes{machineLanes, pixels}, init));
        }
        Value to = kernel.mul(kernel.add(column, left), width);
        int64_t stored = 0, elements = pixels * width;
        for (Value x : kernel.interleave(planes)) {
          if (stored < elements) {
            kernel.store(
                x, flat, {at[0], at[1], at[2], kernel.add(to, stored)},
                Lanes{machineLanes, std::min(machineLanes, elements - stored)});
          }
          stored += machineLanes;
        }
      };
      kernel.overlappingTiles(columns, machineLanes, copyPixels,
                              [&](Value column) { copyPixels(column, 1); });
      return;
    }
    kernel.tiles(count, machineLanes, [&](Value lane, int64_t channels) {
      // The vector of the last channel reaches to the end of the block.
      int64_t stored =
          channels == machineLanes
              ? machineLanes
              : std::min(machineLanes,
                         width - count / machineLanes * machineLanes);
      Value channel = kernel.add(firstChannel, lane);
      auto copyPixels = [&](Value column, int64_t pixels) {
        Lanes lanes{machineLanes, pixels};
        kernel.transposeTile(
            channels, lanes,
            [&](int64_t i) {
              return loadWide(kernel, source,
                              {at[0], kernel.add(channel, i), row, column},
                              lanes, init);
            },
            [&](int64_t i, Value x) {
              Value to = kernel.add(kernel.add(column, left), i);
              kernel.store(x, init, {at[0], at[1], at[2], to, lane},
                           Lanes{machineLanes, stored});
            });
      };
      kernel.overlappingTiles(columns, machineLanes, copyPixels,
                              [&](Value column) { copyPixels(column, 1); });
    });
    int64_t covered = llvm::alignTo(count, machineLanes);
    if (covered >= width) {
      return;
    }
    kernel.loop(columns, [&](Value column) {
      kernel.vectors(width - covered, [&](Value lane, Lanes lanes) {
        kernel.store(kernel.splat(0, lanes, getElementType(init)), init,
                     {at[0], at[1], at[2], kernel.add(column, left),
                      kernel.add(lane, covered)},
                     lanes);
      });
    });
  }

  /// Blocks back to channel planes; the last block may hold fewer channels.
  static void copyToPlanes(VPU::CopyOp op, KernelBuilder &kernel) {
    Value source = op.getSource(), init = op.getInit();
    int64_t width = getShape(source)[4];
    if (isContiguous(source, 2, 3) && isContiguous(init, 2, 3)) {
      source = expandUnit(kernel, collapse(kernel, source, 2, 3), 2);
      init = expandUnit(kernel, collapse(kernel, init, 2, 3), 2);
    }
    ArrayRef<int64_t> out = getShape(init);
    bool isPoint = out[2] == 1 && out[3] == 1 && isContiguous(init, 1, 3);
    OpFoldResult rows = kernel.getSize(init, 2);
    OpFoldResult columns = kernel.getSize(init, 3);
    kernel.loop(kernel.getSize(init, 0), [&](Value image) {
      kernel.tiles(out[1], width, [&](Value channel, int64_t count) {
        Value block = kernel.div(channel, width);
        Value zero = kernel.index(0);
        if (isPoint) {
          // Both sides are a row of channels.
          Value flat = collapse(kernel, init, 1, 3);
          kernel.vectors(count, [&](Value lane, Lanes lanes) {
            Value x =
                kernel.load(source, {image, block, zero, zero, lane}, lanes);
            kernel.store(x, flat, {image, kernel.add(channel, lane)}, lanes);
          });
          return;
        }
        kernel.vectors(count, [&](Value lane, Lanes lanes) {
          kernel.loop(rows, [&](Value row) {
            auto copyPixels = [&](Value column, int64_t pixels) {
              kernel.transposeTile(
                  pixels, lanes,
                  [&](int64_t i) {
                    return loadWide(
                        kernel, source,
                        {image, block, row, kernel.add(column, i), lane}, lanes,
                        init);
                  },
                  [&](int64_t i, Value x) {
                    Value to = kernel.add(kernel.add(channel, lane), i);
                    kernel.store(x, init, {image, to, row, column},
                                 Lanes{kernel.machine.lanes, pixels});
                  });
            };
            kernel.overlappingTiles(
                columns, kernel.machine.lanes, copyPixels,
                [&](Value column) { copyPixels(column, 1); });
          });
        });
      });
    });
  }

  /// (B,K,N) or (B,N,K) into panels of n columns, zero beyond the last column.
  static void packPanels(VPU::CopyOp op, KernelBuilder &kernel) {
    bool transposed = op.getSrcOrder() == DimsOrder::NK;
    ArrayRef<int64_t> source = getShape(op.getSource());
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t columns = source[transposed ? 1 : 2], depth = out[2], n = out[3];
    int64_t whole = columns / n * n, rest = columns % n;
    int64_t step = transposed ? n : VPU::kPanelsOfPage * n;
    auto pack = [&](Value batch, Value column, int64_t count) {
      if (transposed) {
        packColumns(op, kernel, {batch, kernel.div(column, n), column}, depth,
                    count);
      } else {
        packRows(op, kernel, batch, column, count);
      }
    };
    kernel.loop(out[0], [&](Value batch) {
      kernel.tiles(whole, step, [&](Value column, int64_t count) {
        pack(batch, column, count);
      });
      if (rest == 0) {
        return;
      }
      Value panel = kernel.index(whole / n);
      kernel.loop(depth, [&](Value k) {
        kernel.vectors(n, [&](Value lane, Lanes lanes) {
          kernel.store(kernel.splat(0, lanes, getElementType(op.getInit())),
                       op.getInit(), {batch, panel, k, lane}, lanes);
        });
      });
      pack(batch, kernel.index(whole), rest);
    });
  }

  /// `count` columns of a matrix from `column` on, the first of a panel.
  static void packRows(VPU::CopyOp op, KernelBuilder &kernel, Value batch,
                       Value column, int64_t count) {
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t depth = out[2], n = out[3];
    kernel.loop(depth, [&](Value k) {
      for (int64_t first = 0; first < count; first += n) {
        Value from = kernel.add(column, first), panel = kernel.div(from, n);
        kernel.vectors(
            std::min(n, count - first), [&](Value lane, Lanes lanes) {
              Value x = kernel.load(op.getSource(),
                                    {batch, k, kernel.add(from, lane)}, lanes);
              if (op.getFlipsSign()) {
                x = flipSigns(kernel, x,
                              cast<VectorType>(x.getType()).getNumElements());
              }
              kernel.store(x, op.getInit(), {batch, panel, k, lane}, lanes);
            });
      }
    });
  }

  /// `count` columns of a transposed matrix into one panel. `at` is the batch,
  /// the panel and its first column.
  static void packColumns(VPU::CopyOp op, KernelBuilder &kernel, ValueRange at,
                          int64_t depth, int64_t count) {
    kernel.tiles(count, kernel.machine.lanes, [&](Value lane, int64_t columns) {
      Value first = kernel.add(at[2], lane);
      kernel.vectors(depth, [&](Value k, Lanes lanes) {
        kernel.transposeTile(
            columns, lanes,
            [&](int64_t i) {
              return loadWide(kernel, op.getSource(),
                              {at[0], kernel.add(first, i), k}, lanes,
                              op.getInit());
            },
            [&](int64_t i, Value x) {
              kernel.store(x, op.getInit(),
                           {at[0], at[1], kernel.add(k, i), lane},
                           Lanes{kernel.machine.lanes, columns});
            });
      });
    });
  }

  /// The elements of vectors, one after the other.
  static Value concatenate(KernelBuilder &kernel, Value first, Value second) {
    int64_t length = 2 * cast<VectorType>(first.getType()).getNumElements();
    return vector::ShuffleOp::create(
        kernel.builder, kernel.loc, first, second,
        llvm::to_vector(llvm::seq<int64_t>(length)));
  }

  /// A matrix of so many rows, transposed.
  static Value transpose(KernelBuilder &kernel, Value matrix, int64_t rows) {
    int64_t length = cast<VectorType>(matrix.getType()).getNumElements();
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < length; ++i) {
      mask.push_back(i % rows * (length / rows) + i / rows);
    }
    return vector::ShuffleOp::create(kernel.builder, kernel.loc, matrix, matrix,
                                     mask);
  }

  /// As many vectors' elements in turn, two or, of bytes, four.
  static Value interleave(KernelBuilder &kernel, ArrayRef<Value> rows) {
    if (rows.size() == 2) {
      return vector::InterleaveOp::create(kernel.builder, kernel.loc, rows[0],
                                          rows[1]);
    }
    assert(rows.size() == 4 && "packs are of two or four elements");
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    Value bytes = concatenate(kernel, concatenate(kernel, rows[0], rows[1]),
                              concatenate(kernel, rows[2], rows[3]));
    auto type = cast<VectorType>(bytes.getType());
    // Words of four bytes of a row first, then the bytes of four such words: an
    // instruction each, where one for all bytes may not exist.
    constexpr int64_t kWordBytes = 4;
    auto words =
        VectorType::get({type.getNumElements() / kWordBytes}, b.getI32Type());
    bytes = transpose(kernel, vector::BitCastOp::create(b, loc, words, bytes),
                      rows.size());
    bytes = vector::BitCastOp::create(b, loc, type, bytes);
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t block = kWordBytes * kWordBytes;
      mask.push_back(i / block * block + i % kWordBytes * kWordBytes +
                     i % block / kWordBytes);
    }
    return vector::ShuffleOp::create(b, loc, bytes, bytes, mask);
  }

  /// The first `count` bytes of a vector with the other sign bit.
  static Value flipSigns(KernelBuilder &kernel, Value bytes, int64_t count) {
    auto type = cast<VectorType>(bytes.getType());
    SmallVector<int8_t> mask(type.getNumElements(), 0);
    std::fill_n(mask.begin(), count, std::numeric_limits<int8_t>::min());
    return arith::XOrIOp::create(
        kernel.builder, kernel.loc, bytes,
        arith::ConstantOp::create(
            kernel.builder, kernel.loc,
            DenseElementsAttr::get(type, ArrayRef<int8_t>(mask))));
  }

  /// Panels of packs of all rows of a matrix, as many columns at a time as fill
  /// as many bytes as a vector has: rows of which less is read would come into
  /// the cache once for each part.
  static void packLines(VPU::CopyOp op, KernelBuilder &kernel, Value init,
                        Value batch) {
    Value source = op.getSource();
    ArrayRef<int64_t> out = getShape(op.getInit());
    int64_t lanes = kernel.machine.lanes, pack = out[4];
    int64_t bits = getElementType(source).getIntOrFloatBitWidth();
    int64_t line = lanes * std::max<int64_t>(32 / bits, 1);
    auto packVector = [&](Value k, Value column, int64_t count) {
      SmallVector<Value> rows;
      for (int64_t i = 0; i < pack; ++i) {
        Value row = kernel.load(
            source, {batch, kernel.add(kernel.mul(k, pack), i), column},
            Lanes{lanes, count});
        row = kernel.convert(row, getElementType(init));
        rows.push_back(op.getFlipsSign() ? flipSigns(kernel, row, count) : row);
      }
      Value lane = kernel.mul(kernel.rem(column, out[3]), pack);
      kernel.store(interleave(kernel, rows), init,
                   {batch, kernel.div(column, out[3]), k, lane},
                   Lanes{pack * lanes, pack * lanes});
    };
    kernel.tiles(getShape(source)[2], line, [&](Value first, int64_t columns) {
      kernel.loop(out[2], [&](Value k) {
        for (int64_t i = 0; i < columns; i += lanes) {
          packVector(k, kernel.add(first, i), std::min(lanes, columns - i));
        }
      });
    });
  }

  /// (B,K,N) or (B,N,K) into panels of packs, (B,NB,K/p,n,p): neighbours in K
  /// are what each lane of a vector holds.
  static void packWords(VPU::CopyOp op, KernelBuilder &kernel) {
    OpBuilder &b = kernel.builder;
    Location loc = kernel.loc;
    bool transposed = op.getSrcOrder() == DimsOrder::NK;
    Value source = op.getSource();
    Value init = collapse(kernel, op.getInit(), 3, 4);
    ArrayRef<int64_t> out = getShape(op.getInit());
    Type element = getElementType(init);
    int64_t columns = getShape(source)[transposed ? 1 : 2];
    int64_t lanes = kernel.machine.lanes;
    int64_t pack = out[4];
    Lanes packs{pack * lanes, pack * lanes};
    auto packType = VectorType::get({pack * lanes}, element);
    auto wordType = VectorType::get({lanes}, b.getI32Type());
    // Panels are whole vectors wide; what the last one has beyond is zero.
    int64_t used = llvm::alignTo(columns, lanes);
    auto getPanel = [&](Value column) { return kernel.div(column, out[3]); };
    auto getLane = [&](Value column) {
      return kernel.mul(kernel.rem(column, out[3]), pack);
    };
    kernel.loop(out[0], [&](Value batch) {
      kernel.loop(out[1] * out[3] - used, lanes, [&](Value unused) {
        Value column = kernel.add(unused, used);
        Value panel = getPanel(column), lane = getLane(column);
        kernel.loop(out[2], [&](Value k) {
          kernel.store(kernel.splat(0, packs, element), init,
                       {batch, panel, k, lane}, packs);
        });
      });
      if (!transposed) {
        packLines(op, kernel, init, batch);
        return;
      }
      kernel.tiles(columns, lanes, [&](Value column, int64_t count) {
        Value panel = getPanel(column), lane = getLane(column);
        kernel.tiles(out[2], lanes, [&](Value k, int64_t steps) {
          kernel.transposeTile(
              count, Lanes{lanes, steps},
              [&](int64_t i) {
                Value row = kernel.load(
                    source, {batch, kernel.add(column, i), kernel.mul(k, 2)},
                    Lanes{2 * lanes, 2 * steps});
                return vector::BitCastOp::create(b, loc, wordType,
                                                 kernel.convert(row, element))
                    .getResult();
              },
              [&](int64_t i, Value words) {
                kernel.store(vector::BitCastOp::create(b, loc, packType, words),
                             init, {batch, panel, kernel.add(k, i), lane},
                             packs);
              });
        });
      });
    });
  }
};

} // namespace

void nacre::populateCopyKernels(RewritePatternSet &patterns) {
  patterns.add<CopyKernel>(patterns.getContext());
}
