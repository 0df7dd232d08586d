// RUN: nacre-opt %s --vpu-choose-strategies=decide=buffers --vpu-verify-strategies=decided=buffers | FileCheck %s

// Of a cache that holds more, as many rows are integers at a time as a chunk may
// have, in whole register tiles.
// CHECK-LABEL: @chunk_of_a_large_cache_is_bounded
// CHECK: VPU.NCE.MatMulNBits {{.*}} {VPU.strategy = #VPU.strategy<chunk = [1048572]>, bits = 4 : i64}
module attributes {VPU.arch = #VPU.arch<name = "large", kind = cpu, clusters = 1, cmxBytes = 134217728, sharedCacheBytes = 33554432, dmaEngines = 1, dmaGigabytesPerSecond = 20, clockMHz = 2600, lanes = 16, registers = 32, pixels = 14, blocks = 2, blockedChannels = true, packs = {bf16 = 2 : i64, i8 = 4 : i64}, elementTypes = [f32, f64, bf16, i8], triple = "x86_64-unknown-linux-gnu", cpu = "znver4", tune = "znver4", features = "">} {
  func.func @chunk_of_a_large_cache_is_bounded(%a: memref<1x?x32xf32>, %w: memref<35x1x4x16xi32>, %s: memref<35x1x16xf32>, %y: memref<1x?x550xf32>) {
    VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x32xf32>, memref<35x1x4x16xi32>) scale(%s : memref<35x1x16xf32>) outs(%y : memref<1x?x550xf32>) {bits = 4 : i64}
    return
  }
}
