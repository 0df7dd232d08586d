// RUN: nacre-opt %s --split-input-file --verify-diagnostics

func.func @tensor_of_no_element_type_is_rejected() {
  // expected-error@+1 {{attribute 'element' failed to satisfy constraint: type attribute of element type of the runtime}}
  %0 = rt.tensor_new i7, 1
  return
}

// -----

func.func @negative_rank_is_rejected() {
  // expected-error@+1 {{attribute 'rank' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = rt.tensor_new f32, -1
  return
}

// -----

func.func @negative_dimension_is_rejected(%x: !rt.value) -> index {
  // expected-error@+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = rt.tensor_dim %x, -1
  return %0 : index
}

// -----

func.func @bytes_are_not_packed(%x: !rt.value) -> !rt.value {
  // expected-error@+1 {{expected a type of four or two bits, found 'ui8'}}
  %0 = rt.tensor_pack %x, ui8
  return %0 : !rt.value
}

// -----

func.func @floats_are_no_keys(%x: !rt.value) {
  // expected-error@+1 {{expected types that a map may have, found 'f32' and 'f32'}}
  rt.check_map %x, f32, f32, "x"
  return
}

// -----

func.func @string_with_a_zero_is_rejected() -> !rt.value {
  // expected-error@+1 {{expected strings without zeros, found "a\00b"}}
  %0 = rt.string_constant ["a\00b"]
  return %0 : !rt.value
}

// -----

func.func @pointer_is_no_value(%x: !llvm.ptr) -> i64 {
  // expected-error@+1 {{operand #0 must be A value of the C runtime, but got '!llvm.ptr'}}
  %0 = "rt.length"(%x) : (!llvm.ptr) -> i64
  return %0 : i64
}

// -----

func.func @elements_begin_at_a_byte(%x: !rt.value) -> memref<2xi8> {
  // expected-error@+1 {{result #0 must be memref<1xi8>, but got 'memref<2xi8>'}}
  %0 = "rt.tensor_data"(%x) : (!rt.value) -> memref<2xi8>
  return %0 : memref<2xi8>
}
