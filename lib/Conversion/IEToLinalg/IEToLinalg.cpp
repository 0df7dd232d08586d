//===- IEToLinalg.cpp - The convert-ie-to-linalg pass ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the families' patterns into one full conversion of the IE dialect,
// function signatures included.
//
//===----------------------------------------------------------------------===//

#include "nacre/Conversion/IEToLinalg/IEToLinalg.h"
#include "nacre/Conversion/ConvertedOps.h"
#include "nacre/Conversion/IEToLinalg/DialectLowering.h"
#include "nacre/Conversion/Passes.h"
#include "nacre/Dialect/IE/IR/Decomposition.h"
#include "nacre/Dialect/IE/IR/OperatorDialect.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/Transforms/DecomposedOps.h"
#include "nacre/Dialect/IE/Utils/SmallNumbers.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"
#include "nacre/Dialect/Runtime/IR/Runtime.h"
#include "nacre/Dialect/VPU/Transforms/OperatorStrategies.h"
#include "nacre/Support/PatternRoots.h"
#include "nacre/Support/Pointers.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTIETOLINALG
#include "nacre/Conversion/Passes.h.inc"
} // namespace nacre

using namespace mlir;
using namespace nacre;

IEToLinalgTypeConverter::IEToLinalgTypeConverter(Operation *op) {
  unsigned pointerBits = getPointerBits(op);
  // What is refused keeps the types of IE, and its neighbours have others.
  auto keepApart = [](OpBuilder &builder, Type type, ValueRange inputs,
                      Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(keepApart);
  addTargetMaterialization(keepApart);
  addConversion([](Type type) { return type; });
  addConversion([](Type type) -> std::optional<Type> {
    if (isa<IE::MapType, IE::OptionalType, IE::SequenceType>(type)) {
      return rt::ValueType::get(type.getContext());
    }
    return std::nullopt;
  });
  addConversion([pointerBits](RankedTensorType type) -> Type {
    if (isa<IE::StringType>(type.getElementType())) {
      return RankedTensorType::get(
          type.getShape(), IntegerType::get(type.getContext(), pointerBits));
    }
    if (IE::isSmallNumber(type.getElementType())) {
      return RankedTensorType::get(type.getShape(),
                                   IntegerType::get(type.getContext(), 8));
    }
    if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
      // Only moved: an integer as wide, which everything below takes.
      unsigned width = 2 * complex.getElementType().getIntOrFloatBitWidth();
      return type.clone(IntegerType::get(type.getContext(), width));
    }
    auto integer = dyn_cast<IntegerType>(type.getElementType());
    if (!integer || integer.isSignless()) {
      return type;
    }
    return type.clone(IntegerType::get(type.getContext(), integer.getWidth()));
  });
}

/// Reports an IE op that no pattern took. Patterns say why only where MLIR was
/// built with debug output, and mostly it is the shapes.
static void reportUnconverted(Operation *op) {
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && !shaped.hasStaticShape()) {
      op->emitOpError("expected static shapes, found ")
          << type << "; fix inputs with --shape NAME=DIMS or use "
          << "--backend=interpreter";
      return;
    }
  }
  op->emitError("failed to legalize operation '")
      << op->getName() << "'; use --backend=interpreter";
}

/// Notes the element types of values of dynamic size, and what kinds the
/// runtime's other values are: whoever calls the function needs to know whether
/// integers have a sign, or are strings.
static void recordElementTypes(func::FuncOp function) {
  auto getElement = [](Type type) {
    if (isa<IE::MapType, IE::OptionalType, IE::SequenceType>(type)) {
      return TypeAttr::get(type);
    }
    auto tensor = dyn_cast<RankedTensorType>(type);
    bool isValue = tensor && rt::isTensorValue(tensor, tensor.getElementType());
    return isValue ? TypeAttr::get(tensor.getElementType()) : TypeAttr();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (TypeAttr element = getElement(type)) {
      abi::setOfArgument<abi::Element>(function, i, element);
    }
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    if (TypeAttr element = getElement(type)) {
      abi::setOfResult<abi::Element>(function, i, element);
    }
  }
}

/// Takes apart what was kept whole for an engine that did not take it: there
/// are kernels for the parts only.
static LogicalResult decomposeWhole(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  IE::populateDecomposeWholePatterns(patterns);
  return rewriteOps(module, std::move(patterns), [](Operation *op) {
    return op->hasTrait<IE::WholeInGraph>();
  });
}

static void populateKernels(const TypeConverter &converter,
                            RewritePatternSet &patterns) {
  populateActivationToLinalgPatterns(converter, patterns);
  populateConstantToLinalgPatterns(converter, patterns);
  populateControlFlowToLinalgPatterns(converter, patterns);
  populateConvolutionToLinalgPatterns(converter, patterns);
  populateCumulativeToLinalgPatterns(converter, patterns);
  populateDataMovementToLinalgPatterns(converter, patterns);
  populateElementwiseToLinalgPatterns(converter, patterns);
  populateIndexingToLinalgPatterns(converter, patterns);
  populateLogicalToLinalgPatterns(converter, patterns);
  populateMapToLinalgPatterns(converter, patterns);
  populateMatMulToLinalgPatterns(converter, patterns);
  populateNormalizationToLinalgPatterns(converter, patterns);
  populatePoolingToLinalgPatterns(converter, patterns);
  populateQuantizationToLinalgPatterns(converter, patterns);
  populateRandomToLinalgPatterns(converter, patterns);
  populateReductionToLinalgPatterns(converter, patterns);
  populateResamplingToLinalgPatterns(converter, patterns);
  populateResizeToLinalgPatterns(converter, patterns);
  populateRoiAlignToLinalgPatterns(converter, patterns);
  populateSelectionToLinalgPatterns(converter, patterns);
  populateSequenceToLinalgPatterns(converter, patterns);
  populateShapeToLinalgPatterns(converter, patterns);
  populateSortingToLinalgPatterns(converter, patterns);
  populateStringToLinalgPatterns(converter, patterns);
  for (Dialect *dialect : patterns.getContext()->getLoadedDialects()) {
    if (auto *lowering =
            dialect->getRegisteredInterface<IEToLinalgDialectInterface>()) {
      lowering->populateToLinalgPatterns(converter, patterns);
    }
  }
}

llvm::DenseSet<OperationName> nacre::getOpsOfSoftware(Operation *module) {
  IEToLinalgTypeConverter converter(module);
  RewritePatternSet patterns(module->getContext());
  populateKernels(converter, patterns);
  return getRoots(patterns);
}

namespace {
struct ConvertIEToLinalgPass final
    : nacre::impl::ConvertIEToLinalgBase<ConvertIEToLinalgPass> {
  void runOnOperation() override {
    if (failed(VPU::verifyOperators(getOperation())) ||
        failed(decomposeWhole(getOperation()))) {
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      recordElementTypes(function);
    }
    MLIRContext &context = getContext();
    IEToLinalgTypeConverter converter(getOperation());
    RewritePatternSet patterns(&context);
    populateKernels(converter, patterns);
    populateRejectUndecomposedPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);

    ConversionTarget target(context);
    // Left as they are, operators can be reported in the user's terms.
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) -> std::optional<bool> {
          return IE::isOperator(op) ? std::nullopt : std::optional<bool>(true);
        });
    // Only signatures that mention unsigned integers, small or complex
    // numbers change.
    target.addDynamicallyLegalDialect<tensor::TensorDialect>(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.addDynamicallyLegalOp<func::ReturnOp>([&](func::ReturnOp op) {
      return converter.isLegal(op.getOperandTypes());
    });
    // A pattern that knows better says itself what is missing.
    bool isReported = false;
    {
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
        isReported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure();
      });
      if (failed(applyPartialConversion(getOperation(), target,
                                        std::move(patterns)))) {
        return signalPassFailure();
      }
    }
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!IE::isOperator(op)) {
        return WalkResult::advance();
      }
      if (!isReported) {
        reportUnconverted(op);
      }
      signalPassFailure();
      return WalkResult::interrupt();
    });
  }
};
} // namespace
