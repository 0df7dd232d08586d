// RUN: nacre-opt %s -convert-vpu-to-vector -split-input-file | FileCheck %s

// Two vectors of the source have the lanes of the first of the destination; the
// second has one of them, and zeros. Other images are shuffled alike.
// CHECK-LABEL: func @shuffled_channels_are_put_together_from_vectors
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = vector.load %arg0
// CHECK: %[[PART:.*]] = vector.shuffle %{{.*}}, %[[FIRST]] [4, 1, 5, 3]
// CHECK: %[[SECOND:.*]] = vector.load %arg0
// CHECK: %[[BOTH:.*]] = vector.shuffle %[[PART]], %[[SECOND]] [0, 4, 2, 5]
// CHECK: vector.store %[[BOTH]], %arg1
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [7, 1, 2, 3]
// CHECK-NOT: VPU.
func.func @shuffled_channels_are_put_together_from_vectors(%x: memref<3x2x?x?x4xf32>, %y: memref<3x2x?x?x4xf32>) {
  VPU.ShuffleChannels ins(%x : memref<3x2x?x?x4xf32>) outs(%y : memref<3x2x?x?x4xf32>) {channels = array<i64: 0, 4, 1, 5, 7, -1, -1, -1>}
  return
}
