// Biases that runs have corrected, and what shows runs by how much they have to.

// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-biases.ranges.yaml bias-correction=exact}))' -split-input-file | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-biases.ranges.yaml bias-correction=off}))' -split-input-file | FileCheck %s --check-prefix=OFF
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-biases.ranges.yaml bias-correction=off run-time-parameters channel-means}))' -split-input-file | FileCheck %s --check-prefix=MEANS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize-biases.ranges.yaml bias-correction=exact schema=symmetric}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%S/Inputs/quantize.ranges.yaml bias-correction=exact}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: rm -rf %t && mkdir %t && sed 's/weights: 1/weights: 2/' %S/Inputs/quantize-biases.ranges.yaml > %t/trained.yaml && sed '/weights:/d' %S/Inputs/quantize-biases.ranges.yaml > %t/none.yaml
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%t/trained.yaml bias-correction=exact}))' 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-quantize{ranges=%t/none.yaml bias-correction=exact}))' 2>&1 | FileCheck %s --check-prefix=UNSAID

// WEIGHTS: error: '{{.*}}.yaml' has corrections of biases for other weights than these, which have to be measured on samples: use nacre quantize --bias-correction=exact with --data, or --bias-correction=fast
// UNSAID: error: '{{.*}}none.yaml' does not say of which weights its corrections of biases are, which have to be measured on samples
// OTHER: error: '{{.*}}quantize-biases.ranges.yaml' has corrections of biases for other options or overrides than these, which have to be measured on samples: use nacre quantize --bias-correction=exact with --data, or --bias-correction=fast
// NONE: error: '{{.*}}quantize.ranges.yaml' has no corrections of biases, which have to be measured

#x = loc(fused<{nacre.argument = ["x"]}>["net":0:0])
#sum = loc(fused<{nacre.values = ["sum"]}>["net":0:0])
// In steps of 0.01 the first bias of 1 becomes 1.5, that of -2 -3; of the second
// product, which has no name for its result, 2 becomes 3.
// CHECK-LABEL: func @biases_are_those_of_the_file
// CHECK: IE.Constant dense<[150, -300]> : tensor<2xi32>
// CHECK: IE.Constant dense<[100, 300]> : tensor<2xi32>
// OFF-LABEL: func @biases_are_those_of_the_file
// OFF: IE.Constant dense<[100, -200]> : tensor<2xi32>
// OFF: IE.Constant dense<[100, 200]> : tensor<2xi32>

// Ten numbers of two values and two of products, then two of each of the biases,
// those of the last product first. They are added to what products compute, and
// the means of that are a result.
// MEANS-LABEL: func @biases_are_those_of_the_file
// MEANS-SAME: %[[N:[a-z0-9]*]]: tensor<16xf32> {nacre.name = "nacre.quantization"}
// MEANS-SAME: tensor<4xf32> {nacre.name = "nacre.means"}
// MEANS: IE.Conv
// MEANS: else
// MEANS: IE.Conv
// MEANS: %[[FOURTEEN:.*]] = IE.Constant dense<14> : tensor<1xi64>
// MEANS: %[[A:.*]] = IE.Slice %[[N]], %[[FOURTEEN]]
// MEANS: %[[B:.*]] = IE.Reshape %[[A]], {{.*}} -> tensor<2x1x1xf32>
// MEANS: %[[C:.*]] = IE.Add %{{.*}}, %[[B]]
// MEANS: %[[FIRST:.*]] = IE.ReduceMean(%[[C]], {{.*}} -> tensor<2xf32>
// MEANS: IE.Div %[[C]]
// MEANS: else
// MEANS: IE.Conv
// MEANS: %[[TWELVE:.*]] = IE.Constant dense<12> : tensor<1xi64>
// MEANS: IE.Slice %[[N]], %[[TWELVE]]
// MEANS: %[[LAST:.*]] = IE.ReduceMean
// MEANS: %[[M:.*]] = IE.Concat %[[LAST]], %[[FIRST]]
// MEANS: return %{{.*}}, %[[M]]
func.func @biases_are_those_of_the_file(%x: tensor<?x1x4x4xf32> loc(#x)) -> tensor<?x2x4x4xf32> {
  %w = IE.Constant dense<127.0> : tensor<2x1x1x1xf32>
  %v = IE.Constant dense<127.0> : tensor<2x2x1x1xf32>
  %b = IE.Constant dense<[1.0, -2.0]> : tensor<2xf32>
  %c = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = IE.Conv(%x, %w, %b) : (tensor<?x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32> loc(#sum)
  %1 = IE.Conv(%0, %v, %c) : (tensor<?x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<?x2x4x4xf32> loc("second")
  return %1 : tensor<?x2x4x4xf32>
}
