// What addresses of 32 bits do not reach is refused by name and size.

// RUN: rm -rf %t && mkdir %t
// RUN: sed 's/<?x/<100000000x/g' %s > %t/100000000.mlir
// RUN: sed 's/<?x/<300000000x/g' %s > %t/300000000.mlir
// RUN: sed 's/<?x/<600000000x/g' %s > %t/600000000.mlir
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %t/600000000.mlir --vpu-arch=armv7 -o %t/net.a 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: {{.*}}unsupported: input 'x' of 2400000000 bytes for armv7-unknown-linux-gnueabihf, where addresses have 32 bits
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %t/300000000.mlir --vpu-arch=armv7 -o %t/net.a 2>&1 | FileCheck %s --check-prefix=ARENA
// ARENA: error: {{.*}}unsupported: an arena of {{[0-9]+}} bytes for armv7-unknown-linux-gnueabihf, where addresses have 32 bits
// RUN: not ls %t/net.a
// RUN: nacre compile %t/100000000.mlir --vpu-arch=armv7 -o %t/net.a

// Where sizes are left open, a run of a machine that has no runtime cannot be.
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %s --vpu-arch=%S/Inputs/cortex-m7.json -o %t/open.a 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: {{.*}}unsupported: values of dynamic size, for thumbv7em-unknown-none-eabihf, which nacre has no runtime for; fix inputs with --shape NAME=DIMS, or compile for one of
// RUN: sed 's/armv7/armv6/g; s/+neon/+vfp2/; s/"neon"//' %nacre_src_root/lib/Target/Architectures/armv7.json > %t/armv6.json
// RUN: %python %S/../Driver/Inputs/status.py 3 nacre compile %s --vpu-arch=%t/armv6.json -o %t/open.a 2>&1 | FileCheck %s --check-prefix=OLDER
// OLDER: error: {{.*}}unsupported: values of dynamic size, for armv6-unknown-linux-gnueabihf, which nacre has no runtime for
// RUN: not ls %t/open.a

func.func @main(%x: tensor<?xf32> {nacre.name = "x"}) -> (tensor<1xf64> {nacre.name = "y"}) {
  %axis = IE.Constant dense<0> : tensor<i64>
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %0 = IE.Cast %x to f64 : tensor<?xf32> -> tensor<?xf64>
  %1 = IE.CumSum(%0, %axis) : (tensor<?xf64>, tensor<i64>) -> tensor<?xf64>
  %2 = IE.ReduceMax(%1, %axes) : (tensor<?xf64>, tensor<1xi64>) -> tensor<1xf64>
  return %2 : tensor<1xf64>
}
