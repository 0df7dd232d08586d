// What the code of a kernel depends on has an entry in the file of strategies, under
// the name of the first node that the kernel computes.

// RUN: rm -rf %t && mkdir -p %t/1 %t/2
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --dump-strategies=%t/chosen.json --emit=loops -o %t/1/net.mlir
// RUN: FileCheck %s --input-file=%t/chosen.json
// CHECK: "decides": "registers"
// CHECK-NEXT: "node": "first"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "VPU.NCE.Convolution memref<1x1x56x56x16xf32
// CHECK-NEXT: "strategy": "#VPU.strategy<kernel = <registers = [<columns = 28>]{{.*}}>>"
// CHECK-NEXT: "cycles": {{[1-9][0-9]*}}
// CHECK-NOT: "second"

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --strategies=%t/chosen.json --dump-strategies=%t/again.json --emit=loops -o %t/2/net.mlir
// RUN: diff %t/chosen.json %t/again.json
// RUN: diff %t/1/net.mlir %t/2/net.mlir

// Tiles of four pixels. What was decided does not stay in the module.
// RUN: sed 's/columns = 28/columns = 4/' %t/chosen.json > %t/mine.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --strategies=%t/mine.json --emit=loops -o %t/mine.mlir
// RUN: FileCheck %s --input-file=%t/mine.mlir --check-prefix=MINE
// MINE-COUNT-4: vector.fma
// MINE-NEXT: scf.yield
// MINE-NOT: VPU.strategy

// One that does not fit the registers names the node.
// RUN: sed 's/columns = 28/columns = 31/' %t/chosen.json > %t/large.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --strategies=%t/large.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: 'first': {{.*}}expected a register tile that leaves some of the 32 vector registers for weights and pixels, found 1x31x1 sums

// Other parts make another kernel.
// RUN: sed 's/memref<1x1x56x/memref<1x1x28x/' %t/chosen.json > %t/other.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --strategies=%t/other.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'first': {{.*}}expected strategies for VPU.NCE.Convolution memref<1x1x56x{{.*}}, found those for VPU.NCE.Convolution memref<1x1x28x{{.*}}: what else was decided has made another kernel

// Or none of the file's op.
// RUN: sed 's/VPU.NCE.Convolution memref/VPU.NCE.MatMul memref/' %t/chosen.json > %t/gone.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=1 --strategies=%t/gone.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: {{.*}}gone.json{{.*}}expected a VPU.NCE.MatMul of index 0 of node 'first' of the model, found none: what else was decided has made another kernel

func.func @main(%x: tensor<1x16x60x60xf32> {nacre.name = "x"}, %z: tensor<1x16x60x60xf32> {nacre.name = "z"}) -> (tensor<1x16x56x56xf32> {nacre.name = "y"}, tensor<1x16x56x56xf32> {nacre.name = "v"}) {
  %w = IE.Constant dense<0.1> : tensor<16x16x5x5xf32>
  %y = IE.Conv(%x, %w) : (tensor<1x16x60x60xf32>, tensor<16x16x5x5xf32>) -> tensor<1x16x56x56xf32> loc("first")
  %v = IE.Conv(%z, %w) : (tensor<1x16x60x60xf32>, tensor<16x16x5x5xf32>) -> tensor<1x16x56x56xf32> loc("second")
  return %y, %v : tensor<1x16x56x56xf32>, tensor<1x16x56x56xf32>
}
