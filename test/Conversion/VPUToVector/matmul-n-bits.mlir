// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s --check-prefixes=CHECK,TABLE
// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=buffers --vpu-allocate-scratch --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s --check-prefix=SCRATCH
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies=decide=buffers --vpu-allocate-scratch --vpu-choose-strategies=decide=registers --convert-vpu-to-vector --split-input-file | FileCheck %s --check-prefix=TILES

// Few rows: integers become floats in registers, and the sums of a block are
// scaled.
// CHECK-LABEL: @one_row
// TABLE-DAG: %[[TABLE:.*]] = arith.constant dense<[-8.000000e+00, -7.000000e+00, {{.*}}, 7.000000e+00]> : vector<16xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[WORDS:.*]] = vector.load %{{.*}} : memref<6x2x4x16xi32>, vector<16xi32>
// TABLE: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %[[WORDS]])
// TABLE: arith.shrui %[[WORDS]]
// With scratch, on a machine that multiplies four bytes a lane, the row is three
// bytes for each element first.
// SCRATCH-LABEL: @one_row
// SCRATCH: %[[SCRATCH:.*]] = memref.alloc() {{.*}}: memref<56xf32>
// SCRATCH: arith.fptosi
// SCRATCH: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @one_row(%a: memref<1x1x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %y: memref<1x1x96xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) outs(%y : memref<1x1x96xf32>) {bits = 4 : i64}
  return
}

// -----

// Bytes are converted, less their zero points.
// CHECK-LABEL: @eight_bits
// CHECK: arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: arith.subf
func.func @eight_bits(%a: memref<1x1x64xf32>, %w: memref<1x2x8x16xi32>, %s: memref<1x2x16xf32>, %z: memref<1x2x16xi8>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<1x2x8x16xi32>) scale(%s : memref<1x2x16xf32>) zeroPoint(%z : memref<1x2x16xi8>) outs(%y : memref<1x1x16xf32>) {bits = 8 : i64}
  return
}

// -----

// Many rows by many columns are bytes, too: all of them at once, where the cache
// holds them.
// SCRATCH-LABEL: @many_rows
// SCRATCH: memref.alloc() {{.*}}: memref<1680xf32>
// SCRATCH: arith.fptosi
// SCRATCH: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// SCRATCH-NOT: reinterpret_cast
// A matrix unit multiplies rows, as sums of three bf16 numbers, by integers that
// are looked up as such.
// TILES-LABEL: @many_rows
// TILES: memref.alloc() {{.*}}: memref<8192xf32>
// TILES: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// TILES-COUNT-3: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// TILES: llvm.call_intrinsic "llvm.x86.avx512.permvar.hi.512"
// TILES-COUNT-12: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// TILES: llvm.call_intrinsic "llvm.x86.tilerelease"
func.func @many_rows(%a: memref<1x30x64xf32>, %w: memref<20x2x4x16xi32>, %s: memref<20x2x16xf32>, %y: memref<1x30x320xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<20x2x4x16xi32>) scale(%s : memref<20x2x16xf32>) outs(%y : memref<1x30x320xf32>) {bits = 4 : i64}
  return
}

// -----

// Of a panel less, making bytes of a row takes longer than they save: two panels
// are floats at a time.
// SCRATCH-LABEL: @many_rows_by_few_columns
// SCRATCH: memref.alloc() {{.*}}: memref<2048xf32>
// SCRATCH-NOT: fptosi
// SCRATCH: vector.fma
// SCRATCH-NOT: vpdpbusd
// SCRATCH: return
func.func @many_rows_by_few_columns(%a: memref<1x30x64xf32>, %w: memref<19x2x4x16xi32>, %s: memref<19x2x16xf32>, %y: memref<1x30x304xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<19x2x4x16xi32>) scale(%s : memref<19x2x16xf32>) outs(%y : memref<1x30x304xf32>) {bits = 4 : i64}
  return
}

// -----

// One byte for each element of a row is made in less time.
// SCRATCH-LABEL: @rows_of_one_byte_by_few_columns
// SCRATCH: arith.fptosi
// SCRATCH: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @rows_of_one_byte_by_few_columns(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %y: memref<1x30x48xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) outs(%y : memref<1x30x48xf32>) {bits = 4 : i64, rowParts = 1 : i64}
  return
}

// -----

// Few rows by a panel only are floats, too, in registers.
// SCRATCH-LABEL: @one_row_by_few_columns
// SCRATCH-NOT: memref.alloc
// SCRATCH-NOT: vpdpbusd
// SCRATCH: vector.fma
// SCRATCH-NOT: vpdpbusd
// SCRATCH: return
func.func @one_row_by_few_columns(%a: memref<1x1x64xf32>, %w: memref<4x2x4x16xi32>, %s: memref<4x2x16xf32>, %y: memref<1x1x64xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<4x2x4x16xi32>) scale(%s : memref<4x2x16xf32>) outs(%y : memref<1x1x64xf32>) {bits = 4 : i64}
  return
}

// -----

// Blocks so short that scaling their sums takes longer than bytes save: two
// panels are floats at a time.
// SCRATCH-LABEL: @many_rows_of_short_blocks
// SCRATCH: %[[SCRATCH:.*]] = memref.alloc() {{.*}}: memref<2048xf32>
// SCRATCH: memref.reinterpret_cast %[[SCRATCH]] {{.*}} to memref<2x64x16xf32>
// SCRATCH: vector.store %{{.*}} : memref<2x64x16xf32>
// SCRATCH: vector.fma
func.func @many_rows_of_short_blocks(%a: memref<1x30x64xf32>, %w: memref<3x4x2x16xi32>, %s: memref<3x4x16xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x4x2x16xi32>) scale(%s : memref<3x4x16xf32>) outs(%y : memref<1x30x40xf32>) {bits = 4 : i64}
  return
}

// -----

// More rows than the cache holds are bytes in even parts of whole tiles, for
// each of which the weights are read again.
// SCRATCH-LABEL: @rows_beyond_the_cache
// SCRATCH: memref.alloc() {{.*}}: memref<129024xf32>
// SCRATCH: scf.for %{{.*}} = %c0{{.*}} to %c90{{.*}} step %c18
// SCRATCH: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @rows_beyond_the_cache(%a: memref<1x96x8192xf32>, %w: memref<28x256x4x16xi32>, %s: memref<28x256x16xf32>, %y: memref<1x96x448xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x96x8192xf32>, memref<28x256x4x16xi32>) scale(%s : memref<28x256x16xf32>) outs(%y : memref<1x96x448xf32>) {bits = 4 : i64}
  return
}

// -----

// The number of rows is dynamic: a matrix unit has few of them as bytes, others
// take as many at a time as there is room for.
// SCRATCH-LABEL: @rows_of_unknown_number
// SCRATCH-NOT: scf.if
// SCRATCH: arith.minui
// SCRATCH: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// TILES-LABEL: @rows_of_unknown_number
// TILES: scf.if
// TILES-NOT: tdpbf16ps
// TILES: } else {
// TILES: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
func.func @rows_of_unknown_number(%a: memref<1x?x64xf32>, %w: memref<35x2x4x16xi32>, %s: memref<35x2x16xf32>, %y: memref<1x?x560xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x?x64xf32>, memref<35x2x4x16xi32>) scale(%s : memref<35x2x16xf32>) outs(%y : memref<1x?x560xf32>) {bits = 4 : i64}
  return
}

// -----

// Rows that exceed the cache are split for some of their blocks at a time, and
// results are sums on their way.
// TILES-LABEL: @long_rows
// TILES: scf.for %{{.*}} = %{{.*}} to %c3
// TILES: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// TILES: scf.if
// TILES: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// TILES: scf.if
func.func @long_rows(%a: memref<1x64x8192xf32>, %w: memref<2x256x4x16xi32>, %s: memref<2x256x16xf32>, %y: memref<1x64x32xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x64x8192xf32>, memref<2x256x4x16xi32>) scale(%s : memref<2x256x16xf32>) outs(%y : memref<1x64x32xf32>) {bits = 4 : i64}
  return
}

// -----

// Of elements of eight bits there is one part.
// TILES-LABEL: @rows_of_one_part
// TILES: arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// TILES-NOT: arith.extf
// TILES-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// TILES-NOT: tdpbf16ps
// TILES: return
func.func @rows_of_one_part(%a: memref<1x16x32xf32>, %w: memref<2x1x4x16xi32>, %s: memref<2x1x16xf32>, %y: memref<1x16x32xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x16x32xf32>, memref<2x1x4x16xi32>) scale(%s : memref<2x1x16xf32>) outs(%y : memref<1x16x32xf32>) {bits = 4 : i64, rowParts = 1 : i64}
  return
}

// -----

// Bytes become f32 first. Of zero points that are no integers, the sum of a
// block's rows is multiplied.
// TILES-LABEL: @zero_points_of_floats
// TILES: vector.reduction <add>
// TILES: arith.sitofp
// TILES-NOT: permvar.hi
// TILES: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
func.func @zero_points_of_floats(%a: memref<1x16x64xf32>, %w: memref<2x2x8x16xi32>, %s: memref<2x2x16xf32>, %z: memref<2x2x16xf32>, %y: memref<1x16x32xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x16x64xf32>, memref<2x2x8x16xi32>) scale(%s : memref<2x2x16xf32>) zeroPoint(%z : memref<2x2x16xf32>) outs(%y : memref<1x16x32xf32>) {bits = 8 : i64}
  return
}

// -----

// Two blocks, scaled for themselves, have one scale.
// CHECK-LABEL: @scale_of_two_blocks
// CHECK: scf.for %[[BLOCK:.*]] = %c0{{.*}} to %c4{{.*}}
// CHECK: %[[NUMBER:.*]] = arith.divui %[[BLOCK]], %c2
// CHECK: vector.load %{{.*}}[%{{.*}}, %[[NUMBER]], %{{.*}}] : memref<1x2x16xf32>
func.func @scale_of_two_blocks(%a: memref<1x1x128xf32>, %w: memref<1x4x4x16xi32>, %s: memref<1x2x16xf32>, %y: memref<1x1x16xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x128xf32>, memref<1x4x4x16xi32>) scale(%s : memref<1x2x16xf32>) outs(%y : memref<1x1x16xf32>) {bits = 4 : i64}
  return
}

// -----

// Of one row, each of three bytes has two sums, which do not wait for each other.
// SCRATCH-LABEL: @sums_of_one_row
// SCRATCH: memref.alloc() {{.*}}: memref<56xf32>
// SCRATCH: math.roundeven
// SCRATCH-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// SCRATCH-NOT: vpdpbusd
// SCRATCH-COUNT-3: arith.addi {{.*}} : vector<16xi32>
// SCRATCH-NOT: vpdpbusd
// SCRATCH: return
func.func @sums_of_one_row(%a: memref<1x1x64xf16>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf16>, %y: memref<1x1x96xf16>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf16>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf16>) outs(%y : memref<1x1x96xf16>) {bits = 4 : i64}
  return
}

// -----

// More rows have sums enough.
// SCRATCH-LABEL: @sums_of_two_rows
// SCRATCH: memref.alloc() {{.*}}: memref<112xf32>
// SCRATCH-COUNT-12: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// SCRATCH-NOT: vpdpbusd
// SCRATCH-NOT: arith.addi {{.*}} : vector<16xi32>
// SCRATCH: return
func.func @sums_of_two_rows(%a: memref<1x2x64xf32>, %w: memref<10x2x4x16xi32>, %s: memref<10x2x16xf32>, %y: memref<1x2x160xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x2x64xf32>, memref<10x2x4x16xi32>) scale(%s : memref<10x2x16xf32>) outs(%y : memref<1x2x160xf32>) {bits = 4 : i64}
  return
}

// -----

// A row's second block lies behind the digits and the three parameters of the first.
// SCRATCH-LABEL: @row_of_two_parts
// SCRATCH: memref.alloc() {{.*}}: memref<38xf32>
// SCRATCH: arith.muli %{{.*}}, %c19
// SCRATCH: return
func.func @row_of_two_parts(%a: memref<1x1x64xf32>, %w: memref<6x2x4x16xi32>, %s: memref<6x2x16xf32>, %y: memref<1x1x96xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x1x64xf32>, memref<6x2x4x16xi32>) scale(%s : memref<6x2x16xf32>) outs(%y : memref<1x1x96xf32>) {bits = 4 : i64, rowParts = 2 : i64}
  return
}
