//===- Intrinsics.h - What a machine lacks ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM turns an intrinsic into a call of libm where there is no instruction for
// it, which is slow for some and impossible for others.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_INTRINSICS_H
#define NACRE_LIB_EMIT_INTRINSICS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace nacre {

/// Replaces intrinsics that the machine does better without.
void adaptIntrinsics(llvm::Module &module, const llvm::TargetMachine &machine);

} // namespace nacre

#endif // NACRE_LIB_EMIT_INTRINSICS_H
