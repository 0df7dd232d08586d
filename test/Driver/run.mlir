// `nacre run` on IE: every backend gives the same numbers, inputs come from
// files or a seed, outputs go to the screen or to files.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/npy.py write %t/x.npy float32 1x4 1 -2 3 -4
// RUN: %python %S/Inputs/npy.py write %t/b.npy float32 4 0.5 0.5 0.5 0.5

// RUN: nacre run %s --input image/in:0=%t/x.npy --input b=%t/b.npy --backend=interpreter | FileCheck %s
// RUN: nacre run %s --input image/in:0=%t/x.npy --input b=%t/b.npy --backend=reference | FileCheck %s
// RUN: nacre run %s --input image/in:0=%t/x.npy --input b=%t/b.npy --backend=cpu | FileCheck %s
// RUN: nacre run %s --input image/in:0=%t/x.npy --input b=%t/b.npy --threads=2 | FileCheck %s
// CHECK: class/prob: tensor<1x4xf32> [1.5, 0, 3.5, 0]

// A tensor's name becomes a file name without the characters a path cannot have.
// RUN: nacre run %s --input image/in:0=%t/x.npy --input b=%t/b.npy --output-dir %t/out
// RUN: FileCheck %s --input-file=%t/out/outputs.json --check-prefix=LIST
// LIST: [{"file":"class_prob.npy","name":"class/prob"}]
// RUN: %python %S/Inputs/npy.py print %t/out/class_prob.npy | FileCheck %s --check-prefix=FILE
// FILE: float32 [1, 4] [1.5, 0.0, 3.5, 0.0]

// The same seed gives the same input; another seed another one.
// RUN: nacre run %s --input b=random:7 > %t/first
// RUN: nacre run %s --input b=random:7 > %t/second
// RUN: nacre run %s --input b=random:8 > %t/third
// RUN: diff %t/first %t/second
// RUN: not diff %t/first %t/third

// RUN: %python %S/Inputs/status.py 3 nacre run %s --input nope=%t/x.npy 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the model has no input 'nope'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --input b 2>&1 | FileCheck %s --check-prefix=SOURCE
// SOURCE: error: --input needs NAME=FILE, found 'b'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --input b=random:x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: expected random or random:SEED, found 'random:x'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --input b=%t/x.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: input 'b' needs tensor<4xf32>, but {{.*}}x.npy holds tensor<1x4xf32>
// RUN: %python %S/Inputs/status.py 3 nacre run %s --input b=%t/absent.npy 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent.npy: cannot open the file

func.func @main(%x: tensor<1x4xf32> {nacre.name = "image/in:0"},
                %b: tensor<4xf32> {nacre.name = "b"})
    -> (tensor<1x4xf32> {nacre.name = "class/prob"}) {
  %0 = "IE.Add"(%x, %b) : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %1 = "IE.Relu"(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
