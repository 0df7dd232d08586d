//===- BufferPasses.td - From buffers to calls of kernels --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on buffers, from bufferization until `main` calls kernels: where
// memory lies, what becomes a function, what is told of each step.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_BUFFERPASSES_TD
#define NACRE_TRANSFORMS_BUFFERPASSES_TD

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

def ReleaseValues : Pass<"release-values", "::mlir::ModuleOp"> {
  let summary = "Free the runtime's values after their last use";
  let description = [{
    A sequence, or a tensor of dynamic size, is a value of the
    runtime (`!rt.value`), which belongs to the run that made it. By the rules of
    the Runtime dialect, each op that gives one gives one owner in this run, the
    block that the op is in. A block hands values over to the loops that it starts
    and to what its terminator branches to, with an `rt.keep` for each but the
    last. What it does not hand over it drops after the last op that uses the value
    or a view of its elements (`rt.drop`). A sequence whose last use is an op that
    changes it is changed in place. A value of which a view leaves the block stays
    the run's, and so do all values of a function with an op on them that does not
    have `OwnershipOpInterface`.

    Example:
    ```mlir
    %1 = scf.for %i = %0 to %n step %c iter_args(%list = %empty) -> (!rt.value) {
      %longer = rt.sequence_append in_place %list, %x
      scf.yield %longer : !rt.value
    }
    rt.drop %x
    ```
  }];
  let dependentDialects = ["::nacre::rt::RuntimeDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place every static allocation in one arena";
  let description = [{
    Replaces the `memref.alloc` ops of each public function by views of one
    `memref<Nxi8>` argument of the role `arena`. Buffers whose lifetimes
    do not overlap share bytes: the largest are placed first, each at the lowest
    offset that is free during its life (Pisarchyk and Lee, "Efficient Memory
    Management for Deep Neural Net Inference", 2020). Allocations inside
    `scf.forall` get one copy per iteration, since iterations run concurrently.
    These keep their places from loop to loop where that costs no memory: what a
    core wrote in one loop is in its cache when it writes there in the next.

    The module records `nacre.arena_bytes` and, for comparison,
    `nacre.arena_lower_bound`: the largest sum of sizes alive at once.
    A buffer of dynamic size stays an allocation, freed after its
    last use, or, where it leaves its block, when the run ends. Without `arena`
    all do, so that tools see what lives when.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"64",
           "Alignment of every buffer in bytes">,
    Option<"arena", "arena", "bool", /*default=*/"true",
           "Place buffers of known size in the arena">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::nacre::abi::NacreDialect"];
}

def PackConstants : Pass<"pack-constants", "::mlir::ModuleOp"> {
  let summary = "Lay constants out as one block of weights";
  let description = [{
    Moves the initial values of all `memref.global` ops that public functions
    use into the module attribute `nacre.weights`, an array of constants, gives
    each an aligned offset in `nacre.weight_offsets`, and turns
    `memref.get_global` into views of a `memref<Nxi8>` argument of the role
    `weights`. Code generation then never sees the weights.

    A module that has these attributes already continues their layout: they are
    what the same model needs on other architectures. Constants of the same bytes
    share one place: those of several architectures, and what several ops pack of
    the same weights.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"64",
           "Alignment of every constant in bytes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::nacre::abi::NacreDialect"];
}

def OutlineKernels : Pass<"outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make each distinct computation a function";
  let description = [{
    Moves every computation at the top level of a public function (the body of
    an `scf.forall`, or a loop nest or structured op on buffers) into a private
    function and calls it. Computations that are equal up to the buffers they
    use share one function, so code size and compile time follow the number of
    distinct kernels, not of layers. Arguments are whole buffers, marked
    `llvm.noalias`; views are recomputed inside. Buffers that an iteration of an
    `scf.forall` has to itself are arguments, too, unless they share memory.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of distinct kernels">,
    Statistic<"numCalls", "num-calls", "Number of calls to kernels">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def InstrumentSteps : Pass<"instrument-steps", "::mlir::ModuleOp"> {
  let summary = "Report the start of every step of main to the profiler";
  let description = [{
    A step is a kernel call or a distributed loop at the top level of `main`.
    Before step `i`, and once more at the end, `nacre_profile_step(i)` is called,
    a function that whoever loads the code provides. `nacre.steps` on the module
    lists what each step is (`#nacre.step`): its location, kernel, floating-point
    operations, the cycles that one cluster of the module's architecture needs for
    them at least, bytes of the buffers it touches, and where in the arena those lie
    (offset and size in turn).
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect",
                           "::nacre::abi::NacreDialect"];
}

def HookSteps : Pass<"hook-steps", "::mlir::ModuleOp"> {
  let summary = "Call hooks before and after every step of main";
  let description = [{
    A step is a kernel call or a distributed loop at the top level of `main`, which
    gets a pointer to a `struct nacre_hooks` (`nacre-c/Hooks.h`), an argument of the
    role `hooks` in front of the arena. Where that is null, nothing happens but a comparison in
    front of each step and one behind the last. Otherwise, a function of the step's
    own calls the hooks with the step's number, and with the address, the bytes and
    the roles of each of its buffers.

    `nacre.steps` on the module lists what each step is, as `instrument-steps` does,
    and of each buffer (`operands`) its element type, shape, strides, roles, and the
    argument of `main` that it is or its offset in the arena or the weights.
    `nacre.hooks` says that `main` has the pointer.
  }];
  let statistics = [
    Statistic<"numSteps", "num-steps", "Number of steps that call hooks">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::nacre::abi::NacreDialect"];
}

def ReleaseWeights : Pass<"release-weights", "::mlir::ModuleOp"> {
  let summary = "Let go of large weights as soon as a run has used them";
  let description = [{
    What of the weights a run has read stays in memory, so that a model needs as
    much of it as it has weights, though a step needs only its own. Behind the
    last op of `main` that reads some, `nacre_release_weights` is called, once
    `window` bytes have come together and at the end. It takes whole huge pages
    out of the process, which stay in the system's cache and are found there by
    the next run; where the system has no huge pages for files, it does nothing.
    A page waits for the last reader of any weights in it.

    For the argument of the role `weights`. Weights of less than `least` bytes
    altogether stay, and those for a machine that nacre has no runtime for.

    ```mlir
    %w = memref.view %weights[%c0][] : memref<500000000xi8> to memref<4096x1024xf32>
    call @kernel(%w, %x, %y) : (memref<4096x1024xf32>, ...) -> ()
    %begin = memref.view %weights[%c0][] : memref<500000000xi8> to memref<1xi8>
    call @nacre_release_weights(%begin, %c16777216) : (memref<1xi8>, index) -> ()
    ```
  }];
  let options = [
    Option<"least", "least", "int64_t", /*default=*/"kLargeWeights",
           "Bytes of weights from which on they are released">,
    Option<"window", "window", "int64_t", /*default=*/"16 << 20",
           "Bytes of weights to release at a time">
  ];
  let statistics = [
    Statistic<"numReleases", "num-releases", "Calls of nacre_release_weights">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // NACRE_TRANSFORMS_BUFFERPASSES_TD
