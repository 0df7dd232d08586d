//===- WeightFiles.h - Weights beside a file of IR --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A textual module may leave the bytes of its `dense_resource` attributes in a
// file beside it. Its resources of IE say where each lies:
//
//   {-#
//     dialect_resources: {
//       IE: { "conv1_weight": "net.mlir.weights@0+9408" }
//     }
//   #-}
//
// The file is named relative to the module's. Every parser of the dialect reads
// it, in whatever tool.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_DIALECT_IE_IR_WEIGHTFILES_H
#define NACRE_DIALECT_IE_IR_WEIGHTFILES_H

#include "nacre/Dialect/IE/IR/IEDialect.h"

#include "llvm/ADT/StringSet.h"

namespace nacre::IE {

/// What each blob in such a file is aligned to.
constexpr int64_t kWeightAlignment = 64;

/// A place in a file of weights, under the name of the blob that lies there.
struct WeightHandle
    : mlir::AsmDialectResourceHandleBase<
          WeightHandle, llvm::StringSet<>::MapEntryTy, IEDialect> {
  using AsmDialectResourceHandleBase::AsmDialectResourceHandleBase;
};

/// What makes the dialect read such files.
std::unique_ptr<mlir::OpAsmDialectInterface>
createWeightFiles(IEDialect *dialect);

} // namespace nacre::IE

MLIR_DECLARE_EXPLICIT_TYPE_ID(nacre::IE::WeightHandle)

#endif // NACRE_DIALECT_IE_IR_WEIGHTFILES_H
