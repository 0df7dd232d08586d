// Kernels that share a loop over rows have entries in the file of strategies.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --dump-strategies=%t/chosen.json --emit=loops -o %t/a.mlir
// RUN: FileCheck %s --input-file=%t/chosen.json
// CHECK: "decides": "groups"
// CHECK-NEXT: "node": "softmax"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "linalg.generic tensor<64
// CHECK-NEXT: "strategy": "#VPU.strategy<group = 1>"
// CHECK: "strategy": "#VPU.strategy<{{.*}}group = 1, block = [

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/chosen.json --dump-strategies=%t/again.json --emit=loops -o %t/b.mlir
// RUN: diff %t/chosen.json %t/again.json
// RUN: diff %t/a.mlir %t/b.mlir

// A group that is taken apart. Its kernels are others then.
// RUN: %python -c "import json; f = json.load(open('%t/chosen.json')); f['ops'] = [dict(op, strategy='#VPU.strategy<>') for op in f['ops'] if op['decides'] == 'groups']; json.dump(f, open('%t/apart.json', 'w'))"
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/apart.json --dump-strategies=%t/none.json --emit=loops -o %t/c.mlir
// RUN: FileCheck %s --input-file=%t/none.json --check-prefix=NONE
// NONE-NOT: group = 1

// A block that does not cut the rows names the node.
// RUN: sed 's/block = \[[0-9]*/block = [7/' %t/chosen.json > %t/uneven.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/uneven.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: error: 'softmax': {{.*}}expected a block that cuts the {{[0-9]+}} steps of loop 0 evenly

func.func @main(%x: tensor<64x1024xf32> {nacre.name = "x"}) -> (tensor<64x1024xf32> {nacre.name = "y"}) {
  %y = IE.Softmax(%x) {axis = 1 : i64} : (tensor<64x1024xf32>) -> tensor<64x1024xf32> loc("softmax")
  return %y : tensor<64x1024xf32>
}
