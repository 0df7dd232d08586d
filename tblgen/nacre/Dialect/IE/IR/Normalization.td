//===- Normalization.td - Normalisation and softmax --------*- tablegen -*-===//
//
// IE operator family: normalisation and softmax.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_NORMALIZATION_TD
#define NACRE_DIALECT_IE_IR_NORMALIZATION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_NORMALIZATION_TD
