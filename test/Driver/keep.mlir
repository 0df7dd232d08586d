// A descriptor names composite ops that its engine wants whole. What the engine
// does not take is taken apart behind its conversion, and computes the same.

// RUN: sed 's/"name": "NPU37XX"/"name": "whole", "keep": ["LayerNormalization"]/' %nacre_src_root/lib/Target/Architectures/NPU37XX.json > %t.json
// RUN: nacre-opt %s --hw-vpu="vpu-arch=%t.json" --mlir-print-ir-after=convert-ie-to-vpu 2>&1 | FileCheck %s
// RUN: nacre-opt %s --hw-vpu="vpu-arch=NPU37XX" --mlir-print-ir-after=convert-ie-to-vpu 2>&1 | FileCheck %s --check-prefix=APART
// RUN: rm -rf %t.whole %t.apart
// RUN: nacre run %s --vpu-arch=%t.json --output-dir %t.whole
// RUN: nacre run %s --vpu-arch=NPU37XX --output-dir %t.apart
// RUN: cmp %t.whole/y.npy %t.apart/y.npy
// RUN: nacre run %s --vpu-arch=%t.json --backend=reference

// CHECK: IR Dump After {{.*}}convert-ie-to-vpu
// CHECK: nacre.keep = ["LayerNormalization"]
// CHECK: IE.LayerNormalization
// CHECK: linalg.generic
// CHECK-NOT: IE.LayerNormalization
// APART: IR Dump After {{.*}}convert-ie-to-vpu
// APART-NOT: IE.LayerNormalization

// Another name is an error of the descriptor.
// RUN: sed 's/"name": "NPU37XX"/"name": "wrong", "keep": ["Conv"]/' %nacre_src_root/lib/Target/Architectures/NPU37XX.json > %t.wrong.json
// RUN: %python %S/Inputs/status.py 3 nacre run %s --vpu-arch=%t.wrong.json 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not nacre-opt %s --init-compiler="vpu-arch=%t.wrong.json" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: {{.*}}wrong{{.*}}: field 'keep': expected composite operations (LayerNormalization), found 'Conv'
// RUN: sed 's/"name": "NPU37XX"/"name": "wrong", "keep": "all"/' %nacre_src_root/lib/Target/Architectures/NPU37XX.json > %t.word.json
// RUN: %python %S/Inputs/status.py 3 nacre run %s --vpu-arch=%t.word.json 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: {{.*}}word.json: field 'keep': expected an array of strings, found "all"

func.func @main(%x: tensor<2x4x8xf32> {nacre.name = "x"}) -> (tensor<2x4x8xf32> {nacre.name = "y"}) {
  %s = IE.Constant dense<2.0> : tensor<8xf32>
  %b = IE.Constant dense<0.5> : tensor<8xf32>
  %0:3 = IE.LayerNormalization(%x, %s, %b) : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  return %0#0 : tensor<2x4x8xf32>
}
