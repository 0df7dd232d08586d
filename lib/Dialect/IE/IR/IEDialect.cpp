//===- IEDialect.cpp - The IE dialect -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the operator families and what concerns the dialect as a whole.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Constant.h"
#include "nacre/Dialect/IE/IR/GettingStarted.h"
#include "nacre/Dialect/IE/IR/Sequence.h"
#include "nacre/Dialect/IE/IR/WeightFiles.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/IEBaseDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nacre/Dialect/IE/IR/IETypes.cpp.inc"

void IEDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nacre/Dialect/IE/IR/IETypes.cpp.inc"
      >();
  registerActivationOps();
  registerConstantOps();
  registerControlFlowOps();
  registerConvolutionOps();
  registerDataMovementOps();
  registerElementwiseOps();
  registerGettingStarted();
  registerIndexingOps();
  registerLogicalOps();
  registerMapOps();
  registerMatMulOps();
  registerNGramOps();
  registerNormalizationOps();
  registerPoolingOps();
  registerQuantizationOps();
  registerRandomOps();
  registerRecurrentOps();
  registerReductionOps();
  registerResamplingOps();
  registerSelectionOps();
  registerSequenceOps();
  registerShapeOps();
  registerSignalOps();
  registerSortingOps();
  registerStringOps();
  addInterface(createWeightFiles(this));
}

Operation *IEDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type) {
    return nullptr;
  }
  return ConstantOp::create(builder, loc, elements);
}

bool nacre::IE::areCompatibleTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size()) {
    return false;
  }
  for (auto [lhs, rhs] : llvm::zip_equal(inferred, actual)) {
    auto lhsTensor = dyn_cast<ShapedType>(lhs);
    auto rhsTensor = dyn_cast<ShapedType>(rhs);
    if (!lhsTensor || !rhsTensor) {
      // Sequences and optionals may differ in what is known of their elements.
      if (!joinTypes(lhs, rhs)) {
        return false;
      }
      continue;
    }
    if (lhsTensor.getElementType() != rhsTensor.getElementType() ||
        failed(verifyCompatibleShape(lhsTensor, rhsTensor))) {
      return false;
    }
  }
  return true;
}
