// What ie-quantize leaves f32 because somebody says so.
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-nodes=b*}))' | FileCheck %s --check-prefixes=CHECK,NODE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-ops=Gemm,Conv}))' | FileCheck %s --check-prefixes=CHECK,OP
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml only-ops=MatMul}))' | FileCheck %s --check-prefixes=CHECK,OP
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-first}))' | FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-last}))' | FileCheck %s --check-prefixes=CHECK,LAST
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-between=sum:seven}))' | FileCheck %s --check-prefixes=CHECK,NODE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-between=x:y}))' | FileCheck %s --check-prefix=NONE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{keep-between=x:sum}))' | FileCheck %s --check-prefix=LATE
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{keep-between=x:sum}))' | FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-between=x:z}))' 2>&1 | FileCheck %s --check-prefix=STRANGE
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-dynamic{keep-between=z:y}))' 2>&1 | FileCheck %s --check-prefix=STRANGE
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-weights{keep-between=y:x}))' 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize-embeddings{keep-between=y}))' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml keep-nodes=[}))' 2>&1 | FileCheck %s --check-prefix=BAD

// STRANGE: error: no value 'z', which '{{x:z|z:y}}' names: a range profile has the names
// BACK: error: nothing is between the values 'y' and 'x' of 'y:x': the second is to follow from the first
// ALONE: error: expected VALUE:VALUE, between which all stays f32, found 'y'
// NONE-NOT: xi8>
// LATE-COUNT-2: IE.MatMulInteger
// LATE-NOT: IE.MatMulInteger
// BAD: error: '[' is no pattern of nodes' names

// Each of three products whose weights stay says that it does.
// CHECK-LABEL: func @three_products
// NODE-COUNT-2: IE.DequantizeLinear({{.*}}xi8>
// OP-COUNT-2: IE.DequantizeLinear({{.*}}xi8>
// FIRST-COUNT-2: IE.DequantizeLinear({{.*}}xi8>
// LAST-COUNT-2: IE.DequantizeLinear({{.*}}xi8>
// CHECK-NOT: IE.DequantizeLinear({{.*}}xi8>
#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#first = loc("a"(fused<{nacre.values = ["sum"]}>["net":0:0]))
#second = loc("b"(fused<{nacre.values = ["seven"]}>["net":0:0]))
#third = loc("c"(fused<{nacre.values = ["y"]}>["net":0:0]))
func.func @three_products(%x: tensor<4x2xf32> loc(#x)) -> tensor<4x2xf32> {
  %w = IE.Constant dense<1.0> : tensor<2x2xf32>
  %0 = IE.MatMul(%x, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc(#first)
  %1 = IE.Gemm(%0, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc(#second)
  %2 = IE.MatMul(%1, %w) : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> loc(#third)
  return %2 : tensor<4x2xf32>
}
