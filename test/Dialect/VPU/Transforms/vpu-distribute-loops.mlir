// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-loops="min-cycles=8000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-distribute-loops="min-cycles=8000" --split-input-file | FileCheck %s --check-prefix=ONE

// One core needs no distribution.
// ONE-NOT: scf.forall
// ONE-NOT: nacre.independent

// Each part has room of its own, and writes its rows where they are.
// CHECK-LABEL: @lines_are_split_into_a_part_for_each_core
func.func @lines_are_split_into_a_part_for_each_core(%x: tensor<64x1024xf32>) -> tensor<64x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  %b = tensor.empty() : tensor<8xf32>
  // CHECK: %[[ALL:.*]] = scf.forall (%[[FIRST:.*]]) = (0) to (64) step (32) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<64x4xf32>) {
  // CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
  // CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<8xf32>
  // CHECK: %[[PART:.*]]:2 = scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %{{.*}} iter_args(%[[Y:.*]] = %[[OUT]], %{{.*}} = %[[ROOM]])
  // CHECK: tensor.insert %{{.*}} into %[[Y]][%[[I]], %{{.*}}]
  // CHECK-NOT: nacre.independent
  // CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[PART]]#0[%[[FIRST]], 0] [32, 4] [1, 1] : tensor<64x4xf32> to tensor<32x4xf32>
  // CHECK: tensor.parallel_insert_slice %[[ROWS]] into %[[OUT]][%[[FIRST]], 0] [32, 4] [1, 1]
  // CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
  // CHECK: return %[[ALL]]
  %y:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a, %room = %b) -> (tensor<64x4xf32>, tensor<8xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %t = tensor.insert %e into %room[%c1] : tensor<8xf32>
    %f = tensor.extract %t[%c1] : tensor<8xf32>
    %o = tensor.insert %f into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o, %t : tensor<64x4xf32>, tensor<8xf32>
  } {nacre.independent = 0 : i64}
  return %y#0 : tensor<64x4xf32>
}

// -----

// The last part has fewer. Here lines lie along the second dimension.
// CHECK-LABEL: @lines_of_odd_number_are_split_along_their_dimension
func.func @lines_of_odd_number_are_split_along_their_dimension(%x: tensor<1x33x1024xf32>) -> tensor<1x33x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %a = tensor.empty() : tensor<1x33x4xf32>
  // CHECK: scf.forall (%[[FIRST:.*]]) = (0) to (33) step (17) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<1x33x4xf32>) {
  // CHECK: %[[COUNT:.*]] = affine.min affine_map<(d0) -> (17, -d0 + 33)>(%[[FIRST]])
  // CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][0, %[[FIRST]], 0] [1, %[[COUNT]], 4] [1, 1, 1]
  %y = scf.for %i = %c0 to %c33 step %c1 iter_args(%out = %a) -> (tensor<1x33x4xf32>) {
    %e = tensor.extract %x[%c0, %i, %c0] : tensor<1x33x1024xf32>
    %o = tensor.insert %e into %out[%c0, %i, %c1] : tensor<1x33x4xf32>
    scf.yield %o : tensor<1x33x4xf32>
  } {nacre.independent = 1 : i64}
  return %y : tensor<1x33x4xf32>
}

// -----

// CHECK-LABEL: @loops_with_little_to_do_stay
func.func @loops_with_little_to_do_stay(%x: tensor<64x16xf32>) -> tensor<64x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  // CHECK-NOT: scf.forall
  // CHECK-NOT: nacre.independent
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a) -> (tensor<64x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x16xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o : tensor<64x4xf32>
  } {nacre.independent = 0 : i64}
  return %y : tensor<64x4xf32>
}

// -----

// What a loop carries besides has to be room without values, and all sizes are
// to be known.
// CHECK-LABEL: @loops_that_carry_values_or_unknown_sizes_stay
func.func @loops_that_carry_values_or_unknown_sizes_stay(%x: tensor<64x1024xf32>, %b: tensor<8xf32>, %u: tensor<?x4xf32>, %n: index) -> (tensor<64x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  // CHECK-NOT: scf.forall
  // CHECK-NOT: nacre.independent
  %y:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a, %room = %b) -> (tensor<64x4xf32>, tensor<8xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %t = tensor.insert %e into %room[%c1] : tensor<8xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o, %t : tensor<64x4xf32>, tensor<8xf32>
  } {nacre.independent = 0 : i64}
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u) -> (tensor<?x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<?x4xf32>
    scf.yield %o : tensor<?x4xf32>
  } {nacre.independent = 0 : i64}
  return %y#0, %z : tensor<64x4xf32>, tensor<?x4xf32>
}
