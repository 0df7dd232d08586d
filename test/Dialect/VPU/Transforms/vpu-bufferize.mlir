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
