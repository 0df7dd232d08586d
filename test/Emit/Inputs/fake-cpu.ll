; Stands in for the instructions that ask a CPU what it has: every register of
; every leaf comes from C.

declare i32 @fake_cpuid_register(i32, i32, i32)
declare i32 @fake_saved_state()

define { i32, i32, i32, i32 } @fake_cpuid(i32 %leaf, i32 %subleaf) {
  %a = call i32 @fake_cpuid_register(i32 %leaf, i32 %subleaf, i32 0)
  %b = call i32 @fake_cpuid_register(i32 %leaf, i32 %subleaf, i32 1)
  %c = call i32 @fake_cpuid_register(i32 %leaf, i32 %subleaf, i32 2)
  %d = call i32 @fake_cpuid_register(i32 %leaf, i32 %subleaf, i32 3)
  %v0 = insertvalue { i32, i32, i32, i32 } poison, i32 %a, 0
  %v1 = insertvalue { i32, i32, i32, i32 } %v0, i32 %b, 1
  %v2 = insertvalue { i32, i32, i32, i32 } %v1, i32 %c, 2
  %v3 = insertvalue { i32, i32, i32, i32 } %v2, i32 %d, 3
  ret { i32, i32, i32, i32 } %v3
}

define { i32, i32 } @fake_xgetbv(i32 %register) {
  %low = call i32 @fake_saved_state()
  %v0 = insertvalue { i32, i32 } poison, i32 %low, 0
  %v1 = insertvalue { i32, i32 } %v0, i32 0, 1
  ret { i32, i32 } %v1
}
