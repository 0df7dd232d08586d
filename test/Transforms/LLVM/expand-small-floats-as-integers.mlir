// RUN: nacre-opt %s -expand-small-floats | FileCheck %s
// RUN: nacre-opt %s --vpu-arch=sapphirerapids -expand-small-floats | \
// RUN:   FileCheck %s --check-prefix=INSTRUCTIONS

// What the caller sees is still of bf16.
// CHECK: module attributes {test.type = bf16}
module attributes {test.type = bf16} {

// CHECK: memref.global {{.*}}@weights : memref<2xi16> = dense<[16256, 16384]>
// INSTRUCTIONS: memref.global {{.*}}@weights : memref<2xbf16> = dense<[1.0{{.*}}, 2.0{{.*}}]>
memref.global "private" constant @weights : memref<2xbf16> = dense<[1.0, 2.0]>

// CHECK-LABEL: func.func @bfloat16_that_is_moved_is_integers(
// CHECK-SAME: %{{.*}}: i16, %{{.*}}: i1, %{{.*}}: memref<8xi16>
// CHECK-SAME: attributes {test.type = bf16}
// CHECK: arith.constant 16256 : i16
// CHECK: memref.get_global @weights : memref<2xi16>
// CHECK: vector.load %{{.*}} : memref<8xi16>, vector<4xi16>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i16)
// CHECK: vector.store %{{.*}} : memref<8xi16>, vector<4xi16>
// CHECK-NOT: bf16
// CHECK-LABEL: func.func @no_bitcast_is_left_of_conversions
func.func @bfloat16_that_is_moved_is_integers(%x: bf16, %c: i1, %p: memref<8xbf16>)
    attributes {test.type = bf16} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %number = arith.constant 1.0 : bf16
  %chosen = arith.select %c, %x, %number : bf16
  %w = memref.get_global @weights : memref<2xbf16>
  %vector = vector.load %p[%zero] : memref<8xbf16>, vector<4xbf16>
  %carried = scf.for %i = %zero to %one step %one iter_args(%last = %chosen) -> bf16 {
    %next = memref.load %w[%i] : memref<2xbf16>
    memref.store %last, %p[%i] : memref<8xbf16>
    scf.yield %next : bf16
  }
  memref.store %carried, %p[%one] : memref<8xbf16>
  vector.store %vector, %p[%zero] : memref<8xbf16>, vector<4xbf16>
  return
}

// CHECK-NOT: i16 to i16
// CHECK: return %{{.*}} : f32
// INSTRUCTIONS-LABEL: func.func @no_bitcast_is_left_of_conversions
// INSTRUCTIONS: arith.extf %{{.*}} : bf16 to f32
func.func @no_bitcast_is_left_of_conversions(%x: bf16) -> f32 {
  %y = arith.extf %x : bf16 to f32
  return %y : f32
}

// CHECK-LABEL: func.func @other_floats_stay
// CHECK: arith.constant 1.000000e+00 : f16
func.func @other_floats_stay() -> f16 {
  %one = arith.constant 1.0 : f16
  return %one : f16
}

// CHECK-LABEL: func.func private @declared(memref<4xi16>)
func.func private @declared(memref<4xbf16>)
}
