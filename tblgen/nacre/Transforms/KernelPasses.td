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
    as it can be. An operand that is broadcast along dimensions of its own of size
    1 is read through a view without them.

    A structured op that reduces rows which an elementwise one before it has stored
    becomes one with it, which has both results: elements are reduced while they are
    in registers. Sums may differ in the last bits, since LLVM chooses how many
    partial sums a loop has. Short rows are left alone, for a loop over the elements
    of many of them is one of whole vectors.

    ```mlir
    linalg.generic … ["parallel", "parallel"]} ins(%x, %max : …) outs(%exp : memref<1x4096xf32>) { … math.exp … }
    linalg.generic … ["parallel", "reduction"]} ins(%exp : memref<1x4096xf32>) outs(%sum : memref<1xf32>) { … arith.addf … }
    // becomes
    linalg.generic … ["parallel", "reduction"]} ins(%x, %max : …) outs(%exp, %sum : memref<1x4096xf32>, memref<1xf32>) { … }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"512",
           "Shortest rows that are reduced where they are computed">
  ];
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
  let summary = "Write transpositions and products of bytes with vectors";
  let description = [{
    What LLVM would vectorise along one of its loops only, and which needs elements
    of several rows in a register, becomes loops over vectors.

    A copy with the dimensions in another order reads or writes single elements
    far from each other, unless the innermost dimension stays the same. It becomes
    loops over square blocks: as many vectors are loaded as a vector of the
    architecture has elements, at most 16, interleaved until rows and columns have
    changed places, and stored. A dimension that is no multiple of the block's edge
    ends with a block that overlaps the one before. Of dynamic sizes, that is
    decided at run time. Elements of less than a byte stay loops over elements.
    Two to eight elements side by side that are less than 8 bytes, or fewer than
    four, as the phases of an image or its colours, would be blocks that fill too
    little of a vector. They are moved one by one in a loop along the rows on the
    other side, which is what LLVM vectorises.

    A sum over rows of a matrix of products with 32 bits, the factors of which are
    bytes or differences of such, and one of which is the same for all columns, is
    what is left of products of integers of so few rows that packing the matrix for
    the engine would take longer, or of dynamic sizes. It becomes loops
    over eight rows of the matrix at a time. Vectors of their columns are interleaved
    two by two as words of 16 bits, or four by four as bytes, where the architecture
    multiplies such and one factor is unsigned and the other signed. An instruction
    multiplies the elements of each lane and adds them up. Products stay as they are
    on other architectures than those that multiply pairs or fours.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numBlocked", "num-blocked",
              "Number of transpositions by blocks of vectors">,
    Statistic<"numInterleaved", "num-interleaved",
              "Number of transpositions of few elements side by side">,
    Statistic<"numProducts", "num-products", "Number of products of bytes">
  ];
}

def OrderReductions : Pass<"order-reductions"> {
  let summary = "Reduce in an order that LLVM vectorises";
  let description = [{
    Marks the additions and multiplications by which structured ops accumulate
    as reassociable: without that, LLVM must not vectorise a sum. The order is
    chosen at compile time, so that results are the same from run to run. Largest
    and smallest elements are found without regard to the sign of zeros, with the
    one so far as the second operand, which on x86 is ready one step later.

    Of a structured op that sums a window which slides along the columns of its
    input, as pools do, the loop over columns becomes the innermost one where the
    window has more elements than LLVM unrolls loops for, and no row longer than the
    result's: so it can be vectorised.
    Each sum has its elements in the same order as before.
  }];
  let statistics = [
    Statistic<"numReductions", "num-reductions", "Number of reductions marked">,
    Statistic<"numWindows", "num-windows", "Number of ops interchanged">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
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
