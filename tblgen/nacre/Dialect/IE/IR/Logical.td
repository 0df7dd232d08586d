//===- Logical.td - Comparison, logic and selection --------*- tablegen -*-===//
//
// IE operator family: comparison, logic and selection.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_LOGICAL_TD
#define NACRE_DIALECT_IE_IR_LOGICAL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_LOGICAL_TD
