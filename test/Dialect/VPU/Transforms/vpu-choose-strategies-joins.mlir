// What strategy is chosen, not what becomes of it; the same on all machines.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=joins --vpu-verify-strategies=decided=joins --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=aarch64 threads=1" --vpu-choose-strategies=decide=joins --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=joins --split-input-file | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#box = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#plane = affine_map<(d0, d1, d2) -> (d0, d1)>

// What is between them keeps them apart no more than dimensions of one element.
// CHECK-LABEL: func @exponentials_are_summed_as_they_are_computed
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}}{VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>}
func.func @exponentials_are_summed_as_they_are_computed(%x: memref<4x4096xf32> {llvm.noalias}, %m: memref<4x1xf32> {llvm.noalias}, %e: memref<4x4096xf32> {llvm.noalias}, %s: memref<4x1xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %m : memref<4x4096xf32>, memref<4x1xf32>) outs(%e : memref<4x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  }
  %view = memref.expand_shape %e [[0, 1], [2]] output_shape [4, 1, 4096] : memref<4x4096xf32> into memref<4x1x4096xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4x1xf32>)
  linalg.generic {indexing_maps = [#box, #plane], iterator_types = ["parallel", "parallel", "reduction"]} ins(%view : memref<4x1x4096xf32>) outs(%s : memref<4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @short_rows_stay_apart
// CHECK-NOT: joinStored
func.func @short_rows_stay_apart(%x: memref<64x100xf32> {llvm.noalias}, %e: memref<64x100xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x100xf32>) outs(%e : memref<64x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x100xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @total_that_may_be_an_input_stays_apart
// CHECK-NOT: joinStored
func.func @total_that_may_be_an_input_stays_apart(%x: memref<64x4096xf32>, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @input_that_is_written_in_between_keeps_them_apart
// CHECK-NOT: joinStored
func.func @input_that_is_written_in_between_keeps_them_apart(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.fill ins(%zero : f32) outs(%x : memref<64x4096xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @sum_of_columns_stays_apart
// CHECK-NOT: joinStored
func.func @sum_of_columns_stays_apart(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<4096xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A loop with it would not be vectorised.
// CHECK-LABEL: func @total_that_is_scaled_at_each_step_stays_apart
// CHECK-NOT: joinStored
func.func @total_that_is_scaled_at_each_step_stays_apart(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %h = arith.mulf %o, %a : f32
    %t = arith.addf %h, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @rows_of_dynamic_length_are_joined
// CHECK: joinStored = true
func.func @rows_of_dynamic_length_are_joined(%x: memref<64x?xf32> {llvm.noalias}, %e: memref<64x?xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x?xf32>) outs(%e : memref<64x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x?xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// One loop computes the rows once.
// CHECK-LABEL: func @second_reduction_of_the_same_rows_stays_apart
// CHECK-COUNT-1: joinStored = true
// CHECK-NOT: joinStored
func.func @second_reduction_of_the_same_rows_stays_apart(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}, %m: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%m : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @given_strategy_stays
// CHECK-NOT: joinStored
func.func @given_strategy_stays(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<64x4096xf32>) outs(%e : memref<64x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<64x4096xf32>) outs(%s : memref<64xf32>) attrs = {VPU.strategy = #VPU.strategy<>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}
