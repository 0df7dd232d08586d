// RUN: nacre-opt %s -convert-ie-to-linalg -canonicalize -split-input-file | FileCheck %s

// Each number takes two words of the generator, whose state the loop carries.
// CHECK-LABEL: func @random_uniform_renews_two_words_per_number
// CHECK-DAG: %[[STATE:.*]] = arith.constant dense<{{.*}}> : tensor<624xi32>
// CHECK-DAG: %[[OUT:.*]] = tensor.empty() : tensor<6xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[STATE]], %{{.*}} = %{{.*}}, %[[Y:.*]] = %[[OUT]]) -> (tensor<624xi32>, index, tensor<6xf32>)
// CHECK: tensor.insert %{{.*}} into %{{.*}} : tensor<624xi32>
// CHECK: tensor.insert %{{.*}} into %{{.*}} : tensor<624xi32>
// CHECK-NOT: : tensor<624xi32>
// CHECK: tensor.insert %{{.*}} into %[[Y]]
func.func @random_uniform_renews_two_words_per_number() -> tensor<2x3xf32> {
  %0 = IE.RandomUniform {seed = 7.0, shape = array<i64: 2, 3>} : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Points are drawn until one lies in the unit circle; the last number of an odd
// count is dropped.
// CHECK-LABEL: func @random_normal_draws_pairs
// CHECK: scf.for {{.*}} -> (tensor<624xi32>, index, tensor<4xf64>)
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: math.log
// CHECK: math.sqrt
// CHECK: tensor.extract_slice %{{.*}}[0] [3] [1] : tensor<4xf64> to tensor<3xf64>
func.func @random_normal_draws_pairs() -> tensor<3xf64> {
  %0 = IE.RandomNormal {dtype = f64, shape = array<i64: 3>} : tensor<3xf64>
  return %0 : tensor<3xf64>
}
