// Rows of one to some vectors end with a vector under a mask where the machine
// can store one so, not with single elements, and are not unrolled before they are
// vectorised, which would gather elements of many rows.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 -o %t/masks.ll && FileCheck %s --check-prefix=MASKS --input-file=%t/masks.ll --implicit-check-not=masked.gather --implicit-check-not=masked.scatter
// MASKS-DAG: fadd <16 x float>
// MASKS-DAG: @llvm.masked.store.v16f32

// AVX2 stores only words under a mask, and slowly.
// RUN: nacre compile %s --vpu-arch=x86-64-v3 -o %t/none.ll && FileCheck %s --check-prefix=NONE --input-file=%t/none.ll --implicit-check-not=masked.store
// NONE: fadd <8 x float>

func.func @main(%x: tensor<8x30x30xf32> {nacre.name = "x"}, %row: tensor<8x30x1xf32> {nacre.name = "row"})
    -> (tensor<8x30x30xf32> {nacre.name = "y"}) {
  %0 = IE.Add %x, %row : tensor<8x30x30xf32>, tensor<8x30x1xf32> -> tensor<8x30x30xf32>
  return %0 : tensor<8x30x30xf32>
}
