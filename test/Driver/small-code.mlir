// -Os gives smaller code, with the same result.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/fast.so
// RUN: nacre compile %s -Os -o %t/small.so
// RUN: nacre info %t/fast.so > %t/sizes && nacre info %t/small.so >> %t/sizes
// RUN: %python -c "import re, sys; fast, small = map(int, re.findall(r'code +(\d+)', open(sys.argv[1]).read())); sys.exit(small >= fast)" %t/sizes
// RUN: nacre compile %s -Os --emit=llvm -o %t/small.ll && FileCheck %s --input-file=%t/small.ll
// CHECK: attributes #0 = {{.*}}optsize
// RUN: nacre run %t/fast.so > %t/fast.txt && nacre run %t/small.so > %t/small.txt && cmp %t/fast.txt %t/small.txt

func.func @main(%x: tensor<1x16x8x8xf32> {nacre.name = "x"}) -> (tensor<1x16x6x6xf32> {nacre.name = "y"}) {
  %w = IE.Constant dense<0.5> : tensor<16x16x3x3xf32>
  %0 = IE.Conv(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x6x6xf32>
  %1 = IE.Exp %0 : tensor<1x16x6x6xf32> -> tensor<1x16x6x6xf32>
  return %1 : tensor<1x16x6x6xf32>
}
