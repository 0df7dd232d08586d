// Scratch memory follows from the tile of weights of few bits: what is read later, when
// that is allocated, has the same.

// RUN: rm -rf %t && mkdir -p %t
// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies="decide=registers write-json=%t/chosen.json" | FileCheck %s
// CHECK: VPU.strategy = #VPU.strategy<kernel = <prefetchBytes = 2368, lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>

// RUN: nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies="decide=registers read-json=%t/chosen.json" | FileCheck %s

// RUN: sed 's/panels = 4/panels = 2/' %t/chosen.json > %t/other.json
// RUN: not nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies="decide=registers read-json=%t/other.json" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}expected the lowBitTile #VPU.low_bit_tile<{{.*}}panels = 4{{.*}}>, which its scratch memory is for, in #VPU.strategy<{{.*}}panels = 2

// RUN: sed 's/<kernel = .*>>>/<kernel = <>>/' %t/chosen.json > %t/none.json
// RUN: not nacre-opt %s --init-compiler="vpu-arch=sapphirerapids threads=1" --vpu-choose-strategies="decide=registers read-json=%t/none.json" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}expected the lowBitTile #VPU.low_bit_tile<{{.*}}>, which its scratch memory is for, in #VPU.strategy<kernel = <>>

func.func @product(%a: memref<1x30x64xf32>, %w: memref<3x2x4x16xi32>, %s: memref<3x2x16xf32>, %f: memref<8192xf32>, %y: memref<1x30x40xf32>) {
  VPU.NCE.MatMulNBits ins(%a, %w : memref<1x30x64xf32>, memref<3x2x4x16xi32>) scale(%s : memref<3x2x16xf32>) scratch(%f : memref<8192xf32>) outs(%y : memref<1x30x40xf32>) {VPU.strategy = #VPU.strategy<kernel = <lowBitTile = <stepWords = 4, pieceWords = 4, rowTiles = 2, panels = 4, pieces = 2>>>, bits = 4 : i64} loc("product")
  return
}
