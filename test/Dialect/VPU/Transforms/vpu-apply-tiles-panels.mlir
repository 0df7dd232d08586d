// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-apply-tiles --split-input-file | FileCheck %s

// Panels are made for the columns of a tile, in front of each product.
// CHECK-LABEL: @panels_of_a_tile
// CHECK: scf.for
// CHECK: %[[COLUMNS:.*]] = tensor.extract_slice %{{.*}} [1, 64, 32] [1, 1, 1] : tensor<1x64x128xi8> to tensor<1x64x32xi8>
// CHECK: %[[PANELS:.*]] = VPU.Copy ins(%[[COLUMNS]] : tensor<1x64x32xi8>) outs(%{{.*}} : tensor<1x2x16x16x4xi8>) {{.*}}flipsSign
// CHECK: VPU.NCE.MatMul ins(%{{.*}}, %[[PANELS]]
func.func @panels_of_a_tile(%x: tensor<1x?x64xi8>, %w: tensor<1x64x128xi8>, %rows: index) -> tensor<1x?x128xi32> {
  %p = tensor.empty() : tensor<1x8x16x16x4xi8>
  %panels = VPU.Copy ins(%w : tensor<1x64x128xi8>) outs(%p : tensor<1x8x16x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>, flipsSign} -> tensor<1x8x16x16x4xi8>
  %e = tensor.empty(%rows) : tensor<1x?x128xi32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x?x64xi8>, tensor<1x8x16x16x4xi8>) outs(%e : tensor<1x?x128xi32>) {VPU.strategy = #VPU.strategy<tiles = [1, 1, 4]>} -> tensor<1x?x128xi32>
  return %0 : tensor<1x?x128xi32>
}
