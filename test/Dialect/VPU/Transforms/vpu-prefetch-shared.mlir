// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=2" --vpu-prefetch-shared | FileCheck %s

// CHECK-LABEL: func @input_of_all_blocks_is_asked_for
// CHECK-SAME: (%[[X:.*]]: memref<1x60x7x7x16xf32>
func.func @input_of_all_blocks_is_asked_for(%x: memref<1x60x7x7x16xf32>, %w: memref<10x60x1x1x16x16xf32>, %out: memref<1x10x7x7x16xf32>) {
  // CHECK: scf.forall
  // CHECK-COUNT-5: scf.for
  // CHECK: memref.prefetch %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], read, locality<2>, data : memref<1x60x7x7x16xf32>
  // CHECK: memref.subview
  // CHECK: VPU.NCE.Convolution ins(%[[X]],
  // CHECK-NOT: VPU.strategy
  scf.forall (%block) = (0) to (10) step (5) {
    %weights = memref.subview %w[%block, 0, 0, 0, 0, 0] [5, 60, 1, 1, 16, 16] [1, 1, 1, 1, 1, 1] : memref<10x60x1x1x16x16xf32> to memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>
    %part = memref.subview %out[0, %block, 0, 0, 0] [1, 5, 7, 7, 16] [1, 1, 1, 1, 1] : memref<1x10x7x7x16xf32> to memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>
    VPU.NCE.Convolution ins(%x, %weights : memref<1x60x7x7x16xf32>, memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>) outs(%part : memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>) {VPU.strategy = #VPU.strategy<prefetchInput = true>}
  } {mapping = [#VPU.cluster<SplitOverKernel>]}
  return
}

// CHECK-LABEL: func @input_without_a_strategy_is_read_as_it_comes
// CHECK-NOT: memref.prefetch
func.func @input_without_a_strategy_is_read_as_it_comes(%x: memref<1x60x7x7x16xf32>, %w: memref<10x60x1x1x16x16xf32>, %out: memref<1x10x7x7x16xf32>) {
  scf.forall (%block) = (0) to (10) step (5) {
    %weights = memref.subview %w[%block, 0, 0, 0, 0, 0] [5, 60, 1, 1, 16, 16] [1, 1, 1, 1, 1, 1] : memref<10x60x1x1x16x16xf32> to memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>
    %part = memref.subview %out[0, %block, 0, 0, 0] [1, 5, 7, 7, 16] [1, 1, 1, 1, 1] : memref<1x10x7x7x16xf32> to memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>
    VPU.NCE.Convolution ins(%x, %weights : memref<1x60x7x7x16xf32>, memref<5x60x1x1x16x16xf32, strided<[15360, 256, 256, 256, 16, 1], offset: ?>>) outs(%part : memref<1x5x7x7x16xf32, strided<[7840, 784, 112, 16, 1], offset: ?>>)
  } {mapping = [#VPU.cluster<SplitOverKernel>]}
  return
}
