// RUN: nacre-opt %s --collapse-loops --split-input-file | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#box = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#plane = affine_map<(d0, d1, d2) -> (d0, d1)>

// What is between them keeps them apart no more than dimensions of one element.
// CHECK-DAG: #[[BOX:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[MAX:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @exponentials_are_summed_as_they_are_computed
// CHECK-SAME: (%[[X:.*]]: memref<4x4096xf32> {llvm.noalias}, %{{.*}}: memref<4x1xf32> {llvm.noalias}, %[[E:.*]]: memref<4x4096xf32> {llvm.noalias}, %[[S:.*]]: memref<4x1xf32> {llvm.noalias})
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[BOX]], #[[MAX]], #[[BOX]], #[[SUM]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %{{.*}} : {{.*}}) outs(%[[E]], %[[S]] : {{.*}})
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32, %[[T:.*]]: f32)
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[A]], %[[B]]
// CHECK-NEXT: %[[P:.*]] = math.exp %[[D]]
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[T]], %[[P]]
// CHECK-NEXT: linalg.yield %[[P]], %[[R]]
// CHECK-NOT: linalg.generic
// CHECK-NOT: VPU.strategy
// CHECK: return
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
  linalg.generic {indexing_maps = [#box, #plane], iterator_types = ["parallel", "parallel", "reduction"]} ins(%view : memref<4x1x4096xf32>) outs(%s : memref<4x1xf32>) attrs = {VPU.strategy = #VPU.strategy<kernel = <loops = <joinStored = true>>>} {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @rows_without_a_strategy_stay_apart
// CHECK: linalg.generic {{.*}}["parallel"
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]
func.func @rows_without_a_strategy_stay_apart(%x: memref<64x4096xf32> {llvm.noalias}, %e: memref<64x4096xf32> {llvm.noalias}, %s: memref<64xf32> {llvm.noalias}) {
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
