//===- DumpKernels.h - What kernels read and write --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --tap-kernels shows: the buffers of each kernel of a run as it always
// is, which hooks of the compiled code get.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_DRIVER_DUMPKERNELS_H
#define NACRE_LIB_DRIVER_DUMPKERNELS_H

#include "Session.h"

#include "nacre-c/Hooks.h"
#include "nacre/Dialect/Nacre/IR/NacreDialect.h"

#include "llvm/Support/GlobPattern.h"

namespace nacre::driver {

/// A buffer of a step, before it where it is read, after it where it is
/// written.
struct KernelOperand {
  size_t step = 0, operand = 0;
  abi::StepAttr kernel;
  abi::StepOperandAttr description;
  bool isWritten = false;
};

/// Shows the kernels of one session's model.
class KernelTaps {
public:
  /// Called with each operand while the model runs; a failure ends that no
  /// earlier, and nothing is called any more.
  using Take = llvm::function_ref<mlir::LogicalResult(
      const KernelOperand &, const interpreter::Tensor &)>;

  /// Of a session that has been prepared with hooks. The names are those of
  /// kernels and nodes; all where there are none. Prints an error and fails for
  /// a pattern that is none, or that nothing matches.
  static mlir::FailureOr<KernelTaps> create(Session &session,
                                            llvm::StringRef names);

  /// Runs the model. Prints errors.
  mlir::LogicalResult run(llvm::ArrayRef<interpreter::Datum> inputs,
                          llvm::SmallVectorImpl<interpreter::Datum> &outputs,
                          Take take);

private:
  explicit KernelTaps(Session &session) : session(session) {}
  /// A hook, called before or after a step.
  template <bool isAfter>
  static void call(void *user, uint64_t step, uint64_t count,
                   const void *const *pointers, const uint64_t *bytes,
                   const uint8_t *roles);

  Session &session;
  llvm::SmallVector<abi::StepAttr> steps;
  llvm::SmallVector<bool> isWanted; // each step
};

/// The value of an operand, in whose memory its elements may lie apart, as a
/// tensor. What has dynamic sizes has one dimension of them. Fails for what
/// is no tensor of numbers.
mlir::FailureOr<interpreter::Tensor> readOperand(abi::StepOperandAttr operand,
                                                 llvm::ArrayRef<char> bytes);

} // namespace nacre::driver

#endif // NACRE_LIB_DRIVER_DUMPKERNELS_H
