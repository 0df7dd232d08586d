//===- Passes.td - Conversions between dialects ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the conversion passes, one per pair of levels.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_CONVERSION_PASSES_TD
#define NACRE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertIEToLinalg : Pass<"convert-ie-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower IE ops to linalg, tensor, scf, math and arith";
  let description = [{
    Turns every IE op into destination-style structured ops on tensors (the
    software kernels), and branches and loops into scf. Unsigned integers become
    signless. Sequences, optionals and strings become values of the runtime
    (nacre-c/Runtime.h) and ops of the Runtime dialect. What `ie-decompose` kept
    whole for the engine, and that did not take, is taken apart first. An op that
    cannot be lowered is an error at that op saying why.
  }];
  // Data layouts tell the size of pointers by LLVM's type.
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::nacre::rt::RuntimeDialect"
  ];
}

def ConvertIEToVPU : Pass<"convert-ie-to-vpu", "::mlir::ModuleOp"> {
  let summary = "Lower to the neural compute engine what it supports";
  let description = [{
    Convolutions, matrix products, pooling, and the arithmetic and activations
    around them become `VPU.NCE` ops where the architecture's engine supports
    their form; `VPU.PackWeights` says how their constants will be packed. Values
    change layout, by `VPU.ToBlocked`, `VPU.ToMatrices` and their inverses, at the
    edges of such regions only. Every other op stays for `convert-ie-to-linalg`.

    A transposed convolution becomes one convolution for each phase: for the
    outputs that are as many pixels apart as its stride is long. All of them
    write into one value, and none multiplies zeroes. Where they have too few
    channels to fill vectors, or there are too many of them, they become the
    channels of a single convolution, and an `IE.DepthToSpace` follows. Groups
    that would leave most of each vector empty stay, unless a software kernel
    would have to spread the input even more.

    Images of a CPU may be of any number and size, as long as their channels are
    known: the sizes of results are computed from those of operands, and a run
    in which no window fits its image fails. Two such images are only added,
    multiplied and so on where it shows that they are of one size, as a run
    might have to repeat one of them otherwise.

    An `IE.Scan` whose strategy has `parts = [?]` becomes an `scf.forall` over parts
    of the rows, the first dimension of its states, in each of which the same Scan
    runs on them: clusters wait for each other once, and not in each step. There are
    as many parts as have `grain` rows of all steps together, and no more than
    clusters or rows. A Scan of which the numbers of rows in states and sequences
    do not show to be equal stays whole. Example:
    ```mlir
    %0:2 = IE.Scan(%state, %x) {VPU.strategy = #VPU.strategy<
        multiCluster = SplitOverHeight, parts = [?], grain = 6>} : …
    ```
    becomes
    ```mlir
    %0:2 = scf.forall (%part) in (%parts) shared_outs(%s = …, %y = …) … {
      %1 = tensor.extract_slice %state[%first, 0] [%count, 128] [1, 1] : …
      %2 = tensor.extract_slice %x[0, %first, 0] [%steps, %count, 512] … : …
      %3:2 = IE.Scan(%1, %2) : …
      …
    } {mapping = [#VPU.cluster<SplitOverHeight>]}
    ```
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Remark on each op of the engine's families that stays in IE, and why">,
    Option<"accuracyLevel", "accuracy-level", "int64_t", /*default=*/"0",
           "The accuracy_level of each MatMulNBits that has none: 0 and 1 f32, 2 "
           "f16, 3 bf16, 4 bytes">,
    Option<"releaseConstants", "release-constants", "bool", /*default=*/"false",
           "Free weights once they have been replaced; the context must hold no "
           "other module to be compiled">
  ];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of engine ops">,
    Statistic<"numLeft", "num-left",
              "Number of ops of the engine's families left to software">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::nacre::VPU::VPUDialect"
  ];
}

def ConvertLayoutsToCopies
    : Pass<"convert-layouts-to-copies", "::mlir::func::FuncOp"> {
  let summary = "Move data where a value changes its layout";
  let description = [{
    `VPU.ToBlocked` and `VPU.FromBlocked` become a `VPU.Copy` each, with views
    before and behind it: of one row, of volumes, of groups of channels that are
    blocked by themselves, and of the engine's bytes, which have no sign. A copy
    that does nothing but pad the result of `VPU.ToBlocked` pads on the way, too.
    `VPU.ToMatrices` and `VPU.FromMatrices` become views.

    Example:
    ```mlir
    %b = VPU.ToBlocked %x : tensor<1x60x8x8xf32> -> tensor<1x4x8x8x16xf32>
    // becomes
    %init = tensor.empty() : tensor<1x4x8x8x16xf32>
    %b = VPU.Copy ins(%x : tensor<1x60x8x8xf32>)
        outs(%init : tensor<1x4x8x8x16xf32>)
        {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>}
        -> tensor<1x4x8x8x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numBlocked", "num-blocked", "Number of copies into blocks">,
    Statistic<"numUnblocked", "num-unblocked", "Number of copies out of them">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect", "::nacre::IE::IEDialect",
    "::nacre::VPU::VPUDialect"
  ];
}

def ConvertLinalgToVPU : Pass<"convert-linalg-to-vpu", "::mlir::ModuleOp"> {
  let summary = "Multiply matrices of dynamic sizes on the engine";
  let description = [{
    Sums of products of f32 matrices with a dynamic dimension become
    `VPU.NCE.MatMul`: with one right matrix for all rows, which is packed where
    it is constant, or one right matrix for each left one. Their sizes have been
    related to each other by then, which operators of IE do not show.
    Matrices of known sizes are `convert-ie-to-vpu`'s. An NPU has to know sizes,
    to fit its scratchpad.

    Conversions from f16 and bf16 in front of a `VPU.Copy`, and to them behind it
    or behind a product, are done by that op.
  }];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Remark on each sum of products of unknown size that stays, and why">
  ];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of engine ops">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::nacre::VPU::VPUDialect"
  ];
}

def ConvertVPUToVector : Pass<"convert-vpu-to-vector"> {
  let summary = "Write the bodies of NCE tiles as register-blocked kernels";
  let description = [{
    Lowers VPU ops on static buffers of f32, bf16 and 8-bit integers to loops
    over vectors of the machine's width. Convolutions and matrix products keep a tile of accumulators in
    registers through the whole reduction; the tile is chosen by estimated
    cycles from the number of registers and the op's shape. Sizes that do not
    divide get tiles of their own, partly filled vectors are masked.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ConvertRuntimeToFunc : Pass<"convert-rt-to-func", "::mlir::ModuleOp"> {
  let summary = "Call the runtime's functions on values";
  let description = [{
    Each op of the Runtime dialect becomes a call of the function that it stands
    for, `rt.NAME` of `nacre_NAME`, and of `nacre_NAME_in_place` where it is marked
    so. Values become `!llvm.ptr`, in signatures, branches and loops, too. Numbers
    and element types that an op has as attributes become constants, texts
    constants of the module. Whatever else has a value as an operand or result is
    an error.

    Example:
    ```mlir
    rt.check_tensor %x, f32, 2, "x"
    // becomes
    %type = arith.constant 1 : i64
    %rank = arith.constant 2 : i64
    %name = llvm.mlir.addressof @nacre_text_1B2E : !llvm.ptr
    call @nacre_check_tensor(%x, %type, %rank, %name)
        : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect"
  ];
}

#endif // NACRE_CONVERSION_PASSES_TD
