// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-verify-strategies=decided=buffers --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-prefetch-shared --split-input-file --verify-diagnostics

func.func @input_of_no_loop_is_not_asked_for(%x: memref<1x1x7x7x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %y: memref<1x1x7x7x16xf32>) {
  // expected-error@+1 {{expected no prefetchInput: it is for an input of static shape that a loop of cores over blocks does not cut}}
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x7x7x16xf32>, memref<1x1x1x1x16x16xf32>) outs(%y : memref<1x1x7x7x16xf32>) {VPU.strategy = #VPU.strategy<prefetchInput = true>}
  return
}

// -----

func.func @rows_are_in_the_cache_of_who_reads_them(%x: memref<1x4x14x14x16xf32>, %w: memref<10x4x1x1x16x16xf32>, %out: memref<1x10x14x14x16xf32>) {
  scf.forall (%row) = (0) to (14) step (7) {
    %rows = memref.subview %x[0, 0, %row, 0, 0] [1, 4, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32> to memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>
    %part = memref.subview %out[0, 0, %row, 0, 0] [1, 10, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x10x14x14x16xf32> to memref<1x10x7x14x16xf32, strided<[31360, 3136, 224, 16, 1], offset: ?>>
    // expected-error@+1 {{expected no prefetchInput}}
    VPU.NCE.Convolution ins(%rows, %w : memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>, memref<10x4x1x1x16x16xf32>) outs(%part : memref<1x10x7x14x16xf32, strided<[31360, 3136, 224, 16, 1], offset: ?>>) {VPU.strategy = #VPU.strategy<prefetchInput = true>}
  } {mapping = [#VPU.cluster<SplitOverHeight>]}
  return
}
