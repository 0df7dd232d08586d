// What strategy is chosen, not what becomes of it.
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=2" --vpu-choose-strategies=decide=buffers --vpu-verify-strategies=decided=buffers | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=2" --vpu-choose-strategies=decide=buffers | FileCheck %s --check-prefixes=CHECK,SMALL
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=buffers | FileCheck %s --check-prefix=NPU

// NPU-NOT: prefetchInput

// CHECK-LABEL: func @input_of_all_blocks_is_asked_for
// LARGE: VPU.NCE.Convolution {{.*}}VPU.strategy = #VPU.strategy<prefetchInput = true>
// SMALL-NOT: prefetchInput
func.func @input_of_all_blocks_is_asked_for(%x: memref<1x60x7x7x16xf32>, %w: memref<10x60x1x1x16x16xf32>, %out: memref<1x10x7x7x16xf32>) {
  scf.forall (%block) = (0) to (10) step (5) {
    %weights = memref.subview %w[%block, 0, 0, 0, 0, 0] [5, 60, 1, 1, 16, 16] [1, 1, 1, 1, 1, 1] : memref<10x60x1x1x16x16xf32> to memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>
    %part = memref.subview %out[0, %block, 0, 0, 0] [1, 5, 7, 7, 16] [1, 1, 1, 1, 1] : memref<1x10x7x7x16xf32> to memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>
    VPU.NCE.Convolution ins(%x, %weights : memref<1x60x7x7x16xf32>, memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>) outs(%part : memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>)
  } {mapping = [#VPU.cluster<SplitOverKernel>]}
  return
}

// CHECK-LABEL: func @rows_are_in_the_cache_of_who_reads_them
// CHECK-NOT: prefetchInput
func.func @rows_are_in_the_cache_of_who_reads_them(%x: memref<1x4x14x14x16xf32>, %w: memref<10x4x1x1x16x16xf32>, %out: memref<1x10x14x14x16xf32>) {
  scf.forall (%row) = (0) to (14) step (7) {
    %rows = memref.subview %x[0, 0, %row, 0, 0] [1, 4, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32> to memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>
    %part = memref.subview %out[0, 0, %row, 0, 0] [1, 10, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x10x14x14x16xf32> to memref<1x10x7x14x16xf32, strided<[31360, 3136, 224, 16, 1], offset: ?>>
    VPU.NCE.Convolution ins(%rows, %w : memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>, memref<10x4x1x1x16x16xf32>) outs(%part : memref<1x10x7x14x16xf32, strided<[31360, 3136, 224, 16, 1], offset: ?>>)
  } {mapping = [#VPU.cluster<SplitOverHeight>]}
  return
}

// CHECK-LABEL: func @blocks_of_a_pool_are_its_own
// CHECK-NOT: prefetchInput
func.func @blocks_of_a_pool_are_its_own(%x: memref<1x10x7x7x16xf32>, %out: memref<1x10x1x1x16xf32>) {
  scf.forall (%block) = (0) to (10) step (5) {
    %blocks = memref.subview %x[0, %block, 0, 0, 0] [1, 5, 7, 7, 16] [1, 1, 1, 1, 1] : memref<1x10x7x7x16xf32> to memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>
    %part = memref.subview %out[0, %block, 0, 0, 0] [1, 5, 1, 1, 16] [1, 1, 1, 1, 1] : memref<1x10x1x1x16xf32> to memref<1x5x1x1x16xf32, strided<[160, 16, 16, 16, 1], offset: ?>>
    VPU.NCE.AveragePool ins(%blocks : memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>) outs(%part : memref<1x5x1x1x16xf32, strided<[160, 16, 16, 16, 1], offset: ?>>) {kernel = array<i64: 7, 7>}
  } {mapping = [#VPU.cluster<SplitOverKernel>]}
  return
}

// The first lines would have left the cache again.

// CHECK-LABEL: func @input_larger_than_the_cache_is_read_as_it_comes
// CHECK-NOT: prefetchInput
func.func @input_larger_than_the_cache_is_read_as_it_comes(%x: memref<1x32x27x27x16xf32>, %w: memref<4x32x1x1x16x16xf32>, %out: memref<1x4x27x27x16xf32>) {
  scf.forall (%block) = (0) to (4) step (2) {
    %weights = memref.subview %w[%block, 0, 0, 0, 0, 0] [2, 32, 1, 1, 16, 16] [1, 1, 1, 1, 1, 1] : memref<4x32x1x1x16x16xf32> to memref<2x32x1x1x16x16xf32, strided<[8192, 256, 256, 256, 16, 1], offset: ?>>
    %part = memref.subview %out[0, %block, 0, 0, 0] [1, 2, 27, 27, 16] [1, 1, 1, 1, 1] : memref<1x4x27x27x16xf32> to memref<1x2x27x27x16xf32, strided<[46656, 11664, 432, 16, 1], offset: ?>>
    VPU.NCE.Convolution ins(%x, %weights : memref<1x32x27x27x16xf32>, memref<2x32x1x1x16x16xf32, strided<[8192, 256, 256, 256, 16, 1], offset: ?>>) outs(%part : memref<1x2x27x27x16xf32, strided<[46656, 11664, 432, 16, 1], offset: ?>>)
  } {mapping = [#VPU.cluster<SplitOverKernel>]}
  return
}
