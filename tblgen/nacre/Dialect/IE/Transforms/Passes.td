//===- Passes.td - Transformations of IE -------------------*- tablegen -*-===//
//
// Declares the graph-level passes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD
#define NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"ie-infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "Refine result types from operand types and constants";
  let description = [{
    Re-runs every op's type inference in order and keeps the more static of the
    inferred and the present type, so that a shape fixed at the function's
    arguments or by a folded constant reaches the results.
  }];
}

def ConstantFold : Pass<"ie-constant-fold", "::mlir::func::FuncOp"> {
  let summary = "Evaluate ops of constant operands with the interpreter";
  let description = [{
    Replaces each op whose operands are all constants by its value. A result of
    more than `max-elements` elements is kept as an op unless it is not larger
    than the operands together, so that a fill or a tile does not bloat the
    artifact.
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"65536",
           "Largest result that may outgrow its operands">
  ];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Number of ops evaluated">
  ];
  let dependentDialects = ["::nacre::IE::IEDialect"];
}

#endif // NACRE_DIALECT_IE_TRANSFORMS_PASSES_TD
