// The directions of a recurrent layer have entries in the file of strategies.

// RUN: rm -rf %t && mkdir -p %t/1 %t/2
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --dump-strategies=%t/chosen.json --emit=loops -o %t/1/net.mlir
// RUN: FileCheck %s --input-file=%t/chosen.json
// RUN: FileCheck %s --input-file=%t/1/net.mlir --check-prefix=BESIDE
// CHECK: "decides": "concurrency"
// CHECK-NEXT: "node": "lstm"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "scf.for tensor<
// CHECK-NEXT: "strategy": "#VPU.strategy<group = 1>"
// CHECK-NEXT: "cycles": {{[1-9][0-9]*}}
// CHECK: "decides": "concurrency"
// CHECK-NEXT: "node": "lstm"
// CHECK-NEXT: "index": 1
// CHECK: "strategy": "#VPU.strategy<group = 1>"
// BESIDE: scf.index_switch

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/chosen.json --dump-strategies=%t/again.json --emit=loops -o %t/2/net.mlir
// RUN: diff %t/chosen.json %t/again.json
// RUN: diff %t/1/net.mlir %t/2/net.mlir

// One direction after the other.
// RUN: %python -c "import json, sys; file = json.load(open(sys.argv[1])); file['ops'] = [dict(op, strategy='#VPU.strategy<>') for op in file['ops'] if op['decides'] == 'concurrency']; json.dump(file, open(sys.argv[2], 'w'))" %t/chosen.json %t/apart.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/apart.json --emit=loops -o %t/c.mlir
// RUN: FileCheck %s --input-file=%t/c.mlir --check-prefix=APART
// APART-NOT: scf.index_switch

// A group of one names the node.
// RUN: sed '0,/group = 1/s/group = 1/group = 2/' %t/chosen.json > %t/alone.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/alone.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: 'lstm': {{.*}}expected more loops of group {{[12]}} than this one

func.func @main(%x: tensor<40x4x32xf32> {nacre.name = "x"}) -> (tensor<40x2x4x64xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.125> : tensor<2x256x32xf32>
  %r = IE.Constant dense<0.0625> : tensor<2x256x64xf32>
  %y:3 = IE.LSTM(%x, %w, %r) {direction = "bidirectional", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<40x4x32xf32>, tensor<2x256x32xf32>, tensor<2x256x64xf32>) -> (tensor<40x2x4x64xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>) loc("lstm")
  return %y#0 : tensor<40x2x4x64xf32>
}
