// `--dump-strategies` writes what was decided about each op of the engine, and
// `--strategies` takes another decision from a file.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --dump-strategies=%t/chosen.json -o %t/a.so
// RUN: FileCheck %s --input-file=%t/chosen.json
// CHECK: "arch": "x86-64-v4"
// CHECK: "decides": "loops"
// CHECK-NEXT: "node": "conv"
// CHECK-NEXT: "index": 0
// CHECK-NEXT: "signature": "VPU.NCE.Convolution tensor<1x1x64x64x16xf32>"
// CHECK-NEXT: "strategy": "#VPU.strategy<multiCluster = SplitOverHeight, parts = [1, 1, 2, 1, 1]
// CHECK-NEXT: "cycles": {{[0-9]+}}

// What was written is read again and stays.
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/chosen.json --dump-strategies=%t/again.json -o %t/a.so
// RUN: diff %t/chosen.json %t/again.json

// Another decision: eight parts, of which each is another kernel.
// RUN: %python %S/Inputs/without_kernels.py %t/chosen.json > %t/loops.json
// RUN: sed 's/parts = \[1, 1, 2, 1, 1\]/parts = [1, 1, 8, 1, 1]/; s/, tiles[^>]*//' %t/loops.json > %t/mine.json
// RUN: nacre compile %s --emit=loops --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/mine.json -o %t/mine.mlir
// RUN: FileCheck %s --input-file=%t/mine.mlir --check-prefix=MINE
// MINE: scf.forall (%{{.*}}) = (0) to (64) step (8)

// One that cannot be applied names the node.
// RUN: sed 's/parts = \[1, 1, 2, 1, 1\]/parts = [1, 1, 3, 1, 1]/; s/, tiles[^>]*//' %t/chosen.json > %t/uneven.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/uneven.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: error: 'conv': {{.*}}expected parts of dimension 2 to cut 64 evenly

// So is a node that the model does not have, an op of another shape, a text that
// is no strategy, and an architecture that it is not for.
// RUN: sed 's/"node": "conv"/"node": "other"/' %t/chosen.json > %t/other.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/other.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=NODE
// NODE: error: {{.*}}other.json{{.*}}expected a VPU.NCE.Convolution of index 0 of node 'other' of the model, found none
// RUN: sed 's/64x64x16xf32/32x64x16xf32/' %t/chosen.json > %t/shape.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/shape.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: 'conv': {{.*}}expected strategies for VPU.NCE.Convolution tensor<1x1x64x64x16xf32>, found those for VPU.NCE.Convolution tensor<1x1x32x64x16xf32>: the file is of another model, or of another version of it
// RUN: sed 's/#VPU.strategy<[^"]*/64/' %t/chosen.json > %t/text.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/text.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: error: 'conv': {{.*}}expected #VPU.strategy<…>, found 64
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v3 --threads=2 --strategies=%t/chosen.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: {{.*}}chosen.json{{.*}}expected strategies for x86-64-v3, found those for x86-64-v4

// So is a field that nothing reads, and a second strategy for an op.
// RUN: sed 's/#VPU.strategy<multiCluster[^"]*/#VPU.strategy<blockParts = 2>/' %t/loops.json > %t/parts.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/parts.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=MEANING
// MEANING: error: 'conv': {{.*}}expected no blockParts with decide=loops: it is for an IE.MatMulNBits with decide=operators; leave it out; this op may have multiCluster or parts
// RUN: %python -c "import json, sys; file = json.load(open(sys.argv[1])); file['ops'] *= 2; print(json.dumps(file))" %t/loops.json > %t/twice.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/twice.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: 'conv': {{.*}}expected one strategy with "decides": "{{.*}}", found another one, #VPU.strategy<

// And so is a decision that nobody takes.
// RUN: sed 's/"decides": "loops"/"decides": "colours"/' %t/chosen.json > %t/decides.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/decides.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=DECIDES
// DECIDES: error: {{.*}}decides.json{{.*}}expected "decides" to be one of "operators", "algorithms", "concurrency", "groups", "loops", "software", "buffers", "joins", "registers", found "colours"
// RUN: sed 's/"decides": "loops",//' %t/chosen.json > %t/undecided.json
// RUN: %python %S/Inputs/status.py 2 nacre compile %s --vpu-arch=x86-64-v4 --threads=2 --strategies=%t/undecided.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=FIELDS
// FIELDS: error: {{.*}}undecided.json{{.*}}expected each entry to have "decides", "node", "index", "signature" and "strategy"

// Files that are none, and several architectures, are bad arguments.
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --strategies=%t/none.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}none.json: No such file or directory
// RUN: echo "{" > %t/bad.json
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --strategies=%t/bad.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}bad.json: [2:0, byte=2]
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --vpu-arch=x86-64-v3,x86-64-v4 --dump-strategies=%t/two.json -o %t/a.so 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: --strategies and --dump-strategies need the cpu backend and one architecture

func.func @main(%x: tensor<1x16x64x64xf32> {nacre.name = "x"}) -> (tensor<1x16x64x64xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<16x16x5x5xf32>
  %y = IE.Conv(%x, %w) {pads = array<i64: 2, 2, 2, 2>} : (tensor<1x16x64x64xf32>, tensor<16x16x5x5xf32>) -> tensor<1x16x64x64xf32> loc("conv")
  return %y : tensor<1x16x64x64xf32>
}
