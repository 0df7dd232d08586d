// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies=decided=groups --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-fuse-rows --split-input-file --verify-diagnostics

func.func @good(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @shared(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [8, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @uneven_parts(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [3, 1], group = 1, block = [8, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @run_time(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<?x128xf32>) outs(%fill : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 1, block = [?, 0], pointCost = 64, limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0]>>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %2 : tensor<?x128xf32>
}

// -----

func.func private @no_body(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @other_rank(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected 2 numbers of a block, one for each loop of the last op of its group, found 1}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @uneven_block(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected a block that cuts the 64 steps of loop 0 evenly}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [15, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @uneven_block_of_a_part(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected a block that cuts the 32 steps of loop 0 evenly}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1], group = 1, block = [64, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @run_time_block_of_known_rows(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected a block that cuts the 64 steps of loop 0 evenly}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [?, 0], limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0]>>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @parts_without_a_block(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<?x128xf32>) outs(%fill : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  // expected-error@+1 {{expected a block of loop 0, whose parts differ in size}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 1, pointCost = 64>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %2 : tensor<?x128xf32>
}

// -----

func.func @uneven_parts_without_a_block(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected a block of loop 0, whose parts differ in size}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [3, 1], group = 1>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @uneven_parts_of_two_loops(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  // expected-error@+1 {{expected parts that cut the loops evenly, or of one loop alone}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [3, 3], group = 1, block = [16, 16]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @block_of_what_is_summed(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  // expected-error@+1 {{expected all of loop 1, which reduces, in a block}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16, 16]>} {
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

func.func @columns(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  // expected-error@+1 {{expected each block of its group's result to need one part of it, and nothing else to read it}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  // expected-note@+1 {{the last op is here}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16, 16]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @member_that_is_missing(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  // expected-error@+1 {{expected each block of its group's result to need one part of it, and nothing else to read it}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  // expected-note@+1 {{the last op is here}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @parts_of_a_member(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  // expected-error@+1 {{expected parts and a block on the last op of its group alone}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16]>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  // expected-note@+1 {{the last op is here}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [16, 0]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @no_rows(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{expected no group: it does not compute rows of its result from rows of operands}}
  %0 = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] {VPU.strategy = #VPU.strategy<group = 1>} : tensor<4x8xf32> to tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @in_a_loop(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x8xf32> {
    // expected-error@+1 {{expected no group inside of a loop or a branch}}
    %1 = linalg.exp {VPU.strategy = #VPU.strategy<group = 1>} ins(%a : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %1 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

func.func @uneven_parts_with_a_block_of_another_loop(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %r = tensor.empty() : tensor<64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x128xf32>) outs(%fill : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  // expected-error@+1 {{expected a block of loop 0, whose parts differ in size}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [3, 1], group = 1, block = [0, 16]>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @run_time_parts_beside_a_number(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected parts that are computed at run time, or numbers of parts, not both}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 2], grain = 100, group = 1, block = [16, 16], pointCost = 64>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @run_time_parts_with_too_large_a_block(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
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
  // expected-error@+1 {{expected a block of at most 64 steps of loop 0, found 1000}}
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 1, block = [1000, 0], pointCost = 64>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}

// -----

func.func @group_of_one(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  // expected-error@+1 {{expected more members of group 3 than this one}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 3, block = [16, 0]>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @software_kernel_with_an_algorithm(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  // expected-error@+1 {{expected a group, merge, or #VPU.strategy<> for none}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) attrs = {VPU.strategy = #VPU.strategy<algorithm = direct>} {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

func.func @parts_without_costs(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x128xf32>) outs(%fill : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  // expected-error@+1 {{expected a pointCost on ops of its group exactly where parts are computed at run time}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 100, group = 1, block = [?, 0], limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0]>>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %1 : tensor<?x128xf32>
}

// -----

func.func @costs_without_parts(%x: tensor<?x128xf32>, %n: index) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x128xf32>
  %r = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x128xf32>) outs(%fill : tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, pointCost = 7>} {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %out : f32
    linalg.yield %y : f32
  } -> tensor<?xf32>
  // expected-error@+1 {{expected a pointCost on ops of its group exactly where parts are computed at run time}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<?x128xf32>, tensor<?xf32>) outs(%e : tensor<?x128xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1, block = [?, 0], limits = <bytes = 65536, leastSteps = [16, 1], mostBytes = [262144, 0]>>} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %1 : tensor<?x128xf32>
}
