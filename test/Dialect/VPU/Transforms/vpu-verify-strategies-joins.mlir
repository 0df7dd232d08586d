// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=joins --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --collapse-loops --split-input-file --verify-diagnostics

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @rows_that_may_be_an_input_are_not_joined(%x: memref<64x4096xf32>, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  // expected-error@+1 {{expected no joinStored: it does not reduce rows that an elementwise op before it stores and could store here}}
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @rows_are_stored_once(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}, %m: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  // expected-error@+1 {{expected no joinStored}}
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%m : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}
