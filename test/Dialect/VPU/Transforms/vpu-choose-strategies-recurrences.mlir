// Of which recurrences clusters share the rows.
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=4" --vpu-choose-strategies=decide=operators --vpu-verify-strategies=decided=operators --split-input-file | FileCheck %s
// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=1" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: nacre-opt %s --init-compiler="vpu-arch=NPU37XX" --vpu-choose-strategies=decide=operators --split-input-file | FileCheck %s --check-prefix=ONE
// ONE-NOT: VPU.strategy

// The larger the matrix, the fewer rows are worth a core.
// CHECK-LABEL: func @recurrence_of_dynamic_rows
// CHECK: IE.Scan{{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 94>
func.func @recurrence_of_dynamic_rows(%h: tensor<?x64xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x64xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x64xf32> {
  %w = IE.Constant dense<1.0> : tensor<64x64xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %2 = IE.Add %1, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %2, %2 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  return %0#1 : tensor<?x?x64xf32>
}

// -----

// CHECK-LABEL: func @recurrence_by_a_large_matrix_of_dynamic_rows
// CHECK: IE.Scan{{.*}}VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 2>
func.func @recurrence_by_a_large_matrix_of_dynamic_rows(%h: tensor<?x512xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x512xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x512xf32> {
  %w = IE.Constant dense<1.0> : tensor<512x512xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x512xf32>, tensor<?x?x512xf32>) -> (tensor<?x512xf32>, tensor<?x?x512xf32>) {
  ^bb0(%state: tensor<?x512xf32>, %element: tensor<?x512xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x512xf32>, tensor<512x512xf32>) -> tensor<?x512xf32>
    %2 = IE.Add %1, %element : tensor<?x512xf32>, tensor<?x512xf32> -> tensor<?x512xf32>
    IE.Yield %2, %2 : tensor<?x512xf32>, tensor<?x512xf32>
  }
  return %0#1 : tensor<?x?x512xf32>
}

// -----

// Each core would read all of it in each step.
// CHECK-LABEL: func @recurrence_by_a_matrix_beyond_the_second_cache
// CHECK-NOT: VPU.strategy
func.func @recurrence_by_a_matrix_beyond_the_second_cache(%h: tensor<?x768xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x768xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x768xf32> {
  %w = IE.Constant dense<1.0> : tensor<768x768xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x768xf32>, tensor<?x?x768xf32>) -> (tensor<?x768xf32>, tensor<?x?x768xf32>) {
  ^bb0(%state: tensor<?x768xf32>, %element: tensor<?x768xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x768xf32>, tensor<768x768xf32>) -> tensor<?x768xf32>
    %2 = IE.Add %1, %element : tensor<?x768xf32>, tensor<?x768xf32> -> tensor<?x768xf32>
    IE.Yield %2, %2 : tensor<?x768xf32>, tensor<?x768xf32>
  }
  return %0#1 : tensor<?x?x768xf32>
}

// -----

// They run at the same time.
// CHECK-LABEL: func @recurrences_in_both_directions
// CHECK-NOT: VPU.strategy
func.func @recurrences_in_both_directions(%h: tensor<?x64xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x64xf32> {nacre.dims = ["T", "N", ""]}) -> (tensor<?x?x64xf32>, tensor<?x?x64xf32>) {
  %w = IE.Constant dense<1.0> : tensor<64x64xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %2 = IE.Add %1, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %2, %2 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  %3:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 1>} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %4 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %5 = IE.Add %4, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %5, %5 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  return %0#1, %3#1 : tensor<?x?x64xf32>, tensor<?x?x64xf32>
}

// -----

// CHECK-LABEL: func @recurrences_one_after_the_other
// CHECK: IE.Scan{{.*}}VPU.strategy
// CHECK: IE.Scan{{.*}}VPU.strategy
func.func @recurrences_one_after_the_other(%h: tensor<?x64xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x64xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x64xf32> {
  %w = IE.Constant dense<1.0> : tensor<64x64xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %2 = IE.Add %1, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %2, %2 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  %3:2 = IE.Scan(%h, %0#1) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %4 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %5 = IE.Add %4, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %5, %5 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  return %3#1 : tensor<?x?x64xf32>
}

// -----

// A row that is added to all others need not be one of them.
// CHECK-LABEL: func @recurrence_with_a_value_from_outside
// CHECK-NOT: VPU.strategy
func.func @recurrence_with_a_value_from_outside(%h: tensor<?x64xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x64xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x64xf32> {
  %w = IE.Constant dense<1.0> : tensor<64x64xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %1 = IE.MatMul(%state, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
    %2 = IE.Add %1, %h : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %2, %2 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  return %0#1 : tensor<?x?x64xf32>
}

// -----

// CHECK-LABEL: func @sums_of_sequences_have_no_matrix
// CHECK-NOT: VPU.strategy
func.func @sums_of_sequences_have_no_matrix(%h: tensor<?x64xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x64xf32> {nacre.dims = ["T", "N", ""]}) -> tensor<?x?x64xf32> {
  %w = IE.Constant dense<1.0> : tensor<64x64xf32>
  %0:2 = IE.Scan(%h, %x) {num_scan_inputs = 1 : i64} : (tensor<?x64xf32>, tensor<?x?x64xf32>) -> (tensor<?x64xf32>, tensor<?x?x64xf32>) {
  ^bb0(%state: tensor<?x64xf32>, %element: tensor<?x64xf32>):
    %1 = IE.Add %state, %element : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
    IE.Yield %1, %1 : tensor<?x64xf32>, tensor<?x64xf32>
  }
  return %0#1 : tensor<?x?x64xf32>
}
