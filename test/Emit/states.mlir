// A state is one field, which a run overwrites; the metadata says what it
// becomes.

// RUN: rm -rf %t && mkdir %t
// RUN: nacre compile %S/../Driver/Inputs/states.mlir --state=past:0:present:0 --emit=obj -o %t/model.o
// RUN: FileCheck %s --input-file=%t/model.h
// RUN: clang -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c %t/model.h
// RUN: nacre compile %S/../Driver/Inputs/states.mlir --state=past:0:present:0 --emit=llvm -O0 --vpu-arch=x86-64-v3 -o %t/model.ll
// RUN: FileCheck %s --input-file=%t/model.ll --check-prefix=DATA

// CHECK: State is given as an input and overwritten by what it becomes: one buffer for
// CHECK: #define model_INPUT_past_0_ELEMENTS 8
// CHECK-NEXT: #define model_OUTPUT_y_ELEMENTS 8
// CHECK-NOT: _present_0
// CHECK: struct model_inputs {
// CHECK-NEXT: const float *x; /* float32[8] */
// CHECK-NEXT: {{^}}  float *past_0; /* float32[8], "past:0" in the model; state: becomes "present:0" */
// CHECK-NEXT: };
// CHECK: struct model_outputs {
// CHECK-NEXT: float *y; /* float32[8] */
// CHECK-NEXT: };

// DATA: _metadata = constant
// DATA-SAME: \22name\22:\22past:0\22,\22shape\22:[8],\22state\22:\22present:0\22
// DATA-SAME: \22name\22:\22present:0\22,\22shape\22:[8],\22state\22:\22past:0\22
// DATA: define internal void @{{.*}}_main(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4)
