// Constants of every element type, as ONNX stores them.

// RUN: nacre-translate --export-onnx %s -o %t.onnx
// RUN: %python %S/Inputs/print.py %t.onnx | FileCheck %s
// RUN: nacre-translate --import-onnx %t.onnx | FileCheck %s --check-prefix=AGAIN

// The oldest operator set that has all of them.
// CHECK: ir 13, by nacre
// CHECK-NEXT: opset ai.onnx 25

// CHECK-DAG: constant output0: float[2] = 0x0000803f00000040
// AGAIN-DAG: dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: constant output1: float16[1] = 0x003c
// CHECK-DAG: constant output2: bfloat16[1] = 0x803f
// AGAIN-DAG: dense<1.000000e+00> : tensor<1xbf16>
// CHECK-DAG: constant output3: double[0] = 0x{{$}}
// CHECK-DAG: constant output4: int4[3] = 0xf107
// AGAIN-DAG: dense<[1, -1, 7]> : tensor<3xi4>
// CHECK-DAG: constant output5: uint4[2] = 0xf1
// CHECK-DAG: constant output6: int2[5] = 0xe401
// CHECK-DAG: constant output7: uint2[1] = 0x03
// CHECK-DAG: constant output8: float8e4m3fn[1] = 0x38
// AGAIN-DAG: dense<1.000000e+00> : tensor<1xf8E4M3FN>
// CHECK-DAG: constant output9: float8e5m2[1] = 0x3c
// CHECK-DAG: constant output10: float4e2m1[3] = 0x5207
// AGAIN-DAG: dense<[1.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<3xf4E2M1FN>
// CHECK-DAG: constant output11: float8e8m0[1] = 0x80
// CHECK-DAG: constant output12: bool[2] = 0x0100
// CHECK-DAG: constant output13: string[2] = [b'a', b'']
// AGAIN-DAG: dense<["a", ""]> : tensor<2x!IE.String>
// CHECK-DAG: constant output14: complex64[1] = 0x0000803f00000040
// CHECK-DAG: constant output15: uint16[1] = 0xffff
// CHECK-DAG: constant output16: int64[] = 0xffffffffffffffff
func.func @main() -> (tensor<2xf32>, tensor<1xf16>, tensor<1xbf16>,
    tensor<0xf64>, tensor<3xi4>, tensor<2xui4>, tensor<5xi2>, tensor<1xui2>,
    tensor<1xf8E4M3FN>, tensor<1xf8E5M2>, tensor<3xf4E2M1FN>,
    tensor<1xf8E8M0FNU>, tensor<2xi1>, tensor<2x!IE.String>,
    tensor<1xcomplex<f32>>, tensor<1xui16>, tensor<i64>) {
  %0 = IE.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = IE.Constant dense<1.0> : tensor<1xf16>
  %2 = IE.Constant dense<1.0> : tensor<1xbf16>
  %3 = IE.Constant dense<> : tensor<0xf64>
  %4 = IE.Constant dense<[1, -1, 7]> : tensor<3xi4>
  %5 = IE.Constant dense<[1, 15]> : tensor<2xui4>
  %6 = IE.Constant dense<[0, 1, -2, -1, 1]> : tensor<5xi2>
  %7 = IE.Constant dense<3> : tensor<1xui2>
  %8 = IE.Constant dense<1.0> : tensor<1xf8E4M3FN>
  %9 = IE.Constant dense<1.0> : tensor<1xf8E5M2>
  %10 = IE.Constant dense<[1.0, 3.0, 6.0]> : tensor<3xf4E2M1FN>
  %11 = IE.Constant dense<2.0> : tensor<1xf8E8M0FNU>
  %12 = IE.Constant dense<[true, false]> : tensor<2xi1>
  %13 = IE.Constant dense<["a", ""]> : tensor<2x!IE.String>
  %14 = IE.Constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
  %15 = IE.Constant dense<65535> : tensor<1xui16>
  %16 = IE.Constant dense<-1> : tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,
      %16 : tensor<2xf32>, tensor<1xf16>, tensor<1xbf16>, tensor<0xf64>,
      tensor<3xi4>, tensor<2xui4>, tensor<5xi2>, tensor<1xui2>,
      tensor<1xf8E4M3FN>, tensor<1xf8E5M2>, tensor<3xf4E2M1FN>,
      tensor<1xf8E8M0FNU>, tensor<2xi1>, tensor<2x!IE.String>,
      tensor<1xcomplex<f32>>, tensor<1xui16>, tensor<i64>
}
