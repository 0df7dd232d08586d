// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// CHECK-LABEL: func @matmul_with_a_column_tail_masks_the_store
// CHECK: vector.fma
// CHECK: vector.maskedstore
func.func @matmul_with_a_column_tail_masks_the_store(%a: memref<1x1x8xf32>, %b: memref<1x1x8x16xf32>, %y: memref<1x1x10xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x8xf32>, memref<1x1x8x16xf32>) outs(%y : memref<1x1x10xf32>)
  return
}

// -----

// Rows and columns of dynamic extents: full tiles, then tails, those of columns
// powers of two, and a last vector of so many lanes.
// CHECK-LABEL: func @matmul_of_dynamic_size_masks_its_last_columns
// CHECK: %[[K:.*]] = memref.dim
// CHECK: arith.divui
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: vector.create_mask %{{.*}} : vector<16xi1>
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @matmul_of_dynamic_size_masks_its_last_columns(%a: memref<2x?x8xf32>, %b: memref<2x1x8x?xf32>, %c: memref<2x?x?xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<2x?x8xf32>, memref<2x1x8x?xf32>) outs(%c : memref<2x?x?xf32>)
  return
}

// -----

// What is left of rows is two tiles at most, of which neither is a single row
// but where one row is left.
// CHECK-LABEL: func @rows_that_are_left_over_are_cut_evenly
// CHECK: arith.divui %{{.*}}, %[[TILE:c[0-9]+]]
// CHECK: scf.for {{.*}} step %[[TILE]]
// CHECK: %[[REST:.*]] = arith.subi
// CHECK: %[[COUNT:.*]] = arith.divui
// CHECK: %[[ATLEASTONE:.*]] = arith.maxui %[[COUNT]], %c1
// CHECK: %[[SMALL:.*]] = arith.divui %[[REST]], %[[ATLEASTONE]]
// CHECK: %[[LARGE:.*]] = arith.remui %[[REST]], %[[ATLEASTONE]]
// CHECK: %[[FEWER:.*]] = arith.subi %[[COUNT]], %[[LARGE]]
// CHECK: arith.cmpi eq, %[[SMALL]]
// CHECK: arith.select %{{.*}}, %[[FEWER]], %c0
// CHECK: arith.select %{{.*}}, %[[LARGE]], %c0
func.func @rows_that_are_left_over_are_cut_evenly(%a: memref<1x?x64xf32>, %b: memref<1x2x64x16xf32>, %c: memref<1x?x32xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x?x64xf32>, memref<1x2x64x16xf32>) outs(%c : memref<1x?x32xf32>)
  return
}

// -----

// Vectors of f64 have half as many lanes; what follows the sums is of f64, too.
// CHECK-LABEL: func @product_of_doubles
// CHECK-NOT: f32
// CHECK: memref.load %arg0{{.*}} : memref<1x8x24xf64>
// CHECK: vector.fma {{.*}} : vector<8xf64>
// CHECK: arith.cmpf olt, {{.*}} : vector<8xf64>
// CHECK-NOT: f32
// CHECK: vector.store {{.*}} : memref<1x8x16xf64>, vector<8xf64>
func.func @product_of_doubles(%a: memref<1x8x24xf64>, %b: memref<1x2x24x8xf64>, %bias: memref<2x8xf64>, %y: memref<1x8x16xf64>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x8x24xf64>, memref<1x2x24x8xf64>) bias(%bias : memref<2x8xf64>) outs(%y : memref<1x8x16xf64>) {ppe = #VPU.PPE<mode = RELU>}
  return
}
