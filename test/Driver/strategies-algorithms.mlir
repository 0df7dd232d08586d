// Algorithms are decided about before loops, each with entries of its own in the
// file of strategies.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --dump-strategies=%t/chosen.json -o %t/a.so
// RUN: FileCheck %s --input-file=%t/chosen.json
// CHECK: "decides": "algorithms"
// CHECK-NEXT: "node": "conv"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "VPU.NCE.Convolution tensor<1x4x56x56x16xf32>"
// CHECK-NEXT: "strategy": "#VPU.strategy<algorithm = winograd, winogradTile = 4>"
// CHECK: "decides": "loops"
// CHECK-NEXT: "node": "conv"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "VPU.NCE.WinogradConvolution tensor<1x4x56x56x16xf32>"
// CHECK-NEXT: "strategy": "#VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1]

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/chosen.json --dump-strategies=%t/again.json -o %t/a.so
// RUN: diff %t/chosen.json %t/again.json

// Another algorithm, around which loops are chosen. What was recorded on the way
// does not stay in the module.
// RUN: echo '{"arch": "x86-64-v4", "ops": [{"decides": "algorithms", "node": "conv", "index": 0, "signature": "VPU.NCE.Convolution tensor<1x4x56x56x16xf32>", "strategy": "#VPU.strategy<algorithm = direct>"}]}' > %t/mine.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/mine.json --dump-strategies=%t/other.json --emit=loops -o %t/mine.mlir
// RUN: FileCheck %s --input-file=%t/other.json --check-prefix=MINE
// RUN: FileCheck %s --input-file=%t/mine.mlir --check-prefix=LOOPS
// MINE: "#VPU.strategy<algorithm = direct>"
// MINE: "decides": "loops"
// MINE: "signature": "VPU.NCE.Convolution tensor<1x4x56x56x16xf32>"
// LOOPS-NOT: VPU.decided

// Loops of an op that is another one by its algorithm have no op.
// RUN: sed 's/algorithm = winograd, winogradTile = 4/algorithm = direct/' %t/chosen.json > %t/direct.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/direct.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}direct.json{{.*}}expected a VPU.NCE.WinogradConvolution of index 0 of node 'conv' of the model, found none

// An algorithm that does not fit names the node.
// RUN: sed 's/x86-64-v4/NPU37XX/' %t/mine.json | sed 's/direct/winograd, winogradTile = 2/; s/1x4x56x56x16xf32/1x1x56x56x64xf32/' > %t/npu.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=NPU37XX --strategies=%t/npu.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=NPU
// NPU: error: 'conv': {{.*}}expected algorithm = direct: Winograd's needs an engine that has it

func.func @main(%x: tensor<1x64x56x56xf32> {nacre.name = "x"}) -> (tensor<1x64x56x56xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<64x64x3x3xf32>
  %y = IE.Conv(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> loc("conv")
  return %y : tensor<1x64x56x56xf32>
}
