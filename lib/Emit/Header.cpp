//===- Header.cpp - The C header of a compiled model ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C99, readable: the header is the model's documentation for its users.
//
//===----------------------------------------------------------------------===//

#include "nacre/Emit/Header.h"
#include "HeaderText.h"
#include "TargetGuard.h"
#include "nacre/Runtime/FunctionNames.h"
#include "nacre/Target/RuntimeObjects.h"
#include "nacre/Target/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace nacre;

/// The C type that stores an element; floats of 8 and 16 bits are their bits, a
/// complex number is two elements.
static StringRef getCType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    return getCType(complex.getElementType());
  }
  if (type.isF32()) {
    return "float";
  }
  if (type.isF64()) {
    return "double";
  }
  if (isa<FloatType>(type)) {
    return type.getIntOrFloatBitWidth() == 16 ? "uint16_t" : "uint8_t";
  }
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "bool";
  case 8:
    return isUnsigned ? "uint8_t" : "int8_t";
  case 16:
    return isUnsigned ? "uint16_t" : "int16_t";
  case 32:
    return isUnsigned ? "uint32_t" : "int32_t";
  default:
    return isUnsigned ? "uint64_t" : "int64_t";
  }
}

std::string nacre::makeCommentSafe(StringRef text) {
  std::string name = llvm::json::fixUTF8(text);
  for (char &c : name) {
    bool isControl = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    c = c == '*' || isControl ? '_' : c;
  }
  return name;
}

static bool hasRuntimeValue(ArrayRef<ModelTensor> tensors) {
  return llvm::any_of(tensors, [](const ModelTensor &tensor) {
    return tensor.isRuntimeValue();
  });
}

/// How values of the runtime are passed, if the model has any.
static void printValueRules(llvm::raw_ostream &os,
                            const ModelInterface &interface) {
  bool takes = hasRuntimeValue(interface.inputs);
  bool gives = hasRuntimeValue(interface.outputs);
  if (takes) {
    os << " * A nacre_value of the inputs stays the caller's: nacre_tensor_wrap"
          " makes\n * one of numbers, nacre_tensor_of_strings,"
          " nacre_sequence_new, nacre_optional_new\n"
          " * and nacre_map_new the others.\n";
  }
  if (gives) {
    os << " * A nacre_value of the outputs is set by a run that succeeds; the "
          "caller then\n * owns it: nacre_release frees it.\n";
  }
}

/// The fields for `tensors`, of which those that are states become one of
/// `outputs`.
static void printStruct(llvm::raw_ostream &os, StringRef name, StringRef kind,
                        ArrayRef<ModelTensor> tensors, StringRef qualifier,
                        ArrayRef<ModelTensor> outputs) {
  os << "struct " << name << "_" << kind << " {\n";
  for (const ModelTensor &tensor : tensors) {
    os << "  " << (tensor.state ? "" : qualifier)
       << (tensor.isRuntimeValue() ? StringRef(names::kValueType)
                                   : getCType(tensor.type.getElementType()))
       << " *" << tensor.cName << "; /* "
       << getValueTypeName(tensor.getValueType());
    if (tensor.type) {
      os << "[";
      for (int64_t i = 0; i < tensor.type.getRank(); ++i) {
        os << (i == 0 ? "" : ",") << makeCommentSafe(tensor.getDimName(i));
      }
      os << "]";
      auto complex = dyn_cast<ComplexType>(tensor.type.getElementType());
      if (complex && !tensor.isRuntimeValue()) {
        os << ", real and imaginary parts in turn";
        if (complex.getElementType().isF64()) {
          os << ", aligned to 16 bytes";
        }
      }
    }
    if (tensor.cName != tensor.name) {
      os << ", \"" << makeCommentSafe(tensor.name) << "\" in the model";
    }
    if (tensor.integers) {
      os << ", " << tensor.integers->describe();
    }
    if (tensor.state) {
      os << "; state: becomes \""
         << makeCommentSafe(outputs[*tensor.state].name) << '"';
    }
    os << " */\n";
  }
  if (tensors.empty()) {
    os << "  char unused; /* the model has none */\n";
  }
  os << "};\n\n";
}

static std::string getIdentity(const ArtifactInfo &info) {
  return "0x" + llvm::utohexstr(*info.identity, /*LowerCase=*/true) + "u";
}

static std::string describeHooks(StringRef name) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "/* The same with functions that are called before and after each "
         "step, "
         "which\n * "
      << name << ".steps.json describes. `hooks` may be NULL. */\nint " << name
      << "_run_with_hooks(const struct " << name
      << "_inputs *inputs,\n    struct " << name
      << "_outputs *outputs, void *arena,\n"
         "    const struct nacre_hooks *hooks);\n\n";
  return text;
}

std::string nacre::buildHeader(const ArtifactInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef name = info.name;
  std::string guard = name.upper() + "_H";
  std::vector<ModelTensor> outputs = getOwnOutputs(info.interface);
  os << "/* " << name << ".h - a model compiled by nacre " << getVersion()
     << " for " << listArchitectures(info.architectures) << ".\n *\n"
     << " * " << name << "_run needs " << info.arenaBytes
     << " bytes of scratch memory, "
     << (info.usesRuntime ? "and allocates what\n * has a dynamic size. It "
                            "writes"
                          : "allocates nothing and\n * writes")
     << " nothing but the outputs and the arena. Calls with distinct "
        "arenas may\n * run at the same time.\n";
  if (info.architectures.size() > 1) {
    os << " *\n * Holds code for each of these architectures. The first that "
          "the "
          "CPU can run is\n * used, or the one that the environment variable "
          "NACRE_ARCH names when the code is\n * loaded.\n";
  }
  if (outputs.size() < info.interface.outputs.size()) {
    os << " *\n * State is given as an input and overwritten by what it "
          "becomes: one buffer for\n * both, kept from call to call. Fill it "
          "once, with zeros or whatever the model\n * starts from.\n";
  }
  if (info.threads > 1) {
    os << " *\n * Runs on up to " << info.threads
       << " threads, and on no more than the process has cores or than\n"
          " * NACRE_THREADS says when it first runs.\n";
  }
  os << " */\n#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdbool.h>\n#include <stdint.h>\n\n"
     << buildTargetGuard(info) << getStatusHeader() << "\n"
     << (info.usesRuntime ? (getRuntimeHeader() + "\n").str() : "")
     << (info.hasHooks() ? (getHooksHeader() + "\n").str() : "");
  if (info.identity) {
    os << "#define " << name << "_ID " << getIdentity(info) << "\n\n";
  }
  if (!info.uniqueRun.empty()) {
    os << "/* Of two models of one name, a linker would take what comes first. "
          "*/\n#define "
       << name << "_run " << info.uniqueRun << "\n"
       << (info.hasHooks() ? "#define " + info.name + "_run_with_hooks " +
                                 info.uniqueRun + "_with_hooks\n"
                           : "")
       << "\n";
  }
  os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "#define " << name << "_ARENA_BYTES " << info.arenaBytes << "\n"
     << "#define " << name << "_ARENA_ALIGNMENT " << info.arenaAlignment
     << "\n\n";
  os << "/* Number of elements of each tensor. */\n";
  auto printSizes = [&](ArrayRef<ModelTensor> tensors, StringRef kind) {
    for (const ModelTensor &tensor : tensors) {
      if (!tensor.isRuntimeValue()) {
        os << "#define " << name << "_" << kind << "_" << tensor.cName
           << "_ELEMENTS " << tensor.type.getNumElements() << "\n";
      }
    }
  };
  printSizes(info.interface.inputs, "INPUT");
  printSizes(outputs, "OUTPUT");
  os << "\n/* Row-major tensors, owned by the caller.";
  if (hasRuntimeValue(info.interface.inputs) ||
      hasRuntimeValue(info.interface.outputs)) {
    os << "\n *\n";
    printValueRules(os, info.interface);
  }
  os << " */\n";
  printStruct(os, name, "inputs", info.interface.inputs, "const ",
              info.interface.outputs);
  printStruct(os, name, "outputs", outputs, "", {});
  os << "/* Runs the model once. `arena` has " << name
     << "_ARENA_BYTES bytes, aligned to\n * " << name
     << "_ARENA_ALIGNMENT. Returns\n"
     << " *   NACRE_OK               on success,\n"
     << " *   NACRE_UNSUPPORTED_CPU  when this CPU lacks instructions that the "
        "model was\n"
        " *                          compiled for, or the system refuses them "
        "to this\n"
        " *                          process,\n"
     << " *   NACRE_BAD_POINTER      when a pointer is null or the arena is "
        "misaligned"
     << (info.usesRuntime
             ? ",\n *   NACRE_FAILED           when the inputs do not fit the "
               "model, or memory is\n"
               " *                          short.\n * " +
                   info.name + "_error() says why"
             : "")
     << ".\n */\n"
     << "int " << name << "_run(const struct " << name << "_inputs *inputs,\n"
     << "    struct " << name << "_outputs *outputs, void *arena);\n\n"
     << (info.hasHooks() ? describeHooks(name) : "")
     << "/* The architecture whose code runs on this CPU; NULL when there is "
        "none. */\n"
     << "const char *" << name << "_architecture(void);\n\n"
     << (info.usesRuntime
             ? "/* Why the last call of " + info.name +
                   "_run on this thread did not give NACRE_OK; the empty\n"
                   " * string if it did. */\nconst char *" +
                   info.name + "_error(void);\n\n"
             : "")
     << "/* Names, types, shapes and architectures as JSON. */\n"
     << "extern const char " << name << "_metadata[];\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n";
  if (info.identity) {
    os << "#elif " << name << "_ID != " << getIdentity(info)
       << "\n#error two models are called " << name
       << ": compile one of them with --name=\n";
  }
  os << "#endif /* " << guard << " */\n";
  return text;
}
