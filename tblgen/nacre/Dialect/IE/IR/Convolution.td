//===- Convolution.td - Convolutions -----------------------*- tablegen -*-===//
//
// IE operator family: convolutions.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_CONVOLUTION_TD
#define NACRE_DIALECT_IE_IR_CONVOLUTION_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_CONVOLUTION_TD
