//===- StackBuffer.h - Memory of a kernel on the stack ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel keeps while it multiplies.
//
//===----------------------------------------------------------------------===//

#ifndef NACRE_LIB_CONVERSION_VPUTOVECTOR_STACKBUFFER_H
#define NACRE_LIB_CONVERSION_VPUTOVECTOR_STACKBUFFER_H

#include "KernelBuilder.h"

namespace nacre {

class StackBuffer {
public:
  /// Room for elements of a type, which begins on a line of the cache.
  StackBuffer(KernelBuilder &kernel, llvm::ArrayRef<int64_t> shape,
              mlir::Type elementType);

  mlir::Value getMemRef() const { return memref; }
  /// Gives the room back.
  void release(KernelBuilder &kernel);

private:
  mlir::Value stack, memref;
};

} // namespace nacre

#endif // NACRE_LIB_CONVERSION_VPUTOVECTOR_STACKBUFFER_H
