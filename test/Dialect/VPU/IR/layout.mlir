// RUN: nacre-opt %s --split-input-file | nacre-opt --split-input-file | FileCheck %s
// RUN: nacre-opt %s --split-input-file --mlir-print-op-generic | nacre-opt --split-input-file | FileCheck %s
// RUN: nacre-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @images_rows_and_volumes
func.func @images_rows_and_volumes(%x: tensor<?x60x?x8xf32>, %r: tensor<?x60x?xf64>, %v: tensor<2x60x3x8x8xi32>) -> (tensor<?x4x?x8x16xf32>, tensor<?x8x1x?x8xf64>, tensor<6x1x8x8x60xi32>) {
  // CHECK: VPU.ToBlocked %{{.*}} : tensor<?x60x?x8xf32> -> tensor<?x4x?x8x16xf32>
  %0 = VPU.ToBlocked %x : tensor<?x60x?x8xf32> -> tensor<?x4x?x8x16xf32>
  // CHECK: VPU.ToBlocked %{{.*}} : tensor<?x60x?xf64> -> tensor<?x8x1x?x8xf64>
  %1 = VPU.ToBlocked %r : tensor<?x60x?xf64> -> tensor<?x8x1x?x8xf64>
  // CHECK: VPU.ToBlocked %{{.*}} : tensor<2x60x3x8x8xi32> -> tensor<6x1x8x8x60xi32>
  %2 = VPU.ToBlocked %v : tensor<2x60x3x8x8xi32> -> tensor<6x1x8x8x60xi32>
  return %0, %1, %2 : tensor<?x4x?x8x16xf32>, tensor<?x8x1x?x8xf64>, tensor<6x1x8x8x60xi32>
}

// -----

// CHECK-LABEL: @groups_and_bytes
func.func @groups_and_bytes(%g: tensor<1x4x8x8x16xf32>, %b: tensor<1x2x8x8x16xi8>) -> (tensor<1x40x8x8xf32>, tensor<1x20x8x8xui8>) {
  // CHECK: VPU.FromBlocked %{{.*}} {groups = 2 : i64} : tensor<1x4x8x8x16xf32> -> tensor<1x40x8x8xf32>
  %0 = VPU.FromBlocked %g {groups = 2 : i64} : tensor<1x4x8x8x16xf32> -> tensor<1x40x8x8xf32>
  // CHECK: VPU.FromBlocked %{{.*}} : tensor<1x2x8x8x16xi8> -> tensor<1x20x8x8xui8>
  %1 = VPU.FromBlocked %b : tensor<1x2x8x8x16xi8> -> tensor<1x20x8x8xui8>
  return %0, %1 : tensor<1x40x8x8xf32>, tensor<1x20x8x8xui8>
}

// -----

// A change that is undone at once is none.
// FOLD-LABEL: @there_and_back
// FOLD-SAME: (%[[X:.*]]: tensor<1x20x8x8xui8>, %[[B:.*]]: tensor<?x2x?x8x16xf32>)
// FOLD-NEXT: return %[[X]], %[[B]]
func.func @there_and_back(%x: tensor<1x20x8x8xui8>, %b: tensor<?x2x?x8x16xf32>) -> (tensor<1x20x8x8xui8>, tensor<?x2x?x8x16xf32>) {
  %0 = VPU.ToBlocked %x : tensor<1x20x8x8xui8> -> tensor<1x2x8x8x16xi8>
  %1 = VPU.FromBlocked %0 : tensor<1x2x8x8x16xi8> -> tensor<1x20x8x8xui8>
  %2 = VPU.FromBlocked %b : tensor<?x2x?x8x16xf32> -> tensor<?x20x?x8xf32>
  %3 = VPU.ToBlocked %2 : tensor<?x20x?x8xf32> -> tensor<?x2x?x8x16xf32>
  return %1, %3 : tensor<1x20x8x8xui8>, tensor<?x2x?x8x16xf32>
}

// -----

// Blocks of another size, or of other groups, are another layout.
// FOLD-LABEL: @other_layouts_stay
// FOLD: VPU.FromBlocked
// FOLD: VPU.ToBlocked {{.*}} -> tensor<1x4x8x8x8xf32>
// FOLD: VPU.ToBlocked {{.*}} {groups = 2 : i64}
func.func @other_layouts_stay(%b: tensor<1x2x8x8x16xf32>) -> (tensor<1x4x8x8x8xf32>, tensor<1x2x8x8x16xf32>) {
  %0 = VPU.FromBlocked %b : tensor<1x2x8x8x16xf32> -> tensor<1x32x8x8xf32>
  %1 = VPU.ToBlocked %0 : tensor<1x32x8x8xf32> -> tensor<1x4x8x8x8xf32>
  %2 = VPU.ToBlocked %0 {groups = 2 : i64} : tensor<1x32x8x8xf32> -> tensor<1x2x8x8x16xf32>
  return %1, %2 : tensor<1x4x8x8x8xf32>, tensor<1x2x8x8x16xf32>
}

// -----

// One image is two values: bytes with a sign and without.
// FOLD-LABEL: @other_bytes_stay
// FOLD: VPU.ToBlocked
// FOLD: VPU.FromBlocked
func.func @other_bytes_stay(%x: tensor<1x20x8x8xi8>) -> tensor<1x20x8x8xui8> {
  %0 = VPU.ToBlocked %x : tensor<1x20x8x8xi8> -> tensor<1x2x8x8x16xi8>
  %1 = VPU.FromBlocked %0 : tensor<1x2x8x8x16xi8> -> tensor<1x20x8x8xui8>
  return %1 : tensor<1x20x8x8xui8>
}

// -----

// CHECK-LABEL: @matrices
func.func @matrices(%x: tensor<2x8x64xui8>, %d: tensor<?x?x64xf32>, %m: tensor<3x4x64xf64>, %n: tensor<1x?x20xi32>, %s: index) -> (tensor<1x16x64xi8>, tensor<1x?x64xf32>, tensor<12x64xf64>, tensor<?x4x?x20xi32>) {
  // CHECK: VPU.ToMatrices %{{.*}} : tensor<2x8x64xui8> -> tensor<1x16x64xi8>
  %0 = VPU.ToMatrices %x : tensor<2x8x64xui8> -> tensor<1x16x64xi8>
  // CHECK: VPU.ToMatrices %{{.*}} : tensor<?x?x64xf32> -> tensor<1x?x64xf32>
  %1 = VPU.ToMatrices %d : tensor<?x?x64xf32> -> tensor<1x?x64xf32>
  // CHECK: VPU.FromMatrices %{{.*}} : tensor<3x4x64xf64> -> tensor<12x64xf64>
  %2 = VPU.FromMatrices %m : tensor<3x4x64xf64> -> tensor<12x64xf64>
  // CHECK: VPU.FromMatrices %{{.*}} sizes(%[[S:.*]], %[[S]]) : tensor<1x?x20xi32> -> tensor<?x4x?x20xi32>
  %3 = VPU.FromMatrices %n sizes(%s, %s) : tensor<1x?x20xi32> -> tensor<?x4x?x20xi32>
  return %0, %1, %2, %3 : tensor<1x16x64xi8>, tensor<1x?x64xf32>, tensor<12x64xf64>, tensor<?x4x?x20xi32>
}

// -----

// FOLD-LABEL: @matrices_there_and_back
// FOLD-SAME: (%[[X:.*]]: tensor<2x8x64xui8>, %[[M:.*]]: tensor<1x?x20xf32>, %{{.*}}: index)
// FOLD-NEXT: return %[[X]], %[[M]]
func.func @matrices_there_and_back(%x: tensor<2x8x64xui8>, %m: tensor<1x?x20xf32>, %s: index) -> (tensor<2x8x64xui8>, tensor<1x?x20xf32>) {
  %0 = VPU.ToMatrices %x : tensor<2x8x64xui8> -> tensor<1x16x64xi8>
  %1 = VPU.FromMatrices %0 : tensor<1x16x64xi8> -> tensor<2x8x64xui8>
  %2 = VPU.FromMatrices %m sizes(%s) : tensor<1x?x20xf32> -> tensor<?x4x20xf32>
  %3 = VPU.ToMatrices %2 : tensor<?x4x20xf32> -> tensor<1x?x20xf32>
  return %1, %3 : tensor<2x8x64xui8>, tensor<1x?x20xf32>
}

// -----

// Other matrices, another shape, and what may be of other sizes in a run.
// FOLD-LABEL: @other_matrices_stay
// FOLD: VPU.FromMatrices
// FOLD: VPU.ToMatrices
// FOLD: VPU.ToMatrices
// FOLD: VPU.FromMatrices
func.func @other_matrices_stay(%m: tensor<1x16x64xf32>, %x: tensor<?x?x64xf32>, %s: index) -> (tensor<2x8x64xf32>, tensor<?x?x64xf32>) {
  %0 = VPU.FromMatrices %m : tensor<1x16x64xf32> -> tensor<2x8x64xf32>
  %1 = VPU.ToMatrices %0 : tensor<2x8x64xf32> -> tensor<2x8x64xf32>
  %2 = VPU.ToMatrices %x : tensor<?x?x64xf32> -> tensor<1x?x64xf32>
  %3 = VPU.FromMatrices %2 sizes(%s, %s) : tensor<1x?x64xf32> -> tensor<?x?x64xf32>
  return %1, %3 : tensor<2x8x64xf32>, tensor<?x?x64xf32>
}
