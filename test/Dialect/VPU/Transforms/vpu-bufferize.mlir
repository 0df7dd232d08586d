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
