// RUN: nacre-opt %s | FileCheck %s --check-prefix=KEPT
// RUN: nacre-opt %s --mlir-print-op-generic | nacre-opt | FileCheck %s --check-prefix=KEPT
// RUN: nacre-opt %s --handle-getting-started | FileCheck %s --check-prefix=WALK
// RUN: nacre-opt %s --handle-getting-started=variant=greedy | FileCheck %s --check-prefix=GREEDY
// RUN: nacre-opt %s --handle-getting-started=variant=conversion | FileCheck %s --check-prefix=REMOVED
// RUN: nacre-opt %s --canonicalize | FileCheck %s --check-prefix=ZERO
// RUN: nacre-opt %s --vpu-arch=NPU37XX | FileCheck %s --check-prefix=ARCH

// The module that introductions to this op show, and what becomes of it. Only a
// machine to compile for gives the module attributes.

// KEPT: {{^module {$}}
// KEPT-NEXT: func.func @main(%arg0: tensor<1x16x3x3xf16>, %arg1: !IE.GettingStartedTensor<numElements = 10, elementType = f16>) -> tensor<1x16x3x3xf16> {
// KEPT-NEXT: %0 = IE.GettingStarted(%arg0, %arg1) {gettingStarted = #IE.GettingStarted<boolParameter = true, floatParameter = 1.000000e+00 : f64>, myInt = 5 : i64, myIntArray = [1, 2, 3]} : tensor<1x16x3x3xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16> -> tensor<1x16x3x3xf16>
// KEPT-NEXT: return %0 : tensor<1x16x3x3xf16>

// WALK: {{^5$}}
// WALK-NEXT: {{^module {$}}
// WALK: myInt = 100 : i64, myIntArray = [1, 2, 3]}

// GREEDY: {{^4$}}
// GREEDY-NEXT: {{^3$}}
// GREEDY-NEXT: {{^2$}}
// GREEDY-NEXT: {{^1$}}
// GREEDY-NEXT: {{^0$}}
// GREEDY-NEXT: {{^module {$}}
// GREEDY: myInt = 0 : i64, myIntArray = [1, 2, 3]}

// REMOVED: {{^module {$}}
// REMOVED-NEXT: func.func @main
// REMOVED-NEXT: return %arg0

// ZERO: {{^module {$}}
// ZERO: myInt = 0 : i64, myIntArray = [1, 2, 3]}

// ARCH: {{^module attributes {.*NPU37XX}}
// ARCH: myInt = 5 : i64, myIntArray = [1, 2, 3]}
module {
    func.func @main(%arg0: tensor<1x16x3x3xf16>, %arg1: !IE.GettingStartedTensor<numElements = 10, elementType = f16>) -> tensor<1x16x3x3xf16> {
        %0 = IE.GettingStarted(%arg0, %arg1) {
            gettingStarted = #IE.GettingStarted<boolParameter = true, floatParameter = 1.0>,
            myInt = 5 : i64,
            myIntArray = [1, 2, 3]
        } : tensor<1x16x3x3xf16>, !IE.GettingStartedTensor<numElements = 10, elementType = f16> -> tensor<1x16x3x3xf16>
        return %0 : tensor<1x16x3x3xf16>
    }
}
