//===- LowBitProduct.cpp - Weights of few bits on a matrix unit -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are split into bf16 parts once, as tiles one after the other. Of some
// panels, one piece of a block after the other becomes tiles of bf16, which all
// rows are multiplied by. The sums of a tile of rows are stored and scaled
// while the unit multiplies the next: vectors and tiles wait for each other
// otherwise.
//
//===----------------------------------------------------------------------===//

#include "LowBitProduct.h"

#include "TileRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nacre;

// The numbers of tiles: the sums of two tiles of rows, each by two panels, then
// these tiles, then those of the panels.
static constexpr int64_t kPair = VPU::LowBitTiles::kPair;
static constexpr int64_t kSums = VPU::LowBitTiles::kTilesOfPair;
static constexpr int64_t kLeft = kSums, kRight = kLeft + kPair;

namespace {

class ProductEmitter {
public:
  ProductEmitter(KernelBuilder &kernel, VPU::NCEMatMulNBitsOp op,
                 const VPU::LowBitTiles &sizes, LowBitWeights &weights,
                 const Epilogue &epilogue)
      : kernel(kernel), b(kernel.builder), loc(kernel.loc), op(op),
        sizes(sizes), weights(weights), epilogue(epilogue), registers(kernel),
        memory(kernel, op.getScratch()) {}

  void emit();

private:
  /// Rows that are multiplied at a time, as an even number of tiles.
  struct Rows {
    Value batch, first, count;
    Value pairs;   // of tiles
    Value perTile; // rows
  };
  /// Pieces for which they are split at a time.
  struct Chunk {
    Value first, count;
    Value isFirst, isLast; // null where there is one
  };
  struct Panels {
    Value first;
    int64_t count;
    Lanes lanes;
  };
  /// What is multiplied while other sums are scaled.
  struct Step {
    Value piece; // of the chunk
    Value pair;  // of tiles of rows
    int64_t panel, next;
  };
  /// Sums, on their way, and what they are scaled with and added to. What only
  /// zero points that are no integers need may be missing.
  struct Sums {
    Value totals;
    SmallVector<Value, kPair> scales, corrections;
    Value rowSums;

    SmallVector<Value> getValues() const;
    static Sums get(ValueRange values);
  };

  /// Calls `body` with the tile, the row in it and the row's number.
  void forEachRow(const Rows &rows,
                  llvm::function_ref<void(Value, Value, Value)> body);
  void emitRows(Value batch, Value first, Value count);
  /// Splits rows for a chunk of pieces.
  void splitRows(const Rows &rows, const Chunk &chunk);
  void splitPiece(const Rows &rows, const Chunk &chunk, Value tile, Value row,
                  Value number, Value piece);
  /// Stores the parts of some elements, from the `element`-th of a piece on.
  void splitElements(Value elements, Value piece, Value tile, Value row,
                     int64_t element);
  /// Multiplies all rows by some panels for a chunk.
  void multiplyPanels(const Rows &rows, const Chunk &chunk,
                      const Panels &panels);
  void unpackPiece(const Panels &panels, Value block, Value word);
  /// Multiplies all rows by all panels for a piece.
  Sums multiplyPiece(const Rows &rows, const Chunk &chunk, const Panels &panels,
                     Value piece, Sums previous);
  /// Multiplies the tiles of a pair, one after the other, and a pair of panels.
  /// Meanwhile the sums of the tile before, the first time that of the previous
  /// step, are added to their totals.
  void multiplyStep(const Step &step, const Sums &previous,
                    const Sums &current);
  void loadRight(const Step &step, int64_t number);
  /// Adds rows of the sums of one of the tiles of a pair, from `first` to
  /// `last` of those of both panels, to totals.
  void scale(const Sums &sums, int64_t tile, int64_t first, int64_t last);
  /// What nothing is to be added of.
  Sums buildNoSums();
  /// Calls `body` with where a row's total for a panel is, and where its
  /// result.
  void forEachTotal(const Rows &rows, const Panels &panels,
                    llvm::function_ref<void(Value, ValueRange)> body);
  void startTotals(const Rows &rows, const Chunk &chunk, const Panels &panels);
  void storeTotals(const Rows &rows, const Chunk &chunk, const Panels &panels);

  /// Where scratch memory has a tile of rows, one of the weights of a piece,
  /// the totals of a pair of tiles, or of one of it, and a panel, and the sums
  /// of a tile's rows.
  Value locateLeft(Value piece, int64_t step, Value tile, int64_t part);
  Value locateRight(int64_t panel, Value pair);
  Value locateTotals(Value pair, int64_t panel);
  Value locateTotals(Value pair, Value tile, int64_t panel);
  Value locateRowSums(Value piece, Value tile);
  /// The block of a piece of the chunk, and the first word in it.
  std::pair<Value, Value> locatePiece(const Chunk &chunk, Value piece);
  Value load(Value position);
  void store(Value vector, Value position);

  KernelBuilder &kernel;
  OpBuilder &b;
  Location loc;
  VPU::NCEMatMulNBitsOp op;
  VPU::LowBitTiles sizes;
  LowBitWeights &weights;
  const Epilogue &epilogue;
  TileRegisters registers;
  RowPointer memory; // scratch
};

} // namespace

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

Value ProductEmitter::load(Value position) {
  return kernel.load(op.getScratch(), position, kernel.fullLanes());
}

void ProductEmitter::store(Value vector, Value position) {
  vector::StoreOp::create(b, loc, vector, op.getScratch(), position);
}

Value ProductEmitter::locateLeft(Value piece, int64_t step, Value tile,
                                 int64_t part) {
  Value number = kernel.add(kernel.mul(piece, sizes.steps), step);
  number = kernel.add(kernel.mul(number, sizes.rowTiles), tile);
  number = kernel.add(kernel.mul(number, sizes.parts), part);
  return kernel.add(kernel.mul(number, sizes.getLeftTile()),
                    sizes.getLeftStart());
}

Value ProductEmitter::locateRight(int64_t panel, Value pair) {
  Value number = kernel.add(pair, panel * sizes.steps * sizes.stepPairs);
  return kernel.add(kernel.mul(number, sizes.lanes), sizes.getRightStart());
}

Value ProductEmitter::locateTotals(Value pair, int64_t panel) {
  // Those of a pair of tiles and one of panels follow each other.
  Value number =
      kernel.add(kernel.mul(pair, sizes.panels / kPair), panel / kPair);
  return kernel.add(kernel.mul(number, kSums * sizes.getSumTile()),
                    sizes.getTotalsStart() +
                        panel % kPair * sizes.getSumTile());
}

Value ProductEmitter::locateTotals(Value pair, Value tile, int64_t panel) {
  return kernel.add(locateTotals(pair, panel),
                    kernel.mul(tile, kPair * sizes.getSumTile()));
}

Value ProductEmitter::locateRowSums(Value piece, Value tile) {
  Value number = kernel.add(kernel.mul(piece, sizes.rowTiles), tile);
  return kernel.add(kernel.mul(number, sizes.rows), sizes.getRowSumsStart());
}

std::pair<Value, Value> ProductEmitter::locatePiece(const Chunk &chunk,
                                                    Value piece) {
  Value number = kernel.add(chunk.first, piece);
  return {kernel.div(number, sizes.piecesPerBlock),
          kernel.mul(kernel.rem(number, sizes.piecesPerBlock),
                     sizes.getPieceWords())};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void ProductEmitter::splitElements(Value elements, Value piece, Value tile,
                                   Value row, int64_t element) {
  auto type = cast<VectorType>(elements.getType());
  int64_t count = type.getNumElements(), perWord = op.getPerWord();
  // Pairs as unpackPairs() gives them of each word.
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) {
    auto [word, position] = std::div(i, perWord);
    order.push_back(word * perWord + position / kPair +
                    position % kPair * perWord / kPair);
  }
  int64_t stepElements = kPair * sizes.stepPairs;
  auto [step, first] = std::div(element, stepElements);
  Value at = kernel.add(kernel.mul(row, sizes.stepPairs), first / kPair);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t part = 0; part < sizes.parts; ++part) {
    Value rounded = kernel.convert(elements, b.getBF16Type());
    if (part + 1 < sizes.parts) {
      // Of infinity, too, nothing is left.
      Value wide = kernel.convert(rounded, b.getF32Type());
      Value isExact = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                            elements, wide);
      Value rest = arith::SubFOp::create(b, loc, elements, wide);
      elements = arith::SelectOp::create(b, loc, isExact, zero, rest);
    }
    Value pairs =
        vector::ShuffleOp::create(b, loc, rounded, rounded, order).getResult();
    pairs = vector::BitCastOp::create(
        b, loc, VectorType::get({count / kPair}, b.getF32Type()), pairs);
    store(pairs, kernel.add(locateLeft(piece, step, tile, part), at));
  }
}

void ProductEmitter::splitPiece(const Rows &rows, const Chunk &chunk,
                                Value tile, Value row, Value number,
                                Value piece) {
  int64_t elements = sizes.getPieceElements();
  // What divides a tile's row.
  int64_t lanes = kernel.machine.lanes;
  int64_t width =
      kPair * sizes.stepPairs % lanes == 0 ? lanes : op.getPerWord();
  Value depth = kernel.mul(kernel.add(chunk.first, piece), elements);
  auto type = VectorType::get({width}, getElementType(op.getLhs()));
  Value total;
  for (int64_t i = 0; i < elements; i += width) {
    Value loaded = vector::LoadOp::create(
        b, loc, type, op.getLhs(),
        ValueRange{rows.batch, number, kernel.add(depth, i)});
    loaded = kernel.convert(loaded, b.getF32Type());
    splitElements(loaded, piece, tile, row, i);
    total = total ? kernel.addVectors(total, loaded) : loaded;
  }
  if (sizes.sumsRows) {
    Value scalar =
        vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, total);
    memref::StoreOp::create(b, loc, scalar, op.getScratch(),
                            kernel.add(locateRowSums(piece, tile), row));
  }
}

void ProductEmitter::forEachRow(
    const Rows &rows, llvm::function_ref<void(Value, Value, Value)> body) {
  Value tiles = kernel.mul(rows.pairs, kPair);
  kernel.loop(getAsOpFoldResult(tiles), [&](Value tile) {
    Value before = b.createOrFold<arith::MulIOp>(loc, tile, rows.perTile);
    // The last tiles may have fewer, or none.
    Value left = b.createOrFold<arith::MaxSIOp>(
        loc, kernel.sub(rows.count, before), kernel.index(0));
    left = b.createOrFold<arith::MinSIOp>(loc, left, rows.perTile);
    kernel.loop(getAsOpFoldResult(left), [&](Value row) {
      body(tile, row, kernel.add(rows.first, kernel.add(before, row)));
    });
  });
}

void ProductEmitter::splitRows(const Rows &rows, const Chunk &chunk) {
  forEachRow(rows, [&](Value tile, Value row, Value number) {
    kernel.nest(
        getAsOpFoldResult(chunk.count),
        [&](ValueRange piece) {
          splitPiece(rows, chunk, tile, row, number, piece[0]);
        },
        /*rolled=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SmallVector<Value> ProductEmitter::Sums::getValues() const {
  SmallVector<Value> values = {totals};
  llvm::append_range(values, scales);
  llvm::append_range(values, corrections);
  if (rowSums) {
    values.push_back(rowSums);
  }
  return values;
}

ProductEmitter::Sums ProductEmitter::Sums::get(ValueRange values) {
  Sums result{values[0], {}, {}, {}};
  values = values.drop_front();
  result.scales.assign(values.begin(), values.begin() + kPair);
  values = values.drop_front(kPair);
  if (!values.empty()) {
    result.corrections.assign(values.begin(), values.begin() + kPair);
    result.rowSums = values.back();
  }
  return result;
}

ProductEmitter::Sums ProductEmitter::buildNoSums() {
  Value zero = kernel.splat(0, kernel.fullLanes());
  Sums result{kernel.index(sizes.getUnusedTotals()), {zero, zero}, {}, {}};
  if (sizes.sumsRows) {
    result.corrections = {zero, zero};
    result.rowSums = kernel.index(sizes.getRowSumsStart());
  }
  return result;
}

void ProductEmitter::scale(const Sums &sums, int64_t tile, int64_t first,
                           int64_t last) {
  int64_t start = tile * kPair * sizes.getSumTile();
  for (int64_t i = first; i < last; ++i) {
    auto [panel, row] = std::div(i, sizes.rows);
    int64_t offset = start + i * sizes.lanes;
    Value at = kernel.add(sums.totals, offset);
    Value sum = load(kernel.index(sizes.getSumsStart() + offset));
    Value total = kernel.multiplyAdd(sum, sums.scales[panel], load(at));
    if (sizes.sumsRows) {
      Value scalar = memref::LoadOp::create(
          b, loc, op.getScratch(),
          kernel.add(sums.rowSums, tile * sizes.rows + row));
      Value rowSum =
          vector::BroadcastOp::create(b, loc, total.getType(), scalar);
      total = kernel.multiplyAdd(rowSum, sums.corrections[panel], total);
    }
    store(total, at);
  }
}

void ProductEmitter::startTotals(const Rows &rows, const Chunk &chunk,
                                 const Panels &panels) {
  kernel.loop(getAsOpFoldResult(rows.pairs), [&](Value pair) {
    for (int64_t p = 0; p < panels.count; ++p) {
      Value start = epilogue.loadStart(
          kernel, {kernel.add(panels.first, p), kernel.index(0)},
          kernel.fullLanes());
      for (int64_t t = 0; t < kPair; ++t) {
        Value at = locateTotals(pair, kernel.index(t), p);
        kernel.rolledLoop(sizes.rows, [&](Value row) {
          store(start, kernel.add(at, kernel.mul(row, sizes.lanes)));
        });
      }
    }
  });
  if (!chunk.isFirst) {
    return;
  }
  Value goesOn = arith::XOrIOp::create(
      b, loc, chunk.isFirst,
      arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
  auto branch = scf::IfOp::create(b, loc, goesOn, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  forEachTotal(rows, panels, [&](Value at, ValueRange result) {
    store(kernel.load(op.getInit(), result, panels.lanes), at);
  });
}

void ProductEmitter::storeTotals(const Rows &rows, const Chunk &chunk,
                                 const Panels &panels) {
  auto storeResults = [&] {
    forEachTotal(rows, panels, [&](Value at, ValueRange result) {
      epilogue.store(kernel, load(at), /*factors=*/{}, result, panels.lanes);
    });
  };
  if (!chunk.isLast) {
    return storeResults();
  }
  auto branch =
      scf::IfOp::create(b, loc, chunk.isLast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  storeResults();
  b.setInsertionPointToStart(branch.elseBlock());
  forEachTotal(rows, panels, [&](Value at, ValueRange result) {
    kernel.store(load(at), op.getInit(), result, panels.lanes);
  });
}

void ProductEmitter::forEachTotal(
    const Rows &rows, const Panels &panels,
    llvm::function_ref<void(Value, ValueRange)> body) {
  forEachRow(rows, [&](Value tile, Value row, Value number) {
    for (int64_t p = 0; p < panels.count; ++p) {
      Value at =
          locateTotals(kernel.div(tile, kPair), kernel.rem(tile, kPair), p);
      Value column =
          kernel.mul(kernel.add(panels.first, p), kernel.machine.lanes);
      body(kernel.add(at, kernel.mul(row, sizes.lanes)),
           {rows.batch, number, column});
    }
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void ProductEmitter::unpackPiece(const Panels &panels, Value block,
                                 Value word) {
  int64_t pairsPerWord = op.getPerWord() / kPair;
  for (int64_t p = 0; p < panels.count; ++p) {
    Value panel = kernel.add(panels.first, p);
    weights.prefetchWords(panel, block, word, sizes.getPieceWords());
    Value zeroPoint = weights.loadPairZeroPoint(panel, block);
    kernel.loop(sizes.getPieceWords(), [&](Value i) {
      Value words = weights.loadWords(panel, block, kernel.add(word, i));
      for (int64_t pair = 0; pair < pairsPerWord; ++pair) {
        Value number = kernel.add(kernel.mul(i, pairsPerWord), pair);
        store(weights.unpackPairs(words, pair, zeroPoint),
              locateRight(p, number));
      }
    });
  }
}

void ProductEmitter::loadRight(const Step &step, int64_t number) {
  Value stride = toI64(kernel, kernel.index(sizes.lanes * 4));
  int64_t panels[] = {step.panel, step.next};
  for (auto [i, panel] : llvm::enumerate(panels)) {
    Value pair = kernel.index(number * sizes.stepPairs);
    registers.load(kRight + static_cast<int64_t>(i),
                   memory.at(locateRight(panel, pair)), stride);
  }
}

void ProductEmitter::multiplyStep(const Step &step, const Sums &previous,
                                  const Sums &current) {
  constexpr int64_t kWordBytes = 4;
  auto bytes = [&](int64_t words) {
    return toI64(kernel, kernel.index(words * kWordBytes));
  };
  int64_t numProducts = sizes.steps * sizes.parts * kPair;
  for (int64_t t = 0; t < kPair; ++t) {
    int64_t first = t * kPair, products = 0, scaled = 0;
    for (int64_t i = first; i < first + kPair; ++i) {
      registers.zero(i);
    }
    Value tile = kernel.add(kernel.mul(step.pair, kPair), t);
    for (int64_t number = 0; number < sizes.steps; ++number) {
      if (sizes.steps > 1) {
        loadRight(step, number);
      }
      for (int64_t part = 0; part < sizes.parts; ++part) {
        registers.load(kLeft + t,
                       memory.at(locateLeft(step.piece, number, tile, part)),
                       bytes(sizes.stepPairs));
        for (int64_t i = 0; i < kPair; ++i) {
          registers.multiply(b.getBF16Type(), first + i, kLeft + t, kRight + i);
          int64_t until = ++products * kPair * sizes.rows / numProducts;
          scale(t == 0 ? previous : current, kPair - 1 - t, scaled, until);
          scaled = until;
        }
      }
    }
    for (int64_t i = first; i < first + kPair; ++i) {
      Value target =
          kernel.index(sizes.getSumsStart() + i * sizes.getSumTile());
      registers.store(i, memory.at(target), bytes(sizes.lanes));
    }
  }
}

ProductEmitter::Sums ProductEmitter::multiplyPiece(const Rows &rows,
                                                   const Chunk &chunk,
                                                   const Panels &panels,
                                                   Value piece, Sums previous) {
  auto [block, word] = locatePiece(chunk, piece);
  unpackPiece(panels, block, word);
  for (int64_t p = 0; p < panels.count; p += kPair) {
    Step step{piece, /*pair=*/{}, p, std::min(p + 1, panels.count - 1)};
    Sums current;
    for (int64_t panel : {step.panel, step.next}) {
      Value number = kernel.add(panels.first, panel);
      Value scale = weights.loadScale(number, block);
      current.scales.push_back(scale);
      if (sizes.sumsRows) {
        current.corrections.push_back(
            weights.loadCorrection(number, block, scale));
      }
    }
    if (sizes.steps == 1) {
      loadRight(step, /*number=*/0);
    }
    SmallVector<Value> results = kernel.reduce(
        getAsOpFoldResult(rows.pairs), previous.getValues(),
        [&](Value pair, ValueRange carried) {
          Sums before = Sums::get(carried);
          step.pair = pair;
          current.totals = locateTotals(pair, p);
          if (sizes.sumsRows) {
            current.rowSums = locateRowSums(piece, kernel.mul(pair, kPair));
          }
          multiplyStep(step, before, current);
          return current.getValues();
        },
        /*rolled=*/true);
    previous = Sums::get(results);
  }
  return previous;
}

void ProductEmitter::multiplyPanels(const Rows &rows, const Chunk &chunk,
                                    const Panels &panels) {
  startTotals(rows, chunk, panels);
  SmallVector<Value> results = kernel.reduce(
      getAsOpFoldResult(chunk.count), buildNoSums().getValues(),
      [&](Value piece, ValueRange carried) {
        return multiplyPiece(rows, chunk, panels, piece, Sums::get(carried))
            .getValues();
      },
      /*rolled=*/true);
  scale(Sums::get(results), kPair - 1, 0, kPair * sizes.rows);
  storeTotals(rows, chunk, panels);
}

void ProductEmitter::emitRows(Value batch, Value first, Value count) {
  // Rather than memref.alloca_scope, in which no loops could become branches.
  Value stack = LLVM::StackSaveOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()));
  Rows rows{batch, first, count, {}, {}};
  rows.pairs = b.createOrFold<arith::CeilDivUIOp>(
      loc, count, kernel.index(kPair * sizes.rows));
  rows.perTile = b.createOrFold<arith::CeilDivUIOp>(
      loc, count, kernel.mul(rows.pairs, kPair));
  constexpr int64_t kWordBytes = 4;
  int64_t sumBytes = sizes.lanes * kWordBytes;
  SmallVector<TileShape> shapes(kSums, {/*isOfPixels=*/true, 0, sumBytes});
  shapes.append(kPair, {/*isOfPixels=*/true, 0, sizes.stepPairs * kWordBytes});
  shapes.append(kPair, {/*isOfPixels=*/false, sizes.stepPairs, sumBytes});
  registers.configure(shapes, rows.perTile);
  auto multiplyChunk = [&](const Chunk &chunk) {
    splitRows(rows, chunk);
    weights.forEachPanels(sizes.panels,
                          [&](Value panel, int64_t panels, Lanes lanes) {
                            multiplyPanels(rows, chunk, {panel, panels, lanes});
                          });
  };
  int64_t chunks = llvm::divideCeilSigned(sizes.numPieces, sizes.chunkPieces);
  if (chunks == 1) {
    multiplyChunk({kernel.index(0), kernel.index(sizes.numPieces), {}, {}});
  } else {
    kernel.rolledLoop(chunks, [&](Value number) {
      Value start = kernel.mul(number, sizes.chunkPieces);
      Value pieces = arith::MinUIOp::create(
          b, loc, kernel.sub(kernel.index(sizes.numPieces), start),
          kernel.index(sizes.chunkPieces));
      auto isEqual = [&](int64_t value) -> Value {
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number,
                                     kernel.index(value));
      };
      multiplyChunk({start, pieces, isEqual(0), isEqual(chunks - 1)});
    });
  }
  registers.release();
  LLVM::StackRestoreOp::create(b, loc, stack);
}

void ProductEmitter::emit() {
  Value numRows = kernel.index(kernel.getSize(op.getInit(), 1));
  // As even numbers of rows at a time as there are.
  Value times = b.createOrFold<arith::CeilDivUIOp>(
      loc, numRows, kernel.index(sizes.getRows()));
  Value most = b.createOrFold<arith::CeilDivUIOp>(loc, numRows, times);
  kernel.loop(kernel.getSize(op.getInit(), 0), [&](Value batch) {
    kernel.loop(getAsOpFoldResult(times), [&](Value number) {
      Value first = b.createOrFold<arith::MulIOp>(loc, number, most);
      Value count =
          b.createOrFold<arith::MinUIOp>(loc, kernel.sub(numRows, first), most);
      emitRows(batch, first, count);
    });
  });
}

void nacre::buildLowBitProduct(KernelBuilder &kernel, VPU::NCEMatMulNBitsOp op,
                               const VPU::LowBitTiles &sizes,
                               LowBitWeights &weights,
                               const Epilogue &epilogue) {
  ProductEmitter(kernel, op, sizes, weights, epilogue).emit();
}
