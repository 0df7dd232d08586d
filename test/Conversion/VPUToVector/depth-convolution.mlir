// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// Each channel has its own window: vectors of channels are multiplied by vectors
// of weights. Eight pixels are a tile; the rest of a row of ten is another one.
// CHECK-LABEL: func @pixels_of_a_row_are_computed_together
// CHECK: %[[BIAS:.*]] = vector.load %arg2[{{.*}}] : memref<2x16xf32>, vector<16xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[BIAS]],
// CHECK: vector.load %arg1[{{.*}}] : memref<2x3x3x16xf32>, vector<16xf32>
// CHECK: vector.load %arg0[{{.*}}] : memref<1x2x9x12x16xf32>, vector<16xf32>
// CHECK-COUNT-8: vector.fma {{.*}} : vector<16xf32>
// CHECK-COUNT-8: vector.store {{.*}}, %arg3
// CHECK: vector.fma
// CHECK-COUNT-2: vector.store {{.*}}, %arg3
// CHECK-NOT: vector.store
// CHECK-NOT: VPU.NCE
func.func @pixels_of_a_row_are_computed_together(%x: memref<1x2x9x12x16xf32>, %w: memref<2x3x3x16xf32>, %b: memref<2x16xf32>, %y: memref<1x2x7x10x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x2x9x12x16xf32>, memref<2x3x3x16xf32>) bias(%b : memref<2x16xf32>) outs(%y : memref<1x2x7x10x16xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}

// -----

// Six channels are a part of a vector.
// CHECK-LABEL: func @channels_that_fill_no_vector_are_masked
// CHECK: %[[MASK:.*]] = vector.constant_mask [6] : vector<16xi1>
// CHECK: vector.maskedload %arg1[{{.*}}], %[[MASK]]
// CHECK: %[[MASK2:.*]] = vector.constant_mask [6] : vector<16xi1>
// CHECK: vector.maskedload %arg0[{{.*}}], %[[MASK2]]
// CHECK: vector.fma
// CHECK: vector.maskedstore %arg2
// CHECK-NOT: vector.store
// CHECK-NOT: VPU.NCE
func.func @channels_that_fill_no_vector_are_masked(%x: memref<1x1x3x3x6xf32>, %w: memref<1x3x3x6xf32>, %y: memref<1x1x1x1x6xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x3x3x6xf32>, memref<1x3x3x6xf32>) outs(%y : memref<1x1x1x1x6xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}

// -----

// Of a dynamic number of columns, tiles of powers of two compute what is left.
// CHECK-LABEL: func @rows_of_dynamic_size_have_tails
// CHECK: memref.dim %arg2
// CHECK: arith.divui %{{.*}}, %c8
// CHECK-COUNT-8: vector.store {{.*}}, %arg2
// CHECK: arith.divui %{{.*}}, %c4
// CHECK-COUNT-4: vector.store {{.*}}, %arg2
// CHECK: arith.divui %{{.*}}, %c2
// CHECK-COUNT-3: vector.store {{.*}}, %arg2
// CHECK-NOT: vector.store
// CHECK-NOT: VPU.NCE
func.func @rows_of_dynamic_size_have_tails(%x: memref<1x1x?x?x16xf32>, %w: memref<1x3x3x16xf32>, %y: memref<1x1x?x?x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x?x?x16xf32>, memref<1x3x3x16xf32>) outs(%y : memref<1x1x?x?x16xf32>) {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
  return
}
