// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-verify-cmx --split-input-file --verify-diagnostics
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-erase-memory-kinds --split-input-file --verify-diagnostics

func.func @operand_outside_cmx_is_rejected(%x: memref<1x1x8x8x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  // expected-error@+1 {{expected all operands in CMX, found 'memref<1x1x8x8x16xf32>'}}
  VPU.NCE.MaxPool ins(%x : memref<1x1x8x8x16xf32>) outs(%y : memref<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>}
  return
}

// -----

func.func @working_set_beyond_cmx_is_rejected(%x: memref<1x1x128x128x64xf32, #VPU.mem<CMX>>, %y: memref<1x1x128x128x64xf32, #VPU.mem<CMX>>) {
  // expected-error@+1 {{expected a working set of at most 2097152 bytes, the CMX of NPU37XX, found 8388608}}
  VPU.NCE.MaxPool ins(%x : memref<1x1x128x128x64xf32, #VPU.mem<CMX>>) outs(%y : memref<1x1x128x128x64xf32, #VPU.mem<CMX>>) {kernel = array<i64: 1, 1>}
  return
}
