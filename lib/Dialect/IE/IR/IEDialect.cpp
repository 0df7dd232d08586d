//===- IEDialect.cpp - The IE dialect -------------------------------------===//
//
// Registers the operator families and what concerns the dialect as a whole.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/IE/IR/IEDialect.h"
#include "nacre/Dialect/IE/IR/Constant.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nacre;
using namespace nacre::IE;

#include "nacre/Dialect/IE/IR/IEBaseDialect.cpp.inc"

void IEDialect::initialize() {
  registerActivationOps();
  registerConstantOps();
  registerControlFlowOps();
  registerConvolutionOps();
  registerDataMovementOps();
  registerElementwiseOps();
  registerGettingStarted();
  registerIndexingOps();
  registerLogicalOps();
  registerMatMulOps();
  registerNormalizationOps();
  registerPoolingOps();
  registerQuantizationOps();
  registerRecurrentOps();
  registerReductionOps();
  registerResamplingOps();
  registerShapeOps();
  registerSortingOps();
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
      if (lhs != rhs) {
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
