//===- StrategyPasses.td - Who decides strategies ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that write and check #VPU.strategy, which others apply.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_TRANSFORMS_STRATEGYPASSES_TD
#define NACRE_DIALECT_VPU_TRANSFORMS_STRATEGYPASSES_TD

include "mlir/Pass/PassBase.td"

// What strategies are chosen for and checked, in options.
defvar VPU_DecisionValues = [{::llvm::cl::values(
    clEnumValN(::nacre::VPU::Decision::operators, "operators",
               "By which algorithm operators of the model are lowered"),
    clEnumValN(::nacre::VPU::Decision::algorithms, "algorithms",
               "By what convolutions are computed"),
    clEnumValN(::nacre::VPU::Decision::concurrency, "concurrency",
               "Which loops run at the same time"),
    clEnumValN(::nacre::VPU::Decision::groups, "groups",
               "Which ops share a loop over rows, and its blocks; which "
               "reductions become one op"),
    clEnumValN(::nacre::VPU::Decision::loops, "loops",
               "Padding, parts of clusters, and tiles"),
    clEnumValN(::nacre::VPU::Decision::software, "software",
               "What cores share of copies and software kernels"),
    clEnumValN(::nacre::VPU::Decision::buffers, "buffers",
               "The same on buffers, of copies that bufferization made, and "
               "chunks in scratch memory, and inputs that are asked for"),
    clEnumValN(::nacre::VPU::Decision::joins, "joins",
               "Which rows are reduced by the loops that store them"),
    clEnumValN(::nacre::VPU::Decision::registers, "registers",
               "Register tiles and loops of kernels"))}];

def ChooseStrategies : Pass<"vpu-choose-strategies", "::mlir::ModuleOp"> {
  let summary = "Decide how ops are computed, distributed, tiled and fused";
  let description = [{
    Writes a `#VPU.strategy` on ops; changes nothing else. A strategy that stands on
    an op stays, and the others are chosen around it. All of them are checked then, as
    `vpu-verify-strategies` does: one that cannot be applied is an error. Each run
    decides about what the ops are there for: what is applied in between is other ops.

    `decide=operators`, of ops of IE, where several algorithms could compute them
    (`#VPU.strategy` lists these), or weights be packed in several ways:

    - The best of lines (TopK) are looked for in all columns at once where at most 16
      are wanted of at least 8 columns, or lines that make as many columns and are short
      enough to be transposed. One of all is what ArgMax finds. Where a large part
      is wanted of several columns or lines, these are sorted at once, if that takes
      less time with as many cores as have a part. Of others, lists of candidates
      are kept.
    - A transposed convolution is one convolution, with phases as channels, where that
      multiplies half as often by vectors or less, because few channels leave each
      phase's vectors empty; or at most twice as often, but instead of more than 16 ops.
      One of groups of few channels is software where its vectors would be so empty that
      the engine would multiply four times as much as a software kernel, zeroes that this
      has between pixels counted.
    - A matrix that is computed is multiplied as it lies by at most as many rows as two
      register tiles have. Packing it would take longer than to read it so often. One of
      bytes that nothing else reads is multiplied by software with at most two rows.
    - Volumes whose windows do not overlap are pooled by the engine only where they come
      from it: to bring them into its order takes longer.
    - Averages that leave out the padding are by software where the engine would need a
      table of more than 2^18 factors, one for each element of the result.
    - ArgMax and ArgMin along the innermost dimension find the best elements first, which
      LLVM reduces by vectors, and then their positions; along others both at once.
    - A mean by software over windows of at most nine 16-bit floats extends each that it
      reads, if vectors are extended by an instruction and lie side by side.
    - Blocks of weights of few bits are cut into parts of at most 128 elements, as
      fixed-point rows of longer ones are less exact.
    - The neighbours of a channel (LRN) are an operand each up to 16 of them.
    - RoiAlign transposes an image of which regions may read as many elements as it has.
    - A Softmax of one row that the first caches do not hold is scaled in place.

    `decide=algorithms`: dense 3×3 convolutions with stride and dilation 1 and
    constant weights are computed by Winograd's algorithm on CPUs, where an
    estimate from the architecture's vector width, clock and memory bandwidth says
    that the multiplications saved outweigh the transforms and the larger weights.
    Of two sizes of tiles it takes the larger one where that gains much over the
    smaller, which rounds less and has fewer weights. Dynamic sizes are
    taken for those of a nominal image of 224×224, through the arithmetic that
    computes them from the model's inputs. A tile must also lose little for an
    image of half the rows and columns, which has to read the larger weights for a
    quarter of the pixels.

    `decide=concurrency`, on CPUs: the directions of a recurrent layer, and other
    loops of the model, need each other's results as little as their steps are easy
    to share: a step is short, and each waits for the one before. Loops that do not
    need each other are a `group` where the slowest of them on one cluster takes no
    longer than all of them one after the other, each with what is large enough in
    it on all clusters. There are at most as many in a group as clusters.
    A loop whose iterations do not need each other (`nacre.independent`), as that
    over the samples of a batch, has `parts`, and what is in it stays with one
    cluster, if that is better than to share what is in each iteration. Of an
    unknown number of iterations, which a run with one sample has, it is where
    clusters would gain little by what is in one; as many parts as have enough to
    do are computed at run time then.

    `decide=groups`, on CPUs: software kernels that compute rows of their result
    from rows of their operands, such as the steps of a softmax or of a
    normalisation, share a loop over blocks of rows that fit a part of CMX. Two
    matrix products with a softmax between them, the pieces of attention, share one
    over blocks of rows of each matrix: of the scores only a block exists, in CMX.
    A group has one op whose result is used elsewhere, its last. An op joins it if
    only members use its result and all need the same block of it for a block of
    the last one's result, so that nothing is computed twice. Rows are what the
    last op and all reductions in the group have in common; an op that would leave
    no rows stays outside. Where there is enough work, clusters share the rows.
    Where the number or the length of rows is dynamic, it chooses the bytes that
    bound a block and what a point of each op costs: from these the size of a block is
    computed at run time, and as many parts as have enough work, up to the number of
    clusters. Where two loops could be shared, the second one is if parts of the first
    would differ and have less than four steps. Sizes are equal if they are products of
    the same values.

    Of what is in no group, reductions of the same operands by the same loops become
    one op (`merge`) where one of these operands is larger than what stays in the first
    cache, on all architectures.

    `decide=loops`, for each op of the engine and for copies that are not needed:

    Padding, on a CPU: an engine op whose result only a copy reads, which pads
    it, can write into a padded image instead. Not a 1×1 convolution whose columns
    leave register tiles partly empty, which it would not as long as all its rows
    make one; nor one that is computed in the tiles of the depthwise convolution
    that reads it.

    Clusters: an op has as many as each get enough to do from it. It is split over
    rows (SplitOverHeight) or over blocks of output channels (SplitOverKernel),
    whichever leaves the fullest last cluster and moves less, above all from other
    clusters: an op split like its producer finds its operands in its own cache.
    Where there are too few rows and too few blocks for all clusters, both are
    split. All parts have one static size; where the columns of a product do not
    split evenly, or end within a vector, the last few are left as a rest. In the
    loop over rows of a 1×1 convolution the
    depthwise one that only it reads is computed, too: its result stays in the
    cache of the core that computed it. So is, on a CPU, the copy that takes rows
    to the model's order. An op of a dynamic number of rows, images or columns is
    split along the first of these, and along the second where the first is too
    short, into at most one part per cluster; each part has enough to do to pay
    for starting its cluster. A product whose right matrix does not fit a
    cluster's memory is split along its columns, where they split evenly: each
    part of the rows would read all of it.

    Tiles: on an NPU the largest whose operands fit `cmx_bytes`; an op of which
    none fits is an error. On a CPU, where CMX is a cache, only what is copied
    anyway, padded or taken to the model's order, has tiles: as many rows as fit
    `cmx_bytes`, or an eighth of the op's weights, which every tile reads; of dynamic
    sizes the strategy has these bytes, as `limits`. With a
    padded depthwise convolution, a 1×1 convolution that widens what it reads is
    computed in these tiles, a few blocks of channels at a time: the wide image
    never exists as a whole. Each tile computes the rows that it has in common
    with others; where those would be too many, the wide image is computed before.

    `decide=software`, on CPUs: a copy or a structured op outside of loops that
    takes long enough has equal parts of one parallel loop, the outermost that
    keeps busy all cores that get enough to do. Of dynamic loops there are as many
    parts as are worth their start. Where there is nothing but what is reduced, the
    loop that is split reduces, and parts may leave a few steps over for one core. An
    `scf.for` whose iterations do not need each other (`nacre.independent`), and
    write parts of known size, has a part for each core that gets enough to do; of an
    unknown number of iterations, of whatever size, these are counted at run time.
    `decide=buffers` is the same for the copies that bufferization made, and for
    structured ops whose parallel loops no equal parts cut well: they are left to
    it, as an op for the steps that are left over costs copies of tensors. It also
    decides how much is computed at a time in scratch memory (`chunk`), as much as
    fits `cmx_bytes`: tiles of a `VPU.NCE.WinogradConvolution`, or groups of them where
    sizes are dynamic, and rows of a `VPU.NCE.MatMulNBits` that are integers, where
    these take less to make and to multiply than floats do. Where a matrix unit
    multiplies by weights of few bits, it decides the sizes of their tiles, from which
    scratch memory follows: tiles of weights and totals lie in the first cache, those
    of rows in `cmx_bytes`. And it decides for which ops in a loop over parts of
    blocks each core asks for all of the input first (`prefetchInput`): where that fits
    the part of `cmx_bytes` that an operand may have which all cores read.

    `decide=joins`, on buffers of kernels: rows of at least 512 elements, or of a
    dynamic number, are reduced by the elementwise loop that stores them. For shorter
    ones, a loop over the elements of many is one of whole vectors.

    `decide=registers`, on buffers of kernels, each of which is outlined once: the
    `kernel` of an op, as the op's shapes and the descriptor's `registers` and `lanes`
    say. Register tiles are those of least estimated cycles among all that leave
    registers for the weights of a step and a pixel: issue slots of multiplications
    and loads, the latency of few sums, and what is left over at the ends of rows.
    Weights of 16-bit floats are buffered as f32 where more than two tiles are
    multiplied by them, and 256 KB hold them; those that are buffered next are
    prefetched, unless there are more than 64 tiles. A convolution's weights of more
    than `cmx_bytes` are prefetched instead where their way from memory takes more than
    a quarter of the time of multiplying, those of Winograd's algorithm wherever they
    are that large. Weights of few bits are asked for as far ahead as memory delivers
    while a core waits for a line. Of a tile of Winograd's algorithm, as many columns
    as registers have no room for wait in memory for their rows. A border of zeros is left out where two of a hundred products or
    more are with it, and blocks of input channels have more than three; not at edges
    that more than four tiles of several pixels meet, as each has code of its own, and
    at one pair of edges alone where tiles would have more than nine pairs of ranges of
    taps, unless a hundredth of all cycles of a model or more is saved. A pool takes as
    many pixels at a time as a quarter of the registers or, where windows have columns
    in common, as there is room for with a register for each column, up to eight. Bytes
    that are multiplied in pairs of words are widened for a whole tile where its words
    fit the first cache, unless windows meet more than twice as many pixels as they read.

    Software kernels, which are structured ops, have `loops` in their `kernel` where
    these could be others. A transposition moves square blocks of
    vectors, as many as each has elements, at most 16. Two to eight
    elements side by side that are less than 8 bytes, or fewer than four, would fill too
    little of a vector: they are moved one by one in a loop along the rows on the other
    side. A product of bytes takes eight rows of the matrix between loading and storing
    a sum, and the fours or pairs of bytes that the architecture multiplies; at most four
    rows are multiplied by them before the next ones are read. A sum over a window which
    slides along the columns of its input, and has more elements than LLVM unrolls loops
    for, gets the loop along columns as its innermost one, unless a row of the window is
    longer than the result's.

    With `isolated`, an op of the engine stays as it is, on one cluster, but for
    tiles of an NPU; and loops of software kernels stay as they are.
  }];
  let options = [
    ListOption<"decide", "decide", "std::string",
               "What to decide about, one after the other: operators, "
               "algorithms, concurrency, groups, loops (default), software, buffers, "
               "joins or registers">,
    Option<"minCycles", "min-cycles", "int64_t", /*default=*/"::nacre::VPU::kPartCycles",
           "Least estimated cycles per cluster that pay for starting it; a "
           "sixth is enough where it is awake, as clusters share what is read">,
    Option<"readJSON", "read-json", "std::string", /*default=*/"\"\"",
           "A file with the strategies of some ops, as write-json writes it">,
    Option<"record", "record", "bool", /*default=*/"false",
           "Keep what was decided in the module, for the run that writes it">,
    Option<"writeJSON", "write-json", "std::string", /*default=*/"\"\"",
           "Write the strategies of all ops to this file, with those that runs "
           "before have recorded">,
    Option<"isolated", "isolated", "bool", /*default=*/"false",
           "Neither distribute nor fuse, and tile only what has to fit CMX">
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VerifyStrategies : Pass<"vpu-verify-strategies", "::mlir::func::FuncOp"> {
  let summary = "Check that strategies can be applied";
  let description = [{
    Of operators and algorithms: the op has what its algorithm needs. Of concurrency: no loop of
    a group has to wait for another one. Of groups: a block of the last op's result
    needs one block of each op of its group, and parts and blocks cut loops evenly;
    ops that become one read alike, and none needs another.
    Of loops: each op of the engine has a strategy, parts and tiles cut their
    dimensions evenly, what is fused exists, and on an NPU the operands of a tile
    fit `cmx_bytes`. Of software and buffers: one loop has no more parts than steps,
    or their number is dynamic, and a part, or what parts leave over, needs one box of
    each operand; of an `scf.for` the last part may be smaller. Of buffers also: a chunk
    is no larger than the result, and an input that is asked for is there for all
    parts. Of joins: a loop before stores the rows, and may run as late as what reduces
    them. Of registers: each op of the engine that has a choice
    has as many register tiles as its kernel needs, which fit the registers and are no
    larger than the result; weights are buffered or prefetched, rows widened, and a
    border left out, only where there are such; scratch memory holds a panel of
    weights, or what tiles of a matrix unit need; of software kernels, loops are those that there are, blocks
    fit the dimensions of a transposition, and bytes are multiplied as the architecture
    does. An op without a strategy, or with one that cannot be
    applied to it, is an error that names the op and says what was expected. So is a
    field that nothing reads: one that means something for other ops, or when something
    else is decided.
  }];
  let options = [
    Option<"decided", "decided", "::nacre::VPU::Decision",
           /*default=*/"::nacre::VPU::Decision::loops",
           "What was decided about",
           VPU_DecisionValues>
  ];
  let dependentDialects = ["::nacre::VPU::VPUDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // NACRE_DIALECT_VPU_TRANSFORMS_STRATEGYPASSES_TD
