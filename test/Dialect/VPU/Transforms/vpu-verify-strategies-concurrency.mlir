// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies=decided=concurrency --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-group-loops --split-input-file --verify-diagnostics

func.func @good(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<>}
  %c = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a, %b, %c : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func @alone(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error@+1 {{expected more loops of group 3 than this one}}
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 3>, nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %y) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func @needed(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-note@+1 {{the first loop of the group is here}}
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %g = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{expected no group 1: the loop needs the result of another one of the group}}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %g) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func private @sample(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @effect_between(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  // expected-note@+1 {{the op with effects is here}}
  %c = func.call @sample(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error@+1 {{expected no group 1: an op with effects comes before the loop, and behind another one of the group}}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %c, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func private @sample(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @effect_inside(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error@+1 {{expected no group: the loop has effects, whose order stays}}
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %u = func.call @sample(%s) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %t = linalg.tanh ins(%u : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func @other_fields(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error@+1 {{expected a group alone, or #VPU.strategy<> for none}}
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1, block = [1]>}
  %b = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

func.func @parts(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-error@+1 {{expected no parts: cores share loops with nacre.independent that write a part at a time}}
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    %t = linalg.tanh ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>}
  return %a : tensor<64x64xf32>
}

// -----

func.func @parts_of_a_loop_with_effects(%x: tensor<4x64xf32>, %a: tensor<4x4xf32>, %seen: memref<4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expected no parts: the loop has effects, whose order stays}}
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %a) -> (tensor<4x4xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<4x64xf32> to tensor<1x4xf32>
    %first = tensor.extract %row[%c0, %c0] : tensor<1x4xf32>
    memref.store %first, %seen[%i] : memref<4xf32>
    %o = tensor.insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
    scf.yield %o : tensor<4x4xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.independent = 0 : i64}
  return %y : tensor<4x4xf32>
}

// -----

func.func @inside(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %a = scf.for %i = %zero to %many step %one iter_args(%s = %x) -> tensor<64x64xf32> {
    // expected-error@+1 {{expected no group inside of a loop or a branch}}
    %u = scf.for %j = %zero to %many step %one iter_args(%r = %s) -> tensor<64x64xf32> {
      %v = linalg.tanh ins(%r : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %v : tensor<64x64xf32>
    } {VPU.strategy = #VPU.strategy<group = 1>, nacre.has_steps}
    %t = linalg.exp ins(%u : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  } {nacre.has_steps}
  return %a : tensor<64x64xf32>
}

// -----

func.func @rest_of_a_known_number(%x: tensor<8x?xf32>, %a: tensor<8x?xf32>, %m: index) -> tensor<8x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 8 : index
  // expected-error@+1 {{expected no shareRest: it is for steps of the model whose iterations a run counts}}
  %y = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> tensor<8x?xf32> {
    %p = tensor.extract_slice %x[%i, 0] [1, %m] [1, 1] : tensor<8x?xf32> to tensor<?xf32>
    %r = tensor.insert_slice %p into %s[%i, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<8x?xf32>
    scf.yield %r : tensor<8x?xf32>
  } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 1, shareRest = true>, nacre.has_steps, nacre.independent = 0 : i64}
  return %y : tensor<8x?xf32>
}
