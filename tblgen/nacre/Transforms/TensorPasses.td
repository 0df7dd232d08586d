//===- TensorPasses.td - From tensors to tensors -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on tensors that belong to no dialect of nacre's: how arguments and
// results of `main` are passed, how software kernels are fused, what becomes one
// buffer.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_TRANSFORMS_TENSORPASSES_TD
#define NACRE_TRANSFORMS_TENSORPASSES_TD

include "mlir/Pass/PassBase.td"

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

def LowerBoundary : Pass<"lower-boundary", "::mlir::ModuleOp"> {
  let summary = "Take and give tensors of unknown size as the runtime's values";
  let description = [{
    A compiled model takes and gives tensors of static shape as pointers. Other
    tensors of a public function's signature become `!rt.value`, a
    `nacre_value *` of the runtime (nacre-c/Runtime.h): arguments are viewed
    where they are, results are copied into a new value, or computed there. A
    result that starts as an argument, which a loop writes rows into, starts as a
    copy that is made there. The sizes of arguments
    are checked against what the types and the names of their dimensions
    (`nacre.dims`) say; a contradiction fails the run. Tensors of strings
    (`nacre.element`) are such values whatever their shape; sequences and
    optionals are handles already, whose kind is checked.

    Works on tensors, before bufferization.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect",
                           "::nacre::rt::RuntimeDialect"];
}

def FuseElementwise : Pass<"fuse-elementwise"> {
  let summary = "Fuse elementwise ops, up to a number of them";
  let description = [{
    Upstream's `linalg-fuse-elementwise-ops`, except that the bodies of two ops
    become one only if that has no more ops than `max-body`. Each fusion copies
    both bodies, so a chain of any length is fused in linear time, into loops
    which load and store once for as many ops.

    What picks several elements by their positions for each of its own, and is read by
    an op with more loops, is fused with none, so that it does so once.

    What several ops read is fused with none of them. So what CSE does to large
    results of a few simple operations per element on operands of which there are
    few, such as a mask that comparing the positions of queries and keys gives, is
    undone before: every elementwise op that reads one gets a clone of its own.
    Several layers would otherwise read one from memory.

    A part of a tensor that drops a dimension of size 1, only to be given it back, keeps
    it, so that an op on it can write where its result belongs.

    No strategy says which ops are fused: each fusion makes a new op, and moves
    reshapes past it, which brings others together, so the ops of a decision would be
    gone when it is applied. What is cloned follows from shapes, by numbers of the cost
    model.

    Example:
    ```mlir
    %mask = linalg.generic … ins(%keys, %queries : tensor<4096xi64>, tensor<2048x1xi64>)
        outs(%0 : tensor<2048x4096xi1>) { … arith.cmpi sle … }
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t",
           /*default=*/"::nacre::VPU::kDistantFloats",
           "Smallest result that is computed again for each of several users">,
    Option<"maxBody", "max-body", "int64_t", "128",
           "The largest number of ops in the body of a fused op">
  ];
  let statistics = [
    Statistic<"numClones", "num-clones", "Number of ops added for further users">
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

def BindResults : Pass<"bind-results", "::mlir::func::FuncOp"> {
  let summary = "Let results be computed in the memory that is there for them";
  let description = [{
    Replaces the `tensor.empty` that a result starts as, for bufferization to compute
    it where the caller finds it:

    - of a state, which is an argument with the attribute `nacre.state = N`, by the
      argument: result N is what it becomes, and the caller passes one buffer for
      both. Where something needs the old value still, `vpu-bufferize` copies the new
      one there; it drops the result. Both are of one type, with a static shape.
    - of a tensor that `bufferization.materialize_in_destination` says to belong into a
      buffer, by the buffer's contents, where the buffer is there before the first op
      that writes what becomes the tensor. Upstream's elimination of empty tensors
      does so, too, but after it has placed what is written into parts of the tensor,
      and with that the tensor, in front of the buffer.

    Both compare types. What is computed in one shape and given in another starts
    from a `tensor.empty` of the result's shape before, which is reshaped for the
    computation:

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
    Of an output of unknown size, that is
    ```mlir
    %view = memref.view %data[%zero][%n] : memref<1xi8> to memref<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    // becomes
    %e = bufferization.to_tensor %view restrict writable : memref<?xf32> to tensor<?xf32>
    ```

    Of several outputs of unknown size that start as the same tensor, as two
    concatenations of one input with others, the last alone is computed there. Each
    other one is stored as a copy, since to store it would overwrite the last.
  }];
  let statistics = [
    Statistic<"numSeparated", "num-separated", "Number of results copied">,
    Statistic<"numReshaped", "num-reshaped", "Number of results reshaped">,
    Statistic<"numBound", "num-bound", "Number of results bound to memory">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // NACRE_TRANSFORMS_TENSORPASSES_TD
