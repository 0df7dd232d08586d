//===- GettingStarted.td - The tutorial's op, attribute, type and interface -*- tablegen -*-===//
//
// IE operator family: the tutorial's op, attribute, type and interface.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD
#define NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_GETTINGSTARTED_TD
