// `nacre bench --profile` names every step by its node, and draws them.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre bench %s --seconds=0 --profile --profile-html=%t/page.html | FileCheck %s
// RUN: nacre bench %s --seconds=0 --profile --json | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=HTML < %t/page.html

// CHECK: peak {{.*}} GFLOP/s
// CHECK: us predicted      %  GFLOP/s    GB/s  roofline  kernel{{ +}}node
// CHECK: vpu_nce_convolution{{ +}}conv/first
// CHECK: vpu_nce_convolution

// JSON: "peak_gflops":{{.*}},"steps":[{{.*}}{"node":"conv/first","kernel":"vpu_nce_convolution","ms":{{[^,]*}},"predicted_ms":{{[^,]*}},"flops":{{[1-9][0-9]*}},"bytes":{{[1-9][0-9]*}},"roofline":{{[^,]*}},"bound":"{{arithmetic|memory traffic}}","nodes":["conv/first","relu/first"],"shapes":["1x1x6x6x8xf32",{{[^]]*}}],"buffers":{{\[}}[{{[0-9]+}},{{[0-9]+}}]

// HTML: <!DOCTYPE html>
// HTML: Timeline
// HTML: Memory map
// HTML: const profile = {"arena_bytes":{{[0-9]+}},{{.*}}"nodes":["conv/first"],"shapes":["{{[0-9x]+}}xf32"
// HTML: </html>

// The interpreter has no steps, and a folder that is not there no page.
// RUN: not nacre bench %s --profile --backend=interpreter 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// INTERPRETER: only the cpu backend can profile
// RUN: not nacre bench %s --seconds=0 --profile-html=%t/absent/page.html 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: {{.*}}absent/page.html

func.func @main(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x4x4xf32> {
  %w = IE.Constant dense<0.5> : tensor<8x8x3x3xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x4xf32> loc("conv/first")
  %1 = IE.Relu %0 : tensor<1x8x4x4xf32> -> tensor<1x8x4x4xf32> loc("relu/first")
  return %1 : tensor<1x8x4x4xf32>
}
