//===- Indexing.td - Element access by index ---------------*- tablegen -*-===//
//
// IE operator family: element access by index.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_INDEXING_TD
#define NACRE_DIALECT_IE_IR_INDEXING_TD

include "nacre/Dialect/IE/IR/IEBase.td"

#endif // NACRE_DIALECT_IE_IR_INDEXING_TD
