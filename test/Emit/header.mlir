// The header names everything a C program needs. Names that are not C
// identifiers, that are keywords, or that collide become usable and stay
// recognisable.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %s --emit=obj -o %t/my-model.o
// RUN: FileCheck %s --input-file=%t/my-model.h
// RUN: clang -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c %t/my-model.h
// RUN: clang -Wall -Wextra -Werror -fsyntax-only -x c++ %t/my-model.h

// Headers of several models are included together.
// RUN: nacre compile %s --emit=obj -o %t/other.o
// RUN: clang -std=c99 -Wall -Wextra -Werror -fsyntax-only -include %t/my-model.h -x c %t/other.h

// CHECK: #ifndef MY_MODEL_H
// CHECK: NACRE_UNSUPPORTED_CPU = 1
// CHECK-NOT: nacre_value
// CHECK: extern "C" {
// CHECK: #define my_model_ARENA_BYTES {{[0-9]+}}
// CHECK: #define my_model_ARENA_ALIGNMENT 64
// CHECK: #define my_model_INPUT_in_0_ELEMENTS 6
// CHECK: #define my_model_OUTPUT_class__ELEMENTS 6
// CHECK: struct my_model_inputs {
// CHECK-NEXT: const float *in_0; /* float32[2,3], "in:0" in the model */
// CHECK-NEXT: const float *in_0_1; /* float32[2,3], "in/0" in the model */
// CHECK-NEXT: const int64_t *t_2nd; /* int64[2], "2nd" in the model */
// CHECK-NEXT: const bool *flag; /* bool[1] */
// CHECK-NEXT: const uint8_t *bytes; /* uint8[4] */
// CHECK-NEXT: const int64_t *not_; /* int64[1], "not" in the model */
// CHECK-NEXT: const int64_t *nullptr_; /* int64[1], "nullptr" in the model */
// CHECK-NEXT: };
// CHECK: struct my_model_outputs {
// CHECK-NEXT: float *class_; /* float32[2,3], "class" in the model */
// CHECK: int my_model_run(const struct my_model_inputs *inputs,
// CHECK: extern const char my_model_metadata[];

func.func @main(%a: tensor<2x3xf32> {nacre.name = "in:0"},
                %b: tensor<2x3xf32> {nacre.name = "in/0"},
                %c: tensor<2xi64> {nacre.name = "2nd"},
                %d: tensor<1xi1> {nacre.name = "flag"},
                %e: tensor<4xui8> {nacre.name = "bytes"},
                %f: tensor<1xi64> {nacre.name = "not"},
                %g: tensor<1xi64> {nacre.name = "nullptr"})
    -> (tensor<2x3xf32> {nacre.name = "class"}) {
  %0 = "IE.Add"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
