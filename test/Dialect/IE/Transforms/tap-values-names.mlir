// RUN: nacre-opt %s -ie-tap-values='all-types names=q*' | FileCheck %s
// RUN: nacre-opt %s -ie-tap-values='all-types' | FileCheck %s --check-prefix=ALL
// RUN: nacre-opt %s -ie-tap-values='names=?*a*' | FileCheck %s --check-prefix=FLOATS
// RUN: nacre-opt %s -ie-tap-values='all-types max-bytes=32 group=1' | FileCheck %s --check-prefix=GROUP
// RUN: not nacre-opt %s -ie-tap-values='all-types names=absent' 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not nacre-opt %s -ie-tap-values='all-types names=[z-a' 2>&1 | FileCheck %s --check-prefix=MALFORMED

// Integers with what they stand for, which the op that makes them says, or the
// one that reads them.
// CHECK: values = [
// CHECK-SAME: #nacre.tap<name = "q1", node = "Q", op = "QuantizeLinear", operand = 0, axis = 1, scale = [5.000000e-01], zeroPoint = [3]>
// CHECK-SAME: #nacre.tap<name = "q2", node = "Max", op = "Max", operand = 0, axis = 1, scale = [2.500000e-01], zeroPoint = [0]>]>
// CHECK: func @main
// CHECK-SAME: -> (tensor<2x4xf32>, tensor<2x4xui8> {nacre.name = "q1"}, tensor<2x4xui8> {nacre.name = "q2"})
// CHECK: return {{.*}} : tensor<2x4xf32>, tensor<2x4xui8>, tensor<2x4xui8>

// Arguments have the names of the signature. Values that constants decide are
// values until they are folded.
// ALL: name = "x"
// ALL-SAME: name = "n"
// ALL-SAME: name = "q1"
// ALL-SAME: name = "q2"
// ALL-SAME: name = "size"
// ALL-SAME: name = "flat"
// ALL-SAME: name = "DQ#0"

// FLOATS: values = [#nacre.tap<name = "flat"{{[^>]*}}>]>

// The reshaped values have 32 bytes each, as the shape of the first says, and
// the bytes before them fit the first group.
// GROUP: groups = 5,
// GROUP-SAME: values = [{{[^]]*}}name = "n"
// GROUP-SAME: name = "q1"
// GROUP-SAME: name = "q2"
// GROUP-NOT: name =
// GROUP: func @main
// GROUP-NOT: func

// ABSENT: error: no value is called 'absent'; the model computes 'DQ#0' last
// MALFORMED: error: '[z-a' is no pattern of names:
func.func @main(%x: tensor<2x4xf32> {nacre.name = "x"}, %n: tensor<2xi32> {nacre.name = "n"}) -> tensor<2x4xf32> {
  %s1 = IE.Constant dense<0.5> : tensor<f32>
  %z1 = IE.Constant dense<3> : tensor<ui8>
  %s2 = IE.Constant dense<0.25> : tensor<f32>
  %0 = IE.QuantizeLinear(%x, %s1, %z1) : (tensor<2x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8> loc("Q"(fused<{nacre.values = ["q1"]}>["net":0:0]))
  %1 = IE.Max %0 : tensor<2x4xui8> -> tensor<2x4xui8> loc("Max"(fused<{nacre.values = ["q2"]}>["net":0:0]))
  %size = IE.Shape %x : tensor<2x4xf32> -> tensor<2xi64> loc("Shape"(fused<{nacre.values = ["size"]}>["net":0:0]))
  %flat = IE.Reshape %x, %size : tensor<2x4xf32>, tensor<2xi64> -> tensor<?x?xf32> loc("Reshape"(fused<{nacre.values = ["flat"]}>["net":0:0]))
  %2 = IE.DequantizeLinear(%1, %s2) : (tensor<2x4xui8>, tensor<f32>) -> tensor<2x4xf32> loc("DQ")
  return %2 : tensor<2x4xf32>
}
