//===- KeepingPass.h - Passes that leave ops f32 ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes with the options of IE_KeepOptions have in common.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DIALECT_IE_TRANSFORMS_KEEPINGPASS_H
#define NACRE_LIB_DIALECT_IE_TRANSFORMS_KEEPINGPASS_H

#include "nacre/Dialect/IE/Transforms/KeepRules.h"

namespace nacre::IE {

/// A pass over functions, of the class that TableGen has made of its options.
template <typename BaseT> class KeepingPass : public BaseT {
public:
  using BaseT::BaseT;

protected:
  /// Fails, after an error, where options do not say what stays f32.
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    mlir::FailureOr<KeepOptions> read = KeepOptions::make(
        mlir::UnknownLoc::get(context), *this->keepNodes, *this->keepOps,
        *this->onlyOps, *this->keepBetween, this->keepFirst, this->keepLast);
    if (failed(read)) {
      return mlir::failure();
    }
    keep = std::move(*read);
    return mlir::success();
  }

  KeepOptions keep;
};

} // namespace nacre::IE

#endif // NACRE_LIB_DIALECT_IE_TRANSFORMS_KEEPINGPASS_H
