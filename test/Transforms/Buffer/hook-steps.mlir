// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 -hook-steps -split-input-file -verify-diagnostics | FileCheck %s

// Steps are kernels and loops over them, not calls of the runtime. Each buffer
// says what is done with it, and what it is: 1 is read, 2 written, 4 a constant,
// 8 an input, 16 an output.
// CHECK: module attributes {{{.*}}nacre.hooks,{{.*}} nacre.steps = [
// CHECK-SAME: #nacre.step<name = {{[^,]*}}, kernel = "add", flops = {{[^]]*}}], shapes = [{{[^]]*}}], operands = [
// CHECK-SAME: #nacre.step_operand<element = f32, shape = [8], strides = [1], roles = 9, argument = 0 : i64>,
// CHECK-SAME: #nacre.step_operand<element = f32, shape = [8], strides = [1], roles = 2, offset = 64 : i64>]>,
// CHECK-SAME: #nacre.step<name = {{[^,]*}}, kernel = "add", flops = {{[^]]*}}], shapes = [{{[^]]*}}], operands = [
// CHECK-SAME: roles = 5, offset = 0 : i64>,
// CHECK-SAME: roles = 18, argument = 0 : i64>]>]}

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<8xf32> {nacre.role = #nacre.role<input>}, %[[Y:[a-z0-9]*]]: memref<8xf32> {nacre.role = #nacre.role<output>}, %[[HOOKS:[a-z0-9]*]]: !llvm.ptr {nacre.role = #nacre.role<hooks>}, %{{[a-z0-9]*}}: memref<256xi8> {nacre.role = #nacre.role<arena>}, %[[WEIGHTS:[a-z0-9]*]]: memref<32xi8> {nacre.role = #nacre.role<weights>})
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[ON:.*]] = llvm.icmp "ne" %[[HOOKS]], %[[NULL]]
// CHECK: scf.if %[[ON]] {
// CHECK-NEXT: %[[BEFORE:.*]] = arith.constant 1 : i64
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[POINTER:.*]] = llvm.inttoptr
// CHECK: memref.extract_aligned_pointer_as_index %[[VIEW:[a-z0-9_]+]]
// CHECK: llvm.inttoptr
// CHECK-NEXT: call @hook_step_0(%[[HOOKS]], %[[BEFORE]], %[[POINTER]], %{{[0-9]+}}) : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: call @add(%[[X]], %[[VIEW]])
// What precedes the next step is also what follows this one: one comparison.
// CHECK-NEXT: memref.view %[[WEIGHTS]]
// CHECK-NEXT: scf.if %[[ON]] {
// CHECK-NEXT: arith.constant 2 : i64
// CHECK: call @hook_step_0
// CHECK-NEXT: arith.constant 1 : i64
// CHECK: call @hook_step_1
// CHECK-NEXT: }
// CHECK-NEXT: scf.forall
// CHECK-NEXT: call @add
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %[[ON]] {
// CHECK-NEXT: arith.constant 2 : i64
// CHECK: call @hook_step_1
// CHECK-NEXT: }
// CHECK-NEXT: call @runtime
// CHECK-NEXT: return

// The hook, if there is one, gets the user's pointer first.
// CHECK: func.func private @call_hook(%[[H:.*]]: !llvm.ptr, %[[FIELD:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {{{.*}}passthrough = ["noinline", "cold"]}
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[H]][%[[FIELD]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
// CHECK: %[[HOOK:.*]] = llvm.load %[[PLACE]]
// CHECK: scf.if
// CHECK: %[[USER:.*]] = llvm.load %[[H]]
// CHECK: llvm.call %[[HOOK]](%[[USER]],
// CHECK: func.func private @hook_step_0(%[[H:.*]]: !llvm.ptr, %[[FIELD:.*]]: i64, %[[FIRST:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[POINTERS:.*]] = llvm.alloca %[[COUNT]] x !llvm.ptr
// CHECK: llvm.store %[[FIRST]]
// CHECK: llvm.mlir.constant(32 : i64)
// CHECK: llvm.mlir.constant(9 : i8)
// CHECK: call @call_hook(%[[H]], %[[FIELD]], %{{.*}}, %[[COUNT]], %[[POINTERS]],
module {
func.func @main(%x: memref<8xf32> {nacre.role = #nacre.role<input>}, %y: memref<8xf32> {nacre.role = #nacre.role<output>},
                %arena: memref<256xi8> {nacre.role = #nacre.role<arena>}, %weights: memref<32xi8> {nacre.role = #nacre.role<weights>}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %view = memref.view %arena[%c64][] : memref<256xi8> to memref<8xf32>
  func.call @add(%x, %view) : (memref<8xf32>, memref<8xf32>) -> ()
  %w = memref.view %weights[%c0][] : memref<32xi8> to memref<8xf32>
  scf.forall (%i) in (2) {
    func.call @add(%w, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  }
  func.call @runtime() : () -> ()
  return
}

func.func private @runtime()

func.func private @add(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}
}

// -----

// A buffer that goes away before the next step is looked at before. It is
// neither in the arena nor the caller's, and its size is known when it is there.
// CHECK: operands = [#nacre.step_operand<element = f32, shape = [-9223372036854775808], strides = [1], roles = 2>]
// CHECK-LABEL: func.func @main
// CHECK: call @fill
// CHECK-NEXT: scf.if
// CHECK: call @hook_step_0
// CHECK: memref.dealloc
// CHECK-NEXT: scf.if
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: call @hook_step_1
// CHECK: func.func private @hook_step_0(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %[[P:.*]]: !llvm.ptr, %[[BYTES:.*]]: i64)
// CHECK: llvm.store %[[BYTES]]
func.func @main(%n: index, %arena: memref<0xi8> {nacre.role = #nacre.role<arena>}) {
  %buffer = memref.alloc(%n) : memref<?xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %buffer : memref<?xf32> -> memref<f32>, index, index, index
  func.call @fill(%base, %size) : (memref<f32>, index) -> ()
  memref.dealloc %buffer : memref<?xf32>
  func.call @nothing() : () -> ()
  return
}

func.func private @fill(%base: memref<f32>, %size: index) {
  %whole = memref.reinterpret_cast %base to offset: [0], sizes: [%size], strides: [1] : memref<f32> to memref<?xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%whole : memref<?xf32>)
  return
}

func.func private @nothing() {
  return
}

// -----

// expected-error @below {{expected a function main of one block}}
module {
}

// -----

// expected-error @below {{expected an argument of the role arena; run plan-memory first}}
func.func @main() {
  return
}
