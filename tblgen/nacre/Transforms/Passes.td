//===- Passes.td - Passes between bufferization and LLVM ---*- tablegen -*-===//
//
// Declares the passes on buffers that belong to no dialect of nacre's: where
// memory lives, what becomes a function.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_PASSES_TD
#define NACRE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeCopies : Pass<"legalize-copies"> {
  let summary = "Turn memref.copy into linalg.copy";
  let description = [{
    A strided `memref.copy` would lower to a call into MLIR's runner library,
    which a self-contained artifact does not have. As a linalg op it becomes
    loops like any other kernel. A copy onto itself disappears.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place every static allocation in one arena";
  let description = [{
    Replaces the `memref.alloc` ops of each public function by views of one
    `memref<Nxi8>` argument, appended to the signature. Buffers whose lifetimes
    do not overlap share bytes: the largest are placed first, each at the lowest
    offset that is free during its life (Pisarchyk and Lee, "Efficient Memory
    Management for Deep Neural Net Inference", 2020). Allocations inside
    `scf.forall` get one copy per iteration, since iterations run concurrently.

    The module records `nacre.arena_bytes` and, for comparison,
    `nacre.arena_lower_bound`: the largest sum of sizes alive at once.
    A dynamic allocation is an error.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"64",
           "Alignment of every buffer in bytes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PackConstants : Pass<"pack-constants", "::mlir::ModuleOp"> {
  let summary = "Gather constants into one weight blob";
  let description = [{
    Moves the initial values of all `memref.global` ops that public functions
    use into one aligned blob, the module attribute `nacre.weights`, and turns
    `memref.get_global` into views of a `memref<Nxi8>` argument appended to the
    signature. Code generation then never sees the weights.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"64",
           "Alignment of every constant in bytes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def OutlineKernels : Pass<"outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make each distinct computation a function";
  let description = [{
    Moves every computation at the top level of a public function (the body of
    an `scf.forall`, or a loop nest or structured op on buffers) into a private
    function and calls it. Computations that are equal up to the buffers they
    use share one function, so code size and compile time follow the number of
    distinct kernels, not of layers. Arguments are whole buffers, marked
    `llvm.noalias`; views are recomputed inside.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of distinct kernels">,
    Statistic<"numCalls", "num-calls", "Number of calls to kernels">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ApproximateMath : Pass<"approximate-math"> {
  let summary = "Expand f32 exp, log, tanh and erf into polynomials";
  let description = [{
    Uses upstream's polynomial approximations (a few ulp), scalar or vector, so
    that loops over them vectorise and no library call remains. Other functions
    and element types keep calling libm.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // NACRE_TRANSFORMS_PASSES_TD
