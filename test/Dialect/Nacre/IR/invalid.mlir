// RUN: nacre-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected an attribute of the nacre dialect, found 'nacre.arena_size'}}
module attributes {nacre.arena_size = 4 : i64} {}

// -----

// A mark of ops, and the list of a module, are two things.
// expected-error @below {{expected 'nacre.has_steps' on ops, found it on builtin.module}}
module attributes {nacre.has_steps} {}

// -----

// expected-error @below {{expected 'nacre.arena_bytes' on modules, found it on func.func}}
func.func private @main() attributes {nacre.arena_bytes = 4 : i64}

// -----

func.func @main(%x: memref<8xi8>, %n: index) {
  // expected-error @below {{expected 'nacre.name' on arguments, results, inputs of an interface, outputs of an interface, found it on memref.view}}
  %view = memref.view %x[%n][] {nacre.name = "view"} : memref<8xi8> to memref<2xf32>
  return
}

// -----

// expected-error @below {{expected 'nacre.state' on arguments, inputs of an interface, found it on result 0}}
func.func private @main() -> (tensor<4xf32> {nacre.state = 0 : i64})

// -----

// expected-error @below {{expected 'nacre.unread' on inputs of an interface, found it on argument 0}}
func.func private @main(tensor<4xf32> {nacre.unread})

// -----

// expected-error @below {{expected 'nacre.name' to have a string, found 1 : i64}}
func.func private @main(tensor<4xf32> {nacre.name = 1})

// -----

// expected-error @below {{expected 'nacre.dims' to have an array of strings, found [1]}}
func.func private @main(tensor<?xf32> {nacre.dims = [1]})

// -----

// expected-error @below {{expected 'nacre.element' to have a type, found "f32"}}
func.func private @main() -> (tensor<?xf32> {nacre.element = "f32"})

// -----

// expected-error @below {{expected an f32 above 0 as scale of integers, found 0.000000e+00 : f32}}
func.func private @main(tensor<4xui8> {nacre.integers = #nacre.integers<scale = 0.0 : f32, zeroPoint = 3>})

// -----

// expected-error @below {{expected 'nacre.integers' to have #nacre.integers, found 5.000000e-01 : f32}}
func.func private @main(tensor<4xui8> {nacre.integers = 0.5 : f32})

// -----

// expected-error @below {{expected 'nacre.state' to have an i64 that is not negative, found -1 : i64}}
func.func private @main(tensor<4xf32> {nacre.state = -1 : i64}) -> tensor<4xf32>

// -----

// expected-error @below {{expected the state of input 0 of the interface to be the number of an output, found 1}}
module attributes {nacre.interface = #nacre.interface<signature = (tensor<4xf32>) -> tensor<4xf32>, inputs = [{nacre.state = 1 : i64}], outputs = [{}]>} {}

// -----

// expected-error @below {{expected one state per output of the interface, found several for output 0}}
module attributes {nacre.interface = #nacre.interface<signature = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, inputs = [{nacre.state = 0 : i64}, {nacre.state = 0 : i64}], outputs = [{}]>} {}

// -----

// expected-error @below {{expected the state of argument 0 to be the number of a result, found 1}}
func.func private @main(tensor<4xf32> {nacre.state = 1 : i64}) -> tensor<4xf32>

// -----

// expected-error @below {{expected one state per result, found several for result 0}}
func.func private @main(tensor<4xf32> {nacre.state = 0 : i64}, tensor<4xf32> {nacre.state = 0 : i64}) -> tensor<4xf32>

// -----

// expected-error @below {{expected 'nacre.role' to have #nacre.role, found "arena"}}
func.func private @main(memref<4xi8> {nacre.role = "arena"})

// -----

// expected-error @below {{expected one argument of the role arena, found arguments 0 and 2}}
func.func private @main(memref<4xi8> {nacre.role = #nacre.role<arena>}, memref<4xf32> {nacre.role = #nacre.role<input>}, memref<4xi8> {nacre.role = #nacre.role<arena>})

// -----

// expected-error @below {{expected one argument of the role weights, found arguments 0 and 1}}
func.func private @main(memref<4xi8> {nacre.role = #nacre.role<weights>}, memref<4xi8> {nacre.role = #nacre.role<weights>})

// -----

// expected-error @below {{expected one argument of the role hooks, found arguments 0 and 1}}
func.func private @main(!llvm.ptr {nacre.role = #nacre.role<hooks>}, !llvm.ptr {nacre.role = #nacre.role<hooks>})

// -----

// expected-error @below {{expected the weights to be a buffer of one dimension of i8, found 'memref<4xf32>'}}
func.func private @main(memref<4xf32> {nacre.role = #nacre.role<weights>})

// -----

// expected-error @below {{expected result 0 to have the role output, found input}}
func.func private @main() -> (tensor<4xf32> {nacre.role = #nacre.role<input>})

// -----

// expected-error @below {{expected 'nacre.weights' to have an array of elements, found [1]}}
module attributes {nacre.weights = [1], nacre.weight_offsets = array<i64: 0>} {}

// -----

// expected-error @below {{expected 'nacre.weight_offsets' to have an array of i64 that ascend, found array<i64: 64, 0>}}
module attributes {nacre.weight_offsets = array<i64: 64, 0>, nacre.weights = [dense<1> : tensor<1xi8>, dense<2> : tensor<1xi8>]} {}

// -----

// expected-error @below {{expected 'nacre.weights' and 'nacre.weight_offsets' of one size}}
module attributes {nacre.weights = [dense<1> : tensor<1xi8>]} {}

// -----

// expected-error @below {{expected 'nacre.arena_bytes' to have an i64 that is not negative, found 4 : i32}}
module attributes {nacre.arena_bytes = 4 : i32} {}

// -----

// expected-error @below {{expected 'nacre.arena_lower_bound' to have an i64 that is not negative, found -4 : i64}}
module attributes {nacre.arena_lower_bound = -4 : i64} {}

// -----

// expected-error @below {{expected 'nacre.memory_limit' to have an i64 that is not negative, found "all"}}
module attributes {nacre.memory_limit = "all"} {}

// -----

// expected-error @below {{expected 'nacre.hooks' to have no value, found true}}
module attributes {nacre.hooks = true} {}

// -----

// expected-error @below {{expected 'nacre.steps' to have an array of #nacre.step, found [{}]}}
module attributes {nacre.steps = [{}]} {}

// -----

// expected-error @below {{expected an offset and a size of each buffer, found 1 numbers}}
module attributes {nacre.steps = [#nacre.step<name = loc("a"), kernel = "a", flops = 0, cycles = 0, predicted = 0, bytes = 0, buffers = [1], shapes = []>]} {}

// -----

// expected-error @below {{expected texts as shapes, found [1]}}
module attributes {nacre.steps = [#nacre.step<name = loc("a"), kernel = "a", flops = 0, cycles = 0, predicted = 0, bytes = 0, buffers = [], shapes = [1]>]} {}

// -----

// expected-error @below {{expected #nacre.step_operand as operands, found [1]}}
module attributes {nacre.steps = [#nacre.step<name = loc("a"), kernel = "a", flops = 0, cycles = 0, predicted = 0, bytes = 0, buffers = [], shapes = [], operands = [1]>]} {}

// -----

// expected-error @below {{expected inputs of the interface to be 1 dictionaries, found []}}
module attributes {nacre.interface = #nacre.interface<signature = (tensor<4xf32>) -> (), inputs = [], outputs = []>} {}

// -----

// expected-error @below {{expected outputs of the interface to be 1 dictionaries, found ["y"]}}
module attributes {nacre.interface = #nacre.interface<signature = () -> tensor<4xf32>, inputs = [], outputs = ["y"]>} {}

// -----

// expected-error @below {{expected 'nacre.name' to have a string, found 1 : i64}}
module attributes {nacre.interface = #nacre.interface<signature = (tensor<4xf32>) -> (), inputs = [{nacre.name = 1}], outputs = []>} {}

// -----

// expected-error @below {{expected 'nacre.role' on arguments, results, found it on the interface}}
module attributes {nacre.interface = #nacre.interface<signature = (tensor<4xf32>) -> (), inputs = [{nacre.role = #nacre.role<input>}], outputs = []>} {}

// -----

// expected-error @below {{expected 'nacre.interface' to have #nacre.interface, found {}}}
module attributes {nacre.interface = {}} {}

// -----

// expected-error @below {{expected #nacre.tap as values, found ["y"]}}
module attributes {nacre.taps = #nacre.taps<graph = "", groups = 1, values = ["y"]>} {}

// -----

// expected-error @below {{expected 'nacre.taps' to have #nacre.taps, found {}}}
module attributes {nacre.taps = {}} {}

// -----

// expected-error @below {{expected 'nacre.keep' to have an array of strings, found "LayerNormalization"}}
module attributes {nacre.keep = "LayerNormalization"} {}

// -----

// expected-error @below {{expected 'nacre.options' to have a dictionary of strings, found {threads = 2 : i64}}}
module attributes {nacre.options = {threads = 2}} {}

// -----

// expected-error @below {{expected 'nacre.metadata' to have an array of strings, keys and values, found ["author"]}}
module attributes {nacre.metadata = ["author"]} {}

// -----

// expected-error @below {{expected 'nacre.repairs' to have an array of #nacre.repair, found [{}]}}
func.func private @main() attributes {nacre.repairs = [{}]}

// -----

func.func @main(%x: memref<8xi8>, %n: index) {
  // expected-error @below {{expected 'nacre.most_bytes' to have an i64 that is not negative, found "8"}}
  %view = memref.view %x[%n][] {nacre.most_bytes = "8"} : memref<8xi8> to memref<2xf32>
  return
}

// -----

func.func @main(%x: memref<8xi8>) {
  // expected-error @below {{expected 'nacre.rescaled' to have #nacre.rescaling, found 2.000000e+00 : f64}}
  %y = memref.cast %x {nacre.rescaled = 2.0} : memref<8xi8> to memref<?xi8>
  return
}

// -----

func.func @main(%x: memref<8xi8>) {
  // expected-error @below {{expected 'nacre.implicit' to have no value, found "yes"}}
  %y = memref.cast %x {nacre.implicit = "yes"} : memref<8xi8> to memref<?xi8>
  return
}

// -----

func.func @main(%n: index) {
  // expected-error @below {{expected 'nacre.has_steps' to have no value, found []}}
  scf.for %i = %n to %n step %n {
  } {nacre.has_steps = []}
  return
}

// -----

func.func @main(%n: index) {
  // expected-error @below {{expected 'nacre.keeps_sizes' to have no value, found []}}
  scf.for %i = %n to %n step %n {
  } {nacre.keeps_sizes = []}
  return
}

// -----

func.func @main(%n: index) {
  // expected-error @below {{expected 'nacre.independent' to have an i64 that is not negative, found -1 : i64}}
  scf.for %i = %n to %n step %n {
  } {nacre.independent = -1 : i64}
  return
}
