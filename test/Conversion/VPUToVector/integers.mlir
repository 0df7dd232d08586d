// RUN: nacre-opt %s --init-compiler="vpu-arch=znver4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=registers -convert-vpu-to-vector -split-input-file | FileCheck %s --check-prefix=V4

// Four channels of a pixel are one word in all lanes; sums start from zero.
// CHECK-LABEL: func @convolution_of_packs_multiplies_four_bytes_per_lane
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[ZERO]]{{.*}}) -> (vector<16xi32>
// CHECK: %[[BYTES:.*]] = vector.load %{{.*}} : memref<1x2x1x16x16xi8>, vector<4xi8>
// CHECK: %[[WORD:.*]] = vector.bitcast %[[BYTES]] : vector<4xi8> to vector<1xi32>
// CHECK: %[[SCALAR:.*]] = vector.extract %[[WORD]][0]
// CHECK: %[[WORDS:.*]] = vector.broadcast %[[SCALAR]] : i32 to vector<16xi32>
// CHECK: %[[LEFT:.*]] = vector.bitcast %[[WORDS]] : vector<16xi32> to vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[LEFT]], %{{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CHECK: arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-NOT: VPU.NCE
// CHECK: return
func.func @convolution_of_packs_multiplies_four_bytes_per_lane(%x: memref<1x2x4x4x16xi8>, %w: memref<1x2x1x1x4x16x4xi8>, %y: memref<1x1x4x4x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x4x4x16xi8>, memref<1x2x1x1x4x16x4xi8>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

// Activations are unsigned, weights signed.
// V4-LABEL: func @convolution_without_packs_multiplies_words
// V4: %[[RIGHT:.*]] = arith.extsi %{{.*}} : vector<16xi8> to vector<16xi32>
// V4: %[[X:.*]] = memref.load %{{.*}} : memref<1x2x1x16x16xi8>
// V4: %[[WIDE:.*]] = arith.extui %[[X]] : i8 to i32
// V4: %[[LEFT:.*]] = vector.broadcast %[[WIDE]] : i32 to vector<16xi32>
// V4: %[[PRODUCT:.*]] = arith.muli %[[LEFT]], %[[RIGHT]] : vector<16xi32>
// V4: arith.addi %{{.*}}, %[[PRODUCT]] : vector<16xi32>
// V4-NOT: llvm.call_intrinsic
// V4-NOT: VPU.NCE
// V4: return
func.func @convolution_without_packs_multiplies_words(%x: memref<1x2x4x4x16xi8>, %w: memref<1x2x1x1x16x16xi8>, %y: memref<1x1x4x4x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x2x4x4x16xi8>, memref<1x2x1x1x16x16xi8>) outs(%y : memref<1x1x4x4x16xf32>)
  return
}

// -----

// Six of a block's 16 channels hold data: two steps of four.
// CHECK-LABEL: func @convolution_of_part_packs_reads_whole_packs
// CHECK: %[[STEPS:.*]] = arith.constant 2 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[STEPS]] step %{{.*}} iter_args
// CHECK: llvm.call_intrinsic
func.func @convolution_of_part_packs_reads_whole_packs(%x: memref<1x1x1x1x16xi8>, %w: memref<1x1x1x1x4x16x4xi8>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.Convolution ins(%x, %w : memref<1x1x1x1x16xi8>, memref<1x1x1x1x4x16x4xi8>) outs(%y : memref<1x1x1x1x16xf32>) {inputChannels = 6 : i64}
  return
}

// -----

// Integers are offset before they are scaled. What does not fit saturates. Ties
// go to even, as in a sum whose mantissa ends at the point, before the zero point
// is added.
// CHECK-LABEL: func @matmul_requantizes_in_registers
// CHECK: %[[OFFSET:.*]] = vector.load %arg2[{{.*}}] : memref<1x16xi32>, vector<16xi32>
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[OFFSET]]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: %[[SCALE:.*]] = vector.load %arg3
// CHECK: %[[BIAS:.*]] = vector.load %arg4
// CHECK: %[[SUMS:.*]] = arith.sitofp
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[SUMS]], %[[SCALE]]
// CHECK: %[[Y:.*]] = arith.addf %[[PRODUCT]], %[[BIAS]]
// CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt, %[[Y]], %[[ZERO:.*]] :
// CHECK: %[[POSITIVE:.*]] = arith.select %[[NEGATIVE]], %[[ZERO]], %[[Y]]
// CHECK: %[[LOW:.*]] = arith.constant dense<-5.000000e+00>
// CHECK: %[[ATLEAST:.*]] = arith.maxnumf %[[POSITIVE]], %[[LOW]]
// CHECK: %[[HIGH:.*]] = arith.constant dense<2.500000e+02>
// CHECK: %[[LIMITED:.*]] = arith.minnumf %[[ATLEAST]], %[[HIGH]]
// CHECK: %[[SHIFT:.*]] = arith.constant dense<0x4B400000>
// CHECK: %[[ROUNDED:.*]] = arith.addf %[[LIMITED]], %[[SHIFT]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[ROUNDED]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[FIVE:.*]] = arith.constant dense<5>
// CHECK: %[[WORDS:.*]] = arith.addi %[[BITS]], %[[FIVE]]
// CHECK: %[[BYTES:.*]] = arith.trunci %[[WORDS]] : vector<16xi32> to vector<16xi8>
// CHECK: vector.store %[[BYTES]], %arg5
func.func @matmul_requantizes_in_registers(%a: memref<1x1x16xi8>, %b: memref<1x1x4x16x4xi8>, %o: memref<1x16xi32>, %s: memref<1x16xf32>, %v: memref<1x16xf32>, %y: memref<1x1x16xi8>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x16xi8>, memref<1x1x4x16x4xi8>) offset(%o : memref<1x16xi32>) scale(%s : memref<1x16xf32>) bias(%v : memref<1x16xf32>) outs(%y : memref<1x1x16xi8>) {ppe = #VPU.PPE<mode = RELU, zeroPoint = 5 : i64>}
  return
}

// -----

// Rows of a matrix of bytes are no packs where the reduction has a part of one.
// CHECK-LABEL: func @unsigned_bytes_are_128_less
// CHECK: %[[WORDS:.*]] = arith.extsi %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: %[[SIGN:.*]] = arith.constant dense<-128> : vector<16xi32>
// CHECK: arith.xori %[[WORDS]], %[[SIGN]]
func.func @unsigned_bytes_are_128_less(%a: memref<1x1x6xi8>, %b: memref<1x1x6x16xi8>, %y: memref<1x1x16xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x6xi8>, memref<1x1x6x16xi8>) outs(%y : memref<1x1x16xi32>) {unsignedRhs}
  return
}

// -----

// V4-LABEL: func @matmul_without_packs_multiplies_words
// V4: arith.extsi %{{.*}} : vector<16xi8> to vector<16xi32>
// V4: arith.extui %{{.*}} : i8 to i32
// V4: arith.muli %{{.*}} : vector<16xi32>
// V4: vector.maskedstore
func.func @matmul_without_packs_multiplies_words(%a: memref<1x1x16xi8>, %b: memref<1x1x16x16xi8>, %y: memref<1x1x10xf32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x16xi8>, memref<1x1x16x16xi8>) outs(%y : memref<1x1x10xf32>)
  return
}

// -----

// A zero point of 0 and a scale of 1 cost nothing.
// CHECK-LABEL: func @eltwise_of_bytes_dequantizes_its_operands
// CHECK: %[[A:.*]] = arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: %[[LEFT:.*]] = arith.sitofp %[[A]]
// CHECK: %[[ZERO:.*]] = arith.constant dense<1.280000e+02>
// CHECK: %[[SHIFTED:.*]] = arith.subf %[[LEFT]], %[[ZERO]]
// CHECK: %[[SCALE:.*]] = arith.constant dense<5.000000e-01>
// CHECK: %[[L:.*]] = arith.mulf %[[SHIFTED]], %[[SCALE]]
// CHECK: %[[B:.*]] = arith.extui
// CHECK: %[[R:.*]] = arith.sitofp %[[B]]
// CHECK: arith.addf %[[L]], %[[R]]
func.func @eltwise_of_bytes_dequantizes_its_operands(%a: memref<1x4x16xi8>, %b: memref<1x4x16xi8>, %y: memref<1x4x16xf32>) {
  VPU.NCE.Eltwise ins(%a, %b : memref<1x4x16xi8>, memref<1x4x16xi8>) outs(%y : memref<1x4x16xf32>) {kind = #VPU.eltwise<ADD>, lhsQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>, rhsQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>}
  return
}

// -----

// CHECK-LABEL: func @average_pool_of_bytes_dequantizes_its_input
// CHECK: arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: arith.maxnumf
// CHECK: arith.bitcast %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK-NOT: arith.addi
// CHECK: arith.trunci %{{.*}} : vector<16xi32> to vector<16xi8>
func.func @average_pool_of_bytes_dequantizes_its_input(%x: memref<1x1x4x4x16xi8>, %y: memref<1x1x2x2x16xi8>) {
  VPU.NCE.AveragePool ins(%x : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x2x2x16xi8>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, inputQuant = #VPU.quant<scale = 0.5 : f32, zeroPoint = 128>, ppe = #VPU.PPE<mode = NOOP, zeroPoint = 0 : i64>}
  return
}

// -----

// CHECK-LABEL: func @copy_of_bytes_pads_with_bytes
// CHECK: arith.constant dense<-128> : vector<16xi8>
// CHECK: vector.store %{{.*}} : memref<1x1x6x6x16xi8>, vector<16xi8>
func.func @copy_of_bytes_pads_with_bytes(%x: memref<1x1x4x4x16xi8>, %y: memref<1x1x6x6x16xi8>) {
  VPU.Copy ins(%x : memref<1x1x4x4x16xi8>) outs(%y : memref<1x1x6x6x16xi8>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>, padValue = 128.0 : f32}
  return
}

// -----

// CHECK-LABEL: func @sums_are_stored_as_they_are
// CHECK: %[[OFFSET:.*]] = vector.load %arg2[{{.*}}] : memref<1x16xi32>, vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: arith.sitofp
// CHECK: vector.store %{{.*}}, %arg3[{{.*}}] : memref<1x1x16xi32>, vector<16xi32>
func.func @sums_are_stored_as_they_are(%a: memref<1x1x16xi8>, %b: memref<1x1x4x16x4xi8>, %o: memref<1x16xi32>, %y: memref<1x1x16xi32>) {
  VPU.NCE.MatMul ins(%a, %b : memref<1x1x16xi8>, memref<1x1x4x16x4xi8>) offset(%o : memref<1x16xi32>) outs(%y : memref<1x1x16xi32>)
  return
}

// -----

// CHECK-LABEL: func @image_is_padded_with_what_a_run_computes
// CHECK: vector.broadcast %arg2 : i8 to vector<16xi8>
// CHECK-NOT: VPU.Copy
func.func @image_is_padded_with_what_a_run_computes(%x: memref<1x1x4x4x16xi8>, %y: memref<1x1x6x6x16xi8>, %z: i8) {
  VPU.Copy ins(%x : memref<1x1x4x4x16xi8>) fill(%z) outs(%y : memref<1x1x6x6x16xi8>) {srcOrder = #VPU.order<NCHWc>, dstOrder = #VPU.order<NCHWc>, pads = array<i64: 1, 1, 1, 1>}
  return
}

// -----

// Four rows' bytes in turn: words of four bytes are exchanged between the parts
// of a vector, and bytes within a part.
// CHECK-LABEL: func @bytes_are_packed_by_fours
// CHECK: %[[R0:.*]] = vector.load %arg0{{.*}} : memref<1x8x32xi8>, vector<16xi8>
// CHECK: %[[R1:.*]] = vector.load
// CHECK: %[[R2:.*]] = vector.load
// CHECK: %[[R3:.*]] = vector.load
// CHECK-DAG: %[[LOW:.*]] = vector.shuffle %[[R0]], %[[R1]] [0, 1, {{.*}}, 30, 31]
// CHECK-DAG: %[[HIGH:.*]] = vector.shuffle %[[R2]], %[[R3]] [0, 1, {{.*}}, 30, 31]
// CHECK: %[[ALL:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 1, {{.*}}, 62, 63]
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[ALL]] : vector<64xi8> to vector<16xi32>
// CHECK: vector.shuffle %[[WORDS]], %[[WORDS]] [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
// CHECK: vector.shuffle {{.*}} [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, 20, 24, 28, 17,
// CHECK-NOT: VPU.Copy
func.func @bytes_are_packed_by_fours(%b: memref<1x8x32xi8>, %y: memref<1x2x2x16x4xi8>) {
  VPU.Copy ins(%b : memref<1x8x32xi8>) outs(%y : memref<1x2x2x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>}
  return
}

// -----

// Lanes beyond the last column, which are zero, stay so.
// CHECK-LABEL: func @signs_are_flipped_where_bytes_are_packed
// CHECK: %[[R0:.*]] = vector.load %arg0{{.*}} : memref<1x8x20xi8>, vector<16xi8>
// CHECK: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK: arith.xori %[[R0]], %[[SIGNS]]
// CHECK: %[[REST:.*]] = vector.maskedload
// CHECK: %[[FIRST:.*]] = arith.constant dense<[-128, -128, -128, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : vector<16xi8>
// CHECK: arith.xori %[[REST]], %[[FIRST]]
// CHECK-NOT: VPU.Copy
func.func @signs_are_flipped_where_bytes_are_packed(%b: memref<1x8x20xi8>, %y: memref<1x2x2x16x4xi8>) {
  VPU.Copy ins(%b : memref<1x8x20xi8>) outs(%y : memref<1x2x2x16x4xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>, flipsSign}
  return
}

// -----

// So do panels of a machine that multiplies no packs.
// CHECK-LABEL: func @signs_are_flipped_in_panels_without_packs
// CHECK: %[[ROW:.*]] = vector.load %arg0{{.*}} : memref<1x8x32xi8>, vector<16xi8>
// CHECK: %[[SIGNS:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[ROW]], %[[SIGNS]]
// CHECK: vector.store %[[FLIPPED]], %arg1
func.func @signs_are_flipped_in_panels_without_packs(%b: memref<1x8x32xi8>, %y: memref<1x2x8x16xi8>) {
  VPU.Copy ins(%b : memref<1x8x32xi8>) outs(%y : memref<1x2x8x16xi8>) {srcOrder = #VPU.order<KN>, dstOrder = #VPU.order<KNn>, flipsSign}
  return
}

// -----

// CHECK-LABEL: func @depthwise_sums_start_from_the_offset
// CHECK: %[[START:.*]] = vector.load %arg2[{{.*}}] : memref<1x16xf32>, vector<16xf32>
// CHECK: vector.fma %{{.*}}, %{{.*}}, %[[START]]
func.func @depthwise_sums_start_from_the_offset(%x: memref<1x1x1x1x16xi8>, %w: memref<1x1x1x16xf32>, %o: memref<1x16xf32>, %y: memref<1x1x1x1x16xf32>) {
  VPU.NCE.DepthConvolution ins(%x, %w : memref<1x1x1x1x16xi8>, memref<1x1x1x16xf32>) offset(%o : memref<1x16xf32>) outs(%y : memref<1x1x1x1x16xf32>) {inputQuant = #VPU.quant<scale = 1.0 : f32, zeroPoint = 0>}
  return
}
