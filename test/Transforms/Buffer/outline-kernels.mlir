// RUN: nacre-opt %s -outline-kernels -split-input-file | FileCheck %s

// CHECK-LABEL: func @equal_computations_share_a_kernel
// CHECK-SAME: (%[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>)
func.func @equal_computations_share_a_kernel(%a: memref<8xf32>, %b: memref<8xf32>) {
  // CHECK-NEXT: call @linalg_exp(%[[A]], %[[B]])
  // CHECK-NEXT: call @linalg_exp(%[[B]], %[[A]])
  // CHECK-NEXT: call @linalg_log(%[[A]], %[[B]])
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.exp ins(%b : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.log ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
// CHECK: func private @linalg_exp(%{{.*}}: memref<8xf32> {llvm.noalias}, %{{.*}}: memref<8xf32> {llvm.noalias})
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK: func private @linalg_log
// CHECK-NOT: func private

// -----

// CHECK-LABEL: func @kernels_of_other_shapes_stay_apart
func.func @kernels_of_other_shapes_stay_apart(%a: memref<8xf32>, %b: memref<9xf32>) {
  // CHECK-NEXT: call @linalg_exp(
  // CHECK-NEXT: call @linalg_exp_0(
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%b : memref<9xf32>) outs(%b : memref<9xf32>)
  return
}

// -----

// A view is recomputed inside, so that the two arguments do not alias.
// CHECK-LABEL: func @views_are_recomputed_in_the_kernel
// CHECK-SAME: (%[[A:.*]]: memref<8xf32>)
func.func @views_are_recomputed_in_the_kernel(%a: memref<8xf32>) {
  // CHECK: call @linalg_exp(%[[A]]) : (memref<8xf32>) -> ()
  %low = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %high = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.exp ins(%low : memref<4xf32, strided<[1]>>) outs(%high : memref<4xf32, strided<[1], offset: 4>>)
  return
}
// CHECK: func private @linalg_exp(%[[ARG:.*]]: memref<8xf32>
// CHECK-DAG: memref.subview %[[ARG]][0]
// CHECK-DAG: memref.subview %[[ARG]][4]

// -----

// CHECK-LABEL: func @body_of_forall_becomes_a_kernel
func.func @body_of_forall_becomes_a_kernel(%a: memref<2x8xf32>) {
  // CHECK: scf.forall (%[[I:.*]]) in (2)
  // CHECK-NEXT: call @linalg_exp(%{{.*}}, %[[I]]) : (memref<2x8xf32>, index) -> ()
  // CHECK-NEXT: }
  scf.forall (%i) in (2) {
    %row = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<2x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.exp ins(%row : memref<8xf32, strided<[1], offset: ?>>) outs(%row : memref<8xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

// CHECK-LABEL: func @function_without_computation_is_unchanged
// CHECK-NEXT: return
// CHECK-NOT: func private
func.func @function_without_computation_is_unchanged(%a: memref<8xf32>) {
  return
}

// -----

// What a bare pointer does not say of a buffer is passed beside it.
// CHECK-LABEL: func @kernel_on_dynamic_buffers_gets_their_sizes
// CHECK: %[[A:.*]], %{{.*}}, %[[N:.*]], %{{.*}} = memref.extract_strided_metadata
// CHECK: %[[B:.*]], %{{.*}}, %[[M:.*]]:2, %{{.*}}:2 = memref.extract_strided_metadata
// CHECK: call @linalg_generic(%[[A]], %[[N]], %[[B]], %[[M]]#0)
// CHECK-NEXT: memref.dealloc
// CHECK-LABEL: func private @linalg_generic
// CHECK-SAME: (%[[C:.*]]: memref<f32> {llvm.noalias}, %[[K:.*]]: index, %[[D:.*]]: memref<f32> {llvm.noalias}, %[[L:.*]]: index)
// CHECK: memref.reinterpret_cast %[[C]] to offset: [0], sizes: [%[[K]]], strides: [1] : memref<f32> to memref<?xf32>
// CHECK: memref.reinterpret_cast %[[D]] to offset: [0], sizes: [%[[L]], 4], strides: [4, 1] : memref<f32> to memref<?x4xf32>
func.func @kernel_on_dynamic_buffers_gets_their_sizes(%a: memref<?xf32>, %b: memref<?x4xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?xf32>) outs(%b : memref<?x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// A size of several buffers is one argument, also where it is asked of one.
// CHECK-LABEL: func @kernel_sees_which_sizes_are_equal
// CHECK-SAME: %[[BYTES:.*]]: memref<?xi8>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK: call @linalg_exp(%[[N]], %{{.*}}, %[[M]], %{{.*}}, %{{.*}}, %{{[^,]*}}) :
// CHECK-LABEL: func private @linalg_exp
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[ROWS:.*]], %[[COLUMNS:.*]]], strides
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[ROWS]], %[[COLUMNS]]], strides
// CHECK: memref.subview {{.*}}[1, %[[COLUMNS]]]
func.func @kernel_sees_which_sizes_are_equal(%bytes: memref<?xi8>, %n: index, %m: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.view %bytes[%zero][%n, %m] : memref<?xi8> to memref<?x?xf32>
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  %columns = memref.dim %b, %one : memref<?x?xf32>
  scf.for %i = %zero to %n step %one {
    %from = memref.subview %a[%i, 0] [1, %columns] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    %to = memref.subview %b[%i, 0] [1, %columns] [1, 1] : memref<?x?xf32> to memref<1x?xf32, strided<[?, 1], offset: ?>>
    linalg.exp ins(%from : memref<1x?xf32, strided<[?, 1], offset: ?>>) outs(%to : memref<1x?xf32, strided<[?, 1], offset: ?>>)
  }
  memref.dealloc %b : memref<?x?xf32>
  return
}

// -----

// Where the buffers of an iteration lie is computed outside the kernel, which is
// then told that they do not alias.
// CHECK-LABEL: func @separate_views_are_arguments
// CHECK: %[[P:.*]] = memref.view
// CHECK-NEXT: %[[Q:.*]] = memref.view
// CHECK-NEXT: call @linalg_exp(%{{.*}}, %[[P]], %[[Q]]) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
// CHECK: func private @linalg_exp(%{{.*}}: memref<8xf32> {llvm.noalias}, %{{.*}}: memref<8xf32> {llvm.noalias}, %{{.*}}: memref<8xf32> {llvm.noalias})
func.func @separate_views_are_arguments(%arena: memref<256xi8>, %a: memref<8xf32>) {
  %c32 = arith.constant 32 : index
  scf.forall (%i) in (2) {
    %base = affine.apply affine_map<(d) -> (d * 128)>(%i)
    %next = arith.addi %base, %c32 : index
    %p = memref.view %arena[%base][] : memref<256xi8> to memref<8xf32>
    %q = memref.view %arena[%next][] : memref<256xi8> to memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%p : memref<8xf32>)
    linalg.exp ins(%p : memref<8xf32>) outs(%q : memref<8xf32>)
  }
  return
}

// -----

// The third buffer takes the place of the first, which nobody needs any more:
// only the second is separate.
// CHECK-LABEL: func @views_that_share_memory_stay_inside
// CHECK: %[[Q:.*]] = memref.view
// CHECK-NEXT: call @linalg_exp({{.*}}%[[Q]]{{.*}}memref<256xi8>
// CHECK: func private @linalg_exp
// CHECK-COUNT-2: memref.view
func.func @views_that_share_memory_stay_inside(%arena: memref<256xi8>, %a: memref<8xf32>) {
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (2) {
    %base = affine.apply affine_map<(d) -> (d * 128)>(%i)
    %inside = arith.addi %base, %c16 : index
    %next = arith.addi %base, %c64 : index
    %p = memref.view %arena[%base][] : memref<256xi8> to memref<8xf32>
    %q = memref.view %arena[%next][] : memref<256xi8> to memref<8xf32>
    %r = memref.view %arena[%inside][] : memref<256xi8> to memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%p : memref<8xf32>)
    linalg.exp ins(%p : memref<8xf32>) outs(%q : memref<8xf32>)
    linalg.exp ins(%q : memref<8xf32>) outs(%r : memref<8xf32>)
  }
  return
}

// -----

// A bare pointer cannot stand for a buffer of several dimensions without
// elements.
// CHECK-LABEL: func @kernel_on_nothing_gets_the_start_of_it
// CHECK: %[[START:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %{{.*}} : memref<2x0xf32>
// CHECK: call @linalg_generic(%{{.*}}, %[[START]], %{{.*}}) : (memref<4xf32>, memref<f32>, index) -> ()
// CHECK: func.func private @linalg_generic(%{{.*}}: memref<4xf32> {llvm.noalias}, %[[BASE:.*]]: memref<f32> {llvm.noalias}, %{{.*}}: index)
// CHECK: memref.reinterpret_cast %[[BASE]] {{.*}} to memref<2x0xf32>
func.func @kernel_on_nothing_gets_the_start_of_it(%y: memref<4xf32>) {
  %x = memref.alloc() : memref<2x0xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%y : memref<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %0 = memref.load %x[%i, %i] : memref<2x0xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// As one function it would take LLVM long: each of its kernels is one.
// CHECK-LABEL: func @branch_of_many_kernels_is_as_the_model_around_it
// CHECK: scf.if
// CHECK-COUNT-17: call @linalg_exp
// CHECK: return
func.func @branch_of_many_kernels_is_as_the_model_around_it(%x: memref<8xf32>, %y: memref<8xf32>, %b: i1) {
  scf.if %b {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

// -----

// CHECK-LABEL: func @branch_of_few_kernels_is_one
// CHECK-NOT: scf.if
// CHECK: call @linalg_exp
// CHECK-NEXT: return
func.func @branch_of_few_kernels_is_one(%x: memref<8xf32>, %y: memref<8xf32>, %b: i1) {
  scf.if %b {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

// -----

// Loops that run at the same time have kernels in them, as others have.
// CHECK-LABEL: func.func @parts_with_steps_are_no_kernels
// CHECK: scf.forall
// CHECK: scf.index_switch
// CHECK: scf.for
// CHECK-NEXT: func.call @[[KERNEL:[a-z_0-9]+]](
// CHECK: scf.for
// CHECK-NEXT: func.call @[[KERNEL]](
func.func @parts_with_steps_are_no_kernels(%a: memref<8xf32>, %b: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100 : index
  scf.forall (%i) in (2) {
    scf.index_switch %i {nacre.has_steps}
    case 0 {
      scf.for %j = %zero to %many step %one {
        linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
      } {nacre.has_steps}
      scf.yield
    }
    default {
      scf.for %j = %zero to %many step %one {
        linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
      } {nacre.has_steps}
    }
  } {nacre.has_steps}
  return
}

// -----

// Buffers of a dynamic size, up to 32 bytes, are apart; another
// one may reach to the end.
// CHECK-LABEL: func.func @bounded_buffers_are_arguments
// CHECK: scf.forall
// CHECK: memref.view
// CHECK: memref.view
// CHECK: func.call
// CHECK: scf.forall
// CHECK-NOT: memref.view
// CHECK: func.call
func.func @bounded_buffers_are_arguments(%arena: memref<64xi8>, %n: index) {
  %first = arith.constant 0 : index
  %second = arith.constant 32 : index
  scf.forall (%i) in (2) {
    %a = memref.view %arena[%first][%n] {nacre.most_bytes = 32 : i64} : memref<64xi8> to memref<?xf32>
    %b = memref.view %arena[%second][%n] {nacre.most_bytes = 32 : i64} : memref<64xi8> to memref<?xf32>
    linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  }
  scf.forall (%i) in (2) {
    %a = memref.view %arena[%first][%n] : memref<64xi8> to memref<?xf32>
    %b = memref.view %arena[%second][%n] : memref<64xi8> to memref<?xf32>
    linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  }
  return
}

// -----

// Of as many parts as a run finds, the caller computes where each begins and
// ends; what follows from that is the kernel's.
// CHECK-LABEL: func.func @place_of_a_part_is_an_argument
// CHECK-SAME: (%{{.*}}: memref<?xf32>, %[[N:.*]]: index, %[[ROWS:.*]]: index, %[[PARTS:.*]]: index)
// CHECK: scf.forall (%[[I:.*]]) in (%[[PARTS]]) {
// CHECK-DAG: %[[START:.*]] = arith.muli %[[I]], %[[ROWS]]
// CHECK-DAG: %[[LEFT:.*]] = affine.apply #{{.*}}(%[[I]])[%[[N]], %[[ROWS]]]
// CHECK-NOT: arith.minui
// CHECK: func.call @linalg_exp({{.*}}) : (
// CHECK: func.func private @linalg_exp(
// CHECK-NOT: arith.muli
// CHECK-NOT: affine.apply
// CHECK: arith.minui
// CHECK: memref.subview
func.func @place_of_a_part_is_an_argument(%a: memref<?xf32>, %n: index, %rows: index, %parts: index) {
  scf.forall (%i) in (%parts) {
    %start = arith.muli %i, %rows : index
    %left = affine.apply affine_map<(d0)[s0, s1] -> (s0 - d0 * s1)>(%i)[%n, %rows]
    %size = arith.minui %left, %rows : index
    %part = memref.subview %a[%start] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.exp ins(%part : memref<?xf32, strided<[1], offset: ?>>) outs(%part : memref<?xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

// Of a known number of parts the kernel does.
// CHECK-LABEL: func.func @place_of_a_part_of_known_size_is_in_the_kernel
// CHECK: scf.forall (%[[I:.*]]) in (2) {
// CHECK-NOT: affine.apply
// CHECK: func.call @linalg_exp(%[[I]], %
// CHECK: func.func private @linalg_exp(
// CHECK: affine.apply
func.func @place_of_a_part_of_known_size_is_in_the_kernel(%a: memref<16xf32>) {
  scf.forall (%i) in (2) {
    %start = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %part = memref.subview %a[%start] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.exp ins(%part : memref<8xf32, strided<[1], offset: ?>>) outs(%part : memref<8xf32, strided<[1], offset: ?>>)
  }
  return
}
