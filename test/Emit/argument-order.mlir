// A module that somebody wrote may take its arguments in any order: everybody goes
// by their roles.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre-opt %s --init-compiler=vpu-arch=host -o %t/net.mlir
// RUN: %python -c "import numpy as np, sys; d = sys.argv[1]; np.save(d + '/x.npy', np.arange(8, dtype='f') + 10); np.save(d + '/z.npy', np.arange(8, dtype='f') * 2)" %t
// RUN: nacre run %t/net.mlir --input x=%t/x.npy --input z=%t/z.npy | FileCheck %s
// CHECK: y: tensor<8xf32> [10, 9, 8, 7, 6, 5, 4, 3]

// In a bundle each has its own place.
// RUN: nacre compile %t/net.mlir --emit=bundle --name=net -o %t/net
// RUN: clang -O1 -I%t/net %S/Inputs/argument-order.c %t/net/net.o -o %t/main && %t/main | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: 10 9 8 7 6 5 4 3

// Steps and kernels name them.
// RUN: nacre-opt %t/net.mlir --hook-steps -o %t/hooked.mlir
// RUN: nacre compile %t/hooked.mlir --instrument -o %t/hooked.o && FileCheck %s --check-prefix=STEPS --input-file=%t/hooked.steps.json
// STEPS: "kernel": "subtract"
// STEPS: "name": "x",
// STEPS: "name": "z",
// STEPS: "name": "y",
// RUN: %python %S/Inputs/argument-order.py %t/net.mlir %t/pending.mlir
// RUN: nacre compile %t/pending.mlir --dump-listing --listing-level=kernels -o %t/pending.o | FileCheck %s --check-prefix=LISTING
// LISTING-DAG: %y = WeightVar f32<8> mutable {{.*}}users: @out 0
// LISTING-DAG: %x = WeightVar f32<8> mutable {{.*}}users: @in 0
// LISTING-DAG: %z = WeightVar f32<8> mutable {{.*}}users: @in 0

// A state is one in the interface and in main.
// RUN: sed 's/{nacre.name = "x"}/{nacre.name = "x", nacre.state = 0 : i64}/' %t/net.mlir > %t/state.mlir
// RUN: not nacre compile %t/state.mlir -o %t/state.o 2>&1 | FileCheck %s --check-prefix=STATE
// STATE: error: {{.*}}expected
// RUN: sed '0,/role<input>/s//role<state>/' %t/net.mlir > %t/role.mlir
// RUN: not nacre compile %t/role.mlir -o %t/role.o 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: error: {{.*}}expected argument 1 of main to have the role input of the input 'x' of the interface, found state

module attributes {
    nacre.arena_bytes = 0 : i64, nacre.arena_lower_bound = 0 : i64,
    nacre.weights = [], nacre.weight_offsets = array<i64>,
    nacre.interface = #nacre.interface<
      signature = (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>,
      inputs = [{nacre.name = "x"}, {nacre.name = "z"}], outputs = [{nacre.name = "y"}]>} {
  func.func @main(%y: memref<8xf32> {nacre.role = #nacre.role<output>},
                  %x: memref<8xf32> {nacre.role = #nacre.role<input>},
                  %arena: memref<0xi8> {nacre.role = #nacre.role<arena>},
                  %z: memref<8xf32> {nacre.role = #nacre.role<input>},
                  %weights: memref<0xi8> {nacre.role = #nacre.role<weights>}) {
    call @subtract(%x, %z, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
    return
  }
  func.func private @subtract(%x: memref<8xf32>, %z: memref<8xf32>, %y: memref<8xf32>) {
    affine.for %i = 0 to 8 {
      %a = affine.load %x[%i] : memref<8xf32>
      %b = affine.load %z[%i] : memref<8xf32>
      %c = arith.subf %a, %b : f32
      affine.store %c, %y[%i] : memref<8xf32>
    }
    return
  }
}
