// RUN: nacre-opt %s --inline-gathers | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @rows_are_read_where_they_are_used
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[MASK:.*]]: tensor<?x?xf32>, %[[ROWS:.*]]: tensor<?xindex>
// CHECK: linalg.generic {{.*}} ins(%[[X]] :
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[COLUMN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[J]]
// CHECK: %[[ROW:.*]] = tensor.extract %[[ROWS]][%[[I]]]
// CHECK: %[[A:.*]] = tensor.extract %[[MASK]][%[[ROW]], %[[COLUMN]]]
// CHECK: arith.addf %{{.*}}, %[[A]]
func.func @rows_are_read_where_they_are_used(%x: tensor<?x?xf32>, %mask: tensor<?x?xf32>, %rows: tensor<?xindex>, %is_one: i1) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %rows, %c0 : tensor<?xindex>
  %m = tensor.dim %mask, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = tensor.extract %rows[%i] : tensor<?xindex>
    %a = tensor.extract %mask[%row, %j] : tensor<?x?xf32>
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.select %is_one, %c0, %j : index
    %a = tensor.extract %g[%i, %k] : tensor<?x?xf32>
    %0 = arith.addf %s, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func @gather_that_is_a_result_is_stored
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: linalg.generic
// CHECK: tensor.extract %[[G]]
// CHECK: return %[[G]]
func.func @gather_that_is_a_result_is_stored(%x: tensor<8x8xf32>, %table: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %table[%i] : tensor<8xf32>
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %g[%j, %i] : tensor<8x8xf32>
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %g, %y : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func @function_is_computed_once
// CHECK: math.exp
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK-NOT: math.exp
// CHECK: return
func.func @function_is_computed_once(%table: tensor<8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %g = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %table[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %g[%j, %i] : tensor<8x8xf32>
    linalg.yield %a : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
