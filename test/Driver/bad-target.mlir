// Arguments that do not fit the model or the machine exit with 3.

// RUN: %python %S/Inputs/status.py 3 nacre compile %s -o %t.so --vpu-arch=nosuch 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: unknown architecture 'nosuch', expected host

// RUN: %python %S/Inputs/status.py 3 nacre compile %s -o %t.so --shape x=1x2 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: --shape needs an .onnx model, found '{{.*}}bad-target.mlir'

// RUN: %python %S/Inputs/status.py 3 nacre compile %s -o %t.so --threads=0 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: option '--threads' needs a number from 1 to 256, found '0'

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "IE.Relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
