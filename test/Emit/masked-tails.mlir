// What loops over vectors leave over is vectors under a mask where the machine has
// them, not single elements: of a size that only a run knows, and of 127 floats,
// which are whole registers before, not half ones.

// RUN: rm -rf %t && split-file %s %t
// RUN: nacre compile %t/dynamic.mlir --vpu-arch=x86-64-v4 -o %t/masks.ll && FileCheck %s --check-prefix=MASKS --input-file=%t/masks.ll --implicit-check-not='fmul float' --implicit-check-not=nacre.loop
// RUN: nacre compile %t/known.mlir --vpu-arch=x86-64-v4 -o %t/known.ll && FileCheck %s --check-prefix=KNOWN --input-file=%t/known.ll --implicit-check-not='<8 x float>'

// Where the vectoriser runs once, LLVM knows best what is left over.
// RUN: nacre compile %t/known.mlir -O1 --vpu-arch=x86-64-v4 -o %t/once.ll && FileCheck %s --check-prefix=ONCE --input-file=%t/once.ll

// A vector of 64-bit integers is not divided at once: it is taken apart for that.
// RUN: nacre compile %t/quotient.mlir --vpu-arch=x86-64-v4 -o %t/quotient.ll && FileCheck %s --check-prefix=QUOTIENT --input-file=%t/quotient.ll

// AVX2 has single elements left, behind vectors of fewer.
// RUN: nacre compile %t/dynamic.mlir --vpu-arch=x86-64-v3 -o %t/none.ll && FileCheck %s --check-prefix=NONE --input-file=%t/none.ll --implicit-check-not='llvm.masked'

// What rows are added to is read for the next one as soon as it is written, which
// masks would delay.
// RUN: nacre compile %t/sums.mlir --vpu-arch=x86-64-v4 -o %t/sums.ll && FileCheck %s --check-prefix=SUMS --input-file=%t/sums.ll --implicit-check-not='llvm.masked.store'
// RUN: nacre compile %t/open-sums.mlir --vpu-arch=x86-64-v4 -o %t/open-sums.ll && FileCheck %s --check-prefix=SUMS --input-file=%t/open-sums.ll --implicit-check-not='llvm.masked.store'

// SUMS: fadd reassoc <16 x float>
// MASKS: @llvm.masked.load.v16f32
// MASKS: @llvm.masked.store.v16f32
// KNOWN: fsub <16 x float>
// KNOWN: @llvm.masked.store.v16f32
// ONCE: fsub <8 x float>
// QUOTIENT-NOT: sdiv <
// QUOTIENT: sdiv i64
// QUOTIENT-NOT: sdiv <
// NONE: fmul <8 x float>
// NONE: fmul float

//--- dynamic.mlir
func.func @main(%x: tensor<?xf32> {nacre.name = "x"}) -> (tensor<?xf32> {nacre.name = "y"}) {
  %0 = IE.Mul %x, %x : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- known.mlir
func.func @main(%x: tensor<64x127xf32> {nacre.name = "x"}, %row: tensor<64x1xf32> {nacre.name = "row"})
    -> (tensor<64x127xf32> {nacre.name = "y"}) {
  %0 = IE.Sub %x, %row : tensor<64x127xf32>, tensor<64x1xf32> -> tensor<64x127xf32>
  return %0 : tensor<64x127xf32>
}

//--- quotient.mlir
func.func @main(%x: tensor<64x127xi64> {nacre.name = "x"}, %z: tensor<64x127xi64> {nacre.name = "z"})
    -> (tensor<64x127xi64> {nacre.name = "y"}) {
  %0 = IE.Div %x, %z : tensor<64x127xi64>, tensor<64x127xi64> -> tensor<64x127xi64>
  return %0 : tensor<64x127xi64>
}

//--- sums.mlir
func.func @main(%x: tensor<256x99xf32> {nacre.name = "x"}) -> (tensor<1x99xf32> {nacre.name = "y"}) {
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %0 = IE.ReduceSum(%x, %axes) : (tensor<256x99xf32>, tensor<1xi64>) -> tensor<1x99xf32>
  return %0 : tensor<1x99xf32>
}

//--- open-sums.mlir
func.func @main(%x: tensor<256x?xf32> {nacre.name = "x"}) -> (tensor<1x?xf32> {nacre.name = "y"}) {
  %axes = IE.Constant dense<0> : tensor<1xi64>
  %0 = IE.ReduceSum(%x, %axes) : (tensor<256x?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
