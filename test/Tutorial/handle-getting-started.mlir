// RUN: nacre-opt %s --mlir-disable-threading --handle-getting-started=variant=walk | FileCheck %s --check-prefix=WALK
// RUN: nacre-opt %s --mlir-disable-threading --handle-getting-started="variant=greedy" | FileCheck %s --check-prefix=GREEDY
// RUN: nacre-opt %s --mlir-disable-threading --handle-getting-started="variant=conversion" | FileCheck %s --check-prefix=CONVERSION
// RUN: nacre-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

// The same op, rewritten in the three ways that the tutorial shows, and by its
// canonicalizer.

// WALK: {{^}}5
// WALK-NEXT: -3
// WALK-NEXT: module
// WALK-LABEL: func @counter_above_zero_is_rewritten
// WALK: myInt = 100 : i64

// GREEDY: {{^}}4
// GREEDY-NEXT: 3
// GREEDY-NEXT: 2
// GREEDY-NEXT: 1
// GREEDY-NEXT: 0
// GREEDY-NEXT: module
// GREEDY-LABEL: func @counter_above_zero_is_rewritten
// GREEDY: myInt = 0 : i64

// CONVERSION-LABEL: func @counter_above_zero_is_rewritten
// CONVERSION-NEXT: return %arg0

// CANON-LABEL: func @counter_above_zero_is_rewritten
// CANON: myInt = 0 : i64
func.func @counter_above_zero_is_rewritten(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  %0 = IE.GettingStarted(%arg0) {myInt = 5 : i64, myIntArray = [1]} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}

// WALK-LABEL: func @negative_counter_is_finished
// WALK: myInt = 100 : i64
// GREEDY-LABEL: func @negative_counter_is_finished
// GREEDY: myInt = -3 : i64
// CANON-LABEL: func @negative_counter_is_finished
// CANON: myInt = -3 : i64
func.func @negative_counter_is_finished(%arg0: tensor<10xf16>) -> tensor<10xf16> {
  %0 = IE.GettingStarted(%arg0) {myInt = -3 : i64} : tensor<10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}
