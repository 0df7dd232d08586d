// A run of a dynamic size compares it with a number that is known when it is
// compiled, and calls the kernel where that is too little for two threads:
// without a division, a frame or the runtime.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=x86-64-v4 --threads=2 -o %t/small.ll
// RUN: FileCheck %s --input-file=%t/small.ll

// CHECK: define internal ptr @small_main(
// CHECK: %[[N:.*]] = call i64 @nacre_tensor_dim(
// CHECK: %[[IS_MUCH:.*]] = icmp ugt i64 %[[N]], {{[0-9]+}}
// CHECK-NEXT: br i1 %[[IS_MUCH]], label %[[SHARED:.*]], label %[[ALONE:.*]]
// CHECK: {{^}}[[ALONE]]:
// CHECK-NEXT: call void @[[KERNEL:linalg_generic]](i64 %[[N]],
// CHECK-NEXT: br label
// CHECK: {{^}}[[SHARED]]:
// CHECK: call void @nacre_share(
// CHECK: define internal void @part(
// CHECK: call void @[[KERNEL]](

func.func @main(%x: tensor<?x64xf32> {nacre.name = "x", nacre.dims = ["n", ""]}) -> (tensor<?x64xf32> {nacre.name = "y"}) {
  %y = "IE.Erf"(%x) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
