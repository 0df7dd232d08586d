// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators -split-input-file -convert-ie-to-linalg | FileCheck %s

// Lowering of the Normalization family.

// CHECK-LABEL: func @batch_normalization_takes_roots_per_channel
func.func @batch_normalization_takes_roots_per_channel(%x: tensor<1x3x8x8xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<1x3x8x8xf32> {
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x1x1xf32>)
  // CHECK: math.sqrt
  // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x8x8xf32>)
  // CHECK: arith.subf
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: arith.addf
  %0 = IE.BatchNormalization(%x, %s, %b, %m, %v) : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// -----

// CHECK-LABEL: func @instance_normalization_takes_two_passes
func.func @instance_normalization_takes_two_passes(%x: tensor<1x3x8xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<1x3x8xf32> {
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK: arith.subf
  // CHECK: iterator_types = ["parallel", "parallel", "reduction"]
  // CHECK: math.sqrt
  %0 = IE.InstanceNormalization(%x, %s, %b) : (tensor<1x3x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// -----

// The first and the last channels lack neighbours; all between them are one op.
// CHECK-LABEL: func @lrn_of_known_channels_reads_slices
func.func @lrn_of_known_channels_reads_slices(%x: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  // CHECK-DAG: tensor.extract_slice %arg0[0, 0, 0] [1, 1, 4]
  // CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,:]*}} : tensor<1x1x4xf32>
  // CHECK: math.powf
  // CHECK: %[[BEGIN:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [1, 1, 4]
  // CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,:]*}} : tensor<1x5x4xf32>
  // CHECK: %[[MIDDLE:.*]] = tensor.insert_slice %{{.*}} into %[[BEGIN]][0, 1, 0] [1, 5, 4]
  // CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,:]*}} : tensor<1x1x4xf32>
  // CHECK: %[[END:.*]] = tensor.insert_slice %{{.*}} into %[[MIDDLE]][0, 6, 0] [1, 1, 4]
  // CHECK: linalg.generic {{.*}} ins(%{{[^,]*}}, %{{[^,:]*}} : tensor<1x1x4xf32>
  // CHECK: tensor.insert_slice %{{.*}} into %[[END]][0, 7, 0] [1, 1, 4]
  %0 = IE.LRN(%x) {size = 4 : i64} : (tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %0 : tensor<1x8x4xf32>
}

// -----

// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK-LABEL: func @lrn_of_few_channels_pads_them
func.func @lrn_of_few_channels_pads_them(%x: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  // CHECK: tensor.insert_slice %{{.*}}[0, 1, 0] [1, 3, 4] [1, 1, 1] : tensor<1x3x4xf32> into tensor<1x6x4xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]],
  // CHECK: math.powf
  %0 = IE.LRN(%x) {size = 4 : i64} : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: func @softmax_subtracts_the_maximum
func.func @softmax_subtracts_the_maximum(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  // CHECK: arith.maximumf {{.*}} : f32
  // CHECK: arith.subf
  // CHECK-NEXT: math.exp
  // CHECK: arith.addf
  // CHECK: %[[FACTOR:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: arith.mulf %{{.*}}, %[[FACTOR]] : f32
  // CHECK-NEXT: arith.truncf
  %0 = IE.Softmax(%x) : (tensor<2x8xf16>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// -----

// Of one row that no cache holds thrice, the exponentials are scaled where they
// are.
// CHECK-LABEL: func @softmax_of_one_row_is_in_place
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0, %{{.*}} :
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[POWERS]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x1xf32>) outs(%[[POWERS]] : tensor<1x65536xf32>)
// CHECK: arith.divf
// CHECK: arith.mulf
func.func @softmax_of_one_row_is_in_place(%x: tensor<1x65536xf32>) -> tensor<1x65536xf32> {
  %0 = IE.Softmax(%x) {VPU.strategy = #VPU.strategy<algorithm = inPlace>} : (tensor<1x65536xf32>) -> tensor<1x65536xf32>
  return %0 : tensor<1x65536xf32>
}

// -----

// One core adds them up as it computes them.
// CHECK-LABEL: func @softmax_of_one_long_row_sums_at_once
// CHECK: %[[POWERS:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0, %{{.*}} : tensor<1x?xf32>, tensor<1x1xf32>) outs(%{{.*}}, %{{.*}} : tensor<1x?xf32>, tensor<1xf32>)
// CHECK: %[[POWER:.*]] = math.exp
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[POWER]]
// CHECK: linalg.yield %[[POWER]], %[[SUM]]
// CHECK: linalg.generic {{.*}} outs(%[[POWERS]]#0 : tensor<1x?xf32>)
func.func @softmax_of_one_long_row_sums_at_once(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %0 = IE.Softmax(%x) : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// -----

// CHECK-LABEL: func @log_softmax_subtracts_the_logarithm
func.func @log_softmax_subtracts_the_logarithm(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: iterator_types = ["reduction", "parallel"]
  // CHECK: math.log
  // CHECK-NEXT: arith.subf
  %0 = IE.LogSoftmax(%x) {axis = 0 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @hardmax_compares_positions
func.func @hardmax_compares_positions(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK: arith.maxui
  // CHECK: arith.maxsi
  // CHECK: linalg.index 1
  // CHECK: arith.cmpi eq
  %0 = IE.Hardmax(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// An engine may want it whole and not take it.
// CHECK-LABEL: func @what_was_kept_whole_is_taken_apart
// CHECK: linalg.generic
// CHECK: math.sqrt
// CHECK-NOT: IE.
// CHECK: return
module attributes {nacre.keep = ["LayerNormalization"]} {
func.func @what_was_kept_whole_is_taken_apart(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %0:3 = IE.LayerNormalization(%x, %s) : (tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0 : tensor<2x8xf32>
}
}
