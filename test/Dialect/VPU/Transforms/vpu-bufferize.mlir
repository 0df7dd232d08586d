// RUN: nacre-opt %s --empty-tensor-to-alloc-tensor --vpu-bufferize --split-input-file | FileCheck %s
// RUN: nacre-opt %s --empty-tensor-to-alloc-tensor --vpu-bufferize --vpu-erase-memory-kinds --split-input-file | FileCheck %s --check-prefix=ERASED

// CHECK-LABEL: @memory_kind_becomes_memory_space
// CHECK-SAME: memref<1x1x8x8x16xf32>) -> memref<1x1x8x8x16xf32>
// CHECK: %[[CMX:.*]] = memref.alloc() {{.*}} : memref<1x1x8x8x16xf32, #VPU.mem<CMX>>
// CHECK: VPU.Copy ins(%arg0 : memref<1x1x8x8x16xf32>) outs(%[[CMX]] : memref<1x1x8x8x16xf32, #VPU.mem<CMX>>)
// CHECK: %[[DDR:.*]] = memref.alloc() {{.*}} : memref<1x1x8x8x16xf32>
// CHECK: VPU.NCE.MaxPool ins(%[[CMX]] : {{.*}}) outs(%[[DDR]] : memref<1x1x8x8x16xf32>)
// CHECK: return %[[DDR]]
// ERASED-LABEL: @memory_kind_becomes_memory_space
// ERASED-NOT: #VPU.mem
func.func @memory_kind_becomes_memory_space(%x: tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32> {
  %c = tensor.empty() : tensor<1x1x8x8x16xf32, #VPU.layout<order = NCHWc, memory = CMX>>
  %0 = VPU.Copy ins(%x : tensor<1x1x8x8x16xf32>) outs(%c : tensor<1x1x8x8x16xf32, #VPU.layout<order = NCHWc, memory = CMX>>) -> tensor<1x1x8x8x16xf32, #VPU.layout<order = NCHWc, memory = CMX>>
  %e = tensor.empty() : tensor<1x1x8x8x16xf32>
  %1 = VPU.NCE.MaxPool ins(%0 : tensor<1x1x8x8x16xf32, #VPU.layout<order = NCHWc, memory = CMX>>) outs(%e : tensor<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>} -> tensor<1x1x8x8x16xf32>
  return %1 : tensor<1x1x8x8x16xf32>
}

// -----

// What is carried stays in one buffer, and both are saved before either is
// overwritten.
// CHECK-LABEL: func @loop_that_swaps_its_values
func.func @loop_that_swaps_its_values(%n: index, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK: %[[NEWA:.*]] = memref.alloc
  // CHECK: memref.copy %[[B]], %[[NEWA]]
  // CHECK: %[[NEWB:.*]] = memref.alloc
  // CHECK: memref.copy %[[A]], %[[NEWB]]
  // CHECK: memref.copy %[[NEWA]], %[[A]]
  // CHECK: memref.copy %[[NEWB]], %[[B]]
  // CHECK: scf.yield %[[A]], %[[B]]
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @branches_write_to_one_buffer
func.func @branches_write_to_one_buffer(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[RESULT:.*]] = memref.alloc() {{.*}}: memref<4xf32>
  // CHECK: scf.if
  // CHECK: memref.copy %{{.*}}, %[[RESULT]]
  // CHECK: memref.copy %{{.*}}, %[[RESULT]]
  %0 = scf.if %c -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// No buffer but the padded one, whatever else reads the image.
// CHECK-LABEL: func @image_is_read_where_it_is_padded
// CHECK: %[[PADDED:.*]] = memref.alloc() {{.*}} : memref<1x1x10x10x16xf32>
// CHECK: %[[INSIDE:.*]] = memref.subview %[[PADDED]][0, 0, 1, 1, 0]
// CHECK: scf.forall
// CHECK: VPU.NCE.MaxPool
// CHECK: memref.copy %[[INSIDE]], %{{.*}}
// CHECK: %[[IMAGE:.*]] = memref.subview %[[PADDED]][0, 0, 1, 1, 0]
// CHECK-NOT: memref.alloc() {{.*}} : memref<1x1x8x8x16xf32>
// CHECK: scf.forall
// CHECK: %[[ROWS:.*]] = memref.subview %[[IMAGE]]
// CHECK: VPU.NCE.MaxPool ins(%[[ROWS]] :
func.func @image_is_read_where_it_is_padded(%x: tensor<1x1x8x8x16xf32>) -> (tensor<1x1x10x10x16xf32>, tensor<1x1x4x4x16xf32>) {
  %b = bufferization.alloc_tensor() : tensor<1x1x10x10x16xf32>
  %f = VPU.FillBorder outs(%b : tensor<1x1x10x10x16xf32>) {pads = array<i64: 1, 1, 1, 1>} -> tensor<1x1x10x10x16xf32>
  %i = tensor.extract_slice %f[0, 0, 1, 1, 0] [1, 1, 8, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x10x10x16xf32> to tensor<1x1x8x8x16xf32>
  %y = scf.forall (%r) = (0) to (8) step (4) shared_outs(%a = %i) -> (tensor<1x1x8x8x16xf32>) {
    %s = tensor.extract_slice %x[0, 0, %r, 0, 0] [1, 1, 4, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x8x8x16xf32> to tensor<1x1x4x8x16xf32>
    %d = tensor.extract_slice %a[0, 0, %r, 0, 0] [1, 1, 4, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x8x8x16xf32> to tensor<1x1x4x8x16xf32>
    %m = VPU.NCE.MaxPool ins(%s : tensor<1x1x4x8x16xf32>) outs(%d : tensor<1x1x4x8x16xf32>) {kernel = array<i64: 1, 1>} -> tensor<1x1x4x8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %a[0, 0, %r, 0, 0] [1, 1, 4, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x4x8x16xf32> into tensor<1x1x8x8x16xf32>
    }
  }
  %p = tensor.insert_slice %y into %f[0, 0, 1, 1, 0] [1, 1, 8, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x8x8x16xf32> into tensor<1x1x10x10x16xf32>
  %e = bufferization.alloc_tensor() : tensor<1x1x4x4x16xf32>
  %z = scf.forall (%r) = (0) to (4) step (2) shared_outs(%a = %e) -> (tensor<1x1x4x4x16xf32>) {
    %q = affine.apply affine_map<(d0) -> (d0 * 2)>(%r)
    %s = tensor.extract_slice %y[0, 0, %q, 0, 0] [1, 1, 4, 8, 16] [1, 1, 1, 1, 1] : tensor<1x1x8x8x16xf32> to tensor<1x1x4x8x16xf32>
    %d = tensor.extract_slice %a[0, 0, %r, 0, 0] [1, 1, 2, 4, 16] [1, 1, 1, 1, 1] : tensor<1x1x4x4x16xf32> to tensor<1x1x2x4x16xf32>
    %m = VPU.NCE.MaxPool ins(%s : tensor<1x1x4x8x16xf32>) outs(%d : tensor<1x1x2x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} -> tensor<1x1x2x4x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %a[0, 0, %r, 0, 0] [1, 1, 2, 4, 16] [1, 1, 1, 1, 1] : tensor<1x1x2x4x16xf32> into tensor<1x1x4x4x16xf32>
    }
  }
  return %p, %z : tensor<1x1x10x10x16xf32>, tensor<1x1x4x4x16xf32>
}

// -----

// The inner loop overwrites the buffer that it starts from, which is added to
// another one when it is done.
// CHECK-LABEL: func @value_that_is_read_behind_an_inner_loop_is_saved
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}})
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: memref.copy %[[STATE]], %[[COPY]]
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK: linalg.add ins(%[[STATE]], %[[SUM]]
// CHECK: memref.copy %[[LAST]], %[[STATE]]
func.func @value_that_is_read_behind_an_inner_loop_is_saved(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outer:2 = scf.for %i = %c0 to %n step %c1 iter_args(%state = %x, %sum = %x) -> (tensor<2xf32>, tensor<2xf32>) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%s = %state) -> (tensor<2xf32>) {
      %e = tensor.empty() : tensor<2xf32>
      %double = linalg.add ins(%s, %s : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %f = tensor.empty() : tensor<2xf32>
      %next = linalg.add ins(%s, %double : tensor<2xf32>, tensor<2xf32>) outs(%f : tensor<2xf32>) -> tensor<2xf32>
      scf.yield %next : tensor<2xf32>
    }
    %more = linalg.add ins(%state, %sum : tensor<2xf32>, tensor<2xf32>) outs(%sum : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %inner, %more : tensor<2xf32>, tensor<2xf32>
  }
  return %outer#0, %outer#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// What is chosen may be the buffer that the loop overwrites.
// CHECK-LABEL: func @value_that_a_loop_chooses_is_copied
// CHECK: %[[START:.*]] = memref.alloc()
// CHECK: memref.copy %[[X:[a-z0-9]*]], %[[START]]
// CHECK: scf.for {{.*}} iter_args(%[[STATE:[a-z0-9]*]] = %[[START]])
// CHECK-NOT: arith.select
// CHECK: %[[NEXT:.*]] = memref.alloc()
// CHECK: scf.if
// CHECK: memref.copy %[[X]], %[[NEXT]]
// CHECK: else
// CHECK: memref.copy %[[STATE]], %[[NEXT]]
// CHECK: memref.copy %{{.*}}, %[[STATE]]
func.func @value_that_a_loop_chooses_is_copied(%x: tensor<2xf32>, %c: i1, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<2xf32>) {
    %next = arith.select %c, %x, %state : tensor<2xf32>
    scf.yield %next : tensor<2xf32>
  }
  return %last : tensor<2xf32>
}

// -----

// CHECK-LABEL: func @value_that_its_update_replaces_twice_is_saved
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK: memref.copy %[[B]], %[[COPY]]
// CHECK: %[[UPDATED:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK: memref.copy %[[B]], %{{.*}} : memref<2xf32> to memref<2xf32, strided
// CHECK: memref.copy %[[UPDATED]], %[[A]]
// CHECK: memref.copy %[[UPDATED]], %[[B]]
func.func @value_that_its_update_replaces_twice_is_saved(%x: tensor<2xf32>, %y: tensor<2xf32>, %to: tensor<4x2xf32>, %n: index, %v: f32) -> (tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %all = %to) -> (tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>) {
    %updated = scf.for %j = %c0 to %n step %c1 iter_args(%s = %b) -> (tensor<2xf32>) {
      %next = tensor.insert %v into %s[%j] : tensor<2xf32>
      scf.yield %next : tensor<2xf32>
    }
    %stack = tensor.insert_slice %b into %all[%i, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<4x2xf32>
    scf.yield %updated, %updated, %stack : tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>
}

// -----

// The caller's buffer can take the place of one that is returned as it is.
// CHECK-LABEL: func @result_of_another_shape_is_a_buffer_of_its_own
// CHECK: %[[Y:.*]] = memref.alloc() {{.*}} : memref<4x16xf32>
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[Y]] {{.*}} : memref<4x16xf32> into memref<1x4x16xf32>
// CHECK: VPU.NCE.MatMul {{.*}} outs(%[[VIEW]] : memref<1x4x16xf32>)
// CHECK: return %[[Y]]
func.func @result_of_another_shape_is_a_buffer_of_its_own(%a: tensor<1x4x8xf32>, %b: tensor<1x1x8x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<1x4x16xf32>
  %0 = VPU.NCE.MatMul ins(%a, %b : tensor<1x4x8xf32>, tensor<1x1x8x16xf32>) outs(%e : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x4x16xf32> into tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// An argument stays where it is.
// CHECK-LABEL: func @argument_of_another_shape_is_returned
// CHECK-NOT: memref.alloc
// CHECK: %[[VIEW:.*]] = memref.collapse_shape %arg0
// CHECK: return %[[VIEW]]
func.func @argument_of_another_shape_is_returned(%a: tensor<1x4x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
