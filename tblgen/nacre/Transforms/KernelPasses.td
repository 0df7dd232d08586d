//===- KernelPasses.td - From structured ops to loops ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on what kernels consist of: structured ops on buffers, loops and
// vectors.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_KERNELPASSES_TD
#define NACRE_TRANSFORMS_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def CollapseLoops : Pass<"collapse-loops"> {
  let summary = "Merge loops over contiguous elements";
  let description = [{
    Neighbouring loops of a structured op on contiguous buffers become one where
    every operand steps through them alike, so that the innermost loop is as long
    as it can be. Of dynamic sizes, a buffer is contiguous by its
    layout, and a part of one where it has all of the inner dimensions. A loop of which
    the body reads the index stays as it is. An operand that
    is broadcast along dimensions of its own of size 1 is read through a view without
    them. A transposition that keeps dimensions beside each other becomes a
    `linalg.generic` of fewer loops.

    A structured op that reduces rows which an elementwise one before it has stored
    becomes one with it, which has both results, where its strategy has `joinStored`:
    elements are reduced while they are in registers. Sums may differ in the last
    bits, since LLVM chooses how many partial sums a loop has.

    ```mlir
    linalg.generic … ["parallel", "parallel"]} ins(%x, %max : …) outs(%exp : memref<1x4096xf32>) { … math.exp … }
    linalg.generic … ["parallel", "reduction"]} ins(%exp : memref<1x4096xf32>) outs(%sum : memref<1xf32>) { … arith.addf … } {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>}
    // becomes
    linalg.generic … ["parallel", "reduction"]} ins(%x, %max : …) outs(%exp, %sum : memref<1x4096xf32>, memref<1xf32>) { … }
    ```
  }];
  let statistics = [
    Statistic<"numJoined", "num-joined", "Number of reductions joined to others">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VectorizeStructuredOps
    : Pass<"vectorize-structured-ops", "::mlir::ModuleOp"> {
  let summary = "Write loops of software kernels as their strategies say";
  let description = [{
    LLVM vectorises a loop along its one direction, and a reduction only in an order
    that the source allows. Structured ops get the `loops` that their
    `#VPU.strategy` says, as `vpu-choose-strategies` decides with `decide=registers`.
    One that they cannot have is an error at the op; without any, loops stay as they are.

    A copy with the dimensions in another order reads or writes single elements
    far from each other, unless the innermost dimension stays the same. With
    `blockEdge` it becomes loops over square blocks: so many vectors are loaded,
    interleaved until rows and columns have changed places, and stored. A dimension
    that is no multiple of the block's edge ends with a block that overlaps the one
    before. Of dynamic sizes, that is decided at run time. With `unrolled`, few elements
    side by side are moved one by one in a loop along the rows on the other side, which
    is what LLVM vectorises.

    A copy that has each element several times side by side, as an image that grows, is
    by `blockEdge` one of vectors: so many elements are loaded, and stored as as many
    vectors as there are copies, of which there are at most 64. A row of no whole number
    of vectors ends with one that overlaps the one before. One of dynamic length has, as a
    run finds, vectors, a quarter of such, or is copied as it was.

    A sum over rows of a matrix of products with 32 bits, the factors of which are
    bytes or differences of such, and one of which is the same for all columns, is
    what is left of products of integers of so few rows that packing the matrix for
    the engine would take longer, or of dynamic sizes. With `byteProduct` it becomes loops
    over some rows of the matrix at a time. Vectors of their columns are interleaved
    two by two as words of 16 bits, or four by four as bytes. An instruction
    multiplies the elements of each lane and adds them up.

    With `innermost` that loop becomes the innermost one, as the one along columns of a
    window that slides along these. Each sum has its elements in the same order as before.

    In all structured ops, the additions and multiplications that accumulate are
    marked as reassociable: without that, LLVM must not vectorise a sum. The order is
    chosen at compile time, so that results are the same from run to run. Largest
    and smallest elements are found without regard to the sign of zeros, with the
    one so far as the second operand, which on x86 is ready one step later.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numBlocked", "num-blocked",
              "Number of transpositions by blocks of vectors">,
    Statistic<"numInterleaved", "num-interleaved",
              "Number of transpositions of few elements side by side">,
    Statistic<"numInterchanged", "num-interchanged",
              "Number of ops with another innermost loop">,
    Statistic<"numProducts", "num-products", "Number of products of bytes">,
    Statistic<"numReductions", "num-reductions", "Number of reductions marked">,
    Statistic<"numRepeated", "num-repeated",
              "Number of copies that have elements several times">
  ];
}

def LowerLinalg : Pass<"lower-linalg"> {
  let summary = "Lower structured ops on buffers to loops";
  let description = [{
    Structured ops become affine loops, the bounds of which have to be values of
    the function. Those in a loop over tiles, whose last one may be smaller,
    become `scf.for` instead. A structured op on tensors stays.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ApproximateMath : Pass<"approximate-math", "::mlir::ModuleOp"> {
  let summary = "Expand exp, log, pow, sin and their kin into polynomials";
  let description = [{
    Uses polynomial approximations, scalar or vector, so that loops over them
    vectorise and no library call remains. Of f32, log and log1p are
    upstream's; exp, expm1, tanh, erf, powers, the trigonometric and the
    hyperbolic functions and their inverses have forms here, which take fewer instructions
    and registers or are closer. Of f64 there are exp, tanh, sin, cos and powers.
    The sine and the cosine of f64 read a table, a constant of the module.
    Powers with the exponents 2, 3 and the multiples of 1/4 that are common
    become products and square roots. Other functions and element types keep
    calling libm.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // NACRE_TRANSFORMS_KERNELPASSES_TD
