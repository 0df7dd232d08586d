//===- Passes.td - Conversions between dialects ------------*- tablegen -*-===//
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
    software kernels). Unsigned integers become signless. Shapes must be static.
    An op that cannot be lowered is an error at that op saying why.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // NACRE_CONVERSION_PASSES_TD
