// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" | FileCheck %s --check-prefix=NPU
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v3 threads=4" | FileCheck %s --check-prefix=CPU
// RUN: nacre-opt %s --init-compiler --init-compiler | FileCheck %s --check-prefix=HOST
// RUN: not nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --init-compiler="vpu-arch=NPU40XX" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: nacre-opt %s --vpu-arch=NPU37XX --init-compiler="vpu-arch=NPU37XX" | FileCheck %s --check-prefix=NPU
// RUN: nacre-opt %s --vpu-arch=NPU37XX | FileCheck %s --check-prefix=NPU
// RUN: nacre-opt %s --vpu-arch=NPU37XX --pass-pipeline="builtin.module(canonicalize)" | FileCheck %s --check-prefix=NPU
// RUN: not nacre-opt %s --vpu-arch=NPU37XX --init-compiler="vpu-arch=NPU40XX" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not nacre-opt %s --init-compiler="vpu-arch=z80" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NPU: VPU.arch = #VPU.arch<name = "NPU37XX", kind = npu, clusters = 2, cmxBytes = 2097152
// CPU: VPU.arch = #VPU.arch<name = "x86-64-v3", kind = cpu, clusters = 4,{{.*}} lanes = 8, registers = 16
// HOST: VPU.arch = #VPU.arch<name = "{{[^"]+}}", kind = cpu
// TWICE: error: the module already has the architecture NPU37XX, found another request for NPU40XX
// UNKNOWN: error: unknown architecture 'z80', expected host, {{.*}}NPU40XX
module {}
