//===- RuntimeObjects.cpp - The runtime as nacre carries it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object files are part of nacre's own, so that an installed nacre needs no
// other file to link artifacts.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/RuntimeObjects.h"
#include "nacre-c/Compiled.h"

#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/Triple.h"

using namespace nacre;

// Defines NAME and NAME_end around the bytes of a file.
#define EMBED(name, file)                                                      \
  __asm__(".section .rodata\n"                                                 \
          ".balign 16\n"                                                       \
          ".local " name "\n" name ":\n"                                       \
          ".incbin \"" file "\"\n"                                             \
          ".local " name "_end\n" name "_end:\n"                               \
          ".byte 0\n"                                                          \
          ".text\n")

#define NACRE_OBJECT(arch, triple, runtime, threads, half)                     \
  EMBED("nacre_runtime_" #arch, runtime);                                      \
  EMBED("nacre_threads_" #arch, threads);                                      \
  EMBED("nacre_half_" #arch, half);
#include NACRE_RUNTIME_OBJECTS
#undef NACRE_OBJECT
EMBED("nacre_runtime_header", NACRE_RUNTIME_HEADER);
EMBED("nacre_status_header", NACRE_STATUS_HEADER);
EMBED("nacre_hooks_header", NACRE_HOOKS_HEADER);

extern "C" {
#define NACRE_OBJECT(arch, triple, runtime, threads, half)                     \
  extern const char nacre_runtime_##arch[], nacre_runtime_##arch##_end[],      \
      nacre_threads_##arch[], nacre_threads_##arch##_end[],                    \
      nacre_half_##arch[], nacre_half_##arch##_end[];
#include NACRE_RUNTIME_OBJECTS
#undef NACRE_OBJECT
// NOLINTBEGIN(readability-identifier-naming): symbols as they are above.
extern const char nacre_runtime_header[], nacre_runtime_header_end[];
extern const char nacre_status_header[], nacre_status_header_end[];
extern const char nacre_hooks_header[], nacre_hooks_header_end[];
// NOLINTEND(readability-identifier-naming)
}

llvm::ArrayRef<RuntimeObject> nacre::getRuntimeObjects() {
  static const RuntimeObject objects[] = {
#define NACRE_OBJECT(arch, triple, runtime, threads, half)                     \
  {triple,                                                                     \
   {nacre_runtime_##arch,                                                      \
    static_cast<size_t>(nacre_runtime_##arch##_end - nacre_runtime_##arch)},   \
   {nacre_threads_##arch,                                                      \
    static_cast<size_t>(nacre_threads_##arch##_end - nacre_threads_##arch)},   \
   {nacre_half_##arch,                                                         \
    static_cast<size_t>(nacre_half_##arch##_end - nacre_half_##arch)}},
#include NACRE_RUNTIME_OBJECTS
#undef NACRE_OBJECT
  };
  return objects;
}

/// Whether a machine of `triple` runs code for `own`. ARM's of 32 bits have two
/// encodings of instructions, which call each other, and several generations.
static bool runs(const llvm::Triple &triple, const llvm::Triple &own) {
  auto isNarrowARM = [](const llvm::Triple &machine) {
    return machine.isARM() || machine.isThumb();
  };
  if (!isNarrowARM(own) || !isNarrowARM(triple)) {
    return own.getArch() == triple.getArch();
  }
  return llvm::ARM::parseArchVersion(triple.getArchName()) >=
         llvm::ARM::parseArchVersion(own.getArchName());
}

const RuntimeObject *nacre::getRuntimeObject(const llvm::Triple &triple) {
  for (const RuntimeObject &object : getRuntimeObjects()) {
    // The vendor makes no difference to code.
    llvm::Triple own(object.triple);
    if (runs(triple, own) && own.getOS() == triple.getOS() &&
        own.getEnvironment() == triple.getEnvironment()) {
      return &object;
    }
  }
  return nullptr;
}

std::optional<llvm::StringRef>
nacre::getHalfObject(const llvm::Triple &triple) {
  for (const RuntimeObject &object : getRuntimeObjects()) {
    llvm::Triple own(object.triple);
    if (runs(triple, own) && own.getOS() == triple.getOS()) {
      return object.half;
    }
  }
  return std::nullopt;
}

llvm::StringRef nacre::getRuntimeHeader() {
  return {nacre_runtime_header,
          static_cast<size_t>(nacre_runtime_header_end - nacre_runtime_header)};
}

llvm::StringRef nacre::getStatusHeader() {
  return {nacre_status_header,
          static_cast<size_t>(nacre_status_header_end - nacre_status_header)};
}

llvm::StringRef nacre::getHooksHeader() {
  return {nacre_hooks_header,
          static_cast<size_t>(nacre_hooks_header_end - nacre_hooks_header)};
}

llvm::ArrayRef<std::pair<llvm::StringRef, void *>>
nacre::getRuntimeFunctions() {
  static const std::pair<llvm::StringRef, void *> functions[] = {
#define NACRE_FUNCTION(name) {#name, reinterpret_cast<void *>(&name)},
#include "nacre/Runtime/Functions.def"
  };
  return functions;
}
