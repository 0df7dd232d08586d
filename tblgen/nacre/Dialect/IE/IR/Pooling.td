//===- Pooling.td - Pooling --------------------------------*- tablegen -*-===//
//
// IE operator family: pooling.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_POOLING_TD
#define NACRE_DIALECT_IE_IR_POOLING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_POOLING_TD
