// Rows whose starts are a multiple of 4 KB apart share the few places that the
// first cache has for them: a register tile takes no more than stay in it.

// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v4 --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul_of_rows_that_collide_takes_few_of_them
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c84{{.*}} step %c{{[4-7]}}
func.func @matmul_of_rows_that_collide_takes_few_of_them(%a: memref<1x84x1024xf32>, %b: memref<1x8x1024x16xf32>, %y: memref<1x84x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x84x1024xf32>, memref<1x8x1024x16xf32>) outs(%y : memref<1x84x128xf32>)
  return
}

// -----

// A row of 1040 elements of 1024.
// CHECK-LABEL: func @matmul_of_rows_with_a_gap_takes_many_of_them
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c84{{.*}} step %c14
func.func @matmul_of_rows_with_a_gap_takes_many_of_them(%a: memref<1x84x1024xf32, strided<[87360, 1040, 1]>>, %b: memref<1x8x1024x16xf32>, %y: memref<1x84x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x84x1024xf32, strided<[87360, 1040, 1]>>, memref<1x8x1024x16xf32>) outs(%y : memref<1x84x128xf32>)
  return
}

// -----

// How far they are apart is known only at run time.
// CHECK-LABEL: func @matmul_of_rows_at_unknown_distances_takes_many_of_them
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c84{{.*}} step %c14
func.func @matmul_of_rows_at_unknown_distances_takes_many_of_them(%a: memref<1x84x1024xf32, strided<[?, ?, 1]>>, %b: memref<1x8x1024x16xf32>, %y: memref<1x84x128xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x84x1024xf32, strided<[?, ?, 1]>>, memref<1x8x1024x16xf32>) outs(%y : memref<1x84x128xf32>)
  return
}
