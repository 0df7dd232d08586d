//===- Passes.td - Passes between bufferization and LLVM ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes on buffers that belong to no dialect of nacre's: where
// memory lives, what becomes a function.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_PASSES_TD
#define NACRE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nacre/Transforms/LLVMPasses.td"

def LegalizeCopies : Pass<"legalize-copies"> {
  let summary = "Turn memref.copy into linalg.copy";
  let description = [{
    A strided `memref.copy` would lower to a call into MLIR's runner library,
    which a self-contained artifact does not have. As a linalg op it becomes
    loops like any other kernel. A copy onto itself disappears.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RecordInterface : Pass<"record-interface", "::mlir::ModuleOp"> {
  let summary = "Write down what @main takes and gives";
  let description = [{
    Lowering turns the tensors of `@main` into buffers and moves its results
    among its arguments. The module keeps what callers know of it in
    `nacre.interface`: the type of the function and the attributes of its
    arguments and results, with `nacre.unread` for arguments that nothing uses.
    So a module of any later level can still be compiled. Where there is no
    `@main`, nothing is written.

    Its arguments get the role of an input or, where they are one, of a state,
    its results that of an output (`nacre.role`).
  }];
  let dependentDialects = ["::nacre::abi::NacreDialect"];
}

def LowerBoundary : Pass<"lower-boundary", "::mlir::ModuleOp"> {
  let summary = "Take and give tensors of unknown size as the runtime's values";
  let description = [{
    A compiled model takes and gives tensors of static shape as pointers. Other
    tensors of a public function's signature become `!rt.value`, a
    `nacre_value *` of the runtime (nacre-c/Runtime.h): arguments are viewed
    where they are, results are copied into a new value. The sizes of arguments
    are checked against what the types and the names of their dimensions
    (`nacre.dims`) say; a contradiction fails the run. Tensors of strings
    (`nacre.element`) are such values whatever their shape; sequences and
    optionals are handles already, whose kind is checked.

    Works on tensors, before bufferization.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect",
                           "::nacre::rt::RuntimeDialect"];
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
    A buffer whose size only a run knows stays an allocation, freed after its
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

def ReleaseConstants : Pass<"release-constants", "::mlir::ModuleOp"> {
  let summary = "Free resources that the module no longer refers to";
  let description = [{
    The context keeps every `dense_resource` for as long as it lives, so each
    form that weights pass through (as the model stores them, folded, packed,
    transformed) would stay in memory to the end. This pass frees those that no
    attribute of the module names. It must not run while another module of the
    same context is still to be lowered: printed, such a module shows an empty
    resource; compiled, it is refused.
  }];
  let statistics = [
    Statistic<"bytesReleased", "bytes-released", "Bytes given back">
  ];
}

def ReleaseValues : Pass<"release-values", "::mlir::ModuleOp"> {
  let summary = "Free the runtime's values after their last use";
  let description = [{
    A sequence, or a tensor whose size only a run knows, is a value of the
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

def SplitEmptyTensors : Pass<"split-empty-tensors"> {
  let summary = "Give every use of `tensor.empty` one of its own";
  let description = [{
    Undoes what CSE does to `tensor.empty` and to fills of it. With one op for all
    layers of a shape, all their results are candidates for one buffer, and the
    time that one-shot analysis takes grows with the square of the number of
    layers; and what several reductions start from would be copied for each. Views
    of a `tensor.empty` get one each, too: buffers that a loop carries would
    otherwise be one.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergeReductions : Pass<"merge-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce a large operand once for several results";
  let description = [{
    Two structured ops that reduce the same operands by the same loops become one
    with the results of both, such as the least and the largest element that a
    scale is computed of. Each of them would read the operand from memory.

    Example:
    ```mlir
    %least = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%0 : tensor<f32>) { … arith.minimumf … }
    %most = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%1 : tensor<f32>) { … arith.maximumf … }
    // becomes
    %both:2 = linalg.generic … ins(%x : tensor<4096x384xf32>) outs(%0, %1 : tensor<f32>, tensor<f32>) { … }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"4096",
           "Smallest operand that is worth it">
  ];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Number of ops merged into others">
  ];
}

def RecomputeBroadcasts : Pass<"recompute-broadcasts"> {
  let summary = "Compute what few elements are broadcast to where it is read";
  let description = [{
    Undoes what CSE does to large results of a few simple operations per element
    on operands of which there are few, such as a mask that comparing the
    positions of queries and keys gives: every elementwise op that reads one gets
    a clone of its own, to be fused with it. Several layers would otherwise read
    one from memory.

    Example:
    ```mlir
    %mask = linalg.generic … ins(%keys, %queries : tensor<4096xi64>, tensor<2048x1xi64>)
        outs(%0 : tensor<2048x4096xi1>) { … arith.cmpi sle … }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"262144",
           "Smallest result that is not stored for several users">
  ];
  let statistics = [
    Statistic<"numClones", "num-clones", "Number of ops added">
  ];
}

def FuseElementwise : Pass<"fuse-elementwise"> {
  let summary = "Fuse elementwise ops, up to a number of them";
  let description = [{
    Upstream's `linalg-fuse-elementwise-ops`, except that the bodies of two ops
    become one only if that has no more ops than `max-body`. Each fusion copies
    both bodies, so a chain of any length is fused in linear time, into loops
    which load and store once for as many ops.
  }];
  let options = [
    Option<"maxBody", "max-body", "int64_t", "128",
           "The largest number of ops in the body of a fused op">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def InlineGathers : Pass<"inline-gathers"> {
  let summary = "Read elements of a gather from where it finds them";
  let description = [{
    A structured op that reads single elements (`tensor.extract`) of the result of
    another, which in turn finds each elsewhere, looks there itself. What is
    gathered is not stored then, unless something else uses it.

    Example:
    ```mlir
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = tensor.extract %rows[%i] : tensor<?xindex>
    %x = tensor.extract %mask[%row, %j] : tensor<?x?xf32>
    ```
  }];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Number of ops that are not stored">
  ];
}

def ReshapeResults : Pass<"reshape-results", "::mlir::func::FuncOp"> {
  let summary = "Compute results in memory of the shape that is given";
  let description = [{
    A state or a value of the runtime that is computed in one shape and given in
    another is copied from the memory that it is computed in, since `bind-states`
    and `bind-results` bind memory by type. So the tensor that such a computation
    starts from gets the shape of the result, and is reshaped for the computation.

    ```mlir
    %e = tensor.empty() : tensor<1x4x8xf32>
    %p = VPU.NCE.MatMul ... outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
    %y = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
    return %y : tensor<4x8xf32>
    ```
    starts with
    ```mlir
    %r = tensor.empty() : tensor<4x8xf32>
    %e = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 4, 8]
        : tensor<4x8xf32> into tensor<1x4x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numReshaped", "num-reshaped", "Number of results">
  ];
}

def BindStates : Pass<"bind-states", "::mlir::ModuleOp"> {
  let summary = "Let states be computed in the buffers they arrive in";
  let description = [{
    An argument with the attribute `nacre.state = N` is a state: result N is
    what it becomes, and the caller passes one buffer for both. This pass
    replaces the `tensor.empty` that such a result starts as by the argument.
    Bufferization then computes it there where nothing needs the old value
    anymore; `vpu-bufferize` copies it there otherwise, and drops the result.

    Argument and result must be of the same type, with a static shape.

    Example:
    ```mlir
    func.func @main(%past: tensor<8xf32> {nacre.state = 0 : i64}) -> tensor<8xf32>
    ```
  }];
}

def BindResults : Pass<"bind-results", "::mlir::func::FuncOp"> {
  let summary = "Let results be computed in the memory that is there for them";
  let description = [{
    Where `bufferization.materialize_in_destination` says that a tensor belongs
    into a buffer, and that buffer is there before the first op that writes what
    becomes the tensor, this pass replaces the `tensor.empty` that it starts as by
    the buffer's contents. Upstream's elimination of empty tensors does so, too,
    but after it has placed what is written into parts of the tensor, and with
    that the tensor, in front of the buffer.

    Example:
    ```mlir
    %view = memref.view %data[%zero][%n] : memref<1xi8> to memref<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    // becomes
    %e = bufferization.to_tensor %view restrict writable : memref<?xf32> to tensor<?xf32>
    ```
  }];
  let statistics = [
    Statistic<"numBound", "num-bound", "Number of results bound to memory">
  ];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
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

def CollapseLoops : Pass<"collapse-loops"> {
  let summary = "Merge loops over contiguous elements";
  let description = [{
    Neighbouring loops of a structured op on contiguous buffers become one where
    every operand steps through them alike, so that the innermost loop is as long
    as it can be. An operand that is broadcast along dimensions of its own of size
    1 is read through a view without them.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TransposeInRegisters : Pass<"transpose-in-registers", "::mlir::ModuleOp"> {
  let summary = "Transpose square blocks of vectors";
  let description = [{
    A copy with the dimensions in another order reads or writes single elements
    far from each other, unless the innermost dimension stays the same. It becomes
    loops over square blocks: as many vectors are loaded as a vector of the
    architecture has elements, at most 16, interleaved until rows and columns have
    changed places, and stored. A dimension that is no multiple of the block's edge
    ends with a block that overlaps the one before. Of sizes that only a run knows,
    it chooses. Elements of less than a byte stay loops over elements.

    Two to eight elements side by side that are less than 8 bytes, or fewer than
    four, as the phases of an image or its colours, would be blocks that fill too
    little of a vector. They are moved one by one in a loop along the rows on the
    other side, which is what LLVM vectorises.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numBlocked", "num-blocked",
              "Number of transpositions by blocks of vectors">,
    Statistic<"numInterleaved", "num-interleaved",
              "Number of transpositions of few elements side by side">];
}

def DotBytesInRegisters : Pass<"dot-bytes-in-registers", "::mlir::ModuleOp"> {
  let summary = "Add up several products of bytes in one instruction";
  let description = [{
    A sum over rows of a matrix of products with 32 bits, the factors of which are
    bytes or differences of such, and one of which is the same for all columns: what
    is left of products of integers of so few rows that packing the matrix for the
    engine would take longer, or of sizes that only a run knows. It becomes loops
    over eight rows of the matrix at a time. Vectors of their columns are interleaved
    two by two as words of 16 bits, or four by four as bytes, where the architecture
    multiplies such and one factor is unsigned and the other signed. An instruction
    multiplies the elements of each lane and adds them up. Other architectures than
    those that multiply pairs or fours are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numProducts", "num-products", "Number of products">
  ];
}

def ReassociateReductions : Pass<"reassociate-reductions"> {
  let summary = "Let floating-point reductions be summed in any order";
  let description = [{
    Marks the additions and multiplications by which structured ops accumulate
    as reassociable: without that, LLVM must not vectorise a sum. The order is
    chosen at compile time, so that results are the same from run to run. Largest
    and smallest elements are found without regard to the sign of zeros, with the
    one so far as the second operand, which on x86 is ready one step later.
  }];
  let statistics = [
    Statistic<"numReductions", "num-reductions", "Number of reductions marked">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

#endif // NACRE_TRANSFORMS_PASSES_TD
