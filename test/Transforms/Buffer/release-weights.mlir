// RUN: nacre-opt %s --init-compiler=vpu-arch=x86-64-v3 -release-weights="least=8388608 window=4194304" -split-input-file -verify-diagnostics | FileCheck %s

// Weights are released behind their last reader, in whole pages of 2 MB and when
// 4 MB have come together: the first and the second are 4.5 MB, the page at whose
// end waits for the third.
// CHECK-LABEL: func.func @main
// CHECK: call @first
// CHECK-NEXT: call @second
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C4M:.*]] = arith.constant 4194304 : index
// CHECK-NEXT: %[[BEGIN:.*]] = memref.view %[[WEIGHTS:[a-z0-9]*]][%[[C0]]][] : memref<11534336xi8> to memref<1xi8>
// CHECK-NEXT: call @nacre_release_weights(%[[BEGIN]], %[[C4M]]) : (memref<1xi8>, index) -> ()
// CHECK-NEXT: call @third
// CHECK: %[[NEXT:.*]] = memref.view %[[WEIGHTS]][%{{.*}}][] : memref<11534336xi8> to memref<1xi8>
// CHECK-NEXT: call @nacre_release_weights(%[[NEXT]], %{{.*}}) : (memref<1xi8>, index) -> ()
// CHECK-NEXT: return
module {
  func.func @main(%x: memref<8xf32>, %weights: memref<11534336xi8> {nacre.role = #nacre.role<weights>}) {
    %c0 = arith.constant 0 : index
    %first = memref.view %weights[%c0][] : memref<11534336xi8> to memref<524288xf32>
    %c2m = arith.constant 2097152 : index
    %second = memref.view %weights[%c2m][] : memref<11534336xi8> to memref<655360xf32>
    %c4_5m = arith.constant 4718592 : index
    %third = memref.view %weights[%c4_5m][] : memref<11534336xi8> to memref<1703936xf32>
    func.call @first(%first, %x) : (memref<524288xf32>, memref<8xf32>) -> ()
    func.call @second(%second, %x) : (memref<655360xf32>, memref<8xf32>) -> ()
    func.call @third(%third, %x) : (memref<1703936xf32>, memref<8xf32>) -> ()
    return
  }
  func.func private @first(memref<524288xf32>, memref<8xf32>)
  func.func private @second(memref<655360xf32>, memref<8xf32>)
  func.func private @third(memref<1703936xf32>, memref<8xf32>)
}

// -----

// What is read twice, through a view and in a loop, is released once.
// CHECK-LABEL: func.func @main
// CHECK: call @read
// CHECK-NOT: call @nacre_release_weights
// CHECK: scf.forall
// CHECK: call @read
// CHECK: }
// CHECK: call @nacre_release_weights
// CHECK-NOT: call @nacre_release_weights
// CHECK: return
module {
  func.func @main(%x: memref<8xf32>, %weights: memref<8388608xi8> {nacre.role = #nacre.role<weights>}) {
    %c0 = arith.constant 0 : index
    %all = memref.view %weights[%c0][] : memref<8388608xi8> to memref<2x1048576xf32>
    %flat = memref.collapse_shape %all [[0, 1]] : memref<2x1048576xf32> into memref<2097152xf32>
    func.call @read(%flat, %x) : (memref<2097152xf32>, memref<8xf32>) -> ()
    scf.forall (%i) in (2) {
      func.call @read(%flat, %x) : (memref<2097152xf32>, memref<8xf32>) -> ()
    }
    return
  }
  func.func private @read(memref<2097152xf32>, memref<8xf32>)
}

// -----

// Neighbours are released together, what is between others later.
// CHECK-LABEL: func.func @main
// CHECK: call @both
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: memref.view %{{.*}}[%[[C0]]][]
// CHECK-NEXT: call @nacre_release_weights
// CHECK-NEXT: %[[C8M:.*]] = arith.constant 8388608 : index
// CHECK: memref.view %{{.*}}[%[[C8M]]][]
// CHECK-NEXT: call @nacre_release_weights
// CHECK-NEXT: call @kept
// CHECK-NEXT: %[[C4M:.*]] = arith.constant 4194304 : index
// CHECK: memref.view %{{.*}}[%[[C4M]]][]
// CHECK-NEXT: call @nacre_release_weights
// CHECK-NEXT: return
module {
  func.func @main(%x: memref<8xf32>, %weights: memref<10485760xi8> {nacre.role = #nacre.role<weights>}) {
    %c0 = arith.constant 0 : index
    %odd = memref.view %weights[%c0][] : memref<10485760xi8> to memref<2097100xi8>
    %c2m = arith.constant 2097152 : index
    %even = memref.view %weights[%c2m][] : memref<10485760xi8> to memref<2097152xi8>
    %c4m = arith.constant 4194304 : index
    %kept = memref.view %weights[%c4m][] : memref<10485760xi8> to memref<8xf32>
    %c8m = arith.constant 8388608 : index
    %far = memref.view %weights[%c8m][] : memref<10485760xi8> to memref<2097152xi8>
    func.call @both(%odd, %even, %far) : (memref<2097100xi8>, memref<2097152xi8>, memref<2097152xi8>) -> ()
    func.call @kept(%kept, %x) : (memref<8xf32>, memref<8xf32>) -> ()
    return
  }
  func.func private @both(memref<2097100xi8>, memref<2097152xi8>, memref<2097152xi8>)
  func.func private @kept(memref<8xf32>, memref<8xf32>)
}

// -----

// Weights of less than 8 MB stay.
// CHECK-LABEL: func.func @main
// CHECK-NOT: nacre_release_weights
module {
  func.func @main(%x: memref<8xf32>, %weights: memref<8388544xi8> {nacre.role = #nacre.role<weights>}) {
    %c0 = arith.constant 0 : index
    %all = memref.view %weights[%c0][] : memref<8388544xi8> to memref<2097136xf32>
    func.call @read(%all, %x) : (memref<2097136xf32>, memref<8xf32>) -> ()
    return
  }
  func.func private @read(memref<2097136xf32>, memref<8xf32>)
}

// -----

// This argument has no role.
// CHECK-LABEL: func.func @main
// CHECK-NOT: nacre_release_weights
func.func @main(%x: memref<8xf32>, %other: memref<8388608xi8>) {
  %c0 = arith.constant 0 : index
  %all = memref.view %other[%c0][] : memref<8388608xi8> to memref<2097152xf32>
  func.call @read(%all, %x) : (memref<2097152xf32>, memref<8xf32>) -> ()
  return
}
func.func private @read(memref<2097152xf32>, memref<8xf32>)
