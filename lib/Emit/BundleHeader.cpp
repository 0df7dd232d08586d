//===- BundleHeader.cpp - The C header of a bundle ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C99, readable: the header is the bundle's documentation for its users.
//
//===----------------------------------------------------------------------===//

#include "HeaderText.h"
#include "TargetGuard.h"

#include "nacre/Emit/Bundle.h"
#include "nacre/Target/RuntimeObjects.h"
#include "nacre/Target/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nacre;

namespace {

class HeaderPrinter {
public:
  HeaderPrinter(llvm::raw_ostream &os, const ArtifactInfo &info,
                const BundleOptions &options, uint32_t checksum)
      : os(os), info(info), options(options), checksum(checksum), layout(info),
        name(info.name), macro(StringRef(info.name).upper()) {}

  void print() {
    printIntroduction();
    std::string guard = macro + "_BUNDLE_H";
    os << "#ifndef " << guard << "\n#define " << guard
       << "\n\n#include <stdint.h>\n\n"
       << buildTargetGuard(info);
    if (info.hasHooks()) {
      os << getHooksHeader() << "\n";
    }
    printCommonMacros();
    if (options.hasMacros()) {
      printMacros();
    }
    os << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    if (options.hasTable()) {
      printTable();
    }
    printEntry();
    os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  }

private:
  void printIntroduction() {
    os << "/* " << name << ".h - a bundle of a model, compiled by nacre "
       << getVersion() << " for\n * " << listArchitectures(info.architectures)
       << ": " << info.targets.front().describe() << ".\n *\n"
       << " * The caller gives three regions of memory, each aligned to "
       << layout.alignment << " bytes:\n"
       << " *   constantWeight, " << layout.constantBytes << " bytes: what "
       << name << ".weights.bin holds, and\n *     " << name
       << ".weights.txt as text for #include\n"
       << " *   mutableWeight, " << layout.mutableBytes
       << " bytes: the placeholders, which are inputs, outputs\n"
          " *     and states\n"
       << " *   activations, " << layout.activationBytes
       << " bytes: scratch, nothing of which is kept; " << info.arenaLowerBound
       << "\n *     would be the least\n"
       << " * "
       << layout.constantBytes + layout.mutableBytes + layout.activationBytes
       << " bytes in all. Nothing else is written, and nothing is "
          "allocated.\n *\n * Placeholders, row-major:\n";
    for (const Placeholder &placeholder : layout.placeholders) {
      os << " *   \"" << makeCommentSafe(placeholder.tensor->name) << "\", "
         << describeTensor(*placeholder.tensor) << ", " << placeholder.bytes
         << " bytes from " << placeholder.offset;
      if (placeholder.tensor->integers) {
        os << "; " << placeholder.tensor->integers->describe();
      }
      if (placeholder.tensor->state) {
        const ModelTensor &next =
            info.interface.outputs[*placeholder.tensor->state];
        os << "; a state, which becomes \"" << makeCommentSafe(next.name)
           << '"';
      }
      os << "\n";
    }
    os << " */\n";
  }

  static std::string describeTensor(const ModelTensor &tensor) {
    std::string text = getValueTypeName(tensor.getValueType()) + "[";
    llvm::raw_string_ostream stream(text);
    llvm::interleave(tensor.type.getShape(), stream, ",");
    return text + "]";
  }

  /// What all bundles share, once for all that a program includes.
  void printCommonMacros() {
    auto define = [&](StringRef prefix) {
      os << "#ifndef " << prefix << "_MEM_ALIGN\n"
         << "/* Aligns a variable, and finds a placeholder in its region. */\n"
         << "#define " << prefix
         << "_MEM_ALIGN(size) __attribute__((aligned(size)))\n"
         << "#define " << prefix << "_GET_ADDR(mutableBaseAddr, offset) \\\n"
         << "  (((uint8_t *)(mutableBaseAddr)) + (offset))\n#endif\n";
    };
    define("NACRE");
    if (options.glow) {
      define("GLOW");
      os << "#ifndef GLOW_SUCCESS\n#define GLOW_SUCCESS 0\n#endif\n";
    }
    os << "\n";
  }

  void printMacros() {
    auto define = [&](const Twine &what, const Twine &value) {
      os << "#define " << macro << "_" << what << " " << value << "\n";
    };
    os << "/* Bytes of the regions, and their alignment. */\n";
    define("CONSTANT_MEM_SIZE", Twine(layout.constantBytes));
    define("MUTABLE_MEM_SIZE", Twine(layout.mutableBytes));
    define("ACTIVATIONS_MEM_SIZE", Twine(layout.activationBytes));
    define("MEM_ALIGN", Twine(layout.alignment));
    os << "/* CRC-32 (as zlib's) of " << name << ".weights.bin. */\n";
    define("WEIGHTS_CRC32", "0x" + llvm::utohexstr(checksum, true) + "u");
    os << "\n/* Of each placeholder the offset in mutableWeight, its bytes and "
          "elements. */\n";
    for (const Placeholder &placeholder : layout.placeholders) {
      std::string own = placeholder.cName;
      define(own, Twine(placeholder.offset));
      define(own + "_BYTES", Twine(placeholder.bytes));
      define(own + "_ELEMENTS",
             Twine(placeholder.tensor->type.getNumElements()));
    }
    os << "\n";
  }

  void printTable() {
    if (options.glow) {
      os << "#ifndef GLOW_BUNDLE_TYPES\n#define GLOW_BUNDLE_TYPES\n"
            "typedef struct SymbolTableEntry {\n"
            "  const char *name;\n"
            "  uint64_t offset; /* bytes in mutableWeight */\n"
            "  uint64_t size;   /* elements */\n"
            "  char kind;       /* 1: in mutableWeight */\n"
            "} SymbolTableEntry;\n\n"
            "typedef struct BundleConfig {\n"
            "  uint64_t constantWeightVarsMemSize;\n"
            "  uint64_t mutableWeightVarsMemSize;\n"
            "  uint64_t activationsMemSize;\n"
            "  uint64_t alignment;\n"
            "  uint64_t numSymbols;\n"
            "  const SymbolTableEntry *symbolTable;\n"
            "} BundleConfig;\n#endif\n\n"
         << "extern const BundleConfig " << name << "_config;\n\n";
      return;
    }
    os << "#ifndef NACRE_BUNDLE_TYPES\n#define NACRE_BUNDLE_TYPES\n"
          "struct nacre_bundle_symbol {\n"
          "  const char *name; /* as in the model */\n"
          "  const char *type; /* of an element: \"float32\", \"uint8\" */\n"
          "  uint64_t offset;  /* bytes in mutableWeight */\n"
          "  uint64_t bytes;\n"
          "  uint64_t elements;\n"
          "  uint64_t rank;\n"
          "  const uint64_t *dims; /* NULL for rank 0 */\n"
          "};\n\n"
          "struct nacre_bundle_config {\n"
          "  uint64_t constant_bytes;\n"
          "  uint64_t mutable_bytes;\n"
          "  uint64_t activation_bytes;\n"
          "  uint64_t alignment; /* of the three, in bytes */\n"
          "  uint64_t symbol_count;\n"
          "  const struct nacre_bundle_symbol *symbols;\n"
          "};\n#endif\n\n"
       << "extern const struct nacre_bundle_config " << name << "_config;\n\n";
  }

  void printEntry() {
    os << "/* Runs the model once. Returns 0 on success, 1 when this CPU lacks "
          "instructions\n * that the model was compiled for, 2 when a pointer "
          "is null or misaligned. */\n"
       << "int " << options.getEntry(info) << "(";
    // Glow's programs pass what they have declared as uint8_t.
    os << "const uint8_t *constantWeight, uint8_t *mutableWeight,\n"
          "    uint8_t *activations);\n\n";
    if (info.hasHooks()) {
      os << "/* The same with functions that are called before and after each "
            "step, which\n * "
         << name << ".steps.json describes. `hooks` may be NULL. */\nint "
         << options.getEntry(info)
         << "_with_hooks(const uint8_t *constantWeight,\n"
            "    uint8_t *mutableWeight, uint8_t *activations,\n"
            "    const struct nacre_hooks *hooks);\n\n";
    }
  }

  llvm::raw_ostream &os;
  const ArtifactInfo &info;
  const BundleOptions &options;
  uint32_t checksum;
  BundleLayout layout;
  StringRef name;
  std::string macro;
};

} // namespace

std::string nacre::buildBundleHeader(const ArtifactInfo &info,
                                     const BundleOptions &options,
                                     uint32_t weightsChecksum) {
  std::string text;
  llvm::raw_string_ostream os(text);
  HeaderPrinter(os, info, options, weightsChecksum).print();
  return text;
}
