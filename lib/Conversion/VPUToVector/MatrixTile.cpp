//===- MatrixTile.cpp - The contraction on a matrix unit ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tiles of pixels times two vectors of channels at a time: each operand
// that is loaded is multiplied twice, by four sums that do not wait for each
// other.
//
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"

#include "PieceCopies.h"

#include "nacre/Dialect/VPU/Cost/MatrixTileCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nacre;

// The numbers of tiles: the sums of two vectors for two tiles of pixels, then
// these tiles, then those of the vectors.
static constexpr int64_t kPixelTiles = VPU::kPixelTiles,
                         kVectors = VPU::kTileVectors;
static constexpr int64_t kSums = kPixelTiles * kVectors;
static constexpr int64_t kLeft = kSums, kRight = kLeft + kPixelTiles;
static constexpr int64_t kTiles = kRight + kVectors;
// Tiles of one part each, where a reduction has two: the numbers above are for
// no more.
static constexpr size_t kMostParts = 2;
static_assert(kPixelTiles == kMostParts && kVectors == kMostParts);
static constexpr int64_t kWordBytes = VPU::kTileWordBytes;

namespace {

class MatrixEmitter {
public:
  MatrixEmitter(KernelBuilder &kernel, const MatrixContraction &contraction)
      : kernel(kernel), registers(kernel), contraction(contraction) {}

  void emit(Value first, OpFoldResult count);

private:
  /// The pixels of one left tile.
  struct Place {
    Value row, column;
    Value first; // that no tile before has
  };

  void configure();
  /// All pixels of an image from the tile `first` on, of which there are
  /// `tiles`, times these vectors.
  void emitPixels(Value image, Value first, OpFoldResult tiles, Value vector,
                  int64_t vectors);
  /// Strips of pixels, packed, times all vectors.
  void emitStrips(llvm::function_ref<void(Value, OpFoldResult, Value)> body);
  /// `number` is among those of the strip, if left tiles are packed.
  void emitTiles(Value image, Value first, Value number, int64_t count,
                 Value vector, int64_t vectors);
  /// Copies the left tiles from number `first` on.
  void pack(Value image, Value first, OpFoldResult tiles);
  Place locate(Value number);
  /// Asks for a part of a right tile; `number` is that of the tiles of pixels
  /// which do so one after the other.
  void prefetch(const MatrixReduction &part, Value address, Value number);
  void multiply(const MatrixReduction &part, Value image,
                ArrayRef<Place> places, Value number, Value vector,
                int64_t vectors);
  void loadLeft(int64_t tile, const MatrixReduction &part, Value image,
                const Place &place, Value number, ValueRange step);
  /// Stores what becomes of the sums of these vectors for the tile p's pixel.
  void storePixel(int64_t p, Value image, const Place &place, Value pixel,
                  Value vector, ArrayRef<Epilogue::Factors> factors);

  KernelBuilder &kernel;
  TileRegisters registers;
  const MatrixContraction &contraction;
  /// How many tiles the columns of a row are cut into, their pixels, and the
  /// tiles of an image.
  Value tilesPerRow, pixels, numTiles;
  Value sums;   // on their way from tiles to vectors
  Value packed; // left tiles: tile, step, row, byte
  /// Where sums start from, if not from zero.
  std::optional<RowPointer> start;
};

} // namespace

void MatrixEmitter::configure() {
  int64_t lanesBytes = kernel.machine.lanes * kWordBytes;
  SmallVector<TileShape> shapes;
  for (int64_t i = 0; i < kTiles; ++i) {
    bool isLeft = i >= kLeft && i < kRight;
    // Of two parts, each has every other operand.
    int64_t depth = contraction.parts[i % contraction.parts.size()].depth;
    shapes.push_back({/*isOfPixels=*/i < kRight, depth,
                      isLeft ? depth * kWordBytes : lanesBytes});
  }
  registers.configure(shapes, pixels);
}

MatrixEmitter::Place MatrixEmitter::locate(Value number) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value row = b.createOrFold<arith::DivUIOp>(loc, number, tilesPerRow);
  Value index = b.createOrFold<arith::RemUIOp>(loc, number, tilesPerRow);
  Value wanted = b.createOrFold<arith::MulIOp>(loc, index, pixels);
  Value last = kernel.sub(kernel.index(contraction.columns), pixels);
  Value column = b.createOrFold<arith::MinUIOp>(loc, wanted, last);
  return {row, column, kernel.sub(wanted, column)};
}

void MatrixEmitter::prefetch(const MatrixReduction &part, Value address,
                             Value number) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  std::optional<int64_t> tiles = getConstantIntValue(numTiles);
  int64_t steps = llvm::divideCeilSigned(tiles.value_or(0), kPixelTiles);
  if (steps == 0 || steps > part.depth) {
    return;
  }
  int64_t rows = llvm::divideCeilSigned(part.depth, steps);
  Value first = kernel.mul(kernel.div(number, kPixelTiles), rows);
  for (int64_t i = 0; i < rows; ++i) {
    Value row = toI64(kernel, kernel.add(first, i));
    Value bytes =
        b.createOrFold<arith::MulIOp>(loc, row, contraction.rightStride);
    Value line = LLVM::GEPOp::create(b, loc, address.getType(), b.getI8Type(),
                                     address, ArrayRef<LLVM::GEPArg>{bytes});
    // Into the second cache: the first may hold no more than this step's.
    constexpr int64_t kRead = 0, kSecondCache = 2, kData = 1;
    LLVM::Prefetch::create(b, loc, line, kRead, kSecondCache, kData);
  }
}

/// The sum of a tile of pixels and a vector.
static int64_t sum(size_t p, int64_t v) {
  return v * kPixelTiles + static_cast<int64_t>(p);
}

void MatrixEmitter::multiply(const MatrixReduction &part, Value image,
                             ArrayRef<Place> places, Value number, Value vector,
                             int64_t vectors) {
  // All operands of a step have tiles of their own, unless there are two parts.
  bool shares = contraction.parts.size() > 1;
  int64_t index = &part - contraction.parts.begin();
  kernel.nest(part.steps, [&](ValueRange k) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value current = kernel.add(vector, v);
      int64_t right = kRight + (shares ? index : v);
      registers.load(right, part.right(image, current, k),
                     contraction.rightStride, contraction.streamRight);
      if (contraction.prefetchesNext) {
        Value next = kernel.add(current, vectors);
        prefetch(part, part.right(image, next, k), number);
      }
      for (auto [p, place] : llvm::enumerate(places)) {
        int64_t left = kLeft + (shares ? index : static_cast<int64_t>(p));
        if (shares || v == 0) {
          loadLeft(left, part, image, place,
                   kernel.add(number, static_cast<int64_t>(p)), k);
        }
        registers.multiply(contraction.epilogue.elementType, sum(p, v), left,
                           right);
      }
    }
  });
}

void MatrixEmitter::loadLeft(int64_t tile, const MatrixReduction &part,
                             Value image, const Place &place, Value number,
                             ValueRange step) {
  if (!packed) {
    registers.load(tile, part.left(image, place.row, place.column, step),
                   contraction.leftStride);
    return;
  }
  RowPointer tiles(kernel, packed);
  Value zero = kernel.index(0);
  registers.load(tile, tiles.at({number, step[0], zero, zero}),
                 tiles.getStride(2));
}

void MatrixEmitter::pack(Value image, Value first, OpFoldResult tiles) {
  const MatrixReduction &part = contraction.parts.front();
  RowPointer target(kernel, packed);
  PieceCopies copies{part.pieces, part.depth * kWordBytes / part.pieces,
                     part.pieceStride, contraction.leftStride};
  Value zero = kernel.index(0);
  kernel.loop(tiles, [&](Value number) {
    Place place = locate(kernel.add(first, number));
    kernel.nest(
        part.steps,
        [&](ValueRange step) {
          copies.emit(kernel, part.left(image, place.row, place.column, step),
                      target.at({number, step[0], zero, zero}), pixels);
        },
        /*rolled=*/true);
  });
}

void MatrixEmitter::emitTiles(Value image, Value first, Value number,
                              int64_t count, Value vector, int64_t vectors) {
  SmallVector<Place> places;
  for (int64_t p = 0; p < count; ++p) {
    places.push_back(locate(kernel.add(kernel.add(first, number), p)));
  }
  Value same = toI64(kernel, kernel.index(0));
  SmallVector<Epilogue::Factors> factors;
  for (int64_t v = 0; v < vectors; ++v) {
    SmallVector<Value> channel = contraction.channel(kernel.add(vector, v));
    factors.push_back(
        contraction.epilogue.loadFactors(kernel, channel, contraction.lanes));
    for (int64_t p = 0; p < count; ++p) {
      if (start) {
        registers.load(sum(p, v), start->at(channel), same);
      } else {
        registers.zero(sum(p, v));
      }
    }
  }
  for (const MatrixReduction &part : contraction.parts) {
    multiply(part, image, places, number, vector, vectors);
  }
  RowPointer results(kernel, sums);
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value at = results.at(
          {kernel.index(sum(p, v)), kernel.index(0), kernel.index(0)});
      registers.store(sum(p, v), at, results.getStride(1));
    }
  }
  for (int64_t p = 0; p < count; ++p) {
    const Place &place = places[p];
    Value left = kernel.sub(pixels, place.first);
    kernel.loop(getAsOpFoldResult(left), [&](Value i) {
      storePixel(p, image, place, kernel.add(place.first, i), vector, factors);
    });
  }
}

void MatrixEmitter::storePixel(int64_t p, Value image, const Place &place,
                               Value pixel, Value vector,
                               ArrayRef<Epilogue::Factors> factors) {
  Value row = place.row, column = kernel.add(place.column, pixel);
  auto store = [&] {
    for (auto [v, vectorFactors] : llvm::enumerate(factors)) {
      auto number = static_cast<int64_t>(v);
      Value values = kernel.load(
          sums, {kernel.index(sum(p, number)), pixel, kernel.index(0)},
          kernel.fullLanes());
      contraction.epilogue.store(
          kernel, values, vectorFactors,
          contraction.pixel(image, row, column, kernel.add(vector, number)),
          contraction.lanes);
    }
  };
  if (contraction.pitch == 0) {
    store();
    return;
  }
  OpBuilder &b = kernel.builder;
  row = kernel.div(column, contraction.pitch);
  column = kernel.rem(column, contraction.pitch);
  Value isResult =
      arith::CmpIOp::create(b, kernel.loc, arith::CmpIPredicate::ult, column,
                            kernel.index(contraction.validColumns));
  auto branch = scf::IfOp::create(b, kernel.loc, isResult);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  store();
}

void MatrixEmitter::emitPixels(Value image, Value first, OpFoldResult tiles,
                               Value vector, int64_t vectors) {
  kernel.tiles(tiles, kPixelTiles, [&](Value number, int64_t count) {
    emitTiles(image, first, number, count, vector, vectors);
  });
}

void MatrixEmitter::emitStrips(
    llvm::function_ref<void(Value, OpFoldResult, Value)> body) {
  OpBuilder &b = kernel.builder;
  int64_t tiles = *getConstantIntValue(numTiles);
  int64_t length = contraction.stripTiles;
  if (!contraction.packPixels) {
    int64_t steps = *getConstantIntValue(contraction.parts[0].steps[0]);
    VPU::MatrixUnitAttr unit = kernel.machine.matrixUnit;
    packed = memref::AllocaOp::create(
        b, kernel.loc,
        MemRefType::get({length, steps, unit.getRows(), unit.getRowBytes()},
                        b.getI8Type()),
        b.getI64IntegerAttr(unit.getRowBytes()));
  }
  kernel.loop(contraction.images, [&](Value image) {
    kernel.loop(llvm::divideCeilSigned(tiles, length), [&](Value strip) {
      Value first = kernel.mul(strip, length);
      Value left = kernel.sub(kernel.index(tiles), first);
      Value count = b.createOrFold<arith::MinUIOp>(kernel.loc, left,
                                                   kernel.index(length));
      body(first, getAsOpFoldResult(count), image);
    });
  });
}

void MatrixEmitter::emit(Value first, OpFoldResult count) {
  assert(contraction.parts.size() <= kMostParts && "expected as many tiles");
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  // Rather than memref.alloca_scope, in which no loops could become branches.
  Value stack = LLVM::StackSaveOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()));
  int64_t rows = kernel.machine.matrixUnit.getRows();
  // As even tiles as their number allows. One without pixels is no tile.
  Value columns = kernel.index(contraction.columns);
  Value some = b.createOrFold<arith::MaxUIOp>(loc, columns, kernel.index(1));
  tilesPerRow = kernel.div(kernel.add(some, rows - 1), rows);
  pixels = b.createOrFold<arith::CeilDivUIOp>(loc, some, tilesPerRow);
  Type sumType = isa<FloatType>(contraction.epilogue.elementType)
                     ? Type(b.getF32Type())
                     : b.getI32Type();
  sums = memref::AllocaOp::create(
      b, loc, MemRefType::get({kSums, rows, kernel.machine.lanes}, sumType),
      b.getI64IntegerAttr(kernel.machine.lanes * kWordBytes));
  configure();
  if (Value values = contraction.epilogue.getStart()) {
    start.emplace(kernel, values);
  }
  numTiles = b.createOrFold<arith::MulIOp>(
      loc, kernel.index(contraction.rows),
      kernel.div(kernel.add(columns, rows - 1), rows));
  auto forEachVector = [&](llvm::function_ref<void(Value, int64_t)> body) {
    kernel.tiles(count, kVectors, [&](Value base, int64_t vectors) {
      body(kernel.add(first, base), vectors);
    });
  };
  if (contraction.stripTiles > 0) {
    emitStrips([&](Value firstTile, OpFoldResult tiles, Value image) {
      if (contraction.packPixels) {
        Place place = locate(firstTile);
        contraction.packPixels(image, place.row, place.column);
      } else {
        pack(image, firstTile, tiles);
      }
      forEachVector([&](Value vector, int64_t vectors) {
        if (contraction.packWeights) {
          contraction.packWeights(vector, vectors);
        }
        emitPixels(image, firstTile, tiles, vector, vectors);
      });
    });
  } else if (contraction.pixelsFirst) {
    kernel.loop(contraction.images, [&](Value image) {
      kernel.tiles(getAsOpFoldResult(numTiles), kPixelTiles,
                   [&](Value number, int64_t tiles) {
                     forEachVector([&](Value vector, int64_t vectors) {
                       emitTiles(image, kernel.index(0), number, tiles, vector,
                                 vectors);
                     });
                   });
    });
  } else {
    forEachVector([&](Value vector, int64_t vectors) {
      kernel.loop(contraction.images, [&](Value image) {
        emitPixels(image, kernel.index(0), getAsOpFoldResult(numTiles), vector,
                   vectors);
      });
    });
  }
  registers.release();
  LLVM::StackRestoreOp::create(b, loc, stack);
}

void nacre::buildMatrixContraction(KernelBuilder &kernel,
                                   const MatrixContraction &contraction,
                                   Value first, OpFoldResult count) {
  MatrixEmitter(kernel, contraction).emit(first, count);
}
