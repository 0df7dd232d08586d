//===- LLVMPasses.td - From kernels to the LLVM dialect ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of `lower-to-llvm`.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_LLVMPASSES_TD
#define NACRE_TRANSFORMS_LLVMPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertForallToOpenMP : Pass<"convert-forall-to-openmp"> {
  let summary = "Make loops over cores shared loops of OpenMP";
  let description = [{
    An `scf.forall` on buffers becomes an `omp.parallel` that is one `omp.wsloop`, of
    as many dimensions. OpenMP's loops stay loops until all in them is LLVM's; its
    runtime is not used: `share-loops` replaces them.

    Example:
    ```mlir
    scf.forall (%i) in (%n) {
      func.call @kernel(%x, %i) : (memref<8xf32>, index) -> ()
    }
    ```
    becomes
    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          func.call @kernel(%x, %i) : (memref<8xf32>, index) -> ()
          omp.yield
        }
      }
      omp.terminator
    }
    ```

    How many parts a loop over a dynamic size has, a run computes: one where there is
    little to do, as a rule in small models. Before such a loop the run compares, and
    where all counts are 1 it does what the loop's only step does, in which counters
    are 0 and what depends on the counts is computed for 1:
    ```mlir
    %isOne = arith.cmpi eq, %parts, %c1 : index
    scf.if %isOne {
      func.call @kernel(%x, %c0) : (memref<8xf32>, index) -> ()
    } else {
      … // the loop of OpenMP
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::omp::OpenMPDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numConverted", "loops", "loops over cores">,
    Statistic<"numUnshared", "unshared", "loops that are done alone where they are one part">
  ];
}

def UnrollTransfers : Pass<"unroll-transfers"> {
  let summary = "Unroll transfers of vectors of rank two and above";
  let description = [{
    Reads and writes of a vector of several dimensions become one for each row,
    as upstream's `convert-vector-to-scf` makes of them with full unrolling, of
    whose patterns this pass consists: loops over rows would go through memory.
    That pass looks at all operations of kernels, of which few are transfers.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandViews : Pass<"expand-views"> {
  let summary = "Compute addresses by arithmetic";
  let description = [{
    Views become a `memref.reinterpret_cast` of their buffer and arithmetic, by
    the patterns of upstream's `expand-strided-metadata`. Those know the sizes
    of a `memref.expand_shape` only where at most one dimension of a group is
    dynamic: before, the others become a `memref.reinterpret_cast` to the sizes
    that the op itself names. The affine expressions of which offsets are, and loops
    that have such bounds, become `arith` and `scf` as by upstream's `lower-affine`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertAllToLLVM : Pass<"convert-all-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert all that kernels consist of to the LLVM dialect";
  let description = [{
    What upstream's `convert-vector-to-llvm`, `finalize-memref-to-llvm`,
    `convert-func-to-llvm`, `convert-arith-to-llvm`, `convert-index-to-llvm`,
    `convert-cf-to-llvm`, `convert-ub-to-llvm`, `convert-math-to-llvm`,
    `convert-math-to-libm`, `convert-openmp-to-llvm` and `convert-scf-to-cf` do, in
    one conversion: a module of many kernels is walked once instead of eleven times,
    and no casts
    between converted and other types come and go. Buffers are bare pointers in
    calls, and memory is allocated by generic functions. A function of `math` that
    LLVM has no intrinsic for becomes a call of libm for each element. OpenMP's
    loops stay loops, of LLVM's types.

    Instead of ending the program, a `cf.assert` that does not hold ends the run: it
    becomes a branch to the runtime's `nacre_fail`, whose message names the node that
    the assertion was made for. A bool, which takes a byte in memory, is loaded as an
    `i8` that is compared with 0, so that every byte but 0 is true, and stored as 0 or
    1: LLVM's loop vectoriser does not touch loops that load or store an `i1`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def RollLongLoops : Pass<"roll-long-loops"> {
  let summary = "Keep LLVM from unrolling long loops over scalars";
  let description = [{
    Annotates innermost loops of 64 steps and more, known at compile time, that
    have no vectors in them: LLVM vectorises them, would unroll the rest, and
    then keep in registers, or on the stack, what loops around them load again
    and again. Of 4096 steps and more, which leave little of it, several vectors
    are interleaved: 4 for up to 4 operations, 2 for up to 24, so that they do not
    wait for each other's loads and arithmetic.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NarrowCounters : Pass<"narrow-counters"> {
  let summary = "Count loops with numbers as wide as pointers";
  let description = [{
    Where a module's data layout has pointers of fewer bits than an `index`, one
    counter takes two registers and an addition two instructions. A loop whose
    bounds are known to fit becomes one over integers as wide as a pointer, from
    which its body gets the index. That narrows what the body computes addresses
    from as well: LLVM sees that nothing needs the rest. Other modules stay as
    they are.

    ```mlir
    scf.for %i = %zero to %hundred step %one : i32 {
      %index = arith.index_cast %i : i32 to index
      …
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed", "Number of loops made narrow">
  ];
}

def CheckAllocations : Pass<"check-allocations"> {
  let summary = "Assert that what is allocated fits the address space";
  let description = [{
    Where a module's data layout has pointers of 32 bits, dynamic sizes
    may multiply to more bytes than a pointer can tell apart, of which a
    buffer would get what is left modulo 2^32. An assertion in front of each
    `memref.alloc` ends such a run. A buffer whose type says that it is too large
    is an error. Other modules stay as they are.

    ```mlir
    cf.assert %fits, "a tensor of an impossible size"
    %buffer = memref.alloc(%n, %m) : memref<?x?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def ShareLoops : Pass<"share-loops", "::mlir::ModuleOp"> {
  let summary = "Call the runtime for loops that threads share";
  let description = [{
    Makes the body of each `omp.parallel`, which is a loop that threads share, a
    function of a frame and of the number of an iteration, and the loop a call of
    the runtime's `nacre_share`, which calls the function once for each of them.
    The frame has what the body uses of its surroundings but for constants.

    What fails, for want of memory or by an assertion, ends the run by a jump to
    where it began, which another thread cannot do. A loop whose body may call the
    runtime is a call of `nacre_run_share`: each iteration ends by itself, and the
    run when all have.

    Example:
    ```mlir
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : i64 = (%zero) to (%n) step (%one) {
          llvm.call @kernel(%x, %i) : (!llvm.ptr, i64) -> ()
          omp.yield
        }
      }
      omp.terminator
    }
    ```
    becomes
    ```mlir
    … // stores %x to the frame
    %part = llvm.mlir.addressof @part : !llvm.ptr
    llvm.call @nacre_share(%part, %part, %frame, %n, %threads) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i32) -> ()
    ```

    Works on the LLVM dialect and OpenMP.
  }];
  let options = [
    Option<"threads", "threads", "unsigned", /*default=*/"2",
           "Most threads that may share a loop">
  ];
  let statistics = [
    Statistic<"numShared", "num-shared", "Number of shared loops">,
    Statistic<"numFallible", "num-fallible", "Number of these that may fail">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandSmallFloats : Pass<"expand-small-floats", "::mlir::ModuleOp"> {
  let summary = "Convert to and from floats of 16 bits without a library";
  let description = [{
    Few machines have instructions for bfloat16, and compiler-rt's functions are
    no part of an artifact: conversions from and to f32 become integer
    arithmetic. An architecture that multiplies packs of bf16 has instructions
    for them and keeps them. From f64, or integers to bf16, none has: these become
    f32 first, and so does f64 on its way to f16, and bf16 that is shifted on its way
    to f64.

    What LLVM would compute for each element of a vector by itself keeps its
    vectors: extremes of numbers of 16 bits, and, on x86, floors, ceilings and
    the like of those that instructions convert but do not round.

    Where a machine has no instructions for bfloat16, LLVM would keep one that lives
    longer than a basic block as an f32, and round it with a function of compiler-rt.
    When conversions are integer arithmetic, bf16 is only moved, as integers can be:
    an `i16` takes its place in functions, constants and buffers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def FoldDescriptors : Pass<"fold-descriptors"> {
  let summary = "Read fields of descriptors of buffers where they were written";
  let description = [{
    The conversion to LLVM packs pointers, offsets, sizes and strides of buffers
    into structs, and unpacks them again for each use. An `llvm.extractvalue` of
    what an `llvm.insertvalue` wrote is that value, and what nobody reads any more
    goes. LLVM simplifies all else itself, and in less time.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // NACRE_TRANSFORMS_LLVMPASSES_TD
