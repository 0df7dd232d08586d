// RUN: nacre-opt %s --canonicalize --ie-constant-fold | FileCheck %s

// Casts there and back fold where nothing is lost; constants are converted.

// CHECK-LABEL: func @wider_and_back_folds
// CHECK-SAME: (%[[X:.*]]: tensor<3xf8E4M3FN>, %[[Y:.*]]: tensor<3xi4>)
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @wider_and_back_folds(%x: tensor<3xf8E4M3FN>, %y: tensor<3xi4>)
    -> (tensor<3xf8E4M3FN>, tensor<3xi4>) {
  %0 = IE.Cast %x to f16 : tensor<3xf8E4M3FN> -> tensor<3xf16>
  %1 = IE.Cast %0 to f8E4M3FN : tensor<3xf16> -> tensor<3xf8E4M3FN>
  %2 = IE.Cast %y to i8 : tensor<3xi4> -> tensor<3xi8>
  %3 = IE.Cast %2 to i4 : tensor<3xi8> -> tensor<3xi4>
  return %1, %3 : tensor<3xf8E4M3FN>, tensor<3xi4>
}

// CHECK-LABEL: func @infinity_saturates_on_its_way_back
// CHECK-COUNT-2: IE.Cast
func.func @infinity_saturates_on_its_way_back(%x: tensor<3xf8E5M2>)
    -> tensor<3xf8E5M2> {
  %0 = IE.Cast %x to f32 : tensor<3xf8E5M2> -> tensor<3xf32>
  %1 = IE.Cast %0 to f8E5M2 : tensor<3xf32> -> tensor<3xf8E5M2>
  return %1 : tensor<3xf8E5M2>
}

// CHECK-LABEL: func @narrower_and_back_stays
// CHECK-COUNT-2: IE.Cast
func.func @narrower_and_back_stays(%x: tensor<3xi8>) -> tensor<3xi8> {
  %0 = IE.Cast %x to i4 : tensor<3xi8> -> tensor<3xi4>
  %1 = IE.Cast %0 to i8 : tensor<3xi4> -> tensor<3xi8>
  return %1 : tensor<3xi8>
}

// CHECK-LABEL: func @constants_are_converted
// CHECK-DAG: dense<[-8, 7, -1]> : tensor<3xi4>
// CHECK-DAG: dense<[4.480000e+02, 2.500000e-01, 0.000000e+00]> : tensor<3xf8E4M3FN>
// CHECK-DAG: dense<[-8.000000e+00, 3.000000e+00, -1.000000e+00]> : tensor<3xf32>
func.func @constants_are_converted()
    -> (tensor<3xi4>, tensor<3xf8E4M3FN>, tensor<3xf32>) {
  %x = IE.Constant dense<[-9.0, 100.0, -1.0]> : tensor<3xf32>
  %0 = IE.Cast %x to i4 : tensor<3xf32> -> tensor<3xi4>
  %y = IE.Constant dense<[1000.0, 0.25, 1.0e-9]> : tensor<3xf32>
  %1 = IE.Cast %y to f8E4M3FN : tensor<3xf32> -> tensor<3xf8E4M3FN>
  %z = IE.Constant dense<[-8, 3, -1]> : tensor<3xi4>
  %2 = IE.Cast %z to f32 : tensor<3xi4> -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xi4>, tensor<3xf8E4M3FN>, tensor<3xf32>
}

// CHECK-LABEL: func @scale_folds_where_all_exponents_fit
// CHECK-SAME: (%[[X:.*]]: tensor<3xf8E8M0FNU>)
// CHECK: %[[HALF:.*]] = IE.Cast %[[X]] to f16
// CHECK: %[[BACK:.*]] = IE.Cast %[[HALF]] to f8E8M0FNU
// CHECK: return %[[X]], %[[BACK]]
func.func @scale_folds_where_all_exponents_fit(%x: tensor<3xf8E8M0FNU>)
    -> (tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>) {
  %0 = IE.Cast %x to bf16 : tensor<3xf8E8M0FNU> -> tensor<3xbf16>
  %1 = IE.Cast %0 to f8E8M0FNU : tensor<3xbf16> -> tensor<3xf8E8M0FNU>
  %2 = IE.Cast %x to f16 : tensor<3xf8E8M0FNU> -> tensor<3xf16>
  %3 = IE.Cast %2 to f8E8M0FNU : tensor<3xf16> -> tensor<3xf8E8M0FNU>
  return %1, %3 : tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>
}

// CHECK-LABEL: func @constants_round_as_told
// CHECK-DAG: dense<[4.000000e+00, 1.000000e+00, 0xFF]> : tensor<3xf8E8M0FNU>
// CHECK-DAG: dense<[2.000000e+00, 1.000000e+00, 0xFF]> : tensor<3xf8E8M0FNU>
// CHECK-DAG: dense<[-1, -2, 1]> : tensor<3xi2>
func.func @constants_round_as_told()
    -> (tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>, tensor<3xi2>) {
  %x = IE.Constant dense<[3.0, 1.0, 0x7FC00000]> : tensor<3xf32>
  %0 = IE.Cast %x to f8E8M0FNU {round_mode = "nearest"}
      : tensor<3xf32> -> tensor<3xf8E8M0FNU>
  %1 = IE.Cast %x to f8E8M0FNU {round_mode = "down"}
      : tensor<3xf32> -> tensor<3xf8E8M0FNU>
  %y = IE.Constant dense<[3.0, 2.0, 1.0]> : tensor<3xf32>
  %2 = IE.Cast %y to i2 : tensor<3xf32> -> tensor<3xi2>
  return %0, %1, %2
      : tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU>, tensor<3xi2>
}
