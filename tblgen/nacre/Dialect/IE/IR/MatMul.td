//===- MatMul.td - Matrix products -------------------------*- tablegen -*-===//
//
// IE operator family: matrix products.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_MATMUL_TD
#define NACRE_DIALECT_IE_IR_MATMUL_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_MATMUL_TD
