// `nacre bench --json` prints one line with the keys that scripts read.

// RUN: nacre bench %s --seconds=0 --json | FileCheck %s
// CHECK: {"engine":"nacre","threads":1,"busy":0,"runs":{{[0-9]+}},"median_ms":{{[-+.e0-9]+}},"mean_ms":{{[-+.e0-9]+}},"min_ms":{{[-+.e0-9]+}},"p95_ms":{{[-+.e0-9]+}},"load_ms":{{[-+.e0-9]+}},"compile_ms":{{[-+.e0-9]+}},"arena_bytes":{{[0-9]+}},"weight_bytes":{{[0-9]+}},"code_bytes":{{[0-9]+}},"rss_mb":{{[-+.e0-9]+}},"private_mb":{{[-+.e0-9]+}},"rss_of":"run","architecture":"{{[^"]+}}"}
// CHECK-NOT: {{.}}

// RUN: nacre bench %s --seconds=0 | FileCheck %s --check-prefix=TEXT
// TEXT: 1 run on 1 thread(s): median
// TEXT: compiled in
// TEXT: a process that runs it takes {{[.0-9]+}} MB, {{[.0-9]+}} MB of them private

// A run that takes longer than it may is the only one, shorter ones are many.
// RUN: nacre bench %s --seconds=0 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: warning: a run takes more than 10 times --seconds: timed is the first one alone
// ONCE: 1 run on 1 thread(s)
// RUN: nacre bench %s --seconds=0.2 2>&1 | FileCheck %s --check-prefix=MANY
// MANY-NOT: warning
// MANY: {{[0-9][0-9]+}} runs on 1 thread(s)

// Other processes may have cores meanwhile.
// RUN: nacre bench %s --seconds=0.01 --busy=1 --json | FileCheck %s --check-prefix=BUSY
// BUSY: {"engine":"nacre","threads":1,"busy":1,"runs":
// RUN: nacre bench %s --seconds=0.01 --busy=2 --threads=2 | FileCheck %s --check-prefix=BESIDE
// BESIDE: on 2 thread(s) beside 2 busy process(es): median
// RUN: not nacre bench %s --busy=0.5 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: --busy needs a whole number, found '0.5'

// RUN: nacre bench %s --seconds=0 --vpu-arch=NPU40XX 2>&1 | FileCheck %s --check-prefix=NPU
// NPU: warning: code for an NPU runs on the host's CPU here: the time is the host's

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "IE.Relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
