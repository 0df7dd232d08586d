//===- VPUStrategy.td - How an op is to be computed --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one attribute in which decisions about algorithms and loops stand.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD
#define NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD

include "nacre/Dialect/VPU/IR/VPUBase.td"
include "mlir/IR/AttrTypeBase.td"

/// Numbers of parts, one for each dimension; `?` where a run finds it.
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

def VPU_StrategyAttr : VPU_Attr<"Strategy", "strategy"> {
  let summary = "How an op is computed, distributed, tiled and fused";
  let description = [{
    What `vpu-choose-strategies` decided about an op, or a person by hand;
    `vpu-apply-winograd`, `vpu-group-loops`, `vpu-fuse-rows`,
    `vpu-apply-padding`, `vpu-apply-clusters`, `vpu-apply-tiles`,
    `vpu-distribute-software` and `vpu-share-groups` make it so and decide
    nothing. It stands on the op as `VPU.strategy`:

    ```mlir
    VPU.NCE.Convolution ins(…) outs(…) {
      VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight,
                                   parts = [1, 1, 2, 1, 1], tiles = [1, 1, 4, 1, 1]>}
    ```

    - `algorithm` is what a convolution that has the choice is computed by:
      `direct`, or `winograd` with tiles of `winogradTile` rows and columns of
      results. `vpu-apply-winograd` applies and removes it; what is `undecided`
      stays as it is.
    - `multiCluster` names what clusters share; `Clustering` is an op on one of
      them.
    - `parts` has into how many parts of equal size each dimension of the op's
      result is split among clusters; none means that nothing is split. `?`
      leaves the number to a run, which knows the size: as many parts as there
      are clusters, each with at least `grain` points of the dimensions that
      only the run knows. Of two such dimensions the first gets as many parts
      as it has elements: rows of an image before the batch, the batch of
      matrices before their rows. A copy between layouts and a software kernel
      have parts of their loops instead, of one or of two that only a run knows,
      and `multiCluster` is SplitOverHeight, whichever loop that is. So does an
      `scf.for` with `nacre.independent`, of whose parts the last may be smaller.
    - `rest` counts the last elements of the block dimension (columns of a
      matrix, blocks of channels) that are left out of `parts`, which would not
      be equal with them: an op of their own on one cluster.
    - `tiles` has into how many tiles of equal size a part is cut, rows outside
      of blocks. `?` has a run choose as many rows as fit CMX.
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
      of which zero is all of a loop and `?` has a run choose as many steps as fit
      CMX. `parts` counts what clusters share of these loops. Where that does not
      cut a loop evenly, parts of about one size differ by a step; `?` has a run
      choose so many that each takes at least `grain` cycles. Loops of the model,
      `scf.for`, with one number of a `group` run at the same time, each on a
      cluster of its own.

    ```mlir
    %2 = linalg.generic … {VPU.strategy = #VPU.strategy<group = 1>}
    %3 = linalg.generic … {VPU.strategy = #VPU.strategy<
      multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [16, 0]>}
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"Algorithm", "Algorithm::undecided">:$algorithm,
    DefaultValuedParameter<"int64_t", "0">:$winogradTile,
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
    VPU_CountsParameter<"sizes of a block of a group's loops">:$block
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
                                    ::llvm::ArrayRef<int64_t> block = {});

    /// The same with these tiles, in which neighbours are computed beside those
    /// of the loop over clusters.
    StrategyAttr withTiles(::llvm::ArrayRef<int64_t> tiles,
                           FusedNeighbours fused, int64_t wideningBlocks) const;
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
    /// True where a run finds out how many parts or tiles there are.
    bool hasRunTimeParts() const;
    bool hasRunTimeTiles() const;
    /// The part of a whole of this shape, without `rest` along `blockDim`; the
    /// tile of a part of this shape. Dimensions that a run splits stay as they
    /// are.
    ::llvm::SmallVector<int64_t> getPart(::llvm::ArrayRef<int64_t> shape,
                                         unsigned blockDim) const;
    ::llvm::SmallVector<int64_t> getTile(::llvm::ArrayRef<int64_t> part) const;
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUSTRATEGY_TD
