// Which borders are worth code of their own follows from what their kernels take of
// all cycles, through however many functions they are called.
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers --split-input-file --verify-diagnostics

// Most of all cycles.
// CHECK-LABEL: func private @large_window_that_is_called_deep
// CHECK: skipBorder = [rows, columns]
func.func private @large_window_that_is_called_deep(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>) outs(%y : memref<1x2x6x6x16xf32>) {zeroBorder = array<i64: 2, 2, 2, 2>}
  return
}
func.func private @block(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  call @large_window_that_is_called_deep(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}
func.func private @stage(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  call @block(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}
func.func @main(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  call @stage(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}

// -----

// Hardly any.
// CHECK-LABEL: func private @large_window_beside_much_else
// CHECK: skipBorder = [columns]
func.func private @large_window_beside_much_else(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>) outs(%y : memref<1x2x6x6x16xf32>) {zeroBorder = array<i64: 2, 2, 2, 2>}
  return
}
func.func private @block(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  call @large_window_beside_much_else(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}
func.func private @all_else(%x: memref<1x64x56x56x16xf32>, %w: memref<64x64x1x1x16x16xf32>, %y: memref<1x64x56x56x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x64x56x56x16xf32>, memref<64x64x1x1x16x16xf32>) outs(%y : memref<1x64x56x56x16xf32>)
  return
}
func.func @main(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>, %a: memref<1x64x56x56x16xf32>, %b: memref<64x64x1x1x16x16xf32>, %c: memref<1x64x56x56x16xf32>) {
  call @block(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  call @all_else(%a, %b, %c) : (memref<1x64x56x56x16xf32>, memref<64x64x1x1x16x16xf32>, memref<1x64x56x56x16xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func private @large_window_of_a_circle
// expected-warning@+1 {{the function calls itself, so that its cycles, by which borders are worth their code, are a guess}}
func.func private @large_window_of_a_circle(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>) outs(%y : memref<1x2x6x6x16xf32>) {zeroBorder = array<i64: 2, 2, 2, 2>}
  call @large_window_of_a_circle(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}
func.func @main(%x: memref<1x2x10x10x16xf32>, %w: memref<2x2x5x5x16x16xf32>, %y: memref<1x2x6x6x16xf32>) {
  call @large_window_of_a_circle(%x, %w, %y) : (memref<1x2x10x10x16xf32>, memref<2x2x5x5x16x16xf32>, memref<1x2x6x6x16xf32>) -> ()
  return
}
