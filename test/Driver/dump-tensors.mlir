// `--dump-tensors` writes the values inside of a model, in every form.

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/npy.py write %t/x.npy float32 1x8 1 -2 3 -4 5 -6 7 -8

// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/all | FileCheck %s
// CHECK: y: tensor<1x8xf32> [2, 0, 6, 0, 10, 0, 14, 0]
// RUN: ls %t/all | FileCheck %s --check-prefix=FILES
// FILES: 0000_x.npy
// FILES-NEXT: 0001_r.npy
// FILES-NEXT: 0002_whole_part_ok.npy
// FILES-NEXT: 0003_sum.npy
// FILES-NEXT: index.json
// FILES-NOT: {{.}}
// RUN: %python %S/Inputs/npy.py print %t/all/0001_r.npy %t/all/0002_whole_part_ok.npy | FileCheck %s --check-prefix=VALUES
// VALUES: float32 [1, 8] [1.0, 0.0, 3.0, 0.0, 5.0, 0.0, 7.0, 0.0]
// VALUES: int32 [1, 8] [1, 0, 3, 0, 5, 0, 7, 0]
// RUN: FileCheck %s --check-prefix=INDEX < %t/all/index.json
// INDEX: "file": "0002_whole_part_ok.npy"
// INDEX-NEXT: "max": 7,
// INDEX-NEXT: "mean": 2,
// INDEX-NEXT: "min": 0,
// INDEX-NEXT: "node": "Cast_0",
// INDEX-NEXT: "op": "Cast",
// INDEX-NEXT: "operand": 0,
// INDEX-NEXT: "shape": [
// INDEX-NEXT: 1,
// INDEX-NEXT: 8
// INDEX-NEXT: ],
// INDEX-NEXT: "type": "int32",
// INDEX-NEXT: "value": "whole/part:ok"

// Every backend shows the same.
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/oracle --backend=interpreter
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/plain --backend=reference
// RUN: diff -r %t/all %t/oracle && diff -r %t/all %t/plain

// On the screen.
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=-:whole* | FileCheck %s --check-prefix=SCREEN
// SCREEN: whole/part:ok: int32[1,8], min 0, max 7, mean 2, of Cast 'Cast_0'
// SCREEN-NEXT: {{\[\[}}1 0 3 … 0 7 0]]
// SCREEN-NOT: {{.}}

// Others, with and without a line that says what they are.
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/txt:whole* --dump-format=txt
// RUN: FileCheck %s --check-prefix=TXT --match-full-lines < %t/txt/0000_whole_part_ok.txt
// TXT: int32[1,8]
// TXT-NEXT: 1
// TXT-NEXT: 0
// TXT-NEXT: 3
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/raw:whole* --dump-format=rawtxt
// RUN: tail -n +2 %t/txt/0000_whole_part_ok.txt | diff - %t/raw/0000_whole_part_ok.rawtxt
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/bin:whole* --dump-format=bin
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/raw:whole* --dump-format=rawbin
// RUN: tail -n +2 %t/bin/0000_whole_part_ok.bin | cmp - %t/raw/0000_whole_part_ok.rawbin
// RUN: od -An -v -t d4 %t/raw/0000_whole_part_ok.rawbin | FileCheck %s --check-prefix=OD
// OD: 1 0 3 0
// OD-NEXT: 5 0 7 0

// Parts, of 8 or 32 bytes each here: a megabyte holds all.
// RUN: nacre run %s --input x=%t/x.npy --dump-tensors=%t/parts --dump-memory=1
// RUN: diff -r %t/all %t/parts

// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-tensors=%t/none:absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}no value is called 'absent'
// RUN: not ls %t/none
// RUN: %python %S/Inputs/status.py 3 nacre run %s '--dump-tensors=%t/none:[' 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: error: {{.*}}'[' is no pattern of names
// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-tensors=%t/x.npy 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot create '{{.*}}x.npy'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-tensors=%t/x.npy/deep 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: cannot create '{{.*}}x.npy/deep'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-tensors=- --dump-format=npy 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: --dump-tensors needs DIR[:GLOB], with --dump-format=console also -[:GLOB], found '-'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-tensors=%t/n --dump-format=poem 2>&1 | FileCheck %s --check-prefix=POEM
// POEM: error: --dump-format needs npy or console or bin or txt or rawbin or rawtxt, found 'poem'
// RUN: %python %S/Inputs/status.py 3 nacre run %s --dump-format=npy 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --dump-format needs --dump-tensors
// RUN: nacre compile %s -o %t/net.so --name=net
// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.so --dump-tensors=- 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: error: --dump-tensors needs a model to compile, found the library
// RUN: nacre compile %s -o %t/net.vpu.mlir
// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.vpu.mlir --dump-tensors=- 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: --dump-tensors needs a model before lowering

func.func @main(%x: tensor<1x8xf32> {nacre.name = "x"})
    -> (tensor<1x8xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<1x8xf32> -> tensor<1x8xf32> loc("Relu_0"(fused<{nacre.values = ["r"]}>["net":0:0]))
  %1 = IE.Cast %0 to i32 : tensor<1x8xf32> -> tensor<1x8xi32> loc("Cast_0"(fused<{nacre.values = ["whole/part:ok"]}>["net":0:0]))
  %2 = IE.Add %0, %0 : tensor<1x8xf32>, tensor<1x8xf32> -> tensor<1x8xf32> loc("Add_0"(fused<{nacre.values = ["sum"]}>["net":0:0]))
  return %2 : tensor<1x8xf32>
}
