// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" -convert-linalg-to-vpu -vpu-pack-weights -canonicalize -split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" -convert-linalg-to-vpu -vpu-pack-weights -split-input-file | FileCheck %s --check-prefix=NPU

// An NPU has to know sizes.
// NPU-NOT: VPU.NCE.MatMul

#lhs = affine_map<(b, s, n, k) -> (b, s, k)>
#weights = affine_map<(b, s, n, k) -> (k, n)>
#out = affine_map<(b, s, n, k) -> (b, s, n)>

// Batch and sequence are rows of one matrix; constant weights are packed.
// CHECK-LABEL: func @product_with_constant_weights_is_packed
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x4xf32>, %[[B:.*]]: index, %[[S:.*]]: index)
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<1x1x4x16xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
// CHECK: %[[LHS:.*]] = tensor.expand_shape %[[ROWS]] {{\[\[}}0, 1], [2]] {{.*}} : tensor<?x4xf32> into tensor<1x?x4xf32>
// CHECK: %[[P:.*]] = VPU.NCE.MatMul {{.*}}%[[LHS]]{{.*}}%[[W]]
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[P]]
// CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1], [2]] output_shape [%[[B]], %[[S]], 2]
func.func @product_with_constant_weights_is_packed(%x: tensor<?x?x4xf32>, %b: index, %s: index) -> tensor<?x?x2xf32> {
  %w = arith.constant dense<[[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.1]]> : tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%b, %s) : tensor<?x?x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #weights, #out],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x4xf32>, tensor<4x2xf32>) outs(%init : tensor<?x?x2xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

// -----

#lhs = affine_map<(h, m, n, k) -> (h, m, k)>
#rhs = affine_map<(h, m, n, k) -> (h, k, n)>
#out = affine_map<(h, m, n, k) -> (h, m, n)>

// CHECK-LABEL: func @computed_right_matrices_are_single_panels
// CHECK-SAME: (%[[X:.*]]: tensor<8x?x4xf32>, %[[Y:.*]]: tensor<8x4x?xf32>
// CHECK: %[[PANEL:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0], [1, 2], [3]] {{.*}} : tensor<8x4x?xf32> into tensor<8x1x4x?xf32>
// CHECK: VPU.NCE.MatMul {{.*}}%[[X]]{{.*}}%[[PANEL]]
func.func @computed_right_matrices_are_single_panels(%x: tensor<8x?x4xf32>, %y: tensor<8x4x?xf32>, %m: index, %n: index) -> tensor<8x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<8x?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x?x4xf32>, tensor<8x4x?xf32>) outs(%init : tensor<8x?x?xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<8x?x?xf32>
  return %0 : tensor<8x?x?xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @product_of_known_size_stays
// CHECK-NOT: VPU.NCE
func.func @product_of_known_size_stays(%x: tensor<2x4xf32>, %y: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x4xf32>, tensor<4x3xf32>) outs(%init : tensor<2x3xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @sum_on_top_of_another_value_stays
// CHECK-NOT: VPU.NCE
func.func @sum_on_top_of_another_value_stays(%x: tensor<?x4xf32>, %y: tensor<4x3xf32>, %init: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x4xf32>, tensor<4x3xf32>) outs(%init : tensor<?x3xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

#lhs = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#rhs = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#out = affine_map<(b, h, m, n, k) -> (b, h, m, n)>

// The used rows of a cache stay a view of it: heads are joined before rows are
// taken.
// CHECK-LABEL: func @used_rows_of_a_cache_are_no_copy
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x3x?xf32>, %[[CACHE:.*]]: tensor<1x4x64x8xf32>, %[[N:.*]]: index)
// CHECK: %[[HEADS:.*]] = tensor.collapse_shape %[[CACHE]] {{\[\[}}0, 1], [2], [3]] : tensor<1x4x64x8xf32> into tensor<4x64x8xf32>
// CHECK: %[[USED:.*]] = tensor.extract_slice %[[HEADS]][0, 0, 0] [4, %[[N]], 8] [1, 1, 1]
// CHECK: %[[PANEL:.*]] = tensor.expand_shape %[[USED]] {{.*}} into tensor<4x1x?x8xf32>
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[PANEL]] : tensor<4x3x?xf32>, tensor<4x1x?x8xf32>)
func.func @used_rows_of_a_cache_are_no_copy(%x: tensor<1x4x3x?xf32>, %cache: tensor<1x4x64x8xf32>, %n: index) -> tensor<1x4x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %used = tensor.extract_slice %cache[0, 0, 0, 0] [1, 4, %n, 8] [1, 1, 1, 1] : tensor<1x4x64x8xf32> to tensor<1x4x?x8xf32>
  %e = tensor.empty() : tensor<1x4x3x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x8xf32>) -> tensor<1x4x3x8xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %used : tensor<1x4x3x?xf32>, tensor<1x4x?x8xf32>) outs(%init : tensor<1x4x3x8xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x3x8xf32>
  return %0 : tensor<1x4x3x8xf32>
}

// -----

#lhs = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#rhs = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#out = affine_map<(b, h, m, n, k) -> (b, h, m, n)>

// Some of the heads are not: they are joined as they come.
// CHECK-LABEL: func @part_of_the_heads_is_taken_first
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[0, 2, 0, 0] [2, 4, %{{.*}}, 8]
// CHECK: tensor.collapse_shape %[[PART]]
func.func @part_of_the_heads_is_taken_first(%x: tensor<2x4x3x?xf32>, %cache: tensor<2x8x64x8xf32>, %n: index) -> tensor<2x4x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %used = tensor.extract_slice %cache[0, 2, 0, 0] [2, 4, %n, 8] [1, 1, 1, 1] : tensor<2x8x64x8xf32> to tensor<2x4x?x8xf32>
  %e = tensor.empty() : tensor<2x4x3x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %used : tensor<2x4x3x?xf32>, tensor<2x4x?x8xf32>) outs(%init : tensor<2x4x3x8xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x3x8xf32>
  return %0 : tensor<2x4x3x8xf32>
}

// -----

#lhs = affine_map<(h, m, n, k) -> (h, m, k)>
#rhs = affine_map<(h, m, n, k) -> (h, k, n)>
#out = affine_map<(h, m, n, k) -> (h, m, n)>

// Keys are read as they are stored.
// CHECK-LABEL: func @transposed_right_matrices_are_read_as_they_are
// CHECK-SAME: (%[[X:.*]]: tensor<8x3x4xf32>, %[[Y:.*]]: tensor<8x?x4xf32>
// CHECK-NOT: linalg.transpose
// CHECK: %[[PANEL:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0], [1, 2], [3]] {{.*}} : tensor<8x?x4xf32> into tensor<8x1x?x4xf32>
// CHECK: VPU.NCE.MatMul {{.*}}%[[X]]{{.*}}%[[PANEL]]{{.*}} {transposed}
func.func @transposed_right_matrices_are_read_as_they_are(%x: tensor<8x3x4xf32>, %y: tensor<8x?x4xf32>, %n: index) -> tensor<8x3x?xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty(%n) : tensor<8x4x?xf32>
  %yt = linalg.transpose ins(%y : tensor<8x?x4xf32>) outs(%t : tensor<8x4x?xf32>) permutation = [0, 2, 1]
  %e = tensor.empty(%n) : tensor<8x3x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x3x?xf32>) -> tensor<8x3x?xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %yt : tensor<8x3x4xf32>, tensor<8x4x?xf32>) outs(%init : tensor<8x3x?xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<8x3x?xf32>
  return %0 : tensor<8x3x?xf32>
}

// -----

#lhs = affine_map<(h, m, n, k) -> (h, m, k)>
#rhs = affine_map<(h, m, n, k) -> (h, k, n)>
#out = affine_map<(h, m, n, k) -> (h, m, n)>

// A kernel has no room for columns of any length.
// CHECK-LABEL: func @transposed_matrix_of_unknown_depth_is_transposed
// CHECK: linalg.transpose
// CHECK: VPU.NCE.MatMul
// CHECK-NOT: {transposed}
// CHECK: return
func.func @transposed_matrix_of_unknown_depth_is_transposed(%x: tensor<8x3x?xf32>, %y: tensor<8x?x?xf32>, %k: index, %n: index) -> tensor<8x3x?xf32> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty(%k, %n) : tensor<8x?x?xf32>
  %yt = linalg.transpose ins(%y : tensor<8x?x?xf32>) outs(%t : tensor<8x?x?xf32>) permutation = [0, 2, 1]
  %e = tensor.empty(%n) : tensor<8x3x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x3x?xf32>) -> tensor<8x3x?xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %yt : tensor<8x3x?xf32>, tensor<8x?x?xf32>) outs(%init : tensor<8x3x?xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<8x3x?xf32>
  return %0 : tensor<8x3x?xf32>
}

// -----

#id = affine_map<(b, h, n, d) -> (b, h, n, d)>
#lhs = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#rhs = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#out = affine_map<(b, h, m, n, k) -> (b, h, m, n)>

// The used rows of a cache of 16 bits stay a view of it: heads are joined before
// rows are taken, and a kernel extends what it reads.
// CHECK-LABEL: func @part_of_a_cache_is_no_copy
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x3x?xf32>, %[[CACHE:.*]]: tensor<1x4x64x8xf16>, %[[N:.*]]: index)
// CHECK-NOT: arith.extf
// CHECK: %[[HEADS:.*]] = tensor.collapse_shape %[[CACHE]] {{\[\[}}0, 1], [2], [3]] : tensor<1x4x64x8xf16> into tensor<4x64x8xf16>
// CHECK: %[[USED:.*]] = tensor.extract_slice %[[HEADS]][0, 0, 0] [4, %[[N]], 8] [1, 1, 1]
// CHECK: %[[PANEL:.*]] = tensor.expand_shape %[[USED]] {{.*}} into tensor<4x1x?x8xf16>
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[PANEL]] : tensor<4x3x?xf32>, tensor<4x1x?x8xf16>)
func.func @part_of_a_cache_is_no_copy(%x: tensor<1x4x3x?xf32>, %cache: tensor<1x4x64x8xf16>, %n: index) -> tensor<1x4x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %used = tensor.extract_slice %cache[0, 0, 0, 0] [1, 4, %n, 8] [1, 1, 1, 1] : tensor<1x4x64x8xf16> to tensor<1x4x?x8xf16>
  %w = tensor.empty(%n) : tensor<1x4x?x8xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%used : tensor<1x4x?x8xf16>) outs(%w : tensor<1x4x?x8xf32>) {
  ^bb0(%in: f16, %o: f32):
    %f = arith.extf %in : f16 to f32
    linalg.yield %f : f32
  } -> tensor<1x4x?x8xf32>
  %e = tensor.empty() : tensor<1x4x3x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x8xf32>) -> tensor<1x4x3x8xf32>
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %wide : tensor<1x4x3x?xf32>, tensor<1x4x?x8xf32>) outs(%init : tensor<1x4x3x8xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x3x8xf32>
  return %0 : tensor<1x4x3x8xf32>
}
