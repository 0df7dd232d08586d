// A tool's output is a whole file or, where the tool fails, what was there
// before, and may be the tool's input.

// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: nacre-opt %t/in.mlir -o %t/in.mlir
// RUN: FileCheck %s --input-file=%t/in.mlir
// RUN: nacre-translate --mlir-to-header %t/in.mlir -o %t/in.mlir
// RUN: FileCheck %s --input-file=%t/in.mlir --check-prefix=HEADER

// RUN: echo garbage > %t/garbage.mlir && echo garbage > %t/garbage.onnx
// RUN: echo old > %t/old
// RUN: not nacre-opt %t/garbage.mlir -o %t/old
// RUN: not nacre-opt %t/garbage.mlir -o %t/garbage.mlir
// RUN: not nacre-translate --import-onnx %t/garbage.onnx -o=%t/old
// RUN: not nacre-translate --import-onnx %t/garbage.onnx --o %t/garbage.onnx
// RUN: cat %t/old %t/garbage.mlir %t/garbage.onnx | FileCheck %s --check-prefix=OLD
// OLD: old
// OLD-NEXT: garbage
// OLD-NEXT: garbage
// RUN: ls %t | count 4

// RUN: nacre-opt %s -o - | FileCheck %s
// RUN: nacre-opt %s --split-input-file -o /dev/stdout | FileCheck %s
// RUN: nacre-opt %s -o /dev/null | count 0
// RUN: nacre compile %s --emit=ie -o - | FileCheck %s
// RUN: not nacre compile %s -o - 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: {{.*}}cannot write '-': it is no regular file

// RUN: not nacre-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not nacre compile %s --emit=ie -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: {{.*}}cannot write '/dev/full': No space left on device
// RUN: not nacre-opt %s -o %t/absent/out.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot write beside '{{.*}}absent/out.mlir': No such file or directory
// RUN: not nacre-translate --mlir-to-header %s -o %t/absent/out.h 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot open output file '{{.*}}absent/out.h{{.*}}': No such file or directory

// HEADER: #ifndef {{.*}}MODEL_H

// CHECK-LABEL: func.func @main
// CHECK: IE.Relu
func.func @main(%x: tensor<1x8xf32> {nacre.name = "x"}) -> (tensor<1x8xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<1x8xf32> -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
