// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' -split-input-file | FileCheck %s

// What numpy.random.RandomState(7).random_sample(3) and so on give.
// CHECK-LABEL: func @numbers_are_those_of_numpy
func.func @numbers_are_those_of_numpy() -> (tensor<3xf64>, tensor<3xf64>, tensor<2xf32>) {
  // CHECK: IE.Constant dense<[0.076308289373957{{.*}}, 0.779918792240114{{.*}}, 0.438409231440893{{.*}}]> : tensor<3xf64>
  %0 = IE.RandomUniform {dtype = f64, seed = 7.0, shape = array<i64: 3>} : tensor<3xf64>
  // CHECK: IE.Constant dense<[1.69052570380035{{.*}}, -0.46593737054083{{.*}}, 0.03282016367858{{.*}}]> : tensor<3xf64>
  %1 = IE.RandomNormal {dtype = f64, seed = 7.0, shape = array<i64: 3>} : tensor<3xf64>
  // CHECK: IE.Constant dense<[2.1526165{{[0-9]*}}, 3.559837{{[0-9]*}}]> : tensor<2xf32>
  %2 = IE.RandomUniform {low = 2.0 : f32, high = 4.0 : f32, seed = 7.0, shape = array<i64: 2>} : tensor<2xf32>
  return %0, %1, %2 : tensor<3xf64>, tensor<3xf64>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func @many_numbers_stay_to_be_drawn
// CHECK: IE.RandomUniform
func.func @many_numbers_stay_to_be_drawn() -> tensor<5000xf32> {
  %0 = IE.RandomUniform {shape = array<i64: 5000>} : tensor<5000xf32>
  return %0 : tensor<5000xf32>
}
