// RUN: nacre-opt %s --ie-raise --split-input-file | FileCheck %s

// Max and Min give NaN for NaN, as Clip and LeakyRelu do.

// CHECK-LABEL: func @min_of_max_is_a_clip
// CHECK-DAG: %[[LOW:.*]] = IE.Constant dense<-1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[HIGH:.*]] = IE.Constant dense<6.000000e+00> : tensor<f32>
// CHECK: %[[Y:.*]] = IE.Clip %arg0 min(%[[LOW]]{{.*}}) max(%[[HIGH]]
// CHECK-NEXT: return %[[Y]]
func.func @min_of_max_is_a_clip(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %low = IE.Constant dense<-1.0> : tensor<1xf32>
  %high = IE.Constant dense<6.0> : tensor<8xf32>
  %0 = IE.Max %low, %x : tensor<1xf32>, tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.Min %0, %high : tensor<2x8xf32>, tensor<8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @max_with_zero_is_a_relu
// CHECK: %[[Y:.*]] = IE.Relu %arg0 : tensor<?x8xf64>
// CHECK-NEXT: return %[[Y]]
func.func @max_with_zero_is_a_relu(%x: tensor<?x8xf64>) -> tensor<?x8xf64> {
  %zero = IE.Constant dense<0.0> : tensor<f64>
  %0 = IE.Max %x, %zero : tensor<?x8xf64>, tensor<f64> -> tensor<?x8xf64>
  return %0 : tensor<?x8xf64>
}

// -----

// Max with the lower limit counts last: where they cross it is the result.

// CHECK-LABEL: func @crossing_limits_are_one_number
// CHECK-DAG: %[[LOW:.*]] = IE.Constant dense<3.000000e+00> : tensor<f32>
// CHECK: IE.Clip %arg0 min(%[[LOW]]{{.*}}) max(%[[LOW]]
func.func @crossing_limits_are_one_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %low = IE.Constant dense<3.0> : tensor<f32>
  %high = IE.Constant dense<1.0> : tensor<f32>
  %0 = IE.Min %x, %high : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %1 = IE.Max %0, %low : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A value in between that others use stays for them.

// CHECK-LABEL: func @shared_half_of_a_clip
// CHECK-DAG: %[[RELU:.*]] = IE.Relu %arg0
// CHECK-DAG: %[[CLIP:.*]] = IE.Clip %arg0 min
// CHECK: return %[[RELU]], %[[CLIP]]
func.func @shared_half_of_a_clip(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %0 = IE.Max %x, %zero : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %1 = IE.Min %0, %six : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Different limits for columns, a limit that broadcasts, no number, infinity,
// three operands, integers, and a limit that a run gives.

// CHECK-LABEL: func @other_extrema_stay
// CHECK-COUNT-7: IE.Max
func.func @other_extrema_stay(%x: tensor<1x2xf32>, %i: tensor<2xi32>, %y: tensor<f32>)
    -> (tensor<1x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2xi32>, tensor<1x2xf32>) {
  %columns = IE.Constant dense<[0.0, 1.0]> : tensor<2xf32>
  %rows = IE.Constant dense<0.0> : tensor<3x1xf32>
  %nan = IE.Constant dense<0x7FC00000> : tensor<f32>
  %inf = IE.Constant dense<0xFF800000> : tensor<f32>
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %int = IE.Constant dense<0> : tensor<i32>
  %0 = IE.Max %x, %columns : tensor<1x2xf32>, tensor<2xf32> -> tensor<1x2xf32>
  %1 = IE.Max %x, %rows : tensor<1x2xf32>, tensor<3x1xf32> -> tensor<3x2xf32>
  %2 = IE.Max %x, %nan : tensor<1x2xf32>, tensor<f32> -> tensor<1x2xf32>
  %3 = IE.Max %x, %inf : tensor<1x2xf32>, tensor<f32> -> tensor<1x2xf32>
  %4 = IE.Max %x, %zero, %y : tensor<1x2xf32>, tensor<f32>, tensor<f32> -> tensor<1x2xf32>
  %5 = IE.Max %i, %int : tensor<2xi32>, tensor<i32> -> tensor<2xi32>
  %6 = IE.Max %x, %y : tensor<1x2xf32>, tensor<f32> -> tensor<1x2xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2xi32>, tensor<1x2xf32>
}

// -----

// No comparison holds for NaN: x, which is NaN then, is selected.

// CHECK-LABEL: func @selection_of_a_limit_is_a_clip
// CHECK-DAG: %[[LOW:.*]] = IE.Constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[HIGH:.*]] = IE.Constant dense<5.000000e+00> : tensor<f32>
// CHECK: %[[Y:.*]] = IE.Clip %arg0 min(%[[LOW]]{{.*}}) max(%[[HIGH]]
// CHECK-NEXT: return %[[Y]]
func.func @selection_of_a_limit_is_a_clip(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %low = IE.Constant dense<2.0> : tensor<f32>
  %high = IE.Constant dense<5.0> : tensor<f32>
  %0 = IE.Less %x, %low : tensor<?x4xf32>, tensor<f32> -> tensor<?x4xi1>
  %1 = IE.Where %0, %low, %x : tensor<?x4xi1>, tensor<f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = IE.LessOrEqual %high, %1 : tensor<f32>, tensor<?x4xf32> -> tensor<?x4xi1>
  %3 = IE.Where %2, %high, %1 : tensor<?x4xi1>, tensor<f32>, tensor<?x4xf32> -> tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// -----

// The other way round NaN gives 0, which no rectifier does.

// CHECK-LABEL: func @selection_of_zero_for_nan_stays
// CHECK: IE.Where
// CHECK: IE.Where
func.func @selection_of_zero_for_nan_stays(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %0 = IE.Greater %x, %zero : tensor<4xf32>, tensor<f32> -> tensor<4xi1>
  %1 = IE.Where %0, %x, %zero : tensor<4xi1>, tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %tenth = IE.Constant dense<0.1> : tensor<f32>
  %2 = IE.Mul %x, %tenth : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %3 = IE.Less %x, %tenth : tensor<4xf32>, tensor<f32> -> tensor<4xi1>
  %4 = IE.Where %3, %2, %x : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %1, %4 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @leaky_forms
// CHECK: %[[A:.*]] = IE.LeakyRelu %arg0 {alpha = 2.500000e-01 : f32}
// CHECK: %[[B:.*]] = IE.LeakyRelu %arg0 {alpha = -2.000000e+00 : f32}
// CHECK: %[[C:.*]] = IE.LeakyRelu %arg0 {alpha = 5.000000e-01 : f32}
// CHECK: %[[D:.*]] = IE.LeakyRelu %arg0 {alpha = 7.500000e-01 : f32}
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @leaky_forms(%x: tensor<1x2x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %quarter = IE.Constant dense<0.25> : tensor<f32>
  %two = IE.Constant dense<-2.0> : tensor<1xf32>
  %half = IE.Constant dense<0.5> : tensor<f32>
  %slopes = IE.Constant dense<[[0.75], [0.75]]> : tensor<2x1xf32>
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %0 = IE.Mul %x, %quarter : tensor<1x2x4xf32>, tensor<f32> -> tensor<1x2x4xf32>
  %1 = IE.Max %0, %x : tensor<1x2x4xf32>, tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  %2 = IE.Mul %two, %x : tensor<1xf32>, tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  %3 = IE.Greater %x, %zero : tensor<1x2x4xf32>, tensor<f32> -> tensor<1x2x4xi1>
  %4 = IE.Where %3, %x, %2 : tensor<1x2x4xi1>, tensor<1x2x4xf32>, tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  %5 = IE.Mul %x, %half : tensor<1x2x4xf32>, tensor<f32> -> tensor<1x2x4xf32>
  %6 = IE.Less %x, %zero : tensor<1x2x4xf32>, tensor<f32> -> tensor<1x2x4xi1>
  %7 = IE.Where %6, %5, %x : tensor<1x2x4xi1>, tensor<1x2x4xf32>, tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  %8 = IE.PRelu %x, %slopes : tensor<1x2x4xf32>, tensor<2x1xf32> -> tensor<1x2x4xf32>
  return %1, %4, %7, %8 : tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// Infinity times zero is NaN, above 1 the larger of both is another; slopes of
// channels; and a slope of f64 that no attribute holds.

// CHECK-LABEL: func @other_slopes_stay
// CHECK-COUNT-2: IE.Max
// CHECK: IE.PRelu
// CHECK: IE.Max
func.func @other_slopes_stay(%x: tensor<2x4xf32>, %y: tensor<4xf64>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf64>) {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %two = IE.Constant dense<2.0> : tensor<f32>
  %slopes = IE.Constant dense<[[0.75], [0.5]]> : tensor<2x1xf32>
  %tenth = IE.Constant dense<0.1> : tensor<f64>
  %0 = IE.Mul %x, %zero : tensor<2x4xf32>, tensor<f32> -> tensor<2x4xf32>
  %1 = IE.Max %x, %0 : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  %2 = IE.Mul %x, %two : tensor<2x4xf32>, tensor<f32> -> tensor<2x4xf32>
  %3 = IE.Max %x, %2 : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  %4 = IE.PRelu %x, %slopes : tensor<2x4xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
  %5 = IE.Mul %y, %tenth : tensor<4xf64>, tensor<f64> -> tensor<4xf64>
  %6 = IE.Max %y, %5 : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  return %1, %3, %4, %6 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf64>
}

// -----

// A limit that is raised is a part of an activation.

// CHECK-LABEL: func @hard_swish_of_min_and_max
// CHECK-NEXT: %[[Y:.*]] = IE.HardSwish %arg0
// CHECK-NEXT: return %[[Y]]
func.func @hard_swish_of_min_and_max(%x: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %zero = IE.Constant dense<0.0> : tensor<f32>
  %three = IE.Constant dense<3.0> : tensor<f32>
  %six = IE.Constant dense<6.0> : tensor<f32>
  %sixth = IE.Constant dense<0.16666667> : tensor<f32>
  %0 = IE.Add %x, %three : tensor<1x8x4x4xf32>, tensor<f32> -> tensor<1x8x4x4xf32>
  %1 = IE.Max %0, %zero : tensor<1x8x4x4xf32>, tensor<f32> -> tensor<1x8x4x4xf32>
  %2 = IE.Min %1, %six : tensor<1x8x4x4xf32>, tensor<f32> -> tensor<1x8x4x4xf32>
  %3 = IE.Mul %2, %sixth : tensor<1x8x4x4xf32>, tensor<f32> -> tensor<1x8x4x4xf32>
  %4 = IE.Mul %x, %3 : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32> -> tensor<1x8x4x4xf32>
  return %4 : tensor<1x8x4x4xf32>
}

// -----

// CHECK-LABEL: func @softmax_of_its_parts
// CHECK-NEXT: %[[Y:.*]] = IE.Softmax(%arg0) {axis = 1 : i64} : (tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @softmax_of_its_parts(%x: tensor<?x8x4xf32>) -> tensor<?x8x4xf32> {
  %axis = IE.Constant dense<1> : tensor<1xi64>
  %same = IE.Constant dense<-2> : tensor<1xi64>
  %0 = IE.ReduceMax(%x, %axis) : (tensor<?x8x4xf32>, tensor<1xi64>) -> tensor<?x1x4xf32>
  %1 = IE.Sub %x, %0 : tensor<?x8x4xf32>, tensor<?x1x4xf32> -> tensor<?x8x4xf32>
  %2 = IE.Exp %1 : tensor<?x8x4xf32> -> tensor<?x8x4xf32>
  %3 = IE.ReduceSum(%2, %same) : (tensor<?x8x4xf32>, tensor<1xi64>) -> tensor<?x1x4xf32>
  %4 = IE.Div %2, %3 : tensor<?x8x4xf32>, tensor<?x1x4xf32> -> tensor<?x8x4xf32>
  return %4 : tensor<?x8x4xf32>
}

// -----

// Softmax would need a pass more, and gives numbers where this overflows.

// CHECK-LABEL: func @softmax_without_its_maximum_stays
// CHECK-NOT: IE.Softmax
func.func @softmax_without_its_maximum_stays(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %axis = IE.Constant dense<1> : tensor<1xi64>
  %0 = IE.Exp %x : tensor<2x8xf32> -> tensor<2x8xf32>
  %1 = IE.ReduceSum(%0, %axis) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %2 = IE.Div %0, %1 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// -----

// Exponentials that others use, and two axes.

// CHECK-LABEL: func @other_softmaxes_stay
// CHECK-NOT: IE.Softmax
func.func @other_softmaxes_stay(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) {
  %axis = IE.Constant dense<1> : tensor<1xi64>
  %axes = IE.Constant dense<[0, 1]> : tensor<2xi64>
  %0 = IE.ReduceMax(%x, %axis) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %1 = IE.Sub %x, %0 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %2 = IE.Exp %1 : tensor<2x8xf32> -> tensor<2x8xf32>
  %3 = IE.ReduceSum(%2, %axis) : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  %4 = IE.Div %2, %3 : tensor<2x8xf32>, tensor<2x1xf32> -> tensor<2x8xf32>
  %5 = IE.ReduceMax(%x, %axes) : (tensor<2x8xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  %6 = IE.Sub %x, %5 : tensor<2x8xf32>, tensor<1x1xf32> -> tensor<2x8xf32>
  %7 = IE.Exp %6 : tensor<2x8xf32> -> tensor<2x8xf32>
  %8 = IE.ReduceSum(%7, %axes) : (tensor<2x8xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  %9 = IE.Div %7, %8 : tensor<2x8xf32>, tensor<1x1xf32> -> tensor<2x8xf32>
  return %2, %4, %9 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
}
