// RUN: nacre-opt %s --handle-getting-started | FileCheck %s

// The walk asks an interface. func.call implements it through an external
// model: it counts its operands, and is left as it is.

// CHECK: {{^}}7
// CHECK-NEXT: 2
// CHECK-NEXT: module
func.func private @callee(tensor<10xf16>, tensor<10xf16>)
func.func @call_counts_its_operands(%arg0: tensor<10xf16>) {
  %0 = IE.GettingStarted(%arg0) {myInt = 7 : i64, myIntArray = []} : tensor<10xf16> -> tensor<10xf16>
  // CHECK: call @callee(%arg0, %{{.*}})
  call @callee(%arg0, %0) : (tensor<10xf16>, tensor<10xf16>) -> ()
  return
}
