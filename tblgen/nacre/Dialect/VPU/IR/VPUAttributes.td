//===- VPUAttributes.td - Attributes of the VPU dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory spaces, tensor encodings, post-processing, cluster mapping.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_TD
#define NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_TD

include "nacre/Dialect/VPU/IR/VPUStrategy.td"
include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

class VPU_EnumAttr<EnumAttrInfo info, string attrMnemonic>
    : EnumAttr<VPU_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def VPU_MemAttr : VPU_EnumAttr<VPU_MemoryKind, "mem"> {
  let summary = "Memory space of a buffer";
  let description = [{
    A memref without memory space is in DDR.

    ```mlir
    memref<1x1x9x9x16xf32, #VPU.mem<CMX>>
    ```
  }];
}

def VPU_OrderAttr : VPU_EnumAttr<VPU_DimsOrder, "order">;
def VPU_EltwiseKindAttr : VPU_EnumAttr<VPU_EltwiseKind, "eltwise">;
def VPU_WeightFormAttr : VPU_EnumAttr<VPU_WeightForm, "weights">;

def VPU_LayoutAttr : VPU_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Dimension order and memory kind of a tensor";
  let description = [{
    The encoding of a tensor that lives outside DDR. Bufferization maps the
    memory kind to the buffer's memory space; a tensor without encoding is in
    DDR.

    ```mlir
    tensor<1x4x56x56x16xf32, #VPU.layout<order = NCHWc, memory = CMX>>
    ```
  }];
  let parameters = (ins
    EnumParameter<VPU_DimsOrder>:$order,
    EnumParameter<VPU_MemoryKind>:$memory
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

def VPU_PPEAttr : VPU_Attr<"PPE", "PPE"> {
  let summary = "Fused post-processing of an NCE op";
  let description = [{
    The function applied to each result element after bias and residual were
    added, while it is still in a register: `y = f(op + bias + residual)`.

    ```mlir
    #VPU.PPE<mode = RELU>
    #VPU.PPE<mode = CLAMP, low = 0.0, high = 6.0>
    #VPU.PPE<mode = LRELU, slope = 0.1>
    ```

    `CLAMP` may leave out either bound; `LRELU`, `HSIGMOID`, `SWISH` and `ELU`
    need `slope`.

    An op whose result is of 8-bit integers quantizes last:
    `saturate(round(y) + zeroPoint)`, half to even, into [0, 255].

    ```mlir
    #VPU.PPE<mode = RELU, zeroPoint = 128 : i64>
    ```
  }];
  let parameters = (ins
    EnumParameter<VPU_PPEMode>:$mode,
    OptionalParameter<"::mlir::FloatAttr">:$low,
    OptionalParameter<"::mlir::FloatAttr">:$high,
    OptionalParameter<"::mlir::FloatAttr">:$slope,
    OptionalParameter<"::mlir::IntegerAttr">:$zeroPoint
  );
  let builders = [
    AttrBuilder<(ins CArg<"::nacre::VPU::PPEMode",
                          "::nacre::VPU::PPEMode::NOOP">:$mode), [{
      return $_get($_ctxt, mode, ::mlir::FloatAttr(), ::mlir::FloatAttr(),
                   ::mlir::FloatAttr(), ::mlir::IntegerAttr());
    }]>
  ];
  let assemblyFormat = "`<` struct(params) `>`";
  // Default values in op definitions are modes.
  let constBuilderCall =
      "::nacre::VPU::PPEAttr::get($_builder.getContext(), $0)";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isNoop() const {
      return getMode() == PPEMode::NOOP && !getZeroPoint();
    }
    /// The same function, quantizing its results.
    PPEAttr getQuantizing(int64_t zeroPoint) const;
    /// CLAMP of elements of `type` to [low, high], either bound optional.
    static PPEAttr getClamp(::mlir::FloatType type, std::optional<double> low,
                            std::optional<double> high);
    /// A mode that has a slope, with it.
    static PPEAttr getSloped(::mlir::MLIRContext *context, PPEMode mode,
                             double slope);
    /// The parameters as numbers; infinite where a bound is absent.
    double getLowValue() const;
    double getHighValue() const;
    double getSlopeValue() const;
  }];
}

def VPU_QuantAttr : VPU_Attr<"Quant", "quant"> {
  let summary = "What 8-bit integers stand for";
  let description = [{
    The unsigned integer `q` stands for `scale * (q - zeroPoint)`.

    ```mlir
    #VPU.quant<scale = 5.000000e-01 : f32, zeroPoint = 128>
    ```
  }];
  let parameters = (ins "::mlir::FloatAttr":$scale, "int64_t":$zeroPoint);
  let assemblyFormat = "`<` struct(params) `>`";
}

def VPU_ClusterAttr : VPU_Attr<"Cluster", "cluster",
    [DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>]> {
  let summary = "Maps an scf.forall to the clusters of the architecture";
  let description = [{
    Each iteration of the loop runs on one cluster: a core of a CPU, a tile of
    an NPU. The strategy names what is split.

    ```mlir
    scf.forall (%i) in (2) { … } {mapping = [#VPU.cluster<SplitOverHeight>]}
    ```
  }];
  let parameters = (ins EnumParameter<VPU_ClusterStrategy>:$strategy);
  let assemblyFormat = "`<` $strategy `>`";
}

def VPU_MatrixUnitAttr : VPU_Attr<"MatrixUnit", "matrix_unit"> {
  let summary = "The part of an architecture that multiplies matrix tiles";
  let description = [{
    It has `tiles` registers of up to `rows` rows of `rowBytes` bytes each, and
    multiplies tiles of `elementTypes`, of which a row of the left one and a
    column of the right one are packs of 32 bits: x86's AMX.

    ```mlir
    #VPU.matrix_unit<tiles = 8, rows = 16, rowBytes = 64, elementTypes = [bf16]>
    ```
  }];
  let parameters = (ins
    "int64_t":$tiles,
    "int64_t":$rows,
    "int64_t":$rowBytes,
    "::mlir::ArrayAttr":$elementTypes
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True when tiles may be of this type.
    bool multiplies(::mlir::Type type) const;
    /// How many products of elements of a type it adds up in a cycle: a product
    /// of full tiles takes one for each row.
    int64_t getMacsPerCycle(::mlir::Type type) const;
    /// The 32-bit numbers of a tile's row, as many as it holds, that a reduction
    /// of `length` such numbers is a multiple of.
    int64_t getDepth(int64_t length) const;
  }];
}

def VPU_ArchAttr : VPU_Attr<"Arch", "arch"> {
  let summary = "The architecture a module is compiled for";
  let description = [{
    A descriptor (lib/Target/Architectures) as an attribute, so that passes need
    no global state. `init-compiler` attaches it to the module as `VPU.arch`.
  }];
  let parameters = (ins
    StringRefParameter<"name of the descriptor">:$name,
    EnumParameter<VPU_ArchKind>:$kind,
    "int64_t":$clusters,
    "int64_t":$cmxBytes,
    DefaultValuedParameter<"int64_t", "0">:$sharedCacheBytes,
    "int64_t":$dmaEngines,
    "int64_t":$dmaGigabytesPerSecond,
    "int64_t":$clockMHz,
    "int64_t":$lanes,
    "int64_t":$registers,
    "int64_t":$pixels,
    "int64_t":$blocks,
    "bool":$blockedChannels,
    "::mlir::DictionaryAttr":$packs,
    OptionalParameter<"MatrixUnitAttr">:$matrixUnit,
    "::mlir::ArrayAttr":$elementTypes,
    StringRefParameter<"LLVM target triple">:$triple,
    StringRefParameter<"LLVM target CPU">:$cpu,
    StringRefParameter<"LLVM tuning CPU">:$tune,
    StringRefParameter<"LLVM target features">:$features
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// The module attribute's name.
    static constexpr ::llvm::StringLiteral moduleAttrName = "VPU.arch";

    /// The architecture of the module around `op`; null when it has none.
    static ArchAttr lookup(::mlir::Operation *op);
    /// The same; emits an error on `op` where there is none.
    static ArchAttr require(::mlir::Operation *op);

    /// True where CMX is a memory of its own, which the DMA engine fills and
    /// where the operands of the NCE have to be; else it is a share of a cache.
    bool hasScratchpad() const { return getKind() == ArchKind::npu; }
    /// True where the NCE is a unit with operations of its own, on sizes,
    /// weights and zero points that are known when a model is compiled. Else it
    /// is what kernels make of a core's instructions, which may do more.
    bool hasFixedFunctionNCE() const { return getKind() == ArchKind::npu; }
    /// True where clusters are cores, which run software kernels, too.
    bool hasCores() const { return getKind() == ArchKind::cpu; }
    /// True when the NCE computes on elements of this type.
    bool supportsElementType(::mlir::Type type) const;
    /// Elements of a type in a vector. Of what is narrower than f32 there are
    /// as many as of f32, in which it is summed.
    int64_t getLanes(::mlir::Type type) const;
    /// How many elements of a type the MAC array multiplies and adds at once
    /// for each lane.
    int64_t getPack(::mlir::Type type) const;
    /// How many products of a type a cluster adds up in a cycle at best by
    /// vectors, of which each lane holds `pack` elements.
    int64_t getVectorMacsPerCycle(::mlir::Type type, int64_t pack = 1) const;
    /// Channels per block of an activation with this many channels of a type.
    int64_t getBlockSize(int64_t channels, ::mlir::Type type) const;
  }];
}

#endif // NACRE_DIALECT_VPU_IR_VPUATTRIBUTES_TD
