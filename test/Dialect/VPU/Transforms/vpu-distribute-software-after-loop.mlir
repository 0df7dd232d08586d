// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-distribute-software | FileCheck %s

// The threads that computed what the first reads are awake.
// CHECK-LABEL: @small_copy_that_reads_what_cores_share_is_split
func.func @small_copy_that_reads_what_cores_share_is_split(%x: tensor<1x8x14x14x16xf32>, %y: tensor<1x8x14x14x16xf32>, %e: tensor<1x8x14x14x16xf32>) -> (tensor<1x128x14x14xf32>, tensor<1x128x14x14xf32>) {
  %0 = scf.forall (%row) = (0) to (14) step (7) shared_outs(%out = %e) -> tensor<1x8x14x14x16xf32> {
    %in = tensor.extract_slice %x[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x14x14x16xf32> to tensor<1x8x7x14x16xf32>
    %part = tensor.extract_slice %out[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x14x14x16xf32> to tensor<1x8x7x14x16xf32>
    %sum = VPU.NCE.Eltwise ins(%in, %in : tensor<1x8x7x14x16xf32>, tensor<1x8x7x14x16xf32>) outs(%part : tensor<1x8x7x14x16xf32>) {kind = #VPU.eltwise<ADD>} -> tensor<1x8x7x14x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0, 0, %row, 0, 0] [1, 8, 7, 14, 16] [1, 1, 1, 1, 1] : tensor<1x8x7x14x16xf32> into tensor<1x8x14x14x16xf32>
    }
  } {mapping = [#VPU.cluster<SplitOverHeight>]}
  %init = tensor.empty() : tensor<1x128x14x14xf32>
  // CHECK: VPU.NCE.Eltwise
  // CHECK: scf.forall (%{{.*}}) = (0) to (14) step (7)
  // CHECK: VPU.Copy ins(%{{.*}} : tensor<1x8x7x14x16xf32>)
  // CHECK: scf.forall.in_parallel
  // CHECK-NOT: scf.forall
  // CHECK: VPU.Copy ins(%{{.*}} : tensor<1x8x14x14x16xf32>)
  %1 = VPU.Copy ins(%0 : tensor<1x8x14x14x16xf32>) outs(%init : tensor<1x128x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x14x14xf32>
  %2 = VPU.Copy ins(%y : tensor<1x8x14x14x16xf32>) outs(%init : tensor<1x128x14x14xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHW>} -> tensor<1x128x14x14xf32>
  return %1, %2 : tensor<1x128x14x14xf32>, tensor<1x128x14x14xf32>
}
