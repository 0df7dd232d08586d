//===- DotIntrinsic.cpp - What multiplies packs of elements ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86 alone has descriptors with packs.
//
//===----------------------------------------------------------------------===//

#include "nacre/Dialect/VPU/IR/DotIntrinsic.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace nacre;

StringRef VPU::getDotIntrinsic(Type elementType, int64_t lanes, int64_t pack) {
  if (elementType.isBF16()) {
    return "llvm.x86.avx512bf16.dpbf16ps.512";
  }
  bool isWide = lanes == 16;
  if (pack == 2) {
    return isWide ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd";
  }
  return isWide ? "llvm.x86.avx512.vpdpbusd.512"
                : "llvm.x86.avx512.vpdpbusd.256";
}

bool VPU::isFused(Type elementType, int64_t pack) {
  return isa<FloatType>(elementType) || pack > 2;
}
