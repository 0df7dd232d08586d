// What cores share of software kernels, and of the copies that bufferization
// makes, has entries in the file of strategies.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --dump-strategies=%t/chosen.json --emit=loops -o %t/a.mlir
// RUN: FileCheck %s --input-file=%t/chosen.json
// CHECK: "decides": "software"
// CHECK-NEXT: "node": "exp"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "linalg.generic tensor<512x1024xf32>"
// CHECK-NEXT: "strategy": "#VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>"
// CHECK-NEXT: "cycles": {{[1-9][0-9]*}}
// CHECK: "decides": "buffers"
// CHECK: "signature": "linalg.copy memref<512x1024xf32>"
// CHECK-NEXT: "strategy": "#VPU.strategy<multiCluster = SplitOverHeight, parts = [2, 1]>"
// CHECK-NEXT: "cycles": {{[1-9][0-9]*}}

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/chosen.json --dump-strategies=%t/again.json --emit=loops -o %t/b.mlir
// RUN: diff %t/chosen.json %t/again.json
// RUN: diff %t/a.mlir %t/b.mlir

// Other parts, or none.
// RUN: sed 's/parts = \[2, 1\]/parts = [1, 4]/' %t/chosen.json > %t/mine.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/mine.json --emit=loops -o %t/mine.mlir
// RUN: FileCheck %s --input-file=%t/mine.mlir --check-prefix=MINE
// MINE-COUNT-2: scf.forall (%{{.*}}) = (0) to (1024) step (256)
// RUN: sed 's/#VPU.strategy<[^"]*/#VPU.strategy<>/' %t/chosen.json > %t/whole.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/whole.json --emit=loops -o %t/whole.mlir
// RUN: FileCheck %s --input-file=%t/whole.mlir --check-prefix=WHOLE
// WHOLE-NOT: scf.forall

// Three parts leave two rows over.
// RUN: sed 's/parts = \[2, 1\]/parts = [3, 1]/' %t/chosen.json > %t/uneven.json
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/uneven.json --emit=loops -o %t/uneven.mlir
// RUN: FileCheck %s --input-file=%t/uneven.mlir --check-prefix=UNEVEN
// UNEVEN-COUNT-2: scf.forall (%{{.*}}) = (0) to (510) step (170)

// More parts than rows name the node.
// RUN: sed 's/parts = \[2, 1\]/parts = [513, 1]/' %t/chosen.json > %t/many.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/many.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: 'exp': {{.*}}expected at most 512 parts of loop 0, its steps, found 513

// A file of another model.
// RUN: sed 's/memref<512x/memref<256x/' %t/chosen.json > %t/shape.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/shape.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: expected strategies for linalg.copy memref<512x1024xf32>, found those for linalg.copy memref<256x1024xf32>: the file is of another model, or of another version of it

func.func @main(%x: tensor<512x1024xf32> {nacre.name = "x"}) -> (tensor<512x1024xf32> {nacre.name = "y"}, tensor<512x1024xf32> {nacre.name = "z"}) {
  %y = IE.Exp %x : tensor<512x1024xf32> -> tensor<512x1024xf32> loc("exp")
  return %y, %x : tensor<512x1024xf32>, tensor<512x1024xf32>
}
