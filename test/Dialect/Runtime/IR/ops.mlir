// RUN: nacre-opt %s | nacre-opt | FileCheck %s
// RUN: nacre-opt %s --mlir-print-op-generic | nacre-opt | FileCheck %s

// CHECK-LABEL: func @owners(
// CHECK-SAME: %[[V:.*]]: !rt.value)
func.func @owners(%v: !rt.value) {
  // CHECK: rt.keep %[[V]]
  rt.keep %v
  // CHECK: rt.drop %[[V]]
  rt.drop %v
  return
}

// CHECK-LABEL: func @checks(
// CHECK-SAME: %[[V:.*]]: !rt.value, %[[N:.*]]: index)
func.func @checks(%v: !rt.value, %n: index) {
  // CHECK: rt.check_tensor %[[V]], ui8, 2, "x"
  rt.check_tensor %v, ui8, 2, "x"
  // CHECK: rt.check_dim %[[V]], 0, %[[N]], "x"
  rt.check_dim %v, 0, %n, "x"
  // CHECK: rt.check_sequence %[[V]], "x"
  rt.check_sequence %v, "x"
  // CHECK: rt.check_optional %[[V]], "x"
  rt.check_optional %v, "x"
  // CHECK: rt.check_map %[[V]], !IE.String, f32, "x"
  rt.check_map %v, !IE.String, f32, "x"
  return
}

// CHECK-LABEL: func @tensors(
// CHECK-SAME: %[[N:.*]]: index)
func.func @tensors(%n: index) -> (!rt.value, !rt.value, memref<1xi8>, index) {
  // CHECK: %[[T:.*]] = rt.tensor_new !IE.String, 1
  %0 = rt.tensor_new !IE.String, 1
  // CHECK: rt.tensor_set_dim %[[T]], 0, %[[N]]
  rt.tensor_set_dim %0, 0, %n
  // CHECK: rt.tensor_allocate %[[T]]
  %1 = rt.tensor_allocate %0
  // CHECK: rt.tensor_own_strings %[[T]]
  rt.tensor_own_strings %0
  // CHECK: %[[DATA:.*]] = rt.tensor_data %[[T]]
  %2 = rt.tensor_data %0
  // CHECK: %[[SIZE:.*]] = rt.tensor_dim %[[T]], 0
  %3 = rt.tensor_dim %0, 0
  // CHECK: %[[PACKED:.*]] = rt.tensor_pack %[[T]], ui4
  %4 = rt.tensor_pack %0, ui4
  // CHECK: %[[BYTES:.*]] = rt.tensor_unpack %[[PACKED]]
  %5 = rt.tensor_unpack %4
  // CHECK: return %[[T]], %[[BYTES]], %[[DATA]], %[[SIZE]] : !rt.value, !rt.value, memref<1xi8>, index
  return %0, %5, %2, %3 : !rt.value, !rt.value, memref<1xi8>, index
}

// CHECK-LABEL: func @sequences(
// CHECK-SAME: %[[X:.*]]: !rt.value, %[[P:.*]]: i64)
func.func @sequences(%x: !rt.value, %p: i64) -> i64 {
  // CHECK: %[[EMPTY:.*]] = rt.sequence_empty{{$}}
  %0 = rt.sequence_empty
  // CHECK: %[[A:.*]] = rt.sequence_append %[[EMPTY]], %[[X]]{{$}}
  %1 = rt.sequence_append %0, %x
  // CHECK: %[[B:.*]] = rt.sequence_append in_place %[[A]], %[[X]]
  %2 = rt.sequence_append in_place %1, %x
  // CHECK: %[[C:.*]] = rt.sequence_insert %[[B]], %[[X]], %[[P]]
  %3 = rt.sequence_insert %2, %x, %p
  // CHECK: %[[D:.*]] = rt.sequence_insert in_place %[[C]], %[[X]], %[[P]]
  %4 = rt.sequence_insert in_place %3, %x, %p
  // CHECK: %[[E:.*]] = rt.sequence_erase %[[D]], %[[P]]
  %5 = rt.sequence_erase %4, %p
  // CHECK: %[[F:.*]] = rt.sequence_erase in_place %[[E]], %[[P]]
  %6 = rt.sequence_erase in_place %5, %p
  // CHECK: %[[G:.*]] = rt.sequence_erase_last %[[F]]
  %7 = rt.sequence_erase_last %6
  // CHECK: %[[H:.*]] = rt.sequence_erase_last in_place %[[G]]
  %8 = rt.sequence_erase_last in_place %7
  // CHECK: rt.sequence_at %[[H]], %[[P]]
  %9 = rt.sequence_at %8, %p
  // CHECK: rt.sequence_concat %[[H]], -1
  %10 = rt.sequence_concat %8, -1
  // CHECK: rt.sequence_stack %[[H]], 0
  %11 = rt.sequence_stack %8, 0
  // CHECK: rt.sequence_split_each %[[X]], 0, 1
  %12 = rt.sequence_split_each %x, 0, 1
  // CHECK: rt.sequence_split_evenly %[[X]], 0, %[[P]]
  %13 = rt.sequence_split_evenly %x, 0, %p
  // CHECK: rt.sequence_split %[[X]], 0, %[[X]]
  %14 = rt.sequence_split %x, 0, %x
  // CHECK: rt.length %[[H]]
  %15 = rt.length %8
  return %15 : i64
}

// CHECK-LABEL: func @optionals(
// CHECK-SAME: %[[X:.*]]: !rt.value)
func.func @optionals(%x: !rt.value) -> !rt.value {
  // CHECK: rt.optional_none
  %0 = rt.optional_none
  // CHECK: %[[O:.*]] = rt.optional_new %[[X]]
  %1 = rt.optional_new %x
  // CHECK: rt.optional_get %[[O]]
  %2 = rt.optional_get %1
  return %2 : !rt.value
}

// CHECK-LABEL: func @maps(
// CHECK-SAME: %[[X:.*]]: !rt.value, %[[Y:.*]]: !rt.value)
func.func @maps(%x: !rt.value, %y: !rt.value) {
  // CHECK: %[[M:.*]] = rt.map_zip %[[X]], %[[Y]]
  %0 = rt.map_zip %x, %y
  // CHECK: rt.map_get %[[M]], %[[X]]
  %1 = rt.map_get %0, %x
  // CHECK: rt.map_sorted_values %[[M]]
  %2 = rt.map_sorted_values %0
  return
}

// CHECK-LABEL: func @strings(
// CHECK-SAME: %[[X:.*]]: !rt.value)
func.func @strings(%x: !rt.value) {
  // CHECK: %[[C:.*]] = rt.string_constant ["yes", ""]
  %0 = rt.string_constant ["yes", ""]
  // CHECK: %[[NONE:.*]] = rt.string_constant []
  %1 = rt.string_constant []
  // CHECK: rt.string_write %[[X]]
  %2 = rt.string_write %x
  // CHECK: rt.string_read %[[C]], f64
  %3 = rt.string_read %0, f64
  // CHECK: rt.string_equal %[[C]], %[[X]]
  %4 = rt.string_equal %0, %x
  // CHECK: rt.string_concat %[[C]], %[[X]]
  %5 = rt.string_concat %0, %x
  // CHECK: rt.string_normalize %[[C]], 1, 0, %[[NONE]]
  %6 = rt.string_normalize %0, 1, 0, %1
  // CHECK: rt.string_match %[[C]], "a+"
  %7 = rt.string_match %0, "a+"
  // CHECK: rt.string_ranks %[[C]]
  %8 = rt.string_ranks %0
  // CHECK: rt.string_split %[[C]], ",", -1
  %9 = rt.string_split %0, ",", -1
  return
}
