// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(fuse-elementwise{min-elements=4096 max-body=1}))' | FileCheck %s

#left = affine_map<(i, j) -> (i, 0)>
#right = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
#scores = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (0, 0, i, j)>

// Each of the two that read the mask has one of its own, comparison and choice,
// and reads it without the dimensions of size 1.
// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-LABEL: func @mask_of_two_layers
// CHECK: %[[A:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x128xi1>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<64x128xi1>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], #{{.*}}], {{.*}} ins(%arg2, %[[B]] :
// CHECK: %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x128xi1>)
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<64x128xi1>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], #{{.*}}], {{.*}} ins(%{{.*}}, %[[D]] :
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @mask_of_two_layers(%rows: tensor<64x1xi64>, %columns: tensor<128xi64>, %x: tensor<1x2x64x128xf32>) -> tensor<1x2x64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e4 : f32
  %e0 = tensor.empty() : tensor<64x128xi1>
  %e1 = tensor.empty() : tensor<64x128xf32>
  %e2 = tensor.empty() : tensor<1x2x64x128xf32>
  %m = linalg.generic {indexing_maps = [#left, #right, #all], iterator_types = ["parallel", "parallel"]} ins(%rows, %columns : tensor<64x1xi64>, tensor<128xi64>) outs(%e0 : tensor<64x128xi1>) {
  ^bb0(%r: i64, %c: i64, %o: i1):
    %0 = arith.cmpi sle, %c, %r : i64
    linalg.yield %0 : i1
  } -> tensor<64x128xi1>
  %b = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x128xi1>) outs(%e1 : tensor<64x128xf32>) {
  ^bb0(%c: i1, %o: f32):
    %0 = arith.select %c, %zero, %low : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %wide = tensor.expand_shape %b [[0, 1, 2], [3]] output_shape [1, 1, 64, 128] : tensor<64x128xf32> into tensor<1x1x64x128xf32>
  %y = linalg.generic {indexing_maps = [#scores, #mask, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %wide : tensor<1x2x64x128xf32>, tensor<1x1x64x128xf32>) outs(%e2 : tensor<1x2x64x128xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x2x64x128xf32>
  %z = linalg.generic {indexing_maps = [#scores, #mask, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %wide : tensor<1x2x64x128xf32>, tensor<1x1x64x128xf32>) outs(%e2 : tensor<1x2x64x128xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<1x2x64x128xf32>
  return %z : tensor<1x2x64x128xf32>
}

// CHECK-LABEL: func @small_one_is_stored
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @small_one_is_stored(%rows: tensor<4x1xi64>, %columns: tensor<128xi64>, %x: tensor<4x128xi1>) -> (tensor<4x128xi1>, tensor<4x128xi1>) {
  %e = tensor.empty() : tensor<4x128xi1>
  %m = linalg.generic {indexing_maps = [#left, #right, #all], iterator_types = ["parallel", "parallel"]} ins(%rows, %columns : tensor<4x1xi64>, tensor<128xi64>) outs(%e : tensor<4x128xi1>) {
  ^bb0(%r: i64, %c: i64, %o: i1):
    %0 = arith.cmpi sle, %c, %r : i64
    linalg.yield %0 : i1
  } -> tensor<4x128xi1>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<4x128xi1>, tensor<4x128xi1>) outs(%e : tensor<4x128xi1>) {
  ^bb0(%a: i1, %b: i1, %o: i1):
    %0 = arith.andi %a, %b : i1
    linalg.yield %0 : i1
  } -> tensor<4x128xi1>
  %z = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<4x128xi1>, tensor<4x128xi1>) outs(%e : tensor<4x128xi1>) {
  ^bb0(%a: i1, %b: i1, %o: i1):
    %0 = arith.ori %a, %b : i1
    linalg.yield %0 : i1
  } -> tensor<4x128xi1>
  return %y, %z : tensor<4x128xi1>, tensor<4x128xi1>
}

// What is read from memory or takes long to compute is stored.
// CHECK-LABEL: func @large_operand_and_functions_are_stored
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @large_operand_and_functions_are_stored(%x: tensor<64x128xf32>, %w: tensor<128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %a = linalg.generic {indexing_maps = [#all, #right, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %w : tensor<64x128xf32>, tensor<128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %0 = arith.addf %u, %v : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %b = linalg.generic {indexing_maps = [#right, #all], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = math.exp %v : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x128xf32>, tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %0 = arith.addf %u, %v : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %z = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x128xf32>, tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %0 = arith.mulf %u, %v : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %y, %z : tensor<64x128xf32>, tensor<64x128xf32>
}

// What reduces along a dimension that only a reshape adds reads the reshape: no
// other operand says how long that dimension is.
// CHECK-LABEL: func @reduction_over_an_added_dimension_reads_the_reshape
// CHECK: %[[WIDE:.*]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]] : tensor<1x64x128xi1>)
func.func @reduction_over_an_added_dimension_reads_the_reshape(%l: tensor<64x1xi64>, %r: tensor<128xi64>, %init: tensor<64x128xi1>) -> tensor<64x128xi1> {
  %e = tensor.empty() : tensor<64x128xi1>
  %m = linalg.generic {indexing_maps = [#left, #right, #all], iterator_types = ["parallel", "parallel"]} ins(%l, %r : tensor<64x1xi64>, tensor<128xi64>) outs(%e : tensor<64x128xi1>) {
  ^bb0(%u: i64, %v: i64, %o: i1):
    %0 = arith.cmpi slt, %u, %v : i64
    linalg.yield %0 : i1
  } -> tensor<64x128xi1>
  %wide = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 64, 128] : tensor<64x128xi1> into tensor<1x64x128xi1>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%wide : tensor<1x64x128xi1>) outs(%init : tensor<64x128xi1>) {
  ^bb0(%u: i1, %o: i1):
    %0 = arith.ori %u, %o : i1
    linalg.yield %0 : i1
  } -> tensor<64x128xi1>
  return %y : tensor<64x128xi1>
}
