// Integers of one scale become those of another in one loop, which keeps no float
// in memory: whatever lies between them only moves or joins them.

// RUN: nacre compile %s --emit=vpu --vpu-arch=znver4 -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: nacre compile %s --emit=vpu --vpu-arch=aarch64 -o %t.mlir && FileCheck %s --input-file=%t.mlir

// CHECK-NOT: tensor<{{[^>]*}}xf32>
// CHECK-COUNT-5: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-NOT: tensor<{{[^>]*}}xf32>

// The second pair is divided, the third and fourth are of 16 bits, and the fifth
// has open sizes and a transposition.
func.func @main(%a: tensor<2x3xui8> {nacre.name = "a"}, %b: tensor<2x3xui8> {nacre.name = "b"}, %c: tensor<2x3xi16> {nacre.name = "c"}, %e: tensor<?x3xi8> {nacre.name = "e"})
    -> (tensor<2x6xi8> {nacre.name = "y"}, tensor<2x3xi8> {nacre.name = "w"}, tensor<2x3xi16> {nacre.name = "v"}, tensor<3x?xui8> {nacre.name = "u"}) {
  %s = IE.Constant dense<0.05> : tensor<f32>
  %z = IE.Constant dense<120> : tensor<ui8>
  %t = IE.Constant dense<0.075> : tensor<f32>
  %u = IE.Constant dense<-7> : tensor<i8>
  %h = IE.Constant dense<0.15> : tensor<f32>
  %o = IE.Constant dense<0> : tensor<i16>
  %0 = IE.DequantizeLinear(%a, %s, %z) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %1 = IE.DequantizeLinear(%b, %h, %z) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x6xf32>
  %3 = IE.QuantizeLinear(%2, %t, %u) : (tensor<2x6xf32>, tensor<f32>, tensor<i8>) -> tensor<2x6xi8>
  %4 = IE.DequantizeLinear(%c, %s, %o) : (tensor<2x3xi16>, tensor<f32>, tensor<i16>) -> tensor<2x3xf32>
  %5 = IE.QuantizeLinear(%4, %t, %u) : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %6 = IE.DequantizeLinear(%c, %h, %o) : (tensor<2x3xi16>, tensor<f32>, tensor<i16>) -> tensor<2x3xf32>
  %7 = IE.QuantizeLinear(%6, %s, %o) : (tensor<2x3xf32>, tensor<f32>, tensor<i16>) -> tensor<2x3xi16>
  %8 = IE.DequantizeLinear(%e, %s, %u) : (tensor<?x3xi8>, tensor<f32>, tensor<i8>) -> tensor<?x3xf32>
  %9 = IE.Transpose %8 {perm = array<i64: 1, 0>} : tensor<?x3xf32> -> tensor<3x?xf32>
  %10 = IE.QuantizeLinear(%9, %t, %z) : (tensor<3x?xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x?xui8>
  return %3, %5, %7, %10 : tensor<2x6xi8>, tensor<2x3xi8>, tensor<2x3xi16>, tensor<3x?xui8>
}
