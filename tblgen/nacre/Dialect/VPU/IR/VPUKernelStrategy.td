//===- VPUKernelStrategy.td - What a kernel's code depends on *- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a strategy that convert-vpu-to-vector applies: tiles of registers.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUKERNELSTRATEGY_TD
#define NACRE_DIALECT_VPU_IR_VPUKERNELSTRATEGY_TD

include "nacre/Dialect/VPU/IR/VPUBase.td"
include "mlir/IR/AttrTypeBase.td"

/// Register tiles as `[<columns = 14, vectors = 2>, <columns = 28>]`.
class VPU_RegisterTilesParameter<string desc>
    : OptionalArrayRefParameter<"RegisterTileAttr", desc> {
  let parser = "parseRegisterTiles($_parser)";
  let printer = "printRegisterTiles($_printer, $_self)";
}

/// A set of edges as a list of their names.
def VPU_BorderDimsParameter
    : DefaultValuedParameter<"BorderDims", "BorderDims::none"> {
  let parser = "parseBorderDims($_parser)";
  let printer = "printBorderDims($_printer, $_self)";
}

def VPU_RegisterTileAttr : VPU_Attr<"RegisterTile", "register_tile"> {
  let summary = "Sums that stay in vector registers through a reduction";
  let description = [{
    A register tile has `rows` times `columns` pixels of an image, or `columns` rows
    of a matrix, times `vectors` machine vectors of output channels, or of columns of
    a matrix. Each of these products is a vector of sums, an accumulator. So
    `rows * columns * vectors` registers hold sums, `vectors` hold the weights of a
    step, and one a pixel.

    With `bufferWeights`, the weights of all steps of the reduction, for `vectors`
    vectors, become what they are multiplied as in a buffer on the stack, once for
    all tiles that are multiplied by them: floats of the machine, where they are
    16-bit floats or the rows of a transposed matrix, or packs of rows of bytes. Else
    each tile loads, and widens or packs, them as they lie.

    With `widenRows`, the bytes of a tile's rows of a matrix, or of the pixels that its
    windows meet, become 16-bit words in a buffer on the stack, once for all vectors of
    the tile: where they are multiplied in pairs, by an instruction for words. Else each
    step of the reduction widens a pair.

    With `steps`, a tile of rows of bytes takes so many steps of the reduction for all
    columns, then the next ones, with its sums in a buffer on the stack meanwhile: a
    matrix that no cache of the core keeps is read in the order in which it lies.
    Without, a tile takes all steps, a few columns of each row.

    ```mlir
    #VPU.register_tile<columns = 14, vectors = 2>
    #VPU.register_tile<rows = 2, columns = 7, vectors = 2, bufferWeights = true>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "1", "rows of pixels">:$rows,
    DefaultValuedParameter<"int64_t", "1", "pixels of a row">:$columns,
    DefaultValuedParameter<"int64_t", "1", "vectors of channels">:$vectors,
    DefaultValuedParameter<"bool", "false">:$bufferWeights,
    DefaultValuedParameter<"bool", "false">:$widenRows,
    DefaultValuedParameter<"int64_t", "0", "steps at a time">:$steps
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    RegisterTile getTile() const {
      return {getRows(), getColumns(), getVectors()};
    }
  }];
}

def VPU_LowBitTileAttr : VPU_Attr<"LowBitTile", "low_bit_tile"> {
  let summary = "How a matrix unit multiplies by weights of few bits";
  let description = [{
    Sizes of a `VPU.NCE.MatMulNBits` of many rows, whose weights become tiles of bf16
    in scratch memory. A word holds `32 / bits` weights of a column.

    - `stepWords` counts the words of each column in one tile of weights.
    - `pieceWords` counts the words after which sums are scaled and added to totals
      in f32: a block, or a part of it of whole tiles.
    - `rowTiles` counts the tiles of rows that are multiplied by the same tiles of
      weights, and `panels` the panels of weights that are tiles at a time. Two of each
      are multiplied at once, so that both are even.
    - `pieces` counts the pieces for which rows are split into bf16 numbers at a time.

    ```mlir
    #VPU.low_bit_tile<stepWords = 4, pieceWords = 4, rowTiles = 4, panels = 4, pieces = 8>
    ```
  }];
  let parameters = (ins
    "int64_t":$stepWords, "int64_t":$pieceWords, "int64_t":$rowTiles,
    "int64_t":$panels, "int64_t":$pieces
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def VPU_MatrixTilesAttr : VPU_Attr<"MatrixTiles", "matrix_tiles"> {
  let summary = "In which order a matrix unit multiplies which tiles";
  let description = [{
    Of a convolution or a product of matrices on a matrix unit, which multiplies two
    left tiles, of pixels or rows, by two right ones, of vectors of channels or columns.

    - `joinRows` takes all rows of an image as one, with what lies between them in the
      padded input: tiles of short rows are full then.
    - `pieces` counts the blocks of channels whose elements are copied beside each
      other, so that a row of a left tile is full: of a convolution. One copies nothing.
      Where it has a window, the weights of two vectors are copied, too, into the same
      order.
    - `windowRows` counts the rows of a window whose elements are copied beside each
      other instead, so that they are a row of a left tile: of a convolution of one block
      of few channels, whose rows are not joined and weights not prefetched. None copies
      nothing.
    - `stripTiles` counts the left tiles whose pixels are copied at a time, if any are.
      With a window they are those of whole rows, unless rows are joined.
    - `pixelsFirst` multiplies two left tiles by all right ones before the next two,
      rather than all left ones by two right ones.
    - `streamRight` loads right tiles without leaving them in the first cache, which
      then keeps the left ones. It is not for copies, which are near enough.

    ```mlir
    #VPU.matrix_tiles<pieces = 4, stripTiles = 8>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"bool", "false">:$joinRows,
    DefaultValuedParameter<"int64_t", "1", "blocks of channels">:$pieces,
    DefaultValuedParameter<"int64_t", "0", "rows of a window">:$windowRows,
    DefaultValuedParameter<"int64_t", "0", "left tiles">:$stripTiles,
    DefaultValuedParameter<"bool", "false">:$pixelsFirst,
    DefaultValuedParameter<"bool", "false">:$streamRight
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def VPU_StagedColumnsAttr : VPU_Attr<"StagedColumns", "staged_columns"> {
  let summary = "Columns of a tile of Winograd's algorithm that are kept in memory";
  let description = [{
    Winograd's algorithm transforms each column of a tile, then each row of what that
    gives. No registers hold all elements of a tile between the two: the first
    `inputs` columns of a tile of the input, and the first `outputs` of a tile of
    products, are stored and loaded again. Registers hold the others.

    ```mlir
    #VPU.staged_columns<inputs = 2, outputs = 2>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "0">:$inputs,
    DefaultValuedParameter<"int64_t", "0">:$outputs
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def VPU_ByteProductAttr : VPU_Attr<"ByteProduct", "byte_product"> {
  let summary = "How vectors multiply rows by a matrix of bytes";
  let description = [{
    Of a structured op that sums products of bytes along a loop which is not its
    innermost one. The innermost one goes along the columns of the matrix.

    - `perLane` counts the elements of a column that are side by side in each lane,
      where an instruction multiplies them and adds them up: two words, or four bytes
      where one factor is unsigned and the other signed.
    - `rows` counts the rows of the matrix that are multiplied between loading and
      storing a vector of sums.
    - `columns` counts the columns whose sums stay in the first cache meanwhile.
    - `rowsInside` multiplies all rows of the other factor by these rows of the matrix
      before the next ones are, so that the matrix is read once.
    - `byParts` interleaves bytes of whole registers within each 16 of them, which
      takes the fewest shuffles. While a product is computed, its sums lie in that
      order in memory. It is for four bytes in each of 16 lanes.

    ```mlir
    #VPU.byte_product<perLane = 4, rows = 8, columns = 2048, rowsInside = true, byParts = true>
    ```
  }];
  let parameters = (ins
    "int64_t":$perLane, "int64_t":$rows, "int64_t":$columns,
    DefaultValuedParameter<"bool", "false">:$rowsInside,
    DefaultValuedParameter<"bool", "false">:$byParts
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The elements of a column that an instruction multiplies: bytes where one
    /// factor is unsigned and the other signed, else words.
    static constexpr int64_t kBytes = 4, kWords = 2;
  }];
}

def VPU_KernelLoopsAttr : VPU_Attr<"KernelLoops", "kernel_loops"> {
  let summary = "How the loops of a structured op become code";
  let description = [{
    Of a software kernel on buffers. Without any of the fields its loops are those of
    the op, in their order, and LLVM vectorises the innermost one.

    - `innermost` is the number of the loop that becomes the innermost one: along rows
      that a window slides along, or that a transposition moves few elements of.
    - `unrolled` is, of a transposition, the number of the loop over few elements that
      lie side by side. They are moved one after the other in each step of `innermost`.
    - `blockEdge` makes square blocks of a transposition: as many vectors are loaded as
      each has elements, exchanged in registers, and stored. Of a copy that has each
      element several times side by side, it is the elements of a vector that is loaded.
    - `byteProduct` has the sizes of a product of bytes.
    - `joinStored` is of an op that reduces rows which an elementwise op before it has
      stored: one loop has both results, so that elements are reduced while they are
      in registers. It is decided with `decide=joins`, before loops are merged, and
      `collapse-loops` applies and removes it.

    ```mlir
    #VPU.kernel_loops<blockEdge = 16>
    #VPU.kernel_loops<innermost = 2, unrolled = 3>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "-1", "number of a loop">:$innermost,
    DefaultValuedParameter<"int64_t", "-1", "number of a loop">:$unrolled,
    DefaultValuedParameter<"int64_t", "0", "elements of a vector">:$blockEdge,
    OptionalParameter<"ByteProductAttr">:$byteProduct,
    DefaultValuedParameter<"bool", "false">:$joinStored
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Stands for no number of a loop.
    static constexpr int64_t kNone = -1;
  }];
}

def VPU_KernelStrategyAttr : VPU_Attr<"KernelStrategy", "kernel_strategy"> {
  let summary = "What the code of an op's kernel depends on";
  let description = [{
    What `vpu-choose-strategies` decides with `decide=registers` about an op on
    buffers, each distinct kernel once, and `convert-vpu-to-vector` applies, or
    `vectorize-structured-ops` to software kernels.

    - `registers` has the register tiles of the kernel, in this order:

      | op | tiles |
      |----|-------|
      | Convolution | of whole vectors of channels, then of the vector that is partly filled; those that there are, and none on a matrix unit |
      | GroupConvolution, DepthConvolution | one |
      | WinogradConvolution | one for each number of transformed tiles in a chunk, the chunks at the edges behind the others |
      | MatMul | one, and none on a matrix unit; where the number of rows is dynamic and weights are buffered, a second one for so few rows that they are not |
      | MaxPool, AveragePool | one |
      | MatMulNBits | for weights that are unpacked in registers, of one vector; then for those unpacked in scratch memory, one for each number of panels at a time, the most first |

    - `prefetchWeights` asks for the weights of the next vectors of channels, or of
      columns of a matrix, while it multiplies by these. Of products on vector units it
      is for panels that are a vector wide, which no transposed matrix has; on a matrix
      unit it is for convolutions.
    - `prefetchBytes` is how far ahead of its reader a `VPU.NCE.MatMulNBits` asks for
      its weights, where it multiplies by them in the order in which they lie. Zero asks
      for none.
    - `prefetchPixels` has each register tile of a convolution without a window ask
      for the pixels of the next tile, block of channels by block: they come from
      another cache than the core's own, and the blocks of an image lie too far apart
      for a processor to foresee them.
    - `stagedColumns` says what Winograd's algorithm keeps in memory between columns and
      rows of a tile; absent, it keeps nothing there.
    - `skipBorder` leaves out products of a convolution's taps with its border of
      zeros: above and below (`rows`), and left and right (`columns`). Tiles of one row
      compute which rows of taps they need; the tiles at other edges have code of
      their own.
    - `rollWindow` makes the rows of a window a loop in a DepthConvolution. Without it
      they are code each, which shares pixels between them in registers.
    - `matrixTiles` says how a matrix unit computes a convolution or a product.
    - `lowBitTile` has the sizes of a `VPU.NCE.MatMulNBits` of many rows on a matrix
      unit. It is decided with `decide=buffers`, as scratch memory follows from it.
    - `loops` says how the loops of a software kernel become code. All other fields are
      of ops of the engine.

    ```mlir
    #VPU.kernel_strategy<loops = <blockEdge = 16>>
    #VPU.kernel_strategy<registers = [<columns = 14, vectors = 2>], skipBorder = [rows]>
    ```
  }];
  let parameters = (ins
    VPU_RegisterTilesParameter<"tiles of the kernel">:$registers,
    DefaultValuedParameter<"bool", "false">:$prefetchWeights,
    DefaultValuedParameter<"int64_t", "0">:$prefetchBytes,
    DefaultValuedParameter<"bool", "false">:$prefetchPixels,
    OptionalParameter<"StagedColumnsAttr">:$stagedColumns,
    VPU_BorderDimsParameter:$skipBorder,
    DefaultValuedParameter<"bool", "false">:$rollWindow,
    OptionalParameter<"MatrixTilesAttr">:$matrixTiles,
    OptionalParameter<"LowBitTileAttr">:$lowBitTile,
    OptionalParameter<"KernelLoopsAttr">:$loops
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // NACRE_DIALECT_VPU_IR_VPUKERNELSTRATEGY_TD
