// What a model calls of the runtime is linked for the machine that the model is
// compiled for.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=aarch64 -o %t/grow.so
// RUN: llvm-readelf --file-header --dyn-syms %t/grow.so | FileCheck %s
// CHECK: Machine: AArch64
// CHECK-NOT: UND nacre_
// CHECK: {{[0-9]}} nacre_tensor_new

// RUN: nacre compile %s --emit=obj --vpu-arch=aarch64 -o %t/grow.o
// RUN: llvm-nm --undefined-only %t/grow.o | FileCheck %s --check-prefix=OBJECT --implicit-check-not=nacre_ --implicit-check-not=__aarch64_
// OBJECT: longjmp

// A machine that there is no runtime for is refused by name.
// RUN: %python -c "import sys; print(open(sys.argv[1]).read().replace('x86_64-unknown-linux-gnu', 'x86_64-unknown-freebsd'))" %nacre_src_root/lib/Target/Architectures/x86-64-v3.json > %t/arch.json
// RUN: not nacre compile %s --vpu-arch=%t/arch.json -o %t/other.so 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}cross-runtime.mlir: unsupported: values of dynamic size, for x86_64-unknown-freebsd, which nacre has no runtime for; fix inputs with --shape NAME=DIMS, or compile for one of {{.*}}aarch64-unknown-linux-gnu{{.*}}x86_64-unknown-linux-gnu

// So is an ABI that its objects do not have.
// RUN: not nacre compile %s --target=riscv64-linux-gnu --mabi=lp64 -o %t/soft.a 2>&1 | FileCheck %s --check-prefix=ABI
// ABI: error: {{.*}}unsupported: values of dynamic size, for riscv64-unknown-linux-gnu, {{.*}}, ABI lp64: nacre's runtime passes floats as lp64d does; fix inputs with --shape NAME=DIMS, or leave out --mabi
// RUN: not ls %t/soft.a

func.func @main(%x: tensor<?xf32> {nacre.name = "x"}) -> (tensor<?xf32> {nacre.name = "y"}) {
  %0 = IE.Concat %x, %x {axis = 0 : i64} : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
