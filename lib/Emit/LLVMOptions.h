//===- LLVMOptions.h - LLVM's options, for a while --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_EMIT_LLVMOPTIONS_H
#define NACRE_LIB_EMIT_LLVMOPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

#include <mutex>

namespace nacre {

/// Options of LLVM that are global: while this lives, no other thread of the
/// compiler sets any. Then they are what they were.
class LLVMOptions {
public:
  LLVMOptions();
  ~LLVMOptions();
  LLVMOptions(const LLVMOptions &) = delete;
  LLVMOptions &operator=(const LLVMOptions &) = delete;

  /// Sets an option, unless a command line has.
  void set(llvm::StringRef name, bool value);

private:
  std::lock_guard<std::mutex> guard;
  llvm::SmallVector<std::pair<llvm::cl::opt<bool> *, bool>> changed;
};

} // namespace nacre

#endif // NACRE_LIB_EMIT_LLVMOPTIONS_H
