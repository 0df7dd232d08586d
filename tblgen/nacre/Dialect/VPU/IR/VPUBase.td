//===- VPUBase.td - Dialect, enums, op classes -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The VPU dialect itself, the class of its attributes, and their enums.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUBASE_TD
#define NACRE_DIALECT_VPU_IR_VPUBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def VPU_Dialect : Dialect {
  let name = "VPU";
  let cppNamespace = "::nacre::VPU";
  let summary = "The vocabulary of the machine: what an accelerator does that a "
                "generic loop does not";
  let description = [{
    `VPU.NCE.*` ops are the neural compute engine's: convolution, matmul,
    pooling and elementwise arithmetic over physical layouts, each with a fused
    post-processing step (`#VPU.PPE`). `VPU.Copy` is the DMA engine: it moves
    data between memory kinds and changes its layout on the way.

    All ops are in destination style, on tensors or on buffers, and tile,
    fuse and bufferize through upstream's interfaces. Activations are blocked,
    `(N, CB, H, W, c)`: `CB` blocks of `c` channels, the channels of a block
    innermost, zero-padded up to `CB * c`. On CPUs `c` is the vector width; on
    NPUs `c` is the channel count and `CB` is 1, which is NHWC.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect",
                           "::nacre::abi::NacreDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

class VPU_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<VPU_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class VPU_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::nacre::VPU";
  let genSpecializedAttr = 0;
}

def VPU_MemoryKind : VPU_Enum<"MemoryKind", "where a buffer lives", [
  I32EnumAttrCase<"DDR", 0>,   // main memory: the arena
  I32EnumAttrCase<"CMX", 1>    // the cluster's scratchpad; a CPU core's cache
]>;

def VPU_DimsOrder : VPU_Enum<"DimsOrder", "order of a tensor's dimensions", [
  I32EnumAttrCase<"ANY", 0>,    // row-major, meaning of dimensions irrelevant
  I32EnumAttrCase<"NCHW", 1>,   // logical activations (N, C, H, W)
  I32EnumAttrCase<"NCHWc", 2>,  // blocked activations (N, C/c, H, W, c)
  I32EnumAttrCase<"KN", 3>,     // matrices (B, K, N)
  I32EnumAttrCase<"NK", 4>,     // transposed matrices (B, N, K)
  I32EnumAttrCase<"KNn", 5>     // packed panels (B, N/n, K, n)
]>;

// The scalar function y of x that post-processing applies.
def VPU_PPEMode : VPU_Enum<"PPEMode", "function of the post-processing step", [
  I32EnumAttrCase<"NOOP", 0>,      // x
  I32EnumAttrCase<"RELU", 1>,      // max(x, 0)
  I32EnumAttrCase<"LRELU", 2>,     // x < 0 ? slope * x : x
  I32EnumAttrCase<"CLAMP", 3>,     // min(max(x, low), high)
  I32EnumAttrCase<"SIGMOID", 4>,   // 1 / (1 + exp(-x))
  I32EnumAttrCase<"TANH", 5>,      // tanh(x)
  I32EnumAttrCase<"HSIGMOID", 6>,  // min(max(slope * x + 1/2, 0), 1)
  I32EnumAttrCase<"HSWISH", 7>,    // x * min(max(x / 6 + 1/2, 0), 1)
  I32EnumAttrCase<"SWISH", 8>,     // x / (1 + exp(-slope * x))
  I32EnumAttrCase<"GELU", 9>,      // x / 2 * (1 + erf(x / sqrt(2)))
  // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
  I32EnumAttrCase<"GELU_TANH", 10>,
  I32EnumAttrCase<"MISH", 11>,     // x * tanh(log(1 + exp(x)))
  I32EnumAttrCase<"ELU", 12>       // x < 0 ? slope * (exp(x) - 1) : x
]>;

// The order of packed weights: VPU.PackWeights has a table.
def VPU_WeightForm : VPU_Enum<"WeightForm", "form of packed weights", [
  I32EnumAttrCase<"DENSE", 0>,
  I32EnumAttrCase<"DEPTHWISE", 1>,
  I32EnumAttrCase<"GROUPED", 2>,
  I32EnumAttrCase<"WINOGRAD", 3>,
  I32EnumAttrCase<"PANELS", 4>,
  I32EnumAttrCase<"TRANSPOSED_PANELS", 5>
]>;

def VPU_EltwiseKind : VPU_Enum<"EltwiseKind", "elementwise operation", [
  I32EnumAttrCase<"ADD", 0>,
  I32EnumAttrCase<"SUB", 1>,
  I32EnumAttrCase<"MUL", 2>,
  I32EnumAttrCase<"MAX", 3>,
  I32EnumAttrCase<"MIN", 4>
]>;

def VPU_ClusterStrategy : VPU_Enum<"ClusterStrategy",
    "how an op is distributed over clusters", [
  I32EnumAttrCase<"SplitOverHeight", 0>,
  I32EnumAttrCase<"SplitOverKernel", 1>,
  I32EnumAttrCase<"SplitOverBatch", 2>,
  I32EnumAttrCase<"SplitOverWidth", 3>,
  I32EnumAttrCase<"Clustering", 4>     // not at all: one cluster computes it
]>;

// What strategies decide about, in the order in which they do.
def VPU_Decision : VPU_Enum<"Decision", "what is decided at a time", [
  I32EnumAttrCase<"operators", 0>,
  I32EnumAttrCase<"algorithms", 1>,
  I32EnumAttrCase<"concurrency", 2>,
  I32EnumAttrCase<"groups", 3>,
  I32EnumAttrCase<"loops", 4>,
  I32EnumAttrCase<"software", 5>,
  I32EnumAttrCase<"buffers", 6>,
  I32EnumAttrCase<"joins", 7>,
  I32EnumAttrCase<"registers", 8>
]>;

def VPU_Algorithm : VPU_Enum<"Algorithm", "how an op computes its result", [
  I32EnumAttrCase<"undecided", 0>,
  I32EnumAttrCase<"direct", 1>,        // as its definition says
  I32EnumAttrCase<"winograd", 2>,      // tiles of transformed images and filters
  I32EnumAttrCase<"phases", 3>,        // a convolution for each phase
  I32EnumAttrCase<"phasesAsChannels", 4>, // one convolution for all phases
  I32EnumAttrCase<"candidates", 5>,    // lists of what may be among the best
  I32EnumAttrCase<"bestElement", 6>,   // the best of all, as ArgMax finds it
  I32EnumAttrCase<"columns", 7>,       // many columns side by side
  I32EnumAttrCase<"standingLines", 8>, // the same of lines that are transposed
  I32EnumAttrCase<"slices", 9>,        // an operand for each neighbour, or place in a window
  I32EnumAttrCase<"channelsLast", 10>, // of an image that is transposed first
  I32EnumAttrCase<"inPlace", 11>,      // in the buffer of an intermediate result
  I32EnumAttrCase<"sortedColumns", 12>, // several columns sorted at once
  I32EnumAttrCase<"sortedLines", 13>,  // the same of lines that are transposed
  I32EnumAttrCase<"software", 14>,     // a software kernel instead of the engine
  I32EnumAttrCase<"panels", 15>,       // a right matrix that is packed first
  I32EnumAttrCase<"rowMajor", 16>,     // a right matrix, or a volume, as it lies
  I32EnumAttrCase<"inTurn", 17>,       // the best elements, then positions; image by image
  I32EnumAttrCase<"atOnce", 18>,       // both by one loop; all images of a window
  I32EnumAttrCase<"narrowImage", 19>,  // of 16-bit floats, which each read extends
  I32EnumAttrCase<"narrowSoftware", 20>, // the same, whether an engine has it or not
  I32EnumAttrCase<"asOperand", 21>,    // on the engine where the operand comes from it
  I32EnumAttrCase<"planes", 22>,       // channel by channel, by tables of all positions
  I32EnumAttrCase<"channelsLastIfMany", 23>, // channelsLast where a run reads much, or direct
  I32EnumAttrCase<"cutRows", 24>       // rows of which parts are copied and filled
]>;

def VPU_FusedNeighbours : I32BitEnumAttr<"FusedNeighbours",
    "ops that are computed in the loops of their neighbour", [
  I32BitEnumAttrCaseNone<"none">,
  I32BitEnumAttrCaseBit<"producer", 0>,
  I32BitEnumAttrCaseBit<"unblocking", 1>
]> {
  let cppNamespace = "::nacre::VPU";
  let genSpecializedAttr = 0;
}

def VPU_BorderDims : I32BitEnumAttr<"BorderDims",
    "edges of an image at which products with its border are left out", [
  I32BitEnumAttrCaseNone<"none">,
  I32BitEnumAttrCaseBit<"rows", 0>,
  I32BitEnumAttrCaseBit<"columns", 1>
]> {
  let cppNamespace = "::nacre::VPU";
  let genSpecializedAttr = 0;
}

def VPU_ArchKind : VPU_Enum<"ArchKind", "kind of architecture", [
  I32EnumAttrCase<"cpu", 0>,
  I32EnumAttrCase<"npu", 1>
]>;

#endif // NACRE_DIALECT_VPU_IR_VPUBASE_TD
