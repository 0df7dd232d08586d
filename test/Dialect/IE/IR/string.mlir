// RUN: nacre-opt %s -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @constants
func.func @constants() -> (tensor<2x!IE.String>, tensor<!IE.String>) {
  // CHECK: IE.Constant dense<["a", "b c"]> : tensor<2x!IE.String>
  %0 = IE.Constant dense<["a", "b c"]> : tensor<2x!IE.String>
  // CHECK: IE.Constant dense<"\C3\A4"> : tensor<!IE.String>
  %1 = IE.Constant dense<"ä"> : tensor<!IE.String>
  return %0, %1 : tensor<2x!IE.String>, tensor<!IE.String>
}

// CHECK-LABEL: func @normalizer_without_stopwords_keeps_the_shape
func.func @normalizer_without_stopwords_keeps_the_shape(%x: tensor<1x4x!IE.String>) -> (tensor<1x4x!IE.String>, tensor<1x?x!IE.String>) {
  // CHECK: IE.StringNormalizer %{{.*}} {case_change_action = "UPPER"} : tensor<1x4x!IE.String> -> tensor<1x4x!IE.String>
  %0 = IE.StringNormalizer %x {case_change_action = "UPPER"} : tensor<1x4x!IE.String> -> tensor<1x4x!IE.String>
  // CHECK: IE.StringNormalizer %{{.*}} {stopwords = ["the"]} : tensor<1x4x!IE.String> -> tensor<1x?x!IE.String>
  %1 = IE.StringNormalizer %x {stopwords = ["the"]} : tensor<1x4x!IE.String> -> tensor<1x?x!IE.String>
  return %0, %1 : tensor<1x4x!IE.String>, tensor<1x?x!IE.String>
}

// CHECK-LABEL: func @parts_and_what_they_make
func.func @parts_and_what_they_make(%x: tensor<4x!IE.String>, %c: tensor<1x!IE.String>) -> (tensor<4x?x!IE.String>, tensor<4xi64>, tensor<4xi1>) {
  // CHECK: IE.StringConcat %{{.*}}, %{{.*}} : tensor<4x!IE.String>, tensor<1x!IE.String> -> tensor<4x!IE.String>
  %0 = IE.StringConcat %x, %c : tensor<4x!IE.String>, tensor<1x!IE.String> -> tensor<4x!IE.String>
  // CHECK: IE.StringSplit %{{.*}} {delimiter = ",", maxsplit = 1 : i64} : tensor<4x!IE.String> -> tensor<4x?x!IE.String>, tensor<4xi64>
  %1, %2 = IE.StringSplit %0 {delimiter = ",", maxsplit = 1 : i64} : tensor<4x!IE.String> -> tensor<4x?x!IE.String>, tensor<4xi64>
  // CHECK: IE.RegexFullMatch %{{.*}} {pattern = "\\w+@\\w+"} : tensor<4x!IE.String> -> tensor<4xi1>
  %3 = IE.RegexFullMatch %0 {pattern = "\\w+@\\w+"} : tensor<4x!IE.String> -> tensor<4xi1>
  return %1, %2, %3 : tensor<4x?x!IE.String>, tensor<4xi64>, tensor<4xi1>
}

// -----

func.func @normalizer_of_rows_is_an_error(%x: tensor<2x4x!IE.String>) {
  // expected-error @+2 {{expected a vector or a matrix of one row, found 'tensor<2x4x!IE.String>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = IE.StringNormalizer %x : tensor<2x4x!IE.String> -> tensor<2x?x!IE.String>
  return
}

// -----

func.func @negative_maxsplit_is_an_error(%x: tensor<4x!IE.String>) {
  // expected-error @+1 {{expected 'maxsplit' of 0 or more, found -1}}
  %0, %1 = IE.StringSplit %x {maxsplit = -1 : i64} : tensor<4x!IE.String> -> tensor<4x?x!IE.String>, tensor<4xi64>
  return
}

// -----

func.func @property_of_unicode_is_an_error(%x: tensor<4x!IE.String>) {
  // expected-error @+1 {{expected a pattern that nacre can match, found '\pL+': classes of Unicode's properties (\p) are not supported}}
  %0 = IE.RegexFullMatch %x {pattern = "\\pL+"} : tensor<4x!IE.String> -> tensor<4xi1>
  return
}

// -----

func.func @unknown_flag_is_an_error(%x: tensor<4x!IE.String>) {
  // expected-error @+1 {{expected a pattern that nacre can match, found '(?x)word': it has a group or a flag that is not supported}}
  %0 = IE.RegexFullMatch %x {pattern = "(?x)word"} : tensor<4x!IE.String> -> tensor<4xi1>
  return
}

// -----

func.func @sum_of_scattered_strings_is_an_error(%x: tensor<4x!IE.String>, %i: tensor<1xi64>, %u: tensor<1x!IE.String>) {
  // expected-error @+1 {{expected no reduction of strings, found 'add'}}
  %0 = IE.ScatterElements %x, %i, %u {reduction = "add"} : tensor<4x!IE.String>, tensor<1xi64>, tensor<1x!IE.String> -> tensor<4x!IE.String>
  return
}

// -----

func.func @arithmetic_of_strings_is_an_error(%x: tensor<4x!IE.String>) {
  // expected-error @+1 {{'IE.Add' op operand #0 must be ranked tensor of number values}}
  %0 = IE.Add %x, %x : tensor<4x!IE.String>, tensor<4x!IE.String> -> tensor<4x!IE.String>
  return
}
