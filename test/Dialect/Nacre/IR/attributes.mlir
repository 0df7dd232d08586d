// RUN: nacre-opt %s | nacre-opt | FileCheck %s

// Every attribute, where it belongs.
// CHECK: module attributes {
// CHECK-SAME: nacre.arena_bytes = 256 : i64
// CHECK-SAME: nacre.arena_lower_bound = 192 : i64
// CHECK-SAME: nacre.hooks
// CHECK-SAME: nacre.interface = #nacre.interface<signature = (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>), inputs = [{nacre.dims = ["n", ""], nacre.element = f32, nacre.name = "x"}, {nacre.state = 1 : i64, nacre.unread}], outputs = [{nacre.name = "y"}, {}]>
// CHECK-SAME: nacre.keep = ["LayerNormalization"]
// CHECK-SAME: nacre.memory_limit = 4096 : i64
// CHECK-SAME: nacre.metadata = ["author", "me"]
// CHECK-SAME: nacre.options = {threads = "2"}
// CHECK-SAME: nacre.steps = [
// CHECK-SAME: #nacre.step<name = #[[LOC:.*]], kernel = "add", flops = 8, cycles = 1, predicted = 4, bytes = 64, buffers = [64, 32], shapes = ["8xf32"]>
// CHECK-SAME: #nacre.step<name = #[[LOC]], kernel = "none", flops = 0, cycles = 0, predicted = 0, bytes = 0, buffers = [], shapes = [], operands = [
// CHECK-SAME: #nacre.step_operand<element = f32, shape = [8], strides = [1], roles = 9, argument = 0 : i64>
// CHECK-SAME: #nacre.step_operand<element = i8, shape = [], strides = [], roles = 2, offset = 64 : i64>]>]
// CHECK-SAME: nacre.taps = #nacre.taps<graph = "5ad1", groups = 2, values = [
// CHECK-SAME: #nacre.tap<name = "y", node = "Relu_1", op = "Relu", operand = 0, axis = -1>
// CHECK-SAME: #nacre.tap<name = "q", node = "", op = "", operand = 1, axis = 1, scale = [5.000000e-01], zeroPoint = [3]>]>
// CHECK-SAME: nacre.weight_offsets = array<i64: 0>
// CHECK-SAME: nacre.weights = [dense<5> : tensor<3xi8>]
module attributes {
    nacre.arena_bytes = 256 : i64, nacre.arena_lower_bound = 192 : i64, nacre.hooks,
    nacre.interface = #nacre.interface<
      signature = (tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>),
      inputs = [{nacre.dims = ["n", ""], nacre.element = f32, nacre.name = "x"}, {nacre.state = 1 : i64, nacre.unread}],
      outputs = [{nacre.name = "y"}, {}]>,
    nacre.keep = ["LayerNormalization"], nacre.memory_limit = 4096 : i64,
    nacre.metadata = ["author", "me"], nacre.options = {threads = "2"},
    nacre.steps = [
      #nacre.step<name = loc("Add_1"), kernel = "add", flops = 8, cycles = 1, predicted = 4,
                  bytes = 64, buffers = [64, 32], shapes = ["8xf32"]>,
      #nacre.step<name = loc("Add_1"), kernel = "none", flops = 0, cycles = 0, predicted = 0,
                  bytes = 0, buffers = [], shapes = [], operands = [
        #nacre.step_operand<element = f32, shape = [8], strides = [1], roles = 9, argument = 0 : i64>,
        #nacre.step_operand<element = i8, shape = [], strides = [], roles = 2, offset = 64 : i64>]>],
    nacre.taps = #nacre.taps<graph = "5ad1", groups = 2, values = [
      #nacre.tap<name = "y", node = "Relu_1", op = "Relu", operand = 0, axis = -1>,
      #nacre.tap<name = "q", node = "", op = "", operand = 1, axis = 1, scale = [0.5], zeroPoint = [3]>]>,
    nacre.weight_offsets = array<i64: 0>, nacre.weights = [dense<5> : tensor<3xi8>]} {

// CHECK: func.func @main(
// CHECK-SAME: memref<8xf32> {nacre.name = "x", nacre.role = #nacre.role<input>}
// CHECK-SAME: memref<8xf32> {nacre.role = #nacre.role<state>}
// CHECK-SAME: memref<8xf32> {nacre.role = #nacre.role<output>}
// CHECK-SAME: !llvm.ptr {nacre.role = #nacre.role<hooks>}
// CHECK-SAME: memref<256xi8> {nacre.role = #nacre.role<arena>}
// CHECK-SAME: memref<3xi8> {nacre.role = #nacre.role<weights>}
// CHECK-SAME: -> (!rt.value {nacre.dims = ["n"], nacre.element = ui8, nacre.integers = #nacre.integers<scale = 5.000000e-01 : f32, zeroPoint = 3>, nacre.name = "z", nacre.role = #nacre.role<output>})
// CHECK-SAME: attributes {nacre.repairs = [#nacre.repair<kind = "equalize", value = "y", node = "Conv_1", decibels = 3.500000e+00 : f64>]}
func.func @main(%x: memref<8xf32> {nacre.name = "x", nacre.role = #nacre.role<input>},
                %s: memref<8xf32> {nacre.role = #nacre.role<state>},
                %y: memref<8xf32> {nacre.role = #nacre.role<output>},
                %hooks: !llvm.ptr {nacre.role = #nacre.role<hooks>},
                %arena: memref<256xi8> {nacre.role = #nacre.role<arena>},
                %weights: memref<3xi8> {nacre.role = #nacre.role<weights>})
    -> (!rt.value {nacre.name = "z", nacre.dims = ["n"], nacre.element = ui8, nacre.role = #nacre.role<output>,
        nacre.integers = #nacre.integers<scale = 0.5 : f32, zeroPoint = 3>})
    attributes {nacre.repairs = [#nacre.repair<kind = "equalize", value = "y", node = "Conv_1", decibels = 3.5 : f64>]} {
  %c0 = arith.constant 0 : index
  // CHECK: memref.view {{.*}} {nacre.most_bytes = 32 : i64}
  %view = memref.view %arena[%c0][%c0] {nacre.most_bytes = 32 : i64} : memref<256xi8> to memref<?xf32>
  // CHECK: nacre.has_steps, nacre.independent = 1 : i64, nacre.keeps_sizes
  scf.for %i = %c0 to %c0 step %c0 {
  } {nacre.has_steps, nacre.independent = 1 : i64, nacre.keeps_sizes}
  // CHECK: nacre.implicit
  // CHECK-SAME: nacre.rescaled = #nacre.rescaling<was = "y", name = "y/rescaled", of = "y", factors = [2.000000e+00, 5.000000e-01]>
  %r = memref.cast %x {nacre.implicit, nacre.rescaled = #nacre.rescaling<was = "y", name = "y/rescaled", of = "y", factors = [2.0, 0.5]>} : memref<8xf32> to memref<?xf32>
  %z = rt.sequence_empty
  return %z : !rt.value
}
}
