// Panels that a run makes: made for some columns at a time, right before these
// are multiplied.
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=2" --vpu-choose-strategies --split-input-file | FileCheck %s --check-prefix=TWO

// 64 columns of 3 KB are the fewest.
// CHECK-LABEL: @rows_of_unknown_number
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<tiles = [1, 1, 12]>
// Each cluster has some of the columns, and tiles of these.
// TWO-LABEL: @rows_of_unknown_number
// TWO: VPU.NCE.MatMul {{.*}}parts = [1, 1, 2], tiles = [1, 1, 6]
func.func @rows_of_unknown_number(%x: tensor<1x?x768xf32>, %w: tensor<1x768x768xf32>, %rows: index) -> tensor<1x?x768xf32> {
  %p = tensor.empty() : tensor<1x48x768x16xf32>
  %panels = VPU.Copy ins(%w : tensor<1x768x768xf32>) outs(%p : tensor<1x48x768x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x48x768x16xf32>
  %e = tensor.empty(%rows) : tensor<1x?x768xf32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x?x768xf32>, tensor<1x48x768x16xf32>) outs(%e : tensor<1x?x768xf32>) -> tensor<1x?x768xf32>
  return %0 : tensor<1x?x768xf32>
}

// -----

// Of a batch, one matrix after the other.
// CHECK-LABEL: @batch_of_matrices
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<tiles = [8, 1, 2]>
func.func @batch_of_matrices(%x: tensor<8x64x256xf32>, %w: tensor<8x256x256xf32>) -> tensor<8x64x256xf32> {
  %p = tensor.empty() : tensor<8x16x256x16xf32>
  %panels = VPU.Copy ins(%w : tensor<8x256x256xf32>) outs(%p : tensor<8x16x256x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<8x16x256x16xf32>
  %e = tensor.empty() : tensor<8x64x256xf32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<8x64x256xf32>, tensor<8x16x256x16xf32>) outs(%e : tensor<8x64x256xf32>) -> tensor<8x64x256xf32>
  return %0 : tensor<8x64x256xf32>
}

// -----

// What fits the cache is made at once.
// CHECK-LABEL: @small_matrix
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<>
func.func @small_matrix(%x: tensor<1x?x128xf32>, %w: tensor<1x128x128xf32>, %rows: index) -> tensor<1x?x128xf32> {
  %p = tensor.empty() : tensor<1x8x128x16xf32>
  %panels = VPU.Copy ins(%w : tensor<1x128x128xf32>) outs(%p : tensor<1x8x128x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x8x128x16xf32>
  %e = tensor.empty(%rows) : tensor<1x?x128xf32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x?x128xf32>, tensor<1x8x128x16xf32>) outs(%e : tensor<1x?x128xf32>) -> tensor<1x?x128xf32>
  return %0 : tensor<1x?x128xf32>
}

// -----

// Panels that another product reads, too, are made once.
// CHECK-LABEL: @panels_of_two_products
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<>
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<>
func.func @panels_of_two_products(%x: tensor<1x?x768xf32>, %w: tensor<1x768x768xf32>, %rows: index) -> (tensor<1x?x768xf32>, tensor<1x?x768xf32>) {
  %p = tensor.empty() : tensor<1x48x768x16xf32>
  %panels = VPU.Copy ins(%w : tensor<1x768x768xf32>) outs(%p : tensor<1x48x768x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x48x768x16xf32>
  %e = tensor.empty(%rows) : tensor<1x?x768xf32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x?x768xf32>, tensor<1x48x768x16xf32>) outs(%e : tensor<1x?x768xf32>) -> tensor<1x?x768xf32>
  %1 = VPU.NCE.MatMul ins(%0, %panels : tensor<1x?x768xf32>, tensor<1x48x768x16xf32>) outs(%e : tensor<1x?x768xf32>) -> tensor<1x?x768xf32>
  return %0, %1 : tensor<1x?x768xf32>, tensor<1x?x768xf32>
}

// -----

// A loop would make them again in each iteration.
// CHECK-LABEL: @panels_in_front_of_a_loop
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<>
func.func @panels_in_front_of_a_loop(%x: tensor<1x4x768xf32>, %w: tensor<1x768x768xf32>, %n: index) -> tensor<1x4x768xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tensor.empty() : tensor<1x48x768x16xf32>
  %panels = VPU.Copy ins(%w : tensor<1x768x768xf32>) outs(%p : tensor<1x48x768x16xf32>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x48x768x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<1x4x768xf32> {
    %e = tensor.empty() : tensor<1x4x768xf32>
    %t = VPU.NCE.MatMul ins(%s, %panels : tensor<1x4x768xf32>, tensor<1x48x768x16xf32>) outs(%e : tensor<1x4x768xf32>) -> tensor<1x4x768xf32>
    scf.yield %t : tensor<1x4x768xf32>
  }
  return %r : tensor<1x4x768xf32>
}

// -----

// Where each cluster has some of the rows, all panels are made first.
// CHECK-LABEL: @rows_of_each_cluster
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<tiles = [1, 1, 2]>
// TWO-LABEL: @rows_of_each_cluster
// TWO: VPU.NCE.MatMul {{.*}}parts = [1, ?, 1], grain = {{[0-9]+}}>
func.func @rows_of_each_cluster(%x: tensor<1x?x512xi8>, %w: tensor<1x512x512xi8>, %rows: index) -> tensor<1x?x512xi32> {
  %p = tensor.empty() : tensor<1x32x128x16x4xi8>
  %panels = VPU.Copy ins(%w : tensor<1x512x512xi8>) outs(%p : tensor<1x32x128x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x32x128x16x4xi8>
  %e = tensor.empty(%rows) : tensor<1x?x512xi32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x?x512xi8>, tensor<1x32x128x16x4xi8>) outs(%e : tensor<1x?x512xi32>) -> tensor<1x?x512xi32>
  return %0 : tensor<1x?x512xi32>
}

// -----

// A cluster that works alone does not keep others from copying.
// TWO-LABEL: @few_rows
// TWO: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<>
func.func @few_rows(%x: tensor<1x1x512xi8>, %w: tensor<1x512x512xi8>) -> tensor<1x1x512xi32> {
  %p = tensor.empty() : tensor<1x32x128x16x4xi8>
  %panels = VPU.Copy ins(%w : tensor<1x512x512xi8>) outs(%p : tensor<1x32x128x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x32x128x16x4xi8>
  %e = tensor.empty() : tensor<1x1x512xi32>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x1x512xi8>, tensor<1x32x128x16x4xi8>) outs(%e : tensor<1x1x512xi32>) -> tensor<1x1x512xi32>
  return %0 : tensor<1x1x512xi32>
}

// -----

// f64 has half as many lanes: 32 columns are the fewest.
// CHECK-LABEL: @doubles
// CHECK: VPU.NCE.MatMul {{.*}}VPU.strategy = #VPU.strategy<tiles = [1, 1, 8]>
func.func @doubles(%x: tensor<1x64x1024xf64>, %w: tensor<1x1024x256xf64>) -> tensor<1x64x256xf64> {
  %p = tensor.empty() : tensor<1x32x1024x8xf64>
  %panels = VPU.Copy ins(%w : tensor<1x1024x256xf64>) outs(%p : tensor<1x32x1024x8xf64>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>} -> tensor<1x32x1024x8xf64>
  %e = tensor.empty() : tensor<1x64x256xf64>
  %0 = VPU.NCE.MatMul ins(%x, %panels : tensor<1x64x1024xf64>, tensor<1x32x1024x8xf64>) outs(%e : tensor<1x64x256xf64>) -> tensor<1x64x256xf64>
  return %0 : tensor<1x64x256xf64>
}
