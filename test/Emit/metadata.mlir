// A library says what it is: its metadata is JSON in read-only data. Besides it
// only the entry point is visible from outside.

// RUN: nacre compile %s --emit=llvm -O0 --vpu-arch=x86-64-v3 -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=DATA
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CODE

// DATA: _metadata = constant
// DATA-SAME: \22architectures\22:[\22x86-64-v3\22]
// DATA-SAME: \22arena_alignment\22:64
// DATA-SAME: \22inputs\22:[{\22c_name\22:\22x\22,\22name\22:\22x\22,\22shape\22:[8],\22type\22:\22float32\22}]
// DATA-SAME: \22nacre\22:\22{{[0-9]+\.[0-9]+\.[0-9]+}}\22
// DATA-SAME: \22outputs\22:[{\22c_name\22:\22y\22,\22name\22:\22y\22,\22shape\22:[8],\22type\22:\22float32\22}]
// DATA-SAME: \22weight_bytes\22:0

// The model itself is internal; the check runs on any x86-64.
// CODE: define internal {{.*}}_main(
// CODE: define hidden void @{{.*}}_check_cpu() [[BASELINE:#[0-9]+]]
// CODE: call {{.*}} asm sideeffect "cpuid"
// CODE: define signext i32 @{{.*}}_run(ptr %0, ptr %1, ptr %2) [[BASELINE]]
// CODE: attributes [[BASELINE]] = { {{.*}}"target-cpu"="x86-64"

func.func @main(%x: tensor<8xf32> {nacre.name = "x"})
    -> (tensor<8xf32> {nacre.name = "y"}) {
  %0 = "IE.Relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
