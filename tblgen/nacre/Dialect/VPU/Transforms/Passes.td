//===- Passes.td - Transformations of VPU ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes that choose an architecture and fit a module to it.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_PASSES_TD
#define NACRE_DIALECT_VPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nacre/Dialect/VPU/Transforms/StrategyPasses.td"

def InitCompiler : Pass<"init-compiler", "::mlir::ModuleOp"> {
  let summary = "Attach the architecture and the compilation mode to the module";
  let description = [{
    Loads the descriptor `vpu-arch` (the host's when empty) and attaches it as
    `VPU.arch`. A module that has an architecture keeps it; naming another one
    for it is an error, because passes may have acted on the first. Where the
    machine's addresses have not 64 bits, a data layout says so:

    ```mlir
    dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>
    ```
  }];
  let options = [
    Option<"arch", "vpu-arch", "std::string", /*default=*/"",
           "Architecture: host, a built-in name, or a .json file">,
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Most clusters of a CPU to use; all that it has when 0">
  ];
  let dependentDialects = ["::mlir::DLTIDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::nacre::IE::IEDialect",
                           "::nacre::VPU::VPUDialect"];
}

def FusePPE : Pass<"vpu-fuse-ppe", "::mlir::func::FuncOp"> {
  let summary = "Fuse residual additions and activations into NCE ops";
  let description = [{
    An NCE op without post-processing absorbs what follows it and is its only
    use: the addition of a value of its shape (as residual), then an activation
    that another NCE op or an IE op behind a layout change computes. Ops whose
    results are joined by `tensor.insert_slice` all take the activation of the
    whole.
  }];
  let statistics = [
    Statistic<"numActivations", "num-activations",
              "Number of activations fused">,
    Statistic<"numResiduals", "num-residuals",
              "Number of residual additions fused">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerPrecision : Pass<"vpu-lower-precision", "::mlir::ModuleOp"> {
  let summary = "Store the engine's activations and weights as bf16";
  let description = [{
    NCE ops take activations and constant weights in bf16 and round their results
    to it; they still sum and post-process in f32. What a convolution without a
    bias adds its sums to stays f32, too: the next element of a kernel's depth is
    one. Weights are to be packed as the architecture's MAC array wants them; those of
    few bits stay, and what they are multiplied with has 16 bits. Copies between
    layouts convert on the way; where software kernels meet the engine, values are
    extended or truncated.
  }];
  let options = [
    Option<"releaseConstants", "release-constants", "bool", /*default=*/"false",
           "Free weights once they have been replaced; the context must hold no "
           "other module to be compiled">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Number of NCE ops changed">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ShuffleChannels : Pass<"vpu-shuffle-channels", "::mlir::func::FuncOp"> {
  let summary = "Move channels without leaving blocks";
  let description = [{
    A copy out of blocks, reshapes and transpositions of planes, and a copy into
    blocks become one `VPU.ShuffleChannels`, followed by what pads: a channel
    shuffle, or a change of the number of groups. Blocks must be vectors of the
    machine on either side. Nothing else may read what is between the copies.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect",
                           "::nacre::VPU::VPUDialect"];
}

def SinkConversions : Pass<"vpu-sink-conversions", "::mlir::func::FuncOp"> {
  let summary = "Widen tensors as late as possible";
  let description = [{
    `arith.extf` of a tensor sinks below what only moves its elements: reshapes
    and transpositions, which move half the bytes, and `VPU.Copy`, which converts
    by itself. Widening that meets the narrowing of a next NCE op's operand
    disappears.

    ```mlir
    %0 = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
    %1 = linalg.transpose ins(%0 : tensor<4x8xf32>) … permutation = [1, 0]
    %2 = arith.truncf %1 : tensor<8x4xf32> to tensor<8x4xbf16>
    // becomes
    %2 = linalg.transpose ins(%x : tensor<4x8xbf16>) … permutation = [1, 0]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PackWeights : Pass<"vpu-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Write constant weights as kernels read them";
  let description = [{
    Constant weights of convolutions and products in f32 that f16 or bf16 hold
    exactly, as those of a model in f16 are, become that on CPUs which extend it: all
    of them bf16, f16 where there is an instruction. Kernels extend a vector of
    weights as they load it, for all pixels or rows of a register tile. Without an
    architecture all weights keep their type.

    Replaces each `VPU.PackWeights` by a constant, but those of convolutions whose
    strategy says `algorithm = winograd`: `vpu-apply-winograd` transforms and packs
    them. Up to here weights are in the model's order, so that what changes them
    knows nothing of blocks and panels, and they are packed once, in the type in
    which they are stored. Weights that are no constant are an error that names the
    op.
  }];
  let options = [
    Option<"releaseConstants", "release-constants", "bool", /*default=*/"false",
           "Free weights once they have been replaced; the context must hold no "
           "other module to be compiled">
  ];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed", "Number of constants narrowed">,
    Statistic<"numPacked", "num-packed", "Number of constants packed">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ApplyWinograd : Pass<"vpu-apply-winograd", "::mlir::ModuleOp"> {
  let summary = "Compute convolutions by Winograd's algorithm as strategies say";
  let description = [{
    Convolutions whose strategy says `algorithm = winograd` become
    `VPU.NCE.WinogradConvolution` with tiles of `winogradTile` rows and columns,
    and their weights are transformed and packed. No decision about an algorithm is left
    behind this pass. One for a convolution that the algorithm does not fit is an
    error that names it. Results in f32 differ from the direct algorithm's by
    rounding, typically in the fifth digit. Weights of bf16 that are to be packed
    in pairs stay bf16.
  }];
  let options = [
    Option<"releaseConstants", "release-constants", "bool", /*default=*/"false",
           "Free weights once they have been replaced; the context must hold no "
           "other module to be compiled">
  ];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Number of convolutions replaced">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::arith::ArithDialect"];
}

def TraceSizes : Pass<"vpu-trace-sizes", "::mlir::func::FuncOp"> {
  let summary = "Take sizes of tensors from where they come from";
  let description = [{
    A `tensor.dim` becomes what the size of its tensor is traced to: a constant, an
    operand of a `tensor.empty`, or the size of another tensor. So a value whose
    size alone is asked for has no user, and can be computed block by block.

    ```mlir
    %e = tensor.empty(%n) : tensor<?x64xf32>
    %0 = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %size = tensor.dim %0, %c0 : tensor<?x64xf32>   // becomes %n
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseRows : Pass<"vpu-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Compute rows through several ops in one loop";
  let description = [{
    Makes one `scf.for` over blocks of rows of each group of ops that strategies
    name, with an `scf.forall` over clusters around it where they have parts: all
    members but the last one are computed where a block of their result is needed.
    Sizes of blocks and numbers of parts that are `?` are computed at run time, from
    the limits and costs that strategies have; the last block may be smaller. No
    strategy of a group is left behind this pass. A group that is no such loop is
    an error that names the op.

    An elementwise op in a loop writes over an operand of the same type and loop
    that nothing reads after it. Where it wrote a slice of the loop's result that
    is one piece of memory, the operand is computed there: the exponentials of a
    softmax are in the row of the result before they are scaled.

    Structured ops that reduce the same operands by the same loops become one with
    all their results where their strategies have the same number `merge`: such as
    the least and the largest element that a scale is computed of. Each of them
    would read the operand from memory.

    ```mlir
    %least = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%0 : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} { … arith.minimumf … }
    %most = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%1 : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<merge = 1>} { … arith.maximumf … }
    // becomes
    %both:2 = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%0, %1 : tensor<f32>, tensor<f32>) { … }
    ```
  }];
  let statistics = [
    Statistic<"numGroups", "num-groups", "Number of loops built">,
    Statistic<"numReused", "num-reused", "Number of operands written over">,
    Statistic<"numMerged", "num-merged", "Number of ops merged into others">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AllocateScratch : Pass<"vpu-allocate-scratch", "::mlir::func::FuncOp"> {
  let summary = "Allocate the buffers that NCE ops need while they run";
  let description = [{
    Gives each op on buffers that computes in scratch memory a buffer of its own for
    it, which the memory plan places: what the `chunk` of its strategy needs, by
    Winograd's algorithm or for rows that are integers, or a few panels of weights
    as floats. No `chunk` is left behind this pass.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::nacre::VPU::VPUDialect"];
}

def PlaceBorders : Pass<"vpu-place-borders", "::mlir::func::FuncOp"> {
  let summary = "Fill borders once, where the image inside is computed";
  let description = [{
    On buffers. A border that a loop over channels fills again and again, and
    whose other ops only write inside, is filled before the loop. And where cores
    share the image inside, each fills what is around its own part: nobody waits
    for one that fills it all, and nobody has to fetch these lines from that one's
    cache.

    ```mlir
    scf.forall (%row) = (0) to (14) step (7) {
      VPU.FillBorder outs(%sides : memref<1x4x7x16x16xf32, …>) {pads = array<i64: 0, 1, 0, 1>}
      %isFirst = arith.cmpi eq, %row, %c0 : index
      scf.if %isFirst {
        VPU.FillBorder outs(%above : memref<1x4x1x16x16xf32, …>) {pads = array<i64: 1, 0, 0, 0>}
      }
      …
      VPU.NCE.Convolution ins(…) outs(%inside : memref<1x4x7x14x16xf32, …>)
    } {mapping = [#VPU.cluster<SplitOverHeight>]}
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Number of borders filled before a loop">,
    Statistic<"numShared", "num-shared", "Number of borders filled by several cores">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PrefetchShared : Pass<"vpu-prefetch-shared", "::mlir::func::FuncOp"> {
  let summary = "Ask for what other cores computed before it is read";
  let description = [{
    An op that is split over output channels reads all of its input, most of which
    other cores have just written, in the order of its register tiles. Where its
    strategy has `prefetchInput`, each core first asks for all of the input's lines,
    so that they come one upon the other instead of when they are missed. No such
    strategy is left behind this pass.

    ```mlir
    scf.forall (%block) = (0) to (10) step (5) {
      scf.for … { memref.prefetch %input[…], read, locality<2>, data }
      VPU.NCE.Convolution ins(%input, …
    } {mapping = [#VPU.cluster<SplitOverKernel>]}
    ```
  }];
  let statistics = [
    Statistic<"numPrefetched", "num-prefetched", "Number of inputs asked for">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::nacre::VPU::VPUDialect"];
}

def GroupLoops : Pass<"vpu-group-loops", "::mlir::func::FuncOp"> {
  let summary = "Move the loops of a group together, and split off rests";
  let description = [{
    Moves the `scf.for` loops whose strategies have one `group` to the last of
    them, and what needs their results behind it: nothing is left between them
    that would wait for one of them. They keep their strategy, as what is in
    such a loop is not distributed; on buffers, `vpu-share-groups` makes one loop
    over clusters of the group. Loops of which one needs another one's result, or
    between which there is an op with effects that needs one, are an error.

    A loop whose strategy has `shareRest` is left as many iterations as all clusters
    can have equally many of. Those that are left are a copy of the loop behind it,
    with no strategy: clusters share what is in each of them.

    Example, on two clusters, each of which has half of the `%even` iterations:
    ```mlir
    %left = arith.remui %n, %c2 : index
    %even = arith.subi %n, %left : index
    %0 = scf.for %i = %c0 to %even step %c1 iter_args(%a = %init) -> … { … }
      {nacre.independent = 0 : i64, VPU.strategy = #VPU.strategy<
        multiCluster = SplitOverHeight, parts = [?], grain = 1>}
    %1 = scf.for %i = %even to %n step %c1 iter_args(%a = %0) -> … { … }
    ```
  }];
  let statistics = [
    Statistic<"numGroups", "num-groups", "Number of groups moved together">,
    Statistic<"numRests", "num-rests", "Number of rests split off">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::nacre::VPU::VPUDialect"];
}

def ShareGroups : Pass<"vpu-share-groups", "::mlir::func::FuncOp"> {
  let summary = "Run the loops of a group on clusters of their own";
  let description = [{
    Replaces the loops whose strategies have one `group` by an `scf.forall` whose
    iterations are these loops. Where bufferization has given two of them
    one buffer, so that one has to wait for the other, they stay one after the
    other.

    Example:
    ```mlir
    scf.forall (%i) in (2) {
      scf.index_switch %i
      case 0 { scf.for … }
      default { scf.for … }
    }
    ```
  }];
  let statistics = [
    Statistic<"numShared", "num-shared", "Number of groups shared">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect", "::mlir::scf::SCFDialect"];
}

def DistributeSoftware : Pass<"vpu-distribute-software",
                              "::mlir::func::FuncOp"> {
  let summary = "Distribute copies and software kernels as their strategies say";
  let description = [{
    Turns each `VPU.Copy` and structured op whose strategy has `parts` into an
    `scf.forall` over equal parts of one loop. The steps that they leave over are an
    op of their own behind it. Of dynamic loops there are as many parts as have
    `grain` points, computed at run time. Where the loop reduces, each core reduces
    a part of it, and one combines their results. Where a result is inserted into a
    tensor that is only filled before, such as the border of an image, it is filled
    first, so that the cores write the result where it belongs.

    An `scf.for` with `nacre.independent` and such a strategy becomes an `scf.forall`
    over parts of its iterations, each with room of its own for what the loop carries
    besides its results. Where a run alone knows their number, or the sizes of what
    they work on, there are as many parts as have `grain` elements to read or write, and
    no more than iterations. Steps of the model in the loop (`nacre.has_steps`) stay
    steps; of these there are as many parts as have `grain` iterations.

    On buffers it distributes structured ops, too: the copies that bufferization
    made. No strategy of these ops is left behind this pass, but on tensors those
    that leave a structured op to one core: it is one core's as buffers, too.
  }];
  let statistics = [
    Statistic<"numDistributed", "num-distributed", "Number of ops distributed">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ApplyPadding : Pass<"vpu-apply-padding", "::mlir::func::FuncOp"> {
  let summary = "Compute images where they are padded";
  let description = [{
    For each copy whose strategy says `padInPlace`, has the op that computes what
    it pads write into a padded image, whose border `VPU.FillBorder` fills; the
    copy is gone.
  }];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Number of copies that are not needed">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ApplyClusters : Pass<"vpu-apply-clusters", "::mlir::func::FuncOp"> {
  let summary = "Distribute ops of the engine as their strategies say";
  let description = [{
    Turns each op whose strategy has `parts` into an `scf.forall` over clusters,
    mapped by `#VPU.cluster`, with the copies that pad or unpack its operands and
    what its strategy fuses in the loop. A `rest` becomes an op of its own. What
    is left of the strategy, its tiles, stands on the op in the loop.
  }];
  let statistics = [
    Statistic<"numDistributed", "num-distributed", "Number of ops distributed">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect"];
}

def ApplyTiles : Pass<"vpu-apply-tiles", "::mlir::func::FuncOp"> {
  let summary = "Tile ops of the engine as their strategies say";
  let description = [{
    Puts each op whose strategy has `tiles` into `scf.for` loops over rows and
    blocks, with the copies that pad or unpack its operands and what its strategy
    fuses. On NPUs every operand of a tile is copied to CMX and its result back.
    Of the convolution that `wideningBlocks` counts blocks of, only these are
    computed at a time, into a buffer whose border is filled instead of through a
    copy that pads. No strategy of the engine's ops is left behind this pass.
  }];
  let statistics = [
    Statistic<"numTiled", "num-tiled", "Number of ops put into loops">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def VerifyCMX : Pass<"vpu-verify-cmx"> {
  let summary = "Check that every NCE op's working set fits CMX";
  let description = [{
    On an NPU, an NCE op whose operands together exceed the architecture's
    `cmx_bytes`, or are not in CMX once bufferized, is an error. On a CPU
    nothing is checked: its CMX is a cache.
  }];
}

def VPUBufferize : Pass<"vpu-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize the module, honouring memory kinds";
  let description = [{
    One-shot bufferization across function boundaries with identity layouts
    there. The memory kind of a tensor's `#VPU.layout` becomes the buffer's
    memory space; tensors without encoding are in DDR. Values that loops carry
    stay in the buffers they start in, and both sides of a branch write to one,
    by copies where there is no other way: no buffer leaves its block. An image
    that was computed inside a border (`VPU.FillBorder`) is read there.

    With `eliminate-empty`, a `tensor.empty` that ends in a part of another tensor is
    that part first, as upstream's `eliminate-empty-tensors` makes it: what is joined
    is computed side by side.
  }];
  let options = [
    Option<"eliminateEmpty", "eliminate-empty", "bool", /*default=*/"false",
           "Compute parts of tensors in their places">
  ];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::nacre::VPU::VPUDialect"];
}

def EraseMemoryKinds : Pass<"vpu-erase-memory-kinds"> {
  let summary = "Put all buffers into the default memory space";
  let description = [{
    The host that executes a modelled machine has one memory: `#VPU.mem` leaves
    the buffers' types, after which they lower to LLVM. Before, working sets are
    checked as by `vpu-verify-cmx`: the types are the last to say where operands are.
  }];
}

def SeparateBuffers : Pass<"vpu-separate-buffers", "::mlir::func::FuncOp"> {
  let summary = "Give buffers of their own to what must not share one";
  let description = [{
    Bufferization computes tensors in one buffer wherever that is possible. This pass
    keeps it from doing so where it would cost more than a buffer.

    A `tensor.insert_slice` with a stride in its last dimension takes a result of
    the engine, a view of one, or what the engine reads elsewhere through a copy:
    otherwise bufferization would place it in the slice itself, where neighbouring
    elements are apart. So does the engine read a `tensor.extract_slice` with such a stride.
    Where the slice has one element of the last dimension, and its view lacks that,
    those of the dimension before are neighbours. Rows, columns and images may be
    apart.

    Every use of a `tensor.empty`, and of a fill of one, gets one of its own, which
    undoes what CSE did to them. With one op for all
    layers of a shape, all their results are candidates for one buffer, and the
    time that one-shot analysis takes grows with the square of the number of
    layers; and what several reductions start from would be copied for each. Views
    of a `tensor.empty` get one each, too: buffers that a loop carries would
    otherwise be one.
  }];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Number of copies">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // NACRE_DIALECT_VPU_TRANSFORMS_PASSES_TD
