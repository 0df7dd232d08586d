// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=2" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies="decide=software min-cycles=8000" --split-input-file | FileCheck %s --check-prefix=ONE

// One core needs no parts.
// ONE-NOT: parts

// A part for each core.
// CHECK-LABEL: @lines_have_a_part_for_each_core
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [2]>, nacre.independent = 0 : i64}
func.func @lines_have_a_part_for_each_core(%x: tensor<64x1024xf32>) -> tensor<64x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  %b = tensor.empty() : tensor<8xf32>
  %y:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a, %room = %b) -> (tensor<64x4xf32>, tensor<8xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %t = tensor.insert %e into %room[%c1] : tensor<8xf32>
    %f = tensor.extract %t[%c1] : tensor<8xf32>
    %o = tensor.insert %f into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o, %t : tensor<64x4xf32>, tensor<8xf32>
  } {nacre.independent = 0 : i64}
  return %y#0 : tensor<64x4xf32>
}

// -----

// CHECK-LABEL: @loops_with_little_to_do_stay
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @loops_with_little_to_do_stay(%x: tensor<64x16xf32>) -> tensor<64x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a) -> (tensor<64x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x16xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o : tensor<64x4xf32>
  } {nacre.independent = 0 : i64}
  return %y : tensor<64x4xf32>
}

// -----

// Of an unknown number of lines, a run finds how many parts are worth it.
// CHECK-LABEL: @lines_of_unknown_number
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = {{[0-9]+}}>, nacre.independent = 0 : i64}
func.func @lines_of_unknown_number(%x: tensor<64x1024xf32>, %u: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u) -> (tensor<?x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<?x4xf32>
    scf.yield %o : tensor<?x4xf32>
  } {nacre.independent = 0 : i64}
  return %z : tensor<?x4xf32>
}

// -----

// So are lines of unknown length, of which each part has room of its own.
// CHECK-LABEL: @lines_of_unknown_number_and_length
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = {{[0-9]+}}>, nacre.independent = 1 : i64}
func.func @lines_of_unknown_number_and_length(%x: tensor<64x1024xf32>, %v: tensor<?x?x4xf32>, %n: index) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.empty(%n) : tensor<?xf32>
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%out = %v, %room = %u) -> (tensor<?x?x4xf32>, tensor<?xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %t = tensor.insert %e into %room[%c1] : tensor<?xf32>
    %o = tensor.insert %e into %out[%c0, %i, %c1] : tensor<?x?x4xf32>
    scf.yield %o, %t : tensor<?x?x4xf32>, tensor<?xf32>
  } {nacre.independent = 1 : i64}
  return %z#0 : tensor<?x?x4xf32>
}

// -----

// Of a known number of lines of unknown length, a run finds whether these are long.
// CHECK-LABEL: @known_number_of_lines_of_unknown_length
// CHECK: } {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = {{[0-9]+}}>, nacre.independent = 0 : i64}
func.func @known_number_of_lines_of_unknown_length(%x: tensor<64x1024xf32>, %u: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %u) -> (tensor<64x?xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x?xf32>
    scf.yield %o : tensor<64x?xf32>
  } {nacre.independent = 0 : i64}
  return %z : tensor<64x?xf32>
}

// -----

// What a loop carries besides has to be room without values.
// CHECK-LABEL: @loops_that_carry_values_stay
// CHECK-NOT: VPU.strategy
// CHECK: return
func.func @loops_that_carry_values_stay(%x: tensor<64x1024xf32>, %b: tensor<8xf32>) -> tensor<64x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  %y:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a, %room = %b) -> (tensor<64x4xf32>, tensor<8xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %t = tensor.insert %e into %room[%c1] : tensor<8xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o, %t : tensor<64x4xf32>, tensor<8xf32>
  } {nacre.independent = 0 : i64}
  return %y#0 : tensor<64x4xf32>
}

// -----

// What a person wrote stands; a loop without iterations for all cores stays.
// CHECK-LABEL: @loop_that_a_person_left_to_one_core
// CHECK: } {VPU.strategy = #VPU.strategy<>, nacre.independent = 0 : i64}
// CHECK: } {nacre.independent = 0 : i64}
func.func @loop_that_a_person_left_to_one_core(%x: tensor<64x1024xf32>) -> (tensor<64x4xf32>, tensor<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x4xf32>
  %b = tensor.empty() : tensor<1x4xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a) -> (tensor<64x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x4xf32>
    scf.yield %o : tensor<64x4xf32>
  } {VPU.strategy = #VPU.strategy<>, nacre.independent = 0 : i64}
  %z = scf.for %i = %c0 to %c1 step %c1 iter_args(%out = %b) -> (tensor<1x4xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<1x4xf32>
    scf.yield %o : tensor<1x4xf32>
  } {nacre.independent = 0 : i64}
  return %y, %z : tensor<64x4xf32>, tensor<1x4xf32>
}

// -----

// Cores that wrote together what a kernel reads are awake: less is worth sharing.
// CHECK-LABEL: @small_kernel_that_reads_what_a_loop_wrote
// CHECK: parts = [2]>
// CHECK: parts = [2, 1]>
func.func @small_kernel_that_reads_what_a_loop_wrote(%x: tensor<64x1024xf32>) -> tensor<64x48xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = tensor.empty() : tensor<64x48xf32>
  %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%out = %a) -> (tensor<64x48xf32>) {
    %e = tensor.extract %x[%i, %c0] : tensor<64x1024xf32>
    %o = tensor.insert %e into %out[%i, %c1] : tensor<64x48xf32>
    scf.yield %o : tensor<64x48xf32>
  } {nacre.independent = 0 : i64}
  %z = linalg.exp ins(%y : tensor<64x48xf32>) outs(%a : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %z : tensor<64x48xf32>
}

// -----

// Of both, a run counts the elements that are read or written, two cycles for each.
// CHECK-LABEL: @rows_of_unknown_number_and_length
// CHECK: grain = 4000>, nacre.independent = 0 : i64}
func.func @rows_of_unknown_number_and_length(%x: tensor<?x?xi8>, %u: tensor<?x?xi8>, %n: index, %m: index) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u) -> (tensor<?x?xi8>) {
    %row = scf.for %j = %c0 to %m step %c1 iter_args(%o = %out) -> (tensor<?x?xi8>) {
      %e = tensor.extract %x[%i, %j] : tensor<?x?xi8>
      %r = tensor.insert %e into %o[%i, %j] : tensor<?x?xi8>
      scf.yield %r : tensor<?x?xi8>
    }
    scf.yield %row : tensor<?x?xi8>
  } {nacre.independent = 0 : i64}
  return %a : tensor<?x?xi8>
}

// -----

// A result of no elements has no parts.
// CHECK-LABEL: @rows_of_no_elements
// CHECK-NOT: parts
func.func @rows_of_no_elements(%u: tensor<?x0xi8>, %e: i8, %n: index) -> tensor<?x0xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u) -> (tensor<?x0xi8>) {
    %row = scf.for %j = %c0 to %c0 step %c1 iter_args(%o = %out) -> (tensor<?x0xi8>) {
      %r = tensor.insert %e into %o[%i, %j] : tensor<?x0xi8>
      scf.yield %r : tensor<?x0xi8>
    }
    scf.yield %row : tensor<?x0xi8>
  } {nacre.independent = 0 : i64}
  return %a : tensor<?x0xi8>
}

// -----

// Slices are moved by vectors, here of 64 bytes, each of which takes two cycles.
// CHECK-LABEL: @rows_that_are_copied_and_filled
// CHECK: grain = 256000>, nacre.independent = 0 : i64}
// CHECK: grain = 64000>, nacre.independent = 0 : i64}
func.func @rows_that_are_copied_and_filled(%x: tensor<?x64xi1>, %u: tensor<?x128xi1>, %y: tensor<?x64xf32>, %v: tensor<?x128xf32>, %n: index) -> (tensor<?x128xi1>, tensor<?x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%out = %u) -> (tensor<?x128xi1>) {
    %s = tensor.extract_slice %out[%i, 0] [1, 64] [1, 1] : tensor<?x128xi1> to tensor<64xi1>
    %f = linalg.fill ins(%false : i1) outs(%s : tensor<64xi1>) -> tensor<64xi1>
    %r = tensor.insert_slice %f into %out[%i, 0] [1, 64] [1, 1] : tensor<64xi1> into tensor<?x128xi1>
    %t = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<?x64xi1> to tensor<64xi1>
    %w = tensor.insert_slice %t into %r[%i, 64] [1, 64] [1, 1] : tensor<64xi1> into tensor<?x128xi1>
    scf.yield %w : tensor<?x128xi1>
  } {nacre.independent = 0 : i64}
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%out = %v) -> (tensor<?x128xf32>) {
    %t = tensor.extract_slice %y[%i, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %w = tensor.insert_slice %t into %out[%i, 64] [1, 64] [1, 1] : tensor<64xf32> into tensor<?x128xf32>
    scf.yield %w : tensor<?x128xf32>
  } {nacre.independent = 0 : i64}
  return %a, %b : tensor<?x128xi1>, tensor<?x128xf32>
}
