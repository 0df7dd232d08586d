//===- StackBuffer.cpp - Memory of a kernel on the stack ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may be in a loop: what it takes of the stack, it gives back.
//
//===----------------------------------------------------------------------===//

#include "StackBuffer.h"

#include "nacre/Dialect/VPU/Cost/Constants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nacre;

StackBuffer::StackBuffer(KernelBuilder &kernel, ArrayRef<int64_t> shape,
                         Type elementType) {
  OpBuilder &b = kernel.builder;
  stack = LLVM::StackSaveOp::create(b, kernel.loc,
                                    LLVM::LLVMPointerType::get(b.getContext()));
  memref = memref::AllocaOp::create(b, kernel.loc,
                                    MemRefType::get(shape, elementType),
                                    b.getI64IntegerAttr(VPU::kCacheLineBytes));
}

void StackBuffer::release(KernelBuilder &kernel) {
  LLVM::StackRestoreOp::create(kernel.builder, kernel.loc, stack);
}
