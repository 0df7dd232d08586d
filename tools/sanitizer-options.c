//===- sanitizer-options.c - Defaults of AddressSanitizer -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into the executables of a sanitizer build only. LLVM's allocators
// poison what they have not handed out yet, in code that is inlined here but
// also compiled, without the sanitizer, into the packaged libLLVM and libMLIR:
// those never unpoison what they hand out.
//
//===----------------------------------------------------------------------===//

const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  return "allow_user_poisoning=0:detect_leaks=0";
}
