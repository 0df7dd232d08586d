//===- IEBase.td - Dialect, base classes, constraints ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IE dialect itself and what its operator families share: the op base
// classes and the constraints on tensors and attributes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_IEBASE_TD
#define NACRE_DIALECT_IE_IR_IEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "nacre/Dialect/IE/IR/PrecisionInterface.td"
include "nacre/Dialect/IE/IR/QuantizableInterface.td"
include "nacre/Dialect/IE/IR/SamplesInterface.td"
include "nacre/Dialect/IE/IR/SizesInterface.td"

def IE_Dialect : Dialect {
  let name = "IE";
  let cppNamespace = "::nacre::IE";
  let summary = "The vocabulary of the model: one op per ONNX operator";
  let description = [{
    IE is the image of an ONNX model in MLIR: each operator of the newest ONNX
    operator set has one op of the same name, operands in ONNX's order and
    attributes under ONNX's names. The importer adapts older operator set
    versions, so nothing below it knows their numbers.

    Values are builtin ranked tensors. ONNX `int2`…`int64` are the signless
    `i2`…`i64`, `uint2`…`uint64` are `ui2`…`ui64`, `bool` is `i1`, `string` is
    `!IE.String`, `complex64` and `complex128` are `complex<f32>` and
    `complex<f64>`. Shapes may hold dynamic dimensions; type inference propagates
    them and constants refine them. Ops are pure.
  }];
  let dependentDialects = ["::nacre::abi::NacreDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    // One registration per operator family, each in the family's source file.
    void registerActivationOps();
    void registerConstantOps();
    void registerControlFlowOps();
    void registerConvolutionOps();
    void registerDataMovementOps();
    void registerElementwiseOps();
    void registerGettingStarted();
    void registerIndexingOps();
    void registerLogicalOps();
    void registerMapOps();
    void registerMatMulOps();
    void registerNGramOps();
    void registerNormalizationOps();
    void registerPoolingOps();
    void registerQuantizationOps();
    void registerRandomOps();
    void registerRecurrentOps();
    void registerReductionOps();
    void registerResamplingOps();
    void registerSelectionOps();
    void registerSequenceOps();
    void registerShapeOps();
    void registerSignalOps();
    void registerSortingOps();
    void registerStringOps();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// Base of the dialect's own types.
class IE_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<IE_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

// ONNX's numeric element types and bool.
def IE_AnyFloat : AnyTypeOf<[F16, BF16, F32, F64], "floating point">;
def IE_AnyInteger : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64],
                              "integer">;
def IE_AnyNumber : AnyTypeOf<[IE_AnyFloat, IE_AnyInteger], "number">;
def IE_NumberOrBool : AnyTypeOf<[IE_AnyNumber, I1], "number or bool">;
def IE_String : Type<CPred<"::llvm::isa<::nacre::IE::StringType>($_self)">,
                     "string", "::nacre::IE::StringType">;
def IE_WideElement
    : AnyTypeOf<[IE_AnyNumber, I1, IE_String], "number, bool or string">;
// Formats to store numbers in, which can be moved and converted.
def IE_SmallNumber
    : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU, F4E2M1FN,
                 I<2>, I<4>, UI<2>, UI<4>], "float8 or of 2 or 4 bits">;
def IE_RealElement
    : AnyTypeOf<[IE_WideElement, IE_SmallNumber], "any but complex">;
// Moved only: no op of ONNX computes with complex numbers or converts them.
def IE_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex">;
def IE_AnyElement
    : AnyTypeOf<[IE_RealElement, IE_Complex], "any">;
// ONNX's lists hold no small numbers.
def IE_ListElement
    : AnyTypeOf<[IE_WideElement, IE_Complex],
                "number, bool, string or complex">;

def IE_Tensor : RankedTensorOf<[IE_AnyElement]>;
def IE_RealTensor : RankedTensorOf<[IE_RealElement]>;
def IE_WideTensor : RankedTensorOf<[IE_WideElement]>;
def IE_NumberOrBoolTensor : RankedTensorOf<[IE_NumberOrBool]>;
def IE_StringTensor : RankedTensorOf<[IE_String]>;
def IE_NumberTensor : RankedTensorOf<[IE_AnyNumber]>;
def IE_FloatTensor : RankedTensorOf<[IE_AnyFloat]>;
def IE_BoolTensor : RankedTensorOf<[I1]>;
def IE_IndexTensor : RankedTensorOf<[I32, I64]>;   // Tind of ONNX
def IE_ByteTensor : RankedTensorOf<[I8, UI8]>;
def IE_I64Tensor : RankedTensorOf<[I64]>;

//===----------------------------------------------------------------------===//
// Op base classes
//===----------------------------------------------------------------------===//

// InferTypeOpInterface with the op's own adaptor. A declared result type may
// be more static than the inferred one (a data-dependent shape that the model
// states), never contradict it.
def IE_InferType : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                      ::mlir::TypeRange actual) {
    return ::nacre::IE::areCompatibleTypes(inferred, actual);
  }
}]>;

// What gives ops upstream's interface, given their own `buildSizes`.
class IE_ReifiesSizes<code definition> : NativeOpTrait<"ReifiesSizes", [], [{
  ::llvm::LogicalResult
  reifyResultShapes(::mlir::OpBuilder &builder,
                    ::mlir::ReifiedRankedShapedTypeDims &results) {
    return ::nacre::IE::reifySizes(getOperation(), builder, results);
  }
}], definition> {
  let cppNamespace = "::nacre::IE";
}

// The sizes of the results follow from the operands, as `definition` says or,
// where it is empty, the family's source file, beside type inference.
class IE_BuildsSizes<code definition = [{}]> : TraitList<[
    ReifyRankedShapedTypeOpInterface,
    DeclareOpInterfaceMethods<IE_SizesOpInterface>,
    IE_ReifiesSizes<definition>]>;
def IE_OwnSizes : IE_BuildsSizes;

// The results have the sizes of the first operand.
def IE_SizesOfFirst : IE_BuildsSizes<[{
  ::llvm::LogicalResult $cppClass::buildSizes(
      ::nacre::IE::SizeBuilder &sizes,
      ::mlir::ReifiedRankedShapedTypeDims &results) {
    results.assign(getOperation()->getNumResults(),
                   sizes.getSizes(getOperation()->getOperand(0)));
    return ::mlir::success();
  }
}]>;

class IE_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::nacre::IE";
}
// Each element of the result is computed from one of each operand.
def IE_Broadcasts : IE_Trait<"Broadcasts">;
// The result is the first operand's elements in their order.
def IE_KeepsElements : IE_Trait<"KeepsElements">;
// Of one operand, or of one and others that are no factor: f(x / s) = f(x) / s
// for positive s.
def IE_Homogeneous : IE_Trait<"Homogeneous">;
// A product, convolution or pooling, for which accelerators have an engine.
def IE_ForEngines : IE_Trait<"ForEngines">;

// A trait whose only use is the methods that ops with it get.
class IE_GivesMethods<string name, code declaration, code definition>
    : NativeOpTrait<name, [], declaration, definition> {
  let cppNamespace = "::nacre::IE";
}

// What becomes of the op when floats of 16 bits are computed in 32.
class IE_UsesFloats<string use> : TraitList<[
    IE_PrecisionOpInterface,
    IE_GivesMethods<"UsesFloats", [{
      ::nacre::IE::FloatUse getFloatUse();
    }], "::nacre::IE::FloatUse $cppClass::getFloatUse() {\n" #
        "  return ::nacre::IE::FloatUse::" # use # ";\n}\n">]>;
def IE_ComputesFloats : IE_UsesFloats<"Computes">;
def IE_MovesFloats : IE_UsesFloats<"Moves">;
def IE_RearrangesFloats : IE_UsesFloats<"Rearranges">;
def IE_ReadsFloats : IE_UsesFloats<"Reads">;

// What the op does on 8-bit integers that stand for floats.
class IE_UsesIntegers<string kind> : TraitList<[
    IE_QuantizableOpInterface,
    IE_GivesMethods<"UsesIntegers", [{
      ::nacre::IE::QuantizableKind getQuantizableKind();
      std::optional<::nacre::IE::LinearOperands> getLinearOperands();
    }], "::nacre::IE::QuantizableKind $cppClass::getQuantizableKind() {\n" #
        "  return ::nacre::IE::QuantizableKind::" # kind # ";\n}\n" #
        "std::optional<::nacre::IE::LinearOperands>\n" #
        "$cppClass::getLinearOperands() { return std::nullopt; }\n">]>;
def IE_ArithmeticOnIntegers : IE_UsesIntegers<"Arithmetic">;
def IE_CarriesIntegers : IE_UsesIntegers<"Carries">;

// Sample i of the results follows from sample i of what is a batch, under a
// condition. `isHeavy` ops are worth a loop over samples.
class IE_ComputesSamples<string condition, bit isHeavy = 0> : TraitList<[
    IE_SamplesOpInterface,
    IE_GivesMethods<"ComputesSamples", [{
      bool computesSamples();
      bool deservesLoop();
    }], "bool $cppClass::computesSamples() { return " # condition # "; }\n" #
        "bool $cppClass::deservesLoop() { return " # isHeavy # "; }\n">]>;
class IE_SampleWise<bit isHeavy = 0> : IE_ComputesSamples<
    "::nacre::IE::isOnlyFirstBatched(getOperation())", isHeavy>;

// The samples of a batch are where `places` says, by those of `operands`.
class IE_FollowsSamples<string places> : TraitList<[
    IE_SamplePlacesOpInterface,
    IE_GivesMethods<"FollowsSamples", [{
      ::llvm::FailureOr<::llvm::SmallVector<::nacre::IE::MaybeSamples>>
      followSamples(::llvm::ArrayRef<::nacre::IE::MaybeSamples> operands);
    }], "::llvm::FailureOr<::llvm::SmallVector<::nacre::IE::MaybeSamples>>\n" #
        "$cppClass::followSamples(\n" #
        "    ::llvm::ArrayRef<::nacre::IE::MaybeSamples> operands) {\n" #
        "  return " # places # ";\n}\n">]>;
// What the op does along `axis` it does for each sample in another dimension.
class IE_SamplesBeside<string axis> : IE_FollowsSamples<
    "::nacre::IE::followBeside(getOperation(), operands, " # axis # ")">;

// The result has the sizes that all operands broadcast to.
def IE_SizesOfBroadcast : TraitList<[IE_Broadcasts, IE_BuildsSizes<[{
  ::llvm::LogicalResult $cppClass::buildSizes(
      ::nacre::IE::SizeBuilder &sizes,
      ::mlir::ReifiedRankedShapedTypeDims &results) {
    results.push_back(
        ::nacre::IE::buildBroadcastSizes(sizes, getOperation()->getOperands()));
    return ::mlir::success();
  }
}]>]>;

// Base of every IE op.
class IE_Op<string mnemonic, list<Trait> traits = []>
    : Op<IE_Dialect, mnemonic, !listconcat([Pure], traits)>;

// Base of every op that is the image of an ONNX operator: its result types
// follow from operands and attributes.
class IE_OnnxOp<string mnemonic, list<Trait> traits = []>
    : IE_Op<mnemonic, !listconcat(traits, [IE_InferType])>;

// One operand, one result of the operand's type, computed per element.
class IE_UnaryOp<string mnemonic, Type operandType, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic,
                !listconcat(traits, [Elementwise, IE_SizesOfFirst])> {
  let arguments = (ins operandType:$input);
  let results = (outs operandType:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(adaptor.getInput().getType());
      return ::mlir::success();
    }
  }];
}

// Operands that broadcast multidirectionally (NumPy's rules); the result has
// the element type of the first.
class IE_BroadcastOp<string mnemonic, list<Trait> traits = []>
    : IE_OnnxOp<mnemonic, !listconcat(traits, [IE_SizesOfBroadcast])> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      return ::nacre::IE::inferBroadcastType(
          location, adaptor.getOperands(),
          ::mlir::getElementTypeOrSelf(adaptor.getOperands().front()),
          inferred);
    }
  }];
}

// Two operands that broadcast.
class IE_BinaryOp<string mnemonic, Type operandType, Type resultType,
                  list<Trait> traits = []>
    : IE_BroadcastOp<mnemonic, !listconcat(traits, [SameOperandsElementType])> {
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs resultType:$output);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` type(operands) `->` type($output)";
}

// The description of an op whose page differs from its siblings' only in a few
// words: details, example, link to the operator.
class IE_OpDoc<string mnemonic, string details, string example> {
  string text = details # "\n\nExample:\n```mlir\n" # example #
                "\n```\nOperator: https://onnx.ai/onnx/operators/onnx__" #
                mnemonic # ".html\n";
}

// A string attribute of ONNX that must be one of a few words.
class IE_StringAttrOf<list<string> words>
    : StringBasedAttr<
          And<[StrAttr.predicate,
               Or<!foreach(word, words,
                           CPred<"::llvm::cast<::mlir::StringAttr>($_self)"
                                 ".getValue() == \"" # word # "\"">)>]>,
          !interleave(!foreach(word, words, "'" # word # "'"), " or ")>;

// How `pads` follow from the shapes.
def IE_AutoPad
    : IE_StringAttrOf<["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]>;

#endif // NACRE_DIALECT_IE_IR_IEBASE_TD
