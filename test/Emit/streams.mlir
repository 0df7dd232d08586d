// Results that the caches do not hold are stored past them, where they are
// aligned; what fits, what is read again, as the exponentials of Softmax, which are
// scaled where they are, or what is computed for longer than it takes to store, is not.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=znver4 -o %t/net.s && FileCheck %s --input-file=%t/net.s
// RUN: nacre compile %s --vpu-arch=sapphirerapids -o %t/large.s && FileCheck %s --check-prefix=LARGE --input-file=%t/large.s --implicit-check-not=vmovnt
// RUN: sed 's/"shared_cache_bytes".*//; s/"znver4"/"unknown"/' %nacre_src_root/lib/Target/Architectures/znver4.json > %t/unknown.json
// RUN: nacre compile %s --vpu-arch=%t/unknown.json -o %t/unknown.s && FileCheck %s --check-prefix=LARGE --input-file=%t/unknown.s --implicit-check-not=vmovnt
// LARGE: ret

// Three quarters of a cache are enough for one thread; two begin with all of it, of
// which each has a half.
// RUN: sed 's/4194304/2097152/g; s/1024x4096/256x4096/g' %s > %t/half.mlir
// RUN: nacre compile %t/half.mlir --vpu-arch=znver4 -o %t/one.s && FileCheck %s --check-prefix=LARGE --input-file=%t/one.s --implicit-check-not=vmovnt
// RUN: sed 's/4194304/4063232/g; s/1024x4096/256x4096/g' %s > %t/less.mlir
// RUN: nacre compile %t/less.mlir --vpu-arch=znver4 --threads=2 -o %t/fits.s && FileCheck %s --check-prefix=LARGE --input-file=%t/fits.s --implicit-check-not=vmovnt
// RUN: nacre compile %s --vpu-arch=znver4 --threads=2 -o %t/two.s && FileCheck %s --check-prefix=TWO --input-file=%t/two.s
// TWO: vmovntps
// TWO: sfence

// CHECK-COUNT-4: vmovups %zmm
// CHECK-COUNT-4: vmovntps %zmm
// CHECK: sfence
// CHECK-NOT: vmovnt
func.func @main(%x: tensor<4194304xf32> {nacre.name = "x"}, %small: tensor<4096xf32> {nacre.name = "small"}, %rows: tensor<1024x4096xf32> {nacre.name = "rows"})
    -> (tensor<4194304xf32> {nacre.name = "relu"}, tensor<4194304xf32> {nacre.name = "sin"}, tensor<4096xf32> {nacre.name = "fits"}, tensor<1024x4096xf32> {nacre.name = "again"}) {
  %0 = IE.ThresholdedRelu %x {alpha = 1.0 : f32} : tensor<4194304xf32> -> tensor<4194304xf32>
  %1 = IE.Sin %x : tensor<4194304xf32> -> tensor<4194304xf32>
  %2 = IE.ThresholdedRelu %small {alpha = 1.0 : f32} : tensor<4096xf32> -> tensor<4096xf32>
  %3 = IE.Softmax(%rows) {axis = 1 : i64} : (tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
  return %0, %1, %2, %3 : tensor<4194304xf32>, tensor<4194304xf32>, tensor<4096xf32>, tensor<1024x4096xf32>
}
