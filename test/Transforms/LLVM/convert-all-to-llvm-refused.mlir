// RUN: nacre-opt %s --convert-all-to-llvm --verify-diagnostics

// Neither LLVM nor libm has a power of integers.
func.func @function_without_a_lowering(%a: i32, %b: i32) -> i32 {
  // expected-error@+1 {{failed to legalize operation 'math.ipowi'}}
  %0 = math.ipowi %a, %b : i32
  return %0 : i32
}
