// RUN: nacre-opt %s -split-input-file -pass-pipeline="builtin.module(func.func(ie-constant-fold))" | FileCheck %s

// Values that the interpreter computes for ops that move elements.

// CHECK-LABEL: func @transpose_permutes
func.func @transpose_permutes() -> tensor<3x2xi32> {
  // CHECK: IE.Constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  %0 = IE.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = IE.Transpose %0 : tensor<2x3xi32> -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func @concat_and_split_invert
func.func @concat_and_split_invert() -> (tensor<2x1xi32>, tensor<2x2xi32>) {
  %0 = IE.Constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = IE.Constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>
  // CHECK: IE.Constant dense<{{\[\[}}1, 3, 4], [2, 5, 6]]> : tensor<2x3xi32>
  %2 = IE.Concat %0, %1 {axis = 1 : i64} : tensor<2x1xi32>, tensor<2x2xi32> -> tensor<2x3xi32>
  %split = IE.Constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: IE.Constant dense<{{\[\[}}1], [2]]> : tensor<2x1xi32>
  // CHECK: IE.Constant dense<{{\[\[}}3, 4], [5, 6]]> : tensor<2x2xi32>
  %3:2 = IE.Split %2 split(%split : tensor<2xi64>) {axis = 1 : i64} : tensor<2x3xi32> -> tensor<2x1xi32>, tensor<2x2xi32>
  return %3#0, %3#1 : tensor<2x1xi32>, tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func @slice_counts_from_the_end
func.func @slice_counts_from_the_end() -> tensor<3xi8> {
  %0 = IE.Constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi8>
  %starts = IE.Constant dense<-1> : tensor<1xi64>
  %ends = IE.Constant dense<-9223372036854775808> : tensor<1xi64>
  %axes = IE.Constant dense<-1> : tensor<1xi64>
  %steps = IE.Constant dense<-2> : tensor<1xi64>
  // CHECK: IE.Constant dense<[5, 3, 1]> : tensor<3xi8>
  %1 = IE.Slice %0, %starts, %ends axes(%axes : tensor<1xi64>) steps(%steps : tensor<1xi64>) : tensor<6xi8>, tensor<1xi64>, tensor<1xi64> -> tensor<3xi8>
  return %1 : tensor<3xi8>
}

// -----

// Reflection beyond the size of the operand goes back and forth.
// CHECK-LABEL: func @pad_modes_fill_differently
func.func @pad_modes_fill_differently() -> (tensor<9xi16>, tensor<9xi16>, tensor<9xi16>, tensor<9xi16>) {
  %0 = IE.Constant dense<[1, 2, 3]> : tensor<3xi16>
  %pads = IE.Constant dense<[4, 2]> : tensor<2xi64>
  %seven = IE.Constant dense<7> : tensor<i16>
  // CHECK: dense<[7, 7, 7, 7, 1, 2, 3, 7, 7]>
  %1 = IE.Pad %0, %pads value(%seven : tensor<i16>) : tensor<3xi16>, tensor<2xi64> -> tensor<9xi16>
  // CHECK: dense<[1, 2, 3, 2, 1, 2, 3, 2, 1]>
  %2 = IE.Pad %0, %pads {mode = "reflect"} : tensor<3xi16>, tensor<2xi64> -> tensor<9xi16>
  // CHECK: dense<[1, 1, 1, 1, 1, 2, 3, 3, 3]>
  %3 = IE.Pad %0, %pads {mode = "edge"} : tensor<3xi16>, tensor<2xi64> -> tensor<9xi16>
  // CHECK: dense<[3, 1, 2, 3, 1, 2, 3, 1, 2]>
  %4 = IE.Pad %0, %pads {mode = "wrap"} : tensor<3xi16>, tensor<2xi64> -> tensor<9xi16>
  return %1, %2, %3, %4 : tensor<9xi16>, tensor<9xi16>, tensor<9xi16>, tensor<9xi16>
}

// -----

// CHECK-LABEL: func @expand_and_tile_repeat
func.func @expand_and_tile_repeat() -> (tensor<2x3xi1>, tensor<6xi1>) {
  %0 = IE.Constant dense<[true, false, true]> : tensor<3xi1>
  %shape = IE.Constant dense<[2, 1]> : tensor<2xi64>
  %repeats = IE.Constant dense<2> : tensor<1xi64>
  // CHECK: dense<{{\[\[}}true, false, true], [true, false, true]]>
  %1 = IE.Expand %0, %shape : tensor<3xi1>, tensor<2xi64> -> tensor<2x3xi1>
  // CHECK: dense<[true, false, true, true, false, true]>
  %2 = IE.Tile %0, %repeats : tensor<3xi1>, tensor<1xi64> -> tensor<6xi1>
  return %1, %2 : tensor<2x3xi1>, tensor<6xi1>
}

// -----

// CHECK-LABEL: func @depth_and_space_exchange
func.func @depth_and_space_exchange() -> (tensor<1x1x2x2xi8>, tensor<1x4x1x1xi8>) {
  %0 = IE.Constant dense<[[[[1]], [[2]], [[3]], [[4]]]]> : tensor<1x4x1x1xi8>
  // CHECK: dense<{{\[\[\[\[}}1, 2], [3, 4]]]]>
  %1 = IE.DepthToSpace %0 {blocksize = 2 : i64} : tensor<1x4x1x1xi8> -> tensor<1x1x2x2xi8>
  // CHECK: dense<{{\[\[\[\[}}1]], {{\[\[}}2]], {{\[\[}}3]], {{\[\[}}4]]]]>
  %2 = IE.SpaceToDepth %1 {blocksize = 2 : i64} : tensor<1x1x2x2xi8> -> tensor<1x4x1x1xi8>
  return %1, %2 : tensor<1x1x2x2xi8>, tensor<1x4x1x1xi8>
}

// -----

// CHECK-LABEL: func @triangles_sequences_and_conditions
func.func @triangles_sequences_and_conditions() -> (tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>) {
  %0 = IE.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %k = IE.Constant dense<-1> : tensor<i64>
  // CHECK: dense<{{\[\[}}0, 0, 0], [4, 0, 0]]>
  %1 = IE.Trilu %0 k(%k : tensor<i64>) {upper = 0 : i64} : tensor<2x3xi8> -> tensor<2x3xi8>
  %lens = IE.Constant dense<[2, 3]> : tensor<2xi64>
  // CHECK: dense<{{\[\[}}2, 1, 3], [6, 5, 4]]>
  %2 = IE.ReverseSequence %0, %lens {batch_axis = 0 : i64, time_axis = 1 : i64} : tensor<2x3xi8>, tensor<2xi64> -> tensor<2x3xi8>
  %condition = IE.Constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK: dense<{{\[\[}}1, 3], [4, 6]]>
  %3 = IE.Compress %0, %condition {axis = 1 : i64} : tensor<2x3xi8>, tensor<3xi1> -> tensor<2x2xi8>
  return %1, %2, %3 : tensor<2x3xi8>, tensor<2x3xi8>, tensor<2x2xi8>
}
