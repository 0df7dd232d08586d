//===- ConvertAllToLLVM.cpp - The convert-all-to-llvm pass ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream has a pass for each dialect, and each walks all that there is,
// leaves a cast wherever an operand comes from a dialect whose turn is not yet,
// and takes back those that the pass before it left. One conversion with the
// patterns of all of them meets every operation once.
//
//===----------------------------------------------------------------------===//

#include "AccessesToLLVM.h"
#include "AssertionsToLLVM.h"

#include "nacre/Transforms/Passes.h"
#include "nacre/Transforms/RewriteOps.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"

namespace nacre {
#define GEN_PASS_DEF_CONVERTALLTOLLVM
#include "nacre/Transforms/Passes.h.inc"
} // namespace nacre

using namespace mlir;

/// No vector has more elements than that many bits count.
static constexpr bool kNarrowIndices = true;

/// What makes ops on vectors such that LLVM has, as upstream's pass does first.
static void populateVectorPreparation(RewritePatternSet &patterns) {
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::Dot);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  // Transfers of more dimensions became loops before.
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  vector::populateVectorMaskMaterializationPatterns(patterns, kNarrowIndices);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
}

static bool isOfVectors(Operation *op) {
  return isa_and_present<vector::VectorDialect>(op->getDialect());
}

static void populateConversion(LLVMTypeConverter &converter,
                               RewritePatternSet &patterns,
                               SymbolTableCollection &symbols) {
  nacre::populateAccessesToLLVM(converter, patterns);
  vector::populateVectorTransferLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns,
                                         /*reassociateFPReductions=*/false,
                                         kNarrowIndices);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, &symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  // What LLVM has no intrinsic for is libm's, which every C program has and
  // which takes vectors element by element.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/true,
                                       /*benefit=*/2);
  populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
  populateOpenMPToLLVMConversionPatterns(converter, patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
}

namespace {
struct ConvertAllToLLVMPass final
    : nacre::impl::ConvertAllToLLVMBase<ConvertAllToLLVMPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    ModuleOp module = getOperation();
    nacre::lowerAssertions(module);
    RewritePatternSet preparation(context);
    populateVectorPreparation(preparation);
    if (failed(
            nacre::rewriteOps(module, std::move(preparation), isOfVectors))) {
      return signalPassFailure();
    }
    const auto &layouts = getAnalysis<DataLayoutAnalysis>();
    LowerToLLVMOptions options(context, layouts.getAtOrAbove(module));
    options.useBarePtrCallConv = true;
    // What is allocated comes from the runtime: code generation gives the
    // functions its names.
    options.useGenericFunctions = true;
    LLVMTypeConverter converter(context, options, &layouts);
    SymbolTableCollection symbols;
    RewritePatternSet patterns(context);
    populateConversion(converter, patterns, symbols);
    LLVMConversionTarget target(*context);
    // Neither LLVM nor libm may have a function.
    target.addIllegalDialect<math::MathDialect>();
    // Regions of OpenMP's loops are LLVM's when they are legal.
    configureOpenMPToLLVMConversionLegality(target, converter);
    // No pattern needs what it wrote to be taken back, and a driver that could
    // keeps all that was there before.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config))) {
      signalPassFailure();
    }
  }
};
} // namespace
