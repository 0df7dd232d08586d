// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-software --split-input-file | FileCheck %s

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
  // CHECK-NOT: {{nacre.independent|VPU.strategy}}
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
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.independent = 0 : i64}
  return %y#0 : tensor<64x4xf32>
}

// -----

// The last part has fewer. Here lines lie along the second dimension.
// CHECK: affine_map<(d0) -> (17, -d0 + 33)>
// CHECK-LABEL: @lines_of_odd_number_are_split_along_their_dimension
func.func @lines_of_odd_number_are_split_along_their_dimension(%x: tensor<1x33x1024xf32>) -> tensor<1x33x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %a = tensor.empty() : tensor<1x33x4xf32>
  // CHECK: scf.forall (%[[FIRST:.*]]) = (0) to (33) step (17) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<1x33x4xf32>) {
  // CHECK: %[[COUNT:.*]] = affine.min #{{.*}}(%[[FIRST]])
  // CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][0, %[[FIRST]], 0] [1, %[[COUNT]], 4] [1, 1, 1]
  %y = scf.for %i = %c0 to %c33 step %c1 iter_args(%out = %a) -> (tensor<1x33x4xf32>) {
    %e = tensor.extract %x[%c0, %i, %c0] : tensor<1x33x1024xf32>
    %o = tensor.insert %e into %out[%c0, %i, %c1] : tensor<1x33x4xf32>
    scf.yield %o : tensor<1x33x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.independent = 1 : i64}
  return %y : tensor<1x33x4xf32>
}

// -----

// What nobody decided to share stays, and what is said of it goes.
// CHECK-LABEL: @loops_without_parts_stay
func.func @loops_without_parts_stay(%x: tensor<64x16xf32>) -> (tensor<64x4xf32>, tensor<64x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  // CHECK-NOT: scf.forall
  // CHECK-NOT: {{nacre.independent|VPU.strategy}}
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a) -> (tensor<64x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x16xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o : tensor<64x4xf32>
  } {nacre.independent = 0 : i64}
  %z = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %y) -> (tensor<64x4xf32>) {
    %e = tensor.extract %x[%i, %c1] : tensor<64x16xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o : tensor<64x4xf32>
  } {VPU.strategy = #VPU.strategy<>, nacre.independent = 0 : i64}
  return %y, %z : tensor<64x4xf32>, tensor<64x4xf32>
}

// -----

// As many parts as are worth it are computed at run time. What is in a loop of the
// model is steps of it, as before.
// CHECK-DAG: #[[LEAST:.*]] = affine_map<()[s0] -> (s0, 1)>
// CHECK-DAG: #[[MOST:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-LABEL: @samples_have_parts_that_a_run_counts
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index)
func.func @samples_have_parts_that_a_run_counts(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.empty(%n) : tensor<?x8xf32>
  %e = tensor.empty() : tensor<8xf32>
  // CHECK: %[[GRAIN:.*]] = arith.constant 3 : index
  // CHECK: %[[WORTH:.*]] = arith.divui %[[N]], %[[GRAIN]]
  // CHECK: %[[ALL:.*]] = affine.max #[[LEAST]]()[%[[WORTH]]]
  // CHECK: %[[P:.*]] = affine.min #[[MOST]]()[%[[ALL]]]
  // CHECK: %[[SIZE:.*]] = arith.ceildivui %[[N]], %[[P]]
  // CHECK: scf.forall (%[[I:.*]]) in (%[[P]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?x8xf32>) {
  // CHECK: %[[BEFORE:.*]] = arith.muli %[[I]], %[[SIZE]]
  // CHECK: %[[FIRST:.*]] = arith.minui %[[BEFORE]], %[[N]]
  // CHECK: %[[UPTO:.*]] = arith.addi %[[FIRST]], %[[SIZE]]
  // CHECK: %[[END:.*]] = arith.minui %[[UPTO]], %[[N]]
  // CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[FIRST]]
  // CHECK: %[[PART:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[OUT]])
  // CHECK: } {nacre.has_steps}
  // CHECK: tensor.extract_slice %[[PART]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
  // CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
  // CHECK: {mapping = [#VPU.cluster<SplitOverHeight>], nacre.has_steps}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<?x8xf32> {
    %p = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
    %t = linalg.abs ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r = tensor.insert_slice %t into %s[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<?x8xf32>
    scf.yield %r : tensor<?x8xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 3>, nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<?x8xf32>
}

// -----

// The sizes of a part are those of what the loop is given, but for its iterations.
// Each part has room of its own. As many parts as the elements are worth that all
// iterations read or write, but no more than there are iterations.
// CHECK-LABEL: func @lines_of_unknown_length
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: tensor<?x?x4xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[READ:.*]] = arith.addi %c64, %{{.*}}
// CHECK: %[[POINTS:.*]] = arith.addi %[[READ]], %{{.*}}
// CHECK: %[[WORTH:.*]] = arith.divui %[[POINTS]], %c3
// CHECK: %[[SOME:.*]] = affine.max {{.*}}[%[[WORTH]]]
// CHECK: %[[MOST:.*]] = affine.min {{.*}}[%[[SOME]]]
// CHECK: %[[LEAST:.*]] = arith.maxui %[[N]], %{{.*}}
// CHECK: %[[PARTS:.*]] = arith.minui %[[LEAST]], %[[MOST]]
// CHECK: %[[LENGTH:.*]] = tensor.dim %[[OUT]], %c1
// CHECK: scf.forall {{.*}} in (%[[PARTS]]) shared_outs(%[[ALL:.*]] = %[[OUT]])
// CHECK: %[[COUNT:.*]] = arith.subi
// CHECK: %[[ROOM:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK: %[[PART:.*]]:2 = scf.for %{{.*}} = %[[FIRST:.*]] to {{.*}} iter_args(%{{.*}} = %[[ALL]], %{{.*}} = %[[ROOM]])
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[PART]]#0[%[[FIRST]], 0, 0] [%[[COUNT]], %[[LENGTH]], 4] [1, 1, 1]
// CHECK: tensor.parallel_insert_slice %[[SLICE]] into %[[ALL]][%[[FIRST]], 0, 0] [%[[COUNT]], %[[LENGTH]], 4] [1, 1, 1]
func.func @lines_of_unknown_length(%x: tensor<64xf32>, %u: tensor<?x?x4xf32>, %n: index) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = tensor.empty(%n) : tensor<?xf32>
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u, %room = %r) -> (tensor<?x?x4xf32>, tensor<?xf32>) {
    %e = tensor.extract %x[%i] : tensor<64xf32>
    %t = tensor.insert %e into %room[%c0] : tensor<?xf32>
    %o = tensor.insert %e into %out[%i, %c0, %c1] : tensor<?x?x4xf32>
    scf.yield %o, %t : tensor<?x?x4xf32>, tensor<?xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 3>, nacre.independent = 0 : i64}
  return %y#0 : tensor<?x?x4xf32>
}

// -----

// Of a known number of lines, the elements that they read or write say how much there
// is to share; there are no more parts than lines.
// CHECK-DAG: #[[LEAST:.*]] = affine_map<()[s0] -> (s0, 1)>
// CHECK-DAG: #[[MOST:.*]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-LABEL: func @few_lines_of_unknown_length
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x?x?xf32>, %[[OUT:[a-z0-9]+]]: tensor<2x?xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[COLUMNS:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[LINE:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: %[[READ:.*]] = arith.muli %[[LINE]], %{{.*}}
// CHECK: %[[LENGTH:.*]] = tensor.dim %[[OUT]], %{{.*}}
// CHECK: %[[WRITTEN:.*]] = arith.muli %[[LENGTH]], %{{.*}}
// CHECK: %[[POINTS:.*]] = arith.addi %[[READ]], %[[WRITTEN]]
// CHECK: %[[WORTH:.*]] = arith.divui %[[POINTS]], %c300
// CHECK: %[[ALL:.*]] = affine.max #[[LEAST]]()[%[[WORTH]]]
// CHECK: %[[PARTS:.*]] = affine.min #[[MOST]]()[%[[ALL]]]
// CHECK: scf.forall (%{{.*}}) in (%[[PARTS]]) shared_outs(%{{.*}} = %[[OUT]]) -> (tensor<2x?xf32>)
func.func @few_lines_of_unknown_length(%x: tensor<2x?x?xf32>, %u: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%out = %u) -> (tensor<2x?xf32>) {
    %e = tensor.extract %x[%i, %c0, %c1] : tensor<2x?x?xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<2x?xf32>
    scf.yield %o : tensor<2x?xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 300>, nacre.independent = 0 : i64}
  return %y : tensor<2x?xf32>
}
