// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-verify-strategies=decided=joins --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=joins --split-input-file --verify-diagnostics

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @rows_that_could_be_joined_and_are_in_a_group(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  // expected-error@+1 {{'linalg.generic' op expected no group with decide=joins: it is for structured ops, products and reshapes with decide=groups, and for loops with decide=concurrency; leave it out; this op may have joinStored here}}
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<group = 3>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Merging loops makes another op.
func.func @rows_that_could_be_joined_and_have_an_innermost_loop(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  // expected-error@+1 {{expected no innermost with decide=joins: it is for ops on buffers with decide=registers; leave it out; this op may have joinStored here}}
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <innermost = 1>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What is given beside it is not written over.
func.func @rows_that_are_joined_and_have_parts(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  // expected-error@+1 {{expected no parts with decide=joins}}
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<parts = [1, 1], kernel = <loops = <joinStored = true>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}
