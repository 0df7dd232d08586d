//===- DataMovement.td - Reordering and copying of elements -*- tablegen -*-===//
//
// IE operator family: reordering and copying of elements.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD
#define NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_DATAMOVEMENT_TD
