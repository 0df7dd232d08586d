// RUN: nacre-opt %s -check-allocations -split-input-file -verify-diagnostics | FileCheck %s

// Each size by itself, and then the product, fits what a buffer can have.
// CHECK-LABEL: func @product_of_sizes_is_asserted_to_fit
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-DAG: %[[LIMIT:.*]] = arith.constant 2147418111 : index
// CHECK-DAG: %[[KNOWN:.*]] = arith.constant 12 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi ule, %[[N]], %[[LIMIT]]
// CHECK: %[[ROW:.*]] = arith.muli %[[KNOWN]], %[[N]]
// CHECK: arith.cmpi ule, %[[ROW]], %[[LIMIT]]
// CHECK: arith.cmpi ule, %[[M]], %[[LIMIT]]
// CHECK: %[[ALL:.*]] = arith.muli %[[ROW]], %[[M]]
// CHECK: arith.cmpi ule, %[[ALL]], %[[LIMIT]]
// CHECK: %[[FITS:.*]] = arith.andi
// CHECK-NEXT: cf.assert %[[FITS]], "a tensor of an impossible size"
// CHECK-NEXT: memref.alloc(%[[N]], %[[M]])
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @product_of_sizes_is_asserted_to_fit(%n: index, %m: index) -> memref<?x3x?xf32> {
    %0 = memref.alloc(%n, %m) : memref<?x3x?xf32>
    return %0 : memref<?x3x?xf32>
  }
}

// -----

// CHECK-LABEL: func @known_size_needs_no_assertion
// CHECK-NEXT: memref.alloc()
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @known_size_needs_no_assertion() -> memref<100xf32> {
    %0 = memref.alloc() : memref<100xf32>
    return %0 : memref<100xf32>
  }
}

// -----

// CHECK-LABEL: func @buffer_without_elements_needs_no_assertion
// CHECK-NEXT: memref.alloc(
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @buffer_without_elements_needs_no_assertion(%n: index) -> memref<0x?xf32> {
    %0 = memref.alloc(%n) : memref<0x?xf32>
    return %0 : memref<0x?xf32>
  }
}

// -----

module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  func.func @known_size_that_is_too_large_is_refused() -> memref<65536x65536xi8> {
    // expected-error@+1 {{unsupported buffer of 'memref<65536x65536xi8>' where addresses have 32 bits}}
    %0 = memref.alloc() : memref<65536x65536xi8>
    return %0 : memref<65536x65536xi8>
  }
}

// -----

// CHECK-LABEL: func @wide_pointers_change_nothing
// CHECK-NEXT: memref.alloc(
func.func @wide_pointers_change_nothing(%n: index) -> memref<?xf32> {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
