// What counts is what is read and written, each once: 4 MB of bytes that become 16
// MB of floats are not three quarters of a cache of 32 MB, with which results begin
// to be stored past it, but 5 MB that become 20 MB are.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --vpu-arch=znver4 -o %t/fits.s && FileCheck %s --check-prefix=FITS --input-file=%t/fits.s --implicit-check-not=vmovnt
// RUN: sed 's/8192x512/10240x512/g' %s > %t/more.mlir
// RUN: nacre compile %t/more.mlir --vpu-arch=znver4 -o %t/more.s && FileCheck %s --input-file=%t/more.s
// FITS: ret

// CHECK: vmovntps
// CHECK: sfence
func.func @main(%x: tensor<8192x512xui8> {nacre.name = "x"}) -> (tensor<8192x512xf32> {nacre.name = "y"}) {
  %scale = IE.Constant dense<2.000000e-02> : tensor<f32>
  %zero = IE.Constant dense<120> : tensor<ui8>
  %0 = IE.DequantizeLinear(%x, %scale, %zero) : (tensor<8192x512xui8>, tensor<f32>, tensor<ui8>) -> tensor<8192x512xf32>
  return %0 : tensor<8192x512xf32>
}
