// Groups as strategies say, by hand; those that are chosen have vpu-fuse-rows.mlir.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-fuse-rows --split-input-file | FileCheck %s

// CHECK-LABEL: @blocks
// CHECK-NOT: scf.forall
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c4
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK-NOT: VPU.strategy
func.func @blocks(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [4, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @parts
// CHECK: scf.forall (%{{.*}}) = (0) to (64) step (16)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c8
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @parts(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1], group = 1, block = [8, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// Three clusters have 22 rows, or 20.
// CHECK-LABEL: @parts_of_about_one_size
// CHECK: scf.forall (%{{.*}}) in (3)
// CHECK: scf.for
// CHECK: math.exp
func.func @parts_of_about_one_size(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [3, 1], group = 1, block = [11, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// The exponentials are computed before, in a loop of their own.
// CHECK-LABEL: @smaller_group
// CHECK-NOT: scf.for
// CHECK: math.exp
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c32
// CHECK: arith.addf
// CHECK: arith.divf
func.func @smaller_group(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [32, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// CHECK-LABEL: @no_group
// CHECK-NOT: scf.for
// CHECK: return
func.func @no_group(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

// Blocks of rows that fit the limits of the strategy, and parts that its costs make
// worth a cluster: the machine is not asked for either.
// CHECK-LABEL: @limits
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: index, %[[LENGTH:[a-z0-9]+]]: index
// CHECK: arith.divui %c1111, %
// CHECK: %[[MOST:.*]] = arith.divui %c2222, %
// CHECK: arith.minui %[[MOST]], %c3 :
// CHECK: arith.muli %{{.*}}, %c7 :
// CHECK: arith.muli %{{.*}}, %c5 :
// CHECK: arith.divui %{{.*}}, %c6400 :
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: arith.divf
// CHECK-NOT: VPU.strategy
func.func @limits(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%fill : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, pointCost = 5>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 1, block = [?, 0], pointCost = 7, limits = <bytes = 1111, leastSteps = [3, 1], mostBytes = [2222, 0], leastBytes = 277>>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
