// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(vpu-separate-buffers))' | FileCheck %s

// CHECK-LABEL: func @each_use_has_its_own_right_before_it
// CHECK-NEXT: %[[A:.*]] = tensor.empty()
// CHECK-NEXT: %[[X:.*]] = linalg.fill {{.*}} outs(%[[A]] :
// CHECK-NEXT: %[[B:.*]] = tensor.empty()
// CHECK-NEXT: linalg.exp ins(%[[X]] : {{.*}} outs(%[[B]] :
func.func @each_use_has_its_own_right_before_it(%v: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// What is allocated outside a loop stays there.
// CHECK-LABEL: func @loops_get_no_allocation
// CHECK: tensor.empty(%{{.*}})
// CHECK: scf.for
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @loops_get_no_allocation(%n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<?xf32> {
    %z = linalg.exp ins(%acc : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}

// What two reductions start from would be copied for one of them; who only
// reads it shares it.
// CHECK-LABEL: func @each_reduction_fills_its_own
// CHECK: %[[A:.*]] = linalg.fill
// CHECK: linalg.reduce {{.*}} outs(%[[B:.*]] : tensor<4xf32>)
// CHECK: linalg.reduce {{.*}} outs(%[[C:.*]] : tensor<4xf32>)
// CHECK: linalg.exp ins(%[[A]] :
// CHECK: return
func.func @each_reduction_fills_its_own(%v: f32, %x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %z = linalg.reduce {arith.mulf} ins(%x : tensor<4x8xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  %w = linalg.exp ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y, %z, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Buffers of tiles are parts of larger ones outside of the loop.
// CHECK-LABEL: func @each_part_has_its_own
// CHECK: %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: scf.for
// CHECK-NOT: tensor.empty
// CHECK: %[[P:.*]] = tensor.extract_slice %[[B]]
// CHECK: %[[X:.*]] = linalg.fill {{.*}} outs(%[[P]] :
// CHECK: linalg.reduce {{.*}} outs(%[[X]] :
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[A]]
// CHECK: %[[Y:.*]] = linalg.fill {{.*}} outs(%[[Q]] :
// CHECK: linalg.reduce {{.*}} outs(%[[Y]] :
// CHECK: return
func.func @each_part_has_its_own(%n: index, %v: f32, %x: tensor<?x8xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %out) -> tensor<?xf32> {
    %p = tensor.extract_slice %e[0] [%n] [1] : tensor<4xf32> to tensor<?xf32>
    %s = linalg.fill ins(%v : f32) outs(%p : tensor<?xf32>) -> tensor<?xf32>
    %y = linalg.reduce {arith.addf} ins(%x : tensor<?x8xf32>) outs(%s : tensor<?xf32>) dimensions = [1]
    %z = linalg.reduce {arith.mulf} ins(%x : tensor<?x8xf32>) outs(%s : tensor<?xf32>) dimensions = [1]
    %w = linalg.add ins(%y, %z : tensor<?xf32>, tensor<?xf32>) outs(%acc : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// What a loop carries must not start in one buffer, whatever the type by which
// it knows it.
// CHECK-LABEL: func @each_carried_value_has_its_own_by_another_type
// CHECK-DAG: %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-DAG: %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-DAG: %[[P:.*]] = tensor.cast %[[A]]
// CHECK-DAG: %[[Q:.*]] = tensor.cast %[[B]]
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Q]], %{{.*}} = %[[P]])
// CHECK: return
func.func @each_carried_value_has_its_own_by_another_type(%n: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %d = tensor.cast %e : tensor<4xf32> to tensor<?xf32>
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d, %b = %d) -> (tensor<?xf32>, tensor<?xf32>) {
    %p = tensor.insert %v into %a[%i] : tensor<?xf32>
    %q = tensor.insert %v into %b[%i] : tensor<?xf32>
    scf.yield %q, %p : tensor<?xf32>, tensor<?xf32>
  }
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}
