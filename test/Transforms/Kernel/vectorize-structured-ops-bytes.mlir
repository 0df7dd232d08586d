// RUN: nacre-opt %s --vpu-arch=znver4 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | FileCheck %s
// RUN: nacre-opt %s --vpu-arch=x86-64-v3 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s --check-prefix=PAIRS
// RUN: nacre-opt %s --vpu-arch=aarch64 --vpu-choose-strategies=decide=registers -vectorize-structured-ops | \
// RUN:   FileCheck %s --check-prefix=NONE

#left = affine_map<(m, k, n) -> (m, k)>
#right = affine_map<(m, k, n) -> (k, n)>
#sums = affine_map<(m, k, n) -> (m, n)>
#column = affine_map<(m, k, n) -> (0, n)>
#one = affine_map<(m, k, n) -> ()>
#transposed = affine_map<(m, k, n) -> (n, k)>

// Four bytes of a column are side by side, of 64 columns at a time: those of
// eight rows, then of the two left over. Meanwhile sums are in another order.
// CHECK-LABEL: func.func @unsigned_by_signed(
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK: %[[A:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<64xi8>
// CHECK: %[[SUMS:.*]] = vector.load %arg2
// CHECK-COUNT-4: vector.load %arg1{{.*}} vector<64xi8>
// CHECK: %[[LOW:.*]] = vector.shuffle %{{.*}} [0, 64, 1, 65, {{.*}}, 7, 71, 16, 80, {{.*}}] : vector<64xi8>
// CHECK: %[[HIGH:.*]] = vector.shuffle %{{.*}} [0, 64, 1, 65
// CHECK: %[[B:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 1, 64, 65, 2, 3, 66, 67
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[SUMS]], %[[A]], %[[B]])
// CHECK-COUNT-7: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-COUNT-4: vector.store
// CHECK-COUNT-4: vector.load %arg2
// CHECK-COUNT-2: vector.load %arg1
// CHECK-NOT: vector.load
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: call_intrinsic
// CHECK-COUNT-8: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK: return
// PAIRS-LABEL: func.func @unsigned_by_signed(
// PAIRS-COUNT-2: vector.load %arg1{{.*}} vector<8xi8>
// PAIRS: %[[ROWS:.*]] = vector.interleave {{.*}} : vector<8xi8>
// PAIRS: %[[WORDS:.*]] = arith.extsi %[[ROWS]] : vector<16xi8> to vector<16xi16>
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%{{.*}}, %[[WORDS]])
// NONE-LABEL: func.func @unsigned_by_signed(
// NONE: linalg.generic
func.func @unsigned_by_signed(%a: memref<1x10xi8>, %b: memref<10x64xi8>, %y: memref<1x64xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<1x10xi8>, memref<10x64xi8>) outs(%y : memref<1x64xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// The unsigned factor is the first of the instruction, whichever it is.
// CHECK-LABEL: func.func @signed_by_unsigned(
// CHECK: %[[A:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<64xi8>
// CHECK: %[[B:.*]] = vector.interleave {{.*}} : vector<32xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[B]], %[[A]])
func.func @signed_by_unsigned(%a: memref<1x4xi8>, %b: memref<4x48xi8>, %y: memref<1x48xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<1x4xi8>, memref<4x48xi8>) outs(%y : memref<1x48xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %2, %sum : i32
    linalg.yield %3 : i32
  }
  return
}

// Differences of bytes are words. A zero point for each column is loaded once
// for both rows, one for all is the same everywhere. The columns left over are
// masked.
// CHECK-LABEL: func.func @zero_points(
// CHECK-COUNT-2: vector.load %arg1
// CHECK: %[[ROWS:.*]] = vector.interleave
// CHECK: %[[WIDE:.*]] = arith.extsi %[[ROWS]] : vector<32xi8> to vector<32xi16>
// CHECK: %[[ZERO:.*]] = vector.load %arg3
// CHECK: %[[ZEROS:.*]] = vector.interleave %[[ZERO]], %[[ZERO]]
// CHECK: %[[WIDE_ZEROS:.*]] = arith.extsi %[[ZEROS]]
// CHECK: %[[B:.*]] = arith.subi %[[WIDE]], %[[WIDE_ZEROS]] : vector<32xi16>
// CHECK: %[[PRODUCTS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%{{.*}}, %[[B]])
// CHECK: arith.addi %{{.*}}, %[[PRODUCTS]] : vector<16xi32>
// CHECK: vector.store
// CHECK: vector.maskedload %arg4
// CHECK: vector.maskedload %arg1
// CHECK: vector.maskedstore %arg4
// CHECK-NOT: linalg.generic
func.func @zero_points(%a: memref<2x8xi8>, %b: memref<8x21xi8>, %p: memref<i8>, %q: memref<1x21xi8>, %y: memref<2x21xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #one, #column, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b, %p, %q : memref<2x8xi8>, memref<8x21xi8>, memref<i8>, memref<1x21xi8>) outs(%y : memref<2x21xi32>) {
  ^bb0(%x: i8, %w: i8, %zx: i8, %zw: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %zx : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %w : i8 to i32
    %4 = arith.extsi %zw : i8 to i32
    %5 = arith.subi %3, %4 : i32
    %6 = arith.muli %5, %2 : i32
    %7 = arith.addi %sum, %6 : i32
    linalg.yield %7 : i32
  }
  return
}

// Dynamic sizes: rows that are left over are multiplied one by one.
// CHECK-LABEL: func.func @sizes_of_the_run(
// CHECK: arith.remui
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.maskedstore
// CHECK: scf.for
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @sizes_of_the_run(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %y: memref<?x?xi32>) {
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%y : memref<?x?xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// Left alone: columns that are not side by side, factors of more than a word,
// fewer columns than a vector has.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: linalg.generic
// CHECK: return
func.func @others(%a: memref<1x8xi8>, %b: memref<64x8xi8>, %c: memref<8x64xi32>, %d: memref<8x15xi8>, %y: memref<1x64xi32>, %z: memref<1x15xi32>) {
  linalg.generic {indexing_maps = [#left, #transposed, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %b : memref<1x8xi8>, memref<64x8xi8>) outs(%y : memref<1x64xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %c : memref<1x8xi8>, memref<8x64xi32>) outs(%y : memref<1x64xi32>) {
  ^bb0(%x: i8, %w: i32, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.muli %0, %w : i32
    %2 = arith.addi %sum, %1 : i32
    linalg.yield %2 : i32
  }
  linalg.generic {indexing_maps = [#left, #right, #sums], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%a, %d : memref<1x8xi8>, memref<8x15xi8>) outs(%z : memref<1x15xi32>) {
  ^bb0(%x: i8, %w: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %w : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
