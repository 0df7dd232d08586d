// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold))' | FileCheck %s
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold{max-elements=2}))' | FileCheck %s --check-prefix=SMALL
// RUN: nacre-opt %s -pass-pipeline='builtin.module(func.func(ie-constant-fold{max-mask=8}))' | FileCheck %s --check-prefix=MASK

// CHECK-LABEL: func @chain_of_constants_folds_in_one_walk
// CHECK: IE.Constant dense<[0.000000e+00, 4.000000e+00]>
// CHECK-NOT: IE.Relu
// CHECK: return
func.func @chain_of_constants_folds_in_one_walk() -> tensor<2xf32> {
  %c = IE.Constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %0 = IE.Add %c, %c : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %1 = IE.Relu %0 : tensor<2xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func @op_of_an_argument_stays
// CHECK: IE.Add
func.func @op_of_an_argument_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = IE.Constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %0 = IE.Add %c, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func @fill_folds_up_to_the_bound
// CHECK-NOT: IE.ConstantOfShape
// SMALL-LABEL: func @fill_folds_up_to_the_bound
// SMALL: IE.ConstantOfShape
func.func @fill_folds_up_to_the_bound() -> tensor<3x3xf32> {
  %s = IE.Constant dense<[3, 3]> : tensor<2xi64>
  %0 = "IE.ConstantOfShape"(%s) : (tensor<2xi64>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// A larger one is computed by what reads it.
// CHECK-LABEL: func @mask_folds_up_to_its_bound
// CHECK-NOT: IE.LessOrEqual
// MASK-LABEL: func @mask_folds_up_to_its_bound
// MASK: IE.LessOrEqual {{.*}} -> tensor<3x3xi1>
// MASK-NOT: IE.LessOrEqual
// MASK: return
func.func @mask_folds_up_to_its_bound() -> (tensor<3x3xi1>, tensor<2x3xi1>) {
  %columns = IE.Constant dense<[0, 1, 2]> : tensor<3xi64>
  %rows = IE.Constant dense<[[0], [1], [2]]> : tensor<3x1xi64>
  %two = IE.Constant dense<[[0], [1]]> : tensor<2x1xi64>
  %0 = IE.LessOrEqual %columns, %rows : tensor<3xi64>, tensor<3x1xi64> -> tensor<3x3xi1>
  %1 = IE.LessOrEqual %columns, %two : tensor<3xi64>, tensor<2x1xi64> -> tensor<2x3xi1>
  return %0, %1 : tensor<3x3xi1>, tensor<2x3xi1>
}

// CHECK-LABEL: func @empty_slice_of_an_argument_is_a_constant
// CHECK: %[[E:.*]] = IE.Constant dense<> : tensor<0x3xf32>
// CHECK: return %[[E]]
func.func @empty_slice_of_an_argument_is_a_constant(%x: tensor<2x3xf32>) -> tensor<0x3xf32> {
  %first = IE.Constant dense<5> : tensor<1xi64>
  %end = IE.Constant dense<9> : tensor<1xi64>
  %0 = IE.Slice %x, %first, %end : tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
