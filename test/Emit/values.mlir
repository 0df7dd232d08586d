// A C program gives a compiled model sequences and strings, and takes them.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s -o %t/values.so
// RUN: FileCheck %s --check-prefix=HEADER < %t/values.h
// RUN: clang -std=c11 -Wall -Wextra -Werror -Wno-cast-qual -I%t %S/Inputs/call-values.c %t/values.so -Wl,-rpath,%t -o %t/shared
// RUN: %t/shared | FileCheck %s
// RUN: nacre compile %s --emit=static -o %t/values.a
// RUN: clang -std=c11 -I%t %S/Inputs/call-values.c %t/values.a -o %t/static
// RUN: %t/static | FileCheck %s

// Two models in one program bring the runtime along twice.
// RUN: nacre compile %s --emit=obj -o %t/values.o
// RUN: nacre compile %s --emit=obj -o %t/others.o
// RUN: clang -std=c11 -I%t %S/Inputs/call-values.c %t/others.o %t/values.o -o %t/object
// RUN: %t/object | FileCheck %s

// Of the runtime the header repeats what programs call.
// HEADER: NACRE_BAD_POINTER = 2
// HEADER: NACRE_FLOAT32 = 1
// HEADER-NOT: nacre_check_
// HEADER: nacre_sequence_new, nacre_optional_new
// HEADER: struct values_inputs {
// HEADER-NEXT: const nacre_value *parts; /* sequence(float32) */
// HEADER-NEXT: const nacre_value *words; /* string[2] */
// HEADER: nacre_value *whole; /* float32[?] */
// HEADER-NEXT: nacre_value *labels; /* string[2] */
// HEADER-NEXT: nacre_value *more; /* sequence(float32) */

// CHECK: first: 1 2 3 4 5 | ant:1.0 bé:2.5 | 3 parts
// CHECK: second: 1 2 3 4 5 1 2 3 4 5 | ant:1.0 bé:2.5 | 4 parts
// CHECK: status 3: expected for 'parts' a sequence, found a tensor of string and rank 1
// CHECK: status 3: expected for 'words' a tensor of string and rank 1, found a sequence
// CHECK: status 3: unexpected size of dimension 0 of input 'words': expected 2, found 1
// CHECK: status 2: the pointer of input 'words' is null
// CHECK: status 2: the pointer to the struct of outputs is null
// CHECK: status 3: expected a sequence of an element at least

// RUN: not nacre run %t/values.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: error: input 'parts' is a !IE.Sequence<tensor<*xf32>>, which only the data folders of nacre check can give

func.func @main(%parts: !IE.Sequence<tensor<?xf32>> {nacre.name = "parts"}, %words: tensor<2x!IE.String> {nacre.name = "words"})
    -> (tensor<?xf32> {nacre.name = "whole"}, tensor<2x!IE.String> {nacre.name = "labels"}, !IE.Sequence<tensor<?xf32>> {nacre.name = "more"}) {
  %whole = IE.ConcatFromSequence(%parts) {axis = 0 : i64} : (!IE.Sequence<tensor<?xf32>>) -> tensor<?xf32>
  %more = IE.SequenceInsert(%parts, %whole) : (!IE.Sequence<tensor<?xf32>>, tensor<?xf32>) -> !IE.Sequence<tensor<?xf32>>
  %numbers = IE.Constant dense<[1.0, 2.5]> : tensor<2xf32>
  %texts = IE.Cast %numbers to !IE.String : tensor<2xf32> -> tensor<2x!IE.String>
  %colon = IE.Constant dense<":"> : tensor<1x!IE.String>
  %tails = IE.StringConcat %colon, %texts : tensor<1x!IE.String>, tensor<2x!IE.String> -> tensor<2x!IE.String>
  %labels = IE.StringConcat %words, %tails : tensor<2x!IE.String>, tensor<2x!IE.String> -> tensor<2x!IE.String>
  return %whole, %labels, %more : tensor<?xf32>, tensor<2x!IE.String>, !IE.Sequence<tensor<?xf32>>
}
