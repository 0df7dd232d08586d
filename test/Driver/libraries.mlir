// A compiled library is a model as others are: described, run, timed, with
// sizes that the command line gives. What is none is refused before anything
// of it is loaded.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/net.so
// RUN: nacre info %t/net.so | FileCheck %s --check-prefix=INFO
// INFO: library     net
// INFO: compiled    for [[ARCH:.*]], of which this machine runs [[ARCH]]
// INFO: threads     1
// INFO: input       x: float32[batch,4]
// INFO: output      y: float32[batch,4]
// INFO: weights     {{[0-9]+}} bytes
// RUN: nacre run %t/net.so --shape x=3x4 | FileCheck %s --check-prefix=RESULT
// RESULT: y: tensor<3x4xf32> [
// RUN: nacre bench %t/net.so --shape x=3x4 --seconds=0 | FileCheck %s --check-prefix=BENCH
// BENCH: on 1 thread(s): median
// RUN: nacre compile %s --threads=2 -o %t/two.so
// RUN: nacre bench %t/two.so --shape x=3x4 --seconds=0 | FileCheck %s --check-prefix=TWO
// TWO: on 2 thread(s): median
// RUN: nacre bench %t/two.so --shape x=3x4 --seconds=0 --threads=1 | FileCheck %s --check-prefix=BENCH
// RUN: nacre bench %t/two.so --shape x=3x4 --seconds=0 --threads=3 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: warning: the library runs with at most 2 threads, which --threads said when it was compiled
// MORE: on 2 thread(s): median

// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.so 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: input 'x' has the dynamic shape tensor<?x4xf32>; fix it with --shape
// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.so --shape x=3x5 2>&1 | FileCheck %s --check-prefix=MISFIT
// MISFIT: error: --shape gives 'x' the type tensor<3x5xf32>, and the library takes tensor<?x4xf32>
// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.so --shape z=3x4 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: --shape names 'z', which is no tensor among the library's inputs

// What says how to compile is refused, not left unread.
// RUN: %python %S/Inputs/status.py 3 nacre run %t/net.so --shape x=3x4 --no-winograd 2>&1 | FileCheck %s --check-prefix=CODE -DOPTION=--no-winograd
// RUN: %python %S/Inputs/status.py 3 nacre bench %t/net.so --shape x=3x4 --vpu-arch=host 2>&1 | FileCheck %s --check-prefix=CODE -DOPTION=--vpu-arch
// RUN: %python %S/Inputs/status.py 3 nacre check %t/net.so %t --value x=1 2>&1 | FileCheck %s --check-prefix=CODE -DOPTION=--value
// CODE: error: [[OPTION]] needs a model to compile: the library '{{.*}}/net.so' has its code already

// One of the two is for another machine than this.
// RUN: nacre compile %s --vpu-arch=aarch64 -o %t/aarch64.so
// RUN: nacre compile %s --vpu-arch=x86-64-v3 -o %t/x86_64.so
// RUN: %python -c "import os, sys; os.rename(sys.argv[1] + {'x86_64': '/aarch64.so', 'aarch64': '/x86_64.so'}[os.uname().machine], sys.argv[1] + '/other.so')" %t
// RUN: %python %S/Inputs/status.py 3 nacre run %t/other.so 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: the library is for [[OTHER:[a-z0-9_]+]], and this machine is
// RUN: touch %t/empty.so
// RUN: %python %S/Inputs/status.py 3 nacre run %t/empty.so 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.so: expected a library made by nacre, found an empty file
// RUN: echo text > %t/text.so
// RUN: %python %S/Inputs/status.py 3 nacre run %t/text.so 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: text.so: expected a library made by nacre, found a file that is no library
// RUN: %python -c "import sys; b = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(b[:len(b) // 2])" %t/net.so %t/half.so
// RUN: %python %S/Inputs/status.py 3 nacre bench %t/half.so 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: half.so: the library is truncated
// RUN: %python -c "import os, sys; os.symlink('/lib/' + os.uname().machine + '-linux-gnu/libm.so.6', sys.argv[1])" %t/foreign.so
// RUN: %python %S/Inputs/status.py 3 nacre info %t/foreign.so 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: foreign.so: expected a library made by nacre, found one without nacre_model_metadata

func.func @main(%x: tensor<?x4xf32> {nacre.name = "x", nacre.dims = ["batch", ""]}) -> (tensor<?x4xf32> {nacre.name = "y"}) {
  %0 = IE.Relu %x : tensor<?x4xf32> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
