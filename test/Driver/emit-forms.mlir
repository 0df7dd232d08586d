// The output's extension tells the form; what contradicts it is refused.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/a.so && head -c 4 %t/a.so | FileCheck %s --check-prefix=ELF
// RUN: nacre compile %s -o %t/a.o && head -c 4 %t/a.o | FileCheck %s --check-prefix=ELF
// RUN: nacre compile %s -o %t/plain && head -c 4 %t/plain | FileCheck %s --check-prefix=ELF
// ELF: ELF
// RUN: nacre compile %s -o %t/a.a && head -c 7 %t/a.a | FileCheck %s --check-prefix=ARCHIVE
// ARCHIVE: !<arch>
// RUN: nacre compile %s -o %t/a.s && FileCheck %s --input-file=%t/a.s --check-prefix=ASM
// ASM: .globl a_run
// RUN: nacre compile %s -o %t/a.ll && FileCheck %s --input-file=%t/a.ll --check-prefix=LLVM
// LLVM: define {{.*}}@a_run
// RUN: nacre compile %s -o %t/a.mlir && FileCheck %s --input-file=%t/a.mlir --check-prefix=IE
// IE: IE.Relu
// RUN: nacre compile %s -o %t/a.loops.mlir && FileCheck %s --input-file=%t/a.loops.mlir --check-prefix=LOOPS
// RUN: nacre compile %s --emit=loops -o %t/b.mlir && FileCheck %s --input-file=%t/b.mlir --check-prefix=LOOPS
// LOOPS: memref
// RUN: nacre compile %s -o %t/a.onnx && nacre-translate --import-onnx %t/a.onnx | FileCheck %s --check-prefix=IE
// RUN: cd %t && nacre compile %s --emit=onnx && nacre run emit_forms.optimized.onnx | FileCheck %s --check-prefix=RESULT

// A version is part of a library's extension.
// RUN: nacre compile %s -o %t/libnet.so.1.2 | FileCheck %s --check-prefix=VERSION
// VERSION: libnet.so.1.2 and {{.*}}libnet.h:
// RUN: FileCheck %s --input-file=%t/libnet.h --check-prefix=PREFIX
// PREFIX: int libnet_run(
// RUN: nacre run %t/libnet.so.1.2 | FileCheck %s --check-prefix=RESULT
// RUN: mv %t/libnet.so.1.2 %t/moved.so && nacre run %t/moved.so | FileCheck %s --check-prefix=RESULT
// RESULT: y: tensor<2xf32> [

// RUN: nacre compile %s --name=my_net -o %t/named.o
// RUN: FileCheck %s --input-file=%t/named.h --check-prefix=NAME
// NAME: int my_net_run(
// RUN: llvm-nm %t/named.o | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: T my_net_run

// RUN: %python %S/Inputs/status.py 3 nacre compile %s --emit=obj -o %t/x.a 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: --emit=obj contradicts the name '{{.*}}x.a', which is one of --emit=static
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --emit=vpu -o %t/x.ie.mlir 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: --emit=vpu contradicts the name '{{.*}}x.ie.mlir', which is one of --emit=ie
// RUN: %python %S/Inputs/status.py 3 nacre compile %s -o %t/x.bin 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: cannot tell from '{{.*}}x.bin' what to write; --emit says it, or an extension: .so, .a, .o, .ll, .s, .onnx, .mlir
// RUN: nacre compile %s --emit=obj -o %t/x.bin
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --emit=obj -o %t/x.h 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: error: '{{.*}}x.h' is the name of a header
// RUN: %python %S/Inputs/status.py 3 nacre compile %s --name=my-net -o %t/x.o 2>&1 | FileCheck %s --check-prefix=DASH
// DASH: error: --name needs a C identifier, found 'my-net'
// RUN: %python %S/Inputs/status.py 3 nacre compile %s -o %t/nacre.o 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: a model cannot be called 'nacre'

func.func @main(%x: tensor<2xf32> {nacre.name = "x"}) -> (tensor<2xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
