// What operators are lowered by where a machine lacks something: an instruction that
// makes f32 of f16, or, on an accelerator, kernels that read a matrix as it lies.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64 threads=1" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,SSE
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,AMX
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefixes=CHECK,NPU

// CHECK-LABEL: func @means_of_16_bit_floats
// SSE: IE.AveragePool{{.*}}algorithm = direct
// Of bf16 it is a shift.
// SSE: IE.AveragePool{{.*}}algorithm = narrowImage
func.func @means_of_16_bit_floats(%h: tensor<1x1x6x6xf16>, %b: tensor<1x1x6x6xbf16>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %x = IE.Cast %h to f32 : tensor<1x1x6x6xf16> -> tensor<1x1x6x6xf32>
  %0 = IE.AveragePool(%x) {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  %y = IE.Cast %b to f32 : tensor<1x1x6x6xbf16> -> tensor<1x1x6x6xf32>
  %1 = IE.AveragePool(%y) {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  return %0, %1 : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// CHECK-LABEL: func @few_rows_by_a_computed_matrix
// SSE: IE.MatMul{{.*}}algorithm = rowMajor
// NPU-NOT: VPU.strategy
func.func @few_rows_by_a_computed_matrix(%x: tensor<4x8xf32>, %y: tensor<8x20xf32>) -> tensor<4x20xf32> {
  %0 = IE.MatMul(%x, %y) : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// -----

// A matrix unit takes packs that are stored, for more rows than a few.
// CHECK-LABEL: func @rows_of_bytes_by_a_matrix_that_a_run_computes
// AMX: IE.MatMulInteger{{.*}}algorithm = rowMajor
// AMX: IE.MatMulInteger{{.*}}algorithm = panels
// SSE-COUNT-2: IE.MatMulInteger{{.*}}algorithm = panels
// NPU-COUNT-2: IE.MatMulInteger{{.*}}algorithm = panels
func.func @rows_of_bytes_by_a_matrix_that_a_run_computes(%x: tensor<3x64xui8>, %y: tensor<?x64xui8>, %w: tensor<64x32xi8>) -> (tensor<3x32xi32>, tensor<?x32xi32>) {
  %0 = IE.MatMulInteger(%x, %w) : (tensor<3x64xui8>, tensor<64x32xi8>) -> tensor<3x32xi32>
  %1 = IE.MatMulInteger(%y, %w) : (tensor<?x64xui8>, tensor<64x32xi8>) -> tensor<?x32xi32>
  return %0, %1 : tensor<3x32xi32>, tensor<?x32xi32>
}
