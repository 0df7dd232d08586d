// RUN: nacre-opt %s --vpu-place-borders --split-input-file --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func @border_of_rows_that_cores_share_is_filled_by_each
// CHECK-NOT: VPU.FillBorder
// CHECK: scf.forall (%[[ROW:.*]]) = (0) to (14) step (7)
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[ROW]])
// CHECK: %[[SIDES:.*]] = memref.subview %[[FRAME:.*]][0, 0, %[[AT]], 0, 0] [1, 4, 7, 17, 16]
// CHECK: VPU.FillBorder outs(%[[SIDES]] : {{.*}}) {padValue = 1.000000e+00 : f32, pads = array<i64: 0, 1, 0, 2>}
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[ROW]], %c0
// CHECK: scf.if %[[IS_FIRST]]
// CHECK: %[[ABOVE:.*]] = memref.subview %[[FRAME]][0, 0, 0, 0, 0] [1, 4, 1, 17, 16]
// CHECK: VPU.FillBorder outs(%[[ABOVE]] : {{.*}}) {padValue = 1.000000e+00 : f32, pads = array<i64: 1, 0, 0, 0>}
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[ROW]], %c7
// CHECK: scf.if %[[IS_LAST]]
// CHECK: %[[BELOW:.*]] = memref.subview %[[FRAME]][0, 0, 15, 0, 0] [1, 4, 2, 17, 16]
// CHECK: VPU.FillBorder outs(%[[BELOW]] : {{.*}}) {padValue = 1.000000e+00 : f32, pads = array<i64: 2, 0, 0, 0>}
// CHECK: VPU.NCE.Eltwise
func.func @border_of_rows_that_cores_share_is_filled_by_each(%x: memref<1x4x14x14x16xf32>) -> memref<1x4x17x17x16xf32> {
  %frame = memref.alloc() : memref<1x4x17x17x16xf32>
  VPU.FillBorder outs(%frame : memref<1x4x17x17x16xf32>) {pads = array<i64: 1, 1, 2, 2>, padValue = 1.0 : f32}
  %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 4, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x17x17x16xf32> to memref<1x4x14x14x16xf32, strided<[18496, 4624, 272, 16, 1], offset: 288>>
  scf.forall (%row) = (0) to (14) step (7) {
    %in = memref.subview %x[0, 0, %row, 0, 0] [1, 4, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32> to memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>
    %out = memref.subview %image[0, 0, %row, 0, 0] [1, 4, 7, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32, strided<[18496, 4624, 272, 16, 1], offset: 288>> to memref<1x4x7x14x16xf32, strided<[18496, 4624, 272, 16, 1], offset: ?>>
    VPU.NCE.Eltwise ins(%in, %in : memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>, memref<1x4x7x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>) outs(%out : memref<1x4x7x14x16xf32, strided<[18496, 4624, 272, 16, 1], offset: ?>>) {kind = #VPU.eltwise<ADD>}
  }
  return %frame : memref<1x4x17x17x16xf32>
}

// -----

// CHECK-LABEL: func @border_of_blocks_that_cores_share_is_filled_by_each
// CHECK-NOT: VPU.FillBorder
// CHECK: scf.forall (%[[BLOCK:.*]]) = (0) to (4) step (2)
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[0, %[[BLOCK]], 0, 0, 0] [1, 2, 16, 16, 16]
// CHECK: VPU.FillBorder outs(%[[PART]] : {{.*}}) {pads = array<i64: 1, 1, 1, 1>}
// CHECK-NOT: VPU.FillBorder
// CHECK: VPU.NCE.MaxPool
func.func @border_of_blocks_that_cores_share_is_filled_by_each(%x: memref<1x4x14x14x16xf32>) -> memref<1x4x16x16x16xf32> {
  %frame = memref.alloc() : memref<1x4x16x16x16xf32>
  VPU.FillBorder outs(%frame : memref<1x4x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
  %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 4, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x16x16x16xf32> to memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>>
  scf.forall (%block) = (0) to (4) step (2) {
    %in = memref.subview %x[0, %block, 0, 0, 0] [1, 2, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32> to memref<1x2x14x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>
    %out = memref.subview %image[0, %block, 0, 0, 0] [1, 2, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>> to memref<1x2x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>
    VPU.NCE.MaxPool ins(%in : memref<1x2x14x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>) outs(%out : memref<1x2x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>) {kernel = array<i64: 1, 1>}
  }
  return %frame : memref<1x4x16x16x16xf32>
}

// -----

// It is read before the loop.

// CHECK-LABEL: func @border_that_is_read_first_is_filled_first
// CHECK: VPU.FillBorder
// CHECK: test.read
// CHECK: scf.forall
// CHECK-NOT: VPU.FillBorder
func.func @border_that_is_read_first_is_filled_first(%x: memref<1x4x14x14x16xf32>) -> memref<1x4x16x16x16xf32> {
  %frame = memref.alloc() : memref<1x4x16x16x16xf32>
  VPU.FillBorder outs(%frame : memref<1x4x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
  "test.read"(%frame) : (memref<1x4x16x16x16xf32>) -> ()
  %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 4, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x16x16x16xf32> to memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>>
  scf.forall (%block) = (0) to (4) step (2) {
    %in = memref.subview %x[0, %block, 0, 0, 0] [1, 2, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32> to memref<1x2x14x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>
    %out = memref.subview %image[0, %block, 0, 0, 0] [1, 2, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>> to memref<1x2x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>
    VPU.NCE.MaxPool ins(%in : memref<1x2x14x14x16xf32, strided<[12544, 3136, 224, 16, 1], offset: ?>>) outs(%out : memref<1x2x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>) {kernel = array<i64: 1, 1>}
  }
  return %frame : memref<1x4x16x16x16xf32>
}

// -----

// Of 14 columns, each core computes 7.

// CHECK-LABEL: func @border_of_columns_that_cores_share_is_filled_first
// CHECK: VPU.FillBorder
// CHECK: scf.forall
// CHECK-NOT: VPU.FillBorder
func.func @border_of_columns_that_cores_share_is_filled_first() -> memref<1x4x16x16x16xf32> {
  %frame = memref.alloc() : memref<1x4x16x16x16xf32>
  VPU.FillBorder outs(%frame : memref<1x4x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
  %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 4, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x16x16x16xf32> to memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>>
  scf.forall (%column) = (0) to (14) step (7) {
    %out = memref.subview %image[0, 0, 0, %column, 0] [1, 4, 14, 7, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>> to memref<1x4x14x7x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>
    "test.write"(%out) : (memref<1x4x14x7x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>) -> ()
  }
  return %frame : memref<1x4x16x16x16xf32>
}

// -----

// Of 14 rows, the loop computes 12.

// CHECK-LABEL: func @border_of_an_image_that_the_loop_does_not_fill_is_filled_first
// CHECK: VPU.FillBorder
// CHECK: scf.forall
// CHECK-NOT: VPU.FillBorder
func.func @border_of_an_image_that_the_loop_does_not_fill_is_filled_first() -> memref<1x4x16x16x16xf32> {
  %frame = memref.alloc() : memref<1x4x16x16x16xf32>
  VPU.FillBorder outs(%frame : memref<1x4x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
  %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 4, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x16x16x16xf32> to memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>>
  scf.forall (%row) = (0) to (12) step (6) {
    %out = memref.subview %image[0, 0, %row, 0, 0] [1, 4, 6, 14, 16] [1, 1, 1, 1, 1] : memref<1x4x14x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: 272>> to memref<1x4x6x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>
    "test.write"(%out) : (memref<1x4x6x14x16xf32, strided<[16384, 4096, 256, 16, 1], offset: ?>>) -> ()
  }
  return %frame : memref<1x4x16x16x16xf32>
}

// -----

// CHECK-LABEL: func @border_that_a_loop_only_reads_is_filled_before_it
// CHECK: scf.for
// CHECK: VPU.FillBorder
// CHECK: scf.for
// CHECK-NOT: VPU.FillBorder
func.func @border_that_a_loop_only_reads_is_filled_before_it(%x: memref<1x2x14x14x16xf32>, %w: memref<4x2x3x3x16x16xf32>, %out: memref<1x4x14x14x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %frame = memref.alloc() : memref<1x2x16x16x16xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      VPU.FillBorder outs(%frame : memref<1x2x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
      %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 2, 14, 14, 16] [1, 1, 1, 1, 1] : memref<1x2x16x16x16xf32> to memref<1x2x14x14x16xf32, strided<[8192, 4096, 256, 16, 1], offset: 272>>
      VPU.NCE.MaxPool ins(%x : memref<1x2x14x14x16xf32>) outs(%image : memref<1x2x14x14x16xf32, strided<[8192, 4096, 256, 16, 1], offset: 272>>) {kernel = array<i64: 1, 1>}
      VPU.NCE.Convolution ins(%frame, %w : memref<1x2x16x16x16xf32>, memref<4x2x3x3x16x16xf32>) outs(%out : memref<1x4x14x14x16xf32>)
    }
  }
  return
}

// -----

// CHECK-LABEL: func @border_that_a_loop_overwrites_is_filled_each_time
// CHECK: scf.for
// CHECK: VPU.FillBorder
// CHECK: VPU.NCE.MaxPool
func.func @border_that_a_loop_overwrites_is_filled_each_time(%x: memref<1x2x15x14x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %frame = memref.alloc() : memref<1x2x16x16x16xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    VPU.FillBorder outs(%frame : memref<1x2x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
    %image = memref.subview %frame[0, 0, 1, 1, 0] [1, 2, 15, 14, 16] [1, 1, 1, 1, 1] : memref<1x2x16x16x16xf32> to memref<1x2x15x14x16xf32, strided<[8192, 4096, 256, 16, 1], offset: 272>>
    VPU.NCE.MaxPool ins(%x : memref<1x2x15x14x16xf32>) outs(%image : memref<1x2x15x14x16xf32, strided<[8192, 4096, 256, 16, 1], offset: 272>>) {kernel = array<i64: 1, 1>}
  }
  return
}

// -----

// What is done with it behind the loop is not known.

// CHECK-LABEL: func @border_of_a_buffer_that_a_loop_passes_on_is_filled_each_time
// CHECK: scf.for
// CHECK: VPU.FillBorder
// CHECK: scf.yield
func.func @border_of_a_buffer_that_a_loop_passes_on_is_filled_each_time() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %frame = memref.alloc() : memref<1x2x16x16x16xf32>
  %other = memref.alloc() : memref<1x2x16x16x16xf32>
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%before = %other) -> memref<1x2x16x16x16xf32> {
    VPU.FillBorder outs(%frame : memref<1x2x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>}
    "test.write"(%before) : (memref<1x2x16x16x16xf32>) -> ()
    scf.yield %frame : memref<1x2x16x16x16xf32>
  }
  "test.read"(%last) : (memref<1x2x16x16x16xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @border_of_a_tensor_stays
// CHECK: scf.for
// CHECK: VPU.FillBorder
func.func @border_of_a_tensor_stays(%x: tensor<1x2x16x16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %frame = VPU.FillBorder outs(%x : tensor<1x2x16x16x16xf32>) {pads = array<i64: 1, 1, 1, 1>} -> tensor<1x2x16x16x16xf32>
    "test.read"(%frame) : (tensor<1x2x16x16x16xf32>) -> ()
  }
  return
}
