//===- VPUStrategy.td - How an op is to be computed --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one attribute in which decisions about algorithms and loops stand.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD
#define NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD

include "nacre/Dialect/Nacre/IR/LoweringInterface.td"
include "nacre/Dialect/VPU/IR/VPUBase.td"
include "nacre/Dialect/VPU/IR/VPUKernelStrategy.td"
include "mlir/IR/AttrTypeBase.td"

/// Numbers of parts, one for each dimension; `?` where it is computed at run
/// time.
class VPU_CountsParameter<string desc>
    : OptionalArrayRefParameter<"int64_t", desc> {
  let parser = "parseCounts($_parser)";
  let printer = "printCounts($_printer, $_self)";
}

/// A set of neighbours as a list of their names.
def VPU_NeighboursParameter
    : DefaultValuedParameter<"FusedNeighbours", "FusedNeighbours::none"> {
  let parser = "parseNeighbours($_parser)";
  let printer = "printNeighbours($_printer, $_self)";
}

def VPU_TileLimitsAttr : VPU_Attr<"TileLimits", "tile_limits"> {
  let summary = "What bounds tiles whose size is computed at run time";
  let description = [{
    The code that computes the size takes as many steps of a loop as fit `bytes`,
    and no fewer than the other fields say:

    - `leastSteps` has a number for each loop of a group of ops. So many steps make
      a block, also where they take more.
    - `mostBytes` has a number for each of these loops. Where it is not zero,
      `leastSteps` of this loop are only as many as fit so many bytes.
    - `leastBytes` is what is left of `bytes` for steps of a group, also where what does
      not depend on their number, such as keys of attention, takes more than the rest.
    - `leastPixels` counts the rows times columns of a tile of an image.

    ```mlir
    #VPU.tile_limits<bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0], leastBytes = 16384>
    #VPU.tile_limits<bytes = 262144, leastPixels = 6>
    ```
  }];
  let parameters = (ins
    "int64_t":$bytes,
    VPU_CountsParameter<"fewest steps of each loop">:$leastSteps,
    VPU_CountsParameter<"most bytes of these">:$mostBytes,
    DefaultValuedParameter<"int64_t", "0">:$leastBytes,
    DefaultValuedParameter<"int64_t", "0">:$leastPixels
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def VPU_StrategyAttr : VPU_Attr<"Strategy", "strategy",
    [DeclareAttrInterfaceMethods<LoweringAttrInterface>]> {
  let summary = "How an op is computed, distributed, tiled and fused";
  let description = [{
    What `vpu-choose-strategies` decided about an op, or a person by hand;
    `vpu-apply-winograd`, `vpu-group-loops`, `vpu-fuse-rows`,
    `vpu-apply-padding`, `vpu-apply-clusters`, `vpu-apply-tiles`,
    `vpu-distribute-software`, `vpu-share-groups`, `vpu-allocate-scratch`,
    `vpu-prefetch-shared`, `collapse-loops`, `convert-vpu-to-vector` and
    `vectorize-structured-ops` make it so and decide nothing,
    nor do `convert-ie-to-vpu` and `convert-ie-to-linalg` where an operator has several
    algorithms. It stands on the op as `VPU.strategy`:

    ```mlir
    VPU.NCE.Convolution ins(…) outs(…) {
      VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight,
                                   parts = [1, 1, 2, 1, 1], tiles = [1, 1, 4, 1, 1]>}
    ```

    - `algorithm` is what a convolution that has the choice is computed by:
      `direct`, or `winograd` with tiles of `winogradTile` rows and columns of results.
      `vpu-apply-winograd` applies and removes it; what is `undecided` stays as it
      is. Operators of the model have others, the first where nothing is decided:

      | operator | algorithms |
      |----------|------------|
      | ArgMax, ArgMin | `inTurn`, the best elements by one loop and their positions by another; `atOnce`, both by one |
      | AveragePool, MaxPool | `direct`, on the engine where it has the windows; `software`; `asOperand`, on the engine where the operand comes from it, and in software elsewhere; `slices`, the same, but in software with one operand for each place in a window; of averages of floats that were 16-bit ones `narrowImage`, where software extends each element that a window reads if the engine does not have it, and `narrowSoftware`, where it does so in any case |
      | Conv of volumes | `inTurn`, a convolution for each image that a window meets, added up; `atOnce`, one whose channels are all of these; of single elements `rowMajor`, one of the volume as it lies, whose depth and rows are rows. A volume that comes from the engine has its images taken in turn |
      | ConvTranspose | `phases`, a convolution for each phase of the result; `phasesAsChannels`, one convolution whose channels are spread out as phases; `software`, a kernel that the engine has no part in |
      | GridSample | `direct`, row by row: positions and weights of a row are computed once for all channels; `planes`, unless `nearest`, channel by channel, after those of all rows |
      | LRN | `direct`, of padded channels; `slices`, one operand for each neighbour of a channel |
      | MatMul, Gemm by a matrix that is computed | `panels`, into which that is copied; `rowMajor`, as it lies |
      | MatMulInteger by a matrix that is computed | `panels`, into which that is copied for the engine; `rowMajor`, as it lies, whose rows a kernel packs in registers; `software`, which reads it as it lies |
      | RoiAlign | `direct`; `channelsLast`, of the transposed image; with a `sampling_ratio` `channelsLastIfMany`, of the transposed image where a run finds its regions to read as many elements as it has, and else as it lies |
      | Softmax | `direct`; `inPlace`, one row that is scaled where its exponentials lie; `atOnce`, the same, and the loop that computes them adds them up |
      | TopK | `candidates`, lists of what may be among the best of a line; `bestElement`, where one is wanted; `columns`, the best so far of many columns side by side; `standingLines`, the same of lines that are transposed first; `sortedColumns` and `sortedLines`, several of them sorted at once, of up to 65536 elements each |
      | Trilu | `direct`, element by element; `cutRows`, row by row, of which a part is copied and the rest filled |

    - `blockParts` counts, of an `IE.MatMulNBits`, the parts into which blocks of
      weights are cut, each with the scale of its block; zero stands for one.
    - `multiCluster` names what clusters share; `Clustering` is an op on one of
      them. With SplitOverHeight both rows and blocks may have parts.
    - `parts` has into how many parts of equal size each dimension of the op's
      result is split among clusters; none means that nothing is split. `?`
      is a number that is computed at run time, from the sizes: as many parts as
      there are clusters, each with at least `grain` points of the dynamic
      dimensions. Of two such dimensions the first gets as many parts
      as it has elements: rows of an image before the batch (but see `fewSteps`), the batch of
      matrices before their rows. A copy between layouts and a software kernel
      have parts of their loops instead, of one, or of one of dynamic extent and
      another one, and `multiCluster` is SplitOverHeight, whichever loop that is. So
      does an `scf.for` with `nacre.independent`, of whose parts the last may be
      smaller. Where they are `?`, its points are the elements that it reads or writes,
      or iterations where these are steps of the model. An `IE.Scan` that computes each
      row of its states for itself has parts `[?]` of these rows, whose points are rows
      of all steps together.
    - `rest` counts the last elements of the block dimension (columns of a
      matrix, blocks of channels) that are left out of `parts`, which would not
      be equal with them: an op of their own on one cluster.
    - `tiles` has into how many tiles of equal size a part is cut, rows outside
      of blocks. `?` stands for as many rows as fit `limits`, computed at run time.
    - `fused` names neighbours that are computed in the same loops: `producer`,
      the depthwise convolution that only this 1×1 convolution reads, and
      `unblocking`, the copy that takes the result to the model's order.
    - `wideningBlocks` is how many blocks of channels at a time a tile computes
      of the 1×1 convolution that widens the image for the depthwise one among
      the ops of the tile; zero computes that convolution on its own, before.
    - `padInPlace`, on a copy that pads an image: what computes the image writes
      it inside the border, and there is no copy.
    - `group`, if it is not zero, is the number of a group of software kernels,
      products and reshapes that `vpu-fuse-rows` computes in one loop over rows.
      The last of them says how: `block` has the sizes of a block of its loops,
      of which zero is all of a loop and `?` as many steps as fit `limits`, computed
      at run time. `parts` counts what clusters share of these loops. Where that
      does not cut a loop evenly, parts of about one size differ by a step; `?` is
      computed at run time, so that each part takes at least `grain` cycles. For
      that, each member has a `pointCost`: what one point of its loops takes, in
      64ths of a cycle. Loops of the model, `scf.for`, with one number of a `group`
      run at the same time, each on a cluster of its own.
    - `fewSteps`, of a group with parts `?` of two loops, says when clusters share the
      second one, if that is longer: where the parts of the first loop would differ by a
      step, and have fewer than so many. Zero always shares the first. Of an image, it
      says so of the batch, before whose rows it then comes: clusters share rows where
      they would differ by a sample, and have fewer than so many.
    - `shareRest`, of a loop of the model with parts `?`: the iterations that are
      left where all clusters have equally many follow in a loop of their own, in
      which clusters share what is in each. A run of one sample is such a rest.
    - `merge`, if it is not zero, is the number of a set of software kernels that reduce
      the same operands by the same loops, which `vpu-fuse-rows` makes one op with all
      their results: the operands are read once.
    - `limits` bounds the tiles, or the block, whose sizes are `?`.
    - `chunk` is how much of its result an op on buffers computes at a time, in
      scratch memory that `vpu-allocate-scratch` allocates: rows and columns of tiles
      by Winograd's algorithm, where sizes are dynamic groups and tiles of each;
      rows that are integers by weights of few bits, which stay floats without one.
      Of a dynamic number of rows, eight are for runs of so few rows alone.
    - `prefetchInput`, of an op on buffers in a loop over parts of its blocks, has each
      cluster ask for all lines of the input before it reads them: most of them are in
      the caches of others.
    - `kernel` is what the kernel's code depends on, `#VPU.kernel_strategy`: the
      register tiles above all.

    ```mlir
    %2 = linalg.generic … {VPU.strategy = #VPU.strategy<group = 1>}
    %3 = linalg.generic … {VPU.strategy = #VPU.strategy<
      multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [16, 0]>}
    VPU.NCE.WinogradConvolution … {VPU.strategy = #VPU.strategy<chunk = [2, 14]>}
    VPU.NCE.MatMul … {VPU.strategy = #VPU.strategy<
      kernel = <registers = [<columns = 6, vectors = 4>]>>}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"Algorithm", "Algorithm::undecided">:$algorithm,
    DefaultValuedParameter<"int64_t", "0">:$winogradTile,
    DefaultValuedParameter<"int64_t", "0">:$blockParts,
    DefaultValuedParameter<"ClusterStrategy",
                           "ClusterStrategy::Clustering">:$multiCluster,
    VPU_CountsParameter<"parts of each dimension, among clusters">:$parts,
    DefaultValuedParameter<"int64_t", "0">:$grain,
    DefaultValuedParameter<"int64_t", "0">:$rest,
    VPU_CountsParameter<"tiles of each dimension of a part">:$tiles,
    VPU_NeighboursParameter:$fused,
    DefaultValuedParameter<"int64_t", "0">:$wideningBlocks,
    DefaultValuedParameter<"bool", "false">:$padInPlace,
    DefaultValuedParameter<"int64_t", "0">:$group,
    VPU_CountsParameter<"sizes of a block of a group's loops">:$block,
    DefaultValuedParameter<"int64_t", "0">:$pointCost,
    DefaultValuedParameter<"int64_t", "0">:$fewSteps,
    DefaultValuedParameter<"bool", "false">:$shareRest,
    DefaultValuedParameter<"int64_t", "0">:$merge,
    OptionalParameter<"TileLimitsAttr">:$limits,
    VPU_CountsParameter<"what is computed at a time, in scratch memory">:$chunk,
    DefaultValuedParameter<"bool", "false">:$prefetchInput,
    OptionalParameter<"KernelStrategyAttr">:$kernel
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute on ops.
    static constexpr ::llvm::StringLiteral attrName = "VPU.strategy";

    /// The strategy of `op`; null where it has none.
    static StrategyAttr lookup(::mlir::Operation *op);
    void attachTo(::mlir::Operation *op) const;
    /// An op by itself on one cluster, in one tile.
    static StrategyAttr getDefault(::mlir::MLIRContext *context);
    /// A copy that is not needed.
    static StrategyAttr getPaddingInPlace(::mlir::MLIRContext *context);
    /// An op whose algorithm alone is decided; `winogradTile` of Winograd's.
    static StrategyAttr getForAlgorithm(::mlir::MLIRContext *context,
                                        Algorithm algorithm,
                                        int64_t winogradTile = 0);
    /// A product by weights of few bits, whose blocks have so many parts.
    static StrategyAttr getForBlocks(::mlir::MLIRContext *context,
                                     int64_t blockParts);
    /// An op that clusters share, in a loop with these neighbours.
    static StrategyAttr getForParts(::mlir::MLIRContext *context,
                                    ClusterStrategy multiCluster,
                                    ::llvm::ArrayRef<int64_t> parts,
                                    FusedNeighbours fused, int64_t grain = 0,
                                    int64_t rest = 0);

    /// A member of a group; of the last one, how the group is computed.
    static StrategyAttr getForGroup(::mlir::MLIRContext *context, int64_t group,
                                    ::llvm::ArrayRef<int64_t> parts = {},
                                    int64_t grain = 0,
                                    ::llvm::ArrayRef<int64_t> block = {},
                                    TileLimitsAttr limits = {});
    /// A member of a set of reductions that become one op.
    static StrategyAttr getForMerging(::mlir::MLIRContext *context,
                                      int64_t merge);
    /// An op on buffers whose kernel is decided, or what of it is in scratch
    /// memory, of which a chunk is used at a time.
    static StrategyAttr getForKernel(::mlir::MLIRContext *context,
                                     KernelStrategyAttr kernel,
                                     ::llvm::ArrayRef<int64_t> chunk = {});

    /// The same for a member of which a point takes so long.
    StrategyAttr withPointCost(int64_t pointCost) const;
    /// The same for a group whose second loop is shared where the first one has
    /// so few steps.
    StrategyAttr withFewSteps(int64_t fewSteps) const;
    /// The same with, or without, a loop for iterations that are left.
    StrategyAttr withSharedRest(bool shareRest) const;
    /// The same for an op whose input is asked for, or is not.
    StrategyAttr withPrefetchedInput(bool prefetchInput) const;
    /// The same with these tiles, in which neighbours are computed beside those
    /// of the loop over clusters.
    StrategyAttr withTiles(::llvm::ArrayRef<int64_t> tiles,
                           FusedNeighbours fused, int64_t wideningBlocks,
                           TileLimitsAttr limits = {}) const;
    /// What is left to decide once the algorithm is applied; null where it was
    /// all.
    StrategyAttr withoutAlgorithm() const;
    /// The same for an op whose rest is an op of its own.
    StrategyAttr withoutRest() const;
    /// What is left to do once clusters have their parts.
    StrategyAttr withoutParts() const;

    bool fuses(FusedNeighbours neighbour) const {
      return bitEnumContainsAll(getFused(), neighbour);
    }
    /// True where the number of parts, or of tiles, is computed at run time.
    bool hasRunTimeParts() const;
    bool hasRunTimeTiles() const;
    /// The part of a whole of this shape, without `rest` along `blockDim`; the
    /// tile of a part of this shape. Dimensions of dynamic size stay as they
    /// are.
    ::llvm::SmallVector<int64_t> getPart(::llvm::ArrayRef<int64_t> shape,
                                         unsigned blockDim) const;
    ::llvm::SmallVector<int64_t> getTile(::llvm::ArrayRef<int64_t> part) const;
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD
