// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml activations=int16 bias=f32}))' | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml activations=int16 weight-bits=16}))' | FileCheck %s --check-prefix=WIDE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml bias=int8}))' | FileCheck %s --check-prefix=BYTE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml activations=int16 bias=f32},ie-fuse-quantization))' | FileCheck %s --check-prefix=FUSED
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml weight-bits=12}))' 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: expected weights of 7, 8 or 16 bits, found 12

// Sums are of floats, for which constants become what they were rounded to.
#means = loc(fused<{nacre.argument = ["means"]}>["net":0:0])
// CHECK-LABEL: func @product_of_wide_integers
// CHECK-DAG: %[[XS:.*]] = IE.Constant dense<1.55644389E-4> : tensor<f32>
// CHECK-DAG: %[[XZ:.*]] = IE.Constant dense<0> : tensor<i16>
// CHECK-DAG: %[[XQ:.*]] = IE.QuantizeLinear(%arg0, %[[XS]], %[[XZ]]) : (tensor<?x2xf32>, tensor<f32>, tensor<i16>) -> tensor<?x2xi16>
// CHECK-DAG: %[[X:.*]] = IE.DequantizeLinear(%[[XQ]], %[[XS]], %[[XZ]])
// CHECK-DAG: %[[WQ:.*]] = IE.Constant dense<{{.*}}> : tensor<2x2xi8>
// CHECK-DAG: %[[W:.*]] = IE.DequantizeLinear(%[[WQ]], %{{.*}}) : (tensor<2x2xi8>, tensor<2xf32>) -> tensor<2x2xf32>
// The mean of what rounding changes is off the bias.
// CHECK-DAG: %[[B:.*]] = IE.Constant dense<[1.4{{.*}}, -2.0{{.*}}]> : tensor<2xf32>
// CHECK: %[[Y:.*]] = IE.Gemm(%[[X]], %[[W]], %[[B]])
// WIDE-LABEL: func @product_of_wide_integers
// WIDE-DAG: IE.Constant dense<{{.*}}> : tensor<2x2xi16>
// WIDE-DAG: %[[BQ:.*]] = IE.Constant dense<{{.*}}> : tensor<2xi32>
// WIDE-DAG: IE.DequantizeLinear(%[[BQ]], %{{.*}}) {axis = 0 : i64} : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
// BYTE-LABEL: func @product_of_wide_integers
// BYTE-DAG: %[[BQ:.*]] = IE.Constant dense<[{{[0-9]+}}, -127]> : tensor<2xi8>
// BYTE-DAG: %[[BS:.*]] = IE.Constant dense<0.0157{{.*}}> : tensor<f32>
// BYTE-DAG: IE.DequantizeLinear(%[[BQ]], %[[BS]]) {axis = 0 : i64} : (tensor<2xi8>, tensor<f32>) -> tensor<2xf32>
// BYTE-DAG: IE.QuantizeLinear{{.*}} -> tensor<?x2xui8>
// FUSED-LABEL: func @product_of_wide_integers
// FUSED-NOT: IE.MatMulInteger
func.func @product_of_wide_integers(%x: tensor<?x2xf32> loc(#means)) -> tensor<?x2xf32> {
  %w = IE.Constant dense<[[127.0, 0.0], [0.4, 254.0]]> : tensor<2x2xf32>
  %b = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = IE.Gemm(%x, %w, %b) : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
