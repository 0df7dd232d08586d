// Scales of weights other than those that cut nothing off, and fewer bits.
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml}))' | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml weight-bits=7}))' | FileCheck %s --check-prefixes=CHECK,SEVEN
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{weight-bits=7}))' | FileCheck %s --check-prefixes=CHECK,SEVEN
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml weight-bits=7 calibrate-weights}))' | FileCheck %s --check-prefixes=CHECK,CUT
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{weight-bits=7 calibrate-weights}))' | FileCheck %s --check-prefixes=CHECK,CUT
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml weight-bits=6}))' 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{weight-bits=16}))' 2>&1 | FileCheck %s --check-prefix=WIDE

// SIX: error: expected weights of 7, 8 or 16 bits, found 6
// WIDE: error: expected weights of 7 or 8 bits, found 16

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
// Of 7 bits the largest is 63, which int8 holds. All but the largest number of
// the second column are between two steps of its scale. With one that is a little
// smaller they are not, and what is cut off the largest is less than that.
// CHECK-LABEL: func @weights
// PLAIN-DAG: IE.Constant dense<{{\[\[}}127, 127], [64, {{6[34]}}], {{.*}}> : tensor<9x2xi8>
// PLAIN-DAG: IE.Constant dense<[1.000000e+00, 4.960630e-01]> : tensor<2xf32>
// SEVEN-DAG: IE.Constant dense<{{\[\[}}63, 63], [32, 32], {{.*}}> : tensor<9x2xi8>
// SEVEN-DAG: IE.Constant dense<[2.01587296, 1.000000e+00]> : tensor<2xf32>
// CUT-DAG: IE.Constant dense<{{\[\[}}63, 63], [32, 32], {{.*}}> : tensor<9x2xi8>
// CUT-DAG: IE.Constant dense<[2.01587296, 0.983333349]> : tensor<2xf32>
func.func @weights(%x: tensor<4x9xf32> loc(#x)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<[[127.0, 63.0], [64.0, 31.5], [0.0, 31.5], [0.0, 31.5], [0.0, 31.5], [0.0, 31.5], [0.0, 31.5], [0.0, 31.5], [0.0, 31.5]]> : tensor<9x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<4x9xf32>, tensor<9x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
