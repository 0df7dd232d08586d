//===- Embedded.cpp - The runtime as nacre carries it ---------------------===//
//
// The object file is part of nacre's own, so that an installed nacre needs no
// other file to link artifacts.
//
//===----------------------------------------------------------------------===//

#include "nacre/Runtime/Embedded.h"
#include "nacre-c/Runtime.h"

// Defines NAME and NAME_end around the bytes of a file.
#define EMBED(name, file)                                                      \
  __asm__(".section .rodata\n"                                                 \
          ".balign 16\n"                                                       \
          ".local " name "\n" name ":\n"                                       \
          ".incbin \"" file "\"\n"                                             \
          ".local " name "_end\n" name "_end:\n"                               \
          ".byte 0\n"                                                          \
          ".text\n")

EMBED("nacre_runtime_object", NACRE_RUNTIME_OBJECT);
EMBED("nacre_runtime_header", NACRE_RUNTIME_HEADER);

extern "C" {
extern const char nacre_runtime_object[], nacre_runtime_object_end[];
extern const char nacre_runtime_header[], nacre_runtime_header_end[];
}

llvm::StringRef nacre::getRuntimeObject() {
  return {nacre_runtime_object,
          static_cast<size_t>(nacre_runtime_object_end - nacre_runtime_object)};
}

llvm::StringRef nacre::getRuntimeHeader() {
  return {nacre_runtime_header,
          static_cast<size_t>(nacre_runtime_header_end - nacre_runtime_header)};
}

llvm::ArrayRef<std::pair<llvm::StringRef, void *>>
nacre::getRuntimeFunctions() {
  static const std::pair<llvm::StringRef, void *> functions[] = {
#define NACRE_FUNCTION(name) {#name, reinterpret_cast<void *>(&name)},
#include "Functions.def"
  };
  return functions;
}
