// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies=decided=software --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-software --split-input-file --verify-diagnostics

func.func @good(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @none(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @more_parts_than_steps(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected at most 8 parts of loop 0, its steps, found 9}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [9, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @empty(%x: tensor<0x64xf32>, %e: tensor<0x64xf32>) -> tensor<0x64xf32> {
  // expected-error@+1 {{expected at most 0 parts of loop 0, its steps, found 2}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<0x64xf32>) outs(%e : tensor<0x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<0x64xf32>
  return %0 : tensor<0x64xf32>
}

// -----

func.func @other_rank(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected 2 numbers of parts, one for each loop, found 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @two_loops(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected parts of one loop, or of two that are computed at run time}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 2]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @three_open_loops(%x: tensor<?x?x?xf32>, %e: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  // expected-error@+1 {{expected parts of one loop, or of two that are computed at run time}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, ?, ?], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// -----

func.func @mixture(%x: tensor<?x64xf32>, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error@+1 {{expected parts that are computed at run time, or numbers of parts, not both}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 2], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

func.func @known_extent(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected parts of loop 0 to be a number, as all extents are known}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?, 1], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @open_extent(%x: tensor<?x64xf32>, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error@+1 {{expected parts of loop 0 to be 1 or `?`, as its extent is dynamic}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

func.func @tiles(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected parts alone, or #VPU.strategy<> for none}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<tiles = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @group(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected parts alone, or #VPU.strategy<> for none}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 1>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @columns(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error@+1 {{expected multiCluster = SplitOverHeight, whichever loop is split, found SplitOverKernel}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [1, 2]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @difference(%x: tensor<4096x384xf32>, %e: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expected no parts of loop 0, which reduces: parts are combined only of few results, each of which one op with a neutral element accumulates}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<4096x384xf32>) outs(%e : tensor<f32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.subf %i0, %o0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @many_sums(%x: tensor<2048x64xf32>, %e: tensor<2048xf32>) -> tensor<2048xf32> {
  // expected-error@+1 {{expected no parts of loop 1, which reduces: parts are combined only of few results, each of which one op with a neutral element accumulates}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x64xf32>) outs(%e : tensor<2048xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2]>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<2048xf32>
  return %0 : tensor<2048xf32>
}

// -----

func.func @open_sum(%x: tensor<8x?xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected no parts of loop 1 that are computed at run time, as it reduces}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x?xf32>) outs(%e : tensor<8xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, ?], grain = 8>} {
  ^bb0(%i0: f32, %o0: f32):
    %1 = arith.addf %o0, %i0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @backwards(%x: tensor<514x512xf32>, %w: tensor<3xf32>, %e: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-error@+1 {{expected no parts of loop 0, of which a part needs no one box of each operand}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 - d2 + 2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<514x512xf32>, tensor<3xf32>) outs(%e : tensor<512x512xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1, 1]>} {
  ^bb0(%i0: f32, %i1: f32, %o0: f32):
    %1 = arith.mulf %i0, %i1 : f32
    %2 = arith.addf %o0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// -----

func.func @result_that_each_part_would_write(%x: tensor<?x64xf32>, %e: tensor<?x64xf32>, %s: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  // expected-error@+1 {{expected no parts of loop 1, of which a part needs no one box of each operand}}
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x64xf32>) outs(%e, %s : tensor<?x64xf32>, tensor<?xf32>) attrs = {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2]>} {
  ^bb0(%i0: f32, %o0: f32, %o1: f32):
    %1 = math.exp %i0 : f32
    linalg.yield %1, %i0 : f32, f32
  } -> (tensor<?x64xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?x64xf32>, tensor<?xf32>
}

// -----

func.func @channels_that_do_not_fill_blocks(%x: tensor<1x60x55x55xf32>, %e: tensor<1x4x55x55x16xf32>) -> tensor<1x4x55x55x16xf32> {
  // expected-error@+1 {{expected no parts of loop 1, of which a part needs no one box of each operand}}
  %0 = VPU.Copy ins(%x : tensor<1x60x55x55xf32>) outs(%e : tensor<1x4x55x55x16xf32>) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 2, 1, 1, 1]>, srcOrder = #VPU.order<NCHW>, dstOrder = #VPU.order<NCHWc>} -> tensor<1x4x55x55x16xf32>
  return %0 : tensor<1x4x55x55x16xf32>
}

// -----

func.func @inside_a_loop(%x: tensor<8x64xf32>, %e: tensor<8x64xf32>, %n: index) -> tensor<8x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> tensor<8x64xf32> {
    // expected-error@+1 {{expected no parts inside of a loop or a branch}}
    %t = linalg.exp {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} ins(%s : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.yield %t : tensor<8x64xf32>
  }
  return %0 : tensor<8x64xf32>
}

// -----

func.func @buffers(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>} ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
  // expected-error@+1 {{expected at most 64 parts of loop 1, its steps, found 65}}
  linalg.copy {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 65]>} ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
  return
}

// -----

func.func @loop_with_more_parts_than_iterations(%x: tensor<4x64xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected multiCluster = SplitOverHeight and a number of parts from 2 to 4 alone}}
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %a) -> (tensor<4x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<4x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<4x4xf32>
    scf.yield %o : tensor<4x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [5]>, nacre.independent = 0 : i64}
  return %y : tensor<4x4xf32>
}

// -----

func.func @loop_with_parts_that_leave_none_for_the_last(%x: tensor<5x64xf32>, %a: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // expected-error@+1 {{expected 3 parts, as many as 5 iterations make whose parts are of one size, but for the last; found 4}}
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%out = %a) -> (tensor<5x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<5x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<5x4xf32>
    scf.yield %o : tensor<5x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [4]>, nacre.independent = 0 : i64}
  return %y : tensor<5x4xf32>
}

// -----

func.func @loop_in_tiles(%x: tensor<4x64xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected multiCluster = SplitOverHeight and a number of parts from 2 to 4 alone}}
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %a) -> (tensor<4x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<4x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<4x4xf32>
    scf.yield %o : tensor<4x4xf32>
  } {VPU.strategy = #VPU.strategy<tiles = [2]>, nacre.independent = 0 : i64}
  return %y : tensor<4x4xf32>
}

// -----

func.func @loop_split_over_channels(%x: tensor<4x64xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected multiCluster = SplitOverHeight and a number of parts from 2 to 4 alone}}
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %a) -> (tensor<4x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<4x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<4x4xf32>
    scf.yield %o : tensor<4x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverKernel, parts = [2]>, nacre.independent = 0 : i64}
  return %y : tensor<4x4xf32>
}

// -----

func.func @loop_whose_iterations_may_need_each_other(%x: tensor<4x64xf32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected no parts: cores share loops with nacre.independent that write a part at a time}}
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %a) -> (tensor<4x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<4x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<4x4xf32>
    scf.yield %o : tensor<4x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>}
  return %y : tensor<4x4xf32>
}

// -----

func.func @loop_of_unknown_length_with_a_number_of_parts(%x: tensor<?x64xf32>, %a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expected multiCluster = SplitOverHeight, parts = [?] and a grain alone, as a size is dynamic, or #VPU.strategy<> for none}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%out = %a) -> (tensor<?x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<?x64xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<?x4xf32>
    scf.yield %o : tensor<?x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.independent = 0 : i64}
  return %y : tensor<?x4xf32>
}
