// RUN: nacre-opt %s --convert-layouts-to-copies --split-input-file | FileCheck %s

// CHECK-LABEL: @blocked_and_back
// CHECK: %[[I:.*]] = tensor.empty() : tensor<1x2x8x8x16xf32>
// CHECK: %[[B:.*]] = VPU.Copy ins(%arg0 : tensor<1x20x8x8xf32>) outs(%[[I]] : {{.*}}) {dstOrder = #VPU.order<NCHWc>, srcOrder = #VPU.order<NCHW>}
// CHECK: %[[R:.*]] = VPU.NCE.Eltwise ins(%[[B]], %[[B]]
// CHECK: %[[O:.*]] = tensor.empty() : tensor<1x20x8x8xf32>
// CHECK: %[[Y:.*]] = VPU.Copy ins(%[[R]] : {{.*}}) outs(%[[O]] : {{.*}}) {dstOrder = #VPU.order<NCHW>, srcOrder = #VPU.order<NCHWc>}
// CHECK: return %[[Y]]
func.func @blocked_and_back(%x: tensor<1x20x8x8xf32>) -> tensor<1x20x8x8xf32> {
  %b = VPU.ToBlocked %x : tensor<1x20x8x8xf32> -> tensor<1x2x8x8x16xf32>
  %e = tensor.empty() : tensor<1x2x8x8x16xf32>
  %r = VPU.NCE.Eltwise ins(%b, %b : tensor<1x2x8x8x16xf32>, tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x2x8x8x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<1x2x8x8x16xf32>
  %y = VPU.FromBlocked %r : tensor<1x2x8x8x16xf32> -> tensor<1x20x8x8xf32>
  return %y : tensor<1x20x8x8xf32>
}

// -----

// Each copy that pads is one from the model's value, whoever else reads that.
// CHECK-LABEL: @padding_pads_on_the_way
// CHECK-NOT: srcOrder = #VPU.order<NCHWc>
// CHECK: VPU.Copy ins(%arg0 : tensor<1x20x8x8xf32>) {{.*}}padValue = 2.000000e+00 : f32, pads = array<i64: 1, 2, 3, 4>, srcOrder = #VPU.order<NCHW>} -> tensor<1x2x12x14x16xf32>
// CHECK: VPU.Copy ins(%arg0 : tensor<1x20x8x8xf32>) {{.*}} -> tensor<1x2x8x10x16xf32>
// CHECK-NOT: VPU.Copy
func.func @padding_pads_on_the_way(%x: tensor<1x20x8x8xf32>) -> (tensor<1x2x12x14x16xf32>, tensor<1x2x8x10x16xf32>) {
  %b = VPU.ToBlocked %x : tensor<1x20x8x8xf32> -> tensor<1x2x8x8x16xf32>
  %e = tensor.empty() : tensor<1x2x12x14x16xf32>
  %p = VPU.Copy ins(%b : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x2x12x14x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 2, 3, 4>, padValue = 2.0 : f32} -> tensor<1x2x12x14x16xf32>
  %f = tensor.empty() : tensor<1x2x8x10x16xf32>
  %q = VPU.Copy ins(%b : tensor<1x2x8x8x16xf32>) outs(%f : tensor<1x2x8x10x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 0, 1, 0, 1>} -> tensor<1x2x8x10x16xf32>
  return %p, %q : tensor<1x2x12x14x16xf32>, tensor<1x2x8x10x16xf32>
}

// -----

// Padding of what the engine computed stays a copy of its own.
// CHECK-LABEL: @padding_of_an_image_stays
// CHECK: VPU.Copy ins(%arg0 : tensor<1x2x8x8x16xf32>) {{.*}}pads = array<i64: 1, 1, 1, 1>, srcOrder = #VPU.order<NCHWc>}
// CHECK-NOT: VPU.Copy
func.func @padding_of_an_image_stays(%b: tensor<1x2x8x8x16xf32>) -> tensor<1x2x10x10x16xf32> {
  %e = tensor.empty() : tensor<1x2x10x10x16xf32>
  %p = VPU.Copy ins(%b : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x2x10x10x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x10x10x16xf32>
  return %p : tensor<1x2x10x10x16xf32>
}

// -----

// Groups are images of their own to a copy, padded ones, too.
// CHECK-LABEL: @groups_are_images
// CHECK: %[[S:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 2, 6, 8, 8]
// CHECK: %[[G:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0, 1], [2], [3], [4]] : tensor<1x2x6x8x8xf32> into tensor<2x6x8x8xf32>
// CHECK: %[[C:.*]] = VPU.Copy ins(%[[G]] : tensor<2x6x8x8xf32>) {{.*}}pads = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<2x1x10x10x16xf32>
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x2x10x10x16xf32>
// CHECK: VPU.Copy ins(%{{.*}} : tensor<2x1x10x10x16xf32>) {{.*}} -> tensor<2x6x10x10xf32>
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x12x10x10xf32>
func.func @groups_are_images(%x: tensor<1x12x8x8xf32>) -> tensor<1x12x10x10xf32> {
  %b = VPU.ToBlocked %x {groups = 2 : i64} : tensor<1x12x8x8xf32> -> tensor<1x2x8x8x16xf32>
  %e = tensor.empty() : tensor<1x2x10x10x16xf32>
  %p = VPU.Copy ins(%b : tensor<1x2x8x8x16xf32>) outs(%e : tensor<1x2x10x10x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x10x10x16xf32>
  %y = VPU.FromBlocked %p {groups = 2 : i64} : tensor<1x2x10x10x16xf32> -> tensor<1x12x10x10xf32>
  return %y : tensor<1x12x10x10xf32>
}

// -----

// CHECK-LABEL: @rows_of_any_length
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG: %[[W:.*]] = tensor.dim %arg0, %c2
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1], [2, 3]] output_shape [%[[N]], 20, 1, %[[W]]] : tensor<?x20x?xf32> into tensor<?x20x1x?xf32>
// CHECK: %[[B:.*]] = VPU.Copy ins(%[[X]] : {{.*}} -> tensor<?x2x1x?x16xf32>
// CHECK: %[[P:.*]] = VPU.Copy ins(%{{.*}} : tensor<?x2x1x?x16xf32>) {{.*}} -> tensor<?x20x1x?xf32>
// CHECK: tensor.collapse_shape %[[P]] {{\[\[}}0], [1], [2, 3]] : tensor<?x20x1x?xf32> into tensor<?x20x?xf32>
func.func @rows_of_any_length(%x: tensor<?x20x?xf32>, %r: tensor<?x2x1x?x16xf32>) -> (tensor<?x2x1x?x16xf32>, tensor<?x20x?xf32>) {
  %b = VPU.ToBlocked %x : tensor<?x20x?xf32> -> tensor<?x2x1x?x16xf32>
  %y = VPU.FromBlocked %r : tensor<?x2x1x?x16xf32> -> tensor<?x20x?xf32>
  return %b, %y : tensor<?x2x1x?x16xf32>, tensor<?x20x?xf32>
}

// -----

// CHECK-LABEL: @volumes_are_batches
// CHECK: %[[T:.*]] = IE.Transpose %arg0 {perm = array<i64: 0, 2, 1, 3, 4>} {{.*}} -> tensor<2x3x20x8x8xf32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1], [2], [3], [4]] : {{.*}} into tensor<6x20x8x8xf32>
// CHECK: VPU.Copy ins(%[[X]]
// CHECK: %[[P:.*]] = VPU.Copy {{.*}} -> tensor<6x20x8x8xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[P]]
// CHECK: IE.Transpose %[[E]] {perm = array<i64: 0, 2, 1, 3, 4>} {{.*}} -> tensor<2x20x3x8x8xf32>
func.func @volumes_are_batches(%x: tensor<2x20x3x8x8xf32>) -> tensor<2x20x3x8x8xf32> {
  %b = VPU.ToBlocked %x : tensor<2x20x3x8x8xf32> -> tensor<6x2x8x8x16xf32>
  %e = tensor.empty() : tensor<6x2x8x8x16xf32>
  %r = VPU.NCE.Eltwise ins(%b, %b : tensor<6x2x8x8x16xf32>, tensor<6x2x8x8x16xf32>) outs(%e : tensor<6x2x8x8x16xf32>) {kind = #VPU.eltwise<MAX>, ppe = #VPU.PPE<mode = RELU>} -> tensor<6x2x8x8x16xf32>
  %y = VPU.FromBlocked %r : tensor<6x2x8x8x16xf32> -> tensor<2x20x3x8x8xf32>
  return %y : tensor<2x20x3x8x8xf32>
}

// -----

// Bytes with a sign are the engine's with another sign bit.
// CHECK-LABEL: @bytes_have_no_sign
// CHECK: %[[U:.*]] = tensor.bitcast %arg0 : tensor<1x20x8x8xui8> to tensor<1x20x8x8xi8>
// CHECK: VPU.Copy ins(%[[U]]
// CHECK: %[[M:.*]] = {{.*}}dense<-128> : tensor<i8>
// CHECK: %[[S:.*]] = IE.BitwiseXor %arg1, %[[M]]
// CHECK: VPU.Copy ins(%[[S]]
// CHECK: %[[P:.*]] = VPU.Copy ins(%arg2 {{.*}} -> tensor<1x20x8x8xi8>
// CHECK: IE.BitwiseXor %[[P]]
func.func @bytes_have_no_sign(%u: tensor<1x20x8x8xui8>, %s: tensor<1x20x8x8xi8>, %b: tensor<1x2x8x8x16xi8>) -> (tensor<1x2x8x8x16xi8>, tensor<1x2x8x8x16xi8>, tensor<1x20x8x8xi8>) {
  %0 = VPU.ToBlocked %u : tensor<1x20x8x8xui8> -> tensor<1x2x8x8x16xi8>
  %1 = VPU.ToBlocked %s : tensor<1x20x8x8xi8> -> tensor<1x2x8x8x16xi8>
  %2 = VPU.FromBlocked %b : tensor<1x2x8x8x16xi8> -> tensor<1x20x8x8xi8>
  return %0, %1, %2 : tensor<1x2x8x8x16xi8>, tensor<1x2x8x8x16xi8>, tensor<1x20x8x8xi8>
}

// -----

// Sums have the sign that they have.
// CHECK-LABEL: @integers_of_32_bits_are_moved
// CHECK: VPU.Copy ins(%arg0 {{.*}} -> tensor<1x20x8x8xi32>
// CHECK-NEXT: return
func.func @integers_of_32_bits_are_moved(%b: tensor<1x2x8x8x16xi32>) -> tensor<1x20x8x8xi32> {
  %0 = VPU.FromBlocked %b : tensor<1x2x8x8x16xi32> -> tensor<1x20x8x8xi32>
  return %0 : tensor<1x20x8x8xi32>
}

// -----

// What nobody reads is not moved.
// CHECK-LABEL: @unused_image
// CHECK-NEXT: return
func.func @unused_image(%x: tensor<1x20x8x8xf32>) {
  %0 = VPU.ToBlocked %x : tensor<1x20x8x8xf32> -> tensor<1x2x8x8x16xf32>
  return
}

// -----

// Matrices are views.
// CHECK-LABEL: @matrices_are_views
// CHECK: %[[U:.*]] = tensor.bitcast %arg0 : tensor<2x8x64xui8> to tensor<2x8x64xi8>
// CHECK: %[[M:.*]] = tensor.expand_shape %{{.*}} into tensor<1x16x64xi8>
// CHECK: tensor.collapse_shape %arg1 {{\[\[}}0, 1], [2]] : tensor<3x4x20xf32> into tensor<12x20xf32>
// CHECK-NOT: VPU.
func.func @matrices_are_views(%x: tensor<2x8x64xui8>, %m: tensor<3x4x20xf32>) -> (tensor<1x16x64xi8>, tensor<12x20xf32>) {
  %0 = VPU.ToMatrices %x : tensor<2x8x64xui8> -> tensor<1x16x64xi8>
  %1 = VPU.FromMatrices %m : tensor<3x4x20xf32> -> tensor<12x20xf32>
  return %0, %1 : tensor<1x16x64xi8>, tensor<12x20xf32>
}

// -----

// CHECK-LABEL: @matrices_of_any_number_of_rows
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<?x4x64xf32> into tensor<?x64xf32>
// CHECK: tensor.expand_shape %[[C]] {{\[\[}}0, 1], [2]] output_shape [1, %{{.*}}, 64] : tensor<?x64xf32> into tensor<1x?x64xf32>
// CHECK: %[[D:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0, 1], [2]] : tensor<1x?x20xf32> into tensor<?x20xf32>
// CHECK: tensor.expand_shape %[[D]] {{\[\[}}0, 1], [2]] output_shape [%arg2, 4, 20] : tensor<?x20xf32> into tensor<?x4x20xf32>
func.func @matrices_of_any_number_of_rows(%x: tensor<?x4x64xf32>, %m: tensor<1x?x20xf32>, %s: index) -> (tensor<1x?x64xf32>, tensor<?x4x20xf32>) {
  %0 = VPU.ToMatrices %x : tensor<?x4x64xf32> -> tensor<1x?x64xf32>
  %1 = VPU.FromMatrices %m sizes(%s) : tensor<1x?x20xf32> -> tensor<?x4x20xf32>
  return %0, %1 : tensor<1x?x64xf32>, tensor<?x4x20xf32>
}

// -----

// Where an image of bytes is what a product reads, its bytes stay as they are.
// CHECK-LABEL: @bytes_between_two_layouts
// CHECK: %[[P:.*]] = VPU.Copy ins(%arg0
// CHECK: %[[M:.*]] = tensor.collapse_shape %[[P]]
// CHECK-NEXT: return %[[M]]
func.func @bytes_between_two_layouts(%b: tensor<1x1x4x8x16xi8>) -> tensor<1x64x8xi8> {
  %0 = VPU.FromBlocked %b : tensor<1x1x4x8x16xi8> -> tensor<1x16x4x8xi8>
  %1 = VPU.ToMatrices %0 : tensor<1x16x4x8xi8> -> tensor<1x64x8xi8>
  return %1 : tensor<1x64x8xi8>
}

// -----

// What is known in front of a cast is known of the copy, and the result stays of
// the type that its readers take.
// CHECK-LABEL: @images_behind_a_cast
// CHECK: %[[B:.*]] = VPU.Copy ins({{.*}} -> tensor<1x2x8x8x16xf32>
// CHECK: %[[BLOCKED:.*]] = tensor.cast %[[B]] : tensor<1x2x8x8x16xf32> to tensor<?x2x8x8x16xf32>
// CHECK: %[[P:.*]] = VPU.Copy ins({{.*}} -> tensor<1x20x8x8xf32>
// CHECK: %[[PLANES:.*]] = tensor.cast %[[P]] : tensor<1x20x8x8xf32> to tensor<?x20x8x8xf32>
// CHECK: return %[[BLOCKED]], %[[PLANES]]
func.func @images_behind_a_cast(%x: tensor<1x20x8x8xf32>, %b: tensor<1x2x8x8x16xf32>) -> (tensor<?x2x8x8x16xf32>, tensor<?x20x8x8xf32>) {
  %any = tensor.cast %x : tensor<1x20x8x8xf32> to tensor<?x20x8x8xf32>
  %0 = VPU.ToBlocked %any : tensor<?x20x8x8xf32> -> tensor<?x2x8x8x16xf32>
  %images = tensor.cast %b : tensor<1x2x8x8x16xf32> to tensor<?x2x8x8x16xf32>
  %1 = VPU.FromBlocked %images : tensor<?x2x8x8x16xf32> -> tensor<?x20x8x8xf32>
  return %0, %1 : tensor<?x2x8x8x16xf32>, tensor<?x20x8x8xf32>
}

// -----

// CHECK-LABEL: @padding_behind_a_cast
// CHECK: %[[P:.*]] = VPU.Copy ins({{.*}}pads = array<i64: 1, 1, 1, 1>{{.*}} -> tensor<1x2x10x10x16xf32>
// CHECK: %[[ANY:.*]] = tensor.cast %[[P]] : tensor<1x2x10x10x16xf32> to tensor<?x2x10x10x16xf32>
// CHECK: return %[[ANY]]
func.func @padding_behind_a_cast(%x: tensor<1x20x8x8xf32>, %e: tensor<?x2x10x10x16xf32>) -> tensor<?x2x10x10x16xf32> {
  %any = tensor.cast %x : tensor<1x20x8x8xf32> to tensor<?x20x8x8xf32>
  %b = VPU.ToBlocked %any : tensor<?x20x8x8xf32> -> tensor<?x2x8x8x16xf32>
  %p = VPU.Copy ins(%b : tensor<?x2x8x8x16xf32>) outs(%e : tensor<?x2x10x10x16xf32>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>} -> tensor<?x2x10x10x16xf32>
  return %p : tensor<?x2x10x10x16xf32>
}

// -----

// Sizes that are constants, or can be traced to them, do not make a type static.
// CHECK-LABEL: @matrices_of_constant_sizes
// CHECK: %[[ROWS:.*]] = arith.constant 40 : index
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [1, %[[ROWS]], 64] : tensor<?x64xf32> into tensor<1x?x64xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%c5{{.*}}, 8, 64] : tensor<?x64xf32> into tensor<?x8x64xf32>
func.func @matrices_of_constant_sizes(%x: tensor<5x8x64xf32>, %m: tensor<1x?x64xf32>) -> (tensor<1x?x64xf32>, tensor<?x8x64xf32>) {
  %c5 = arith.constant 5 : index
  %any = tensor.cast %x : tensor<5x8x64xf32> to tensor<?x8x64xf32>
  %0 = VPU.ToMatrices %any : tensor<?x8x64xf32> -> tensor<1x?x64xf32>
  %1 = VPU.FromMatrices %m sizes(%c5) : tensor<1x?x64xf32> -> tensor<?x8x64xf32>
  return %0, %1 : tensor<1x?x64xf32>, tensor<?x8x64xf32>
}
