// RUN: nacre-opt %s --init-compiler="vpu-arch=x86-64-v4 threads=4" --convert-ie-to-vpu --split-input-file --verify-diagnostics | FileCheck %s

// Each part reads and writes its rows of all sequences, along whichever
// dimension they are.
// CHECK-LABEL: func @rows_of_states_and_sequences
// CHECK-SAME: %[[H:[^:]*]]: tensor<?x8xf32>{{.*}}, %[[X:[^:]*]]: tensor<?x16x8xf32>{{.*}}, %[[EACH:[^:]*]]: tensor<16x8xf32>
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[H]], %c0
// CHECK-DAG: %[[POINTS:.*]] = arith.muli %[[ROWS]], %c16
// CHECK-DAG: %[[WORTH:.*]] = arith.divui %[[POINTS]], %c6
// CHECK-DAG: %[[MOST:.*]] = arith.minui %[[ROWS]], %c4
// CHECK: %[[LEAST:.*]] = arith.minui %[[WORTH]], %[[MOST]]
// CHECK: %[[WANTED:.*]] = arith.maxui %[[LEAST]], %c1
// CHECK: %[[EACH_PART:.*]] = arith.ceildivui %[[ROWS]], %[[WANTED]]
// CHECK: %[[FILLED:.*]] = arith.maxui %[[EACH_PART]], %c1
// CHECK: %[[NEEDED:.*]] = arith.ceildivui %[[ROWS]], %[[FILLED]]
// CHECK: %[[PARTS:.*]] = arith.maxui %[[NEEDED]], %c1
// CHECK: scf.forall (%[[PART:.*]]) in (%[[PARTS]]) shared_outs(%[[STATE:.*]] = %{{.*}}, %[[ALL:.*]] = %{{.*}}) -> (tensor<?x8xf32>, tensor<?x16x8xf32>)
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %[[EACH_PART]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]]
// CHECK: %[[COUNT:.*]] = arith.minui %[[EACH_PART]], %[[LEFT]]
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[H]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
// CHECK: %[[PART_OF_X:.*]] = tensor.extract_slice %[[X]][%[[FIRST]], 0, 0] [%[[COUNT]], 16, 8] [1, 1, 1]
// CHECK: %[[SCAN:.*]]:2 = IE.Scan(%[[OWN]], %[[PART_OF_X]], %[[EACH]])
// CHECK-NOT: VPU.strategy
// CHECK: tensor.parallel_insert_slice %[[SCAN]]#0 into %[[STATE]][%[[FIRST]], 0] [%[[COUNT]], 8] [1, 1]
// CHECK: tensor.parallel_insert_slice %[[SCAN]]#1 into %[[ALL]][%[[FIRST]], 0, 0] [%[[COUNT]], 16, 8] [1, 1, 1]
// CHECK: mapping = [#VPU.cluster<SplitOverHeight>]
func.func @rows_of_states_and_sequences(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x16x8xf32> {nacre.dims = ["N", "", ""]}, %each: tensor<16x8xf32>) -> (tensor<?x8xf32>, tensor<?x16x8xf32>) {
  %0:2 = IE.Scan(%h, %x, %each) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 2 : i64, scan_input_axes = array<i64: 1, 0>, scan_output_axes = array<i64: 1>} : (tensor<?x8xf32>, tensor<?x16x8xf32>, tensor<16x8xf32>) -> (tensor<?x8xf32>, tensor<?x16x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %element: tensor<?x8xf32>, %line: tensor<8xf32>):
    %1 = IE.Exp %state : tensor<?x8xf32> -> tensor<?x8xf32>
    %2 = IE.Add %1, %element : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    %3 = IE.Add %2, %line : tensor<?x8xf32>, tensor<8xf32> -> tensor<?x8xf32>
    IE.Yield %3, %3 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#0, %0#1 : tensor<?x8xf32>, tensor<?x16x8xf32>
}

// -----

// The state could be one row that is added to all others.
// CHECK-LABEL: func @rows_that_need_not_be_equally_many
// CHECK-NOT: scf.forall
// CHECK: IE.Scan
// CHECK-NOT: VPU.strategy
func.func @rows_that_need_not_be_equally_many(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<16x?x8xf32> {nacre.dims = ["", "M", ""]}) -> tensor<16x?x8xf32> {
  %0:2 = IE.Scan(%h, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<16x?x8xf32>) -> (tensor<?x8xf32>, tensor<16x?x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %element: tensor<?x8xf32>):
    %1 = IE.Add %state, %element : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    IE.Yield %state, %1 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#1 : tensor<16x?x8xf32>
}

// -----

func.func @sums_over_rows(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<16x?x8xf32> {nacre.dims = ["", "N", ""]}) -> tensor<16x?x8xf32> {
  %axis = IE.Constant dense<0> : tensor<1xi64>
  // expected-error@+1 {{expected no parts: it does not compute each row of its states for itself}}
  %0:2 = IE.Scan(%h, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<16x?x8xf32>) -> (tensor<?x8xf32>, tensor<16x?x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %element: tensor<?x8xf32>):
    %1 = IE.ReduceSum(%element, %axis) : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
    %2 = IE.Add %state, %1 : tensor<?x8xf32>, tensor<1x8xf32> -> tensor<?x8xf32>
    IE.Yield %2, %2 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#1 : tensor<16x?x8xf32>
}

// -----

// A state and, row by row, what all of its rows meet.
// CHECK-LABEL: func @state_that_is_a_sequence_too
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x8xf32>
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[X]]
// CHECK: IE.Scan(%[[OWN]], %[[X]])
func.func @state_that_is_a_sequence_too(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x?x8xf32>) {
  %0:2 = IE.Scan(%x, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x?x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %line: tensor<8xf32>):
    %1 = IE.Sub %state, %line : tensor<?x8xf32>, tensor<8xf32> -> tensor<?x8xf32>
    IE.Yield %state, %1 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#0, %0#1 : tensor<?x8xf32>, tensor<?x?x8xf32>
}

// -----

// The number of steps is known of one sequence, and of the results.
// CHECK-LABEL: func @steps_that_one_sequence_alone_knows
// CHECK-NOT: scf.forall
// CHECK: IE.Scan
func.func @steps_that_one_sequence_alone_knows(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<?x?x8xf32> {nacre.dims = ["T", "N", ""]}, %y: tensor<16x?x8xf32> {nacre.dims = ["", "N", ""]}) -> tensor<16x?x8xf32> {
  %0:2 = IE.Scan(%h, %x, %y) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 2 : i64} : (tensor<?x8xf32>, tensor<?x?x8xf32>, tensor<16x?x8xf32>) -> (tensor<?x8xf32>, tensor<16x?x8xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %a: tensor<?x8xf32>, %b: tensor<?x8xf32>):
    %1 = IE.Add %state, %a : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    %2 = IE.Add %1, %b : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    IE.Yield %2, %2 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %0#1 : tensor<16x?x8xf32>
}

// -----

func.func @rows_of_unsigned_integers(%h: tensor<?x8xf32> {nacre.dims = ["N", ""]}, %x: tensor<16x?x8xf32> {nacre.dims = ["", "N", ""]}) -> tensor<16x?x8xui8> {
  // expected-error@+1 {{expected no parts}}
  %0:2 = IE.Scan(%h, %x) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<16x?x8xf32>) -> (tensor<?x8xf32>, tensor<16x?x8xui8>) {
  ^bb0(%state: tensor<?x8xf32>, %element: tensor<?x8xf32>):
    %1 = IE.Add %state, %element : tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
    %2 = IE.Cast %1 to ui8 : tensor<?x8xf32> -> tensor<?x8xui8>
    IE.Yield %1, %2 : tensor<?x8xf32>, tensor<?x8xui8>
  }
  return %0#1 : tensor<16x?x8xui8>
}

// -----

func.func @columns_that_an_element_counts(%h: tensor<?x8xf32>, %n: tensor<16x1xi64>) -> tensor<16x?x?xf32> {
  %zero = IE.Constant dense<0> : tensor<1xi64>
  %one = IE.Constant dense<1> : tensor<1xi64>
  // expected-error@+1 {{expected no parts}}
  %0:2 = IE.Scan(%h, %n) {VPU.strategy = #VPU.strategy<multiCluster = SplitOverHeight, parts = [?], grain = 6>, num_scan_inputs = 1 : i64} : (tensor<?x8xf32>, tensor<16x1xi64>) -> (tensor<?x8xf32>, tensor<16x?x?xf32>) {
  ^bb0(%state: tensor<?x8xf32>, %end: tensor<1xi64>):
    %1 = IE.Slice %state, %zero, %end axes(%one : tensor<1xi64>) : tensor<?x8xf32>, tensor<1xi64>, tensor<1xi64> -> tensor<?x?xf32>
    IE.Yield %state, %1 : tensor<?x8xf32>, tensor<?x?xf32>
  }
  return %0#1 : tensor<16x?x?xf32>
}
