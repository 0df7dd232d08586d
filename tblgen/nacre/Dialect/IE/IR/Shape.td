//===- Shape.td - Changes of shape that move no element ----*- tablegen -*-===//
//
// IE operator family: changes of shape that move no element.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_SHAPE_TD
#define NACRE_DIALECT_IE_IR_SHAPE_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_SHAPE_TD
