//===- Reduction.td - Reductions along axes ----------------*- tablegen -*-===//
//
// IE operator family: reductions along axes.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_REDUCTION_TD
#define NACRE_DIALECT_IE_IR_REDUCTION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_REDUCTION_TD
