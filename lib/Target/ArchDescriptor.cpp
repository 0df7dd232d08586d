//===- ArchDescriptor.cpp - What the compiler knows of a machine ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads descriptors from JSON and finds the one of the host.
//
//===----------------------------------------------------------------------===//

#include "nacre/Target/ArchDescriptor.h"
#include "TargetCheck.h"
#include "nacre/Support/Json.h"
#include "nacre/Target/TargetChoice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace nacre;

namespace {

struct EmbeddedArch {
  StringLiteral name;
  StringLiteral json;
};

constexpr EmbeddedArch embeddedArchs[] = {
#include "nacre/Target/Architectures.inc"
};

/// Reads the fields of one JSON object, remembering the first error and, by
/// crossing off what is read, the fields that nobody knows.
class FieldReader {
public:
  FieldReader(const json::Object &object, std::string path, std::string &error)
      : object(object), path(std::move(path)), error(error) {}

  ~FieldReader() {
    for (const auto &[key, value] : object) {
      if (!llvm::is_contained(known, StringRef(key))) {
        fail("unknown field '" + path + key.str() + "'");
      }
    }
  }

  void read(StringRef key, std::string &value) {
    known.push_back(key);
    if (std::optional<StringRef> found = object.getString(key)) {
      value = found->str();
    } else {
      expect(key, "a string");
    }
  }

  /// A whole number from 1 to `most`.
  void read(StringRef key, int64_t &value, int64_t most) {
    known.push_back(key);
    const json::Value *given = object.get(key);
    std::optional<int64_t> found = given ? given->getAsInteger() : std::nullopt;
    if (found && *found > 0 && *found <= most) {
      value = *found;
    } else {
      expect(key, "a whole number from 1 to " + Twine(most));
    }
  }

  /// The same, where it is there.
  void readOptional(StringRef key, int64_t &value, int64_t most) {
    if (object.get(key)) {
      read(key, value, most);
    }
  }

  /// An array, where it is there.
  void readOptional(StringRef key, std::vector<std::string> &values) {
    if (object.get(key)) {
      read(key, values);
    }
  }

  /// Element types that kernels are for.
  void readTypes(StringRef key, std::vector<std::string> &values) {
    read(key, values);
    if (!llvm::all_of(values, [](StringRef type) {
          return type == "f32" || type == "f64" || type == "bf16" ||
                 type == "i8";
        })) {
      expect(key, "only f32, f64, bf16 and i8");
    }
  }

  void read(StringRef key, std::vector<std::string> &values) {
    known.push_back(key);
    const json::Array *array = object.getArray(key);
    if (!array) {
      return expect(key, "an array of strings");
    }
    for (const json::Value &item : *array) {
      if (std::optional<StringRef> text = item.getAsString()) {
        values.push_back(text->str());
      } else {
        return expect(key, "an array of strings");
      }
    }
  }

  /// One of two words; the flag says whether it was the second.
  void readChoice(StringRef key, StringRef first, StringRef second,
                  bool &isSecond) {
    known.push_back(key);
    std::optional<StringRef> found = object.getString(key);
    if (!found || (*found != first && *found != second)) {
      return expect(key, ("\"" + first + "\" or \"" + second + "\"").str());
    }
    isSecond = *found == second;
  }

  template <typename Callback>
  void readObject(StringRef key, Callback callback) {
    known.push_back(key);
    if (const json::Object *nested = object.getObject(key)) {
      FieldReader reader(*nested, path + key.str() + ".", error);
      callback(reader);
    } else {
      expect(key, "an object");
    }
  }

  /// The same, where it is there.
  template <typename Callback>
  void readOptionalObject(StringRef key, Callback callback) {
    if (object.get(key)) {
      readObject(key, callback);
    }
  }

private:
  void expect(StringRef key, const Twine &what) {
    const json::Value *given = object.get(key);
    std::string message = (given ? "field '" : "missing field '") + path +
                          key.str() + "': expected " + what.str();
    if (given) {
      raw_string_ostream(message) << ", found " << *given;
    }
    fail(message);
  }
  void fail(const std::string &message) {
    if (error.empty()) {
      error = message;
    }
  }

  const json::Object &object;
  std::string path;
  std::string &error;
  SmallVector<StringRef> known;
};

} // namespace

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// The triple of a modelled machine, whose code runs on whatever compiles it.
static constexpr StringLiteral hostTriple = "host";

/// True when kernels have instructions for the matrix unit.
static bool fitsKernels(const ArchDescriptor &arch) {
  const MatrixUnit &unit = *arch.matrixUnit;
  return arch.lanes == 16 && unit.tiles >= 8 && unit.rowBytes == 64 &&
         unit.rows <= 16 &&
         llvm::all_of(unit.elementTypes, [&](StringRef type) {
           return (type == "bf16" && arch.packBF16 == 2) ||
                  (type == "i8" && arch.packI8 == 4);
         });
}

/// Reads a descriptor as it is written: its triple may be `host`.
static Expected<ArchDescriptor> readArch(StringRef text, StringRef origin) {
  Expected<json::Value> value = parseJson(text);
  if (!value) {
    return makeError(origin + ": " + toString(value.takeError()));
  }
  const json::Object *object = value->getAsObject();
  if (!object) {
    return makeError(origin + ": expected a JSON object");
  }
  ArchDescriptor arch;
  std::string error;
  // Beyond what any machine has; products of them stay far from overflow.
  constexpr int64_t kMost = 64, kManyRegisters = 256, kManyCores = 1 << 16,
                    kFast = 1000000, kManyBytes = int64_t(1) << 32;
  {
    FieldReader reader(*object, "", error);
    reader.read("name", arch.name);
    reader.readChoice("kind", "cpu", "npu", arch.isNPU);
    reader.read("clusters", arch.clusters, kManyCores);
    reader.read("cmx_bytes", arch.cmxBytes, kManyBytes);
    reader.readOptional("shared_cache_bytes", arch.sharedCacheBytes,
                        kManyBytes);
    reader.read("clock_mhz", arch.clockMHz, kFast);
    reader.readChoice("activations", "NHWC", "NCHWc", arch.blockedChannels);
    reader.readTypes("element_types", arch.elementTypes);
    reader.readOptional("keep", arch.keep);
    reader.readObject("dma", [&](FieldReader &dma) {
      dma.read("engines", arch.dmaEngines, kManyCores);
      dma.read("gigabytes_per_second", arch.dmaGigabytesPerSecond, kFast);
    });
    reader.readObject("mac_array", [&](FieldReader &mac) {
      mac.read("lanes", arch.lanes, kMost);
      mac.read("registers", arch.registers, kManyRegisters);
      mac.read("pixels", arch.pixels, kMost);
      mac.read("blocks", arch.blocks, kMost);
      mac.readObject("pack", [&](FieldReader &pack) {
        pack.read("i8", arch.packI8, kMost);
        pack.read("bf16", arch.packBF16, kMost);
      });
    });
    reader.readOptionalObject("matrix_unit", [&](FieldReader &matrix) {
      MatrixUnit &unit = arch.matrixUnit.emplace();
      matrix.read("tiles", unit.tiles, kMost);
      matrix.read("rows", unit.rows, kManyRegisters);
      matrix.read("row_bytes", unit.rowBytes, kManyCores);
      matrix.readTypes("element_types", unit.elementTypes);
    });
    reader.readObject("llvm", [&](FieldReader &target) {
      target.read("triple", arch.target.triple);
      if (arch.target.triple != hostTriple) {
        target.read("cpu", arch.target.cpu);
        target.read("tune", arch.target.tune);
        target.read("features", arch.target.features);
      }
    });
    reader.read("host_features", arch.hostFeatures);
  }
  if (!error.empty()) {
    return makeError(origin + ": " + error);
  }
  if (arch.name.empty()) {
    return makeError(origin + ": field 'name': expected a name, found none");
  }
  // The sums of a register tile are in registers, or it is none.
  if (arch.pixels * arch.blocks > arch.registers) {
    return makeError(origin +
                     ": expected mac_array.pixels times mac_array.blocks of at "
                     "most mac_array.registers, found " +
                     Twine(arch.pixels * arch.blocks) + " of " +
                     Twine(arch.registers));
  }
  // Kernels transpose tiles of vectors by halving them.
  if (!isPowerOf2_64(arch.lanes) || arch.lanes < 2) {
    return makeError(origin +
                     ": expected a power of two above 1 for "
                     "mac_array.lanes, found " +
                     Twine(arch.lanes));
  }
  // Of which a vector has half as many as lanes.
  if (is_contained(arch.elementTypes, "f64") && arch.lanes < 4) {
    return makeError(origin +
                     ": expected 4 or more for mac_array.lanes with f64 among "
                     "element_types, found " +
                     Twine(arch.lanes));
  }
  // The packs that kernels have an instruction for.
  bool isX86 =
      !arch.isNPU && Triple(arch.target.triple).getArch() == Triple::x86_64;
  bool hasI8 = isX86 && (arch.lanes == 8 || arch.lanes == 16) &&
               (arch.packI8 == 2 || arch.packI8 == 4);
  bool hasBF16 = isX86 && arch.lanes == 16 && arch.packBF16 == 2;
  if ((arch.packI8 != 1 && !hasI8) || (arch.packBF16 != 1 && !hasBF16)) {
    return makeError(origin +
                     ": expected 1 for both of mac_array.pack, or, on an "
                     "x86-64 CPU, 2 or 4 for i8 with 8 or 16 lanes and 2 for "
                     "bf16 with 16");
  }
  if (arch.matrixUnit && (!isX86 || !fitsKernels(arch))) {
    return makeError(origin +
                     ": expected a matrix_unit only of an x86-64 CPU with 16 "
                     "lanes, with at least 8 tiles of 64 row_bytes and at most "
                     "16 rows, of bf16 with a pack of 2 or i8 with one of 4");
  }
  return arch;
}

/// Gives `arch` the target of this machine if it is compiled for any, or checks
/// the one that it has; then applies a choice.
static Expected<ArchDescriptor>
finishArch(ArchDescriptor arch, StringRef origin, const TargetChoice &choice) {
  if (arch.target.triple != hostTriple) {
    if (Error error = checkTarget(arch)) {
      return makeError(origin + ": " + toString(std::move(error)));
    }
    // "thumbv7em-none-eabihf" leaves out what LLVM counts on.
    arch.target.triple = Triple::normalize(arch.target.triple);
  } else if (choice.triple.empty()) {
    Expected<ArchDescriptor> host = loadArch("host");
    if (!host) {
      return host.takeError();
    }
    arch.target = host->target;
  }
  if (!choice.isEmpty()) {
    if (Error error = applyChoice(arch, choice)) {
      return std::move(error);
    }
  }
  return arch;
}

static Expected<ArchDescriptor> parseAndFinish(StringRef text, StringRef origin,
                                               const TargetChoice &choice) {
  Expected<ArchDescriptor> arch = readArch(text, origin);
  return arch ? finishArch(std::move(*arch), origin, choice) : std::move(arch);
}

Expected<ArchDescriptor> nacre::parseArch(StringRef text, StringRef origin) {
  return parseAndFinish(text, origin, {});
}

std::vector<StringRef> nacre::getArchNames() {
  std::vector<StringRef> names;
  for (const EmbeddedArch &arch : embeddedArchs) {
    names.push_back(arch.name);
  }
  llvm::sort(names);
  return names;
}

Expected<ArchDescriptor>
nacre::resolveHostArch(StringRef arch, const StringMap<bool> &features) {
  std::optional<ArchDescriptor> best;
  for (const EmbeddedArch &embedded : embeddedArchs) {
    Expected<ArchDescriptor> candidate = readArch(embedded.json, embedded.name);
    if (!candidate) {
      return candidate.takeError();
    }
    if (candidate->isNPU ||
        Triple(candidate->target.triple).getArchName() != arch) {
      continue;
    }
    bool runs =
        llvm::all_of(candidate->hostFeatures, [&](const std::string &feature) {
          return features.lookup(feature);
        });
    if (runs &&
        (!best || candidate->hostFeatures.size() > best->hostFeatures.size())) {
      best = *candidate;
    }
  }
  if (!best) {
    return makeError("no architecture descriptor for this host: it is " + arch +
                     " without the features any descriptor needs");
  }
  return *best;
}

static Expected<ArchDescriptor> loadChosenArch(StringRef name,
                                               const TargetChoice &choice) {
  if (name == "host") {
    Triple triple(sys::getProcessTriple());
    StringMap<bool> features;
    for (const auto &feature : sys::getHostCPUFeatures()) {
      features[feature.getKey()] = feature.getValue();
    }
    Expected<ArchDescriptor> arch =
        resolveHostArch(triple.getArchName(), features);
    return arch ? finishArch(std::move(*arch), name, choice) : std::move(arch);
  }
  if (name.ends_with(".json")) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> file =
        MemoryBuffer::getFile(name, /*IsText=*/true);
    if (!file) {
      return makeError("cannot read architecture descriptor '" + name +
                       "': " + file.getError().message());
    }
    return parseAndFinish((*file)->getBuffer(), name, choice);
  }
  for (const EmbeddedArch &embedded : embeddedArchs) {
    if (embedded.name == name) {
      return parseAndFinish(embedded.json, name, choice);
    }
  }
  return makeError("unknown architecture '" + name + "', expected host, " +
                   llvm::join(getArchNames(), ", ") +
                   ", or the path of a .json file");
}

Expected<ArchDescriptor> nacre::loadArch(StringRef name) {
  auto [plain, text] = name.rsplit('@');
  if (text.empty() || text.ends_with(".json")) {
    return loadChosenArch(name, {});
  }
  Expected<TargetChoice> choice = TargetChoice::parse(text);
  return choice ? loadChosenArch(plain, *choice) : choice.takeError();
}
