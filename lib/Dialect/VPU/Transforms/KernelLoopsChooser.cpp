//===- KernelLoopsChooser.cpp - Loops of software kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM vectorises a loop along its one direction. Chooses what is written with
// vectors instead, in blocks of which size, and which loop LLVM is given as the
// innermost one.
//
//===----------------------------------------------------------------------===//

#include "StrategyChoosers.h"
#include "nacre/Dialect/VPU/Cost/Constants.h"
#include "nacre/Dialect/VPU/Transforms/ByteProduct.h"
#include "nacre/Dialect/VPU/Transforms/KernelLoops.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace nacre;
using namespace nacre::VPU;

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

/// With fewer elements in a vector, loops over single ones are as fast.
static constexpr int64_t kFewestElements = 4;

/// True where blocks of so many elements would fill too little of a vector, and
/// LLVM takes so many apart.
static bool areFew(int64_t count, Type element) {
  constexpr int64_t kMostInterleaved = 8;
  constexpr int64_t kLeastBits = 64;
  if (ShapedType::isDynamic(count) || count < 2 || count > kMostInterleaved) {
    return false;
  }
  return count < kFewestElements ||
         count * static_cast<int64_t>(element.getIntOrFloatBitWidth()) <
             kLeastBits;
}

/// The most elements of a vector, up to `most`, that all `sizes` have; zero
/// where they are too few to be worth it.
static int64_t
chooseLength(ArrayRef<int64_t> sizes, Type element, ArchAttr arch,
             int64_t most = std::numeric_limits<int64_t>::max()) {
  auto bits = static_cast<int64_t>(element.getIntOrFloatBitWidth());
  if (bits % 8 != 0 || bits > 64) {
    return 0;
  }
  int64_t length = std::min(most, arch.getLanes() * 32 / bits);
  for (int64_t size : sizes) {
    if (!ShapedType::isDynamic(size)) {
      length = std::min<int64_t>(length, llvm::bit_floor<uint64_t>(size));
    }
  }
  return length < kFewestElements ? 0 : length;
}

/// The edge of square blocks of vectors.
static int64_t chooseEdge(ArrayRef<int64_t> sizes, Type element,
                          ArchAttr arch) {
  // More vectors need registers for the masks of shuffles alone.
  constexpr int64_t kMostVectors = 16;
  return chooseLength(sizes, element, arch, kMostVectors);
}

/// An op whose loops stay as they are, but for one of the fields.
static KernelLoopsAttr getLoops(MLIRContext *context,
                                int64_t innermost = KernelLoopsAttr::kNone,
                                int64_t unrolled = KernelLoopsAttr::kNone,
                                int64_t blockEdge = 0,
                                ByteProductAttr byteProduct = {}) {
  return KernelLoopsAttr::get(context, innermost, unrolled, blockEdge,
                              byteProduct, /*joinStored=*/false);
}

static KernelLoopsAttr
choose(linalg::LinalgOp op, const Transposition &transposition, ArchAttr arch) {
  MLIRContext *context = op.getContext();
  Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  if (!element.isIntOrFloat()) {
    return getLoops(context);
  }
  auto [source, result] = transposition;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (areFew(sizes[source], element)) {
    return getLoops(context, /*innermost=*/result, /*unrolled=*/source);
  }
  if (areFew(sizes[result], element)) {
    return getLoops(context, /*innermost=*/source, /*unrolled=*/result);
  }
  return getLoops(context, KernelLoopsAttr::kNone, KernelLoopsAttr::kNone,
                  chooseEdge({sizes[source], sizes[result]}, element, arch));
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

/// Where the copies of one element fill a vector, LLVM stores such vectors. Of
/// fewer it makes a short memset if they are bytes, scatters three, and leaves
/// the end of a row to single elements.
static KernelLoopsAttr choose(linalg::LinalgOp op, const Repetition &repetition,
                              ArchAttr arch) {
  MLIRContext *context = op.getContext();
  Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  if (!element.isIntOrFloat()) {
    return getLoops(context);
  }
  auto [source, copies] = repetition;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t bits = element.getIntOrFloatBitWidth();
  bool areMany = sizes[copies] * bits >= arch.getLanes() * 32 ||
                 sizes[copies] > Repetition::kMostCopies;
  return getLoops(context, KernelLoopsAttr::kNone, KernelLoopsAttr::kNone,
                  areMany ? 0 : chooseLength(sizes[source], element, arch));
}

//===----------------------------------------------------------------------===//
// Products of bytes
//===----------------------------------------------------------------------===//

/// True for few rows, which are multiplied by some rows of the matrix before
/// the next ones are: those are read once.
static bool areFewRows(const ByteProduct &product, ArrayRef<int64_t> sizes) {
  constexpr int64_t kFewRows = 4;
  int64_t rows = 1;
  for (unsigned loop : product.getRowLoops()) {
    if (ShapedType::isDynamic(sizes[loop]) || rows > kFewRows) {
      return false;
    }
    rows *= sizes[loop];
  }
  return rows <= kFewRows;
}

static ByteProductAttr choose(const ByteProduct &product, ArchAttr arch) {
  // Columns whose sums stay in the first cache, and rows of the matrix that
  // are multiplied between loading and storing a sum.
  constexpr int64_t kColumns = 2048, kRows = 8;
  linalg::GenericOp op = product.op;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isLess = [](int64_t size, int64_t least) {
    return !ShapedType::isDynamic(size) && size < least;
  };
  int64_t perLane = product.getMostPerLane(arch);
  // Vectors have more columns than there are, or nothing to sum up.
  if (perLane < ByteProductAttr::kWords ||
      isLess(sizes[product.columnLoop], arch.getLanes()) ||
      isLess(sizes[product.sumLoop], ByteProductAttr::kWords)) {
    return {};
  }
  bool byParts = perLane == ByteProductAttr::kBytes &&
                 arch.getLanes() * perLane ==
                     ByteProduct::kParts * ByteProduct::kPartBytes;
  return ByteProductAttr::get(op.getContext(), perLane, kRows, kColumns,
                              areFewRows(product, sizes), byParts);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The loop over columns of what sums windows, where that should be the
/// innermost one. LLVM unrolls loops over small windows, and vectorises along
/// the columns then.
static int64_t chooseInnermost(linalg::GenericOp op, unsigned columns) {
  SmallVector<unsigned> window;
  op.getReductionDims(window);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t elements = 1;
  for (unsigned loop : window) {
    if (ShapedType::isDynamic(extents[loop])) {
      return KernelLoopsAttr::kNone;
    }
    elements *= extents[loop];
  }
  // The longer loop had better be the innermost one.
  bool isShort = !ShapedType::isDynamic(extents[columns]) &&
                 extents[columns] < extents[window.back()];
  bool isInnermost = columns + 1 == op.getNumLoops();
  return elements <= kMostUnrolledSteps || isShort || isInnermost
             ? KernelLoopsAttr::kNone
             : static_cast<int64_t>(columns);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The loops of an op that has the choice.
static KernelLoopsAttr choose(linalg::LinalgOp op, ArchAttr arch) {
  MLIRContext *context = op.getContext();
  if (std::optional<Transposition> transposition = Transposition::get(op)) {
    return choose(op, *transposition, arch);
  }
  if (std::optional<Repetition> repetition = Repetition::get(op)) {
    return choose(op, *repetition, arch);
  }
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  if (std::optional<ByteProduct> product = ByteProduct::get(generic)) {
    if (ByteProductAttr tile = choose(*product, arch)) {
      return getLoops(context, KernelLoopsAttr::kNone, KernelLoopsAttr::kNone,
                      /*blockEdge=*/0, tile);
    }
  }
  std::optional<unsigned> columns = getWindowColumns(generic);
  return getLoops(context, columns ? chooseInnermost(generic, *columns)
                                   : KernelLoopsAttr::kNone);
}

void VPU::chooseKernelLoops(FunctionOpInterface function,
                            const ChooserInput &input) {
  function->walk([&](linalg::LinalgOp op) {
    // A strategy that decides nothing is as good as none.
    bool isOpen =
        StrategyAttr::lookup(op) == StrategyAttr::getDefault(op->getContext());
    if (!hasKernelLoops(op, input.arch) || (input.isGiven(op) && !isOpen)) {
      return;
    }
    auto kernel = KernelStrategyAttr::get(
        op->getContext(), /*registers=*/{}, /*prefetchWeights=*/false,
        /*prefetchBytes=*/0, /*prefetchPixels=*/false,
        /*stagedColumns=*/nullptr, BorderDims::none,
        /*rollWindow=*/false, /*matrixTiles=*/nullptr, /*lowBitTile=*/nullptr,
        choose(op, input.arch));
    StrategyAttr::getForKernel(op->getContext(), kernel).attachTo(op);
  });
}
