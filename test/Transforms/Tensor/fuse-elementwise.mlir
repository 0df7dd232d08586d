// RUN: nacre-opt %s --fuse-elementwise | FileCheck %s
// RUN: nacre-opt %s --fuse-elementwise=max-body=4 | FileCheck %s --check-prefix=SHORT

#all = affine_map<(i, j) -> (i, j)>

// A body of two ops each, the yield included.
// CHECK-LABEL: func @chain
// CHECK-COUNT-1: linalg.generic
// CHECK: math.absf
// CHECK-NEXT: arith.negf
// CHECK-NEXT: math.exp
// CHECK-NOT: linalg.generic

// Two of them are four ops, which is few enough; with the third it were more.
// SHORT-LABEL: func @chain
// SHORT: linalg.generic
// SHORT: math.absf
// SHORT-NEXT: arith.negf
// SHORT-NEXT: linalg.yield
// SHORT: linalg.generic
// SHORT: math.exp
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// What two ops use is computed once.
// CHECK-LABEL: func @used_twice_stays
// CHECK-COUNT-2: linalg.generic
func.func @used_twice_stays(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A part that drops a dimension of size 1, only to be given it back, keeps it, and
// what drops it to be put into its place, too.
// CHECK-LABEL: func @parts_keep_what_is_given_back
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[%arg2, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<?x4x8xf32> to tensor<1x4x8xf32>
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[PART]]
// CHECK: tensor.insert_slice %[[EXP]] into %arg1[%arg2, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<1x4x8xf32> into tensor<?x4x8xf32>
#volume = affine_map<(n, i, j) -> (n, i, j)>
func.func @parts_keep_what_is_given_back(%x: tensor<?x4x8xf32>, %y: tensor<?x4x8xf32>, %n: index) -> tensor<?x4x8xf32> {
  %part = tensor.extract_slice %x[%n, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<?x4x8xf32> to tensor<4x8xf32>
  %a = tensor.expand_shape %part [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#volume, #volume], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<1x4x8xf32>
  %b = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %b into %y[%n, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<?x4x8xf32>
  return %1 : tensor<?x4x8xf32>
}

// What picks elements by their positions does so once for all iterations of another
// loop. A single element is picked again, and so are several where there is no such
// loop, or only one of one iteration.
// CHECK-LABEL: func @picked_elements_are_not_picked_again
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]}
// CHECK-COUNT-2: tensor.extract
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// CHECK-LABEL: func @picked_elements_are_computed_with
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
// CHECK-LABEL: func @single_element_is_picked_again
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#columns = affine_map<(i, j) -> (j)>
#row = affine_map<(i) -> (i)>
func.func @picked_elements_are_not_picked_again(%x: tensor<8xf32>, %i: tensor<8xindex>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: index, %out: f32):
    %p = linalg.index 0 : index
    %v = tensor.extract %x[%in] : tensor<8xf32>
    %w = tensor.extract %x[%p] : tensor<8xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#columns, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @picked_elements_are_computed_with(%x: tensor<8xf32>, %i: tensor<8xindex>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: index, %out: f32):
    %p = linalg.index 0 : index
    %v = tensor.extract %x[%in] : tensor<8xf32>
    %w = tensor.extract %x[%p] : tensor<8xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %one = tensor.empty() : tensor<1x8xf32>
  %1 = linalg.generic {indexing_maps = [#columns, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8xf32>) outs(%one : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

func.func @single_element_is_picked_again(%x: tensor<8xf32>, %i: tensor<8xindex>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: index, %out: f32):
    %v = tensor.extract %x[%in] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %all = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#columns, #all], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8xf32>) outs(%all : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Which dimension of size 1 is gone stays said by the reshape: a slice would not tell.
// CHECK-LABEL: func @slices_are_not_made_to_lack_dimensions
// CHECK: %[[PART:.*]] = tensor.extract_slice {{.*}} : tensor<1x3x4x2xf32> to tensor<1x3x4x1xf32>
// CHECK: tensor.collapse_shape %[[PART]] {{\[\[}}0], [1], [2, 3]]
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3]]
// CHECK: tensor.insert_slice %[[ROWS]] {{.*}} : tensor<1x3x1x4xf32> into tensor<1x3x2x4xf32>
func.func @slices_are_not_made_to_lack_dimensions(%x: tensor<1x3x4x2xf32>, %y: tensor<1x3x2x4xf32>, %z: tensor<1x3x4xf32>, %i: index) -> (tensor<1x3x4xf32>, tensor<1x3x2x4xf32>) {
  %part = tensor.extract_slice %x[0, 0, 0, %i] [1, 3, 4, 1] [1, 1, 1, 1] : tensor<1x3x4x2xf32> to tensor<1x3x4x1xf32>
  %a = tensor.collapse_shape %part [[0], [1], [2, 3]] : tensor<1x3x4x1xf32> into tensor<1x3x4xf32>
  %b = tensor.expand_shape %z [[0], [1, 2], [3]] output_shape [1, 3, 1, 4] : tensor<1x3x4xf32> into tensor<1x3x1x4xf32>
  %1 = tensor.insert_slice %b into %y[0, 0, %i, 0] [1, 3, 1, 4] [1, 1, 1, 1] : tensor<1x3x1x4xf32> into tensor<1x3x2x4xf32>
  return %a, %1 : tensor<1x3x4xf32>, tensor<1x3x2x4xf32>
}
