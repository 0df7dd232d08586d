// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s

// CHECK-LABEL: func @max_pool_takes_the_largest_of_the_window
// CHECK: arith.maximumf {{.*}} fastmath<nsz>
// CHECK: vector.store
func.func @max_pool_takes_the_largest_of_the_window(%x: memref<1x1x4x4x16xf32>, %y: memref<1x1x2x2x16xf32>) {
  VPU.NCE.MaxPool ins(%x : memref<1x1x4x4x16xf32>) outs(%y : memref<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  return
}

// -----

// A window of the input's size divides by that.
// CHECK-LABEL: func @average_of_whole_image_divides_by_its_size
// CHECK-DAG: %[[H:.*]] = memref.dim %arg0, %c2
// CHECK-DAG: %[[W:.*]] = memref.dim %arg0, %c3
// CHECK: %[[COUNT:.*]] = arith.muli %[[H]], %[[W]]
// CHECK: arith.index_cast %[[COUNT]]
// CHECK: arith.divf
// CHECK-NOT: VPU.NCE
func.func @average_of_whole_image_divides_by_its_size(%x: memref<1x1x?x?x16xf32>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x?x?x16xf32>) outs(%y : memref<1x1x1x1x16xf32>) {kernel = array<i64>}
  return
}

// -----

// Each window has a share of its own.
// CHECK-LABEL: func @average_of_windows_is_multiplied_by_their_shares
// CHECK: %[[SHARE:.*]] = memref.load %arg1[%{{.*}}, %{{.*}}] : memref<2x2xf32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[SHARE]] : f32 to vector<16xf32>
// CHECK: arith.mulf %{{.*}}, %[[ALL]] : vector<16xf32>
// CHECK-NOT: dense<0.111111112>
func.func @average_of_windows_is_multiplied_by_their_shares(%x: memref<1x1x4x4x16xf32>, %s: memref<2x2xf32>, %y: memref<1x1x2x2x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xf32>) shares(%s : memref<2x2xf32>) outs(%y : memref<1x1x2x2x16xf32>) {kernel = array<i64: 3, 3>}
  return
}

// -----

// As many pixels at a time as the strategy says: the three rows of five columns, then
// the three columns of each pixel.
// CHECK-LABEL: func @pixels_of_the_tile
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(
// CHECK-COUNT-5: arith.maximumf
// CHECK-NOT: arith.maximumf
// CHECK: scf.yield
// CHECK-COUNT-6: arith.maximumf
// CHECK-NOT: arith.maximumf
func.func @pixels_of_the_tile(%x: memref<1x1x3x8x16xf32>, %y: memref<1x1x1x6x16xf32>) {
  VPU.NCE.MaxPool ins(%x : memref<1x1x3x8x16xf32>) outs(%y : memref<1x1x1x6x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 3>]>>, kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>}
  return
}

// -----

// Windows that have no column in common take all of their elements each, those of a
// column after those of the one before.
// CHECK-LABEL: func @windows_apart_are_reduced_one_by_one
// CHECK-COUNT-2: scf.for {{.*}} iter_args(
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: arith.addf
func.func @windows_apart_are_reduced_one_by_one(%x: memref<1x1x2x6x16xf32>, %y: memref<1x1x1x3x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x2x6x16xf32>) outs(%y : memref<1x1x1x3x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 3>]>>, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
  return
}

// -----

// Nor do those with gaps between their columns share any next to each other.
// CHECK-LABEL: func @dilated_windows_are_reduced_one_by_one
// CHECK-COUNT-2: scf.for {{.*}} iter_args(
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: arith.addf
func.func @dilated_windows_are_reduced_one_by_one(%x: memref<1x1x3x7x16xf32>, %y: memref<1x1x1x3x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x3x7x16xf32>) outs(%y : memref<1x1x1x3x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 3>]>>, dilations = array<i64: 1, 2>, kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>}
  return
}

// -----

// With a stride, the columns of a window begin so many after those of the one before.
// CHECK-LABEL: func @columns_of_a_stride_are_shared
// CHECK: scf.for {{.*}} iter_args(%[[C0:.*]] = %{{.*}}, %[[C1:.*]] = %{{.*}}, %[[C2:.*]] = %{{.*}}, %[[C3:.*]] = %{{.*}}, %[[C4:.*]] = %{{.*}}, %[[C5:.*]] = %{{.*}}, %[[C6:.*]] = %{{.*}})
// CHECK-COUNT-7: arith.addf
// CHECK-NOT: arith.addf
// CHECK: scf.yield
// CHECK-COUNT-8: arith.addf
// CHECK-NOT: arith.addf
func.func @columns_of_a_stride_are_shared(%x: memref<1x1x5x7x16xf32>, %y: memref<1x1x1x2x16xf32>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x5x7x16xf32>) outs(%y : memref<1x1x1x2x16xf32>) {VPU.strategy = #VPU.strategy<kernel = <registers = [<columns = 2>]>>, kernel = array<i64: 5, 5>, strides = array<i64: 2, 2>}
  return
}
