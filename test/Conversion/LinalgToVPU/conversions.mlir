// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" -convert-linalg-to-vpu -split-input-file | FileCheck %s

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>

// CHECK-LABEL: func @copies_convert
// CHECK-SAME: (%[[X:.*]]: tensor<1x16x4x4xf16>)
// CHECK-NOT: arith.extf
// CHECK: %[[B:.*]] = VPU.Copy ins(%[[X]] : tensor<1x16x4x4xf16>) outs(%{{.*}} : tensor<1x1x4x4x16xf32>)
// CHECK: %[[Y:.*]] = VPU.Copy ins(%[[B]] : tensor<1x1x4x4x16xf32>) outs(%{{.*}} : tensor<1x16x4x4xf16>)
// CHECK-NOT: arith.truncf
// CHECK: return %[[Y]]
func.func @copies_convert(%x: tensor<1x16x4x4xf16>) -> tensor<1x16x4x4xf16> {
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x16x4x4xf16>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  } -> tensor<1x16x4x4xf32>
  %b = tensor.empty() : tensor<1x1x4x4x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x16x4x4xf32>) outs(%b : tensor<1x1x4x4x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x4x4x16xf32>
  %2 = VPU.Copy ins(%1 : tensor<1x1x4x4x16xf32>) outs(%e : tensor<1x16x4x4xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x16x4x4xf32>
  %h = tensor.empty() : tensor<1x16x4x4xf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2 : tensor<1x16x4x4xf32>) outs(%h : tensor<1x16x4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %n = arith.truncf %in : f32 to f16
    linalg.yield %n : f16
  } -> tensor<1x16x4x4xf16>
  return %3 : tensor<1x16x4x4xf16>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func @product_of_unknown_rows_is_rounded_as_it_is_stored
// CHECK: %[[P:.*]] = VPU.NCE.MatMul {{.*}} outs(%{{.*}} : tensor<1x?x8xbf16>)
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[P]] {{.*}} : tensor<1x?x8xbf16> into tensor<?x8xbf16>
// CHECK: return %[[R]]
func.func @product_of_unknown_rows_is_rounded_as_it_is_stored(%x: tensor<1x?x4xf32>, %w: tensor<1x1x4x16xf32>, %rows: index) -> tensor<?x8xbf16> {
  %e = tensor.empty(%rows) : tensor<1x?x8xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x?x4xf32>, tensor<1x1x4x16xf32>) outs(%e : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x?x8xf32> into tensor<?x8xf32>
  %h = tensor.empty(%rows) : tensor<?x8xbf16>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<?x8xf32>) outs(%h : tensor<?x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.truncf %in : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<?x8xbf16>
  return %2 : tensor<?x8xbf16>
}

// -----

#id = affine_map<(b, m, n) -> (b, m, n)>

// CHECK-LABEL: func @product_that_others_read_stays_f32
// CHECK: VPU.NCE.MatMul {{.*}} outs(%{{.*}} : tensor<1x4x8xf32>)
// CHECK: arith.truncf
func.func @product_that_others_read_stays_f32(%x: tensor<1x4x4xf32>, %w: tensor<1x1x4x16xf32>) -> (tensor<1x4x8xf16>, tensor<1x4x8xf32>) {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = VPU.NCE.MatMul ins(%x, %w : tensor<1x4x4xf32>, tensor<1x1x4x16xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %h = tensor.empty() : tensor<1x4x8xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x4x8xf32>) outs(%h : tensor<1x4x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %n = arith.truncf %in : f32 to f16
    linalg.yield %n : f16
  } -> tensor<1x4x8xf16>
  return %1, %0 : tensor<1x4x8xf16>, tensor<1x4x8xf32>
}

// -----

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#transposed = affine_map<(n, c, h, w) -> (n, c, w, h)>

// CHECK-LABEL: func @conversion_that_also_transposes_stays
// CHECK: arith.extf
// CHECK: VPU.Copy ins(%{{.*}} : tensor<1x16x4x4xf32>)
func.func @conversion_that_also_transposes_stays(%x: tensor<1x16x4x4xf16>) -> tensor<1x1x4x4x16xf32> {
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %0 = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x16x4x4xf16>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  } -> tensor<1x16x4x4xf32>
  %b = tensor.empty() : tensor<1x1x4x4x16xf32>
  %1 = VPU.Copy ins(%0 : tensor<1x16x4x4xf32>) outs(%b : tensor<1x1x4x4x16xf32>) {srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x1x4x4x16xf32>
  return %1 : tensor<1x1x4x4x16xf32>
}
